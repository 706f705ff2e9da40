"""Scorers and distances for labels in an order: peers, closed forms, edges."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from tests.metrics.freeze_ordered import VALUES, table

from headcount.data import Classifier, Labels
from headcount.errors import OptionError
from headcount.metrics import SCORERS, one_hot, prediction_for, resolve_scorer
from headcount.metrics.distances import (
    DISTANCES,
    JSD,
    KL,
    MANHATTAN,
    WASSERSTEIN,
    mean_distance,
    sampling_floor,
)

LABELS = Labels(tuple(f"{value:g}" for value in VALUES))
PLACED = Labels(("0", "1", "2", "3"))
FROZEN = json.loads((Path(__file__).parent / "ordered.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["rps", "crps"])
def test_ranked_scores_against_reference(name):
    p, _, label, weight, _ = table()
    assert SCORERS[name](p, label, weight, labels=LABELS) == pytest.approx(FROZEN[name], abs=1e-12)


@pytest.mark.parametrize("name", ["absolute_error", "squared_error", "spearman", "pearson"])
def test_scorers_of_numbers_against_reference(name):
    _, answer, label, weight, _ = table()
    found = resolve_scorer(name)(VALUES[answer], label, weight, labels=LABELS)
    assert found == pytest.approx(FROZEN[name], abs=1e-12)


def test_quadratic_kappa_against_reference():
    _, answer, label, weight, _ = table()
    found = SCORERS["quadratic_kappa"](answer.astype(float), label, weight, labels=PLACED)
    assert found == pytest.approx(FROZEN["quadratic_kappa"], abs=1e-12)


@pytest.mark.parametrize("name", ["manhattan", "wasserstein", "jsd"])
def test_distances_against_reference(name):
    p, _, _, _, counts = table()
    found = mean_distance(DISTANCES[name], p, counts, np.ones(len(p)), values=VALUES)
    assert found == pytest.approx(FROZEN[name], abs=1e-12)


def test_kl_against_reference():
    """The peer does not clip: where no probability is below the clip, nor do we."""
    p, _, _, _, counts = table()
    clear = p.min(axis=1) > 0.01
    from_peer = FROZEN["kl"]
    shares = counts / counts.sum(axis=1, keepdims=True)
    held = shares > 0
    plain = np.where(held, shares * np.log2(np.where(held, shares, 1) / p), 0).sum(axis=1)
    assert plain.mean() == pytest.approx(from_peer, abs=1e-12)
    assert KL(p[clear], shares[clear], values=VALUES) == pytest.approx(plain[clear], abs=1e-12)


def test_ranked_score_against_brute_force():
    rng = np.random.default_rng(2)
    for n_labels in (2, 3, 6):
        labels = Labels(tuple(str(each) for each in range(n_labels)))
        p = rng.dirichlet(np.ones(n_labels), size=7)
        found = SCORERS["rps"].against_every_label(p, labels=labels)
        for row, y in itertools.product(range(7), range(n_labels)):
            wanted = -sum((p[row, : j + 1].sum() - (y <= j)) ** 2 for j in range(n_labels - 1))
            assert found[row, y] == pytest.approx(wanted, abs=1e-12)


def test_ranked_score_of_two_labels_is_brier_against_theory():
    rng = np.random.default_rng(3)
    p, label = rng.dirichlet([1, 1], size=9), rng.integers(2, size=9)
    two = Labels(("no", "yes"))
    assert SCORERS["rps"].rows(p, label, labels=two) == pytest.approx(
        SCORERS["brier"].rows(p, label, labels=two)
    )


def test_ranked_score_of_a_level_is_the_steps_off_against_theory():
    answer, label = np.array([0, 3, 1, 2]), np.array([3, 0, 1, 1])
    found = SCORERS["rps"].rows(one_hot(answer, 4), label, labels=LABELS)
    assert found.tolist() == [-3, -3, 0, -1]
    apart = SCORERS["crps"].rows(one_hot(answer, 4), label, labels=LABELS)
    assert apart.tolist() == [-4, -4, 0, -1]


@pytest.mark.parametrize("name", ["rps", "crps", "squared_error"])
def test_the_truth_scores_best_against_theory(name):
    """Proper: no other prediction has a higher expected score than the distribution itself."""
    rng = np.random.default_rng(4)
    scorer = SCORERS[name]
    for own in rng.dirichlet(np.ones(4), size=20):
        others = rng.dirichlet(np.ones(4), size=200)
        fed = np.vstack([own, others])
        fed = fed if scorer.takes == "probabilities" else fed @ VALUES
        expected = scorer.against_every_label(fed, labels=LABELS) @ own
        assert expected[0] >= expected[1:].max() - 1e-12


def test_an_answer_outside_the_levels_is_as_bad_as_can_be():
    silent, label = np.zeros((4, 4)), np.arange(4)
    assert SCORERS["rps"].rows(silent, label, labels=LABELS).tolist() == [-3, -2, -2, -3]
    assert SCORERS["within_one"].rows(np.full(4, -1), label, labels=LABELS).tolist() == [0] * 4


def test_a_constant_has_no_correlation_and_no_kappa():
    label, weight = np.array([0, 1, 2, 3]), np.ones(4)
    for name in ("spearman", "correlation", "quadratic_kappa"):
        assert SCORERS[name](np.full(4, 2.0), label, weight, labels=LABELS) == pytest.approx(0)


def test_undefined_is_not_a_number_that_someone_reads():
    same, weight = np.zeros(3, dtype=int), np.ones(3)
    for name in ("spearman", "quadratic_kappa"):
        assert np.isnan(SCORERS[name](np.full(3, 1.0), same, weight, labels=LABELS))


def test_a_number_between_levels_is_shared_among_them():
    between = Classifier("judge", codes=np.array([0, 3, -1]), scores=np.array([1.25, 4.0, 99.0]))
    found = prediction_for(between, SCORERS["rps"], LABELS)
    assert found.tolist() == [[0.75, 0.25, 0, 0], [0, 0, 0.5, 0.5], [0, 0, 0, 0]]
    asked = between.take(np.array([0, 1]))
    assert prediction_for(asked, SCORERS["squared_error"], LABELS).tolist() == [1.25, 4.0]


def test_levels_must_rise_for_scores_that_read_distances():
    falling = Labels(("5", "3", "1"))
    with pytest.raises(OptionError, match="must rise"):
        SCORERS["crps"](np.eye(3), np.arange(3), np.ones(3), labels=falling)


def _coins(_rng, n):
    return np.tile([0.5, 0.5], (n, 1))


def test_the_floor_of_coin_flips_against_theory():
    """Two ratings of a coin flip: shares 0, ½, 1 with chances ¼, ½, ¼."""
    floor = sampling_floor(MANHATTAN, _coins, np.array([2]), np.ones(1), values=np.arange(2.0))
    assert floor == pytest.approx(0.5, abs=0.03)
    moved = sampling_floor(WASSERSTEIN, _coins, np.array([2]), np.ones(1), values=np.arange(2.0))
    assert moved == pytest.approx(0.25, abs=0.015)


def test_the_floor_falls_with_more_ratings():
    for distance in (MANHATTAN, WASSERSTEIN, JSD, KL):
        floors = [
            sampling_floor(distance, _coins, np.array([n]), np.ones(1), values=np.arange(2.0))
            for n in (2, 8, 32, 128)
        ]
        assert (np.diff(floors) < 0).all()


def test_no_distance_from_oneself():
    p, *_ = table()
    for distance in DISTANCES.values():
        assert np.abs(distance(p, p, values=VALUES)).max() == pytest.approx(0, abs=0.05)
