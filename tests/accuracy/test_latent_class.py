"""Latent classes: against another implementation, against gold, against plain EM."""

import csv
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import headcount as hc
from headcount.accuracy.dawid_skene import (
    Model,
    Rows,
    best_of,
    climb,
    expect,
    fit,
    maximise,
    misnamed_classes,
    starting_models,
)
from headcount.simulate import Fallible, make

REFERENCE = json.loads((Path(__file__).parent / "reference.json").read_text(encoding="utf-8"))


def _rows(matrix, n_labels):
    """Answers (cases × raters, −1 missing) as rows, one a case."""
    d, r = np.nonzero(matrix >= 0)
    said = sparse.csr_matrix(
        (np.ones(len(d)), (d, r * n_labels + matrix[d, r])),
        shape=(len(matrix), matrix.shape[1] * n_labels),
    )
    member = np.repeat(np.arange(matrix.shape[1]), n_labels)
    return Rows(said, member, np.tile(np.arange(n_labels), matrix.shape[1]), n_labels)


def _plain_em(matrix, n_labels, steps):
    """Dawid and Skene's EM as the textbook writes it, case by case."""
    n, raters = matrix.shape
    truth = np.zeros((n, n_labels))
    for i, row in enumerate(matrix):
        for label in row[row >= 0]:
            truth[i, label] += 1 / (row >= 0).sum()
    for _ in range(steps):
        base = truth.mean(axis=0)
        chance = np.zeros((raters, n_labels, n_labels))
        for i, row in enumerate(matrix):
            for r, label in enumerate(row):
                if label >= 0:
                    chance[r, :, label] += truth[i]
        chance /= np.maximum(chance.sum(axis=2, keepdims=True), 1e-300)
        likelihood = 0.0
        for i, row in enumerate(matrix):
            joint = base.copy()
            for r, label in enumerate(row):
                if label >= 0:
                    joint = joint * chance[r, :, label]
            truth[i] = joint / joint.sum()
            likelihood += np.log(joint.sum())
    return base, likelihood, truth


@pytest.fixture(scope="module")
def drawn():
    recipe = Fallible(cases=150, labels=3, raters=4, accuracy=(0.6, 0.7, 0.8, 0.9))
    matrix = recipe.draw(np.random.default_rng(0)).ratings.copy()
    matrix[::7, 0] = -1
    return matrix


def test_one_step_against_brute_force(drawn):
    rows = _rows(drawn, 3)
    start = starting_models(rows, np.ones(len(drawn)), restarts=0, seed=0)
    posterior, likelihood = expect(rows, start)
    base, total, truth = _plain_em(drawn, 3, steps=1)
    np.testing.assert_allclose(start.base_rates[:, 0], base)
    np.testing.assert_allclose(posterior[:, :, 0], truth, atol=1e-10)
    assert likelihood.sum() == pytest.approx(total)


def test_summit_against_brute_force(drawn):
    """Leaps reach where four hundred plain steps from the same start reach."""
    found = fit(_rows(drawn, 3), np.ones(len(drawn)), restarts=0)
    base, total, truth = _plain_em(drawn, 3, steps=400)
    assert found.converged
    assert found.log_likelihood == pytest.approx(total, abs=1e-4)
    np.testing.assert_allclose(found.base_rates, base, atol=1e-3)
    np.testing.assert_allclose(found.posterior, truth, atol=5e-3)


def test_grouped_rows_equal_single_ones(drawn):
    distinct, count = np.unique(drawn, axis=0, return_counts=True)
    grouped = fit(_rows(distinct, 3), count.astype(float), restarts=0)
    single = fit(_rows(drawn, 3), np.ones(len(drawn)), restarts=0)
    assert grouped.log_likelihood == pytest.approx(single.log_likelihood, abs=1e-6)
    np.testing.assert_allclose(grouped.base_rates, single.base_rates, atol=1e-5)


def test_likelihood_never_falls(drawn):
    rows, weights = _rows(drawn, 3), np.ones((len(drawn), 1))
    model = starting_models(rows, weights[:, 0], restarts=0, seed=0)
    reached = [
        climb(rows, weights, model, most_iterations=n).log_likelihood[0] for n in range(2, 40, 2)
    ]
    assert (np.diff(reached) >= -1e-9).all()


def test_restarts_never_do_worse(drawn):
    rows, weights = _rows(drawn, 3), np.ones(len(drawn))
    one = fit(rows, weights, restarts=0)
    many = fit(rows, weights, restarts=9, seed=3)
    assert many.log_likelihood >= one.log_likelihood - 1e-3
    assert (many.starts, one.starts) == (10, 1)


def test_side_by_side_fits_equal_fits_alone(drawn):
    rows = _rows(drawn, 3)
    weights = np.random.default_rng(1).multinomial(len(drawn), np.ones(len(drawn)) / len(drawn), 3)
    weights = weights.T.astype(float)
    start = starting_models(rows, np.ones(len(drawn)), restarts=0, seed=0).repeated(3)
    together = climb(rows, weights, start)
    for place in range(3):
        alone = climb(rows, weights[:, [place]], start.pick(np.array([place])))
        assert together.log_likelihood[place] == pytest.approx(alone.log_likelihood[0], abs=1e-6)


def test_long_rows_do_not_underflow():
    """Two hundred answers a case: likelihoods far below what a float can hold."""
    counts = np.array([[150, 30, 20], [40, 140, 20], [10, 40, 150], [60, 80, 60]])
    rows = Rows(sparse.csr_matrix(counts.astype(float)), np.zeros(3, int), np.arange(3), 3)
    found = fit(rows, np.full(4, 10.0), restarts=2)
    assert np.isfinite(found.log_likelihood)
    np.testing.assert_allclose(found.posterior.sum(axis=1), 1)


def test_a_member_without_answers_in_a_class_keeps_its_chances():
    matrix = np.array([[0, 0, -1], [0, 0, -1], [1, 1, 1], [1, 1, 1]])
    rows = _rows(matrix, 2)
    divided = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])[:, :, None]
    model = maximise(rows, divided, None)
    np.testing.assert_allclose(model.chances[4:, 0, 0], [0.5, 0.5])
    np.testing.assert_allclose(model.chances[4:, 1, 0], [0, 1])


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_classes_are_named_by_their_labels_in_whatever_order_em_found_them(drawn, order):
    """EM does not know which class is which label: a climb that ends with its classes in another
    order is the same summit, and the fit must say the same of every label.
    """
    rows, weights, order = _rows(drawn, 3), np.ones(len(drawn)), list(order)
    start = starting_models(rows, weights, restarts=0, seed=0)
    turned = Model(start.base_rates[order], start.chances[:, order])
    straight = fit(rows, weights, restarts=0)
    found = best_of(rows, weights, climb(rows, weights[:, None], turned))
    np.testing.assert_allclose(found.base_rates, straight.base_rates, atol=1e-6)
    np.testing.assert_allclose(found.chances, straight.chances, atol=1e-6)
    np.testing.assert_allclose(found.posterior, straight.posterior, atol=1e-6)
    assert misnamed_classes(rows, weights, found, raters=4) == []


def test_classes_that_are_not_the_labels_are_seen():
    """Two kinds of cases, both mostly called "a": the second class is not label "b"."""
    rng = np.random.default_rng(5)
    kind = rng.random(2000) < 0.5
    matrix = (rng.random((2000, 6)) < np.where(kind, 0.35, 0.02)[:, None]).astype(int)
    rows = _rows(matrix, 2)
    found = fit(rows, np.ones(2000))
    assert misnamed_classes(rows, np.ones(2000), found, raters=6) == [1]
    counts = np.column_stack([(matrix == 0).sum(axis=1), (matrix == 1).sum(axis=1)])
    result = hc.system_accuracy(hc.Ratings.from_counts(counts, labels=["a", "b"]), n_bootstrap=0)
    assert result.latent_class.misnamed == ("b",)
    assert result.believe == "algebraic"


@pytest.mark.parametrize("name", ["sleep-stages", "entailment-rte"])
def test_raters_against_reference(shared_data, name):
    """crowd-kit's Dawid–Skene; recipe in freeze_reference.py."""
    folder, expected = shared_data(name), REFERENCE[name]
    ratings = hc.Ratings.read(next(folder.glob("ratings*")))
    found = hc.system_accuracy(ratings, latent_class="each", n_bootstrap=0)
    latent = found.latent_class
    assert latent.converged
    assert latent.log_likelihood == pytest.approx(expected["log_likelihood"], abs=1e-4)
    rates = dict(
        zip(found.labels, (rate.value for rate in latent.base_rates.values()), strict=True)
    )
    assert rates == pytest.approx(expected["base_rates"], abs=2e-5)
    assert latent.rater_accuracy.value == pytest.approx(expected["rater_accuracy"], abs=2e-5)
    truth = found.truth(estimate="latent_class", backend="pandas").iloc[:, 1:].to_numpy(float)
    top = np.bincount(truth.argmax(axis=1), minlength=len(found.labels))
    assert dict(zip(found.labels, top.tolist(), strict=True)) == expected["labels"]


@pytest.mark.parametrize("system", ["DeepSleepNet", "Tsinalis_et_Al"])
def test_a_system_among_the_raters_against_reference(shared_data, system):
    folder = shared_data("sleep-stages")
    expected = REFERENCE[f"sleep-stages + {system}"]
    found = hc.system_accuracy(
        hc.Ratings.read(folder / "ratings.csv.gz"),
        hc.Predictions.read(folder / "predictions.csv.gz", classifiers=[system]),
        n_bootstrap=0,
    )
    value = found.classifiers[0].latent_class.value
    assert value == pytest.approx(expected["system_accuracy"], abs=2e-5)


@pytest.mark.parametrize("name", ["entailment-rte", "word-sense"])
def test_rater_accuracy_against_gold(shared_data, name):
    """Where experts know the truth: what share of ratings equal it, and what we estimate."""
    folder = shared_data(name)
    with (folder / "gold.csv").open(newline="", encoding="utf-8") as file:
        gold = {row["item"]: row["gold"] for row in csv.DictReader(file)}
    with (folder / "ratings.csv").open(newline="", encoding="utf-8") as file:
        right = [gold[row["item"]] == row["label"] for row in csv.DictReader(file)]
    found = hc.system_accuracy(hc.Ratings.read(folder / "ratings.csv"), n_bootstrap=300)
    latent = found.latent_class.rater_accuracy
    assert latent.low - 0.005 <= np.mean(right) <= latent.high + 0.005
    # The algebra takes shared leanings of the crowd for accuracy: close, but above.
    assert 0 < found.rater_accuracy.value - np.mean(right) < 0.03
    assert abs(latent.value - np.mean(right)) < abs(found.rater_accuracy.value - np.mean(right))
    truth = found.truth(estimate="latent_class", backend="pandas")
    top = truth.iloc[:, 1:].to_numpy(float).argmax(axis=1)
    hits = [found.labels[t] == gold[item] for t, item in zip(top, truth["item"], strict=True)]
    assert np.mean(hits) > (0.92 if name == "entailment-rte" else 0.99)


@pytest.mark.parametrize(
    ("options", "model"),
    [
        ({"cases": 2000}, "each"),
        ({"cases": 60}, "shared"),
    ],
)
def test_few_ratings_get_one_shared_matrix(options, model):
    data = make("fallible", seed=1, **options)
    found = hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=20)
    assert found.latent_class.raters == model
    shapes = {"each": (3, 5, 5), "shared": (1, 5, 5)}
    assert found.latent_class.chances.shape == shapes[model]
    np.testing.assert_allclose(found.latent_class.chances.sum(axis=2), 1)
