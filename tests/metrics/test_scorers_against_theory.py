"""Closed forms, undefined values and the facts each scorer states about itself."""

import numpy as np
import pytest

from headcount.data import Labels
from headcount.errors import OptionError
from headcount.metrics import SCORERS, clip_for, clipped, one_hot, resolve_scorer

TWO = Labels(("no", "yes"))
THREE = Labels(("1", "2", "3"))
ONES = np.ones(4)


def score(name, prediction, label, weight=None, labels=TWO, **options):
    label = np.asarray(label)
    weight = np.ones(len(label)) if weight is None else np.asarray(weight, dtype=float)
    return resolve_scorer(name)(np.asarray(prediction), label, weight, labels=labels, **options)


def test_cross_entropy_of_known_probabilities_is_minus_entropy_against_theory():
    p = np.array([[0.25, 0.75], [0.25, 0.75]])
    entropy = -(0.25 * np.log2(0.25) + 0.75 * np.log2(0.75))
    assert score("cross_entropy", p, [0, 1], [0.25, 0.75]) == pytest.approx(-entropy)


def test_uniform_guessing_scores_one_bit_and_a_half_brier_against_theory():
    p = np.full((4, 2), 0.5)
    assert score("cross_entropy", p, [0, 1, 1, 0]) == pytest.approx(-1)
    assert score("brier", p, [0, 1, 1, 0]) == pytest.approx(-0.25)
    assert score("auc", p, [0, 1, 1, 0]) == pytest.approx(0.5)
    assert score("dmi", p, [0, 1, 1, 0]) == pytest.approx(0)


def test_dmi_of_independent_and_identical_labels_against_theory():
    certain = one_hot(np.array([0, 0, 1, 1]), 2)
    assert score("dmi", certain, [0, 0, 1, 1]) == pytest.approx(0.25)
    assert score("dmi", certain, [0, 1, 0, 1]) == pytest.approx(0)
    assert score("dmi", certain, [1, 1, 0, 0]) == pytest.approx(0.25)  # informative, if perverse


def test_dmi_shrinks_by_the_determinant_of_added_noise_against_theory():
    # J' = J N, so |det J'| = |det J| |det N|: why DMI's ranking ignores label noise.
    rng = np.random.default_rng(0)
    joint = rng.dirichlet(np.ones(9)).reshape(3, 3)
    noise = 0.7 * np.eye(3) + 0.1
    guess, label = np.divmod(np.arange(9), 3)
    before = score("dmi", one_hot(guess, 3), label, joint.ravel(), THREE)
    after = score("dmi", one_hot(guess, 3), label, (joint @ noise).ravel(), THREE)
    assert after == pytest.approx(before * np.linalg.det(noise))


def test_clip_is_the_papers_for_two_labels_and_keeps_sums_against_paper():
    assert clip_for(2) == 0.02
    assert clip_for(10) == pytest.approx(0.004)
    np.testing.assert_allclose(clipped(np.array([[0.0, 1.0]]), 0.02), [[0.02, 0.98]])
    np.testing.assert_allclose(clipped(np.array([[0.0, 0, 1]]), 0.01).sum(), 1)
    assert score("cross_entropy", [[0.0, 1.0]], [0], clip=0.1) == pytest.approx(np.log2(0.1))


@pytest.mark.parametrize("clip", [0, -0.1, 0.5, 1, True])
def test_clip_outside_its_range_is_refused(clip):
    with pytest.raises(OptionError, match="clip is the least probability"):
        clip_for(2, clip)


@pytest.mark.parametrize("name", ["cross_entropy", "brier"])
@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two", "three"])
def test_an_answer_outside_the_labels_scores_as_certain_and_wrong(name, labels):
    outside = np.zeros((1, labels.n))
    wrong = one_hot(np.array([1]), labels.n)
    assert score(name, outside, [0], labels=labels) == pytest.approx(
        score(name, wrong, [0], labels=labels)
    )


@pytest.mark.parametrize("name", ["agreement", "recall", "f1"])
def test_an_answer_outside_the_labels_is_an_error_for_label_scorers(name):
    assert score(name, [-1, 1], [1, 1]) < score(name, [1, 1], [1, 1]) == 1


@pytest.mark.parametrize(
    ("name", "prediction", "label"),
    [
        ("precision", [0, 0], [0, 1]),
        ("recall", [0, 1], [0, 0]),
        ("f1", [0, 0], [0, 0]),
        ("auc", [[0.5, 0.5], [0.1, 0.9]], [1, 1]),
    ],
)
def test_undefined_scores_are_nan_and_explained(name, prediction, label):
    assert np.isnan(score(name, prediction, label))
    assert resolve_scorer(name).undefined


def test_a_constant_prediction_has_no_correlation_and_constant_labels_leave_it_undefined():
    third = np.full(5, 0.1 + 0.2)
    assert score("correlation", third, [0, 1, 2, 1, 0], labels=THREE) == 0
    assert np.isnan(score("correlation", [1.0, 2.0, 3.0], [1, 1, 1], labels=THREE))
    # varies only among rows that have no weight
    assert score("correlation", [1.1, 1.1, 9.0], [0, 1, 2], [0.3, 0.7, 0], THREE) == 0


@pytest.mark.parametrize("name", SCORERS)
def test_rows_without_weight_have_no_score(name):
    scorer = SCORERS[name]
    prediction = {"labels": [0, 1], "probabilities": np.eye(3)[:2], "numbers": [1.0, 2.0]}
    assert np.isnan(score(name, prediction[scorer.takes], [0, 1], [0, 0], THREE))


@pytest.mark.parametrize("name", SCORERS)
def test_bounds_and_direction_are_as_stated(name):
    scorer = SCORERS[name]
    rng = np.random.default_rng(1)
    label = rng.integers(3, size=60)
    best = {"labels": label, "probabilities": one_hot(label, 3), "numbers": THREE.values[label]}
    random_codes = rng.integers(3, size=60)
    worse = {
        "labels": random_codes,
        "probabilities": one_hot(random_codes, 3),
        "numbers": THREE.values[random_codes],
    }
    top = score(name, best[scorer.takes], label, labels=THREE)
    low = score(name, worse[scorer.takes], label, labels=THREE)
    least, greatest = scorer.bounds
    assert scorer.higher_is_better
    assert low < top <= greatest + 1e-12
    assert least is None or low >= least - 1e-12
    assert scorer.bounded == (least is not None)


def test_decomposable_scorers_take_predictions_in_batches():
    rng = np.random.default_rng(2)
    p = rng.dirichlet(np.ones(3), size=(4, 10))
    label, weight = rng.integers(3, size=10), rng.random((4, 10))
    for name in ("cross_entropy", "brier"):
        scorer = SCORERS[name]
        apart = [scorer(p[b], label, weight[b], labels=THREE) for b in range(4)]
        np.testing.assert_allclose(scorer(p, label, weight, labels=THREE), apart)
        assert scorer.rows(p, label, labels=THREE).shape == (4, 10)


@pytest.mark.parametrize("name", SCORERS)
def test_a_table_without_rows_has_no_score(name):
    shape = (0, 3) if SCORERS[name].takes == "probabilities" else (0,)
    nothing = np.zeros(0, dtype=int)
    assert np.isnan(score(name, np.zeros(shape, dtype=int), nothing, labels=THREE))


@pytest.mark.parametrize("name", ["agreement", "cross_entropy", "brier"])
def test_scores_against_every_label_hold_those_against_one(name):
    scorer = SCORERS[name]
    rng = np.random.default_rng(4)
    p = rng.dirichlet(np.ones(3), size=5)
    prediction = p.argmax(axis=1) if scorer.takes == "labels" else p
    table = scorer.against_every_label(prediction, labels=THREE)
    assert table.shape == (5, 3)
    for label in range(3):
        one = scorer.rows(prediction, np.full(5, label), labels=THREE)
        np.testing.assert_allclose(table[:, label], one)


def test_probabilities_that_differ_by_rounding_only_are_ties_for_auc():
    # 0.1 + 0.2 is not 0.3 to a computer; whoever summed differently must not be ranked by it.
    p = np.array([0.3, 0.1 + 0.2, 0.3, 0.1 + 0.2])
    label = np.array([0, 1, 0, 1])
    assert score("auc", np.column_stack([1 - p, p]), label) == 0.5
