"""Slices of items: where each classifier does worse, the most worrying first."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.crowd import Crowd, ratio
from headcount.agreement.weighted import pair_credit
from headcount.data import Column, Nearness, Study
from headcount.equivalence import worth_by_part, worth_text
from headcount.errors import UnanswerableError
from headcount.evaluation.part import Unavailable, attempt
from headcount.options import EquivalenceOptions, EvaluateOptions
from headcount.results import Cell, Estimate, Record, Result, Table, hidden, record
from headcount.sampling.multiplicity import holm
from headcount.sampling.slices import LEAST_UNITS
from headcount.sampling.slices import slices as compare_slices

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NO_SLICES = (
    "No column was named to look at parts of the items by: name some with slices= (--slice)."
)
MOST_SLICES = 200
"""Slices of one column, or of a pair of them, that are looked at: more are no slices."""
_SHOWN = 12
_LEVEL = 0.05


@record
class ItemSlice(Record):
    """One classifier on one slice of the items.

    `by` names the column or columns and `slice` the part, `clusters` how many clusters its items
    are in (None where there are none). `agree` is the share of people who agree there; `held_to`
    is the same drawn towards the other items by what the slice's own data cannot carry, by which
    slices are sorted; `lead` is how much more people agree than on the other items and `adjusted`
    the p-value of that, all slices and classifiers counted (Holm). `worth` is in raters of these
    items, `people` how often two people agree there.
    """

    name: str
    by: str
    slice: str
    items: int
    clusters: int | None
    agree: Estimate
    held_to: float | None
    lead: Estimate
    adjusted: float | None
    worth: Estimate
    people: float | None
    nearness: Nearness = hidden()

    @property
    def claimed(self) -> bool:
        """Whether people may be said to agree less, or more, here than elsewhere."""
        return self.adjusted is not None and self.adjusted <= _LEVEL

    def sentence(self) -> str:
        """The slice for people."""
        lead = self.lead.value
        if lead is None:
            return f"{self.name} on {self.slice}: {self.lead.note}."
        more = "more" if lead > 0 else "less"
        ends = ""
        if self.lead.low is not None and self.lead.high is not None:
            low, high = sorted((abs(self.lead.low), abs(self.lead.high)))
            ends = f" ({100 * low:.1f} to {100 * high:.1f})" if self.claimed else ""
        how = f"are {self.nearness.within} of" if self.nearness.has_order else "agree with"
        return (
            f"People {how} {self.name} {100 * abs(lead):.1f} points{ends} {more} often on "
            f"{self.slice} than on the other items."
        )


@record
class Slices(Result):
    """Every slice that was asked for, for each classifier; the most worrying first."""

    slices: tuple[ItemSlice, ...]
    looks: int
    about: str
    confidence: float
    nearness: Nearness = hidden()

    rows: ClassVar[str] = "slices"

    def of(self, name: str) -> tuple[ItemSlice, ...]:
        """The slices of one classifier."""
        return tuple(each for each in self.slices if each.name == name)

    def verdict(self) -> str:
        """Where people agree less, where that may be claimed."""
        worse = [each for each in self.slices if each.claimed and (each.lead.value or 0.0) < 0]
        if not worse:
            return self._not_shown()
        return " ".join(each.sentence() for each in worse[:3])

    def _not_shown(self) -> str:
        """No proof of a difference is no proof of none: the largest one seen is told."""
        how = "agree less with a classifier"
        if self.nearness.has_order:
            how = f"are {self.nearness.within} of a classifier less often"
        said = f"On no kind of item is it shown that people {how}"
        behind = [each for each in self.slices if each.lead.value is not None]
        behind = [each for each in behind if float(each.lead) < 0]
        if not behind:
            return f"{said}."
        worst = min(behind, key=lambda each: (float(each.lead), each.name, each.slice))
        return (
            f"{said}; the largest gap, {worst.lead.points_text()} points for {worst.name} on "
            f"{worst.slice}, may be chance."
        )

    def tables(self) -> tuple[Table, ...]:
        """A table a classifier."""
        return tuple(self._table(name) for name in dict.fromkeys(e.name for e in self.slices))

    def assumptions(self) -> tuple[str, ...]:
        """What is claimed, and of what."""
        return (
            f"Slices are compared with all other items, adjusted for {self.looks} looks (Holm), "
            "and sorted by a value drawn towards the other items by what the slice's own data "
            f"cannot carry; under {LEAST_UNITS} items (or clusters) a slice has no number.",
        )

    def _table(self, name: str) -> Table:
        own = self.of(name)
        rows: list[tuple[Cell, ...]] = [
            (
                each.slice,
                each.items,
                each.agree.share_text() if each.agree.value is not None else str(each.agree.note),
                each.lead.points_text() + (" *" if each.claimed else ""),
                worth_text(each.worth, "") if each.worth.known else "–",
                "–" if each.people is None else f"{100 * each.people:.1f} %",
            )
            for each in own[:_SHOWN]
        ]
        more = f" The first {_SHOWN} of {len(own)}." if len(own) > _SHOWN else ""
        return Table(
            f"{name}, slice by slice",
            (
                "slice",
                "items",
                self.nearness.people,
                "less the other items",
                "worth (raters)",
                self.nearness.two_people,
            ),
            tuple(rows),
            caption=f"The most worrying first; {100 * self.confidence:g} % intervals about "
            f"{self.about}. * differs from the other items (points), {self.looks} looks counted "
            f"(Holm).{more}",
            id=f"slices-{name}",
        )


def slices_of(study: Study, crowd: Crowd, options: EvaluateOptions) -> Slices:
    """Every slice that was named, and every pair of them, for each classifier."""
    if not study.ratings.layout.of_items or not study.slices:
        raise UnanswerableError(NO_SLICES)
    crowd = crowd.of_items
    found: list[tuple[ItemSlice, float | None]] = []
    columns = {name: study.columns[name] for name in study.slices}
    for (one, first), (other, second) in combinations(list(columns.items()), 2):
        columns[f"{one} × {other}"] = _crossed(first, second)
    usable = {name: each for name, each in columns.items() if 1 < len(each.names) <= MOST_SLICES}
    if not usable:
        raise UnanswerableError(
            f"The slices have one part only or more than {MOST_SLICES}: choose columns with a few "
            "parts (--slice)."
        )
    for by, column in usable.items():
        found += _by_column(crowd, by, column, options)
    p_values = np.array([np.nan if p is None else p for _, p in found])
    looks = int((~np.isnan(p_values)).sum())
    adjusted = holm(p_values)
    looked = [
        replace(each, adjusted=None if np.isnan(level) else float(level))
        for (each, _), level in zip(found, adjusted, strict=True)
    ]
    order = sorted(looked, key=lambda each: (each.held_to is None, each.held_to or 0.0))
    return Slices(
        tuple(order),
        looks,
        crowd.plan_of_samples.sentence(),
        crowd.plan.confidence,
        crowd.nearness,
        library=study.library,
    )


def _crossed(first: Column, second: Column) -> Column:
    """Two columns as one: every pair of parts that there is."""
    code = first.code * len(second.names) + second.code
    seen, dense = np.unique(code, return_inverse=True)
    width = len(second.names)
    names = [f"{first.names[c // width]}, {second.names[c % width]}" for c in seen]
    return Column(tuple(names), dense.ravel())


def _worths(crowd: Crowd, column: Column, options: EvaluateOptions) -> Any:
    """What each classifier is worth on each slice, or why that cannot be said."""
    asked = EquivalenceOptions.among(options.as_given())
    return attempt(
        lambda: worth_by_part(crowd.study, crowd.samples, column.code, len(column.names), asked)
    )


def _by_column(
    crowd: Crowd, by: str, column: Column, options: EvaluateOptions
) -> list[tuple[ItemSlice, float | None]]:
    code, n_slices = column.code, len(column.names)
    items = np.bincount(code, minlength=n_slices)
    units = items
    if crowd.samples.cluster is not None:
        pairs = np.unique(np.column_stack([code, crowd.samples.cluster]), axis=0)
        units = np.bincount(pairs[:, 0], minlength=n_slices)

    def statistic(counts: Ints, rows: Ints, times: NDArray[np.number]) -> Mapping[str, Floats]:
        share, size = crowd.agreeing_shares(counts, rows)
        member = (np.eye(n_slices)[code[rows]] * (size > 0)[:, None]).astype(np.float64)
        drawn = times.astype(np.float64)
        number = drawn @ member
        total = np.stack([drawn @ (member * share[:, [c]]) for c in range(share.shape[1])], axis=1)
        everything, everyone = total.sum(axis=2, keepdims=True), number.sum(axis=1, keepdims=True)
        rest = ratio(everything - total, (everyone - number)[:, None, :])
        pairs = np.nan_to_num(pair_credit(counts, crowd.nearness.credit))
        both = drawn @ (member * (size > 1)[:, None])
        return {
            "own": ratio(total, number[:, None, :]),
            "rest": rest,
            "people": ratio(drawn @ (member * pairs[:, None]), both),
        }

    measured = crowd.measure(lambda _: statistic, code)
    worths = _worths(crowd, column, options)
    agreed = measured["people"].value
    found = []
    for place, name in enumerate(crowd.names):
        compared = compare_slices(
            measured["own"].at(place),
            measured["rest"].at(place),
            units,
            confidence=crowd.plan.confidence,
        )
        found += [
            (
                ItemSlice(
                    name,
                    by,
                    column.names[each.code],
                    int(items[each.code]),
                    None if crowd.samples.cluster is None else each.units,
                    each.estimate,
                    each.shrunk,
                    each.lead,
                    None,
                    _worth(worths, each.code, name, each.estimate),
                    None if np.isnan(agreed[each.code]) else float(agreed[each.code]),
                    crowd.nearness,
                ),
                each.p_value,
            )
            for each in compared
        ]
    return found


def _worth(worths: Any, part: int, name: str, agree: Estimate) -> Estimate:
    if agree.value is None:  # too small for a number of its own
        return Estimate.undefined(str(agree.note))
    if isinstance(worths, Unavailable):
        return Estimate.undefined(worths.reason)
    found: Estimate = worths[part][name]
    return found
