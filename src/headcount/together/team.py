"""`together` and `panel`: check, compute, pack."""

from typing import Any

from headcount.data import Study, as_study
from headcount.equivalence import (
    MEASURED,
    ClassifierWorth,
    MeasuredStudy,
    PowerCurve,
    SurveyEquivalence,
    measure_study,
    placed,
    question_for,
)
from headcount.errors import OptionError, UnanswerableError
from headcount.options import EquivalenceOptions, TogetherOptions
from headcount.results import Progress, no_progress
from headcount.together.judge_runs import runs_of
from headcount.together.panel import panel_of
from headcount.together.panel_result import Panel
from headcount.together.result import Together
from headcount.together.team_curve import Team
from headcount.together.team_member import member_of
from headcount.together.whom_to_ask import WhomToAsk


def together(
    ratings: Any,
    predictions: Any = None,
    *,
    scorer: str = TogetherOptions.scorer,
    max_raters: int | None = TogetherOptions.max_raters,
    positive: str | None = TogetherOptions.positive,
    unknown: str = TogetherOptions.unknown,
    n_bootstrap: int = TogetherOptions.n_bootstrap,
    confidence: float = TogetherOptions.confidence,
    seed: int = TogetherOptions.seed,
    two_way: bool | None = TogetherOptions.two_way,
    progress: Progress = no_progress,
) -> Together:
    """How many people a classifier and people are worth together.

    Parameters
    ----------
    ratings : Ratings, Study, frame or path
        What people said. A Study brings its predictions along.
    predictions : Predictions, frame or path
        What classifiers said, joined by item.
    scorer : {"auto", "cross_entropy", "rps", "brier"}
        How predictions of one more person are scored: cross_entropy for names, rps for ordered
        labels (auto).
    max_raters : int, optional
        K, the ratings an item must have to take part (by default what makes most of the data).
    positive : str, optional
        The label that a bare number is the probability of.
    unknown : {"error", "wrong", "drop"}
        What an answer outside the labels is.
    n_bootstrap, confidence, seed : int, float, int
        Bootstrap samples of items (0 for no intervals), confidence of intervals, seed.
    two_way : bool, optional
        Whether raters are a sample too: by default where at least three are named.
    progress : callable, optional
        Wraps slow loops, as `tqdm` does.

    Returns
    -------
    Together
        `team["name"]` has `.worth_with(k)` and `.adds`; `.curve` is that of people alone.

    Notes
    -----
    c⁺ₖ is the score of the best prediction from k people and the classifier's answer; its worth
    k′ is where the curve of people alone reaches it. Answers are put together in cells, with
    S_k[f, b, y] = Σ_i P(y | c_i) over fold f and cell b, or by a pool for each item, or not at all:
    whichever predicts held-out answers best.

    Examples
    --------
    >>> import headcount as hc
    >>> data = hc.simulate.make("running-example", items=400, seed=1)
    >>> team = hc.together(data.ratings, data.predictions, n_bootstrap=0)
    >>> team["calibrated"].worth_with(2).value > 3
    True
    """
    study, found = _measured(
        ratings,
        predictions,
        TogetherOptions.among(locals()),
        progress,
    )
    return team_of(found, found.curve(study), study)


def panel(
    ratings: Any,
    predictions: Any = None,
    *,
    scorer: str = TogetherOptions.scorer,
    max_raters: int | None = TogetherOptions.max_raters,
    positive: str | None = TogetherOptions.positive,
    unknown: str = TogetherOptions.unknown,
    n_bootstrap: int = TogetherOptions.n_bootstrap,
    confidence: float = TogetherOptions.confidence,
    seed: int = TogetherOptions.seed,
    two_way: bool | None = TogetherOptions.two_way,
    progress: Progress = no_progress,
) -> Panel:
    """Several classifiers as one: how many people all are worth, and which suffice.

    Parameters
    ----------
    ratings, predictions, scorer, max_raters, positive, unknown
        As in `together`, with two classifiers or more.
    n_bootstrap, confidence, seed, two_way, progress
        As there.

    Returns
    -------
    Panel
        `worth`, `members` (worth alone, what each adds, its weight), `best` (of one, two, three,
        …), `smallest`, `policy(…)`, `predict(new predictions)`, and `predictions`, which go
        wherever a classifier's do.

    Notes
    -----
    P(ℓ) ∝ p(ℓ) exp(b_ℓ + Σ_j w_j log(q_j(ℓ)/p(ℓ))) with w ≥ 0, where q_j is what people say where
    judge j answers as it does. q, w, b and the selection are learned outside an item's fold.

    Examples
    --------
    >>> import headcount as hc
    >>> data = hc.simulate.make("comments", items=400, seed=1)
    >>> found = hc.panel(data.ratings, data.predictions, n_bootstrap=0)
    >>> [each.size for each in found.best]
    [1, 2, 3]
    """
    study, found = _measured(
        ratings,
        predictions,
        TogetherOptions.among(locals()),
        progress,
    )
    if len(found.given) < 2:
        raise OptionError("A panel is of two classifiers or more: give predictions of both.")
    curve = found.curve(study)
    return panel_of(Team.of(found), curve, _alone(found, curve), study)


def _measured(
    ratings: Any, predictions: Any, options: TogetherOptions, progress: Progress
) -> tuple[Study, MeasuredStudy]:
    two_way = options.two_way
    study = as_study(
        ratings,
        predictions,
        positive=options.positive,
        unknown=options.unknown,
        item_by_item=two_way,
    ).symmetric
    if study.predictions is None:
        raise OptionError("Who works together needs predictions: give them after the ratings.")
    asked = EquivalenceOptions.among({**options.as_given(), "calibrate": True})
    question = question_for(
        study.labels, asked, kind=study.scale.kind, positive=study.positive, progress=progress
    )
    return study, measure_study(question, study, study.sampled(two_way=two_way))


def _alone(found: MeasuredStudy, curve: PowerCurve) -> tuple[ClassifierWorth, ...]:
    """What each classifier is worth with nobody asked, as everywhere else."""
    left = None if found.left is None else found.left.scores
    return placed(
        curve, found.question.scorer, found.judged.classifiers, found.measured.scores, left
    )


def beside_the_best(study: Study, found: SurveyEquivalence) -> Together:
    """The classifier of a study that is worth most, together with people.

    From what its worth was measured by, so that nothing is measured twice.
    """
    measured: MeasuredStudy | None = study.kept.get(MEASURED)
    name = found.best_first()[0].name
    if measured is None or measured.question.scorer.name not in _SCORERS:
        raise UnanswerableError(_BY_CHANCES)
    read = {each.name: each for each in measured.judged.classifiers}[name]
    if read.probabilities is None or measured.question.options.reference_raters > 1:
        raise UnanswerableError(_BY_CHANCES)
    given = next(each for each in measured.given if each.name == name)
    team = Team.of(measured)
    curve = team.curve(given, read)
    member = member_of(
        found.curve, curve, found[name], WhomToAsk(team, given, curve.way, study.library)
    )
    return Together((member,), curve=found.curve, library=study.library)


_SCORERS = ("cross_entropy", "rps", "brier")
_BY_CHANCES = (
    "What a classifier adds to people is told by a score of probabilities of one more person: "
    f"{', '.join(_SCORERS[:-1])} or {_SCORERS[-1]}."
)


def team_of(found: MeasuredStudy, curve: PowerCurve, study: Study) -> Together:
    """Classifiers and people from what was measured of a study, on its `curve` of people alone."""
    team, alone = Team.of(found), _alone(found, curve)
    progress, library = found.question.progress, study.library
    curves = progress(team.curves(), total=len(found.given), description="Classifiers with people")
    members = tuple(
        member_of(curve, each, of, WhomToAsk(team, given, each.way, library))
        for each, of, given in zip(curves, alone, found.given, strict=True)
    )
    notes: tuple[str, ...] = ()
    if found.samples.part is not None:
        notes = ("Intervals of a classifier with people are about items alone: ratings are many.",)
    together = panel_of(team, curve, alone, study) if len(members) > 1 else None
    notes = (*notes, *study.design.as_they_stand)
    runs, variants = runs_of(team, study, curve)
    return Together(members, together, runs, variants, curve=curve, notes=notes, library=library)
