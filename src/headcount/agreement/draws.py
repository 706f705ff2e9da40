"""Every coefficient, for the data and for every bootstrap draw."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from headcount.agreement import coefficients as formulas
from headcount.agreement.coefficients import Level
from headcount.agreement.totals import Totals, spread_of_patterns, totals_of_patterns
from headcount.agreement.two_way import (
    NamedRatings,
    draw_ratings,
    spread_of_drawn,
    totals_of_drawn,
)
from headcount.data import Patterns
from headcount.results import Progress
from headcount.stats import Bootstrap

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
ByName = dict[str, Floats]

FORMULAS: dict[str, Callable[[Totals], Floats]] = {
    "percent_agreement": formulas.percent_agreement,
    "kappa": formulas.uniform_kappa,
    "fleiss_kappa": formulas.fleiss_kappa,
    "gwet_ac1": formulas.gwet_ac1,
}
"""The coefficients that need the totals alone; Krippendorff's alpha joins them below."""
_CELLS = 4_000_000
"""Numbers that a batch of draws may hold at once: about 32 MB an array."""


@dataclass(frozen=True)
class Scale:
    """The levels at which alpha is wanted, the main one first, and the labels as numbers."""

    levels: tuple[Level, ...]
    values: Floats | None = None


def coefficients(totals: Totals, scale: Scale, spread: Callable[[Floats], Floats]) -> ByName:
    """Every coefficient for every row of the totals; alpha at each level.

    `spread` gives the observed disagreement of labels that lie at given values.
    """

    def alpha(level: Level) -> Floats:
        if level == "nominal":
            return formulas.nominal_alpha(totals)
        places = formulas.midranks(totals) if level == "ordinal" else _as_numbers(totals, scale)
        return formulas.metric_alpha(totals, places, spread)

    by_level = {level: alpha(level) for level in scale.levels}
    return {
        **{name: formula(totals) for name, formula in FORMULAS.items()},
        "krippendorff_alpha": by_level[scale.levels[0]],
        **{f"alpha_{level}": numbers for level, numbers in by_level.items()},
    }


def of_patterns(counts: Ints, times: Ints, scale: Scale) -> ByName:
    """The coefficients when patterns `counts` (G, L) occur `times` (B, G)."""
    totals = totals_of_patterns(counts, times)
    return coefficients(totals, scale, partial(spread_of_patterns, counts, times))


def item_draws(patterns: Patterns, plan: Bootstrap, scale: Scale, progress: Progress) -> ByName:
    """Items drawn anew: a multinomial over patterns, in batches that fit in memory."""
    batch = max(1, min(64, _CELLS // len(patterns.items)))
    batches = progress(
        plan.item_batches(patterns.items, batch=batch),
        total=-(-plan.samples // batch),
        description="Bootstrap of items",
    )
    return _joined((of_patterns(patterns.counts, times, scale) for times in batches), scale)


def two_way_draws(named: NamedRatings, plan: Bootstrap, scale: Scale, progress: Progress) -> ByName:
    """Items and raters drawn anew, in batches that fit in memory."""
    batch = max(1, min(64, _CELLS // (named.n_items * named.n_labels)))
    raters = plan.rater_draws(named.n_raters)
    batches = progress(
        plan.item_batches(np.ones(named.n_items, dtype=np.int64), batch=batch),
        total=-(-plan.samples // batch),
        description="Bootstrap of items and raters",
    )

    def each() -> Iterable[ByName]:
        for number, items in enumerate(batches):
            drawn = draw_ratings(named, items, raters[number * batch :][: len(items)])
            yield coefficients(totals_of_drawn(drawn), scale, partial(spread_of_drawn, drawn))

    return _joined(each(), scale)


def _as_numbers(totals: Totals, scale: Scale) -> Floats:
    assert scale.values is not None
    return np.tile(scale.values, (len(totals.pairs), 1))


def _joined(batches: Iterable[ByName], scale: Scale) -> ByName:
    parts = list(batches)
    names = [*FORMULAS, "krippendorff_alpha", *(f"alpha_{level}" for level in scale.levels)]
    return {name: np.concatenate([np.zeros(0), *(part[name] for part in parts)]) for name in names}
