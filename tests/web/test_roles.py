"""Roles of columns as a form gives them, and the options that say the same."""

import pytest

from headcount.options import EvaluateOptions, described
from headcount.options.reading import PredictionsReading, RatingsReading
from headcount.web.choices import (
    NAMED,
    as_reading,
    evaluation_fields,
    reading_fields,
    twice_chosen,
    with_answers,
)


def seen(columns, *, understood=True, predictions=()):
    return {
        "understood": understood,
        "ratings": {"columns": [{"name": n, "role": r} for n, r in columns.items()]},
        "predictions": {
            "columns": [{"name": name, "role": role, "of": of} for name, role, of in predictions]
        },
    }


def test_everything_that_evaluate_can_be_told_can_be_told_on_the_page():
    asked = {each.name for each in (*reading_fields({}), *evaluation_fields({}))}
    # Roles are chosen column by column; whose answers a file holds is asked of several files.
    by_columns = {*NAMED, "prediction_item", "run"}
    for options in (RatingsReading, PredictionsReading, EvaluateOptions):
        assert set(described(options)) <= asked | by_columns | {"rater_from"}


LONG = {"item": "item", "who": "", "rater": "rater", "label": "label", "time": "occasion"}
WIDE = {"case": "item", "r1": "rater_column", "r2": "rater_column", "model": "rater_column"}


def test_what_is_left_as_it_was_understood_needs_no_option():
    assert as_reading(LONG, seen(LONG), {"fold_case": True}) == {"fold_case": True}


def test_a_rater_that_is_a_classifier():
    found = as_reading({**WIDE, "model": "classifier"}, seen(WIDE), {})
    assert found == {"item": "case", "raters": ["r1", "r2"], "classifiers": ["model"]}


def test_a_column_taken_for_its_name_is_let_go_by_an_empty_name():
    found = as_reading({**LONG, "time": ""}, seen(LONG), {})
    assert found["occasion"] == ""
    assert (found["item"], found["rater"], found["label"]) == ("item", "rater", "label")


def test_what_was_not_understood_is_said_in_full():
    found = as_reading(WIDE, seen(WIDE, understood=False), {"sheet": "Readers"})
    assert found == {"sheet": "Readers", "item": "case", "raters": ["r1", "r2", "model"]}


def test_a_comma_in_a_name_becomes_a_pattern():
    columns = {"case": "item", "Reader, A": "rater_column", "Reader, B": ""}
    found = as_reading({**columns, "Reader, B": "rater_column"}, seen(columns), {})
    assert found["raters"] == ["Reader? A", "Reader? B"]


def test_a_role_for_one_column_is_given_to_one():
    assert twice_chosen(LONG) is None
    assert "'who' and 'rater'" in twice_chosen({**LONG, "who": "rater"})
    assert twice_chosen({**LONG, "who": "item"}) is None  # two columns may name an item together


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, {}),
        ({"b": ""}, {"classifiers": ["a"]}),
        ({"nr": "item", "item": ""}, {"prediction_item": "nr", "classifiers": ["a", "b"]}),
        ({"nr": "run"}, {"run": "nr"}),
    ],
)
def test_classifiers_of_a_file_of_their_own(chosen, expected):
    columns = [
        ("item", "item", None),
        ("nr", "", "nr"),
        ("a", "classifier", "a"),
        ("b:x", "classifier", "b"),
    ]
    chosen = {("b:x" if name == "b" else name): role for name, role in chosen.items()}
    look = seen({}, predictions=columns)
    assert with_answers(chosen, look, {}) == expected
