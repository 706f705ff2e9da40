"""Each classifier's accuracy: the span, what each model says, and what gold says."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from headcount.accuracy.algebra import EDGES, Bins
from headcount.accuracy.gold import gold_accuracy, right_chances
from headcount.accuracy.latent_samples import system_accuracy
from headcount.accuracy.rating_models import Sweep
from headcount.accuracy.score_span import correlation_span
from headcount.accuracy.sources import Draws, Latent, Sources
from headcount.accuracy.span import GOLD_ITEMS, AccuracySpan, accuracy_span
from headcount.arrays import Floats
from headcount.plan import GoldPoint, gold_points
from headcount.results import Estimate, Record, hidden, record
from headcount.sampling import Tail, estimate_from_draws

NO_ROOT = "raters agree no more than guessing would make them, so they have no accuracy to find"
NO_BIN = "no item has a label more probable than a guess"


@record
class TruthBin(Record):
    """Items whose most probable label has a probability in (low, high].

    `truth` is its mean, `agreement` the share of the system's answers equal to that label,
    `accuracy` the system's accuracy they imply; None where the bin says nothing.
    """

    low: float
    high: float
    items: int
    truth: float
    agreement: float
    accuracy: float | None


@record
class GoldAccuracy(Record):
    """What gold says of one classifier.

    `accuracy` is by gold and ratings together, `alone` by gold alone; `ratio` is the variance of
    the first over that of the second (at .5 the ratings are worth as much gold again). `held`
    tells whether the span without gold holds the accuracy; `plan` what more gold would do.
    """

    accuracy: Estimate
    alone: Estimate
    ratio: float
    held: bool | None
    plan: tuple[GoldPoint, ...]


@record
class ClassifierAccuracy(Record):
    """One classifier: between what and what its accuracy lies, and what each model says of it.

    `accuracy` is a span without a value unless there is gold. `algebraic` is the paper's
    estimate, `latent_class` Dawid and Skene's, `shared_errors` and `shared_with_system` those of
    raters who err together; `span` is where they stand side by side. Where labels are numbers,
    `correlation` is the span of how far its scores go with the true ones.
    """

    name: str
    accuracy: Estimate
    algebraic: Estimate
    latent_class: Estimate
    shared_errors: Estimate
    shared_with_system: Estimate
    gold: GoldAccuracy | None
    span: AccuracySpan | None
    correlation: Estimate | None
    bins: tuple[TruthBin, ...]
    reread: "Callable[[float], ClassifierAccuracy] | None" = hidden(default=None, compare=False)

    @property
    def agrees_with_top(self) -> float | None:
        """How often it gives the most probable label."""
        counted = sum(each.items for each in self.bins)
        agreeing = sum(each.agreement * each.items for each in self.bins)
        return agreeing / counted if counted else None

    def sentence(self) -> str:
        """How often it is right, to go after its name."""
        if self.gold is not None:
            return f"is right in {self.accuracy.text(percent=True)} of items by gold"
        if self.span is not None:
            return f"is right {self.span.sentence()}"
        if self.correlation is not None and self.correlation.is_span:
            return f"goes with the true scores at a correlation {self.correlation.text(2)}"
        return f"has no accuracy here: {self.accuracy.note}"


def classifier_accuracies(
    sources: Sources, sweeps: Sequence[Sweep]
) -> tuple[ClassifierAccuracy, ...]:
    """Every classifier's span, and what each model says of it; `sweeps` are none or one each."""
    confidence = sources.tail.confidence
    return tuple(
        _one(sources, system, sweeps[system] if sweeps else None, confidence)
        for system in range(len(sources.items.systems))
    )


def _again(sources: Sources, system: int, confidence: float) -> ClassifierAccuracy:
    """One classifier at another confidence."""
    (sweep,) = sources.sweep([system], confidence) if sources.sweeps else (None,)
    return _one(sources, system, sweep, confidence)


def _one(
    sources: Sources, system: int, sweep: Sweep | None, confidence: float
) -> ClassifierAccuracy:
    items, found = sources.items, sources.found
    tail = sources.tail.at(confidence)
    why = NO_ROOT if math.isnan(found.rater_accuracy[0]) else NO_BIN
    known = bool(np.isfinite(found.base_rates).all())
    algebraic = estimated(
        found.accuracy()[system, 0], column(sources.draws, "accuracy", system), tail, why
    )
    span = _span(sources, system, sweep, tail) if known else None
    gold = _gold(sources, system, span, confidence)
    missing = Estimate.undefined(why)
    accuracy = missing if span is None else span.estimate()
    return ClassifierAccuracy(
        name=items.systems[system],
        accuracy=accuracy if gold is None else gold.accuracy,
        algebraic=algebraic,
        latent_class=_latent_accuracy(sources.latent, system, tail),
        shared_errors=missing if span is None else span.model("shared_errors"),
        shared_with_system=missing if span is None else span.model("shared_with_system"),
        gold=gold,
        span=span,
        correlation=None
        if sources.scores is None
        else correlation_span(
            sources.scores,
            system,
            misled=sources.misled,
            confidence=confidence,
            seed=sources.seed,
        ),
        bins=_bins(found.bins[system]) if known else (),
        reread=partial(_again, sources, system),
    )


def _span(sources: Sources, system: int, sweep: Sweep | None, tail: Tail) -> AccuracySpan | None:
    value = sources.found.accuracy()[system, 0]
    algebra = _ends(estimated(value, column(sources.span_draws, "accuracy", system), tail))
    if sweep is None and algebra is None:
        return None
    return accuracy_span(
        algebra,
        sweep,
        sources.items.labels.names,
        items=sources.items.n_items,
        misled=sources.misled,
        confidence=tail.confidence,
        about_people=partial(
            sources.about_people, system=system, sweep=sweep, confidence=tail.confidence
        ),
    )


def _ends(estimate: Estimate) -> tuple[float, float, float] | None:
    value, low, high = estimate
    if value is None or low is None or high is None:
        return None
    return value, min(low, value), max(high, value)


def _gold(
    sources: Sources, system: int, span: AccuracySpan | None, confidence: float
) -> GoldAccuracy | None:
    """Accuracy by gold alone and sharpened by the ratings of all items."""
    gold = sources.gold
    if gold is None:
        return None
    answers = sources.answers(system)
    rows, codes = gold.labels.rows, gold.labels.codes
    n_labels, cluster = sources.items.n_labels, sources.elsewhere.samples.cluster
    right = (answers[rows] == codes) & (codes < n_labels)
    found = gold_accuracy(
        right.astype(float),
        right_chances(gold.truth, answers),
        rows,
        strata=gold.labels.strata,
        cluster=None if cluster is None else cluster[rows],
        confidence=confidence,
        seed=sources.seed,
    )
    note = f"by gold of {found.n_rated:,} of {found.n_items:,} items"
    sharper = found.ratio < 1
    return GoldAccuracy(
        accuracy=Estimate(
            found.value,
            found.low,
            found.high,
            note=f"{note}, sharpened by the ratings of all" if sharper else note,
        ),
        alone=Estimate(found.alone, found.alone_low, found.alone_high),
        ratio=found.ratio,
        held=None if span is None else span.low <= found.value <= span.high,
        plan=gold_points(GOLD_ITEMS, found.value, found.ratio, confidence=confidence),
    )


def _latent_accuracy(latent: Latent, system: int, tail: Tail) -> Estimate:
    if latent.fits is None:
        return Estimate.undefined(str(latent.told))
    fitted = latent.fits.systems[system]
    value = system_accuracy(fitted.rows, fitted.fit.model())[0]
    return estimated(value, column(latent.draws, "accuracy", system), tail)


def _bins(bins: Bins) -> tuple[TruthBin, ...]:
    return tuple(
        TruthBin(
            low=float(EDGES[place]),
            high=float(EDGES[place + 1]),
            items=round(float(bins.items[0, place])),
            truth=float(bins.truth[0, place]),
            agreement=float(bins.agreement[0, place]),
            accuracy=_number(bins.accuracy[0, place]),
        )
        for place in np.flatnonzero(bins.items[0] > 0)
    )


def column(draws: Draws, name: str, place: int) -> Floats | None:
    """One column of what was drawn; None where nothing was."""
    return draws[name][:, place] if name in draws else None


def estimated(value: float, draws: Floats | None, tail: Tail, why: str = NO_ROOT) -> Estimate:
    """A value with the interval of its draws."""
    return estimate_from_draws(float(value), () if draws is None else draws, tail, undefined=why)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
