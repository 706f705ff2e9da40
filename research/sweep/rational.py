"""The same probabilities in whole numbers: slow, and right to the last digit.

Used where a sweep must know whether one failure probability is below another or only looks so.
"""

from fractions import Fraction
from math import comb, lcm


def exact_failure(up: Fraction, down: Fraction, steps: int) -> tuple[Fraction, Fraction]:
    """P(S ≤ 0) and P(S = 0) of n steps of +1, 0, −1, as fractions.

    The coefficients of (B + Zz + Az²)ⁿ up to zⁿ, by the three-term recurrence that
    f·(fⁿ)′ = n·f′·fⁿ gives: every term is positive, every division is exact.
    """
    still = 1 - up - down
    if down == 0:
        return still**steps, still**steps
    whole = lcm(up.denominator, still.denominator, down.denominator)
    a, z, b = (int(chance * whole) for chance in (up, still, down))
    before, now = 0, b**steps
    total = now
    for k in range(steps):
        rise = (steps - k) * z * now + (2 * steps - k + 1) * a * before
        before, now = now, rise // (b * (k + 1))
        total += now
    return Fraction(total, whole**steps), Fraction(now, whole**steps)


def exact_majority(accuracy: Fraction, labels: int) -> Fraction:
    """P(more than half of an odd number of labels are right), as a fraction."""
    wrong = 1 - accuracy
    return sum(
        (
            comb(labels, k) * accuracy**k * wrong ** (labels - k)
            for k in range(labels // 2 + 1, labels + 1)
        ),
        start=Fraction(0),
    )


def exact_step(
    only_better: Fraction, only_worse: Fraction, right_better: Fraction, right_worse: Fraction
) -> tuple[Fraction, Fraction]:
    """One item's chances of +1 and −1, as fractions."""
    up = only_better * right_better + only_worse * (1 - right_worse)
    return up, only_better + only_worse - up
