"""Pilots with a known difference between two classifiers, written from the story alone."""

from dataclasses import dataclass

import numpy as np

from headcount.data import Named
from headcount.plan.choice import Choice
from headcount.plan.pilot_moments import label_moments


@dataclass(frozen=True)
class Setting:
    """Items, ratings each (lowest and highest), how often the two differ, and true gaps."""

    items: int = 500
    ratings: tuple[int, int] = (5, 5)
    differ: float = 0.2
    gap_sd: float = 0.03
    gap: float | None = None
    other: float = 0.0  # share of people who side with neither, where the two differ
    raters: int | None = None
    rater_sd: float = 0.0

    def draw_gap(self, rng):
        if self.gap is not None:
            return self.gap * rng.choice([-1, 1])
        most = 0.9 * self.differ * (1 - self.other)
        return float(np.clip(rng.normal(0, self.gap_sd), -most, most))


SETTINGS = {
    "500 × 5, gaps of 3 points": Setting(),
    "1,500 × 5, a gap of half a point": Setting(items=1500, gap=0.005),
    "three labels": Setting(other=0.25),
    "ragged, 2 to 5 ratings": Setting(ratings=(2, 5)),
    "rare labels": Setting(items=2000, differ=0.03, gap_sd=0.005),
    "20 raters who differ (sd .1)": Setting(raters=20, rater_sd=0.1),
    "5 raters who differ (sd .1)": Setting(raters=5, rater_sd=0.1),
}


def sides(rng, setting, gap, items, ratings, rater_shift=None):
    """Labels where the two differ: 0 sides with the first, 1 with the second, 2 with neither."""
    lean = gap / setting.differ / 2  # of those who side with one of the two
    own = rng.uniform(-0.2, 0.2, items)[:, None] if rater_shift is None else 0.0
    first = (1 - setting.other) / 2 + lean + own * (1 - setting.other)
    first = np.broadcast_to(first, (items, ratings)) + (0 if rater_shift is None else rater_shift)
    draw = rng.random((items, ratings))
    return np.where(draw < first, 0, np.where(draw < 1 - setting.other, 1, 2))


def pilot(rng, setting, gap):
    """Counts, decisions and who said what, over all items."""
    n, (low, high) = setting.items, setting.ratings
    apart = rng.random(n) < setting.differ
    shift, who = None, None
    if setting.raters:
        effects = rng.uniform(-1, 1, setting.raters) * setting.rater_sd * np.sqrt(3)
        who = rng.permuted(np.tile(np.arange(setting.raters), (n, 1)), axis=1)[:, :high]
        shift = effects[who]
    labels = sides(rng, setting, gap, n, high, shift)
    labels = np.where(apart[:, None], labels, 0)
    size = rng.integers(low, high + 1, n)
    given = np.arange(high) < size[:, None]
    counts = np.stack([((labels == k) & given).sum(axis=1) for k in range(3)], axis=1)
    decisions = np.column_stack([np.zeros(n, int), np.where(apart, 1, 0)])
    if who is None:
        return counts, decisions, None
    item, place = np.nonzero(given)
    return (
        counts,
        decisions,
        Named(
            item, who[item, place], labels[item, place], np.arange(setting.raters).astype(object)
        ),
    )


def futures(rng, setting, gap, items, labels_a_rater, times):
    """The mean difference over `items` further items with one label each, drawn `times` times."""
    sided = setting.differ * (1 - setting.other)
    chances = [(sided + gap) / 2, (sided - gap) / 2]
    if not setting.raters:
        drawn = rng.multinomial(items, [*chances, 1 - sum(chances)], size=times)
        return (drawn[:, 0] - drawn[:, 1]) / items
    raters = max(round(items / labels_a_rater), 1)
    means = np.empty(times)
    for run in range(times):
        effects = rng.uniform(-1, 1, raters) * setting.rater_sd * np.sqrt(3)
        each = np.diff(np.linspace(0, items, raters + 1).round().astype(int))
        tilt = setting.differ * effects
        drawn = rng.multinomial(
            each,
            np.stack([chances[0] + tilt, chances[1] - tilt, np.full(raters, 1 - sum(chances))], 1),
        )
        means[run] = (drawn[:, 0] - drawn[:, 1]).sum() / items
    return means


def kept(setting, pilots, seed, *, more=1000, target=0.95, target_every=4, times=10):
    """Promised and kept, over many pilots: with the prior that gaps come from, and with none.

    Gives {"stated": …, "flat": …}, each with "now", "more" (after so many items) and "target"
    (after the items that promise it), `right …` beside each, and losses "loss" and "left",
    `lost …` beside each. Decisions weigh the pilot and the further items by their precision.
    """
    rows = {"stated": [], "flat": []}
    for run in range(pilots):
        rng = np.random.default_rng([seed, run])
        gap = setting.draw_gap(rng)
        counts, decisions, named = pilot(rng, setting, gap)
        found = label_moments(counts, decisions, None, named)
        who = "fixed" if named is None else "new"
        for kind, prior in (("stated", setting.gap_sd), ("flat", None)):
            choice = Choice(found, who, prior)
            row = {"now": choice.probability(), "loss": choice.loss()}
            row |= _outcome("now", "loss", gap, *Choice(found, who).difference(0, 1))
            row |= {"more": choice.probability(more), "left": choice.loss(more)}
            row |= _later(rng, setting, gap, found, who, more, times, "more", "left")
            enough = fewest(choice, target) if run % target_every == 0 else None
            if enough:
                row["target"] = choice.probability(enough)
                row |= _later(rng, setting, gap, found, who, enough, times, "target", "end")
            rows[kind].append(row)
    return {
        kind: {n: float(np.mean([row[n] for row in found if n in row])) for n in _names(found)}
        for kind, found in rows.items()
    }


def _names(rows):
    return sorted({name for row in rows for name in row})


def _outcome(promise, loss, gap, seen, _):
    right = np.sign(seen) == np.sign(gap)
    return {f"right {promise}": right, f"lost {loss}": abs(gap) * ~right}


def _later(rng, setting, gap, found, who, items, times, promise, loss):
    """How often the leader over pilot and further items is the better one, and what it loses."""
    contrast = np.array([1.0, -1.0])
    one = found.one_label + found.rater * found.labels_a_rater
    seen, sd = Choice(found, who).difference(0, 1)
    later = futures(rng, setting, gap, items, max(found.labels_a_rater, 1), times)
    pooled = seen / sd**2 + later * items / (contrast @ one @ contrast)
    right = np.mean(np.sign(pooled) == np.sign(gap))
    equal = np.mean(np.sign(seen * setting.items + later * items) == np.sign(gap))
    return {
        f"right {promise}": right,
        f"equal {promise}": equal,
        f"lost {loss}": abs(gap) * (1 - right),
    }


def fewest(choice, target, most=400_000):
    """The fewest items for a probability, None beyond `most`."""
    if choice.probability() >= target:
        return 0
    if choice.probability(most) < target:
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if choice.probability(middle) >= target else (middle, high)
    return high
