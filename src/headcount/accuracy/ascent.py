"""The ascent of EM: steps and leaps of models side by side, to a higher likelihood each time.

What a climb asks for thousands of times stands here, on bare arrays: S models are one table of
numbers (P, S), the joint table of truth and answers (L·A) above the chances (K·L), and whatever
follows from the dependence alone is worked out once. Formulas are those of `shared_errors`.
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy.ballots import Ballots, Floats, Ints
from headcount.frozen import frozen

LEAST = 1e-9
"""No answer is held impossible: its chance is taken as at least this."""

LONGEST_LEAP = 64.0

_SAFE = 25
"""Rows with so many ratings have likelihoods that a float can hold: LEAST to one power more,
over the factorial, is above 0."""


@frozen
class Held:
    """What a climb holds to: `accuracy` (S,) where given; `prior` (K, L), ratings that each
    column is lent in each class, so that raters with few ratings resemble the others; `even`
    errors: right with one chance in every class, wrong labels all alike; `weight` (S, D), the
    items behind each row where every model has its own; `stay` (K, S), 0 where a column's member
    is not there in a model (of ratings that do not lean together).
    """

    accuracy: Floats | None = None
    prior: Floats | None = None
    even: bool = False
    weight: Floats | None = None
    stay: Floats | None = None

    def pick(self, which: Ints) -> "Held":
        """For some of the models."""
        accuracy = None if self.accuracy is None else self.accuracy[which]
        weight = None if self.weight is None else self.weight[which]
        stay = None if self.stay is None else self.stay.take(which, axis=1)
        return Held(accuracy, self.prior, self.even, weight, stay)


FREE = Held()


@frozen(eq=False)
class Ascent:
    """S models of ballots with these dependences (L, S) and what they are held to."""

    data: Ballots
    dependence: Floats
    held: Held = FREE

    def pick(self, which: Ints) -> "Ascent":
        """For some of the models."""
        return Ascent(self.data, self.dependence.take(which, axis=1), self.held.pick(which))

    @cached_property
    def _alone(self) -> Floats:
        """What is left of a chance where ratings lean together, (L, S)."""
        alone: Floats = 1 - self.dependence
        return alone

    @cached_property
    def _lean(self) -> Floats | None:
        """What a label gains by having been said before, (C, L, S); None where nothing leans."""
        if not self.dependence.any():
            return None
        return np.multiply(self.dependence, self.data.times[:, None, None])

    @cached_property
    def _tries(self) -> Floats:
        """The logarithm of what each further rating of an item is divided by, (M, L·S)."""
        tries = self.data.coupling + np.arange(self.data.given.shape[1])[:, None, None]
        divisor: Floats = -np.log(self._alone + self.dependence * tries)
        return divisor.reshape(len(divisor), -1)

    @cached_property
    def _stay(self) -> Floats | None:
        """One where a step's member is there, (C, 1, S); None where all are."""
        stay = self.held.stay
        return None if stay is None else self.data.of_column(stay)[:, None]

    def parts(self, numbers: Floats) -> tuple[Floats, Floats]:
        """The joint table (L, A, S) and the chances (K, L, S) among a model's numbers."""
        n, answers, sets = self.data.n_labels, self.data.n_answers, numbers.shape[1]
        joint, chances = numbers[: n * answers], numbers[n * answers :]
        return joint.reshape(n, answers, sets), chances.reshape(-1, n, sets)

    def cycle(self, start: Floats) -> tuple[Floats, Floats]:
        """Two steps of EM and a leap from each model, never lower than the steps reach."""
        once, _ = self._step(start)
        twice, middle = self._step(once)
        landed, higher = self._step(self._leapt(start, once, twice))
        fell = ~(higher >= middle)
        if fell.any():
            landed[:, fell] = twice[:, fell]
            higher = np.where(fell, middle, higher)
        return landed, higher

    def divided(self, joint: Floats, chances: Floats) -> tuple[Floats, Floats]:
        """How the items divide among the classes, (L, S, D), and the log-likelihoods (S,)."""
        return self._divided(joint, self._terms(chances)[1])

    def _step(self, numbers: Floats) -> tuple[Floats, Floats]:
        """One step of EM, and the log-likelihood (with the prior's) before it."""
        joint, chances = self.parts(numbers)
        own, term = self._terms(chances)
        divided, likelihood = self._divided(joint, term)
        if self.held.prior is not None:
            lent = self.held.prior[:, :, None] * np.log(np.maximum(chances, LEAST))
            likelihood = likelihood + lent.sum(axis=(0, 1))
        part = self._stay if own is term else own / term
        return self.maximised(divided, part), likelihood

    def _terms(self, chances: Floats) -> tuple[Floats, Floats]:
        """Each step's own part of its chance, and with what it leans, (C, L, S) both."""
        own = self.data.of_column(self._alone * np.maximum(chances, LEAST))
        return own, own if self._lean is None else own + self._lean

    def _divided(self, joint: Floats, term: Floats) -> tuple[Floats, Floats]:
        data, load = self.data, self.held.weight
        answers = np.log(np.maximum(joint, LEAST)).transpose(1, 0, 2)
        said = np.log(term) if self._stay is None else np.log(term) * self._stay
        score = data.summed(
            said.reshape(len(term), -1), self._tries, answers.reshape(len(answers), -1)
        ).reshape(*self.dependence.shape, -1)
        top = None
        if data.longest > _SAFE:
            top = score.max(axis=0)
            score -= top
        np.exp(score, out=score)
        total = np.add.reduce(score, axis=0)
        found = np.log(total) if top is None else top + np.log(total)
        load = data.weight if load is None else load
        likelihood: Floats = found @ load if load.ndim == 1 else (load * found).sum(axis=1)
        score *= load / total
        return score, likelihood

    def maximised(self, divided: Floats, part: Floats | None) -> Floats:
        """The numbers that fit best if the items divide like this.

        `part` (C, L, S) is how much of each step counts for its chance, all where None. Where ρ > 0
        the chances have no closed form; the step taken (Minka's fixed point) never lowers the
        likelihood, and at ρ = 0 it is the closed form.
        """
        n, sets, d = divided.shape
        answered, stepped = self.data.tallied(divided.reshape(n * sets, d))
        joint = answered.reshape(n, sets, -1).transpose(0, 2, 1)
        told = stepped.T
        if part is not None:
            told = (told.reshape(-1, n, sets) * part).reshape(len(part), -1)
        total = self.data.by_column(told).reshape(-1, n, sets)
        if self.held.prior is not None:
            total = total + self.held.prior[:, :, None]
        if self.held.even:
            total = self._evened(total)
        return self._possible(joint, total + LEAST)

    def _leapt(self, start: Floats, once: Floats, twice: Floats) -> Floats:
        """Where three points are heading, with steps as long as they are straight."""
        first = once - start
        bend = twice - once
        bend -= first
        far, turned = (np.add.reduce(each * each, axis=0) for each in (first, bend))
        length = np.sqrt(far / np.maximum(turned, 1e-300))
        stride = np.minimum(np.maximum(length, 1.0), LONGEST_LEAP)
        point = np.maximum(start + 2 * stride * first + stride**2 * bend, LEAST)
        return self._possible(*self.parts(point))

    def _possible(self, joint: Floats, chances: Floats) -> Floats:
        """The numbers with tables and chances that sum to one, and the accuracy that is held."""
        n, sets = chances.shape[1:]
        table = joint.reshape(-1, sets)
        table = table / np.add.reduce(table, axis=0)
        if self.held.accuracy is not None:
            table = with_accuracy(table.reshape(joint.shape), self.held.accuracy).reshape(-1, sets)
        by_member = chances.reshape(-1, n, n * sets)
        shares = by_member / np.add.reduce(by_member, axis=1, keepdims=True)
        return np.concatenate([table, shares.reshape(-1, sets)])

    def _evened(self, total: Floats) -> Floats:
        """Right and wrong answers pooled over members and classes, wrong ones spread evenly."""
        n = self.data.n_labels
        right = (self.data.label[:, None] == np.arange(n))[:, :, None]
        share = np.where(right, total, 0.0).sum(axis=(0, 1)) / total.sum(axis=(0, 1))
        even: Floats = np.where(right, share, (1 - share) / (n - 1))
        return even


def with_accuracy(joint: Floats, accuracy: Floats) -> Floats:
    """The table (L, A, S) with its trace scaled to `accuracy` (S,), the rest to what is left."""
    right: NDArray[np.intp] = np.arange(min(joint.shape[:2]))
    scaled = np.maximum(joint, LEAST**2)
    hit = scaled[right, right]
    scaled[right, right] = 0.0
    scaled *= (1 - accuracy) / np.add.reduce(scaled.reshape(-1, scaled.shape[2]), axis=0)
    scaled[right, right] = hit * (accuracy / hit.sum(axis=0))
    return scaled
