"""Accuracy about other people like these, and about other documents."""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.accuracy.gold import gold_accuracy
from headcount.rate.rate_of_items import rate_of_items
from headcount.rate.sharpened_mean import design_effect


def _world(right, n=600, copies=1, seed=0):
    """Two labels, raters right with chances of their own, a classifier right in 85 %."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    said = np.where(rng.random((n, len(right))) < right, truth[:, None], 1 - truth[:, None])
    answer = np.where(rng.random(n) < 0.85, truth, 1 - truth)
    truth, said, answer = (np.repeat(each, copies, axis=0) for each in (truth, said, answer))
    item, rater = (codes.ravel() for codes in np.indices(said.shape))
    names = np.array(["no", "yes"])
    ratings = pa.table(
        {
            "item": [f"i{i}" for i in item],
            "rater": [f"r{r}" for r in rater],
            "label": names[said.ravel()],
            "document": [f"d{i // copies}" for i in item],
        }
    )
    items = [f"i{i}" for i in range(len(truth))]
    known = np.flatnonzero(np.isin(np.arange(len(truth)) // copies, rng.choice(n, 40, False)))
    gold = {items[i]: str(names[truth[i]]) for i in known}
    return ratings, pa.table({"item": items, "c": names[answer]}), gold


def _span(ratings, predictions, **options):
    span = hc.system_accuracy(ratings, predictions, n_bootstrap=100, **options)["c"].span
    return span.high_at_zero - span.low_at_zero


def test_raters_who_differ_widen_the_span_and_equal_ones_hardly():
    alike, unlike = _world([0.8] * 5), _world([0.55, 0.6, 0.8, 0.9, 0.97])
    grown = [_span(*each[:2]) / _span(*each[:2], two_way=False) for each in (alike, unlike)]
    assert 1 <= grown[0] < 1.3
    assert grown[1] > grown[0]
    assert grown[1] > 1.2


def test_raters_who_differ_widen_the_model_that_knows_them_by_name():
    """Answers dealt out anew are those of raters alike, also to a model with rates for each."""
    ratings, predictions, _ = _world([0.55, 0.6, 0.8, 0.9, 0.97])

    def width(**options):
        span = hc.system_accuracy(ratings, predictions, n_bootstrap=100, **options)["c"].span
        part = next(each for each in span.parts if each.name == "latent_class_by_rater")
        return part.accuracy.high - part.accuracy.low

    assert width() > 1.1 * width(two_way=False)


def test_the_result_says_whom_it_speaks_of():
    ratings, predictions, gold = _world([0.7, 0.8, 0.9], n=200)
    found = hc.system_accuracy(ratings, predictions, n_bootstrap=50)
    about = "other items like these, judged by other people like these"
    assert found.to_dict()["about"] == about
    assert about in found.tables()[0].caption
    assert any(about in each for each in found.assumptions())
    by_gold = hc.system_accuracy(ratings, predictions, gold=gold, n_bootstrap=50)
    assert any("gold is not a matter of who rated" in each for each in by_gold.assumptions())


def test_copies_of_an_item_in_one_document_tell_nothing_more():
    ratings, predictions, gold = _world([0.75, 0.8, 0.85], n=150, copies=4)
    clustered = hc.Ratings.from_frame(ratings, cluster="document")
    options = {"two_way": False}
    assert _span(clustered, predictions, **options) > 1.4 * _span(ratings, predictions, **options)
    alone = [
        hc.system_accuracy(each, predictions, gold=gold, n_bootstrap=50, **options)["c"].gold.alone
        for each in (clustered, ratings)
    ]
    assert alone[0].value == alone[1].value
    assert alone[0].high - alone[0].low > 1.5 * (alone[1].high - alone[1].low)


def test_gold_of_clusters_against_theory():
    """Four copies of everything as four of one cluster: what one of each would say."""
    rng = np.random.default_rng(1)
    right, guess = (rng.random(80) < 0.8).astype(float), rng.random(2000)
    once = gold_accuracy(right, guess, np.arange(80))
    rows = np.concatenate([np.arange(80) + 80 * k for k in range(4)])
    copied = gold_accuracy(
        np.tile(right, 4), np.tile(guess, 4), rows, cluster=np.tile(np.arange(80), 4)
    )
    assert copied.alone_high - copied.alone_low == pytest.approx(
        once.alone_high - once.alone_low, rel=0.06
    )


def test_design_effect_against_theory():
    """M equal items a cluster vary m times as much as m different ones; others not at all."""
    rng = np.random.default_rng(2)
    values = np.repeat(rng.normal(size=400), 5)
    share = np.full(2000, 1 / 2000)
    assert design_effect(values, share, np.repeat(np.arange(400), 5)) == pytest.approx(5, rel=0.01)
    assert design_effect(values, share, np.arange(2000)) == pytest.approx(1)
    assert design_effect(np.ones(10), np.full(10, 0.1), np.arange(10) // 2) == 1.0


def test_rate_by_documents_and_by_two_raters():
    rng = np.random.default_rng(3)
    item, judge = np.repeat(np.arange(120), 2), rng.random(1000)
    document = item // 10
    ratings = (rng.random(240) < np.repeat(rng.random(12), 20)).astype(float)
    by_item = rate_of_items(ratings, item, judge)
    by_document = rate_of_items(ratings, item, judge, cluster=document)
    assert by_document.value == pytest.approx(by_item.value, abs=0.05)
    assert by_document.high - by_document.low > 1.5 * (by_item.high - by_item.low)
    two = rate_of_items(ratings, item, judge, rater=np.tile([0, 1], 120))
    assert (two.low, two.high, two.rater_share) == (by_item.low, by_item.high, None)
