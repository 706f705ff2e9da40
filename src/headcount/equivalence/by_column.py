"""The paper's algorithms on named raters, packed as the same results."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data import Judged, Ratings
from headcount.data.calibration import calibrate as calibrated
from headcount.equivalence.classifiers import cautions, named_scores
from headcount.equivalence.curve_result import PowerCurve
from headcount.equivalence.equivalence_result import SurveyEquivalence
from headcount.equivalence.exact import Curve
from headcount.equivalence.literal import Literal, literal_curve, literal_score
from headcount.equivalence.packing import pack_curve
from headcount.equivalence.plan import Plan
from headcount.errors import OptionError
from headcount.scorers import prediction_for

Ints = NDArray[np.int64]


def literal_curve_result(plan: Plan, ratings: Ratings) -> PowerCurve:
    """The curve by subsets of the raters' columns."""
    items, matrix = _matrix(ratings)
    draws = plan.bootstrap.item_draws(np.ones(len(items), dtype=np.int64))
    return _pack(plan, ratings, matrix, _curve(plan, matrix, draws), ())


def literal_equivalence(
    plan: Plan, ratings: Ratings, judged: Judged, *, calibrate: bool
) -> SurveyEquivalence:
    """Classifiers scored column by column, on the curve by subsets of columns."""
    items, matrix = _matrix(ratings)
    place = {name: row for row, name in enumerate(items)}
    assert judged.items is not None
    matrix = matrix[[place[name] for name in judged.items]]
    if calibrate:
        judged = calibrated(judged, seed=plan.bootstrap.seed)
    draws = plan.bootstrap.item_draws(judged.size)
    curve = _curve(plan, matrix, draws)
    scores = []
    for each in judged.classifiers:
        prediction: NDArray[Any] = np.asarray(prediction_for(each, plan.scorer, plan.labels))
        value, drawn = literal_score(prediction, matrix, _how(plan), draws=draws)
        scores.append(np.concatenate([[value], drawn]))
    packed = _pack(plan, ratings, matrix, curve, judged.notes, cautions(plan, judged))
    return SurveyEquivalence(packed, named_scores(plan, judged, tuple(scores)))


def _matrix(ratings: Ratings) -> tuple[NDArray[np.object_], Ints]:
    if not ratings.named:
        raise OptionError(
            f'engine="literal" needs to know who said what, and {ratings.name} holds counts '
            'only: use engine="exact".'
        )
    answers = ratings.answers()
    return answers.items, answers.matrix()


def _how(plan: Plan) -> Literal:
    return Literal(
        labels=plan.labels,
        combiner=plan.combiner,
        scorer=plan.scorer,
        reference_raters=plan.reference_raters,
        refit=plan.refit,
        positive=plan.positive,
        clip=plan.clip,
        seed=plan.bootstrap.seed,
    )


def _curve(plan: Plan, matrix: Ints, draws: Ints) -> Curve:
    found = literal_curve(
        matrix, _how(plan), max_raters=plan.max_raters, draws=draws, progress=plan.progress
    )
    points = len(found.score)
    return Curve(
        scores=found.score,
        draws=found.draws,
        support=np.ones(points),
        backed_off=np.zeros(points, dtype=np.int64),
        error=found.error,
        refitted=plan.refit and plan.combiner.learned,
        surveys=int(found.subsets.sum()),
    )


def _pack(
    plan: Plan,
    ratings: Ratings,
    matrix: Ints,
    curve: Curve,
    notes: tuple[str, ...],
    warned: tuple[str, ...] = (),
) -> PowerCurve:
    return pack_curve(
        plan,
        curve,
        raters=len(curve.scores) - 1 + plan.reference_raters,
        items_used=len(matrix),
        items_dropped=ratings.n_items - len(matrix),
        notes=(*notes, *ratings.notes),
        cautions=(*_columns_note(matrix), *warned),
    )


def _columns_note(matrix: Ints) -> tuple[str, ...]:
    blank = float((matrix < 0).mean())
    if not blank:
        return ()
    return (
        f"The literal engine draws raters as columns, and {blank:.0%} of the cells are blank: k "
        'raters here are often fewer answers than k (engine="exact" draws k answers an item).',
    )
