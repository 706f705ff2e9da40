"""The chart of survey equivalence: what is drawn, where, and what is left out."""

import pyarrow as pa
import pytest

import headcount as hc
from headcount import charts
from headcount.charts.equivalence import Axes, _named_apart, _worth_words, domain_of
from headcount.errors import OptionError
from headcount.results import Estimate

COUNTS = [[9, 1], [8, 2], [1, 9], [5, 5], [4, 6]] * 20
SAID = {
    "item": range(100),
    "middling": [0.4, 0.4, 0.7, 0.5, 0.5] * 20,
    "perfect": [0.1, 0.2, 0.9, 0.5, 0.6] * 20,
    "backwards": [0.9, 0.9, 0.1, 0.5, 0.5] * 20,
}


@pytest.fixture(scope="module")
def found():
    ratings = hc.Ratings.from_counts(COUNTS, labels=["no", "yes"])
    predictions = hc.Predictions.from_frame(pa.table(SAID))
    return hc.survey_equivalence(
        ratings, predictions, combiner="abc", n_bootstrap=40, max_raters=6, calibrate=False
    )


def layers(chart):
    """Every unit of the chart, as (mark type, its rows, its encoding)."""
    spec = chart.to_dict()
    found = []

    def walk(part, inherited):
        data = part.get("data", inherited)
        for key in ("vconcat", "layer"):
            for each in part.get(key, []):
                walk(each, data)
        if "mark" in part:
            rows = data["values"] if "values" in data else spec["datasets"][data["name"]]
            found.append((part["mark"]["type"], rows, part["encoding"]))

    walk(spec, None)
    return found


def test_the_curve_has_a_point_and_a_bar_for_each_survey_size(found):
    drawn = layers(found.curve.chart())
    assert [mark for mark, _, _ in drawn] == ["rule", "line", "point"]
    rows = drawn[0][1]
    assert [row["raters"] for row in rows] == list(range(6))
    assert all(row["low"] <= row["score"] <= row["high"] for row in rows)


def test_without_intervals_there_are_no_bars(found):
    ratings = hc.Ratings.from_counts(COUNTS, labels=["no", "yes"])
    drawn = layers(hc.power_curve(ratings, combiner="abc", n_bootstrap=0).chart())
    assert [mark for mark, _, _ in drawn] == ["line", "point"]
    title = found.curve.chart().to_dict()["title"]
    assert "95 % intervals" in title["subtitle"]


def test_gains_start_at_nothing(found):
    rows = layers(found.curve.chart(gain=True))[0][1]
    assert rows[0]["score"] == 0
    assert rows[1]["score"] == pytest.approx(found.curve.gain(1).value)


def test_lines_drop_where_they_meet_the_curve(found):
    drawn = layers(found.chart())
    (drop,) = [
        rows for mark, rows, code in drawn if mark == "rule" and code["x"]["field"] == "worth"
    ]
    assert [row["classifier"] for row in drop] == ["middling"]
    assert drop[0]["worth"] == found["middling"].worth.value
    lines = next(rows for mark, rows, code in drawn if mark == "rule" and code.get("x2"))
    assert {row["classifier"] for row in lines} == {"middling", "perfect"}  # backwards: far below


def test_the_strip_has_every_classifier_and_says_what_is_beyond_the_curve(found):
    strip = layers(found.chart())[-1][1]
    said = {row["classifier"]: row for row in strip}
    assert list(said) == ["middling", "perfect", "backwards"]
    assert said["backwards"]["text"] == "less than 0"
    assert said["backwards"]["beyond"] == 0
    assert said["perfect"]["text"] == "more than 5"
    assert said["perfect"]["beyond"] == 5
    assert said["middling"]["from"] <= said["middling"]["worth"] <= said["middling"]["to"]


def test_classifiers_can_be_chosen_and_unknown_ones_are_refused(found):
    strip = layers(found.chart(classifiers=["perfect"], gain=True))[-1][1]
    assert [row["classifier"] for row in strip] == ["perfect"]
    with pytest.raises(OptionError, match="choose from middling, perfect, backwards"):
        found.chart(classifiers=["nobody"])


def test_words_about_an_interval_that_is_partly_beyond_stay_whole():
    partly = Estimate(None, 7.1, None, "above", "within", "above", floor=0, ceiling=9)
    assert _worth_words(partly) == "more than 9 (7.1 to more than 9)"


def test_names_of_close_lines_do_not_cover_each_other():
    axes = Axes(4, "score", (0.0, 1.0))
    rows = [{"score": score, "place": 3.0} for score in (0.5, 0.501, 0.502, 0.9)]
    placed = [row["name"] for row in _named_apart(rows, axes)]
    assert placed == ["left above", "left above", "left below", "nowhere"]


def test_names_stand_where_the_curve_is_not():
    axes = Axes(10, "score", (0.0, 1.0))
    rows = [{"score": 0.5, "place": 0.4}, {"score": 0.51, "place": 9.0}]
    assert [row["name"] for row in _named_apart(rows, axes)] == ["left above", "right above"]


def test_a_flat_curve_still_has_an_axis():
    low, high = domain_of([{"score": 0.5, "low": None, "high": None}])
    assert low < 0.5 < high


@pytest.mark.parametrize("gain", [False, True])
def test_both_pools_are_drawn_with_what_amateurs_are_worth(gain):
    crowd = hc.Ratings.from_counts([[6, 2], [2, 6], [7, 1], [3, 5]] * 30, labels=["a", "b"])
    doctors = hc.Ratings.from_counts([[4, 0], [1, 3], [4, 0], [1, 3]] * 30, labels=["a", "b"])
    both = hc.expert_equivalence(crowd, doctors, n_bootstrap=20)
    drawn = layers(both.chart(gain=gain))
    assert [mark for mark, _, _ in drawn] == ["rule", "line", "point"]
    rows = drawn[0][1]
    assert [row["raters"] for row in rows if row["pool"] == "experts"] == [0, 1, 2, 3]
    one = next(row for row in rows if row["pool"] == "amateurs" and row["raters"] == 1)
    assert one["worth"] == both.equivalence(1).text(2)
    assert one["score"] == (both.amateurs.gain(1) if gain else both.amateurs.score(1)).value
    bare = hc.expert_equivalence(crowd, doctors, n_bootstrap=0)
    assert [mark for mark, _, _ in layers(bare.chart())] == ["line", "point"]


@pytest.mark.parametrize("suffix", ["html", "png", "svg", "pdf"])
def test_the_chart_is_saved_in_every_form(found, tmp_path, suffix):
    path = charts.save(found.chart(theme="dark"), tmp_path / f"curve.{suffix}")
    start = path.read_bytes()[:400]
    assert {"html": b"<!doctype", "png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF"}[
        suffix
    ] in start
