"""How much people differ and how good a classifier could be, on data and by theory."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import headcount as hc
from headcount.errors import OptionError, UnanswerableError


def drawn(p: np.ndarray, ratings: int, seed: int) -> hc.Ratings:
    """Ratings of items with these chances of the second label."""
    second = np.random.default_rng(seed).binomial(ratings, p)
    return hc.Ratings.from_counts(np.column_stack([ratings - second, second]), labels=["n", "y"])


def test_ceiling_and_ideal_of_beta_items_against_theory() -> None:
    p = np.random.default_rng(1).beta(2, 1, size=1000)
    found = hc.population(drawn(p, 10, 2))
    # E max(p, 1 − p) = 3/4 for a Beta(2, 1); E of the entropy is 2/3 · log2(e)/… by quadrature.
    grid = (np.arange(200_000) + 0.5) / 200_000
    weight = 2 * grid
    truth = np.mean(weight * (grid * np.log2(grid) + (1 - grid) * np.log2(1 - grid)))
    assert found.ceiling.value == pytest.approx(0.75, abs=0.02)
    assert found.ceiling.low < 0.75 < found.ceiling.high
    assert found.ideal.low < truth < found.ideal.high


def test_the_curve_rises_to_the_ideal_and_says_where_it_is_modelled() -> None:
    found = hc.population(drawn(np.random.default_rng(3).beta(1, 1, size=300), 5, 4))
    scores = [float(found.curve(k)) for k in (0, 1, 2, 5, 20, 200)]
    assert scores == sorted(scores)
    assert scores[-1] <= found.ideal.value + 1e-9
    assert found.curve(2).note is None
    assert "modelled: beyond the 5 ratings" in str(found.curve(9).note)
    with pytest.raises(OptionError, match="0, 1, 2"):
        found.curve(-1)


def test_names_stand_in_json_too() -> None:
    found = hc.population(drawn(np.full(50, 0.5), 3, 5))
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert {"ceiling", "ideal", "curve", "shares"} < set(told)
    assert told["curve"][0]["raters"] == 0
    assert set(told["ceiling"]) >= {"value", "low", "high"}


def test_coin_flips_have_a_ceiling_of_one_half_within_the_interval() -> None:
    found = hc.population(drawn(np.full(500, 0.5), 3, 6))
    assert found.ceiling.low == pytest.approx(0.5)


def test_one_rating_an_item_says_nothing() -> None:
    ratings = hc.Ratings.from_counts([[1, 0], [0, 1]], labels=["n", "y"])
    with pytest.raises(UnanswerableError, match="no item has two ratings"):
        hc.population(ratings)


def test_three_ratings_leave_the_ceiling_open_and_it_is_said() -> None:
    found = hc.population(drawn(np.random.default_rng(7).beta(1, 1, size=400), 2, 8))
    assert found.next_rating is not None
    now = found.next_rating.high - found.next_rating.low
    then = found.next_rating.high_with_one_more - found.next_rating.low_with_one_more
    assert 0 <= then < now
    assert any("one more rating an item" in sentence for sentence in found.unchecked())


def test_slips_set_aside_raise_the_ceiling() -> None:
    p = np.where(np.random.default_rng(9).random(800) < 0.5, 0.1, 0.9)
    ratings = drawn(p, 8, 10)
    assert hc.population(ratings, flip_rate=0.1).ceiling.value > 0.97
    assert hc.population(ratings).ceiling.value == pytest.approx(0.9, abs=0.02)


def test_more_labels_have_intervals_from_resamples(shared_data: Callable[[str], Path]) -> None:
    path = next(shared_data("word-sense").glob("ratings*"))
    found = hc.population(hc.Ratings.read(path), n_bootstrap=20)
    assert found.ceiling.low <= found.ceiling.value <= found.ceiling.high
    assert 0.9 < found.ceiling.value <= 1
    assert "mixture of Dirichlet" in " ".join(found.assumptions())


def test_it_can_be_drawn_and_read_at_another_confidence() -> None:
    found = hc.population(drawn(np.random.default_rng(3).beta(1, 1, size=200), 4, 4))
    assert found.chart().to_dict()
    wider = found.with_confidence(0.99).ceiling
    assert wider.low <= found.ceiling.low <= found.ceiling.high <= wider.high
    assert len(repr(found).splitlines()) <= 10
