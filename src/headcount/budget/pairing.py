"""Two classifiers and the labels that judge them: how one item moves the gap between them."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from headcount.budget.label_accuracy import LabelAccuracy
from headcount.budget.walk import WalkEnds, walk_ends


class Step(NamedTuple):
    """One item's effect on the gap: chance of +1, of −1, their difference, and chance of 0."""

    up: float
    down: float
    drift: float
    still: float

    def ends(self, items: Any) -> WalkEnds:
        """Where so many items take the gap, exactly."""
        return walk_ends(self.up, self.down, self.drift, items, still=self.still)


@dataclass(frozen=True)
class Strategy:
    """How an item is labelled: by `majority_of` labels, all at once or only as needed.

    `adaptive` asks for two labels and a third only where they differ: the label is that of a
    majority of three, for fewer labels.
    """

    majority_of: int
    adaptive: bool = False

    def labels_per_item(self, accuracy: LabelAccuracy, categories: int = 2) -> float:
        """Expected labels an item."""
        if self.adaptive:
            return 2.0 + accuracy.two_differ(categories)
        return float(self.majority_of)

    @property
    def name(self) -> str:
        """For tables."""
        if self.adaptive:
            return "2, a 3rd on a tie"
        return str(self.majority_of)


@dataclass(frozen=True)
class Pairing:
    """A better and a worse classifier on one task.

    `only_better` and `only_worse` are the shares of items that one of them alone gets right,
    `gap` their difference and `agree` the share on which they give the same answer (both given
    apart, without cancellation), `neither` the share on which they differ and both are wrong
    (0 with two categories). `labels_better` and
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
    categories: int = 2

    @classmethod
    def independent(
        cls, accuracy: float, margin: float, labels: LabelAccuracy, categories: int = 2
    ) -> "Pairing":
        """Errors of the two classifiers and of the labels have nothing to do with each other."""
        worse = accuracy - margin
        both_wrong = (1 - accuracy) * (1 - worse)
        return cls(
            better=accuracy,
            only_better=accuracy * (1 - worse),
            only_worse=(1 - accuracy) * worse,
            gap=margin,
            agree=accuracy * worse + both_wrong / (categories - 1),
            labels=labels,
            labels_better=labels,
            labels_worse=labels,
            neither=both_wrong * (categories - 2) / (categories - 1),
            categories=categories,
        )

    def step(self, strategy: Strategy) -> Step:
        """How one item labelled by this strategy moves the gap."""
        wrong_kinds = self.categories - 1
        right_b, wrong_b = self.labels_better.majority_parts(strategy.majority_of, self.categories)
        right_w, wrong_w = self.labels_worse.majority_parts(strategy.majority_of, self.categories)
        _, wrong = self.labels.majority_parts(strategy.majority_of, self.categories)
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
            categories=self.categories,
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
            LabelAccuracy.same(labels.mean).majority(majority_of, self.categories)
            - labels.majority(majority_of, self.categories)
            for labels in (self.labels_better, self.labels_worse)
        )
        return self.only_better * lost_b >= self.only_worse * lost_w - 1e-12
