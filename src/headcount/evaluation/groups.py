"""Groups of raters: whose side is a classifier on, and do people agree within groups only?"""

from collections.abc import Iterable
from functools import partial
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.agreement.crowd import Crowd
from headcount.agreement.rater_groups import (
    GroupedCounts,
    agree_by_group,
    group_agreement,
    group_difference,
)
from headcount.data import Column, Nearness, Ratings, Study
from headcount.equivalence import survey_equivalence
from headcount.errors import UnanswerableError
from headcount.evaluation.part import Unavailable, attempt
from headcount.options import CurveOptions, EvaluateOptions, Meeting
from headcount.results import Cell, Estimate, Record, Result, Table, hidden, record
from headcount.sampling import Sampled, sampled
from headcount.sampling.multiplicity import holm
from headcount.sampling.samples import masks_without

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NO_GROUPS = "No column with the raters' groups was named: name one with groups= (--group)."
MOST_GROUPS = 12
_LEVEL = 0.05
_LEAST_ITEMS = 30
_NO_ITEM = "nobody of both groups rated the same item"


@record
class GroupPair(Record):
    """How often a person of one group agrees with another of the `other` one (or the same)."""

    by: str
    group: str
    other: str
    agreement: Estimate


@record
class GroupShare(Record):
    """One group's view of one classifier: the share of its people who agree, and the worth in
    raters of this group.
    """

    name: str
    by: str
    group: str
    raters: int
    ratings: int
    agree: Estimate
    worth: Estimate


@record
class GroupDifference(Record):
    """How many more of the `first` group agree with a classifier than of the `second`, on the
    items that both rated; `adjusted` for all pairs of groups and classifiers (Holm).
    """

    name: str
    by: str
    first: str
    second: str
    difference: Estimate
    p_value: float | None
    adjusted: float | None
    nearness: Nearness = hidden()

    @property
    def claimed(self) -> bool:
        """Whether the groups may be said to differ."""
        return self.adjusted is not None and self.adjusted <= _LEVEL

    def sentence(self) -> str:
        """The difference for people."""
        value = self.difference.value or 0.0
        more, fewer = (self.first, self.second) if value > 0 else (self.second, self.first)
        how = f"are {self.nearness.within} of" if self.nearness.has_order else "agree with"
        return f"{100 * abs(value):.1f} points more of {more} than of {fewer} {how} {self.name}."


@record
class RaterGroups(Result):
    """Groups of raters: their agreement, their views of each classifier, and the differences."""

    shares: tuple[GroupShare, ...]
    pairs: tuple[GroupPair, ...]
    differences: tuple[GroupDifference, ...]
    about: str
    confidence: float
    nearness: Nearness = hidden()

    rows: ClassVar[str] = "shares"

    def verdict(self) -> str:
        """Which groups differ in how they see a classifier."""
        claimed = [each for each in self.differences if each.claimed]
        if not claimed:
            return (
                f"No two groups may be said to differ in how they see a classifier "
                f"({len(self.differences)} comparisons)."
            )
        return " ".join(each.sentence() for each in claimed[:4])

    def tables(self) -> tuple[Table, ...]:
        """Views by group, differences, and agreement within and between groups."""
        return (self._shares(), self._differences(), self._agreement())

    def assumptions(self) -> tuple[str, ...]:
        """What the comparison rests on."""
        return (
            "Two groups are compared on the items that both rated; intervals speak of "
            f"{self.about}, claims are adjusted for {len(self.differences)} comparisons (Holm).",
        )

    def _shares(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (
                f"{each.by}: {each.group}",
                each.name,
                each.raters,
                each.agree.share_text(),
                each.worth.text(2) if each.worth.known else "–",
            )
            for each in self.shares
        ]
        return Table(
            "How each group sees the classifiers",
            ("group", "classifier", "raters", self.nearness.people, "worth (raters of the group)"),
            tuple(rows),
            caption=f"{100 * self.confidence:g} % intervals about {self.about}.",
            id="group-shares",
        )

    def _differences(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (
                f"{each.first} − {each.second}",
                each.name,
                each.difference.points_text() + (" *" if each.claimed else ""),
            )
            for each in self.differences
        ]
        return Table(
            "Differences between groups",
            ("groups", "classifier", f"{self.nearness.people} (points)"),
            tuple(rows),
            caption="On the items that both groups rated. * differs, all comparisons counted "
            "(Holm).",
            id="group-differences",
        )

    def _agreement(self) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (each.group, each.other, each.agreement.share_text()) for each in self.pairs
        ]
        return Table(
            "Agreement within and between groups",
            ("a person of", "and one of", self._pairs_are()),
            tuple(rows),
            id="group-agreement",
        )

    def _pairs_are(self) -> str:
        return self.nearness.within if self.nearness.has_order else "agree"


def rater_groups_of(study: Study, crowd: Crowd, options: EvaluateOptions) -> RaterGroups:
    """Every column of groups, for each classifier."""
    named = study.named
    if named is None or not named.by:
        raise UnanswerableError(NO_GROUPS)
    crowd = crowd.of_items
    shares: list[GroupShare] = []
    pairs: list[GroupPair] = []
    apart: list[tuple[GroupDifference, float]] = []
    for by, column in named.by.items():
        groups = _largest(column)
        if len(groups.names) < 2:
            continue
        shares += _shares(study, crowd, by, groups, options)
        pairs += _pairs(crowd, by, groups)
        apart += _differences(crowd, by, groups)
    if not shares:
        raise UnanswerableError("All raters are in one group, so there is nothing to compare.")
    adjusted = holm([p for _, p in apart])
    claims = tuple(
        GroupDifference(
            each.name,
            each.by,
            each.first,
            each.second,
            each.difference,
            each.p_value,
            None if np.isnan(level) else float(level),
            each.nearness,
        )
        for (each, _), level in zip(apart, adjusted, strict=True)
    )
    return RaterGroups(
        tuple(shares),
        tuple(pairs),
        claims,
        crowd.plan_of_samples.sentence(),
        crowd.plan.confidence,
        crowd.nearness,
        library=study.library,
    )


def _largest(column: Column) -> Column:
    """The groups with most ratings, the others left out (−1) where there are many."""
    size = np.bincount(column.code, minlength=len(column.names))
    keep = np.sort(np.argsort(-size, kind="stable")[:MOST_GROUPS])
    keep = keep[size[keep] > 0]
    place = np.full(len(column.names), -1)
    place[keep] = np.arange(len(keep))
    return Column(tuple(column.names[k] for k in keep), place[column.code])


def _measured(crowd: Crowd, groups: Column, statistic: Any) -> Sampled:
    """A statistic of counts by group (n, G, L) and `times`: of data, samples, without raters."""
    named = crowd.study.named
    assert named is not None
    n_items, n_labels = crowd.judged.counts.shape

    def counted(stay: NDArray[np.bool_] | slice) -> GroupedCounts:
        return GroupedCounts.of(
            named.item[stay],
            named.label[stay],
            groups.code[stay],
            n_items=n_items,
            n_groups=len(groups.names),
            n_labels=n_labels,
        )

    def shares(counts: GroupedCounts, times: NDArray[np.integer]) -> dict[str, Floats]:
        return {"shares": np.asarray(statistic(counts, times), dtype=np.float64)}

    whole, ones = counted(slice(None)), np.ones(n_items, dtype=np.int64)
    kept: Iterable[NDArray[np.bool_]] = ()
    if crowd.samples.plan.counts_raters:
        kept = masks_without(named.rater, crowd.samples.left_out_with)
    return sampled(
        partial(shares, whole),
        ones,
        plan=crowd.plan,
        samples=crowd.plan_of_samples,
        clusters=crowd.samples.clusters_of(np.arange(n_items)),
        without=(shares(counted(stay), ones[None]) for stay in kept),
    )["shares"]


def _shares(
    study: Study, crowd: Crowd, by: str, groups: Column, options: EvaluateOptions
) -> list[GroupShare]:
    named = study.named
    assert named is not None
    same = crowd.nearness.credit
    found = []
    worths = [_worths(study, groups, g, options) for g in range(len(groups.names))]
    for place, name in enumerate(crowd.names):
        answers = crowd.answers[:, place]
        measured = _measured(
            crowd, groups, lambda counts, times, a=answers: agree_by_group(counts, a, times, same)
        )
        for g, group in enumerate(groups.names):
            own = groups.code == g
            worth = worths[g]
            found.append(
                GroupShare(
                    name,
                    by,
                    group,
                    len(np.unique(named.rater[own])),
                    int(own.sum()),
                    measured.at(g).estimate(crowd.plan.confidence),
                    Estimate.undefined(worth.reason)
                    if isinstance(worth, Unavailable)
                    else worth[name].worth,
                )
            )
    return found


def _worths(study: Study, groups: Column, g: int, options: EvaluateOptions) -> Any:
    """What classifiers are worth in raters of one group, judged by that group alone."""
    named, judged = study.named, study.judged
    assert named is not None
    assert judged.items is not None
    own = groups.code == g
    pairs = np.bincount(named.item[own], minlength=len(judged.items))
    if (pairs > 1).sum() < _LEAST_ITEMS:
        return Unavailable(f"fewer than {_LEAST_ITEMS} items have two ratings by this group")
    labels = np.array(study.labels.names, dtype=object)
    frame = pa.table(
        {
            "item": [str(item) for item in judged.items[named.item[own]]],
            "rater": [str(rater) for rater in named.raters[named.rater[own]]],
            "label": labels[named.label[own]].tolist(),
        }
    )
    given = CurveOptions.among(options.as_given()).as_given()
    curve = {name: each for name, each in given.items() if name not in Meeting().as_given()}
    scale = study.scale.kind

    def measured() -> Any:
        ratings = Ratings.from_frame(frame, order=list(study.labels.names), scale=scale)
        met = Study(ratings, study.predictions, study.positive, study.unknown)
        return survey_equivalence(met, **curve)

    return attempt(measured)


def _pairs(crowd: Crowd, by: str, groups: Column) -> list[GroupPair]:
    same = crowd.nearness.credit
    measured = _measured(crowd, groups, lambda counts, times: group_agreement(counts, times, same))
    return [
        GroupPair(
            by,
            groups.names[g],
            groups.names[h],
            measured.at(g, h).estimate(crowd.plan.confidence),
        )
        for g in range(len(groups.names))
        for h in range(g, len(groups.names))
    ]


def _differences(crowd: Crowd, by: str, groups: Column) -> list[tuple[GroupDifference, float]]:
    same = crowd.nearness.credit
    chosen = list(combinations(range(len(groups.names)), 2))
    found = []
    for place, name in enumerate(crowd.names):
        answers = crowd.answers[:, place]

        def statistic(counts: GroupedCounts, times: Any, a: Ints = answers) -> Floats:
            return np.column_stack(
                [group_difference(counts, a, times, same, g, h) for g, h in chosen]
            )

        measured = _measured(crowd, groups, statistic)
        for pair, (g, h) in enumerate(chosen):
            estimate, p_value = measured.at(pair).difference(
                crowd.plan.confidence, undefined=_NO_ITEM
            )
            found.append(
                (
                    GroupDifference(
                        name,
                        by,
                        groups.names[g],
                        groups.names[h],
                        estimate,
                        p_value,
                        None,
                        crowd.nearness,
                    ),
                    np.nan if p_value is None else p_value,
                )
            )
    return found
