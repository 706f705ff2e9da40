"""What the result says about itself: words, JSON, frame."""

import importlib
import json

import pyarrow as pa
import pytest

import headcount as hc
from headcount.agreement import unanswerable
from headcount.agreement.weighted import weighted_fleiss, weights_between
from headcount.data import as_study
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
    assert frame["coefficient"].to_pylist() == [*KEYS, "conger_kappa"]
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
    monkeypatch.setattr("headcount.counting.size.CONTESTED", 10)
    monkeypatch.setattr(measure, "MOST_PAIRWISE", 5)
    some = hc.agreement(ratings, n_bootstrap=0)
    assert some.contested == ()
    assert some.pairwise is None
    assert some.raters_table
    assert any("the matrix of pairs of raters is left out" in said for said in some.notes)
    assert any("the contested ones are not looked up" in said for said in some.notes)
    monkeypatch.setattr("headcount.counting.size.RATER_TABLES", 10)
    least = hc.agreement(ratings, n_bootstrap=0)
    assert least.raters_table == ()
    assert any("the tables by rater are left out" in said for said in least.notes)
    assert least.coefficients == some.coefficients[:-1]
    assert some.coefficients[-1].name == "conger_kappa"  # which needs to know who said what


def test_a_handful_of_raters_are_shown_pair_by_pair():
    ratings = make("scores", items=30, raters=4, least=3, most=4, seed=2).ratings
    found = hc.agreement(ratings, n_bootstrap=0)
    assert "Share of answers within one step, each pair of raters" in found.summary()
    assert all("bootstrap" not in sentence for sentence in found.assumptions())


def test_results_can_be_compared(found):
    """By what they hold, arrays included."""
    assert found == hc.agreement(make("comments", items=120, seed=0).ratings)
    assert found != found.with_confidence(0.5)


def test_another_confidence_reads_the_same_draws(found):
    """Every interval at once: coefficients, alpha at each level, raters."""
    again = hc.agreement(make("comments", items=120, seed=0).ratings, confidence=0.8)
    assert found.with_confidence(0.8) == again
    assert found.with_confidence(0.8).to_dict()["confidence"] == 0.8
    narrow, wide = again.raters_table[0].agreement, found.raters_table[0].agreement
    assert wide.low < narrow.low < narrow.value == wide.value < narrow.high < wide.high


def test_tables_are_found_by_id(found):
    assert [table.id for table in found.tables()] == ["coefficients", "raters", "contested"]
    assert found["kappa"].estimate == found.kappa


def test_frames_and_paths_are_taken_as_they_are(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"item": list("aabbcc"), "rater": list("xyxyxy"), "label": list("nnnyyy")})
    frame.to_csv(tmp_path / "ratings.csv", index=False)
    ours = hc.agreement(frame)
    assert ours == hc.agreement(as_study(frame))
    assert ours.coefficients == hc.agreement(tmp_path / "ratings.csv").coefficients
    assert isinstance(ours.to_frame(), pd.DataFrame)


def test_what_cannot_be_answered_is_said_before():
    assert unanswerable(make("comments", items=5, seed=0).ratings) is None
    lone = hc.Ratings.from_counts([[1, 0], [0, 1]], labels=["a", "b"])
    assert unanswerable(lone) == hc.agreement(lone).percent_agreement.note


def test_full_agreement_has_no_alpha_at_any_level_for_the_same_reason():
    alike = hc.agreement(hc.Ratings.from_counts([[3, 0]] * 4, labels=["1", "2"]))
    assert alike.percent_agreement.value == 1
    notes = {alike.krippendorff_alpha.note, *(e.note for e in alike.alpha_by_level.values())}
    assert notes == {"every rating is the same label, so chance alone would agree as well"}


def test_linear_weights_are_those_of_the_definition() -> None:
    made = hc.simulate.make("scores", items=60, seed=4)
    found = hc.agreement(made.ratings, n_bootstrap=0)
    patterns = made.ratings.patterns()
    weights = weights_between(made.ratings.scale.places, "linear")
    expected = weighted_fleiss(patterns.counts, patterns.items[None], weights)[0]
    assert found.linear_kappa is not None
    assert found.linear_kappa.value == pytest.approx(expected, abs=1e-12)
    assert found.linear_kappa.value < found.weighted_kappa.value
    names = hc.simulate.make("comments", items=60, seed=4)
    assert hc.agreement(names.ratings, n_bootstrap=0).linear_kappa is None
