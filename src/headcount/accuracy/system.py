"""The public function: check, compute, pack."""

from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from headcount.accuracy import judgements
from headcount.accuracy.cases import (
    Cases,
    Named,
    RaterModel,
    all_rated,
    group_cases,
    who_said_what,
)
from headcount.accuracy.estimates import Algebraic, estimate
from headcount.accuracy.expected import listable_raters
from headcount.accuracy.latent_choice import choose_rater_model
from headcount.accuracy.latent_system import affordable_samples, fit_raters, fit_system
from headcount.accuracy.packing import pack
from headcount.accuracy.parts import Check
from headcount.accuracy.precision import judge_precision
from headcount.accuracy.result import SystemAccuracy
from headcount.accuracy.sampling import LatentFits, draw
from headcount.accuracy.simulation import Setting
from headcount.data import Judged, Predictions, Ratings, judge
from headcount.errors import OptionError, UnanswerableError
from headcount.results import Progress, no_progress
from headcount.stats import Bootstrap

MOST_NAMED = 30_000_000
"""Ratings past which names of raters are not looked at: they would not fit in memory."""

LatentChoice = Literal["auto", "each", "shared", "off"]


def system_accuracy(
    ratings: Ratings,
    predictions: Predictions | None = None,
    *,
    positive: str | None = None,
    unknown: str = "error",
    latent_class: LatentChoice = "auto",
    restarts: int = 9,
    precision: float = 0.1,
    n_bootstrap: int = 500,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress = no_progress,
) -> SystemAccuracy:
    """How accurate classifiers are against a truth nobody has, from raters who err.

    Agreement between raters gives their accuracy, that gives the probable truth of each case,
    and comparing answers with it gives the accuracy of each classifier (soft ones by their
    most probable label), which may be above the raters'. Next to that algebraic estimate
    stands a fitted latent-class model: `latent_class` is "each" (a confusion matrix a rater),
    "shared" (one for all), "auto" (each where raters are named and rated enough, else shared)
    or "off". It is fitted from `restarts` more starts than one.

    Without predictions the raters alone are judged, and `.truth()` is still there.
    `precision` is the half-width wanted of an accuracy: a check says whether the cases suffice.

    >>> import pyarrow as pa
    >>> frame = pa.table({"item": list("112233"), "rater": list("ababab"),
    ...                   "label": ["x", "x", "y", "y", "x", "y"]})
    >>> round(system_accuracy(Ratings.from_frame(frame), n_bootstrap=0).agreement.value, 3)
    0.667
    """
    plan = Bootstrap(n_bootstrap, confidence, seed)
    _check_options(latent_class, restarts, precision)
    judged = (
        all_rated(ratings)
        if predictions is None
        else judge(ratings, predictions, positive=positive, unknown=unknown)
    )
    _check_answerable(judged)
    judged, named = _with_names(ratings, judged)
    model = choose_rater_model(latent_class, judged, named)
    cases = group_cases(judged, named if model == "each" else None)
    found = estimate(cases, cases.cases[None].astype(float))
    if not np.isfinite(found.base_rates).all():
        model = "agreement between raters is not above chance"
    fits = _fit_latent(cases, model, plan, restarts)
    draws = draw(cases, plan, fits, progress=progress)
    checks = _checks(judged, cases, found, named)
    result = pack(
        cases=cases,
        found=found,
        draws=draws,
        fits=fits,
        model=model,
        checks=checks,
        plan=plan,
        named=named,
        judged=judged,
    )
    return result.with_check(_precision_check(result, cases, found, precision, plan))


def _check_options(latent_class: str, restarts: int, precision: float) -> None:
    if latent_class not in get_args(LatentChoice):
        listed = ", ".join(f'"{choice}"' for choice in get_args(LatentChoice))
        raise OptionError(f"latent_class is one of {listed}; it was {latent_class!r}.")
    if isinstance(restarts, bool) or restarts != int(restarts) or restarts < 0:
        raise OptionError(f"restarts is a whole number of at least 0; it was {restarts!r}.")
    if not 0 < precision < 1:
        raise OptionError(f"precision lies between 0 and 1, such as 0.1; it was {precision!r}.")


def _check_answerable(judged: Judged) -> None:
    if judged.labels.n < 2:
        raise UnanswerableError(
            f"There is only one label ({judged.labels.listing()}): accuracy needs at least two; "
            "name all labels in order= if raters could have chosen others."
        )
    if not (judged.counts.sum(axis=1) >= 2).any():
        raise UnanswerableError(
            "No case has two ratings, so raters' agreement and hence their accuracy cannot be "
            "known: collect a second rating for at least some cases."
        )


def _with_names(ratings: Ratings, judged: Judged) -> tuple[Judged, Named | None]:
    """Who said what about the judged cases, where raters have names and memory allows."""
    assert judged.items is not None
    if ratings.named and ratings.n_ratings > MOST_NAMED:
        note = (
            f"{ratings.n_ratings:,} ratings are too many to keep who gave them: raters were not "
            "compared, and latent classes use one confusion matrix for all."
        )
        return replace(judged, notes=(*judged.notes, note)), None
    return judged, who_said_what(ratings, judged.items)


def _fit_latent(
    cases: Cases, model: RaterModel | str, plan: Bootstrap, restarts: int
) -> LatentFits | None:
    if model not in ("each", "shared"):
        return None
    raters = fit_raters(cases, restarts=restarts, seed=plan.seed)
    systems = tuple(
        fit_system(cases, system, raters, seed=plan.seed) for system in range(len(cases.systems))
    )
    return LatentFits(raters, systems, affordable_samples(cases, plan.samples))


def _checks(
    judged: Judged, cases: Cases, found: Algebraic, named: Named | None
) -> tuple[Check, ...]:
    by_pattern = cases.by_pattern(cases.cases[None].astype(float))[0].astype(np.int64)
    return tuple(
        judgements.judge_assumptions(
            cases.labels, cases.counts, by_pattern, found.raw_base_rates[0], judged.counts, named
        )
    )


def _precision_check(
    result: SystemAccuracy, cases: Cases, found: Algebraic, precision: float, plan: Bootstrap
) -> Check | None:
    """The planner's word on the classifier whose accuracy is known least well."""
    known = [each for each in result.classifiers if each.accuracy.value is not None]
    if not known:
        return None
    widest = max(known, key=lambda each: (each.accuracy.high or 1) - (each.accuracy.low or 0))
    per_case = np.repeat(cases.counts.sum(axis=1)[cases.pattern], cases.cases)
    setting = Setting(
        listable_raters(max(2, int(np.median(per_case))), cases.n_labels),
        cases.n_labels,
        float(found.rater_accuracy[0]),
        found.base_rates[0],
    )
    return judge_precision(
        widest.accuracy,
        classifier=widest.name,
        setting=setting,
        cases=cases.n_cases,
        half_width=precision,
        confidence=plan.confidence,
        seed=plan.seed,
    )
