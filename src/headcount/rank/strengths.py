"""How strong systems are, on bare arrays: win rates, Bradley–Terry, Davidson, mean scores.

A comparison counts `outcome` for its first system: 1 a win, 0 a loss, ½ a tie, or anything between
for a graded preference. Strengths θ of Bradley and Terry and of Davidson sum to nought.
"""

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.errors import UnanswerableError
from headcount.frozen import frozen

PRIOR = 1.0
"""Drawn comparisons with the average system that a prior grants each system: one, the least that
keeps every strength finite and that a reader can picture."""

_ROUNDS = 200
"""Newton's steps from nought converge in six or so; a hundred means that they never will."""
_CLOSE = 1e-10
"""The largest step of a strength at which Newton's method stops; the next one is its square."""


@frozen(eq=False)
class Davidson:
    """Strengths (S,) that sum to nought, and how readily two equal systems tie: ν."""

    strength: Floats
    tie: float


def table_of_wins(
    first: Ints, second: Ints, outcome: Floats, systems: int, weight: Floats | None = None
) -> Floats:
    """How often each system won against each other, (S, S), ties shared evenly.

    >>> table_of_wins(np.array([0, 0]), np.array([1, 1]), np.array([1.0, 0.5]), 2).tolist()
    [[0.0, 1.5], [0.5, 0.0]]
    """
    times = np.ones(len(first)) if weight is None else weight
    won = np.bincount(first * systems + second, times * outcome, systems**2)
    lost = np.bincount(second * systems + first, times * (1 - outcome), systems**2)
    return np.asarray((won + lost).reshape(systems, systems))


def cannot_be_compared(wins: Floats) -> tuple[tuple[int, ...], ...]:
    """Groups of systems within which strengths are finite; one group where all can be compared.

    Two systems can be compared where each beat, over others perhaps, the other.

    >>> cannot_be_compared(np.array([[0.0, 2.0], [0.0, 0.0]]))
    ((0,), (1,))
    """
    from scipy.sparse.csgraph import connected_components

    n, code = connected_components(wins > 0, directed=True, connection="strong")
    groups = [tuple(np.flatnonzero(code == each).tolist()) for each in range(n)]
    return tuple(sorted(groups))


def win_rates(wins: Floats) -> Floats:
    """The share of its comparisons that each system won, ties half; NaN where it had none."""
    won, lost = wins.sum(axis=1), wins.sum(axis=0)
    return np.asarray(
        np.divide(won, won + lost, out=np.full(len(wins), np.nan), where=won + lost > 0)
    )


def bradley_terry(wins: Floats, *, prior: float = 0.0) -> Floats:
    """Strengths by maximum likelihood: P(i beats j) = 1 / (1 + exp(θⱼ − θᵢ)).

    Parameters
    ----------
    wins
        (S, S) how often the row's system beat the column's; ties half on each side.
    prior
        How many drawn comparisons with the average system each one is granted. Without one, an
        error where some strength would be infinite.

    Returns
    -------
    array
        (S,) strengths that sum to nought.

    References
    ----------
    Bradley and Terry (1952), Rank analysis of incomplete block designs.

    Examples
    --------
    >>> bradley_terry(np.array([[0.0, 3.0], [1.0, 0.0]])).round(3).tolist()
    [0.549, -0.549]
    """
    met = wins + wins.T
    if not prior:
        _check_connected(wins)
    won, theta = wins.sum(axis=1), np.zeros(len(wins))
    for _ in range(_ROUNDS):
        chance = _chance(theta)
        own = _logistic(theta)
        slope = won - (met * chance).sum(axis=1) + prior * (0.5 - own)
        theta, step = _climbed(
            theta, slope, _curvature(met * chance * (1 - chance), prior * own * (1 - own))
        )
        if step <= _CLOSE:
            return theta
    raise UnanswerableError("The strengths of these systems do not settle: give each a comparison.")


def davidson(wins: Floats, ties: Floats, *, prior: float = 0.0) -> Davidson:
    """Strengths and ties by maximum likelihood: P(tie) ∝ ν √(πᵢ πⱼ), π = exp θ.

    Parameters
    ----------
    wins
        (S, S) how often the row's system beat the column's, ties not counted.
    ties
        (S, S) how often the two tied, symmetric.
    prior
        As for `bradley_terry`.

    Returns
    -------
    Davidson
        ν is 0 where nothing tied.

    References
    ----------
    Davidson (1970), On extending the Bradley–Terry model to accommodate ties in paired comparison
    experiments.

    Examples
    --------
    >>> found = davidson(np.array([[0.0, 3.0], [1.0, 0.0]]), np.array([[0.0, 2.0], [2.0, 0.0]]))
    >>> found.strength.round(3).tolist(), round(found.tie, 3)
    ([0.549, -0.549], 1.155)
    """
    halves = wins + ties / 2
    if not ties.any():
        return Davidson(bradley_terry(wins, prior=prior), 0.0)
    if not wins.any():
        raise UnanswerableError("Every comparison is a tie: no system is stronger than another.")
    if not prior:
        _check_connected(halves)
    n = len(wins)
    met, tied = wins + wins.T + ties, float(ties.sum()) / 2
    won, theta = halves.sum(axis=1), np.zeros(n + 1)
    # The likelihood is concave in θ and log ν together: wins, halves and ties are its statistics.
    for _ in range(_ROUNDS):
        score, p_tie = _davidson_chances(theta[:n], theta[n])
        own = _logistic(theta[:n])
        slope = np.append(
            won - (met * score).sum(axis=1) + prior * (0.5 - own), tied - (met * p_tie).sum() / 2
        )
        curve = _davidson_curvature(met, score, p_tie, prior * own * (1 - own))
        theta, step = _climbed(theta, slope, curve, free=n)
        if step <= _CLOSE:
            return Davidson(theta[:n], float(np.exp(theta[n])))
    raise UnanswerableError("The strengths of these systems do not settle: give each a comparison.")


def davidson_influence(
    found: Davidson,
    first: Ints,
    second: Ints,
    outcome: Floats,
    tied: Floats,
    unit: Ints,
    units: int,
    *,
    prior: float = 0.0,
) -> Floats:
    """As `bradley_terry_influence`, under Davidson's model; `tied` (R,) is the share of ties."""
    if not found.tie:
        return bradley_terry_influence(
            found.strength, first, second, outcome, unit, units, prior=prior
        )
    theta, n = found.strength, len(found.strength)
    score, p_tie = _davidson_chances(theta, float(np.log(found.tie)))
    times = np.ones(len(first))
    met = table_of_wins(first, second, times, n)
    own = _logistic(theta)
    curve = _davidson_curvature(met + met.T, score, p_tie, prior * own * (1 - own))
    beyond = outcome - score[first, second]
    slopes = np.bincount(unit * n + first, beyond, units * n)
    slopes -= np.bincount(unit * n + second, beyond, units * n)
    of_ties = np.bincount(unit, tied - p_tie[first, second], units)
    both = np.column_stack([slopes.reshape(units, n), of_ties])
    return np.asarray(units * (both @ _inverse(curve, free=n))[:, :n])


def bradley_terry_influence(
    theta: Floats,
    first: Ints,
    second: Ints,
    outcome: Floats,
    unit: Ints,
    units: int,
    *,
    prior: float = 0.0,
) -> Floats:
    """What each unit (a prompt, a comparison) adds to the strengths, (U, S), nought on average.

    θ̂ − θ is about the mean of it in fresh data: the slope of the unit's own likelihood through the
    inverse of the whole's curvature. Ties and grades need no model: the slope is unbiased whatever
    their law, as long as P is right on average.
    """
    n = len(theta)
    chance = _chance(theta)
    times = np.ones(len(first))
    met = table_of_wins(first, second, times, n)
    met = met + met.T
    own = _logistic(theta)
    inverse = _inverse(_curvature(met * chance * (1 - chance), prior * own * (1 - own)))
    beyond = outcome - chance[first, second]
    slopes = np.bincount(unit * n + first, beyond, units * n)
    slopes -= np.bincount(unit * n + second, beyond, units * n)
    return np.asarray(units * slopes.reshape(units, n) @ inverse)


def ratio_influence(upper: Floats, lower: Floats) -> tuple[Floats, Floats]:
    """Ratios of sums (S,) and what each unit adds to them, (U, S): win rates, mean scores.

    `upper` and `lower` (U, S) are each unit's share of numerator and denominator; a system without
    any has NaN.

    >>> value, each = ratio_influence(np.array([[1.0], [3.0]]), np.array([[1.0], [1.0]]))
    >>> value.tolist(), each.ravel().tolist()
    ([2.0], [-1.0, 1.0])
    """
    total = lower.sum(axis=0)
    known = total > 0
    value = np.divide(upper.sum(axis=0), total, out=np.full(len(total), np.nan), where=known)
    share = np.where(known, total, 1.0)
    each = len(upper) * (upper - np.where(known, value, 0.0) * lower) / share
    return value, np.where(known, each, np.nan)


def _chance(theta: Floats) -> Floats:
    """How likely the row's system beats the column's, ½ on the diagonal."""
    return _logistic(theta[:, None] - theta[None, :])


def _davidson_chances(theta: Floats, tie: float) -> tuple[Floats, Floats]:
    """What the row's system may expect of a comparison, a tie half, and how likely one is."""
    gap = (theta[:, None] - theta[None, :]) / 2
    even = np.exp(tie - np.abs(gap))  # scaled by the larger of the two, against overflow
    win, lose = np.exp(np.minimum(2 * gap, 0)), np.exp(np.minimum(-2 * gap, 0))
    both = win + lose + even
    return (win + even / 2) / both, even / both


def _davidson_curvature(met: Floats, score: Floats, p_tie: Floats, own: Floats) -> Floats:
    """The information (S + 1, S + 1) of strengths and log ν."""
    n = len(met)
    # The variance of wins and half ties: P(win) + P(tie) / 4 − score², P(win) = score − P(tie) / 2.
    spread = met * (score - p_tie / 4 - score**2)
    curve = np.zeros((n + 1, n + 1))
    curve[:n, :n] = _curvature(spread, own)
    curve[:n, n] = curve[n, :n] = (met * p_tie * (0.5 - score)).sum(axis=1)
    curve[n, n] = (met * p_tie * (1 - p_tie)).sum() / 2
    return curve


def _logistic(x: Floats) -> Floats:
    from scipy.special import expit

    return np.asarray(expit(x))


def _curvature(spread: Floats, own: Floats) -> Floats:
    """The information (S, S) of pairs that weigh `spread` (S, S), and of the prior (S,)."""
    pairs = spread * (1 - np.eye(len(spread)))
    return np.asarray(np.diag(pairs.sum(axis=1) + own) - pairs)


def _held(curve: Floats, free: int = -1) -> Floats:
    """The curvature on the space where strengths sum to nought, made invertible beyond it.

    With the projection I − 11ᵀ/n on both sides: sums of rows and columns, not products. `free` is
    the place of the one number that is no strength, and not held to that.
    """
    n = len(curve) if free < 0 else free
    rows = np.zeros(len(curve))
    rows[:n] = 1 / n
    sums = curve @ rows
    held = curve.copy()
    held[:n] -= sums[None, :]
    held[:, :n] -= sums[:, None]
    held[:n, :n] += rows @ sums
    held[:n, :n] += max(float(np.trace(curve)) / len(curve), 1e-300) / n
    return held


def _inverse(curve: Floats, free: int = -1) -> Floats:
    """The inverse of the curvature on the space where strengths sum to nought."""
    n = len(curve) if free < 0 else free
    inverse = np.linalg.inv(_held(curve, free))
    inverse[:n] -= inverse[:n].mean(axis=0, keepdims=True)
    inverse[:, :n] -= inverse[:, :n].mean(axis=1, keepdims=True)
    return np.asarray(inverse)


def _climbed(theta: Floats, slope: Floats, curve: Floats, free: int = -1) -> tuple[Floats, float]:
    """One step of Newton's on the space where strengths sum to nought, and how long it was."""
    n = len(curve) if free < 0 else free
    slope = slope.copy()
    slope[:n] -= slope[:n].mean()
    step = np.linalg.solve(_held(curve, free), slope)
    step[:n] -= step[:n].mean()
    # Far from the top a whole step may overshoot: two logits at once is further than any needs.
    largest = float(np.abs(step).max(initial=0.0))
    return theta + step * min(1.0, 2.0 / largest if largest > 0 else 1.0), largest


def _check_connected(wins: Floats) -> None:
    groups = cannot_be_compared(wins)
    if len(groups) > 1:
        raise UnanswerableError(
            f"These systems fall into {len(groups)} groups, one of which never lost to, or never "
            "met, the others: their strengths are infinite. Grant each a drawn comparison with the "
            "average system, with prior=1."
        )
