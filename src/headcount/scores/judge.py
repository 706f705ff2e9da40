"""One judge against people: the measures of its numbers, in each reading of them.

Its bias (judge less people, overall and against each rater), how far it is from a person and two
people are from each other, and how many people its numbers are worth, by squared error and linear
surveys.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.sampling.crossing import MOST_RATERS, estimate_of_crossing
from headcount.sampling.delta import Smooth
from headcount.sampling.people import student
from headcount.scores.components import NOTHING, components, true_error
from headcount.scores.people import People, Said
from headcount.scores.sample import Measure, Measured, mean_over


def spread_measure(people: People, said: Said | None, added: bool) -> Measured:
    """`within` and `between`: how people and items differ, without any judge."""
    del said
    found = components(people, added)
    return Measured.of(
        {
            "within": (found.within, found.within_influence),
            "between": (found.between, found.between_influence),
        }
    )


def mean_measure(people: People, said: Said | None, added: bool) -> Measured:
    """The mean rating, every item once."""
    del said
    return Measured.of({"mean": mean_over(people.mean, (people.n > 0).astype(np.float64), added)})


def worth_measure(numbers: Floats, *, fitted: bool) -> Measure:
    """`within`, `between` and `error`: what a worth is computed from.

    `fitted` says that the numbers were calibrated to these raters. They then share how strict
    these raters are with the ratings they are judged by, which must not count in their favour.
    """

    def measure(people: People, said: Said | None, added: bool) -> Measured:
        del said
        found = components(people, added)
        error, influence = true_error(people, numbers, added)
        return Measured.of(
            {
                "within": (found.within, found.within_influence),
                "between": (found.between, found.between_influence),
                "error": (error + (found.shared if fitted else 0.0), influence),
            }
        )

    return measure


def distance_measure(numbers: Floats) -> Measure:
    """`bias` and `squared`, the mean squared distance to one person, over all rated items."""

    def measure(people: People, said: Said | None, added: bool) -> Measured:
        del said
        return Measured.of(
            {
                "bias": overall_bias(numbers, people, added),
                "squared": squared_distance(numbers, people, added),
            }
        )

    return measure


def nearness_measure(numbers: Mapping[str, Floats], tolerance: float) -> Measure:
    """Mean distances (`away`) and shares within a tolerance (`near`), of people and each judge.

    All over the items with at least two ratings, so that judge and people can be compared.
    """

    def measure(people: People, said: Said | None, added: bool) -> Measured:
        assert said is not None
        compared = people.several.astype(np.float64)
        away, near = distance_of_people(said, tolerance)
        found = {"away": mean_over(away, compared, added), "near": mean_over(near, compared, added)}
        for name, judge in numbers.items():
            away, near = distance_from_judge(said, judge, tolerance)
            found[f"away {name}"] = mean_over(away, compared, added)
            found[f"near {name}"] = mean_over(near, compared, added)
        return Measured.of(found)

    return measure


def overall_bias(judge: Floats, people: People, added: bool = True) -> tuple[float, Floats]:
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


# 0.3 − 0.2 is within 0.1, whatever its last binary digit.
_SLACK = 1e-9


def distance_of_people(said: Said, tolerance: float) -> tuple[Floats, Floats]:
    """Of each item's pairs of ratings: the mean distance, and the share within `tolerance`.

    (I,) each; NaN where an item has fewer than two ratings.
    """
    n = np.bincount(said.item, minlength=said.n_items)
    pairs = n * (n - 1) / 2
    start = np.cumsum(n) - n
    rank = np.arange(len(said.item)) - start[said.item] + 1
    # In order, the j-th of n ratings lies above j − 1 others and below n − j.
    apart = np.bincount(
        said.item, weights=(2 * rank - n[said.item] - 1) * said.value, minlength=said.n_items
    )
    near = _pairs_within(said, tolerance)
    none = pairs == 0
    pairs = np.where(none, 1, pairs)
    return np.where(none, np.nan, apart / pairs), np.where(none, np.nan, near / pairs)


def distance_from_judge(said: Said, judge: Floats, tolerance: float) -> tuple[Floats, Floats]:
    """Of each item's ratings: the mean distance to the judge's number, the share within."""
    n = np.bincount(said.item, minlength=said.n_items)
    away = np.abs(judge[said.item] - said.value)
    far = np.bincount(said.item, weights=away, minlength=said.n_items)
    close = away <= tolerance * (1 + _SLACK)
    near = np.bincount(said.item, weights=close, minlength=said.n_items)
    none = n == 0
    n = np.where(none, 1, n)
    return np.where(none, np.nan, far / n), np.where(none, np.nan, near / n)


def default_tolerance(least: float, most: float, *, whole: bool) -> float:
    """One step for a few whole levels, else about a tenth of the range, as a round number.

    >>> default_tolerance(1, 5, whole=True), default_tolerance(-100, 100, whole=True)
    (1.0, 20.0)
    """
    width = most - least
    if width <= 0 or (width <= 10 and whole):
        return 1.0
    return float(f"{width / 10:.0e}")


def _pairs_within(said: Said, tolerance: float) -> Floats:
    """How many pairs of an item's ratings lie within the tolerance, (I,).

    Ratings are in order, so once none is within reach of its j-th neighbour none is further on.
    """
    most = int(np.bincount(said.item, minlength=1).max())
    found = np.zeros(said.n_items)
    reach = tolerance * (1 + _SLACK)
    for lag in range(1, most):
        same = said.item[lag:] == said.item[:-lag]
        close = same & (said.value[lag:] - said.value[:-lag] <= reach)
        if not close.any():
            break
        found += np.bincount(said.item[lag:][close], minlength=said.n_items)
    return found


NOT_APART = "people's mean ratings do not differ between items beyond chance"
ALL_ALIKE = "people never differ on an item, so that one person is worth any number of them"
_NUMBERS = ("within", "between", "error")

# A standard error below this share of the variance of ratings is none.
_ROUNDING = 1e-9

# The numbers of people that a worth is told from: ends are found on the line between them.
_PLACES = np.concatenate([[0.0], np.geomspace(1e-3, MOST_RATERS, 800)])


def worth_of(within: float, between: float, error: float) -> float:
    """The k whose survey errs as much: −∞ no better than asking nobody, ∞ than asking any.

    >>> round(worth_of(within=1.0, between=0.5, error=0.5 / 3), 6)
    4.0
    """
    if between <= 0 or within <= 0:
        return np.nan
    if error <= 0:
        return np.inf
    found = within * (between - error) / (error * between)
    return float(found) if found > 0 else -np.inf


def numeric_worth(numbers: Smooth) -> Estimate:
    """The worth from `within`, `between` and `error` among the numbers.

    `floor` 0 is asking nobody, `ceiling` the most raters that are told apart.
    """
    return _worth_at(numbers, numbers.confidence)


def worth_nothing(why: str) -> Estimate:
    """The worth of a judge that tells nothing about items, such as one number for all."""
    return Estimate(None, None, None, "below", "below", "below", floor=0.0, note=why)


def _worth_at(numbers: Smooth, confidence: float) -> Estimate:
    value = worth_of(*(numbers.number(name) for name in _NUMBERS))
    if np.isnan(value):
        return Estimate.undefined(NOT_APART if numbers.number("between") <= 0 else ALL_ALIKE)
    apart = _standard_errors_apart(numbers, _PLACES)
    room = student(confidence, numbers.plan.freedom()) - apart
    top = float(MOST_RATERS)
    if np.isfinite(value) and value > top:
        value = np.inf
    found = estimate_of_crossing(value, room, _PLACES, top)
    if numbers.plan.why_not_raters is not None:
        found = found.with_note(numbers.plan.why_not_raters)
    return replace(found, reread=partial(_worth_at, numbers))


def _standard_errors_apart(numbers: Smooth, k: Floats) -> Floats:
    """How many standard errors d lies from c(k), if it were c(k): plain or corrected, the less."""
    within, between, error = (numbers.number(name) for name in _NUMBERS)
    order = [numbers.names.index(name) for name in _NUMBERS]
    survey = k * between + within
    slopes = np.column_stack(
        [(k * between**2) / survey**2, within**2 / survey**2, np.full(len(k), -1.0)]
    )
    covariance = numbers.covariance[np.ix_(order, order)]
    variance = np.einsum("pi,ij,pj->p", slopes, covariance, slopes)
    spread = np.sqrt(np.maximum(variance, (_ROUNDING * (between + within)) ** 2))
    t = (between * within / survey - error) / spread
    if numbers.third is None:
        return np.asarray(np.abs(t))
    third = numbers.third[np.ix_(order, order, order)]
    skew = np.einsum("pi,pj,pk,ijk->p", slopes, slopes, slopes, third, optimize=True) / spread**3
    corrected = t + skew * t**2 / 3 + skew**2 * t**3 / 27 + skew / 6
    return np.asarray(np.minimum(np.abs(t), np.abs(corrected)))
