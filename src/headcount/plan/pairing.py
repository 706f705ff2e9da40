"""Two classifiers and the labels that judge them: how one item moves the gap between them.

Here wrong labels are spread evenly over the other labels, which with two labels is no
assumption. Where they are not, `confusion.JointPairing` takes their place.
"""

from dataclasses import replace
from typing import Any, Protocol

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.plan.given import number, share
from headcount.plan.label_accuracy import LabelAccuracy
from headcount.plan.noise import Noise
from headcount.plan.step import Step, Strategy


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
        a, e = share("accuracy", accuracy), number("margin", margin)
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
        d = share("disagreement", disagreement)
        most = min(2 * (1 - a) + e, 2 * a - e)
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
        worse = share("worse_accuracy", worse_accuracy)
        if_wrong = share("better_if_worse_wrong", better_if_worse_wrong)
        if_right = share("better_if_worse_right", better_if_worse_right)
        only_better, only_worse = (1 - worse) * if_wrong, worse * (1 - if_right)
        gap = only_better - only_worse
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

    def swapped(self) -> "Pairing":
        """The same two classifiers in the other order; the margin changes its sign."""
        return Pairing(
            better=self.better - self.gap,
            only_better=self.only_worse,
            only_worse=self.only_better,
            gap=-self.gap,
            agree=self.agree,
            labels=self.labels,
            labels_better=self.labels_worse,
            labels_worse=self.labels_better,
            neither=self.neither,
            n_labels=self.n_labels,
        )

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
