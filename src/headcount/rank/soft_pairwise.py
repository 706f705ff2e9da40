"""Does one series of verdicts rank systems as another does? Soft pairwise accuracy, bare arrays.

A series is a table (U, S) of what each unit (a document, a prompt, a comparison) says of each
system, such that a system's strength is the mean of its column. For a pair of systems the chance
that the first is no better than the second follows from the mean of their paired difference and
its standard error; two series agree as far as these chances do. Neither ties nor equal systems
break it, and two systems that nobody can tell apart cannot be ranked wrongly.
"""

from functools import cached_property

import numpy as np
from scipy import special

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen
from headcount.sameness import same, scale_of, varies


@frozen(eq=False)
class Series:
    """What units say of systems, (U, S): a system's strength is the mean of its column.

    A system without a value (NaN) is compared with none.
    """

    table: Floats

    @cached_property
    def known(self) -> Ints:
        """The pairs of systems (P,) that both have a value, numbered as `pairs_of` has them."""
        has = np.asarray(~np.isnan(self.table).any(axis=0))
        first, second = pairs_of(self.table.shape[1])
        return np.asarray(np.flatnonzero(has[first] & has[second]))

    @cached_property
    def gaps(self) -> Floats:
        """Each unit's difference for each pair (U, P)."""
        first, second = pairs_of(self.table.shape[1])
        return np.asarray(self.table[:, first] - self.table[:, second])

    @cached_property
    def _squares(self) -> Floats:
        return np.asarray(self.gaps**2)

    def chances(self, times: Floats | None = None) -> Floats:
        """How likely each pair's first system is no better than its second, (b, P).

        `times` (b, U) is how often each unit is drawn; left out, each is once. By the normal law:
        Φ of minus the mean difference over its standard error; ½ where nothing differs.
        """
        units = len(self.table)
        drawn = np.ones((1, units)) if times is None else np.asarray(times, dtype=np.float64)
        total = drawn.sum(axis=1, keepdims=True)
        mean = drawn @ self.gaps / total
        spread = (drawn @ self._squares / total - mean**2) * units / max(units - 1, 1)
        scale = scale_of(self.table)
        moves = varies(spread, scale=scale)
        error = np.sqrt(np.where(moves, spread, 1.0) / units)
        level = np.where(same(mean, 0.0, scale=scale), 0.0, np.copysign(np.inf, mean))
        return np.asarray(special.ndtr(-np.where(moves, mean / error, level)))


def pairs_of(systems: int) -> tuple[Ints, Ints]:
    """The two systems of each pair, in order.

    >>> [each.tolist() for each in pairs_of(3)]
    [[0, 0, 1], [1, 2, 2]]
    """
    first, second = np.triu_indices(systems, 1)
    return first, second


def soft_pairwise_accuracy(chances: Floats, others: Floats) -> Floats:
    """1 − mean |p − p′| over pairs: how nearly two series agree, (…) of chances (…, P).

    References
    ----------
    Thompson, Mathur, Deutsch and Khayrallah (2024), Improving statistical significance in human
    evaluation of automatic metrics via soft pairwise accuracy. WMT 2024.

    Examples
    --------
    >>> float(soft_pairwise_accuracy(np.array([0.1, 0.5]), np.array([0.3, 0.5])))
    0.9
    """
    return np.asarray(1 - np.abs(chances - others).mean(axis=-1))


def nobodys(chances: Floats) -> Floats:
    """What someone reaches who knows nothing: every chance is ½."""
    return soft_pairwise_accuracy(chances, np.full(chances.shape, 0.5))
