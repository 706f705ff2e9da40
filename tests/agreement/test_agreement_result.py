"""What the result says about itself: words, JSON, frame."""

import importlib
import json

import pyarrow as pa
import pytest

import headcount as hc
from headcount.simulate import make

KEYS = ("percent_agreement", "kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1")


@pytest.fixture(scope="module")
def found():
    return hc.agreement(make("comments", items=120, seed=0).ratings)


def test_to_dict_has_the_documented_keys_and_is_json_safe(found):
    said = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    for key in KEYS:
        assert set(said[key]) >= {"value", "low", "high"}
    for key in ("items", "raters", "ratings", "level", "raters_table", "contested", "pairwise"):
        assert key in said
    assert said["raters"] == len(said["raters_table"])


def test_undefined_values_are_null_with_a_note():
    nothing = hc.agreement(hc.Ratings.from_counts([[1, 0], [0, 1]], labels=["a", "b"]))
    said = json.loads(json.dumps(nothing.to_dict(), allow_nan=False))
    for key in KEYS:
        assert said[key]["value"] is None
        assert said[key]["note"]
    assert "undefined" in nothing.summary()


def test_summary_says_verdict_numbers_assumptions_and_doubts_in_that_order(found):
    text = found.summary()
    places = [
        text.index(part)
        for part in (
            "Two people asked about the same item agree",
            "Krippendorff's alpha, nominal",
            "The most contested items",
            "What this rests on",
            "Take note",
        )
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([[5, 0], [0, 5], [4, 1], [1, 4], [5, 0], [0, 5]] * 4, "between the customary 0.667"),
        ([[5, 0], [0, 5]] * 10, "at or above the 0.8"),
        ([[5, 1], [2, 4]] * 10, "below the customary 0.667"),
        ([[2, 2], [2, 2]] * 10, "no better than chance"),
    ],
)
def test_verdict_names_the_custom(counts, words):
    ratings = hc.Ratings.from_counts(counts, labels=["a", "b"])
    assert words in hc.agreement(ratings, n_bootstrap=20).verdict()


def test_frame_and_markdown(found):
    frame = found.to_frame()
    assert isinstance(frame, pa.Table)
    assert frame["coefficient"].to_pylist() == list(KEYS)
    assert "| Gwet's AC1 |" in found.to_markdown()


def test_the_weight_of_items_is_pointed_out_where_it_matters():
    ratings = hc.Ratings.from_counts([[2, 0]] * 10 + [[10, 10]] * 3, labels=["a", "b"])
    assert any("every item counted the same" in said for said in hc.agreement(ratings).unchecked())


def test_lone_ratings_are_counted():
    ratings = hc.Ratings.from_counts([[1, 0], [2, 1], [0, 3]], labels=["a", "b"])
    assert any("1 of 3 items has one rating only" in s for s in hc.agreement(ratings).unchecked())


def test_the_function_keeps_its_name_when_the_room_is_imported():
    importlib.import_module("headcount.agreement")
    from headcount import agreement

    assert callable(hc.agreement)
    assert agreement is hc.agreement


def test_very_large_data_leave_out_what_needs_every_answer(monkeypatch):
    from headcount.agreement import measure

    ratings = make("comments", items=30, seed=1).ratings
    monkeypatch.setattr(measure, "MOST_ITEMS", 10)
    monkeypatch.setattr(measure, "MOST_PAIRWISE", 5)
    some = hc.agreement(ratings, n_bootstrap=0)
    assert some.contested == ()
    assert some.pairwise is None
    assert some.raters_table
    assert any("the matrix of pairs of raters is left out" in said for said in some.notes)
    assert any("the contested ones are not looked up" in said for said in some.notes)
    monkeypatch.setattr(measure, "MOST_ANSWERS", 10)
    least = hc.agreement(ratings, n_bootstrap=0)
    assert least.raters_table == ()
    assert any("the tables by rater are left out" in said for said in least.notes)
    assert least.values == some.values


def test_a_handful_of_raters_are_shown_pair_by_pair():
    ratings = make("scores", items=30, raters=4, least=3, most=4, seed=2).ratings
    found = hc.agreement(ratings, n_bootstrap=0)
    assert "Agreement of each pair of raters" in found.summary()
    assert all("bootstrap" not in sentence for sentence in found.assumptions())


def test_results_can_be_compared_and_kept_in_sets(found):
    """Arrays inside must not make `==` an error."""
    assert found != found.at(0.5)
    assert len({found, found}) == 1
