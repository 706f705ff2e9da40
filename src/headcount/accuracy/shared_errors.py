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

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy.ascent import FREE, Ascent, Held, with_accuracy
from headcount.accuracy.ballots import Ballots, Floats, Ints
from headcount.frozen import frozen

HARDLY_ANY = 0.01
"""A class with a smaller share of the items is too small to be read."""


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
