"""Raters without whom a verdict would be another, in a line each."""

import math

from headcount.equivalence import SurveyEquivalence, people
from headcount.evaluation.part import Unavailable
from headcount.results import Estimate
from headcount.sampling.influence import influence

_NAMED = 2
"""Raters that are named for one classifier."""
_LEAST = 0.25
"""Raters by which a worth must move to be worth a line."""


def worth_without(equivalence: SurveyEquivalence | Unavailable) -> tuple[str, ...]:
    """A line for each rater without whom a classifier would be said to be worth otherwise.

    What is said of a worth is how many whole people it beats.
    """
    if isinstance(equivalence, Unavailable):
        return ()
    asked, said = equivalence.curve.asked, []
    for each in equivalence.classifiers:
        left = each.worth_without
        value = _number(each.worth)
        if left is None or math.isnan(value):
            continue
        found = influence(value, left, _whole)
        most = equivalence.curve.most
        moved = [
            j
            for j in found.order
            if j in found.moved and abs(left[j] - value) >= _LEAST
            # "More than two instead of 5.20" may be no change at all: past the people who were
            # asked one of the two is measured and the other modelled.
            if not (math.isinf(left[j]) and left[j] > 0 and value >= most)
        ]
        said += [
            f"Without {asked.left_out[j]}, {each.name} is worth "
            f"{_words(float(left[j]), most)} instead of {_words(value, most)}."
            for j in moved[:_NAMED]
        ]
    return tuple(said)


def _whole(worth: float) -> float:
    """The verdict on a worth: the whole people it beats."""
    return worth if math.isinf(worth) or math.isnan(worth) else math.floor(worth)


def _words(worth: float, most: int) -> str:
    if math.isnan(worth):
        return "nothing that can be told"
    if math.isinf(worth):
        return f"more than {people(most)}" if worth > 0 else "nothing"
    return f"{worth:.2f}"


def _number(estimate: Estimate) -> float:
    if estimate.value is not None:
        return estimate.value
    return {"above": math.inf, "below": -math.inf}.get(estimate.state or "", math.nan)
