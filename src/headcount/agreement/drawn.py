"""Coefficients of the data, of samples of items and without each rater; and their intervals."""

from collections.abc import Callable, Iterable, Iterator
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
from headcount.agreement.weighted import (
    gwet_ac2,
    weighted_agreement,
    weighted_fleiss,
    weights_between,
)
from headcount.data import Design, Nearness, Patterns, group_rows
from headcount.data import Scale as LabelScale
from headcount.frozen import frozen
from headcount.results import Estimate, Progress, no_progress
from headcount.sampling import Bootstrap, Plan, Sampled, Samples, sampled
from headcount.sampling.samples import masks_without
from headcount.sampling.scales import ScaleName

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Measured = Callable[[Ints, NDArray[np.number]], ByName]

_ON: dict[str, ScaleName] = {
    "percent_agreement": "share",
    "two_people": "share",
    "distance": "positive",
}
"""The scales on which intervals are symmetric, of what is no coefficient."""

MOST_HABITS = 400_000
"""Raters × labels past which Conger's kappa, with everyone's own habits, is left out."""
_AT_ONCE = 500_000
"""Samples × items that go through together: more would be new memory each time."""

_MOST_PRODUCTS = 200_000_000
"""Ratings × samples that Conger's kappa is computed for."""


@frozen(eq=False)
class Drawn:
    """Every coefficient by name, in the data, in samples and without each rater.

    `compared` items have two ratings; one alone has no interval.
    """

    coefficients: dict[str, Sampled]
    totals: Totals
    weights: Floats | None
    compared: int
    level: Level = "nominal"

    def estimates(self, confidence: float) -> dict[str, Estimate]:
        """The coefficients with their intervals; one item has none."""
        found = {name: self._estimate(name, confidence) for name in self.coefficients}
        if self.compared != 1:
            return found
        return {
            name: each if each.value is None else each.with_note("one item only, so no interval")
            for name, each in found.items()
        }

    def alpha_without(self, samples: Samples) -> dict[str, float]:
        """Alpha without each rater, by name, where raters are left out one by one."""
        left = self.coefficients[alpha_at(self.level)].without
        if left is None or len(left) != len(samples.raters):
            return {}
        return {
            name: float(value)
            for name, value in zip(samples.raters, left, strict=True)
            if not np.isnan(value)
        }

    def _estimate(self, name: str, confidence: float) -> Estimate:
        number = self.coefficients[name]
        if self.compared == 1:
            number = replace(number, draws=number.draws[:0])
        elif not number.samples.counts_raters:
            number = number.among(min(self.compared, number.samples.units))
        return number.estimate(
            confidence,
            scale=_ON.get(name, "coefficient"),
            undefined=why_undefined(self.totals, name),
        )


def label_weights(scale: LabelScale) -> Floats | None:
    """Quadratic weights between labels in order; None where labels are names, or only two."""
    if not scale.has_order or len(scale.levels) < 3:
        return None
    return weights_between(scale.places, "quadratic")


def coefficients_of(
    counts: Ints,
    times: NDArray[np.number],
    *,
    scale: Scale,
    weights: Floats | None,
    nearness: Nearness,
) -> ByName:
    """Every coefficient that counts alone can tell, patterns `counts` (G, L) × `times` (B, G)."""
    found = of_patterns(counts, times, scale)
    if weights is not None:
        found["weighted_kappa"] = weighted_fleiss(counts, times, weights)
        # 1 − d/width, from the quadratic 1 − (d/width)².
        linear = 1 - np.sqrt(1 - weights)
        found["linear_kappa"] = weighted_fleiss(counts, times, linear)
        found["gwet_ac2"] = gwet_ac2(counts, times, weights)
    found["two_people"] = weighted_agreement(counts, times, nearness.credit)
    if nearness.has_order:
        found["distance"] = weighted_agreement(counts, times, nearness.distance)
    return found


def in_samples(
    patterns: Patterns,
    plan: Bootstrap,
    measured: Measured,
    samples: Plan,
    *,
    clusters: object = None,
    design: Design | None = None,
    everyone: Ints | None = None,
    tables: Iterable[Ints] = (),
    part: Ints | None = None,
    progress: Progress = no_progress,
) -> dict[str, Sampled]:
    """Every coefficient of the data, of samples of items or clusters, and without each rater.

    `tables` of counts (n, L) lack a rater each, who is among `everyone` (n, L); they are of the
    `part` (n, L) of the items where raters are left out on that alone. By the `design` pairs of
    ratings count as they are, or as those of people drawn at random.
    """

    def of_people(counts: Ints, whole: Ints | None = None) -> Callable[[Ints], ByName]:
        alike = None if design is None else design.alike(counts, whole)
        if alike is None:
            return partial(measured, counts)
        first, distinct = alike.first, alike.distinct
        return lambda times: measured(first[distinct.first], alike.together(times))

    def of_table(counts: Ints) -> ByName:
        keys = (counts,) if everyone is None else (counts, everyone)
        groups = group_rows(*keys)
        whole = None if everyone is None else everyone[groups.first]
        return of_people(counts[groups.first], whole)(groups.size[None, :])

    return sampled(
        of_people(patterns.counts),
        patterns.items,
        plan=plan,
        samples=samples,
        clusters=clusters,
        without=map(of_table, tables),
        part=None if part is None else of_table(part),
        progress=progress,
        description="Bootstrap of items",
    )


def conger_in_samples(
    named: NamedRatings,
    samples: Samples,
    plan: Bootstrap,
    weights: Floats,
    part: NamedRatings | None = None,
) -> Sampled:
    """Conger's kappa of the data, of samples of items, and without each rater.

    `part` has the answers on the part of the items on which raters are left out, where there are
    too many ratings to do so on all.
    """
    most = max(_MOST_PRODUCTS // max(len(named.item), 1), 1)
    whole = Conger(named, weights)
    these, those = (named, samples) if samples.part is None else (part, samples.part)
    return sampled(
        lambda times: {"kappa": whole.of_draws(times)},
        np.ones(named.n_items, dtype=np.int64),
        plan=Bootstrap(min(plan.samples, most), plan.confidence, plan.seed),
        samples=samples.plan,
        clusters=samples.clusters_of(np.arange(named.n_items)),
        without=() if these is None else _conger_without(these, those, weights),
        part=None if these is None or these is named else _conger(these, weights),
        at_once=int(np.clip(_AT_ONCE // max(named.n_items, 1), 8, 64)),
    )["kappa"]


def _conger(named: NamedRatings, weights: Floats) -> ByName:
    ones = np.ones((1, named.n_items), dtype=np.int64)
    return {"kappa": conger_kappa(named, ones, weights)}


def _conger_without(named: NamedRatings, samples: Samples, weights: Floats) -> Iterator[ByName]:
    """Conger's kappa without each rater, or group of raters."""
    if not samples.plan.counts_raters:
        return
    for stay in masks_without(named.rater, samples.left_out_with):
        some = replace(
            named, item=named.item[stay], rater=named.rater[stay], label=named.label[stay]
        )
        yield _conger(some, weights)
