"""Latent classes by EM (Dawid and Skene): a confusion matrix each, fitted to who said what.

Items with the same answers are one row, so an iteration costs by distinct rows. Everything
carries a last axis S of data sets fitted side by side: restarts of one data set, or
bootstrap samples of it.

Shapes: D rows, K columns (one for each member and answer it can give), L classes, S sets.
`chances` (K, L, S) is the chance of that answer in that class; over the columns of one
member it sums to one. Where a whole table of rows and columns is quick, what is said of rows
(D, …, S) lies in memory with the rows last, so that sums over classes run along them.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen

# No answer is held impossible in a class: its chance is taken as at least this.
LEAST = 1e-10

# Rows up to this long have likelihoods that a float can hold: LEAST to this power is above 0.
_SAFE = 25


@frozen
class Rows:
    """Distinct rows of answers.

    `said` (D, K) counts how often each column was answered in a row; `member` (K,), sorted,
    says whose column it is and `answer` (K,) which answer it stands for; a column with an
    answer of L or more stands for one outside the labels.
    """

    said: sparse.csr_matrix
    member: Ints
    answer: Ints
    n_labels: int

    @property
    def n_rows(self) -> int:
        """How many distinct rows there are."""
        return int(self.said.shape[0])

    @cached_property
    def longest(self) -> int:
        """The most answers a row has."""
        return int(self.said.sum(axis=1).max())

    @cached_property
    def starts(self) -> Ints:
        """The first column of each member."""
        return np.flatnonzero(np.diff(self.member, prepend=-1))

    @cached_property
    def turned(self) -> sparse.csr_matrix:
        """`said` with columns first, for sums over rows."""
        return self.said.T.tocsr()

    @cached_property
    def table(self) -> Floats | None:
        """All that a row says with columns first, and a one for being there, (K + 1, D).

        None where it would be mostly empty: then the answers that were given are quicker.
        """
        d, k = self.said.shape
        if d * k > 20_000 and self.said.nnz < 0.1 * d * k:
            return None
        return np.concatenate([self.turned.toarray(), np.ones((1, d))])

    def laid(self, weights: Floats) -> Floats:
        """Numbers of rows (D, S) as they are to lie in memory."""
        return weights if self.table is None else np.asfortranarray(weights)

    def some(self, values: Floats, which: Ints) -> Floats:
        """Some of the sets of numbers of rows (D, …, S), lying as they should."""
        if self.table is None:
            return values.take(which, axis=-1)
        return np.moveaxis(np.moveaxis(values, 0, -1).take(which, axis=-2), -1, 0)

    def over_member(self, values: Floats) -> Floats:
        """Sums of `values` (K, …) over each member's columns, repeated for each of them."""
        width = np.diff([*self.starts, len(self.member)])
        total: Floats = np.repeat(np.add.reduceat(values, self.starts, axis=0), width, axis=0)
        return total

    def shares(self) -> Floats:
        """Share of a row's answers that say each label, (D, L): the vote EM starts from."""
        to_label = sparse.csr_matrix(
            (self.answer < self.n_labels).astype(float)[:, None]
            * (self.answer[:, None] == np.arange(self.n_labels))
        )
        votes = np.asarray((self.said @ to_label).todense())
        total = votes.sum(axis=1, keepdims=True)
        flat: Floats = np.where(total > 0, votes / np.maximum(total, 1), 1 / self.n_labels)
        return flat


@frozen
class Model:
    """Base rates (L, S) and chances (K, L, S) of S models side by side."""

    base_rates: Floats
    chances: Floats

    def pick(self, which: Ints) -> "Model":
        """Some of the models."""
        # `take` keeps the sets side by side in memory, where an index would not.
        return Model(self.base_rates.take(which, axis=1), self.chances.take(which, axis=2))

    def put(self, which: Ints, models: "Model") -> None:
        """Replace some of the models."""
        self.base_rates[:, which], self.chances[:, :, which] = models.base_rates, models.chances

    def joined(self, other: "Model") -> "Model":
        """These models and the others."""
        return Model(
            np.concatenate([self.base_rates, other.base_rates], axis=1),
            np.concatenate([self.chances, other.chances], axis=2),
        )

    def repeated(self, times: int) -> "Model":
        """The one model, `times` over."""
        return Model(np.repeat(self.base_rates, times, 1), np.repeat(self.chances, times, 2))

    @property
    def n_sets(self) -> int:
        """How many models."""
        return int(self.base_rates.shape[1])


@frozen
class Fit:
    """One fitted model: `base_rates` (L,), `chances` (K, L), the classes' `posterior` (D, L);
    `starts_agreeing` of the `starts` reached the same summit.
    """

    base_rates: Floats
    chances: Floats
    posterior: Floats
    log_likelihood: float
    iterations: int
    converged: bool
    starts: int = 1
    starts_agreeing: int = 1

    def model(self) -> Model:
        """The same as a stack of one."""
        return Model(self.base_rates[:, None], self.chances[:, :, None])


def expect(rows: Rows, model: Model) -> tuple[Floats, Floats]:
    """Each row's class probabilities (D, L, S) and its log-likelihood (D, S)."""
    joint, total, lifted = _joint(rows, model)
    joint /= total[:, None, :]
    return joint, lifted + np.log(total)


def divide(rows: Rows, weights: Floats, model: Model) -> tuple[Floats, Floats]:
    """How the items divide among the classes, (D, L, S), and the log-likelihood of all, (S,).

    `weights` (D, S) items of each row. The same as `expect` times the weights, in one pass.
    """
    joint, total, lifted = _joint(rows, model)
    joint *= (weights / total)[:, None, :]
    return joint, (weights * (lifted + np.log(total))).sum(axis=0)


def maximise(rows: Rows, divided: Floats, previous: Model | None) -> Model:
    """The model that fits best if the items divide among the classes as `divided` (D, L, S) says.

    A member with no answers in a class keeps its previous chances there.
    """
    return shared_out(rows, *answered(rows, divided), previous)


def answered(rows: Rows, divided: Floats) -> tuple[Floats, Floats]:
    """Items in each class (L, S), and answers of each column there (K, L, S)."""
    d, n, s = divided.shape
    if rows.table is None:
        told = np.asarray(rows.turned @ divided.reshape(d, n * s)).reshape(-1, n, s)
        return divided.sum(axis=0), told
    both = divided.transpose(1, 2, 0).reshape(n * s, d) @ rows.table.T
    every = np.ascontiguousarray(both.T).reshape(-1, n, s)
    return every[-1], every[:-1]


def shared_out(rows: Rows, classes: Floats, told: Floats, previous: Model | None) -> Model:
    """The model of so many items in each class (L, S) and answers of each column there (K, L, S).

    A member with no answers in a class keeps its previous chances there.
    """
    every = rows.over_member(told)
    if every.all():
        return Model(classes / classes.sum(axis=0), told / every)
    if previous is None:
        fallback = 1 / rows.over_member(np.ones((len(told), 1, 1)))
    else:
        fallback = previous.chances
    chances = np.where(every > 0, told / np.where(every > 0, every, 1.0), fallback)
    return Model(classes / classes.sum(axis=0), chances)


def _joint(rows: Rows, model: Model) -> tuple[Floats, Floats, Floats]:
    """Chance of each row with each class (D, L, S), its sum (D, S), and the logarithm (D, S)
    by which both were lifted to stay within what a float can hold, (1, 1) where by none.
    """
    k, n, s = model.chances.shape
    chances = np.log(np.maximum(model.chances, LEAST)).reshape(k, n * s)
    base = np.log(np.maximum(model.base_rates, LEAST))
    if rows.table is None:
        score = np.asarray(rows.said @ chances).reshape(rows.n_rows, n, s)
        score += base[None]
    else:
        said = np.concatenate([chances, base.reshape(1, n * s)]).T @ rows.table
        score = said.reshape(n, s, rows.n_rows).transpose(2, 0, 1)
    lifted = np.zeros((1, 1))
    if rows.longest > _SAFE:
        lifted = score.max(axis=1)
        score -= lifted[:, None, :]
    np.exp(score, out=score)
    return score, score.sum(axis=1), lifted


# Fits that need more than a few hundred are of classes that can hardly be told apart.
MOST_ITERATIONS = 2000

# EM stops when two steps and a leap add less than this to the log-likelihood of an item.
TOLERANCE = 1e-10

# Steps that a leap is worth at most: further out a straight line is no guide.
LONGEST_LEAP = 64.0

# A class with a smaller share of the items is too small to be read.
HARDLY_ANY = 0.01


@frozen
class Run:
    """S fits side by side: the models, log-likelihoods (S,), iterations, whether they settled."""

    model: Model
    log_likelihood: Floats
    iterations: NDArray[np.int64]
    converged: NDArray[np.bool_]


def climb(
    rows: Rows,
    weights: Floats,
    model: Model,
    *,
    most_iterations: int = MOST_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Run:
    """EM from each of S models to its own summit; sets that have settled drop out of the work.

    Two steps of EM show where they are heading, and a third point is tried further along
    (SQUAREM); where that is no higher, the second step stands, so the likelihood never falls.
    `weights` (D, S) are the items of each row in each set.
    """
    items, weights = weights.sum(axis=0), rows.laid(weights)
    summit = Model(model.base_rates.copy(), model.chances.copy())
    iterations = np.zeros(model.n_sets, dtype=np.int64)
    divided, reached = divide(rows, weights, model)
    active, current, now = np.arange(model.n_sets), model, reached.copy()
    for _ in range(max(1, most_iterations // 2)):
        current, divided, higher = _cycle(rows, weights, current, divided)
        iterations[active] += 2
        going = np.flatnonzero(higher - now >= tolerance * items[active])
        reached[active] = higher
        summit.put(active, current)
        active = active[going]
        if not len(active):
            break
        if len(going) < len(higher):
            weights, divided = rows.some(weights, going), rows.some(divided, going)
            current = current.pick(going)
        now = higher[going]
    converged = np.ones(model.n_sets, dtype=bool)
    converged[active] = False
    return Run(summit, reached, iterations, converged)


def _cycle(
    rows: Rows, weights: Floats, start: Model, divided: Floats
) -> tuple[Model, Floats, Floats]:
    """Two steps of EM and a leap: the model, how it divides the items, its log-likelihood (S,)."""
    once = maximise(rows, divided, start)
    between, middle = divide(rows, weights, once)
    twice = maximise(rows, between, once)
    ahead = leapt(rows, start, once, twice)
    divided, higher = divide(rows, weights, ahead)
    # "Not at least" also finds a leap to where the likelihood is not a number.
    fell = np.flatnonzero(~(higher >= middle))
    if len(fell):
        back = twice.pick(fell)
        ahead.put(fell, back)
        divided[:, :, fell], higher[fell] = divide(rows, rows.some(weights, fell), back)
    return ahead, divided, higher


def leapt(rows: Rows, start: Model, once: Model, twice: Model) -> Model:
    """Where the three points are heading, with steps as long as they are straight."""
    first = _minus(once, start)
    bend = _minus(_minus(twice, once), first)
    length = np.sqrt(_square(first) / np.maximum(_square(bend), 1e-300))
    step = np.clip(length, 1.0, LONGEST_LEAP)
    base_rates = start.base_rates + 2 * step * first.base_rates + step**2 * bend.base_rates
    chances = start.chances + 2 * step * first.chances + step**2 * bend.chances
    base_rates = np.maximum(base_rates, LEAST)
    chances = np.maximum(chances, LEAST)
    return Model(base_rates / base_rates.sum(axis=0), chances / rows.over_member(chances))


def _minus(one: Model, other: Model) -> Model:
    return Model(one.base_rates - other.base_rates, one.chances - other.chances)


def _square(model: Model) -> Floats:
    total: Floats = (model.base_rates**2).sum(axis=0) + (model.chances**2).sum(axis=(0, 1))
    return total


def starting_models(rows: Rows, weights: Floats, *, restarts: int, seed: int) -> Model:
    """One start from the vote and `restarts` more from the vote mixed with noise.

    `weights` (D,). All starts lean towards the vote, since a class is named by its label.
    """
    rng = np.random.default_rng([seed, 2])
    vote = rows.shares()
    noise = rng.dirichlet(np.ones(rows.n_labels), size=(rows.n_rows, restarts))
    blend = rng.uniform(0.2, 0.8, size=restarts)
    mixed = vote[:, :, None] * (1 - blend) + blend * noise.transpose(0, 2, 1)
    starts = np.concatenate([vote[:, :, None], mixed], axis=2)
    return maximise(rows, starts * weights[:, None, None], None)


def fit(
    rows: Rows,
    weights: Floats,
    *,
    restarts: int = 9,
    seed: int = 0,
    guess: Floats | None = None,
) -> Fit:
    """The best of several climbs, its classes matched to the labels. `weights` (D,).

    `guess` (D, L), class probabilities of the rows from elsewhere, is one more start.
    """
    starts = starting_models(rows, weights, restarts=restarts, seed=seed)
    if guess is not None:
        starts = starts.joined(maximise(rows, (guess * weights[:, None])[:, :, None], None))
    repeated = np.repeat(weights[:, None], starts.n_sets, axis=1)
    return best_of(rows, weights, climb(rows, repeated, starts))


def best_of(rows: Rows, weights: Floats, run: Run) -> Fit:
    """The most likely of the fits; of equally likely ones (to a millionth) the first."""
    summit = run.log_likelihood.max()
    # Starts that end at the same summit differ in the last digits: the first of them is told,
    # which starts from the vote, so that restarts do not move what needed none.
    close = run.log_likelihood >= summit - 1e-6 * abs(summit)
    best = int(np.flatnonzero(close)[0])
    model = named_classes(rows, weights, run.model.pick(np.array([best])))
    posterior, _ = expect(rows, model)
    return Fit(
        base_rates=model.base_rates[:, 0],
        chances=model.chances[:, :, 0],
        posterior=posterior[:, :, 0],
        log_likelihood=float(run.log_likelihood[best]),
        iterations=int(run.iterations[best]),
        converged=bool(run.converged[best]),
        starts=len(close),
        starts_agreeing=int(close.sum()),
    )


def named_classes(rows: Rows, weights: Floats, model: Model) -> Model:
    """Classes in the order of the labels they are mostly called by.

    EM does not know which class is which label; the matching that makes the answers most
    often right names them. `weights` (D,); `model` holds one set.
    """
    given = rows.answer[:, None] == np.arange(rows.n_labels)
    share = rows.over_member(rows.turned @ weights)
    called = given.T @ (model.chances[:, :, 0] * share[:, None])
    order = _matching(called * model.base_rates[:, 0])
    return Model(model.base_rates[order], model.chances[:, order])


def _matching(gain: Floats) -> NDArray[np.int64]:
    """The column for each row of `gain` (L, L), all different, with the greatest sum."""
    best = gain.argmax(axis=1)
    if len(np.unique(best)) == len(best):
        return np.asarray(best, dtype=np.int64)
    from scipy.optimize import linear_sum_assignment  # slow to load, and seldom needed

    order: NDArray[np.int64] = linear_sum_assignment(-gain)[1]
    return order


def misnamed_classes(rows: Rows, weights: Floats, fit: Fit, raters: int) -> list[int]:
    """Labels whose class the raters mostly call by another label.

    Such classes are not the labels: EM has used them to tell apart something else, such as
    easy and hard items. Classes with hardly any items do not count. The first `raters`
    members are the raters; a system's answers do not name a class. `weights` (D,).
    """
    given = (rows.answer[:, None] == np.arange(rows.n_labels)).astype(float)
    share = rows.over_member((rows.turned @ weights) * (rows.member < raters))
    called = given.T @ (fit.chances * share[:, None])
    return [
        label
        for label in range(rows.n_labels)
        if fit.base_rates[label] >= HARDLY_ANY and called[label, label] < called[:, label].max()
    ]
