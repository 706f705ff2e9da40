"""The choices of `plan_from_pilot`."""

from headcount.frozen import frozen
from headcount.options.declared import INTERVALS, option
from headcount.options.parsing import share
from headcount.options.shared import Meeting

AIM = "What to reach"
LABELS = "The labels"


@frozen(kw_only=True)
class PilotOptions(Meeting):
    """The choices of `plan_from_pilot`."""

    target: float = option(
        0.95, "Probability that the chosen one is the best.", panel=AIM, kind=float
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
        "How far apart two such classifiers usually are, such as 3%.",
        panel=LABELS,
        parse=share("prior-sd"),
    )
    label_accuracy: float | None = option(
        None, "How often a label is right: compares right answers too.", panel=LABELS, kind=float
    )
    confidence: float = option(0.95, "Confidence of the intervals.", panel=INTERVALS, kind=float)
