"""How the ratings were collected: whether an item's number of ratings hangs on what people said.

"Two people, and a third where they differ" is the commonest way to collect labels, and it makes the
ratings of contested items more. What is said of people then needs another recipe than where every
item has as many ratings, or where their number has nothing to do with the item. Which way it was is
read from counts, and a user may say it.
"""

from collections.abc import Iterable
from dataclasses import field, replace
from functools import cached_property
from itertools import pairwise, product
from math import comb, factorial
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc

from headcount.arrays import Floats, Ints
from headcount.counting import Groups, Patterns, group_rows
from headcount.errors import OptionError
from headcount.frozen import frozen

Stopped = Literal["answers", "before", "random"]
"""What decides when an item has ratings enough: its answers so far, something known before anybody
was asked, or nothing that has to do with the item."""

DesignKind = Literal["full", "answers", "before", "random"]

# Items with more than the fewest ratings that may be unanimous all the same, where asking stopped
# by the answers: more than that and the rule was another one.
_EXCEPTIONS = 0.02

# Items that each kind of length needs before a rule is read from it: ten that all agree, and ten of
# which none does, come about by chance once in tens of thousands of data sets.
_FEWEST_ITEMS = 10

# Items of a stratum: with fewer the variance of their agreement is not known well enough.
STRATUM_ITEMS = 40

# Strata that have a population of their own: more of them take longer, and neighbours are alike.
_MOST_STRATA = 6

# Share of items that a curve may leave out for too few ratings, where these are unlike the others.
_LEFT_OUT = 0.02

# How seldom agreement may differ so much from length to length by chance.
_BY_CHANCE = 0.05

# Shares of unanimous items at which a rule by the answers may have been kept loosely: nearly all of
# those with the fewest ratings, hardly any of the others.
_NEARLY_ALL, _HARDLY_ANY = 0.9, 0.15

# Points by which two recipes must differ for the question which is right to matter.
_MATTERS = 0.01

# Labels up to which items are taken apart into pairs: with more they are too many to hold.
_MOST_LABELS = 60

# Answers so far that may be told apart: past it only where asking may first stop is looked at.
_MOST_STATES = 50_000

# Rounds in which the chance of stopping is learned where a rule had exceptions, and its precision.
_ROUNDS, _SETTLED = 50, 1e-4

State = tuple[int, ...]


@frozen(eq=False)
class Spread:
    """Rows of counts as weighted rows of fewer answers: `row` (K,), `first` (K, L), `weight` (K,).

    A sum over items of anything that is known of `first` is a sum of `weight` times that.
    """

    row: Ints
    first: Ints
    weight: Floats

    def times(self, times: NDArray[np.number]) -> Floats:
        """How often each of `first` counts, (b, K), where rows are drawn `times` (b, G)."""
        return np.asarray(times[:, self.row] * self.weight, dtype=np.float64)

    @cached_property
    def distinct(self) -> Groups:
        """The rows of `first` that are alike."""
        return group_rows(self.first)

    def together(self, times: NDArray[np.number]) -> Floats:
        """How often each of the distinct rows counts, (b, Z), where rows are drawn (b, G)."""
        from scipy import sparse  # slow to load

        shape = (times.shape[1], len(self.distinct))
        table = sparse.csr_array((self.weight, (self.row, self.distinct.of_row)), shape=shape)
        return np.asarray((table.T @ times.T).T, dtype=np.float64)

    def mean(self, values: Floats, rows: int) -> Floats:
        """The mean (G, …) of `values` (K, …) over what each of so many rows may have begun with."""
        found = np.zeros((rows, *values.shape[1:]))
        shaped = self.weight.reshape(-1, *[1] * (values.ndim - 1))
        np.add.at(found, self.row, shaped * values)
        return found


@frozen(eq=False)
class FirstAnswers:
    """What the first `fewest` answers of an item may have been, given all of its answers.

    Nobody knew the later answers when the first were asked for: they are those of people drawn at
    random, whatever decided on the rest. Every order of an item's answers in which asking would not
    have stopped before is as likely as every other (Girshick, Mosteller and Savage, Annals of
    Mathematical Statistics 17, 1946). `stops` has the chance that asking stopped at a set of
    answers, for those where it ever did.

    >>> two_and_a_third = FirstAnswers(2, {(2, 0): 1.0, (0, 2): 1.0})
    >>> found = two_and_a_third.of(np.array([[2, 0], [2, 1]]))
    >>> found.first.tolist(), found.weight.tolist()
    ([[2, 0], [1, 1]], [1.0, 1.0])
    """

    fewest: int
    stops: dict[State, float] = field(default_factory=dict)
    _known: dict[bytes, list[tuple[State, float]]] = field(default_factory=dict, init=False)

    @classmethod
    def read(cls, patterns: Patterns, fewest: int) -> "FirstAnswers":
        """The rule of stopping that label counts of finished items show.

        Where items stopped at some answers, asking always stops there, unless other items could
        not have come about so: then how often is learned (by expectation and maximisation).
        """
        finished = {
            tuple(row): float(items)
            for row, items in zip(patterns.counts.tolist(), patterns.items.tolist(), strict=True)
        }
        most = max(sum(state) for state in finished)
        if sum(_states(state) for state in finished) > _MOST_STATES:
            finished = {s: n for s, n in finished.items() if sum(s) <= fewest}
        stops = {state: 1.0 for state in finished if fewest <= sum(state) < most}
        rule = cls(fewest, stops)
        for _ in range(_ROUNDS):
            learned = rule._learned(finished)
            moved = max((abs(learned[s] - rule.stops[s]) for s in learned), default=0.0)
            rule = cls(fewest, learned)
            if moved < _SETTLED:
                break
        return rule

    def of(self, counts: Ints, whole: Ints | None = None) -> Spread:
        """The first answers behind rows of counts (G, L).

        Where some raters were left out, `counts` are what is left of the `whole` (G, L): what is
        left of the first answers then.
        """
        keys = (counts,) if whole is None else (whole, counts)
        alike = group_rows(*keys)
        rows = counts[alike.first], None if whole is None else whole[alike.first]
        found = [self._one(*each) for each in zip(rows[0], _each(rows[1]), strict=False)]
        sizes = np.array([len(each) for each in found], dtype=np.int64)
        first = np.array([s for each in found for s, _ in each], dtype=np.int64)
        weight = np.array([w for each in found for _, w in each], dtype=np.float64)
        start = np.cumsum(sizes) - sizes
        n = sizes[alike.of_row]
        row = np.repeat(np.arange(len(counts)), n)
        inside = np.arange(len(row)) - np.repeat(np.cumsum(n) - n, n)
        place = start[alike.of_row][row] + inside
        return Spread(row, first.reshape(-1, counts.shape[1])[place], weight[place])

    def shares(self, counts: Ints, whole: Ints | None = None) -> Floats:
        """The share of each label among the first answers, (G, L); zeros where none is left."""
        spread = self.of(counts, whole)
        n = spread.first.sum(axis=1)
        rated = spread.mean((n > 0).astype(np.float64), len(counts))
        found = spread.mean(spread.first / np.maximum(n, 1)[:, None], len(counts))
        return np.asarray(found / np.where(rated > 0, rated, 1.0)[:, None])

    def _one(self, counts: Ints, whole: Ints | None) -> list[tuple[State, float]]:
        key = counts.tobytes() + (b"" if whole is None else whole.tobytes())
        if key not in self._known:
            end = tuple((counts if whole is None else whole).tolist())
            begun = self._begun(end)
            left = tuple(counts.tolist())
            self._known[key] = begun if left == end else _after_leaving(begun, end, left)
        return self._known[key]

    def _begun(self, end: State) -> list[tuple[State, float]]:
        """What an item that ended so may have begun with, and how likely each is."""
        if sum(end) <= self.fewest:
            return [(end, 1.0)]
        ways = self._ways(end)
        found = [(z, _orders(z) * (1 - self._stop(z)) * ways(z)) for z in _within(end, self.fewest)]
        total = sum(weight for _, weight in found)
        if total <= 0:  # the rule does not allow it: as if it had none
            found = [(z, _chosen(end, z)) for z in _within(end, self.fewest)]
            total = sum(weight for _, weight in found)
        return [(z, weight / total) for z, weight in found if weight > 0]

    def _stop(self, state: State) -> float:
        return self.stops.get(state, 0.0)

    def _ways(self, end: State) -> Any:
        """How many ways lead on from a set of answers to the `end`, each by its chance."""
        later = any(sum(state) > self.fewest for state in self.stops)
        if not later or _states(end) > _MOST_STATES:
            # In proportion: the orders of a thousand answers are more than a number holds.
            return lambda state: _chosen(end, state) / _orders(state)
        known: dict[State, float] = {end: 1.0}

        def ways(state: State) -> float:
            if state not in known:
                known[state] = sum(
                    (1.0 if further == end else 1 - self._stop(further)) * ways(further)
                    for further in _further(state, end)
                )
            return known[state]

        return ways

    def _learned(self, finished: dict[State, float]) -> dict[State, float]:
        """The chances of stopping by how many items stopped, and how many are likely to have passed
        through: half to begin with where an item could not have come about otherwise.
        """
        stops, passed = dict(self.stops), dict.fromkeys(self.stops, 0.0)
        for end, items in finished.items():
            if sum(end) <= self.fewest:
                continue
            through = self._through(end)
            if through is None:
                for state in stops:
                    if all(a <= b for a, b in zip(state, end, strict=True)) and state != end:
                        stops[state] = min(stops[state], 0.5)
                        passed[state] += items
                continue
            for state, chance in through.items():
                passed[state] += items * chance
        return {
            state: chance
            if passed[state] == 0
            else finished[state] / (finished[state] + passed[state])
            for state, chance in stops.items()
        }

    def _through(self, end: State) -> dict[State, float] | None:
        """The chance that an item that ended so passed through each set of answers at which asking
        may stop; None where no way leads there.
        """
        ways = self._ways(end)
        forward: dict[State, float] = {}

        def before(state: State) -> float:
            if sum(state) <= self.fewest:
                return float(_orders(state))
            if state not in forward:
                forward[state] = sum(
                    before(earlier) * (1 - self._stop(earlier)) for earlier in _earlier(state)
                )
            return forward[state]

        total = sum(_orders(z) * (1 - self._stop(z)) * ways(z) for z in _within(end, self.fewest))
        if total <= 0:
            return None
        return {
            state: before(state) * (1 - chance) * ways(state) / total
            for state, chance in self.stops.items()
            if chance < 1 and state != end and all(a <= b for a, b in zip(state, end, strict=True))
        }


def _each(rows: Ints | None) -> Iterable[Ints | None]:
    if rows is not None:
        yield from rows
        return
    while True:
        yield None


def _states(end: State) -> int:
    found = 1
    for number in end:
        found *= number + 1
    return found


def _orders(state: State) -> int:
    found = factorial(sum(state))
    for number in state:
        found //= factorial(number)
    return found


def _chosen(end: State, some: State) -> float:
    """The chance that so many answers, drawn from those of `end`, are `some`."""
    found = 1
    for number, drawn in zip(end, some, strict=True):
        found *= comb(number, drawn)
    return found / comb(sum(end), sum(some))


def _less(one: State, other: State) -> State:
    return tuple(a - b for a, b in zip(one, other, strict=True))


def _within(end: State, size: int) -> list[State]:
    """Every set of `size` answers out of those of `end`."""
    if len(end) == 1:
        return [(size,)] if size <= end[0] else []
    return [
        (number, *rest)
        for number in range(min(end[0], size) + 1)
        for rest in _within(end[1:], size - number)
    ]


def _further(state: State, end: State) -> list[State]:
    return [
        (*state[:at], state[at] + 1, *state[at + 1 :])
        for at in range(len(state))
        if state[at] < end[at]
    ]


def _earlier(state: State) -> list[State]:
    return [
        (*state[:at], state[at] - 1, *state[at + 1 :]) for at in range(len(state)) if state[at] > 0
    ]


def _after_leaving(
    begun: list[tuple[State, float]], end: State, left: State
) -> list[tuple[State, float]]:
    """What is left of first answers where of all answers to `end` only those of `left` stay.

    Answers alike are as likely to be among the first: how many of them go is hypergeometric.
    """
    found: dict[State, float] = {}
    gone = _less(end, left)
    for state, weight in begun:
        for lost in product(*(range(min(a, g) + 1) for a, g in zip(state, gone, strict=True))):
            chance = weight
            for n, x, a, g in zip(end, lost, state, gone, strict=True):
                chance *= comb(g, x) * comb(n - g, a - x) / comb(n, a)
            if chance > 0:
                rest = _less(state, lost)
                found[rest] = found.get(rest, 0.0) + chance
    return list(found.items())


@frozen(eq=False)
class Design:
    """How ratings were collected: of which `kind`, read from counts or `said` by the user.

    "full": every item has as many. "answers": whether more were asked for hung on the first
    `fewest` answers. "before": items with more ratings are more (or less) contested, though that
    was decided before. "random": how many there are has nothing to do with how contested they are.
    `lengths` are the numbers of ratings at which strata of items begin, `agreeing` how often two
    people agree in each. `otherwise` is the share of pairs that agree by the other recipe, where
    counts leave open which it was and it matters.
    """

    kind: DesignKind
    patterns: Patterns
    said: bool = False
    fewest: int = 1
    most: int = 1
    lengths: tuple[int, ...] = ()
    agreeing: tuple[float, ...] = ()

    @classmethod
    def of(cls, patterns: Patterns, stopped: str | None = None) -> "Design":
        """The design that label counts show, or that a user says.

        >>> counts = np.array([[2, 0], [0, 2], [2, 1], [1, 2]])
        >>> Design.of(Patterns(counts, np.array([40, 30, 20, 10]))).kind
        'answers'
        """
        check_stopped(stopped)
        compared = patterns.only(patterns.raters > 1)
        n = compared.raters
        if not len(n) or n.min() == n.max():
            only = int(n.max()) if len(n) else 1
            return cls("full", patterns, fewest=only, most=only)
        fewest, most = int(n.min()), int(n.max())
        lengths, agreeing, chance = _by_length(compared)
        kind: DesignKind = "random"
        if stopped is not None:
            kind = stopped  # type: ignore[assignment]  # checked above
        elif _stops_by_answers(patterns, compared, fewest):
            kind = "answers"
        elif chance < _BY_CHANCE:
            kind = "before"
        return cls(kind, patterns, stopped is not None, fewest, most, lengths, agreeing)

    @cached_property
    def first_answers(self) -> FirstAnswers | None:
        """The first answers of every item, where it hung on them whether more were asked for."""
        if self.kind != "answers":
            return None
        return FirstAnswers.read(self.patterns, self.fewest)

    def first(self, counts: Ints, whole: Ints | None = None) -> Spread | None:
        """Rows of counts (G, L) as answers of people drawn at random; None where they are that."""
        known = self.first_answers
        return None if known is None else known.of(counts, whole)

    def alike(self, counts: Ints, whole: Ints | None = None) -> Spread | None:
        """The same where pairs of answers count: also so that every item counts the same.

        Where numbers of ratings were decided before, an item is as much as any pair of its answers
        shows. None where all pairs count.
        """
        if self.kind == "before":
            return pairs_of(counts) if counts.shape[1] <= _MOST_LABELS else None
        return self.first(counts, whole)

    def as_people(self, counts: Ints) -> Floats:
        """How much each label of items (G, L) counts where items stand for people at large.

        All ratings count where their number has nothing to do with the item, else every item the
        same.
        """
        if self.first_answers is not None:
            return self.first_answers.shares(counts)
        found = counts.astype(np.float64)
        if self.kind == "before":
            found /= np.maximum(found.sum(axis=1, keepdims=True), 1)
        return found

    @cached_property
    def measured_to(self) -> int | None:
        """The ratings an item needs for a curve of all items; None where any block of them will do.

        Items with fewer must be few, since they are not like the others.
        """
        if self.kind == "answers":
            return self.fewest
        if self.kind != "before":
            return None
        compared = self.patterns.only(self.patterns.raters > 1)
        reach = [
            length
            for length in range(self.fewest, self.most + 1)
            if compared.items[compared.raters < length].sum() <= _LEFT_OUT * compared.n_items
        ]
        return max(reach)

    @cached_property
    def strata(self) -> tuple[int, ...]:
        """Numbers of ratings at which strata of items begin, each with a population of its own."""
        if self.kind != "before" or len(self.lengths) < 2:
            return ()
        n, items = self.patterns.raters, self.patterns.items
        begins, held = [self.lengths[0]], 0.0
        for start, end in pairwise((*self.lengths, self.most + 1)):
            if held * _MOST_STRATA >= items.sum():
                begins.append(start)
                held = 0.0
            held += float(items[(n >= start) & (n < end)].sum())
        return tuple(begins)

    @cached_property
    def otherwise(self) -> tuple[float, float] | None:
        """How often two people agree by this recipe and by that of answers that decide, where a
        rule by the answers may have been kept loosely, and the two differ enough to matter.
        """
        if self.said or self.kind != "before":
            return None
        compared = self.patterns.only(self.patterns.raters > 1)
        first = compared.raters == self.fewest
        alone = compared.counts.max(axis=1) == compared.raters
        at_first, later = (
            float(compared.items[part & alone].sum() / max(compared.items[part].sum(), 1))
            for part in (first, ~first)
        )
        if at_first < _NEARLY_ALL or later > _HARDLY_ANY:
            return None
        this, other = (_agreeing(replace(self, kind=kind)) for kind in ("before", "answers"))
        return (this, other) if abs(this - other) >= _MATTERS else None

    def sentence(self) -> str:
        """How the ratings were collected, for the first lines of a result.

        "" where that changes nothing: all items alike, or different by chance alone.
        """
        if self.kind == "full" or (self.kind == "random" and not self.said):
            return ""
        if self.kind == "answers":
            told = (
                f"Items have {self.fewest} ratings where these agree, and more where they do not"
                if not self.said
                else f"Whether an item has more than {self.fewest} ratings hung on its answers"
            )
            return f"{told}: the first {self.fewest} of every item count{self._as_said}."
        if self.kind == "random":
            return (
                f"Items have {self.fewest} to {self.most} ratings, and how many has nothing to do "
                f"with how contested they are{self._as_said}."
            )
        if len(self.lengths) < 2:
            return f"Items have {self.fewest} to {self.most} ratings: each counts the same."
        few, many = (f"{100 * self.agreeing[at]:.0f} %" for at in (0, -1))
        return (
            f"Items with more labels are {self._how}: two people agree on {few} of those with "
            f"{self.lengths[0]} and on {many} of those with {self.lengths[-1]} or more, so "
            f"each item counts the same{self._as_said}."
        )

    def question(self) -> str:
        """What only the user knows, where counts leave the design open and it matters; else ""."""
        if self.otherwise is None:
            return ""
        this, other = self.otherwise
        return (
            "Were items given more ratings because their first ones differed? Then two people "
            f"agree {100 * other:.1f} % of the time and not {100 * this:.1f} %: say --stopped "
            "answers, or --stopped before if that was decided before anybody was asked."
        )

    @property
    def as_they_stand(self) -> tuple[str, ...]:
        """What to know of numbers that are of all ratings, whatever decided on their number."""
        if self.kind != "answers":
            return ()
        return (
            f"Items have more ratings where the first {self.fewest} differed, and these numbers "
            "are of all ratings as they stand: contested items have more than their share.",
        )

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentence and the question, those there are."""
        return tuple(line for line in (self.sentence(), self.question()) if line)

    @property
    def _as_said(self) -> str:
        return " (as you say)" if self.said else ""

    @property
    def _how(self) -> str:
        return "more contested" if self.agreeing[-1] < self.agreeing[0] else "less contested"


def pairs_of(counts: Ints) -> Spread:
    """Items (G, L) as the pairs of their ratings, which weigh one together; a single one as it is.

    >>> found = pairs_of(np.array([[2, 1], [1, 0]]))
    >>> found.row.tolist(), found.first.tolist(), found.weight.round(2).tolist()
    ([0, 0, 1], [[2, 0], [1, 1], [1, 0]], [0.33, 0.67, 1.0])
    """
    n, labels = counts.sum(axis=1), counts.shape[1]
    one, other = np.triu_indices(labels)
    kinds = np.zeros((len(one), labels), dtype=np.int64)
    np.add.at(kinds, (np.arange(len(one)), one), 1)
    np.add.at(kinds, (np.arange(len(one)), other), 1)
    c = counts.astype(np.float64)
    times = np.where(one == other, c[:, one] * (c[:, one] - 1), 2 * c[:, one] * c[:, other])
    chance = times / np.maximum(n * (n - 1), 1)[:, None]
    row, kind = np.nonzero(chance)
    single = np.flatnonzero(n == 1)
    rows = np.concatenate([row, single])
    order = np.argsort(rows, kind="stable")
    first = np.concatenate([kinds[kind], counts[single]])
    weight = np.concatenate([chance[row, kind], np.ones(len(single))])
    return Spread(rows[order], first[order], weight[order])


def check_stopped(stopped: str | None) -> None:
    """Refuse what does not say when asking stopped."""
    if stopped is not None and stopped not in get_args(Stopped):
        raise OptionError(
            'stopped is "answers" (more were asked where the first differed), "before" (decided '
            'before anybody was asked, by what the item is) or "random" (nothing to do with the '
            f"item); it was {stopped!r}."
        )


def pair_shares(counts: Ints) -> Floats:
    """The share of an item's pairs of ratings that are the same, (G,), for two ratings or more."""
    n = counts.sum(axis=1).astype(np.float64)
    shares: Floats = (counts * (counts - 1.0)).sum(axis=1) / (n * (n - 1))
    return shares


def _agreeing(design: Design) -> float:
    """How often two people agree about an item, by the recipe of a design."""
    compared = design.patterns.only(design.patterns.raters > 1)
    spread = design.alike(compared.counts)
    if spread is None:
        return float(compared.items @ pair_shares(compared.counts) / compared.n_items)
    paired = spread.first.sum(axis=1) > 1
    weight = (spread.weight * compared.items[spread.row])[paired]
    return float(weight @ pair_shares(spread.first[paired]) / weight.sum())


def _stops_by_answers(everything: Patterns, compared: Patterns, fewest: int) -> bool:
    """Whether every item with the fewest ratings is unanimous and hardly any of the others is."""
    n, alone = compared.raters, compared.counts.max(axis=1) == compared.raters
    first, later = n == fewest, n > fewest
    items = compared.items
    if min(items[first].sum(), items[later].sum()) < _FEWEST_ITEMS:
        return False
    # Where single ratings are more than slips of the pen, asking stopped before anybody could
    # differ.
    single = everything.n_items - compared.n_items
    if single > _EXCEPTIONS * everything.n_items:
        return False
    return bool(
        not items[first & ~alone].sum()
        and items[later & alone].sum() <= _EXCEPTIONS * items[later].sum()
    )


def _by_length(compared: Patterns) -> tuple[tuple[int, ...], tuple[float, ...], float]:
    """Strata by exact numbers of ratings, how often two people agree in each, and how likely it is
    that they differ as much by chance (chi-square).
    """
    shares, items, n = pair_shares(compared.counts), compared.items, compared.raters
    lengths: list[int] = []
    held: list[NDArray[np.bool_]] = []
    start = None
    for length in np.unique(n):
        start = int(length) if start is None else start
        rows = (n >= start) & (n <= length)
        if items[rows].sum() >= STRATUM_ITEMS:
            lengths.append(start)
            held.append(rows)
            start = None
    if start is not None and held:  # the last few join those before them
        held[-1] = n >= lengths[-1]
    if len(held) < 2:
        return (int(n.min()),), (float(items @ shares / items.sum()),), 1.0
    size = np.array([items[rows].sum() for rows in held], dtype=np.float64)
    mean = np.array([items[rows] @ shares[rows] for rows in held]) / size
    squares = np.array([items[rows] @ shares[rows] ** 2 for rows in held]) / size - mean**2
    # Half an item that differs and half that agrees: none is as alike as all it shows.
    variance = (squares * size + 0.25) / (size + 1) / (size - 1)
    centre = float((mean / variance).sum() / (1 / variance).sum())
    chance = float(chdtrc(len(held) - 1, ((mean - centre) ** 2 / variance).sum()))
    return tuple(lengths), tuple(float(each) for each in mean), chance
