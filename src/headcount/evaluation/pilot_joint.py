"""From a pilot to joint correctness: who alone is right, and how good labels are there.

Everything works on groups of items alike in counts and answers, and takes how often each group
counts as `weights` (S, J): a row is a data set, so the pilot and all its bootstrap samples go
through the same lines. NaN stands for "no value" in here.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.evaluation.pilot_spread import LabelModel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ITERATIONS = 500
SETTLED = 1e-6


@dataclass(frozen=True)
class Groups:
    """Groups of pilot items: `counts` (J, L), and `first`, `second` (J,) what two classifiers said.

    An answer outside the labels has the code L: it is never right.
    """

    counts: Ints
    first: Ints
    second: Ints

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return int(self.counts.shape[1])

    @property
    def ratings(self) -> Ints:
        """Ratings an item, (J,)."""
        per_item: Ints = self.counts.sum(axis=1)
        return per_item

    @property
    def differ(self) -> NDArray[np.bool_]:
        """Where the two answers differ, (J,)."""
        return np.asarray(self.first != self.second)

    def take(self, rows: Ints) -> "Groups":
        """Some of the groups."""
        return Groups(self.counts[rows], self.first[rows], self.second[rows])

    def agreeing(self, answers: Ints) -> Ints:
        """How many labels of an item agree with these answers, (J,)."""
        padded = np.column_stack([self.counts, np.zeros(len(self.counts), dtype=np.int64)])
        return padded[np.arange(len(answers)), answers]


@dataclass(frozen=True)
class Joint:
    """Joint correctness in S data sets, (S,) each.

    Shares of items that both, only the first, only the second classifier gets right and on
    which they differ with neither right; the label accuracies on the items that only one gets
    right.
    """

    both: Floats
    only_first: Floats
    only_second: Floats
    neither: Floats
    labels_first: Floats
    labels_second: Floats

    @property
    def gap(self) -> Floats:
        """How much more often the first one is right."""
        gap: Floats = self.only_first - self.only_second
        return gap

    @property
    def apart(self) -> Floats:
        """How often the two differ."""
        apart: Floats = self.only_first + self.only_second + self.neither
        return apart


def common_accuracy(groups: Groups, weights: Floats, accuracy: Floats) -> Joint:
    """Joint correctness with the same label accuracy (S,) everywhere, by moments.

    The share of labels that agree with an answer is q where it is right and a slip,
    (1 − q)/(L − 1), where it is wrong, so the share of right answers is linear in it.
    """
    slip = (1 - accuracy) / (groups.n_labels - 1)
    lift = accuracy - slip
    total = weights.sum(axis=1)

    def right(answers: Ints, where: NDArray[np.bool_]) -> Floats:
        formed = where & (answers < groups.n_labels)
        agreeing = groups.agreeing(answers) / np.maximum(groups.ratings, 1)
        chance = (agreeing[None] - slip[:, None]) / lift[:, None]
        share: Floats = (weights * np.where(formed, chance, 0.0)).sum(axis=1) / total
        return share

    differ = groups.differ
    apart = (weights * differ).sum(axis=1) / total
    first, second = (right(answers, differ) for answers in (groups.first, groups.second))
    first, second = _possible(first, second, apart, two=groups.n_labels == 2)
    both = np.clip(right(groups.first, ~differ), 0.0, 1 - apart)
    return Joint(both, first, second, apart - first - second, accuracy, accuracy)


def own_accuracies(
    groups: Groups, weights: Floats, start: Joint, accuracy: Floats, model: LabelModel
) -> Joint:
    """Joint correctness with label accuracies of their own where only one is right.

    Maximum likelihood, by EM over the items on which the two differ: a mixture of items that
    only the first, only the second, or neither gets right. Where neither is right labels have
    the common `accuracy`.
    """
    part = groups.take(np.flatnonzero(groups.differ))
    here = weights[:, groups.differ]
    apart = np.maximum(here.sum(axis=1), 1e-300)
    tables = _tables(part, model)
    neither = _log_neither(part, model, accuracy)
    shares = _shares(start)
    places = np.stack([model.place(accuracy)] * 2)
    for _ in range(ITERATIONS):
        mass = _members(tables, places, neither, shares) * here
        new_shares = mass.sum(axis=2) / apart
        new = np.stack([_likeliest(mass[k], tables[k]) for k in (0, 1)])
        change = max(np.abs(new_shares - shares).max(), np.abs(new - places).max())
        shares, places = new_shares, new
        if change < SETTLED:
            break
    only_first, only_second, none = shares * apart / weights.sum(axis=1)
    both = _both_right(groups, weights, start, accuracy, model)
    return Joint(both, only_first, only_second, none, *(model.accuracy(p) for p in places))


def which_is_right(groups: Groups, joint: Joint, accuracy: Floats, model: LabelModel) -> Floats:
    """P(only the first, only the second, neither is right | labels) of each group, (3, S, J).

    Zero where the two agree.
    """
    found = np.zeros((3, len(accuracy), len(groups.counts)))
    part = groups.take(np.flatnonzero(groups.differ))
    places = np.stack([model.place(joint.labels_first), model.place(joint.labels_second)])
    neither = _log_neither(part, model, accuracy)
    found[:, :, groups.differ] = _members(_tables(part, model), places, neither, _shares(joint))
    return found


def _both_right(
    groups: Groups, weights: Floats, start: Joint, accuracy: Floats, model: LabelModel
) -> Floats:
    """Share of items that both get right, by EM over those on which they agree.

    Labels there have an accuracy of their own where the answer is right, for items on which
    classifiers agree are the easier ones.
    """
    agree = np.flatnonzero(~groups.differ & (groups.first < groups.n_labels))
    part, here = groups.take(agree), weights[:, agree]
    total = weights.sum(axis=1)
    together = np.maximum(here.sum(axis=1), 1e-300)
    right = np.clip(start.both * total / together, 0.05, 0.95)
    place = model.place(accuracy)
    table = model.log_chances(part.agreeing(part.first), part.ratings)
    wrong = np.exp(_log_neither(part, model, accuracy))
    for _ in range(ITERATIONS):
        if_right = right[:, None] * np.exp(_between(table, place))
        chance = if_right + (1 - right)[:, None] * wrong
        mass = here * if_right / np.maximum(chance, 1e-300)
        new, new_place = mass.sum(axis=1) / together, _likeliest(mass, table)
        change = max(np.abs(new - right).max(), np.abs(new_place - place).max())
        right, place = new, new_place
        if change < SETTLED:
            break
    both: Floats = right * together / total
    return both


def _shares(joint: Joint) -> Floats:
    """Of the items on which the two differ, who is right, (3, S); none quite impossible."""
    shares = np.stack([joint.only_first, joint.only_second, joint.neither])
    apart = np.maximum(joint.apart, 1e-300)
    possible = (shares.max(axis=1) > 1e-12)[:, None]
    shares = np.where(possible, np.maximum(shares / apart, 1e-3), 0.0)
    whole: Floats = shares / np.maximum(shares.sum(axis=0), 1e-300)
    return whole


def _tables(part: Groups, model: LabelModel) -> list[Floats]:
    """Log chances (G, J) of the labels where the first, and where the second, is right."""
    tables = []
    for answers in (part.first, part.second):
        table = model.log_chances(part.agreeing(answers), part.ratings)
        # An answer outside the labels is never the right one.
        table[:, answers == part.n_labels] = -1e6
        tables.append(table)
    return tables


def _members(tables: list[Floats], places: Floats, neither: Floats, shares: Floats) -> Floats:
    """P(which of the three kinds an item is | its labels), (3, S, J)."""
    logs = np.stack([_between(tables[0], places[0]), _between(tables[1], places[1]), neither])
    chances = np.exp(logs - logs.max(axis=0)) * shares[:, :, None]
    total = chances.sum(axis=0)
    member: Floats = np.where(total > 0, chances / np.where(total > 0, total, 1.0), 0.0)
    return member


def _log_neither(part: Groups, model: LabelModel, accuracy: Floats) -> Floats:
    """Log chance of the labels where another label than the answers is right, (S, J)."""
    n_labels = part.n_labels
    possible = np.ones((len(part.counts), n_labels), dtype=bool)
    for answers in (part.first, part.second):
        formed = answers < n_labels
        possible[np.flatnonzero(formed), answers[formed]] = False
    number = possible.sum(axis=1)
    chance = np.zeros((len(accuracy), len(part.counts)))
    place = model.place(accuracy)
    for label in range(n_labels):
        table = model.log_chances(part.counts[:, label], part.ratings)
        chance += possible[:, label] * np.exp(_between(table, place))
    log_chance: Floats = np.log(np.maximum(chance / np.maximum(number, 1), 1e-300))
    return np.where(number > 0, log_chance, -1e6)


def _between(table: Floats, place: Floats) -> Floats:
    """Rows of a table (G, J) at places between them, (S, J)."""
    below = np.clip(np.floor(place).astype(np.int64), 0, len(table) - 2)
    share = (place - below)[:, None]
    row: Floats = (1 - share) * table[below] + share * table[below + 1]
    return row


def _likeliest(mass: Floats, table: Floats) -> Floats:
    """The place in the table under which items of this weight are likeliest, (S,).

    The top of a parabola through the best row and its neighbours.
    """
    score = mass @ table.T
    best = np.clip(score.argmax(axis=1), 1, len(table) - 2)
    rows = np.arange(len(mass))
    before, at, after = (score[rows, best + step] for step in (-1, 0, 1))
    bend = before - 2 * at + after
    shift = np.where(bend < 0, 0.5 * (before - after) / np.where(bend < 0, bend, 1.0), 0.0)
    place: Floats = np.clip(best + np.clip(shift, -1.0, 1.0), 0, len(table) - 1)
    return place


def _possible(first: Floats, second: Floats, apart: Floats, two: bool) -> tuple[Floats, Floats]:
    """Shares that can be: none below zero, together no more than all that differ."""
    first, second = np.clip(first, 0.0, apart), np.clip(second, 0.0, apart)
    both = first + second
    # With two labels exactly one of two differing answers is right.
    over = (both > apart) | two
    scale = np.where(over & (both > 0), apart / np.where(both > 0, both, 1.0), 1.0)
    return first * scale, second * scale
