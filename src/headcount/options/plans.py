"""The choices of every plan, declared once for commands, calculators and Python."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.declared import (
    INTERVALS,
    Options,
    inside,
    numbers_in,
    option,
    parts_of,
    share,
    whole,
)
from headcount.options.methods import TARGET, Meeting

AIM = "What to reach"
LABELS = "The labels"
TASK = "The two classifiers"
MONEY = "What it costs"

# The population of the survey-equivalence paper's example: shares of items, and of people.
RUNNING_EXAMPLE = ((0.7, 0.8), (0.1, 0.5), (0.2, 0.1))


def two_numbers(listed: str) -> tuple[float, float]:
    """What is typed after --step: the chances p_plus,p_minus."""
    try:
        up, down = (float(part) for part in listed.split(","))
    except ValueError:
        raise OptionError(
            f"--step takes two numbers, such as 0.22,0.19; it was {listed!r}."
        ) from None
    return up, down


@frozen(kw_only=True)
class PilotOptions(Meeting):
    """The choices of `plan_from_pilot`."""

    target: float = option(
        TARGET, "Probability that the chosen one is the best.", panel=AIM, kind=float
    )
    matters: float = option(
        0.01, "The smallest difference that matters, such as 1%.", panel=AIM, parse=share("matters")
    )
    loss: float | None = option(
        None, "An expected loss to get down to, such as 0.1%.", panel=AIM, parse=share("loss")
    )
    affordable: int = option(
        100_000, "The most labels that anyone would pay for.", panel=AIM, kind=int
    )
    raters: str | None = option(
        None,
        "Who labels next: new (people like the raters; the default where they have names), same "
        "(the same raters), fixed (only these raters matter).",
        panel=LABELS,
        choices=("new", "same", "fixed"),
    )
    weigh: str = option(
        "items",
        "items (each counts once) or labels (by what an item's labels tell).",
        panel=LABELS,
        choices=("items", "labels"),
    )
    prior_sd: float | None = option(
        None,
        "How far apart two such classifiers usually are, such as 3% (default: the labels say).",
        panel=LABELS,
        parse=share("prior-sd"),
    )
    label_accuracy: float | None = option(
        None, "How often a label is right: compares right answers too.", panel=LABELS, kind=float
    )
    confidence: float = option(0.95, "Confidence of the intervals.", panel=INTERVALS, kind=float)


@frozen(kw_only=True)
class ComparisonPlanOptions(Options):
    """The choices of `plan_comparison`, in plain numbers and small tables."""

    accuracy: float | None = option(
        None, "Accuracy of the better classifier.", panel=TASK, kind=float
    )
    margin: float | None = option(None, "How much better it is.", panel=TASK, kind=float)
    disagreement: float | None = option(
        None,
        "Share of items on which they differ (default: independent errors).",
        panel=TASK,
        kind=float,
    )
    n_labels: int = option(
        2, "How many labels there are; wrong ones spread evenly.", panel=TASK, kind=int
    )
    worse_accuracy: float | None = option(
        None, "Correlated: accuracy of the worse one.", panel=TASK, kind=float
    )
    better_if_worse_wrong: float | None = option(
        None,
        "Correlated: the better one's accuracy where the worse is wrong.",
        panel=TASK,
        kind=float,
    )
    better_if_worse_right: float | None = option(
        None,
        "Correlated: the better one's accuracy where the worse is right.",
        panel=TASK,
        kind=float,
    )
    joint: Any = option(
        None,
        "CSV of truth, answer of one, answer of the other, share: any number of labels.",
        panel=TASK,
        kind=Path,
    )
    step: tuple[float, float] | None = option(
        None,
        "In place of all that: an item's chances to speak for the better and for the worse one, "
        "such as 0.22,0.19.",
        panel=TASK,
        parse=two_numbers,
    )
    rivals: int = option(
        1,
        "How many rivals the best one is compared with, all so far behind.",
        panel=TASK,
        kind=int,
    )
    label_accuracy: float | None = option(
        None, "Chance that a single label is right, above guessing.", panel=LABELS, kind=float
    )
    label_spread: float = option(
        0.0,
        "How much that varies over items, as a standard deviation.",
        panel=LABELS,
        kind=float,
    )
    label_accuracy_if_better: float | None = option(
        None,
        "The same on items that only the better one gets right.",
        panel=LABELS,
        kind=float,
    )
    label_accuracy_if_worse: float | None = option(
        None,
        "The same on items that only the worse one gets right.",
        panel=LABELS,
        kind=float,
    )
    label_confusion: Any = option(
        None, "CSV of truth, label, chance; with --joint.", panel=LABELS, kind=Path
    )
    budget: float | None = option(
        None, "What may be spent: highest probability.", panel=AIM, kind=float
    )
    target: float | None = option(None, "Probability to reach: lowest cost.", panel=AIM, kind=float)
    labels_per_item: Sequence[str] | None = option(
        None,
        "Only these numbers of labels an item, such as 1,3,2+1 (a third where two differ).",
        panel=AIM,
        parse=parts_of,
    )
    item_cost: float = option(0.0, "What an item costs before any label.", panel=MONEY, kind=float)
    label_cost: float = option(1.0, "What a label costs.", panel=MONEY, kind=float)


def kinds_in(text: str) -> tuple[tuple[float, float], ...]:
    """What is typed after --kinds: share of items:share of people, separated by commas."""
    try:
        pairs = [part.split(":") for part in parts_of(text)]
        return tuple((float(items), float(people)) for items, people in pairs)
    except ValueError:
        raise OptionError(
            "--kinds takes a share of items and the share of people who say yes to them, such as "
            f"0.7:0.8,0.3:0.5; it was {text!r}."
        ) from None


@frozen(kw_only=True)
class GoldPlanOptions(Options):
    """The choices of `plan_gold`."""

    accuracy: float = option(
        0.8, "How often the classifier is right, as far as you can guess.", kind=float
    )
    half_width: float = option(0.05, "How near the estimate must come.", kind=float)
    confidence: float = option(0.95, "Confidence of the interval.", kind=float)
    ratio: float = option(
        1.0,
        "Variance that is left with the ratings' help, over that of gold alone (1: no help).",
        kind=float,
    )
    items: int | None = option(
        None, "How many items there are to draw from (default: as many as you like).", kind=int
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("half_width", "confidence"):
            inside(name, getattr(self, name), 0.05)
        if not 0 <= self.accuracy <= 1:
            raise OptionError(f"accuracy is a share such as 0.8; it was {self.accuracy!r}.")
        if not 0.01 <= self.ratio <= 1:
            raise OptionError(f"ratio lies between 0.01 and 1; it was {self.ratio!r}.")
        if self.items is not None:
            whole("items", self.items, 1, "a whole number of at least 1")


@frozen(kw_only=True)
class RatingsPlanOptions(Options):
    """The choices of `plan_ratings`."""

    kinds: Sequence[tuple[float, float]] | None = option(
        None,
        "Kinds of items: the share of items and the share of people who say yes to them, such as "
        "0.7:0.8,0.3:0.5 (default: 0.7:0.8,0.1:0.5,0.2:0.1).",
        parse=kinds_in,
    )
    scorer: str = option(
        "cross_entropy",
        "How predictions are scored: cross_entropy, brier or agreement.",
        choices=("cross_entropy", "brier", "agreement"),
    )
    most: int = option(8, "Look at up to so many ratings an item.", kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("most", self.most, 1, "a whole number from 1 to 20")
        if self.most > 20:
            raise OptionError(f"most is a whole number from 1 to 20; it was {self.most!r}.")
        shares = [items for items, _ in self.population()]
        parts = [part for kind in self.population() for part in kind]
        if not 1 <= len(shares) <= 20 or not all(0 <= part <= 1 for part in parts):
            raise OptionError(
                "kinds are one to twenty pairs of shares from 0 to 1: of items, and of people who "
                "say yes to them."
            )
        if abs(sum(shares) - 1) > 1e-6:
            raise OptionError(
                f"the shares of items in kinds sum to 1; they sum to {sum(shares):g}."
            )

    def population(self) -> tuple[tuple[float, float], ...]:
        """The kinds of items: those given, by default those of the paper's running example."""
        given = RUNNING_EXAMPLE if self.kinds is None else self.kinds
        return tuple((float(items), float(people)) for items, people in given)


@frozen(kw_only=True)
class AccuracyPlanOptions(Options):
    """The choices of `plan_accuracy`."""

    raters: int = option(3, "Ratings each item gets.", kind=int)
    labels: int = option(5, "How many labels there are.", kind=int)
    kappa: float | None = option(None, "Raters' agreement beyond chance 1/N.", kind=float)
    rater_accuracy: float | None = option(None, "Or how often a rater is right.", kind=float)
    half_width: float = option(0.1, "How near the estimate must come.", kind=float)
    confidence: float = option(0.9, "In what share of evaluations.", kind=float)
    system_accuracy: float | Sequence[float] | None = option(
        None,
        "Accuracies the system may have, separated by commas (default: 0.1,0.3,0.5,0.7,0.9).",
        parse=numbers_in("system-accuracy"),
    )
    base_rates: Sequence[float] | str | None = option(
        None,
        "Share of each label, separated by commas, or equal (default: drawn at random).",
        parse=lambda text: text if text == "equal" else numbers_in("base-rates")(text),
    )
    items: Sequence[float] | None = option(
        None,
        "Only these numbers of items (default: search for enough).",
        parse=numbers_in("items"),
    )
    simulations: int = option(1000, "Simulated evaluations for each point.", kind=int)
    seed: int = option(0, "Seed: the same one gives the same numbers.", kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("raters", self.raters, 2, "a whole number of at least 2")
        whole("labels", self.labels, 2, "a whole number of at least 2")
        self._check_raters()
        for name in ("half_width", "confidence"):
            inside(name, getattr(self, name), 0.1)
        systems = self.system_accuracies()
        if not systems or not all(0 <= value <= 1 for value in systems):
            raise OptionError(
                f"system_accuracy lies between 0 and 1; it was {self.system_accuracy!r}."
            )
        self._check_base_rates()
        for number in self.items or ():
            whole("items", number, 1, "a list of whole numbers of at least 1")
        whole("simulations", self.simulations, 10, "a whole number of at least 10")
        whole("seed", self.seed, 0, "a whole number of at least 0")

    def system_accuracies(self) -> tuple[float, ...]:
        """The accuracies to plan for: those given, by default those of the paper."""
        given = self.system_accuracy
        if given is None:
            return (0.1, 0.3, 0.5, 0.7, 0.9)
        return tuple(map(float, (given,) if isinstance(given, int | float) else given))

    def _check_raters(self) -> None:
        n, kappa, accuracy = self.labels, self.kappa, self.rater_accuracy
        if (kappa is None) == (accuracy is None):
            raise OptionError(
                "Say how good the raters are by kappa= or by rater_accuracy=, one of the two "
                "(--kappa, --rater-accuracy)."
            )
        if kappa is not None and not 0 < kappa <= 1:
            raise OptionError(
                f"kappa lies above 0 (raters better than chance) and up to 1; it was {kappa!r}."
            )
        if accuracy is not None and not 1 / n < accuracy <= 1:
            raise OptionError(
                f"rater_accuracy lies above chance (1/{n} with {n} labels) and up to 1; "
                f"it was {accuracy!r}."
            )

    def shares(self) -> tuple[float, ...] | None:
        """The share of each label; None where they are drawn at random."""
        if self.base_rates is None:
            return None
        if isinstance(self.base_rates, str):
            return (1 / self.labels,) * self.labels
        return tuple(map(float, self.base_rates))

    def _check_base_rates(self) -> None:
        rates = self.base_rates
        if rates is None or rates == "equal":
            return
        if isinstance(rates, str):
            raise OptionError(f'base_rates is a list of shares or "equal", not {rates!r}.')
        shares = len(rates) == self.labels and all(rate >= 0 for rate in rates)
        if not shares or abs(sum(rates) - 1) > 1e-6:
            raise OptionError(
                f"base_rates holds {self.labels} shares that sum to 1, one a label; "
                f"it was {rates!r}."
            )
