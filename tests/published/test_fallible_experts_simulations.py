"""What the paper's simulations show of the estimate, on our simulator, with enough runs."""

import numpy as np
import pytest

from headcount.accuracy import plan_accuracy
from research.accuracy_study import PAPER_FIGURES, study_accuracy, violations

FIGURE_1, FIGURE_8 = PAPER_FIGURES[0], PAPER_FIGURES[7]


@pytest.fixture(scope="module")
def met():
    return study_accuracy([FIGURE_1], runs=20, seed=1)


@pytest.fixture(scope="module")
def violated():
    return study_accuracy([FIGURE_8], runs=20, seed=2)


@pytest.fixture(scope="module")
def alone():
    return study_accuracy(violations(5000), systems=[0.9], runs=50, seed=3)


@pytest.mark.parametrize("system", [0.1, 0.3, 0.5, 0.7, 0.9])
def test_estimates_sit_on_the_truth_against_paper(met, system):
    """Figure 1; a mean error has a standard error of about .003 here."""
    assert abs(met.mean_error(FIGURE_1.name, system=system)) < 0.01


def test_kappa_of_equal_raters_against_paper(met):
    assert np.mean([run.kappa for run in met.runs]) == pytest.approx(0.25, abs=0.003)
    assert np.mean([run.rater_accuracy for run in met.runs]) == pytest.approx(0.6, abs=0.003)


def test_rater_accuracy_is_overestimated_against_paper(violated):
    raters = [run.rater_accuracy for run in violated.runs]
    assert np.mean(raters) == pytest.approx(0.64, abs=0.006)


def test_a_good_system_is_underestimated_and_a_bad_one_flattered_against_paper(violated):
    good = [run.true_accuracy for run in violated.runs if run.system == 0.9]
    assert good[0] == pytest.approx(0.867, abs=0.001)
    assert violated.mean_error(FIGURE_8.name, system=0.9) < -0.03
    assert violated.mean_error(FIGURE_8.name, system=0.1) > 0.03


@pytest.mark.parametrize(
    ("violation", "printed"),
    [
        ("unequal raters", 0.024),
        ("unequal difficulty", -0.043),
        ("spread of errors", -0.036),
        ("asymmetric errors", -0.068),
    ],
)
def test_signed_biases_against_paper(alone, violation, printed):
    """Footnote 4, for a system at .9. Sign and size; each mean is known to about .005."""
    bias = alone.mean_error(violation)
    assert np.sign(bias) == np.sign(printed)
    assert bias == pytest.approx(printed, abs=0.02)
    assert abs(bias) > 0.01


def test_rule_of_thumb_against_paper():
    """Five categories, three raters: 200 cases at kappa .3 and 100 at .55 give ±.1 at 90 %."""
    at = {
        kappa: plan_accuracy(kappa=kappa, items=[cases], simulations=2000).points
        for kappa, cases in ((0.3, 200), (0.55, 100))
    }
    for points in at.values():
        assert np.mean([point.within for point in points]) >= 0.9
        # For the system accuracy that is hardest too, but for the simulation's own error.
        assert min(point.within for point in points) >= 0.9 - 3 * (0.09 / 2000) ** 0.5
    # and half the cases are not enough at either kappa
    for kappa, cases in ((0.3, 100), (0.55, 50)):
        points = plan_accuracy(kappa=kappa, items=[cases], simulations=1000).points
        assert min(point.within for point in points) < 0.87


def test_planned_cases_against_paper():
    assert 180 <= plan_accuracy(kappa=0.3, simulations=500).items <= 230
    assert 65 <= plan_accuracy(kappa=0.55, simulations=500).items <= 100
