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
run along them.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy.ballots import Ballots, Floats, Ints

LEAST = 1e-9
"""No answer is held impossible: its chance is taken as at least this."""

LONGEST_LEAP = 64.0

HARDLY_ANY = 0.01
"""A class with a smaller share of the items is too small to be read."""


@dataclass(frozen=True)
class Held:
    """What a climb holds to: `accuracy` (S,) where given; `prior` (K, L), ratings that each
    column is lent in each class, so that raters with few ratings resemble the others; `even`
    errors: right with one chance in every class, wrong labels all alike; `weight` (S, D), the
    items behind each row where every model has its own.
    """

    accuracy: Floats | None = None
    prior: Floats | None = None
    even: bool = False
    weight: Floats | None = None

    def pick(self, which: Ints) -> "Held":
        """For some of the models."""
        accuracy = None if self.accuracy is None else self.accuracy[which]
        weight = None if self.weight is None else self.weight[which]
        return Held(accuracy, self.prior, self.even, weight)


FREE = Held()


@dataclass(frozen=True)
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
        own = said[np.arange(n), np.arange(n)]
        tiny = self.joint.sum(axis=1) < HARDLY_ANY
        recognised: NDArray[np.bool_] = ((own >= said.max(axis=0) - 1e-9) | tiny).all(axis=0)
        return recognised


def starting_model(data: Ballots, dependence: Floats) -> Model:
    """From the vote: each row's classes are its ratings' shares; the same for every ρ (L, S)."""
    of_label = data.label[data.column][:, None] == np.arange(data.n_labels)
    votes = np.asarray(data.steps @ of_label.astype(np.float64))
    share = votes / np.maximum(votes.sum(axis=1, keepdims=True), 1)
    divided = np.ascontiguousarray((share * data.weight[:, None]).T)[:, None]
    flat = np.full((len(data.member), data.n_labels, 1), 1 / data.n_labels)
    one = Model(np.empty((data.n_labels, data.n_answers, 1)), flat, np.zeros((data.n_labels, 1)))
    joint, chances = _maximised(data, divided, one, Held())
    sets = dependence.shape[1]
    return Model(np.repeat(joint, sets, 2), np.repeat(chances, sets, 2), dependence)


def divided_items(
    data: Ballots, model: Model, weight: Floats | None = None
) -> tuple[Floats, Floats]:
    """How the items divide among the classes, (L, S, D), and the log-likelihoods (S,).

    `weight` (S, D) are the items behind each row where every model has its own.
    """
    load = data.weight if weight is None else weight
    score = _row_chances(data, model)
    top = score.max(axis=0)
    score -= top
    np.exp(score, out=score)
    total = score.sum(axis=0)
    likelihood: Floats = (load * (top + np.log(total))).sum(axis=1)
    score *= load / total
    return score, likelihood


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
    joint, chances = start.joint.copy(), start.chances.copy()
    if held.accuracy is not None:
        joint = _with_accuracy(joint, held.accuracy)
    reached = np.full(joint.shape[2], -np.inf)
    active = np.arange(len(reached))
    for _ in range(most_cycles):
        now = Model(joint[..., active], chances[..., active], start.dependence[:, active])
        ahead, higher = _cycle(data, now, held.pick(active))
        joint[..., active], chances[..., active] = ahead.joint, ahead.chances
        going = higher - reached[active] > tolerance
        reached[active] = higher
        active = active[going]
        if not len(active):
            break
    return replace(start, joint=joint, chances=chances), reached


def _cycle(data: Ballots, start: Model, held: Held) -> tuple[Model, Floats]:
    """Two steps of EM and a leap from each model, never to a lower place than the steps reach."""
    once, _ = _step(data, start, held)
    twice, middle = _step(data, once, held)
    landed, higher = _step(data, _leapt(data, start, once, twice, held), held)
    fell = ~(higher >= middle)
    if fell.any():
        landed.joint[..., fell] = twice.joint[..., fell]
        landed.chances[..., fell] = twice.chances[..., fell]
        higher = np.where(fell, middle, higher)
    return landed, higher


def _step(data: Ballots, model: Model, held: Held) -> tuple[Model, Floats]:
    """One step of EM, and the log-likelihood (with the prior's) before it."""
    divided, likelihood = divided_items(data, model, held.weight)
    if held.prior is not None:
        lent = held.prior[:, :, None] * np.log(np.maximum(model.chances, LEAST))
        likelihood = likelihood + lent.sum(axis=(0, 1))
    joint, chances = _maximised(data, divided, model, held)
    return replace(model, joint=joint, chances=chances), likelihood


def _leapt(data: Ballots, start: Model, once: Model, twice: Model, held: Held) -> Model:
    """Where three points are heading, with steps as long as they are straight."""
    sets = start.joint.shape[2]

    def flat(model: Model) -> Floats:
        return np.concatenate([model.joint.reshape(-1, sets), model.chances.reshape(-1, sets)])

    first = flat(once) - flat(start)
    bend = flat(twice) - flat(once) - first
    length = np.sqrt((first**2).sum(axis=0) / np.maximum((bend**2).sum(axis=0), 1e-300))
    stride = np.clip(length, 1.0, LONGEST_LEAP)
    point = np.maximum(flat(start) + 2 * stride * first + stride**2 * bend, LEAST)
    joint = point[: start.joint.size // sets].reshape(start.joint.shape)
    chances = point[start.joint.size // sets :].reshape(start.chances.shape)
    joint = joint / joint.sum(axis=(0, 1))
    if held.accuracy is not None:
        joint = _with_accuracy(joint, held.accuracy)
    return replace(start, joint=joint, chances=_normalised(data, chances))


def _row_chances(data: Ballots, model: Model) -> Floats:
    """The logarithm of P(row's ratings, system's answer, class), (L, S, D)."""
    rho = model.dependence
    term = (1 - rho) * np.maximum(model.chances, LEAST)[data.column]
    term += rho * data.times[:, None, None]
    tries = data.coupling + np.arange(data.given.shape[1])[:, None, None]
    fewer = -np.log((1 - rho) + rho * tries)
    joint = np.log(np.maximum(model.joint, LEAST)).transpose(1, 0, 2)
    score = data.summed(*(each.reshape(len(each), -1) for each in (np.log(term), fewer, joint)))
    return score.reshape(*rho.shape, len(data.weight))


def _maximised(data: Ballots, divided: Floats, model: Model, held: Held) -> tuple[Floats, Floats]:
    """The joint table and the chances that fit best if the items divide like this.

    Where ρ > 0 the chances have no closed form; the step taken (Minka's fixed point) never
    lowers the likelihood, and at ρ = 0 it is the closed form.
    """
    n, sets, d = divided.shape
    rho = model.dependence
    answered, stepped = data.tallied(divided.reshape(n * sets, d))
    joint = answered.reshape(n, sets, -1).transpose(0, 2, 1)
    joint = joint / joint.sum(axis=(0, 1))
    if held.accuracy is not None:
        joint = _with_accuracy(joint, held.accuracy)
    own = (1 - rho) * np.maximum(model.chances, LEAST)[data.column]
    told = np.ascontiguousarray(stepped.T).reshape(-1, n, sets)
    told *= own / (own + rho * data.times[:, None, None])
    total = (data.by_column @ told.reshape(-1, n * sets)).reshape(-1, n, sets)
    if held.prior is not None:
        total += held.prior[:, :, None]
    if held.even:
        total = _evened(data, total)
    return joint, _normalised(data, total + LEAST)


def _evened(data: Ballots, total: Floats) -> Floats:
    """Right and wrong answers pooled over members and classes, wrong ones spread evenly."""
    right = (data.label[:, None] == np.arange(data.n_labels))[:, :, None]
    share = np.where(right, total, 0.0).sum(axis=(0, 1)) / total.sum(axis=(0, 1))
    even: Floats = np.where(right, share, (1 - share) / (data.n_labels - 1))
    return even


def _normalised(data: Ballots, chances: Floats) -> Floats:
    """Chances that sum to one over each member's labels."""
    k, n, sets = chances.shape
    by_member = chances.reshape(-1, data.n_labels, n, sets)
    shares: Floats = by_member / by_member.sum(axis=1, keepdims=True)
    return shares.reshape(k, n, sets)


def _with_accuracy(joint: Floats, accuracy: Floats) -> Floats:
    """The table with its trace scaled to `accuracy` (S,) and the rest to what is left."""
    n = min(joint.shape[:2])
    right = np.zeros(joint.shape[:2], dtype=bool)
    right[np.arange(n), np.arange(n)] = True
    safe = np.maximum(joint, LEAST**2)
    hit = safe[right].sum(axis=0)
    miss = safe[~right].sum(axis=0)
    scaled: Floats = np.where(
        right[:, :, None], safe * (accuracy / hit), safe * ((1 - accuracy) / miss)
    )
    return scaled
