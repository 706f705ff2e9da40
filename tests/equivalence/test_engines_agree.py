"""The exact and the literal engine: equal on full matrices, or equal as items grow.

A score that is a mean of rows has the same expectation pooled over raters as averaged over
their columns. Any other score has not, on few items: its value in one column is that of a
smaller data set. The difference must vanish as items grow.
"""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.equivalence.combiners import COMBINERS
from headcount.metrics import SCORERS, fits

PAIRS = [
    (combiner, scorer)
    for combiner in COMBINERS
    for scorer in SCORERS
    if combiner not in ("fitted", "linear")  # which have ways of their own
    and fits(COMBINERS[combiner].produces, SCORERS[scorer])
]
MEANS = [pair for pair in PAIRS if SCORERS[pair[1]].decomposable]
OTHERS = [pair for pair in PAIRS if not SCORERS[pair[1]].decomposable]


def full_matrix(items, n_labels, raters=5, seed=0):
    """Three kinds of items, every rater answers every one."""
    rng = np.random.default_rng(seed)
    kinds = rng.dirichlet(np.full(n_labels, 0.7), size=3)
    chance = kinds[rng.integers(3, size=items)].cumsum(axis=1)
    label = (rng.random((items, raters, 1)) > chance[:, None, :]).sum(axis=2)
    label = np.minimum(label, n_labels - 1)
    item, rater = np.indices(label.shape)
    columns = {"item": item.ravel(), "rater": rater.ravel(), "label": label.ravel()}
    return hc.Ratings.from_frame(pa.table(columns))


def curves(ratings, combiner, scorer, **options):
    return [
        hc.power_curve(
            ratings, combiner=combiner, scorer=scorer, engine=engine, n_bootstrap=0, **options
        ).values
        for engine in ("exact", "literal")
    ]


@pytest.mark.parametrize("reference_raters", [1, 3])
@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize(("combiner", "scorer"), MEANS)
def test_means_of_rows_are_equal_on_full_matrices(combiner, scorer, n_labels, reference_raters):
    ratings = full_matrix(60, n_labels)
    exact, literal = curves(ratings, combiner, scorer, reference_raters=reference_raters)
    np.testing.assert_allclose(exact, literal, atol=1e-10)


@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize(("combiner", "scorer"), OTHERS)
def test_other_scores_are_equal_in_the_limit_of_many_items(combiner, scorer, n_labels):
    exact, literal = curves(full_matrix(4000, n_labels), combiner, scorer)
    np.testing.assert_allclose(exact, literal, atol=3e-4)
