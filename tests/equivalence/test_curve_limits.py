"""How far the likelihood lets a curve move, and what the curve of the truth is worth."""

import numpy as np
import pytest

from headcount.equivalence.crossing import worth
from headcount.equivalence.curve_limits import CurveLimits
from headcount.population import fit_population
from headcount.population.functionals import curve_of
from headcount.population.mixtures import Atoms

RUNNING = Atoms(np.array([0.7, 0.1, 0.2]), np.array([[0.2, 0.8], [0.5, 0.5], [0.9, 0.1]]))


def test_running_example_worth_against_paper() -> None:
    """The true score of the running example's classifier is worth 1.8813 raters."""
    curve = curve_of(RUNNING, np.arange(10), "cross_entropy", clip=0.0).scores
    assert worth([-0.82031], curve[None])[0] == pytest.approx(1.8813, abs=1e-3)


@pytest.mark.parametrize("k", [0, 2, 6])
def test_limits_hold_the_curve_and_its_truth(k: int) -> None:
    """The curve of the truth, which is as likely as the data allow, lies within its limits."""
    rng = np.random.default_rng(0)
    fitted = fit_population(rng.multinomial(4, RUNNING.draw(rng, 400)))
    low, high = CurveLimits(fitted, "cross_entropy", None, 3.0).interval(k)
    assert low <= fitted.curve(k).scores[0] <= high
    assert low <= curve_of(RUNNING, np.array([k]), "cross_entropy").scores[0] <= high
