"""`evaluate` where labels are numbers: what scores can be asked, nothing that is about names."""

from dataclasses import replace
from typing import Any

from headcount.data import Nearness, Study
from headcount.errors import UnanswerableError
from headcount.evaluation.classifier import ClassifierEvaluation
from headcount.evaluation.evaluation import Evaluation
from headcount.evaluation.facts import DataFacts
from headcount.evaluation.part import Unavailable, attempt
from headcount.evaluation.ranking import ranking_of
from headcount.evaluation.readings import ReadingOfWorth, Readings
from headcount.options import EvaluateOptions
from headcount.plan import ScorePlan, plan_scores
from headcount.results import Estimate
from headcount.scores import JudgeScores, ScoreAgreement, judge_sentences, scores

_OF_NUMBERS = "The labels are numbers: what there is to say of them stands under numbers."
_NO_CEILING = "what any classifier could reach is known of levels, and these are numbers"


def evaluate_numbers(study: Study, options: EvaluateOptions) -> Evaluation:
    """An evaluation of judges who give numbers, by people who do."""
    found = scores(study, **asked(options))
    elsewhere = Unavailable(_OF_NUMBERS, moot=True)
    nearness = replace(Nearness.of(study.scale), tolerance=found.tolerance)
    parts: dict[str, Any] = dict.fromkeys(_NOT_OF_NUMBERS, elsewhere)
    return Evaluation(
        classifiers=tuple(_judged(found, each) for each in found.classifiers),
        **parts,
        next_labels=attempt(lambda: next_ratings(study, options)),
        numbers=found,
        readings=Readings(
            "squared_error",
            tuple(
                ReadingOfWorth(each.name, "squared_error", each.worth, each.as_it_stands)
                for each in found.classifiers
            ),
            library=study.library,
        ),
        ranking=attempt(lambda: ranking_of(study, options)),
        influential=(),
        decided=None,
        samples=found.samples,
        nearness=nearness,
        data=_facts(study, found),
        settings=options,
        library=study.library,
    )


_NOT_OF_NUMBERS = (
    "agreement",
    "equivalence",
    "population",
    "accuracy",
    "primary_labels",
    "scores",
    "levels",
    "differences",
    "replacement",
    "groups",
    "slices",
    "confusion",
    "one_person",
    "together",
    "drift",
)


def asked(options: EvaluateOptions) -> dict[str, Any]:
    """The options of `scores` among those of an evaluation."""
    return {
        "two_way": options.two_way,
        "unknown": "error" if options.unknown == "error" else "drop",
        "confidence": options.confidence,
        "seed": options.seed,
    }


def next_ratings(study: Study, options: EvaluateOptions) -> ScorePlan:
    """What more ratings would save of what choosing now loses, by distance to a person."""
    if len(study.names) < 2:
        raise UnanswerableError("There is one classifier only, so there is nothing to choose.")
    unknown = asked(options)["unknown"]
    return plan_scores(study, target=options.target, confidence=options.confidence, unknown=unknown)


def _judged(found: ScoreAgreement, judge: JudgeScores) -> ClassifierEvaluation:
    unknown = Estimate.undefined(_NO_CEILING)
    unseen = Estimate.undefined("ratings were not looked at one by one")
    return ClassifierEvaluation(
        judge.name,
        "numbers",
        judge.worth,
        judge.as_it_stands,
        judge.near or unseen,
        unknown,
        unknown,
        Estimate.undefined("a number is near or far, and not right or wrong"),
        judge.distance,
        judge.bias,
        judge.answered,
        judge.out_of,
        0,
        judge_sentences(found, judge),
        judge.ahead or unseen,
        judge.turned_round,
    )


def _facts(study: Study, found: ScoreAgreement) -> DataFacts:
    ratings = study.ratings
    return DataFacts(
        ratings.name,
        "" if study.predictions is None else study.predictions.name,
        ratings.n_items,
        found.items,
        ratings.n_ratings,
        ratings.n_raters,
        ratings.n_retests,
        (f"{found.least:g} to {found.most:g}",),
        study.scale.kind,
        found.notes,
    )
