"""The population of items without some of the raters, and over clusters of items.

Who was asked moves the fitted population as much as which items were drawn. Whatever is read
from it (ceiling, ideal, curve) has an interval over items of its own; fits without each rater
tell how much wider one about other people is. Past twice `MOST_FITS` raters, random groups of
them are left out. Where items come in clusters the likelihood counts the same thing several
times: how far it may fall is multiplied by how much more its change varies over clusters.
"""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from headcount.arrays import Floats, Ints
from headcount.data import FirstAnswers, Study, group_rows
from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.population.by_length import (
    log_chances,
    place_of,
    refitted_by_length,
    resampled_by_length,
)
from headcount.population.dirichlet_fit import Tallies, fit_dirichlets, refit_dirichlets
from headcount.population.folds import grouped
from headcount.population.mixtures import Atoms, Dirichlets, Mixture
from headcount.population.model import Population, fit_kinds
from headcount.population.profile_likelihood import Inflate
from headcount.sampling.people import student, widened
from headcount.sampling.samples import Samples

# Fits without some raters where there are more than twice as many of them.
MOST_FITS = 25


@frozen(eq=False)
class Table:
    """Items one by one: their `counts` (n, L), and what is taken as a sample among them.

    `part` is the table of a part of the items where raters are left out on that alone. Where asking
    stopped by the answers `first` knows the first ones: without a rater these alone are still those
    of people drawn at random, since the others were asked for by what this rater said.
    """

    counts: Ints
    samples: Samples
    part: "Table | None" = None
    first: FirstAnswers | None = None

    @property
    def known_by(self) -> tuple[bytes, ...]:
        """What tells one table from another."""
        of = self.samples
        own = tuple(each.tobytes() for each in (self.counts, of.item, of.rater, of.label))
        return own if self.part is None else (*own, *self.part.known_by)

    def clustered(self) -> tuple[Ints, Floats, Any]:
        """Distinct counts (G, L), how many items have each, and clusters (C, G) or None."""
        groups = group_rows(self.counts)
        size = groups.size.astype(np.float64)
        return self.counts[groups.first], size, self.samples.clusters_of(groups.of_row)

    def inflation(self, kinds: Population, confidence: float) -> Inflate | None:
        """How many times as far the likelihood of `kinds` may fall, given weights it falls to.

        The change of log-likelihood from the fit to there is a sum over items; over clusters it
        varies more (Chandler and Bate, Biometrika 94, 2007). None without clusters.
        """
        fit = kinds.fit
        if self.samples.cluster is None or fit is None:
            return None
        pattern, size, clusters = self.clustered()
        best = log_chances(kinds, pattern, fit.weights)
        n_clusters = clusters.shape[0]
        # Clusters are few, so that t takes the place of the normal quantile in ½χ²₁.
        far = student(confidence, max(n_clusters - 1, 1)) / float(ndtri(0.5 + confidence / 2))

        def times(weights: Floats) -> float:
            change = log_chances(kinds, pattern, weights) - best
            change -= size @ change / size.sum()
            alone, together = float(size @ change**2), float(((clusters @ change) ** 2).sum())
            return far**2 * max(together / alone if alone > 0 else 1.0, 1.0)

        return times


def table_of(study: Study, asked: Samples, counts: Ints) -> Table | None:
    """The items whose population is fitted again without raters, and over clusters.

    `asked` is what `study.sampled` gave, `counts` (n, L) are label counts as models read them.
    None where items alone are a sample.

    >>> import headcount as hc
    >>> study = hc.Study(hc.simulate.make("running-example", items=20).ratings)
    >>> table_of(study, study.sampled(two_way=False), study.judged.counts) is None
    True
    """
    first = study.design.first_answers
    if asked.part is None:
        return Table(counts, asked, first=first) if asked.by_row else None
    part, those = study.people(asked)
    return Table(counts, asked, Table(part.judged.counts, those, first=first), first)


@frozen(eq=False)
class Refits:
    """A population fitted again without each rater, or group of raters, of a table."""

    population: Population
    table: Table

    @cached_property
    def without_raters(self) -> tuple[Mixture | None, ...]:
        """What people mean, without each rater or group of raters; none if raters do not count.

        None stands for a group without whom nothing can be fitted.
        """
        table = self.table.part or self.table
        return tuple(self._fits(table.samples.without(table.counts, most=MOST_FITS)))

    def values(self, functional: Callable[[Mixture], float]) -> Floats:
        """A functional without each rater or group of raters (R,); NaN where there is no fit."""
        fits = self.without_raters
        return np.array([np.nan if each is None else functional(each) for each in fits])

    def groups_of(self, samples: Samples) -> Ints | None:
        """With which of the groups left out here each of those of `samples` (J,) goes along.

        −1 for raters that are not here. None where a group there is divided here.
        """
        mine = (self.table.part or self.table).samples
        group = dict(zip(mine.raters, mine.groups_of_raters(MOST_FITS).tolist(), strict=True))
        here = np.array([group.get(name, -1) for name in samples.raters], dtype=np.int64)
        there = samples.left_out_with
        found = np.full(int(there.max(initial=-1)) + 1, -1, dtype=np.int64)
        found[there] = here
        return found if (found[there] == here).all() else None

    def widened(
        self,
        below: float,
        above: float,
        functional: Callable[[Mixture], float],
        *,
        confidence: float,
    ) -> tuple[float, float]:
        """A functional's distances over items, with raters counted too."""
        without = self.values(functional)
        return widened(below, above, without_raters=without, confidence=confidence)

    def _fits(self, tables: Iterator[Ints]) -> Iterator[Mixture | None]:
        table = self.table.part or self.table
        raters = table.counts.sum(axis=1)
        for counts in tables:
            rated = counts.sum(axis=1) > 0
            try:
                if not rated.any():
                    yield None
                elif table.first is not None:
                    yield _of_first(self.population, table.first, counts, table.counts)
                else:
                    yield refitted(self.population, counts[rated], raters[rated])
            except UnanswerableError:  # it has no say, as a sample without a value has none
                yield None


def refitted(population: Population, rows: Ints, raters: Ints) -> Mixture:
    """The population of other counts (n, L), from where it stands; slips set aside.

    These items had so many `raters` (n,), perhaps more than are left.
    """
    if population.lengths:
        groups = group_rows(rows, place_of(raters, population.lengths))
        first = groups.first
        size = groups.size.astype(np.float64)
        return refitted_by_length(population, rows[first], size, raters[first])
    return _refitted(population, *grouped(rows, np.ones(len(rows))))


def _of_first(
    population: Population, first: FirstAnswers, left: Ints, everyone: Ints
) -> Mixture | None:
    """The population of what is `left` (n, L) of the first answers of `everyone` (n, L)."""
    groups = group_rows(left, everyone)
    spread = first.of(left[groups.first], everyone[groups.first])
    size = spread.times(groups.size[None])[0]
    some = spread.first.sum(axis=1) > 0
    if not some.any():
        return None
    return _refitted(population, *grouped(spread.first[some], size[some]))


def _refitted(population: Population, counts: Ints, size: Floats) -> Mixture:
    mixture = population.mixture
    if isinstance(mixture, Atoms):
        return fit_kinds(counts, size, mixture.atoms, slip=mixture.slip).primary
    found, _ = fit_dirichlets(Tallies.of(counts), size, mixture, tolerance=1e-6, most_steps=60)
    return found


def resampled_mixtures(
    population: Population,
    counts: Ints,
    size: Floats,
    *,
    clusters: Any = None,
    n_bootstrap: int = 200,
    seed: int = 0,
    known: int = 0,
) -> list[Dirichlets]:
    """The mixture refitted to resamples of items, groups (G, L) of `size` items each.

    With `clusters` (C, G), how many items of each group a cluster holds, clusters are drawn.
    The first `known` resamples are passed over.
    """
    mixture = population.mixture
    if not isinstance(mixture, Dirichlets):
        raise UnanswerableError("Kinds of items have profile intervals: resampling fails at edges.")
    total = float(size.sum())
    rng = np.random.default_rng([seed, 5])
    if clusters is None:
        drawn = rng.multinomial(round(total), size / total, size=n_bootstrap)
    else:
        n = clusters.shape[0]
        drawn = (clusters.T @ rng.multinomial(n, np.full(n, 1 / n), size=n_bootstrap).T).T
    further = drawn[known:].astype(np.float64)
    if population.lengths:
        return resampled_by_length(population, counts, further)
    return refit_dirichlets(Tallies.of(counts), further, mixture)


def functional_interval(
    population: Population,
    mixtures: list[Dirichlets],
    functional: Callable[[Mixture], float],
    *,
    confidence: float = 0.95,
) -> tuple[float, float]:
    """The interval of a functional from `resampled_mixtures`, by Student's t.

    A hundred refits hold few draws in the tails: percentiles of them came out too short.
    """
    value = functional(population.mixture)
    if len(mixtures) < 2:
        return value, value
    error = float(np.std([functional(each) for each in mixtures], ddof=1))
    reach = float(stdtrit(len(mixtures) - 1, 0.5 + confidence / 2)) * error
    return value - reach, value + reach
