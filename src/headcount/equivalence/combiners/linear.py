"""The linear combiner: the best linear prediction from the mean of a survey's answers."""

from typing import ClassVar

import numpy as np

from headcount.data import Labels, group_rows
from headcount.equivalence.combiners.grammar import Combiner, Floats, Ints, Others, Produces
from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.population.linear_survey import LinearSurvey


@frozen
class LinearBayes(Combiner):
    """μ + B (B + W/k)⁺ (ȳ − μ), from the covariance B between items and W within them.

    Both come from pairs of ratings of the other items. Called like this it predicts for
    surveys of an item, as a definition; the curve needs no surveys (`linear_curve`).
    """

    name: str = "linear"
    produces: Produces = "probabilities"
    learned: ClassVar[bool] = True
    summary: ClassVar[str] = "best linear prediction, any k from pairs (brier); no answers: shares"

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Predictions (R, L) that sum to one."""
        del labels
        if others.targets is not None:
            raise UnanswerableError(
                "linear knows one pool of raters, and another is to be predicted: use abc."
            )
        predicted = np.empty(surveys.shape)
        cases = group_rows(others.own, others.copies, surveys.sum(axis=1))
        for case, first in enumerate(cases.first):
            items = others.items.astype(np.float64)
            items[others.own[first]] -= others.copies[first]
            learned = LinearSurvey.of_labels(others.counts, items)
            rows = cases.of_row == case
            predicted[rows] = learned.predict(surveys[rows], int(surveys[first].sum()))
        return predicted
