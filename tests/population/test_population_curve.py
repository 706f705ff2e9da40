"""Curve, ideal and ceiling against closed forms, published figures and enumeration by hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import betaln
from scipy.stats import beta, dirichlet

from headcount.population import functionals as curves
from headcount.population.functionals import (
    ceiling_of,
    curve_of,
    ideal_of,
    moment_bounds,
    own_score,
)
from headcount.population.mixtures import Atoms, Dirichlets
from headcount.population.surveys import every_survey

RUNNING = Atoms(np.array([0.7, 0.1, 0.2]), np.array([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]]))
SCORES = ("cross_entropy", "brier", "agreement")


def test_running_example_against_paper() -> None:
    """The curve of the running example's model, without a clip."""
    expected = [
        -0.9507, -0.8701, -0.8136, -0.7825, -0.7620, -0.7484, -0.7393, -0.7330, -0.7283, -0.7248,
    ]  # fmt: skip
    found = curve_of(RUNNING, np.arange(10), "cross_entropy", clip=0.0)
    np.testing.assert_allclose(found.scores, expected, atol=5e-5)
    assert found.exact
    assert ideal_of(RUNNING, "cross_entropy", clip=0.0)[0] == pytest.approx(-0.6991, abs=5e-5)
    assert ceiling_of(RUNNING) == pytest.approx(0.79)


@pytest.mark.parametrize(
    ("ratings", "ideal", "ceiling"),
    [
        (1, (-0.9507, 0.0), (0.630, 1.0)),
        (2, (-0.7052, -0.6200), (0.690, 0.8082)),
        (3, (-0.7033, -0.6415), (0.7532, 0.8063)),
        (4, (-0.6993, -0.6922), (0.790, 0.8036)),
        (5, (-0.6991, -0.6926), (0.790, 0.8034)),
        (6, (-0.6991, -0.6991), (0.790, 0.790)),
    ],
)
def test_moment_bounds_against_theory(
    ratings: int, ideal: tuple[float, float], ceiling: tuple[float, float]
) -> None:
    """What K ratings an item can tell of the running example's population."""
    grid = np.linspace(0, 1, 401)
    atoms = np.column_stack([1 - grid, grid])
    known = {"atoms": RUNNING.atoms[:, 1], "weights": RUNNING.weights, "ratings": ratings}
    scores = own_score(atoms, "cross_entropy", 0.0)
    np.testing.assert_allclose(moment_bounds(scores, grid, **known), ideal, atol=5e-5)
    np.testing.assert_allclose(moment_bounds(atoms.max(axis=1), grid, **known), ceiling, atol=5e-5)


@pytest.mark.parametrize("k", [0, 1, 3])
@pytest.mark.parametrize("score", SCORES)
def test_curve_against_brute_force(k: int, score: str) -> None:
    """Every sequence of k ratings, every next rating, each kind of item by Bayes' rule."""
    mixture = Atoms(
        np.array([0.5, 0.3, 0.2]), np.array([[0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [0.3, 0.4, 0.3]])
    )
    expected = 0.0
    for sequence in itertools.product(range(3), repeat=k):
        joint = mixture.weights * np.prod(mixture.atoms[:, list(sequence)], axis=1)
        prediction = joint @ mixture.atoms / joint.sum()
        expected += joint.sum() * float(own_score(prediction, score))
    assert curve_of(mixture, np.array([k]), score).scores[0] == pytest.approx(expected)


@pytest.mark.parametrize(("a", "b"), [(2.0, 1.0), (0.5, 1.0), (0.3, 0.2), (40.0, 60.0)])
def test_beta_populations_against_theory(a: float, b: float) -> None:
    """Beta-binomial surveys, and integrals over the Beta density."""
    mixture = Dirichlets(np.ones(1), np.array([[b, a]]))
    k = 4
    expected = 0.0
    for y in range(k + 1):
        chance = np.exp(betaln(a + y, b + k - y) - betaln(a, b)) * len(
            list(itertools.combinations(range(k), y))
        )
        p = (a + y) / (a + b + k)
        expected += chance * float(own_score(np.array([1 - p, p]), "cross_entropy"))
    assert curve_of(mixture, np.array([k]), "cross_entropy").scores[0] == pytest.approx(expected)
    for score in SCORES:
        mean = sum(
            quad(
                lambda p, s=score: own_score(np.array([1 - p, p]), s, 0.0) * beta.pdf(p, a, b),
                *half, limit=200,
            )[0]
            for half in ((0, 0.5), (0.5, 1))
        )  # fmt: skip
        assert ideal_of(mixture, score, clip=0.0)[0] == pytest.approx(float(mean), abs=1e-6)
    assert ceiling_of(mixture) == pytest.approx(ideal_of(mixture, "agreement")[0])


@pytest.mark.parametrize("alpha", [[0.15] * 10, [2.0, 0.3, 7.0], [500.0, 500.0, 500.0]])
def test_dirichlet_functionals_against_brute_force(alpha: list[float]) -> None:
    """Means over many drawn items."""
    mixture = Dirichlets(np.ones(1), np.array([alpha]))
    p = np.random.default_rng(0).dirichlet(alpha, size=200_000)
    for score in SCORES:
        for clip in (None, 0.0):
            drawn = own_score(p, score, clip)
            found, error = ideal_of(mixture, score, clip=clip)
            assert found == pytest.approx(drawn.mean(), abs=5 * drawn.std() / 447 + 5 * error)
    assert ceiling_of(mixture) == pytest.approx(p.max(axis=1).mean(), abs=3e-3)


def test_drawn_curve_against_enumeration(monkeypatch: pytest.MonkeyPatch) -> None:
    mixture = Dirichlets(np.array([0.6, 0.4]), np.array([[0.5, 1.0, 0.4], [5.0, 0.2, 1.0]]))
    k = np.array([0, 2, 5, 12])
    for score in SCORES:
        exact = curve_of(mixture, k, score)
        monkeypatch.setattr(curves, "MOST_SURVEYS", 0)
        drawn = curve_of(mixture, k, score)
        monkeypatch.undo()
        assert not drawn.exact
        assert (np.abs(drawn.scores - exact.scores) <= 4 * drawn.errors + 1e-12).all()


@pytest.mark.parametrize("most_surveys", [0, 100, 10**6])
def test_a_curve_that_is_followed_far_enough_is_the_same_up_to_there(
    monkeypatch: pytest.MonkeyPatch, most_surveys: int
) -> None:
    monkeypatch.setattr(curves, "MOST_SURVEYS", most_surveys)
    mixture = Dirichlets(np.array([0.6, 0.4]), np.array([[2.0, 1.0, 0.5], [0.3, 0.3, 3.0]]))
    k = np.array([1, 2, 5, 9, 14, 20])
    whole = curve_of(mixture, k, "cross_entropy").scores
    for reached in range(len(k)):
        part = curve_of(mixture, k, "cross_entropy", enough=whole[reached]).scores
        np.testing.assert_array_equal(part, whole[np.minimum(np.arange(len(k)), reached)])


def test_surveys_are_complete_against_brute_force() -> None:
    by_hand = {y for y in itertools.product(range(5), repeat=4) if sum(y) == 4}
    assert {tuple(y) for y in every_survey(4, 4).tolist()} == by_hand


def test_draws_of_small_shapes_are_proper() -> None:
    p = Dirichlets(np.ones(1), np.full((1, 5), 1e-3)).draw(np.random.default_rng(0), 1_000)
    assert np.isfinite(p).all()
    np.testing.assert_allclose(p.sum(axis=1), 1)
    density = dirichlet.mean([1e-3] * 5)
    np.testing.assert_allclose(p.mean(axis=0), density, atol=0.06)


@given(
    weights=st.lists(st.floats(0.05, 1), min_size=2, max_size=4),
    seed=st.integers(0, 1_000),
    n_labels=st.integers(2, 4),
    score=st.sampled_from(SCORES),
)
@settings(max_examples=40, deadline=None)
def test_more_raters_never_hurt_and_the_ideal_is_never_passed(
    weights: list[float], seed: int, n_labels: int, score: str
) -> None:
    """The laws of the curve; with more than two labels the clip can bend them by its own size."""
    rng = np.random.default_rng(seed)
    atoms = rng.dirichlet(np.full(n_labels, 0.5), size=len(weights))
    clip = None if n_labels == 2 else 0.0
    for mixture in (
        Atoms(np.array(weights) / np.sum(weights), atoms),
        Dirichlets(np.array(weights) / np.sum(weights), 4 * atoms + 0.05),
    ):
        scores = curve_of(mixture, np.arange(7), score, clip=clip).scores
        top, error = ideal_of(mixture, score, clip=clip)
        assert (np.diff(scores) >= -1e-9).all()
        assert scores[-1] <= top + 4 * error + 1e-9


@given(seed=st.integers(0, 1_000), ratings=st.integers(1, 6))
@settings(max_examples=20, deadline=None)
def test_functionals_lie_within_their_bounds(seed: int, ratings: int) -> None:
    rng = np.random.default_rng(seed)
    grid = np.linspace(0, 1, 101)
    atoms, weights = rng.choice(grid, size=4), rng.dirichlet(np.ones(4))
    ceiling = np.maximum(grid, 1 - grid)
    low, high = moment_bounds(ceiling, grid, atoms=atoms, weights=weights, ratings=ratings)
    assert low - 1e-6 <= weights @ np.maximum(atoms, 1 - atoms) <= high + 1e-6
