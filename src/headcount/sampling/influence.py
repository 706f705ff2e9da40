"""Raters who matter: what an answer would be without each, and who answers at random."""

from collections.abc import Callable, Hashable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from headcount.frozen import frozen

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Standing = Literal["above", "at", "below", "unknown"]

_LEVEL = 0.05
_TYPICAL = 0.5
"""A rater is at chance only if half of what raters usually reach can be ruled out."""


@frozen(eq=False)
class Influence:
    """A statistic without each rater (J,), or each group of raters, and who moves a verdict."""

    value: float
    without: Floats
    moved: Ints

    @property
    def order(self) -> Ints:
        """Raters by how far leaving them out moves the value, the furthest first.

        An answer that is lost or gained altogether moves furthest.
        """
        with np.errstate(invalid="ignore"):
            shift = np.abs(self.without - self.value)
        same = (self.without == self.value) | (np.isnan(self.without) & np.isnan(self.value))
        shift = np.where(same, 0.0, np.where(np.isnan(shift), np.inf, shift))
        return np.argsort(-shift, kind="stable")


def influence(
    value: float, without: ArrayLike, verdict: Callable[[float], Hashable] | None = None
) -> Influence:
    """What leaving each rater out does; `verdict` turns a value into what is said of it.

    >>> found = influence(1.2, [1.3, 0.9, 1.1], verdict=lambda worth: worth > 1)
    >>> found.moved, found.order
    (array([1]), array([1, 0, 2]))
    """
    values = np.asarray(without, dtype=np.float64)
    moved = []
    if verdict is not None:
        said = verdict(value)
        moved = [j for j, each in enumerate(values) if verdict(float(each)) != said]
    return Influence(float(value), values, np.array(moved, dtype=np.int64))


@frozen(eq=False)
class ChanceTest:
    """Each rater's agreement with the others against their own answers dealt out at random.

    `agreement` (m,) with a random other rater of the same item, `by_chance` (m,) what dealing
    the rater's answers over their items in random order would give, `beyond` the kappa of the
    two, `error` its standard error by chance alone, `p_value` of being above chance; NaN where
    nobody else rated a rater's items or the rater could not vary.
    """

    agreement: Floats
    by_chance: Floats
    error: Floats
    p_value: Floats

    @property
    def beyond(self) -> Floats:
        """(agreement − by chance)/(1 − by chance)."""
        room = 1 - self.by_chance
        return np.asarray(
            np.where(
                room > 1e-12, (self.agreement - self.by_chance) / np.maximum(room, 1e-12), np.nan
            )
        )

    def standing(self) -> tuple[Standing, ...]:
        """Above chance, at chance, below it, or unknown, for each rater.

        At chance: not told from chance, though a rater half as good as the median one would
        be. A rater with too few answers for that is unknown, not accused.
        """
        beyond = self.beyond
        known = ~np.isnan(self.p_value)
        usual = float(np.median(beyond[known])) if known.any() else 0.0
        z = special.ndtri(1 - _LEVEL)

        def of(j: int) -> Standing:
            if not known[j]:
                return "unknown"
            if self.p_value[j] <= _LEVEL:
                return "above"
            if self.p_value[j] >= 1 - _LEVEL / 5:
                return "below"
            return "at" if beyond[j] + z * self.error[j] < _TYPICAL * usual else "unknown"

        return tuple(of(j) for j in range(len(beyond)))


def chance_test(item: Ints, rater: Ints, label: Ints, n_labels: int) -> ChanceTest:
    """Which raters agree with the others no more than their answers in random order would.

    With a(i, ℓ) the share of item i's other raters who said ℓ, a rater's Σ a(i, yᵢ) has, over
    all orders of their own answers, mean Σ_ℓ n_ℓ ā(·,ℓ) and variance
    Σᵢ Σ_ℓ n_ℓ d(i,ℓ)²/(n − 1), d being a centred by item and by label (Hoeffding 1951).
    """
    n_items, n_raters = int(item.max(initial=-1)) + 1, int(rater.max(initial=-1)) + 1
    others = _crossed(item, label, n_items, n_labels)[item]
    others[np.arange(len(item)), label] -= 1
    among = others.sum(axis=1)
    compared = among > 0
    share = others[compared] / among[compared][:, None]
    who, said = rater[compared], label[compared]

    def by_rater(numbers: Floats) -> Floats:
        sums: Floats = np.bincount(who, weights=numbers, minlength=n_raters).astype(np.float64)
        return sums

    n = np.bincount(who, minlength=n_raters).astype(np.float64)
    size = np.maximum(n, 1)
    own = _crossed(who, said, n_raters, n_labels)
    mean = np.column_stack([by_rater(share[:, k]) for k in range(n_labels)]) / size[:, None]
    expected = (own * mean).sum(axis=1)
    by_item = (own[who] * share).sum(axis=1) / n[who]
    centred = share - by_item[:, None] - mean[who] + (expected / size)[who][:, None]
    variance = by_rater((own[who] * centred**2).sum(axis=1)) / np.maximum(n - 1, 1)
    total = by_rater(share[np.arange(len(said)), said])
    spread = np.sqrt(variance)
    testable = (n > 1) & (spread > 1e-12)
    z = (total - expected) / np.where(testable, spread, 1)
    chance = np.where(n > 0, expected / size, np.nan)
    room = np.maximum(1 - chance, 1e-12)
    return ChanceTest(
        agreement=np.where(n > 0, total / size, np.nan),
        by_chance=chance,
        error=np.where(testable, spread / size / room, np.nan),
        p_value=np.where(testable, special.ndtr(-z), np.nan),
    )


def _crossed(row: Ints, column: Ints, n_rows: int, n_columns: int) -> Floats:
    """How often each row (R,) comes with each column (R,): (n_rows, n_columns)."""
    cell = np.bincount(row * n_columns + column, minlength=n_rows * n_columns)
    return cell.reshape(n_rows, n_columns).astype(np.float64)
