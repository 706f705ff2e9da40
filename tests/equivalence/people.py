"""People offered as a classifier: k ratings of each item answer for the rest of them."""

import numpy as np
import pyarrow as pa

import headcount as hc
from headcount.population.fitting import cross_fit
from headcount.population.folds import Folds


def people_as_classifier(counts, labels, k, seed=0):
    """Random ratings of each item, k of them, predict as fitted on other items; the rest judge.

    Gives ratings and predictions of the items that have two ratings left to judge by.
    """
    rng = np.random.default_rng([seed, k])
    rated = counts[counts.sum(axis=1) >= k + 2]
    asked = np.array([rng.multivariate_hypergeometric(row, k) for row in rated])
    fold = rng.permutation(np.arange(len(rated)) % 5)
    said = cross_fit(rated, folds=Folds.given(np.ones(len(rated)), fold)).predict(asked, fold)
    table = {"item": [str(i) for i in range(len(rated))]}
    table |= {f"people:{label}": said[:, j] for j, label in enumerate(labels)}
    return hc.Ratings.from_counts(rated - asked, labels=list(labels)), pa.table(table)


def holds(worth, truth):
    """Whether a worth's interval, whose ends may be censored, holds the truth."""
    low = {"below": -np.inf, "above": worth.ceiling}.get(worth.low_state, worth.low)
    high = {"below": worth.floor, "above": np.inf}.get(worth.high_state, worth.high)
    return low <= truth <= high
