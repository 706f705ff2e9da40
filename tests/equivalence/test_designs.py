"""Worth, agreement and ceiling hold what is true whatever decided on the number of ratings."""

import numpy as np
import pytest
from scipy.stats import binom
from tests.data.designs import WORLDS, study_of, truths

import headcount as hc
from headcount.errors import OptionError
from headcount.metrics import brier_scores

CELLS = [(kind, design) for kind in ("drawn", "scale") for design in ("2+1", "3+2", "harder")]


def _holds(estimate, truth):
    """Whether an interval holds a truth; ends beyond the curve hold what lies beyond."""
    low, high = estimate.low, estimate.high
    above = estimate.low_state == "above"
    if low is None:
        low = estimate.ceiling if above else -np.inf
    return low <= truth and (high is None or truth <= high)


def _runs(world, design, runs, n, m, named, n_bootstrap=100):
    truth = truths(world, n=100_000)
    held = dict.fromkeys(("agree", "worth_hard", "worth_soft"), 0)
    value = []
    for seed in range(runs):
        study = study_of(world, design, n, m, seed, named=named)
        worths = hc.survey_equivalence(study, n_bootstrap=n_bootstrap)
        share = hc.deconvolve(study, flip_rate=0.0, n_bootstrap=n_bootstrap).score()["hard"]
        held["agree"] += _holds(share.adjusted, truth["agree"])
        value.append(share.adjusted.value)
        for name in ("hard", "soft"):
            held[f"worth_{name}"] += _holds(worths[name].worth, truth[f"worth_{name}"])
    return held, float(np.mean(value)) - truth["agree"]


@pytest.mark.parametrize(("kind", "design"), CELLS)
def test_worth_and_agreement_hold_by_design_coverage(kind, design):
    """They held in 2 of 80 (three and two) and 29 of 80 data sets (two and a third)."""
    runs = 12
    held, bias = _runs(WORLDS[kind, 2], design, runs, 400, 40, named=False, n_bootstrap=60)
    assert abs(bias) < 0.02
    for name, times in held.items():
        assert binom.cdf(times, runs, 0.95) > 0.001, name


@pytest.mark.prove
@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("raters", [8, 40, None])
@pytest.mark.parametrize("design", ["2+1", "3+2", "harder", "random", "full"])
@pytest.mark.parametrize("kind", ["drawn", "scale"])
def test_all_designs_hold_coverage(kind, design, raters, labels):
    runs = 200
    world = WORLDS[kind, labels]
    held, _ = _runs(world, design, runs, 500, raters or 40, raters is not None, 200)
    for name, times in held.items():
        assert binom.cdf(times, runs, 0.95) > 0.01, name


def test_the_share_who_agree_is_one_number_where_first_answers_count():
    """The evaluation, the deconvolution and people's shares beside each other say the same."""
    study = study_of(WORLDS["drawn", 3], "2+1", 200, 12, 4)
    found = hc.evaluate(study, n_bootstrap=20)
    own = hc.deconvolve(study, flip_rate=0.0, n_bootstrap=20).score()
    shares = study.design.first_answers.shares(study.judged.counts)
    answers = study.judged.classifiers[0].codes
    plain = shares[np.arange(len(answers)), answers].mean()
    assert found["hard"].agree.value == pytest.approx(plain, abs=1e-12)
    assert own["hard"].adjusted.value == pytest.approx(plain, abs=1e-12)
    assert own["hard"].raw.value == pytest.approx(plain, abs=1e-12)
    assert found.crowd.agreeing["agree"].value[0] == pytest.approx(plain, abs=1e-12)
    assert found.agreement.two_people.value == found.crowd.another_person.value
    assert "the first 2 of every item count" in found.first_answer().about


def test_the_curve_of_first_answers_is_that_of_two_people_against_theory():
    """With every item 2 + 1, c₁ scored by agreement is how often the best guess from one is hit."""
    study = study_of(WORLDS["drawn", 2], "2+1", 3000, 40, 1, named=False)
    curve = hc.power_curve(study, scorer="agreement", combiner="frequency", n_bootstrap=0)
    assert curve.asked.raters == 2
    assert curve.asked.items_dropped == 0
    # Who says what one person said is right as often as two people agree.
    agreed = hc.agreement(study, n_bootstrap=0, contested=0).two_people.value
    assert curve.values[1] == pytest.approx(agreed, abs=1e-12)


def test_what_first_answers_cannot_do_is_refused_with_a_remedy():
    study = study_of(WORLDS["drawn", 2], "2+1", 100, 12, 1)
    with pytest.raises(OptionError, match="stopped"):
        hc.survey_equivalence(study, max_raters=3, n_bootstrap=0)
    with pytest.raises(OptionError, match="fitted"):
        hc.power_curve(study, combiner="abc", n_bootstrap=0)
    found = hc.survey_equivalence(study, scorer="f1", n_bootstrap=10)
    assert found.curve.asked.combiner == "fitted"
    assert hc.power_curve(study, combiner="linear", scorer="brier", n_bootstrap=10).values[1] < 0


def test_a_curve_of_items_decided_before_leaves_few_of_them_out():
    study = study_of(WORLDS["drawn", 2], "harder", 400, 40, 2, named=False)
    found = hc.power_curve(study, n_bootstrap=0)
    assert study.design.kind == "before"
    assert found.asked.raters == 2
    assert found.asked.items_dropped == 0


def test_scores_without_each_rater_of_first_answers_against_brute_force():
    """One by one: what is left of an item's first answers, scored by what was said of the item."""
    study = study_of(WORLDS["drawn", 2], "3+2", 120, 10, 6)
    found = hc.survey_equivalence(study, scorer="brier", calibrate=False, n_bootstrap=20)
    soft = next(each for each in study.judged.classifiers if each.name == "soft")
    counts, first = study.judged.counts, study.design.first_answers
    scores = brier_scores(soft.probabilities)
    samples = study.sampled()
    for rater, left in enumerate(samples.without(counts)):
        shares = first.shares(left, counts)
        rated = shares.sum(axis=1) > 0
        plain = (shares * scores).sum(axis=1)[rated].mean()
        assert found["soft"].without[rater] == pytest.approx(plain, abs=1e-12)


def test_raters_add_no_more_than_they_do_to_other_designs():
    """Leaving a rater out moves score and curve together, and little where raters are many."""
    study = study_of(WORLDS["drawn", 2], "3+2", 500, 40, 0)
    found = hc.survey_equivalence(study, n_bootstrap=60)
    for name in ("hard", "soft"):
        over_raters = np.sqrt(((found[name].without - found[name].without.mean()) ** 2).sum())
        assert over_raters < 2 * found[name].draws.std()
    assert found["hard"].worth.high < 10
