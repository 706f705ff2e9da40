"""Every scorer against scikit-learn's metric of the same name, with weights."""

import functools

import numpy as np
import pytest
from sklearn import metrics

from headcount.data import Labels
from headcount.metrics import clipped, resolve_scorer

TWO = Labels(("no", "yes"))
THREE = Labels(("a", "b", "c"))
NUMBERS = Labels(("1", "2", "5"))


def table(labels, seed=0, rows=400):
    rng = np.random.default_rng(seed)
    label = rng.integers(labels.n, size=rows)
    probabilities = rng.dirichlet(np.ones(labels.n), size=rows)
    # Ties are where ranking metrics go wrong, so half of the rows are taken from a few.
    probabilities[: rows // 2] = probabilities[rng.integers(10, size=rows // 2)]
    return probabilities, label, rng.gamma(1.0, size=rows)


@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])
def test_agreement_is_accuracy_against_sklearn(labels):
    p, label, weight = table(labels)
    ours = resolve_scorer("agreement")(p.argmax(1), label, weight, labels=labels)
    assert ours == pytest.approx(
        metrics.accuracy_score(label, p.argmax(1), sample_weight=weight), abs=1e-12
    )


@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])
def test_cross_entropy_is_minus_log_loss_in_bits_against_sklearn(labels):
    p, label, weight = table(labels)
    held = clipped(p, 0.04 / labels.n)
    ours = resolve_scorer("cross_entropy")(p, label, weight, labels=labels)
    loss = metrics.log_loss(label, held, sample_weight=weight, labels=np.arange(labels.n))
    assert ours == pytest.approx(-loss / np.log(2), abs=1e-12)


def test_brier_of_two_labels_is_minus_the_loss_against_sklearn():
    p, label, weight = table(TWO)
    ours = resolve_scorer("brier")(p, label, weight, labels=TWO)
    loss = metrics.brier_score_loss(label, p[:, 1], sample_weight=weight)
    assert ours == pytest.approx(-loss, abs=1e-12)


@pytest.mark.parametrize("name", ["f1", "precision", "recall"])
@pytest.mark.parametrize("positive", [None, 0, 1])
def test_binary_confusion_scores_against_sklearn(name, positive):
    p, label, weight = table(TWO)
    reference = getattr(metrics, f"{name}_score")
    ours = resolve_scorer(name)(p.argmax(1), label, weight, labels=TWO, positive=positive)
    pos_label = 1 if positive is None else positive
    theirs = reference(label, p.argmax(1), sample_weight=weight, pos_label=pos_label)
    assert ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("name", ["f1", "precision", "recall"])
def test_macro_confusion_scores_against_sklearn(name):
    p, label, weight = table(THREE)
    reference = getattr(metrics, f"{name}_score")
    theirs = reference(label, p.argmax(1), sample_weight=weight, average="macro")
    assert resolve_scorer(name)(p.argmax(1), label, weight, labels=THREE) == pytest.approx(theirs)
    one = reference(label == 1, p.argmax(1) == 1, sample_weight=weight)
    ours = resolve_scorer(name)(p.argmax(1), label, weight, labels=THREE, positive=1)
    assert ours == pytest.approx(one)


@pytest.mark.parametrize("name", ["f1", "precision", "recall"])
def test_macro_counts_only_labels_that_occur_as_sklearn_does(name):
    label, guess = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    weight = np.array([1.0, 2.0, 3.0, 4.0])
    reference = getattr(metrics, f"{name}_score")
    theirs = reference(label, guess, sample_weight=weight, average="macro")
    assert resolve_scorer(name)(guess, label, weight, labels=THREE) == pytest.approx(theirs)


def test_auc_with_ties_against_sklearn():
    p, label, weight = table(TWO)
    ours = resolve_scorer("auc")(p, label, weight, labels=TWO)
    theirs = metrics.roc_auc_score(label, p[:, 1], sample_weight=weight)
    assert ours == pytest.approx(theirs, abs=1e-12)
    other = resolve_scorer("auc")(p, label, weight, labels=TWO, positive=0)
    theirs = metrics.roc_auc_score(label == 0, p[:, 0], sample_weight=weight)
    assert other == pytest.approx(theirs, abs=1e-12)


def test_auc_one_against_the_rest_against_sklearn():
    p, label, weight = table(THREE)
    theirs = metrics.roc_auc_score(label, p, sample_weight=weight, multi_class="ovr")
    ours = resolve_scorer("auc")(p, label, weight, labels=THREE)
    assert ours == pytest.approx(theirs, abs=1e-12)


def test_correlation_against_numpy_with_rows_repeated_by_weight():
    rng = np.random.default_rng(3)
    label, weight = rng.integers(3, size=100), rng.integers(0, 5, size=100)
    guess = rng.normal(size=100) + label + 1e6
    repeated = np.repeat(np.arange(100), weight)
    truth = NUMBERS.values[label]
    theirs = np.corrcoef(guess[repeated], truth[repeated])[0, 1]
    ours = resolve_scorer("correlation")(guess, label, weight, labels=NUMBERS)
    assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize(
    ("metric", "ours", "sign"),
    [
        (metrics.accuracy_score, "agreement", 1),
        (metrics.f1_score, "f1", 1),
        (metrics.precision_score, "precision", 1),
        (metrics.roc_auc_score, "auc", 1),
        (metrics.brier_score_loss, "brier", 1),
        (metrics.zero_one_loss, "agreement", None),
    ],
)
@pytest.mark.parametrize("positive", [None, 0])
def test_sklearn_metrics_as_they_are_give_the_named_scorers(metric, ours, sign, positive):
    p, label, weight = table(TWO)
    custom, named = resolve_scorer(metric), resolve_scorer(ours)
    assert custom.takes == named.takes
    guess = p if named.takes == "probabilities" else p.argmax(1)
    options = {"labels": TWO, "positive": positive}
    expected = named(guess, label, weight, **options)
    got = custom(guess, label, weight, **options)
    assert got == pytest.approx(expected if sign else expected - 1, abs=1e-12)


def test_sklearn_metrics_with_settings_and_many_weights():
    p, label, weight = table(THREE)
    macro = resolve_scorer(functools.partial(metrics.f1_score, average="macro"))
    assert macro.name == "f1_score"
    weights = np.stack([weight, weight[::-1]])
    ours = resolve_scorer("f1")(p.argmax(1), label, weights, labels=THREE)
    np.testing.assert_allclose(macro(p.argmax(1), label, weights, labels=THREE), ours)
    ovr = resolve_scorer(functools.partial(metrics.roc_auc_score, multi_class="ovr"))
    np.testing.assert_allclose(
        ovr(p, label, weights, labels=THREE),
        resolve_scorer("auc")(p, label, weights, labels=THREE),
    )


def test_sklearn_regression_metrics_are_fed_numbers():
    label, guess = np.array([0, 1, 2]), np.array([1.0, 3.0, 5.0])
    scorer = resolve_scorer(metrics.mean_squared_error)
    assert (scorer.takes, scorer.name) == ("numbers", "neg_mean_squared_error")
    assert scorer(guess, label, np.array([1.0, 1, 2]), labels=NUMBERS) == pytest.approx(-0.25)


def test_log_loss_is_fed_probabilities_even_when_a_label_is_absent():
    p, label, weight = table(THREE)
    label[label == 2] = 0
    scorer = resolve_scorer(metrics.log_loss)
    assert scorer.name == "neg_log_loss"
    held = clipped(p, 0.01)
    expected = np.average(np.log(held[np.arange(len(label)), label]), weights=weight)
    assert scorer(held, label, weight, labels=THREE) == pytest.approx(expected, abs=1e-12)
