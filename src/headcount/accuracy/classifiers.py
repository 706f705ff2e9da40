"""Each classifier's accuracy: by the algebra, by latent classes, and the one to believe."""

import math
from dataclasses import dataclass, field

import numpy as np

from headcount.accuracy.bins import EDGES, Algebraic, Bins
from headcount.accuracy.items import Floats, Items
from headcount.accuracy.judgements import Which
from headcount.accuracy.latent_classes import LatentClasses
from headcount.accuracy.latent_system import LatentFits, system_accuracy
from headcount.results import Estimate, Record, record
from headcount.stats import Tail, estimate_from_draws

Draws = dict[str, Floats]
"""Bootstrap samples by what was estimated of them, (S,) or (S, …)."""

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
class ClassifierAccuracy(Record):
    """One classifier: its accuracy by the algebra, by latent classes, and the one to believe."""

    name: str
    believed: Estimate
    accuracy: Estimate
    latent: Estimate
    bins: tuple[TruthBin, ...]

    @property
    def agrees_with_top(self) -> float | None:
        """How often it gives the most probable label."""
        counted = sum(each.items for each in self.bins)
        agreeing = sum(each.agreement * each.items for each in self.bins)
        return agreeing / counted if counted else None


@dataclass(frozen=True)
class Latent:
    """The latent classes as told, or why there are none; the fits and draws behind them."""

    told: LatentClasses | str
    fits: LatentFits | None = None
    draws: Draws = field(default_factory=dict)


def classifier_accuracies(
    items: Items,
    found: Algebraic,
    draws: Draws,
    latent: Latent,
    believe: Which,
    tail: Tail,
) -> tuple[ClassifierAccuracy, ...]:
    """Both estimates of each classifier, and the one to believe."""
    overall = found.accuracy()
    why = NO_ROOT if math.isnan(found.rater_accuracy[0]) else NO_BIN
    known = np.isfinite(found.base_rates).all()

    def one(system: int, name: str) -> ClassifierAccuracy:
        by_algebra = estimated(overall[system, 0], column(draws, "accuracy", system), tail, why)
        by_classes = _latent_accuracy(latent, system, tail)
        return ClassifierAccuracy(
            name=name,
            believed=by_classes if believe == "latent_class" else by_algebra,
            accuracy=by_algebra,
            latent=by_classes,
            bins=_bins(found.bins[system]) if known else (),
        )

    return tuple(one(system, name) for system, name in enumerate(items.systems))


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
