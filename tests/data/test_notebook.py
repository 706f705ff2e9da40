"""In a notebook: data say what they are, results come back in the library of the data."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import headcount as hc
from headcount.results import Estimate

SHEET = {
    "item": [1, 2, 3, 4, 5, 6],
    "ann": ["1", "2", "3", "4", "5", "3"],
    "ben": ["1", "2", "3", "5", "5", "3"],
    "cat": ["2", "2", "3", "4", "5", None],
    "llm": ["1", "2", "4", "4", "5", "3"],
    "topic": ["a", "a", "a", "b", "b", "b"],
    "comment": ["one", "two", "three", "four", "five", "six"],
    "page": ["p", "p", "q", "q", "r", "r"],
    "truth": ["1", "2", "3", "4", "5", "3"],
}


def test_ratings_and_predictions_say_what_they_are() -> None:
    ratings = hc.Ratings.from_wide(
        pa.table({name: SHEET[name] for name in ("item", "ann", "ben", "cat")}), scale="ordered"
    )
    assert repr(ratings) == "<Ratings: 6 items, 3 people, labels 1 to 5>"
    first, second, *notes = ratings.summary().splitlines()
    assert first == "6 items, 3 people, labels 1 to 5."
    assert second == "17 labels in all, 2 to 3 an item."
    assert notes == list(ratings.notes)
    nobody = hc.Ratings.from_counts([[2, 1], [0, 3]], labels=["no", "yes"])
    assert repr(nobody) == "<Ratings: 2 items, people without names, labels no, yes>"
    said = hc.Predictions.from_frame(pa.table({"item": [1, 2], "llm": ["1", "2"]}))
    assert repr(said) == "<Predictions: 2 rows, 1 classifier (llm)>"


def test_a_wide_frame_takes_the_roles_of_its_columns() -> None:
    ratings = hc.Ratings.from_wide(
        pa.table(SHEET),
        raters=["ann", "ben", "cat"],
        classifiers="llm",
        slices="topic",
        text="comment",
        cluster="page",
        gold="truth",
    )
    assert ratings.n_raters == 3
    assert ratings.layout.cluster == "page"
    assert ratings.layout.text == "comment"


@pytest.mark.parametrize(
    ("to", "kind"),
    [(pd.DataFrame, pd.DataFrame), (pl.DataFrame, pl.DataFrame), (pa.table, pa.Table)],
)
def test_results_come_back_in_the_library_of_the_data(to, kind) -> None:
    made = hc.simulate.make("comments", items=60, seed=1)
    frames = to(dict(made.rating_columns)), to(dict(made.prediction_columns))
    both = hc.Ratings.from_frame(frames[0]), hc.Predictions.from_frame(frames[1])
    for given in (frames, both, (hc.Study(*both),)):
        found = hc.survey_equivalence(*given, n_bootstrap=0)
        assert isinstance(found.to_frame(), kind)
    assert isinstance(hc.agreement(both[0], n_bootstrap=0).to_frame(), kind)


def test_estimates_print_as_they_do_in_text_and_dir_is_short() -> None:
    made = hc.simulate.make("comments", items=60, seed=1)
    found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=20)
    worth = found["fine_tuned"].worth
    assert repr(worth) == worth.text()
    assert repr(Estimate.undefined("too few")) == "undefined: too few"
    names = [name for name in dir(found) if not name.startswith("_")]
    for opaque in ("told", "also", "crowd", "tells", "key", "named", "unfolded", "library"):
        assert opaque not in names
    assert len(names) <= 42  # its parts, what it says, and the forms it is told in
    assert {"classifiers", "verdict", "summary", "report", "to_frame", "compare"} <= set(names)
