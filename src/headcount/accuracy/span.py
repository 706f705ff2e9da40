"""Between what and what does accuracy lie, when nobody has the truth?

Several models explain the same ratings, and they disagree about the system: even errors (the
algebra), free error rates, raters with rates of their own, raters who err together with a
system that errs on its own or along with them. Each has its interval; the span is the hull of
those that the data do not reject. One thing no model can see: items on which everybody is
misled look like ordinary items of another label. A share x of such items moves accuracy by
up to x, and the span carries it as a condition.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headcount.accuracy.algebraic_interval import algebraic_interval
from headcount.accuracy.assumptions import (
    EQUAL,
    EVEN,
    Assumption,
    even_errors,
    independent_errors,
    judged,
)
from headcount.accuracy.ballots import RATINGS_A_NUMBER, Ballots, Floats, Ints, ballots, thinned
from headcount.accuracy.members import Members
from headcount.accuracy.profile import Curve, profile, swept
from headcount.accuracy.shared_errors import Model, divided_items
from headcount.data import Named
from headcount.options import AccuracyOptions

LENT = 2.0
"""Ratings that a named rater is lent in each class, spread as all raters' are."""

MOST_NAMED = 4_000_000
"""Items × raters × labels past which named raters are taken together."""


@dataclass(frozen=True)
class Part:
    """One model's accuracy and interval, and whether it is part of the span (if not, why).

    The numbers are None where the model has no answer.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    counted: bool = True
    why: str = ""


@dataclass(frozen=True)
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
    sweep = sweep_models(
        counts,
        answer,
        load,
        named=_people(ratings, counts.shape[1], answer, load),
        confidence=confidence,
        seed=seed,
    )
    algebra = algebraic_interval(
        counts, answer, load, confidence=confidence, n_bootstrap=n_bootstrap, seed=seed
    )
    return hull(algebra, sweep, misled)


@dataclass(frozen=True)
class Fitted:
    """A part's `model` where it fits best, to be fitted again to other ratings.

    `coupling` is how far the system shares errors in it, `prior` what its columns are lent;
    `by_rater` tells that each rater is a member of their own.
    """

    name: str
    model: Model
    coupling: float = 0.0
    prior: Floats | None = None
    by_rater: bool = False


@dataclass(frozen=True)
class Sweep:
    """The models fitted to ratings and one system's answers, all but the algebra.

    `items` says how many items they were fitted to, `fits` where each of them fits best.
    """

    parts: tuple[Part, ...]
    assumptions: tuple[Assumption, ...]
    alone: Curve
    together: Curve
    items: int
    fits: tuple[Fitted, ...] = ()

    def assumption(self, name: str) -> Assumption | None:
        """The assumption of this name, if it was tested."""
        return next((each for each in self.assumptions if each.name == name), None)


def sweep_models(
    counts: Ints,
    answer: Ints,
    size: Floats | None,
    *,
    named: "People | None" = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> Sweep:
    """Latent classes with raters who err alone and together, and with rates of their own.

    `counts` (n, L) and `answer` (n,) may be groups of items, of which `size` (n,) tells how many
    there are; `named` are the ratings by those who gave them, item by item. Where there are more
    distinct rows than can be fitted in a second or so, a random part of the items is taken: the
    intervals are then wider, as they should be.
    """
    n_labels = counts.shape[1]
    n_answers = max(n_labels, int(answer.max(initial=0)) + 1)
    sizes = np.ones(len(counts)) if size is None else size
    load = thinned(counts, answer, sizes, seed=seed)
    counts, answer, load = counts[load > 0], answer[load > 0], load[load > 0]
    plain = ballots([counts], load, answer, n_answers)
    coupled = ballots([counts], load, answer, n_answers, coupling=1.0)
    dependences = swept(n_labels)
    alone, models = profile(plain, dependences=dependences, confidence=confidence)
    together, leaning = profile(coupled, dependences=dependences, confidence=confidence)
    free = _free(plain, models, alone)
    half = (alone.first[1] - alone.first[0]) / 2
    assumptions = [
        even_errors(plain, free.model, free.reached, half),
        _independence(alone, free, half),
    ]
    parts = [free.part, *_sharing(alone, together)]
    fits = [
        Fitted("latent_class", free.model),
        Fitted("shared_errors", models.pick(np.array([alone.best()]))),
        Fitted("shared_with_system", leaning.pick(np.array([together.best()])), coupling=1.0),
    ]
    by_rater = None if named is None else _by_rater(named, n_answers, free, confidence)
    if by_rater is not None:
        parts.append(by_rater.part)
        assumptions.append(by_rater.against(free, half))
        fits.append(by_rater.fit)
    items = round(plain.n_items)
    return Sweep(tuple(parts), tuple(assumptions), alone, together, items, tuple(fits))


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


@dataclass(frozen=True)
class _Free:
    """The model with free error rates and independent raters: ρ = 0 of the sweep."""

    part: Part
    accuracy: float
    model: Model
    reached: float


def _free(data: Ballots, models: Model, curve: Curve) -> _Free:
    model = models.pick(np.array([0]))
    accuracy = float(curve.accuracy[0])
    part = Part("latent_class", accuracy, *curve.first)
    return _Free(part, accuracy, model, _likelihood(data, model))


def _sharing(alone: Curve, together: Curve) -> list[Part]:
    """The latent classes with shared errors, at their best dependence."""
    curves = {"shared_errors": alone, "shared_with_system": together}
    return [
        Part(name, float(curve.accuracy[curve.best()]), *curve.span())
        for name, curve in curves.items()
    ]


def _independence(alone: Curve, free: _Free, half_width: float) -> Assumption:
    best = alone.best()
    gain = float(alone.drop[0] - alone.drop[best])
    freed = float(alone.accuracy[best])
    return independent_errors(gain, free.accuracy, freed, half_width)


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


@dataclass(frozen=True)
class _Named:
    """The model with error rates for each rater: what its numbers gain in log-likelihood."""

    part: Part
    fit: Fitted
    accuracy: float
    gain: float
    freedom: int

    def against(self, free: _Free, half_width: float) -> Assumption:
        return judged(
            EQUAL,
            self.gain,
            self.freedom,
            free.accuracy,
            self.accuracy,
            half_width,
        )


@dataclass(frozen=True)
class People:
    """Named raters: each one's answers as counts (n, L), and the system's answer (n,)."""

    members: list[Ints]
    answer: Ints
    weight: Floats | None = None


def _people(
    ratings: Ints | None, n_labels: int, answer: Ints, weight: Floats | None
) -> People | None:
    members = None if ratings is None else rater_members(ratings, n_labels)
    return None if members is None else People(members, answer, weight)


def _by_rater(named: People, n_answers: int, free: _Free, confidence: float) -> _Named:
    """Error rates for each rater."""
    members, n_labels = named.members, named.members[0].shape[1]
    data = ballots(members, named.weight, named.answer, n_answers)
    raters = len(members)
    prior = LENT * np.tile(free.model.chances[:, :, 0], (raters, 1))
    curve, models = profile(
        data, dependences=np.zeros((n_labels, 1)), confidence=confidence, prior=prior
    )
    pooled = Model(free.model.joint, np.tile(free.model.chances, (raters, 1, 1)), models.dependence)
    return _Named(
        Part("latent_class_by_rater", float(curve.accuracy[0]), *curve.span()),
        Fitted("latent_class_by_rater", models, prior=prior, by_rater=True),
        float(curve.accuracy[0]),
        _likelihood(data, models) - _likelihood(data, pooled),
        (raters - 1) * n_labels * (n_labels - 1),
    )


def rater_members(ratings: Ints, n_labels: int) -> list[Ints] | None:
    """Each rater's answers as counts (n, L); None where there are too few for rates of their own.

    Raters without any rating are left out.
    """
    kept = ratings[:, (ratings >= 0).any(axis=0)]
    raters = kept.shape[1]
    numbers = raters * n_labels * (n_labels - 1)
    few = (kept >= 0).sum() < RATINGS_A_NUMBER * numbers
    if raters < 2 or few or kept.size * n_labels > MOST_NAMED:
        return None
    return [one_hot(kept[:, rater], n_labels) for rater in range(raters)]


def members_of(named: Named, n_items: int, n_labels: int) -> Members | None:
    """Named raters' answers; None where they are too few or too many."""
    if n_items * len(named.raters) * n_labels > MOST_NAMED:
        return None
    ratings = np.full((n_items, len(named.raters)), -1)
    ratings[named.item, named.rater] = named.label
    members = rater_members(ratings, n_labels)
    return None if members is None else Members(members)


def _likelihood(data: Ballots, model: Model) -> float:
    return float(divided_items(data, model)[1][0])


def one_hot(codes: Ints, n_labels: int) -> Ints:
    """(n, L) counts of one answer an item, none where the code is −1."""
    counts: Ints = (codes[:, None] == np.arange(n_labels)).astype(np.int64)
    return counts


def _effective(weight: Floats | None) -> Floats | None:
    """Weights that sum to Kish's effective number of items, (Σw)²/Σw²."""
    if weight is None:
        return None
    load = np.asarray(weight, dtype=float)
    scaled: Floats = load * load.sum() / (load**2).sum()
    return scaled
