"""The true rate: people on some items, a judge on all of them."""

import numpy as np
import pytest
from scipy.special import expit, logit
from scipy.stats import binom

from headcount.rate.rate_of_items import (
    rate_of_items,
    rater_variance,
    rates_by_slice,
    rogan_gladen,
)
from headcount.rate.sharpened_mean import powered_mean

LENIENCE = np.random.default_rng(0).normal(size=20_000)
"""Standard normal raters that the truth about people is computed from."""


def draw(seed, prevalence, accuracy, *, raters=None, lenience=0.0, items=10_000, rated=300, k=3):
    """Ratings, their items and raters, the judge, and the true rate among all people."""
    rng = np.random.default_rng([seed, 13])
    truth = rng.random(items) < prevalence
    judge = np.where(rng.random(items) < accuracy, truth, ~truth).astype(float)
    item = np.repeat(rng.choice(items, rated, replace=False), k)
    score = np.where(truth[item], logit(0.85), logit(0.05))
    who = None
    if raters is not None:
        who = np.argsort(rng.random((rated, raters)), axis=1)[:, :k].ravel()
        score = score + lenience * rng.normal(size=raters)[who]
    ratings = (rng.random(len(item)) < expit(score)).astype(float)
    said = [expit(logit(p) + lenience * LENIENCE).mean() for p in (0.85, 0.05)]
    return ratings, item, judge, who, prevalence * said[0] + (1 - prevalence) * said[1]


def _coverage(prevalence, accuracy, runs, **options):
    hits, ratios = 0, []
    for seed in range(runs):
        ratings, item, judge, who, rate = draw(seed, prevalence, accuracy, **options)
        found = rate_of_items(ratings, item, judge, rater=who, seed=seed)
        hits += found.low <= rate <= found.high
        ratios.append((found.high - found.low) / (found.alone_high - found.alone_low))
    return hits, np.array(ratios)


@pytest.mark.parametrize(("prevalence", "accuracy"), [(0.05, 0.6), (0.2, 0.95), (0.5, 0.8)])
def test_rate_coverage(prevalence, accuracy):
    hits, ratios = _coverage(prevalence, accuracy, 300)
    assert binom.cdf(hits, 300, 0.95) > 0.01
    assert ratios.max() <= 1.03


@pytest.mark.prove
@pytest.mark.parametrize("prevalence", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("accuracy", [0.6, 0.8, 0.95])
@pytest.mark.parametrize(("raters", "lenience"), [(None, 0.0), (30, 0.6), (10, 0.6), (3, 0.6)])
def test_rate_coverage_in_full(prevalence, accuracy, raters, lenience):
    """300 rated of 10,000, three ratings each: not below 95 % by a binomial test at 1 %."""
    runs = 1000
    hits, ratios = _coverage(prevalence, accuracy, runs, raters=raters, lenience=lenience)
    print(
        f"\n{prevalence} {accuracy} raters {raters}: {hits / runs:.3f}, width over people alone "
        f"{ratios.mean():.3f} (most {ratios.max():.3f})"
    )
    assert ratios.max() <= 1.03
    assert binom.cdf(hits, runs, 0.95) > 0.01, hits


def test_three_raters_coverage():
    """The hardest of the cells above: a rare label, a good judge, three people in all."""
    hits, _ = _coverage(0.05, 0.95, 300, raters=3, lenience=0.6)
    assert binom.cdf(hits, 300, 0.95) > 0.01, hits


def test_an_easy_case_is_twice_as_precise():
    rng = np.random.default_rng(1)
    truth = rng.random(10_000) < 0.5
    judge = np.where(rng.random(10_000) < 0.97, truth, ~truth).astype(float)
    item = np.repeat(rng.choice(10_000, 300, replace=False), 3)
    ratings = (rng.random(900) < np.where(truth[item], 0.98, 0.02)).astype(float)
    found = rate_of_items(ratings, item, judge)
    assert found.high - found.low < 0.5 * (found.alone_high - found.alone_low)


@pytest.mark.parametrize("constant", [0.0, 0.37, 1.0])
def test_a_constant_judge_does_no_harm(constant):
    ratings, item, judge, _, _ = draw(2, 0.3, 0.8)
    found = rate_of_items(ratings, item, np.full_like(judge, constant))
    assert (found.value, found.low, found.high) == (found.alone, found.alone_low, found.alone_high)
    assert found.slope == 0.0


def test_a_judge_upside_down_is_as_good():
    ratings, item, judge, _, _ = draw(3, 0.3, 0.9)
    one, other = rate_of_items(ratings, item, judge), rate_of_items(ratings, item, 1 - judge)
    assert one.value == pytest.approx(other.value, abs=1e-9)
    assert one.slope == pytest.approx(-other.slope, abs=1e-9)


def test_nobody_said_x():
    found = rate_of_items(np.zeros(60), np.repeat(np.arange(30), 2), np.zeros(500))
    assert found.value == 0.0
    assert found.low == 0.0
    assert 0.05 < found.high < 0.2


def test_numeric_scores_coverage():
    """Skewed scores on any scale; the interval follows the mean, not a share."""
    hits = 0
    for seed in range(300):
        rng = np.random.default_rng([seed, 17])
        truth = rng.gamma(2.0, 10.0, size=5000)
        judge = truth + rng.normal(0, 8, size=5000)
        item = np.repeat(rng.choice(5000, 200, replace=False), 2)
        ratings = truth[item] + rng.normal(0, 10, size=400)
        found = rate_of_items(ratings, item, judge, share=False)
        hits += found.low <= 20 <= found.high
        assert found.high - found.low <= 1.03 * (found.alone_high - found.alone_low)
    assert binom.cdf(hits, 300, 0.95) > 0.01


def _slow_expected(place, who, share, ratings):
    """σ_b² by its definition: products over all pairs of items of one rater, one by one."""
    top = bottom = 0.0
    by_item = {i: np.flatnonzero(place == i) for i in np.unique(place)}
    away = {row: ratings[row] - ratings[by_item[place[row]]].mean() for row in range(len(place))}
    for i in range(len(place)):
        for j in range(len(place)):
            if who[i] != who[j] or place[i] == place[j]:
                continue
            mine, other = by_item[place[i]], by_item[place[j]]
            shared = len(set(who[mine]) & set(who[other]))
            top += away[i] * away[j]
            k, m = len(mine), len(other)
            bottom += 1 - 1 / k - 1 / m + shared / (k * m)
    weight = np.array([share[place[row]] / len(by_item[place[row]]) for row in range(len(place))])
    carried = sum(weight[who == rater].sum() ** 2 for rater in np.unique(who))
    return max(top / bottom, 0.0) * (carried - (weight**2).sum())


def test_rater_variance_against_brute_force():
    rng = np.random.default_rng(4)
    who = np.argsort(rng.random((25, 6)), axis=1)[:, :3].ravel()
    place = np.repeat(np.arange(25), 3)
    kept = (rng.random(75) < 0.6) | (np.arange(75) % 3 < 2)
    place, who = place[kept], who[kept]
    ratings = rng.normal(size=len(place)) + 0.8 * rng.normal(size=6)[who]
    share = np.full(25, 1 / 25)
    found = rater_variance(ratings, place, who, share)
    assert found.variance == pytest.approx(_slow_expected(place, who, share, ratings), rel=1e-9)
    assert found.raters == 6


def test_rater_variance_against_theory():
    """Additive raters of variance 1/4, all of whom rate all: the mean carries 1/4 over J."""
    found = []
    for seed in range(300):
        rng = np.random.default_rng([seed, 19])
        place, who = np.repeat(np.arange(50), 5), np.tile(np.arange(5), 50)
        ratings = rng.normal(size=250) + 0.5 * rng.normal(size=5)[who]
        found.append(rater_variance(ratings, place, who, np.full(50, 0.02)).variance)
    carried = 0.25 * (5 * 0.2**2 - 250 * (0.02 / 5) ** 2)
    assert np.mean(found) == pytest.approx(carried, rel=0.15)


def test_one_rater_has_no_rater_variance():
    place = np.arange(20)
    assert rater_variance(np.ones(20), place, np.zeros(20, dtype=int), np.full(20, 0.05)) is None


def test_raters_who_differ_widen_the_interval():
    ratings, item, judge, who, _ = draw(5, 0.3, 0.9, raters=5, lenience=1.5)
    named = rate_of_items(ratings, item, judge, rater=who)
    nameless = rate_of_items(ratings, item, judge)
    assert named.high - named.low > 1.3 * (nameless.high - nameless.low)
    assert named.rater_share > 0.2
    assert nameless.rater_share is None
    assert named.items_for(0.01) is None


def test_slices_are_rates_of_their_own():
    ratings, item, judge, _, _ = draw(6, 0.3, 0.9)
    slices = np.arange(10_000) % 3
    slices[slices == 2] = -1
    found = rates_by_slice(ratings, item, judge, slices)
    assert set(found) == {0, 1}
    inside = slices[item] == 0
    assert found[0].alone == pytest.approx(
        np.mean([ratings[item == one].mean() for one in np.unique(item[inside])])
    )
    lonely = np.where(np.arange(10_000) == item[0], 0, -1)
    assert rates_by_slice(ratings, item, judge, lonely) == {0: None}


def test_rogan_gladen_against_theory():
    """With sensitivity and specificity known to all, the apparent rate is undone exactly."""
    judge = np.concatenate([np.ones(340), np.zeros(660)])
    truth = np.concatenate([np.ones(270), np.zeros(70), np.ones(30), np.zeros(630)])
    found = rogan_gladen(truth, np.arange(1000), judge)
    assert (found.sensitivity, found.specificity) == pytest.approx((0.9, 0.9))
    assert found.value == pytest.approx(0.3)
    assert found.low < 0.3 < found.high


def test_rogan_gladen_has_no_answer_for_a_coin():
    rng = np.random.default_rng(7)
    assert rogan_gladen(rng.random(50), np.arange(50), np.ones(200)) is None
    assert rogan_gladen(rng.random(50), np.arange(50), rng.random(200)) is None


@pytest.mark.prove
def test_rogan_gladen_coverage():
    hits = 0
    for seed in range(1000):
        ratings, item, judge, _, rate = draw(seed, 0.3, 0.85)
        rated, place = np.unique(item, return_inverse=True)
        found = rogan_gladen(np.bincount(place, weights=ratings) / 3, rated, judge)
        hits += found.low <= rate <= found.high
    print(f"\nRogan and Gladen: {hits / 1000:.3f}")
    assert hits > 930


def in_documents(seed, documents=400, rated=20, each=20):
    """People's shares, rated items, the judge's answers, each rated item's document."""
    rng = np.random.default_rng([seed, documents])
    often, wrong = (expit(rng.normal(mean, 1.0, documents)) for mean in (-1, -2))
    document = np.repeat(np.arange(documents), each)
    truth = rng.random(len(document)) < often[document]
    judge = np.where(rng.random(len(document)) < wrong[document], ~truth, truth).astype(float)
    first = np.flatnonzero(document < rated)
    says = rng.random((len(first), 3)) < np.where(truth[first], 0.9, 0.1)[:, None]
    return says.mean(axis=1), first, judge, document[first]


def test_rogan_gladen_counts_documents_coverage():
    """Twenty documents of twenty items: over items it held 88 of 100, over documents 98."""
    points, weights = np.polynomial.hermite_e.hermegauss(60)
    rate = 0.1 + 0.8 * float(weights @ expit(points - 1) / weights.sum())
    hits, wider = 0, []
    for seed in range(100):
        y, rated, judge, document = in_documents(seed)
        found = rogan_gladen(y, rated, judge, cluster=document)
        alone = rogan_gladen(y, rated, judge)
        assert found.value == alone.value
        hits += found.low <= rate <= found.high
        wider.append((found.high - found.low) / (alone.high - alone.low))
    assert hits >= 92
    assert 1.1 < np.mean(wider) < 2


def test_the_slope_is_learned_on_other_items():
    """A guess of pure noise must not look as if it explained anything."""
    gains = []
    for seed in range(200):
        rng = np.random.default_rng([seed, 23])
        found = powered_mean(
            rng.normal(size=30), rng.normal(size=3000), np.arange(30), rare=False, seed=seed
        )
        gains.append(found.ratio)
    assert np.mean(gains) > 0.97
