"""What users get: the result, its words, its JSON, its truth, and what happens at the edges."""

import json
import math

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.accuracy import check_assumptions
from headcount.data import as_study
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.simulate import make


@pytest.fixture(scope="module")
def data():
    return make("fallible", cases=700, seed=3, accuracy=(0.6, 0.7, 0.8), dispersion=2.0)


@pytest.fixture(scope="module")
def result(data):
    return hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=120, seed=1)


def _numbers(value):
    if isinstance(value, dict):
        return [x for each in value.values() for x in _numbers(each)]
    if isinstance(value, list | tuple):
        return [x for each in value for x in _numbers(each)]
    return [value] if isinstance(value, float) else []


def test_documented_keys(result):
    found = result.to_dict()
    assert {
        "items",
        "agreement",
        "kappa",
        "rater_accuracy",
        "base_rates",
        "checks",
        "classifiers",
        "latent_class",
    } <= set(found)
    (system,) = found["classifiers"]
    assert set(system["accuracy"]) == {"value", "low", "high", "note"}
    assert system["accuracy"]["value"] is None
    for name in ("algebraic", "latent_class", "shared_errors", "shared_with_system"):
        assert set(system[name]) >= {"value", "low", "high"}
    assert set(system["span"]) >= {"low", "high", "misled", "low_at_zero", "high_at_zero", "curve"}
    assert set(system["bins"][0]) == {"low", "high", "items", "truth", "agreement", "accuracy"}
    assert sum(each["items"] for each in system["bins"]) == found["items"] == 700
    assert list(found["base_rates"]) == list("ABCDE")
    assert {"log_likelihood", "converged", "starts", "rater_accuracy"} <= set(found["latent_class"])
    assert all(math.isfinite(number) for number in _numbers(found))
    json.dumps(found, allow_nan=False)


def test_intervals_hold_their_values(result):
    estimates = [result.agreement, result.kappa, result.rater_accuracy, *result.base_rates.values()]
    system = result["system"]
    estimates += [system.algebraic, system.latent_class]
    estimates += [system.shared_errors, system.shared_with_system]
    estimates += [result.latent_class.rater_accuracy, *result.latent_class.base_rates.values()]
    for estimate in estimates:
        assert estimate.low <= estimate.value <= estimate.high


def test_estimates_come_close_to_the_facts(result, data):
    for name in ("accuracy", "latent_class"):
        found = getattr(result["system"], name)
        assert found.low <= data.facts["system_accuracy"] <= found.high
    assert abs(result.rater_accuracy.value - data.facts["rater_accuracy"]) < 0.05


def test_the_verdict_is_a_bar_with_what_it_would_take_to_be_below_it(result):
    system = result["system"]
    assert system.accuracy.value is None
    point = system.span.tipping_point
    assert result.verdict() == (
        f"system is right on at least {100 * point.at_least:.0f} % of items, unless people are "
        f"wrong together on more than {100 * point.unless:.0f} % of them."
    )
    assert 0.05 <= point.unless <= system.span.low_at_zero - point.at_least < point.unless + 0.01
    assert system.span.unless(0.5) == pytest.approx(system.span.low_at_zero - 0.5)
    assert system.span.unless(0.999) is None
    assert "no single number" in system.accuracy.note
    text = result.summary()
    for words in (
        "Base rates",
        "Fails: Errors are not spread evenly",
        "Forecasts are not",
        "Was a classifier trained on labels of these raters",
        "100 gold items, drawn at random, would narrow the accuracy of system to ±",
    ):
        assert words in text
    assert "system" in result.to_markdown()
    assert "<table>" in result._repr_html_()


def test_the_span_is_the_hull_of_what_it_counts_widened_by_the_misled(data, result):
    span = result["system"].span
    counted = [each.accuracy for each in span.parts if each.counted]
    assert span.low_at_zero == min(each.low for each in counted)
    assert span.high_at_zero == max(each.high for each in counted)
    assert span.low == pytest.approx(span.low_at_zero - 0.05)
    assert span.high == pytest.approx(min(span.high_at_zero + 0.05, 1))
    wider = hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=120, seed=1, misled=0.1)
    assert wider["system"].accuracy.low == pytest.approx(span.at(0.1).low)
    never = hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=120, seed=1, misled=0)
    assert never["system"].accuracy.low == span.low_at_zero
    assert "if people are never all misled" in never["system"].accuracy.note


def test_the_curve_says_where_the_data_speak_against_dependence(result):
    curve = result["system"].span.curve
    assert {point.system for point in curve} == {"on its own", "along with people"}
    strengths = [p.dependence for p in curve if p.system == "on its own" and p.label is None]
    assert strengths == sorted(strengths)
    assert strengths[0] == 0
    for point in curve:
        assert (point.low is not None) == point.allowed


def test_equal_seeds_give_equal_results(data, result):
    again = hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=120, seed=1)
    assert again.to_dict() == result.to_dict()


def test_frame_has_a_row_a_classifier(result):
    frame = result.to_frame()
    named = ("accuracy", "algebraic", "latent_class", "shared_errors", "shared_with_system")
    assert frame.column_names == [
        "name",
        *(f"{name}{end}" for name in named for end in ("", "_low", "_high")),
    ]
    assert frame.num_rows == 1
    assert frame["accuracy"].to_pylist() == [None]


def test_truth_is_a_soft_classifier_for_headcount(result, tmp_path):
    frame = result.truth()
    probabilities = np.column_stack([frame[name].to_numpy() for name in frame.column_names[1:]])
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    for suffix in (".csv", ".parquet", ".jsonl"):
        path = result.save_truth(tmp_path / f"truth{suffix}")
        assert hc.Predictions.read(path).names == ("truth",)
    long = result.truth(by_label=False, backend="polars")
    assert long.columns == ["item", "label", "probability"]
    assert len(long) == 5 * len(frame)


def test_truth_probabilities_are_calibrated_against_theory():
    """Where the assumptions hold, labels called p probable are right p of the time."""
    data = make("fallible", cases=8000, seed=5)
    found = hc.system_accuracy(data.ratings, n_bootstrap=0, latent_class="shared")
    truth = dict(zip(data.truth["item"], data.truth["truth"], strict=True))
    for estimate in ("algebraic", "latent_class"):
        frame = found.truth(estimate=estimate)
        probabilities = np.column_stack([frame[name].to_numpy() for name in frame.column_names[1:]])
        own = np.array([found.labels.index(truth[item]) for item in frame["item"].to_pylist()])
        hit = np.eye(5)[own].ravel()
        called = probabilities.ravel()
        for low in (0.0, 0.2, 0.4, 0.6, 0.8):
            here = (called > low) & (called <= low + 0.2)
            assert hit[here].mean() == pytest.approx(called[here].mean(), abs=0.03)


def test_truth_files_with_bad_names_or_places(result, tmp_path):
    with pytest.raises(OptionError, match=r"must end in \.csv, \.parquet or \.jsonl"):
        result.save_truth(tmp_path / "truth.xlsx")
    with pytest.raises(InputError, match="cannot be written"):
        result.save_truth(tmp_path / "nowhere" / "truth.csv")
    with pytest.raises(OptionError, match='estimate is "algebraic" or "latent_class"'):
        result.truth(estimate="gold")


def test_raters_alone(data):
    found = hc.system_accuracy(data.ratings, n_bootstrap=30)
    assert found.classifiers == ()
    low, high = found.raters_span.low_at_zero, found.raters_span.high_at_zero
    assert low <= data.facts["rater_accuracy"] <= high
    assert found.verdict() == f"{found.raters_span.sentence()}."
    wider = found.with_confidence(0.99).raters_span
    assert wider.low <= low < high <= wider.high_at_zero
    assert found.to_frame().num_rows == 0
    assert found.truth().num_rows == 700


def test_agreement_below_chance_is_said_not_nan():
    counts = [[1, 1, 1]] * 6 + [[2, 1, 0]]
    predictions = pa.table({"item": [str(i) for i in range(7)], "m": ["a"] * 7})
    found = hc.system_accuracy(
        hc.Ratings.from_counts(counts, labels=["a", "b", "c"]),
        hc.Predictions.from_frame(predictions),
        n_bootstrap=40,
    )
    assert found.kappa.value < 0
    assert found.rater_accuracy.value is None
    assert "no more than guessing" in found.rater_accuracy.note
    assert found.classifiers[0].accuracy.value is None
    assert found.latent_class == "agreement between raters is not above chance"
    assert found.check("above_chance").state == "violated"
    assert "cannot be estimated" in found.verdict()
    json.dumps(found.to_dict(), allow_nan=False)
    assert "cannot be estimated" in found.summary()
    with pytest.raises(UnanswerableError, match="no truth probabilities"):
        found.truth()


def test_negative_base_rates_are_clipped_and_said():
    counts = [[4, 0, 0]] * 30 + [[0, 4, 0]] * 3 + [[3, 1, 0]] * 8
    found = hc.system_accuracy(
        hc.Ratings.from_counts(counts, labels=["a", "b", "c"]), n_bootstrap=20
    )
    rates = [rate.value for rate in found.base_rates.values()]
    assert rates[2] == 0
    assert sum(rates) == pytest.approx(1)
    check = found.check("base_rates")
    assert check.state == "violated"
    assert "'c' came out negative and was set to 0" in check.text


def test_perfect_agreement_is_defined():
    counts = [[3, 0], [0, 3]] * 10
    predictions = pa.table({"item": [str(i) for i in range(20)], "m": ["x", "y"] * 10})
    found = hc.system_accuracy(
        hc.Ratings.from_counts(counts, labels=["x", "y"]),
        hc.Predictions.from_frame(predictions),
        n_bootstrap=30,
    )
    assert found.rater_accuracy.value == pytest.approx(1)
    assert found.classifiers[0].algebraic.value == pytest.approx(1)
    assert found.classifiers[0].accuracy.high == 1


def test_ragged_ratings_weigh_cases_by_their_pairs():
    frame = pa.table(
        {
            "item": list("aaaabbcc"),
            "rater": list("12341212"),
            "label": ["x", "x", "x", "y", "y", "y", "x", "y"],
        }
    )
    found = hc.system_accuracy(hc.Ratings.from_frame(frame), n_bootstrap=0)
    assert found.agreement.value == pytest.approx((3 + 1 + 0) / (6 + 1 + 1))
    assert not found.agreement.has_interval


def test_answers_outside_the_labels_count_as_errors(data):
    columns = {name: np.array(values) for name, values in data.prediction_columns.items()}
    columns["system"] = columns["system"].copy()
    columns["system"][:140] = "no idea"
    muddled = hc.Predictions.from_frame(pa.table(columns))
    found = hc.system_accuracy(data.ratings, muddled, unknown="wrong", n_bootstrap=0)
    clean = hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=0)
    for kind in ("algebraic", "latent_class"):
        own = getattr(found.classifiers[0], kind).value
        other = getattr(clean.classifiers[0], kind).value
        assert own == pytest.approx(0.8 * other, abs=0.05)
    assert any("140 answers outside the labels" in note for note in found.notes)


def test_soft_classifiers_answer_by_their_top_label(data):
    answers = data.prediction_columns["system"]
    soft = {f"soft:{label}": np.where(answers == label, 0.6, 0.1) for label in data.labels}
    both = pa.table({"item": data.prediction_columns["item"], "hard": answers, **soft})
    found = hc.system_accuracy(data.ratings, hc.Predictions.from_frame(both), n_bootstrap=20)
    hard, soft_one = found.classifiers
    assert hard.accuracy == soft_one.accuracy
    assert hard.bins == soft_one.bins


def test_two_ratings_a_case_have_no_latent_classes():
    data = make("fallible", cases=200, raters=2, accuracy=(0.8,))
    found = hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=20)
    assert "three ratings" in found.latent_class
    assert found.to_dict()["latent_class"] == {"unavailable": found.latent_class}
    assert found.classifiers[0].latent_class.note == found.latent_class


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"latent_class": "both"}, 'latent_class is "auto", "each", "shared" or "off"'),
        ({"restarts": -1}, "restarts is a whole number of at least 0"),
        ({"precision": 0}, "precision lies between 0 and 1"),
        ({"misled": 1.0}, "misled is a share of items"),
        ({"misled": -0.1}, "misled is a share of items"),
        ({"n_bootstrap": -5}, "n_bootstrap is a whole number"),
        ({"confidence": 2}, "confidence lies between 0 and 1"),
    ],
)
def test_bad_options(data, options, sentence):
    with pytest.raises(OptionError, match=sentence):
        hc.system_accuracy(data.ratings, data.predictions, **options)


def test_unanswerable_data():
    single = hc.Ratings.from_counts([[1, 0], [0, 1]], labels=["a", "b"])
    with pytest.raises(UnanswerableError, match="No item has two ratings"):
        hc.system_accuracy(single)
    one_label = hc.Ratings.from_frame(
        pa.table({"item": ["1", "1"], "rater": ["a", "b"], "label": ["x", "x"]})
    )
    with pytest.raises(UnanswerableError, match="only one label"):
        hc.system_accuracy(one_label)


def test_latent_classes_can_be_switched_off(data):
    found = hc.system_accuracy(data.ratings, data.predictions, latent_class="off", n_bootstrap=20)
    assert found.latent_class == "it was switched off"
    assert found.believe == "algebraic"
    assert "biased" in found.why
    with pytest.raises(UnanswerableError, match="latent-class estimate"):
        found.truth(estimate="latent_class")


def test_too_many_ratings_go_without_names(data, monkeypatch):
    monkeypatch.setattr("headcount.counting.size.REMEMBERED", 1000)
    found = hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=20)
    assert found.latent_class.raters == "shared"
    assert any("too many to keep who gave them" in note for note in found.notes)


def test_many_labels_and_ratings_are_planned_with_fewer():
    """Ten labels × thirty ratings have too many patterns to list; fewer ratings are on the safe
    side.
    """
    data = make("fallible", cases=60, labels=10, raters=30, accuracy=(0.4,), seed=2)
    found = hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=0)
    check = found.check("enough_items")
    assert "4 ratings each" in check.text


def _values(found):
    values = [found.agreement, found.rater_accuracy, found.latent_class.rater_accuracy]
    for each in found.classifiers:
        values += [each.algebraic, each.latent_class, each.shared_errors]
    return [estimate.value for estimate in values]


def test_names_and_order_of_raters_and_items_never_matter(data, result):
    rows = np.random.default_rng(0).permutation(len(data.rating_columns["item"]))
    columns = {name: np.array(values)[rows] for name, values in data.rating_columns.items()}
    columns["rater"] = np.array(["z" + name[::-1] for name in columns["rater"]], dtype=object)
    shuffled = hc.system_accuracy(
        hc.Ratings.from_frame(pa.table(columns)), data.predictions, n_bootstrap=0
    )
    np.testing.assert_allclose(_values(shuffled), _values(result), atol=1e-4)


def test_names_of_labels_never_matter(data, result):
    names = dict(zip("ABCDE", "qwxyz"[::-1], strict=True))
    ratings = dict(data.rating_columns)
    ratings["label"] = np.array([names[label] for label in ratings["label"]], dtype=object)
    answers = dict(data.prediction_columns)
    answers["system"] = np.array([names[label] for label in answers["system"]], dtype=object)
    renamed = hc.system_accuracy(
        hc.Ratings.from_frame(pa.table(ratings)),
        hc.Predictions.from_frame(pa.table(answers)),
        n_bootstrap=0,
    )
    np.testing.assert_allclose(_values(renamed), _values(result), atol=1e-4)


def test_a_hundred_labels_are_no_obstacle():
    data = make("fallible", cases=400, labels=100, raters=4, accuracy=(0.7,), seed=8)
    found = hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=20)
    assert found.classifiers[0].algebraic.value == pytest.approx(0.9, abs=0.08)
    assert "too few for the" in found.latent_class
    assert found.check("even_errors").state == "unchecked"
    span = found.classifiers[0].span
    assert [each.name for each in span.parts] == ["algebraic"]
    assert "too few ratings for anything but even errors" in found.verdict()


def test_fewer_latent_samples_are_said(data, monkeypatch):
    monkeypatch.setattr("headcount.accuracy.latent_classes.MOST_WORK", 1.0)
    found = hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=60)
    assert (found.latent_class.n_bootstrap, found.n_bootstrap) == (50, 60)
    assert "come from 50 bootstrap samples, not 60" in found.summary()


def test_a_fit_that_did_not_settle_is_not_believed(data, monkeypatch):
    monkeypatch.setattr("headcount.accuracy.dawid_skene.TOLERANCE", 0.0)
    monkeypatch.setattr(
        "headcount.accuracy.dawid_skene.climb.__kwdefaults__",
        {
            "most_iterations": 4,
            "tolerance": 0.0,
        },
    )
    found = hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=0)
    assert not found.latent_class.converged
    assert found.believe == "algebraic"
    assert "did not settle" in found.why


def test_another_confidence_reads_the_same_draws(data, result):
    """Every interval at once; only what was said of the asked precision stays as it was asked."""
    again = hc.system_accuracy(
        data.ratings, data.predictions, n_bootstrap=120, seed=1, confidence=0.8
    )
    narrow = result.with_confidence(0.8)
    assert narrow.classifiers == again.classifiers
    assert narrow.latent_class == again.latent_class
    assert narrow.base_rates == again.base_rates
    assert narrow != result


def test_frames_paths_and_studies_are_taken_as_they_are(data, result, tmp_path):
    pd = pytest.importorskip("pandas")
    people, machines = (
        pd.DataFrame(each) for each in (data.rating_columns, data.prediction_columns)
    )
    people.to_csv(tmp_path / "ratings.csv", index=False)
    machines.to_csv(tmp_path / "predictions.csv", index=False)
    options = {"n_bootstrap": 120, "seed": 1}
    framed = hc.system_accuracy(people, machines, **options)
    assert framed.classifiers == result.classifiers
    assert isinstance(framed.to_frame(), pd.DataFrame)
    assert isinstance(framed.truth(), pd.DataFrame)
    read = hc.system_accuracy(tmp_path / "ratings.csv", tmp_path / "predictions.csv", **options)
    assert read.classifiers == result.classifiers
    assert hc.system_accuracy(as_study(people, machines), **options) == framed


def test_assumptions_are_checked_without_estimating_anything(data, result):
    """The same checks as beside the estimate, but for the one about its precision."""
    found = check_assumptions(as_study(data.ratings, data.predictions))
    assert found == tuple(each for each in result.checks if each.id != "enough_items")
    assert [each.id for each in result.failed] == ["even_errors", "equal_raters"]
    with pytest.raises(OptionError, match="no check 'luck' here: above_chance, even_errors"):
        result.check("luck")


def test_tables_are_found_by_id(result):
    ids = ["classifiers", "estimates", "raters", "base_rates", "reliability", "bins"]
    assert [table.id for table in result.tables()] == ids
    assert result.table("classifiers").rows[0][1].startswith("between ")
