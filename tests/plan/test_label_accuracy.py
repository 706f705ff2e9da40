"""Label accuracy as a distribution, and what a majority of labels makes of it."""

from itertools import product

import numpy as np
import pytest
from scipy import integrate, stats

from headcount.errors import OptionError
from headcount.plan import LabelAccuracy, Strategy
from headcount.plan.labelling import plurality_wins


@pytest.mark.parametrize("labels", [1, 3, 5, 9, 51])
def test_majority_against_theory(labels):
    for q in (0.5, 0.6, 0.8, 0.99, 1.0):
        expected = stats.binom.sf(labels // 2, labels, q)
        right, wrong = LabelAccuracy.same(q).majority_parts(labels)
        assert right == pytest.approx(expected, rel=1e-12)
        assert wrong == pytest.approx(stats.binom.cdf(labels // 2, labels, q), rel=1e-11)


def test_an_even_vote_is_right_as_often_as_one_label_less():
    for q in (0.55, 0.7, 0.9):
        for labels in (2, 4, 6, 10):
            even, odd = (LabelAccuracy.same(q).majority(m) for m in (labels, labels - 1))
            assert even == pytest.approx(odd, rel=1e-13)


@pytest.mark.parametrize("labels", [1, 3, 7])
def test_spread_against_integration(labels):
    labels_accuracy = LabelAccuracy.spread(0.8, 0.12)
    alpha, beta = labels_accuracy.beta
    expected, _ = integrate.quad(
        lambda q: stats.binom.sf(labels // 2, labels, q) * stats.beta.pdf(q, alpha, beta), 0, 1
    )
    assert labels_accuracy.majority(labels) == pytest.approx(expected, rel=1e-8)
    assert labels_accuracy.mean == pytest.approx(0.8)
    assert labels_accuracy.sd == pytest.approx(0.12)


def test_spread_makes_a_majority_vote_help_less():
    same, spread = LabelAccuracy.same(0.8), LabelAccuracy.spread(0.8, 0.15)
    assert spread.majority(1) == pytest.approx(same.majority(1))
    assert spread.majority(3) < same.majority(3)
    # The paper's extreme: items that everyone gets right or that nobody can tell.
    split = LabelAccuracy.of([0.5, 1.0], [0.4, 0.6])
    assert split.majority(9) == pytest.approx(split.mean)


def test_a_narrow_spread_is_no_spread():
    narrow = LabelAccuracy.spread(0.8, 1e-5)
    assert narrow.majority(5) == pytest.approx(LabelAccuracy.same(0.8).majority(5), abs=1e-8)
    assert LabelAccuracy.spread(0.8, 0) == LabelAccuracy.same(0.8)


@pytest.mark.parametrize(("labels", "n_labels"), [(1, 3), (2, 3), (3, 3), (4, 3), (5, 4), (4, 5)])
def test_plurality_against_brute_force(labels, n_labels):
    """Every way to label: category 0 is right, ties for the top share."""
    q = 0.6
    chance = np.array([q] + [(1 - q) / (n_labels - 1)] * (n_labels - 1))
    expected = 0.0
    for answers in product(range(n_labels), repeat=labels):
        counts = np.bincount(answers, minlength=n_labels)
        top = counts == counts.max()
        expected += chance[list(answers)].prod() * top[0] / top.sum()
    assert LabelAccuracy.same(q).majority(labels, n_labels) == pytest.approx(expected, rel=1e-12)


def test_adaptive_labels_against_brute_force():
    q = LabelAccuracy.same(0.7)
    assert Strategy(3, adaptive=True).labels_each(q.two_differ()) == pytest.approx(
        2 + 2 * 0.7 * 0.3
    )
    # Three n_labels: two labels agree when both are right or share one of two slips.
    assert q.two_differ(3) == pytest.approx(1 - 0.7**2 - 2 * 0.15**2)
    spread = LabelAccuracy.of([0.6, 0.9])
    expected = 2 + np.mean([2 * 0.6 * 0.4, 2 * 0.9 * 0.1])
    assert Strategy(3, adaptive=True).labels_each(spread.two_differ()) == pytest.approx(expected)


def test_plurality_wins_at_the_edges():
    assert plurality_wins(0, 4).tolist() == [0.25]
    assert plurality_wins(1, 3).tolist() == [0.0, 1.0]


def test_share_below_half_and_draws():
    spread = LabelAccuracy.spread(0.7, 0.2)
    drawn = spread.draw(20_000, np.random.default_rng(0))
    assert drawn.mean() == pytest.approx(0.7, abs=0.01)
    assert (drawn < 0.5).mean() == pytest.approx(spread.share_below_half(), abs=0.01)
    points = LabelAccuracy.of([0.4, 0.9], [1, 3])
    assert points.share_below_half() == pytest.approx(0.25)
    assert points.draw(8000, np.random.default_rng(1)).mean() == pytest.approx(
        points.mean, abs=0.01
    )
    assert points.sd == pytest.approx(np.sqrt(0.25 * 0.75) * 0.5)


def test_to_dict_says_what_the_distribution_is():
    assert LabelAccuracy.same(0.8).to_dict() == {"mean": 0.8, "sd": 0.0}
    assert "beta" in LabelAccuracy.spread(0.8, 0.1).to_dict()
    assert LabelAccuracy.of([0.6, 0.8]).to_dict()["values"] == [0.6, 0.8]


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: LabelAccuracy.of([0.6, 1.2]), "label accuracies are numbers from 0 to 1"),
        (lambda: LabelAccuracy.of([]), "label accuracies are numbers from 0 to 1"),
        (lambda: LabelAccuracy.of([0.6], [1, 2]), "1 values and 2 weights"),
        (lambda: LabelAccuracy.of([0.6], [-1]), "weights of label accuracies"),
        (lambda: LabelAccuracy.spread(0.8, 0.5), "cannot vary over items"),
    ],
)
def test_impossible_distributions_are_explained(make, sentence):
    with pytest.raises(OptionError, match=sentence):
        make()
