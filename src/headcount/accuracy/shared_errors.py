"""Latent classes whose raters may err together, with one system's answers beside the ratings.

Given the true label t, the ratings of an item are draws from shares that differ from item to
item (a Dirichlet around the confusions θ_t): on some items people lean to one wrong label
together. How much is one number ρ_t, the correlation of two ratings of an item given the truth;
ρ = 0 is the usual latent class with independent ratings. Column by column

    P(c | t) = Π_ℓ Π_{m < c_ℓ} ((1−ρ_t) θ_tℓ + ρ_t m)  /  Π_{m < n} ((1−ρ_t) + ρ_t m),

so a row's log-likelihood is a sum over "the label was said more than m times", and one matrix
product serves every ρ. Named raters are members of their own: a member with one answer an item
shares nothing, and the same lines are Dawid and Skene's model.

A system may share the raters' errors. Then its answer a is the first draw of the item, and the
raters' shares follow it: m becomes m + κ for the label a and for the total. κ = 0 is a system
that errs on its own, κ = 1 one that leans with people as one more person does.

The system's answers and the truth form a joint table q_ta, whose trace is the accuracy: to
hold the accuracy at a value, EM only has to rescale the trace. Models carry a last axis S of
models climbed side by side; what is said of rows has the rows last, so that sums over classes
run along them. What a climb asks for thousands of times works on bare arrays (`Ascent`): S models
are one table of numbers (P, S), the joint table (L·A) above the chances (K·L), and whatever
follows from the dependence alone is worked out once.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy.ballots import Ballots
from headcount.arrays import Floats, Ints
from headcount.frozen import frozen

# No answer is held impossible: its chance is taken as at least this.
LEAST = 1e-9

# Steps that a leap is worth at most: further out a straight line is no guide.
LONGEST_LEAP = 64.0

# Rows with so many ratings have likelihoods that a float can hold: LEAST to one power more, over
# the factorial, is above 0.
_SAFE = 25


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
        # "Not at least" also finds a leap to where the likelihood is not a number.
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
        # A label said again may owe that to its chance or to the lean: only the first part counts.
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
        # Few ratings need no lifting before the exponential, which saves a pass over all rows.
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
        whole = np.add.reduce(table, axis=0)
        # A sample of a few items may hold none that was judged: it says nothing of any cell.
        table = np.where(whole > 0, table, 1.0) / np.where(whole > 0, whole, float(len(table)))
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
    # The wrong answers keep their shares of each other, and so do the right ones.
    scaled[right, right] = 0.0
    scaled *= (1 - accuracy) / np.add.reduce(scaled.reshape(-1, scaled.shape[2]), axis=0)
    scaled[right, right] = hit * (accuracy / hit.sum(axis=0))
    return scaled


# A class with a smaller share of the items is too small to be read.
HARDLY_ANY = 0.01


@frozen
class Model:
    """S models: `joint` (L, A, S) of truth and system's answer, `chances` (K, L, S) of each
    column's label in each class, `dependence` (L, S), the correlation ρ of ratings in a class.
    """

    joint: Floats
    chances: Floats
    dependence: Floats

    def pick(self, which: Ints | NDArray[np.bool_]) -> "Model":
        """Some of the models."""
        return Model(self.joint[..., which], self.chances[..., which], self.dependence[:, which])

    def accuracy(self) -> Floats:
        """Chance that the system's answer is the truth, (S,)."""
        n = min(self.joint.shape[:2])
        diagonal: Floats = self.joint[np.arange(n), np.arange(n)].sum(axis=0)
        return diagonal

    def recognised(self) -> NDArray[np.bool_]:
        """Whether raters give each class its own label more often than any other, (S,).

        Classes with hardly any items do not count; members count alike.
        """
        n, _, sets = self.joint.shape
        said = self.chances.reshape(-1, n, n, sets).mean(axis=0)
        # Rounding must not take a class its name where two labels are said alike.
        own = said[np.arange(n), np.arange(n)]
        tiny = self.joint.sum(axis=1) < HARDLY_ANY
        recognised: NDArray[np.bool_] = ((own >= said.max(axis=0) - 1e-9) | tiny).all(axis=0)
        return recognised


def joined(models: Sequence[Model]) -> Model:
    """Several models, side by side."""
    return Model(
        np.concatenate([each.joint for each in models], axis=2),
        np.concatenate([each.chances for each in models], axis=2),
        np.concatenate([each.dependence for each in models], axis=1),
    )


def starting_model(data: Ballots, dependence: Floats, weight: Floats | None = None) -> Model:
    """From the vote: each row's classes are its ratings' shares; the same for every ρ (L, S).

    `weight` (D,) are the items behind each row, the ballots' own where None.
    """
    load = data.weight if weight is None else weight
    of_label = data.label[data.column][:, None] == np.arange(data.n_labels)
    votes = np.asarray(data.steps @ of_label.astype(np.float64))
    share = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
    divided = np.ascontiguousarray((share * load[:, None]).T)[:, None]
    one = Ascent(data, np.zeros((data.n_labels, 1)))
    joint, chances = one.parts(one.maximised(divided, None))
    sets = dependence.shape[1]
    return Model(np.repeat(joint, sets, 2), np.repeat(chances, sets, 2), dependence)


def divided_items(
    data: Ballots, model: Model, weight: Floats | None = None
) -> tuple[Floats, Floats]:
    """How the items divide among the classes, (L, S, D), and the log-likelihoods (S,).

    `weight` (S, D) are the items behind each row where every model has its own.
    """
    held = Held(weight=weight)
    return Ascent(data, model.dependence, held).divided(model.joint, model.chances)


def class_chances(data: Ballots, model: Model) -> Floats:
    """Each row's probability of each class, (D, L, S)."""
    divided, _ = divided_items(data, model)
    chances: Floats = (divided / divided.sum(axis=0)).transpose(2, 0, 1)
    return chances


def climb(
    data: Ballots,
    start: Model,
    *,
    held: Held = FREE,
    most_cycles: int = 300,
    tolerance: float = 1e-4,
) -> tuple[Model, Floats]:
    """EM from each of S models to its summit, with leaps (SQUAREM); models and log-likelihoods.

    A model has settled when a cycle of two steps and a leap adds less than `tolerance`.
    """
    joint = start.joint
    if held.accuracy is not None:
        joint = with_accuracy(joint, held.accuracy)
    sets = joint.shape[2]
    numbers = np.concatenate([joint.reshape(-1, sets), start.chances.reshape(-1, sets)])
    reached = np.full(sets, -np.inf)
    active, now, ascent = np.arange(sets), numbers, Ascent(data, start.dependence, held)
    for _ in range(most_cycles):
        now, higher = ascent.cycle(now)
        # Models that have settled drop out, so that the slow ones climb on by themselves.
        going = np.flatnonzero(higher - reached[active] > tolerance)
        reached[active] = higher
        if len(going) < len(active):
            numbers[:, active] = now
            active, now = active[going], now.take(going, axis=1)
            if not len(active):
                break
            ascent = ascent.pick(going)
    numbers[:, active] = now
    joint, chances = ascent.parts(numbers)
    return replace(start, joint=joint, chances=chances), reached
