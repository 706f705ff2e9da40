"""The span as it is told: between what and what, what the width comes from, and the curve."""

import math
from typing import Literal

from headcount.accuracy.profile import Curve
from headcount.accuracy.span import Span, widened
from headcount.accuracy.sweep import Part
from headcount.plan import GoldPoint, gold_points
from headcount.results import Estimate, Record, record

MODELS = {
    "algebraic": "errors spread evenly (the algebra)",
    "latent_class": "free error rates, raters err on their own",
    "latent_class_by_rater": "error rates of each rater's own",
    "shared_errors": "raters err together, the classifier on its own",
    "shared_with_system": "raters and classifier err together",
}
"""What each model assumes, in the order in which they are listed."""

TOGETHER = "people may be wrong together, and their labels alone cannot tell"
FEW = "so few ratings leave it open"
WHO = "other raters would have said otherwise"

GOLD_ITEMS = (50, 100, 200, 400)
"""Numbers of gold items that a plan is made for."""


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
        return (
            f"{self.estimate().text(percent=True)} of items, {condition(self.misled)}: "
            f"{self.because}"
        )


def condition(misled: float) -> str:
    """What a span holds under."""
    if misled <= 0:
        return "if people are never all misled"
    return f"if people are misled together on no more than {100 * misled:g} % of items"


def told_span(
    span: Span, labels: tuple[str, ...], *, items: int, confidence: float
) -> AccuracySpan:
    """The span of one classifier as it is told."""
    curve: tuple[CurvePoint, ...] = ()
    if span.sweep is not None:
        curve = (
            *_points("on its own", span.sweep.alone, labels, confidence),
            *_points("along with people", span.sweep.together, labels, confidence),
        )
    return AccuracySpan(
        low=span.low,
        high=span.high,
        misled=span.misled,
        low_at_zero=span.low_at_zero,
        high_at_zero=span.high_at_zero,
        because=_because(span),
        items=items if span.sweep is None else span.sweep.items,
        parts=tuple(_part(part) for part in span.parts),
        curve=curve,
        gold_plan=gold_points(
            GOLD_ITEMS, _nearest_half(span.low, span.high), 1.0, confidence=confidence
        ),
    )


def _nearest_half(low: float, high: float) -> float:
    """The accuracy of the span for which most gold would be needed."""
    return min(max(0.5, low), high)


def _because(span: Span) -> str:
    """What most of the width comes from: dependence that cannot be seen, raters, or too few."""
    if span.sweep is None:
        return "there are too few ratings for anything but even errors"
    sampling, over_items = _width(span.parts), _width(span.sweep.parts)
    rest = (span.high - span.low) - sampling
    if rest >= sampling:
        return TOGETHER
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
