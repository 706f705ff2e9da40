"""Retest pairs counted, pooled and turned into flip rates."""

import itertools
from collections import defaultdict

import numpy as np
import pytest

from headcount.data import Answers
from headcount.deconvolution.rates import pooled
from headcount.deconvolution.slips import Evidence, flip_rate, retest_trials
from headcount.deconvolution.strata import Strata


def some_answers(seed: int, n: int = 200) -> Answers:
    rng = np.random.default_rng(seed)
    item, rater, label = rng.integers(0, 9, n), rng.integers(0, 6, n), rng.integers(0, 3, n)
    seen: dict[tuple[int, int], int] = defaultdict(int)
    occasion = np.empty(n, dtype=np.int64)
    for row, key in enumerate(zip(item.tolist(), rater.tolist(), strict=True)):
        occasion[row] = seen[key]
        seen[key] += 1
    names = [np.array([f"{i}" for i in range(k)], dtype=object) for k in (9, 6)]
    return Answers(names[0], names[1], item, rater, label, occasion)


@pytest.mark.parametrize("seed", range(5))
def test_retest_pairs_against_brute_force(seed):
    answers = some_answers(seed)
    pairs, differ = np.zeros(9), np.zeros(9)
    rows = list(zip(answers.item, answers.rater, answers.label, strict=True))
    for (i, r, a), (j, s, b) in itertools.combinations(rows, 2):
        if (i, r) == (j, s):
            pairs[i] += 1
            differ[i] += a != b
    found = retest_trials(answers)
    evidence = found.summed(np.zeros_like(found.item), 9, 1)
    np.testing.assert_array_equal(evidence.trials[:, 0], pairs)
    np.testing.assert_array_equal(evidence.events[:, 0], differ)


def test_first_answers_alone_hold_no_pairs():
    assert not len(retest_trials(some_answers(0).first()).item)


def rates_of(level: np.ndarray, events: list[float], trials: list[float], edges, n_labels: int):
    """Flip rates of items at these levels, by the items' own strata."""
    strata = Strata(np.array(edges))
    place = strata.of(level)
    here = place[:, None] == np.arange(strata.n)
    evidence = Evidence(here * np.array(events)[:, None], here * np.array(trials)[:, None])
    shares = np.column_stack([1 - level, level])
    return pooled("retest", shares, place[:, None], evidence, strata, n_labels=n_labels)


def test_rates_are_pooled_within_strata_by_hand():
    level = np.array([0.0, 0.0, 0.2, 0.2, 0.4])
    rates = rates_of(level, [0.0, 1, 3, 2, 0], [4.0, 6, 10, 10, 0], [0, 0.1, 0.3, 1], 2)
    by_hand = flip_rate([0.1, 0.25, 0.25], 2)
    np.testing.assert_allclose(rates.rate, by_hand[[0, 0, 1, 1, 2]])
    assert [row.observed for row in rates.strata] == [0.1, 0.25, None]
    assert "1 of 3 strata (1 items) have no evidence" in rates.notes[0]
    for row in rates.strata:
        assert row.rate_low <= row.rate <= row.rate_high
    assert rates.mean == pytest.approx(by_hand[[0, 0, 1, 1, 2]].mean())


def test_self_disagreement_past_the_limit_is_said():
    rates = rates_of(np.zeros(1), [9.0], [10.0], [0.0, 1.0], 2)
    assert rates.rate.tolist() == [0.5]
    assert "cut to its limit" in rates.notes[0]


def test_with_one_label_nobody_slips():
    rates = rates_of(np.zeros(1), [0.0], [4.0], [0.0, 1.0], 1)
    assert rates.rate.tolist() == rates.high.tolist() == [0.0]
