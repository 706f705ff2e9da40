"""`hc.power_curve` and `hc.survey_equivalence` as people call them."""

import json

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.equivalence import question
from headcount.errors import OptionError, UnanswerableError

RNG = np.random.default_rng(11)
LEAN = RNG.choice([0.8, 0.5, 0.1], p=[0.7, 0.1, 0.2], size=600)
YES = RNG.binomial(10, LEAN)
ITEMS = [str(i) for i in range(600)]


@pytest.fixture(scope="module")
def ratings():
    return hc.Ratings.from_counts(np.column_stack([10 - YES, YES]), labels=["no", "yes"])


@pytest.fixture(scope="module")
def predictions():
    right = RNG.random(600) < 0.7
    table = {
        "item": ITEMS,
        "model": np.where(right, np.where(LEAN > 0.5, "yes", "no"), "no"),
        "soft:yes": np.where(right, LEAN, 0.6),
        "noise:yes": RNG.random(600),
        "oracle:yes": np.where(YES > 4, LEAN, YES / 10),
    }
    return hc.Predictions.from_frame(pa.table(table))


@pytest.fixture(scope="module")
def found(ratings, predictions):
    return hc.survey_equivalence(ratings, predictions, combiner="abc", calibrate=False)


def test_json_has_the_documented_shape(found):
    out = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert {"items_used", "items_dropped", "combiner", "scorer", "clip", "power_curve"} <= set(out)
    for k, point in enumerate(out["power_curve"]):
        assert point["raters"] == k
        assert point["low"] <= point["score"] <= point["high"]
        assert point["support"] == 1
    for each in out["classifiers"]:
        assert {"name", "score", "low", "high", "equivalence"} <= set(each)
        assert each["equivalence"]["state"] in ("below", "within", "above")
        assert {"value", "low", "high"} <= set(each["equivalence"])


def test_censored_worths_are_states_not_numbers(found):
    worth = {each.name: each.worth for each in found.classifiers}
    assert (worth["oracle"].state, worth["oracle"].value) == ("above", None)
    assert worth["oracle"].text(1).startswith("more than 9")
    assert (worth["noise"].state, worth["noise"].value) == ("below", None)
    assert worth["soft"].state == "within"
    assert "better than nine people" in found.verdict()
    assert "noise predicts people no better than asking nobody would." in found.verdict()


def test_an_interval_can_reach_past_the_curve(ratings):
    nearly = {"item": ITEMS, "m:yes": np.where(np.arange(600) % 6 == 0, 0.6, LEAN)}
    found = hc.survey_equivalence(ratings, pa.table(nearly), combiner="abc", calibrate=False)
    worth = found["m"].worth
    assert (worth.state, worth.high, worth.high_state) == ("within", None, "above")
    assert "to more than 9" in worth.text()


def test_chance_to_beat_k_raters_falls_with_k(found):
    chances = [found["soft"].p_beats(k) for k in range(10)]
    assert chances == sorted(chances, reverse=True)
    assert (chances[0], chances[-1]) == (1, 0)
    with pytest.raises(OptionError, match="0 to 9"):
        found["soft"].p_beats(10)


def test_comparison_is_paired(found):
    compared = found.compare("soft", "noise")
    assert compared.p_better == 1
    apart = found["soft"].score.value - found["noise"].score.value
    assert compared.score.value == pytest.approx(apart)
    assert compared.score.low > 0
    assert found["noise"].worth.state == "below"  # worth nobody
    assert compared.worth.value == pytest.approx(found["soft"].worth.value)
    assert compared.worth.low > 0
    same = found.compare("soft", "soft")
    assert (same.score.low, same.score.high, same.worth.value, same.p_better) == (0, 0, 0, 0)
    with pytest.raises(OptionError, match="nothing called 'gpt'"):
        found.compare("soft", "gpt")


def test_performance_ratio_is_the_share_of_the_gain(found):
    ratio = found["soft"].ratio_to(1)
    gain = found["soft"].gain.value / found.curve.gain(1).value
    assert ratio.value == pytest.approx(gain)
    assert ratio.low < ratio.value < ratio.high
    assert found["soft"].performance_ratio.value < ratio.value


def test_another_confidence_reads_the_same_draws(found):
    wide = found.with_confidence(0.99)
    assert wide.curve.draws is found.curve.draws
    assert wide["soft"].worth.low < found["soft"].worth.low
    assert wide["soft"].worth.value == found["soft"].worth.value


def test_no_bootstrap_gives_values_without_intervals(ratings, predictions):
    found = hc.survey_equivalence(ratings, predictions, n_bootstrap=0)
    worth = found["soft"].worth
    assert worth.value is not None
    assert not worth.has_interval
    assert found["soft"].p_beats(1) is None
    json.dumps(found.to_dict(), allow_nan=False)
    assert "no intervals were asked for" in found.summary()


def test_seed_repeats_and_changes(ratings, predictions):
    options = {"n_bootstrap": 50}
    first, again, other = (
        hc.survey_equivalence(ratings, predictions, seed=seed, **options) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.curve.draws, again.curve.draws)
    assert not np.array_equal(first.curve.draws, other.curve.draws)
    np.testing.assert_array_equal(first.curve.values, other.curve.values)


def test_holding_the_combiner_fixed_narrows_nothing_but_the_fit(ratings, predictions):
    held = hc.survey_equivalence(ratings, predictions, combiner="abc", refit=False)
    assert held.curve.asked.refitted is False
    free = hc.survey_equivalence(ratings, predictions, combiner="abc")
    np.testing.assert_array_equal(held.curve.values, free.curve.values)
    assert not np.array_equal(held.curve.draws, free.curve.draws)


def test_calibrated_and_as_it_stands_side_by_side(ratings, predictions, found):
    calibrated = hc.survey_equivalence(ratings, predictions, combiner="abc", n_bootstrap=0)
    assert calibrated.names == found.names
    assert {each.reading for each in calibrated.classifiers} == {"calibrated"}
    assert calibrated["noise"].score.value > found["noise"].score.value
    assert calibrated["model"].worth.state != "below"
    for name in ("soft", "noise", "oracle"):
        # Readings make more groups, whose sums round in another order.
        assert calibrated[name].as_it_stands.value == pytest.approx(found[name].worth.value)
        assert calibrated[name].as_it_stands.state == found[name].worth.state
    assert calibrated["model"].as_it_stands is None  # a label alone is no probability
    assert not any("as a certainty" in said for said in calibrated.unchecked())
    assert {each.reading for each in found.classifiers} == {"given"}
    assert any("model gives labels" in said for said in found.unchecked())


def test_scorers_of_labels_calibrate_only_when_asked(ratings, predictions):
    options = {"combiner": "plurality", "scorer": "agreement", "n_bootstrap": 0}
    plain = hc.survey_equivalence(ratings, predictions, **options)
    assert {each.reading for each in plain.classifiers} == {"given"}
    asked = hc.survey_equivalence(ratings, predictions, calibrate=True, **options)
    assert asked["model"].reading == "calibrated"
    assert asked["model"].as_it_stands.value == pytest.approx(plain["model"].worth.value)


def test_names_are_names_and_nothing_else(ratings):
    frame = pa.table({"item": ITEMS, "Only": LEAN, "Only (calibrated)": np.where(LEAN > 0.5, 1, 0)})
    found = hc.survey_equivalence(ratings, frame, n_bootstrap=0, calibrate=False)
    assert found.names == ("Only", "Only (calibrated)")
    both = hc.survey_equivalence(ratings, frame, n_bootstrap=0)
    assert both.names == found.names
    assert both["Only"].as_it_stands.value == pytest.approx(found["Only"].worth.value)


def test_frames_paths_and_studies_give_the_same(ratings, predictions, found, tmp_path):
    import pandas as pd

    from headcount.data import Study

    study = Study(ratings, predictions)
    assert hc.survey_equivalence(study, combiner="abc", calibrate=False) == found
    item = np.repeat(ITEMS, 10)
    label = np.where(np.arange(10) < YES[:, None], "yes", "no").ravel()
    people = pd.DataFrame({"item": item, "rater": np.tile(range(10), 600), "label": label})
    people.to_csv(tmp_path / "people.csv", index=False)
    table = pd.DataFrame({"item": ITEMS, "m": LEAN})
    from_frames = hc.survey_equivalence(people, table, n_bootstrap=10)
    assert type(from_frames.to_frame()).__module__.startswith("pandas")
    from_path = hc.survey_equivalence(tmp_path / "people.csv", table, n_bootstrap=10)
    assert from_path["m"] == from_frames["m"]
    with pytest.raises(OptionError, match="needs predictions"):
        hc.survey_equivalence(ratings)


def test_preconditions_are_stated_once(ratings):
    from headcount.equivalence import unanswerable

    assert unanswerable(ratings) is None
    few = hc.Ratings.from_counts([[1, 0], [0, 1]], labels=["no", "yes"])
    with pytest.raises(UnanswerableError) as refused:
        hc.power_curve(few)
    assert unanswerable(few) == str(refused.value)


def test_the_same_result_is_equal_and_shows_itself_in_ten_lines(ratings, predictions, found):
    again = hc.survey_equivalence(ratings, predictions, combiner="abc", calibrate=False)
    assert again == found
    assert again.with_confidence(0.9) != found
    assert len(repr(found).splitlines()) <= 10


@pytest.mark.parametrize(
    ("combiner", "scorer"),
    [
        ("plurality", "agreement"),
        ("plurality", "f1"),
        ("frequency", "brier"),
        ("frequency", "auc"),
        ("abc", "auc"),
        ("abc", "dmi"),
        ("abc", "recall"),
        ("frequency-overall", "cross_entropy"),
    ],
)
def test_every_scorer_answers_in_json(ratings, predictions, combiner, scorer):
    found = hc.survey_equivalence(
        ratings, predictions, combiner=combiner, scorer=scorer, n_bootstrap=20
    )
    json.dumps(found.to_dict(), allow_nan=False)
    assert found.curve.asked.scorer == scorer
    assert found.to_dict()["clip"] == (0.02 if scorer == "cross_entropy" else None)


def test_correlation_starts_from_nothing():
    rng = np.random.default_rng(0)
    ratings = hc.Ratings.from_counts(
        rng.multinomial(5, [0.2, 0.5, 0.3], 120), labels=["1", "2", "3"]
    )
    guess = pa.table({"item": [str(i) for i in range(120)], "m": ["2", "3", "1"] * 40})
    found = hc.survey_equivalence(
        ratings, hc.Predictions.from_frame(guess), combiner="mean", scorer="correlation"
    )
    out = found.to_dict()
    assert out["power_curve"][0]["score"] == 0
    json.dumps(out, allow_nan=False)


def test_sklearn_metric_and_own_combiner_as_they_are(ratings, predictions):
    from sklearn.metrics import balanced_accuracy_score

    def first_wins(surveys):
        return surveys.argmax(axis=1)

    found = hc.survey_equivalence(
        ratings, predictions, combiner=first_wins, scorer=balanced_accuracy_score, n_bootstrap=10
    )
    assert found.curve.asked.combiner == "first_wins"
    assert found.curve.values[0] == 0.5


def test_combinations_without_sense_name_those_with(ratings):
    with pytest.raises(OptionError, match="cross_entropy with the combiner abc, fitted, frequency"):
        hc.power_curve(ratings, combiner="plurality")
    with pytest.raises(OptionError, match="numbers"):
        hc.power_curve(ratings, combiner="mean", scorer="correlation")
    with pytest.raises(OptionError, match="exact"):
        hc.power_curve(ratings, engine="magic")


@pytest.mark.parametrize("reference_raters", [0, 1.5, True, 10])
def test_reference_raters_that_cannot_be(ratings, reference_raters):
    with pytest.raises((OptionError, UnanswerableError), match="reference_raters"):
        hc.power_curve(ratings, reference_raters=reference_raters)


def test_reference_raters_shorten_the_curve(ratings):
    curve = hc.power_curve(ratings, reference_raters=3, n_bootstrap=0)
    assert curve.most == 7
    assert "plurality of 3 held-out raters" in curve.summary()


def test_dropped_items_and_small_data_are_told():
    ratings = hc.Ratings.from_counts([[6, 2], [3, 5]] * 20 + [[1, 0]] * 3, labels=["no", "yes"])
    curve = hc.power_curve(ratings)
    assert (curve.asked.items_used, curve.asked.items_dropped) == (40, 3)
    text = curve.summary()
    assert "3 of 43 items have fewer than" in text
    assert "Only 40 items" in text


def test_one_label_is_refused():
    ratings = hc.Ratings.from_counts([[3], [4]], labels=["yes"])
    with pytest.raises(UnanswerableError, match="nothing to predict"):
        hc.power_curve(ratings)


def test_one_rating_an_item_is_refused():
    ratings = hc.Ratings.from_counts([[1, 0], [0, 1]], labels=["no", "yes"])
    with pytest.raises(UnanswerableError, match="two ratings"):
        hc.power_curve(ratings)


def test_falling_curve_is_reported():
    counts = np.array([[5, 0], [0, 5], [4, 1], [1, 4], [3, 2], [2, 3]])
    ratings = hc.Ratings.from_counts(
        np.repeat(counts, [1, 1, 1, 1, 9, 9], axis=0), labels=["a", "b"]
    )
    curve = hc.power_curve(ratings, combiner="frequency", n_bootstrap=0)
    assert curve.not_monotone()[0] == 1
    assert "not monotone: it falls at k = 1" in curve.summary()
    assert curve.to_dict()["monotone"] is False


def test_past_the_budget_surveys_are_drawn_and_it_is_said(ratings, monkeypatch):
    exact = hc.power_curve(ratings, combiner="abc", n_bootstrap=0)
    whole = hc.power_curve(ratings, scorer="auc", n_bootstrap=0)
    monkeypatch.setattr(question, "MOST_SURVEYS", 40)
    drawn = hc.power_curve(ratings, combiner="abc", n_bootstrap=20)
    told = drawn.summary()
    assert "drawn at random instead of enumerated" in told
    assert "was not refitted" in told
    error = drawn.measured.error
    first = int(np.flatnonzero(error)[0])
    np.testing.assert_allclose(drawn.values[:first], exact.values[:first], rtol=1e-14)
    gap = np.abs(drawn.values - exact.values)[first:] / error[first:]
    assert gap.max() < 4
    pooled = hc.power_curve(ratings, scorer="auc", n_bootstrap=0)
    assert (np.abs(pooled.values - whole.values)[first:] < 5 * pooled.measured.error[first:]).all()


def test_options_that_go_work_for_one_release_and_warn(ratings):
    with pytest.warns(DeprecationWarning, match="max_surveys goes with the next release"):
        curve = hc.power_curve(ratings, combiner="frequency", n_bootstrap=0, max_surveys=40)
    assert "drawn at random instead of enumerated" in curve.summary()
    three = hc.Ratings.from_counts([[3, 1, 0], [0, 2, 2], [1, 0, 3]] * 20, labels=list("abc"))
    with pytest.warns(DeprecationWarning, match="components goes with the next release"):
        found = hc.population(three, components=1, n_bootstrap=0)
    assert len(found.fitted.mixture.weights) == 1


def test_the_literal_engine_says_where_it_went(ratings):
    with pytest.raises(OptionError, match=r"research/by_columns\.py"):
        hc.power_curve(ratings, engine="literal")


def test_many_classifiers_make_a_short_verdict(ratings):
    said = {f"m{j}:yes": np.clip(LEAN + 0.02 * j, 0, 1) for j in range(6)}
    predictions = hc.Predictions.from_frame(pa.table({"item": ITEMS, **said}))
    verdict = hc.survey_equivalence(ratings, predictions, n_bootstrap=0).verdict()
    assert verdict.endswith("2 more in the table.")


def test_too_many_reference_raters_to_enumerate():
    ratings = hc.Ratings.from_counts(np.full((5, 12), 4), labels=list("abcdefghijkl"))
    with pytest.raises(OptionError, match="choose fewer"):
        hc.power_curve(ratings, reference_raters=20)
