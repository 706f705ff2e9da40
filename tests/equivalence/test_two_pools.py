"""Amateurs who predict experts, as people call it."""

import json

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.equivalence import question
from headcount.errors import InputError, OptionError, UnanswerableError

STATE = np.random.default_rng(4).choice([0.9, 0.2], size=500)


def counts(positives, raters):
    return np.column_stack([raters - positives, positives])


@pytest.fixture(scope="module")
def amateurs():
    crowd = np.random.default_rng(5).binomial(8, 0.25 + STATE / 2)
    return hc.Ratings.from_counts(counts(crowd, 8), labels=["no", "yes"])


@pytest.fixture(scope="module")
def experts():
    doctors = np.random.default_rng(6).binomial(4, STATE)
    return hc.Ratings.from_counts(counts(doctors, 4), labels=["no", "yes"])


@pytest.fixture(scope="module")
def found(amateurs, experts):
    return hc.expert_equivalence(amateurs, experts, n_bootstrap=200)


def test_amateurs_rise_towards_experts(found):
    worth = [found.equivalence(k).value for k in range(1, 6)]
    assert worth == sorted(worth)
    assert 0.1 < worth[0] < 0.4
    with pytest.raises(OptionError, match="at least one"):
        found.equivalence(0)
    assert (found.amateurs.most, found.experts.most) == (8, 3)


def test_both_curves_start_from_the_same_knowledge(found):
    """Nobody asked: the experts' own frequencies predict an expert, whoever is surveyed."""
    assert found.amateurs.values[0] == pytest.approx(found.experts.values[0], abs=1e-12)
    np.testing.assert_allclose(found.amateurs.draws[:, 0], found.experts.draws[:, 0], atol=1e-3)


def test_the_reverse_is_the_inverse(found):
    needed = found.amateurs_for(1)
    assert found.equivalence(int(needed.value)).value < 1
    assert found.equivalence(int(needed.value) + 1).value > 1
    with pytest.raises(OptionError, match="at least one expert"):
        found.amateurs_for(0)
    with pytest.raises(OptionError, match="0 to 3"):
        found.amateurs_for(4)


def test_it_speaks_in_words_tables_and_json(found):
    assert found.verdict().startswith("One amateur is worth 0.")
    assert "What amateurs are worth in experts" in found.summary()
    out = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [each["amateurs"] for each in out["expert_equivalence"]] == list(range(1, 9))
    assert len(out["experts"]) == 4
    assert len(found.columns()["worth"]) == 8


def test_a_classifier_is_measured_in_amateurs_against_experts(amateurs, experts):
    said = pa.table(
        {"item": [str(i) for i in range(500)], "m:yes": np.where(STATE > 0.5, 0.8, 0.3)}
    )
    predictions = hc.Predictions.from_frame(said)
    how = {"n_bootstrap": 50, "calibrate": False}
    worth = hc.survey_equivalence(amateurs, predictions, experts=experts, **how)
    alone = hc.survey_equivalence(experts, predictions, **how)
    assert worth["m"].score.value == pytest.approx(alone["m"].score.value)
    assert worth.curve.most == 8
    calibrated = hc.survey_equivalence(amateurs, predictions, experts=experts, n_bootstrap=0)
    assert calibrated["m"].reading == "calibrated"
    assert calibrated["m"].as_it_stands.value == pytest.approx(worth["m"].worth.value)


def test_curve_of_amateurs_alone(amateurs, experts, found):
    curve = hc.power_curve(amateurs, experts=experts, n_bootstrap=0)
    np.testing.assert_allclose(curve.values, found.amateurs.values, atol=1e-12)
    short = hc.power_curve(amateurs, experts=experts, max_raters=3, n_bootstrap=0)
    assert short.most == 3


def test_pools_that_do_not_meet(amateurs, experts):
    elsewhere = hc.Ratings.from_frame(
        pa.table({"item": ["x", "x"], "rater": ["1", "2"], "label": ["no", "yes"]})
    )
    with pytest.raises(InputError, match="No item was rated by both pools"):
        hc.expert_equivalence(amateurs, elsewhere)
    other = hc.Ratings.from_counts([[1, 2]], labels=["bad", "good"])
    with pytest.raises(InputError, match="different labels"):
        hc.expert_equivalence(amateurs, other)
    with pytest.raises(UnanswerableError, match="ratings by experts"):
        hc.expert_equivalence(amateurs, experts, reference_raters=4)
    with pytest.raises(OptionError, match="by amateurs"):
        hc.power_curve(amateurs, experts=experts, max_raters=9)


def test_items_outside_either_pool_are_counted(experts):
    crowd = np.random.default_rng(7).binomial(5, STATE[:120])
    few = hc.Ratings.from_counts(counts(crowd, 5), labels=["no", "yes"])
    found = hc.expert_equivalence(few, experts, n_bootstrap=0)
    assert (found.experts.asked.items_used, found.experts.asked.items_dropped) == (120, 380)
    assert "Of 500 rated items, 120 have at least 5 ratings by amateurs" in found.summary()


def test_plurality_of_two_experts(amateurs, experts):
    curve = hc.power_curve(amateurs, experts=experts, reference_raters=2, n_bootstrap=0)
    assert curve.most == 8
    sharper = hc.power_curve(
        amateurs, experts=experts, reference_raters=3, scorer="agreement", n_bootstrap=0
    )
    single = hc.power_curve(amateurs, experts=experts, scorer="agreement", n_bootstrap=0)
    assert sharper.values[3:].mean() > single.values[3:].mean()


def test_amateurs_past_the_budget_are_drawn(amateurs, experts, found, monkeypatch):
    monkeypatch.setattr(question, "MOST_SURVEYS", 300)
    drawn = hc.power_curve(amateurs, experts=experts, n_bootstrap=0)
    first = int(np.flatnonzero(drawn.measured.error)[0])
    gap = np.abs(drawn.values - found.amateurs.values)[first:] / drawn.measured.error[first:]
    assert gap.max() < 4
