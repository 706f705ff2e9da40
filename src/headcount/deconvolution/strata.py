"""Strata of human disagreement: items whose raters contradict each other about as much."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.deconvolution.totals import totals
from headcount.errors import OptionError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ENOUGH_STRATA = 10
ENOUGH_ITEMS = 100
"""The paper's rule: a hundred items with retests in each stratum, ten strata if data allow."""

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Strata:
    """Half-open strata of the disagreement level: [edges[s], edges[s + 1]), the last closed.

    Closed on the left, so that items on which everyone agrees are not mixed with those
    where one rater in ten does not.
    """

    edges: Floats

    @property
    def n(self) -> int:
        """How many strata there are."""
        return len(self.edges) - 1

    def of(self, level: Floats) -> Ints:
        """The stratum of each disagreement level."""
        inner = self.edges[1:-1] - _ROUNDING
        found: Ints = np.searchsorted(inner, level, side="right").astype(np.int64)
        return found


def choose_strata(
    strata: "str | float | Sequence[float]", level: Floats, with_evidence: NDArray[np.bool_]
) -> Strata:
    """The strata asked for: "auto", a number of them, their width, or their edges."""
    if isinstance(strata, str):
        if strata != "auto":
            raise OptionError(_WHAT_STRATA_IS + f"; it was {strata!r}.")
        return finest_strata(level, with_evidence)
    if not isinstance(strata, int | float):
        return _from_edges(strata)
    if isinstance(strata, int) and not isinstance(strata, bool) and strata >= 1:
        return Strata(np.linspace(0, 1, strata + 1))
    if 0 < strata < 1:
        return Strata(np.append(np.arange(0, 1 - _ROUNDING, strata), 1.0))
    raise OptionError(_WHAT_STRATA_IS + f"; it was {strata!r}.")


_WHAT_STRATA_IS = (
    'strata is "auto", a whole number of equal strata, a width between 0 and 1 such as 0.05, '
    "or the edges in rising order"
)


def finest_strata(
    level: Floats, with_evidence: NDArray[np.bool_], least: int = ENOUGH_ITEMS
) -> Strata:
    """The most strata that each hold `least` items with evidence about slips.

    Levels are taken from low to high and a stratum is closed as soon as it holds enough:
    no other cut into intervals gives more of them. What is left over joins the last one;
    with fewer than `least` items in all there is one stratum.
    """
    levels, place = np.unique(np.round(level, 9), return_inverse=True)
    evidence = totals(place.ravel(), with_evidence, len(levels))
    starts, held = [0.0], 0.0
    for here, count in zip(levels, evidence, strict=True):
        if held >= least:
            starts.append(float(here))
            held = 0.0
        held += count
    if held < least and len(starts) > 1:
        starts.pop()
    return Strata(np.array([*starts, 1.0]))


def filled_strata(strata: Strata, level: Floats, with_evidence: NDArray[np.bool_]) -> int:
    """How many strata hold a hundred items with retests."""
    held = totals(strata.of(level), with_evidence, strata.n)
    return int((held >= ENOUGH_ITEMS).sum())


def advised_strata(level: Floats) -> int:
    """Ten; fewer where there are fewer levels of disagreement (three raters an item have three)."""
    return min(ENOUGH_STRATA, len(np.unique(np.round(level, 9))))


def _from_edges(strata: Sequence[float]) -> Strata:
    try:
        edges = np.asarray(strata, dtype=np.float64)
    except (TypeError, ValueError):
        raise OptionError(_WHAT_STRATA_IS + f"; it was {strata!r}.") from None
    inside = edges[(edges > 0) & (edges < 1)] if edges.ndim == 1 else edges
    rising = edges.ndim == 1 and bool(np.all(np.diff(edges) > 0))
    if not rising or np.any(edges < 0) or np.any(edges > 1) or not len(edges):
        raise OptionError(_WHAT_STRATA_IS + f"; it was {strata!r}.")
    return Strata(np.concatenate([[0.0], inside, [1.0]]))
