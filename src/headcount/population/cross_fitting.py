"""Populations fitted to all items but those of a fold, for predictions that are honest."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.frozen import frozen
from headcount.population.components import cross_fit_dirichlets
from headcount.population.folds import Folds
from headcount.population.functionals import Score
from headcount.population.held_out_scores import HeldOut, held_out_scores
from headcount.population.mixtures import Mixture, two_label_grid
from headcount.population.model import fit_kinds
from headcount.population.ordered import cross_fit_ordered

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


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
