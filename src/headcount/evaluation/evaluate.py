"""`evaluate`: every method on one study."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import Any

from headcount.accuracy import reading_gold, system_accuracy
from headcount.agreement import agreement
from headcount.agreement.crowd import Crowd
from headcount.aside import aside, can_work_aside
from headcount.data import Ratings, Study, as_study
from headcount.deconvolution import PrimaryLabels, Scores, deconvolve, untold_retests
from headcount.drift import over_time
from headcount.equivalence import SurveyEquivalence, survey_equivalence
from headcount.errors import OptionError, UnanswerableError
from headcount.evaluation.baseline import decided_by
from headcount.evaluation.classifier import evaluated
from headcount.evaluation.confusion import confusions
from headcount.evaluation.differences import Differences, differences_of
from headcount.evaluation.evaluation import Evaluation
from headcount.evaluation.facts import facts_of
from headcount.evaluation.groups import rater_groups_of
from headcount.evaluation.influential import worth_without
from headcount.evaluation.on_numbers import asked, evaluate_numbers, next_ratings
from headcount.evaluation.one_person import beside_one_person
from headcount.evaluation.part import Unavailable, attempt
from headcount.evaluation.ranking import ranking_of
from headcount.evaluation.readings import readings_of
from headcount.evaluation.replacement import stand_ins
from headcount.evaluation.slices import slices_of
from headcount.options import (
    DriftOptions,
    EquivalenceOptions,
    EvaluateOptions,
    Meeting,
    Replacing,
    Sampling,
)
from headcount.plan import PilotPlan, ScorePlan, plan_from_pilot
from headcount.population import PopulationOfItems, population
from headcount.results import Progress, count, no_progress
from headcount.sampling import Bootstrap
from headcount.sampling.threads import one_thread
from headcount.scores import scores
from headcount.together import Together, beside_the_best

_ENOUGH_RETESTS = 100
_ASIDE = ("accuracy", "scores", "levels", "agreement")
"""About half of the work; the worth and the population share the fits of the other half."""
_ON_A_SCALE = (
    "The labels lie on a scale, where an answer is near or far and not right or wrong; this method "
    "takes labels for names (--scale nominal)."
)


def evaluate(
    ratings: Any,
    predictions: Any = None,
    *,
    positive: str | None = EvaluateOptions.positive,
    unknown: str = EvaluateOptions.unknown,
    combiner: Any = EvaluateOptions.combiner,
    scorer: Any = EvaluateOptions.scorer,
    max_raters: int | None = EvaluateOptions.max_raters,
    reference_raters: int = EvaluateOptions.reference_raters,
    calibrate: bool | None = EvaluateOptions.calibrate,
    clip: float | None = EvaluateOptions.clip,
    refit: bool = EvaluateOptions.refit,
    engine: str = EvaluateOptions.engine,
    two_way: bool | None = EvaluateOptions.two_way,
    max_surveys: int | None = EvaluateOptions.max_surveys,
    epsilon: float = EvaluateOptions.epsilon,
    closeness: str | None = EvaluateOptions.closeness,
    flip_rate: str | float = EvaluateOptions.flip_rate,
    target: float = EvaluateOptions.target,
    misled: float = EvaluateOptions.misled,
    gold: Any = None,
    n_bootstrap: int = EvaluateOptions.n_bootstrap,
    confidence: float = EvaluateOptions.confidence,
    seed: int = EvaluateOptions.seed,
    progress: Progress = no_progress,
    processes: int = 1,
) -> Evaluation:
    """Everything these data can answer: worth in raters, ceiling, accuracy, what to label next.

    Parameters
    ----------
    ratings, predictions
        What people and classifiers said: paths, frames of any library, `Ratings` and
        `Predictions`, or one `Study` that holds both. They are read and joined once.
    positive
        The label whose probability a bare number is (two labels only; by default the last).
    unknown
        What an answer outside the labels is: "error" stops, "wrong" counts it against the
        classifier, "drop" leaves the item out.
    combiner, scorer, max_raters, reference_raters, calibrate, clip, refit, engine, two_way, \
max_surveys
        As in `survey_equivalence`, with the same defaults.
    epsilon, closeness
        As in `replacement_test`.
    flip_rate
        As in `deconvolve`, but "auto" stays with retests: fitting a model of every rater
        (``flip_rate="svd"``) takes its time and must be asked for.
    target
        The probability with which the next labels shall find the best classifier.
    misled, gold
        As in `system_accuracy`: the share of items on which everyone may be misled, and the true
        labels of a random sample of items, if there are any.
    n_bootstrap, confidence, seed
        Bootstrap samples (0 for no intervals), the intervals' confidence, and the seed.
    progress
        Wraps the loop over the parts, such as a progress bar.
    processes
        With 2, accuracy, agreement and the shares with slips set aside are worked out in a second
        process, forked from this one, where the system can do that and the data are in memory.
        Numbers are the same.

    Returns
    -------
    Evaluation
        ``found["name"].worth`` and the other main numbers of each classifier, every part's
        own result under its name, ``report("report.html")``.

    Notes
    -----
    A part that the data cannot support is there with the reason. A part that fails is
    contained: it says so, and the rest stands. Classifiers are compared on the items that all
    of them answered.

    Examples
    --------
    >>> import headcount as hc
    >>> made = hc.simulate.make("comments", seed=1, items=120)
    >>> found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=50)
    >>> found["fine_tuned"].agree.text(percent=True)
    '79.8 % (74.0 % to 84.6 %)'
    """
    options = EvaluateOptions(
        positive=positive,
        unknown=unknown,
        combiner=combiner,
        scorer=scorer,
        max_raters=max_raters,
        reference_raters=reference_raters,
        calibrate=calibrate,
        clip=clip,
        refit=refit,
        engine=engine,
        two_way=two_way,
        max_surveys=max_surveys,
        epsilon=epsilon,
        closeness=closeness,
        flip_rate=flip_rate,
        target=target,
        misled=misled,
        n_bootstrap=n_bootstrap,
        confidence=confidence,
        seed=seed,
    )
    if processes not in (1, 2):
        raise OptionError(f"processes is 1 or 2; it was {processes!r}.")
    ratings, gold = reading_gold(ratings, gold)
    study = as_study(
        ratings,
        predictions,
        positive=positive,
        unknown=unknown,
        item_by_item=gold is not None or two_way or flip_rate != "auto",
    )
    with one_thread():
        return _evaluated(study, gold, options, progress, processes)


def _evaluated(
    study: Study, gold: Any, options: EvaluateOptions, progress: Progress, processes: int
) -> Evaluation:
    if study.predictions is None:
        raise UnanswerableError(
            "An evaluation is of classifiers: give predictions too, or ask headcount.agreement "
            "how much people agree."
        )
    if study.scale.kind == "numeric":
        return evaluate_numbers(study, options)
    judged = study.judged  # wrong input is told of here, and not as a part that cannot be had
    crowd = Crowd.of(study, Bootstrap.of(options), two_way=options.two_way)
    data = facts_of(study)  # the database is asked before the work is divided
    parts = _parts(study, crowd, gold, options, progress, processes)
    classifiers = tuple(
        evaluated(
            each,
            parts["equivalence"],
            parts["scores"],
            parts["population"],
            parts["accuracy"],
            parts["numbers"],
            parts["one_person"],
            crowd,
        )
        for each in judged.classifiers
    )
    return Evaluation(
        classifiers=classifiers,
        **parts,
        influential=worth_without(parts["equivalence"]),
        samples=crowd.plan_of_samples,
        nearness=crowd.nearness,
        data=data,
        decided=decided_by(crowd),
        settings=options,
        crowd=crowd,
        collected=_collected(study),
        library=study.library,
    )


def _collected(study: Study) -> tuple[str, ...]:
    """How the labels came about, and which of a classifier's answers count."""
    run = None if study.predictions is None else study.predictions.counted_run
    return (*study.design.lines, *([run] if run else []))


def _parts(
    study: Study,
    crowd: Crowd,
    gold: Any,
    options: EvaluateOptions,
    progress: Progress,
    processes: int,
) -> dict[str, Any]:
    """Every part, each from the same study."""
    given = options.as_given()
    sampling = Sampling.among(given).as_given()
    curve = {
        name: value
        for name, value in EquivalenceOptions.among(given).as_given().items()
        if name not in Meeting().as_given()
    }
    done: dict[str, Any] = {}
    of_names = partial(_of_names_alone, study)
    two_way = {"two_way": options.two_way, **sampling}
    primary_labels = cache(
        partial(
            attempt, lambda: of_names(lambda: _primary_labels(study, options.flip_rate, two_way))
        )
    )
    steps: dict[str, Callable[[], Any]] = {
        "equivalence": lambda: survey_equivalence(study, **curve),
        "primary_labels": primary_labels,
        "population": lambda: _population(study, primary_labels(), two_way),
        "together": lambda: _beside_people(study, done["equivalence"]),
        "ranking": lambda: ranking_of(study, options),
        "replacement": lambda: stand_ins(
            study, crowd, done["equivalence"], Replacing.among(options.as_given())
        ),
        "groups": lambda: rater_groups_of(study, crowd, options),
        "slices": lambda: slices_of(study, crowd, options),
        "drift": lambda: over_time(study, DriftOptions.among(given)),
        "confusion": lambda: confusions(crowd),
        "one_person": lambda: beside_one_person(crowd, done["confusion"]),
        "next_labels": lambda: _next_labels(study, options),
        "numbers": lambda: scores(_on_a_scale(study), **asked(options)),
        "readings": lambda: readings_of(
            _on_a_scale(study), done["equivalence"], done["numbers"], curve
        ),
        # These need nothing of the others: they may be done aside, and are waited for last.
        "accuracy": lambda: of_names(
            lambda: system_accuracy(
                study, gold=gold, misled=options.misled, two_way=options.two_way, **sampling
            )
        ),
        "scores": lambda: of_names(lambda: _there(primary_labels()).score()),
        "levels": lambda: of_names(lambda: _there(primary_labels()).by_level()),
        "agreement": lambda: agreement(study, **two_way),
        "differences": lambda: _differences(
            crowd, done["scores"], done["equivalence"], options.confidence
        ),
    }
    two = processes > 1 and not study.in_groups and can_work_aside()
    with aside(lambda: {name: attempt(steps[name]) for name in _ASIDE}, wanted=two) as begun:
        for name in progress(steps, total=len(steps), description="evaluating"):
            if name == _ASIDE[0] and begun.busy:
                _drawn_ahead(done["population"])
            told = begun.found() if name in _ASIDE else None
            done[name] = attempt(steps[name]) if told is None else told[name]
    return done


def _drawn_ahead(population: PopulationOfItems | Unavailable) -> None:
    """Work out what a report draws, which is kept, while the second process is still at work."""
    if isinstance(population, PopulationOfItems):
        _ = population.line, population.points


def _beside_people(study: Study, worths: SurveyEquivalence | Unavailable) -> Together:
    if isinstance(worths, Unavailable):
        raise UnanswerableError(worths.reason)
    return beside_the_best(study, worths)


def _next_labels(study: Study, options: EvaluateOptions) -> PilotPlan | ScorePlan:
    if study.scale.has_order:
        return next_ratings(study, options)
    return plan_from_pilot(study, target=options.target, confidence=options.confidence)


def _of_names_alone(study: Study, work: Callable[[], Any]) -> Any:
    """What `work` gives where labels are names; on a scale other parts answer the question."""
    return Unavailable(_ON_A_SCALE, moot=True) if study.scale.has_order else work()


def _on_a_scale(study: Study) -> Study:
    """A study whose labels can be told in numbers; others have none."""
    if not study.scale.has_order:
        raise UnanswerableError("The labels are names, and names have no numbers.")
    return study


def _differences(
    crowd: Crowd,
    scores: Scores | Unavailable,
    equivalence: SurveyEquivalence | Unavailable,
    confidence: float,
) -> Differences:
    if len(crowd.names) < 2:
        raise UnanswerableError("There is one classifier only, so there is nothing to compare.")
    agree = crowd.agreeing["agree"]
    if not isinstance(scores, Unavailable):
        agree = scores.sampled(crowd.names)
    return differences_of(crowd, agree, equivalence, confidence)


def _primary_labels(
    study: Study, flip_rate: str | float, sampling: dict[str, Any]
) -> PrimaryLabels:
    if flip_rate != "auto":
        return deconvolve(study, flip_rate=flip_rate, **sampling)
    if (
        study.ratings.retests_tell
        and study.ratings.n_retests >= _ENOUGH_RETESTS
        and not study.in_groups
    ):
        return deconvolve(study, flip_rate="retest", **sampling)
    as_given = deconvolve(study, flip_rate=0.0, **sampling)
    flips = replace(as_given.flip_rate, method="none", notes=(_no_retests(study.ratings),))
    return replace(as_given, panel=replace(as_given.panel, flips=flips))


def _population(
    study: Study, labels: PrimaryLabels | Unavailable, sampling: dict[str, Any]
) -> PopulationOfItems:
    """The population of what people mean, where it is known how often they slip."""
    known = isinstance(labels, PrimaryLabels) and labels.flip_rate.method != "none"
    slip = labels.flip_rate.mean if known and isinstance(labels, PrimaryLabels) else 0.0
    return population(study, flip_rate=slip, **sampling)


def _there(part: PrimaryLabels | Unavailable) -> PrimaryLabels:
    if isinstance(part, Unavailable):
        raise UnanswerableError(part.reason)
    return part


def _no_retests(ratings: Ratings) -> str:
    if ratings.n_retests >= _ENOUGH_RETESTS and ratings.retests_tell:
        return (
            "Items were looked at in groups, so second answers were not compared with first ones "
            'and labels were taken as they are (headcount.deconvolve with flip_rate="retest" does).'
        )
    if ratings.n_retests >= _ENOUGH_RETESTS:
        return f"{untold_retests(ratings)} Labels were taken as they are."
    asked_twice = (
        f"Only {count(ratings.n_retests, 'answer is', 'answers are')} by raters asked again about "
        "the same item"
        if ratings.n_retests
        else "Nobody was asked twice about the same item"
    )
    by_model = ' (flip_rate="svd" estimates slips from a model of each rater)'
    return (
        f"{asked_twice}, so slips are not known and labels were taken as they are"
        f"{by_model if ratings.named else ''}."
    )
