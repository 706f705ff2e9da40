"""Products with steps of many ratings, without the table of steps."""

import numpy as np
import pytest

from headcount.accuracy import ballots as counted
from headcount.accuracy.ballots import ballots, staircase
from headcount.accuracy.shared_errors import climb, starting_model


@pytest.mark.parametrize("apart", [False, True])
def test_products_against_brute_force(apart: bool) -> None:
    rng = np.random.default_rng(1)
    counts = rng.integers(0, 9, (20, 6))
    own = (rng.random(counts.shape) < 0.4) & apart
    stairs, column, mine = staircase(counts, own)
    table = (counts[:, column] > stairs.step) & (own[:, column] == mine)
    numbers, others = rng.random((len(column), 3)), rng.random((len(counts), 4))
    np.testing.assert_allclose(stairs @ numbers, table @ numbers)
    np.testing.assert_allclose(stairs.passed(others), table.T @ others)


@pytest.mark.parametrize("coupling", [0.0, 1.0])
def test_models_are_the_same_as_step_by_step(
    coupling: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(2)
    shares = rng.dirichlet(np.ones(3), 40)
    counts = np.array([rng.multinomial(60, p) for p in shares])
    answer = shares.argmax(axis=1)
    found = []
    for many in (counted.MANY_STEPS, 10**9):
        monkeypatch.setattr(counted, "MANY_STEPS", many)
        data = ballots([counts], None, answer, 3, coupling=coupling)
        model, height = climb(data, starting_model(data, np.array([[0.0, 0.2]] * 3)))
        found.append((model.joint, model.chances, height))
    for ours, theirs in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-8)
