"""Real data whose far end is known from more ratings than the fit is shown."""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc

ALL_RATINGS = 3.41
"""What jigsaw is worth on all ratings of the Wikipedia comments, by abc and by fitted."""


@pytest.mark.parametrize("ratings_an_item", [2, 3, 4])
def test_thinned_wikipedia_finds_the_worth_of_all_ratings(shared_data, ratings_an_item):
    folder = shared_data("wikipedia-attacks")
    whole = hc.Ratings.read(folder / "counts.csv.gz")
    rng, every = np.random.default_rng(0), whole.item_counts()
    thin = np.array([rng.multivariate_hypergeometric(row, ratings_an_item) for row in every.counts])
    labels = list(whole.labels.names)
    table = pa.table(
        {"item": [str(item) for item in every.items]}
        | {label: thin[:, place] for place, label in enumerate(labels)}
    )
    found = hc.survey_equivalence(
        hc.Ratings.from_counts(table, item="item", labels=labels),
        hc.Predictions.read(folder / "predictions.csv.gz"),
    )
    worth = found["jigsaw"].worth
    assert found.curve.most == ratings_an_item - 1
    assert worth.modelled
    assert worth.low <= ALL_RATINGS <= worth.high
    assert worth.value == pytest.approx(ALL_RATINGS, abs=0.35)
    assert "modelled: beyond the" in found.verdict()


@pytest.mark.prove
def test_cifar_rises_to_the_end(shared_data):
    ratings = hc.Ratings.read(shared_data("cifar10h") / "counts.csv")
    curve = hc.power_curve(ratings, combiner="fitted", max_raters=47)
    assert not curve.not_monotone()
    assert curve.values[46] >= -0.305
    assert curve.ideal.low <= curve.ideal.value <= curve.ideal.high
