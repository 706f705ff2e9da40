"""Soft pairwise accuracy against its definition, and against the field's own implementation."""

import itertools

import numpy as np
import pytest
from scipy.stats import norm

from headcount.rank.soft_pairwise import Series, nobodys, pairs_of, soft_pairwise_accuracy


def _made() -> tuple[np.ndarray, np.ndarray]:
    """Five systems on sixty documents, on ten of which people do not tell them apart at all."""
    rng = np.random.default_rng(7)
    true = np.array([0.0, 0.3, 0.3, 0.8, 1.2])
    people = np.round(true + rng.normal(0, 1, (60, 5)), 2)
    judge = np.round(true * [1, 1, 0.2, 1, 1] + rng.normal(0, 1, (60, 5)), 2)
    people[:10] = people[:10, :1]
    judge[5:15] = judge[5:15, :1]
    return people, judge


# mt-metrics-eval (commit 1b47eab, pce.py): compute_pairwise_p_values(table.T, 400000, seed=4) of
# both tables, then compute_one_minus_pce. Its chances come from sign flips of documents.
PEOPLE = [0.9576, 0.9855, 1.0, 1.0, 0.697, 0.9956, 1.0, 0.9782, 0.9999, 0.9616]
JUDGE = [0.982, 0.5943, 0.9999, 1.0, 0.0132, 0.983, 1.0, 0.9999, 1.0, 0.9923]
ACCURACY = 0.8835465


def test_soft_pairwise_accuracy_against_reference() -> None:
    people, judge = _made()
    assert soft_pairwise_accuracy(np.array(PEOPLE), np.array(JUDGE)) == pytest.approx(
        ACCURACY, abs=1e-4
    )
    # The normal law in place of sign flips: chances within a hundredth, the accuracy within half.
    ours, its = (Series(each).chances()[0] for each in (people, judge))
    np.testing.assert_allclose(ours, PEOPLE, atol=0.01)
    np.testing.assert_allclose(its, JUDGE, atol=0.01)
    assert soft_pairwise_accuracy(ours, its) == pytest.approx(ACCURACY, abs=0.005)


def test_chances_against_brute_force() -> None:
    people, _ = _made()
    found = Series(people).chances()[0]
    for place, (i, j) in enumerate(itertools.combinations(range(5), 2)):
        gap = people[:, i] - people[:, j]
        error = gap.std(ddof=1) / np.sqrt(60)
        assert found[place] == pytest.approx(norm.cdf(-gap.mean() / error), abs=1e-12)


def test_drawn_units_are_as_if_they_were_repeated_against_brute_force() -> None:
    people, _ = _made()
    times = np.random.default_rng(0).multinomial(60, np.full(60, 1 / 60), size=3)
    found = Series(people).chances(times)
    for row in range(3):
        again = np.repeat(people, times[row], axis=0)
        np.testing.assert_allclose(found[row], Series(again).chances()[0], atol=1e-12)


def test_by_hand_with_ties() -> None:
    # Two systems equal everywhere, a third better by one everywhere: ½, and no doubt at all.
    table = np.array([[1.0, 1.0, 2.0], [3.0, 3.0, 4.0], [2.0, 2.0, 3.0]])
    chances = Series(table).chances()[0]
    assert chances.tolist() == [0.5, 1.0, 1.0]
    other = Series(table[:, ::-1]).chances()[0]
    assert other.tolist() == [0.0, 0.0, 0.5]
    # |.5 − 0|, |1 − 0|, |1 − .5|: 1 − 2 / 3
    assert soft_pairwise_accuracy(chances, other) == pytest.approx(1 / 3)
    assert nobodys(chances) == pytest.approx(1 - (0 + 0.5 + 0.5) / 3)


def test_systems_without_a_value_are_in_no_pair() -> None:
    table = np.array([[1.0, np.nan, 2.0], [2.0, np.nan, 2.5]])
    series = Series(table)
    first, second = pairs_of(3)
    assert [(first[k], second[k]) for k in series.known] == [(0, 2)]
    assert not np.isnan(series.chances()[0][series.known]).any()


def test_laws() -> None:
    people, judge = _made()
    one, other = (Series(each).chances()[0] for each in (people, judge))
    assert soft_pairwise_accuracy(one, one) == 1
    assert soft_pairwise_accuracy(one, other) == soft_pairwise_accuracy(other, one)
    shifted = Series(people * 3 + 10).chances()[0]
    np.testing.assert_allclose(shifted, one, atol=1e-12)
