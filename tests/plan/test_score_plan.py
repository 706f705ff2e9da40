"""Plans for scores: the moments, the promise they make, and what they refuse."""

import itertools

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.errors import OptionError, UnanswerableError
from headcount.plan.choice import Choice
from headcount.plan.pilot_moments import score_moments


def ragged(rng, n_items=40, raters=None):
    n = rng.integers(1, 5, n_items)
    item = np.repeat(np.arange(n_items), n)
    score = rng.normal(0, 1, n_items)
    value = score[item] + rng.normal(0, 1, len(item))
    judges = score[:, None] + rng.normal(0, [0.5, 0.8, 1.2], (n_items, 3))
    rater = None if raters is None else np.concatenate([rng.permutation(raters)[:k] for k in n])
    return item, value, judges, rater


@pytest.mark.parametrize(("distance", "power"), [("squared", 2), ("absolute", 1)])
def test_moments_against_brute_force(distance, power):
    item, value, judges, _ = ragged(np.random.default_rng(0))
    found = score_moments(item, value, judges, distance=distance)
    each = [-(np.abs(judges[i] - value[item == i][:, None]) ** power) for i in range(40)]
    s = np.array([rows.mean(axis=0) for rows in each])
    np.testing.assert_allclose(found.mean, s.mean(axis=0))
    np.testing.assert_allclose(found.over_items, np.cov(s.T) / 40)
    single = sum(rows.T @ rows / len(rows) for rows in each) / 40
    np.testing.assert_allclose(found.one_label, single - np.outer(s.mean(0), s.mean(0)))
    inside = [np.cov(rows.T) for rows in each if len(rows) > 1]
    np.testing.assert_allclose(found.within, np.mean(inside, axis=0))


def test_what_people_vary_by_cancels_against_theory():
    """The lead in squared distance is that in error against the true score, whatever people do."""
    rng = np.random.default_rng(1)
    score = rng.normal(0, 1, 20_000)
    judges = score[:, None] + rng.normal(0, [0.5, 1.0], (20_000, 2))
    for spread in (0.2, 3.0):
        value = score + rng.normal(0, spread, 20_000)
        found = score_moments(np.arange(20_000), value, judges, distance="squared")
        lead, error = Choice(found).difference(0, 1)
        assert lead == pytest.approx(0.75, abs=4 * error)


def test_the_promised_probability_is_kept():
    """Judges that differ by nothing in particular: the leader is right as often as is said."""
    promised, kept = [], []
    rng = np.random.default_rng(2)
    for _ in range(400):
        better = rng.normal(0, 0.25)
        score = rng.normal(0, 1, 120)
        item = np.repeat(np.arange(120), 2)
        value = score[item] + rng.normal(0, 1, 240)
        spread = np.sqrt([1 + better, 1.0])
        judges = score[:, None] + spread * rng.normal(0, 1, (120, 2))
        choice = Choice(score_moments(item, value, judges, distance="squared"), "fixed", 0.25)
        promised.append(choice.probability())
        kept.append((choice.mean @ choice.contrasts).argmax() == (better > 0))
    assert np.mean(kept) == pytest.approx(np.mean(promised), abs=0.06)


def test_more_ratings_save_and_never_cost():
    made = hc.simulate.make("scores", items=200, seed=4)
    found = hc.plan_scores(made.ratings, made.predictions, target=0.99)
    losses = [found.loss(more) for more in (0, 100, 1000, 10_000)]
    assert losses == sorted(losses, reverse=True)
    assert [each.ratings for each in found.more] == [100, 1000, 10_000]
    assert found.raters == "new"
    for distance, raters in itertools.product(("squared", "absolute"), ("same", "fixed")):
        other = hc.plan_scores(made.ratings, made.predictions, distance=distance, raters=raters)
        assert other.raters == raters
        assert other.distance in other.verdict()


def test_verdict_tables_and_json():
    made = hc.simulate.make("scores", items=60, seed=5)
    found = hc.plan_scores(made.ratings, made.predictions, matters=0.05)
    assert "is nearer to people than" in found.verdict()
    assert found.to_dict()["classifiers"][0]["name"] == "judge"
    assert found.table("more").rows[0][0] == 0
    assert found.to_frame().num_rows == 3
    assert "not calibrated" in found.summary()
    needed = found.ratings_for_target
    assert needed is None or found.probability(needed) >= 0.95


def test_summeval_judges_are_chosen_between(shared_data):
    folder = shared_data("summeval")
    found = hc.plan_scores(
        folder / "ratings.csv.gz",
        folder / "predictions.csv.gz",
        classifiers=["gpt-4o", "gpt-4o-mini"],
    )
    assert found.leader == "gpt-4o-mini"
    assert found.probability_now > 0.8
    by_hand = dict(zip(["gpt-4o", "gpt-4o-mini"], found.choice.moments.mean, strict=True))
    assert found.gap.value == pytest.approx(by_hand["gpt-4o-mini"] - by_hand["gpt-4o"])


def test_refusals():
    ratings = pa.table({"item": [1, 1, 2, 2, 3], "label": [1.0, 2.5, 3.0, 2.0, 4.0]})
    one = pa.table({"item": [1, 2, 3], "a": [1.0, 2.0, 3.0]})
    with pytest.raises(UnanswerableError, match="no two judges"):
        hc.plan_scores(ratings, one)
    same = pa.table({"item": [1, 2, 3], "a": [1.0, 2.0, 3.0], "b": [1.0, 2.0, 3.0]})
    with pytest.raises(UnanswerableError, match="same number on every item"):
        hc.plan_scores(ratings, same)
    for wrong in ({"distance": "cubed"}, {"target": 1.2}, {"matters": -1}, {"affordable": 0}):
        with pytest.raises(OptionError, match=next(iter(wrong))):
            hc.plan_scores(ratings, same, **wrong)
