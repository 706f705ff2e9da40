"""Accuracy about other people and other clusters: every model again without some of them.

The models of a span have intervals over items. Where raters are named, each model is fitted again
without each rater, and where items come in clusters without each cluster; past twice `MOST_FITS`
of them, without random groups. A rating fewer an item makes a fit vary even if all raters are
alike: how much is seen by dealing out each item's ratings anew among its raters, and is taken
off. Gold knows no raters, and has clusters of its own (`powered`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy.algebraic_interval import algebraic_accuracy
from headcount.accuracy.ascent import Held
from headcount.accuracy.ballots import Floats, Ints, ballots, rows_alike, thinned
from headcount.accuracy.shared_errors import Model, climb
from headcount.accuracy.span import Fitted, Part, Sweep
from headcount.data import Groups, enough, group_rows
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

    @cached_property
    def rated(self) -> "Without":
        """The same without the items that nobody is left to have rated."""
        held = self.counts.sum(axis=1) > 0
        return Without(self.counts[held], self.rows[held], self.stay)

    @cached_property
    def patterns(self) -> Groups:
        """Items with the same counts, for all classifiers together."""
        return group_rows(self.counts)


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

    def read(self, counts: Ints) -> Ints:
        """What models read of counts (G, L): enough of many ratings, all where raters count."""
        return counts if self.samples.plan.counts_raters else enough(counts)

    @property
    def counted(self) -> bool:
        """Whether there is anything but items to count."""
        return self.samples.by_row

    @cached_property
    def without_raters(self) -> tuple[Without, ...]:
        """Without each rater, or group of raters."""
        return tuple(self._without(self.samples))

    @cached_property
    def dealt(self) -> Samples:
        """The samples after each item's answers were dealt out anew among those who gave them."""
        given = self.samples
        rng = np.random.default_rng([self.seed, 61])
        dealt = np.lexsort([rng.random(len(given.item)), given.item])
        order = np.argsort(given.item, kind="stable")
        label = np.empty_like(given.label)
        label[order] = given.label[dealt]
        return replace(given, label=label)

    @cached_property
    def without_answers(self) -> tuple[Without, ...]:
        """Without each rater, or group of raters, where raters differ by chance alone."""
        return tuple(self._without(self.dealt))

    @cached_property
    def dealt_members(self) -> list[Ints]:
        """Each rater's answers (n, L) as dealt out anew."""
        given, (n, n_labels) = self.dealt, self.counts.shape
        cell = given.item * n_labels + given.label
        return [
            np.bincount(cell[given.rater == rater], minlength=n * n_labels).reshape(n, n_labels)
            for rater in range(len(given.raters))
        ]

    @cached_property
    def without_clusters(self) -> tuple[Without, ...]:
        """Without each cluster of items, or group of clusters."""
        kept = self.samples.outside_clusters(most=MOST_FITS)
        return tuple(Without(self.read(self.counts)[keep], np.flatnonzero(keep)) for keep in kept)

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
    raters, alike, clusters = (
        tuple(each.rated for each in group)
        for group in (
            elsewhere.without_raters,
            elsewhere.without_answers,
            elsewhere.without_clusters,
        )
    )
    tables = (*raters, *alike, *clusters)
    found: dict[str, Floats] = {}
    if tables:
        found |= _of_anyone(sweep, tables, answer, elsewhere.seed)
    if sweep is not None and members is not None:
        dealt = elsewhere.dealt_members if alike else members
        made = [
            *_by_rater(raters, answer, members),
            *_by_rater(alike, answer, dealt),
            *_by_rater(clusters, answer, members),
        ]
        found |= _of_each(sweep, made, range(len(raters), len(raters) + len(alike)))
    ends = np.cumsum([len(raters), len(alike)])

    def about(part: Part) -> Part:
        unknown = np.full(len(tables), np.nan)
        of_raters, of_alike, of_clusters = np.split(found.get(part.name, unknown), ends)
        return _widened(part, of_raters, of_alike, of_clusters, confidence)

    return tuple(about(part) for part in parts)


def _widened(
    part: Part, raters: Floats, alike: Floats, clusters: Floats, confidence: float
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


@dataclass(frozen=True, eq=False)
class _Table:
    """Groups of items alike: members' counts (G, L), the classifier's answer and `weight` (G,)."""

    members: list[Ints]
    answer: Ints
    weight: Floats


def _of_anyone(
    sweep: Sweep | None, tables: tuple[Without, ...], answer: Ints, seed: int
) -> dict[str, Floats]:
    """The accuracy in each table, (T,), by the models that know no names."""
    grouped = [_grouped(each, answer[each.rows]) for each in tables]
    found = {
        "algebraic": np.array(
            [algebraic_accuracy(each.members[0], each.answer, each.weight) for each in grouped]
        )
    }
    if sweep is None:
        return found
    thin = [_thinned(each, seed) for each in grouped]
    start = np.zeros(len(thin), dtype=np.int64)
    for fit in sweep.fits:
        if not fit.by_rater:
            found[fit.name] = _refitted(fit, thin, fit.model.pick(start))
    return found


def _of_each(sweep: Sweep, tables: list[_Table], alike: range) -> dict[str, Floats]:
    """The accuracy in each table, (T,), by the models with rates for each rater.

    In the tables `alike`, whose raters differ by chance alone, the climb starts from the rates
    of all of them together.
    """
    found = {}
    for fit in sweep.fits:
        if fit.by_rater and tables:
            start = fit.model.pick(np.zeros(len(tables), dtype=np.int64))
            n = len(start.joint)
            pooled = start.chances.reshape(-1, n, n, len(tables)).mean(axis=0)
            chances = start.chances.copy()
            which = list(alike)
            chances[..., which] = np.tile(pooled, (len(chances) // n, 1, 1))[..., which]
            found[fit.name] = _refitted(fit, tables, replace(start, chances=chances))
    return found


def _grouped(table: Without, said: Ints) -> _Table:
    groups = group_rows(table.patterns.of_row, said)
    return _Table([table.counts[groups.first]], said[groups.first], groups.size.astype(np.float64))


def _thinned(table: _Table, seed: int) -> _Table:
    """A random part of the items where rows are too many to be fitted quickly."""
    (counts,) = table.members
    load = thinned(counts, table.answer, table.weight, seed=seed)
    held = load > 0
    return _Table([counts[held]], table.answer[held], load[held])


def _by_rater(tables: tuple[Without, ...], answer: Ints, members: list[Ints]) -> list[_Table]:
    """Named raters' answers in each table; those who are left out have given none."""
    alike = rows_alike(np.column_stack([*members, answer]))
    own = [each[alike.first] for each in members]
    made = []
    for table in tables:
        size = np.bincount(alike.of_row[table.rows], minlength=len(alike)).astype(np.float64)
        stay = np.ones(len(members), dtype=bool) if table.stay is None else table.stay
        kept = [each * here for each, here in zip(own, stay, strict=True)]
        made.append(_Table(kept, answer[alike.first], size))
    return made


def _refitted(fit: Fitted, tables: list[_Table], start: Model) -> Floats:
    """The model's accuracy in each table, (T,), all of them climbed side by side from `start`."""
    members = [np.concatenate(each) for each in zip(*(t.members for t in tables), strict=True)]
    answer = np.concatenate([each.answer for each in tables])
    n_answers, n = fit.model.joint.shape[1], len(tables)
    data = ballots(members, None, answer, n_answers, coupling=fit.coupling)
    table = np.repeat(np.arange(n), [len(each.answer) for each in tables])
    load = np.concatenate([each.weight for each in tables])
    rows = len(data.weight)
    weight = np.bincount(table * rows + data.row, weights=load, minlength=n * rows)
    held = Held(prior=fit.prior, weight=weight.reshape(n, rows).astype(np.float64))
    model, _ = climb(data, start, held=held, most_cycles=_CYCLES, tolerance=_CLOSE)
    return model.accuracy()
