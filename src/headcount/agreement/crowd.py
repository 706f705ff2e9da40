"""What people say of classifiers: in the data, in samples of items, and without each rater.

Every number here is a function of sums over items, so samples cost a product with the groups of
items that are alike, and leaving a rater out costs one more table of counts.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.weighted import pair_credit
from headcount.data import Classifier, Judged, Nearness, Study, group_rows
from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.sampling import Bootstrap, Plan, Sampled, Samples, sampled

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_NO_PAIR = "no item has the labels of two people"
Statistic = Callable[[Ints, Ints, NDArray[np.number]], Mapping[str, Floats]]
"""Of label counts (G, L) of the items in `rows` (G,), drawn `times` (b, G): arrays (b, …)."""


@frozen(eq=False)
class Crowd:
    """The judged items, a row each, who rated them, and how samples of them are drawn."""

    study: Study
    samples: Samples
    plan: Bootstrap

    @classmethod
    def of(cls, study: Study, plan: Bootstrap, *, two_way: bool | None = None) -> "Crowd":
        """The crowd of a study."""
        return cls(study, study.sampled(two_way=two_way), plan)

    @property
    def judged(self) -> Judged:
        """The items, a row each."""
        return self.study.judged

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers' names."""
        return tuple(each.name for each in self.judged.classifiers)

    @property
    def nearness(self) -> Nearness:
        """When two answers count as agreeing."""
        return self.study.nearness

    @cached_property
    def shares(self) -> Floats:
        """The share of people who give each label on each item, (n, L)."""
        counts, first = self.judged.counts, self.study.design.first_answers
        if first is not None:
            return first.shares(counts)
        shares: Floats = counts / np.maximum(counts.sum(axis=1), 1)[:, None]
        return shares

    @cached_property
    def answers(self) -> Ints:
        """The label that each classifier decides for, (n, C); −1 is none of the labels."""
        return np.column_stack([self._decided(each) for each in self.judged.classifiers])

    def _decided(self, classifier: Classifier) -> Ints:
        return classifier.middle() if self.nearness.has_order else classifier.top()

    @cached_property
    def numbers(self) -> Floats:
        """What each classifier says as a number on the scale, (n, C); NaN outside of it."""
        values = np.array(self.nearness.values)
        return np.column_stack(
            [
                _as_numbers(each, answer, values)
                for each, answer in zip(self.judged.classifiers, self.answers.T, strict=True)
            ]
        )

    @cached_property
    def near(self) -> Floats:
        """1 for each label that is near what a classifier says, (n, C, L)."""
        places = self.nearness.place_of(self.numbers)
        return np.stack([self.nearness.of_places(each) for each in places.T], axis=1)

    def agreeing_shares(self, counts: Ints, rows: Ints) -> tuple[Floats, Ints]:
        """The share of ratings (G, L) of the items `rows` near each answer (G, C); their number."""
        if not self.nearness.has_order:
            return same_shares(counts, self.answers[rows])
        size = counts.sum(axis=1)
        near = np.einsum("gl,gcl->gc", counts.astype(np.float64), self.near[rows])
        return near / np.maximum(size, 1)[:, None], size

    @cached_property
    def plan_of_samples(self) -> Plan:
        """What is counted as a sample, with the number of judged items."""
        return replace(self.samples.plan, items=max(self.judged.n_items, 1))

    @cached_property
    def people(self) -> "Crowd":
        """The items on which raters are left out in turn: these, or a part of them."""
        if self.samples.part is None:
            return self
        return Crowd(*self.study.people(self.samples), self.plan)

    @property
    def of_items(self) -> "Crowd":
        """The same crowd without the part: what has no say on a part is about items alone."""
        return self if self.samples.part is None else replace(self, samples=self.samples.of_items())

    def measure(
        self, statistic_of: Callable[["Crowd"], Statistic], *keys: Ints
    ) -> dict[str, Sampled]:
        """A statistic of the data, of samples and without each rater.

        `statistic_of` makes it for these items, and again for the part of them on which raters
        are left out. `keys` (n,) or (n, d) are what it reads of items beside counts and answers:
        items alike in everything are one group.
        """
        counts, statistic = self.judged.counts, statistic_of(self)
        between = [
            np.nan_to_num(self.numbers[:, place])
            for place, each in enumerate(self.judged.classifiers)
            if each.scores is not None
        ]
        groups = group_rows(counts, self.answers, *between, *keys, size=self.judged.size)
        patterns = counts[groups.first]
        crowd, design = self.people, self.study.design
        those, of_part = crowd.judged.counts, statistic_of(crowd)
        rows, ones = np.arange(len(those)), np.ones((1, len(those)), dtype=np.int64)
        began = design.first(patterns)

        def of_first(left: Ints) -> Mapping[str, Floats]:
            """Of what is left of the answers without a rater."""
            first = design.first(left, those)
            if first is None:
                return of_part(left, rows, ones)
            return of_part(first.first, rows[first.row], first.times(ones))

        def of_times(times: NDArray[np.integer]) -> Mapping[str, Floats]:
            if began is None:
                return statistic(patterns, groups.first, times)
            return statistic(began.first, groups.first[began.row], began.times(times))

        return sampled(
            of_times,
            groups.size,
            plan=self.plan,
            samples=self.plan_of_samples,
            clusters=self.samples.clusters_of(groups.of_row),
            without=map(of_first, crowd.samples.without(those)),
            part=None if crowd is self else of_first(those),
        )

    @cached_property
    def agreeing(self) -> dict[str, Sampled]:
        """Shares of people: "agree" with each classifier (C,); on items that two people rated,
        "judge" the same (C,) and "people" how often two of them agree. On a scale, to agree is
        to be near.
        """
        return self.measure(lambda crowd: crowd._agreement)

    def _agreement(
        self, counts: Ints, rows: Ints, times: NDArray[np.number]
    ) -> Mapping[str, Floats]:
        share, size = self.agreeing_shares(counts, rows)
        paired = size > 1
        pairs = np.where(paired, np.nan_to_num(pair_credit(counts, self.nearness.credit)), 0.0)
        drawn = times.astype(np.float64)
        rated, both = drawn @ (size > 0), drawn @ paired
        return {
            "agree": ratio(drawn @ share, rated[:, None]),
            "judge": ratio(drawn @ (share * paired[:, None]), both[:, None]),
            "people": ratio(drawn @ pairs, both),
        }

    @cached_property
    def another_person(self) -> Estimate:
        """How often two people agree with each other, labels as they were given."""
        return self.agreeing["people"].estimate(self.plan.confidence, undefined=_NO_PAIR)

    def with_a_person(self, name: str) -> Estimate:
        """How often a classifier agrees with a person, labels as they were given.

        On the items that two people rated, where two people are compared too; on all of them where
        there is no such item.
        """
        paired = self.another_person.value is not None
        shares = self.agreeing["judge" if paired else "agree"]
        place = self.names.index(name)
        return shares.at(place).estimate(self.plan.confidence)

    def ahead(self, name: str) -> Estimate:
        """The share who agree with a classifier less the share who agree with another person.

        Both with labels as people gave them, on the items that two people rated.
        """
        gap = self.agreeing["judge"].at(self.names.index(name)).less(self.agreeing["people"])
        return gap.estimate(self.plan.confidence, scale="plain", undefined=_NO_PAIR)

    @cached_property
    def distances(self) -> dict[str, Sampled]:
        """How far each classifier is from a person on average (C,), and two people from each other.

        "judge" is over all items, "paired" over those that two people rated, "people" too.
        """
        return self.measure(lambda crowd: crowd._apart)

    def _apart(self, counts: Ints, rows: Ints, times: NDArray[np.number]) -> Mapping[str, Floats]:
        values, apart = np.array(self.nearness.values), self.nearness.distance
        size = counts.sum(axis=1)
        away = np.abs(self.numbers[rows][:, :, None] - values)
        said = ~np.isnan(self.numbers[rows])
        far = np.einsum("gl,gcl->gc", counts.astype(np.float64), np.nan_to_num(away))
        far = np.where(said, far / np.maximum(size, 1)[:, None], 0.0)
        pairs = np.where(size > 1, np.nan_to_num(pair_credit(counts, apart)), 0.0)
        drawn = times.astype(np.float64)
        rated, both = said * (size > 0)[:, None], said * (size > 1)[:, None]
        return {
            "judge": ratio(drawn @ (far * rated), drawn @ rated),
            "paired": ratio(drawn @ (far * both), drawn @ both),
            "people": ratio(drawn @ pairs, drawn @ (size > 1)),
        }


def _as_numbers(classifier: Classifier, answer: Ints, values: Floats) -> Floats:
    if classifier.scores is not None:
        return np.where(answer >= 0, classifier.scores, np.nan)
    return np.where(answer >= 0, values[np.maximum(answer, 0)], np.nan)


def same_shares(counts: Ints, answers: Ints) -> tuple[Floats, Ints]:
    """The share of each item's ratings (G, L) that equal each answer (G, C), and their number."""
    size = counts.sum(axis=1)
    same = np.take_along_axis(counts, np.maximum(answers, 0), axis=1)
    said = np.where(answers >= 0, same, 0).astype(np.float64)
    return said / np.maximum(size, 1)[:, None], size


def ratio(above: Floats, below: Floats) -> Floats:
    """Above over below, NaN where there is nothing below."""
    above, below = np.broadcast_arrays(above, below)
    out = np.full(above.shape, np.nan)
    return np.asarray(np.divide(above, below, out=out, where=below > 0))
