"""Ceiling and ideal of more than two labels hold known truths, also where no Dirichlet does."""

import numpy as np
import pytest
from scipy.stats import binom

import headcount as hc
from headcount.population.functionals import ceiling_of, ideal_of
from headcount.population.mixtures import Atoms, Dirichlets, through_slips

CLEAR = 0.97 * np.eye(4) + 0.01 * (1 - np.eye(4))
PAIRS = np.array(
    [
        [0.6, 0.38, 0.01, 0.01],
        [0.5, 0.48, 0.01, 0.01],
        [0.01, 0.01, 0.65, 0.33],
        [0.01, 0.01, 0.5, 0.48],
    ]
)
POPULATIONS = {
    # clear items, and pairs of labels that people confuse: a few sharp kinds, no smooth model
    "clear and confused": (Atoms(np.repeat([0.15, 0.1], 4), np.vstack([CLEAR, PAIRS])), 500, 5),
    "one Dirichlet": (Dirichlets(np.ones(1), np.full((1, 4), 1.5 / 4)), 500, 8),
    "every item a die": (Atoms(np.ones(1), np.full((1, 3), 1 / 3)), 500, 5),
    "two Dirichlets of ten labels": (
        Dirichlets(np.full(2, 0.5), np.vstack([np.full(10, 0.1), [5.0, 3.0] + [0.05] * 8])),
        500,
        5,
    ),
}


def _check(name, data_sets):
    population, items, ratings = POPULATIONS[name]
    truth = ceiling_of(population), ideal_of(population, "cross_entropy", clip=0.0)[0]
    held, widths = np.zeros(2), np.zeros((data_sets, 2))
    labels = [f"l{i}" for i in range(population.n_labels)]
    for data in range(data_sets):
        rng = np.random.default_rng([items, ratings, data])
        counts = rng.multinomial(ratings, population.draw(rng, items))
        found = hc.population(
            hc.Ratings.from_counts(counts, labels=labels), n_bootstrap=50, seed=data
        )
        for place, each in enumerate((found.ceiling, found.ideal)):
            held[place] += each.low <= truth[place] + 1e-9 and truth[place] - 1e-9 <= each.high
            widths[data, place] = each.high - each.low
    print(f"\n| {name} | {held / data_sets} | {widths.mean(axis=0).round(3)} |")
    assert (binom.cdf(held, data_sets, 0.95) > 0.01).all(), held


@pytest.mark.parametrize("name", ["clear and confused", "every item a die"])
def test_many_labels_small_coverage(name):
    _check(name, 4)


@pytest.mark.prove
@pytest.mark.parametrize("name", list(POPULATIONS))
def test_many_labels_coverage(name):
    _check(name, 200)


@pytest.mark.parametrize("n_labels", [3, 5])
def test_slips_of_many_labels_are_set_aside(n_labels):
    """A tenth of the answers are slips: the ceiling is that of what people mean, and is held."""
    population = Dirichlets(np.ones(1), np.full((1, n_labels), 0.4))
    truth, slip = ceiling_of(population), 0.1
    rng = np.random.default_rng(n_labels)
    counts = rng.multinomial(6, through_slips(population.draw(rng, 600), slip))
    ratings = hc.Ratings.from_counts(counts, labels=[f"l{i}" for i in range(n_labels)])
    meant = hc.population(ratings, flip_rate=slip).ceiling
    said = hc.population(ratings, n_bootstrap=30).ceiling
    assert meant.low <= truth <= meant.high
    assert abs(meant.value - truth) < 0.03
    assert said.value < meant.value - 0.03
