"""Bit masks of an item's raters, in SQL: who has certainly not answered twice, or not at all.

Each rater sets one bit in each mask, picked by the hash of their name. A rater who answers
twice sets the same bits again, so fewer bits than answers means "perhaps twice" and as many
means "certainly not". A name whose bits are not all set has certainly not answered. Four
independent masks leave one innocent item in twelve under suspicion at ten ratings an item, and
cost a fraction of grouping by item and rater.
"""

from collections.abc import Iterable

_N_MASKS = 4


def mask_fields(rater: str) -> str:
    """The aggregates of an item: how many answers it has, and the masks of who gave them."""
    masks = (f"bit_or({_bit(rater, j)}) AS mask{j}" for j in range(_N_MASKS))
    return f"count(*) AS said, {', '.join(masks)}"


def maybe_twice() -> str:
    """A condition on an item: a rater may have answered twice."""
    return _all(f"bit_count(mask{j}) < said" for j in range(_N_MASKS))


def maybe_answered(rater: str) -> str:
    """A condition on an item: the rater of this name, an SQL constant, may have answered."""
    return _all(f"(mask{j} & {_bit(rater, j)}) <> 0" for j in range(_N_MASKS))


def _bit(rater: str, mask: int) -> str:
    # Shifted right from the highest bit: a left shift is checked for overflow in every row,
    # and for that reason never worked out once for each distinct name.
    return f"(9223372036854775808::UBIGINT >> ((hash({rater}) >> {6 * mask}) & 63))"


def _all(conditions: Iterable[str]) -> str:
    return f"({' AND '.join(conditions)})"
