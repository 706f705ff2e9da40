"""Between what and what does accuracy lie, when nobody has the truth?

Several models explain the same ratings, and they disagree about the system: even errors (the
algebra), free error rates, raters with rates of their own, raters who err together with a
system that errs on its own or along with them. Each has its interval; the span is the hull of
those that the data do not reject. One thing no model can see: items on which everybody is
misled look like ordinary items of another label. A share x of such items moves accuracy by
up to x, and the span carries it as a condition.
"""

import math
from collections.abc import Callable
from typing import Literal

from headcount.accuracy.likelihood_profile import Curve
from headcount.accuracy.rating_models import EQUAL, EVEN, Part, Sweep
from headcount.plan import GoldPoint, gold_points
from headcount.results import Estimate, Record, record

# What each model assumes, in the order in which they are listed.
MODELS = {
    "algebraic": "errors spread evenly (the algebra)",
    "latent_class": "free error rates, raters err on their own",
    "latent_class_by_rater": "error rates of each rater's own",
    "shared_errors": "raters err together, the classifier on its own",
    "shared_with_system": "raters and classifier err together",
}

TOGETHER = "people may be wrong together, and their labels alone cannot tell"
FEW = "so few ratings leave it open"
WHO = "other raters would have said otherwise"

# Numbers of gold items that a plan is made for.
GOLD_ITEMS = (50, 100, 200, 400)


@record
class SpanPart(Record):
    """One model: its accuracy with interval, and whether the span counts it (if not, why)."""

    name: str
    assumes: str
    accuracy: Estimate
    counted: bool
    why: str


@record
class CurvePoint(Record):
    """The best accuracy if two ratings of an item have a correlation of `dependence` given the
    truth, in items of one `label` or of all (None), with the ends that the data allow there.

    `system` says whether the classifier errs on its own or along with people. `allowed` is
    whether the data speak against so much dependence.
    """

    system: Literal["on its own", "along with people"]
    label: str | None
    dependence: float
    accuracy: float
    low: float | None
    high: float | None
    allowed: bool


@record
class AccuracySpan(Record):
    """What lies between `low` and `high` if everyone is misled on a share `misled` of the items at
    most, and between `low_at_zero` and `high_at_zero` if nobody ever is.

    `because` says what the width comes from. `parts` are what the span is made of, `curve` how
    the answer moves as raters' mistakes coincide, `gold_plan` what gold would do. `items` were
    fitted.
    """

    low: float
    high: float
    misled: float
    low_at_zero: float
    high_at_zero: float
    because: str
    items: int
    parts: tuple[SpanPart, ...]
    curve: tuple[CurvePoint, ...]
    gold_plan: tuple[GoldPoint, ...]

    def at(self, misled: float) -> Estimate:
        """The span if everyone is misled on a share `misled` of the items."""
        ends = widened(self.low_at_zero, self.high_at_zero, misled)
        return Estimate.span(*ends, f"without gold, {condition(misled)}")

    def estimate(self) -> Estimate:
        """The span as an estimate without a value."""
        note = f"without gold there is no single number: {self.because}; {condition(self.misled)}"
        return Estimate.span(self.low, self.high, note)

    def model(self, name: str) -> Estimate:
        """What one of the models says."""
        for each in self.parts:
            if each.name == name:
                return each.accuracy
        return Estimate.undefined("it was not fitted to these data")

    def sentence(self) -> str:
        """For "… is right in": the ends, the condition, and what the width comes from."""
        found = self.estimate()
        if found.is_any_share:
            return f"any share of items that one may think of: {self.because}"
        return f"{found.text(percent=True)} of items, {condition(self.misled)}: {self.because}"


def condition(misled: float) -> str:
    """What a span holds under."""
    if misled <= 0:
        return "if people are never all misled"
    return f"if people are misled together on no more than {100 * misled:g} % of items"


def widened(low: float, high: float, misled: float) -> tuple[float, float]:
    """The ends when a share of items may mislead everyone.

    On such an item the label that people's ratings point to is wrong: an answer that follows
    it counts as right and is wrong, one that does not may be right after all.
    """
    return max(low - misled, 0.0), min(high + misled, 1.0)


def accuracy_span(
    algebra: tuple[float, float, float] | None,
    sweep: Sweep | None,
    labels: tuple[str, ...],
    *,
    items: int,
    misled: float,
    confidence: float,
    about_people: Callable[[tuple[Part, ...]], tuple[Part, ...]] = lambda parts: parts,
) -> AccuracySpan:
    """What the algebra (value and interval, None where it has none) and the models span.

    Without models there is only the algebra; one of the two must be there. `about_people`
    counts raters and clusters in the parts, which come with intervals over items.
    """
    models = () if sweep is None else sweep.parts
    parts = about_people((_algebraic(algebra, sweep), *models))
    low, high = _hull(parts)
    ends = widened(low, high, misled)
    curve: tuple[CurvePoint, ...] = ()
    if sweep is not None:
        curve = (
            *_points("on its own", sweep.alone, labels, confidence),
            *_points("along with people", sweep.together, labels, confidence),
        )
    return AccuracySpan(
        low=ends[0],
        high=ends[1],
        misled=misled,
        low_at_zero=low,
        high_at_zero=high,
        because=_because(parts, sweep, ends[1] - ends[0]),
        items=items if sweep is None else sweep.items,
        parts=tuple(_part(part) for part in parts),
        curve=curve,
        gold_plan=gold_points(GOLD_ITEMS, _nearest_half(*ends), 1.0, confidence=confidence),
    )


def _hull(parts: tuple[Part, ...]) -> tuple[float, float]:
    lows = [part.low for part in parts if part.counted and part.low is not None]
    highs = [part.high for part in parts if part.counted and part.high is not None]
    return min(lows), max(highs)


def _algebraic(found: tuple[float, float, float] | None, sweep: Sweep | None) -> Part:
    """The algebra, counted where the data speak against neither of its assumptions."""
    if found is None:
        why = "raters agree no better than chance"
        return Part("algebraic", None, None, None, False, why)
    for name, speaks in ((EVEN, "errors are not spread evenly"), (EQUAL, "raters differ")):
        assumption = None if sweep is None else sweep.assumption(name)
        if assumption is not None and assumption.rejected:
            why = f"{speaks} (p = {assumption.p_value:.2g})"
            return Part("algebraic", *found, False, why)
    return Part("algebraic", *found)


def _nearest_half(low: float, high: float) -> float:
    """The accuracy of the span for which most gold would be needed."""
    return min(max(0.5, low), high)


def _because(parts: tuple[Part, ...], sweep: Sweep | None, width: float) -> str:
    """What most of the width comes from: dependence that cannot be seen, raters, or too few."""
    if sweep is None:
        return "there are too few ratings for anything but even errors"
    sampling, over_items = _width(parts), _width(sweep.parts)
    if width - sampling >= sampling:
        return TOGETHER
    # More than half of it was not there over items alone: it comes from who the raters are.
    return f"{WHO if sampling > 2 * over_items else FEW}, and {TOGETHER}"


def _width(parts: tuple[Part, ...]) -> float:
    """The width of the model with independent errors."""
    independent = next(part for part in parts if part.name == "latent_class")
    return (independent.high or 0.0) - (independent.low or 0.0)


def _part(part: Part) -> SpanPart:
    found = (
        Estimate.undefined(part.why)
        if part.value is None
        else Estimate(part.value, part.low, part.high)
    )
    return SpanPart(part.name, MODELS[part.name], found, part.counted, part.why)


def _points(
    system: Literal["on its own", "along with people"],
    curve: Curve,
    labels: tuple[str, ...],
    confidence: float,
) -> tuple[CurvePoint, ...]:
    allowed = curve.allowed(confidence)
    found = []
    for place in range(curve.dependence.shape[1]):
        here = curve.dependence[:, place]
        alone = [label for label, value in zip(labels, here, strict=True) if value > 0]
        one = alone[0] if len(alone) == 1 and len(labels) > 1 else None
        ends = [float(end[place]) for end in (curve.low, curve.high)]
        known = all(map(math.isfinite, ends))
        found.append(
            CurvePoint(
                system=system,
                label=one,
                dependence=float(here.max()),
                accuracy=float(curve.accuracy[place]),
                low=ends[0] if known else None,
                high=ends[1] if known else None,
                allowed=bool(allowed[place]),
            )
        )
    return tuple(found)
