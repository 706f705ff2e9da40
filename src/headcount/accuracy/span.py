"""Between what and what does accuracy lie, when nobody has the truth?

Several models explain the same ratings, and they disagree about the system: even errors (the
algebra), free error rates, raters with rates of their own, raters who err together with a
system that errs on its own or along with them. Each has its interval; the span is the hull of
those that the data do not reject. One thing no model can see: items on which everybody is
misled look like ordinary items of another label. A share x of such items moves accuracy by
up to x, and the span carries it as a condition.
"""

from collections.abc import Callable

import numpy as np

from headcount.accuracy.algebraic_interval import algebraic_interval
from headcount.accuracy.assumptions import EQUAL, EVEN, Assumption
from headcount.accuracy.ballots import Floats, Ints
from headcount.accuracy.sweep import Judgements, Part, People, Sweep, rater_members, sweep_models
from headcount.frozen import frozen
from headcount.options import AccuracyOptions


@frozen
class Span:
    """What lies between `low` and `high` if people are all misled on a share `misled` of the
    items at most, and between `low_at_zero` and `high_at_zero` if they never are.

    `parts` are the models; `sweep` holds the curves over how far raters' mistakes coincide, for
    a system that errs on its own and for one that errs along with people, where there are any.
    """

    low: float
    high: float
    misled: float
    low_at_zero: float
    high_at_zero: float
    parts: tuple[Part, ...]
    assumptions: tuple[Assumption, ...]
    sweep: "Sweep | None"

    def at(self, misled: float) -> tuple[float, float]:
        """The span if everyone is misled on a share `misled` of the items."""
        return widened(self.low_at_zero, self.high_at_zero, misled)

    def ends_set_by(self) -> tuple[str, str]:
        """Which models set the lower and the upper end: what the width comes from."""
        counted = [part for part in self.parts if part.counted]
        lowest = next(part.name for part in counted if part.low == self.low_at_zero)
        highest = next(part.name for part in counted if part.high == self.high_at_zero)
        return lowest, highest


def widened(low: float, high: float, misled: float) -> tuple[float, float]:
    """The ends when a share of items may mislead everyone.

    On such an item the label that people's ratings point to is wrong: an answer that follows
    it counts as right and is wrong, one that does not may be right after all.
    """
    return max(low - misled, 0.0), min(high + misled, 1.0)


def accuracy_span(
    counts: Ints,
    answer: Ints,
    *,
    ratings: Ints | None = None,
    weight: Floats | None = None,
    misled: float = AccuracyOptions.misled,
    confidence: float = 0.95,
    n_bootstrap: int = 200,
    seed: int = 0,
) -> Span:
    """The span of a system's accuracy without gold.

    Parameters
    ----------
    counts : (n, L) array
        Ratings of each item by label.
    answer : (n,) array
        The system's answer to each item, L for one outside the labels.
    ratings : (n, J) array, optional
        Who said what where raters have names: label codes, −1 for none.
    weight : (n,) array, optional
        How much each item counts; scaled to Kish's effective number of items.
    misled : float
        Share of items on which everyone may be misled.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.random(600) < 0.4
    >>> ratings = rng.random((600, 4)) < np.where(truth, 0.8, 0.1)[:, None]
    >>> counts = np.stack([(~ratings).sum(axis=1), ratings.sum(axis=1)], axis=1)
    >>> answer = np.where(rng.random(600) < 0.9, truth, ~truth).astype(int)
    >>> found = accuracy_span(counts, answer)
    >>> found.low_at_zero < 0.9 < found.high_at_zero
    True
    >>> round(found.low_at_zero - found.low, 3)
    0.05
    """
    load = _effective(weight)
    sizes = np.ones(len(counts)) if load is None else load
    named = _people(ratings, counts.shape[1], answer, load)
    (sweep,) = sweep_models(
        [Judgements(counts, answer, sizes, named)], confidence=confidence, seed=seed
    )
    algebra = algebraic_interval(
        counts, answer, load, confidence=confidence, n_bootstrap=n_bootstrap, seed=seed
    )
    return hull(algebra, sweep, misled)


def hull(
    algebra: tuple[float, float, float] | None,
    sweep: Sweep | None,
    misled: float,
    widened_parts: Callable[[tuple[Part, ...]], tuple[Part, ...]] = lambda parts: parts,
) -> Span:
    """What the algebra (value and interval, None where it has none) and the models span.

    Without models there is only the algebra; one of the two must be there. `widened_parts`
    counts raters and clusters in the parts, which come with intervals over items.
    """
    models = () if sweep is None else sweep.parts
    parts = widened_parts((_algebraic(algebra, sweep), *models))
    low, high = _hull(parts)
    ends = widened(low, high, misled)
    assumptions = () if sweep is None else sweep.assumptions
    return Span(*ends, misled, low, high, parts, assumptions, sweep)


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


def _people(
    ratings: Ints | None, n_labels: int, answer: Ints, weight: Floats | None
) -> People | None:
    members = None if ratings is None else rater_members(ratings, n_labels)
    return None if members is None else People(members, answer, weight)


def _effective(weight: Floats | None) -> Floats | None:
    """Weights that sum to Kish's effective number of items, (Σw)²/Σw²."""
    if weight is None:
        return None
    load = np.asarray(weight, dtype=float)
    scaled: Floats = load * load.sum() / (load**2).sum()
    return scaled
