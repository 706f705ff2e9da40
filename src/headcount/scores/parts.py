"""The bias of judges in parts: by level of what people say, by slice of the items, by rater."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import numpy as np
from scipy import special

from headcount.arrays import Floats, Ints
from headcount.data import SAID_OF_ITEMS, Column
from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.sampling.delta import Smooth
from headcount.sampling.multiplicity import holm
from headcount.sampling.people import interval_from_error
from headcount.sampling.samples import Plan
from headcount.sampling.slices import LEAST_UNITS
from headcount.scores.components import NOTHING
from headcount.scores.inputs import Numbers
from headcount.scores.judge import bias_by_rater, bias_by_slice
from headcount.scores.judge_scores import BiasAt
from headcount.scores.people import People, Said
from headcount.scores.sample import Measure, Measured

# A part needs as many items for a standard error.
_LEAST_ITEMS = 2


@frozen(eq=False)
class Levels:
    """The levels: `names` (L,) for people and the `edges` (L − 1,) between them."""

    names: tuple[str, ...]
    edges: Floats

    @property
    def n(self) -> int:
        """How many levels there are."""
        return len(self.names)

    def of(self, numbers: Floats) -> Ints:
        """The level of each number; one on an edge belongs above it."""
        return np.searchsorted(self.edges, numbers, side="right")


@frozen(eq=False)
class Parts:
    """What is measured in parts, and how it is packed."""

    numbers: Numbers
    levels: Levels | None
    measures: dict[str, Measure]

    def by_level(self, name: str, found: dict[str, Smooth]) -> tuple[BiasAt, ...]:
        """The bias at each level that has items; the p-value is of other levels being alike."""
        if self.levels is None:
            return ()
        sample = self.numbers.sample
        assert sample.said is not None
        items = items_by_level(self.levels, sample.people, sample.said)
        told = found[f"level {name}"].each()
        return tuple(
            BiasAt(level, "level", float(size), estimate)
            for level, size, estimate in zip(self.levels.names, items, told, strict=True)
            if size >= _LEAST_ITEMS
        )

    def by_slice(self, name: str, found: dict[str, Smooth]) -> tuple[BiasAt, ...]:
        """The bias in each slice, with Holm's p-value of being other than the rest."""
        parts: list[BiasAt] = []
        p_values: list[float] = []
        for column, coded in self._slices():
            smooth = found[f"slice {column} {name}"]
            sizes = np.bincount(coded.code, minlength=len(coded.names))
            share = sizes / sizes.sum()
            for place, (part, estimate) in enumerate(zip(coded.names, smooth.each(), strict=True)):
                enough = sizes[place] >= LEAST_UNITS
                shown = estimate if enough else Estimate.undefined(_too_small(int(sizes[place])))
                parts.append(BiasAt(part, column, float(sizes[place]), shown))
                p_values.append(_other_than_rest(smooth, share, place) if enough else np.nan)
        adjusted = holm(p_values)
        return tuple(
            BiasAt(each.name, each.of, each.items, each.bias, None if np.isnan(p) else float(p))
            for each, p in zip(parts, adjusted, strict=True)
        )

    def by_rater(self, name: str) -> tuple[BiasAt, ...]:
        """The judge less each rater, those with most items first."""
        sample = self.numbers.sample
        if sample.said is None or sample.said.rater is None:
            return ()
        found = bias_by_rater(self.numbers.judges[name], sample.said, sample.cluster)
        order = np.argsort(-found.items, kind="stable")
        return tuple(
            BiasAt(
                self.numbers.raters[rater],
                "rater",
                float(found.items[rater]),
                _of_rater(
                    found.bias[rater],
                    found.error[rater],
                    int(found.units[rater]),
                    sample.confidence,
                ),
            )
            for rater in order
        )

    def _slices(self) -> Iterator[tuple[str, Column]]:
        for column, coded in self.numbers.columns.items():
            if column not in SAID_OF_ITEMS:
                yield column, coded


def parts_of(numbers: Numbers) -> Parts:
    """The parts that there are."""
    said = numbers.sample.said
    levels = None if said is None else levels_of(said)
    measures: dict[str, Measure] = {}
    parts = Parts(numbers, levels, measures)
    for name, judge in numbers.judges.items():
        if levels is not None:
            measures[f"level {name}"] = partial(_at_levels, judge, levels)
        for column, coded in parts._slices():
            measures[f"slice {column} {name}"] = partial(_in_slices, judge, coded.code, coded.names)
    return parts


def _at_levels(
    judge: Floats, levels: Levels, people: People, said: Said | None, added: bool
) -> Measured:
    assert said is not None
    return bias_by_level(judge, levels, people, said, added)


def _in_slices(
    judge: Floats,
    code: Ints,
    names: tuple[str, ...],
    people: People,
    said: Said | None,
    added: bool,
) -> Measured:
    del said
    return bias_by_slice(judge, code, names, people, added)


def _other_than_rest(smooth: Smooth, share: Floats, place: int) -> float:
    """The p-value of a slice's bias being that of all other items."""
    if share[place] >= 1:
        return float(np.nan)
    lead = -share / (1 - share[place])
    lead[place] = 1.0
    known = np.where(share > 0, smooth.value, 0.0)
    error = np.sqrt(max(float(lead @ smooth.covariance @ lead), 0.0))
    if error <= 0:
        return float(np.nan)
    return float(2 * special.stdtr(smooth.plan.freedom(), -abs(float(lead @ known)) / error))


def _of_rater(bias: float, error: float, units: int, confidence: float) -> Estimate:
    if units < 2 or np.isnan(error):
        return Estimate(float(bias), note="one item only, so no interval")
    return interval_from_error(float(bias), float(error), plan=Plan(units), confidence=confidence)


def _too_small(items: int) -> str:
    return f"too small: {items} of at least {LEAST_UNITS} items"


# Parts of equal size that a finer scale is cut into.
MOST_LEVELS = 5

# A scale of whole numbers this wide has its own levels.
_FEW_WHOLE = 10


def levels_of(said: Said) -> Levels:
    """The whole numbers where a scale has few, else fifths of the items' levels."""
    values = said.value
    low, high = float(values.min()), float(values.max())
    if high - low <= _FEW_WHOLE and bool((values == np.floor(values)).all()):
        whole = np.arange(low, high + 1)
        return Levels(tuple(f"{each:.0f}" for each in whole), (whole[1:] + whole[:-1]) / 2)
    people = said.people()
    shares = np.arange(1, MOST_LEVELS) / MOST_LEVELS
    edges = np.unique(np.quantile(people.mean[people.n > 0], shares))
    edges = edges[edges > low]
    ends = np.concatenate([[low], edges, [high]])
    return Levels(tuple(f"{a:.4g} to {b:.4g}" for a, b in pairwise(ends)), edges)


def bias_by_level(
    judge: Floats, levels: Levels, people: People, said: Said, added: bool = True
) -> Measured:
    """Judge less people at each level, over the items with at least two ratings.

    An item counts once, shared out over the levels that its other ratings give.
    """
    kept = people.several[said.item]
    item, value = said.item[kept], said.value[kept]
    n, mean = people.n[item], people.mean[item]
    level = levels.of(mean + (mean - value) / (n - 1))
    off = (judge[item] - value) / n
    of_level = np.bincount(level, weights=1 / n, minlength=levels.n)
    with np.errstate(invalid="ignore", divide="ignore"):
        bias = np.bincount(level, weights=off, minlength=levels.n) / of_level
    if not added:
        return Measured(levels.names, bias, NOTHING)
    # Bias and weight of a rating's own level: each rating adds to one level only.
    about = (off - bias[level] / n) * (said.n_items / of_level[level])
    cell, shape = item * levels.n + level, (said.n_items, levels.n)
    influence = np.bincount(cell, weights=about, minlength=said.n_items * levels.n)
    return Measured(levels.names, bias, influence.reshape(shape).astype(np.float64))


def items_by_level(levels: Levels, people: People, said: Said) -> Floats:
    """How many items each level has, an item shared out over the levels of its ratings (L,)."""
    kept = people.several[said.item]
    item = said.item[kept]
    n, mean = people.n[item], people.mean[item]
    level = levels.of(mean + (mean - said.value[kept]) / (n - 1))
    return np.bincount(level, weights=1 / n, minlength=levels.n).astype(np.float64)
