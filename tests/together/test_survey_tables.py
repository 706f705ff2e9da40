"""The tables of surveys by fold and cell."""

import numpy as np
import pytest

from headcount.population.surveys import every_survey
from headcount.together.survey_tables import (
    SurveyTables,
    chances_of_surveys,
    next_answers,
    reach_of_tables,
    survey_after,
    survey_before,
)

from . import brute


@pytest.fixture(params=[2, 3])
def items(request):
    rng = np.random.default_rng(request.param)
    n_labels = request.param
    counts = rng.multinomial(5, rng.dirichlet(np.ones(n_labels), size=8))
    counts[0, 0] += 1  # ratings need not be as many everywhere
    return counts, rng.integers(3, size=8), rng.integers(2, size=8)


@pytest.mark.parametrize("k", [0, 1, 2, 3])
def test_tables_against_brute_force(items, k):
    counts, cell, _ = items
    tables = SurveyTables.of(counts, np.ones(8), cell, 3)
    expected = brute.surveyed(counts, cell, k)
    y = every_survey(k, counts.shape[1])
    for at in range(3):
        for place, row in enumerate(y):
            told = expected.get((at, tuple(row)), 0.0)
            assert tables.surveyed(k)[0, at, place] == pytest.approx(told)


@pytest.mark.parametrize("k", [0, 1, 3])
def test_next_answers_are_one_answer_more_against_brute_force(items, k):
    counts, cell, _ = items
    tables = SurveyTables.of(counts, np.ones(8), cell, 3)
    nexts = next_answers(tables.surveyed(k + 1), k, counts.shape[1])
    rng = np.random.default_rng(k)
    scores = rng.normal(size=nexts.shape)
    y = [tuple(row) for row in every_survey(k, counts.shape[1])]
    named = {(b, each): scores[0, b, place] for b in range(3) for place, each in enumerate(y)}
    assert (nexts * scores).sum() / 8 == pytest.approx(brute.score(counts, cell, k, named))
    # What comes next adds up to what came before.
    assert nexts.sum(axis=-1) == pytest.approx(tables.surveyed(k))


def test_scores_of_items_add_up_to_those_of_tables(items):
    counts, cell, fold = items
    tables = SurveyTables.of(counts, np.arange(1, 9), cell, 3, fold, 2)
    scores = np.random.default_rng(0).normal(size=(2, 3, len(every_survey(2, counts.shape[1])), 3))
    scores = scores[..., : counts.shape[1]]
    whole = next_answers(tables.surveyed(3), 2, counts.shape[1])
    parts = tables.score_of_parts(scores, 2)
    assert tables.size @ parts == pytest.approx((whole * scores).sum())


def test_a_resample_is_a_reweighting(items):
    counts, cell, fold = items
    drawn = np.random.default_rng(1).integers(8, size=8)
    times = np.bincount(drawn, minlength=8)
    weighted = SurveyTables.of(counts, times, cell, 3, fold, 2).surveyed(2)
    again = SurveyTables.of(counts[drawn], np.ones(8), cell[drawn], 3, fold[drawn], 2).surveyed(2)
    assert weighted == pytest.approx(again)


@pytest.mark.parametrize(("k", "n_labels"), [(0, 2), (1, 3), (3, 4), (2, 10)])
def test_neighbours_point_at_each_other(k, n_labels):
    before, after = survey_before(k, n_labels), survey_after(k, n_labels)
    y, longer = every_survey(k, n_labels), every_survey(k + 1, n_labels)
    for label in range(n_labels):
        step = np.eye(n_labels, dtype=int)[label]
        assert (longer[after[:, label]] == y + step).all()
        assert (before[after[:, label], label] == np.arange(len(y))).all()
        assert (before[longer[:, label] == 0, label] == -1).all()


def test_too_few_answers_show_no_survey():
    chances = chances_of_surveys(np.array([[1, 1], [300, 400]]), 3)
    assert chances.sum(axis=1) == pytest.approx([0, 1])


def test_tables_stop_where_they_would_be_too_large():
    assert reach_of_tables(100, 200, 2, 30) == 12
    assert reach_of_tables(3000, 200, 10, 30) < 8
