"""How ratings were collected is read from counts, and what was asked first restored from them."""

from itertools import permutations, product

import numpy as np
import pytest
from scipy.stats import binom
from tests.data.designs import DESIGNS, WORLDS, collected, study_of, truths

import headcount as hc
from headcount.counting import Patterns
from headcount.data import Design, FirstAnswers, pair_shares
from headcount.data.design import pairs_of
from headcount.errors import OptionError

RULES = {
    "2+1": (2, lambda c: len(set(c)) == 1 or len(c) == 3),
    "3+2": (3, lambda c: len(set(c)) == 1 or len(c) == 5),
    "until two agree": (2, lambda c: max(map(c.count, c)) == 2 or len(c) == 4),
    "until three agree": (3, lambda c: max(map(c.count, c)) == 3 or len(c) == 5),
}


def _finished(labels, first, stops):
    """Every order of answers in which asking stops, as tuples."""
    found, open_ends = [], [tuple(c) for c in product(range(labels), repeat=first)]
    while open_ends:
        done = [c for c in open_ends if stops(c)]
        found += done
        open_ends = [(*c, label) for c in open_ends if not stops(c) for label in range(labels)]
    return found


@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("rule", RULES)
def test_first_answers_against_brute_force(rule, labels):
    """Of all orders in which an item may have come to its counts, the share that begin so."""
    first, stops = RULES[rule]
    finished = _finished(labels, first, stops)
    counts = np.array([np.bincount(c, minlength=labels) for c in finished])
    found = Design.of(Patterns.of(np.repeat(counts, 15, axis=0)), "answers").first_answers
    for row in np.unique(counts, axis=0):
        orders = [c for c, of in zip(finished, counts, strict=True) if (of == row).all()]
        begun = [np.bincount(c[:first], minlength=labels) for c in orders]
        spread = found.of(row[None])
        assert spread.weight.sum() == pytest.approx(1)
        for z, weight in zip(spread.first, spread.weight, strict=True):
            expected = np.mean([(each == z).all() for each in begun])
            assert weight == pytest.approx(expected, abs=1e-9)


def test_who_is_left_of_the_first_answers_against_brute_force():
    """Answers alike are as likely to be among the first: all orders of named answers are tried."""
    whole, left = (2, 2, 1), (1, 2, 0)
    named = [(0, "a"), (0, "b"), (1, "c"), (1, "d"), (2, "e")]
    gone = {"b", "e"}
    tally, orders = {}, 0
    for order in permutations(named):
        if len({label for label, _ in order[:3]}) == 1:
            continue
        orders += 1
        kept = [label for label, who in order[:3] if who not in gone]
        rest = tuple(np.bincount(kept, minlength=3).tolist())
        tally[rest] = tally.get(rest, 0) + 1
    rule = FirstAnswers(3, {(3, 0, 0): 1.0, (0, 3, 0): 1.0, (0, 0, 3): 1.0})
    spread = rule.of(np.array([left]), np.array([whole]))
    found = dict(zip(map(tuple, spread.first.tolist()), spread.weight, strict=True))
    assert found.keys() == tally.keys()
    for rest, weight in found.items():
        assert weight == pytest.approx(tally[rest] / orders)


def test_exceptions_to_a_rule_are_learned():
    """Where one unanimous item in ten got a third rating all the same, that chance is found."""
    rng = np.random.default_rng(3)
    p = rng.choice([0.1, 0.4, 0.9], 40_000)
    answers = rng.random((len(p), 3)) < p[:, None]
    three = (answers[:, 0] != answers[:, 1]) | (rng.random(len(p)) < 0.1)
    yes = np.where(three, answers.sum(axis=1), answers[:, :2].sum(axis=1))
    counts = np.column_stack([np.where(three, 3, 2) - yes, yes])
    found = Design.of(Patterns.of(counts), "answers").first_answers
    assert found.stops[2, 0] == pytest.approx(0.9, abs=0.02)
    mean = found.shares(counts).mean(axis=0)[1]
    assert mean == pytest.approx(p.mean(), abs=0.006)


def _kinds(world, design, runs, n=500, m=40):
    found = []
    for seed in range(runs):
        rng = np.random.default_rng([seed, DESIGNS.index(design)])
        item, _, label, _ = collected(world, design, n, m, rng)
        counts = np.zeros((n, world.labels), dtype=np.int64)
        np.add.at(counts, (item, label), 1)
        found.append(Design.of(Patterns.of(counts)).kind)
    return found


@pytest.mark.parametrize("key", WORLDS)
def test_designs_are_read_from_counts(key):
    """Rules by the answers always; harder items rated more too; else in a few false alarms."""
    runs = 40
    for design in ("2+1", "3+2"):
        assert set(_kinds(WORLDS[key], design, runs)) == {"answers"}
    assert set(_kinds(WORLDS[key], "harder", runs)) == {"before"}
    assert set(_kinds(WORLDS[key], "full", 3)) == {"full"}
    kinds = _kinds(WORLDS[key], "random", runs)
    assert "answers" not in kinds
    assert binom.sf(kinds.count("before") - 1, runs, 0.05) > 0.001


def test_what_a_user_says_of_the_design_counts():
    counts = [[2, 0]] * 30 + [[0, 2]] * 30 + [[2, 1]] * 20 + [[1, 2]] * 20
    read = hc.Ratings.from_counts(counts, labels=["no", "yes"])
    assert read.design.kind == "answers"
    said = hc.Ratings.from_counts(counts, labels=["no", "yes"], stopped="random")
    assert said.design.kind == "random"
    assert "as you say" in said.design.sentence()
    found = {
        kind: hc.agreement(
            hc.Ratings.from_counts(counts, labels=["no", "yes"], stopped=kind), n_bootstrap=0
        )
        for kind in ("answers", "before", "random")
    }
    assert found["answers"].two_people.value == pytest.approx(0.6)
    assert found["before"].two_people.value == pytest.approx(0.6 + 0.4 / 3)
    assert found["random"].percent_agreement.value == pytest.approx((120 + 80) / (120 + 240))

    assert "first 2 of every item count" in found["answers"].summary().splitlines()[1]
    assert found["answers"].to_dict()["collected"] == list(found["answers"].collected)
    with pytest.raises(OptionError, match="stopped is"):
        hc.Ratings.from_counts(counts, labels=["no", "yes"], stopped="later")


def test_a_rule_that_was_kept_loosely_is_asked_about():
    """Neither recipe can be told for sure: both numbers and the question stand there."""
    counts = [[2, 0]] * 95 + [[1, 1]] * 3 + [[2, 1]] * 60 + [[1, 2]] * 30 + [[3, 0]] * 6
    design = hc.Ratings.from_counts(counts, labels=["no", "yes"]).design
    assert design.kind == "before"
    assert "--stopped answers" in design.question()
    this, other = design.otherwise
    assert f"{100 * this:.1f} %" in design.question()
    assert f"{100 * other:.1f} %" in design.question()


def test_adult_content_has_one_number(shared_data):
    ratings = hc.Ratings.read(next(shared_data("pg13").glob("ratings.csv*")))
    found = hc.agreement(ratings, n_bootstrap=0, contested=0)
    assert found.two_people.value == pytest.approx(0.746, abs=5e-4)
    assert found.percent_agreement.value == pytest.approx(found.two_people.value, abs=1e-12)
    assert "Items with more labels are more contested" in found.summary().splitlines()[1]
    assert "70.0 %" not in found.summary()


@pytest.mark.parametrize("design", ["2+1", "3+2", "harder"])
def test_two_people_hold_by_design_coverage(design):
    """Intervals over anonymous answers hold what two people at large do; they held it in none."""
    world, runs, held, before = WORLDS["drawn", 2], 60, 0, 0
    truth = truths(world, n=100_000)["two_people"]
    for seed in range(runs):
        study = study_of(world, design, 400, 40, seed, named=False)
        found = hc.agreement(study, n_bootstrap=100, contested=0)
        held += found.two_people.low <= truth <= found.two_people.high
        blind = study.ratings.patterns()
        pairs = blind.items @ (blind.raters * (blind.raters - 1))
        agreeing = blind.items @ (blind.counts * (blind.counts - 1)).sum(axis=1)
        before += found.two_people.low <= agreeing / pairs <= found.two_people.high
    assert binom.cdf(held, runs, 0.95) > 0.001
    assert before < runs / 2


def test_pairs_of_items_with_many_ratings_weigh_one():
    """Thousands of ratings an item are no more than one item, and no number runs over."""
    counts = np.array([[3000, 1000, 0], [1, 1, 0], [0, 0, 1], [2, 2, 3]])
    spread = pairs_of(counts)
    assert spread.mean(np.ones(len(spread.row)), 4) == pytest.approx(np.ones(4))
    alike = spread.mean((spread.first.max(axis=1) == 2).astype(float), 4)
    assert alike[[0, 1, 3]] == pytest.approx(pair_shares(counts[[0, 1, 3]]))
    of_two = FirstAnswers(2).of(counts)
    assert of_two.mean((of_two.first.max(axis=1) == 2).astype(float), 4) == pytest.approx(alike)
