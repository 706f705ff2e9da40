"""The population of items without some of the raters, and without some clusters of items.

Who was asked moves the fitted population as much as which items were drawn. Whatever is read
from it (ceiling, ideal, curve) has an interval over items of its own; fits without each rater
tell how much wider an interval about other people is, fits without each cluster one about other
clusters. Past twice `MOST_FITS` raters or clusters, random groups of them are left out.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.errors import UnanswerableError
from headcount.stats.people import widened
from headcount.stats.population.atoms import Atoms
from headcount.stats.population.curve import Mixture
from headcount.stats.population.dirichlet_fit import Tallies, fit_dirichlets
from headcount.stats.population.folds import grouped
from headcount.stats.population.population import Population, fit_kinds
from headcount.stats.samples import Samples

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_FITS = 25
"""Fits without some raters (or clusters) where there are more than twice as many of them."""


@dataclass(frozen=True, eq=False)
class Table:
    """Items one by one: their `counts` (n, L), and what is taken as a sample among them."""

    counts: Ints
    samples: Samples

    def clustered(self) -> tuple[Ints, Floats, Any]:
        """Distinct counts (G, L), how many items have each, and clusters (C, G) or None."""
        pattern, place = np.unique(self.counts, axis=0, return_inverse=True)
        size = np.bincount(place.ravel()).astype(np.float64)
        return pattern, size, self.samples.clusters_of(place.ravel())


@dataclass(frozen=True, eq=False)
class Refits:
    """A population fitted again without some raters, and without some clusters, of a table."""

    population: Population
    table: Table

    @cached_property
    def without_raters(self) -> tuple[Mixture, ...]:
        """What people mean, without each rater or group of raters; none if raters do not count."""
        tables = self.table.samples.without(self.table.counts, most=MOST_FITS)
        return tuple(self._fits(tables))

    @cached_property
    def without_clusters(self) -> tuple[Mixture, ...]:
        """The same without each cluster of items, or group of clusters; none without clusters."""
        kept = self.table.samples.outside_clusters(most=MOST_FITS)
        return tuple(self._fits(self.table.counts[keep] for keep in kept))

    def widened(
        self,
        below: float,
        above: float,
        functional: Callable[[Mixture], float],
        *,
        confidence: float,
        clusters: bool = True,
    ) -> tuple[float, float]:
        """A functional's distances over items, with raters (and `clusters`) counted too."""
        return widened(
            below,
            above,
            without_raters=[functional(each) for each in self.without_raters],
            without_clusters=[functional(each) for each in self.without_clusters]
            if clusters
            else (),
            confidence=confidence,
        )

    def _fits(self, tables: Iterator[Ints]) -> Iterator[Mixture]:
        for counts in tables:
            rated = counts[counts.sum(axis=1) > 0]
            if not len(rated):
                continue
            try:
                yield refitted(self.population, *grouped(rated, np.ones(len(rated))))
            except UnanswerableError:  # it has no say, as a sample without a value has none
                continue


def refitted(population: Population, counts: Ints, size: Floats) -> Mixture:
    """The population of other counts (G, L), from where it stands; slips set aside."""
    mixture = population.mixture
    if isinstance(mixture, Atoms):
        return fit_kinds(counts, size, mixture.atoms, slip=mixture.slip).primary
    found, _ = fit_dirichlets(Tallies.of(counts), size, mixture, tolerance=1e-6, most_steps=60)
    return found
