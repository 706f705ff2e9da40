"""Laws of the accuracy estimates: order and names never matter, groups equal their members."""

import hypothesis.extra.numpy as arrays
import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

from headcount.accuracy.algebra import estimate
from headcount.accuracy.items import group_items
from headcount.data import Classifier, Judged, Labels


@st.composite
def judged_tables(draw):
    """Small tables of label counts with a system's answers, some outside the labels."""
    n_labels = draw(st.integers(2, 4))
    n = draw(st.integers(2, 9))
    counts = draw(arrays.arrays(np.int64, (n, n_labels), elements=st.integers(0, 3)))
    counts[:, 0] += counts.sum(axis=1) == 0
    counts[0] *= 2
    answers = draw(arrays.arrays(np.int64, n, elements=st.integers(-1, n_labels - 1)))
    return counts, answers


def estimated(counts, answers, size=None):
    n = len(counts)
    labels = Labels(tuple("abcd"[: counts.shape[1]]))
    judged = Judged(
        labels,
        counts,
        np.ones(n, dtype=np.int64),
        (Classifier("m", codes=answers),),
        np.arange(n).astype(str).astype(object),
    )
    items = group_items(judged, None)
    weights = items.size if size is None else np.bincount(items.group, weights=size)
    found = estimate(items, weights[None].astype(float))
    return np.concatenate(
        [found.agreement, found.rater_accuracy, found.accuracy()[0]]
    ), found.base_rates[0]


def same(one, other):
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9, equal_nan=True)


@given(table=judged_tables(), seed=st.integers(0, 99))
@settings(max_examples=80, deadline=None)
def test_item_order_never_matters(table, seed):
    counts, answers = table
    order = np.random.default_rng(seed).permutation(len(counts))
    one, other = estimated(counts, answers), estimated(counts[order], answers[order])
    same(one[0], other[0])
    same(one[1], other[1])


@given(table=judged_tables(), seed=st.integers(0, 99))
@settings(max_examples=80, deadline=None)
def test_label_names_never_matter(table, seed):
    counts, answers = table
    order = np.random.default_rng(seed).permutation(counts.shape[1])
    renamed = np.where(answers < 0, -1, np.argsort(order)[answers])
    one, other = estimated(counts, answers), estimated(counts[:, order], renamed)
    same(one[0], other[0])
    same(one[1][order], other[1])


@given(table=judged_tables(), times=st.integers(2, 4))
@settings(max_examples=60, deadline=None)
def test_a_group_of_identical_items_equals_the_items(table, times):
    counts, answers = table
    repeated = estimated(np.repeat(counts, times, axis=0), np.repeat(answers, times))
    weighted = estimated(counts, answers, size=np.full(len(counts), float(times)))
    same(repeated[0], weighted[0])
    same(repeated[1], weighted[1])


@given(table=judged_tables())
@settings(max_examples=60, deadline=None)
def test_everything_known_is_a_share(table):
    numbers, rates = estimated(*table)
    for values in (numbers[~np.isnan(numbers)], rates[~np.isnan(rates)]):
        assert (values >= 0).all()
        assert (values <= 1 + 1e-12).all()
