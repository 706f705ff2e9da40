"""Any number of labels: what people say given the truth, and what two classifiers say.

The gap between two classifiers is a walk of +1, 0, −1 however many labels there are. All that a
plan needs is one item's p₊ and p₋: from a joint table of (truth, answer of the better, answer of
the worse), and from the chance that the plurality of m labels falls on either answer.
"""

from functools import cached_property, lru_cache
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.plan.step import Step, Strategy

Floats = NDArray[np.float64]
Rows = tuple[tuple[float, ...], ...]


@frozen
class JointPairing:
    """Two classifiers by the joint table of truth and answers, judged by confused labels.

    `joint` (L × L × L) holds the shares of (truth, answer of the better, answer of the worse),
    `confusion` (L × L) the chances of each label given the truth.
    """

    joint: tuple[Rows, ...]
    confusion: Rows

    @classmethod
    def of(cls, joint: ArrayLike, confusion: ArrayLike) -> "JointPairing":
        """Checked; the two answers are swapped where the second classifier is the better one."""
        labels = _chances("label_confusion", confusion, 2)
        table = _chances("joint", joint, 3)
        if len(table) != len(labels):
            raise OptionError(
                f"joint has {len(table)} labels and label_confusion {len(labels)}: "
                "they are about the same labels."
            )
        if not np.allclose(labels.sum(axis=1), 1, atol=1e-6):
            raise OptionError("each row of label_confusion sums to 1: labels given the truth.")
        if abs(table.sum() - 1) > 1e-6:
            raise OptionError(f"the shares in joint sum to 1; they sum to {table.sum():.6g}.")
        table = table / table.sum()
        first, second = _right(table)
        if abs(first - second) < 1e-12:
            raise OptionError(
                f"both classifiers of joint are right on {first:.4g} of the items: neither is the "
                "better one."
            )
        table = table.transpose(0, 2, 1) if second > first else table
        return cls(_nested(table), _nested(labels))

    @cached_property
    def table(self) -> Floats:
        """The joint table as an array."""
        return np.array(self.joint)

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return len(self.confusion)

    @property
    def better(self) -> float:
        """The better one's accuracy."""
        return _right(self.table)[0]

    @property
    def gap(self) -> float:
        """How much more often the better one is right."""
        first, second = _right(self.table)
        return first - second

    @property
    def disagreement(self) -> float:
        """The share of items on which the two classifiers differ."""
        return float(1 - np.einsum("taa->", self.table))

    @property
    def label_accuracy(self) -> float:
        """How often a single label is right."""
        return float(self.table.sum(axis=(1, 2)) @ np.diag(np.array(self.confusion)))

    def labels_each(self, strategy: Strategy) -> float:
        """Expected labels an item."""
        alike = (np.array(self.confusion) ** 2).sum(axis=1)
        return strategy.labels_each(float(self.table.sum(axis=(1, 2)) @ (1 - alike)))

    def step(self, strategy: Strategy) -> Step:
        """How one item labelled by this strategy moves the gap."""
        wins = np.array([plurality(row, strategy.majority_of) for row in self.confusion])
        apart = self.table * ~np.eye(self.n_labels, dtype=bool)
        of_better, of_worse = wins[:, :, None], wins[:, None, :]
        return Step(
            up=float((apart * of_better).sum()),
            down=float((apart * of_worse).sum()),
            drift=float((apart * (of_better - of_worse)).sum()),
            still=float(1 - self.disagreement + (apart * (1 - of_better - of_worse)).sum()),
        )

    def to_dict(self) -> dict[str, Any]:
        """The tables, and what follows from them."""
        return {
            "accuracy": self.better,
            "margin": self.gap,
            "disagreement": self.disagreement,
            "label_accuracy": {"mean": self.label_accuracy, "sd": 0.0},
            "label_confusion": [list(row) for row in self.confusion],
            "joint": self.table.tolist(),
            "n_labels": self.n_labels,
        }


@lru_cache(maxsize=1024)
def plurality(chances: tuple[float, ...], labels: int) -> tuple[float, ...]:
    """P(each label has the plurality of `labels` draws), equal shares on a tie.

    For label l with k votes the others split the rest: those with fewer votes, and those level
    with it, which share. With the exponential generating function Σ (r z)ʲ/j! of each other
    label, cut off below k, and s marking a label that is level,

        P(l wins) = Σ_k m! · r_lᵏ/k! · ∫₀¹ [z^{m−k}] Π_{o≠l} f_o(z, s) ds,
        f_o(z, s) = Σ_{j<k} (r_o z)ʲ/j! + s (r_o z)ᵏ/k!,

    since ∫ sʲ ds = 1/(j + 1) is the share of one among j + 1 that are level.

    >>> [round(chance, 6) for chance in plurality((0.5, 0.3, 0.2), 3)]
    [0.56, 0.276, 0.164]
    """
    return tuple(
        sum(
            _wins_with(chances[label], votes, chances[:label] + chances[label + 1 :], labels)
            for votes in range(1, labels + 1)
        )
        for label in range(len(chances))
    )


def _wins_with(own: float, votes: int, others: tuple[float, ...], labels: int) -> float:
    """P(this label has `votes` votes and the plurality), its share on a tie."""
    left = labels - votes
    # ways[j, d]: j others level so far, d of their votes given out (each over its factorial).
    ways = np.zeros((1, left + 1))
    ways[0, 0] = 1.0
    for chance in others:
        powers = np.array([chance**j / factorial(j) for j in range(min(votes, left) + 1)])
        grown = np.zeros((len(ways) + 1, left + 1))
        for j, row in enumerate(ways):
            grown[j] += np.convolve(row, powers[:votes])[: left + 1]
            if votes <= left:
                grown[j + 1, votes:] += row[: left + 1 - votes] * powers[votes]
        ways = grown
    shared = ways[:, left] @ (1 / np.arange(1, len(ways) + 1))
    return float(factorial(labels) / factorial(votes) * own**votes * shared)


def even_errors(accuracy: float, labels: int) -> Floats:
    """A confusion matrix whose errors are spread evenly over the other labels.

    Parameters
    ----------
    accuracy : float
        The chance of the right answer, the same for every label.
    labels : int
        How many labels there are.

    Returns
    -------
    ndarray
        (L, L): the chance of each answer (column) given the truth (row).

    Examples
    --------
    >>> even_errors(0.7, 4)[0].round(3).tolist()
    [0.7, 0.1, 0.1, 0.1]
    """
    wrong = (1 - accuracy) / (labels - 1)
    return np.asarray(np.full((labels, labels), wrong) + (accuracy - wrong) * np.eye(labels))


def adjacent_errors(accuracy: float, labels: int) -> Floats:
    """A confusion matrix whose errors fall on the neighbouring labels only.

    Parameters
    ----------
    accuracy : float
        The chance of the right answer, the same for every label.
    labels : int
        How many labels there are.

    Returns
    -------
    ndarray
        (L, L): the chance of each answer (column) given the truth (row).

    Examples
    --------
    >>> adjacent_errors(0.8, 3).round(3).tolist()
    [[0.8, 0.2, 0.0], [0.1, 0.8, 0.1], [0.0, 0.2, 0.8]]
    """
    place = np.arange(labels)
    near = (np.abs(place[:, None] - place) == 1).astype(float)
    wrong = (1 - accuracy) * near / near.sum(axis=1, keepdims=True)
    return np.asarray(wrong + accuracy * np.eye(labels))


def independent_joint(
    better: ArrayLike, worse: ArrayLike, truth: ArrayLike | None = None
) -> Floats:
    """The joint table of two classifiers whose answers are independent given the truth.

    Parameters
    ----------
    better, worse
        (L, L) chances of each answer given the truth, such as `even_errors(0.85, 4)`.
    truth
        (L,) shares of the true labels; equally common by default.

    Returns
    -------
    ndarray
        (L, L, L) shares of (truth, answer of the better, answer of the worse).

    Examples
    --------
    >>> joint = independent_joint(even_errors(0.85, 4), adjacent_errors(0.8, 4))
    >>> joint.shape, round(float(joint.sum()), 9)
    ((4, 4, 4), 1.0)
    """
    first, second = np.asarray(better, dtype=float), np.asarray(worse, dtype=float)
    shares = np.full(len(first), 1 / len(first)) if truth is None else np.asarray(truth, float)
    return np.asarray(shares[:, None, None] * first[:, :, None] * second[:, None, :])


def _right(table: Floats) -> tuple[float, float]:
    """How often the first and the second answer are the truth."""
    return float(np.einsum("ttb->", table)), float(np.einsum("tat->", table))


def _chances(name: str, given: ArrayLike, sides: int) -> Floats:
    try:
        table = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise OptionError(f"{name} is a table of numbers.") from None
    shape = " × ".join(["labels"] * sides)
    if table.ndim != sides or len(set(table.shape)) != 1 or len(table) < 2:
        raise OptionError(f"{name} is a table of {shape}; its shape was {table.shape}.")
    if not (np.isfinite(table).all() and (table >= 0).all() and (table <= 1 + 1e-9).all()):
        raise OptionError(f"{name} holds chances from 0 to 1.")
    return table


def _nested(table: Floats) -> Any:
    return tuple(_nested(part) for part in table) if table.ndim else float(table)
