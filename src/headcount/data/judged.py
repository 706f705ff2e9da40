"""Where ratings and predictions meet, by item id: the table every comparison starts from."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.counting import Afar, Met, group_rows
from headcount.data.classifier_answers import Settled, settle
from headcount.data.labels import Labels
from headcount.data.predictions import Predictions
from headcount.data.ratings import Ratings
from headcount.data.raw_answers import kinds
from headcount.door import positions, texts, whole
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.results import count

if TYPE_CHECKING:
    from headcount.data.predictions import Predictions
    from headcount.data.study import Study


Reading = Literal["given", "decided", "calibrated"]
"""How a classifier's answers are read: as it gave them, as the labels they decide for, or as how
often raters then give each label."""

# The code of a hard answer outside the label set that counts as an error.
WRONG = -1


@frozen
class Classifier:
    """One classifier's outputs on the judged rows, in their order.

    A hard one has `codes` (n,), label positions or WRONG; a soft one has `probabilities`
    (n, L), rows summing to one. Exactly one of the two is set. `scores` (n,) are the numbers of
    a hard one that answers between the levels, `codes` then the levels nearest to them.
    `answered` and `out_of` are its coverage of the rated items before the classifiers were
    cut to the items that all of them answered; `unknown` counts answers outside the labels,
    of which `unknown_example` is the first. `reading` says how its answers are read here.
    """

    name: str
    codes: Ints | None = None
    probabilities: Floats | None = None
    answered: int = 0
    out_of: int = 0
    unknown: int = 0
    unknown_example: str | None = None
    reading: Reading = "given"
    scores: Floats | None = None

    @property
    def soft(self) -> bool:
        """Whether it gives a probability for each label."""
        return self.probabilities is not None

    def top(self) -> Ints:
        """Its answer as one label each: the most probable, the first of equals."""
        if self.codes is not None:
            return self.codes
        assert self.probabilities is not None
        top: Ints = self.probabilities.argmax(axis=1)
        return top

    def middle(self) -> Ints:
        """Its answer as one level each, labels lying in an order: the median of what it gives."""
        if self.codes is not None:
            return self.codes
        assert self.probabilities is not None
        below = np.cumsum(self.probabilities, axis=1)
        half: Ints = (below < 0.5 - 1e-12).sum(axis=1)
        return half

    def outputs(self) -> NDArray[Any]:
        """Everything it said, a row an item."""
        if self.codes is None:
            assert self.probabilities is not None
            return self.probabilities
        if self.scores is None:
            return self.codes[:, None]
        return np.column_stack([self.codes, np.where(self.codes >= 0, self.scores, 0.0)])

    def take(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> "Classifier":
        """The same classifier on some of the rows."""
        return replace(
            self,
            codes=None if self.codes is None else self.codes[rows],
            probabilities=None if self.probabilities is None else self.probabilities[rows],
            scores=None if self.scores is None else self.scores[rows],
        )


@frozen
class Judged:
    """Items that have ratings and an answer from every classifier.

    `counts` (n, L) label counts, `size` (n,) how many items each row stands for (ones until
    `grouped`), `items` (n,) ids or None once grouped, `notes` what was left out and assumed.
    """

    labels: Labels
    counts: Ints
    size: Ints
    classifiers: tuple[Classifier, ...]
    items: NDArray[np.object_] | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_items(self) -> int:
        """How many items the rows stand for."""
        return int(self.size.sum())

    def take(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> "Judged":
        """Some of the rows."""
        return replace(
            self,
            counts=self.counts[rows],
            size=self.size[rows],
            classifiers=tuple(classifier.take(rows) for classifier in self.classifiers),
            items=None if self.items is None else self.items[rows],
        )

    def leaning(self) -> Floats:
        """How far classifiers lean to the first label in each row (n,), on average."""
        said = [
            each.codes == 0 if each.probabilities is None else each.probabilities[:, 0]
            for each in self.classifiers
        ]
        leaning: Floats = np.mean(np.array(said, dtype=np.float64), axis=0)
        return leaning

    def one_by_one(self, most: int) -> "Judged":
        """Rows of more than `most` ratings repeated, one for each of the items they stand for."""
        many = self.counts.sum(axis=1) > most
        if not (many & (self.size > 1)).any():
            return self
        again = self.take(np.repeat(np.arange(len(many)), np.where(many, self.size, 1)))
        return replace(again, size=np.where(again.counts.sum(axis=1) > most, 1, again.size))

    def grouped(self) -> "Judged":
        """Rows with the same counts and the same outputs as one row with their number.

        Lossless for every method that does not ask for item ids; rows come out ordered
        by their content, so the order of the items never matters.
        """
        outputs = [classifier.outputs() for classifier in self.classifiers]
        if not len(self.counts):
            return replace(self, items=None)
        groups = group_rows(self.counts, *outputs, size=self.size)
        return replace(self.take(groups.first), size=groups.size, items=None)


def everything_rated(ratings: Ratings) -> Judged:
    """Every rated item, with no classifier to judge."""
    counted = ratings.item_counts()
    one_each = np.ones(len(counted.items), dtype=np.int64)
    return Judged(ratings.labels, counted.counts, one_each, (), counted.items)


def judge(
    ratings: Ratings,
    predictions: Predictions,
    *,
    positive: str | None = None,
    unknown: str = "error",
) -> Judged:
    """Join predictions to ratings by item id and settle what every answer means.

    `positive` names the label whose probability a bare number column holds (two labels only;
    by default the last label). `unknown` says what an answer outside the label set is:
    "error" stops, "wrong" counts it against the classifier, "drop" leaves the item out.
    """
    known = predictions.notes
    predictions = predictions.here().in_few_digits
    settled = _settled(ratings, predictions, positive, unknown)
    counted = ratings.item_counts()
    rows = _meet(counted.items, predictions)
    ones = np.ones(len(rows), dtype=np.int64)
    judged = _judged(
        ratings, predictions, settled, unknown, counted.counts, rows, ones, counted.items
    )
    return _telling(judged, predictions, known)


def judge_grouped(
    ratings: Ratings,
    predictions: Predictions,
    *,
    positive: str | None = None,
    unknown: str = "error",
) -> Judged:
    """The same as `judge(…).grouped()`, joined where the ratings are counted.

    No item id is looked at here, which is what makes millions of items quick.
    """
    found = _met_elsewhere(ratings, predictions.afar)
    known = predictions.notes
    if found is None:
        predictions = predictions.here().in_few_digits
    settled = _settled(ratings, predictions, positive, unknown)
    if found is None:
        kind, example = kinds(predictions)
        ids = whole(predictions.table["headcount_item"])
        counts, met, size = ratings.met(ids, kind)
    else:
        counts, met, size = found.counts, found.kind, found.items
        example = np.arange(predictions.table.num_rows)
    if (met < 0).all():
        return judge(ratings, predictions, positive=positive, unknown=unknown)  # says what is wrong
    rows = np.where(met >= 0, example[met], -1)
    judged = _judged(ratings, predictions, settled, unknown, counts, rows, size)
    return _telling(judged, predictions, known).grouped()


def _telling(judged: Judged, read: Predictions, known: tuple[str, ...]) -> Judged:
    """With what reading the predictions had to say beside what was known of them before."""
    return replace(judged, notes=(*judged.notes, *(n for n in read.notes if n not in known)))


def _met_elsewhere(ratings: Ratings, said: Afar | None) -> Met | None:
    """Where predictions stay with the ratings; kinds are rows of `said.kinds`."""
    if said is None:
        return None
    met = ratings.reductions.met(ratings.meaning, said, first=ratings.repeated)
    met = None if met is None else met.rated()
    # An item with two rows of predictions was met twice: reading them whole says which it is.
    return met if met is not None and met.items.sum() == ratings.n_items else None


def _settled(
    ratings: Ratings, predictions: Predictions, positive: str | None, unknown: str
) -> list[Settled]:
    if unknown not in ("error", "wrong", "drop"):
        raise OptionError(f'unknown is "error", "wrong" or "drop", not {unknown!r}.')
    code = ratings.labels.positive(positive)
    return [settle(predictions, raw, ratings.labels, code) for raw in predictions.classifiers]


def _judged(
    ratings: Ratings,
    predictions: Predictions,
    settled: list[Settled],
    unknown: str,
    counts: Ints,
    rows: Ints,
    size: Ints,
    items: NDArray[np.object_] | None = None,
) -> Judged:
    """Rated items, `size` of them a row, with the predictions in `rows` (−1: there is none)."""
    classifiers = [_align(answers, rows, size, unknown, ratings.labels) for answers in settled]
    answered = np.logical_and.reduce([mask for _, mask in classifiers])
    if not answered.any():
        raise InputError(
            f"No item is rated in {ratings.name} and answered by every classifier in "
            f"{predictions.name}: check that both use the same item ids, or choose classifiers."
        )
    notes = [note for answers in settled for note in answers.notes]
    found = tuple(classifier for classifier, _ in classifiers)
    unrated = predictions.n_items - int(size[rows >= 0].sum())
    notes += _coverage_notes(ratings, predictions, found, int(size[~answered].sum()), unrated)
    return Judged(ratings.labels, counts, size, found, items, tuple(notes)).take(answered)


def _meet(items: NDArray[np.object_], predictions: Predictions) -> Ints:
    """For each rated item its row in the predictions, or −1."""
    ids = whole(predictions.table["headcount_item"])
    rows = positions(items, ids)
    if (rows < 0).all():
        raise InputError(
            f"No item of {predictions.name} (such as {ids[0].as_py()!r}) has ratings (which are "
            f"of items such as {str(items[0])!r}): both tables must use the same item ids."
        )
    return rows


def _align(
    answers: Settled, rows: Ints, size: Ints, unknown: str, labels: Labels
) -> tuple[Classifier, NDArray[np.bool_]]:
    """One classifier on the rated items, and where its answer counts."""
    there = rows >= 0
    answered = there & answers.answered[rows]
    strange = answered & answers.unknown[rows]
    n_strange = int(size[strange].sum())
    if n_strange and unknown == "error" and answers.apart is not None:
        raise InputError(
            f"{answers.name!r} answers no label: {answers.apart}. Bring its numbers to people's "
            "scale first, or leave it out and name the others with classifiers= (--classifiers)."
        )
    if n_strange and unknown == "error":
        raise InputError(
            f"{answers.name!r} gave "
            f"{count(n_strange, 'answer that is not a label', 'answers that are not labels')}, "
            f"such as {answers.example!r} (labels: {labels.listing()}): say which label each means "
            f"with --map {shlex.quote(f'{answers.example}=LABEL')}, or choose "
            'unknown="wrong" to count them as its errors or unknown="drop" to leave those items '
            "out (--unknown)."
        )
    usable = answered & ~strange if unknown == "drop" else answered
    classifier = Classifier(
        answers.name,
        None if answers.codes is None else answers.codes[rows],
        None if answers.probabilities is None else answers.probabilities[rows],
        answered=int(size[answered].sum()),
        out_of=int(size.sum()),
        unknown=n_strange,
        unknown_example=answers.example,
        scores=None if answers.scores is None else answers.scores[rows],
    )
    return classifier, usable


def _coverage_notes(
    ratings: Ratings,
    predictions: Predictions,
    classifiers: tuple[Classifier, ...],
    left_out: int,
    unrated: int,
) -> list[str]:
    notes = [
        f"{classifier.name} answered {classifier.answered:,} of {classifier.out_of:,} rated items."
        for classifier in classifiers
        if classifier.answered < classifier.out_of
    ]
    notes += [
        f"{classifier.name} gave {count(classifier.unknown, 'answer', 'answers')} outside the "
        "labels."
        for classifier in classifiers
        if classifier.unknown
    ]
    if left_out:
        notes.append(
            f"{left_out:,} of {classifiers[0].out_of:,} rated items "
            f"{'was' if left_out == 1 else 'were'} left out: classifiers are compared on the items "
            "that all of them answered."
        )
    if unrated:
        name = predictions.name
        some = count(unrated, f"item of {name} has", f"items of {name} have")
        notes.append(f"{some} no rating in {ratings.name}.")
    return notes


@frozen
class PredictedItems:
    """Ids (m,), `decisions` (m, C) and label `counts` so far (m, L), zeros where there are none."""

    items: NDArray[np.object_]
    decisions: Ints
    counts: Ints


def predicted_items(study: "Study", names: Sequence[str]) -> PredictedItems:
    """Every item that all of the classifiers answered, with its labels so far."""
    chosen, kept, decisions = _answered(study, names, here=True)
    ids = texts(whole(chosen.table["headcount_item"]))
    counted = study.ratings.item_counts()
    rows = positions(ids, counted.items)
    counts = np.where(rows[:, None] >= 0, counted.counts[rows], 0)
    return PredictedItems(ids[kept], decisions[kept], counts[kept])


def predicted_decisions(study: "Study", names: Sequence[str]) -> tuple[Ints, Ints]:
    """What all of the classifiers decided, (m, C), and on how many items each, (m,)."""
    chosen, kept, decisions = _answered(study, names)
    return decisions[kept], chosen.size[kept]


def _answered(
    study: "Study", names: Sequence[str], *, here: bool = False
) -> "tuple[Predictions, NDArray[np.bool_], Ints]":
    """The predictions, where every classifier answered, and what each decided, (m, C)."""
    if study.predictions is None:
        raise UnanswerableError("There are no predictions: add what the classifiers said.")
    chosen = (study.predictions.here() if here else study.predictions).in_few_digits.select(names)
    positive = study.labels.positive(study.positive)
    settled = [settle(chosen, raw, study.labels, positive) for raw in chosen.classifiers]
    kept = np.logical_and.reduce([each.answered for each in settled])
    if study.unknown == "drop":
        kept &= ~np.logical_or.reduce([each.unknown for each in settled])
    return chosen, kept, np.column_stack([_decided(each) for each in settled])


def _decided(answers: Settled) -> Ints:
    if answers.codes is not None:
        return answers.codes
    assert answers.probabilities is not None
    return np.asarray(np.nan_to_num(answers.probabilities, nan=-1.0).argmax(axis=1))
