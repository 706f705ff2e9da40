"""Intervals hold the truth as often as they claim, on the running example's model.

The true curve and worth are those of the model itself (see test_equivalence_against_theory).
"""

import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from headcount.data import Classifier, Judged, Labels, group_rows
from headcount.equivalence.combiners import resolve_combiner
from headcount.equivalence.crossing import worth
from headcount.equivalence.exact import Setup, power_curve
from headcount.equivalence.question import question_for
from headcount.equivalence.scored_groups import measure, scored_classifiers
from headcount.metrics import resolve_scorer
from headcount.options import EquivalenceOptions
from headcount.sampling import Bootstrap, estimate_from_draws

sys.path.insert(0, str(Path(__file__).parent))
import population

LABELS = Labels(("neg", "pos"))
RATERS = 10
TRUE_WORTH = {"calibrated": 1.8813, "ideal": np.inf, "flipped": -np.inf}


def data_set(items, rng):
    """Simulated items with a calibrated classifier, an ideal one and one that knows nothing."""
    p, share = np.array(population.RUNNING_EXAMPLE).T
    state = rng.choice(p, p=share, size=items)
    positives = rng.binomial(RATERS, state)
    says = rng.random(items) < np.vectorize(population.SAYS_POSITIVE.get)(state)
    soft = {
        "calibrated": np.where(says, 0.77, 0.32),
        "ideal": state,
        "flipped": np.where(says, 0.37, 0.9),
    }
    return Judged(
        LABELS,
        np.column_stack([RATERS - positives, positives]),
        np.ones(items, dtype=np.int64),
        tuple(
            Classifier(name, probabilities=np.column_stack([1 - chance, chance]))
            for name, chance in soft.items()
        ),
    ).grouped()


def estimates(judged, samples, seed, combiner="abc", scorer="cross_entropy"):
    """Each classifier's worth with its interval, and the curve's."""
    options = EquivalenceOptions(combiner=combiner, scorer=scorer, n_bootstrap=samples, seed=seed)
    question = question_for(LABELS, options)
    scored = scored_classifiers(question, judged)
    measured = measure(question, judged.counts, judged.size, RATERS - 1, classifiers=scored)
    curve = measured.curve
    found = {}
    for each, scores in zip(judged.classifiers, measured.scores, strict=True):
        found[each.name] = estimate_from_draws(
            worth(scores[:1], curve.scores[None])[0],
            worth(scores[1:], curve.draws),
            question.bootstrap.tail(int(judged.size.sum())),
            floor=0,
            ceiling=RATERS - 1,
        )
    return found, curve


def holds(estimate, truth):
    """Whether an interval with censored ends holds the truth."""
    low = {"below": -np.inf, "above": np.inf}.get(estimate.low_state, estimate.low)
    high = {"below": -np.inf, "above": np.inf}.get(estimate.high_state, estimate.high)
    return low <= truth <= high


def study(items, data_sets, samples, seed):
    """How many intervals held the true worth, each estimate, and the states seen."""
    rng = np.random.default_rng([seed, items])
    covered, middle, states = 0, [], {"ideal": 0, "flipped": 0}
    curve_covered = np.zeros(RATERS, dtype=int)
    truth = population.information_curve(population.RUNNING_EXAMPLE, RATERS - 1)
    for one in range(data_sets):
        found, curve = estimates(data_set(items, rng), samples, one)
        covered += holds(found["calibrated"], TRUE_WORTH["calibrated"])
        middle.append(found["calibrated"].value)
        states["ideal"] += found["ideal"].state == "above"
        states["flipped"] += found["flipped"].state == "below"
        tail = Bootstrap().tail(items)
        points = [
            estimate_from_draws(value, draws, tail)
            for value, draws in zip(curve.scores, curve.draws.T, strict=True)
        ]
        curve_covered += [holds(point, true) for point, true in zip(points, truth, strict=True)]
    return covered, np.mean([m for m in middle if m is not None]), states, curve_covered


def test_worth_interval_coverage():
    covered, mean, states, _ = study(items=400, data_sets=300, samples=300, seed=1)
    assert binomtest(covered, 300, 0.95).pvalue > 1e-3
    assert mean == pytest.approx(1.95, abs=0.08)
    assert states == {"ideal": 300, "flipped": 300}  # censored cases are reported as such


@pytest.mark.prove
@pytest.mark.parametrize(("items", "claimed"), [(100, 0.91), (300, 0.95), (1000, 0.95)])
def test_worth_interval_coverage_in_full(items, claimed):
    covered, mean, states, by_k = study(items=items, data_sets=400, samples=500, seed=2)
    print(f"\n{items} items: {covered / 4:.1f} % held the true worth; mean estimate {mean:.3f};")
    print("points of the curve:", " ".join(f"{each / 4:.0f}" for each in by_k), states)
    assert binomtest(covered, 400, claimed).pvalue > 1e-3


def test_interval_is_too_narrow_without_refitting_the_draws_apart():
    """Sanity of the judge itself: a tenth of the draws' spread must fail the same test."""
    rng = np.random.default_rng(3)
    missed = 0
    for one in range(40):
        found, _ = estimates(data_set(400, rng), 100, one)
        worth_found = found["calibrated"]
        middle = worth_found.value
        low = middle - (middle - worth_found.low) / 10
        high = middle + (worth_found.high - middle) / 10
        missed += not low <= TRUE_WORTH["calibrated"] <= high
    assert binomtest(40 - missed, 40, 0.95).pvalue < 1e-3


def test_all_copies_of_an_item_are_left_out(monkeypatch):
    """Grouped: 1 + (m − 1)/g copies on average. One by one: all of them. One only: a leak."""
    positives = np.repeat(*population_of_fifty())
    items = np.column_stack([RATERS - positives, positives])
    grouping = group_rows(items)
    draws = Bootstrap(400).item_draws(np.ones(50, dtype=np.int64))
    model = (LABELS, resolve_combiner("abc"), resolve_scorer("cross_entropy"))
    one_by_one = power_curve(Setup(items, np.ones(50), 9, *model), draws).draws.mean(axis=0)
    grouped_setup = Setup(items[grouping.first], grouping.size, 9, *model)
    grouped = power_curve(grouped_setup, grouping.gather(draws)).draws.mean(axis=0)
    # The mean number of copies stands for their distribution: all but the same, until surveys
    # get so long that hardly another item could have given them.
    np.testing.assert_allclose(grouped[:8], one_by_one[:8], atol=0.01)
    np.testing.assert_allclose(grouped[8:], one_by_one[8:], atol=0.1)
    monkeypatch.setattr(Setup, "copies", lambda _, samples: (samples > 0).astype(float))
    leaking = power_curve(grouped_setup, grouping.gather(draws)).draws.mean(axis=0)
    assert leaking[9] - grouped[9] > 0.15
    assert leaking[9] - one_by_one[9] == pytest.approx(0.29, abs=0.05)


def population_of_fifty():
    """Counts of positives of fifty items as the model expects them, and how many have each."""
    _, many = population.patterns(population.RUNNING_EXAMPLE, RATERS)
    share = many / many.sum()
    whole = np.floor(share * 50).astype(int)
    whole[np.argsort(whole - share * 50)[: 50 - whole.sum()]] += 1
    return np.arange(RATERS + 1), whole


def test_binomial_shares_are_those_of_the_model():
    """The simulation above draws what the theory sums over."""
    rng = np.random.default_rng(8)
    judged = data_set(20_000, rng)
    share = np.bincount(judged.counts[:, 1], weights=judged.size, minlength=11) / 20_000
    expected = sum(
        weight * binom.pmf(np.arange(11), 10, p) for p, weight in population.RUNNING_EXAMPLE
    )
    np.testing.assert_allclose(share, expected, atol=0.012)
