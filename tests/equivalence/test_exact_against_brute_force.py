"""The exact engine against the definition, on small random data."""

import sys
from pathlib import Path

import numpy as np
import pytest

from headcount.data import Labels, Patterns
from headcount.equivalence.combiners import resolve_combiner
from headcount.equivalence.exact import Setup, power_curve
from headcount.metrics import resolve_scorer

sys.path.insert(0, str(Path(__file__).parent))
import brute_force

PAIRS = [
    ("abc", "cross_entropy"),
    ("abc", "brier"),
    ("abc", "agreement"),
    ("frequency", "cross_entropy"),
    ("frequency", "brier"),
    ("frequency", "agreement"),
    ("frequency-overall", "cross_entropy"),
    ("plurality", "agreement"),
    ("plurality", "brier"),
]


def ragged_counts(n_labels, seed, items=6, fewest=4, most=6):
    rng = np.random.default_rng([seed, n_labels])
    lean = rng.dirichlet(np.ones(n_labels) * 0.7, size=items)
    return np.array([rng.multinomial(rng.integers(fewest, most + 1), chances) for chances in lean])


def setup_for(counts, combiner, scorer, most, **options):
    patterns = Patterns.of(counts)
    labels = Labels(tuple("12579"[: counts.shape[1]]))
    return Setup(
        patterns.counts,
        patterns.items,
        most,
        labels,
        resolve_combiner(combiner, n_labels=labels.n),
        resolve_scorer(scorer),
        **options,
    )


def curve_of(counts, combiner, scorer, most, **options):
    setup = setup_for(counts, combiner, scorer, most, **options)
    return power_curve(setup, np.zeros((0, len(setup.sizes)), dtype=np.int64))


@pytest.mark.parametrize("reference_raters", [1, 3])
@pytest.mark.parametrize("n_labels", [2, 3, 4])
@pytest.mark.parametrize(("combiner", "scorer"), PAIRS)
def test_exact_against_brute_force(combiner, scorer, n_labels, reference_raters):
    for seed in range(2):
        counts = ragged_counts(n_labels, seed)
        most = int(counts.sum(axis=1).min()) - reference_raters
        curve = curve_of(counts, combiner, scorer, most, reference_raters=reference_raters)
        expected = [
            brute_force.score(combiner, scorer, counts, k, reference_raters)
            for k in range(most + 1)
        ]
        np.testing.assert_allclose(curve.scores, expected, atol=1e-12)


def pooled_score(counts, combiner, scorer, k, reference_raters=1):
    """A scorer that is no mean of rows, on the brute-force table."""
    from headcount.equivalence.combiners import alike
    from headcount.metrics import rows_for

    labels = Labels(tuple("12579"[: counts.shape[1]]))
    judge, combine = resolve_scorer(scorer), resolve_combiner(combiner)
    table = [*brute_force.rows(combiner, counts, k, reference_raters, labels.values)]
    predictions = np.array([prediction for _, prediction, _, _ in table])
    label = np.array([each for _, _, each, _ in table])
    weight = np.array([each for *_, each in table])
    if judge.scale_free and combine.learns(k):
        surveys = np.array(
            [
                np.bincount(survey, minlength=counts.shape[1])
                for answers in brute_force.answers_of(counts)
                for survey, held in brute_force.split(answers, k, reference_raters)
                for _ in np.flatnonzero(brute_force.plurality(held, counts.shape[1]))
            ]
        )
        predictions = alike(predictions, surveys, weight)
    rows = rows_for(predictions, combine.produces, judge, labels)
    return judge(rows.prediction, label[rows.index], weight[rows.index] * rows.share, labels=labels)


@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize(
    ("combiner", "scorer"),
    [
        ("plurality", "f1"),
        ("plurality", "precision"),
        ("plurality", "recall"),
        ("plurality", "dmi"),
        ("plurality", "correlation"),
        ("frequency", "auc"),
        ("frequency", "dmi"),
        ("frequency", "f1"),
        ("frequency", "correlation"),
        ("abc", "auc"),
        ("abc", "dmi"),
        ("abc", "f1"),
        ("mean", "correlation"),
    ],
)
def test_pooled_scores_against_brute_force(combiner, scorer, n_labels):
    counts = ragged_counts(n_labels, seed=7)
    most = int(counts.sum(axis=1).min()) - 1
    curve = curve_of(counts, combiner, scorer, most)
    expected = [pooled_score(counts, combiner, scorer, k) for k in range(most + 1)]
    np.testing.assert_allclose(curve.scores, expected, atol=1e-10)


def test_back_offs_are_counted_against_brute_force():
    counts = np.array([[4, 0, 0], [0, 4, 0], [0, 3, 1], [1, 1, 2]])
    curve = curve_of(counts, "abc", "cross_entropy", 3)
    answers = brute_force.answers_of(counts)
    for k in range(4):
        seen = 0.0
        for i, mine in enumerate(answers):
            others = answers[:i] + answers[i + 1 :]
            ways = [survey for survey, _ in brute_force.split(mine, k, 1)]
            depths = [brute_force.abc(survey, others, 3)[1] for survey in ways]
            seen += sum(depth == 0 for depth in depths) / len(depths)
        assert curve.support[k] == pytest.approx(seen / 4)
    assert list(curve.backed_off > 0) == [False, False, True, True]


def test_two_pools_against_brute_force():
    rng = np.random.default_rng(3)
    crowd = rng.multinomial(4, [0.5, 0.3, 0.2], size=5)
    experts = rng.multinomial(3, [0.4, 0.4, 0.2], size=5)
    both = Patterns.of(np.hstack([crowd, experts]))
    labels = Labels(("a", "b", "c"))
    setup = Setup(
        both.counts[:, :3],
        both.items,
        4,
        labels,
        resolve_combiner("abc"),
        resolve_scorer("cross_entropy"),
        experts=both.counts[:, 3:],
    )
    curve = power_curve(setup, np.zeros((0, len(both.items)), dtype=np.int64))
    expected = [_two_pools(crowd, experts, k) for k in range(5)]
    np.testing.assert_allclose(curve.scores, expected, atol=1e-12)


def _two_pools(crowd, experts, k):
    """Surveys of the crowd predict an expert, learned from the other items."""
    answers, shares = brute_force.answers_of(crowd), experts / experts.sum(axis=1, keepdims=True)
    total = 0.0
    for i, mine in enumerate(answers):
        ways = [survey for survey, _ in brute_force.split(mine, k, 0)]
        for survey in ways:
            prediction = _expert_prediction(survey, i, answers, shares)[0]
            for label, share in enumerate(shares[i]):
                if share:
                    scored = brute_force.cross_entropy(prediction, label, 0.04 / 3)
                    total += share * scored / len(ways)
    return total / len(answers)


def _expert_prediction(survey, item, answers, shares):
    chance = [
        float(brute_force.sequence_chance(survey, each)) * (j != item)
        for j, each in enumerate(answers)
    ]
    sums = np.array(chance) @ shares
    if sums.sum() > 0:
        return sums / sums.sum(), 0
    tried = [
        _expert_prediction([*survey[:i], *survey[i + 1 :]], item, answers, shares)
        for i in range(len(survey))
    ]
    nearest = min(depth for _, depth in tried)
    return np.mean([p for p, depth in tried if depth == nearest], axis=0), nearest + 1
