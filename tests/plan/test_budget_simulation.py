"""Experiments drawn one by one agree with the computed probabilities (binomial tests)."""

import numpy as np
import pytest
from scipy import stats

from headcount.plan import (
    Correlated,
    LabelAccuracy,
    Noise,
    Strategy,
    estimation_error,
    plan_comparison,
)

EXPERIMENTS = 4000


def wins(rng, plan, strategy, items, experiments=EXPERIMENTS):
    """Draw items, who is right, and labels; count experiments the better classifier wins.

    Written from the story alone: nothing of the library's formulas. Also the labels used.
    """
    pairing = plan.pairing
    shape = (experiments, items)
    kind = rng.choice(
        3, p=[pairing.only_better, pairing.only_worse, 1 - pairing.disagreement], size=shape
    )
    sources = (pairing.labels_better, pairing.labels_worse, pairing.labels)
    accuracy = np.choose(
        kind, [source.draw(experiments * items, rng).reshape(shape) for source in sources]
    )
    votes = rng.random((*shape, strategy.majority_of)) < accuracy[..., None]
    used = experiments * items * strategy.majority_of
    if strategy.adaptive:
        agree = votes[..., 0] == votes[..., 1]
        label_right = np.where(agree, votes[..., 0], votes[..., 2])
        used = 2 * agree.size + (~agree).sum()
    else:
        label_right = 2 * votes.sum(axis=-1) > strategy.majority_of
    gap = np.where(label_right, 1, -1) * np.array([1, -1, 0])[kind]
    total = gap.sum(axis=1)
    return int((total > 0).sum()), int((total == 0).sum()), used / (experiments * items)


def agrees(successes, probability, trials=EXPERIMENTS):
    return stats.binomtest(successes, trials, probability).pvalue > 1e-3


CASES = {
    "independent": {"accuracy": 0.8, "margin": 0.08, "label_accuracy": 0.75},
    "correlated": {
        "joint": Correlated(0.7, 0.4, 0.92),
        "label_accuracy": Noise(if_better=0.85, if_worse=0.65),
    },
    "heterogeneous": {
        "accuracy": 0.8,
        "margin": 0.08,
        "label_accuracy": LabelAccuracy.spread(0.75, 0.2),
    },
    "correlated and heterogeneous": {
        "accuracy": 0.8,
        "margin": 0.1,
        "disagreement": 0.3,
        "label_accuracy": Noise(
            0.75,
            if_better=LabelAccuracy.of([0.55, 0.95]),
            if_worse=LabelAccuracy.spread(0.7, 0.1),
        ),
    },
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("strategy", [Strategy(1), Strategy(5), Strategy(3, adaptive=True)])
def test_probability_against_simulation(case, strategy):
    labels = "2+1" if strategy.adaptive else strategy.majority_of
    plan = plan_comparison(**CASES[case], budget=150, labels_per_item=labels)
    best = plan.best
    won, tied, per_item = wins(np.random.default_rng(7), plan, strategy, best.items)
    assert agrees(won, best.probability)
    assert agrees(tied, best.tie)
    assert per_item == pytest.approx(best.labels_per_item, rel=0.01)


@pytest.mark.parametrize("labels", [LabelAccuracy.same(0.7), LabelAccuracy.spread(0.75, 0.2)])
@pytest.mark.parametrize("m", [1, 3, 5])
def test_standard_errors_against_simulation(labels, m):
    accuracy, items, experiments = 0.85, 120, 3000
    rng = np.random.default_rng(13)
    shape = (experiments, items)
    right = rng.random(shape) < accuracy
    q = labels.draw(experiments * items, rng).reshape(shape)
    label_right = rng.random((*shape, m)) < q[..., None]
    agree = (label_right == right[..., None]).sum(axis=-1)
    q_m = labels.majority(m)
    plain = (2 * agree > m).mean(axis=1)
    expected = estimation_error(accuracy, labels, Strategy(m), items)
    corrected = (plain - (1 - q_m)) / (2 * q_m - 1)
    assert corrected.mean() == pytest.approx(accuracy, abs=0.01)
    assert corrected.std() == pytest.approx(expected.accuracy, rel=0.05)
    rmse = np.sqrt(((plain - accuracy) ** 2).mean())
    assert rmse == pytest.approx(expected.accuracy_uncorrected, rel=0.05)
    assert (agree / m).mean(axis=1).std() == pytest.approx(expected.agreement, rel=0.05)
    if m == 1:
        assert expected.distance is None
    else:
        distance = ((m - agree) * (m - agree - 1) / (m * (m - 1))).mean(axis=1)
        share = np.where(right, q, 1 - q)
        assert distance.mean() == pytest.approx(((1 - share) ** 2).mean(), rel=0.02)
        assert distance.std() == pytest.approx(expected.distance, rel=0.05)
