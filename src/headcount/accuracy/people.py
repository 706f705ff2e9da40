"""Accuracy about other people and other clusters: every model again without some of them.

The models of a span have intervals over items. Where raters are named, each model is fitted again
without each rater, and where items come in clusters without each cluster; past twice `MOST_FITS`
of them, without random groups. A rating fewer an item makes a fit vary even if all raters are
alike: how much is seen by dealing out each item's ratings anew among its raters, and is taken
off. Gold knows no raters, and has clusters of its own (`powered`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy.algebraic_interval import algebraic_accuracy
from headcount.accuracy.ballots import Floats, Ints, ballots, thinned
from headcount.accuracy.shared_errors import Held, climb
from headcount.accuracy.span import Fitted, Part, Sweep
from headcount.data import group_rows
from headcount.stats import Plan, Samples
from headcount.stats.people import rater_variance, widened_by

MOST_FITS = 10
"""Fits of each model without some raters (or clusters) where there are more than twice as many."""

_CYCLES, _CLOSE = 40, 1e-3
"""Cycles of EM, and how near its end is near enough, from a model fitted to nearly the same."""


@dataclass(frozen=True, eq=False)
class Without:
    """The judged items without some raters, or without some clusters of items.

    `counts` (n, L) of the items `rows` (n,); `stay` (m,) are the raters still there, None where
    all are.
    """

    counts: Ints
    rows: Ints
    stay: NDArray[np.bool_] | None = None


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """Judged items, `counts` (n, L), and who or which clusters could have been others."""

    counts: Ints
    samples: Samples
    seed: int = 0

    @property
    def plan(self) -> Plan:
        """What is counted as a sample, with the number of judged items."""
        return replace(self.samples.plan, items=max(len(self.counts), 1))

    @property
    def counted(self) -> bool:
        """Whether there is anything but items to count."""
        return self.samples.by_row

    @cached_property
    def without_raters(self) -> tuple[Without, ...]:
        """Without each rater, or group of raters."""
        return tuple(self._without(self.samples))

    @cached_property
    def without_answers(self) -> tuple[Without, ...]:
        """The same after each item's answers were dealt out anew among those who gave them."""
        given = self.samples
        rng = np.random.default_rng([self.seed, 61])
        dealt = np.lexsort([rng.random(len(given.item)), given.item])
        order = np.argsort(given.item, kind="stable")
        label = np.empty_like(given.label)
        label[order] = given.label[dealt]
        return tuple(self._without(replace(given, label=label)))

    @cached_property
    def without_clusters(self) -> tuple[Without, ...]:
        """Without each cluster of items, or group of clusters."""
        kept = self.samples.outside_clusters(most=MOST_FITS)
        return tuple(Without(self.counts[keep], np.flatnonzero(keep)) for keep in kept)

    def _without(self, samples: Samples) -> Iterator[Without]:
        rows = np.arange(len(self.counts))
        groups = samples.groups_of_raters(MOST_FITS)
        for group, counts in enumerate(samples.without(self.counts, most=MOST_FITS)):
            yield Without(counts, rows, groups != group)


def about_people(
    parts: tuple[Part, ...],
    sweep: Sweep | None,
    elsewhere: Elsewhere,
    answer: Ints,
    members: list[Ints] | None,
    confidence: float,
) -> tuple[Part, ...]:
    """The parts of a span over items, with raters and clusters counted too.

    `answer` (n,) is the classifier's to each item, `members` are named raters' answers.
    """
    if not elsewhere.counted:
        return parts

    def moved(tables: tuple[Without, ...]) -> dict[str, list[float]]:
        found = [_accuracies(sweep, each, answer, members, elsewhere.seed) for each in tables]
        return {part.name: [each.get(part.name, np.nan) for each in found] for part in parts}

    raters, alike = moved(elsewhere.without_raters), moved(elsewhere.without_answers)
    clusters = moved(elsewhere.without_clusters)
    return tuple(
        _widened(part, raters[part.name], alike[part.name], clusters[part.name], confidence)
        for part in parts
    )


def _widened(
    part: Part, raters: list[float], alike: list[float], clusters: list[float], confidence: float
) -> Part:
    if part.value is None or part.low is None or part.high is None:
        return part
    variance = max(float(rater_variance(raters)) - float(rater_variance(alike)), 0.0)
    below, above = widened_by(
        part.value - part.low,
        part.high - part.value,
        rater_variance=variance,
        raters=len(raters),
        without_clusters=clusters,
        confidence=confidence,
    )
    return replace(part, low=max(part.value - below, 0.0), high=min(part.value + above, 1.0))


def _accuracies(
    sweep: Sweep | None, table: Without, answer: Ints, members: list[Ints] | None, seed: int
) -> Mapping[str, float]:
    """Each model's accuracy in a table, from where it stands in the whole one."""
    rated = table.counts.sum(axis=1) > 0
    counts, rows = table.counts[rated], table.rows[rated]
    said = answer[rows]
    groups = group_rows(counts, said)
    grouped, size = counts[groups.first], groups.size.astype(float)
    found = {"algebraic": algebraic_accuracy(grouped, said[groups.first], size)}
    if sweep is None:
        return found
    load = thinned(grouped, said[groups.first], size, seed=seed)
    held = load > 0
    for fit in sweep.fits:
        if not fit.by_rater:
            own = said[groups.first][held]
            found[fit.name] = _refitted(fit, [grouped[held]], load[held], own)
        elif members is not None:
            found[fit.name] = _by_rater(fit, table, said, rows, members)
    return found


def _by_rater(fit: Fitted, table: Without, said: Ints, rows: Ints, members: list[Ints]) -> float:
    """The model of each rater's own rates without those who are left out."""
    stay = np.ones(len(members), dtype=bool) if table.stay is None else table.stay
    kept = [each[rows] for each, here in zip(members, stay, strict=True) if here]
    some = np.repeat(stay, kept[0].shape[1])
    model = replace(fit.model, chances=fit.model.chances[some])
    prior = None if fit.prior is None else fit.prior[some]
    return _refitted(replace(fit, model=model, prior=prior), kept, None, said)


def _refitted(fit: Fitted, members: list[Ints], weight: Floats | None, answer: Ints) -> float:
    n_answers = fit.model.joint.shape[1]
    data = ballots(members, weight, answer, n_answers, coupling=fit.coupling)
    model, _ = climb(
        data, fit.model, held=Held(prior=fit.prior), most_cycles=_CYCLES, tolerance=_CLOSE
    )
    return float(model.accuracy()[0])
