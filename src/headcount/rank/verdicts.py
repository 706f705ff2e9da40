"""What is said of systems, on bare arrays: one form for pairs, scores and labels.

An item is of one system (a score, a label), or it is a comparison of two. Items of one unit, a
prompt or a document, come together. Strengths follow from what is said of each item, and what each
unit adds to them says how sure they are.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import permutations
from typing import Literal

import numpy as np

from headcount.arrays import Floats, Ints, Mask
from headcount.frozen import frozen
from headcount.rank.soft_pairwise import Series, nobodys, soft_pairwise_accuracy
from headcount.rank.strengths import (
    PRIOR,
    bradley_terry,
    bradley_terry_influence,
    cannot_be_compared,
    davidson,
    davidson_influence,
    ratio_influence,
    table_of_wins,
)
from headcount.sameness import scale_of, varies
from headcount.sampling.people import rater_variance
from headcount.sampling.samples import masks_without, rater_groups

Method = Literal["mean", "win-rate", "bradley-terry", "davidson"]

MOST_UNITS = 500
"""Past twice as many prompts, these are put into so many random groups: a standard error from 500
of them is known to three in a hundred, and tables stay small whatever the number of comparisons."""
MOST_PEOPLE = 10
"""People up to whom the curve is looked at: past ten it is flat, and few items have more."""
_DEALS = 12
"""Ways in which the one who is held out is drawn: the mean over twelve varies by a third of what a
single draw does, which is itself a tenth of what other items would do."""
_ALL_DEALS = 3
"""Up to so many raters every order of them is looked at: six, fewer than would be drawn."""


@frozen(eq=False)
class Field:
    """Which systems meet in which item: `first` (I,), and `second` (I,) where items are pairs.

    `unit` (I,) is the prompt or document of each item, of which there are `units`.
    """

    systems: int
    first: Ints
    second: Ints | None
    unit: Ints
    units: int

    @cached_property
    def grouped(self) -> "Field":
        """The same with units in groups where they are many."""
        group = rater_groups(self.units, most=MOST_UNITS)
        if len(group) == 0 or int(group.max()) + 1 == self.units:
            return self
        return Field(self.systems, self.first, self.second, group[self.unit], int(group.max()) + 1)


@frozen(eq=False)
class Strengths:
    """Strengths (S,), and what units say of each, (U, S), whose columns have them for means.

    `apart` are groups of systems that cannot be compared with each other; where there are several,
    strengths were `shrunk` by a prior.
    """

    value: Floats
    table: Floats
    apart: tuple[tuple[int, ...], ...] = ()

    @property
    def shrunk(self) -> bool:
        """Whether a prior keeps these strengths finite."""
        return len(self.apart) > 1


def strengths_of(
    field: Field, said: Floats, method: Method, *, tied: Floats | None = None
) -> Strengths:
    """Strengths from what is said of each item (I,); NaN where nothing is.

    `tied` (I,) is the share of ties in it, for Davidson's model; left out, ½ is one.
    """
    known = ~np.isnan(said)
    first, unit, value = field.first[known], field.unit[known], said[known]
    if field.second is None or method == "win-rate":
        return _of_ratios(field, first, unit, value, known)
    second = field.second[known]
    wins = table_of_wins(first, second, value, field.systems)
    met = (wins + wins.T).sum(axis=1) > 0
    apart = tuple(group for group in cannot_be_compared(wins) if met[list(group)].any())
    prior = PRIOR if len(apart) > 1 or not met.all() else 0.0
    if method == "davidson":
        ties = (value == 0.5).astype(np.float64) if tied is None else tied[known]
        won = table_of_wins(first, second, value, field.systems)
        met_at = first * field.systems + second
        half = np.bincount(met_at, ties, field.systems**2).reshape(won.shape)
        shared = half + half.T
        model = davidson(won - shared / 2, np.asarray(shared, dtype=np.float64), prior=prior)
        theta = model.strength
        each = davidson_influence(model, first, second, value, ties, unit, field.units, prior=prior)
    else:
        theta = bradley_terry(wins, prior=prior)
        each = bradley_terry_influence(theta, first, second, value, unit, field.units, prior=prior)
    theta, each = np.where(met, theta, np.nan), np.where(met, each, np.nan)
    return Strengths(theta, theta + each, apart)


def _of_ratios(field: Field, first: Ints, unit: Ints, value: Floats, known: Mask) -> Strengths:
    """Means of what is said, or the share of comparisons won."""
    n = field.systems

    def summed(place: Ints, what: Floats) -> Floats:
        found = np.bincount(unit * n + place, what, field.units * n)
        return np.asarray(found.reshape(field.units, n), dtype=np.float64)

    upper, lower = summed(first, value), summed(first, np.ones(len(first)))
    if field.second is not None:
        second = field.second[known]
        upper = upper + summed(second, 1 - value)
        lower = lower + summed(second, np.ones(len(second)))
    value, each = ratio_influence(upper, lower)
    return Strengths(value, value + each)


@frozen(eq=False)
class Verdicts:
    """What people said of items, one by one: `item` (R,), `value` (R,), `rater` (R,) if named."""

    field: Field
    item: Ints
    value: Floats
    rater: Ints | None = None
    raters: int = 0

    @cached_property
    def per_item(self) -> Ints:
        """How many answers each item has (I,)."""
        return np.bincount(self.item, minlength=len(self.field.first))

    def mean(self, keep: Mask | None = None) -> Floats:
        """What people say of each item on average (I,), NaN where nobody does."""
        return self._share(self.value, keep)

    def tied(self, keep: Mask | None = None) -> Floats:
        """The share of answers that are a tie (I,)."""
        return self._share((self.value == 0.5).astype(np.float64), keep)

    def _share(self, what: Floats, keep: Mask | None) -> Floats:
        item = self.item if keep is None else self.item[keep]
        what = what if keep is None else what[keep]
        n = len(self.field.first)
        times = np.bincount(item, minlength=n)
        total = np.bincount(item, what, n)
        return np.asarray(np.divide(total, times, out=np.full(n, np.nan), where=times > 0))

    def without(self) -> Iterator[Mask]:
        """Which answers stay without each rater, or each group of raters."""
        if self.rater is not None:
            yield from masks_without(self.rater, rater_groups(self.raters))

    def deals(self, *, seed: int) -> list[Floats]:
        """Orders in which raters, or nameless answers, are dealt: a number an answer (R,).

        Who comes first on an item is held out, and those who follow are asked. Named raters come in
        one order for all items, so that one person is compared with others as one person.
        """
        if int(self.per_item.max(initial=0)) < 2:
            return [np.zeros(len(self.item))]
        rng = np.random.default_rng([seed, 37])
        if self.rater is None:
            return [rng.random(len(self.item)) for _ in range(_DEALS)]
        if self.raters <= _ALL_DEALS:
            orders = [np.array(each, dtype=np.float64) for each in permutations(range(self.raters))]
        else:
            orders = [rng.permutation(self.raters).astype(np.float64) for _ in range(_DEALS)]
        return [order[self.rater] for order in orders]


def single_answers_share(verdicts: Verdicts) -> float:
    """How much of what leaving raters out shows belongs to single answers, from 0 to 1.

    What varies with an answer varies with its item and with its rater, and would be counted twice:
    V_E = Σ d², d what each answer adds, over V_R, both summed over systems. By shares won, or
    means, whose answers add up: of other strengths it is nearly the same share.
    """
    field, known = verdicts.field, verdicts.per_item > 0
    whole = strengths_of(field, verdicts.mean(), "win-rate").value
    n = field.systems
    sides = [field.first] if field.second is None else [field.first, field.second]
    met = np.bincount(np.concatenate([side[known] for side in sides]), minlength=n)
    single = 0.0
    for place, side in enumerate(sides):
        system = side[verdicts.item]
        value = verdicts.value if place == 0 else 1 - verdicts.value
        adds = (value - whole[system]) / (verdicts.per_item[verdicts.item] * met[system])
        single += float((adds**2).sum())
    left = np.array(
        [strengths_of(field, verdicts.mean(keep), "win-rate").value for keep in verdicts.without()]
    )
    raters = float(rater_variance(left).sum())
    return min(single / raters, 1.0) if varies(raters, scale=scale_of(whole)) else 0.0


@frozen(eq=False)
class Dealt:
    """One person held out, and the mean of one, two, … others, by item (I,); NaN elsewhere."""

    held: Floats
    asked: tuple[Floats, ...]


def dealt(
    verdicts: Verdicts, order: Floats, people: int, used: Mask, keep: Mask | None = None
) -> Dealt:
    """Answers dealt by `order` (R,) on the items `used` (I,): one held out and `people` asked."""
    item, value = verdicts.item, verdicts.value
    if keep is not None:
        item, value, order = item[keep], value[keep], order[keep]
    # Nameless answers that are dealt alike must not hang on the order of the rows.
    rows = np.lexsort((value, order, item))
    item, value = item[rows], value[rows]
    n = len(used)
    starts = np.searchsorted(item, np.arange(n))
    place = np.arange(len(item)) - starts[item]
    enough = used & (np.bincount(item, minlength=n) > people)

    def at(k: int) -> Floats:
        chosen = (place == k) & enough[item]
        found = np.full(n, np.nan)
        found[item[chosen]] = value[chosen]
        return found

    total, asked = np.zeros(n), []
    for k in range(1, people + 1):
        total = total + at(k)
        asked.append(total / k)
    return Dealt(at(0), tuple(asked))


@frozen(eq=False)
class RankingsCompared:
    """Soft pairwise accuracy with one held-out person: of judges, and of 0, 1, … other people.

    `score` (B, J) and `curve` (B, K) in each of B samples of units; the pairs are of systems that
    both have a value.
    """

    score: Floats
    curve: Floats
    pairs: int


def rankings_compared(
    verdicts: Verdicts,
    judges: list[Floats],
    method: Method,
    *,
    used: Mask,
    people: int,
    orders: list[Floats],
    times: Floats | None = None,
    keep: Mask | None = None,
) -> RankingsCompared:
    """How nearly judges (I,) each, and people, rank systems as one held-out person does.

    `times` (B, U) is how often each unit is drawn; left out, each is once.
    """
    field = verdicts.field

    # With few raters the same people are held out, or asked, in several of the orders.
    known_chances: dict[bytes, tuple[Floats, Ints]] = {}

    def chances_of(said: Floats) -> tuple[Floats, Ints]:
        key = said.tobytes()
        if key not in known_chances:
            series = Series(strengths_of(field, said, method).table)
            known_chances[key] = series.chances(times), series.known
        return known_chances[key]

    held: list[Floats] = []
    rows = 1 if times is None else len(times)
    curve = np.zeros((rows, people + 1))
    known: Ints | None = None
    for order in orders:
        cards = dealt(verdicts, order, people, used, keep)
        every, own = chances_of(cards.held)
        known = own if known is None else known
        chances = every[:, known]
        held.append(chances)
        curve[:, 0] += nobodys(chances)
        for k, asked in enumerate(cards.asked, start=1):
            curve[:, k] += soft_pairwise_accuracy(chances, chances_of(asked)[0][:, known])
        if verdicts.rater is None or verdicts.raters > _ALL_DEALS:
            known_chances.clear()  # nobody comes twice, and tables are large
    assert known is not None
    score = np.zeros((rows, len(judges)))
    rated = ~np.isnan(dealt(verdicts, orders[0], people, used, keep).held)
    for place, said in enumerate(judges):
        judged = Series(strengths_of(field, np.where(rated, said, np.nan), method).table)
        mine = judged.chances(times)[:, known]
        score[:, place] = sum(soft_pairwise_accuracy(each, mine) for each in held)
    return RankingsCompared(score / len(orders), curve / len(orders), len(known))
