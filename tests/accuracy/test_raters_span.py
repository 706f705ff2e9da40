"""How often raters are right: a span, for items are not equally hard."""

import numpy as np
import pytest
from scipy.stats import binom, norm

from headcount.accuracy.rating_models import ratings_alone
from headcount.accuracy.span import raters_span

# Items, ratings of each, share of the second label, chance of being right by label, and how much
# items differ in difficulty (probit): nothing of the kind is in the models.
WORLDS = {
    "500 × 3, even": (500, 3, 0.4, (0.85, 0.85), 0.0),
    "500 × 3, uneven": (500, 3, 0.4, (0.85, 0.85), 1.0),
    "1,000 × 5, uneven": (1000, 5, 0.3, (0.85, 0.8), 1.0),
    "1,000 × 5, very uneven": (1000, 5, 0.4, (0.9, 0.75), 1.5),
    "2,000 × 10, uneven": (2000, 10, 0.3, (0.9, 0.75), 1.0),
}


def world(name, seed):
    """Patterns of ratings, how many items have each, and how often a rating is right."""
    n, k, share, right, spread = WORLDS[name]
    rng = np.random.default_rng([seed, 41])
    truth = (rng.random(n) < share).astype(int)
    at_item = norm.ppf(np.array(right)[truth]) * np.sqrt(1 + spread**2)
    chance = norm.cdf(at_item + spread * rng.normal(size=n))
    said = np.where(rng.random((n, k)) < chance[:, None], truth[:, None], 1 - truth[:, None])
    counts = np.stack([(said == 0).sum(axis=1), (said == 1).sum(axis=1)], axis=1)
    patterns, size = np.unique(counts, axis=0, return_counts=True)
    return patterns, size.astype(float), (1 - share) * right[0] + share * right[1]


def held(name, seed):
    """Whether the span holds the truth at its x and at zero, and its width at zero."""
    patterns, size, truth = world(name, seed)
    found = ratings_alone(patterns, size)
    span = raters_span([(found.low, found.high)], 0.05)
    inside = span.low_at_zero <= truth <= span.high_at_zero
    return span.low <= truth <= span.high, inside, span.high_at_zero - span.low_at_zero


@pytest.mark.parametrize("name", WORLDS)
def test_the_raters_span_holds_their_accuracy_coverage(name):
    hits = sum(held(name, seed)[0] for seed in range(8))
    assert binom.cdf(hits, 8, 0.93) > 0.001


@pytest.mark.prove
@pytest.mark.parametrize("name", WORLDS)
def test_the_raters_span_holds_their_accuracy_full_coverage(name):
    found = np.array([held(name, seed) for seed in range(200)], dtype=float).mean(axis=0)
    print(f"{name}: held {found[0]:.3f}, at x = 0 {found[1]:.3f}, width there {found[2]:.3f}")
    assert found[0] >= 0.93


def test_words_when_nothing_can_be_told():
    assert raters_span([(0.3, 0.9)], 0.05).tipping_point is None
    assert "cannot tell" in raters_span([(0.3, 0.9)], 0.05).sentence()
    told = raters_span([(0.893, 0.93), (0.89, 0.95)], 0.05)
    assert told.sentence() == (
        "The raters are right on at least 80 % of items, unless they are wrong together on more "
        "than 9 % of them"
    )
