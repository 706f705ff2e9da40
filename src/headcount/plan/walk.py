"""The exact chance that a sum of n steps of +1, 0 or −1 is positive, zero or negative.

Every comparison of two classifiers is such a walk. Writing p₊ and p₋ for the chances of a step
up and down, r = √(p₊/p₋) and M = 1 − (√p₊ − √p₋)²,

    P(S = k) = Mⁿ · rᵏ · T(k),

where T is the law of n *symmetric* steps with τ = √(p₊p₋)/M each way. So the failure
P(S ≤ 0) = Mⁿ · Σ_{k≥0} r⁻ᵏ T(k) is Cramér's bound times a sum of order one: all of the
smallness is in Mⁿ, nothing cancels, and 1e-300 is as easy as 0.3.

The sum is a trapezoid rule on the characteristic function 1 − 4τ·sin²(θ/2) of one step: exact
once the nodes number 2n + 1, and with a tail of T below 1e-17 left out once they number 2K + 1.
Only nodes near 0 (and near π where steps of 0 are rare) carry weight, fewer than 70 of them
whatever n is, so a probability costs the same at n = 100 and at n = 10⁹.
`docs/budget.md` has the derivation and the measured error.

Below stand two bounds on the failure, Cramér's and Hoeffding's: both hold for every number of
items as long as the drift is positive; where it is not they are 1. At the end stand the numbers of
items that a budget buys and that a target asks for.
"""

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from headcount.arrays import Floats
from headcount.frozen import frozen

# −log of the relative weight of the left-out tail of T: e^−39.2 = 1e-17.
_TAIL = 39.2

# Nodes whose characteristic function to the n is below e^−40 are left out.
_NEGLIGIBLE = 40.0

# A logarithm whose exponential is zero in double precision.
_NEVER = -800.0

# Sizes that need more are out of reach: past 2⁵³ whole numbers cannot be told apart.
MOST_ITEMS = 1e15


@frozen
class WalkEnds:
    """Where the walk ends: arrays of one shape, the broadcast shape of the inputs.

    `win` P(S > 0), `tie` P(S = 0), `loss` P(S < 0), `failure` P(S ≤ 0), and `log_failure`,
    its natural logarithm, which goes on where the failure itself is too small for a double
    (−∞ only where failing is impossible). Failure is right to about 1e-12 of itself however
    small it is, tie and loss to about 1e-13 of the failure where that is the rarer end.
    """

    win: Any
    tie: Any
    loss: Any
    failure: Any
    log_failure: Any


def walk_ends(
    up: Any, down: Any, drift: Any, steps: Any, *, still: Any = None, xp: ModuleType | Any = np
) -> WalkEnds:
    """Exact ends of walks with step chances `up` and `down` and `steps` steps, broadcast together.

    `drift` is up − down and `still` is 1 − up − down, asked for apart because the caller knows
    them without cancellation (`still` by default is what is left).
    `xp` is the array module: NumPy, CuPy or anything that speaks like them.
    """
    if still is None:
        still = xp.maximum(1.0 - xp.asarray(up) - xp.asarray(down), 0.0)
    up, down, drift, steps, still = xp.broadcast_arrays(
        *(xp.asarray(value, dtype=xp.float64) for value in (up, down, drift, steps, still))
    )
    shape = up.shape
    if up.size == 0:
        return WalkEnds(*(xp.zeros(shape) for _ in range(5)))
    up, down, drift, steps, still = (
        xp.reshape(value, (-1,)) for value in (up, down, drift, steps, still)
    )
    # The side with fewer steps is the one whose chance is small, and computed directly.
    likely, rare = xp.maximum(up, down), xp.minimum(up, down)
    base = log_cramer_base(up, down, drift, still, xp=xp)
    log_cramer = steps * base
    at_zero, beyond = _symmetric_sums(likely, rare, xp.abs(drift), still, steps, xp)
    tie = xp.exp(log_cramer) * at_zero
    rare_side = xp.exp(log_cramer) * beyond
    tail = at_zero + beyond
    usual = drift >= 0
    log_failure = xp.where(
        usual,
        xp.minimum(log_cramer + xp.log(xp.maximum(tail, 1e-300)), 0.0),
        xp.log1p(-xp.minimum(rare_side, 1.0 - 1e-16)),
    )
    log_failure = xp.where(usual & (base <= _NEVER), -xp.inf, log_failure)
    win = xp.where(usual, -xp.expm1(log_failure), rare_side)
    loss = xp.where(usual, rare_side, xp.maximum(1.0 - tie - rare_side, 0.0))
    failure = xp.exp(log_failure)
    return WalkEnds(*(xp.reshape(end, shape) for end in (win, tie, loss, failure, log_failure)))


def log_cramer_base(
    up: Any, down: Any, drift: Any, still: Any, *, xp: ModuleType | Any = np
) -> Any:
    """log(1 − (√p₊ − √p₋)²), the log of Cramér's bound for one step; −800 where it is −∞.

    √p₊ − √p₋ is taken as drift / (√p₊ + √p₋), and the whole as p₀ + 2√(p₊p₋) where it is
    small: the same numbers without cancellation.
    """
    roots = xp.sqrt(up) + xp.sqrt(down)
    apart = drift / xp.where(roots > 0, roots, 1.0)
    base = still + 2.0 * xp.sqrt(up * down)
    small = base < 0.5
    from_base = xp.log(xp.where(base > 0, base, 1.0))
    from_apart = xp.log1p(-xp.where(small, 0.0, apart * apart))
    return xp.where(small, xp.where(base > 0, from_base, _NEVER), from_apart)


def _symmetric_sums(
    likely: Any, rare: Any, drift: Any, still: Any, steps: Any, xp: Any
) -> tuple[Any, Any]:
    """T(0) and Σ_{k≥1} xᵏ T(k) with x = √(rare/likely)."""
    both_ways = xp.sqrt(likely * rare)
    base = xp.maximum(still + 2.0 * both_ways, 1e-300)
    tau = xp.minimum(both_ways / base, 0.5)
    log_x = _log_root_ratio(likely, rare, drift, xp)
    variance = 2.0 * tau * steps
    reach = _reach(variance, steps, xp)
    spacing = np.pi / (2.0 * reach + 1.0)  # half the distance between nodes
    last = _last_node(variance, reach, spacing, xp)

    j = xp.arange(last + 1, dtype=xp.float64)[None, :]
    sine = xp.sin(spacing[:, None] * j)
    weight = xp.where(j == 0, 1.0, 2.0) * (j <= reach[:, None])
    at_zero, beyond = _weighted(
        4.0 * tau[:, None] * sine * sine, sine * sine, j, weight, log_x, reach, steps, xp
    )

    # Near θ = π the characteristic function is near −1 where steps of 0 are rare.
    from_minus_one = 2.0 * still / base
    echo = (reach > last) & (steps * from_minus_one < _NEGLIGIBLE)
    if bool(xp.any(echo)):
        index = xp.nonzero(echo)[0]
        echo_zero, echo_beyond = _echo(
            *(value[index] for value in (tau, log_x, reach, steps, spacing, from_minus_one)),
            last=last,
            xp=xp,
        )
        at_zero[index] += echo_zero
        beyond[index] += echo_beyond
    nodes = 2.0 * reach + 1.0
    # An odd number of steps, none of them 0, cannot end at 0: exactly, not up to rounding.
    level = (still > 0.0) | (steps == 2.0 * xp.floor(0.5 * steps))
    return xp.where(level, xp.maximum(at_zero / nodes, 0.0), 0.0), xp.maximum(beyond / nodes, 0.0)


def _log_root_ratio(likely: Any, rare: Any, drift: Any, xp: Any) -> Any:
    """Log √(rare/likely), by the drift where they are close and by the ratio where they are not."""
    whole = xp.where(likely > 0, likely, 1.0)
    share = drift / whole
    near = share < 0.5
    ratio = xp.where(rare > 0, rare / whole, 1.0)
    by_ratio = xp.where(rare > 0, xp.log(ratio), 2.0 * _NEVER)
    return 0.5 * xp.where(near, xp.log1p(-xp.where(near, share, 0.0)), by_ratio)


def _reach(variance: Any, steps: Any, xp: Any) -> Any:
    """K: T is below 1e-17 of its peak beyond it, by Bernstein's inequality; never past n."""
    tail = _TAIL + 0.5 * xp.log1p(variance)
    bernstein = tail / 3.0 + xp.sqrt(tail * tail / 9.0 + 2.0 * tail * variance)
    return xp.minimum(steps, xp.ceil(bernstein))


def _last_node(variance: Any, reach: Any, spacing: Any, xp: Any) -> int:
    """The last node that carries weight at any of the points: φⁿ ≤ exp(−2·variance·sin²(θ/2))."""
    sine2 = 0.5 * _NEGLIGIBLE / xp.maximum(variance, 0.5 * _NEGLIGIBLE)
    needed = xp.ceil(xp.arcsin(xp.sqrt(sine2)) / spacing)
    return int(xp.max(xp.minimum(needed, reach)))


def _echo(
    tau: Any,
    log_x: Any,
    reach: Any,
    steps: Any,
    spacing: Any,
    from_minus_one: Any,
    *,
    last: int,
    xp: Any,
) -> tuple[Any, Any]:
    """The nodes K, K−1, … nearest to π that the first window did not reach."""
    i = xp.arange(last + 1, dtype=xp.float64)[None, :]
    j = reach[:, None] - i
    cosine = xp.sin(spacing[:, None] * (i + 0.5))
    below = from_minus_one[:, None] + 4.0 * tau[:, None] * cosine * cosine
    weight = 2.0 * (j > last)
    return _weighted(2.0 - below, 1.0 - cosine * cosine, j, weight, log_x, reach, steps, xp, below)


def _weighted(
    fall: Any,
    sine2: Any,
    j: Any,
    weight: Any,
    log_x: Any,
    reach: Any,
    steps: Any,
    xp: Any,
    below: Any = None,
) -> tuple[Any, Any]:
    """Sums over nodes of weight · φⁿ and weight · φⁿ · Re Σ_{1≤k≤K} (x e^{−iθ})ᵏ.

    `fall` is 1 − φ. Where φ is negative its distance from −1 is `below`; both ends go through
    log1p, so that φⁿ keeps its digits at n = 10⁹. With 2K + 1 nodes the geometric sum has the
    closed form used here, without cancellation as x → 1.
    """
    steps = steps[:, None]
    negative = fall > 1.0
    near = xp.where(negative, 2.0 - fall if below is None else below, fall)
    power = xp.exp(steps * xp.log1p(-xp.minimum(near, 1.0 - 1e-16)))
    odd = steps - 2.0 * xp.floor(0.5 * steps)
    power = weight * xp.where(negative, 1.0 - 2.0 * odd, 1.0) * power

    x = xp.exp(log_x)[:, None]
    y = -xp.expm1(log_x)[:, None]
    end = xp.exp(xp.maximum(reach * log_x, _NEVER))[:, None]
    alternating = 1.0 - 2.0 * (j - 2.0 * xp.floor(0.5 * j))
    cosine = xp.sqrt(xp.maximum(1.0 - sine2, 0.0))
    above = x * y * (1.0 - alternating * end * cosine) - 2.0 * x * sine2
    under = y * y + 4.0 * x * sine2
    # x = 1 at θ = 0 is the one 0/0: there the sum has K equal terms.
    whole = under > 0.0
    kernel = xp.where(whole, above / xp.where(whole, under, 1.0), reach[:, None])
    # At θ = 0 and x near 1, 1 − xᴷ needs expm1 to keep its digits.
    first = -x[:, 0] * xp.expm1(xp.maximum(reach * log_x, _NEVER)) / xp.where(y > 0, y, 1.0)[:, 0]
    kernel = xp.where((sine2 == 0.0) & (y > 0), first[:, None], kernel)
    return xp.sum(power, axis=1), xp.sum(power * kernel, axis=1)


def cramer_failure(
    up: ArrayLike, down: ArrayLike, drift: ArrayLike, still: ArrayLike, items: ArrayLike
) -> Floats:
    """(1 − (√p₊ − √p₋)²)ⁿ: valid for every n, and right in rate as n grows."""
    return np.asarray(np.exp(np.asarray(items) * _cramer_rate(up, down, drift, still)))


def hoeffding_failure(drift: ArrayLike, items: ArrayLike) -> Floats:
    """exp(−n(p₊ − p₋)²/2): valid for every n, far too large where labels are good."""
    return np.asarray(np.exp(np.asarray(items) * _hoeffding_rate(drift)))


def cramer_items(
    up: ArrayLike, down: ArrayLike, drift: ArrayLike, still: ArrayLike, failure: float
) -> Floats:
    """Items from which on Cramér's bound is at most `failure`; infinite where it never is."""
    return _items(_cramer_rate(up, down, drift, still), failure)


def hoeffding_items(drift: ArrayLike, failure: float) -> Floats:
    """Items from which on Hoeffding's bound is at most `failure`; infinite where it never is."""
    return _items(_hoeffding_rate(drift), failure)


def rivals_ruled_out(log_failure: ArrayLike, tolerance: float) -> Floats:
    """How many rivals can be ruled out at once: tolerance / failure of one, rounded down.

    By the union bound: with that many rivals, each at least the margin behind, the best one
    still comes first with probability 1 − tolerance. Capped at 1e300.
    """
    log_rivals = np.log(tolerance) - np.asarray(log_failure, dtype=float)
    return np.asarray(np.floor(np.exp(np.minimum(log_rivals, 690.0)) * (1 + 1e-12)))


def _cramer_rate(up: ArrayLike, down: ArrayLike, drift: ArrayLike, still: ArrayLike) -> Floats:
    chances = [np.asarray(value, dtype=float) for value in (up, down, drift, still)]
    return np.where(chances[2] > 0, log_cramer_base(*chances), 0.0)


def _hoeffding_rate(drift: ArrayLike) -> Floats:
    gap = np.maximum(np.asarray(drift, dtype=float), 0.0)
    return np.asarray(-gap * gap / 2)


def _items(rate: Floats, failure: float) -> Floats:
    falling = rate < 0
    # A hair below, so that a bound met exactly is not missed by rounding.
    needed = np.ceil(np.log(failure) / np.where(falling, rate, -1.0) * (1 - 1e-13))
    return np.where(falling, np.maximum(needed, 1.0), np.inf)


class Step(NamedTuple):
    """One item's effect on the gap: chance of +1, of −1, their difference, and chance of 0."""

    up: float
    down: float
    drift: float
    still: float

    @classmethod
    def of(cls, up: float, down: float) -> "Step":
        """From p₊ and p₋ alone.

        >>> Step.of(0.25, 0.2).still
        0.55
        """
        return cls(up, down, up - down, 1 - up - down)

    def ends(self, items: Any) -> WalkEnds:
        """Where so many items take the gap, exactly."""
        return walk_ends(self.up, self.down, self.drift, items, still=self.still)


def items_for_budget(steps: list[Step], unit_costs: Floats, budget: float | Floats) -> Floats:
    """Items that the budget, or each of them, buys for each strategy, 0 where not even one.

    One item fewer where that is better: with an even number of items ties are likelier.
    """
    most = np.floor(budget / unit_costs * (1 + 1e-12))
    fewer = np.maximum(most - 1, 1)
    chances = Step(*np.array(steps).T)
    with_most, with_fewer = (
        chances.ends(np.maximum(items, 1)).log_failure for items in (most, fewer)
    )
    return np.where((with_fewer < with_most) & (most > 1), fewer, most)


def items_for_failure(steps: list[Step], failure: float) -> Floats:
    """The fewest items with which each strategy fails at most this often; infinite if out of reach.

    Failure can rise from n to n + 1 where an item nearly always moves something (more ties), so
    odd and even numbers are bisected apart, below the size that Cramér's bound guarantees.
    Within either it falls with n once it is at most one half, which `failure` must be: above
    that, a single item can tie less often than three (a test looks for exceptions).
    """
    up, down, drift, still = chances = np.array(steps).T
    enough = cramer_items(up, down, drift, still, failure)
    reachable = enough <= MOST_ITEMS
    found = np.full(len(steps), np.inf)
    if not reachable.any():
        return found
    some = Step(*chances[:, reachable])
    fewest = [
        _bisect(some, np.ceil(enough[reachable] / 2) + 1, odd, float(np.log(failure)))
        for odd in (0, 1)
    ]
    found[reachable] = np.minimum(*fewest)
    return found


def _bisect(steps: Step, high: Floats, odd: int, log_failure: float) -> Floats:
    """The least n = 2h − odd (h ≥ 1) that fails at most so often, h ≤ `high` known to do."""
    low = np.zeros_like(high)
    while np.any(high - low > 1):
        middle = np.floor((low + high) / 2)
        fails = steps.ends(np.maximum(2 * middle - odd, 1)).log_failure
        enough = (fails <= log_failure) | (high - low <= 1)
        open_ = high - low > 1
        high = np.where(open_ & enough, middle, high)
        low = np.where(open_ & ~enough, middle, low)
    return 2 * high - odd
