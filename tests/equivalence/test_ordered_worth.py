"""Worth of labels in an order by ranked scores: an ordered probit, and real people."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from scipy.special import gammaln
from scipy.stats import binom
from tests.equivalence.ordered_probit import LEVELS, OrderedProbit

import headcount as hc
from headcount.population.fitting import cross_fit_ordered, fit_population
from headcount.population.folds import Folds
from headcount.population.functionals import curve_of, ideal_of, own_score
from headcount.population.mixtures import Dirichlets, ordered_kinds
from headcount.population.model import fit_kinds
from headcount.population.surveys import every_survey

WORLD = OrderedProbit()
PEOPLE = 2


def true_scores(most: int) -> np.ndarray:
    """What 0, 1, … raters' marks truly reach by rps: every survey, every place of an item."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(121)
    kinds, weights = WORLD.shares(nodes * WORLD.spread), weights / weights.sum()
    found = []
    for k in range(most + 1):
        y = every_survey(k, len(LEVELS))
        orders = np.exp(gammaln(k + 1) - gammaln(y + 1).sum(axis=1))
        chance = orders * (np.exp(y @ np.log(np.maximum(kinds, 1e-300)).T) @ weights)
        found.append(chance @ own_score(WORLD.predict(y), "rps"))
    return np.array(found)


def test_fitted_curve_of_an_ordered_probit_against_theory() -> None:
    rng = np.random.default_rng(5)
    counts = rng.multinomial(8, WORLD.draw(rng, 4000))
    fitted = fit_population(counts, ordered=True)
    assert fitted.fit is not None  # ordered kinds were chosen
    assert fitted.curve([0, 1, 2, 3], "rps").scores == pytest.approx(true_scores(3), abs=0.006)


def test_ideal_ranked_score_of_dirichlets_against_brute_force() -> None:
    mixture = Dirichlets(np.array([0.3, 0.7]), np.array([[0.5, 1.0, 2.0], [3.0, 0.2, 0.4]]))
    drawn = mixture.draw(np.random.default_rng(1), 400_000)
    below = np.cumsum(drawn, axis=1)[:, :-1]
    assert ideal_of(mixture, "rps")[0] == pytest.approx(
        -(below * (1 - below)).sum(axis=1).mean(), abs=2e-3
    )


def test_the_curve_by_ranked_scores_rises_to_its_ideal_against_theory() -> None:
    of = _counted(300, 5, seed=2)
    mixture = fit_kinds(*of, ordered_kinds(*of)).mixture
    k = np.array([0, 1, 2, 4, 8, 16, 200])
    scores = curve_of(mixture, k, "rps").scores
    assert (np.diff(scores) > 0).all()
    assert scores[-1] == pytest.approx(ideal_of(mixture, "rps")[0], abs=0.01)


def test_ordered_kinds_are_distributions_of_every_place_and_spread() -> None:
    kinds = ordered_kinds(*_counted(200, 4, seed=3))
    assert kinds.sum(axis=1) == pytest.approx(np.ones(len(kinds)))
    assert (kinds >= 0).all()
    assert kinds.max() > 0.999  # items that everyone places alike
    ends = kinds[:, 0] + kinds[:, -1]
    assert ends.max() > 0.9  # and items that divide people between the ends


def test_items_that_no_order_explains_are_left_to_dirichlets() -> None:
    """Each item holds two levels that are not neighbours: no place on a scale is like that."""
    rng = np.random.default_rng(8)
    pairs = np.array([[1, 0, 1, 0, 0], [0, 1, 0, 0, 1], [0, 0, 1, 0, 1], [1, 0, 0, 1, 0]])
    p = pairs[rng.integers(4, size=1500)] / 2
    counts, size = np.unique(rng.multinomial(6, p), axis=0, return_counts=True)
    found = cross_fit_ordered(counts, Folds.deal(size, 5, 0))
    assert not found.of_kinds


def _counted(items: int, ratings: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(ratings, WORLD.draw(rng, items))
    pattern, size = np.unique(counts, axis=0, return_counts=True)
    return pattern, size.astype(np.float64)


def one_worth(items: int, ratings: int, seed: int) -> tuple[float, float, float]:
    """The worth of the Bayes prediction from two other marks: exactly 2."""
    rng = np.random.default_rng([items, ratings, seed])
    p = WORLD.draw(rng, items)
    counts, said = rng.multinomial(ratings, p), WORLD.predict(rng.multinomial(PEOPLE, p))
    table = {"item": [str(i) for i in range(items)]}
    table |= {f"two:{level}": said[:, j] for j, level in enumerate(LEVELS)}
    found = hc.survey_equivalence(
        hc.Ratings.from_counts(counts, labels=LEVELS, scale="ordered"),
        pa.table(table),
        calibrate=False,
        n_bootstrap=300,
        seed=seed,
    )
    assert found.curve.asked.scorer == "rps"
    worth = found["two"].worth
    ends = {"below": -np.inf, "above": np.inf}
    low, high = ends.get(worth.low_state, worth.low), ends.get(worth.high_state, worth.high)
    return ends.get(worth.state, worth.value), low, high


def check(items: int, ratings: int, data_sets: int, within: float) -> None:
    """The median is near two, and the intervals hold two as often as they claim."""
    each = (one_worth(items, ratings, seed) for seed in range(data_sets))
    value, low, high = np.array([*each]).T
    held = (low <= PEOPLE) & (high >= PEOPLE)
    width = float(np.mean(np.minimum(high, 20) - np.maximum(low, 0)))
    print(
        f"\n| {items:,} | {ratings} | {np.median(value):.2f} | {100 * held.mean():.1f} % "
        f"| {width:.2f} | {int((low > PEOPLE).sum())} | {int((high < PEOPLE).sum())} |"
    )
    assert abs(np.median(value) - PEOPLE) <= within
    assert binom.cdf(held.sum(), data_sets, 0.95) > 0.01


@pytest.mark.parametrize(("ratings", "within"), [(3, 0.8), (6, 0.6)])
def test_two_marks_are_worth_two_small_coverage(ratings: int, within: float) -> None:
    check(300, ratings, 6, within)


@pytest.mark.prove
@pytest.mark.parametrize("items", [300, 1000])
@pytest.mark.parametrize(("ratings", "within"), [(2, 0.5), (3, 0.25), (10, 0.15)])
def test_two_marks_are_worth_two_coverage(items: int, ratings: int, within: float) -> None:
    check(items, ratings, 200, within)


@pytest.mark.parametrize(("name", "seed"), [("summeval", 0), ("offensiveness", 0)])
def test_one_person_is_worth_one_on_real_marks(
    name: str, seed: int, shared_data: Callable[[str], Path]
) -> None:
    """A random rating of each item as a classifier, judged by the others; it needs no truth."""
    ratings = hc.Ratings.read(next(shared_data(name).glob("ratings.csv*")))
    labels, counts = list(ratings.labels.names), ratings.item_counts().counts
    rng = np.random.default_rng(seed)
    chance = counts.cumsum(axis=1) / counts.sum(axis=1, keepdims=True)
    said = (chance < rng.random((len(counts), 1))).sum(axis=1)
    rest = counts - np.eye(len(labels), dtype=np.int64)[said]
    found = hc.survey_equivalence(
        hc.Ratings.from_counts(rest, labels=labels, scale="ordered"),
        pa.table({"item": [str(i) for i in range(len(rest))], "person": [labels[j] for j in said]}),
        n_bootstrap=100,
    )
    worth = found["person"].worth
    assert worth.low <= 1 <= worth.high
    assert worth.value == pytest.approx(1, abs=0.25)
