"""Simulated people with known primary labels and a known slip rate: do we find them?

Every rater holds one label on an item, drawn from the item's distribution, and each answer slips
to any of the other labels with the same chance; some answers are asked again.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from headcount.data import Classifier, Labels, Ratings
from headcount.deconvolution import deconvolve
from headcount.deconvolution.adjusted_scores import score_parts
from headcount.deconvolution.contenders import chosen_scorers, part_of
from headcount.deconvolution.jury import Jury
from headcount.deconvolution.slips import Trials
from headcount.deconvolution.sources import Estimation, retest_rates
from headcount.deconvolution.votes import Votes
from headcount.sampling import Bootstrap


@dataclass(frozen=True)
class World:
    """The labels held (items, raters), first and second answers, and which were asked again."""

    views: np.ndarray
    held: np.ndarray
    first: np.ndarray
    second: np.ndarray
    again: np.ndarray

    def shares(self, of: np.ndarray) -> np.ndarray:
        return (of[:, :, None] == np.arange(self.views.shape[1])).mean(axis=1)

    def votes(self) -> Votes:
        n, raters = self.first.shape
        counts = self.shares(self.first) * raters
        return Votes(np.arange(n).astype(str).astype(object), counts, np.full(n, float(raters)))

    def trials(self) -> Trials:
        item, rater = np.nonzero(self.again)
        differ = (self.first != self.second)[self.again].astype(float)
        return Trials(item, rater, self.first[self.again], differ, np.ones(len(item)))

    def ratings(self) -> Ratings:
        item, rater = np.indices(self.held.shape)
        columns = {
            "item": np.concatenate([item.ravel(), item[self.again]]),
            "rater": np.concatenate([rater.ravel(), rater[self.again]]),
            "label": np.concatenate([self.first.ravel(), self.second[self.again]]),
            "occasion": np.repeat([0, 1], [self.first.size, self.again.sum()]),
        }
        texts = {name: pa.array(values.astype(str)) for name, values in columns.items()}
        return Ratings.from_frame(pa.table(texts))


def world(views: np.ndarray, raters: int, slip: float, retests: float, seed: int) -> World:
    rng = np.random.default_rng(seed)
    n, n_labels = views.shape
    edges = views.cumsum(axis=1)[:, None, :-1]
    held = (rng.random((n, raters))[:, :, None] >= edges).sum(axis=2)

    def answer() -> np.ndarray:
        slipped = rng.random(held.shape) < slip
        return np.where(slipped, (held + rng.integers(1, n_labels, held.shape)) % n_labels, held)

    return World(views, held, answer(), answer(), rng.random(held.shape) < retests)


def views_of(n: int, n_labels: int, seed: int) -> np.ndarray:
    return np.random.default_rng([seed, 1]).dirichlet(np.full(n_labels, 0.4), size=n)


@pytest.mark.parametrize("n_labels", [2, 4])
def test_flip_rate_primary_labels_and_scores_come_back(n_labels):
    true = world(views_of(1500, n_labels, 0), raters=30, slip=0.1, retests=0.3, seed=0)
    labels = deconvolve(true.ratings(), flip_rate="retest", method="paper", n_bootstrap=0)
    order = labels.items.astype(int)
    held = true.shares(true.held)[order]
    assert labels.flip_rate.mean == pytest.approx(0.1, abs=0.004)
    raw_error = np.abs(labels.shares - held).mean()
    assert np.abs(labels.primary - held).mean() < 0.8 * raw_error
    oracle = labels.oracle()
    truth = held[np.arange(len(order)), labels.shares.argmax(axis=1)].mean()
    assert abs(oracle.adjusted.value - truth) < 0.01
    assert abs(oracle.adjusted.value - truth) < 0.2 * abs(oracle.raw.value - truth)


def test_the_formula_for_all_labels_beats_the_one_for_two():
    slip = 0.2
    true = world(views_of(1200, 4, 1), raters=20, slip=slip, retests=0.5, seed=1)
    rates = {
        formula: deconvolve(
            true.ratings(), flip_rate="retest", strata=1, formula=formula, n_bootstrap=0
        ).flip_rate
        for formula in ("all-labels", "two-labels")
    }
    assert rates["all-labels"].mean == pytest.approx(slip, abs=0.006)
    assert rates["two-labels"].mean > slip + 0.015
    bounds = rates["all-labels"]
    assert bounds.low[0] < slip < bounds.high[0]


def test_the_bounds_of_the_flip_rate_hold_the_truth_coverage():
    # 90 % bounds of a pooled rate, 400 data sets: fewer than 340 hits has a chance of 0.1 %.
    hits = 0
    for seed in range(400):
        true = world(views_of(60, 2, seed), raters=8, slip=0.12, retests=0.5, seed=seed)
        rates = retest_rates(true.votes(), true.trials(), Estimation(strata=1))
        hits += bool(rates.low[0] <= 0.12 <= rates.high[0])
    assert hits >= 340


def inner_views(n: int, rng: np.random.Generator) -> np.ndarray:
    """Contested items only: far enough from 0 and 1 that no share is cut off at zero."""
    toxic = rng.choice([0.35, 0.5, 0.65], size=n)
    return np.column_stack([1 - toxic, toxic])


def interval_hits(data_sets: int, samples: int) -> int:
    """How often the 95 % interval of a classifier's adjusted accuracy holds the true one.

    The classifier says the likelier label, so it is right for 0.65, 0.5 and 0.65 of the people:
    0.6 on average.
    """
    labels = Labels(("0", "1"))
    scorer = chosen_scorers("accuracy", labels, None, None)
    hits = 0
    for seed in range(data_sets):
        rng = np.random.default_rng([seed, 2])
        true = world(inner_views(150, rng), raters=20, slip=0.1, retests=0.15, seed=seed)
        shares = true.shares(true.first)
        flips = retest_rates(true.votes(), true.trials(), Estimation(strata=1))
        jury = Jury.of(shares, np.ones(150), flips)
        model = Classifier("model", codes=(true.views[:, 1] >= 0.5).astype(np.int64))
        part = part_of(jury, np.ones(150, dtype=bool), [model])
        plan = Bootstrap(samples, seed=seed)
        ((score, _oracle),) = score_parts(jury, [part], scorer, plan, bounded=True)
        hits += bool(score.adjusted.low <= 0.6 <= score.adjusted.high)
    return hits


def test_intervals_of_adjusted_scores_hold_the_truth_coverage():
    # At 95 % fewer than 133 of 150 has a chance of 0.1 %.
    assert interval_hits(150, 200) >= 133


@pytest.mark.prove
def test_intervals_of_adjusted_scores_hold_the_truth_coverage_in_full():
    hits = interval_hits(600, 400)
    print(f"adjusted accuracy: 95 % intervals held the truth in {hits} of 600 data sets")
    assert stats.binomtest(hits, 600, 0.95).pvalue > 0.001
