"""Answers that run the other way: their correlation, and how often chance is accused."""

import numpy as np
import pytest

from headcount.sampling import Plan
from headcount.sampling.correlation import correlation, running_against

RNG = np.random.default_rng(7)


def labels(codes: np.ndarray, n: int) -> np.ndarray:
    return (codes[:, None] == np.arange(n)).astype(float)


def test_numbers_against_reference() -> None:
    one, other = RNG.normal(size=40), RNG.normal(size=40)
    found, _ = correlation(one[:, None], other[:, None], np.ones(40))
    assert found == pytest.approx(np.corrcoef(one, other)[0, 1], abs=1e-12)


def test_rows_of_many_items_and_what_they_add_against_brute_force() -> None:
    one, other = RNG.dirichlet(np.ones(3), 30), RNG.dirichlet(np.ones(3), 30)
    size = RNG.integers(1, 4, 30).astype(float)
    found, added = correlation(one, other, size)
    again = np.repeat(np.arange(30), size.astype(int))
    assert correlation(one[again], other[again], np.ones(len(again)))[0] == pytest.approx(found)
    assert size @ added == pytest.approx(0.0, abs=1e-12)
    step = 1e-6
    for row in (0, 7):
        more = size.copy()
        more[row] += step
        moved = (correlation(one, other, more)[0] - found) / step * size.sum()
        assert moved == pytest.approx(added[row], rel=1e-3)


def test_below_nought_is_agreeing_less_than_chance_against_theory() -> None:
    said, people = labels(RNG.integers(0, 3, 200), 3), RNG.dirichlet(np.ones(3), 200)
    found, _ = correlation(said, people, np.ones(200))
    agree, chance = (said * people).sum(axis=1).mean(), said.mean(axis=0) @ people.mean(axis=0)
    assert np.sign(found) == np.sign(agree - chance)


def test_what_never_varies_runs_neither_way() -> None:
    assert (
        running_against(np.ones((9, 1)), RNG.normal(size=(9, 1)), np.ones(9), plan=Plan(9)) is None
    )


def accused(worlds: int, items: int, raters: int, rng: np.random.Generator) -> float:
    """How often a judge that tells nothing is said to run the other way."""
    found = 0
    for _ in range(worlds):
        lean = rng.normal(0, 0.5, raters)  # raters who draw the line at different places
        yes = rng.random((items, raters)) < 1 / (1 + np.exp(-rng.normal(0, 1, (items, 1)) - lean))
        said = labels(rng.integers(0, 2, items), 2)

        def table(who: np.ndarray, said: np.ndarray = said, yes: np.ndarray = yes) -> tuple:
            share = yes[:, who].mean(axis=1)
            return said, np.column_stack([1 - share, share]), np.ones(items)

        everyone = np.arange(raters)
        found += (
            running_against(
                *table(everyone),
                plan=Plan(items, raters=raters),
                without=lambda: (table(np.delete(everyone, j)) for j in everyone),  # noqa: B023
            )
            is not None
        )
    return found / worlds


def test_noise_is_seldom_accused_coverage() -> None:
    """One-sided at 2.5 %: of 300 data sets at most 14 by a binomial test at 1 %."""
    assert accused(300, 60, 5, np.random.default_rng(1)) <= 14 / 300


@pytest.mark.prove
@pytest.mark.parametrize(("items", "raters"), [(30, 3), (60, 5), (300, 8)])
def test_noise_is_seldom_accused_at_any_size_coverage(items: int, raters: int) -> None:
    """Of 2,000 data sets at most 67 by a binomial test at 1 %."""
    assert accused(2000, items, raters, np.random.default_rng(items)) <= 67 / 2000
