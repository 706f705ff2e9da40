"""The paper's validation on raters who were asked again."""

import json
from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest

from headcount.data import Predictions, Ratings
from headcount.deconvolution import validate_deconvolution
from headcount.deconvolution.repeats import calibrate, divergence, repeated
from headcount.errors import OptionError, UnanswerableError


def asked(times: int, slip: float, n: int = 80, raters: int = 12, seed: int = 0) -> Ratings:
    """Every rater answers every item `times` times about a label that does not change."""
    rng = np.random.default_rng(seed)
    held = rng.random((n, raters)) < rng.beta(0.8, 0.8, size=n)[:, None]
    rows = [np.where(rng.random(held.shape) < slip, ~held, held).ravel() for _ in range(times)]
    item, rater = (np.tile(each.ravel(), times) for each in np.indices(held.shape))
    frame = pa.table(
        {
            "item": item.astype(str),
            "rater": rater.astype(str),
            "label": np.concatenate(rows).astype(int).astype(str),
            "occasion": np.repeat(np.arange(times), held.size),
        }
    )
    return Ratings.from_frame(frame)


def test_modal_answers_against_brute_force():
    answers = asked(3, 0.3, n=15, raters=4).answers()
    by_rater = defaultdict(list)
    rows = zip(answers.item, answers.rater, answers.occasion, answers.label, strict=True)
    for item, rater, occasion, label in sorted(rows):
        by_rater[item, rater].append((occasion, label))
    expected = []
    for (item, _), given in sorted(by_rater.items()):
        labels = [label for _, label in given]
        (top, count), *_ = Counter(labels).most_common()
        expected.append((item, labels[0], top, 3, 3 - count))
    found = repeated(answers, 2)
    columns = (found.item, found.first, found.modal, found.times, found.away)
    assert list(zip(*(column.tolist() for column in columns), strict=True)) == expected


def test_pairs_that_differ_have_no_modal_answer():
    found = repeated(asked(2, 0.4, n=20, raters=5).answers(), 2)
    assert set(np.unique(found.modal)) == {-1, 0, 1}
    assert ((found.modal < 0) == (found.away == 1)).all()
    assert found.slip_rate() is None


@pytest.mark.parametrize("times", [2, 5])
def test_adjusted_scores_come_closer_to_modal_answers(times):
    checked = validate_deconvolution(asked(times, 0.12, raters=25), n_bootstrap=100)
    assert checked.holds
    assert checked.flip_rate == pytest.approx(0.12, abs=0.01)
    assert all(row.closer > 0.5 for row in checked.compared)
    assert all(row.chance_closer > 0.9 for row in checked.compared)
    assert checked.divergence_adjusted < checked.divergence_raw
    assert checked.verdict().startswith("Adjusting works here")
    if times == 5:
        assert checked.flip_rate_seen == pytest.approx(0.12, abs=0.01)
        assert checked.undecided == 0
    else:
        assert checked.undecided > 0
        assert "gave no answer more often" in checked.summary()


def test_where_nobody_slips_adjusting_changes_nothing():
    checked = validate_deconvolution(asked(2, 0.0), n_bootstrap=0)
    row = checked.compared[0]
    assert row.raw.value == row.adjusted.value == row.modal.value
    assert row.closer is None
    assert not checked.holds
    assert "nothing to set aside" in checked.verdict()


def test_classifiers_are_validated_too():
    ratings = asked(3, 0.15)
    rng = np.random.default_rng(1)
    table = pa.table({"item": [str(i) for i in range(80)], "oracle": rng.integers(0, 2, 80)})
    checked = validate_deconvolution(
        ratings, Predictions.from_frame(table), scorer="accuracy", n_bootstrap=20
    )
    assert [row.kind for row in checked.compared] == ["oracle", "classifier"]
    assert checked.compared[1].name == "oracle"
    shape = json.loads(json.dumps(checked.to_dict(), allow_nan=False))
    assert {"holds", "compared", "divergence", "calibration"} <= set(shape)
    assert len(checked.to_frame("pandas")) == 2


def test_divergence_against_theory():
    modal, shares = np.array([[0.5, 0.5]]), np.array([[0.25, 0.75]])
    by_hand = 0.5 * np.log2(2) + 0.5 * np.log2(0.5 / 0.75)
    assert divergence(modal, shares, 0.02) == pytest.approx(by_hand)
    assert divergence(modal, modal, 0.02) == pytest.approx(0)


def test_calibration_by_hand():
    shares = np.array([[0.95, 0.05], [0.92, 0.08]])
    modal = np.array([[9.0, 1.0], [10.0, 0.0]])
    low, high = calibrate("raw", shares, modal)
    assert (low.predicted, low.observed, low.answers) == pytest.approx((0.065, 0.05, 20))
    assert (high.predicted, high.observed, high.answers) == pytest.approx((0.935, 0.95, 20))


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"answers": 1}, OptionError, "answers is"),
        ({"min_raters": 0}, OptionError, "min_raters is"),
        ({"folds": 1}, OptionError, "folds is"),
        ({"folds": 99}, UnanswerableError, "Only 80 items have .* too few for 99 folds"),
        ({"min_raters": 13}, UnanswerableError, r"No item has 13 raters .* \(the most is 12\)"),
        ({"answers": 4}, UnanswerableError, "No item has 5 raters with 4 answers"),
    ],
)
def test_validations_that_cannot_be_are_refused_in_a_sentence(options, error, sentence):
    with pytest.raises(error, match=sentence):
        validate_deconvolution(asked(2, 0.1), **options)


def test_without_repeats_there_is_nothing_to_validate_with():
    with pytest.raises(UnanswerableError, match="nothing to validate with"):
        validate_deconvolution(asked(1, 0.1))
