"""The people behind a score: what they said about each item, how often they slip, who is judged.

What they hold on single items is seen in the light of all the others.
"""

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints, Mask
from headcount.data import (
    Classifier,
    FirstAnswers,
    Groups,
    Labels,
    Ratings,
    Study,
    as_study,
    enough,
    group_rows,
)
from headcount.deconvolution.rates import FlipRates, Pooling
from headcount.deconvolution.slips import (
    MOST_SLIPS,
    most_disagreement,
    primary_shares,
    unbiased_shares,
)
from headcount.deconvolution.sources import Method
from headcount.deconvolution.votes import Votes, as_shares
from headcount.door import positions
from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.population import Population, fit_population
from headcount.sampling import Bootstrap, Samples

Rows = NDArray[np.integer] | NDArray[np.bool_]


@frozen
class Opinions:
    """The population of items behind counts (n, L), at a flip rate and its two bounds.

    `size` (n,) is how many items have each row of counts, one by default.
    """

    counts: Ints
    rates: tuple[float, float, float]
    size: Ints | None = None

    @cached_property
    def _populations(self) -> list[Population]:
        groups = group_rows(self.counts, size=self.size)
        patterns = self.counts[groups.first]
        fitted = {
            rate: fit_population(patterns, groups.size, slip=rate) for rate in set(self.rates)
        }
        return [fitted[rate] for rate in self.rates]

    def given(self, counts: Ints) -> Floats:
        """The shares held behind counts (G, L), at each of the three rates: (3, G, L)."""
        groups = group_rows(counts)
        patterns = counts[groups.first]
        found = [each.predict(patterns) for each in self._populations]
        return np.stack(found)[:, groups.of_row]

    def by_answer(self, counts: Ints, size: Ints, answers: Ints) -> "dict[int, Opinions]":
        """The populations of the items to which a classifier gave each of its `answers` (G,).

        Its answer tells something about the item that people's few answers do not, so each
        answer has a population of its own, as long as enough items got it.
        """
        found = {}
        for answer in np.unique(answers):
            rows = answers == answer
            if size[rows].sum() >= LEAST_ITEMS:
                found[int(answer)] = Opinions(counts[rows], self.rates, size[rows])
        return found

    def behind(self, counts: Ints, answers: Ints, own: "dict[int, Opinions]") -> Floats:
        """The shares held behind counts and a classifier's answers (G,): (3, G, L)."""
        known = self.given(counts)
        for answer, population in own.items():
            rows = answers == answer
            if rows.any():
                known[:, rows] = population.given(counts[rows])
        return known

    def at(self, known: Floats, rate: Floats) -> Floats:
        """The shares at other rates (…, G, 1), by straight lines through those `known`."""
        middle, low, high = self.rates
        below = _slope(known[0] - known[1], middle - low)
        above = _slope(known[2] - known[0], high - middle)
        moved = rate - middle
        held = np.clip(known[0] + moved * np.where(moved < 0, below, above), 0.0, 1.0)
        shares: Floats = held / held.sum(axis=-1, keepdims=True)
        return shares


@frozen
class Jury:
    """Items as the scores see them, a row an item or a group of identical ones.

    `shares` (G, L) are the labels as given; `weight` (G,) is how much one item counts and
    `size` (G,) how many items a row stands for. `rate`, `low` and `high` (G, L) or (G, 1) are
    the flip rates behind an answer of each label; `pooling` is there where a bootstrap can
    pool them anew. `opinions` are the population behind the `counts` (G, L), where it can be told.
    `people` (G, L) is what share of people at large would say so, where answers given are not like
    that, because more were asked for where the first ones differed.
    """

    shares: Floats
    size: Ints
    weight: Floats
    rate: Floats
    low: Floats
    high: Floats
    pooling: Pooling | None = None
    counts: Ints | None = None
    opinions: Opinions | None = None
    people: Floats | None = None

    @property
    def said(self) -> Floats:
        """The share of people who would give each label, (G, L), slips included."""
        return self.shares if self.people is None else self.people

    @classmethod
    def of(
        cls,
        shares: Floats,
        weight: Floats,
        flips: FlipRates,
        opinions: Opinions | None = None,
        size: Ints | None = None,
        people: Floats | None = None,
    ) -> "Jury":
        """Items with their flip rates; `size` (n,) says how many a row stands for, one each."""
        size = np.ones(len(shares), dtype=np.int64) if size is None else size
        rate, low, high = flips.by_answer
        counts = None if opinions is None else opinions.counts
        return cls(shares, size, weight, rate, low, high, flips.pooling, counts, opinions, people)

    def take(self, rows: Rows) -> "Jury":
        """Some of the rows, or rows several times."""
        return replace(
            self,
            shares=self.shares[rows],
            size=self.size[rows],
            weight=self.weight[rows],
            rate=self.rate[rows],
            low=self.low[rows],
            high=self.high[rows],
            pooling=None if self.pooling is None else self.pooling.take(rows),
            counts=None if self.counts is None else self.counts[rows],
            people=None if self.people is None else self.people[rows],
        )

    def grouped(self, *outputs: NDArray[np.generic]) -> tuple["Jury", Ints]:
        """Identical rows as one, and the position of the first of each."""
        groups = self.alike(*outputs)
        return self.merged(groups), groups.first

    def merged(self, groups: Groups) -> "Jury":
        """The rows of each group as one."""
        return replace(self.take(groups.first), size=groups.size)

    def alike(self, *outputs: NDArray[np.generic]) -> Groups:
        """Which rows are identical.

        Rows are identical where the people and all the `outputs` (G, …) are.
        """
        people = (self.shares, self.said, self.weight, self.rate)
        keys: list[NDArray[np.generic]] = [np.round(part, 12) for part in people]
        if self.pooling is not None:
            evidence = self.pooling.evidence
            keys += [self.pooling.place, evidence.events, evidence.trials]
        if self.counts is not None:
            keys.append(self.counts)
        return group_rows(*keys, *outputs, size=self.size)

    def held(self, rate: Floats | None = None) -> Floats:
        """The share of people who hold each label, item by item, at this rate or another.

        The posterior mean given the item's answers; cut at zero, the paper's way, where the
        population behind them cannot be told.
        """
        rates = self.rate if rate is None else rate
        if self.opinions is not None:
            return self._given[0] if rate is None else self.opinions.at(self._given, rates)
        own = rates[..., 0] if rates.shape[-1] == 1 else (self.said * rates).sum(axis=-1)
        return primary_shares(self.said, own)

    @cached_property
    def _given(self) -> Floats:
        assert self.opinions is not None
        assert self.counts is not None
        return self.opinions.given(self.counts)

    def unbiased(self, rate: Floats | None = None) -> Floats:
        """The same where means over items count: right on average, beyond 0 and 1 if need be."""
        return unbiased_shares(self.said, self.rate if rate is None else rate)

    def redrawn_rates(self, draws: Ints) -> Floats | None:
        """Flip rates (B, G, L) or (B, G, 1) pooled anew from what each bootstrap sample drew.

        `draws` (B, G) says how often each row was drawn. None where the rates were given.
        A sample without evidence on a stratum keeps the rate estimated from all the data.
        """
        if self.pooling is None:
            return None
        evidence = self.pooling.evidence
        by_stratum = self.pooling.rates(draws @ evidence.events, draws @ evidence.trials)
        rates: Floats = by_stratum[:, self.pooling.place]
        return np.where(np.isnan(rates), self.rate, rates)


@frozen
class Panel:
    """The people's votes on every item, their flip rates, and how items are weighed.

    `samples` says what is taken as a sample of the items of the votes and their raters, `part` is
    the panel on a part of the items, where raters are left out on that alone.
    """

    study: Study = field(repr=False)
    votes: Votes = field(repr=False)
    flips: FlipRates = field(repr=False)
    by_ratings: bool
    plan: Bootstrap
    method: Method = "unbiased"
    samples: Samples = field(repr=False, kw_only=True)
    part: "Panel | None" = field(default=None, repr=False, kw_only=True)

    @property
    def ratings(self) -> Ratings:
        """What people said."""
        return self.study.ratings

    @property
    def labels(self) -> Labels:
        """The labels in order."""
        return self.ratings.labels

    @cached_property
    def jury(self) -> Jury:
        """All the people on all the items, a row an item."""
        first = self.first_answers
        jury = self.jury_of(self.votes.counts)
        if first is None:
            return jury
        return replace(jury, people=first.shares(np.rint(self.votes.counts).astype(np.int64)))

    @property
    def first_answers(self) -> FirstAnswers | None:
        """The first answers of every item, where only these are like people's and all are alike."""
        alike = self.votes.ballots is None and self.votes.mixed is None
        return self.study.design.first_answers if alike else None

    def jury_of(self, counts: Floats) -> Jury:
        """The people with these votes (n, L): all of them, or a group."""
        total = counts.sum(axis=1)
        weight = total if self.by_ratings else np.ones(len(total))
        size = self.votes.sizes
        opinions = None if self.method == "paper" else opinions_of(counts, self.flips, size)
        return Jury.of(as_shares(counts), weight, self.flips, opinions, size)

    def without_each(self) -> Iterator[tuple[Mask, Votes]]:
        """Which of all raters (m,) stay, and their votes, without each rater or group of raters."""
        out, votes = self.samples.left_out_with, self.votes
        named = np.array(self.samples.raters, dtype=object)
        place = np.arange(len(named))
        if votes.ballots is not None or self.flips.trials is not None:
            place = positions(self.ratings.answers().raters, named)
        group = np.where(place >= 0, out[place], -1)  # who has no vote here is never left out
        everyone = (group != each for each in range(int(out.max(initial=-1)) + 1))
        if votes.ballots is not None:
            for stay in everyone:
                yield stay, votes.without(stay)
            return
        whole = votes.counts.astype(np.int64)
        for stay, counts in zip(everyone, self.samples.without(whole), strict=True):
            left = counts.astype(np.float64)
            yield stay, replace(votes, counts=left, answers=left.sum(axis=1))

    def bench(
        self, predictions: object, positive: str | None, unknown: str, *, decisions: bool
    ) -> "Bench":
        """The classifiers' answers by item of the votes; without predictions, nobody's.

        `predictions` are what a user hands over: Predictions, a frame, a path, a Study that
        holds them, or None for those of the study itself. With `decisions` only the label that
        a classifier settles on is kept, so that items with the same decisions are one row.
        """
        study = self._study_with(predictions, positive, unknown)
        n = len(self.votes.items)
        if study.predictions is None:
            return Bench((), np.ones(n, dtype=bool))
        judged = study.judged
        rows = np.arange(n)  # where rows are groups, the votes are of the same ones
        if judged.items is not None:
            rows = positions(self.votes.items, judged.items)
        answered = rows >= 0
        if not answered.any():
            raise UnanswerableError(
                f"No item with enough ratings is answered by every classifier in "
                f"{study.predictions.name}: choose a smaller min_ratings, or check the item ids."
            )
        classifiers = [decided(each) if decisions else each for each in judged.classifiers]
        return Bench(tuple(each.take(rows) for each in classifiers), answered, judged.notes)

    def _study_with(self, predictions: object, positive: str | None, unknown: str) -> Study:
        if isinstance(predictions, Study):
            return predictions
        if predictions is None:
            own = self.study
            asked = positive is None or positive == own.positive
            if own.predictions is None or (asked and unknown in ("error", own.unknown)):
                return own
            predictions = own.predictions
        return as_study(
            self.ratings, predictions, positive=positive, unknown=unknown, item_by_item=True
        )


def decided(classifier: Classifier) -> Classifier:
    """The classifier as one that gives labels: the most probable one for each item."""
    return replace(classifier, codes=classifier.top(), probabilities=None)


@frozen
class Bench:
    """Classifiers on the items of the votes; what stands where `answered` is false is void."""

    classifiers: tuple[Classifier, ...]
    answered: Mask
    notes: tuple[str, ...] = ()

    def decided(self) -> "Bench":
        """The same with the label alone that each classifier settles on."""
        return replace(self, classifiers=tuple(decided(each) for each in self.classifiers))


@frozen
class Session:
    """A jury with identical rows as one, and the classifiers on its rows.

    `judged` (G,) are the rows that are scored; the others only tell of flip rates.
    `beside` (G, …) is what else was asked to be kept apart, on the same rows. `rows` (m,) are the
    items of the votes that take part, and `group` (m,) the row that each is part of.
    """

    jury: Jury
    classifiers: tuple[Classifier, ...]
    judged: Mask
    beside: Floats
    rows: Ints
    group: Ints

    def items(self, rows: Mask) -> int:
        """How many items the rows stand for."""
        return int(self.jury.size[rows].sum())


def convene(jury: Jury, bench: Bench, judged: Mask, beside: Floats | None = None) -> Session:
    """Group identical rows; rows that nobody judges stay only where they tell of flip rates."""
    extra = np.zeros((len(judged), 0)) if beside is None else beside
    classifiers: Sequence[Classifier] = bench.classifiers
    rows = np.arange(len(judged))
    if jury.pooling is None and not judged.all():
        rows = np.flatnonzero(judged)
        jury, extra = jury.take(judged), extra[judged]
        classifiers = [each.take(judged) for each in classifiers]
        judged = judged[judged]
    outputs = [np.where(judged[:, None], each.outputs(), 0) for each in classifiers]
    groups = jury.alike(judged, extra, *outputs)
    first = groups.first
    return Session(
        jury.merged(groups),
        tuple(each.take(first) for each in classifiers),
        judged[first],
        extra[first],
        rows,
        groups.of_row,
    )


# Fewer items do not tell what items are like.
LEAST_ITEMS = 50

# Fitting more labels through slips takes minutes on ordinary data.
MOST_LABELS = 2


def opinions_of(counts: Floats, flips: FlipRates, size: Ints | None = None) -> Opinions | None:
    """The population behind weighted counts (n, L); None where it cannot be told.

    That takes one flip rate for all, above zero and below blindness; whole answers, two and
    more on some items; and not too many labels.
    """
    n_items, n_labels = len(counts) if size is None else int(size.sum()), counts.shape[1]
    rates = flips.by_answer
    if not 2 <= n_labels <= MOST_LABELS or n_items < LEAST_ITEMS:
        return None
    rate, low, high = (float(each) for each in rates[:, 0, 0])
    one_rate = bool((rates == rates[:, :1, :1]).all())
    if not one_rate or rate <= 0 or high >= MOST_SLIPS * most_disagreement(n_labels):
        return None
    whole = np.rint(counts).astype(np.int64)
    if np.abs(whole - counts).max() > 1e-9 or whole.sum(axis=1).max() < 2:
        return None
    return Opinions(enough(whole), (rate, low, high), size)


def _slope(rise: Floats, run: float) -> Floats:
    return rise / run if run > 0 else np.zeros_like(rise)
