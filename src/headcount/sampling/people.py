"""Intervals about people: items are a sample, and so are the raters who judged them.

A statistic of the table items × raters varies because other items (or clusters of items) could
have been drawn, V_I, and because other raters could have been asked, V_R. The bootstrap over
items sees the first, leaving raters out one by one sees the second, and both see the part that
belongs to single answers, V_E. The variance is V_I + V_R, less V_E where that is known; the
interval reads Student's t with the degrees of freedom of the smaller sample. `docs/people.md`
has the coverage from which these choices were made.
"""

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from headcount.errors import OptionError
from headcount.results import Estimate, State
from headcount.sameness import exceeds, scale_of, varies
from headcount.sampling.samples import Plan, n_rater_groups
from headcount.sampling.scales import SCALES, Scale, ScaleName

Floats = NDArray[np.float64]


def item_variance(draws: ArrayLike, units: int) -> Floats:
    """V_I: the variance of bootstrap draws (B, …) over items, or over whole clusters.

    Draws from n units vary (n − 1)/n times as much as fresh ones; undefined draws have no say.
    """
    drawn = np.asarray(draws, dtype=np.float64)
    if units < 2:
        return np.zeros(drawn.shape[1:])
    squares, known = _squares(drawn)
    return np.asarray(squares / np.maximum(known - 1, 1) * units / (units - 1))


def rater_variance(without: ArrayLike) -> Floats:
    """V_R: from the values (J, …) without each rater or group of raters, Σ (θ₋ⱼ − mean)².

    The usual jackknife has the factor (m − 1)/m. Leaving it off, which is the variance for one
    rater fewer, is what held the promised coverage with three to five raters.
    """
    return _squares(np.asarray(without, dtype=np.float64))[0]


def variance_counted_twice(
    value: ArrayLike, without_items: ArrayLike, without_rater: ArrayLike, without_both: ArrayLike
) -> Floats:
    """V_E: the variance of single answers, which items and raters each bring along.

    `without_items` (G, …) leaves out each of G random groups of items (or clusters),
    `without_rater` (H, …) each rater or group of raters, `without_both` (G, H, …) both at once.
    θ₋gₕ − θ₋g − θ₋ₕ + θ is free of what items and raters do on their own; its sum of squares
    times (G − 1)(H − 1)/(GH) is unbiased for a mean over a full table.
    """
    g = np.asarray(without_items, dtype=np.float64)
    h = np.asarray(without_rater, dtype=np.float64)
    both, whole = np.asarray(without_both, dtype=np.float64), np.asarray(value, dtype=np.float64)
    inner = both - g[:, None] - h[None, :] + whole
    share = (1 - 1 / max(len(g), 1)) * (1 - 1 / max(len(h), 1))
    return np.asarray(share * np.nansum(inner**2, axis=(0, 1)))


def total_variance(items: ArrayLike, raters: ArrayLike, twice: ArrayLike = 0.0) -> Floats:
    """V_I + V_R − V_E, never less than either of the two."""
    first, second = np.asarray(items, dtype=np.float64), np.asarray(raters, dtype=np.float64)
    less = first + second - np.asarray(twice, dtype=np.float64)
    return np.asarray(np.maximum(np.maximum(first, second), less))


def widened(
    below: float,
    above: float,
    *,
    without_raters: ArrayLike = (),
    without_clusters: ArrayLike = (),
    confidence: float = 0.95,
) -> tuple[float, float]:
    """The distances of an interval over items, with clusters and raters counted too.

    For statistics that have an interval of their own (a profile likelihood's, which is lopsided
    and holds at edges) and cost a fit each: `without_raters` (J,) are their values without each
    rater or group of raters, `without_clusters` (G,) without each cluster or group of clusters.
    Clusters take the place of items where they vary more; raters are added as squares, each
    with Student's t of its own number. NaN has no say.

    >>> [round(each, 3) for each in widened(0.02, 0.03, without_raters=[0.79, 0.80, 0.81])]
    [0.064, 0.068]
    """
    people = np.asarray(without_raters, dtype=np.float64)
    squares, known = _squares(people)
    return widened_by(
        below,
        above,
        rater_variance=float(squares),
        raters=int(known),
        without_clusters=without_clusters,
        confidence=confidence,
    )


def widened_by(
    below: float,
    above: float,
    *,
    rater_variance: float,
    raters: int,
    without_clusters: ArrayLike = (),
    confidence: float = 0.95,
) -> tuple[float, float]:
    """As `widened`, where the variance that comes from so many `raters` is known."""
    by_rater = 0.0
    if raters > 1:
        by_rater = student(confidence, raters - 1) * math.sqrt(rater_variance)
    squares, known = _squares(np.asarray(without_clusters, dtype=np.float64))
    by_cluster = 0.0
    if known > 1:
        jackknife = float(squares) * (1 - 1 / float(known))
        by_cluster = student(confidence, float(known) - 1) * math.sqrt(jackknife)
    return (
        math.hypot(max(below, by_cluster), by_rater),
        math.hypot(max(above, by_cluster), by_rater),
    )


def reach_over_raters(without: ArrayLike, confidence: float) -> Floats:
    """How far an interval reaches for raters alone (…): t √V_R of values (J, …) without each."""
    left = np.asarray(without, dtype=np.float64)
    squares, known = _squares(left)
    quantile = special.stdtrit(np.maximum(known - 1, 1), (1 + confidence) / 2)
    return np.asarray(np.where(known > 1, quantile * np.sqrt(squares), 0.0))


def _squares(values: Floats) -> tuple[Floats, Floats]:
    """Sums of squares about the mean down the rows, and how many rows have a value."""
    known = ~np.isnan(values)
    number = known.sum(axis=0)
    mean = np.where(known, values, 0).sum(axis=0) / np.maximum(number, 1)
    return np.where(known, (values - mean) ** 2, 0).sum(axis=0), number.astype(np.float64)


def guarded_freedom(
    items: float, raters: float, *, plan: Plan, n_draws: int | None = None
) -> float:
    """Satterthwaite's degrees of freedom, guarded against raters who only seem alike.

    For many comparisons, whose quantiles lie far out: a few raters of whom hardly anything
    depends should not decide there. (V_I + u)²/(V_I²/f_I + u²/f_R), where u is not V_R itself
    but the most it may be at 95 %, V_R f_R/χ²(.05; f_R); never less than the smaller sample's.
    """
    least = plan.freedom(n_draws)
    if not plan.counts_raters or plan.raters is None or raters <= 0:
        return Plan(plan.items, clusters=plan.clusters).freedom(n_draws)
    own = n_rater_groups(plan.raters) - 1.0
    upper = raters * own / float(special.chdtri(own, 0.95))
    item_freedom = Plan(plan.items, clusters=plan.clusters).freedom(n_draws)
    return max((items + upper) ** 2 / (items**2 / item_freedom + upper**2 / own), least)


def student(confidence: float, freedom: float) -> float:
    """The two-sided quantile of Student's t; degrees of freedom need not be whole."""
    return float(special.stdtrit(freedom, (1 + confidence) / 2))


def interval(
    value: float,
    item_draws: ArrayLike,
    without_rater: ArrayLike | None,
    *,
    plan: Plan,
    confidence: float = 0.95,
    scale: ScaleName = "plain",
    twice: float = 0.0,
    freedom: float | None = None,
    floor: float | None = None,
    ceiling: float | None = None,
    undefined: str = "there is no value for these data",
) -> Estimate:
    """A statistic with an interval that counts items and raters as samples.

    Parameters
    ----------
    value
        The statistic of the whole table. NaN is undefined; ±∞ is censored beyond `ceiling` or
        `floor`.
    item_draws
        (B,) its values in bootstrap samples of items, whole clusters at a time where the plan
        has clusters. NaN and ±∞ as for `value`.
    without_rater
        (J,) its values without each rater, or each group of `samples.rater_groups`. None, or
        a plan without raters, counts items alone.
    plan
        Which samples there are and how large.
    confidence
        The interval's confidence.
    scale
        On which scale the interval is symmetric: "share" (logit), "coefficient"
        (Fisher's z), "positive" (log) or "plain".
    twice
        What items and raters count twice, from `variance_counted_twice`; 0 counts it twice.
    freedom
        Degrees of freedom other than the smaller sample's, as from `guarded_freedom`.
    floor, ceiling
        The limits beyond which the statistic is censored.
    undefined
        Why there is no value, where there is none.

    Returns
    -------
    Estimate
        Its interval contains the value. With one or two raters the interval is about items
        alone and its note says so.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> draws = rng.normal(0.7, 0.01, 500)
    >>> print(interval(0.7, draws, [0.66, 0.70, 0.74], plan=Plan(1000, raters=3), scale="share"))
    0.700 (0.418 to 0.883)
    >>> print(interval(0.7, draws, None, plan=Plan(1000), scale="share"))
    0.700 (0.680 to 0.720)
    """
    if math.isnan(value):
        return Estimate.undefined(undefined)
    drawn = np.asarray(item_draws, dtype=np.float64)
    left = np.zeros(0)
    if plan.counts_raters and without_rater is not None:
        left = np.asarray(without_rater, dtype=np.float64)
    quantile = student(confidence, freedom or plan.freedom(len(drawn)))
    estimate = _with_ends(
        value, drawn, left, plan, confidence, quantile, SCALES[scale], twice, floor, ceiling
    )
    found = _remarked(estimate, drawn, left, plan, undefined)
    about: dict[str, Any] = {
        "plan": plan,
        "scale": scale,
        "twice": twice,
        "freedom": freedom,
        "floor": floor,
        "ceiling": ceiling,
        "undefined": undefined,
    }
    if plan.few_named is not None and len(left):
        # Their labels are then all that matter: what they say on other items, by items alone.
        one = replace(plan, raters=None)
        about_these = {**about, "plan": one, "freedom": None}
        found = found.of_these(plan.few_named, _at(value, drawn, _NOBODY, about_these, confidence))
    return replace(found, reread=partial(_at, value, drawn, left, about))


# Nobody is left out where an interval is about the raters there are.
_NOBODY = np.zeros(0)


def interval_from_error(
    value: float,
    error: float,
    *,
    plan: Plan,
    confidence: float = 0.95,
    scale: ScaleName = "plain",
    freedom: float | None = None,
    undefined: str = "there is no value for these data",
) -> Estimate:
    """A statistic with the interval that its standard error gives, which counts what `plan` counts.

    For statistics whose standard error needs no draws (`stats.delta`); `scale`, `freedom` and
    `undefined` as for `interval`.

    >>> print(interval_from_error(0.7, 0.01, plan=Plan(1000), scale="share"))
    0.700 (0.680 to 0.719)
    """
    if math.isnan(value):
        return Estimate.undefined(undefined)
    if math.isnan(error):
        return Estimate(float(value), note="no standard error can be had from these data")
    by = student(confidence, freedom or plan.freedom()) * error
    low, high = (_moved(value, side * by, SCALES[scale]) for side in (-1, 1))
    again = partial(
        _from_error_at, value, error, {"plan": plan, "scale": scale, "freedom": freedom}
    )
    estimate = Estimate(float(value), float(low), float(high), reread=again)
    return estimate if plan.why_not_raters is None else estimate.with_note(plan.why_not_raters)


def _from_error_at(
    value: float, error: float, about: dict[str, Any], confidence: float
) -> Estimate:
    return interval_from_error(value, error, confidence=confidence, **about)


def _at(
    value: float, drawn: Floats, left: Floats, about: dict[str, Any], confidence: float
) -> Estimate:
    return interval(value, drawn, left if len(left) else None, confidence=confidence, **about)


def _with_ends(
    value: float,
    drawn: Floats,
    left: Floats,
    plan: Plan,
    confidence: float,
    quantile: float,
    scale: Scale,
    twice: float,
    floor: float | None,
    ceiling: float | None,
) -> Estimate:
    if drawn[~np.isnan(drawn)].size < 2:
        return _censorable(value, None, None, floor, ceiling)
    centre = scale.settled(_within(value, floor, ceiling))
    width = scale_of(scale.low, scale.high, centre)

    def end(side: int) -> float:
        limit = np.inf * side
        beyond = (drawn == limit).mean() > (1 - confidence) / 2 or (left == limit).any()
        if value == limit or beyond:
            return float(limit)
        spread = _spread(centre, drawn, left, plan, twice, floor, ceiling, side)
        if not varies(spread**2, scale=width) and centre in (scale.low, scale.high):
            return _never_seen(centre, scale, side, plan.units, confidence)
        return _moved(centre, side * quantile * spread, scale)

    return _censorable(value, end(-1), end(1), floor, ceiling)


def _spread(
    centre: float,
    drawn: Floats,
    left: Floats,
    plan: Plan,
    twice: float,
    floor: float | None,
    ceiling: float | None,
    side: int,
) -> float:
    """The standard error on one side.

    Where something is censored only the draws on this side of the centre are numbers to go
    by: their mean square about the centre stands for the variance.
    """
    if np.isfinite(drawn).all() and np.isfinite(left).all():
        return math.sqrt(
            total_variance(item_variance(drawn, plan.units), rater_variance(left), twice)
        )
    known = np.array([_within(v, floor, ceiling) for v in drawn[~np.isnan(drawn)]])
    aside = known[exceeds((known - centre) * side, 0.0, scale=scale_of(known, centre))]
    items = float(((aside - centre) ** 2).mean()) if len(aside) else 0.0
    others = np.array([_within(v, floor, ceiling) for v in left[~np.isnan(left)]])
    return math.sqrt(total_variance(items, rater_variance(others), twice))


def _moved(centre: float, by: float, scale: Scale) -> float:
    """`by` from the centre along the scale; plainly, but within the range, at its very ends."""
    centre = scale.settled(centre)
    if by == 0:
        return centre
    if not scale.inside(centre):
        return min(max(centre + by, min(scale.low, centre)), max(scale.high, centre))
    return scale.back(scale.there(centre) + by * scale.slope(centre))


def _never_seen(centre: float, scale: Scale, side: int, units: int, confidence: float) -> float:
    """The end of a share that was 0 or 1 in every unit: the exact binomial bound."""
    if not math.isfinite(scale.high - scale.low) or (centre == scale.high) == (side > 0):
        return centre
    reach = (1 - ((1 - confidence) / 2) ** (1 / units)) * (scale.high - scale.low)
    return float(centre + side * reach)


def _within(number: float, floor: float | None, ceiling: float | None) -> float:
    """A censored number as the limit it lies beyond."""
    if math.isinf(number):
        limit = ceiling if number > 0 else floor
        if limit is None:
            raise OptionError("an infinite value is censored: name the floor or ceiling it passed.")
        return limit
    return float(number)


def _censorable(
    value: float, low: float | None, high: float | None, floor: float | None, ceiling: float | None
) -> Estimate:
    """An estimate whose infinite numbers, and ends past a limit, become named states."""
    if floor is None and ceiling is None:
        return Estimate(float(value), low, high)
    number, state = _named(value, floor, ceiling)
    if low is None or high is None:
        return Estimate(number, None, None, state, floor=floor, ceiling=ceiling)
    low, low_state = _named(low, floor, ceiling)
    high, high_state = _named(high, floor, ceiling)
    return Estimate(number, low, high, state, low_state, high_state, floor=floor, ceiling=ceiling)


def _named(number: float, floor: float | None, ceiling: float | None) -> tuple[float | None, State]:
    if ceiling is not None and number > ceiling:
        return None, "above"
    if floor is not None and number < floor:
        return None, "below"
    return float(number), "within"


def _remarked(
    estimate: Estimate, drawn: Floats, left: Floats, plan: Plan, undefined: str
) -> Estimate:
    """The estimate with what the interval could not count."""
    for values, what in ((drawn, "bootstrap samples"), (left, "tables without a rater")):
        missing = int(np.isnan(values).sum())
        if missing:
            estimate = estimate.with_note(
                f"{missing} of {values.size} {what} gave no value ({undefined})"
            )
    if plan.why_not_raters is not None:
        estimate = estimate.with_note(plan.why_not_raters)
    return estimate
