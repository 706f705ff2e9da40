"""How a fit answers to single items, against fitting it again."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from headcount import Predictions, Ratings, system_accuracy
from headcount.accuracy import latent_samples
from headcount.accuracy.dawid_skene import climb, expect
from headcount.accuracy.items import Items, group_items
from headcount.accuracy.latent_classes import LatentFits, fit_everyone
from headcount.accuracy.latent_samples import Fitted
from headcount.accuracy.latent_samples import rater_accuracy as right_of_raters
from headcount.accuracy.latent_samples import system_accuracy as right_of_system
from headcount.data import Study

Floats = NDArray[np.float64]


def _world(seed: int, *, items: int, raters: int, labels: int, each: int) -> Study:
    """Raters of unequal quality who answer some items each, and a system."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(labels, items, p=np.arange(1, labels + 1) / np.arange(1, labels + 1).sum())
    good = rng.uniform(0.6, 0.95, raters)
    who = np.array([rng.choice(raters, each, replace=False) for _ in range(items)])
    wrong = (truth[:, None] + rng.integers(1, labels, who.shape)) % labels
    said = np.where(rng.random(who.shape) < good[who], truth[:, None], wrong)
    people = {
        "item": np.repeat(np.arange(items), each).astype(str),
        "rater": who.ravel().astype(str),
        "label": [f"l{code}" for code in said.ravel()],
    }
    answer = np.where(rng.random(items) < 0.85, truth, (truth + 1) % labels)
    machine = {"item": np.arange(items).astype(str), "it": [f"l{code}" for code in answer]}
    return Study(Ratings.from_frame(pa.table(people)), Predictions.from_frame(pa.table(machine)))


def _items(study: Study) -> Items:
    assert study.named is not None
    return group_items(study.judged, study.named)


def _fits(study: Study) -> LatentFits:
    return fit_everyone(_items(study), restarts=0, samples=50, seed=0)


def _exactly(fitted: Fitted, weights: Floats) -> Fitted:
    """The model fitted to other numbers of items of each row, to the last digit."""
    start = fitted.fit.model()
    run = climb(fitted.rows, weights[:, None], start, most_iterations=20_000, tolerance=1e-16)
    model = run.model
    exact = replace(
        fitted.fit,
        base_rates=model.base_rates[:, 0],
        chances=model.chances[:, :, 0],
        posterior=expect(fitted.rows, model)[0][:, :, 0],
    )
    return replace(fitted, fit=exact, _items=weights)


@pytest.mark.parametrize("labels", [2, 3])
def test_influence_against_fitting_again(labels: int) -> None:
    """A hundredth of an item more of a row moves every estimate by a hundredth of its influence."""
    study = _world(labels, items=250, raters=6, labels=labels, each=5)
    fits = _fits(study)
    for fitted, of_system in ((fits.raters, False), (fits.systems[0], True)):
        best = _exactly(fitted, fitted._items)
        for row in (0, 3, len(best._items) // 2):
            more = best._items.copy()
            more[row] += 0.01
            moved = _exactly(best, more)
            if of_system:
                values = [right_of_system(each.rows, each.fit.model())[0] for each in (best, moved)]
                told = best._of_system[row]
            else:
                values = [
                    right_of_raters(each.rows, each._items[:, None], each.fit.model())[0][0]
                    for each in (best, moved)
                ]
                told = best._of_rater_accuracy[row]
                rates = moved.fit.base_rates - best.fit.base_rates
                off = np.abs(rates / 0.01 - best._of_base_rates[row]).max()
                assert off < 0.02 * np.abs(best._of_base_rates[row]).max()
            assert (values[1] - values[0]) / 0.01 == pytest.approx(told, rel=0.02, abs=1e-6)


def test_samples_told_by_items_against_samples_fitted_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same samples give nearly the same estimates, one by one."""
    study = _world(5, items=3000, raters=20, labels=2, each=6)
    fits = _fits(study)
    items = _items(study)
    rng = np.random.default_rng(0)
    drawn = rng.multinomial(items.size.sum(), items.size / items.size.sum(), size=60).astype(float)
    again = fits.of_samples(drawn)
    monkeypatch.setattr(latent_samples, "MOST_NUMBERS", 10)
    told = fits.of_samples(drawn)
    for name in ("rater_accuracy", "accuracy", "base_rates"):
        one, other = (np.asarray(each[name]).reshape(60, -1)[:, 0] for each in (again, told))
        assert np.corrcoef(one, other)[0, 1] > 0.97, name
        assert other.std() == pytest.approx(one.std(), rel=0.15), name


def test_many_raters_are_fitted_in_little_memory() -> None:
    """Four hundred matrices of three labels are 3,600 numbers: a table of pairs would be 100 MB."""
    study = _world(1, items=6000, raters=400, labels=3, each=8)
    found = system_accuracy(study, latent_class="each", restarts=0, n_bootstrap=50)
    assert latent_samples.too_many(_items(study).rows)
    latent = found["it"].latent_class
    assert latent.low is not None
    assert latent.high is not None
    assert latent.low < 0.85 < latent.high
    assert 0.01 < latent.high - latent.low < 0.08


@pytest.mark.prove
def test_intervals_with_many_raters_coverage() -> None:
    """Six ratings an item by 300 raters, 40 each, and a system that is right in 85 %."""
    runs, held, widths = 200, 0, []
    for seed in range(runs):
        study = _world(seed, items=2000, raters=300, labels=2, each=6)
        found = system_accuracy(study, latent_class="each", restarts=0, n_bootstrap=200, seed=seed)
        latent = found["it"].latent_class
        assert latent.low is not None
        assert latent.high is not None
        held += latent.low <= 0.85 <= latent.high
        widths.append(latent.high - latent.low)
    print(f"\nheld {held / runs:.3f}, width {np.mean(widths):.3f}")
    assert binom.cdf(held, runs, 0.95) > 0.01
