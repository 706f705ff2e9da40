"""What the checks of the assumptions mean, in sentences, and which estimate to believe for it."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from headcount.accuracy import algebra
from headcount.accuracy.algebra import Floats, Ints
from headcount.accuracy.checks import Outcome, equal_confusions, equal_difficulty, equal_raters
from headcount.accuracy.latent_classes import LatentClasses
from headcount.data import Labels, Named
from headcount.results import Record, record

State = Literal["holds", "violated", "unchecked"]
Which = Literal["algebraic", "latent_class"]
CheckId = Literal[
    "above_chance",
    "even_errors",
    "equal_raters",
    "unanimity",
    "base_rates",
    "measurement",
    "enough_items",
]

DOUBT = 0.01
"""A test that would come out as extreme in fewer than this share of such data sets speaks
against the assumption, if the departure is also large enough to matter:"""

MISPLACED = 0.05
"""share of the disagreements that are between other labels than even errors would make them,"""
RANGE = 0.02
"""difference between the raters who agree most and least with the others,"""
SURPLUS = 0.005
"""difference in how often three ratings (four, with two labels) all agree."""

HARD_FOR_ALL = (
    "Where the same items are hard for raters and systems, both estimates are drawn to the middle; "
    "on simulated data of that kind the latent-class one came closer for systems better than the "
    "raters, the algebraic one for others."
)


@record
class Check(Record):
    """An assumption and what the data say of it, in a sentence; with the test where one was made.

    `id` is what code finds the check by. `kind` marks the K-properties ("k-property": equal
    raters, errors and difficulty), which decide which estimate to believe; the others are about
    the data at hand ("data") or cannot be seen in any data ("design"). `caution` is what to mind
    when choosing the estimate.
    """

    id: CheckId
    name: str
    kind: Literal["k-property", "data", "design"]
    state: State
    text: str
    statistic: float | None = None
    freedom: float | None = None
    p_value: float | None = None
    caution: str | None = None


def judge_assumptions(
    labels: Labels,
    counts: Ints,
    items: Ints,
    raw_base_rates: Floats,
    item_counts: Ints,
    named: Named | None,
) -> list[Check]:
    """Every assumption that the ratings can speak about.

    `counts` (G, L) patterns with their number of `items` (G,); `item_counts` (n, L) item by
    item, in the order that `named` refers to.
    """
    return [
        _above_chance(counts, items, labels.n),
        _confusions(labels, counts, items),
        _raters(item_counts, named),
        _difficulty(counts, items),
        _base_rates(labels, raw_base_rates),
        Check(
            "measurement",
            "ratings measure the truth",
            "design",
            "unchecked",
            "Ratings must be independent looks at something that is already so, as in a "
            "diagnosis. Forecasts are not: people who agree about the future can all be wrong "
            "together, and this method would call them accurate. No data can show the difference.",
        ),
    ]


def which_to_believe(checks: Sequence[Check], latent: LatentClasses | str) -> tuple[Which, str]:
    """The estimate that fits the data better, and the reason."""
    failing = [
        check.name for check in checks if check.kind == "k-property" and check.state == "violated"
    ]
    if not failing:
        return "algebraic", (
            "Believe the algebraic estimate: no check speaks against equal raters, even errors "
            "and equal difficulty, under which it is right."
        )
    biased = f"The algebraic estimate is biased here, since {_listed(failing)}"
    if isinstance(latent, str):
        return "algebraic", (
            f"{biased}, and there is no other: a system better than the raters is probably better "
            "than it says."
        )
    if not latent.converged:
        return "algebraic", (
            f"{biased}; the latent-class fit did not settle and is not to be believed either."
        )
    if latent.misnamed:
        names = ", ".join(repr(name) for name in latent.misnamed)
        return "algebraic", (
            f"{biased}, and the latent classes are not the labels (raters mostly call the class "
            f"of {names} by another label), so their accuracies mean nothing: treat the algebraic "
            "numbers as rough; more ratings or more sharply defined labels would help."
        )
    return "latent_class", (
        f"Believe the latent-class estimate: {_listed(failing)}, which biases the algebraic one; "
        "latent classes let errors be uneven and raters differ."
        + "".join(f" {check.caution}" for check in checks if check.caution)
    )


def _above_chance(counts: Ints, items: Ints, n: int) -> Check:
    agreement = float(algebra.pairwise_agreement(counts, items[None].astype(float))[0])
    above = agreement > 1 / n
    return Check(
        "above_chance",
        "agreement above chance",
        "data",
        "holds" if above else "violated",
        f"Raters agree on {_percent(agreement)} of pairs, "
        + ("above" if above else "not above")
        + f" the {_percent(1 / n)} that guessing among {n} labels gives"
        + ("." if above else ": there is no rater accuracy that explains it."),
    )


def _confusions(labels: Labels, counts: Ints, items: Ints) -> Check:
    this: tuple[CheckId, str] = ("even_errors", "errors spread evenly")
    found = equal_confusions(counts, items)
    if found is None:
        why = (
            "with two labels there is only one way to disagree"
            if labels.n == 2
            else "there are too many labels, too few disagreements or no better than chance "
            "agreement"
        )
        return Check(*this, "k-property", "unchecked", f"Even errors could not be tested: {why}.")
    off = found.most_off()
    one, other = (labels.names[code] for code in found.pairs[off])
    ratio = found.observed[off] / found.expected[off]
    times = f"{ratio:.1f} times" if ratio >= 1 else f"only {ratio:.2f} times"
    state = _state(found.outcome.p_value, found.misplaced() >= MISPLACED)
    said = (
        f"Errors are not spread evenly ({_p(found.outcome.p_value)}): {one!r} against {other!r} "
        f"comes up {times} as often among disagreements as even errors would make it."
        if state == "violated"
        else "Disagreements look as even errors would make them, but for "
        f"{_percent(found.misplaced())} of them ({_p(found.outcome.p_value)})."
    )
    return Check(*this, "k-property", state, said, *_numbers(found.outcome))


def _raters(item_counts: Ints, named: Named | None) -> Check:
    this: tuple[CheckId, str] = ("equal_raters", "raters equally accurate")
    if named is None:
        return Check(
            *this, "k-property", "unchecked", "Raters have no names, so they cannot be compared."
        )
    agreement, outcome = equal_raters(item_counts, named)
    known = np.flatnonzero(~np.isnan(agreement))
    if outcome is None or not len(known):
        return Check(*this, "k-property", "unchecked", "Raters' agreement could not be compared.")
    low, high = known[agreement[known].argmin()], known[agreement[known].argmax()]
    span = (
        f"from {_percent(agreement[low])} ({named.raters[low]!r}) "
        f"to {_percent(agreement[high])} ({named.raters[high]!r})"
    )
    state = _state(outcome.p_value, agreement[high] - agreement[low] >= RANGE)
    said = (
        f"Raters are not equally good: their agreement with the others runs {span} "
        f"({_p(outcome.p_value)})."
        if state == "violated"
        else f"Raters look equally good: their agreement with the others runs {span} "
        f"({_p(outcome.p_value)})."
    )
    return Check(*this, "k-property", state, said, *_numbers(outcome))


def _difficulty(counts: Ints, items: Ints) -> Check:
    this: tuple[CheckId, str] = ("unanimity", "as unanimous as expected")
    found = equal_difficulty(counts, items)
    if found is None:
        return Check(
            *this,
            "k-property",
            "unchecked",
            "Equal difficulty could not be tested: it takes items with three ratings, or four "
            "where there are two labels.",
        )
    state = _state(found.outcome.p_value, abs(found.observed - found.expected) >= SURPLUS)
    numbers = (
        f"{found.ratings} ratings of an item all agree in {_percent(found.observed)}; for equal "
        f"raters on equally hard items it would be {_percent(found.expected)} "
        f"({_p(found.outcome.p_value)})"
    )
    caution = None
    if state == "holds":
        said = f"Items look equally hard: {numbers}."
    elif found.observed > found.expected:
        said = f"Some items are harder than others, or raters share their errors: {numbers}."
        caution = HARD_FOR_ALL
    else:
        said = f"Raters err in different ways: {numbers}."
    return Check(*this, "k-property", state, said, *_numbers(found.outcome), caution)


def _base_rates(labels: Labels, raw: Floats) -> Check:
    this: tuple[CheckId, str] = ("base_rates", "base rates possible")
    below = [labels.names[code] for code in np.flatnonzero(raw < -1e-12)]
    if not np.isfinite(raw).all():
        return Check(*this, "data", "violated", "Base rates have no value at this agreement.")
    if below:
        listed = ", ".join(repr(label) for label in below[:5])
        more = f" and {len(below) - 5} more" if len(below) > 5 else ""
        return Check(
            *this,
            "data",
            "violated",
            f"The base rate of {listed}{more} came out negative and was set to 0 (the others were "
            "scaled): such labels are said less often than even errors alone would make them.",
        )
    return Check(*this, "data", "holds", "All base rates came out between 0 and 1.")


def _state(p_value: float, matters: bool) -> State:
    return "violated" if p_value < DOUBT and matters else "holds"


def _numbers(outcome: Outcome) -> tuple[float, float, float]:
    return outcome.statistic, outcome.freedom, outcome.p_value


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _p(p_value: float) -> str:
    return "p < 0.0001" if p_value < 1e-4 else f"p = {p_value:.4f}"


def _listed(names: list[str]) -> str:
    quoted = " and ".join(f'"{name}"' for name in names)
    return f"{quoted} {'fails' if len(names) == 1 else 'fail'}"
