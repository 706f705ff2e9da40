"""Intraclass correlations: against other implementations, theory, and by coverage."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from headcount.results import Estimate
from headcount.sampling.samples import Plan
from headcount.scores.people import Said
from headcount.scores.reliability import (
    absolute,
    anova,
    of_the_mean,
    one_way,
    spearman_brown,
    with_classical,
)
from headcount.scores.sample import Sample

sys.path.append(str(Path(__file__).parent))
from freeze_reference import SHROUT_FLEISS, marks

FROZEN = {
    "shrout-fleiss": {
        "ICC(1,1)": (0.1657417684054755, -0.13, 0.72),
        "ICC(A,1)": (0.28976377952755916, 0.02, 0.76),
        "ICC(A,k)": (0.6200505475989893, 0.07, 0.93),
    },
    "marks": {
        "ICC(1,1)": (0.6911406711876196, 0.55, 0.81),
        "ICC(A,1)": (0.7023460410557184, 0.41, 0.86),
        "ICC(A,k)": (0.9218629715165512, 0.78, 0.97),
    },
}
"""By pingouin 0.7.0, which prints intervals to two decimals: see `freeze_reference.py`."""

TABLES = {"shrout-fleiss": np.array(SHROUT_FLEISS, dtype=float), "marks": marks().astype(float)}


def said_of(table, *, named=True):
    n_items, n_raters = table.shape
    item, rater = np.divmod(np.arange(table.size), n_raters)
    return Said.of(item, table.ravel(), n_items, rater if named else None)


@pytest.mark.parametrize("name", TABLES)
def test_iccs_against_reference(name):
    said = said_of(TABLES[name])
    people, frozen = said.people(), FROZEN[name]
    measures = {"ICC(1,1)": one_way, "ICC(A,1)": absolute, "ICC(A,k)": of_the_mean}
    for kind, measure in measures.items():
        assert measure(people, said).value[0] == pytest.approx(frozen[kind][0], abs=1e-12)
    table = anova(people, said)
    ends = {
        "ICC(1,1)": table.one_way(0.95),
        "ICC(A,1)": table.agreement(0.95),
        "ICC(A,k)": [spearman_brown(1 / table.raters, end) for end in table.agreement(0.95)],
    }
    for kind, (low, high) in ends.items():
        assert (round(low, 2), round(high, 2)) == frozen[kind][1:]


def test_mean_squares_against_brute_force():
    table = TABLES["marks"]
    found = anova(said_of(table).people(), said_of(table))
    n, k = table.shape
    rest = table - table.mean(1, keepdims=True) - table.mean(0) + table.mean()
    assert found.error == pytest.approx((rest**2).sum() / ((n - 1) * (k - 1)))
    assert found.columns == pytest.approx(n * table.mean(0).var(ddof=1))
    assert found.rows == pytest.approx(k * table.mean(1).var(ddof=1))


def test_a_table_with_a_gap_has_no_classical_interval():
    said = said_of(TABLES["marks"])
    ragged = said.where(np.arange(150) != 7)
    assert anova(ragged.people(), ragged) is None
    assert anova(said.people(), said_of(TABLES["marks"], named=False)).columns == 0


def test_whichever_interval_reaches_further_holds():
    within = Estimate(0.5, 0.4, 0.7, reread=lambda c: Estimate(0.5, 0.5 - c / 10, 0.5 + c / 5))
    found = with_classical(within, lambda confidence: (0.45, 0.5 + confidence / 4), 0.95)
    assert (found.low, found.high) == (0.4, pytest.approx(0.7375))
    assert found.at(0.5) == Estimate(0.5, 0.45, 0.625)


def _held(tails, n_items, n_ratings, runs):
    hits = 0
    for run in range(runs):
        rng = np.random.default_rng([n_items, n_ratings, run])
        noise = rng.standard_t(3, (n_items, n_ratings)) / np.sqrt(3)
        if tails == "normal":
            noise = rng.standard_normal((n_items, n_ratings))
        said = said_of(rng.standard_normal((n_items, 1)) + noise, named=False)
        people = replace(said.people(), shared=0.0)
        sample = Sample(people, said, Plan(n_items))
        (estimate,) = sample.measured({"icc": one_way})["icc"].each("coefficient")
        found = with_classical(estimate, anova(people, said).one_way, 0.95)
        hits += found.low <= 0.5 <= found.high
    return hits


@pytest.mark.parametrize("n_ratings", [2, 10])
def test_reliability_small_coverage(n_ratings):
    assert binom.cdf(_held("normal", 100, n_ratings, 60), 60, 0.95) > 0.01


@pytest.mark.prove
@pytest.mark.parametrize(("tails", "claimed"), [("normal", 0.95), ("t3", 0.85)])
@pytest.mark.parametrize("n_items", [30, 100, 300])
@pytest.mark.parametrize("n_ratings", [2, 3, 10])
def test_reliability_coverage(tails, claimed, n_items, n_ratings):
    hits = _held(tails, n_items, n_ratings, 1000)
    print("icc", tails, n_items, n_ratings, hits / 1000)
    assert binom.cdf(hits, 1000, claimed) > 0.01
