"""What a plan is asked for, checked: one sentence for each thing that cannot be."""

import math
from collections.abc import Sequence
from typing import Any

from headcount.budget.label_accuracy import LabelAccuracy
from headcount.budget.pairing import Pairing, Strategy
from headcount.errors import OptionError

MOST_LABELS = 501
"""The largest majority vote that is planned for."""
DEFAULT_STRATEGIES = (
    Strategy(1),
    Strategy(3, adaptive=True),
    Strategy(3),
    Strategy(5),
    Strategy(7),
    Strategy(9),
)


def number(name: str, value: Any) -> float:
    """A finite number."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise OptionError(f"{name} is a number; it was {value!r}.") from None
    if isinstance(value, bool) or not math.isfinite(found):
        raise OptionError(f"{name} is a finite number; it was {value!r}.")
    return found


def share(name: str, value: Any) -> float:
    """A number from 0 to 1."""
    found = number(name, value)
    if not 0 <= found <= 1:
        raise OptionError(f"{name} is a share from 0 to 1; it was {found:g}.")
    return found


def label_accuracy(
    name: str, value: float | LabelAccuracy, spread: float = 0.0, chance: float = 0.5
) -> LabelAccuracy:
    """A label accuracy better than chance on average."""
    if not isinstance(value, LabelAccuracy):
        value = LabelAccuracy.spread(share(name, value), number("label_spread", spread))
    if value.mean <= chance:
        raise OptionError(
            f"{name} must be above {chance:.3g}, better than guessing, or no number of labels "
            f"can tell which classifier is better; it was {value.mean:g}."
        )
    return value


def independent(accuracy: Any, margin: Any, labels: LabelAccuracy, categories: int = 2) -> Pairing:
    """Accuracy and margin of two classifiers whose errors are independent."""
    a, e = _accuracy_and_margin(accuracy, margin)
    return Pairing.independent(a, e, labels, categories)


def disagreeing(
    accuracy: Any,
    margin: Any,
    disagreement: Any,
    labels: LabelAccuracy | None,
    labels_better: LabelAccuracy,
    labels_worse: LabelAccuracy,
) -> Pairing:
    """Accuracy, margin, and the share of items on which the two classifiers differ."""
    a, e = _accuracy_and_margin(accuracy, margin)
    d = share("disagreement", disagreement)
    most = min(2 * (1 - a) + e, 2 * a - e)
    if not e - 1e-12 <= d <= most + 1e-12:
        raise OptionError(
            f"two classifiers with accuracies {a:g} and {a - e:g} differ on {e:g} to {most:g} of "
            f"the items; disagreement was {d:g}."
        )
    only_better, only_worse = (d + e) / 2, max((d - e) / 2, 0.0)
    return Pairing(
        better=a,
        only_better=only_better,
        only_worse=only_worse,
        gap=e,
        agree=1 - d,
        labels=labels or _mixed(labels_better, only_better, labels_worse, only_worse),
        labels_better=labels_better,
        labels_worse=labels_worse,
    )


def correlated(
    worse_accuracy: Any,
    better_if_worse_wrong: Any,
    better_if_worse_right: Any,
    labels: LabelAccuracy | None,
    labels_better: LabelAccuracy,
    labels_worse: LabelAccuracy,
) -> Pairing:
    """The paper's correlated form: p_w, p_{b|¬w}, p_{b|w}, and label accuracies q_b and q_w."""
    worse = share("worse_accuracy", worse_accuracy)
    if_wrong = share("better_if_worse_wrong", better_if_worse_wrong)
    if_right = share("better_if_worse_right", better_if_worse_right)
    only_better, only_worse = (1 - worse) * if_wrong, worse * (1 - if_right)
    if only_better - only_worse <= 1e-15:
        raise OptionError(
            f"the better classifier would be right on {worse + only_better - only_worse:.4g} of "
            f"the items and the worse on {worse:.4g}: raise better_if_worse_wrong or "
            "better_if_worse_right until it is the better one."
        )
    return Pairing(
        better=worse + only_better - only_worse,
        only_better=only_better,
        only_worse=only_worse,
        gap=only_better - only_worse,
        agree=worse * if_right + (1 - worse) * (1 - if_wrong),
        labels=labels or _mixed(labels_better, only_better, labels_worse, only_worse),
        labels_better=labels_better,
        labels_worse=labels_worse,
    )


def strategies(
    labels_per_item: int | Sequence[int] | None, adaptive: bool | None
) -> tuple[Strategy, ...]:
    """The labelling strategies asked for; by default one to nine labels and the adaptive one."""
    if labels_per_item is None:
        return tuple(s for s in DEFAULT_STRATEGIES if adaptive is not False or not s.adaptive)
    asked = [labels_per_item] if isinstance(labels_per_item, int) else list(labels_per_item)
    for labels in asked:
        whole = isinstance(labels, int) and not isinstance(labels, bool)
        if not whole or not 1 <= labels <= MOST_LABELS:
            raise OptionError(
                f"labels_per_item is a whole number from 1 to {MOST_LABELS}, or several; "
                f"it was {labels!r}."
            )
    if not asked and not adaptive:
        raise OptionError("labels_per_item is empty: give at least one number of labels.")
    found = [Strategy(labels) for labels in sorted(set(asked))]
    if adaptive:
        found.append(Strategy(3, adaptive=True))
    return tuple(found)


def costs(item_cost: Any, label_cost: Any) -> tuple[float, float]:
    """What an item and a label cost."""
    item, label = number("item_cost", item_cost), number("label_cost", label_cost)
    for name, value in (("item_cost", item), ("label_cost", label)):
        if value < 0:
            raise OptionError(f"{name} is at least 0; it was {value:g}.")
    if item + label == 0:
        raise OptionError("item_cost and label_cost are both 0: give one of them a price.")
    return item, label


def aim(budget: Any, target: Any) -> tuple[float | None, float | None]:
    """A budget or a target probability, exactly one of them."""
    if (budget is None) == (target is None):
        raise OptionError(
            "give either budget (what may be spent) or target (the probability to reach), "
            "one of the two."
        )
    if budget is not None:
        money = number("budget", budget)
        if money <= 0:
            raise OptionError(f"budget is above 0; it was {money:g}.")
        return money, None
    probability = number("target", target)
    if not 0 < probability < 1:
        raise OptionError(
            f"target is a probability between 0 and 1, such as 0.95; it was {probability:g}."
        )
    return None, probability


def rival_count(rivals: Any) -> int:
    """How many rivals the best classifier is compared with."""
    if isinstance(rivals, bool) or rivals != int(rivals) or rivals < 1:
        raise OptionError(f"rivals is a whole number of at least 1; it was {rivals!r}.")
    return int(rivals)


def _accuracy_and_margin(accuracy: Any, margin: Any) -> tuple[float, float]:
    a, e = share("accuracy", accuracy), number("margin", margin)
    if e <= 0:
        raise OptionError(
            f"margin is how much better the better classifier is, above 0; it was {e:g}."
        )
    if e > a:
        raise OptionError(
            f"margin {e:g} is larger than possible: the better classifier has accuracy {a:g}, "
            f"so the margin is at most {a:g}."
        )
    return a, e


def _mixed(
    better: LabelAccuracy, only_better: float, worse: LabelAccuracy, only_worse: float
) -> LabelAccuracy:
    """The label accuracy over both kinds of items; a mean where a distribution has no values."""
    if better == worse:
        return better
    parts = ((better, only_better), (worse, only_worse))
    if any(labels.beta is not None for labels, _ in parts):
        mean = sum(labels.mean * share for labels, share in parts) / (only_better + only_worse)
        return LabelAccuracy.same(mean)
    values = [value for labels, _ in parts for value in labels.values]
    weights = [weight * share for labels, share in parts for weight in labels.weights]
    return LabelAccuracy.of(values, weights)
