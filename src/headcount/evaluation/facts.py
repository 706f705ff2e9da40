"""What an evaluation was made from and how: enough to make the same numbers again."""

from dataclasses import dataclass
from typing import Any

from headcount._version import __version__
from headcount.data import Judged, Predictions, Ratings
from headcount.results import count
from headcount.stats import Bootstrap


@dataclass(frozen=True)
class DataFacts:
    """The data: sizes, labels, and notes on everything that was assumed, merged or left out."""

    ratings_name: str
    predictions_name: str
    items: int
    items_judged: int
    ratings: int
    raters: int | None
    retests: int
    labels: tuple[str, ...]
    scale: str
    notes: tuple[str, ...]

    def sentence(self) -> str:
        """The data in a sentence."""
        people = "" if self.raters is None else f" by {count(self.raters, 'person', 'people')}"
        ratings = count(self.ratings, "rating", "ratings")
        said = f"{count(self.items, 'item', 'items')} with {ratings}{people}."
        if self.items_judged < self.items:
            some = count(self.items_judged, "of them has", "of them have")
            said += f" {some} an answer from every classifier."
        return said

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {
            "ratings_from": self.ratings_name,
            "predictions_from": self.predictions_name,
            "items": self.items,
            "items_judged": self.items_judged,
            "ratings": self.ratings,
            "raters": self.raters,
            "retests": self.retests,
            "labels": list(self.labels),
            "scale": self.scale,
            "notes": list(self.notes),
        }


def facts_of(ratings: Ratings, predictions: Predictions, judged: Judged) -> DataFacts:
    """The facts of ratings and predictions that have met."""
    return DataFacts(
        ratings.name,
        predictions.name,
        ratings.n_items,
        judged.n_items,
        ratings.n_ratings,
        ratings.n_raters,
        ratings.n_retests,
        ratings.labels.names,
        ratings.labels.scale,
        tuple(dict.fromkeys((*ratings.notes, *judged.notes))),
    )


@dataclass(frozen=True)
class Settings:
    """The choices behind the numbers: made by the user, or for the data and then said why."""

    combiner: str
    scorer: str
    max_raters: int | None
    calibrated: bool
    positive: str | None
    unknown: str
    flip_rate: str
    target: float
    plan: Bootstrap
    version: str = __version__

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {
            "version": self.version,
            "seed": self.plan.seed,
            "bootstrap_samples": self.plan.samples,
            "confidence": self.plan.confidence,
            "combiner": self.combiner,
            "scorer": self.scorer,
            "max_raters": self.max_raters,
            "calibrated": self.calibrated,
            "positive": self.positive,
            "unknown": self.unknown,
            "flip_rate": self.flip_rate,
            "target": self.target,
        }
