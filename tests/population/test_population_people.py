"""Ceiling and ideal about other people and other documents."""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.population import fit_population
from headcount.sampling.people import student, widened


def _table(n_items=300, n_raters=6, spread=0.0, n_labels=2, copies=1, seed=0):
    """Raters who lean by `spread` to the last label; items come in documents of `copies`."""
    rng = np.random.default_rng(seed)
    p = np.repeat(rng.dirichlet(np.full(n_labels, 0.8), n_items), copies, axis=0)
    lean = 1 / (1 + np.exp(-spread * rng.normal(size=n_raters)))
    towards = np.eye(n_labels)[-1]
    shares = (1 - lean[None, :, None]) * p[:, None] + lean[None, :, None] * towards
    shares = p[:, None] if spread == 0 else 0.5 * p[:, None] + 0.5 * shares
    shares = np.broadcast_to(shares, (len(p), n_raters, n_labels))
    said = (rng.random((len(p), n_raters, 1)) > shares.cumsum(axis=2)[..., :-1]).sum(axis=2)
    item, rater = (codes.ravel() for codes in np.indices(said.shape))
    table = pa.table(
        {
            "item": [f"i{i}" for i in item],
            "rater": [f"r{r}" for r in rater],
            "label": [f"l{label}" for label in said.ravel()],
            "document": [f"d{i // copies}" for i in item],
        }
    )
    return table, said


def _width(estimate):
    return estimate.high - estimate.low


@pytest.mark.parametrize("n_labels", [2, 4])
def test_raters_who_differ_widen_ceiling_and_ideal(n_labels):
    table, _ = _table(spread=2.0, n_labels=n_labels)
    both = hc.population(table, n_bootstrap=40)
    items = hc.population(table, n_bootstrap=40, two_way=False)
    assert _width(both.ceiling) > 1.3 * _width(items.ceiling)
    assert _width(both.ideal) > 1.3 * _width(items.ideal)
    assert both.ceiling.value == items.ceiling.value
    assert both.ceiling.low >= 1 / n_labels
    assert both.ceiling.high <= 1
    assert both.ideal.high <= 0
    assert "judged by other people like these" in both.to_dict()["about"]
    assert items.to_dict()["about"] == "other items like these, judged by people like these"
    assert any("other people like these" in each for each in both.assumptions())
    narrower = both.ceiling.at(0.5)
    assert both.ceiling.low < narrower.low < narrower.high < both.ceiling.high


def test_what_raters_add_against_brute_force():
    """The population fitted without each rater in turn, and t² of the squares added."""
    table, said = _table(n_items=200, n_raters=5, spread=1.5)
    found = hc.population(table)
    counts = np.column_stack([(said == 0).sum(axis=1), (said == 1).sum(axis=1)])
    low, high = fit_population(counts).ideal_interval("agreement")
    without = [
        fit_population(
            np.column_stack([(left == 0).sum(axis=1), (left == 1).sum(axis=1)])
        ).ceiling()
        for left in (np.delete(said, j, axis=1) for j in range(5))
    ]
    reach = student(0.95, 4) * np.sqrt(((np.array(without) - np.mean(without)) ** 2).sum())
    value = found.ceiling.value
    assert found.ceiling.low == pytest.approx(value - np.hypot(value - low, reach), abs=1e-3)
    assert found.ceiling.high == pytest.approx(value + np.hypot(high - value, reach), abs=1e-3)


@pytest.mark.parametrize("n_labels", [2, 3])
def test_documents_of_equal_items_count_as_one_each(n_labels):
    """Five items of one document share their distribution: a fifth as much is known."""
    table, _ = _table(n_items=60, n_labels=n_labels, copies=5)
    by_item = hc.population(hc.Ratings.from_frame(table), two_way=False, n_bootstrap=60)
    ratings = hc.Ratings.from_frame(table, cluster="document")
    by_document = hc.population(ratings, two_way=False, n_bootstrap=60)
    assert _width(by_document.ceiling) > 1.25 * _width(by_item.ceiling)
    assert "other documents like these" in by_document.to_dict()["about"]


def test_widening_is_by_squares_and_never_narrows():
    assert widened(0.02, 0.03) == (0.02, 0.03)
    assert widened(0.02, 0.03, without_raters=[0.8]) == (0.02, 0.03)
    assert widened(0.3, 0.4, without_raters=[np.nan, 0.8, 0.8]) == (0.3, 0.4)
    low, high = widened(0.3, 0.35, without_clusters=[0.7, 0.8, 0.9, 0.8])
    assert low == high == pytest.approx(student(0.95, 3) * np.sqrt(0.75 * 0.02))


def test_two_raters_are_told_that_they_cannot_tell():
    table, _ = _table(n_items=80, n_raters=2)
    found = hc.population(table)
    assert any("Two raters cannot tell" in each for each in found.unchecked())
    assert found.ceiling.low == hc.population(table, two_way=False).ceiling.low


def test_the_ideal_of_a_curve_counts_raters_too():
    table, said = _table(spread=2.0)
    answers = pa.table({"item": [f"i{i}" for i in range(len(said))], "c": said[:, 0].astype(float)})
    both = hc.survey_equivalence(table, answers, positive="l1", n_bootstrap=50)
    items = hc.survey_equivalence(table, answers, positive="l1", n_bootstrap=50, two_way=False)
    assert _width(both.ideal) > 1.3 * _width(items.ideal)
    assert _width(both["c"].of_ideal) > _width(items["c"].of_ideal)
