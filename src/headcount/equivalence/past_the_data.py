"""Past the data: the curve without end, the ideal classifier, and worths beyond the raters asked.

A score h is worth k where h − c_k crosses nought, and an end of its interval is the k at which
h − c_k is just within what chance allows. Up to the raters in the data that is read from
resamples of items. Past them c_k comes from `limits`, and its distance is joined with that of h
by squares, with their correlation over items (MOVER: Zou and Donner, Statistics in Medicine 27,
2008).
"""

from dataclasses import field, replace
from functools import cached_property, partial
from statistics import NormalDist
from typing import Any

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.equivalence.crossing import reach_of, worth
from headcount.equivalence.curve_limits import Limits, Spread
from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.sameness import NEAR, as_good, exceeds, scale_of, varies
from headcount.sampling import estimate_from_draws
from headcount.sampling.crossing import MOST_RATERS
from headcount.sampling.intervals import Tail
from headcount.sampling.people import reach_over_raters

# A curve this share of the possible gain below the ideal tells no more raters apart.
_RESOLUTION = 0.01

# Nothing is measured past asking nobody, so a worth would be a model's word alone.
_TOO_FEW = (
    "there are too few ratings to say: no number of people is seen to predict better than none"
)

_NO_GAIN = "no classifier could gain over asking nobody"


@frozen(eq=False)
class Beyond:
    """A measured curve, `values` (K,) and `draws` (B, K), and where it goes by `limits`.

    `tail` is the share of draws outside intervals. `undefined` says why a score has no value.
    `goes_with` (J,) tells, of scores without each rater or group of raters, without which group
    `limits` move along; None where they are not to be matched.
    """

    limits: Limits
    values: Floats
    draws: Floats
    tail: Tail
    undefined: str
    goes_with: Ints | None = None
    _spreads: dict[float, Spread] = field(default_factory=dict, init=False)

    @property
    def reach(self) -> int:
        """The last point that is measured and no lower than those before it."""
        return reach_of(self.values)

    @property
    def scale(self) -> float:
        """The scale that scores are on."""
        return scale_of(self.values, self.limits.ideal)

    @property
    def intervals(self) -> bool:
        """Whether there are draws to read intervals from."""
        return len(self.draws) > 0

    @cached_property
    def grid(self) -> Ints:
        """Numbers of raters past the data, one by one and then further and further apart."""
        near = np.arange(self.reach + 1, self.reach + 6)
        far = np.geomspace(near[-1], max(MOST_RATERS, near[-1]), 26)
        return np.unique(np.concatenate([near, np.rint(far).astype(np.int64)]))

    @cached_property
    def curve(self) -> Floats:
        """The curve on the grid: never below what was measured, never falling.

        It is worked out up to `last`, and level from there on.
        """
        whole = self.limits.ideal - self.values[0]
        # A curve that is level from the start is not asked for a point past the ideal.
        enough = self.limits.ideal - _RESOLUTION * whole + NEAR * abs(whole)
        modelled = self.limits.curve(np.concatenate([[self.reach], self.grid]), enough)
        found = self._joined_to_data(modelled[0], modelled[1:])
        # More raters never predict worse; where the model dips below the data, drawing did it.
        return np.maximum.accumulate(np.concatenate([[self.values[self.reach]], found]))[1:]

    def _joined_to_data(self, here: float, further: Floats) -> Floats:
        """The modelled curve from where the data end: the same share of what is left to gain.

        The population is that of all rated items, the data's curve that of those with ratings
        enough, which may be others: taken as it is, the modelled curve would begin with a step.
        """
        ideal, last = self.limits.ideal, float(self.values[self.reach])
        rises = exceeds(ideal, here, scale=self.scale) and exceeds(ideal, last, scale=self.scale)
        if not rises:
            return further
        joined: Floats = last + (further - here) * (ideal - last) / (ideal - here)
        return joined

    @cached_property
    def last(self) -> int:
        """The most raters that are told apart: there the curve all but reaches the ideal."""
        whole = self.limits.ideal - self.values[0]
        near = np.flatnonzero(
            as_good(_RESOLUTION * whole, self.limits.ideal - self.curve, scale=self.scale)
        )
        return int(self.grid[near[0]] if len(near) else self.grid[-1])

    def ideal(self) -> Estimate:
        """The score of the ideal classifier."""
        return self._ideal_at(self.tail.confidence)

    def worth(self, score: float, draws: Floats) -> Estimate:
        """How many raters a score is worth; `draws` (B,) are the score in the samples."""
        return self._worth_at(score, draws, self.tail.confidence)

    def of_ideal(self, gain: Estimate) -> Estimate:
        """A `gain` over asking nobody as a share of the ideal classifier's."""
        return self._share_at(gain, self.tail.confidence)

    def point(self, k: int) -> tuple[Estimate, Estimate]:
        """The modelled score of k raters on the grid, and its gain over asking nobody."""
        score = self._point_at(k, 0.0, self.tail.confidence)
        return score, self._point_at(k, float(self.values[0]), self.tail.confidence)

    def shown(self) -> Ints:
        """The k of the grid up to where it matters: none where the data all but reach the ideal."""
        whole = self.limits.ideal - self.values[0]
        left = self.limits.ideal - self.values[self.reach]
        if not exceeds(left, _RESOLUTION * whole, scale=self.scale):
            return self.grid[:0]
        return self.grid[self.grid <= self.last]

    def _spread(self, confidence: float) -> Spread:
        if confidence not in self._spreads:
            self._spreads[confidence] = self.limits.spread(self.reach + 1, confidence)
        return self._spreads[confidence]

    def _estimate(self, value: float, below: float, above: float) -> Estimate:
        if not self.intervals:
            return Estimate(value)
        return Estimate(value, value - below, value + above)

    def _ideal_at(self, confidence: float) -> Estimate:
        below, above = self._distance(np.array([np.inf]), confidence)
        found = self._estimate(self.limits.ideal, float(below[0]), float(above[0]))
        return replace(found, reread=self._ideal_at)

    def _point_at(self, k: int, less: float, confidence: float) -> Estimate:
        below, above = self._distance(np.array([float(k)]), confidence)
        value = float(self.curve[np.searchsorted(self.grid, k)]) - less
        found = self._estimate(value, float(below[0]), float(above[0]))
        return replace(found, reread=partial(self._point_at, k, less))

    def _distance(self, k: Floats, confidence: float) -> tuple[Floats, Floats]:
        if not self.intervals:
            return np.zeros(len(k)), np.zeros(len(k))
        return self._spread(confidence).at(k, confidence)

    def _share_at(self, gain: Estimate, confidence: float) -> Estimate:
        whole = self.limits.ideal - self.values[0]
        if not exceeds(whole, 0.0, scale=self.scale) or gain.value is None:
            return Estimate.undefined(self.undefined if gain.value is None else _NO_GAIN)
        share, own = gain.value / whole, gain.at(confidence)
        if not self.intervals or own.low is None or own.high is None:
            return Estimate(share)
        below, above = (float(each[0]) for each in self._distance(np.array([np.inf]), confidence))
        return Estimate(
            share,
            share - float(np.hypot(gain.value - own.low, share * above)) / whole,
            share + float(np.hypot(own.high - gain.value, share * below)) / whole,
            reread=partial(self._share_at, gain),
        )

    def _worth_at(self, score: float, draws: Floats, confidence: float) -> Estimate:
        """Each of value, low and high where it lies: read from the data, or past them."""
        values, of_draws = self.values[: self.reach + 1], self.draws[:, : self.reach + 1]
        inside = estimate_from_draws(
            float(worth([score], values[None])[0]),
            worth(draws, of_draws),
            self.tail.at(confidence),
            undefined=self.undefined,
            floor=0.0,
            ceiling=float(self.reach),
        )
        found = self.past(inside, score, draws, None, confidence)
        return replace(found, reread=partial(self._worth_at, score, draws))

    def past(
        self,
        inside: Estimate,
        score: float,
        draws: Floats,
        without: Floats | None,
        confidence: float,
    ) -> Estimate:
        """An estimate with those of its parts that lie past the data filled in.

        `without` (J,) are the scores without each rater, where raters are a sample too: a score
        and the curve that move alike without a rater stay as far apart.
        """
        inside = replace(inside, measured_to=float(self.reach))
        if "above" not in (inside.state, inside.low_state, inside.high_state):
            return inside
        if not self.reach:
            return Estimate.undefined(_TOO_FEW)
        told = self.grid <= self.last
        k = np.concatenate([[self.reach], self.grid[told], [np.inf]])
        c = np.concatenate([[self.values[self.reach]], self.curve[told], [self.limits.ideal]])
        c = np.maximum.accumulate(c)
        over = score - c
        found = {"value": _falls_to_nought(k, self.scale, over)}
        if self.intervals:
            spread = self._spread(confidence)
            below, above = spread.over_items(k)
            by_rater = self._over_raters(spread.moves_at(k), score, without, confidence)
            own = NormalDist().inv_cdf(0.5 + confidence / 2) * float(np.nanstd(draws))
            # A score that rises with the curve from sample to sample is told from it more surely.
            both = _correlation(draws, self.draws[:, self.reach])
            further = np.hypot(_joined(own, above, both), by_rater)
            nearer = np.hypot(_joined(own, below, both), by_rater)
            found["low"] = _falls_to_nought(k, self.scale, over - further)
            found["high"] = _falls_to_nought(k, self.scale, over + nearer)
            # A value that is read past the data bounds the ends that are read there too.
            found["low"] = min(found["low"], found["value"])
            found["high"] = max(found["high"], found["value"])
        filled: dict[str, Any] = {}
        for name, state in (("value", "state"), ("low", "low_state"), ("high", "high_state")):
            if getattr(inside, state) == "above" and name in found:
                told_apart = np.isfinite(found[name])
                filled[name] = found[name] if told_apart else None
                filled[state] = "within" if told_apart else "above"
        return replace(inside, ceiling=float(self.last), **filled)

    def _over_raters(
        self, moves: Floats, score: float, without: Floats | None, confidence: float
    ) -> Floats:
        """How far a score's lead over the curve at n places may reach for raters, (n,).

        `moves` (R, n) is how the curve moves without each group of raters.
        """
        if without is None:
            return reach_over_raters(moves, confidence)
        own = without - score
        if self.goes_with is None or not len(moves):
            alone = reach_over_raters(own[:, None], confidence)
            return np.hypot(alone, reach_over_raters(moves, confidence))
        # What several groups add together is nearly what they add one by one.
        there = (self.goes_with >= 0) & ~np.isnan(own)
        along = np.bincount(self.goes_with[there], weights=own[there], minlength=len(moves))
        return reach_over_raters(along[:, None] - moves, confidence)


def _joined(own: float, far: Floats, correlation: float) -> Floats:
    """The distance of a difference from those of its two parts."""
    joined: Floats = np.sqrt(np.maximum(own**2 + far**2 - 2 * correlation * own * far, 0.0))
    return joined


def _correlation(one: Floats, other: Floats) -> float:
    """The correlation over samples; none where either does not vary, or is undefined."""
    known = np.isfinite(one) & np.isfinite(other)
    if known.sum() < 3:
        return 0.0
    if not all(varies(each.var(), scale=scale_of(each)) for each in (one[known], other[known])):
        return 0.0
    return float(np.corrcoef(one[known], other[known])[0, 1])


def _falls_to_nought(k: Floats, scale: float, excess: Floats) -> float:
    """The first k at which an excess is no longer positive, straight between points; ∞: never."""
    down = np.flatnonzero(exceeds(0.0, excess, scale=scale))
    if not len(down):
        return float(np.inf)
    at = int(down[0])
    if at == 0:
        return float(k[0])
    if not np.isfinite(k[at]):
        return float(np.inf)
    step = min(max(excess[at - 1] / (excess[at - 1] - excess[at]), 0.0), 1.0)
    return float(k[at - 1] + step * (k[at] - k[at - 1]))
