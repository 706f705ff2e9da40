"""Fits of a population of items: to all of them, or to all but those of a fold.

Predictions for an item from a population that was fitted without it are honest.
"""

import numpy as np
from numpy.typing import ArrayLike

from headcount.arrays import Floats, Ints
from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.population.dirichlet_fit import (
    Tallies,
    choose_dirichlets,
    cross_fit_dirichlets,
    fit_dirichlets,
)
from headcount.population.folds import Folds, grouped
from headcount.population.functionals import Score
from headcount.population.held_out_scores import HeldOut, held_out_scores
from headcount.population.mixtures import (
    N_ORDERED_KINDS,
    Dirichlets,
    Mixture,
    before_slips,
    kinds_of,
    ordered_kinds,
    two_label_grid,
)
from headcount.population.model import Population, fit_kinds

_CANDIDATES = 200
"""Atoms that are offered to the fit through slips with more than two labels."""

_MOST_CELLS = 2_000_000
"""Patterns × kinds up to which kinds are fitted: beyond it a mixture of Dirichlets is quicker."""

_MOST_WORK = 30_000_000
"""Patterns² × kinds up to which kinds are fitted: half a second for two functionals' intervals."""


def fit_population(
    counts: ArrayLike,
    size: ArrayLike | None = None,
    *,
    slip: float = 0.0,
    ordered: bool = False,
    components: int | None = None,
    start: Dirichlets | None = None,
    seed: int = 0,
) -> Population:
    """Fit the population of items to counts (G, L), `size` (G,) items having each.

    Items may have different numbers of ratings. `slip` is the known chance that a rating is
    not what its rater means. `components` sets the number of Dirichlets (more than two labels);
    `start` is a mixture to climb from, with as many as it has. `ordered` labels have ordered
    kinds of items where these predict held-out items better.
    """
    tallied, sizes = _checked(counts, size, slip)
    if tallied.shape[1] == 2:
        atoms = two_label_grid(int(tallied.sum(axis=1).max()))
        return fit_kinds(tallied, sizes, atoms, slip=slip)
    if ordered and not slip and components is None and start is None:
        fits = cross_fit_ordered(tallied, Folds.deal(sizes, 5, seed), seed=seed)
        if fits.of_kinds:
            return fit_kinds(tallied, sizes, ordered_kinds(tallied, sizes))
    if start is None:
        mixture = choose_dirichlets(tallied, sizes, components=components, seed=seed)
    else:
        mixture, _ = fit_dirichlets(Tallies.of(tallied), sizes, start)
    if slip > 0:
        return fit_kinds(
            tallied, sizes, _candidates(mixture, tallied, sizes, slip, seed), slip=slip
        )
    return Population(
        mixture,
        float(sizes.sum()),
        int(tallied.sum(axis=1).max()),
        float(sizes @ mixture.log_probability(tallied)),
    )


def fit_many_kinds(
    mixture: Mixture, counts: Ints, size: Floats, *, slip: float = 0.0, seed: int = 0
) -> Population | None:
    """Weights of many kinds of items fitted to counts (G, L), None where that takes too long."""
    kinds = kinds_of(mixture, counts, size, seed=seed)
    if len(counts) ** 2 * len(kinds) > _MOST_WORK:
        return None
    return fit_kinds(counts, size, kinds, slip=slip)


@frozen
class CrossFitted:
    """One mixture for each fold, fitted to the other folds, and the parts of groups in it."""

    mixtures: tuple[Mixture, ...]
    folds: Folds
    counts: Ints

    def predict(self, y: Ints, fold: Ints) -> Floats:
        """P(ℓ | y) for surveys (R, L) of items in the folds `fold` (R,)."""
        predictions = np.empty(y.shape)
        for each, mixture in enumerate(self.mixtures):
            held = fold == each
            if held.any():
                predictions[held] = mixture.predict(y[held])
        return predictions

    def held_out(
        self,
        *,
        most: int,
        score: Score = "cross_entropy",
        clip: float | None = None,
        seed: int = 0,
    ) -> HeldOut:
        """Scores (P, most + 1) of surveys of each part's items; see `held_out_scores`."""
        scores = np.empty((len(self.folds.row), most + 1))
        variance = np.zeros(most + 1)
        total = self.folds.size.sum()
        for each, mixture in enumerate(self.mixtures):
            held = self.folds.fold == each
            if not held.any():
                continue
            size = self.folds.size[held]
            pattern, place = np.unique(
                self.counts[self.folds.row[held]], axis=0, return_inverse=True
            )
            found = held_out_scores(
                mixture, pattern, np.bincount(place.ravel(), weights=size).astype(np.float64),
                most=most, score=score, clip=clip, seed=seed + each,
            )  # fmt: skip
            scores[held] = found.scores[place.ravel()]
            variance += (size.sum() / total * found.errors) ** 2
        return HeldOut(scores, np.sqrt(variance))


def cross_fit(
    counts: ArrayLike,
    size: ArrayLike | None = None,
    *,
    folds: int | Folds = 5,
    ordered: bool = False,
    components: int | None = None,
    seed: int = 0,
) -> CrossFitted:
    """Fit the population once for each fold, to the items of all other folds.

    `folds` is their number (items of a group are dealt among them), or folds that were dealt
    already, so that one item's rows share a fold. `ordered` labels may have ordered kinds.
    """
    tallied = np.atleast_2d(np.asarray(counts, dtype=np.int64))
    sizes = np.ones(len(tallied)) if size is None else np.asarray(size, dtype=np.float64)
    dealt = folds if isinstance(folds, Folds) else Folds.deal(sizes, folds, seed)
    if tallied.shape[1] > 2 and ordered:
        fits = cross_fit_ordered(tallied, dealt, components=components, seed=seed)
        return CrossFitted(fits.mixtures, dealt, tallied)
    if tallied.shape[1] > 2:
        held = cross_fit_dirichlets(tallied, dealt, components=components, seed=seed)
        return CrossFitted(held.mixtures, dealt, tallied)
    atoms = two_label_grid(int(tallied.sum(axis=1).max()))
    mixtures = []
    for each in range(dealt.n):
        pattern, others = dealt.others(tallied, each)
        mixtures.append(fit_kinds(pattern, others, atoms).mixture)
    return CrossFitted(tuple(mixtures), dealt, tallied)


@frozen
class OrderedFits:
    """For each fold a mixture fitted to the others, and whether it is one of ordered kinds."""

    mixtures: tuple[Mixture, ...]
    of_kinds: bool


def cross_fit_ordered(
    counts: Ints, folds: Folds, *, components: int | None = None, seed: int = 0
) -> OrderedFits:
    """Ordered kinds or Dirichlets for each fold: whichever held-out items are likelier under.

    Ordered kinds need less to be learned from; Dirichlets can be any shape, also one that no
    order of the labels explains.
    """
    others = cross_fit_dirichlets(counts, folds, components=components, seed=seed)
    if len(counts) * N_ORDERED_KINDS > _MOST_CELLS:
        return OrderedFits(others.mixtures, of_kinds=False)
    learned = (folds.others(counts, each) for each in range(folds.n))
    kinds = tuple(fit_kinds(*of, ordered_kinds(*of)).mixture for of in learned)
    likelier = [
        sum(folds.held_out_log_likelihood(each, counts, fold) for fold, each in enumerate(of))
        for of in (kinds, others.mixtures)
    ]
    of_kinds = likelier[0] >= likelier[1]
    return OrderedFits(kinds if of_kinds else others.mixtures, of_kinds=of_kinds)


def _candidates(mixture: Mixture, counts: Ints, size: Floats, slip: float, seed: int) -> Floats:
    """Kinds of items that the ratings suggest once slips are set aside, and the clear ones."""
    rng = np.random.default_rng([seed, 3])
    common = np.argsort(-size, kind="stable")[:_CANDIDATES]
    seen = np.vstack([mixture.draw(rng, _CANDIDATES), mixture.predict(counts[common])])
    return np.vstack([np.eye(counts.shape[1]), before_slips(seen, slip)])


def _checked(counts: ArrayLike, size: ArrayLike | None, slip: float) -> tuple[Ints, Floats]:
    tallied = np.atleast_2d(np.asarray(counts))
    sizes = np.ones(len(tallied)) if size is None else np.asarray(size, dtype=np.float64)
    if tallied.shape[1] < 2:
        raise UnanswerableError("A population of items needs at least two labels.")
    if not 0 <= slip < (tallied.shape[1] - 1) / tallied.shape[1]:
        raise OptionError(f"slip is a chance below that of answering blindly; it was {slip!r}.")
    held = (tallied.sum(axis=1) > 0) & (sizes > 0)
    if not held.any():
        raise UnanswerableError("There are no ratings to fit a population of items to.")
    return grouped(tallied[held].astype(np.int64), sizes[held])
