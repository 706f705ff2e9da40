"""The curve by the combiner that was asked for, or by the one that predicts people better."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.combiners import COMBINERS, AnonymousBayes, Combiner
from headcount.equivalence.curve_limits import Limits, LinearLimits, limits_of
from headcount.equivalence.exact import Curve, Setup, power_curve
from headcount.equivalence.fitted import (
    Everyone,
    FittedSurveys,
    fitted_curve,
    has_own_score,
    score_of,
)
from headcount.equivalence.question import Question
from headcount.frozen import frozen
from headcount.population.surveys import count_surveys

Floats = NDArray[np.float64]
Draws = NDArray[np.integer]

_COMPARED = 2_000_000
"""(Pattern, survey) pairs up to which abc is worked out for the comparison."""

_TIE = 1e-3
"""A lead of abc by less than this share of the gain is a tie, which goes to fitted."""


@frozen
class Surveyed:
    """A curve, the `combiner` it is by, why that one was chosen, and where it goes on."""

    curve: Curve
    combiner: Combiner
    chosen: str | None = None
    limits: Limits | None = None


def surveyed(question: Question, setup: Setup, samples: Draws, everyone: Everyone) -> Surveyed:
    """The curve of `setup` and of its bootstrap `samples` (B, G); `everyone` is learned from."""
    if question.chooses:
        return _better(question, setup, samples, everyone)
    if question.combiner.name == "linear":
        return _linear(question, setup, samples)
    if question.combiner.name == "fitted":
        return _fitted(question, setup, samples, everyone)
    return Surveyed(_by_engine(question, setup, samples), question.combiner, question.settled)


def _better(question: Question, setup: Setup, samples: Draws, everyone: Everyone) -> Surveyed:
    """Whichever of abc and fitted predicts held-out answers better along the curve."""
    found = _fitted(question, setup, samples, everyone)
    abc = AnonymousBayes()
    upto = _affordable(setup)
    rival = power_curve(replace(setup, combiner=abc, most=upto), samples[:0]).scores
    ours, theirs = (float(np.mean(each[1 : upto + 1])) for each in (found.curve.scores, rival))
    fitted_wins = not theirs - ours > _TIE * (theirs - float(rival[0]))
    names = ("fitted", "abc") if fitted_wins else ("abc", "fitted")
    why = _reason(*names, *((ours, theirs) if fitted_wins else (theirs, ours)), setup, upto)
    if fitted_wins:
        return replace(found, chosen=why)
    curve = _by_engine(question, replace(setup, combiner=abc), samples)
    return Surveyed(curve, abc, why, found.limits)


def _reason(better: str, other: str, score: float, its: float, setup: Setup, upto: int) -> str:
    how = "better than" if score > its else "as well as"
    sizes = "one rater" if upto == 1 else f"1 to {upto} raters"
    return (
        f"{better} was chosen: it predicts held-out answers {how} {other} (mean "
        f"{setup.scorer.name} of surveys of {sizes} {score:.5f} against {its:.5f}). fitted reads "
        "a survey by how items differ in the fitted population, abc by other items with the same "
        "answers."
    )


def _affordable(setup: Setup) -> int:
    """The largest survey up to which abc is compared."""
    pairs = np.cumsum(count_surveys(setup.counts, setup.most).sum(axis=0))
    return max(1, int(np.searchsorted(pairs, _COMPARED, side="right")) - 1)


def _fitted(question: Question, setup: Setup, samples: Draws, everyone: Everyone) -> Surveyed:
    surveys = FittedSurveys.fit(setup, everyone, ordered=question.ordered)
    setup = replace(setup, combiner=COMBINERS["fitted"])
    curve = fitted_curve(setup, samples, surveys, question.budget)
    if setup.reference_raters > 1 or not has_own_score(setup.scorer):
        return Surveyed(curve, setup.combiner)
    limits = limits_of(
        surveys.population,
        score_of(setup.scorer),
        setup.clip,
        everyone,
        question.options.seed,
    )
    return Surveyed(curve, setup.combiner, limits=limits)


def _linear(question: Question, setup: Setup, samples: Draws) -> Surveyed:
    """By pairs of ratings alone: the error of the best linear prediction from the mean of k."""
    limits, k = LinearLimits.of(setup.counts, setup.sizes, samples), np.arange(setup.most + 1)
    curve = Curve(
        scores=limits.curve(k),
        draws=limits.draws(k),
        support=np.ones(len(k)),
        backed_off=np.zeros(len(k), dtype=np.int64),
        error=np.zeros(len(k)),
        refitted=True,
        surveys=0,
    )
    return Surveyed(curve, question.combiner, limits=limits)


def _by_engine(question: Question, setup: Setup, samples: Draws) -> Curve:
    curve = power_curve(
        setup,
        samples,
        refit=question.options.refit,
        budget=question.budget,
        progress=question.progress,
    )
    return _centred(curve) if curve.refitted else curve


def _centred(curve: Curve) -> Curve:
    """Draws moved so that their mean is the estimate.

    A sample holds 63 % of the different items, and a combiner that learns anew from it
    predicts worse: every draw lies too low. That is no uncertainty of the curve.
    """
    known = ~np.isnan(curve.draws)
    mean = np.where(known, curve.draws, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return replace(curve, draws=curve.draws + (curve.scores - mean))
