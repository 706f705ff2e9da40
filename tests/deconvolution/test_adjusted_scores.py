"""Aggregated, raw and adjusted scores of classifiers and the oracle."""

import json

import numpy as np
import pyarrow as pa
import pytest
from sklearn import metrics

from headcount.data import Predictions, Ratings
from headcount.deconvolution import deconvolve
from headcount.deconvolution.slips import draw_codes, majority_shares
from headcount.errors import OptionError

ALL = ("accuracy", "precision", "recall", "f1", "auc", "cross_entropy", "brier")


def some_task(n_labels: int, n: int = 60, seed: int = 0) -> tuple[Ratings, Predictions, np.ndarray]:
    """Ratings, a hard and a soft classifier, and the soft one's probabilities."""
    rng = np.random.default_rng(seed)
    views = rng.dirichlet(np.full(n_labels, 0.6), size=n)
    counts = np.stack([rng.multinomial(rng.integers(3, 12), row) for row in views])
    names = [f"label{j}" for j in range(n_labels)]
    soft = (views + 0.3 * rng.dirichlet(np.ones(n_labels), size=n)) / 1.3
    columns = {"item": [str(i) for i in range(n)]}
    columns["hard"] = [names[j] for j in rng.permuted(views, axis=1).argmax(axis=1)]
    columns |= {f"soft:{name}": soft[:, j] for j, name in enumerate(names)}
    ratings = Ratings.from_counts(counts, labels=names)
    return ratings, Predictions.from_frame(pa.table(columns)), soft


def by_sklearn(scorer: str, truth: np.ndarray, soft: np.ndarray) -> float:
    """The scorer on a row for each item and label, the label's share as its weight."""
    n, n_labels = truth.shape
    y = np.tile(np.arange(n_labels), n)
    w = truth.ravel()
    p = np.repeat(soft, n_labels, axis=0)
    keep = w > 0
    y, w, p = y[keep], w[keep], p[keep]
    guess = p.argmax(axis=1)
    average = {"average": "binary" if n_labels == 2 else "macro"}
    if scorer == "accuracy":
        return metrics.accuracy_score(y, guess, sample_weight=w)
    if scorer == "auc":
        score = p[:, 1] if n_labels == 2 else p
        options = {} if n_labels == 2 else {"multi_class": "ovr"}
        return metrics.roc_auc_score(y, score, sample_weight=w, **options)
    if scorer == "cross_entropy":
        clip = 0.04 / n_labels
        p = np.clip(p, clip, 1 - clip)
        p /= p.sum(axis=1, keepdims=True)
        return -metrics.log_loss(y, p, sample_weight=w) / np.log(2)
    if scorer == "brier":
        hit = y[:, None] == np.arange(n_labels)
        return -np.average(((p - hit) ** 2).sum(axis=1) / 2, weights=w)
    score = getattr(metrics, f"{scorer}_score")
    return score(y, guess, sample_weight=w, zero_division=0, **average)


@pytest.mark.parametrize("scorer", ALL)
@pytest.mark.parametrize("n_labels", [2, 3])
def test_scores_against_sklearn_with_shares_as_weights(n_labels, scorer):
    ratings, predictions, soft = some_task(n_labels)
    labels = deconvolve(ratings, flip_rate=0.1, method="paper", n_bootstrap=0)
    order = labels.items.astype(int)
    score = labels.score(predictions, scorer)["soft"]
    truths = (majority_shares(labels.shares), labels.shares, labels.primary)
    for view, truth in zip((score.aggregated, score.raw, score.adjusted), truths, strict=True):
        assert view.value == pytest.approx(by_sklearn(scorer, truth, soft[order]))


def test_any_metric_with_sample_weight_scores_too():
    ratings, predictions, _ = some_task(3, n=400)
    labels = deconvolve(ratings, flip_rate=0.1, n_bootstrap=5)
    by_name = labels.score(predictions, "accuracy")
    by_callable = labels.score(predictions, metrics.accuracy_score)
    assert by_callable.scorers == ("accuracy_score",)
    for name in ("hard", "soft"):
        assert by_callable[name].adjusted.value == pytest.approx(by_name[name].adjusted.value)
        np.testing.assert_allclose(list(by_callable[name].adjusted), list(by_name[name].adjusted))


@pytest.mark.parametrize("scorer", ["accuracy", "f1", "auc"])
def test_expected_scores_equal_the_mean_of_drawn_test_sets(scorer):
    ratings, predictions, soft = some_task(2, n=150)
    labels = deconvolve(ratings, flip_rate=0.12, method="paper", n_bootstrap=0)
    expected = labels.score(predictions, scorer)["soft"].adjusted.value
    guess = soft[labels.items.astype(int)]
    drawn = []
    for seed in range(250):
        codes = draw_codes(labels.primary, 10, seed)
        truth = (codes[:, :, None] == np.arange(2)).mean(axis=1)
        drawn.append(by_sklearn(scorer, truth, guess))
    error = np.std(drawn) / np.sqrt(len(drawn))
    assert abs(np.mean(drawn) - expected) < 4 * error + 2e-4


@pytest.mark.parametrize("n_labels", [2, 3, 5])
def test_the_oracle_is_perfect_when_aggregated_and_only_gains_from_adjusting(n_labels):
    ratings, _, _ = some_task(n_labels)
    before = 0.0
    for rate in (0.0, 0.02, 0.1, 0.3, 0.6, 1.0):
        oracle = deconvolve(ratings, flip_rate=rate, method="paper", n_bootstrap=0).oracle()
        assert oracle.aggregated.value == pytest.approx(1)
        assert oracle.raw.value <= oracle.adjusted.value + 1e-12
        assert before <= oracle.adjusted.value + 1e-12
        assert oracle.of_oracle.value == pytest.approx(1)
        before = oracle.adjusted.value


def test_no_slips_are_raw_and_certain_slips_are_the_majority():
    ratings, predictions, _ = some_task(2)
    raw = deconvolve(ratings, flip_rate=0.0, n_bootstrap=0).score(predictions, ALL)
    most = deconvolve(ratings, flip_rate=1.0, method="paper", n_bootstrap=0).score(predictions, ALL)
    for name in ("hard", "soft"):
        for scorer in ALL:
            untouched, sharpened = raw[name, scorer], most[name, scorer]
            assert untouched.adjusted.value == pytest.approx(untouched.raw.value)
            assert sharpened.adjusted.value == pytest.approx(sharpened.aggregated.value)


def test_no_classifier_of_labels_passes_the_oracle_by_the_papers_method():
    ratings, predictions, _ = some_task(4, n=200)
    labels = deconvolve(ratings, flip_rate=0.08, method="paper", n_bootstrap=0)
    scores = labels.score(predictions)
    oracle = scores.oracle_for()
    for name in ("hard", "soft"):
        assert scores[name].raw.value <= oracle.raw.value
        assert scores[name].adjusted.value <= oracle.adjusted.value
        share = scores[name].adjusted.value / oracle.adjusted.value
        assert scores[name].of_oracle.value == pytest.approx(share)


@pytest.mark.parametrize("scorer", ["auc", "cross_entropy", "brier"])
def test_no_classifier_of_probabilities_passes_the_soft_oracle_by_the_papers_method(scorer):
    ratings, predictions, _ = some_task(2, n=200)
    labels = deconvolve(ratings, flip_rate=0.08, method="paper", n_bootstrap=0)
    scores = labels.score(predictions, scorer)
    best = scores.oracle_for(scorer, soft=True).adjusted.value
    for score in (scores["hard"], scores["soft"], scores.oracle_for(scorer)):
        assert score.adjusted.value <= best + 1e-12
    alone = labels.oracle(scorer, soft=True)
    assert alone.oracle_for(scorer, soft=True).adjusted.value == pytest.approx(best)


def test_ties_for_the_majority_are_shared():
    ratings = Ratings.from_counts([[2, 2], [4, 0]], labels=["no", "yes"])
    predictions = Predictions.from_frame(pa.table({"item": ["0", "1"], "model": ["yes", "no"]}))
    scores = deconvolve(ratings, flip_rate=0.0, n_bootstrap=0).score(predictions)
    assert scores.aggregated.value == pytest.approx(0.75)
    assert scores.oracle_for().aggregated.value == pytest.approx(1)
    assert scores.oracle_for().raw.value == pytest.approx(0.75)


def test_every_item_or_every_rating_counts_the_same():
    ratings = Ratings.from_counts([[1, 0], [6, 3]], labels=["no", "yes"])
    each = {
        way: deconvolve(ratings, flip_rate=0.0, n_bootstrap=0, weigh_by=way).oracle().raw.value
        for way in ("items", "ratings")
    }
    assert each == pytest.approx({"items": (1 + 2 / 3) / 2, "ratings": 0.7})


def test_a_share_of_the_oracle_is_undefined_where_scores_are_negative():
    ratings, predictions, _ = some_task(2)
    scores = deconvolve(ratings, flip_rate=0.1, n_bootstrap=20).score(predictions, "cross_entropy")
    assert scores["soft"].of_oracle.value is None
    assert "zero and more" in scores["soft"].of_oracle.note


def test_intervals_hold_the_value_and_repeat_by_seed():
    ratings, predictions, _ = some_task(3, n=120)
    first, again, other = (
        deconvolve(ratings, flip_rate=0.1, n_bootstrap=60, seed=seed).score(predictions, ALL)
        for seed in (3, 3, 4)
    )
    assert first.to_dict() == again.to_dict()
    assert first.to_dict() != other.to_dict()
    for score in (*first.classifiers, *first.oracle):
        for estimate in (score.raw, score.adjusted):
            assert estimate.low <= estimate.value <= estimate.high


def test_one_classifier_by_one_metric_speaks_for_itself():
    ratings, predictions, _ = some_task(2)
    labels = deconvolve(ratings, flip_rate=0.1, n_bootstrap=10)
    one = labels.score(predictions.select(["soft"]), "f1")
    assert one.adjusted == one["soft", "f1"].adjusted
    shape = json.loads(json.dumps(one.to_dict(), allow_nan=False))
    assert set(shape["adjusted"]) >= {"value", "low", "high"}
    assert {"aggregated", "raw", "adjusted", "of_oracle", "flip_rate"} <= set(shape)
    both = labels.score(predictions, "f1")
    with pytest.raises(OptionError, match="pick one"):
        _ = both.adjusted
    with pytest.raises(OptionError, match="there are hard, soft by f1"):
        _ = both["nobody"]


def test_results_say_what_they_found():
    ratings, predictions, _ = some_task(2)
    labels = deconvolve(ratings, flip_rate=0.1, n_bootstrap=20)
    assert "of people hold the label that most raters" in labels.verdict()
    assert "decides as" in labels.score(predictions).verdict()
    assert "adjusted f1" in labels.score(predictions, "f1").verdict()
    assert "adjusted f1" in labels.oracle("f1").verdict()
    assert "The raters stand for the people" in labels.summary()
    frame = labels.to_frame("pandas")
    assert len(frame) == 60
    given = frame[["given:label0", "given:label1"]].to_numpy()
    held = frame[["primary:label0", "primary:label1"]].to_numpy()
    np.testing.assert_allclose(given.sum(axis=1), 1)
    np.testing.assert_allclose(held.sum(axis=1), 1)
    assert len(labels.score(predictions, ALL).to_frame("pandas")) == 4 * len(ALL) - 4


def test_items_that_nobody_predicted_are_counted_not_scored():
    ratings, predictions, _ = some_task(2)
    half = Predictions.from_frame(
        predictions.table.rename_columns(["item", *predictions.table.column_names[1:]])
        .slice(0, 30)
        .select(["item", "hard"])
    )
    scores = deconvolve(ratings, flip_rate=0.1, n_bootstrap=10).score(half)
    assert (scores.items_used, scores.items_dropped) == (30, 30)
    only = deconvolve(ratings, flip_rate=0.1, n_bootstrap=0)
    rows = np.isin(only.items, [str(i) for i in range(30)])
    oracle = only.shares[rows].max(axis=1).mean()
    assert scores.oracle_for().raw.value == pytest.approx(oracle)


def test_a_classifier_called_oracle_is_not_taken_for_the_oracle():
    ratings, predictions, _ = some_task(2)
    table = pa.table({"item": predictions.table.column(0), "oracle": predictions.table["hard"]})
    scores = deconvolve(ratings, flip_rate=0.1, n_bootstrap=0).score(Predictions.from_frame(table))
    assert [(score.name, score.kind) for score in scores.classifiers] == [("oracle", "classifier")]
    assert [score.kind for score in scores.oracle] == ["oracle"]
    assert scores["oracle"] == scores.classifiers[0] != scores.oracle_for()


def test_the_same_metric_twice_is_scored_once_and_nonsense_is_refused():
    ratings, _, _ = some_task(2)
    labels = deconvolve(ratings, flip_rate=0.1, n_bootstrap=0)
    assert labels.oracle(("accuracy", "agreement")).scorers == ("accuracy",)
    with pytest.raises(OptionError, match="at least one scorer"):
        labels.oracle([])
    with pytest.raises(OptionError, match="scorer is a name"):
        labels.oracle(3)


@pytest.mark.parametrize(
    ("counts", "names"),
    [([[3], [2]], ["a"]), ([[3, 1]], ["a", "b"]), ([[5, 0], [4, 0]], ["a", "b"])],
)
def test_degenerate_tasks_have_scores_or_reasons(counts, names):
    labels = deconvolve(Ratings.from_counts(counts, labels=names), flip_rate=0.1, n_bootstrap=20)
    oracle = labels.oracle(ALL, soft=True)
    json.dumps(oracle.to_dict(), allow_nan=False)
    assert oracle.oracle_for().adjusted.value is not None
    for score in oracle.oracle:
        assert score.adjusted.value is not None or score.adjusted.note


def test_few_ratings_flatter_the_oracle_and_that_is_said():
    few = Ratings.from_counts([[1, 0], [0, 1]], labels=["a", "b"])
    assert "is flattered" in deconvolve(few, flip_rate=0.1, n_bootstrap=0).summary()
