"""Data too small or too plain for a number: a state, a note or a sentence, never a NaN."""

import json

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.equivalence.crossing import falls, later_crossings, worth
from headcount.equivalence.words import counted, in_people, people, worth_text
from headcount.errors import UnanswerableError
from headcount.results import Estimate

TINY = ([[3, 1], [1, 3]], [[3, 1], [3, 1]], [[4, 0], [4, 0], [0, 4]], [[2, 0, 0], [0, 1, 1]])
PAIRS = (
    ("abc", "cross_entropy"),
    ("abc", "auc"),
    ("abc", "dmi"),
    ("auto", "cross_entropy"),
    ("fitted", "cross_entropy"),
    ("fitted", "auc"),
    ("linear", "brier"),
    ("plurality", "f1"),
    ("plurality", "agreement"),
)


@pytest.mark.parametrize("rows", TINY)
@pytest.mark.parametrize(("combiner", "scorer"), PAIRS)
def test_tiny_data_give_json_without_nan(rows, combiner, scorer):
    ratings = hc.Ratings.from_counts(rows, labels=list("abc"[: len(rows[0])]))
    said = pa.table({"item": [str(i) for i in range(len(rows))], "m": ["a"] * len(rows)})
    found = hc.survey_equivalence(
        ratings,
        hc.Predictions.from_frame(said),
        combiner=combiner,
        scorer=scorer,
        n_bootstrap=40,
    )
    json.dumps(found.to_dict(), allow_nan=False)
    assert "nan" not in found.summary().lower().replace("finance", "")


def test_samples_that_hold_one_item_alone_are_counted():
    ratings = hc.Ratings.from_counts([[3, 1], [1, 3]], labels=["a", "b"])
    score = hc.power_curve(ratings, combiner="abc", n_bootstrap=60).score(1)
    assert score.value is not None
    assert "bootstrap samples gave no value" in score.note
    assert "no other item was left to learn from" in score.note


@pytest.mark.parametrize("scorer", ["agreement", "brier"])
@pytest.mark.filterwarnings("error")
def test_samples_that_hold_one_item_alone_warn_of_nothing(scorer):
    ratings = hc.Ratings.from_counts([[3, 1], [1, 3]], labels=["a", "b"])
    found = hc.power_curve(ratings, combiner="abc", scorer=scorer, n_bootstrap=60)
    assert "bootstrap samples gave no value" in found.score(1).note


def test_one_item_teaches_nothing():
    ratings = hc.Ratings.from_counts([[3, 1]], labels=["a", "b"])
    with pytest.raises(UnanswerableError, match="learns from the other items"):
        hc.power_curve(ratings)
    assert hc.power_curve(ratings, combiner="frequency").most == 3


def test_many_raters_do_not_underflow():
    rng = np.random.default_rng(0)
    lean = rng.choice([0.8, 0.1], size=300)
    yes = rng.binomial(400, lean)
    ratings = hc.Ratings.from_counts(np.column_stack([400 - yes, yes]), labels=["no", "yes"])
    curve = hc.power_curve(ratings, max_raters=300, n_bootstrap=0)
    known = np.mean([p * np.log2(p) + (1 - p) * np.log2(1 - p) for p in lean])
    assert curve.values[40] == pytest.approx(known, abs=0.02)
    assert np.isfinite(curve.values).all()


def test_a_score_equal_to_a_point_of_the_curve_against_theory():
    """The first k with c_k *above* h decides: a draw with the last point is beyond the curve."""
    assert worth([0.7], [[0.5, 0.6, 0.7]])[0] == np.inf
    assert worth([0.6], [[0.5, 0.6, 0.7]])[0] == 1
    assert worth([0.5], [[0.5, 0.6, 0.7]])[0] == -np.inf
    assert worth([1.0], [[0.0, 1.0, 1.0, 2.0]])[0] == 2  # the end of a plateau, not its start
    assert worth([0.7], [[0.5, 0.7, np.nan]])[0] == np.inf
    assert later_crossings(1.0, [0.0, 2.0, 1.0]) == (2.0,)


def test_undefined_points_of_a_curve_are_passed_over():
    nan = np.nan
    found = worth([0.5, 0.1, nan, 2, 0.5], [[nan, 0, 1]] * 4 + [[nan] * 3])
    np.testing.assert_allclose(found, [1.5, 1.1, nan, np.inf, nan])
    assert worth([-1.0], [[nan, 0, 1]])[0] == -np.inf
    assert later_crossings(0.5, [0, 1, 0, 1]) == (1.5, 2.5)
    assert later_crossings(2, [0, 1]) == ()
    assert falls([0, 1, 0.5, 0.5, 2]) == (2,)
    assert falls([nan, 1, 0.5]) == (2,)
    assert falls([nan]) == ()


@pytest.mark.parametrize(
    ("estimate", "text", "ends"),
    [
        (Estimate(3.5, 2.8, 4.4, "within", "within", "within"),
         "3.5 raters (2.8 to 4.4)", "better than two people, not as good as five"),
        (Estimate(0.5, 0.2, 0.8, "within", "within", "within"),
         "0.5 raters (0.2 to 0.8)", "better than asking nobody, not as good as one person"),
        (Estimate(7.5, 6.1, None, "within", "within", "above", ceiling=9),
         "7.5 raters (6.1 to more than 9)", "better than six people"),
        (Estimate(None, None, None, "above", "above", "above", ceiling=9),
         "more than 9 raters", "better than nine people"),
        (Estimate(None, None, None, "above", ceiling=1), "more than 1 rater",
         "better than one person"),
        (Estimate(1.2, None, 2.5, "within", "below", "within", floor=0),
         "1.2 raters (less than 0 to 2.5)", "not as good as three people"),
        (Estimate(2.0, state="within"), "2.0 raters",
         "better than one person, not as good as three"),
    ],
)  # fmt: skip
def test_worths_in_words(estimate, text, ends):
    assert worth_text(estimate) == text
    assert in_people(estimate, most=1 if text.endswith("1 rater") else 9) == ends


def test_numbers_in_words():
    assert people(0) == "no raters"
    assert people(12, noun="person") == "12 people"
    assert counted(range(2, 12)) == "2, 3, 4, 5, 6, 7 and 4 more"
    assert counted([3]) == "3"
