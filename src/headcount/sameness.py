"""When two computed numbers are the same: the one rule for every comparison of them.

Sums come out differently in the last bits with every processor, number of threads and order of
the items. A comparison that hangs on those bits gives one machine "worth nothing" and the next
"worth more than everybody". So computed numbers are the same within `NEAR` of the scale they are
on, and a variance is none where its square root is. Counts, codes and what users give are whole
or meant as they stand: those are compared as they are.
"""

from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from numpy.typing import NDArray

NEAR = 1e-9
"""Sums of ten million rounded terms agree to 1e-11, iterations that end by this rule to 1e-10;
no claim about people rests on a difference of a billionth."""


@overload
def exceeds(number: float, other: float, *, scale: float = 1.0) -> bool: ...
@overload
def exceeds(number: Any, other: Any, *, scale: Any = 1.0) -> "NDArray[Any]": ...
def exceeds(number: Any, other: Any, *, scale: Any = 1.0) -> Any:
    """Whether a number lies above another by more than rounding.

    >>> exceeds(0.1 + 0.2, 0.3), exceeds(0.31, 0.3)
    (False, True)
    """
    return number > other + NEAR * scale


@overload
def as_good(number: float, other: float, *, scale: float = 1.0) -> bool: ...
@overload
def as_good(number: Any, other: Any, *, scale: Any = 1.0) -> "NDArray[Any]": ...
def as_good(number: Any, other: Any, *, scale: Any = 1.0) -> Any:
    """Whether a number is at least another, rounding aside.

    >>> as_good(0.3, 0.1 + 0.2), as_good(0.29, 0.3)
    (True, False)
    """
    return number >= other - NEAR * scale


@overload
def same(number: float, other: float, *, scale: float = 1.0) -> bool: ...
@overload
def same(number: Any, other: Any, *, scale: Any = 1.0) -> "NDArray[Any]": ...
def same(number: Any, other: Any, *, scale: Any = 1.0) -> Any:
    """Whether two numbers differ by rounding alone.

    >>> same(0.1 + 0.2, 0.3)
    True
    """
    return as_good(number, other, scale=scale) & as_good(other, number, scale=scale)


def leading(numbers: "NDArray[Any]", *, scale: float = 1.0) -> Any:
    """The place of the highest number, along the last axis; the first of those that are the same.

    >>> import numpy as np
    >>> int(leading(np.array([0.3, 0.1 + 0.2, 0.1])))
    0
    """
    return as_good(numbers, numbers.max(axis=-1, keepdims=True), scale=scale).argmax(axis=-1)


@overload
def varies(variance: float, *, scale: float = 1.0) -> bool: ...
@overload
def varies(variance: Any, *, scale: Any = 1.0) -> "NDArray[Any]": ...
def varies(variance: Any, *, scale: Any = 1.0) -> Any:
    """Whether a variance is more than that of rounded numbers; `scale` is that of the numbers.

    >>> varies(1.9e-34), varies(0.01)
    (False, True)
    """
    return variance > (NEAR * scale) ** 2


@overload
def neither_end(share: float) -> bool: ...
@overload
def neither_end(share: Any) -> "NDArray[Any]": ...
def neither_end(share: Any) -> Any:
    """Whether a share is neither nought nor all.

    >>> neither_end(0.5), neither_end(1 - 1e-16)
    (True, False)
    """
    return exceeds(share, 0.0) & exceeds(1.0, share)


def scale_of(*numbers: Any) -> float:
    """The scale that scores are on: the largest of them, whatever its sign; unknown ones aside.

    >>> scale_of([-0.7, float("nan")], 0.2)
    0.7
    """
    import numpy as np

    known = [np.abs(each[np.isfinite(each)]) for each in map(np.asarray, numbers)]
    return float(max((each.max(initial=0.0) for each in known), default=0.0))
