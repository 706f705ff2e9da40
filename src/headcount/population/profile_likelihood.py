"""How far the likelihood lets a functional of the population move: profile intervals.

The interval of a linear functional θ·g runs from its lowest to its highest value over all
weights g whose log-likelihood is within ½χ²₁ of the best. It contains what the ratings leave
unidentified by itself, and it holds at the edges, where a bootstrapped maximum-likelihood
estimate does not. Each end is one convex problem; an interior-point method solves it, and a
bound from its Lagrangian certifies it: the end that is returned is the outer one, at most
`TOLERANCE` away from a distribution that attains it.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import chdtri

from headcount.arrays import Floats
from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.population.maximum_likelihood import (
    Fit,
    Likelihood,
    maximum_likelihood,
    tilted_maximum,
)

Inflate = Callable[[Floats], float]

# At the edge of what a functional can be (every item a coin flip) the population is fixed all at
# once: place, spread and more. The likelihood ratio then has a 95 % point of 4.7 to 7.4 (2 to 20
# ratings an item), where one degree of freedom allows 3.84; three allow 7.81. With more labels
# there is as much to fix for each of them but one.
EDGE_FREEDOM = 3

# With more labels a fit of weights follows the data in more ways than one, and ½χ²₁ held a known
# ideal in 88 % (four labels, five ratings): the likelihood may fall by ½χ² with as many degrees of
# freedom as there are labels but one, up to this many.
MOST_FREEDOM = 3

# A first guess at how far the functional moves, to start the search for the slope.
_FIRST_MOVE = 0.05

# Slopes tried for an end: three are usual, and sixty halvings leave nothing of a bracket.
_MOST_SLOPES = 60

# A likelihood, relative to the best, that stands for nought.
_IMPOSSIBLE = 1e-100

# How far a certified end may lie from one that is attained, in units of the functional's span.
TOLERANCE = 1e-5


@frozen
class End:
    """An end of an interval: its certified value, and weights that attain it within tolerance."""

    value: float
    weights: Floats


def profile_interval(
    likelihood: Likelihood,
    fit: Fit,
    functional: Floats,
    *,
    n_labels: int = 2,
    confidence: float = 0.95,
    inflate: Inflate | None = None,
) -> tuple[End, End]:
    """The lowest and the highest value of `functional` (M,) · g that the likelihood allows.

    Where items are not independent the likelihood may fall further: `inflate` is handed the
    weights at an end and says how many times as far.

    Raises UnanswerableError where an end cannot be certified: an interval is never wider or
    narrower than it should be because a solver gave up.
    """
    drop = 0.5 * float(chdtri(min(n_labels - 1, MOST_FREEDOM), 1 - confidence))
    at_edge = 0.5 * float(chdtri(EDGE_FREEDOM * (n_labels - 1), 1 - confidence))
    low, high = (
        _inflated(likelihood, fit, side * functional, drop, at_edge, inflate) for side in (1, -1)
    )
    # The highest value is the lowest of what points the other way.
    return low, End(-high.value, high.weights)


def _inflated(
    likelihood: Likelihood,
    fit: Fit,
    functional: Floats,
    drop: float,
    at_edge: float,
    inflate: Inflate | None,
) -> End:
    end = _end(likelihood, fit, functional, drop, at_edge)
    times = 1.0 if inflate is None else inflate(end.weights)
    return end if times <= 1 else _end(likelihood, fit, functional, times * drop, times * at_edge)


def _end(
    likelihood: Likelihood, fit: Fit, functional: Floats, drop: float, drop_at_edge: float
) -> End:
    """The lower end: the functional's least value of all where the data do not refute that."""
    # All kinds of items at the least value, also where rounding tells them apart.
    edge = functional <= functional.min() + 1e-12
    if likelihood.relative[:, edge].max(axis=1).min() < _IMPOSSIBLE:
        return lowest(likelihood, fit, functional, drop)
    # Each row on a scale of its own again: the kinds at the edge may all be unlikely.
    at_most = likelihood.relative[:, edge].max(axis=1)
    part = Likelihood(
        likelihood.relative[:, edge] / at_most[:, None],
        likelihood.log_scale + np.log(at_most),
        likelihood.weight,
    )
    at_edge = maximum_likelihood(part, tolerance=1e-3)
    lost = fit.log_likelihood - at_edge.log_likelihood
    if lost <= drop_at_edge:
        weights = np.zeros(len(functional))
        weights[edge] = at_edge.weights
        return End(float(functional.min()), weights)
    return lowest(likelihood, fit, functional, drop)


def lowest(likelihood: Likelihood, fit: Fit, functional: Floats, drop: float) -> End:
    """The least functional · g with a log-likelihood at most `drop` below the best."""
    span = float(np.ptp(functional))
    if span == 0:
        return End(float(functional[0]), fit.weights)
    # In units where the functional runs from 0 to 1, the log-likelihood is an item's mean.
    unit = (functional - functional.min()) / span
    value, weights = _lowest_unit(likelihood, fit, unit, drop)
    return End(float(functional.min() + span * value), weights)


def _lowest_unit(
    likelihood: Likelihood, fit: Fit, theta: Floats, drop: float
) -> tuple[float, Floats]:
    """By the Lagrangian dual: a concave function of one multiplier, its slope.

    For each slope λ > 0 the weights g(λ) minimise θ·g − λ ℓ(g), one tilted maximum likelihood
    (ℓ for an item), and θ·g + λ(floor − ℓ(g)) is a lower bound. The best bound is where
    ℓ(g) meets the floor; 1/λ and the root of the loss are nearly proportional.
    """
    total = likelihood.total
    best = (fit.log_likelihood + fit.gap) / total
    allowed = drop / total
    bound, inner, outer = 0.0, fit.weights, None
    slope, low, high = _FIRST_MOVE / (2 * allowed), 0.0, np.inf
    for _ in range(_MOST_SLOPES):
        tilted = tilted_maximum(
            likelihood, theta / slope, tolerance=0.1 * TOLERANCE * total / slope
        )
        loss = best - tilted.log_likelihood / total
        # A bound that an earlier slope gave stays one: the best of them counts.
        bound = max(
            bound, float(theta @ tilted.weights) + slope * (loss - allowed - tilted.gap / total)
        )
        if loss <= allowed:
            inner, high = tilted.weights, slope
        else:
            outer, low = tilted.weights, slope
        attained = inner if outer is None else farthest(likelihood, inner, outer, best - allowed)
        if float(theta @ attained) - bound <= TOLERANCE:
            return bound, attained
        slope = _next_slope(slope * np.sqrt(max(loss, 0.01 * allowed) / allowed), low, high)
    raise UnanswerableError(
        "An end of the interval could not be certified: it lies between "
        f"{bound:.6f} and {float(theta @ attained):.6f} of the way."
    )


def _next_slope(proposed: float, low: float, high: float) -> float:
    """The proposal where it lies well inside the bracket, else the bracket's middle."""
    if low == 0 or high == np.inf:
        return float(np.clip(proposed, 1.2 * low, high / 1.2))
    if low * (high / low) ** 0.05 < proposed < low * (high / low) ** 0.95:
        return float(proposed)
    return float(np.sqrt(low * high))


def farthest(likelihood: Likelihood, inner: Floats, outer: Floats, floor: float) -> Floats:
    """The weights farthest from `inner` on the way to `outer` that the likelihood allows.

    `floor` is the least log-likelihood of an item.
    """
    near, far = likelihood.relative @ inner, likelihood.relative @ outer
    share, fixed = likelihood.weight / likelihood.total, likelihood.log_scale

    def excess(part: float) -> float:
        return float(share @ (np.log((1 - part) * near + part * far) + fixed)) - floor

    low, high = 0.0, 1.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) >= 0 else (low, middle)
    mixed: Floats = (1 - low) * inner + low * outer
    return mixed
