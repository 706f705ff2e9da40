"""May it replace a person? Four answers side by side, and why they differ where they do."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.crowd import Crowd
from headcount.agreement.named import NamedRatings
from headcount.agreement.raters import share_of_others, with_others
from headcount.agreement.replacement import Replacement, Score, replacement
from headcount.data import Study, as_study
from headcount.equivalence import SurveyEquivalence, survey_equivalence
from headcount.errors import UnanswerableError
from headcount.evaluation.part import Unavailable, attempt
from headcount.evaluation.replacement_result import ReplacementTest, StandIn
from headcount.options import CurveOptions, Meeting, ReplacementOptions, Replacing
from headcount.results import Estimate, Progress, no_progress
from headcount.sampling import Bootstrap

Floats = NDArray[np.float64]

UNNAMED = (
    "Whether a classifier may replace a person takes raters with names, at least two on an item: "
    "add a rater column."
)

MANY = (
    "Whether a classifier may replace a person takes each rater in turn, and with so many ratings "
    "items are looked at in groups: ask headcount.replacement_test with two_way=True."
)


def replacement_test(
    ratings: Any,
    predictions: Any = None,
    *,
    epsilon: float = ReplacementOptions.epsilon,
    closeness: str | None = ReplacementOptions.closeness,
    positive: str | None = ReplacementOptions.positive,
    unknown: str = ReplacementOptions.unknown,
    two_way: bool | None = ReplacementOptions.two_way,
    n_bootstrap: int = ReplacementOptions.n_bootstrap,
    confidence: float = ReplacementOptions.confidence,
    seed: int = ReplacementOptions.seed,
    progress: Progress = no_progress,
) -> ReplacementTest:
    """May a classifier replace a person? The alternative annotator test, and what stands beside it.

    Parameters
    ----------
    ratings, predictions
        What people and classifiers said: paths, frames, `Ratings` and `Predictions`, or a Study.
        Raters must be named.
    epsilon
        How much worse than a person a stand-in may be.
    closeness
        "equal": the share of the others who said the same. "rmse": minus the root mean squared
        distance to them. By default "rmse" where labels are numbers.
    positive, unknown
        As in `evaluate`.
    two_way, n_bootstrap, confidence, seed
        Whether raters are a sample too (where at least three are named, by default); bootstrap
        samples, confidence and seed of the intervals.
    progress
        Wraps slow loops.

    Returns
    -------
    ReplacementTest
        For each classifier ω, ρ and the share of draws, how often it agrees with a person less
        how often two people agree, how many raters it is ahead of, and its worth in raters.

    Notes
    -----
    For each rater with at least 30 items that others rated too: d = (the rater is at least as
    close to the others) − (the classifier is), and a one-sided t test of mean d < ε, adjusted by
    Benjamini and Yekutieli. ω is the share of raters for whom it is rejected at .05.

    References
    ----------
    Calderon, Reichart and Dror, *The Alternative Annotator Test for LLM-as-a-Judge*, 2025.

    Examples
    --------
    >>> import headcount as hc
    >>> made = hc.simulate.make("comments", seed=1, items=120, raters=20)
    >>> found = hc.replacement_test(made.ratings, made.predictions, n_bootstrap=50)
    >>> found["fine_tuned"].difference.value > 0
    True
    """
    options = ReplacementOptions.among(locals())
    study = as_study(ratings, predictions, positive=positive, unknown=unknown, item_by_item=two_way)
    if study.predictions is None:
        raise UnanswerableError("A stand-in is a classifier: give predictions too.")
    crowd = Crowd.of(study, Bootstrap.of(options), two_way=two_way)
    given = CurveOptions.among(options.as_given()).as_given()
    curve = {name: each for name, each in given.items() if name not in Meeting().as_given()}
    worth = attempt(lambda: survey_equivalence(study, **curve, progress=progress))
    return stand_ins(study, crowd, worth, Replacing(epsilon=epsilon, closeness=closeness))


def unanswerable(study: Study) -> str | None:
    """Why these data cannot tell whether a classifier may replace a person."""
    if study.in_groups and study.ratings.named and study.part is None:
        return MANY
    if not study.ratings.named or (study.judged.counts.sum(axis=1) < 2).all():
        return UNNAMED
    return None


def stand_ins(
    study: Study,
    crowd: Crowd,
    equivalence: SurveyEquivalence | Unavailable,
    options: Replacing,
) -> ReplacementTest:
    """Every classifier in a person's place."""
    reason = unanswerable(study)
    if reason is not None:
        raise UnanswerableError(reason)
    values = study.labels.values
    numeric = study.scale.has_order and study.labels.n > 2 and values is not None
    closeness: Score = (
        "rmse" if (options.closeness or ("rmse" if numeric else "equal")) == "rmse" else "equal"
    )
    plan, confidence = crowd.plan_of_samples, crowd.plan.confidence
    part, asked = (study, crowd) if study.named is not None else _one_by_one(study, crowd)
    each_rater = _raters(part, crowd.nearness.credit)
    found = []
    for place, name in enumerate(crowd.names):
        tested = _tested(part, asked, place, closeness, options.epsilon)
        agrees = crowd.with_a_person(name)
        found.append(
            StandIn(
                name,
                tested.omega,
                tested.rho,
                tested.ties,
                tested.passed,
                agrees,
                crowd.another_person,
                crowd.ahead(name),
                int((each_rater < float(agrees)).sum()),
                len(each_rater),
                Estimate.undefined(equivalence.reason)
                if isinstance(equivalence, Unavailable)
                else equivalence[name].worth,
                _by_rater(part, tested),
                options.epsilon,
                crowd.nearness,
            )
        )
    return ReplacementTest(
        tuple(found),
        options.epsilon,
        closeness,
        plan.sentence(),
        confidence,
        crowd.nearness,
        None if part is study else part.judged.n_items,
        library=study.library,
    )


def _one_by_one(study: Study, crowd: Crowd) -> tuple[Study, Crowd]:
    """The part of the items that tells who said what, where all of them are looked at in groups."""
    part = study.part
    assert part is not None
    return part, Crowd.of(part, crowd.plan, two_way=False)


def _tested(
    study: Study, crowd: Crowd, place: int, closeness: Score, epsilon: float
) -> Replacement:
    named = study.named
    assert named is not None
    answers = crowd.answers[:, place]
    if closeness == "rmse" and study.labels.values is not None:
        values = study.labels.values
        said = np.where(answers >= 0, values[np.maximum(answers, 0)], np.nan)
        if study.scale.has_order:
            said = crowd.numbers[:, place]
            values = study.scale.places
        rating: Floats = values[named.label]
    else:
        said = np.where(answers >= 0, answers, -1).astype(np.float64)
        rating = named.label.astype(np.float64)
    return replacement(named.item, named.rater, rating, said, score=closeness, epsilon=epsilon)


def _by_rater(study: Study, tested: Replacement) -> tuple[dict[str, Any], ...]:
    assert study.named is not None
    names = study.named.raters
    return tuple(
        {
            "rater": str(names[r]),
            "items": int(tested.items[j]),
            "classifier_wins": float(tested.classifier_wins[j]),
            "rater_wins": float(tested.rater_wins[j]),
            "p_value": float(tested.p_value[j]),
            "adjusted": float(tested.adjusted[j]),
        }
        for j, r in enumerate(tested.raters)
    )


def _raters(study: Study, near: Floats) -> Floats:
    """How often each rater agrees with the others of the same items, those who can be compared."""
    named = study.named
    assert named is not None
    ratings = NamedRatings(
        named.item,
        named.rater,
        named.label,
        tuple(str(name) for name in named.raters),
        len(study.judged.counts),
        study.labels.n,
    )
    agree, among = with_others(ratings, near)
    share, _ = share_of_others(agree, among, named.rater, named.n_raters)
    compared = np.bincount(named.rater, weights=among, minlength=named.n_raters) > 0
    return np.asarray(share[compared])
