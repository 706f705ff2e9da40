"""Tables by rater and the contested items."""

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binom

import headcount as hc
from headcount.agreement.contested import expected_disagreement
from headcount.agreement.named import NamedRatings
from headcount.agreement.raters import pairwise, standings
from headcount.simulate import make
from headcount.simulate.crowd import Crowd

ANSWERS = [
    ("q1", "ann", "yes"),
    ("q1", "ben", "yes"),
    ("q1", "cat", "no"),
    ("q2", "ann", "no"),
    ("q2", "ben", "no"),
    ("q2", "cat", "yes"),
    ("q3", "ann", "yes"),
    ("q3", "ben", "no"),
    ("q4", "dan", "yes"),
]


def _ratings(answers=ANSWERS):
    item, rater, label = zip(*answers, strict=True)
    return hc.Ratings.from_frame(pa.table({"item": item, "rater": rater, "label": label}))


def test_every_pair_of_raters_by_hand():
    matrix = hc.agreement(_ratings()).pairwise
    assert matrix.raters == ("ann", "ben", "cat", "dan")
    assert matrix.items.tolist() == [[3, 3, 2, 0], [3, 3, 2, 0], [2, 2, 2, 0], [0, 0, 0, 1]]
    assert matrix.agreement() == [
        [None, pytest.approx(2 / 3), 0.0, None],
        [pytest.approx(2 / 3), None, 0.0, None],
        [0.0, 0.0, None, None],
        [None, None, None, None],
    ]


def test_each_rater_against_the_others_by_hand():
    table = {each.rater: each for each in hc.agreement(_ratings()).raters_table}
    assert table["ann"].compared == 5
    assert table["ann"].agreement.value == pytest.approx(2 / 5)
    assert table["cat"].agreement.value == 0
    assert table["dan"].agreement.value is None
    assert "nobody else" in table["dan"].agreement.note


def test_raters_who_most_surely_agree_least_come_first():
    """One bad answer of one is no evidence; nobody to compare with is none at all."""
    answers = [(f"q{i}", rater, "yes") for i in range(20) for rater in ("ann", "ben")]
    answers += [(f"q{i}", "cat", "no") for i in range(20)]
    answers += [("q0", "newcomer", "maybe"), ("alone", "dan", "yes")]
    names = [each.rater for each in hc.agreement(_ratings(answers)).raters_table]
    assert names == ["cat", "ann", "ben", "newcomer", "dan"]


def test_a_rater_who_does_not_look_heads_the_list():
    n, m = 120, 6
    item, rater = (codes.ravel() for codes in np.indices((n, m)))
    rng = np.random.default_rng(3)
    crowd = Crowd(np.ones(m), np.eye(m)[4], np.full((m, 2), 0.5))
    clear = np.where(rng.random(n) < 0.5, 0.9, 0.1)
    replies = crowd.ask(rng, item, rater, np.column_stack([1 - clear, clear])[item])
    named = NamedRatings(item, rater, replies.label, tuple("abcdef"), n, 2)
    table = standings(named)
    assert table[0].rater == "e"
    assert table[0].agreement.high < table[1].agreement.low
    shares = pairwise(named).agreement()
    others = [shares[j][k] for j in range(m) for k in range(m) if j != k and 4 not in (j, k)]
    assert max(share for share in shares[4] if share is not None) < min(others)


def test_interval_of_a_rater_coverage():
    """The interval for one rater's agreement holds the truth about as often as it claims."""
    hits, runs, n, m = 0, 1000, 60, 5
    shares = np.array([0.1, 0.5, 0.85])
    weights = np.array([0.5, 0.2, 0.3])
    truth = float(weights @ (shares**2 + (1 - shares) ** 2))
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        kind = rng.choice(3, size=n, p=weights)
        label = (rng.random((n, m)) < shares[kind][:, None]).astype(np.int64)
        item, rater = np.indices((n, m))
        named = NamedRatings(item.ravel(), rater.ravel(), label.ravel(), tuple("abcde"), n, 2)
        table = {each.rater: each for each in standings(named)}
        estimate = table["a"].agreement
        hits += estimate.low <= truth <= estimate.high
    assert binom.cdf(hits, runs, 0.95) > 0.001
    assert binom.sf(hits - 1, runs, 0.95) > 1e-6


def test_contested_items_by_hand():
    found = hc.agreement(_ratings()).contested
    by_item = {each.item: each for each in found}
    assert set(by_item) == {"q1", "q2", "q3"}
    assert by_item["q1"].counts == {"no": 1, "yes": 2}
    assert by_item["q1"].disagreement == pytest.approx(2 / 3)
    assert by_item["q3"].disagreement == 1


def test_many_divided_ratings_say_more_than_one_against_one():
    ratings = hc.Ratings.from_counts(
        [[1, 1], [10, 10], [20, 0], [0, 20], [2, 0], [19, 1]] * 3, labels=["a", "b"]
    )
    found = hc.agreement(ratings, contested=100).contested
    order = [tuple(each.counts.values()) for each in found]
    assert order[0] == (10, 10)
    assert order.index((1, 1)) > order.index((10, 10))
    assert (20, 0) not in order
    assert len(order) == 9


def test_expected_disagreement_against_theory():
    """By simulation: items from the Dirichlet, ratings from the items, two more raters each."""
    rng = np.random.default_rng(0)
    mean, alpha = np.array([0.3, 0.7]), 0.4
    shares = rng.dirichlet(mean * (1 - alpha) / alpha, size=400_000)
    counts = rng.binomial(3, shares[:, 1])
    disagree = 2 * shares[:, 0] * shares[:, 1]
    for yes in range(4):
        predicted = expected_disagreement(np.array([[3 - yes, yes]]), mean, alpha, np.eye(2))[0]
        assert predicted == pytest.approx(disagree[counts == yes].mean(), abs=0.004)


def test_contested_zero_lists_none():
    assert hc.agreement(_ratings(), contested=0).contested == ()


def test_a_rater_with_no_ratings_is_not_listed():
    frame = pa.table(
        {"item": ["1", "2"], "ann": ["x", "y"], "ben": ["x", "x"], "eve": pa.nulls(2, pa.string())}
    )
    names = [each.rater for each in hc.agreement(hc.Ratings.from_wide(frame)).raters_table]
    assert names == ["ann", "ben"]


def test_disagreement_bins_hold_every_compared_item():
    found = hc.agreement(make("comments", items=200, seed=1).ratings)
    assert sum(each.items for each in found.disagreement) == found.items_compared
    assert found.disagreement[0].high == 0
    assert len(found.disagreement) == 11
