"""Any number of labels: worked numbers, brute force, and comparisons drawn label by label."""

from itertools import product

import numpy as np
import pytest

from headcount.errors import OptionError
from headcount.plan import (
    Costs,
    LabelAccuracy,
    Pairing,
    Strategy,
    adjacent_errors,
    even_errors,
    independent_joint,
    plan_comparison,
)
from headcount.plan.contest import JointPairing
from headcount.plan.labelling import plurality

PEOPLE = [
    [0.80, 0.15, 0.04, 0.01],
    [0.15, 0.65, 0.15, 0.05],
    [0.05, 0.15, 0.65, 0.15],
    [0.01, 0.04, 0.15, 0.80],
]


def four_labels(better, worse, **options):
    joint = independent_joint(better, worse)
    return plan_comparison(joint=joint, label_confusion=PEOPLE, target=0.95, **options)


def items(plan, labels):
    return next(o.items for o in plan.plans if o.strategy == Strategy(labels))


def test_four_labels_against_theory():
    """Four labels, confusions of people mostly adjacent, classifiers that err either way."""
    plan = four_labels(even_errors(0.85, 4), adjacent_errors(0.80, 4))
    assert items(plan, 1) == 1744
    plan = four_labels(adjacent_errors(0.85, 4), even_errors(0.80, 4))
    assert (items(plan, 1), plan.best.strategy) == (432, Strategy(1))


def test_one_label_is_not_always_best_against_theory():
    """The worse one errs as people do: single labels never find out, seven an item do."""
    plan = four_labels(even_errors(0.85, 4), adjacent_errors(0.84, 4))
    assert Strategy(1) in plan.unreachable
    assert items(plan, 7) == 13_290
    assert plan.best.cost == min(offer.cost for offer in plan.plans)
    assert plan.best.strategy.majority_of > 7
    assert "Single labels favour the worse classifier" in plan.why()
    assert "1 never gets there" in plan.why()
    assert any("prefers the worse classifier" in line for line in plan.unchecked())
    assert "theorem" not in plan.summary()
    with pytest.raises(OptionError, match="no number of items reaches the target"):
        four_labels(even_errors(0.85, 4), adjacent_errors(0.84, 4), labels_per_item=1)


def brute_plurality(chances, labels):
    """Every sequence of labels, equal votes shared."""
    wins = np.zeros(len(chances))
    for said in product(range(len(chances)), repeat=labels):
        votes = np.bincount(said, minlength=len(chances))
        top = votes == votes.max()
        wins += np.prod([chances[label] for label in said]) * top / top.sum()
    return wins


@pytest.mark.parametrize("labels", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("n_labels", [2, 3, 4])
def test_plurality_against_brute_force(labels, n_labels):
    rng = np.random.default_rng([labels, n_labels])
    for _ in range(3):
        chances = tuple(rng.dirichlet(np.ones(n_labels)).tolist())
        np.testing.assert_allclose(
            plurality(chances, labels), brute_plurality(chances, labels), atol=1e-14
        )


@pytest.mark.parametrize("labels", [1, 3, 5, 9])
def test_two_labels_are_the_papers_form_exactly(labels):
    for accuracy, margin, q in ((0.8, 0.05, 0.8), (0.9, 0.02, 0.7), (0.95, 0.3, 0.99)):
        known = Pairing.independent(accuracy, margin, LabelAccuracy.same(q))
        joint = independent_joint(even_errors(accuracy, 2), even_errors(accuracy - margin, 2))
        found = JointPairing.of(joint, even_errors(q, 2))
        np.testing.assert_allclose(
            found.step(Strategy(labels)), known.step(Strategy(labels)), atol=1e-13
        )
        assert found.gap == pytest.approx(margin, abs=1e-12)
        given = {"budget": 300, "labels_per_item": labels}
        plans = [
            plan_comparison(joint=joint, label_accuracy=q, **given),
            plan_comparison(accuracy=accuracy, margin=margin, label_accuracy=q, **given),
        ]
        assert plans[0].best.probability == pytest.approx(plans[1].best.probability, abs=1e-12)


@pytest.mark.parametrize("strategy", [Strategy(1), Strategy(3, adaptive=True), Strategy(5)])
def test_evenly_spread_errors_are_a_shorthand(strategy):
    known = Pairing.independent(0.8, 0.05, LabelAccuracy.same(0.6), 5)
    joint = independent_joint(even_errors(0.8, 5), even_errors(0.75, 5))
    found = JointPairing.of(joint, even_errors(0.6, 5))
    np.testing.assert_allclose(found.step(strategy), known.step(strategy), atol=1e-13)
    assert found.labels_each(strategy) == pytest.approx(known.labels_each(strategy))
    assert found.disagreement == pytest.approx(known.disagreement)
    plan = plan_comparison(accuracy=0.8, margin=0.05, label_accuracy=0.6, n_labels=5, budget=900)
    assert "of those compared" in plan.why()
    assert any("spread evenly" in line for line in plan.assumptions())


def drawn_wins(rng, joint, confusion, strategy, n, experiments):
    """Experiments drawn label by label that the first classifier wins; labels used an item."""
    size = len(confusion)
    cells = rng.choice(size**3, p=joint.ravel(), size=(experiments, n))
    truth, first, second = np.unravel_index(cells, joint.shape)
    votes = np.zeros((experiments, n, size))
    edges = np.cumsum(confusion, axis=1)
    used = 0
    for label in range(strategy.majority_of):
        said = (rng.random((experiments, n, 1)) > edges[truth]).sum(axis=2)
        asked = np.ones((experiments, n), bool)
        if strategy.adaptive and label == 2:
            asked = votes.max(axis=2) < 2
        used += asked.sum()
        np.add.at(votes, (*np.nonzero(asked), said[asked]), 1)
    noisy = votes + 0.5 * rng.random(votes.shape)  # equal votes are drawn for
    label = noisy.argmax(axis=2)
    gap = ((label == first).astype(int) - (label == second)).sum(axis=1)
    return (gap > 0).mean(), used / (experiments * n)


@pytest.mark.parametrize("case", range(10))
def test_random_joint_tables_against_simulation(case):
    """Ten random tables, none beyond three standard errors."""
    rng = np.random.default_rng([16, case])
    size = 3 + case % 3
    confusion = 0.55 * np.eye(size) + 0.45 * rng.dirichlet(np.ones(size), size)
    better = 0.7 * np.eye(size) + 0.3 * rng.dirichlet(np.ones(size), size)
    worse = 0.5 * np.eye(size) + 0.5 * rng.dirichlet(np.ones(size), size)
    tied = 0.3 * np.einsum("t,ta,ab->tab", np.full(size, 1 / size), better, np.eye(size))
    joint = 0.7 * independent_joint(better, worse, rng.dirichlet(5 * np.ones(size))) + tied
    strategy = (Strategy(1), Strategy(3), Strategy(3, adaptive=True), Strategy(4), Strategy(5))[
        case % 5
    ]
    pairing = JointPairing.of(joint, confusion)
    table = np.array(pairing.joint)
    n, experiments = 40, 3000
    chance = float(pairing.step(strategy).ends(n).win)
    found, labels = drawn_wins(rng, table, confusion, strategy, n, experiments)
    assert abs(found - chance) < 3 * np.sqrt(chance * (1 - chance) / experiments)
    assert labels == pytest.approx(pairing.labels_each(strategy), rel=0.01)


def test_the_better_one_is_found_and_costs_count():
    joint = independent_joint(even_errors(0.8, 3), even_errors(0.85, 3))
    plan = plan_comparison(joint=joint, label_accuracy=0.7, target=0.95, costs=Costs(item=10))
    assert plan.pairing.gap == pytest.approx(0.05)
    assert plan.best.strategy.majority_of > 1
    assert "an item costs as much as 10 labels" in plan.why()
    assert plan.labels_where_they_differ < plan.best.labels
    assert plan.to_dict()["label_confusion"][0][0] == pytest.approx(0.7)


def test_steps_alone_make_a_plan():
    plan = plan_comparison(step={1: (0.22, 0.19), 3: (0.24, 0.17)}, target=0.95)
    assert [offer.strategy.majority_of for offer in plan.plans] == [1, 3]
    assert plan.labels_where_they_differ is None
    assert plan.estimating == ()
    assert "chances given" in plan.summary()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"joint": np.ones((2, 2))}, "labels × labels × labels"),
        ({"joint": np.full((2, 2, 2), 0.2)}, "sum to 1; they sum to 1.6"),
        ({"joint": np.full((2, 2, 2), 0.125)}, "neither is the better one"),
        ({"label_confusion": [[0.9, 0.2], [0.1, 0.9]]}, "each row of label_confusion sums to 1"),
        ({"label_confusion": even_errors(0.8, 3)}, "joint has 2 labels and label_confusion 3"),
        ({"label_confusion": [["a", "b"], ["c", "d"]]}, "is a table of numbers"),
        ({"label_confusion": [[1.5, -0.5], [0, 1]]}, "chances from 0 to 1"),
        ({"label_accuracy": 0.8}, "one of the two"),
        ({"step": (0.7, 0.6), "joint": None, "label_confusion": None}, "sum to at most 1"),
        ({"step": 0.7, "joint": None, "label_confusion": None}, "step is"),
        ({"step": {}, "joint": None, "label_confusion": None}, "step is empty"),
    ],
)
def test_impossible_tables_get_one_sentence(given, sentence):
    joint = independent_joint(even_errors(0.9, 2), even_errors(0.8, 2))
    whole = {"joint": joint, "label_confusion": even_errors(0.8, 2), "budget": 100}
    with pytest.raises(OptionError, match=sentence):
        plan_comparison(**{**whole, **given})
