"""Between what and what does accuracy lie, when nobody has the truth?

Several models explain the same ratings, and they disagree about the system: even errors (the
algebra), free error rates, raters with rates of their own, raters who err together with a
system that errs on its own or along with them. Each has its interval; the span is the hull of
those that the data do not reject. One thing no model can see: items on which everybody is
misled look like ordinary items of another label. A share x of such items moves accuracy by
up to x, and the span carries it as a condition. Said is the other end of the same line: what the
accuracy is at least, and on how many items people would have to be wrong together for it not to be.
"""

import math
from collections.abc import Callable, Sequence
from typing import Literal

from headcount.accuracy.likelihood_profile import Curve
from headcount.accuracy.rating_models import EQUAL, EVEN, Part, Sweep
from headcount.plan import GoldPoint, gold_points
from headcount.results import Estimate, Record, hidden, record
from headcount.sameness import exceeds

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

# What a classifier may be said to be right on at least. Between them nobody decides otherwise.
BARS = (0.9, 0.85, 0.8, 0.7, 0.6, 0.5)

# A hundredth of the items: a promise with less room is one of a hair's breadth.
LEAST_ROOM = 0.01

# What seventeen data sets with gold needed: the low end at which nobody is misled, less the truth.
NEEDED = (
    "Where there was gold (17 data sets, 154 classifiers), the low end with nobody misled was no "
    "higher than the truth for 108; for the others people were wrong together on 5 % of items "
    "(median), on 10 % or less in nine of ten, on 15 % at most."
)

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
class TippingPoint(Record):
    """Right on a share of at least `at_least`, unless people are wrong together on more than a
    share `unless` of the items.
    """

    at_least: float
    unless: float


@record
class AccuracySpan(Record):
    """What lies between `low` and `high` if everyone is misled on a share `misled` of the items at
    most, and between `low_at_zero` and `high_at_zero` if nobody ever is.

    `tipping_point` says the same for one bar (None where the low end is below every one),
    `because` what most of the width comes from. `parts` are what the span is made of, `curve` how
    the answer moves as raters' mistakes coincide, `gold_plan` what gold would do. `items` were
    fitted.
    """

    low: float
    high: float
    misled: float
    low_at_zero: float
    high_at_zero: float
    tipping_point: TippingPoint | None
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

    def unless(self, at_least: float) -> float | None:
        """On how many items people must be wrong together for the accuracy to be below a bar.

        None where it may be even if they never are.
        """
        room = self.low_at_zero - at_least
        return None if exceeds(0.0, room) else max(room, 0.0)

    def sentence(self) -> str:
        """For "… is right": on at least how many items, unless what; or that it cannot be told."""
        if self.tipping_point is None:
            return f"in a share of items that these data cannot tell: {self.because}"
        bar, unless = self.tipping_point.at_least, self.tipping_point.unless
        return (
            f"on at least {100 * bar:.0f} % of items, unless people are wrong together on more "
            f"than {100 * unless:.0f} % of them"
        )


@record
class RatersSpan(Record):
    """How often a rating is right: from `low` to `high` if people are wrong together on a share
    `misled` of the items at most, from `low_at_zero` to `high_at_zero` if they never all are.

    Between them lies what ratings alone allow where raters err on their own or together, as on
    items that are harder than others. `tipping_point` as of a classifier.
    """

    low: float
    high: float
    misled: float
    low_at_zero: float
    high_at_zero: float
    tipping_point: TippingPoint | None
    reread: Callable[[float], "RatersSpan"] | None = hidden(default=None, compare=False)

    def estimate(self) -> Estimate:
        """The span as an estimate without a value."""
        return Estimate.span(self.low, self.high, f"without gold, {condition(self.misled)}")

    def sentence(self) -> str:
        """How often a rating is right, as a sentence."""
        if self.tipping_point is None:
            return "These data cannot tell how often the raters are right"
        bar, unless = self.tipping_point.at_least, self.tipping_point.unless
        return (
            f"The raters are right on at least {100 * bar:.0f} % of items, unless they are wrong "
            f"together on more than {100 * unless:.0f} % of them"
        )


def raters_span(ends: Sequence[tuple[float, float]], misled: float) -> RatersSpan:
    """The hull of what the models say of the raters themselves."""
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    return RatersSpan(*widened(low, high, misled), misled, low, high, _tipping_point(low, misled))


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
    over_items = (_algebraic(algebra, sweep), *models)
    parts = about_people(over_items)
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
        # Even errors alone are an assumption that nothing tests, no ground for a promise.
        tipping_point=None if sweep is None else _tipping_point(low, misled),
        because=_because(over_items, sweep, (low, high), misled),
        items=items if sweep is None else sweep.items,
        parts=tuple(_part(part) for part in parts),
        curve=curve,
        gold_plan=gold_points(GOLD_ITEMS, _nearest_half(*ends), 1.0, confidence=confidence),
    )


def _hull(parts: tuple[Part, ...]) -> tuple[float, float]:
    lows = [float(part.low) for part in parts if part.counted and part.low is not None]
    highs = [float(part.high) for part in parts if part.counted and part.high is not None]
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


def _tipping_point(low: float, misled: float) -> TippingPoint | None:
    """The highest bar that leaves as much room as people are thought to be misled at most."""
    room = max(misled, LEAST_ROOM)
    bar = next((bar for bar in BARS if not exceeds(room, low - bar)), None)
    if bar is None:
        return None
    # Rounded down, to a hundredth: the promise is no larger than it is.
    return TippingPoint(bar, math.floor(100 * (low - bar) + 1e-9) / 100)


def _because(
    over_items: tuple[Part, ...],
    sweep: Sweep | None,
    ends: tuple[float, float],
    misled: float,
) -> str:
    """The largest part of the width: few ratings, who the raters are, or errors in common.

    The model with independent errors, over items alone, is as wide as few ratings make it; the
    others over items add what dependence leaves open, as does everyone's being misled; what the
    span with raters is wider than that comes from who they are.
    """
    if sweep is None:
        return "there are too few ratings for anything but even errors"
    independent = next(part for part in sweep.parts if part.name == "latent_class")
    few = (independent.high or 0.0) - (independent.low or 0.0)
    low, high = _hull(over_items)
    causes = {
        TOGETHER: high - low - few + 2 * misled,
        WHO: ends[1] - ends[0] - (high - low),
        FEW: few,
    }
    return max(causes, key=lambda cause: causes[cause])


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
