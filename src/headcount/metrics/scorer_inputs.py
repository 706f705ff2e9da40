"""From what a classifier or a combiner gives to what a scorer takes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import Classifier, Labels
from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.metrics.registry import SCORERS
from headcount.metrics.scorer import Prediction, Scorer, Takes, Task
from headcount.sameness import as_good


def prediction_for(classifier: Classifier, scorer: Scorer, labels: Labels) -> Prediction:
    """A classifier's outputs as the scorer takes them, a row an item.

    Labels from a soft classifier are its most probable ones. Probabilities from a hard one
    are certainties, all zero for an answer outside the labels; a number between two levels
    shares its certainty among them, so that its expected value is the number. Numbers are the
    labels' own, from a soft classifier their expected value.
    """
    if scorer.takes == "labels":
        return classifier.top()
    if scorer.takes == "probabilities":
        if classifier.probabilities is not None:
            return classifier.probabilities
        if classifier.scores is not None:
            return between_levels(classifier.scores, classifier.top(), Task(labels).levels)
        return one_hot(classifier.top(), labels.n)
    values = Task(labels).values
    if classifier.probabilities is not None:
        return classifier.probabilities @ values
    _all_answered(classifier, scorer)
    return values[classifier.top()] if classifier.scores is None else classifier.scores


def between_levels(scores: Floats, codes: Ints, levels: Floats) -> Floats:
    """Numbers (R,) as shares (R, L) of the two levels around each; none where the code is −1.

    >>> between_levels(np.array([1.25, 9.0]), np.array([0, 2]), np.array([1.0, 2.0, 3.0]))
    array([[0.75, 0.25, 0.  ],
           [0.  , 0.  , 1.  ]])
    """
    held = np.clip(np.where(codes >= 0, scores, levels[0]), levels[0], levels[-1])
    lower = np.clip(np.searchsorted(levels, held, side="right") - 1, 0, len(levels) - 2)
    upper = (held - levels[lower]) / (levels[lower + 1] - levels[lower])
    shares = np.zeros((len(scores), len(levels)))
    rows = np.arange(len(scores))
    shares[rows, lower], shares[rows, lower + 1] = 1 - upper, upper
    shares[codes < 0] = 0.0
    return shares


def one_hot(codes: Ints, n_labels: int) -> Floats:
    """Certain predictions, (R, L); all zero where the answer is outside the labels."""
    certain: Floats = (codes[:, None] == np.arange(n_labels)).astype(np.float64)
    return certain


def caution(classifier: Classifier, scorer: Scorer) -> str | None:
    """What to know about scoring this classifier so, as a sentence, or None."""
    if scorer.takes != "probabilities" or classifier.soft or scorer.hard_too:
        return None
    return (
        f"{classifier.name} gives labels, not probabilities: {scorer.name} scores each answer as "
        "a certainty and punishes every error as such (calibrate it, or use agreement)."
    )


@frozen
class Rows:
    """Predictions in the form a scorer takes.

    Row j stands for `share[j]` of the weight of row `index[j]` of what was given: a tie for
    the top label becomes several rows that share the weight equally, the expectation of a
    coin flip.
    """

    prediction: Prediction
    index: Ints
    share: Floats


def rows_for(prediction: Prediction, gives: Takes, scorer: Scorer, labels: Labels) -> Rows:
    """A combiner's predictions as the scorer takes them; `gives` says what they are.

    "labels" come as combiners give them: (R, L) shares, all in one label unless labels tie.
    """
    if gives == "labels":
        return _from_labels(prediction, scorer, labels)
    if gives == "probabilities" and scorer.takes == "labels":
        index, code, share = top_labels(prediction)
        return Rows(code, index, share)
    if gives == "probabilities" and scorer.takes == "numbers":
        prediction = prediction @ Task(labels).values
    elif gives != scorer.takes:
        raise OptionError(
            f"{gives} cannot be scored by {scorer.name!r}, which takes {scorer.takes}."
        )
    return Rows(prediction, np.arange(len(prediction)), np.ones(len(prediction)))


def _from_labels(shares: Floats, scorer: Scorer, labels: Labels) -> Rows:
    index, code = np.nonzero(shares)
    share = shares[index, code]
    if scorer.takes == "probabilities":
        return Rows(one_hot(code, labels.n), index, share)
    return Rows(code if scorer.takes == "labels" else Task(labels).values[code], index, share)


def top_shares(probabilities: NDArray[Any]) -> Floats:
    """One, shared by the most probable labels of each row (…, L), or by those with most votes.

    Those that differ by rounding only are ties. Where nothing could be predicted NaN stays.
    """
    most = probabilities.max(axis=-1, keepdims=True)
    top = as_good(probabilities, most, scale=most)
    with np.errstate(invalid="ignore"):
        shares: Floats = top / top.sum(axis=-1, keepdims=True)
    return shares


def top_labels(probabilities: Floats) -> tuple[Ints, Ints, Floats]:
    """The most probable labels of each row: row index, label, and its equal share of the row."""
    shares = top_shares(probabilities)
    index, code = np.nonzero(shares > 0)
    return index, code, shares[index, code]


def fits(gives: Takes, scorer: Scorer) -> bool:
    """Whether scoring such predictions makes sense.

    Probabilities can be read as labels or expected numbers, labels as numbers, and as
    probabilities where certainty is not punished without bound; numbers only as numbers.
    """
    if gives == scorer.takes or gives == "probabilities":
        return True
    if gives == "numbers":
        return False
    return scorer.takes == "numbers" or scorer.hard_too


def check_combination(
    combiner: str, gives: Takes, scorer: Scorer, combiners: Mapping[str, Takes]
) -> None:
    """Refuse a combiner and a scorer that make no sense together, naming what does.

    `combiners` holds what each known combiner gives.
    """
    if fits(gives, scorer):
        return
    scorers = ", ".join(name for name, each in SCORERS.items() if fits(gives, each))
    others = ", ".join(name for name, other in combiners.items() if fits(other, scorer))
    raise OptionError(
        f"The combiner {combiner!r} gives {gives} and the scorer {scorer.name!r} takes "
        f"{scorer.takes}: score {combiner} with {scorers}, or use {scorer.name} with the "
        f"combiner {others}."
    )


def check_scorer(scorer: Scorer, labels: Labels) -> None:
    """Refuse a scorer of numbers where the labels are not numbers, naming what works."""
    if scorer.takes == "numbers" and labels.values is None:
        others = ", ".join(name for name, each in SCORERS.items() if each.takes != "numbers")
        raise OptionError(
            f"The scorer {scorer.name!r} needs labels that are numbers, and these are not "
            f"({labels.listing()}): use {others}."
        )


def _all_answered(classifier: Classifier, scorer: Scorer) -> None:
    missing = int((classifier.top() < 0).sum())
    if missing:
        raise UnanswerableError(
            f"{missing} answers of {classifier.name} are outside the labels and have no number, "
            f'so {scorer.name} cannot score them: use unknown="drop" or another scorer.'
        )
