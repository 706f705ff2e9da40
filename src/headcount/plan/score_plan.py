"""A plan for scores: which judge is nearest to people, what choosing now loses, what more saves."""

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from headcount.data import Study, as_study
from headcount.data.numbers import (
    checked_unknown,
    classifier_numbers,
    item_numbers,
    met_by_id,
    one_by_one,
)
from headcount.errors import OptionError, UnanswerableError
from headcount.plan.choice import Choice
from headcount.plan.given import number
from headcount.plan.score_evidence import Distance, score_evidence
from headcount.plan.score_plan_result import JudgeDistance, MoreRatings, ScorePlan
from headcount.sampling.people import interval_from_error
from headcount.sampling.samples import Plan

Floats = NDArray[np.float64]

STEPS = (100, 1_000, 10_000)
"""Numbers of ratings that every plan tells of."""


def plan_scores(
    ratings: Any,
    predictions: Any = None,
    *,
    classifiers: Sequence[str] | None = None,
    distance: str = "squared",
    target: float = 0.95,
    matters: float = 0.0,
    affordable: int = 100_000,
    raters: str | None = None,
    prior_sd: float | None = None,
    unknown: str = "error",
    confidence: float = 0.95,
) -> ScorePlan:
    """Which judge's scores are nearest to people's, what choosing now loses, what more would save.

    Parameters
    ----------
    ratings, predictions
        A pilot in numbers: items that people have rated and every judge has scored, as a `Study`,
        or as `Ratings` and `Predictions`, frames or paths.
    classifiers
        Only these, two or more; by default all.
    distance
        "squared" or "absolute" distance to a person.
    target
        The probability with which the chosen judge shall be the best one.
    matters
        A difference in mean distance too small to matter.
    affordable
        The most ratings that anyone would pay for.
    raters
        Who rates next: "new" people like the raters, the "same" ones, or as if raters were all
        people ("fixed"). By default "new" where at least three are named.
    prior_sd
        How far apart two such judges usually are, in mean distance.
    unknown
        Predictions that are no numbers: "error", or "drop" to leave those items out.
    confidence
        Of the intervals.

    Returns
    -------
    ScorePlan
        ``leader``, ``gap``, ``loss_now``, ``probability(more)``, ``loss(more)``,
        ``ratings_for_target``, ``more``.

    Notes
    -----
    With x_i the mean over an item's ratings of (a − r)² − (b − r)² (or of the absolute
    distances), the formulas are those of `plan_from_pilot`: Δ̂ = mean x, s₀² = var(x)/n plus the
    variance over raters, v the variance of one rating's difference on a fresh item, and after N
    more ρ = s₀/√(s₀² + v/N).

    Examples
    --------
    >>> from headcount.simulate import make
    >>> made = make("scores", items=300, seed=1)
    >>> found = plan_scores(made.ratings, made.predictions)
    >>> found.leader
    'model'
    >>> found.loss(1000) <= found.loss_now
    True
    """
    _check(distance, target, matters, affordable, prior_sd)
    study = as_study(ratings, predictions)
    names, judges, items, notes = _judges(study, classifiers, checked_unknown(unknown))
    said = one_by_one(study.ratings, items)
    rater = said.rater if raters != "fixed" else None
    found = score_evidence(said.item, said.value, judges, rater, distance=cast(Distance, distance))
    if raters not in (None, "new", "same", "fixed"):
        raise OptionError(f'raters is "new", "same" or "fixed"; it was {raters!r}.')
    who = (raters or "new") if found.raters_known else "fixed"
    choice = Choice(found, who, prior_sd)
    best = choice.best_chances()
    leader = int((choice.mean @ choice.contrasts).argmax())
    rival = max((k for k in range(len(best)) if k != leader), key=lambda k: best[k])
    errors = np.sqrt(np.diag(found.over_items + (0 if who == "fixed" else found.over_raters)))
    plan = Plan(found.items)
    gap, spread = choice.difference(leader, rival)
    now = choice.loss()
    return ScorePlan(
        leader=names[leader],
        rival=names[rival],
        gap=interval_from_error(gap, spread, plan=plan, confidence=confidence),
        classifiers=tuple(
            JudgeDistance(
                name,
                interval_from_error(
                    -mean, error, plan=plan, confidence=confidence, scale="positive"
                ),
                chance_of,
            )
            for name, mean, error, chance_of in zip(
                names, found.mean.tolist(), errors.tolist(), best.tolist(), strict=True
            )
        ),
        more=tuple(
            MoreRatings(
                step,
                choice.probability(step, matters=matters),
                choice.loss(step),
                max(now - choice.loss(step), 0.0),
            )
            for step in STEPS
        ),
        distance=distance,
        items=found.items,
        target=target,
        matters=matters,
        affordable=affordable,
        raters=who,
        n_raters=found.n_raters,
        confidence=confidence,
        notes=notes,
        choice=choice,
        library=study.library,
    )


def _check(
    distance: str, target: float, matters: float, affordable: int, prior_sd: float | None
) -> None:
    if distance not in ("squared", "absolute"):
        raise OptionError(f'distance is "squared" or "absolute"; it was {distance!r}.')
    if not 0.5 <= number("target", target) < 1:
        raise OptionError(f"target is a probability from 0.5 to below 1; it was {target!r}.")
    if not 0 <= number("matters", matters) < math.inf:
        raise OptionError(f"matters is a distance of at least 0; it was {matters!r}.")
    if number("affordable", affordable) < 1:
        raise OptionError(f"affordable is at least one rating; it was {affordable!r}.")
    if prior_sd is not None and not number("prior_sd", prior_sd) > 0:
        raise OptionError(f"prior_sd is a distance above 0; it was {prior_sd!r}.")


def _judges(
    study: Study, chosen: Sequence[str] | None, unknown: str
) -> tuple[tuple[str, ...], Floats, NDArray[np.object_], tuple[str, ...]]:
    """Names and numbers (n, C) of the judges on the items that all of them scored."""
    predictions = study.predictions
    if predictions is not None and chosen is not None:
        predictions = predictions.select(chosen)
    if predictions is None or len(predictions.classifiers) < 2:
        raise UnanswerableError(
            "There are no two judges to choose between: give predictions of two or more."
        )
    counted = item_numbers(study.ratings)
    rows = met_by_id(counted.items, predictions)
    labels = study.ratings.meaning.labels if study.ratings.meaning.labels.n else None
    said = np.column_stack(
        [
            classifier_numbers(predictions, raw, labels, unknown=unknown)
            for raw in predictions.classifiers
        ]
    )
    numbers = np.where((rows >= 0)[:, None], said[rows], np.nan)
    kept = ~np.isnan(numbers).any(axis=1)
    numbers = numbers[kept]
    if len(numbers) < 2 or not (numbers != numbers[:, :1]).any():
        raise UnanswerableError(
            "The judges gave the same number on every item that all of them scored: ratings "
            "there cannot tell them apart."
        )
    left_out = int((~kept).sum())
    notes = (f"{left_out:,} rated items were left out: not every judge scored them.",)
    return predictions.names, numbers, counted.items[kept], notes if left_out else ()
