"""A population of items that have more ratings the more (or the less) contested they are.

One mixture for all would take what a stratum of many ratings shows for what items of few ratings
are like. Where numbers of ratings were decided before, each stratum of them has a population of its
own, and all items together have their mean. To the likelihood kinds of items are then pairs of a
stratum and a kind, of which a count tells the stratum.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.population.dirichlet_fit import Tallies, fit_dirichlets, refit_dirichlets
from headcount.population.maximum_likelihood import Fit, Likelihood
from headcount.population.mixtures import Atoms, Dirichlets, Mixture
from headcount.population.model import Population, fit_kinds


def by_length(
    whole: Population, counts: Ints, size: Floats, lengths: tuple[int, ...]
) -> Population:
    """The population of items in strata by their numbers of ratings, which begin at `lengths`.

    `whole` was fitted to all of them: its kinds of items, or where its Dirichlets lie, are what the
    strata are fitted with.

    >>> from headcount.population.fitting import fit_population
    >>> counts, size = np.array([[2, 0], [1, 1], [0, 4], [2, 2]]), np.array([50.0, 9.0, 9.0, 40.0])
    >>> found = by_length(fit_population(counts, size), counts, size, (2, 4))
    >>> round(float(found.mixture.weights @ (found.mixture.atoms ** 2).sum(axis=1)), 2)
    0.72
    """
    at = place_of(counts.sum(axis=1), lengths)
    present = [each for each in range(len(lengths)) if size[at == each].sum() > 0]
    if len(present) < 2:
        return whole
    lengths = tuple(lengths[each] for each in present)
    at = place_of(counts.sum(axis=1), lengths)
    if isinstance(whole.mixture, Dirichlets):
        starts = [whole.mixture] * len(lengths)
        joined = _joined(counts, size, at, starts, tolerance=1e-4, most_steps=300)
        return replace(whole, mixture=joined, lengths=lengths)
    atoms, slip = whole.mixture.atoms, whole.mixture.slip
    inside = list(_rows(at, len(lengths)))
    fits = [fit_kinds(counts[rows], size[rows], atoms, slip=slip) for rows in inside]
    share = [size[rows].sum() / size.sum() for rows in inside]
    weights = np.concatenate(
        [part * each.mixture.weights for part, each in zip(share, fits, strict=True)]
    )
    mixture = Atoms(weights, np.tile(atoms, (len(lengths), 1)), slip, whole.mixture.reserve)
    logs = _in_own_stratum(mixture.log_likelihoods(counts), at, len(lengths))
    likelihood = Likelihood.from_logs(logs, size)
    reached = likelihood.at(weights)
    gap = sum(each.fit.gap for each in fits if each.fit is not None)
    return replace(
        whole,
        mixture=mixture,
        log_likelihood=reached,
        likelihood=likelihood,
        fit=Fit(weights, reached, gap),
        lengths=lengths,
    )


def refitted_by_length(population: Population, counts: Ints, size: Floats, raters: Ints) -> Mixture:
    """The same population of other counts (G, L), of items that had so many `raters` (G,)."""
    mixture, n = population.mixture, len(population.lengths)
    at = place_of(raters, population.lengths)
    if isinstance(mixture, Dirichlets):
        return _joined(counts, size, at, parts_of(mixture, n), tolerance=1e-6, most_steps=60)
    atoms = mixture.atoms[: len(mixture.atoms) // n]
    parts = [
        (
            size[rows].sum() / size.sum(),
            fit_kinds(counts[rows], size[rows], atoms, slip=mixture.slip),
        )
        for rows in _rows(at, n)
        if size[rows].sum() > 0
    ]
    weights = np.concatenate([share * each.mixture.weights for share, each in parts])
    return Atoms(weights, np.tile(atoms, (len(parts), 1)), mixture.slip).without_slips()


def resampled_by_length(population: Population, counts: Ints, drawn: Floats) -> list[Dirichlets]:
    """A mixture of Dirichlets fitted again to samples that hold groups `drawn` (B, G) times."""
    mixture, n = population.mixture, len(population.lengths)
    assert isinstance(mixture, Dirichlets)
    at = place_of(counts.sum(axis=1), population.lengths)
    total = drawn.sum(axis=1)
    found = [
        (
            drawn[:, rows].sum(axis=1) / total,
            refit_dirichlets(Tallies.of(counts[rows]), drawn[:, rows], part),
        )
        for rows, part in zip(_rows(at, n), parts_of(mixture, n), strict=True)
    ]
    return [
        _together([(share[b], parts[b]) for share, parts in found if share[b] > 0])
        for b in range(len(drawn))
    ]


def log_chances(population: Population, counts: Ints, weights: Floats) -> Floats:
    """The log-probability (G,) of counts, and of their stratum where there are strata, by `weights`
    of the kinds of items.
    """
    mixture = population.mixture
    assert isinstance(mixture, Atoms)
    if not population.lengths:
        return replace(mixture, weights=weights).log_probability(counts)
    n = len(population.lengths)
    at = place_of(counts.sum(axis=1), population.lengths)
    logs = _in_own_stratum(mixture.log_likelihoods(counts), at, n)
    top = logs.max(axis=1)
    # As small as no chance is: the logarithm of nought is none.
    chance = np.maximum(np.exp(logs - top[:, None]) @ weights, 1e-300)
    found: Floats = top + np.log(chance)
    return found


def place_of(raters: Ints, lengths: tuple[int, ...]) -> Ints:
    """The stratum of items with so many ratings (G,); what is below the first belongs to it."""
    return np.maximum(np.searchsorted(np.array(lengths), raters, side="right") - 1, 0)


def parts_of(mixture: Dirichlets, n: int) -> list[Dirichlets]:
    """The mixtures of n strata that were put together in one."""
    weights, alpha = np.split(mixture.weights, n), np.split(mixture.alpha, n)
    return [Dirichlets(each / each.sum(), of) for each, of in zip(weights, alpha, strict=True)]


def _joined(
    counts: Ints,
    size: Floats,
    at: Ints,
    starts: list[Dirichlets],
    *,
    tolerance: float,
    most_steps: int,
) -> Dirichlets:
    parts = []
    for rows, start in zip(_rows(at, len(starts)), starts, strict=True):
        held = float(size[rows].sum())
        if held > 0:
            found, _ = fit_dirichlets(
                Tallies.of(counts[rows]), size[rows], start,
                tolerance=tolerance, most_steps=most_steps,
            )  # fmt: skip
            parts.append((held / float(size.sum()), found))
    return _together(parts)


def _together(parts: list[tuple[float, Dirichlets]]) -> Dirichlets:
    weights = np.concatenate([share * each.weights for share, each in parts])
    return Dirichlets(weights / weights.sum(), np.concatenate([each.alpha for _, each in parts]))


def _rows(at: Ints, n: int) -> Iterator[np.ndarray]:
    return (at == each for each in range(n))


def _in_own_stratum(logs: Floats, at: Ints, n: int) -> Floats:
    """Log-likelihoods (G, n M): nothing of another stratum than one's own can be."""
    stratum = np.repeat(np.arange(n), logs.shape[1] // n)
    found: Floats = np.where(stratum == at[:, None], logs, -np.inf)
    return found
