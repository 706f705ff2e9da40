"""What must hold for any ratings and any classifier, whatever they are."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount.data import Classifier, Labels, Predictions, Ratings
from headcount.deconvolution import deconvolve
from headcount.deconvolution.adjusted_scores import score_parts
from headcount.deconvolution.contenders import chosen_scorers, part_of
from headcount.deconvolution.jury import Jury
from headcount.deconvolution.rates import given as given_rates
from headcount.deconvolution.slips import flip_rate, most_disagreement, primary_shares
from headcount.sampling import Bootstrap

METRICS = ("accuracy", "precision", "recall", "f1", "auc", "cross_entropy")


@st.composite
def tasks(draw):
    """Counts (n, L) with at least one rating an item, a hard answer and a rate for each."""
    n_labels = draw(st.integers(2, 4))
    n = draw(st.integers(1, 8))
    row = st.lists(st.integers(0, 4), min_size=n_labels, max_size=n_labels).filter(any)
    counts = np.array(draw(st.lists(row, min_size=n, max_size=n)))
    answers = np.array(draw(st.lists(st.integers(0, n_labels - 1), min_size=n, max_size=n)))
    rate = draw(st.floats(0, 1))
    return counts, answers, rate


def scored(counts, answers, rate, rows=None, method="unbiased"):
    """Every score of a hard classifier and the oracle, from bare arrays."""
    order = np.arange(len(counts)) if rows is None else rows
    shares = counts[order] / counts[order].sum(axis=1, keepdims=True)
    labels = Labels(tuple("abcd"[: counts.shape[1]]))
    jury = Jury.of(shares, np.ones(len(order)), given_rates(np.full(len(order), rate)))
    classifier = Classifier("model", codes=answers[order])
    jury, first = jury.grouped(classifier.outputs())
    part = part_of(jury, np.ones(len(first), dtype=bool), [classifier.take(first)])
    scorers = chosen_scorers(METRICS, labels, None, None)
    (scores,) = score_parts(jury, [part], scorers, Bootstrap(8), bounded=False, method=method)
    return scores


@settings(max_examples=40, deadline=None)
@given(tasks(), st.randoms(use_true_random=False))
def test_item_order_never_matters(task, random):
    rows = list(range(len(task[0])))
    random.shuffle(rows)
    for one, other in zip(scored(*task), scored(*task, rows=np.array(rows)), strict=True):
        assert one.to_dict() == other.to_dict()


@settings(max_examples=40, deadline=None)
@given(tasks(), st.integers(2, 3))
def test_a_group_of_identical_items_equals_the_items(task, times):
    copies = np.repeat(np.arange(len(task[0])), times)
    for one, other in zip(scored(*task), scored(*task, rows=copies), strict=True):
        for view in ("aggregated", "raw", "adjusted"):
            value, again = getattr(one, view).value, getattr(other, view).value
            assert value == again if value is None else value == pytest.approx(again)


@settings(max_examples=40, deadline=None)
@given(tasks())
def test_nobody_passes_the_oracle_in_accuracy_by_the_papers_method(task):
    found = scored(*task, method="paper")
    scores = {(score.kind, score.scorer): score for score in found}
    oracle, model = scores["oracle", "accuracy"], scores["classifier", "accuracy"]
    assert oracle.aggregated.value == pytest.approx(1)
    assert model.raw.value <= oracle.raw.value + 1e-12
    assert oracle.raw.value <= oracle.adjusted.value + 1e-12
    assert model.adjusted.value <= oracle.adjusted.value + 1e-12


@settings(max_examples=40, deadline=None)
@given(tasks(), st.sampled_from(["unbiased", "paper"]))
def test_no_estimate_lies_outside_its_own_interval_or_the_metrics_bounds(task, method):
    for score in scored(*task, method=method):
        for estimate in (score.aggregated, score.raw, score.adjusted, score.of_oracle):
            for confidence in (0.95, 0.5):
                value, low, high = estimate.at(confidence)
                if value is not None and low is not None:
                    assert low <= value <= high
        if score.scorer != "cross_entropy" and score.adjusted.value is not None:
            assert 0 <= score.adjusted.value <= 1


@settings(max_examples=40, deadline=None)
@given(tasks(), st.randoms(use_true_random=False))
def test_label_names_never_matter(task, random):
    counts, answers, rate = task
    turned = list(range(counts.shape[1]))
    random.shuffle(turned)
    turned = np.array(turned)
    back = np.argsort(turned)
    plain = scored(counts, answers, rate)
    renamed = scored(counts[:, turned], back[answers], rate)
    for one, other in zip(plain, renamed, strict=True):
        if one.scorer in ("accuracy", "cross_entropy"):
            value, again = one.adjusted.value, other.adjusted.value
            assert value == again if value is None else value == pytest.approx(again)


@settings(max_examples=40, deadline=None)
@given(st.floats(0, 1), st.integers(2, 12))
def test_flip_rates_grow_with_disagreement_and_stay_within_limits(r, n_labels):
    rate = float(flip_rate(r, n_labels))
    assert 0 <= rate <= most_disagreement(n_labels) + 1e-12
    assert rate <= float(flip_rate(min(r + 0.05, 1), n_labels)) + 1e-12


@settings(max_examples=40, deadline=None)
@given(tasks(), st.floats(0, 1))
def test_sharper_rates_never_dull_the_majority(task, other):
    counts, _, rate = task
    shares = counts / counts.sum(axis=1, keepdims=True)
    low, high = sorted([rate, other])
    dull = primary_shares(shares, np.full(len(shares), low)).max(axis=1)
    sharp = primary_shares(shares, np.full(len(shares), high)).max(axis=1)
    tied = (shares == shares.max(axis=1, keepdims=True)).sum(axis=1) > 1
    assert (sharp >= dull - 1e-9)[~tied].all()


@settings(max_examples=15, deadline=None)
@given(tasks())
def test_the_public_function_equals_the_arrays(task):
    counts, answers, rate = task
    names = list("abcd"[: counts.shape[1]])
    ratings = Ratings.from_counts(counts, labels=names)
    table = {"item": [str(i) for i in range(len(counts))], "model": [names[j] for j in answers]}
    labels = deconvolve(ratings, flip_rate=rate, n_bootstrap=0)
    found = labels.score(Predictions.from_frame(pa.table(table)), METRICS)
    for score in scored(counts, answers, rate):
        public = (
            found.oracle_for(score.scorer)
            if score.kind == "oracle"
            else found[score.name, score.scorer]
        )
        for view in ("aggregated", "raw", "adjusted"):
            value, again = getattr(score, view).value, getattr(public, view).value
            assert value == again if value is None else value == pytest.approx(again)
