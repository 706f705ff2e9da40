"""Fits of a population of items: to all of them, or to all but those of a fold.

Which form fits is told by how well surveys of an item's own ratings predict the rest of them, with
a learned predictor.
"""

import numpy as np
from numpy.typing import ArrayLike

from headcount.arrays import Floats, Ints
from headcount.data import group_rows
from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.population.by_length import by_length
from headcount.population.dirichlet_fit import (
    Tallies,
    choose_dirichlets,
    cross_fit_dirichlets,
    fit_dirichlets,
)
from headcount.population.folds import Folds, grouped
from headcount.population.functionals import Score, expected_score, label_scores
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
from headcount.population.surveys import chance_of, count_surveys, sub_surveys

# Atoms that are offered to the fit through slips with more than two labels.
_CANDIDATES = 200

# Patterns × kinds up to which kinds are fitted: beyond it a mixture of Dirichlets is quicker.
_MOST_CELLS = 2_000_000

# Patterns² × kinds up to which kinds are fitted: half a second for two functionals' intervals.
_MOST_WORK = 30_000_000


@frozen
class HeldOut:
    """Expected scores (G, n_k) of surveys of 0, 1, … ratings of each group's items.

    NaN where a group has too few ratings. `errors` (n_k,) are the standard errors that drawing
    leaves in the mean over items: 0 is exact.
    """

    scores: Floats
    errors: Floats


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
    mixture: Mixture,
    counts: Ints,
    size: Floats,
    *,
    slip: float = 0.0,
    lengths: tuple[int, ...] = (),
    seed: int = 0,
) -> Population | None:
    """Weights of many kinds of items fitted to counts (G, L), None where that takes too long.

    With `lengths`, in strata of items that begin at these numbers of ratings.
    """
    kinds = kinds_of(mixture, counts, size, seed=seed)
    if len(counts) ** 2 * len(kinds) * max(len(lengths), 1) > _MOST_WORK:
        return None
    whole = fit_kinds(counts, size, kinds, slip=slip)
    return by_length(whole, counts, size, lengths) if lengths else whole


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


# More pairs of a group and a survey than this are drawn, not enumerated.
MOST_PAIRS = 100_000

# How many posterior weights (orders × groups × ratings × components) drawing may take.
_BUDGET = 8_000_000

# Groups in as many orders as are looked at side by side: fewer waste time on each step.
_ROWS_AT_ONCE = 4000


def held_out_scores(
    mixture: Mixture,
    counts: Ints,
    size: Floats,
    *,
    most: int,
    score: Score = "cross_entropy",
    clip: float | None = None,
    seed: int = 0,
) -> HeldOut:
    """The expected score of predictions from k = 0..most of an item's ratings for the rest.

    Small surveys are enumerated, larger ones drawn once there are too many of them.
    """
    told = np.arange(most + 1) < counts.sum(axis=1)[:, None]
    pairs = np.cumsum(count_surveys(counts, most).sum(axis=0))
    reach = max(int(np.searchsorted(pairs, MOST_PAIRS, side="right")) - 1, 0)
    scores = np.full((len(counts), most + 1), np.nan)
    errors = np.zeros(most + 1)
    scores[:, : reach + 1] = _enumerated(mixture, counts, reach, score, clip)
    if reach < most:
        drawn, variance = _drawn(mixture, counts, most, score, clip, seed)
        scores[:, reach + 1 :] = drawn[:, reach + 1 :]
        share = size[:, None] * told / np.maximum(size @ told, 1e-300)
        errors[reach + 1 :] = np.sqrt((share**2 * variance).sum(axis=0))[reach + 1 :]
    return HeldOut(np.where(told, scores, np.nan), errors)


def enumerated_scores(
    mixture: Mixture, counts: Ints, *, most: int, score: Score, clip: float | None
) -> Floats:
    """The same (G, most + 1) by surveys that are all enumerated, however many there are.

    For differences between tables: luck of a draw must not look like one.
    """
    pairs = np.cumsum(count_surveys(counts, most).sum(axis=1))
    part = np.asarray(pairs) // MOST_PAIRS
    told = np.arange(most + 1) < counts.sum(axis=1)[:, None]
    scores = np.full((len(counts), most + 1), np.nan)
    for each in np.unique(part):
        rows = part == each
        scores[rows] = _enumerated(mixture, counts[rows], most, score, clip)
    return np.where(told, scores, np.nan)


def _enumerated(
    mixture: Mixture, counts: Ints, most: int, score: Score, clip: float | None
) -> Floats:
    group, y = sub_surveys(counts, most)
    n, k = counts.sum(axis=1)[group], y.sum(axis=1)
    left = counts[group] - y
    chance = chance_of(y, counts[group])
    surveys = group_rows(y)
    scores = label_scores(mixture.predict(y[surveys.first]), score, clip)[surveys.of_row]
    reached = chance * expected_score(scores, left / (n - k)[:, None])
    width = most + 1
    summed = np.bincount(group * width + k, weights=reached, minlength=len(counts) * width)
    return summed.astype(np.float64).reshape(len(counts), width)


def _drawn(
    mixture: Mixture, counts: Ints, most: int, score: Score, clip: float | None, seed: int
) -> tuple[Floats, Floats]:
    """Ratings of each group put in a few random orders: surveys are their beginnings.

    Gives the mean scores (G, most + 1) and the variances of these means.
    """
    rng = np.random.default_rng([seed, 4])
    cost = len(counts) * (most + 1) * len(mixture.weights)
    # Two orders at least, or there is no variance to state.
    orders = int(np.clip(_BUDGET // cost, 2, 64))
    at_once = max(1, _ROWS_AT_ONCE // len(counts))
    parts = []
    for first in range(0, orders, at_once):
        several = min(at_once, orders - first)
        labels = np.concatenate([_shuffled(rng, counts) for _ in range(several)])
        again = np.tile(counts, (several, 1))
        reached = _one_order(mixture, again, labels, most, score, clip)
        parts.append(reached.reshape(several, len(counts), most + 1))
    drawn = np.concatenate(parts)
    return drawn.mean(axis=0), drawn.var(axis=0, ddof=1) / orders


def _one_order(
    mixture: Mixture, counts: Ints, labels: Ints, most: int, score: Score, clip: float | None
) -> Floats:
    """Scores (G, most + 1) where the ratings come in the order of `labels` (G, n)."""
    n, rows = counts.sum(axis=1), np.arange(len(counts))
    y, overall = np.zeros_like(counts), counts / n[:, None]
    # Which ratings happen to be left out is most of the noise of large surveys. Its effect on
    # the prediction from all ratings averages to nothing, so it can be taken off.
    steady = label_scores(mixture.predict(counts), score, clip)
    part = mixture.shares_before(len(counts))
    reached = np.empty((len(counts), most + 1))
    for k in range(most + 1):
        left = np.maximum(counts - y, 0) / np.maximum(n - k, 1)[:, None]
        scores = label_scores(mixture.mean_of(part, y), score, clip)
        reached[:, k] = expected_score(scores, left) - expected_score(steady, left - overall)
        if k < most:
            part = mixture.shares_after(part, y, labels[:, k])
            y[rows, labels[:, k]] += 1
    return reached


def _shuffled(rng: np.random.Generator, counts: Ints) -> Ints:
    """Each group's ratings in random order (G, n), then zeros where it has fewer."""
    n = counts.sum(axis=1)
    filled = np.arange(int(n.max())) < n[:, None]
    labels = np.zeros(filled.shape, dtype=np.int64)
    labels[filled] = np.repeat(np.tile(np.arange(counts.shape[1]), len(counts)), counts.ravel())
    order = np.argsort(np.where(filled, rng.random(filled.shape), 2.0), axis=1)
    return np.take_along_axis(labels, order, axis=1)
