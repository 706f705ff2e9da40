"""A fitted latent-class model in bootstrap samples: fitted again, or told to first order.

EM goes a known part of the way to the summit with every step, so two lengthened steps from the
fit to the data nearly always reach a sample's own. Thousands of raters with a confusion matrix
each are tens of thousands of numbers, too many to fit again in every sample. There, what one more
item of a row adds to an estimate is worked out instead. With θ the model's numbers, I the observed
and C the complete-data information (which is a block for each simplex), one step of EM goes a part
1 − J = C⁻¹I of the way to the summit. So an estimate h of slope g moves by score · x for one more
item, where (1 − J)x = C⁻¹g. J is self-adjoint in the scalar product of C, and conjugate gradients
solve that with a dozen products.

Shapes as in `dawid_skene`: D rows, K columns of members and answers, L classes.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, reduce

import numpy as np
from scipy import sparse

from headcount.accuracy.dawid_skene import (
    LEAST,
    Fit,
    Model,
    Rows,
    answered,
    climb,
    divide,
    maximise,
    shared_out,
)
from headcount.arrays import Floats, Ints
from headcount.frozen import frozen

# Bootstrap samples need less: their fits are read to a small part of a standard error. This is how
# far the chance of any answer may still have moved in the last step.
SAMPLE_TOLERANCE = 5e-4

# The same for steps that are not lengthened, as what they add to an item's log-likelihood.
SAMPLE_GAIN = 1e-6

# A sample that has not settled by then varies less than the samples do.
SAMPLE_ITERATIONS = 200

# Numbers of a model up to which it is fitted again in every sample, which takes a table of as many
# rows and columns; with more, samples are told by how the fit answers to single items.
MOST_NUMBERS = 1_000

# Samples that are fitted together: more do not fit the processor's caches.
AT_ONCE = 64

# Differences that a slope is taken from: far above rounding, far below what bends.
_NUDGE = 1e-4

# A lengthened step may take off nine tenths of a number at most; else the step itself counts.
_PART = 0.1


Reading = Callable[[Rows, Floats, Model], Floats]
"""What is read of S models, (S, …): from the rows, the items (D, S) of each, and the models."""


# A dozen are usual; that many where classes can hardly be told apart.
_MOST_STEPS = 200


# Conjugate gradients stop when what is left is so small a part of what was asked for.
_NEAR = 1e-8


@frozen
class Direction:
    """A number for each of a model's numbers: of base rates (L,), of chances (K, L)."""

    base_rates: Floats
    chances: Floats

    def plus(self, other: "Direction", times: float) -> "Direction":
        """So many times the other added to it."""
        return Direction(
            self.base_rates + times * other.base_rates, self.chances + times * other.chances
        )


@frozen(eq=False)
class Response:
    """A model fitted to `items` (D,) of each row."""

    rows: Rows
    fit: Fit
    items: Floats

    def influence(self, slope: Direction) -> Floats:
        """What one more item of each row adds to an estimate, (D,); `slope` is that of the
        estimate in the model's numbers.
        """
        found = self._solved(self._tangent(slope))
        added: Floats = (self.fit.posterior * self._log_joint(found)).sum(axis=1)
        return added

    def influence_through_classes(self, marks: Floats) -> Floats:
        """The same for Σ items · posterior · `marks` (D, L), whose slope is in what rows are."""
        each = self.fit.posterior * (marks - (self.fit.posterior * marks).sum(axis=1)[:, None])
        divided = self.items[:, None] * each
        slope = Direction(
            _over(divided.sum(axis=0), self.fit.base_rates),
            _over(np.asarray(self.rows.turned @ divided), self.fit.chances),
        )
        return self.influence(slope)

    @cached_property
    def _given(self) -> Floats:
        """Expected answers of each column's member in each class, (K, L)."""
        divided = self.items[:, None] * self.fit.posterior
        return self.rows.over_member(np.asarray(self.rows.turned @ divided))

    def _tangent(self, slope: Direction) -> Direction:
        """C⁻¹ times a slope, within the simplices."""
        base, chances = self.fit.base_rates, self.fit.chances
        of_base = base * (slope.base_rates - base @ slope.base_rates) / self.items.sum()
        mean = self.rows.over_member(chances * slope.chances)
        return Direction(of_base, _over(chances * (slope.chances - mean), self._given))

    def _log_joint(self, along: Direction) -> Floats:
        """How fast the logarithm of each row's chance in each class grows, (D, L)."""
        chances = np.asarray(self.rows.said @ _over(along.chances, self.fit.chances))
        grown: Floats = chances + _over(along.base_rates, self.fit.base_rates)
        return grown

    def _left(self, along: Direction) -> Direction:
        """(1 − J) times a direction: what a step of EM takes off it."""
        faster, posterior = self._log_joint(along), self.fit.posterior
        moved = posterior * (faster - (posterior * faster).sum(axis=1)[:, None])
        divided = self.items[:, None] * moved
        told = np.asarray(self.rows.turned @ divided)
        every = self.rows.over_member(told)
        step = Direction(
            divided.sum(axis=0) / self.items.sum(),
            _over(told - self.fit.chances * every, self._given),
        )
        return along.plus(step, -1.0)

    def _scalar(self, one: Direction, other: Direction) -> float:
        """The scalar product of C."""
        base = self.items.sum() * _over(one.base_rates * other.base_rates, self.fit.base_rates)
        chances = self._given * _over(one.chances * other.chances, self.fit.chances)
        return float(base.sum() + chances.sum())

    def _solved(self, wanted: Direction) -> Direction:
        """What (1 − J) turns into `wanted`, by conjugate gradients."""
        found = Direction(np.zeros_like(wanted.base_rates), np.zeros_like(wanted.chances))
        rest = ahead = wanted
        square = first = self._scalar(rest, rest)
        for _ in range(_MOST_STEPS):
            if square <= _NEAR**2 * first:
                break
            left = self._left(ahead)
            bend = self._scalar(ahead, left)
            if bend <= 0:  # nothing but rounding is left
                break
            found = found.plus(ahead, square / bend)
            rest = rest.plus(left, -square / bend)
            before, square = square, self._scalar(rest, rest)
            ahead = rest.plus(ahead, square / before)
        return found


def _over(above: Floats, below: Floats) -> Floats:
    """Above over below, nought where there is next to nothing below: a chance at its end stays."""
    above, below = np.broadcast_arrays(above, below)
    return np.asarray(np.divide(above, below, out=np.zeros(above.shape), where=below > LEAST))


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
        # Along directions that the data cannot tell, EM stands still and 1 − J is nought but for
        # the error of the differences: dividing by that would follow the last bits of the sums.
        return np.asarray(np.linalg.pinv(np.eye(n) - slope, rcond=_NUDGE / 10), dtype=np.float64)

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
