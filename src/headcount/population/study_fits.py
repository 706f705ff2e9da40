"""Populations fitted to the items of one study: each once, whoever asks for it.

Methods that rest on the same population then also say the same of it: the ideal classifier that
a power curve tends to is the one that the ceiling is about.

Two ratings an item fix two moments of the population. Among the populations that have them, and
are equally likely, a fit ends in the middle. But items that classifiers answer alike are a
population of their own, with moments of its own: fitted stratum by stratum and put together, they
tell how far the whole leans, and none of that rests on the classifiers being right. From three
ratings an item on, the ratings tell enough.
"""

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import Study, group_rows
from headcount.frozen import frozen
from headcount.population.by_length import by_length
from headcount.population.fitting import CrossFitted, cross_fit, fit_many_kinds, fit_population
from headcount.population.folds import grouped
from headcount.population.mixtures import Atoms, Dirichlets, ordered_kinds
from headcount.population.model import Population, fit_kinds
from headcount.population.profile_likelihood import farthest
from headcount.population.refits import Refits, Table, resampled_mixtures

Found = TypeVar("Found")

Counts = tuple[Ints, Floats]

# Strata that items are divided into, about equal in size.
MOST_STRATA = 5

# Items that a stratum needs: with fewer, what chance does to its moments would be believed.
FEWEST_ITEMS = 200

# Ratings an item that leave the shape open.
MOST_RATINGS = 2

# Log-likelihood that strata may lose to the best population, by which they tell what it leaves open
# and contradict nothing. Strata of items that are all alike can lose more by chance: the population
# is then sought on the way to theirs.
_LOST = 0.5


def strata_by(order: Floats, counts: Ints, size: NDArray[np.number]) -> tuple[Counts, ...]:
    """Items divided by `order` (G,), a number an item group, into strata about equal in size.

    Rows are groups of items: counts (G, L), held by `size` (G,) items. Items with the same
    number stay together. None where there are too few items for two strata.

    >>> strata = strata_by(np.array([0.1, 0.9]), np.array([[2, 0], [1, 1]]), np.array([300, 300]))
    >>> [(counts.tolist(), size.tolist()) for counts, size in strata]
    [([[2, 0]], [300.0]), ([[1, 1]], [300.0])]
    """
    n_strata = min(int(size.sum()) // FEWEST_ITEMS, MOST_STRATA)
    if n_strata < 2:
        return ()
    _, place = np.unique(order, return_inverse=True)
    held = np.bincount(place.ravel(), weights=size)
    before = np.cumsum(held) - held / 2
    stratum = np.minimum(before * n_strata / held.sum(), n_strata - 1).astype(np.int64)
    of_row = stratum[place.ravel()]
    parts = (of_row == each for each in range(n_strata))
    found = tuple(grouped(counts[part], size[part].astype(float)) for part in parts if part.any())
    return found if len(found) > 1 else ()


def in_strata(
    whole: Population, counts: Ints, size: Floats, strata: Sequence[Counts]
) -> Population:
    """The population that strata of its items make up, where the ratings leave that open.

    `whole` was fitted to counts (G, L) held by `size` (G,) items; items outside all strata are
    one more. The whole's own where strata are of other items.
    """
    mixture, fit, likelihood = whole.mixture, whole.fit, whole.likelihood
    if not isinstance(mixture, Atoms) or fit is None or likelihood is None:
        return whole
    parts = _with_the_rest(counts, size, strata)
    if whole.most_ratings > MOST_RATINGS or len(parts) < 2:
        return whole
    fitted = [fit_kinds(of, items, mixture.atoms, slip=mixture.slip) for of, items in parts]
    share = np.array([items.sum() for _, items in parts]) / size.sum()
    weights: Floats = share @ np.array([each.mixture.weights for each in fitted])
    # Strata that contradict the whole are luck: then only as far towards them as it allows.
    if likelihood.at(weights) < fit.log_likelihood - _LOST:
        floor = (fit.log_likelihood - _LOST) / likelihood.total
        weights = farthest(likelihood, fit.weights, weights, floor)
    return replace(
        whole, mixture=replace(mixture, weights=weights), fit=replace(fit, weights=weights)
    )


def _with_the_rest(counts: Ints, size: Floats, strata: Sequence[Counts]) -> list[Counts]:
    """The strata and the items in none of them; nothing where they hold items that are not here."""
    if not strata:
        return []
    inside = np.concatenate([of for of, _ in strata])
    taken = np.concatenate([items for _, items in strata])
    pattern, left = grouped(np.concatenate([counts, inside]), np.concatenate([size, -taken]))
    if left.min() < -1e-9:
        return []
    rest = left > 1e-9
    return [*strata, (pattern[rest], left[rest])] if rest.any() else list(strata)


# Folds of items that the number of components is chosen by.
FOLDS = 5


class Fits:
    """What was fitted so far, by the counts (G, L) and the numbers of items (G,) it was fitted to.

    >>> fits, counts, sizes = Fits(), np.array([[2, 1], [0, 3]]), np.array([5, 4])
    >>> fits.population(counts, sizes) is fits.population(counts, sizes)
    True

    `strata` divide the items by what classifiers say of them, where two ratings an item leave
    the shape of their population open. `lengths` divide them by how many ratings they have, where
    that was decided by what the item is.
    """

    def __init__(self, strata: Sequence[Counts] = (), lengths: tuple[int, ...] = ()) -> None:
        self._strata = tuple(strata)
        self._lengths = lengths
        self._kept: dict[tuple[Any, ...], Any] = {}

    def cross(
        self,
        counts: Ints,
        sizes: NDArray[np.number],
        folds: int = FOLDS,
        *,
        ordered: bool = False,
    ) -> CrossFitted:
        """The population fitted once for each fold; the same items are always dealt alike."""
        key = ("cross", *_key(counts, sizes), folds, ordered)
        return self._once(key, lambda: cross_fit(counts, sizes, folds=folds, ordered=ordered))

    def population(
        self,
        counts: Ints,
        sizes: NDArray[np.number],
        *,
        slip: float = 0.0,
        ordered: bool = False,
        kinds: bool | None = None,
        components: int | None = None,
    ) -> Population:
        """The population fitted to all items.

        Of `ordered` labels it is one of ordered kinds or of Dirichlets, by what predicts
        held-out items better; `kinds` says which where that is known already.
        """

        def fitted() -> Population:
            whole = of_all()
            if len(self._lengths) < 2:
                return whole
            return by_length(whole, counts, sizes.astype(np.float64), self._lengths)

        def of_all() -> Population:
            if counts.shape[1] == 2:
                whole = fit_population(counts, sizes, slip=slip)
                return in_strata(whole, counts, sizes.astype(np.float64), self._strata)
            if components is not None:
                return fit_population(counts, sizes, slip=slip, components=components)
            if ordered and not slip and self._of_kinds(counts, sizes, kinds):
                of = sizes.astype(np.float64)
                return fit_kinds(counts, of, ordered_kinds(counts, of))
            # A fold's mixture has the number of components, and most of the way up behind it.
            start = self.cross(counts, sizes).mixtures[0]
            assert isinstance(start, Dirichlets)
            return fit_population(counts, sizes, slip=slip, start=start)

        key = ("population", *_key(counts, sizes), slip, ordered, components)
        return self._once(key, fitted)

    def _of_kinds(self, counts: Ints, sizes: NDArray[np.number], known: bool | None) -> bool:
        if known is not None:
            return known
        return not isinstance(self.cross(counts, sizes, ordered=True).mixtures[0], Dirichlets)

    def refits(
        self,
        population: Population,
        counts: Ints,
        sizes: NDArray[np.number],
        n: int,
        seed: int,
        *,
        clusters: Any = None,
    ) -> list[Dirichlets]:
        """The mixture refitted to n resamples of items; those asked for before are kept.

        With `clusters` (C, G), how many items of each group a cluster holds, clusters are drawn.
        """
        drawn = None
        if clusters is not None:
            parts = (clusters.data, clusters.indices, clusters.indptr)
            drawn = tuple(each.tobytes() for each in parts)
        key = ("refits", *_key(counts, sizes), id(population), seed, drawn)
        known: list[Dirichlets] = self._kept.get(key, [])
        if len(known) < n:
            known = known + resampled_mixtures(
                population,
                counts,
                sizes.astype(np.float64),
                clusters=clusters,
                n_bootstrap=n,
                seed=seed,
                known=len(known),
            )
            self._kept[key] = known
        return known[:n]

    def many_kinds(
        self, population: Population, counts: Ints, sizes: NDArray[np.number], seed: int
    ) -> Population | None:
        """Many kinds of items beside a mixture of Dirichlets, where they do not take too long."""
        key = ("kinds", *_key(counts, sizes), id(population), seed)
        of, lengths = sizes.astype(np.float64), population.lengths
        return self._once(
            key,
            lambda: fit_many_kinds(population.mixture, counts, of, lengths=lengths, seed=seed),
        )

    def without(self, population: Population, table: Table) -> Refits:
        """The population without some raters, and without some clusters, of a table of items."""
        of = table.samples
        cluster = None if of.cluster is None else of.cluster.tobytes()
        key = ("without", id(population), of.plan, table.known_by, cluster)
        return self._once(key, lambda: Refits(population, table))

    def _once(self, key: tuple[Any, ...], make: Callable[[], Found]) -> Found:
        if key not in self._kept:
            self._kept[key] = make()
        found: Found = self._kept[key]
        return found


def _key(counts: Ints, sizes: NDArray[np.number]) -> tuple[Any, ...]:
    return counts.shape, counts.tobytes(), sizes.astype(np.float64).tobytes()


@frozen
class Everyone:
    """All rated items, also those with too few ratings for the curve: counts (G, L), sizes (G,).

    `table` has items one by one where raters or clusters are counted as samples, `fits` what
    was fitted to them.
    """

    counts: Ints
    sizes: Ints
    table: Table | None = None
    fits: Fits = field(default_factory=Fits)

    @classmethod
    def of(
        cls,
        counts: Ints,
        sizes: Ints,
        surveyed: Ints,
        times: Ints,
        table: Table | None = None,
        fits: Fits | None = None,
    ) -> "Everyone":
        """Rated items, and the `surveyed` patterns (G, L) among them, held by `times` items."""
        groups = group_rows(
            np.concatenate([counts, surveyed]), size=np.concatenate([sizes, 0 * times])
        )
        rows = np.concatenate([counts, surveyed])[groups.first]
        known = groups.size.astype(np.int64)
        np.maximum.at(known, groups.of_row[len(counts) :], times)
        held = (rows.sum(axis=1) > 0) & (known > 0)
        return cls(rows[held], known[held], table, fits or Fits())


def fits_of(study: Study) -> Fits:
    """Populations fitted to the items of a study, kept with it for all methods together.

    >>> import headcount as hc
    >>> study = hc.Study(hc.simulate.make("running-example", items=20).ratings)
    >>> fits_of(study) is fits_of(study)
    True
    """
    if "fits" not in study.kept:
        study.kept["fits"] = Fits(_strata_of(study), study.design.strata)
    fits: Fits = study.kept["fits"]
    return fits


def _strata_of(study: Study) -> Sequence[Counts]:
    """The items by what classifiers say of them, where two ratings an item leave much open."""
    if study.predictions is None or study.labels.n != 2:
        return ()
    groups = study.groups
    if groups.counts.sum(axis=1).max(initial=0) > MOST_RATINGS:
        return ()
    return strata_by(groups.leaning(), groups.counts, groups.size)
