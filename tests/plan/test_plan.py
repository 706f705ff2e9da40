"""Plans: what they choose, what they say, and what they refuse."""

import json

import numpy as np
import pytest

from headcount.errors import OptionError
from headcount.plan import (
    Correlated,
    Costs,
    LabelAccuracy,
    Noise,
    Pairing,
    Step,
    Strategy,
    plan_comparison,
)
from headcount.plan.walk import items_for_failure

NUMBERS = {"accuracy": 0.8, "margin": 0.05, "label_accuracy": 0.8}


def offer(plan, labels, adaptive=False):
    return next(o for o in plan.plans if o.strategy == Strategy(labels, adaptive))


def test_step_against_the_papers_formula():
    q, a, e = 0.8, 0.8, 0.05
    step = Pairing.independent(a, e, LabelAccuracy.same(q)).step(Strategy(1))
    assert step.up == pytest.approx(q * a * (1 - a + e) + (1 - q) * (1 - a) * (a - e))
    assert step.down == pytest.approx(q * (1 - a) * (a - e) + (1 - q) * a * (1 - a + e))
    assert step.drift == pytest.approx((2 * q - 1) * e)


def test_correlated_step_against_the_papers_formula():
    worse, if_wrong, if_right, q_b, q_w = 0.75, 0.4, 0.9, 0.85, 0.7
    plan = plan_comparison(
        joint=Correlated(worse, if_wrong, if_right),
        label_accuracy=Noise(if_better=q_b, if_worse=q_w),
        budget=200,
    )
    step = plan.pairing.step(Strategy(1))
    up = (1 - worse) * if_wrong * q_b + worse * (1 - if_right) * (1 - q_w)
    down = (1 - worse) * if_wrong * (1 - q_b) + worse * (1 - if_right) * q_w
    assert (step.up, step.down) == (pytest.approx(up), pytest.approx(down))
    assert step.drift == pytest.approx(up - down)
    assert plan.pairing.better == pytest.approx(worse * if_right + (1 - worse) * if_wrong)


def test_independence_is_a_special_case_of_both_other_forms():
    a, e, q = 0.8, 0.05, 0.75
    worse = a - e
    plans = [
        plan_comparison(accuracy=a, margin=e, label_accuracy=q, budget=300),
        plan_comparison(
            accuracy=a,
            margin=e,
            label_accuracy=q,
            disagreement=a * (1 - worse) + (1 - a) * worse,
            budget=300,
        ),
        plan_comparison(joint=Correlated(worse, a, a), label_accuracy=q, budget=300),
    ]
    probabilities = [[o.probability for o in plan.plans] for plan in plans]
    np.testing.assert_allclose(probabilities[1], probabilities[0], rtol=1e-12)
    np.testing.assert_allclose(probabilities[2], probabilities[0], rtol=1e-12)


def test_classifiers_that_differ_less_are_told_apart_with_fewer_labels():
    far = plan_comparison(**NUMBERS, disagreement=0.4, target=0.95)
    near = plan_comparison(**NUMBERS, disagreement=0.1, target=0.95)
    assert near.best.items < far.best.items


@pytest.mark.parametrize("target", [0.6, 0.8, 0.95, 0.999])
def test_fewest_items_against_brute_force(target):
    """Also where the classifiers nearly always differ, and odd numbers of items are better."""
    rng = np.random.default_rng(3)
    for disagreement in (0.2, 0.9, 1.0):
        for _ in range(6):
            drift = float(rng.uniform(0.1, 0.4)) * disagreement
            up, down = (disagreement + drift) / 2, (disagreement - drift) / 2
            step = Step(up, down, drift, 1 - disagreement)
            failures = step.ends(np.arange(1, 9000)).failure
            expected = int(np.argmax(failures <= 1 - target)) + 1
            assert items_for_failure([step], 1 - target)[0] == expected


def test_budget_takes_one_item_fewer_where_ties_would_hurt():
    plan = plan_comparison(
        joint=Correlated(0.4, 1.0, 0.0),
        label_accuracy=0.9,
        budget=10,
        labels_per_item=1,
    )
    assert plan.best.items == 9


def test_item_cost_makes_more_labels_worth_it():
    cheap = plan_comparison(**NUMBERS, target=0.9, costs=Costs(item=0))
    dear = plan_comparison(**NUMBERS, target=0.9, costs=Costs(item=20))
    assert cheap.best.strategy == Strategy(1)
    assert dear.best.strategy.majority_of > 1
    assert dear.best.cost == pytest.approx(
        dear.best.items * (20 + dear.best.labels_per_item), rel=1e-12
    )
    assert dear.best.cost == min(o.cost for o in dear.plans)


def test_a_budget_is_never_overspent():
    for budget in (7, 100, 999.5):
        plan = plan_comparison(**NUMBERS, budget=budget, costs=Costs(0.7, 0.3))
        assert all(o.cost <= budget + 1e-9 for o in plan.plans)
        assert plan.best.probability == max(o.probability for o in plan.plans)


def test_adaptive_plan_is_a_majority_of_three_for_fewer_labels():
    plan = plan_comparison(**NUMBERS, target=0.9)
    adaptive, three = offer(plan, 3, adaptive=True), offer(plan, 3)
    assert adaptive.items == three.items
    assert adaptive.probability == three.probability
    assert adaptive.labels == pytest.approx(adaptive.items * 2.32)
    assert offer(plan, 1).cost < adaptive.cost < three.cost


def test_an_even_number_of_labels_is_explained_and_never_better():
    plan = plan_comparison(**NUMBERS, target=0.9, labels_per_item=[3, 4])
    assert offer(plan, 4).items == offer(plan, 3).items
    assert plan.best.strategy == Strategy(3)
    assert any("4 labels an item decide nothing that 3 cannot" in s for s in plan.unchecked())


def test_rivals_use_the_union_bound():
    alone = plan_comparison(**NUMBERS, budget=2000, labels_per_item=1)
    many = plan_comparison(**NUMBERS, budget=2000, labels_per_item=1, rivals=5)
    assert many.best.probability == pytest.approx(1 - 5 * alone.best.failure)
    assert many.best.cramer == pytest.approx(min(1, 5 * alone.best.cramer))
    target = plan_comparison(**NUMBERS, target=0.95, labels_per_item=1, rivals=20)
    assert target.best.failure <= 0.05 / 20
    assert target.best.items_cramer > target.best.items
    assert "best of 21" in target.verdict()
    ruled_out = alone.best.rivals
    assert ruled_out["exact"] == int(0.05 / alone.best.failure)
    assert ruled_out["exact"] >= ruled_out["cramer"] >= ruled_out["hoeffding"]
    hopeless = plan_comparison(**NUMBERS, budget=10, labels_per_item=1, rivals=50)
    assert hopeless.best.probability == 0


def test_biased_labels_are_flagged_and_can_make_more_labels_win():
    plan = plan_comparison(
        joint=Correlated(0.7, 0.6, 0.8),
        label_accuracy=Noise(if_better=0.75, if_worse=0.9),
        budget=3000,
    )
    assert plan.best.strategy.majority_of > 1
    assert any("assumption 1 fails" in line for line in plan.unchecked())
    unreached = plan_comparison(
        joint=Correlated(0.7, 0.6, 0.8),
        label_accuracy=Noise(if_better=0.75, if_worse=0.9),
        target=0.9,
    )
    assert Strategy(1) in unreached.unreachable
    assert any("never reach the target" in line for line in unreached.unchecked())


def test_biased_spread_is_flagged():
    plan = plan_comparison(
        accuracy=0.8,
        margin=0.02,
        label_accuracy=Noise(0.8, if_worse=LabelAccuracy.spread(0.8, 0.2)),
        budget=500,
    )
    assert any("assumption 2 fails" in line for line in plan.unchecked())
    even = plan_comparison(accuracy=0.8, margin=0.02, label_accuracy=0.8, budget=500)
    assert even.unchecked() == ()


def test_spread_over_items_is_said_and_costs_the_majority():
    same = plan_comparison(**NUMBERS, budget=300)
    spread = plan_comparison(
        **{**NUMBERS, "label_accuracy": LabelAccuracy.spread(0.8, 0.2)}, budget=300
    )
    assert offer(spread, 1).probability == pytest.approx(offer(same, 1).probability)
    assert offer(spread, 5).probability < offer(same, 5).probability
    assert any("varies over items" in line for line in spread.assumptions())
    assert any("wrong more often than right" in line for line in spread.unchecked())


def test_the_other_question_can_prefer_more_labels():
    """Nearly perfect classifier, noisy labels: more labels estimate its accuracy better."""
    plan = plan_comparison(
        accuracy=0.99,
        margin=0.01,
        label_accuracy=0.6,
        budget=20_000,
        labels_per_item=[1, 3, 51, 101],
    )
    assert plan.best.strategy == Strategy(1)
    errors = {row.labels_per_item: row for row in plan.estimating}
    assert errors[101].accuracy < errors[1].accuracy
    assert errors[101].accuracy_uncorrected < errors[1].accuracy_uncorrected
    assert errors[1].distance is None
    assert errors[1].agreement < errors[3].agreement


def test_to_dict_has_the_documented_keys_and_is_json():
    plan = plan_comparison(**NUMBERS, target=0.9)
    told = json.loads(json.dumps(plan.to_dict(), allow_nan=False))
    inputs = {"accuracy", "margin", "label_accuracy", "target", "budget"}
    assert inputs | {"plans", "best"} <= set(told)
    needed = {"items", "labels_per_item", "labels", "cost", "probability", "tie"}
    for row in [*told["plans"], told["best"]]:
        assert needed | {"cramer", "hoeffding"} <= set(row)
    assert told["best"]["labels_per_item"] == 1
    assert told["estimating"][0]["labels_per_item"] == 1
    frame = plan.to_frame()
    assert frame.num_rows == len(plan.plans)


def test_summary_says_what_the_plan_is_not_for():
    text = plan_comparison(**NUMBERS, budget=300).summary()
    assert text.startswith("Label 300 items, one label each: the better one comes first with")
    assert "not the plan for estimating" in text
    assert "0.796984" in text
    single = plan_comparison(**NUMBERS, budget=300, labels_per_item=1).verdict()
    assert single.endswith("at a cost of 300.")
    sure = plan_comparison(accuracy=0.9, margin=0.3, label_accuracy=0.9, budget=9000).verdict()
    assert "probability 1 − " in sure or "1 (to double precision)" in sure


BAD = [
    ({"label_accuracy": 0.5}, "label_accuracy must be above 0.5"),
    ({"label_accuracy": 1.2}, "label_accuracy is a share from 0 to 1"),
    ({"label_accuracy": "good"}, "label_accuracy is a number"),
    ({"label_accuracy": None}, "give label_accuracy"),
    ({"margin": 0.9}, "margin 0.9 is larger than possible"),
    ({"margin": 0}, "margin is how much better"),
    ({"margin": float("nan")}, "margin is a finite number"),
    ({"accuracy": 1.5}, "accuracy is a share"),
    ({"accuracy": None}, "give accuracy"),
    ({"budget": -5}, "budget is above 0"),
    ({"budget": 0.5}, "does not pay for one item"),
    ({"target": 0.9}, "one of the two"),
    ({"budget": None}, "one of the two"),
    ({"budget": None, "target": 1}, "target is a probability"),
    ({"budget": None, "target": 0.4}, "target is a probability from 0.5"),
    ({"rivals": 0}, "rivals is a whole number"),
    ({"labels_per_item": 0}, "labels_per_item is a whole number"),
    ({"labels_per_item": [1, 2.5]}, "labels_per_item is a whole number"),
    ({"labels_per_item": []}, "labels_per_item is empty"),
    ({"disagreement": 0.9}, "differ on 0.05 to 0.45 of the items"),
    ({"disagreement": 0.01}, "differ on 0.05 to 0.45"),
    ({"joint": Correlated(0.7, 0.5, 0.9)}, "not both"),
    ({"step": (0.3, 0.2)}, "leave accuracy out"),
    ({"label_confusion": [[1, 0], [0, 1]]}, "goes with joint"),
    ({"n_labels": 1}, "n_labels is a whole number"),
    ({"n_labels": 3, "disagreement": 0.2}, "goes with two labels"),
    ({"label_accuracy": 0.3, "n_labels": 4, "accuracy": 2}, "accuracy is a share"),
]


@pytest.mark.parametrize(("change", "sentence"), BAD)
def test_bad_input_gets_one_sentence(change, sentence):
    with pytest.raises(OptionError, match=sentence) as caught:
        plan_comparison(**{**NUMBERS, "budget": 300, **change})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"joint": Correlated(0.75, 0.4, 0.5)}, "until it is the better one"),
        ({"joint": Correlated(0.75, 1.5, 0.95)}, "better_if_worse_wrong is a share"),
        ({"label_accuracy": Noise(0.8, if_worse=0.4)}, "label_accuracy_if_worse must be above 0.5"),
    ],
)
def test_impossible_correlations_get_one_sentence(change, sentence):
    given = {"joint": Correlated(0.75, 0.4, 0.95), "label_accuracy": 0.8, "budget": 300}
    with pytest.raises(OptionError, match=sentence):
        plan_comparison(**{**given, **change})


@pytest.mark.parametrize(
    ("prices", "sentence"),
    [
        ({"item": -1}, "item_cost is at least 0"),
        ({"label": -0.1}, "label_cost is at least 0"),
        ({"label": 0}, "both 0"),
        ({"label": "dear"}, "label_cost is a number"),
    ],
)
def test_impossible_costs_get_one_sentence(prices, sentence):
    with pytest.raises(OptionError, match=sentence):
        Costs(**prices)


def test_a_target_that_labels_can_never_reach_is_explained():
    with pytest.raises(OptionError, match="no number of items reaches the target"):
        plan_comparison(
            joint=Correlated(0.7, 0.5, 0.8),
            label_accuracy=Noise(if_better=0.55, if_worse=0.95),
            target=0.9,
            labels_per_item=1,
        )


def test_fewest_items_where_ties_grow_first_against_brute_force():
    """Items that nearly always move something, targets just above one half: no number is skipped.

    Failure may rise from one number of items to the next, but of odd and of even numbers apart
    it never rises once it is at most one half, which is why bisecting them apart is enough.
    """
    rng = np.random.default_rng(8)
    still = rng.uniform(0, 0.3, 120) * rng.random(120)
    drift = (1 - still) * 10 ** rng.uniform(-3, -0.1, 120)
    steps = np.stack([(1 - still + drift) / 2, (1 - still - drift) / 2, drift, still])
    failures = Step(*steps).ends(np.arange(1, 1001)[:, None]).failure
    rises = (failures[2:] > failures[:-2] * (1 + 1e-12)) & (failures[:-2] <= 0.5)
    assert not rises.any()
    for target in (0.5, 0.52, 0.6, 0.75):
        enough = failures <= 1 - target
        found = items_for_failure([Step(*column) for column in steps.T], 1 - target)
        reached = enough.any(axis=0)
        np.testing.assert_array_equal(found[reached], enough.argmax(axis=0)[reached] + 1)
        assert (found[~reached] > 1000).all()


def test_of_equally_sure_votes_the_one_of_fewest_labels_is_the_best():
    """A fourth label decides nothing: only rounding could tell it from a third."""
    for accuracy in np.linspace(0.6, 0.9, 13):
        plan = plan_comparison(
            accuracy=accuracy,
            margin=0.05,
            label_accuracy=0.7,
            budget=300,
            costs=Costs(label=0, item=1),
            labels_per_item=[3, 4],
        )
        assert plan.best.strategy == Strategy(3)
