"""Judge less people: overall, in slices of the items, and against each rater."""

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.scores.components import NOTHING
from headcount.scores.people import People, Said
from headcount.scores.sample import Measured, mean_over

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def overall(judge: Floats, people: People, added: bool = True) -> tuple[float, Floats]:
    """The mean of judge less people over all rated items, each once."""
    return mean_over(judge - people.mean, (people.n > 0).astype(np.float64), added)


def squared_distance(judge: Floats, people: People, added: bool = True) -> tuple[float, Floats]:
    """E(s − r)² over all rated items, r one of the item's ratings."""
    n = np.maximum(people.n, 1)
    values = (judge - people.mean) ** 2 + people.within * (n - 1) / n
    return mean_over(values, (people.n > 0).astype(np.float64), added)


def bias_by_slice(
    judge: Floats, code: Ints, names: tuple[str, ...], people: People, added: bool = True
) -> Measured:
    """Judge less people among the items of each slice, `code` (I,) into `names` (S,)."""
    off, rated = np.where(people.n > 0, judge - people.mean, 0.0), people.n > 0
    size = np.bincount(code, weights=rated, minlength=len(names))
    with np.errstate(invalid="ignore", divide="ignore"):
        bias = np.bincount(code, weights=off, minlength=len(names)) / size
    if not added:
        return Measured(names, bias, NOTHING)
    influence = np.zeros((len(code), len(names)))
    about = np.where(rated, (off - bias[code]) * (len(code) / size[code]), 0.0)
    influence[np.arange(len(code)), code] = about
    return Measured(names, bias, influence)


@frozen(eq=False)
class AgainstRaters:
    """Judge less each rater (m,) on the items they rated: mean, standard error, how many."""

    bias: Floats
    error: Floats
    items: Ints
    units: Ints


def bias_by_rater(judge: Floats, said: Said, cluster: Ints | None = None) -> AgainstRaters:
    """The judge against each rater; items of one cluster are taken together.

    The standard error is NaN where a rater has one unit only.
    """
    assert said.rater is not None
    off = judge[said.item] - said.value
    n_raters = int(said.rater.max(initial=-1)) + 1
    items = np.bincount(said.rater, minlength=n_raters)
    size = np.maximum(items, 1)
    bias = np.bincount(said.rater, weights=off, minlength=n_raters) / size
    about = off - bias[said.rater]
    if cluster is None:
        units, squares = items, np.bincount(said.rater, weights=about**2, minlength=n_raters)
    else:
        pair = said.rater * (int(cluster.max(initial=0)) + 1) + cluster[said.item]
        unit, place = np.unique(pair, return_inverse=True)
        rater = unit // (int(cluster.max(initial=0)) + 1)
        sums = np.bincount(place.ravel(), weights=about)
        units = np.bincount(rater, minlength=n_raters)
        squares = np.bincount(rater, weights=sums**2, minlength=n_raters)
    enough = units > 1
    factor = np.where(enough, units / np.maximum(units - 1, 1), np.nan)
    return AgainstRaters(bias, np.sqrt(squares * factor) / size, items, units)
