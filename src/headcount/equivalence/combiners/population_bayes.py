"""Combiners that predict from a population of items, fitted to the others: by Bayes or linearly."""

from typing import ClassVar

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.data import Labels, group_rows
from headcount.equivalence.combiners.combiner import Combiner, Others, Produces
from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.metrics import top_shares
from headcount.population import LinearSurvey, Mixture, every_survey, fit_population, log_orders

# Surveys × draws of reference raters worked on at once.
_CELLS = 2_000_000


@frozen
class FittedBayes(Combiner):
    """P(ℓ | y) under the distribution of items' own label distributions.

    It is fitted to the other items by maximum likelihood: for two labels without any form,
    for more as a mixture of Dirichlets. No survey is ever unseen.

    Called like this it leaves out just the item itself, with a fit for every pattern of counts:
    the definition. A curve is made with a few fits, each for a fold of items (`fitted_curve`).
    """

    name: str = "fitted"
    produces: Produces = "probabilities"
    learned: ClassVar[bool] = True
    summary: ClassVar[str] = (
        "Bayes prediction from the fitted population of items; no answers: its label shares"
    )

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Probabilities (R, L)."""
        del labels
        if others.targets is not None:
            raise UnanswerableError(
                "fitted knows one pool of raters, and another is to be predicted: use abc."
            )
        predicted = np.empty(surveys.shape)
        cases = group_rows(others.own, others.copies)
        for case, first in enumerate(cases.first):
            items = others.items.astype(np.float64)
            items[others.own[first]] -= others.copies[first]
            rows = cases.of_row == case
            if items.max(initial=0.0) <= 0:
                predicted[rows] = np.nan
                continue
            mixture = fit_population(others.counts, items).mixture
            predicted[rows] = predict(mixture, surveys[rows], others.reference)
        return predicted


def predict(mixture: Mixture, answers: Ints, reference_raters: int = 1) -> Floats:
    """P(ℓ | y) for surveys `answers` (R, L), of the next rater or of the plurality of several."""
    distinct = group_rows(answers)
    y = answers[distinct.first]
    of = mixture.predict(y) if reference_raters == 1 else _plurality(mixture, y, reference_raters)
    return of[distinct.of_row]


def _plurality(mixture: Mixture, y: Ints, reference_raters: int) -> Floats:
    """Every way in which r more raters can answer, by its chance given y."""
    draws, orders = (
        every_survey(reference_raters, y.shape[1]),
        log_orders(reference_raters, y.shape[1]),
    )
    winners = top_shares(draws)
    out = np.empty(y.shape)
    step = max(1, _CELLS // (len(draws) * y.shape[1]))
    for start in range(0, len(y), step):
        part = y[start : start + step]
        longer = (part[:, None] + draws).reshape(-1, y.shape[1])
        logs = mixture.log_probability(longer).reshape(len(part), -1)
        chance = np.exp(orders + logs - mixture.log_probability(part)[:, None])
        out[start : start + step] = chance @ winners / chance.sum(axis=1, keepdims=True)
    return out


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
