"""Intervals hold the truth as often as they claim, where the assumptions hold."""

import numpy as np
import pytest
from scipy.stats import binom

from headcount.accuracy.algebra import estimate
from headcount.accuracy.items import group_items
from headcount.accuracy.latent_classes import choose_rater_model, fit_everyone
from headcount.sampling import Bootstrap, estimate_from_draws, resample
from headcount.simulate import Fallible
from research.accuracy_study import as_judged


def _held(recipe, seed, samples, latent):
    """Whether each interval of one simulated data set holds the truth."""
    drawn = recipe.draw(np.random.default_rng([17, seed]))
    judged, named = as_judged(drawn, recipe.labels)
    model = choose_rater_model("auto", judged, named)
    items = group_items(judged, named if model == "each" and latent else None)
    plan = Bootstrap(samples, 0.95, seed)

    def algebraic(times):
        found = estimate(items, times.astype(float))
        return {"accuracy": found.accuracy()[0], "rater_accuracy": found.rater_accuracy}

    draws = resample(plan, items.size, algebraic)
    truths = {
        "accuracy": (draws["accuracy"], drawn.system_accuracy),
        "rater_accuracy": (draws["rater_accuracy"], drawn.rater_accuracy),
    }
    if latent:
        fits = fit_everyone(items, restarts=0, samples=samples, seed=0)
        fitted = resample(plan, items.size, lambda times: fits.of_samples(times.astype(float)))
        truths["latent"] = (fitted["accuracy"][:, 0], drawn.system_accuracy)
    held = {}
    for name, (values, truth) in truths.items():
        interval = estimate_from_draws(0.5, values, plan.tail(items.n_items))
        held[name] = interval.low <= truth <= interval.high
    return held


def _shares(recipe, runs, samples, latent=False):
    held = [_held(recipe, seed, samples, latent) for seed in range(runs)]
    return {name: sum(each[name] for each in held) for name in held[0]}


def _plausible(hits, runs, claimed=0.95):
    """Not fewer than the claim allows, at one in a thousand."""
    return binom.cdf(hits, runs, claimed) > 0.001


@pytest.mark.parametrize("system", [0.5, 0.7, 0.9])
@pytest.mark.parametrize(("accuracy", "cases"), [(0.6, 2000), (0.8, 1000)])
def test_algebraic_intervals_coverage(system, accuracy, cases):
    hits = _shares(Fallible(cases=cases, accuracy=(accuracy,), system=system), 120, 200)
    assert _plausible(hits["accuracy"], 120), hits
    assert _plausible(hits["rater_accuracy"], 120), hits


def test_latent_class_intervals_coverage():
    """Unequal raters and asymmetric errors, which latent classes allow."""
    recipe = Fallible(cases=1500, accuracy=(0.6, 0.7, 0.8), dispersion=2.0, labels=4, system=0.8)
    hits = _shares(recipe, 60, 100, latent=True)
    assert _plausible(hits["latent"], 60), hits


@pytest.mark.prove
@pytest.mark.parametrize("cases", [100, 200, 500, 1000, 2000, 5000])
@pytest.mark.parametrize("accuracy", [0.6, 0.8])
@pytest.mark.parametrize("system", [0.5, 0.7, 0.9])
def test_algebraic_coverage_in_full(cases, accuracy, system):
    """The table of the documentation. At few cases with poor raters the estimate of a very good
    system is clipped from above, and the interval misses: that is stated, not hidden.
    """
    runs = 400
    hits = _shares(Fallible(cases=cases, accuracy=(accuracy,), system=system), runs, 300)
    _show(f"{cases} cases, raters {accuracy}, system {system}", hits, runs)
    if cases >= (2000 if accuracy == 0.6 else 1000):
        assert _plausible(hits["accuracy"], runs), hits


@pytest.mark.prove
@pytest.mark.parametrize("cases", [300, 1000, 3000])
@pytest.mark.parametrize("system", [0.7, 0.9])
def test_latent_coverage_in_full(cases, system):
    """Unequal raters and asymmetric errors, which latent classes allow."""
    runs = 150
    recipe = Fallible(cases=cases, accuracy=(0.6, 0.7, 0.8), dispersion=2.0, system=system)
    hits = _shares(recipe, runs, 150, latent=True)
    _show(f"{cases} cases, uneven, system {system}", hits, runs)
    if cases >= 1000:
        assert _plausible(hits["latent"], runs), hits


def _show(setting, hits, runs):
    shares = ", ".join(f"{name} {count / runs:.3f}" for name, count in hits.items())
    print(f"\n{setting}: {shares}")
