"""Accuracy about other people and other clusters: every model again without some of them.

The models of a span have intervals over items. Where raters are named, each model is fitted again
without each rater, and where items come in clusters without each cluster; past twice `MOST_FITS`
of them, without random groups. A rating fewer an item makes a fit vary even if all raters are
alike: how much is seen by dealing out each item's ratings anew among its raters, and is taken
off. Gold knows no raters, and has clusters of its own (`powered`).
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy.algebra import accuracy_of_answers
from headcount.accuracy.ballots import Answered, Members, ballots, thinned
from headcount.accuracy.rating_models import Fitted, Part, Sweep
from headcount.accuracy.shared_errors import Held, climb, joined
from headcount.arrays import Floats, Ints
from headcount.data import Groups, enough, group_rows
from headcount.frozen import frozen
from headcount.sampling import Plan, Samples
from headcount.sampling.people import rater_variance, widened_by

# Fits of each model without some raters (or clusters) where there are more than twice as many.
MOST_FITS = 10

_CYCLES, _CLOSE = 40, 1e-3
"""Cycles of EM, and how near its end is near enough, from a model fitted to nearly the same."""


@frozen(eq=False)
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


@frozen(eq=False)
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
        everybody = self.samples.plan.counts_raters and self.samples.part is None
        return counts if everybody else enough(counts)

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
        dealt = np.argsort(given.item + rng.random(len(given.item)))
        order = np.argsort(given.item, kind="stable")
        label = np.empty_like(given.label)
        label[order] = given.label[dealt]
        return replace(given, label=label)

    @cached_property
    def without_answers(self) -> tuple[Without, ...]:
        """Without each rater, or group of raters, where raters differ by chance alone."""
        return tuple(self._without(self.dealt))

    @cached_property
    def dealt_members(self) -> Members:
        """Each rater's answers as dealt out anew."""
        given, (n, n_labels) = self.dealt, self.counts.shape
        cell = given.item * n_labels + given.label
        return Members(
            [
                np.bincount(cell[given.rater == rater], minlength=n * n_labels).reshape(n, n_labels)
                for rater in range(len(given.raters))
            ]
        )

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


@frozen(eq=False)
class PartOfItems:
    """The part of the items on which raters are left out, where there are too many ratings.

    `answers` (C, n) are the classifiers', `members` named raters' where all items have such.
    """

    elsewhere: Elsewhere
    answers: Ints
    members: Members | None


def about_people(
    parts: tuple[Part, ...],
    sweep: Sweep | None,
    elsewhere: Elsewhere,
    answer: Ints,
    members: Members | None,
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
    if tables and sweep is not None and members is not None:
        theirs = members.with_answers(answer)
        dealt = elsewhere.dealt_members.with_answers(answer) if alike else theirs
        for fit in sweep.fits:
            if fit.by_rater:
                so_far = _of_each(fit, theirs, (*raters, *clusters))
                by_chance = _of_each(_pooled(fit), dealt, alike)
                found[fit.name] = np.insert(so_far, len(raters), by_chance)
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
    # What fits vary by if all raters are alike is a matter of fewer ratings, not of who is asked.
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


@frozen(eq=False)
class _Table:
    """Groups of items alike: their `counts` (G, L), the classifier's `answer` and `weight` (G,)."""

    counts: Ints
    answer: Ints
    weight: Floats


def _of_anyone(
    sweep: Sweep | None, tables: tuple[Without, ...], answer: Ints, seed: int
) -> dict[str, Floats]:
    """The accuracy in each table, (T,), by the models that know no names."""
    cells = [_cells(each, answer[each.rows]) for each in tables]
    patterns = [each.counts[each.patterns.first] for each in tables]
    pairs = list(zip(patterns, cells, strict=True))
    found = {
        "algebraic": np.array(
            [accuracy_of_answers(counts, cells[None])[0] for counts, cells in pairs]
        )
    }
    if sweep is None:
        return found
    thin = [_thinned(*each, seed) for each in pairs]
    fits = [fit for fit in sweep.fits if not fit.by_rater]
    for coupling in sorted({fit.coupling for fit in fits}):
        found |= _refitted([fit for fit in fits if fit.coupling == coupling], thin)
    return found


def _cells(table: Without, said: Ints) -> Floats:
    """Items of each pattern of a table with each answer, (G, L + 1)."""
    width = table.counts.shape[1] + 1
    size = len(table.patterns) * width
    items = np.bincount(table.patterns.of_row * width + said, minlength=size)
    return items.reshape(-1, width).astype(np.float64)


def _thinned(patterns: Ints, cells: Floats, seed: int) -> _Table:
    """The groups of a table; a random part of the items where they are too many to be fitted."""
    pattern, answer = np.nonzero(cells)
    counts, weight = patterns[pattern], cells[pattern, answer]
    load = thinned(counts, answer, weight, seed=seed)
    held = load > 0
    return _Table(counts[held], answer[held], load[held])


def _refitted(fits: list[Fitted], tables: list[_Table]) -> dict[str, Floats]:
    """Each model's accuracy in each table, (T,), all of them climbed side by side.

    The models know no names and share errors with the classifier equally far.
    """
    answer = np.concatenate([each.answer for each in tables])
    n_answers, n = fits[0].model.joint.shape[1], len(tables)
    counts = np.concatenate([each.counts for each in tables])
    data = ballots([counts], None, answer, n_answers, coupling=fits[0].coupling)
    table = np.repeat(np.arange(n), [len(each.answer) for each in tables])
    load = np.concatenate([each.weight for each in tables])
    rows = len(data.weight)
    weight = np.bincount(table * rows + data.row, weights=load, minlength=n * rows)
    held = Held(weight=np.tile(weight.reshape(n, rows), (len(fits), 1)))
    start = joined([fit.model for fit in fits]).pick(np.repeat(np.arange(len(fits)), n))
    model, _ = climb(data, start, held=held, most_cycles=_CYCLES, tolerance=_CLOSE)
    told = np.split(model.accuracy(), len(fits))
    return {fit.name: each for fit, each in zip(fits, told, strict=True)}


def _of_each(fit: Fitted, rows: Answered, tables: tuple[Without, ...]) -> Floats:
    """The accuracy in each table, (T,), by a model with rates for each rater.

    Raters who are left out of a table keep their columns there, and say nothing.
    """
    if not tables:
        return np.empty(0)
    n_answers, n = fit.model.joint.shape[1], len(tables)
    data = ballots(rows.counts, None, rows.answer, n_answers)
    row = data.row[rows.row]
    weight = [np.bincount(row[each.rows], minlength=len(data.weight)) for each in tables]
    everyone = np.ones(len(rows.counts), dtype=bool)
    stay = np.stack([everyone if each.stay is None else each.stay for each in tables], axis=1)
    held = Held(
        prior=fit.prior,
        weight=np.array(weight, dtype=np.float64),
        stay=stay[data.member].astype(np.float64),
    )
    start = fit.model.pick(np.zeros(n, dtype=np.int64))
    model, _ = climb(data, start, held=held, most_cycles=_CYCLES, tolerance=_CLOSE)
    return model.accuracy()


def _pooled(fit: Fitted) -> Fitted:
    """The model started from the rates of all raters together, who differ by chance alone."""
    n = len(fit.model.joint)
    pooled = fit.model.chances.reshape(-1, n, n, 1).mean(axis=0)
    chances = np.tile(pooled, (len(fit.model.chances) // n, 1, 1))
    return replace(fit, model=replace(fit.model, chances=chances))
