"""Real data whose far end is known from more ratings than the fit is shown."""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc

ALL_RATINGS = 3.41
"""What jigsaw is worth on all ratings of the Wikipedia comments, by abc and by fitted."""


def thinned_worth(folder, ratings_an_item, seed, **options):
    """The worth on so many random ratings of each item."""
    whole = hc.Ratings.read(folder / "counts.csv.gz")
    rng, every = np.random.default_rng(seed), whole.item_counts()
    thin = np.array([rng.multivariate_hypergeometric(row, ratings_an_item) for row in every.counts])
    labels = list(whole.labels.names)
    table = pa.table(
        {"item": [str(item) for item in every.items]}
        | {label: thin[:, place] for place, label in enumerate(labels)}
    )
    return hc.survey_equivalence(
        hc.Ratings.from_counts(table, item="item", labels=labels),
        hc.Predictions.read(folder / "predictions.csv.gz"),
        **options,
    )


@pytest.mark.parametrize("ratings_an_item", [2, 3, 4])
def test_thinned_wikipedia_finds_the_worth_of_all_ratings(shared_data, ratings_an_item):
    found = thinned_worth(shared_data("wikipedia-attacks"), ratings_an_item, seed=0)
    worth = found["jigsaw"].worth
    assert found.curve.most == ratings_an_item - 1
    assert worth.modelled
    assert worth.low <= ALL_RATINGS <= worth.high
    assert worth.value == pytest.approx(ALL_RATINGS, abs=0.35)
    assert "modelled past the" in found.verdict()


@pytest.mark.prove
@pytest.mark.parametrize(("ratings_an_item", "near"), [(2, 9), (3, 9), (4, 9)])
def test_thinned_wikipedia_in_ten_thinnings(shared_data, ratings_an_item, near):
    """With two ratings the third moment is seen only through what the classifier tells apart."""
    folder = shared_data("wikipedia-attacks")
    worths = [
        thinned_worth(folder, ratings_an_item, seed, n_bootstrap=200)["jigsaw"].worth
        for seed in range(10)
    ]
    values = np.array([each.value for each in worths])
    close = int((np.abs(values - ALL_RATINGS) <= 0.35).sum())
    held = sum(
        each.low <= ALL_RATINGS and (each.high is None or each.high >= ALL_RATINGS)
        for each in worths
    )
    print(f"\n{ratings_an_item} ratings: {values.round(2)}, near in {close}, held in {held} of 10")
    assert held >= 9
    assert close >= near


@pytest.mark.prove
def test_cifar_rises_to_the_end(shared_data):
    ratings = hc.Ratings.read(shared_data("cifar10h") / "counts.csv")
    curve = hc.power_curve(ratings, combiner="fitted", max_raters=47)
    assert not curve.not_monotone()
    assert curve.values[46] >= -0.305
    assert curve.ideal.low <= curve.ideal.value <= curve.ideal.high
