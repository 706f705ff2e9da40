"""How many people a judge's numbers are worth: theory, the law of k people, and coverage."""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from headcount.population.surveys import LinearSurvey
from headcount.sampling.delta import Smooth
from headcount.sampling.samples import Plan, rater_groups
from headcount.scores.calibration import FALLING, FLAT, calibrated, why_nothing
from headcount.scores.components import components, true_error
from headcount.scores.judge import numeric_worth, worth_measure, worth_nothing, worth_of
from headcount.scores.people import Said
from headcount.scores.sample import Sample

sys.path.append(str(Path(__file__).parent))
from random_effects import World, holds, people_of, worth_in

WORTHS = (0.5, 1, 2, 3, 5, 10, 20)
READINGS = (None, "linear")
SMALL, FULL = 30, 400


@pytest.mark.parametrize("k", WORTHS)
def test_worth_is_where_the_linear_survey_errs_as_much_against_reference(k):
    """Back from the error of k raters on the house's other curve of linear surveys."""
    survey = LinearSurvey(np.array([[0.7]]), np.array([[1.9]]), np.zeros(1))
    error = float(survey.error(k)[0]) - 1.9
    assert worth_of(1.9, 0.7, error) == pytest.approx(k)


def test_ends_of_the_scale_are_named():
    assert worth_of(1.0, 0.5, 0.5) == -np.inf
    assert worth_of(1.0, 0.5, 0.9) == -np.inf
    assert worth_of(1.0, 0.5, -0.01) == np.inf
    assert np.isnan(worth_of(1.0, -0.1, 0.2))

    def found(within, between, error):
        return numeric_worth(
            Smooth(
                ("within", "between", "error"),
                np.array([within, between, error]),
                np.diag([0.01, 0.01, 0.01]) ** 2,
                Plan(500),
            )
        )

    assert found(1.0, 0.5, 0.9).state == "below"
    better = found(1.0, 0.5, -0.01)
    assert (better.state, better.high_state) == ("above", "above")
    assert 10 < better.low < 1000
    assert "do not differ" in found(1.0, -0.1, 0.2).note
    assert "never differ" in found(0.0, 0.5, 0.2).note


@pytest.mark.parametrize("ratings", [2, 10])
@pytest.mark.parametrize("k", WORTHS)
def test_k_people_are_worth_k_against_theory(k, ratings):
    """Also beyond the ratings an item: two of them tell of twenty people.

    Of so many intervals of 95 % some would miss; none of 99.9 % should.
    """
    rng = np.random.default_rng([k == 0.5, int(k), ratings])
    answers, judge = World(0.5, 0.5).draw(rng, 200_000, ratings, k)
    people = people_of(answers)
    for how, numbers in ((None, judge), ("linear", 3 - 2 * 4 + 7 * judge)):
        worth = worth_in(people, numbers, how=how, confidence=0.999)
        assert worth.low <= k <= worth.high
        assert worth.value == pytest.approx(k, rel=0.15)


def test_isotonic_takes_a_bent_scale_for_what_it_is():
    rng = np.random.default_rng(4)
    answers, judge = World().draw(rng, 20_000, 3, 4)
    people = people_of(answers)
    bent = np.exp(3 * judge)
    assert worth_in(people, bent, how="linear").value < 3
    assert worth_in(people, bent, how="isotonic").value == pytest.approx(4, abs=0.8)


def test_isotonic_never_flatters():
    """A curve is paid for in error: on average it says less than the line does."""
    lines, curves = [], []
    for run in range(20):
        answers, judge = World().draw(np.random.default_rng([7, run]), 300, 3, 2)
        people = people_of(answers)
        lines.append(worth_in(people, judge, how="linear").value)
        curves.append(worth_in(people, judge, how="isotonic").value)
    assert np.median(curves) < np.median(lines) < 2.6


def test_a_line_leaves_the_item_out_against_brute_force():
    rng = np.random.default_rng(5)
    answers, judge = World().draw(rng, 12, 2, 1)
    people = people_of(answers)
    found = calibrated(people, judge)
    for i in range(12):
        others = np.arange(12) != i
        slope, level = np.polyfit(judge[others], people.mean[others], 1)
        assert found[i] == pytest.approx(level + slope * judge[i])


def test_a_constant_and_a_reversed_judge_tell_nothing():
    answers, judge = World().draw(np.random.default_rng(6), 100, 2, 3)
    people = people_of(answers)
    assert why_nothing(people, np.full(100, 3.0)) == FLAT
    assert why_nothing(people, -judge) == FALLING
    assert why_nothing(people, judge) is None
    said = worth_nothing(FLAT)
    assert said.state == "below"
    assert said.text() == "less than 0"


def test_two_ratings_of_a_judge_that_saw_them_are_below_no_error():
    """A judge that repeats people's mean errs less than any independent judge could."""
    answers, _ = World().draw(np.random.default_rng(8), 400, 2, 3)
    people = people_of(answers)
    error, _ = true_error(people, people.mean)
    assert error == pytest.approx(-components(people).within / 2)
    assert worth_in(people, people.mean).state == "above"


def _covered(world, n_items, n_ratings, how, runs):
    """How many of `runs` data sets a worth have intervals that hold it, by worth."""
    hits = {}
    for k in WORTHS:
        truth = world.truth(k)
        seeds = ([n_items, n_ratings, int(10 * k), run] for run in range(runs))
        found = (world.draw(np.random.default_rng(s), n_items, n_ratings, k) for s in seeds)
        hits[k] = sum(holds(worth_in(people_of(r), s, how=how), truth) for r, s in found)
    return hits


def _not_below(hits, runs, claimed):
    """Neither all worths together, at 1 %, nor any of them, at 1 % in all, fall short."""
    together = binom.cdf(sum(hits.values()), runs * len(hits), claimed) > 0.01
    return together and all(binom.cdf(n, runs, claimed) > 0.01 / len(hits) for n in hits.values())


WORLDS = {
    "normal": (World(), 0.95),
    "alike": (World(0.2, 0.8), 0.95),
    "t3": (World(tails="t3"), 0.90),
    "rounded": (World(grid=1.0), 0.90),
    "t3-rounded": (World(tails="t3", grid=1.0), 0.90),
}


@pytest.mark.parametrize("how", READINGS)
@pytest.mark.parametrize("n_ratings", [2, 3, 10])
@pytest.mark.parametrize("world", ["normal", "t3"])
def test_numeric_worth_small_coverage(world, n_ratings, how):
    drawn, claimed = WORLDS[world]
    hits = _covered(drawn, 300, n_ratings, how, SMALL)
    assert _not_below(hits, SMALL, claimed), hits


@pytest.mark.prove
@pytest.mark.parametrize("how", READINGS)
@pytest.mark.parametrize("n_items", [300, 1000])
@pytest.mark.parametrize("n_ratings", [2, 3, 10])
@pytest.mark.parametrize("world", WORLDS)
def test_numeric_worth_coverage(world, n_ratings, n_items, how):
    drawn, claimed = WORLDS[world]
    hits = _covered(drawn, n_items, n_ratings, how, FULL)
    print(world, n_items, n_ratings, how, {k: n / FULL for k, n in hits.items()})
    assert _not_below(hits, FULL, claimed), hits


def _covered_with_raters(n_raters, k, how, runs):
    world, hits = World(severity=0.25), 0
    for run in range(runs):
        rng = np.random.default_rng([n_raters, int(10 * k), run])
        answers, judge = world.draw(rng, 500, n_raters, k)
        item, rater = np.divmod(np.arange(answers.size), n_raters)
        said = Said.of(item, answers.ravel(), 500, rater)
        people = said.people()
        numbers = judge if how is None else calibrated(people, judge, how)
        sample = Sample(people, said, Plan(500, raters=n_raters), groups=rater_groups(n_raters))
        measure = worth_measure(numbers, fitted=how is not None)
        hits += holds(numeric_worth(sample.measured({"worth": measure})["worth"]), k)
    return hits


@pytest.mark.parametrize("how", READINGS)
@pytest.mark.parametrize("n_raters", [5, 20])
def test_worth_with_strict_and_lenient_raters_small_coverage(n_raters, how):
    hits = _covered_with_raters(n_raters, 2, how, SMALL)
    assert binom.cdf(hits, SMALL, 0.95) > 0.01


@pytest.mark.prove
@pytest.mark.parametrize("how", READINGS)
@pytest.mark.parametrize("k", [0.5, 2, 5, 20])
@pytest.mark.parametrize("n_raters", [3, 5, 8, 20])
def test_worth_with_strict_and_lenient_raters_coverage(n_raters, k, how):
    hits = _covered_with_raters(n_raters, k, how, 400)
    print("raters", n_raters, k, how, hits / 400)
    assert binom.cdf(hits, 400, 0.95) > 0.01
