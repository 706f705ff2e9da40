"""What columns say of each other: on arrays of codes, −1 where a cell is blank.

An item and a rater cross: their pairs come once where by chance many would come twice. Answers of
people agree within items. What was made of other columns equals their majority or their mean.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

_FEW_REPEATS = 0.02
"""Of a design without second answers so many rows may be repeats all the same: double clicks."""
_NOT_BY_CHANCE = 5.0
"""Repeats expected by chance that, all absent, speak of a design: e⁻⁵ is under one in a hundred."""
_NEARLY_ALWAYS = 0.98
"""What was made of others equals what they say in nearly all rows; a few are set by hand."""
_BY_LUCK = 0.01
"""How likely a person may be to have sided with the majority every time and still be a person."""


def joint(columns: Sequence[Codes]) -> Codes:
    """One code for each combination of values; −1 where one of them is blank."""
    found, blank = columns[0], columns[0] < 0
    for column in columns[1:]:
        blank = blank | (column < 0)
        both = np.where(blank, 0, found) * (int(column.max(initial=0)) + 1) + np.where(
            blank, 0, column
        )
        found = np.unique(both, return_inverse=True)[1].reshape(-1)
    return np.where(blank, -1, found)


def n_different(codes: Codes) -> int:
    """How many different values there are."""
    return len(np.unique(codes[codes >= 0]))


def determines(one: Codes, other: Codes) -> bool:
    """Whether rows alike in the one column are alike in the other."""
    kept = (one >= 0) & (other >= 0)
    pairs = n_different(joint([one[kept], other[kept]]))
    return bool(kept.any()) and pairs == n_different(one[kept])


@frozen
class Crossing:
    """How often the same item and rater come together more than once.

    `repeats` is the number of rows that are a pair's second or later; `twice` how many pairs of
    rows are alike in both, and `expected` how many would be if raters had come by chance.
    """

    rows: int
    repeats: int
    twice: float
    expected: float

    @property
    def once(self) -> bool:
        """Whether pairs come once, but for few."""
        return self.repeats <= _FEW_REPEATS * self.rows

    @property
    def designed(self) -> bool:
        """Whether chance would have made many more repeats than there are."""
        return self.expected >= _NOT_BY_CHANCE and self.twice < self.expected / 3


def crossing(item: Codes, rater: Codes) -> Crossing:
    """How items and raters cross."""
    kept = (item >= 0) & (rater >= 0)
    item, rater = item[kept], rater[kept]
    if not len(item):
        return Crossing(0, 0, 0.0, 0.0)
    size = np.bincount(item).astype(np.float64)
    often = np.bincount(rater).astype(np.float64)
    alike = (often * (often - 1)).sum() / max(1.0, len(rater) * (len(rater) - 1.0))
    expected = float((size * (size - 1) / 2).sum() * alike)
    times = np.bincount(joint([item, rater])).astype(np.float64)
    twice = float((times * (times - 1) / 2).sum())
    return Crossing(len(item), int((times[times > 0] - 1).sum()), twice, expected)


@frozen
class Alike:
    """How much answers agree within items: the share of pairs, and alpha with its error."""

    share: float
    alpha: float
    error: float
    items: int

    @property
    def z(self) -> float:
        """Alpha in standard errors; 0 where too few items tell."""
        return self.alpha / self.error if self.error > 0 else 0.0


_FEWEST_ITEMS = 10
"""With fewer items whose answers can be compared, agreement tells nothing."""
_NONE = Alike(0.0, 0.0, 0.0, 0)


def agreement(item: Codes, label: Codes, values: Floats | None = None) -> Alike:
    """How much the answers of a column agree within items.

    `values` are numbers in each row, whose squared distance is then what counts.
    """
    kept = (item >= 0) & (label >= 0)
    item, label = np.unique(item[kept], return_inverse=True)[1].reshape(-1), label[kept]
    if not len(item):
        return _NONE
    size = np.bincount(item)
    rated = size[item] > 1
    item, label = np.unique(item[rated], return_inverse=True)[1].reshape(-1), label[rated]
    if not len(item):
        return _NONE
    size = np.bincount(item).astype(np.float64)
    pairs = size * (size - 1)
    cell, times = np.unique(joint([item, label]), return_index=True, return_counts=True)[1:]
    same = np.bincount(item[cell], times * (times - 1.0), len(size))
    common = np.bincount(label).astype(np.float64)
    n = common.sum()
    if values is None:
        differ, expected = (pairs - same) / (size - 1), n - ((common / n) ** 2).sum() * n
    else:
        at = values[kept][rated]
        mean = np.bincount(item, at) / size
        differ = 2 * np.bincount(item, (at - mean[item]) ** 2) * size / (size - 1)
        expected = 2 * n * at.var()
    expected *= n / (n - 1)
    if expected <= 0:
        return Alike(float(same.sum() / pairs.sum()), 0.0, 0.0, len(size))
    rate = differ.sum() / n
    error = float(np.sqrt(((differ - rate * size) ** 2).sum())) / expected
    error = max(error, 1 / len(size))  # where all agree, the next item may be another
    enough = len(size) >= _FEWEST_ITEMS
    share = float(same.sum() / pairs.sum())
    return Alike(share, float(1 - differ.sum() / expected), error if enough else 0.0, len(size))


def unrolled(columns: Sequence[Codes]) -> tuple[Codes, Codes]:
    """Columns that code alike as a row an answer: the row each answer stood in, and the answer."""
    rows = np.arange(len(columns[0]))
    return np.tile(rows, len(columns)), np.concatenate(columns)


def majorities(columns: Sequence[Codes], labels: int) -> tuple[Codes, NDArray[np.bool_]]:
    """What most columns say in each row, −1 in a tie; and whether they differ there."""
    votes = np.zeros((len(columns[0]), labels), dtype=np.int64)
    for column in columns:
        said = column >= 0
        votes[said, column[said]] += 1
    most = votes.max(axis=1, initial=0)
    sole = ((votes == most[:, None]).sum(axis=1) == 1) & (most > 0)
    return np.where(sole, votes.argmax(axis=1), -1), (votes > 0).sum(axis=1) > 1


def is_majority(column: Codes, others: Sequence[Codes], labels: int) -> bool:
    """Whether a column says what most of the others do, oftener than one of them would by luck."""
    most, contested = majorities(others, labels)
    both = (most >= 0) & (column >= 0)
    tell = both & contested
    if not tell.any() or (column[both] == most[both]).mean() < _NEARLY_ALWAYS:
        return False
    sided = []
    for j, one in enumerate(others):
        rest, differ = majorities([*others[:j], *others[j + 1 :], column], labels)
        seen = (rest >= 0) & (one >= 0) & (differ | (one != rest))
        sided += [(one[seen] == rest[seen]).mean()] if seen.any() else []
    usual = min(0.95, float(np.mean(sided))) if sided else 0.5
    return bool(usual ** int(tell.sum()) < _BY_LUCK)


_MADE_OF_NUMBERS: dict[str, Callable[..., Floats]] = {
    "mean": np.mean,
    "median": np.median,
    "spread": np.std,
    "variance": np.var,
}


def made_of_numbers(column: Floats, others: Floats) -> str | None:
    """Which function of the others' numbers (rows, columns) a column is, to its last digit."""
    told = ~np.isnan(column) & (~np.isnan(others)).any(axis=1)
    seen, rest = column[told], others[told]
    if len(np.unique(seen)) < 3 or len(seen) < 5 or rest.shape[1] < 2:
        return None
    rounding = 0.5 * 10.0 ** -_decimals(seen) * 1.01 + 1e-9
    for name, function in _MADE_OF_NUMBERS.items():
        for ddof in (0, 1) if name in ("spread", "variance") else (0,):
            made = function(rest, axis=1, **({"ddof": 1} if ddof else {}))
            if (np.abs(made - seen) <= rounding).mean() >= _NEARLY_ALWAYS:
                return name
    return None


def _decimals(values: Floats) -> int:
    """With how many digits after the point numbers were written, at most nine."""
    for digits in range(9):
        if np.allclose(values, np.round(values, digits), atol=1e-12, rtol=0):
            return digits
    return 9
