"""Mixtures of Dirichlets fitted to groups of counts, many resamples of the items at once.

The probability of an item's counts is a product over tables indexed by (label, count): items
enter through one sparse matrix of which counts they have, and a step of the EM algorithm costs
as much as there are nonzero counts. α itself is found by the minorisation of Minka's fixed
point, whose steps need only how often each count is exceeded. There are as many components as
best predict counts of items that they were not fitted to.

Resamples of the same items differ in how many items each group has and in nothing else. Their
mixtures stand side by side in one array (L + 1, b, C): the α of each label, then the weights.
What is said of groups has the groups last, so that sums over components run along them.
"""

from functools import cached_property

import numpy as np
from scipy import sparse

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen
from headcount.population.folds import Folds
from headcount.population.mixtures import Dirichlets

# The least α: a label that a component has never seen keeps a trace of probability.
LEAST = 1e-3

# The greatest α: a component this concentrated is a point for any survey that is asked.
MOST = 1e4

# Steps of α within one EM step: they cost little beside the shares, which further ones outdate.
_INNER = 3

_PRIOR_SEEN, _PRIOR_SIZE = 0.1, 0.05
"""A Gamma prior on each α, as if it had been seen a tenth of a time: weak, and proper."""

# Groups × components × resamples that go through together: more do not fit the caches.
_AT_ONCE = 120_000

# Groups × cells up to which a product of matrices in full is quicker than a sparse one.
_IN_FULL = 250_000


@frozen
class Tallies:
    """Which counts the groups have, as a sparse matrix of cells.

    A group has a one in the cell (label, count) of each of its nonzero counts, and one in the
    cell (all labels, ratings); cells are numbered label × width + count. No label has a count
    above `most`.
    """

    cells: sparse.csr_array
    transposed: sparse.csr_array
    n_labels: int
    width: int
    most: int

    @classmethod
    def of(cls, counts: Ints) -> "Tallies":
        """The tallies of counts (G, L)."""
        every = np.column_stack([counts, counts.sum(axis=1)])
        width = int(every.max(initial=0)) + 1
        group, label = np.nonzero(every)
        place = label * width + every[group, label]
        shape = (len(every), every.shape[1] * width)
        cells = sparse.csr_array((np.ones(len(group)), (group, place)), shape=shape)
        most = max(int(counts.max(initial=0)), 1)
        return cls(cells, cells.T.tocsr(), counts.shape[1], width, most)

    @cached_property
    def _few(self) -> Floats | None:
        """Which counts 0, 1, … groups exceed ((L + 1)(width − 1), G), where they are few.

        In full: sums over a count's steps are then part of a product of matrices.
        """
        if np.prod(self.cells.shape) > _IN_FULL:
            return None
        cells = self.cells.toarray().reshape(-1, self.n_labels + 1, self.width)
        exceeded = np.cumsum(cells[:, :, :0:-1], axis=2)[:, :, ::-1]
        return np.ascontiguousarray(exceeded.reshape(len(cells), -1).T)

    def log_parts(self, side_by_side: Floats, room: Floats | None = None) -> Floats:
        """As `Dirichlets.log_parts`, of these groups under mixtures side by side: (b, C, G).

        They are written into `room`, of that shape, where there is one.
        """
        alpha, weights = side_by_side[:-1], side_by_side[-1]
        every = np.concatenate([alpha, alpha.sum(axis=0)[None]])
        logs = np.log(every[:, None] + np.arange(self.width - 1)[:, None, None])
        logs[-1] *= -1
        if room is None:
            room = np.empty((*weights.shape, self.cells.shape[0]))
        full = self._few
        if full is not None:
            np.matmul(logs.reshape(-1, weights.size).T, full, out=room.reshape(weights.size, -1))
        else:
            rises = np.zeros((len(every), self.width, *weights.shape))
            np.cumsum(logs, axis=1, out=rises[:, 1:])
            room.reshape(weights.size, -1)[:] = (self.cells @ rises.reshape(-1, weights.size)).T
        room += np.log(weights)[..., None]
        return room

    def exceeded(self, share: Floats) -> Floats:
        """How often each count 0, 1, … is exceeded, (L + 1, width − 1, b, C), by shares."""
        flat, full = share.reshape(-1, share.shape[-1]), self._few
        if full is not None:
            return (full @ flat.T).reshape(self.n_labels + 1, self.width - 1, *share.shape[:-1])
        found = (self.transposed @ flat.T).reshape(self.n_labels + 1, self.width, *share.shape[:-1])
        return np.cumsum(found[:, :0:-1], axis=1)[:, ::-1]


def fit_dirichlets(
    tallies: Tallies,
    size: Floats,
    start: Dirichlets,
    *,
    tolerance: float = 1e-4,
    most_steps: int = 300,
) -> tuple[Dirichlets, float]:
    """The mixture of highest likelihood near `start`, and its log-likelihood.

    `size` (G,) items have each group's counts. See `refit_dirichlets`.
    """
    found, reached = _climbed(tallies, size[None], start, tolerance, most_steps)
    return _mixture(found[:, 0]), float(reached[0])


def refit_dirichlets(
    tallies: Tallies,
    sizes: Floats,
    start: Dirichlets,
    *,
    tolerance: float = 1e-6,
    most_steps: int = 60,
) -> list[Dirichlets]:
    """The mixture of highest likelihood near `start` for each of `sizes` (B, G).

    Steps of the EM algorithm, stretched as SQUAREM does (Varadhan and Roland 2008), until a
    round of three gains less than `tolerance` an item.
    """
    batch = max(1, _AT_ONCE // (sizes.shape[1] * len(start.weights)))
    found: list[Dirichlets] = []
    for first in range(0, len(sizes), batch):
        of_batch = sizes[first : first + batch]
        fitted, _ = _climbed(tallies, of_batch, start, tolerance, most_steps)
        found += [_mixture(fitted[:, each]) for each in range(fitted.shape[1])]
    return found


def _mixture(one: Floats) -> Dirichlets:
    return Dirichlets(one[-1].copy(), np.ascontiguousarray(one[:-1].T))


def _climbed(
    tallies: Tallies, size: Floats, start: Dirichlets, tolerance: float, most_steps: int
) -> tuple[Floats, Floats]:
    """Mixtures side by side after the last round, and the log-likelihoods (b,) reached.

    `size` (b, G). A resample that has arrived takes no further part.
    """
    n, enough = len(size), tolerance * size.sum(axis=1)
    first = np.concatenate([start.alpha.T, start.weights[None]])
    at = np.repeat(first[:, None], n, axis=1)
    found, best, last = at.copy(), np.full(n, -np.inf), np.full(n, -np.inf)
    going = np.arange(n)
    room = np.empty((n, len(start.weights), size.shape[1]))  # to have it once is much quicker
    for _ in range(most_steps // 3):
        once, reached = _step(tallies, size, at, room)
        best[going], found[:, going] = reached, at
        further = reached - last >= enough[going]
        if not further.any():
            break
        going, size, at, once = going[further], size[further], at[:, further], once[:, further]
        last = reached[further]
        twice, sure = _step(tallies, size, once, room)
        at = _stretched(tallies, size, (at, once, twice), sure, room)
        found[:, going] = at
    return found, best


def _stretched(
    tallies: Tallies,
    size: Floats,
    path: tuple[Floats, Floats, Floats],
    sure: Floats,
    room: Floats,
) -> Floats:
    """Two EM steps continued as far as they seem to lead, and settled by a third.

    An extrapolation that falls below `sure` (b,), the log-likelihood after one step, is given
    up.
    """
    at, one, two = (np.log(each) for each in path)
    step, bend = one - at, two - 2 * one + at
    squares = (np.sum(each**2, axis=(0, 2)) for each in (step, bend))
    # A path that does not bend has no length to be stretched by: it is taken as it is.
    length = np.sqrt(next(squares) / np.maximum(next(squares), 1e-300))
    reaching = np.flatnonzero(length > 1)
    if not len(reaching):
        return path[2]
    far = (at + 2 * length[:, None] * step + length[:, None] ** 2 * bend)[:, reaching]
    far[-1] -= far[-1].max(axis=1, keepdims=True)
    np.clip(far[:-1], np.log(LEAST), np.log(MOST), out=far[:-1])
    far = np.exp(far)
    far[-1] /= far[-1].sum(axis=1, keepdims=True)
    settled, reached = _step(tallies, size[reaching], far, room)
    better = reached > sure[reaching]
    found = path[2].copy()
    found[:, reaching[better]] = settled[:, better]
    return found


def _step(tallies: Tallies, size: Floats, mixtures: Floats, room: Floats) -> tuple[Floats, Floats]:
    """One EM step, and the log-likelihoods (b,) of the mixtures it starts from.

    Weights from the shares of items, α by a few steps of its fixed point. `room` has a place for
    every resample, component and group.
    """
    share = tallies.log_parts(mixtures, room[: len(size)])
    top = share.max(axis=1)
    share -= top[:, None]
    np.exp(share, out=share)
    sums = share.sum(axis=1)
    reached: Floats = (size * (top + np.log(sums))).sum(axis=1)
    share *= (size / sums)[:, None]
    exceeded = tallies.exceeded(share)
    # Counts that no item has would only add nothing.
    labels, lengths = exceeded[:-1, : tallies.most], exceeded[-1]
    at, length = np.arange(tallies.most)[:, None, None], np.arange(len(lengths))[:, None, None]
    alpha = mixtures[:-1]
    for _ in range(_INNER):
        seen = alpha * (labels / (alpha[:, None] + at)).sum(axis=1)
        drawn = (lengths / (alpha.sum(axis=0) + length)).sum(axis=0)
        alpha = np.clip((seen + _PRIOR_SEEN) / (drawn + _PRIOR_SIZE), LEAST, MOST)
    # One item spread over the components keeps every one of them alive.
    weight = share.sum(axis=2) + 1 / mixtures.shape[2]
    weight /= weight.sum(axis=1, keepdims=True)
    return np.concatenate([alpha, weight[None]]), reached


# The numbers of components that are tried, until two in a row predict no better.
LADDER = (1, 2, 4, 8, 16, 32)

# No component for fewer items than this.
ITEMS_A_COMPONENT = 20

# With this many items one fold's held-out likelihood tells which number is best.
ENOUGH_ITEMS = 5_000


@frozen
class Held:
    """Mixtures fitted to all folds but one, one for each fold, and what they were chosen by.

    `log_likelihoods` maps each number of components that was tried to the log-likelihood of
    the held-out items.
    """

    mixtures: tuple[Dirichlets, ...]
    log_likelihoods: dict[int, float]


def choose_dirichlets(
    counts: Ints, size: Floats, *, components: int | None = None, seed: int = 0
) -> Dirichlets:
    """The mixture fitted to counts (G, L), `size` (G,) items having each.

    The number of components is the one with the highest likelihood of held-out items, unless
    `components` sets it.
    """
    if components is None:
        scores = _ladder(counts, Folds.deal(size, 3, seed), seed)[0]
        components = max(scores, key=lambda each: scores[each])
    return _fit(counts, size, components, seed)


def cross_fit_dirichlets(
    counts: Ints, folds: Folds, *, components: int | None = None, seed: int = 0
) -> Held:
    """For each fold a mixture fitted to the others, the number of components by held-out items."""
    scores: dict[int, float] = {}
    fitted: dict[int, Dirichlets] = {}
    if components is None:
        scores, kept = _ladder(counts, folds, seed)
        components = max(scores, key=lambda each: scores[each])
        fitted = kept[components]
    mixtures = [
        fitted[each] if each in fitted else _fit(*folds.others(counts, each), components, seed)
        for each in range(folds.n)
    ]
    return Held(tuple(mixtures), scores)


def start_from(counts: Ints, size: Floats, components: int, seed: int) -> Dirichlets:
    """Components placed on items far from each other (as k-means++ places its centres)."""
    overall = size @ counts + 1.0
    overall /= overall.sum()
    if components == 1:
        return Dirichlets(np.ones(1), 2 * overall[None])
    shares = (counts + overall) / (counts.sum(axis=1, keepdims=True) + 1)
    rng = np.random.default_rng([seed, components])
    chosen = [int(rng.choice(len(counts), p=size / size.sum()))]
    roots, nearest = np.sqrt(shares), np.full(len(counts), np.inf)
    while len(chosen) < components:
        nearest = np.minimum(nearest, ((roots - roots[chosen[-1]]) ** 2).sum(axis=1))
        mass = size * nearest
        if mass.sum() <= 0:
            break
        chosen.append(int(rng.choice(len(counts), p=mass / mass.sum())))
    return Dirichlets(np.full(len(chosen), 1 / len(chosen)), 4 * shares[chosen])


def _ladder(
    counts: Ints, folds: Folds, seed: int
) -> tuple[dict[int, float], dict[int, dict[int, Dirichlets]]]:
    """The held-out log-likelihood of each number of components, and the mixtures themselves."""
    n_items = float(folds.size.sum())
    held_out = range(1 if n_items >= ENOUGH_ITEMS else folds.n)
    scores: dict[int, float] = {}
    kept: dict[int, dict[int, Dirichlets]] = {}
    for components in LADDER:
        if components > 1 and components * ITEMS_A_COMPONENT > n_items:
            break
        kept[components] = {
            each: _fit(*folds.others(counts, each), components, seed) for each in held_out
        }
        scores[components] = sum(
            folds.held_out_log_likelihood(mixture, counts, each)
            for each, mixture in kept[components].items()
        )
        if len(scores) > 2 and scores[components] <= max(scores.values()):
            tried = list(scores.values())
            if int(np.argmax(tried)) < len(tried) - 2:
                break
    return scores, kept


def _fit(counts: Ints, size: Floats, components: int, seed: int) -> Dirichlets:
    start = start_from(counts, size, components, seed)
    return fit_dirichlets(Tallies.of(counts), size, start)[0]
