"""Judged items dealt into folds in groups, against dealing them one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount.data import Classifier, Judged, Labels, folds
from headcount.data.folds import deal_rows


def _judged(size: np.ndarray, seed: int, classifiers: int = 2) -> Judged:
    rng = np.random.default_rng(seed)
    n = len(size)
    said = [
        Classifier("label", codes=rng.integers(-1, 2, n)),
        Classifier("chance", probabilities=rng.dirichlet([1, 1], 3)[rng.integers(0, 3, n)]),
    ]
    counts = rng.integers(0, 3, (n, 2)) + 1
    return Judged(Labels(("yes", "no")), counts, size, tuple(said[:classifiers]))


def _by_group(judged: Judged, fold: np.ndarray, which: int, n: int) -> dict[tuple, list[int]]:
    """How many items of each group of counts and answer every fold got."""
    found: dict[tuple, list[int]] = {}
    outputs = judged.classifiers[which].outputs()
    for counts, said, size, one in zip(judged.counts, outputs, judged.size, fold, strict=True):
        key = (*counts.tolist(), *said.tolist())
        found.setdefault(key, [0] * n)[one] += int(size)
    return found


@settings(deadline=None, max_examples=100)
@given(
    st.lists(st.integers(0, 30), min_size=1, max_size=20),
    st.integers(2, 6),
    st.integers(0, 99),
    st.integers(1, 2),
)
def test_every_item_has_one_fold_for_each_classifier_and_folds_are_even(
    sizes: list[int], n: int, seed: int, classifiers: int
) -> None:
    size = np.array(sizes)
    if size.sum() <= len(size) or size.sum() < n:
        return
    judged = _judged(size, seed, classifiers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folds, "in_few_groups", lambda _: True)
        rows, each = deal_rows(judged, n, seed)
        mixed = np.random.default_rng(seed).permutation(len(size))
        again, others = deal_rows(judged.take(mixed), n, seed)
        alone, own = deal_rows(_judged(size, seed, 1), n, seed)
    assert (rows.size > 0).all()
    assert rows.n_items == size.sum()
    for which, fold in enumerate(each):
        assert np.ptp(np.bincount(fold, weights=rows.size, minlength=n)) <= 1
        there = _by_group(rows, fold, which, n)
        totals = _by_group(judged, np.zeros(len(size), dtype=int), which, 1)
        assert {k: [sum(v)] for k, v in there.items()} == {k: v for k, v in totals.items() if v[0]}
        assert there == _by_group(again, others[which], which, n)  # whatever the order of rows
    assert _by_group(rows, each[0], 0, n) == _by_group(alone, own[0], 0, n)  # or other classifiers


def test_dealing_in_groups_varies_as_dealing_one_by_one_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged = _judged(np.array([40, 25, 0, 13, 60]), seed=2)
    found = {}
    for grouped in (False, True):
        monkeypatch.setattr(folds, "in_few_groups", lambda _, grouped=grouped: grouped)
        dealt = [deal_rows(judged, 3, seed) for seed in range(1500)]
        for which in (0, 1):
            tables = [_by_group(rows, each[which], which, 3) for rows, each in dealt]
            keys = sorted(tables[0])
            found[grouped, which] = np.array([[table[key] for key in keys] for table in tables])
    for which in (0, 1):
        one, many = found[False, which], found[True, which]
        np.testing.assert_allclose(many.mean(axis=0), one.mean(axis=0), atol=0.4)
        np.testing.assert_allclose(many.std(axis=0), one.std(axis=0), atol=0.2)
