"""Stopping early: the guarantee under continuous looking, and what it saves."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

import headcount as hc
from headcount.errors import OptionError, UnanswerableError
from headcount.plan.stopping import (
    BETS,
    first_stop,
    log_wealth,
    not_ruled_out,
    stream,
    watch_arrivals,
)


def boundary(most, error=0.05):
    """The least |ups − downs| that rules out zero after n labels of ±1, n = 1..most."""
    values, least, found = np.array([-1.0, 1.0]), 1, []
    for n in range(1, most + 1):
        while least <= n:
            up = (n + least) / 2
            if log_wealth(values, np.array([n - up, up]), 0.0) >= -np.log(error):
                break
            least += 1
        found.append(least)
    return np.array(found)


def stops(rng, lean, most, streams):
    """When each of many streams of ±1 is stopped (−1: never) looking after every label."""
    edge = boundary(most)
    when, side = np.full(streams, -1), np.zeros(streams)
    for run in range(streams):
        walk = np.cumsum(np.where(rng.random(most) < (1 + lean) / 2, 1, -1))
        passed = np.flatnonzero(np.abs(walk) >= edge)
        if len(passed):
            when[run], side[run] = passed[0] + 1, np.sign(walk[passed[0]])
    return when, side


def interval_of(x, error=0.05):
    return not_ruled_out(*np.unique(x, return_counts=True), error)


def test_false_stops_under_continuous_looking_coverage():
    """At a gap of zero, 2,000 streams of 5,000 labels looked at after every one."""
    when, _ = stops(np.random.default_rng(16), 0.0, 5_000, 2_000)
    assert (when > 0).mean() <= 0.05


@pytest.mark.parametrize(("gap", "saved"), [(0.02, 0.2), (0.05, 0.1)])
def test_labels_saved_against_a_fixed_plan(gap, saved):
    """A fixed test with the same 5 % of false stops and 95 % power, where they differ on 20 %."""
    lean = gap / 0.2
    fixed = (stats.norm.ppf(0.975) + stats.norm.ppf(0.95)) ** 2 * (1 - lean**2) / lean**2
    when, side = stops(np.random.default_rng(3), lean, round(12 * fixed), 600)
    assert (when > 0).all()
    assert (side < 0).mean() <= 0.025
    print(f"gap {gap}: {when.mean():.0f} labels on average, fixed {fixed:.0f}")
    assert when.mean() < (1 - saved) * fixed


def test_no_bet_gains_on_average_against_theory():
    """E(1 + λ(x − m)) = 1 for every bet, so the wealth is a martingale that starts at 1."""
    values, chances = np.array([-1.0, 0.0, 0.5, 1.0]), np.array([0.3, 0.2, 0.4, 0.1])
    mean = float(values @ chances)
    for side in (BETS / (1 + mean), -BETS / (1 - mean)):
        factors = 1 + np.outer(side, values - mean)
        assert (factors > 0).all()
        np.testing.assert_allclose(factors @ chances, 1.0)
    assert log_wealth(values, np.zeros(4), 0.3) == pytest.approx(0.0)


def test_intervals_hold_all_the_time_coverage():
    """Several labels an item, a mean that is not zero: 300 streams, 30 looks each."""
    held = 0
    for run in range(300):
        rng = np.random.default_rng([5, run])
        share = rng.beta(2, 1.5, 600)
        x = 2 * rng.binomial(3, share) / 3 - 1
        truth = 2 * (2 / 3.5) - 1
        values, codes = np.unique(x, return_inverse=True)
        wealth = [
            log_wealth(values, np.bincount(codes[:n], minlength=len(values)), truth)
            for n in np.unique(np.geomspace(1, 600, 30).astype(int))
        ]
        held += max(wealth) < -np.log(0.05)  # the truth was in every interval
    assert held / 300 >= 0.95


def test_first_stop_is_when_zero_leaves_the_interval():
    x = np.where(np.random.default_rng(1).random(3000) < 0.6, 1.0, -1.0)
    n = first_stop(x)
    before, after = interval_of(x[: n - 1]), interval_of(x[:n])
    assert before[0] <= 0 < after[0]
    assert first_stop(np.zeros(50)) is None
    assert interval_of(np.array([])) == (-1.0, 1.0)


def test_counted_values_never_change_as_labels_come_in():
    """An item counts by its first labels, in the order in which it got the last of them."""
    decisions = np.array([[0, 1], [0, 0], [1, 0], [0, 1]])
    item = np.array([0, 1, 2, 0, 3, 2, 3, 0, 0])
    label = np.array([0, 1, 1, 0, 1, 0, 0, 1, 1])
    assert stream(decisions, item, label, 1).tolist() == [1, 1, -1]
    assert stream(decisions, item, label, 2).tolist() == [1, 0, 0]
    for n in range(len(item)):
        part = stream(decisions, item[:n], label[:n], 2)
        assert part.tolist() == stream(decisions, item, label, 2)[: len(part)].tolist()


def frames(items, lean, seed=0):
    rng = np.random.default_rng(seed)
    apart = rng.random(items) < 0.3
    side = rng.random(items) < (1 + lean) / 2
    ids = [f"i{k}" for k in range(items)]
    said = np.where(apart & ~side, "y", "x")
    ratings = pa.table({"item": ids, "rater": ["ann"] * items, "label": said})
    answers = {"item": ids, "good": ["x"] * items, "poor": np.where(apart, "y", "x")}
    return ratings, pa.table(answers)


def test_watching_says_stop_with_its_guarantee():
    found = hc.watch(*frames(2000, 0.5))
    assert found.stop == "first"
    assert "You can stop now: 'good' agrees more with people than 'poor'" in found.verdict()
    assert "at most 5 %" in found.verdict()
    assert found.differ == pytest.approx(0.3, abs=0.03)
    assert found.difference.low == pytest.approx(found.differ * found.where_they_differ.low)
    assert found.to_frame().num_rows == len(found.looks)
    again = hc.watch(*frames(2000, -0.5))
    assert again.stop == "second"
    close = hc.watch(*frames(2000, 0.0, seed=4), matters=0.1)
    assert (close.stop, "less than the 10 points" in close.verdict()) == ("alike", True)
    early = hc.watch(*frames(60, 0.1))
    assert early.stop is None
    assert early.verdict().startswith("Go on")


def test_what_was_ruled_out_stays_ruled_out():
    """A stop is remembered even where later labels speak against it."""
    decisions = np.tile([0, 1], (400, 1))
    label = np.r_[np.zeros(60), np.tile([0, 1, 1, 1], 85)].astype(int)
    found = watch_arrivals(("a", "b"), decisions, np.arange(400), label)
    assert first_stop(stream(decisions, np.arange(400), label, 1)) < 20
    assert found.stop == "first"


def test_watching_refuses_in_a_sentence():
    ratings, answers = frames(50, 0.1)
    with pytest.raises(OptionError, match="error is a chance"):
        hc.watch(ratings, answers, error=0.7)
    with pytest.raises(OptionError, match="matters is a difference"):
        hc.watch(ratings, answers, matters=2)
    with pytest.raises(OptionError, match="labels_each is a whole number"):
        hc.watch(ratings, answers, labels_each=0)
    with pytest.raises(OptionError, match="two of the classifiers"):
        hc.watch(ratings, answers, classifiers=("good", "better"))
    with pytest.raises(UnanswerableError, match="said the same about every"):
        hc.watch(ratings, answers.set_column(2, "poor", answers["good"]))
    counts = hc.Ratings.from_counts(np.array([[1, 0], [0, 1]]), labels=["x", "y"])
    answers = pa.table({"item": ["0", "1"], "a": ["x", "x"], "b": ["y", "y"]})
    with pytest.raises(UnanswerableError, match="in which order"):
        hc.watch(counts, answers)
