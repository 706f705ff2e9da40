"""Whether disagreements follow the order of the labels: scores do, codes of names do not.

Two people who differ by a mistake of naming pick any other name; two who differ on a mark pick a
neighbouring one. Krippendorff's alpha weighs that: with the squared distance between the labels'
places as the weight of a disagreement it rises above the nominal one where numbers are scores, and
no other order of the labels would do better.
"""

import numpy as np

from headcount.arrays import Floats
from headcount.counting import Patterns
from headcount.frozen import frozen

# With fewer items that raters differ on, which order fits best is an accident.
_LEAST_CONTESTED = 30

# A rise of alpha by less happens by chance: three in a thousand, not one in twenty, since a wrong
# order spoils every number that follows.
_STANDARD_ERRORS = 3.0

# Marks keep this share of what the best order would gain: neighbours exchange places by luck.
_NEARLY_BEST = 0.8

# Codes that begin elsewhere than marks do must be the best order themselves, but for rounding.
_BEST = 0.999

# Of so many draws the order may be lost in so few.
_DRAWS = 100
_MOST_LOST = 1

# Other orders are tried among at most so many labels.
_MOST_MOVED = 12


@frozen
class Evidence:
    """What disagreements say about the labels' order.

    `contested` is the number of items that raters differ on; `gain` by how much alpha rises when
    labels are placed in their order, in standard errors `z`; `share` that rise over the rise in
    the best order that moving labels about leads to (1 where no move leads to a better one).
    """

    contested: int
    z: float = 0.0
    share: float = 0.0

    @property
    def enough(self) -> bool:
        """Whether there is enough disagreement to tell anything."""
        return self.contested >= _LEAST_CONTESTED

    @property
    def nearer_than_by_chance(self) -> bool:
        """Whether labels that people confuse are near each other."""
        return self.z > _STANDARD_ERRORS

    def speaks_for_order(self, *, clearly: bool) -> bool:
        """Whether no other order fits the disagreements (much) better."""
        wanted = _BEST if clearly else _NEARLY_BEST
        return self.nearer_than_by_chance and self.share >= wanted


def evidence_of(patterns: Patterns, values: Floats) -> Evidence:
    """What the disagreements within items say about labels at these values, in their order."""
    kept = patterns.only(patterns.raters > 1)
    contested = int(kept.items[(kept.counts > 0).sum(axis=1) > 1].sum())
    if contested < _LEAST_CONTESTED:
        return Evidence(contested)
    counts, items = kept.counts.astype(np.float64), kept.items.astype(np.float64)
    common = items @ counts
    used = common > 0
    counts, common = counts[:, used], common[used]
    places = values[used] if len(values) > _MOST_MOVED else np.arange(float(used.sum()))
    plain = _names_differ(counts) / _expected(common, 1 - np.eye(len(common)))
    placed = _squared(counts, places) / _expected(common, _apart(places))
    each = plain - placed
    gain = float(items @ each)
    error = float(np.sqrt(items @ (each - gain / items.sum()) ** 2))
    z = gain / error if error > 0 else 0.0
    if len(common) > _MOST_MOVED or gain <= 0:
        return Evidence(contested, z, 1.0 if gain > 0 else 0.0)
    nominal = 1 - float(items @ plain)
    best = _best_alpha(_coincidences(counts, items), places)
    return Evidence(contested, z, gain / (best - nominal))


def stays_in_order(patterns: Patterns, values: Floats) -> bool:
    """Whether items drawn anew speak for the order as clearly, nearly every time.

    Codes of names follow their order by luck in one sample of items in four or so.
    """
    rng = np.random.default_rng(0)
    n = int(patterns.items.sum())
    lost = 0
    for _ in range(_DRAWS):
        drawn = rng.multinomial(n, patterns.items / n)
        there = drawn > 0
        again = evidence_of(Patterns(patterns.counts[there], drawn[there]), values)
        lost += not (again.enough and again.speaks_for_order(clearly=True))
        if lost > _MOST_LOST:
            return False
    return True


def _names_differ(counts: Floats) -> Floats:
    """Pairs of ratings that differ, an item: Σ_{a≠b} c_a c_b / (n − 1)."""
    n = counts.sum(axis=1)
    differ: Floats = (n**2 - (counts**2).sum(axis=1)) / (n - 1)
    return differ


def _squared(counts: Floats, places: Floats) -> Floats:
    """Squared distances of pairs of ratings, an item: Σ c_a c_b (v_a − v_b)² / (n − 1)."""
    n, v = counts.sum(axis=1), places - places.mean()
    apart: Floats = 2 * (n * (counts @ v**2) - (counts @ v) ** 2) / (n - 1)
    return apart


def _expected(common: Floats, apart: Floats) -> float:
    return float(common @ apart @ common / common.sum())


def _apart(places: Floats) -> Floats:
    squared: Floats = (places[:, None] - places[None, :]) ** 2
    return squared


def _coincidences(counts: Floats, items: Floats) -> Floats:
    weight = items / (counts.sum(axis=1) - 1)
    weighed = counts * weight[:, None]
    pairs: Floats = weighed.T @ counts - np.diag(weighed.sum(axis=0))
    return pairs


def _best_alpha(pairs: Floats, places: Floats) -> float:
    """The highest alpha that exchanging or moving labels leads to from these places."""
    common = pairs.sum(axis=1)

    def alpha(at: Floats) -> float:
        apart = _apart(at)
        return 1 - float((pairs * apart).sum()) / _expected(common, apart)

    best, found = places.copy(), alpha(places)
    while True:
        tried = [(alpha(at), at) for at in _moves(best)]
        better, at = max(tried, key=lambda pair: pair[0])
        if better <= found + 1e-12:
            return found
        best, found = at, better


def _moves(places: Floats) -> list[Floats]:
    """Places with two labels exchanged, or with one taken out and put in elsewhere."""
    order = np.argsort(places)
    found = []
    for a in range(len(order)):
        for b in range(len(order)):
            moved = np.insert(np.delete(order, a), b, order[a])
            swapped = order.copy()
            swapped[[a, b]] = order[[b, a]]
            found += [np.argsort(other).astype(np.float64) for other in (moved, swapped)]
    return found
