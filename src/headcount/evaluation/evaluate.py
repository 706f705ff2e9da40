"""`evaluate`: every method on one data set, sharing what they can share."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from headcount.accuracy import SystemAccuracy, system_accuracy
from headcount.agreement import Agreement, agreement
from headcount.budget import PilotPlan, plan_from_pilot
from headcount.data import Judged, Predictions, Ratings, judge
from headcount.deconvolution import PrimaryLabels, deconvolve
from headcount.equivalence import SurveyEquivalence, survey_equivalence
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.evaluation.decisions import decisions
from headcount.evaluation.evaluation import Evaluation
from headcount.evaluation.facts import Settings, facts_of
from headcount.evaluation.part import Unavailable, attempt
from headcount.evaluation.standing import CALIBRATED, meaningful, standing_of
from headcount.results import Progress, count, no_progress
from headcount.scorers import resolve_scorer
from headcount.stats import Bootstrap

_ENOUGH_RETESTS = 100
_RESERVED = ("oracle", "soft oracle", "ceiling")


def evaluate(
    ratings: Ratings,
    predictions: Predictions,
    *,
    positive: str | None = None,
    unknown: str = "error",
    combiner: str = "abc",
    scorer: str = "cross_entropy",
    max_raters: int | None = None,
    calibrate: bool | None = None,
    flip_rate: str | float = "auto",
    target: float = 0.95,
    n_bootstrap: int = 500,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Evaluation:
    """Everything these data can answer: worth in raters, ceiling, accuracy, what to label next.

    A part that the data cannot support is there with the reason. Classifiers are compared on
    the items that all of them answered; `unknown` says what an answer outside the labels is
    ("error", "wrong" or "drop"), `positive` names the label of bare probabilities.
    `combiner`, `scorer` and `max_raters` are those of `survey_equivalence`; `calibrate` reads
    answers as how often raters then give each label (by default where the scorer reads
    probabilities). `flip_rate` is that of `deconvolve`, but "auto" stays with retests: fitting
    a model of every rater (`flip_rate="svd"`) takes its time and must be asked for. `target`
    is the probability with which the classifier chosen after the next labels shall be the best.
    """
    plan = Bootstrap(n_bootstrap, confidence, seed)
    judged = judge(ratings, predictions, positive=positive, unknown=unknown)
    _check_names([each.name for each in judged.classifiers])
    if not 0.5 < target < 1:
        raise OptionError(f"target is a probability between 0.5 and 1; it was {target!r}.")
    task = _Task(ratings, predictions, judged, positive, unknown, plan)
    calibrated = _reads_probabilities(scorer) if calibrate is None else calibrate
    steps: dict[str, Callable[[], Any]] = {
        "agreement": task.agreement,
        "equivalence": lambda: task.equivalence(combiner, scorer, max_raters, calibrated),
        "accuracy": task.accuracy,
        "primary_labels": lambda: task.primary_labels(flip_rate),
        "scores": lambda: _given(done["primary_labels"]).score(decided, unknown="wrong"),
        "levels": lambda: _given(done["primary_labels"]).by_level(decided, unknown="wrong"),
        "next_labels": lambda: task.next_labels(target, decided),
    }
    decided = decisions(judged)
    done: dict[str, Any] = {}
    for name in progress(steps, total=len(steps), description="evaluating"):
        done[name] = attempt(steps[name])
    standings = tuple(
        standing_of(each, done["equivalence"], done["scores"], done["accuracy"])
        for each in judged.classifiers
    )
    settings = Settings(
        combiner,
        scorer,
        max_raters,
        calibrated,
        positive,
        unknown,
        str(flip_rate),
        target,
        plan,
    )
    facts = facts_of(ratings, predictions, judged)
    return Evaluation(**done, standings=standings, data=facts, settings=settings)


@dataclass(frozen=True)
class _Task:
    """The data and the choices that every part shares."""

    ratings: Ratings
    predictions: Predictions
    judged: Judged
    positive: str | None
    unknown: str
    plan: Bootstrap

    @property
    def sampling(self) -> dict[str, Any]:
        plan = self.plan
        return {"n_bootstrap": plan.samples, "confidence": plan.confidence, "seed": plan.seed}

    @property
    def meeting(self) -> dict[str, Any]:
        return {"positive": self.positive, "unknown": self.unknown}

    def agreement(self) -> Agreement:
        return agreement(self.ratings, **self.sampling)

    def equivalence(
        self, combiner: str, scorer: str, max_raters: int | None, calibrated: bool
    ) -> SurveyEquivalence:
        found = survey_equivalence(
            self.ratings,
            self.predictions,
            combiner=combiner,
            scorer=scorer,
            max_raters=max_raters,
            calibrate=calibrated,
            **self.meeting,
            **self.sampling,
        )
        return meaningful(found, self.judged.classifiers)

    def accuracy(self) -> SystemAccuracy:
        return system_accuracy(self.ratings, self.predictions, **self.meeting, **self.sampling)

    def primary_labels(self, flip_rate: str | float) -> PrimaryLabels:
        if flip_rate != "auto":
            return deconvolve(self.ratings, flip_rate=flip_rate, **self.sampling)
        if self.ratings.n_retests >= _ENOUGH_RETESTS:
            return deconvolve(self.ratings, flip_rate="retest", **self.sampling)
        as_given = deconvolve(self.ratings, flip_rate=0.0, **self.sampling)
        flips = replace(as_given.flip_rate, method="none", notes=(_no_retests(self.ratings),))
        return replace(as_given, panel=replace(as_given.panel, flips=flips))

    def next_labels(self, target: float, decided: Predictions) -> PilotPlan:
        """Which to choose by the share of people who agree, and what more labels would save."""
        return plan_from_pilot(
            self.ratings,
            decided,
            target=target,
            unknown="wrong",
            confidence=self.plan.confidence,
        )


def _no_retests(ratings: Ratings) -> str:
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


def _check_names(names: Sequence[str]) -> None:
    """Names that the parts give to classifiers of their own would be mistaken for those."""
    taken = [name for name in names if name in _RESERVED or name.removesuffix(CALIBRATED) != name]
    if taken:
        raise InputError(
            f"The classifier {taken[0]!r} needs another name in an evaluation: 'oracle' is the "
            f"best that any classifier could do there, and '…{CALIBRATED}' a calibrated one."
        )


def _given(part: PrimaryLabels | Unavailable) -> PrimaryLabels:
    if isinstance(part, Unavailable):
        raise UnanswerableError(part.reason)
    return part


def _reads_probabilities(scorer: str) -> bool:
    """Whether certainty is punished by it, so that labels alone would be unfair to score."""
    found = resolve_scorer(scorer)
    return found.takes == "probabilities" and not found.hard_too
