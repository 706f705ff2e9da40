"""What people hold on single items, seen in the light of all the others.

Few answers say little about one item, but all items together say what items are like: how
many are clear, how many contested. Fitted through the slips, that population gives each item the
posterior mean of the shares held, given its answers (METHODS: the population of items).
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from headcount.data import enough, group_rows
from headcount.deconvolution.rates import FlipRates
from headcount.deconvolution.shares import MOST_SLIPS
from headcount.deconvolution.slips import most_disagreement
from headcount.frozen import frozen
from headcount.population import Population, fit_population

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LEAST_ITEMS = 50
"""Fewer items do not tell what items are like."""
MOST_LABELS = 2
"""Fitting more labels through slips takes minutes on ordinary data."""


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

    def behind(self, counts: Ints, size: Ints, answers: Ints) -> Floats:
        """The shares held behind counts and a classifier's answers (G,): (3, G, L).

        Its answer tells something about the item that people's few answers do not, so each
        answer has a population of its own, as long as enough items got it.
        """
        known = self.given(counts)
        for answer in np.unique(answers):
            rows = answers == answer
            if size[rows].sum() >= LEAST_ITEMS:
                own = Opinions(counts[rows], self.rates, size[rows])
                known[:, rows] = own.given(counts[rows])
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
