"""What an evaluation was made from: sizes, labels, and everything that was assumed or left out."""

from headcount.data import Study
from headcount.results import Record, count, record


@record
class DataFacts(Record):
    """The data: sizes, labels, and notes on everything that was assumed, merged or left out."""

    ratings_from: str
    predictions_from: str
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


def facts_of(study: Study) -> DataFacts:
    """The facts of ratings and predictions that have met."""
    ratings = study.ratings
    return DataFacts(
        ratings.name,
        "" if study.predictions is None else study.predictions.name,
        ratings.n_items,
        study.judged.n_items,
        ratings.n_ratings,
        ratings.n_raters,
        ratings.n_retests,
        ratings.labels.names,
        ratings.scale.kind,
        tuple(dict.fromkeys((*ratings.notes, *study.notes))),
    )
