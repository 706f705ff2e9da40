"""Ceiling, ideal and worth hold known truths: means and coverage by simulation."""

import numpy as np
import pytest
from scipy.stats import binom

from headcount.equivalence.crossing import worth
from headcount.population import fit_population
from headcount.population.fitting import cross_fit
from headcount.population.folds import Folds
from headcount.population.functionals import ceiling_of, expected_score, ideal_of, label_scores
from headcount.population.mixtures import Atoms, Dirichlets

RUNNING = Atoms(np.array([0.7, 0.1, 0.2]), np.array([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]]))
POPULATIONS: dict[str, Atoms | Dirichlets] = {
    "beta(2, 1)": Dirichlets(np.ones(1), np.array([[1.0, 2.0]])),
    "beta(.5, 1)": Dirichlets(np.ones(1), np.array([[1.0, 0.5]])),
    "running example": RUNNING,
    "coin flips": Atoms(np.ones(1), np.array([[0.5, 0.5]])),
}
MEAN_WITHIN = {3: 0.02, 5: 0.015, 10: 0.01}


def _not_below(held: np.ndarray, claimed: float = 0.95) -> bool:
    """Whether so many of the intervals hold the truth, by a binomial test at 1 %."""
    return bool(binom.cdf(held.sum(), len(held), claimed) > 0.01)


def _ceilings(name: str, ratings: int, items: int, n: int) -> tuple[np.ndarray, ...]:
    """Errors of (ideal, ceiling) and whether their intervals hold the truth, (n, 2) each."""
    truth_of = POPULATIONS[name]
    truth = np.array([ideal_of(truth_of, "cross_entropy")[0], ceiling_of(truth_of)])
    errors, held, widths = np.empty((n, 2)), np.empty((n, 2), dtype=bool), np.empty((n, 2))
    for data in range(n):
        rng = np.random.default_rng([ratings, items, len(name), data])
        counts = rng.multinomial(ratings, truth_of.draw(rng, items))
        found = fit_population(counts)
        errors[data] = [found.ideal() - truth[0], found.ceiling() - truth[1]]
        for place, score in enumerate(("cross_entropy", "agreement")):
            low, high = found.ideal_interval(score)
            held[data, place] = low <= truth[place] + 1e-9 and truth[place] - 1e-9 <= high
            widths[data, place] = high - low
    return errors, held, widths


def _check(name: str, ratings: int, items: int, n: int) -> None:
    errors, held, widths = _ceilings(name, ratings, items, n)
    print(
        f"\n| {name} | {ratings} | {items} | {errors[:, 0].mean():+.4f}"
        f" | {errors[:, 1].mean():+.4f} | {held[:, 0].mean():.3f} | {held[:, 1].mean():.3f}"
        f" | {widths[:, 0].mean():.3f} | {widths[:, 1].mean():.3f} |"
    )
    within = 0.045 if name == "coin flips" else MEAN_WITHIN[ratings]
    # Few data sets leave a mean of their own uncertain.
    doubt = 0.0 if n >= 200 else 3 * errors.std(axis=0).max() / np.sqrt(n)
    assert np.abs(errors.mean(axis=0)).max() <= within + doubt
    assert _not_below(held[:, 0])
    assert _not_below(held[:, 1])


@pytest.mark.parametrize(
    ("name", "ratings"), [("running example", 3), ("coin flips", 5), ("beta(.5, 1)", 10)]
)
def test_ceiling_and_ideal_hold_the_truth_small_coverage(name: str, ratings: int) -> None:
    _check(name, ratings, 300, 25)


@pytest.mark.prove
@pytest.mark.parametrize("items", [300, 1_000])
@pytest.mark.parametrize("ratings", [3, 5, 10])
@pytest.mark.parametrize("name", list(POPULATIONS))
def test_ceiling_and_ideal_hold_the_truth_coverage(name: str, ratings: int, items: int) -> None:
    _check(name, ratings, items, 200)


def _worths(n_labels: int, items: int, n: int, n_bootstrap: int = 300) -> np.ndarray:
    """Estimate, low and high of the worth of a classifier that is two other raters, (n, 3).

    The curve is that of predictions learned on other items, scored on held-out ratings; items
    are resampled with what was learned held fixed.
    """
    alpha = np.full(n_labels, 1.5 / n_labels)
    out = np.empty((n, 3))
    for data in range(n):
        rng = np.random.default_rng([n_labels, items, data])
        p = rng.dirichlet(alpha, size=items)
        counts, asked = rng.multinomial(8, p), rng.multinomial(2, p)
        own = expected_score(label_scores((alpha + asked) / 3.5, "cross_entropy"), counts / 8)
        folds = Folds.given(np.ones(items), rng.permutation(np.arange(items) % 5))
        table = cross_fit(counts, folds=folds, seed=data).held_out(most=7).scores
        drawn = rng.multinomial(items, np.full(items, 1 / items), size=n_bootstrap) / items
        value = worth(own.mean(keepdims=True), table.mean(axis=0, keepdims=True))[0]
        draws = np.sort(worth(drawn @ own, drawn @ table))
        tail = round(0.025 * (n_bootstrap + 1))
        out[data] = value, draws[tail - 1], draws[-tail]
    return out


def _check_worth(n_labels: int, items: int, n: int, within: float) -> None:
    found = _worths(n_labels, items, n)
    held = (found[:, 1] <= 2) & (found[:, 2] >= 2)
    width = np.minimum(found[:, 2], 7) - np.maximum(found[:, 1], 0)
    print(
        f"\n| {n_labels} | {items} | {np.median(found[:, 0]):.3f} | {held.mean():.3f}"
        f" | {width.mean():.2f} |"
    )
    assert abs(np.median(found[:, 0]) - 2) <= within
    assert _not_below(held)


@pytest.mark.parametrize(("n_labels", "n"), [(2, 40), (10, 10)])
def test_two_people_are_worth_two_small_coverage(n_labels: int, n: int) -> None:
    _check_worth(n_labels, 500, n, 0.2)


@pytest.mark.prove
@pytest.mark.parametrize("items", [500, 2_000])
@pytest.mark.parametrize("n_labels", [2, 4, 6, 10])
def test_two_people_are_worth_two_coverage(n_labels: int, items: int) -> None:
    _check_worth(n_labels, items, 200, 0.1)
