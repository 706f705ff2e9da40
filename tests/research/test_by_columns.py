"""The paper's algorithms by columns, against loops that follow them line by line."""

import math
from itertools import combinations

import numpy as np
import pytest

from headcount.data import Labels
from headcount.equivalence.combiners import resolve_combiner
from headcount.errors import OptionError
from headcount.metrics import SCORERS, fits, resolve_scorer
from research.by_columns import ByColumns, curve_by_columns, rater_subsets, score_by_columns

PAIRS = [
    (combiner, scorer)
    for combiner in ("plurality", "frequency", "mean", "abc")
    for scorer in SCORERS
    if fits(resolve_combiner(combiner).produces, SCORERS[scorer])
]


def numbered(n_labels):
    return Labels(tuple(str(each) for each in range(n_labels)))


def random_answers(n_labels, seed, items=12, raters=4, missing=0.0):
    rng = np.random.default_rng(seed)
    chance = rng.dirichlet(np.full(n_labels, 0.8), size=items)
    answers = np.array([rng.choice(n_labels, size=raters, p=each) for each in chance])
    answers[rng.random(answers.shape) < missing] = -1
    answers[(answers < 0).all(axis=1), 0] = 0
    return answers


def sequence_chance(y, counts):
    """The paper's ProbabilityOneItem."""
    n, k = sum(counts), sum(y)
    if n < k or any(c < each for c, each in zip(counts, y, strict=True)):
        return 0.0
    ways = math.prod(math.perm(c, each) for c, each in zip(counts, y, strict=True))
    return ways / math.perm(n, k)


def abc_prediction(y, item, counts):
    """The paper's Algorithms 5 and 6, or None for a survey that no other item has."""
    others = [tuple(row) for j, row in enumerate(counts) if j != item]
    sums = []
    for label in range(len(y)):
        longer = tuple(c + (each == label) for each, c in enumerate(y))
        sums.append(sum(sequence_chance(longer, row) for row in others))
    return [each / sum(sums) for each in sums] if sum(sums) > 0 else None


def alternatives(combiner, y, item, counts, labels):
    """(share, prediction) pairs: one, or one for each of the tied labels."""
    n_labels = labels.n
    if combiner == "plurality":
        tied = [label for label in range(n_labels) if y[label] == max(y)]
        return [(1 / len(tied), np.eye(n_labels)[label]) for label in tied]
    if combiner == "frequency":
        return [(1.0, np.array(y) / sum(y) if sum(y) else np.full(n_labels, 1 / n_labels))]
    if combiner == "mean":
        if sum(y):
            return [(1.0, float(np.dot(y, labels.values) / sum(y)))]
        rest = [row @ labels.values / row.sum() for j, row in enumerate(counts) if j != item]
        return [(1.0, float(np.mean(rest)))]
    return [(1.0, np.array(abc_prediction(y, item, counts)))]


def rows_of(share, prediction, scorer, labels):
    if np.ndim(prediction) == 0 or scorer.takes == "probabilities":
        return [(share, prediction)]
    if scorer.takes == "numbers":
        return [(share, prediction @ labels.values)]
    tied = [each for each in range(labels.n) if math.isclose(prediction[each], prediction.max())]
    return [(share / len(tied), each) for each in tied]


def levelled(combiner, answers, k, counts, labels):
    """Each survey's mean prediction over all items and subsets that give it."""
    found = {}
    for subset in combinations(range(answers.shape[1]), k):
        for i in range(len(answers)):
            y = [(answers[i, list(subset)] == label).sum() for label in range(labels.n)]
            ((_, prediction),) = alternatives(combiner, y, i, counts, labels)
            found.setdefault(tuple(y), []).append(prediction)
    return {y: np.mean(predictions, axis=0) for y, predictions in found.items()}


def brute_force(answers, combiner, scorer, labels, reference_raters=1):
    items, raters = answers.shape
    counts = np.array([[(row == label).sum() for label in range(labels.n)] for row in answers])
    curve = []
    for k in range(raters - reference_raters + 1):
        equal = {}
        if scorer.scale_free and combiner in ("abc", "mean"):
            equal = levelled(combiner, answers, k, counts, labels)
        subset_scores = []
        for subset in combinations(range(raters), k):
            unused = [j for j in range(raters) if j not in subset]
            column_scores = []
            for panel in combinations(unused, reference_raters):
                rows = []
                for i in range(items):
                    votes = [(answers[i, list(panel)] == label).sum() for label in range(labels.n)]
                    if not sum(votes):
                        continue
                    reference = [label for label in range(labels.n) if votes[label] == max(votes)]
                    y = [(answers[i, list(subset)] == label).sum() for label in range(labels.n)]
                    made = alternatives(combiner, y, i, counts, labels)
                    for share, given in [(1.0, equal[tuple(y)])] if equal else made:
                        for part, prediction in rows_of(share, given, scorer, labels):
                            rows += [(prediction, r, part / len(reference)) for r in reference]
                prediction, label, weight = zip(*rows, strict=True)
                score = scorer(
                    np.array(prediction), np.array(label), np.array(weight), labels=labels
                )
                if not math.isnan(score):
                    column_scores.append(score)
            if column_scores:
                subset_scores.append(np.mean(column_scores))
        curve.append(np.mean(subset_scores) if subset_scores else math.nan)
    return np.array(curve)


@pytest.mark.parametrize(("combiner", "scorer"), PAIRS)
@pytest.mark.parametrize("n_labels", [2, 3])
def test_curve_by_columns_against_brute_force(combiner, scorer, n_labels):
    labels, scoring = numbered(n_labels), resolve_scorer(scorer)
    combining = resolve_combiner(combiner)
    answers = random_answers(n_labels, seed=n_labels, items=25, raters=3)
    plan = ByColumns(labels, combining, scoring)
    ours = curve_by_columns(answers, plan)
    theirs = brute_force(answers, combiner, scoring, labels)
    np.testing.assert_allclose(ours.score, theirs, atol=1e-12)
    assert (ours.error == 0).all()


@pytest.mark.parametrize(
    ("combiner", "scorer"),
    [("plurality", "agreement"), ("frequency", "auc"), ("mean", "correlation")],
)
def test_ragged_columns_and_panels_of_reference_raters_against_brute_force(combiner, scorer):
    labels, scoring = numbered(2), resolve_scorer(scorer)
    answers = random_answers(2, seed=5, items=15, raters=5, missing=0.3)
    plan = ByColumns(labels, resolve_combiner(combiner), scoring, reference_raters=3)
    ours = curve_by_columns(answers, plan)
    theirs = brute_force(answers, combiner, scoring, labels, reference_raters=3)
    assert len(ours.score) == 3
    np.testing.assert_allclose(ours.score, theirs, atol=1e-12)


def test_a_column_of_blanks_dilutes_every_subset():
    # The padded-columns effect in one line: a rater who rated nothing changes the curve.
    labels = numbered(2)
    answers = random_answers(2, seed=1, items=40, raters=3)
    padded = np.column_stack([answers, np.full(40, -1)])
    plan = ByColumns(labels, resolve_combiner("frequency"), resolve_scorer("brier"))
    honest, diluted = curve_by_columns(answers, plan).score, curve_by_columns(padded, plan).score
    assert diluted[1] == pytest.approx((3 * honest[1] + honest[0]) / 4)


def test_classifier_score_is_the_plain_mean_of_column_scores():
    labels = numbered(2)
    answers = np.array([[0, 1], [0, -1], [1, -1]])
    plan = ByColumns(labels, resolve_combiner("plurality"), resolve_scorer("agreement"))
    score, draws = score_by_columns(
        np.array([0, 0, 0]), answers, plan, draws=np.array([[1, 1, 1], [0, 3, 0]])
    )
    assert score == pytest.approx((2 / 3 + 0) / 2)
    np.testing.assert_allclose(draws, [score, 1.0])  # nobody is left in the second column


@pytest.mark.parametrize("scorer", ["cross_entropy", "f1"])
def test_bootstrap_samples_equal_the_curve_of_the_repeated_items(scorer):
    labels = numbered(2)
    answers = random_answers(2, seed=3, items=30, raters=4)
    rng = np.random.default_rng(0)
    draws = rng.multinomial(30, np.full(30, 1 / 30), size=3)
    fixed = ByColumns(labels, resolve_combiner("frequency"), resolve_scorer(scorer))
    ours = curve_by_columns(answers, fixed, draws=draws)
    for sample, draw in zip(ours.draws, draws, strict=True):
        repeated = curve_by_columns(np.repeat(answers, draw, axis=0), fixed)
        np.testing.assert_allclose(sample, repeated.score, atol=1e-12)


def test_bootstrap_refits_leave_out_all_copies_of_an_item_against_brute_force():
    labels, scorer = numbered(2), resolve_scorer("cross_entropy")
    answers = random_answers(2, seed=4, items=20, raters=3)
    draw = np.random.default_rng(1).multinomial(20, np.full(20, 1 / 20))
    plan = ByColumns(labels, resolve_combiner("abc"), scorer)
    ours = curve_by_columns(answers, plan, draws=draw[None]).draws[0]

    repeated = np.repeat(np.arange(20), draw)
    counts = np.array([[(answers[i] == label).sum() for label in range(2)] for i in repeated])
    expected = []
    for k in range(3):
        scores = []
        for subset in combinations(range(3), k):
            for j in set(range(3)) - set(subset):
                rows = []
                for i in repeated:
                    rest = counts[repeated != i]
                    y = [(answers[i, list(subset)] == label).sum() for label in range(2)]
                    # an item of no labels stands in for the one left out
                    p = abc_prediction(y, 0, np.concatenate([[[0, 0]], rest]))
                    rows.append((p, answers[i, j]))
                p, label = zip(*rows, strict=True)
                scores.append(scorer(np.array(p), np.array(label), np.ones(20), labels=labels))
        expected.append(np.mean(scores))
    np.testing.assert_allclose(ours, expected, atol=1e-12)
    held = ByColumns(labels, resolve_combiner("abc"), scorer, refit=False)
    assert not np.allclose(curve_by_columns(answers, held, draws=draw[None]).draws[0], ours)


def test_item_and_rater_order_never_matter_when_all_subsets_are_taken():
    labels = numbered(3)
    answers = random_answers(3, seed=6, items=30, raters=5, missing=0.2)
    plan = ByColumns(labels, resolve_combiner("abc"), resolve_scorer("cross_entropy"))
    rng = np.random.default_rng(0)
    moved = answers[rng.permutation(30)][:, rng.permutation(5)]
    np.testing.assert_allclose(
        curve_by_columns(answers, plan).score, curve_by_columns(moved, plan).score, atol=1e-12
    )


def test_drawn_subsets_are_different_repeatable_and_state_their_error():
    rng = np.random.default_rng(0)
    drawn = rater_subsets(12, 5, limit=100, rng=rng)
    assert len({tuple(each) for each in drawn}) == 100
    assert (np.diff(drawn, axis=1) > 0).all()
    assert len(rater_subsets(12, 2, limit=100, rng=rng)) == 66
    np.testing.assert_array_equal(rater_subsets(4, 0, limit=5, rng=rng), np.empty((1, 0)))

    labels = numbered(2)
    answers = random_answers(2, seed=7, items=60, raters=9)
    whole = ByColumns(labels, resolve_combiner("frequency"), resolve_scorer("brier"), subsets=200)
    few = ByColumns(labels, resolve_combiner("frequency"), resolve_scorer("brier"), subsets=30)
    exact, sampled = curve_by_columns(answers, whole), curve_by_columns(answers, few)
    again = curve_by_columns(answers, few)
    np.testing.assert_array_equal(sampled.score, again.score)
    np.testing.assert_array_equal(sampled.subsets, [1, 9, 30, 30, 30, 30, 30, 30, 9])
    assert (sampled.error[2:7] > 0).all()
    assert (np.abs(sampled.score - exact.score) <= 4 * sampled.error + 1e-12).all()


def test_too_few_columns_are_refused():
    plan = ByColumns(numbered(2), resolve_combiner("frequency"), resolve_scorer("brier"))
    with pytest.raises(OptionError, match="choose max_raters from 2 to 3"):
        curve_by_columns(random_answers(2, seed=0, raters=3), plan, max_raters=4)


@pytest.mark.parametrize(("combiner", "scorer"), [("abc", "auc"), ("mean", "correlation")])
def test_knowing_nothing_ranks_nothing_against_theory(combiner, scorer):
    # Leaving each item out makes "no answers" rank the items backwards; that must not count.
    labels = numbered(2)
    answers = random_answers(2, seed=8, items=80, raters=3)
    plan = ByColumns(labels, resolve_combiner(combiner), resolve_scorer(scorer))
    assert curve_by_columns(answers, plan).score[0] == pytest.approx(0.5 if scorer == "auc" else 0)
