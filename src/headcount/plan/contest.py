"""Two classifiers and the labels that judge them: how one item moves the gap between them.

The gap is a walk of +1, 0, −1 however many labels there are. All that a plan needs is one item's
p₊ and p₋, given (`GivenSteps`), from accuracies where errors are spread evenly, which with two
labels is no assumption (`Pairing`), or from a table of truth and answers (`JointPairing`).
"""

from dataclasses import replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from headcount.arrays import Floats
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.declared import finite_number, share_of_all
from headcount.plan.label_accuracy import LabelAccuracy, Noise
from headcount.plan.labelling import Strategy, plurality
from headcount.plan.walk import Step

Rows = tuple[tuple[float, ...], ...]


class Contest(Protocol):
    """What a plan must know of two classifiers and their labels."""

    @property
    def n_labels(self) -> int | None:
        """How many labels there are, where that is known."""

    @property
    def disagreement(self) -> float | None:
        """The share of items on which the two differ, where that is known."""

    @property
    def gap(self) -> float:
        """How much better the better one is."""

    def step(self, strategy: Strategy) -> Step:
        """How one item labelled by this strategy moves the gap."""

    def labels_each(self, strategy: Strategy) -> float:
        """Expected labels an item."""

    def to_dict(self) -> dict[str, Any]:
        """What was given, JSON-safe."""


@frozen
class GivenSteps:
    """A comparison of which only the steps are known: p₊ and p₋ for some ways to label."""

    steps: tuple[tuple[Strategy, Step], ...]
    n_labels: int | None = None
    disagreement: float | None = None

    @property
    def gap(self) -> float:
        """The drift of the first way to label."""
        return self.steps[0][1].drift

    def ways(self) -> tuple[Strategy, ...]:
        """The ways to label that there are steps for."""
        return tuple(strategy for strategy, _ in self.steps)

    def step(self, strategy: Strategy) -> Step:
        """As given."""
        return dict(self.steps)[strategy]

    def labels_each(self, strategy: Strategy) -> float:
        """The labels of a vote; "2+1" counts as three, as nobody said how often two differ."""
        return float(strategy.majority_of)

    def to_dict(self) -> dict[str, Any]:
        """p₊ and p₋ by the way to label."""
        return {"steps": {s.name: [step.up, step.down] for s, step in self.steps}}


@frozen
class Pairing:
    """A better and a worse classifier on one task.

    `only_better` and `only_worse` are the shares of items that one of them alone gets right,
    `gap` their difference and `agree` the share on which they give the same answer (both given
    apart, without cancellation), `neither` the share on which they differ and both are wrong
    (0 with two labels). `labels_better` and
    `labels_worse` are the label accuracies on the items that one alone gets right, `labels` on
    all items; `better` is the better one's accuracy.
    """

    better: float
    only_better: float
    only_worse: float
    gap: float
    agree: float
    labels: LabelAccuracy
    labels_better: LabelAccuracy
    labels_worse: LabelAccuracy
    neither: float = 0.0
    n_labels: int = 2

    @classmethod
    def of(
        cls,
        accuracy: Any,
        margin: Any,
        noise: Noise,
        *,
        disagreement: Any = None,
        n_labels: int = 2,
    ) -> "Pairing":
        """Accuracy and margin, with how often the two differ or with independent errors."""
        a, e = share_of_all("accuracy", accuracy), finite_number("margin", margin)
        if e <= 0:
            raise OptionError(
                f"margin is how much better the better classifier is, above 0; it was {e:g}."
            )
        if e > a:
            raise OptionError(
                f"margin {e:g} is larger than possible: the better classifier has accuracy "
                f"{a:g}, so the margin is at most {a:g}."
            )
        if disagreement is None:
            worse = a - e
            everywhere = noise.over(a * (1 - worse), (1 - a) * worse)
            return replace(
                cls.independent(a, e, everywhere, n_labels),
                labels_better=noise.if_better,
                labels_worse=noise.if_worse,
            )
        if n_labels != 2:
            raise OptionError(
                "disagreement goes with two labels; with more of them give joint, the shares of "
                "(truth, answer of the better, answer of the worse)."
            )
        d = share_of_all("disagreement", disagreement)
        most = min(2 * (1 - a) + e, 2 * a - e)
        # Both are right on at most all items, and differ at least by the margin; 0.1 + 0.2 is 0.3.
        if not e - 1e-12 <= d <= most + 1e-12:
            raise OptionError(
                f"two classifiers with accuracies {a:g} and {a - e:g} differ on {e:g} to "
                f"{most:g} of the items; disagreement was {d:g}."
            )
        return cls._apart(a, (d + e) / 2, max((d - e) / 2, 0.0), e, 1 - d, noise)

    @classmethod
    def correlated(
        cls,
        worse_accuracy: Any,
        better_if_worse_wrong: Any,
        better_if_worse_right: Any,
        noise: Noise,
    ) -> "Pairing":
        """The paper's correlated form: p_w, p_{b|¬w}, p_{b|w}."""
        worse = share_of_all("worse_accuracy", worse_accuracy)
        if_wrong = share_of_all("better_if_worse_wrong", better_if_worse_wrong)
        if_right = share_of_all("better_if_worse_right", better_if_worse_right)
        only_better, only_worse = (1 - worse) * if_wrong, worse * (1 - if_right)
        gap = only_better - only_worse
        # What is left of two equal sums of products: neither is better.
        if gap <= 1e-15:
            raise OptionError(
                f"the better classifier would be right on {worse + gap:.4g} of the items and the "
                f"worse on {worse:.4g}: raise better_if_worse_wrong or better_if_worse_right "
                "until it is the better one."
            )
        agree = worse * if_right + (1 - worse) * (1 - if_wrong)
        return cls._apart(worse + gap, only_better, only_worse, gap, agree, noise)

    @classmethod
    def _apart(
        cls,
        better: float,
        only_better: float,
        only_worse: float,
        gap: float,
        agree: float,
        noise: Noise,
    ) -> "Pairing":
        everywhere = noise.over(only_better, only_worse)
        labels = (everywhere, noise.if_better, noise.if_worse)
        return cls(better, only_better, only_worse, gap, agree, *labels)

    @classmethod
    def independent(
        cls, accuracy: float, margin: float, labels: LabelAccuracy, n_labels: int = 2
    ) -> "Pairing":
        """Errors of the two classifiers and of the labels have nothing to do with each other."""
        worse = accuracy - margin
        both_wrong = (1 - accuracy) * (1 - worse)
        return cls(
            better=accuracy,
            only_better=accuracy * (1 - worse),
            only_worse=(1 - accuracy) * worse,
            gap=margin,
            agree=accuracy * worse + both_wrong / (n_labels - 1),
            labels=labels,
            labels_better=labels,
            labels_worse=labels,
            neither=both_wrong * (n_labels - 2) / (n_labels - 1),
            n_labels=n_labels,
        )

    def labels_each(self, strategy: Strategy) -> float:
        """Expected labels an item."""
        return strategy.labels_each(self.labels.two_differ(self.n_labels))

    def to_dict(self) -> dict[str, Any]:
        """The shares and the label accuracies."""
        return {
            "accuracy": self.better,
            "margin": self.gap,
            "only_better_right": self.only_better,
            "only_worse_right": self.only_worse,
            "disagreement": self.disagreement,
            "label_accuracy": self.labels.to_dict(),
            "label_accuracy_if_better": self.labels_better.to_dict(),
            "label_accuracy_if_worse": self.labels_worse.to_dict(),
            "n_labels": self.n_labels,
        }

    def step(self, strategy: Strategy) -> Step:
        """How one item labelled by this strategy moves the gap."""
        wrong_kinds = self.n_labels - 1
        right_b, wrong_b = self.labels_better.majority_parts(strategy.majority_of, self.n_labels)
        right_w, wrong_w = self.labels_worse.majority_parts(strategy.majority_of, self.n_labels)
        _, wrong = self.labels.majority_parts(strategy.majority_of, self.n_labels)
        noise = self.neither * wrong / wrong_kinds
        lift_b, lift_w = right_b - wrong_b / wrong_kinds, right_w - wrong_w / wrong_kinds
        # Equal lifts leave the gap times the lift; the rest is zero where labels do not care.
        drift = self.gap * lift_b + self.only_worse * (lift_b - lift_w)
        return Step(
            up=self.only_better * right_b + self.only_worse * wrong_w / wrong_kinds + noise,
            down=self.only_better * wrong_b / wrong_kinds + self.only_worse * right_w + noise,
            drift=drift,
            still=self.agree
            + (wrong_kinds - 1)
            / wrong_kinds
            * (self.only_better * wrong_b + self.only_worse * wrong_w)
            + self.neither * (1 - 2 * wrong / wrong_kinds),
        )

    @property
    def disagreement(self) -> float:
        """The share of items on which the two classifiers differ."""
        return self.only_better + self.only_worse + self.neither

    def unbiased_labels(self) -> bool:
        """The paper's first assumption: labels are no worse where only the better one is right."""
        return self.labels_better.mean >= self.labels_worse.mean - 1e-12

    def unbiased_spread(self, majority_of: int) -> bool:
        """The paper's second: difficulty varying over items costs the better one no less.

        Compared is what a majority vote loses to unequal items against items all of mean
        difficulty, on the items that one of them alone gets right.
        """
        lost_b, lost_w = (
            LabelAccuracy.same(labels.mean).majority(majority_of, self.n_labels)
            - labels.majority(majority_of, self.n_labels)
            for labels in (self.labels_better, self.labels_worse)
        )
        return self.only_better * lost_b >= self.only_worse * lost_w - 1e-12


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


def even_errors(accuracy: ArrayLike, labels: int) -> Floats:
    """A confusion matrix whose errors are spread evenly over the other labels.

    Parameters
    ----------
    accuracy : float or array_like
        The chance of the right answer, the same for every label; of several, a matrix each.
    labels : int
        How many labels there are.

    Returns
    -------
    ndarray
        (…, L, L): the chance of each answer (column) given the truth (row).

    Examples
    --------
    >>> even_errors(0.7, 4)[0].round(3).tolist()
    [0.7, 0.1, 0.1, 0.1]
    """
    right = np.asarray(accuracy, dtype=float)[..., None, None]
    wrong = (1 - right) / (labels - 1)
    return np.asarray(wrong + (right - wrong) * np.eye(labels))


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
