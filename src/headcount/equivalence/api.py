"""`power_curve` and `survey_equivalence`: check, compute, pack."""

from collections.abc import Callable
from typing import Any

from headcount.data import Judged, Predictions, Ratings, judge, judge_grouped
from headcount.data.calibration import calibrate as calibrated
from headcount.equivalence.by_column import literal_curve_result, literal_equivalence
from headcount.equivalence.classifiers import cautions, named_scores, scored_classifiers
from headcount.equivalence.combiners import Combiner
from headcount.equivalence.curve_result import PowerCurve
from headcount.equivalence.equivalence_result import SurveyEquivalence
from headcount.equivalence.grouping import Grouping
from headcount.equivalence.measuring import draw, measure_curve
from headcount.equivalence.packing import pack_curve
from headcount.equivalence.plan import Plan, plan_for
from headcount.equivalence.pools import two_pool_curve, two_pool_equivalence
from headcount.results import Progress, no_progress
from headcount.scorers import Scorer
from headcount.stats import Bootstrap


def power_curve(
    ratings: Ratings,
    *,
    experts: Ratings | None = None,
    combiner: str | Combiner | Callable[..., Any] = "abc",
    scorer: str | Scorer | Callable[..., Any] = "cross_entropy",
    max_raters: int | None = None,
    reference_raters: int = 1,
    positive: str | None = None,
    clip: float | None = None,
    n_bootstrap: int = 500,
    confidence: float = 0.95,
    seed: int = 0,
    refit: bool = True,
    engine: str = "exact",
    max_surveys: int = 40_000_000,
    progress: Progress = no_progress,
) -> PowerCurve:
    """How well surveys of 0, 1, 2, … raters predict one more rater.

    Needs no classifier. With `experts`, the rater to predict is one of those, on the items that
    both pools rated, and surveys are drawn from `ratings` alone. `max_raters` is K, the ratings
    an item must have to take part (by default what makes most of the data); the curve ends at K
    − `reference_raters`. With `reference_raters` above one, surveys are scored against the
    plurality of so many held-out raters. `clip` keeps probabilities from 0 and 1 (by default
    0.04 / number of labels). `refit=False` holds a learned combiner fixed in the bootstrap.
    `engine="literal"` scores subsets of named raters column by column, as the paper's
    algorithms are printed. Past `max_surveys` (pattern, survey) pairs, surveys are drawn
    instead of enumerated.

    >>> import headcount as hc
    >>> counts = [[9, 1], [8, 2], [1, 9], [5, 5], [4, 6]] * 100
    >>> curve = hc.power_curve(hc.Ratings.from_counts(counts, labels=["no", "yes"]))
    >>> [round(curve.score(k).value, 3) for k in (0, 1, 4)]
    [-0.996, -0.948, -0.878]
    """
    plan = plan_for(
        ratings.labels,
        combiner=combiner,
        scorer=scorer,
        positive=positive,
        clip=clip,
        max_raters=max_raters,
        reference_raters=reference_raters,
        bootstrap=Bootstrap(n_bootstrap, confidence, seed),
        refit=refit,
        engine=engine,
        max_surveys=max_surveys,
        progress=progress,
    )
    if experts is not None:
        return two_pool_curve(plan, ratings, experts)
    if engine == "literal":
        return literal_curve_result(plan, ratings)
    patterns = ratings.patterns()
    block = plan.block(patterns.raters, patterns.items)
    kept = patterns.only(block.keep)
    grouping = Grouping.of(kept.counts, kept.items)
    drawn = draw(plan.bootstrap, kept.items, (grouping,))
    curve = measure_curve(plan, grouping, drawn.samples[0], block.raters - plan.reference_raters)
    note = block.note()
    return pack_curve(
        plan,
        curve,
        raters=block.raters,
        items_used=block.items_used,
        items_dropped=block.items_dropped,
        notes=(*((note,) if note else ()), *ratings.notes),
    )


def survey_equivalence(
    ratings: Ratings,
    predictions: Predictions,
    *,
    experts: Ratings | None = None,
    combiner: str | Combiner | Callable[..., Any] = "abc",
    scorer: str | Scorer | Callable[..., Any] = "cross_entropy",
    max_raters: int | None = None,
    reference_raters: int = 1,
    positive: str | None = None,
    unknown: str = "error",
    calibrate: bool = False,
    clip: float | None = None,
    n_bootstrap: int = 500,
    confidence: float = 0.95,
    seed: int = 0,
    refit: bool = True,
    engine: str = "exact",
    max_surveys: int = 40_000_000,
    progress: Progress = no_progress,
) -> SurveyEquivalence:
    """How many raters each classifier is worth.

    Everything, classifier and simulated survey alike, is scored by how well it predicts a
    held-out rater; a classifier is worth as many raters as it takes to score as high. With
    `experts`, the held-out rater is one of those, and the worth is in raters of `ratings`.
    `calibrate` adds each classifier once more with its outputs calibrated to the raters
    (isotonic, cross-fitted by item). `unknown` says what an answer outside the labels is, as
    for `judge`. The other options are those of `power_curve`.

    >>> import headcount as hc, pyarrow as pa
    >>> counts = [[9, 1], [8, 2], [1, 9], [5, 5], [4, 6]] * 100
    >>> ratings = hc.Ratings.from_counts(counts, labels=["no", "yes"])
    >>> said = {"item": range(500), "model": [0.2, 0.4, 0.8, 0.4, 0.5] * 100}
    >>> found = hc.survey_equivalence(ratings, hc.Predictions.from_frame(pa.table(said)))
    >>> print(found.verdict())
    model is worth 6.20 raters (6.13 to 6.27): better than six people, not as good as seven.
    """
    plan = plan_for(
        ratings.labels,
        combiner=combiner,
        scorer=scorer,
        positive=positive,
        clip=clip,
        max_raters=max_raters,
        reference_raters=reference_raters,
        bootstrap=Bootstrap(n_bootstrap, confidence, seed),
        refit=refit,
        engine=engine,
        max_surveys=max_surveys,
        progress=progress,
    )
    if experts is not None:
        judged = judge(experts, predictions, positive=positive, unknown=unknown)
        return two_pool_equivalence(plan, ratings, experts, judged, calibrate=calibrate)
    # Folds and columns of raters are drawn item by item; everything else sees groups only.
    item_by_item = calibrate or engine == "literal"
    join = judge if item_by_item else judge_grouped
    judged = join(ratings, predictions, positive=positive, unknown=unknown)
    if engine == "literal":
        return literal_equivalence(plan, ratings, judged, calibrate=calibrate)
    block = plan.block(judged.counts.sum(axis=1), judged.size)
    kept = judged.take(block.keep)
    if calibrate:
        kept = calibrated(kept, seed=seed).grouped()
    note = block.note()
    notes = (*((note,) if note else ()), *judged.notes, *ratings.notes)
    dropped = ratings.n_items - block.items_used
    return _exact_equivalence(plan, kept, block.raters, dropped, notes)


def _exact_equivalence(
    plan: Plan, judged: Judged, raters: int, dropped: int, notes: tuple[str, ...]
) -> SurveyEquivalence:
    grouping = Grouping.of(judged.counts, judged.size)
    scored = scored_classifiers(plan, judged)
    drawn = draw(plan.bootstrap, judged.size, (grouping,), tuple(each.scores for each in scored))
    curve = measure_curve(plan, grouping, drawn.samples[0], raters - plan.reference_raters)
    result = pack_curve(
        plan,
        curve,
        raters=raters,
        items_used=judged.n_items,
        items_dropped=dropped,
        notes=notes,
        cautions=cautions(plan, judged),
    )
    return SurveyEquivalence(result, named_scores(plan, judged, drawn.scores))
