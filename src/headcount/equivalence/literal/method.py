"""The paper's algorithms on named raters, as the same results as the exact engine's."""

import numpy as np
from numpy.typing import NDArray

from headcount.data import Ratings, Study
from headcount.equivalence.choice import Surveyed
from headcount.equivalence.curve import PowerCurve
from headcount.equivalence.curve_result import curve_result
from headcount.equivalence.exact import Curve
from headcount.equivalence.literal.curve import Literal, literal_curve, literal_score
from headcount.equivalence.measure import cautions, in_readings, prediction_of
from headcount.equivalence.placing import placed
from headcount.equivalence.question import Question
from headcount.equivalence.worth import SurveyEquivalence
from headcount.errors import OptionError
from headcount.results import percent

Ints = NDArray[np.int64]


def literal_power_curve(question: Question, study: Study) -> PowerCurve:
    """The curve by subsets of the raters' columns."""
    items, matrix = _matrix(study.ratings)
    draws = question.bootstrap.item_draws(np.ones(len(items), dtype=np.int64))
    return _result(question, study, matrix, _curve(question, matrix, draws), study.ratings.notes)


def literal_equivalence(question: Question, study: Study) -> SurveyEquivalence:
    """Classifiers scored column by column, on the curve by subsets of columns."""
    items, matrix = _matrix(study.ratings)
    place = {name: row for row, name in enumerate(items)}
    judged = study.judged
    assert judged.items is not None
    read = in_readings(question, judged)
    matrix = matrix[[place[name] for name in judged.items]]
    draws = question.bootstrap.item_draws(judged.size)
    curve = _curve(question, matrix, draws)
    scores = []
    for each in read.classifiers:
        prediction = prediction_of(question, each)
        value, drawn = literal_score(prediction, matrix, _how(question), draws=draws)
        scores.append(np.concatenate([[value], drawn]))
    warned = cautions(question, read)
    result = _result(question, study, matrix, curve, study.notes, warned)
    worths = placed(result, question.scorer, read.classifiers, scores)
    return SurveyEquivalence(result, worths, library=study.library)


def _matrix(ratings: Ratings) -> tuple[NDArray[np.object_], Ints]:
    if not ratings.named:
        raise OptionError(
            f'engine="literal" needs to know who said what, and {ratings.name} holds counts '
            'only: use engine="exact".'
        )
    answers = ratings.answers()
    return answers.items, answers.matrix()


def _how(question: Question) -> Literal:
    return Literal(
        labels=question.labels,
        combiner=question.combiner,
        scorer=question.scorer,
        reference_raters=question.options.reference_raters,
        refit=question.options.refit,
        positive=question.positive,
        clip=question.clip,
        seed=question.options.seed,
    )


def _curve(question: Question, matrix: Ints, draws: Ints) -> Curve:
    found = literal_curve(
        matrix,
        _how(question),
        max_raters=question.options.max_raters,
        draws=draws,
        progress=question.progress,
    )
    points = len(found.score)
    return Curve(
        scores=found.score,
        draws=found.draws,
        support=np.ones(points),
        backed_off=np.zeros(points, dtype=np.int64),
        error=found.error,
        refitted=question.options.refit and question.combiner.learned,
        surveys=int(found.subsets.sum()),
    )


def _result(
    question: Question,
    study: Study,
    matrix: Ints,
    curve: Curve,
    notes: tuple[str, ...],
    warned: tuple[str, ...] = (),
) -> PowerCurve:
    return curve_result(
        question,
        Surveyed(curve, question.combiner, question.settled),
        raters=len(curve.scores) - 1 + question.options.reference_raters,
        items_used=len(matrix),
        items_dropped=study.ratings.n_items - len(matrix),
        notes=notes,
        cautions=(*_columns_note(matrix), *warned),
        library=study.library,
    )


def _columns_note(matrix: Ints) -> tuple[str, ...]:
    blank = float((matrix < 0).mean())
    if not blank:
        return ()
    return (
        f"The literal engine draws raters as columns, and {percent(blank, 0)} of the cells are "
        'blank: k raters here are often fewer answers than k (engine="exact" draws k answers an '
        "item).",
    )
