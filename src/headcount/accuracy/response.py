"""How a fitted latent-class model answers to other items, to first order.

Thousands of raters with a confusion matrix each are tens of thousands of numbers: too many to fit
again in every bootstrap sample. What one more item of a row adds to an estimate is worked out
instead. With θ the model's numbers, I the observed and C the complete-data information (which is
a block for each simplex), one step of EM goes a part 1 − J = C⁻¹I of the way to the summit. So an
estimate h of slope g moves by score · x for one more item, where (1 − J)x = C⁻¹g. J is
self-adjoint in the scalar product of C, and conjugate gradients solve that with a dozen products.

Shapes as in `latent`: D rows, K columns of members and answers, L classes.
"""

from functools import cached_property

import numpy as np

from headcount.accuracy.latent import LEAST, Fit, Floats, Rows
from headcount.frozen import frozen

_MOST_STEPS = 200
_NEAR = 1e-8
"""Conjugate gradients stop when what is left is so small a part of what was asked for."""


@frozen
class Direction:
    """A number for each of a model's numbers: of base rates (L,), of chances (K, L)."""

    base_rates: Floats
    chances: Floats

    def plus(self, other: "Direction", times: float) -> "Direction":
        """So many times the other added to it."""
        return Direction(
            self.base_rates + times * other.base_rates, self.chances + times * other.chances
        )


@frozen(eq=False)
class Response:
    """A model fitted to `items` (D,) of each row."""

    rows: Rows
    fit: Fit
    items: Floats

    def influence(self, slope: Direction) -> Floats:
        """What one more item of each row adds to an estimate, (D,); `slope` is that of the
        estimate in the model's numbers.
        """
        found = self._solved(self._tangent(slope))
        added: Floats = (self.fit.posterior * self._log_joint(found)).sum(axis=1)
        return added

    def influence_through_classes(self, marks: Floats) -> Floats:
        """The same for Σ items · posterior · `marks` (D, L), whose slope is in what rows are."""
        each = self.fit.posterior * (marks - (self.fit.posterior * marks).sum(axis=1)[:, None])
        divided = self.items[:, None] * each
        slope = Direction(
            _over(divided.sum(axis=0), self.fit.base_rates),
            _over(np.asarray(self.rows.turned @ divided), self.fit.chances),
        )
        return self.influence(slope)

    @cached_property
    def _given(self) -> Floats:
        """Expected answers of each column's member in each class, (K, L)."""
        divided = self.items[:, None] * self.fit.posterior
        return self.rows.over_member(np.asarray(self.rows.turned @ divided))

    def _tangent(self, slope: Direction) -> Direction:
        """C⁻¹ times a slope, within the simplices."""
        base, chances = self.fit.base_rates, self.fit.chances
        of_base = base * (slope.base_rates - base @ slope.base_rates) / self.items.sum()
        mean = self.rows.over_member(chances * slope.chances)
        return Direction(of_base, _over(chances * (slope.chances - mean), self._given))

    def _log_joint(self, along: Direction) -> Floats:
        """How fast the logarithm of each row's chance in each class grows, (D, L)."""
        chances = np.asarray(self.rows.said @ _over(along.chances, self.fit.chances))
        grown: Floats = chances + _over(along.base_rates, self.fit.base_rates)
        return grown

    def _left(self, along: Direction) -> Direction:
        """(1 − J) times a direction: what a step of EM takes off it."""
        faster, posterior = self._log_joint(along), self.fit.posterior
        moved = posterior * (faster - (posterior * faster).sum(axis=1)[:, None])
        divided = self.items[:, None] * moved
        told = np.asarray(self.rows.turned @ divided)
        every = self.rows.over_member(told)
        step = Direction(
            divided.sum(axis=0) / self.items.sum(),
            _over(told - self.fit.chances * every, self._given),
        )
        return along.plus(step, -1.0)

    def _scalar(self, one: Direction, other: Direction) -> float:
        """The scalar product of C."""
        base = self.items.sum() * _over(one.base_rates * other.base_rates, self.fit.base_rates)
        chances = self._given * _over(one.chances * other.chances, self.fit.chances)
        return float(base.sum() + chances.sum())

    def _solved(self, wanted: Direction) -> Direction:
        """What (1 − J) turns into `wanted`, by conjugate gradients."""
        found = Direction(np.zeros_like(wanted.base_rates), np.zeros_like(wanted.chances))
        rest = ahead = wanted
        square = first = self._scalar(rest, rest)
        for _ in range(_MOST_STEPS):
            if square <= _NEAR**2 * first:
                break
            left = self._left(ahead)
            bend = self._scalar(ahead, left)
            if bend <= 0:  # nothing but rounding is left
                break
            found = found.plus(ahead, square / bend)
            rest = rest.plus(left, -square / bend)
            before, square = square, self._scalar(rest, rest)
            ahead = rest.plus(ahead, square / before)
        return found


def _over(above: Floats, below: Floats) -> Floats:
    """Above over below, nought where there is next to nothing below: a chance at its end stays."""
    above, below = np.broadcast_arrays(above, below)
    return np.asarray(np.divide(above, below, out=np.zeros(above.shape), where=below > LEAST))
