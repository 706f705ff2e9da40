"""Latent classes for raters, and for raters with one system as one more member.

Whether they can be fitted is decided first: one confusion matrix a rater, one for all, or none.

A system is fitted together with the raters, one system at a time: its answers are evidence
about the truth too, and leaving them out underestimates a system that is better than the
raters. Two systems are never fitted together, since systems err alike more than raters do.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, reduce
from typing import TypeGuard

import numpy as np
from scipy import sparse

from headcount.accuracy.items import Floats, Ints, Items, RaterModel
from headcount.accuracy.latent import Fit, Model, Rows, answered, divide, maximise, shared_out
from headcount.accuracy.latent_fit import climb, fit
from headcount.accuracy.response import Direction, Response
from headcount.aside import processors
from headcount.data import Judged, Named
from headcount.frozen import frozen

SAMPLE_TOLERANCE = 5e-4
"""Bootstrap samples need less: their fits are read to a small part of a standard error. This is
how far the chance of any answer may still have moved in the last step."""

SAMPLE_GAIN = 1e-6
"""The same for steps that are not lengthened, as what they add to an item's log-likelihood."""

SAMPLE_ITERATIONS = 200

MOST_NUMBERS = 1_000
"""Numbers of a model up to which it is fitted again in every sample, which takes a table of as many
rows and columns; with more, samples are told by how the fit answers to single items."""

SIDE_BY_SIDE = 512
"""Samples that are asked for together: those that take long wait for one another."""

AT_ONCE = 64
"""Samples that are fitted together: more do not fit the processor's caches."""

_NUDGE = 1e-4
_PART = 0.1

MOST_WORK = 1e9
"""Answers × labels × samples past which fewer bootstrap samples are fitted (at least 50)."""

EACH_NEEDS = 15
"""Ratings for each number that a matrix a rater adds. On the paper's simulator (three raters,
five labels, a system at .9) one shared matrix came closer to the truth at 50, 100 and 200
items, 2.5 to 10 ratings a number, and as close or less close from 1,000 items on."""

SHARED_NEEDS = 5
"""Ratings for each number of a shared matrix, below which nothing is fitted."""


Reading = Callable[[Rows, Floats, Model], Floats]
"""What is read of S models, (S, …): from the rows, the items (D, S) of each, and the models."""


@frozen
class _Unsettled:
    """Samples `which` (U,), their items (D, U) and the models that EM goes on from."""

    which: Ints
    items: Floats
    model: Model


def _together(rows: Rows, parts: Sequence[_Unsettled]) -> Iterator[_Unsettled]:
    """All of them, as many at once as are quick."""
    which = np.concatenate([each.which for each in parts])
    items = np.concatenate([each.items for each in parts], axis=1)
    model = reduce(Model.joined, (each.model for each in parts))
    for start in range(0, len(which), AT_ONCE):
        some = np.arange(start, min(start + AT_ONCE, len(which)))
        yield _Unsettled(which[some], rows.some(items, some), model.pick(some))


@frozen
class Fitted:
    """Rows of answers (D of them), each group's row (J,) and the model fitted to `_items` (D,)."""

    rows: Rows
    row: Ints
    fit: Fit
    _items: Floats

    def weights(self, batch: Floats) -> Floats:
        """Items of each row, (D, S), from items of each group (J, S)."""
        return np.asarray(self._rows_of_groups @ batch)

    @cached_property
    def _rows_of_groups(self) -> sparse.csr_array:
        """Ones where a group has a row, (D, J)."""
        n_groups = len(self.row)
        place = (self.row, np.arange(n_groups))
        return sparse.csr_array((np.ones(n_groups), place), (self.rows.n_rows, n_groups))

    @cached_property
    def _towards(self) -> Floats:
        """How far a summit moves for each unit that one step of EM towards it moves, (P, P).

        EM goes a part J of the way less with every step: all steps together go (1 − J)⁻¹ times
        the first. J is the slope of one step at the fit, by differences.
        """
        here = self.fit.model()
        n, size = here.base_rates.size + here.chances.size, _flat(here)
        ahead = size + _NUDGE * np.eye(n) * np.maximum(size, _NUDGE)
        nudged = _unflat(ahead, here)
        items = self._items[:, None]
        moved = maximise(self.rows, divide(self.rows, items, nudged)[0], nudged)
        stays = maximise(self.rows, divide(self.rows, items, here)[0], here)
        slope = (_flat(moved) - _flat(stays)) / np.diagonal(ahead - size)
        return np.asarray(np.linalg.pinv(np.eye(n) - slope), dtype=np.float64)

    def _lengthened(self, at: Model, once: Model) -> Model:
        """Where a step of EM from each model leads if it is followed all the way.

        Where that leaves what is possible, the step itself is taken.
        """
        here, step = _flat(at), _flat(once)
        there = here + self._towards @ (step - here)
        model = _unflat(np.where(there > _PART * step, there, step), at)
        shares = model.base_rates / model.base_rates.sum(axis=0)
        return Model(shares, model.chances / self.rows.over_member(model.chances))

    @cached_property
    def _first_step(self) -> tuple[Floats, sparse.csr_array]:
        """What the first step of EM from the fit adds up for one more item of each row: to the
        classes (L, D), and to each column's answers in each of them (L·K, D).
        """
        shares = np.ascontiguousarray(self.fit.posterior.T)
        turned, n = self.rows.turned, len(shares)
        ends = turned.indptr[1:] + turned.nnz * np.arange(n)[:, None]
        told = (turned.data * shares[:, turned.indices]).ravel()
        shape = (n * turned.shape[0], turned.shape[1])
        places = np.tile(turned.indices, n), np.append(0, ends)
        return shares, sparse.csr_array((told, *places), shape=shape)

    def _near(self, items: Floats) -> Model:
        """Where one lengthened step from the fit leads in samples of `items` (D, S)."""
        here, (shares, told) = self.fit.model(), self._first_step
        added = np.asarray(told @ items).reshape(len(shares), -1, items.shape[1])
        return self._lengthened(
            here, shared_out(self.rows, shares @ items, added.transpose(1, 0, 2), here)
        )

    def _refitted(self, batches: Sequence[Floats], read: Reading) -> Floats:
        """What is read of the models of bootstrap samples, batches of (J, S): (samples, …).

        Two lengthened steps of EM from the fit to the data are nearly always enough. Where the
        second still moved something, EM goes on by itself, at the end and side by side: a few
        samples at a time would take as long as many.
        """
        found, late, start = [], [], 0
        for batch in batches:
            items = self.weights(batch)
            near, items = self._near(items), self.rows.laid(items)
            once = maximise(self.rows, divide(self.rows, items, near)[0], near)
            model = self._lengthened(near, once)
            found.append(read(self.rows, items, model))
            off = np.flatnonzero(~(_apart(near, model) <= SAMPLE_TOLERANCE))
            late.append(_Unsettled(start + off, self.rows.some(items, off), once.pick(off)))
            start += batch.shape[1]
        told = np.concatenate(found)
        for each in _together(self.rows, late):
            run = climb(
                self.rows,
                each.items,
                each.model,
                most_iterations=SAMPLE_ITERATIONS,
                tolerance=SAMPLE_GAIN,
            )
            told[each.which] = read(self.rows, each.items, run.model)
        return told

    def of_raters(self, batches: Sequence[Floats]) -> tuple[Floats, Floats]:
        """Rater accuracy (S,) and base rates (S, L) of bootstrap samples, batches of (J, S)."""
        if too_many(self.rows):
            accuracy, _ = rater_accuracy(self.rows, self._items[:, None], self.fit.model())
            right = accuracy + self._moved(batches, self._of_rater_accuracy)
            rates = self.fit.base_rates + self._moved(batches, self._of_base_rates)
            return np.clip(right, 0, 1), np.clip(rates, 0, 1)
        told = self._refitted(batches, _of_raters)
        return told[:, 0], told[:, 1:]

    def of_system(self, batches: Sequence[Floats]) -> Floats:
        """The system's accuracy in bootstrap samples, batches of (J, S): (S,)."""
        if too_many(self.rows):
            told = system_accuracy(self.rows, self.fit.model())
            return np.clip(told + self._moved(batches, self._of_system), 0, 1)
        return self._refitted(batches, lambda rows, _, model: system_accuracy(rows, model))

    def _moved(self, batches: Sequence[Floats], influence: Floats) -> Floats:
        """How far estimates are from the fit's in samples, to first order: (S, …) from the
        influence (D, …) of each row.
        """
        here = self._items[:, None]
        return np.concatenate([(self.weights(each) - here).T @ influence for each in batches])

    @cached_property
    def _response(self) -> Response:
        return Response(self.rows, self.fit, self._items)

    @cached_property
    def _of_base_rates(self) -> Floats:
        """Influence of each row on the base rates, (D, L)."""
        none = np.zeros_like(self.fit.chances)
        return np.column_stack(
            [self._response.influence(Direction(one, none)) for one in np.eye(self.rows.n_labels)]
        )

    @cached_property
    def _of_rater_accuracy(self) -> Floats:
        """Influence of each row on the share of right answers, (D,)."""
        given = (self.rows.answer[:, None] == np.arange(self.rows.n_labels)).astype(float)
        right = np.asarray(self.rows.said @ given)
        said = np.asarray(self.rows.said.sum(axis=1)).ravel()
        expected = (self.fit.posterior * right).sum(axis=1)
        total = said @ self._items
        directly = expected - said * (expected @ self._items) / total
        influence: Floats = directly + self._response.influence_through_classes(right)
        return influence / total

    @cached_property
    def _of_system(self) -> Floats:
        """Influence of each row on the system's accuracy, (D,)."""
        own, label = _own_answers(self.rows)
        slope = Direction(np.zeros(self.rows.n_labels), np.zeros_like(self.fit.chances))
        slope.base_rates[label] = self.fit.chances[own, label]
        slope.chances[own, label] = self.fit.base_rates[label]
        return self._response.influence(slope)


@frozen
class LatentFits:
    """The raters' model and one more for each system; `samples` bootstrap samples of them."""

    raters: Fitted
    systems: tuple[Fitted, ...]
    samples: int

    @property
    def everyone(self) -> tuple[Fitted, ...]:
        """Every fit, the raters' first."""
        return (self.raters, *self.systems)

    def of_samples(self, weights: Floats | Ints) -> dict[str, Floats]:
        """Rater accuracy (S,), base rates (S, L) and the systems' accuracies (S, C) of bootstrap
        samples `weights` (S, J).
        """
        batches = [
            np.ascontiguousarray(weights[start : start + AT_ONCE].T, dtype=np.float64)
            for start in range(0, max(len(weights), 1), AT_ONCE)
        ]
        with ThreadPoolExecutor(max_workers=processors()) as pool:
            raters = pool.submit(self.raters.of_raters, batches)
            systems = list(pool.map(lambda each: each.of_system(batches), self.systems))
        accuracy, base_rates = raters.result()
        return {
            "rater_accuracy": accuracy,
            "base_rates": base_rates,
            "accuracy": np.array(systems).reshape(len(systems), len(weights)).T,
        }


def choose_rater_model(choice: str, judged: Judged, named: Named | None) -> RaterModel | str:
    """One matrix a rater ("each") or one for all ("shared"), or the reason why neither."""
    if choice == "off":
        return "it was switched off"
    per_item = judged.counts.sum(axis=1)
    n, ratings = judged.labels.n, int(per_item.sum())
    if not (per_item >= 3).any():
        return "it takes items with three ratings, and there are none"
    if not enough_ratings(ratings, n):
        return (
            f"{ratings:,} ratings are too few for the {_numbers(1, n)} numbers that even one "
            f"shared confusion matrix of {n} labels has"
        )
    if choice == "shared":
        return "shared"
    if choice == "each":
        return "each" if named is not None else "raters have no names"
    enough = named is not None and ratings >= EACH_NEEDS * _numbers(len(named.raters), n)
    return "each" if enough else "shared"


def enough_ratings(ratings: int, n_labels: int) -> bool:
    """Whether so many ratings are enough for one confusion matrix that all raters share."""
    return ratings >= SHARED_NEEDS * _numbers(1, n_labels)


def is_rater_model(choice: RaterModel | str) -> TypeGuard[RaterModel]:
    """Whether latent classes are to be fitted, or the choice is the reason why not."""
    return choice in ("each", "shared")


def fit_raters(items: Items, *, restarts: int, seed: int) -> Fitted:
    """Latent classes from the raters alone."""
    weights = np.bincount(items.row, weights=items.size, minlength=items.rows.n_rows).astype(float)
    found = fit(items.rows, weights, restarts=restarts, seed=seed)
    return Fitted(items.rows, items.row, found, weights)


def fit_system(items: Items, system: int, raters: Fitted, *, seed: int) -> Fitted:
    """Latent classes from the raters and one system: from the vote and from the raters' fit."""
    rows, row = items.with_system(system)
    guess = np.empty((rows.n_rows, rows.n_labels))
    guess[row] = raters.fit.posterior[raters.row]
    weights = np.bincount(row, weights=items.size, minlength=rows.n_rows).astype(float)
    return Fitted(rows, row, fit(rows, weights, restarts=0, seed=seed, guess=guess), weights)


def fit_everyone(items: Items, *, restarts: int, samples: int, seed: int) -> LatentFits:
    """The raters' model, each system's, and how many samples of them are affordable."""
    raters = fit_raters(items, restarts=restarts, seed=seed)
    systems = tuple(
        fit_system(items, system, raters, seed=seed) for system in range(len(items.systems))
    )
    return LatentFits(raters, systems, affordable_samples(items, samples))


def system_accuracy(rows: Rows, model: Model) -> Floats:
    """Chance that the system's answer is right, (S,): it is the last member."""
    own, label = _own_answers(rows)
    accuracy: Floats = (model.base_rates[label] * model.chances[own, label]).sum(axis=0)
    return accuracy


def _of_raters(rows: Rows, items: Floats, model: Model) -> Floats:
    """Rater accuracy and base rates of S models, (S, 1 + L)."""
    return np.column_stack([rater_accuracy(rows, items, model)[0], model.base_rates.T])


def _own_answers(rows: Rows) -> tuple[Ints, Ints]:
    """The columns of the last member's answers that are labels, and these labels."""
    own = np.flatnonzero((rows.member == rows.member[-1]) & (rows.answer < rows.n_labels))
    return own, rows.answer[own]


def too_many(rows: Rows) -> bool:
    """Whether a model of these rows has too many numbers to be fitted again in every sample."""
    return rows.n_labels * (1 + len(rows.member)) > MOST_NUMBERS


def rater_accuracy(rows: Rows, weights: Floats, model: Model) -> tuple[Floats, Floats]:
    """Expected share of right answers: of all, (S,), and of each member, (M, S).

    `weights` (D, S). Unlike the chances themselves it is known for raters who never met a
    class, since it counts only the items they rated.
    """
    _, told = answered(rows, divide(rows, weights, model)[0])
    n, s = told.shape[1:]
    inside = rows.answer < n
    right = np.zeros((len(rows.member), s))
    right[inside] = told[inside, rows.answer[inside]]
    by_member = np.add.reduceat(right, rows.starts, axis=0)
    given = np.add.reduceat(told.sum(axis=1), rows.starts, axis=0)
    share = np.where(given > 0, by_member / np.where(given > 0, given, 1.0), np.nan)
    return by_member.sum(axis=0) / given.sum(axis=0), share


def affordable_samples(items: Items, samples: int) -> int:
    """How many bootstrap samples the work of fitting them allows; all, where none is fitted."""
    if too_many(items.rows):
        return samples
    work = (items.rows.said.nnz + items.rows.n_rows) * items.n_labels * (len(items.systems) + 1)
    return min(samples, max(50, int(MOST_WORK / max(work, 1))))


def _apart(one: Model, other: Model) -> Floats:
    """How far the chance of a class and an answer together differs at most, (S,)."""
    moved = one.base_rates * one.chances - other.base_rates * other.chances
    most: Floats = np.abs(moved).max(axis=(0, 1))
    return most


def _flat(models: Model) -> Floats:
    """All numbers of S models, (P, S)."""
    return np.concatenate(
        [models.base_rates, models.chances.reshape(-1, models.base_rates.shape[1])]
    )


def _unflat(numbers: Floats, like: Model) -> Model:
    n, sets = len(like.base_rates), numbers.shape[1]
    chances = numbers[n:].reshape(*like.chances.shape[:2], sets)
    return Model(numbers[:n], chances)


def _numbers(matrices: int, n_labels: int) -> int:
    """How many free numbers that many confusion matrices and the base rates have."""
    return matrices * n_labels * (n_labels - 1) + n_labels - 1
