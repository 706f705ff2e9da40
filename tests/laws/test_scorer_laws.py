"""Laws that hold for every scorer."""

import hypothesis.extra.numpy as arrays
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from headcount.data import Labels
from headcount.metrics import SCORERS, one_hot, resolve_scorer


@st.composite
def tables(draw):
    """Small weighted tables: probabilities in sixths (many ties), labels, integer weights."""
    n_labels = draw(st.integers(2, 4))
    n_rows = draw(st.integers(1, 8))
    parts = draw(arrays.arrays(np.int64, (n_rows, n_labels), elements=st.integers(0, 3)))
    parts[parts.sum(axis=1) == 0, 0] = 1
    label = draw(arrays.arrays(np.int64, n_rows, elements=st.integers(0, n_labels - 1)))
    weight = draw(arrays.arrays(np.int64, n_rows, elements=st.integers(0, 4)))
    return parts / parts.sum(axis=1, keepdims=True), label, weight.astype(float)


def fed(scorer, probabilities, labels):
    if scorer.takes == "labels":
        return probabilities.argmax(axis=1)
    return probabilities if scorer.takes == "probabilities" else probabilities @ labels.values


def numbered(n_labels):
    return Labels(tuple(str(value) for value in range(n_labels)))


def agree(one, other):
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


def _each(scorers):
    return pytest.mark.parametrize("scorer", list(scorers), ids=lambda each: each.name)


every_scorer = _each(SCORERS.values())
of_names = _each(each for each in SCORERS.values() if not each.reads_order)
of_levels = _each(each for each in SCORERS.values() if each.reads_order)


@every_scorer
@given(table=tables(), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_row_order_never_matters(scorer, table, seed):
    p, label, weight = table
    labels = numbered(p.shape[1])
    order = np.random.default_rng(seed).permutation(len(label))
    prediction = fed(scorer, p, labels)
    agree(
        scorer(prediction, label, weight, labels=labels),
        scorer(prediction[order], label[order], weight[order], labels=labels),
    )


@every_scorer
@given(table=tables(), share=st.floats(0.1, 0.9))
@settings(max_examples=40, deadline=None)
def test_a_row_equals_its_two_parts(scorer, table, share):
    p, label, weight = table
    labels = numbered(p.shape[1])
    prediction = fed(scorer, p, labels)
    agree(
        scorer(prediction, label, weight, labels=labels),
        scorer(
            np.concatenate([prediction, prediction]),
            np.concatenate([label, label]),
            np.concatenate([share * weight, (1 - share) * weight]),
            labels=labels,
        ),
    )


@every_scorer
@given(table=tables(), factor=st.floats(0.01, 100))
@settings(max_examples=40, deadline=None)
def test_only_the_proportions_of_weights_matter(scorer, table, factor):
    p, label, weight = table
    labels = numbered(p.shape[1])
    prediction = fed(scorer, p, labels)
    agree(
        scorer(prediction, label, weight, labels=labels),
        scorer(prediction, label, factor * weight, labels=labels),
    )


@of_names
@given(table=tables(), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_the_order_of_labels_never_matters(scorer, table, seed):
    p, label, weight = table
    n_labels = p.shape[1]
    place = np.random.default_rng(seed).permutation(n_labels)
    labels = numbered(n_labels)
    names = np.array(labels.names, dtype=object)
    moved = Labels(tuple(names[np.argsort(place)]))
    moved_p = np.empty_like(p)
    moved_p[:, place] = p
    prediction, moved_prediction = fed(scorer, p, labels), fed(scorer, moved_p, moved)
    if scorer.takes == "labels":
        moved_prediction = place[prediction]  # the first of tied labels depends on the order
    positive = 1 if n_labels == 2 else None
    agree(
        scorer(prediction, label, weight, labels=labels, positive=positive),
        scorer(
            moved_prediction,
            place[label],
            weight,
            labels=moved,
            positive=None if positive is None else int(place[positive]),
        ),
    )


@of_levels
@given(table=tables())
@settings(max_examples=40, deadline=None)
def test_a_scale_turned_round_says_the_same(scorer, table):
    p, label, weight = table
    n_labels = p.shape[1]
    labels = numbered(n_labels)
    prediction = fed(scorer, p, labels)
    turned = n_labels - 1 - prediction if scorer.takes == "labels" else prediction[:, ::-1]
    agree(
        scorer(prediction, label, weight, labels=labels),
        scorer(turned, n_labels - 1 - label, weight, labels=labels),
    )


@every_scorer
@given(table=tables(), seed=st.integers(0, 99))
@settings(max_examples=40, deadline=None)
def test_many_weight_vectors_at_once_equal_one_by_one(scorer, table, seed):
    p, label, weight = table
    labels = numbered(p.shape[1])
    prediction = fed(scorer, p, labels)
    draws = np.random.default_rng(seed).integers(0, 3, size=(5, len(label))) * weight
    apart = [scorer(prediction, label, draw, labels=labels) for draw in draws]
    agree(scorer(prediction, label, draws, labels=labels), apart)


@every_scorer
@given(table=tables())
@settings(max_examples=40, deadline=None)
def test_decomposable_scorers_are_means_of_their_rows(scorer, table):
    p, label, weight = table
    labels = numbered(p.shape[1])
    prediction = fed(scorer, p, labels)
    assert scorer.decomposable == hasattr(scorer, "rows")
    if scorer.decomposable and weight.sum():
        rows = scorer.rows(prediction, label, labels=labels)
        agree(scorer(prediction, label, weight, labels=labels), np.average(rows, weights=weight))


@given(table=tables())
@settings(max_examples=40, deadline=None)
def test_certain_predictions_agree_across_scorers(table):
    p, label, weight = table
    labels = numbered(p.shape[1])
    codes = p.argmax(axis=1)
    agreement = resolve_scorer("agreement")(codes, label, weight, labels=labels)
    brier = resolve_scorer("brier")(one_hot(codes, labels.n), label, weight, labels=labels)
    agree(brier, agreement - 1)
