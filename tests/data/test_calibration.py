"""Calibration: isotonic regression against scikit-learn, and the cross-fitting around it."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.isotonic import IsotonicRegression

import headcount as hc
from headcount.data import Classifier, Judged, Labels, calibrate, judge
from headcount.data.calibration import (
    answer_probabilities,
    isotonic_knots,
    isotonic_probabilities,
)
from headcount.data.folds import deal_folds
from headcount.errors import OptionError, UnanswerableError

rows = st.lists(
    st.tuples(st.integers(0, 8), st.integers(0, 5), st.integers(1, 4)), min_size=1, max_size=30
)


def sklearn_fit(x, y, weight, at):
    fit = IsotonicRegression(out_of_bounds="clip").fit(x, y, sample_weight=weight)
    return fit.predict(at)


@given(rows)
@settings(max_examples=200, deadline=None)
def test_isotonic_regression_against_sklearn(table):
    x, y, weight = (np.array(column, dtype=float) for column in zip(*sorted(table), strict=True))
    knots, fitted = isotonic_knots(x, y, weight)
    at = np.linspace(-1, 9, 41)
    np.testing.assert_allclose(
        np.interp(at, knots, fitted), sklearn_fit(x, y, weight, at), atol=1e-9
    )


@pytest.mark.parametrize("seed", range(5))
def test_isotonic_regression_of_many_ratings_against_sklearn(seed):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.random(3000))
    y = rng.binomial(10, x**2) / 10
    weight = rng.integers(1, 20, size=3000).astype(float)
    knots, fitted = isotonic_knots(x, y, weight)
    np.testing.assert_allclose(fitted, sklearn_fit(x, y, weight, knots), atol=1e-12)


def test_a_long_rise_with_a_low_end_is_pooled_against_theory():
    # The low value pools with one block after the other, as far as their mean stays above it.
    y = np.r_[np.arange(50_000.0), -1e4]
    _, fitted = isotonic_knots(np.arange(len(y), dtype=float), y, np.ones(len(y)))
    assert (np.diff(fitted) >= 0).all()
    assert fitted.sum() == pytest.approx(y.sum())
    pooled = fitted == fitted[-1]
    assert fitted[-1] == pytest.approx(y[pooled].mean())


def simulated(n_labels=2, items=400, seed=0, hard=False, ids=True):
    rng = np.random.default_rng(seed)
    truth = rng.dirichlet(np.ones(n_labels), size=items)
    counts = np.array([rng.multinomial(rng.integers(3, 9), each) for each in truth])
    distorted = truth**3 / (truth**3).sum(axis=1, keepdims=True)
    outputs = (
        Classifier("model", codes=distorted.argmax(axis=1))
        if hard
        else Classifier("model", probabilities=distorted)
    )
    names = np.array([f"item {each}" for each in range(items)], dtype=object)
    labels = Labels(tuple("abcd"[:n_labels]))
    ones = np.ones(items, dtype=np.int64)
    return Judged(labels, counts, ones, (outputs,), names if ids else None)


def log_score(classifier, judged):
    logs = np.log2(np.clip(classifier.probabilities, 0.01, 0.99))
    return (judged.counts * logs).sum() / judged.counts.sum()


@pytest.mark.parametrize("n_labels", [2, 3, 4])
@pytest.mark.parametrize("hard", [False, True])
def test_calibrated_probabilities_predict_raters_better(n_labels, hard):
    judged = simulated(n_labels, items=2000, hard=hard)
    raw, calibrated = calibrate(judged).classifiers
    assert (raw.name, raw.reading) == ("model", "given")
    assert (calibrated.name, calibrated.reading) == ("model", "calibrated")
    np.testing.assert_allclose(calibrated.probabilities.sum(axis=1), 1)
    assert (calibrated.probabilities >= 0).all()
    if not hard:
        assert log_score(calibrated, judged) > log_score(raw, judged)
    shares = judged.counts.sum(axis=0) / judged.counts.sum()
    prior = (judged.counts @ np.log2(shares)).sum() / judged.counts.sum()
    assert log_score(calibrated, judged) > prior


def test_no_item_calibrates_itself_against_brute_force():
    judged = simulated(items=60)
    calibrated = calibrate(judged, folds=60).classifiers[1].probabilities
    p, share = judged.classifiers[0].probabilities[:, 1], judged.counts[:, 1]
    many = judged.counts.sum(axis=1)
    for item in range(60):
        rest = np.arange(60) != item
        alone = sklearn_fit(p[rest], (share / many)[rest], many[rest].astype(float), [p[item]])
        assert calibrated[item, 1] == pytest.approx(alone[0], abs=1e-12)


def test_row_order_never_matters_and_the_seed_does():
    judged = simulated(items=300)
    order = np.random.default_rng(1).permutation(300)
    straight, moved = calibrate(judged), calibrate(judged.take(order))
    np.testing.assert_array_equal(
        straight.classifiers[1].probabilities[order], moved.classifiers[1].probabilities
    )
    other = calibrate(judged, seed=1)
    assert (other.classifiers[1].probabilities != straight.classifiers[1].probabilities).any()


def test_the_order_of_two_labels_never_matters():
    judged = simulated(items=200)
    swapped = Judged(
        Labels(("b", "a")),
        judged.counts[:, ::-1],
        judged.size,
        (Classifier("model", probabilities=judged.classifiers[0].probabilities[:, ::-1]),),
        judged.items,
    )
    np.testing.assert_allclose(
        calibrate(judged).classifiers[1].probabilities,
        calibrate(swapped).classifiers[1].probabilities[:, ::-1],
        atol=1e-12,
    )


def test_grouped_items_are_divided_among_the_folds():
    judged = simulated(items=300, hard=True).grouped()
    assert judged.items is None
    calibrated = calibrate(judged)
    assert calibrated.n_items == 300
    assert len(calibrated.size) > len(judged.size)
    totals = (calibrated.counts * calibrated.size[:, None]).sum(axis=0)
    np.testing.assert_array_equal(totals, (judged.counts * judged.size[:, None]).sum(axis=0))
    np.testing.assert_array_equal(
        np.bincount(deal_folds(302, 10, 0)), [31, 31, 30, 30, 30, 30, 30, 30, 30, 30]
    )


def test_what_another_classifier_said_never_matters():
    judged = simulated(items=300)
    alone = calibrate(judged, keep=False)
    other = Classifier("other", codes=np.random.default_rng(2).integers(0, 2, 300))
    together = calibrate(
        Judged(
            judged.labels,
            judged.counts,
            judged.size,
            (other, *judged.classifiers),
            judged.items,
        ),
        keep=False,
    )
    np.testing.assert_array_equal(
        alone.classifiers[0].probabilities, together.classifiers[1].probabilities
    )


@pytest.mark.parametrize("hard", [False, True])
def test_grouped_and_single_items_are_calibrated_alike(hard):
    judged = simulated(items=300, hard=hard)
    single, groups = calibrate(judged).grouped(), calibrate(judged.grouped()).grouped()
    np.testing.assert_array_equal(single.size, groups.size)
    np.testing.assert_array_equal(single.counts, groups.counts)
    np.testing.assert_allclose(
        single.classifiers[1].probabilities, groups.classifiers[1].probabilities, atol=1e-12
    )


def test_an_answer_outside_the_labels_is_calibrated_by_what_raters_say_there():
    counts = np.tile([[4, 0], [0, 4], [3, 1]], (20, 1))
    codes = np.tile([0, 1, -1], 20)
    items = np.arange(60).astype(str).astype(object)
    judged = Judged(
        Labels(("a", "b")), counts, np.ones(60, int), (Classifier("judge", codes=codes),), items
    )
    (calibrated,) = calibrate(judged, keep=False).classifiers
    np.testing.assert_allclose(calibrated.probabilities[:3], [[1, 0], [0, 1], [0.75, 0.25]])
    assert calibrated.soft


def test_where_every_label_is_fitted_to_nothing_the_overall_shares_stand():
    training = np.array([[0.2, 0.3, 0.5], [0.5, 0.2, 0.3], [0.3, 0.5, 0.2]])
    target = np.array([[0, 0, 1.0], [1.0, 0, 0], [0, 1.0, 0]])
    weight = np.array([1.0, 1.0, 2.0])
    low = isotonic_probabilities(training, target, weight, np.array([[0.1, 0.1, 0.1]]))
    np.testing.assert_allclose(low, [[0.25, 0.5, 0.25]])


def test_calibration_refuses_what_it_cannot_do():
    judged = simulated(items=10)
    with pytest.raises(OptionError, match="folds is a whole number of at least 2"):
        calibrate(judged, folds=1)
    with pytest.raises(UnanswerableError, match="at least two items"):
        calibrate(judged.take(np.array([0])))


def test_wikipedia_scores_before_and_after_calibration_against_reference(shared_data):
    # Frozen from this file's own recipe: mean over items of the mean log2 p(label), clip 0.02.
    # The equivalences they lead to (1.89 and 3.40) are checked with the power curve.
    folder = shared_data("wikipedia-attacks")
    ratings = hc.Ratings.read(folder / "counts.csv.gz")
    judged = calibrate(judge(ratings, hc.Predictions.read(folder / "predictions.csv.gz")))
    share = judged.counts / judged.counts.sum(axis=1, keepdims=True)
    scores = [
        (share * np.log2(np.clip(each.probabilities, 0.02, 0.98))).sum(axis=1).mean()
        for each in judged.classifiers
    ]
    np.testing.assert_allclose(scores, [-0.490533, -0.453955], atol=2e-6)


def test_answers_are_calibrated_by_the_other_folds_against_brute_force() -> None:
    """Also an answer that no other fold has, and rows that stand for several items."""
    rng = np.random.default_rng(8)
    answers = np.concatenate([rng.integers(-1, 3, 60), [3]])
    counts, size = rng.integers(0, 4, (61, 4)), rng.integers(1, 5, 61)
    counts[:, 0] += 1
    fold = rng.permutation(np.arange(61) % 5) * 2  # numbers with gaps are folds too
    found = answer_probabilities(answers, counts, size, fold)
    for row in range(61):
        others = fold != fold[row]
        same = others & (answers == answers[row])
        said = (size[:, None] * counts)[same if same.any() else others].sum(axis=0)
        np.testing.assert_allclose(found[row], said / said.sum(), rtol=1e-13)
