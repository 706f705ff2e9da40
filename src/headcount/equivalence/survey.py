"""`power_curve`, `survey_equivalence` and `expert_equivalence`: check, compute, pack."""

from dataclasses import replace
from typing import Any

from headcount.data import Study, as_ratings, as_study
from headcount.equivalence.direction import turned_round
from headcount.equivalence.placing import placed
from headcount.equivalence.power_curve import PowerCurve
from headcount.equivalence.question import question_for
from headcount.equivalence.study_curve import MEASURED, measure_study
from headcount.equivalence.two_pools import (
    ExpertEquivalence,
    amateurs_in_experts,
    two_pool_curve,
    two_pool_equivalence,
)
from headcount.equivalence.worth import SurveyEquivalence
from headcount.errors import OptionError
from headcount.options import EquivalenceOptions
from headcount.results import Progress, no_progress


def power_curve(
    ratings: Any,
    *,
    experts: Any = None,
    combiner: Any = EquivalenceOptions.combiner,
    scorer: Any = EquivalenceOptions.scorer,
    max_raters: int | None = EquivalenceOptions.max_raters,
    reference_raters: int = EquivalenceOptions.reference_raters,
    nobody: str = EquivalenceOptions.nobody,
    positive: str | None = EquivalenceOptions.positive,
    clip: float | None = EquivalenceOptions.clip,
    n_bootstrap: int = EquivalenceOptions.n_bootstrap,
    confidence: float = EquivalenceOptions.confidence,
    seed: int = EquivalenceOptions.seed,
    refit: bool = EquivalenceOptions.refit,
    engine: str = EquivalenceOptions.engine,
    two_way: bool | None = EquivalenceOptions.two_way,
    max_surveys: int | None = EquivalenceOptions.max_surveys,
    progress: Progress = no_progress,
) -> PowerCurve:
    """How well surveys of 0, 1, 2, … raters predict one more rater. Needs no classifier.

    Parameters
    ----------
    ratings : Ratings, Study, frame or path
        What people said; surveys are drawn from it.
    experts : Ratings, frame or path, optional
        Another pool of raters, whose answers are to be predicted on the items both rated.
    combiner : str, Combiner or callable
        How a survey's answers become a prediction: "auto", whichever of "fitted" and "abc"
        predicts held-out answers better along the curve (the result says which); "linear",
        "plurality", "frequency", "frequency-overall", "mean", or a function of the surveys'
        counts (R, L).
    scorer : str, Scorer or callable
        How predictions are scored: "auto" (cross_entropy for names, rps for ordered labels),
        "agreement" and others by name, or any function with `sample_weight`.
    max_raters : int, optional
        K, the ratings an item must have to take part (by default what makes most of the data);
        the curve ends at K − `reference_raters`.
    reference_raters : int
        With more than one, surveys are scored against the plurality of so many held-out raters,
        which is then what a combiner learns.
    nobody : {"commonest", "uniform"}
        What plurality says with nobody asked: the commonest label, or every label equally, as in
        the paper.
    positive : str, optional
        The positive label of scorers that have one (by default the last).
    clip : float, optional
        How far probabilities are kept from 0 and 1 (by default 0.04 / number of labels).
    n_bootstrap, confidence, seed : int, float, int
        Bootstrap samples of items (0 for no intervals), confidence of intervals, seed.
    refit : bool
        Whether abc learns anew in each bootstrap sample, as in the paper; draws are then centred
        at the estimate. What fitted learned is always held fixed.
    engine : {"exact"}
        All surveys are worked out. ("literal", the paper's algorithms by columns of raters, has
        left the package for `research/by_columns.py` of its repository.)
    two_way : bool, optional
        Whether raters are a sample too, so that intervals are about other people like these: by
        default where at least three are named. Items that have a cluster are drawn by it.
    max_surveys : int, optional
        Goes with the next release. Past 40 million (pattern, survey) pairs surveys are drawn
        instead of enumerated, and the result says from which k on.
    progress : callable, optional
        Wraps slow loops, as `tqdm` does.

    Returns
    -------
    PowerCurve
        `.score(k)` and `.gain(k)` with intervals, `.points` in the data, `.modelled` ones past
        them, the `.ideal` classifier's score, `.chart()`.

    Notes
    -----
    A survey of k of the n = Σc answers to an item is **y** with probability
    Π C(c_ℓ, y_ℓ) / C(n, k), and the held-out answer is then ℓ with probability
    (c_ℓ − y_ℓ) / (n − k). c_k is the score of the table of all such rows, weighted. Past the data
    c_k and its limit, the ideal classifier, are those of the fitted population of items.

    References
    ----------
    Resnick, Kong, Schoenebeck and Weninger, *Survey Equivalence: A Procedure for Measuring
    Classifier Accuracy Against Human Labels*.

    Examples
    --------
    >>> import headcount as hc
    >>> counts = [[9, 1], [8, 2], [1, 9], [5, 5], [4, 6]] * 100
    >>> curve = hc.power_curve(hc.Ratings.from_counts(counts, labels=["no", "yes"]))
    >>> [round(float(curve.score(k)), 3) for k in (0, 1, 4)]
    [-0.996, -0.948, -0.878]
    """
    options = EquivalenceOptions.among(locals())
    study = as_study(ratings, item_by_item=two_way).symmetric
    question = question_for(
        study.labels,
        options,
        kind=study.scale.kind,
        positive=study.positive,
        design=study.design if experts is None else None,
        progress=progress,
    )
    if experts is not None:
        return two_pool_curve(question, study.ratings, as_ratings(experts), library=study.library)
    everyone = replace(study, predictions=None)
    return measure_study(question, everyone, everyone.sampled(two_way=two_way)).curve(everyone)


def survey_equivalence(
    ratings: Any,
    predictions: Any = None,
    *,
    experts: Any = None,
    combiner: Any = EquivalenceOptions.combiner,
    scorer: Any = EquivalenceOptions.scorer,
    max_raters: int | None = EquivalenceOptions.max_raters,
    reference_raters: int = EquivalenceOptions.reference_raters,
    nobody: str = EquivalenceOptions.nobody,
    positive: str | None = EquivalenceOptions.positive,
    unknown: str = EquivalenceOptions.unknown,
    calibrate: bool | None = EquivalenceOptions.calibrate,
    clip: float | None = EquivalenceOptions.clip,
    n_bootstrap: int = EquivalenceOptions.n_bootstrap,
    confidence: float = EquivalenceOptions.confidence,
    seed: int = EquivalenceOptions.seed,
    refit: bool = EquivalenceOptions.refit,
    engine: str = EquivalenceOptions.engine,
    two_way: bool | None = EquivalenceOptions.two_way,
    max_surveys: int | None = EquivalenceOptions.max_surveys,
    progress: Progress = no_progress,
) -> SurveyEquivalence:
    """How many raters each classifier is worth.

    Everything, classifier and simulated survey alike, is scored by how well it predicts a
    held-out rater; a classifier is worth as many raters as it takes to score as high.

    Parameters
    ----------
    ratings : Ratings, Study, frame or path
        What people said. A Study brings its predictions along.
    predictions : Predictions, frame or path
        What classifiers said, joined by item.
    experts : Ratings, frame or path, optional
        Another pool, one of whom is then the held-out rater; the worth is in raters of `ratings`.
    unknown : {"error", "wrong", "drop"}
        What an answer outside the labels is: a reason to stop, an error of the classifier's, or
        an item to leave out.
    calibrate : bool, optional
        Whether to read answers as how often raters then give each label (isotonic, cross-fitted
        by item) or to take them at their word. By default they are calibrated where the scorer
        reads probabilities, with the worth at their word beside it.
    combiner, scorer, max_raters, reference_raters, nobody, positive, clip, n_bootstrap, \
confidence, seed, refit, engine, two_way, max_surveys, progress
        As for `power_curve`.

    Returns
    -------
    SurveyEquivalence
        `found["name"]` has `.worth`, `.score`, `.gain`, `.of_ideal`, `.as_it_stands`,
        `.performance_ratio`, `.p_beats(k)`; `found.compare("a", "b")` is paired; `.curve` is the
        power curve and `.ideal` the score of the ideal classifier.

    Notes
    -----
    With score h and curve c₀, c₁, … the first k with c_k > h gives the worth
    k − 1 + (h − c_{k−1}) / (c_k − c_{k−1}). A score no better than c₀ is "below". Past the raters
    in the data the curve goes on by the fitted population, and the worth is `modelled`; a score
    that not even that tells apart from the ideal is "above". Both are states, which take part in
    intervals as such.

    References
    ----------
    Resnick, Kong, Schoenebeck and Weninger, *Survey Equivalence: A Procedure for Measuring
    Classifier Accuracy Against Human Labels*.

    Examples
    --------
    >>> import headcount as hc, pyarrow as pa
    >>> counts = [[9, 1], [8, 2], [1, 9], [5, 5], [4, 6]] * 100
    >>> ratings = hc.Ratings.from_counts(counts, labels=["no", "yes"])
    >>> said = pa.table({"item": range(500), "model": [0.2, 0.4, 0.8, 0.4, 0.5] * 100})
    >>> found = hc.survey_equivalence(ratings, said, calibrate=False)
    >>> print(found.verdict())
    model is worth 6.2 raters (6.1 to 6.3): better than six people, not as good as seven.
    >>> found["model"].worth.text(1), round(found["model"].p_beats(6), 2)
    ('6.2 (6.1 to 6.3)', 1.0)
    """
    options = EquivalenceOptions.among(locals())
    study = as_study(ratings, predictions, positive=positive, unknown=unknown, item_by_item=two_way)
    study = study.symmetric
    if study.predictions is None:
        raise OptionError(
            "A worth needs predictions: give them after the ratings, or ask for power_curve."
        )
    question = question_for(
        study.labels,
        options,
        kind=study.scale.kind,
        positive=study.positive,
        design=study.design if experts is None else None,
        progress=progress,
    )
    if experts is not None:
        pool = as_ratings(experts)
        met = Study(pool, study.predictions, study.positive, study.unknown, in_groups=False)
        return two_pool_equivalence(
            question, study.ratings, pool, met.judged, library=study.library
        )
    samples = study.sampled(two_way=two_way)
    found = measure_study(question, study, samples)
    study.kept[MEASURED] = found  # for those who ask more of the same measurement
    curve = found.curve(study)
    worths = placed(
        curve,
        question.scorer,
        found.judged.classifiers,
        found.measured.scores,
        None if found.left is None else found.left.scores,
        turned_round(study, samples, options.confidence),
    )
    return SurveyEquivalence(curve, worths, library=study.library, collected=study.design.lines)


def expert_equivalence(
    amateurs: Any,
    experts: Any,
    *,
    combiner: Any = EquivalenceOptions.combiner,
    scorer: Any = EquivalenceOptions.scorer,
    max_raters: int | None = EquivalenceOptions.max_raters,
    reference_raters: int = EquivalenceOptions.reference_raters,
    nobody: str = EquivalenceOptions.nobody,
    positive: str | None = EquivalenceOptions.positive,
    clip: float | None = EquivalenceOptions.clip,
    n_bootstrap: int = EquivalenceOptions.n_bootstrap,
    confidence: float = EquivalenceOptions.confidence,
    seed: int = EquivalenceOptions.seed,
    refit: bool = EquivalenceOptions.refit,
    max_surveys: int | None = EquivalenceOptions.max_surveys,
    progress: Progress = no_progress,
) -> ExpertEquivalence:
    """How many experts k amateurs are worth, for every k.

    Surveys of amateurs and of experts both predict a held-out expert; k amateurs are worth as
    many experts as it takes to predict as well.

    Parameters
    ----------
    amateurs, experts : Ratings, frame or path
        The two pools, such as `ratings.pool("crowd")` and `ratings.pool("doctors")`, joined by
        item.
    max_raters : int, optional
        The ratings by amateurs that an item must have.
    combiner, scorer, reference_raters, nobody, positive, clip, n_bootstrap, confidence, seed, \
refit, max_surveys, progress
        As for `power_curve`.

    Returns
    -------
    ExpertEquivalence
        `.equivalence(k)` amateurs in experts, `.amateurs_for(k)` the reverse, and both curves.

    Notes
    -----
    Surveys **y** are drawn from an item's answers by amateurs and the held-out label from those
    by experts; the combiner learns P(expert's label | **y**) on the other items.

    References
    ----------
    Resnick, Kong, Schoenebeck and Weninger, *Survey Equivalence*, section on two pools.

    Examples
    --------
    >>> import headcount as hc
    >>> crowd = hc.Ratings.from_counts([[6, 2], [2, 6], [7, 1], [3, 5]] * 80, labels=["a", "b"])
    >>> doctors = hc.Ratings.from_counts([[4, 0], [1, 3], [4, 0], [1, 3]] * 80, labels=["a", "b"])
    >>> found = hc.expert_equivalence(crowd, doctors, n_bootstrap=0)
    >>> print(found.equivalence(1).text(2))
    0.70
    """
    options = EquivalenceOptions.among(locals())
    study, pool = as_study(amateurs), as_ratings(experts)
    question = question_for(
        pool.labels, options, kind=pool.scale.kind, positive=study.positive, progress=progress
    )
    return amateurs_in_experts(question, study.ratings, pool, library=study.library)
