"""Past the data: modelled points, the ideal classifier, worths beyond the raters asked."""

import json
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.equivalence.crossing import reach_of
from headcount.equivalence.words import worth_text

sys.path.insert(0, str(Path(__file__).parent))
import people

import population

TRUE_IDEAL = -0.6991


def running_example(items, raters, seed=0):
    """The running example's model: ratings, its calibrated classifier, and the ideal one."""
    rng = np.random.default_rng(seed)
    p, share = np.array(population.RUNNING_EXAMPLE).T
    lean = rng.choice(p, p=share, size=items)
    yes = rng.binomial(raters, lean)
    says = rng.random(items) < np.vectorize(population.SAYS_POSITIVE.get)(lean)
    ratings = hc.Ratings.from_counts(np.column_stack([raters - yes, yes]), labels=["no", "yes"])
    table = {"item": [str(i) for i in range(items)], "calibrated": np.where(says, 0.77, 0.32)}
    return ratings, pa.table({**table, "ideal": lean})


@pytest.fixture(scope="module")
def found():
    return hc.survey_equivalence(*running_example(1000, 4), calibrate=False)


def test_modelled_points_rise_from_the_data_to_the_ideal(found):
    curve = found.curve
    scores = [point.score.value for point in curve.all_points]
    assert (np.diff(scores) >= 0).all()
    assert scores[-1] <= curve.ideal.value
    assert [point.raters for point in curve.points] == [0, 1, 2, 3]
    assert curve.modelled[0].raters == 4
    assert all(point.modelled for point in curve.modelled)
    assert curve.score(5).low < curve.score(5).value < curve.score(5).high
    gap = curve.ideal.value - scores[-1]
    assert gap <= 0.01 * (curve.ideal.value - scores[0])


def test_modelled_points_hold_the_truth_against_theory(found):
    truth = population.information_curve(population.RUNNING_EXAMPLE, 12)
    sure = found.with_confidence(0.99)
    for k in (4, 5, 6, 7, 8, 10):
        score = sure.curve.score(k)
        assert score.low <= truth[k] <= score.high
    assert sure.ideal.low <= TRUE_IDEAL <= sure.ideal.high


def test_share_of_the_possible_gain_against_theory(found):
    """(h − c₀) / (c_∞ − c₀) of the running example's classifier: .518."""
    truth = (-0.82031 + 0.9507) / (TRUE_IDEAL + 0.9507)
    share = found["calibrated"].of_ideal
    assert share.low <= truth <= share.high
    assert share.value == pytest.approx(truth, abs=0.1)
    assert found["ideal"].of_ideal.high >= 1
    assert "of the possible gain" in found.summary()


def test_json_and_frame_mark_what_is_modelled(found):
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    marked = [point["modelled"] for point in told["power_curve"]]
    assert marked == [False] * 4 + [True] * len(found.curve.modelled)
    assert {"value", "low", "high"} <= set(told["ideal"])
    by_name = {each["name"]: each for each in told["classifiers"]}
    assert by_name["ideal"]["equivalence"]["measured_to"] == 3
    assert "measured_to" not in by_name["calibrated"]["equivalence"]
    assert {"value", "low", "high"} <= set(by_name["calibrated"]["of_ideal"])
    frame = found.curve.to_frame()
    assert frame["modelled"].to_pylist() == marked


def test_a_worth_past_the_data_says_so(found):
    worth = found["ideal"].worth
    assert worth.modelled
    assert worth.low > 3
    assert "at least 8.6 raters (these data set no upper limit)" in found.verdict()
    assert worth_text(worth, noun="") == "at least 8.6"
    assert worth_text(worth.at(0.5), noun="").endswith("modelled)")
    assert not found["calibrated"].worth.modelled
    assert "modelled, not measured" in found.summary()


def test_another_confidence_moves_modelled_ends_too(found):
    wide = found.with_confidence(0.99)
    assert wide.ideal.low < found.ideal.low
    assert wide.curve.score(6).high > found.curve.score(6).high
    assert wide["ideal"].worth.low < found["ideal"].worth.low
    assert wide["calibrated"].of_ideal.low < found["calibrated"].of_ideal.low
    assert wide["ideal"].worth.measured_to == 3


def test_no_bootstrap_gives_modelled_values_without_intervals():
    found = hc.survey_equivalence(*running_example(300, 4), calibrate=False, n_bootstrap=0)
    assert found.ideal.value is not None
    assert found.ideal.low is None
    assert found["ideal"].worth.modelled
    assert found["calibrated"].of_ideal.low is None


def test_four_ratings_an_item_tell_what_six_people_are_worth():
    ratings, _ = running_example(1500, 4, seed=2)
    rng = np.random.default_rng([2, 7])
    p, share = np.array(population.RUNNING_EXAMPLE).T
    lean = np.random.default_rng(2).choice(p, p=share, size=1500)  # as running_example draws it
    asked = rng.binomial(6, lean)
    like = share * p ** asked[:, None] * (1 - p) ** (6 - asked[:, None])
    said = like @ p / like.sum(axis=1)
    table = pa.table({"item": [str(i) for i in range(1500)], "six": said})
    worth = hc.survey_equivalence(ratings, table, calibrate=False)["six"].worth
    assert worth.modelled
    assert worth.low < 6
    assert people.holds(worth, 6)


def test_three_labels_go_on_by_refits():
    rng = np.random.default_rng(4)
    p = rng.dirichlet([0.5, 0.4, 0.6], size=600)
    ratings = hc.Ratings.from_counts(rng.multinomial(3, p), labels=list("abc"))
    table = {"item": [str(i) for i in range(600)]}
    table |= {f"ideal:{label}": p[:, j] for j, label in enumerate("abc")}
    found = hc.survey_equivalence(ratings, pa.table(table), calibrate=False, n_bootstrap=200)
    own = np.sum(p * np.log2(np.clip(p, 1e-12, 1)), axis=1)
    assert found.ideal.low < own.mean() < found.ideal.high
    assert found["ideal"].worth.modelled
    assert found["ideal"].worth.low > 2


def test_a_curve_that_falls_is_no_basis_for_more_people():
    """Many labels, few items: abc peaks early and falls; three people stay three people."""
    rng = np.random.default_rng(0)
    counts = rng.multinomial(9, rng.dirichlet(np.full(14, 0.12), size=400))
    labels = [f"l{i}" for i in range(14)]
    ratings, said = people.people_as_classifier(counts, labels, 3)
    paper = hc.survey_equivalence(ratings, said, combiner="abc", calibrate=False)
    peak = paper.curve.reach
    assert peak < paper.curve.most
    assert paper["people"].worth.ceiling == peak
    assert f"past its peak at {['no', 'one', 'two', 'three', 'four'][peak]}" in paper.summary()
    found = hc.survey_equivalence(ratings, said, calibrate=False)
    assert found.curve.asked.combiner == "fitted"
    assert people.holds(found["people"].worth, 3)


def test_reach_of_a_curve():
    assert reach_of([0.1, 0.3, 0.2]) == 1
    assert reach_of([0.1, 0.3, 0.3]) == 2
    assert reach_of([np.nan, 0.1, 0.2]) == 2


def test_refitted_draws_are_centred_at_the_curve():
    ratings, said = running_example(120, 8)
    found = hc.survey_equivalence(ratings, said, combiner="abc", calibrate=False)
    np.testing.assert_allclose(found.curve.draws.mean(axis=0), found.curve.values, atol=1e-12)
    worth = found["calibrated"].worth
    assert worth.low <= worth.value <= worth.high


def test_long_tables_are_cut_and_charts_show_the_classifiers():
    rng = np.random.default_rng(1)
    yes = rng.binomial(40, rng.beta(2, 2, size=300))
    ratings = hc.Ratings.from_counts(np.column_stack([40 - yes, yes]), labels=["no", "yes"])
    table = {"item": [str(i) for i in range(300)], "m": np.clip(yes / 80 + 0.25, 0, 1)}
    found = hc.survey_equivalence(ratings, pa.table(table), calibrate=False, n_bootstrap=50)
    shown = found.curve.curve_table()
    assert len(shown.rows) <= 12
    assert "points are shown" in shown.caption
    spec = found.chart().to_dict()
    assert "ideal classifier" in json.dumps(spec)
    assert "strokeDash" in json.dumps(found.curve.chart().to_dict())
