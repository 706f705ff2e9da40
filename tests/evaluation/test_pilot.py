"""A plan from a pilot: its estimates against known truth, and what it says."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import stats

import headcount as hc
from headcount.errors import OptionError, UnanswerableError
from headcount.evaluation import pilot
from headcount.evaluation.pilot_joint import Groups
from headcount.evaluation.pilot_spread import (
    agreement_moments,
    distribution,
    moved_to,
    skill_spread,
)
from headcount.simulate import make
from headcount.stats import Bootstrap, estimate_from_draws

TRUE = {"worse": 0.7, "if_wrong": 0.5, "if_right": 0.92, "q_b": 0.9, "q_w": 0.75, "q": 0.85}


def simulate(rng, items, *, ratings=5, labels=2, spread=0.0, **change):
    """Label counts, the better classifier's answers, the worse one's; every share as in TRUE."""
    true = {**TRUE, **change}
    truth = rng.integers(0, labels, items)
    worse_right = rng.random(items) < true["worse"]
    chance = np.where(worse_right, true["if_right"], true["if_wrong"])
    better_right = rng.random(items) < chance

    def answers(right):
        return np.where(right, truth, (truth + rng.integers(1, labels, items)) % labels)

    q = np.where(
        better_right & ~worse_right,
        true["q_b"],
        np.where(worse_right & ~better_right, true["q_w"], true["q"]),
    )
    q = np.clip(q + spread * rng.choice([-1, 1], items), 0, 1)
    said_right = rng.random((items, ratings)) < q[:, None]
    slips = (truth[:, None] + rng.integers(1, labels, (items, ratings))) % labels
    said = np.where(said_right, truth[:, None], slips)
    counts = np.stack([(said == label).sum(axis=1) for label in range(labels)], axis=1)
    return counts, answers(better_right), answers(worse_right)


def as_data(counts, better, worse):
    names = [f"L{label}" for label in range(counts.shape[1])]
    ratings = hc.Ratings.from_counts(counts, labels=names)
    frame = pa.table(
        {
            "item": [str(row) for row in range(len(counts))],
            "good": [names[code] for code in better],
            "poor": [names[code] for code in worse],
        }
    )
    return ratings, hc.Predictions.from_frame(frame)


def estimates(counts, better, worse, samples=0, seed=0):
    content = np.column_stack([counts, better, worse])
    distinct, sizes = np.unique(content, axis=0, return_counts=True)
    n_labels = counts.shape[1]
    groups = Groups(distinct[:, :n_labels], distinct[:, n_labels], distinct[:, n_labels + 1])
    draws = Bootstrap(samples, 0.95, seed).item_draws(sizes)
    weights = np.concatenate([sizes[None], draws]).astype(float)
    return pilot._find(groups, sizes, weights, own=True, tail=0.025)[0]


@pytest.fixture(scope="module")
def data():
    return as_data(*simulate(np.random.default_rng(5), 800))


@pytest.mark.parametrize("labels", [2, 4])
def test_joint_correctness_against_known_truth(labels):
    """A very large pilot finds every quantity, also with labels that favour one classifier."""
    found = estimates(*simulate(np.random.default_rng(1), 60_000, labels=labels))
    joint = found.joint
    assert joint.both[0] == pytest.approx(0.7 * 0.92, abs=0.01)
    assert joint.only_first[0] == pytest.approx(0.3 * 0.5, abs=0.006)
    assert joint.only_second[0] == pytest.approx(0.7 * 0.08, abs=0.006)
    assert joint.labels_first[0] == pytest.approx(0.9, abs=0.01)
    assert joint.labels_second[0] == pytest.approx(0.75, abs=0.02)


@pytest.mark.parametrize("labels", [2, 3])
def test_joint_correctness_with_items_of_unequal_difficulty_against_known_truth(labels):
    """Hard items are not taken for items that the other classifier gets right."""
    data = simulate(
        np.random.default_rng(1),
        40_000,
        ratings=7,
        labels=labels,
        q_b=0.8,
        q_w=0.8,
        q=0.8,
        spread=0.15,
    )
    found = estimates(*data)
    assert found.labels[0].varies
    assert found.joint.only_first[0] == pytest.approx(0.15, abs=0.008)
    assert found.joint.only_second[0] == pytest.approx(0.056, abs=0.008)
    assert found.joint.labels_first[0] == pytest.approx(0.8, abs=0.02)
    assert found.joint.labels_second[0] == pytest.approx(0.8, abs=0.02)


def test_a_simulated_pilot_against_its_known_truth(tmp_path):
    """Ragged raters of unequal skill on items of unequal difficulty: the intervals hold it."""
    made = make("comments", items=1500, seed=4)
    made.write(tmp_path)
    truth = pd.read_csv(tmp_path / "truth.csv").merge(pd.read_csv(tmp_path / "predictions.csv"))
    toxic = truth["majority"] == "toxic"
    worse = (truth["word_list:toxic"] > 0.5) == toxic
    better = (truth["llm_judge"] == "toxic") == toxic
    share = truth[["share:fine", "share:toxic"]].max(axis=1)
    known = {
        "margin": better.mean() - worse.mean(),
        "disagreement": (better != worse).mean(),
        "label_accuracy_if_better": share[better & ~worse].mean(),
        "label_accuracy_if_worse": share[worse & ~better].mean(),
    }
    found = hc.plan_from_pilot(
        made.ratings,
        made.predictions,
        classifiers=["word_list", "llm_judge"],
        target=0.95,
        n_bootstrap=200,
    )
    assert found.better == "llm_judge"
    for name, value in known.items():
        assert found.quantities[name].low <= value <= found.quantities[name].high, name


def covered(runs, items):
    """How often 95 % intervals hold the truth: margin, q_b, q_w, share only the better has."""
    truths = {"gap": 0.15 - 0.056, "labels_first": 0.9, "labels_second": 0.75, "only_first": 0.15}
    hits = dict.fromkeys(truths, 0)
    for run in range(runs):
        data = simulate(np.random.default_rng([31, run]), items)
        joint = estimates(*data, samples=200, seed=run).joint
        for name, truth in truths.items():
            drawn = getattr(joint, name)
            found = estimate_from_draws(drawn[0], drawn[1:], Bootstrap().tail(items))
            hits[name] += found.low <= truth <= found.high
    return hits


def test_intervals_hold_the_truth_coverage():
    runs = 40
    for name, hits in covered(runs, 500).items():
        assert stats.binomtest(hits, runs, 0.95).pvalue > 1e-3, (name, hits)


@pytest.mark.prove
def test_intervals_hold_the_truth_full_coverage():
    runs = 600
    hits = covered(runs, 500)
    print({name: found / runs for name, found in hits.items()})
    for name, found in hits.items():
        assert stats.binomtest(found, runs, 0.95).pvalue > 1e-3, (name, found)


def test_spread_of_label_accuracy_against_known_truth():
    rng = np.random.default_rng(2)
    values = rng.choice([0.65, 0.95], 40_000)
    right = rng.binomial(6, values)
    counts = np.column_stack([right, 6 - right])
    ones = np.ones((1, len(counts)))
    mean, variance = skill_spread(*agreement_moments(counts, ones), 2)
    squares = (2 * np.array([0.65, 0.95]) - 1) ** 2
    assert mean[0] == pytest.approx(squares.mean(), abs=0.01)
    assert variance[0] == pytest.approx(squares.var(), abs=0.01)
    fitted = distribution(float(mean[0]), float(variance[0]), 2)
    assert fitted.mean == pytest.approx(0.8, abs=0.015)
    true = hc.LabelAccuracy.of([0.65, 0.95])
    assert fitted.majority(3) == pytest.approx(true.majority(3), abs=0.02)
    few = agreement_moments(counts[:, :1] * 0 + 1, ones)
    assert np.isnan(few).all()


def test_a_spread_is_moved_to_any_mean():
    spread = distribution(0.4, 0.05, 2)
    for mean in (0.5, 0.55, 0.8, 0.97, 1.0):
        assert moved_to(spread, mean, 2).mean == pytest.approx(mean, abs=2e-3)
    assert not moved_to(spread, 0.5, 2).varies
    assert moved_to(spread, 0.7, 2).sd < spread.sd


def test_no_spread_is_one_accuracy():
    assert not distribution(0.36, 0.0, 2).varies
    assert distribution(0.36, 0.0, 2).mean == pytest.approx(0.8)
    assert distribution(1.0, 0.2, 2).mean == 1.0
    assert distribution(0.5, 0.9, 2).varies


def test_the_plan_from_a_large_pilot_is_the_plan_from_the_truth():
    ratings, predictions = as_data(*simulate(np.random.default_rng(3), 40_000))
    found = hc.plan_from_pilot(ratings, predictions, target=0.95, n_bootstrap=0)
    true = hc.plan_comparison(
        worse_accuracy=0.7,
        better_if_worse_wrong=0.5,
        better_if_worse_right=0.92,
        label_accuracy=0.85,
        label_accuracy_if_better=0.9,
        label_accuracy_if_worse=0.75,
        target=0.95,
    )
    assert (found.better, found.worse) == ("good", "poor")
    assert found.plan.best.items == pytest.approx(true.best.items, rel=0.1)
    for one, other in zip(found.plan.plans, true.plans, strict=True):
        assert one.items == pytest.approx(other.items, rel=0.12)
    assert found.uncertain == ()
    assert found.right_order is None


def test_the_plan_shows_its_own_uncertainty(data):
    found = hc.plan_from_pilot(*data, target=0.95, n_bootstrap=200, seed=1)
    known = found.uncertain[found.plan.plans.index(found.plan.best)]
    assert known.items.low < found.plan.best.items < known.items.high
    assert known.probability.low < found.plan.best.probability < known.probability.high
    assert sum(unsure.best for unsure in found.uncertain) == pytest.approx(1)
    assert "the pilot allows" in found.verdict()
    text = found.summary()
    assert "What the pilot says: 800 items" in text
    assert "holds on the pilot" in text
    assert "q_b − q_w" in text
    again = hc.plan_from_pilot(*data, target=0.95, n_bootstrap=200, seed=1)
    assert again.to_dict() == found.to_dict()


def test_a_larger_pilot_is_surer():
    widths = []
    for items in (300, 4800):
        data = as_data(*simulate(np.random.default_rng(8), items))
        margin = hc.plan_from_pilot(*data, budget=500, n_bootstrap=150).quantities["margin"]
        widths.append(margin.high - margin.low)
    assert widths[0] / widths[1] == pytest.approx(4, rel=0.35)


def test_to_dict_has_the_plans_keys_and_the_pilots(data):
    found = hc.plan_from_pilot(*data, budget=600, n_bootstrap=100)
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["best"]["uncertainty"]["probability"]["low"] > 0.5
    assert all("uncertainty" in row for row in told["plans"])
    quantities = told["pilot"]["quantities"]
    assert quantities["worse_accuracy"]["low"] < 0.7 < quantities["worse_accuracy"]["high"]
    assert {"better_if_worse_wrong", "label_accuracy_if_worse"} <= set(quantities)
    assert found.to_frame().num_rows == len(found.plan.plans)
    assert "by the pilot's uncertainty" in found.verdict()


def test_biased_labels_are_found_and_warned_of():
    data = simulate(np.random.default_rng(4), 3000, ratings=7, q_b=0.65, q_w=0.95, if_wrong=0.6)
    found = hc.plan_from_pilot(*as_data(*data), budget=2000, n_bootstrap=100)
    assert found.better == "good"
    assert found.quantities["label_bias"].high < 0
    assert any("Assumption 1 of the paper fails" in line for line in found.unchecked())
    assert any("fails on the pilot" in line for line in found.assumptions())


def test_varying_difficulty_is_found():
    data = simulate(
        np.random.default_rng(6), 2000, ratings=7, q_b=0.78, q_w=0.78, q=0.78, spread=0.2
    )
    found = hc.plan_from_pilot(*as_data(*data), budget=2000, n_bootstrap=100)
    assert found.varies
    assert found.plan.pairing.labels.sd == pytest.approx(0.2, abs=0.05)
    assert found.spread_fails is not None
    even = hc.plan_from_pilot(
        *as_data(*simulate(np.random.default_rng(6), 1500, q_b=0.8, q_w=0.8, q=0.8)),
        budget=2000,
        n_bootstrap=100,
    )
    assert not even.varies


def test_a_small_pilot_says_what_it_cannot_tell():
    data = as_data(*simulate(np.random.default_rng(12), 60, ratings=2))
    found = hc.plan_from_pilot(*data, budget=300, n_bootstrap=100)
    assert not found.own_accuracies
    text = found.summary()
    assert "assumption 1 was not checked" in text
    assert "look at the paper's assumption 2" in text
    assert found.quantities["label_bias"].value == 0


def test_equal_classifiers_leave_the_order_open():
    data = simulate(np.random.default_rng(21), 400, if_wrong=0.2, if_right=0.9, q_b=0.8, q_w=0.8)
    found = hc.plan_from_pilot(*as_data(*data), target=0.9, n_bootstrap=150)
    assert found.right_order < 0.975
    assert any("not sure which is better" in line for line in found.unchecked())


def test_more_labels_than_two_and_answers_outside_them():
    counts, better, worse = simulate(np.random.default_rng(9), 900, labels=3)
    ratings, _ = as_data(counts, better, worse)
    said = [f"L{code}" for code in worse]
    said[:40] = ["refused"] * 40
    frame = pa.table(
        {
            "item": [str(row) for row in range(len(counts))],
            "good": [f"L{code}" for code in better],
            "poor": said,
        }
    )
    predictions = hc.Predictions.from_frame(frame)
    found = hc.plan_from_pilot(ratings, predictions, target=0.9, unknown="wrong", n_bootstrap=60)
    assert found.better == "good"
    assert found.plan.pairing.categories == 3
    assert any("There are 3 labels" in line for line in found.unchecked())


def test_a_choice_of_classifiers_and_its_mistakes(data):
    ratings, predictions = data
    with pytest.raises(OptionError, match="there is no classifier 'best'"):
        hc.plan_from_pilot(ratings, predictions, classifiers=["good", "best"], budget=100)
    with pytest.raises(OptionError, match="name two with classifiers="):
        hc.plan_from_pilot(ratings, predictions, classifiers=["good"], budget=100)
    with pytest.raises(OptionError, match="one of the two"):
        hc.plan_from_pilot(ratings, predictions)
    other = hc.plan_from_pilot(
        ratings, predictions, classifiers=["poor", "good"], budget=100, n_bootstrap=0
    )
    assert other.better == "good"


def test_pilots_that_cannot_answer_say_why():
    counts, better, worse = simulate(np.random.default_rng(0), 50, ratings=3)
    with pytest.raises(UnanswerableError, match="same answer on every item"):
        hc.plan_from_pilot(*as_data(counts, better, better), budget=100)
    single = np.eye(2, dtype=int)[better]
    with pytest.raises(UnanswerableError, match="No item of the pilot has two ratings"):
        hc.plan_from_pilot(*as_data(single, better, worse), budget=100)
    split = np.full((50, 2), 2)
    with pytest.raises(UnanswerableError, match="no more often than by chance"):
        hc.plan_from_pilot(*as_data(split, better, worse), budget=100)
    mirrored = np.array([[3, 1], [1, 3]] * 25)
    zero, one = np.zeros(50, dtype=int), np.ones(50, dtype=int)
    with pytest.raises(UnanswerableError, match=r"no more often than by chance|equally good"):
        hc.plan_from_pilot(*as_data(mirrored, zero, one), budget=100)


def test_real_judges_are_planned_for(shared_data):
    """Two LLM judges, three raters, one of the judges with 25 answers out of form."""
    folder = shared_data("pandalm-judges")
    found = hc.plan_from_pilot(
        hc.Ratings.read(folder / "ratings.csv"),
        hc.Predictions.read(folder / "predictions.csv"),
        target=0.95,
        unknown="wrong",
        n_bootstrap=100,
    )
    assert (found.items, found.differing) == (999, 315)
    assert found.quantities["label_accuracy"].value == pytest.approx(0.959, abs=0.001)
    assert found.plan.best.strategy.majority_of == 1
