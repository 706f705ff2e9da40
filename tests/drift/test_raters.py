"""Raters over their own course: planted defects are found, and clean data say nothing."""

import numpy as np
import pytest

from headcount.drift.raters import Answered, _beyond_others, courses


def answers(seed, kind="", labels=2, items=1200, raters=8, each=3):
    """Answers in the order of time; the first rater has the defect."""
    rng = np.random.default_rng(seed)
    truth, when = rng.integers(labels, size=items), np.arange(items) / items
    item = np.repeat(np.arange(items), each)
    rater = np.concatenate([rng.permutation(raters)[:each] for _ in range(items)])
    right, at, first = np.full(len(item), 0.88), when[item], rater == 0
    right[first] -= {"tires": 0.5, "careless": 0.23, "spams": 0.38}.get(kind, 0.0) * (
        at[first] if kind == "tires" else 1.0
    )
    right[first & (at < 0.1)] -= 0.45 * (kind == "learns")
    right[at > 0.5] -= 0.2 * (kind == "harder items")
    other = (truth[item] + rng.integers(1, labels, size=len(item))) % labels
    label = np.where(rng.random(len(item)) < right, truth[item], other)
    if kind == "lenient":
        label = np.where(first & (rng.random(len(item)) < 0.3), labels - 1, label)
    if kind == "one answer":
        label[np.flatnonzero(first)[100:140]] = 0
    period = (when * 8).astype(int)
    values = np.arange(labels, dtype=float) if kind == "lenient" else None
    credit = np.eye(labels)
    return Answered(item, rater, label, np.arange(len(item), dtype=float), period, credit, values)


def defects(told):
    return {(e.question, e.rater) for e in courses(told) if e.defect and e.adjusted <= 0.05}


@pytest.mark.parametrize("each", [2, 3])
@pytest.mark.parametrize(
    ("kind", "question"),
    [
        ("tires", "tiring"),
        ("careless", "agreement"),
        ("spams", "agreement"),
        ("lenient", "level"),
        ("one answer", "runs"),
    ],
)
def test_planted_defects_are_found(kind, question, each):
    items = 3600 // each  # as many answers by each rater
    found = [defects(answers(seed, kind, items=items, each=each)) for seed in range(6)]
    assert sum((question, 0) in each for each in found) >= 5


@pytest.mark.parametrize("kind", ["", "harder items"])
def test_clean_data_say_nothing_coverage(kind):
    loud = sum(bool(defects(answers(seed, kind, labels=3, items=600))) for seed in range(60))
    assert loud <= 8  # 3 expected at most; more than 8 in one of two hundred runs


def test_an_answer_against_the_others_against_brute_force():
    told = answers(1, items=30, raters=5, labels=3, each=4)
    beyond, _, others = _beyond_others(told)
    for row in range(len(told.item)):
        rest = [
            told.label[other]
            for other in np.flatnonzero(told.item == told.item[row])
            if other != row
        ]
        agree = np.mean([label == told.label[row] for label in rest])
        pairs = [a == b for i, a in enumerate(rest) for b in rest[i + 1 :]]
        assert beyond[row] == pytest.approx(agree - np.mean(pairs))
        np.testing.assert_allclose(others[row], np.bincount(rest, minlength=3) / 3)
