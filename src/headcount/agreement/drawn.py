"""Coefficients of the data, of samples of items and without each rater; and their intervals."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.coefficients import (
    ByName,
    Level,
    Scale,
    Totals,
    alpha_at,
    of_patterns,
    why_undefined,
)
from headcount.agreement.kappa import Conger, conger_kappa
from headcount.agreement.named import NamedRatings
from headcount.agreement.weighted import gwet_ac2, pair_mean, weighted_fleiss, weights_between
from headcount.data import Nearness, Patterns, group_rows
from headcount.data import Scale as LabelScale
from headcount.frozen import frozen
from headcount.results import Estimate, Progress, no_progress
from headcount.sampling import Bootstrap, Plan, Samples, estimate_from_draws, resample
from headcount.sampling.people import interval
from headcount.sampling.recentred import recentred
from headcount.sampling.samples import masks_without
from headcount.sampling.scales import ScaleName

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Measured = Callable[[Ints, Ints], ByName]

_ON: dict[str, ScaleName] = {"percent_agreement": "share", "near": "share", "distance": "positive"}
"""The scales on which intervals are symmetric, of what is no coefficient."""

MOST_HABITS = 400_000
"""Raters × labels past which Conger's kappa, with everyone's own habits, is left out."""
_AT_ONCE = 500_000
"""Samples × items that go through together: more would be new memory each time."""

_MOST_PRODUCTS = 200_000_000
"""Ratings × samples that Conger's kappa is computed for."""


@frozen(eq=False)
class Drawn:
    """Every coefficient by name: of the data (1,), of samples of items (B,), and without each
    rater or group of raters (J,), empty where raters are not taken as a sample.
    """

    values: ByName
    draws: ByName
    without: ByName
    samples: Plan
    plan: Bootstrap
    totals: Totals
    weights: Floats | None
    level: Level = "nominal"

    def estimates(self, confidence: float, compared: int) -> dict[str, Estimate]:
        """The coefficients with their intervals; one item has none."""
        found = {name: self._estimate(name, confidence, compared) for name in self.values}
        if compared != 1:
            return found
        return {
            name: each if each.value is None else each.with_note("one item only, so no interval")
            for name, each in found.items()
        }

    def alpha_without(self, samples: Samples) -> dict[str, float]:
        """Alpha without each rater, by name, where raters are left out one by one."""
        left = self.without.get(alpha_at(self.level))
        if left is None or len(left) != len(samples.raters):
            return {}
        return {
            name: float(value)
            for name, value in zip(samples.raters, left, strict=True)
            if not np.isnan(value)
        }

    def _estimate(self, name: str, confidence: float, compared: int) -> Estimate:
        value, why = float(self.values[name][0]), why_undefined(self.totals, name)
        draws = self.draws[name] if compared != 1 else np.zeros(0)
        if not self.samples.counts_raters or not len(draws):
            units = min(compared, self.samples.units)
            tail = Bootstrap(confidence=confidence).tail(units)
            return estimate_from_draws(value, draws, tail, undefined=why)
        return interval(
            value,
            draws,
            self.without[name],
            plan=self.samples,
            confidence=confidence,
            scale=_ON.get(name, "coefficient"),
            undefined=why,
        )


def label_weights(scale: LabelScale) -> Floats | None:
    """Quadratic weights between labels in order; None where labels are names, or only two."""
    if not scale.has_order or len(scale.levels) < 3:
        return None
    return weights_between(scale.places, "quadratic")


def coefficients_of(
    counts: Ints, times: Ints, *, scale: Scale, weights: Floats | None, nearness: Nearness
) -> ByName:
    """Every coefficient that counts alone can tell, patterns `counts` (G, L) × `times` (B, G)."""
    found = of_patterns(counts, times, scale)
    if weights is not None:
        found["weighted_kappa"] = weighted_fleiss(counts, times, weights)
        found["gwet_ac2"] = gwet_ac2(counts, times, weights)
    if nearness.has_order:
        found["near"] = pair_mean(counts, times, nearness.credit)
        found["distance"] = pair_mean(counts, times, nearness.distance)
    return found


def item_draws(
    patterns: Patterns,
    plan: Bootstrap,
    measured: Measured,
    progress: Progress = no_progress,
    clusters: object = None,
) -> ByName:
    """Every coefficient for every sample of items, or of whole clusters, drawn anew."""
    found = resample(
        plan,
        patterns.items,
        partial(measured, patterns.counts),
        clusters=clusters,
        progress=progress,
        description="Bootstrap of items",
    )
    return {name: np.asarray(values, dtype=np.float64) for name, values in found.items()}


def without_each(tables: Iterable[Ints], measured: Measured) -> ByName:
    """Every coefficient of each table of counts (n, L) with a rater left out, (J,)."""
    found: list[ByName] = []
    for counts in tables:
        groups = group_rows(counts)
        found.append(measured(counts[groups.first], groups.size[None, :]))
    names = found[0] if found else ()
    return {name: np.concatenate([each[name] for each in found]) for name in names}


def conger_in_samples(
    named: NamedRatings,
    samples: Samples,
    plan: Bootstrap,
    weights: Floats,
    part: NamedRatings | None = None,
) -> tuple[Floats, Floats, Floats]:
    """Conger's kappa of the data, of samples of items, and without each rater.

    `part` has the answers on the part of the items on which raters are left out, where there are
    too many ratings to do so on all.
    """
    ones = np.ones(named.n_items, dtype=np.int64)
    most = max(_MOST_PRODUCTS // max(len(named.item), 1), 1)
    fewer = Bootstrap(min(plan.samples, most), plan.confidence, plan.seed)
    clusters = samples.clusters_of(np.arange(named.n_items))
    whole = Conger(named, weights)
    drawn = resample(
        fewer,
        ones,
        lambda times: {"kappa": whole.of_draws(times)},
        at_once=int(np.clip(_AT_ONCE // max(named.n_items, 1), 8, 64)),
        clusters=clusters,
    )["kappa"]
    value = whole.of_draws(ones[None])
    left = np.zeros(0)
    if samples.part is not None and part is not None:
        everyone = conger_kappa(part, np.ones((1, part.n_items), dtype=np.int64), weights)
        left = recentred(_conger_without(part, samples.part, weights), everyone[0], value[0])
    elif samples.plan.counts_raters:
        left = _conger_without(named, samples, weights)
    return value, drawn.astype(np.float64), left


def _conger_without(named: NamedRatings, samples: Samples, weights: Floats) -> Floats:
    """Conger's kappa without each rater, or group of raters, (J,)."""
    ones, left = np.ones((1, named.n_items), dtype=np.int64), []
    for stay in masks_without(named.rater, samples.left_out_with):
        some = replace(
            named, item=named.item[stay], rater=named.rater[stay], label=named.label[stay]
        )
        left.append(conger_kappa(some, ones, weights)[0])
    return np.array(left)
