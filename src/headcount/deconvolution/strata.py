"""Strata of human disagreement: items whose raters contradict each other about as much."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtrc

from headcount.arrays import Floats, Ints
from headcount.deconvolution.slips import Trials, disagreement_level, totals
from headcount.errors import OptionError
from headcount.frozen import frozen

StrataOption = str | float | Sequence[float]

# The paper's rule: a hundred items with retests in each stratum, ten strata if data allow.
ENOUGH_STRATA = 10
ENOUGH_ITEMS = 100

# How unlikely by chance the differences between strata must be to be believed.
BY_CHANCE = 0.01

# Shares of answers are quotients: what differs by less is the same share, on the same side.
_ROUNDING = 1e-9


@frozen
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
        """The stratum of each disagreement level, any shape."""
        inner = self.edges[1:-1] - _ROUNDING
        found: Ints = np.searchsorted(inner, level, side="right").astype(np.int64)
        return found


# All items in one: slips are pooled.
WHOLE = Strata(np.array([0.0, 1.0]))


def choose_strata(
    strata: StrataOption, level: Floats, with_evidence: NDArray[np.bool_] | Floats
) -> Strata:
    """The strata asked for: "auto" (the finest), a number of them, their width, or their edges."""
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
    level: Floats, with_evidence: NDArray[np.bool_] | Floats, least: int = ENOUGH_ITEMS
) -> Strata:
    """The most strata that each hold `least` items with evidence about slips.

    Levels are taken from low to high and a stratum is closed as soon as it holds enough:
    no other cut into intervals gives more of them. What is left over joins the last one;
    with fewer than `least` items in all there is one stratum. `with_evidence` (n,) tells which
    items have any, or how many items each row stands for.
    """
    levels, place = np.unique(np.round(level, 9), return_inverse=True)
    evidence = totals(place.ravel(), with_evidence, len(levels))
    starts, held = [0.0], 0.0
    for here, count in zip(levels, evidence, strict=True):
        if held >= least - _ROUNDING:
            starts.append(float(here))
            held = 0.0
        held += count
    if held < least - _ROUNDING and len(starts) > 1:
        starts.pop()
    return Strata(np.array([*starts, 1.0]))


def filled_strata(strata: Strata, level: Floats, with_evidence: NDArray[np.bool_]) -> int:
    """How many strata hold a hundred items with retests."""
    held = totals(strata.of(level), with_evidence, strata.n)
    return int((held >= ENOUGH_ITEMS).sum())


def advised_strata(level: Floats) -> int:
    """Ten; fewer where there are fewer levels of disagreement (three raters an item have three)."""
    return min(ENOUGH_STRATA, len(np.unique(np.round(level, 9))))


def level_of_others(counts: Floats, answers: Floats) -> Floats:
    """The disagreement among the other answers to an item, behind each answer of it, (n, L).

    A slip makes its item look contested, so an item's own level says something about the
    slips among its answers, and strata of it distort their rates (.056 to .146 where all are
    .1). What the others said does not. `counts` (n, L) are weighted counts of `answers` (n,).
    """
    one = counts.sum(axis=1) / np.maximum(answers, 1)
    n_labels = counts.shape[1]
    levels = np.zeros(counts.shape)
    for label in range(n_labels):
        others = counts.copy()
        others[:, label] = np.maximum(others[:, label] - one, 0.0)
        total = others.sum(axis=1, keepdims=True)
        shares = np.divide(others, total, out=np.ones_like(others), where=total > _ROUNDING)
        levels[:, label] = disagreement_level(shares)
    return levels


def chance_of_differences(trials: Trials, stratum: Ints, n_strata: int) -> float:
    """How likely differences between the strata are, if every rater slips alike in all of them.

    Raters may differ in how often they slip: each is compared with their own mean. A slip
    changes what the others' answers look like to the next rater, so the answers to one item
    hang together, and only items are taken as independent: Hotelling's test of their mean
    excess in each stratum. `stratum` (m,) is that of each row of the trials.
    """
    share = np.divide(
        trials.events, trials.trials, out=np.zeros(len(trials.events)), where=trials.trials > 0
    )
    rater = np.unique(trials.rater, return_inverse=True)[1].ravel()
    item = np.unique(trials.item, return_inverse=True)[1].ravel()
    n_raters, n_items = int(rater.max(initial=-1)) + 1, int(item.max(initial=-1)) + 1
    asked = totals(rater, np.ones(len(rater)), n_raters)
    excess = share - (totals(rater, share, n_raters) / asked)[rater]
    mix = totals(rater * n_strata + stratum, np.ones(len(rater)), n_raters * n_strata)
    usual = (mix.reshape(n_raters, n_strata) / asked[:, None])[rater]
    # What a rater has too much of in one stratum is missing in the others: the last says nothing.
    rows = np.column_stack(
        [totals(item, excess * ((stratum == s) - usual[:, s]), n_items) for s in range(n_strata)]
    )[:, :-1]
    freedom = rows.shape[1]
    if not freedom or n_items <= freedom + 1:
        return 1.0
    total = rows.sum(axis=0)
    squared = float(total @ np.linalg.pinv(rows.T @ rows, hermitian=True) @ total)
    ratio = squared * (n_items - freedom) / (freedom * n_items)
    return float(fdtrc(freedom, n_items - freedom, ratio))


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
