"""`together`: check, compute, pack."""

from typing import Any

from headcount.data import as_study
from headcount.equivalence import (
    ClassifierWorth,
    MeasuredStudy,
    PowerCurve,
    measure_study,
    placed,
    question_for,
    worth_on,
)
from headcount.errors import OptionError
from headcount.options import EquivalenceOptions, TogetherOptions
from headcount.results import Estimate, Progress, no_progress
from headcount.together.result import TeamMember, Together, WithPeople, added_to_people
from headcount.together.team_curve import Team, TeamCurve
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
    options = TogetherOptions.among(locals())
    study = as_study(ratings, predictions, positive=positive, unknown=unknown, item_by_item=two_way)
    if study.predictions is None:
        raise OptionError("Who works together needs predictions: give them after the ratings.")
    asked = EquivalenceOptions.among({**options.as_given(), "calibrate": True})
    question = question_for(
        study.labels, asked, kind=study.scale.kind, positive=study.positive, progress=progress
    )
    found = measure_study(question, study, study.sampled(two_way=two_way))
    return team_of(found, found.curve(study), study.library)


def team_of(found: MeasuredStudy, curve: PowerCurve, library: str) -> Together:
    """Classifiers and people from what was measured of a study, on its `curve` of people alone."""
    team = Team.of(found)
    left = None if found.left is None else found.left.scores
    alone = placed(
        curve, found.question.scorer, found.judged.classifiers, found.measured.scores, left
    )
    progress = found.question.progress
    curves = progress(team.curves(), total=len(found.given), description="Classifiers with people")
    members = tuple(
        _member(curve, each, of, WhomToAsk(team, given, each.way, library))
        for each, of, given in zip(curves, alone, found.given, strict=True)
    )
    notes: tuple[str, ...] = ()
    if found.samples.part is not None:
        notes = ("Intervals of a classifier with people are about items alone: ratings are many.",)
    return Together(members, curve=curve, notes=notes, library=library)


def _member(
    curve: PowerCurve, team: TeamCurve, alone: ClassifierWorth, asks: WhomToAsk
) -> TeamMember:
    """One classifier: alone as it is worth anywhere, then with one person, two, …"""
    rows = [WithPeople(0, alone.score, alone.worth)]
    for k in range(1, len(team.scores)):
        left = None if team.without is None else team.without[:, k]
        score = curve.asked.sampled(team.scores[k], team.draws[:, k], left)
        worth = worth_on(curve, float(team.scores[k]), team.draws[:, k], left)
        if team.way == "people":
            score, worth = curve.sampled(k), _of_no_help(worth, k, team.tells)
        rows.append(WithPeople(k, curve.asked.estimate(score), worth))
    found = tuple(rows)
    return TeamMember(
        alone.name,
        found,
        added_to_people(found, at_least=team.thin),
        policies=asks.figures(),
        asks=asks,
        way=team.way,
        held_out=team.held_out,
        at_least=team.thin,
    )


def _of_no_help(worth: Estimate, people: int, tells: bool) -> Estimate:
    """With a classifier of no help k people are k: and as much more as it might still be."""
    if worth.low is None and worth.high is None:
        return Estimate(float(people), state="within")
    high = float(people) if not tells or worth.high is None else max(worth.high, float(people))
    return Estimate(float(people), float(people), high, "within", "within", "within", floor=0.0)
