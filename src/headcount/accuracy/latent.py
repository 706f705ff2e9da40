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

from headcount.frozen import frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST = 1e-10
"""No answer is held impossible in a class: its chance is taken as at least this."""

_SAFE = 25
"""Rows up to this long have likelihoods that a float can hold: LEAST to this power is above 0."""


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
