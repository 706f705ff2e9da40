"""Scores by level of disagreement and by group of raters; weights; drawn test sets."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headcount.data import Predictions, Ratings
from headcount.deconvolution import deconvolve
from headcount.deconvolution.slips import primary_shares
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.simulate import make


def grouped(weights: bool = False) -> Ratings:
    """Item a: three of A say x, one of B says y; b: one of each, both y; c: A alone, x."""
    rows = [
        ("a", "1", "x", "A", 1.0),
        ("a", "2", "x", "A", 1.0),
        ("a", "3", "x", "A", 2.0),
        ("a", "4", "y", "B", 4.0),
        ("b", "1", "y", "A", 1.0),
        ("b", "4", "y", "B", 0.0),
        ("c", "2", "x", "A", 1.0),
    ]
    names = ("item", "rater", "label", "group", "weight")
    frame = pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])
    extra = {"weight": "weight"} if weights else {}
    return Ratings.from_frame(frame, group="group", **extra)


MODEL = Predictions.from_frame(pa.table({"item": ["a", "b", "c"], "model": ["x", "x", "x"]}))


def test_each_group_is_scored_on_the_items_it_rated():
    labels = deconvolve(grouped(), flip_rate=0.0, n_bootstrap=20)
    parts = {part.name: part for part in labels.by_group(MODEL).parts}
    assert {name: part.items for name, part in parts.items()} == {"A": 3, "B": 2, "everyone": 3}
    found = {
        (name, score.name): score.raw.value for name, part in parts.items() for score in part.scores
    }
    assert found["A", "model"] == pytest.approx(2 / 3)
    assert found["B", "model"] == pytest.approx(0)
    assert found["everyone", "model"] == pytest.approx((0.75 + 0 + 1) / 3)
    assert found["B", "most raters' answer"] == pytest.approx(1)
    assert found["B", "everyone's majority"] == pytest.approx(0.5)


def test_groups_can_be_weighed_as_they_are_in_the_population():
    even = deconvolve(grouped(), flip_rate=0.0, group_weights={"A": 1, "B": 1}, n_bootstrap=0)
    np.testing.assert_allclose(even.shares, [[0.5, 0.5], [0, 1], [1, 0]])
    assert "A 50 %, B 50 %; 1 item lacks ratings from some group" in even.summary()
    mostly = deconvolve(grouped(), flip_rate=0.0, group_weights={"A": 1, "B": 3}, n_bootstrap=0)
    np.testing.assert_allclose(mostly.shares[0], [0.25, 0.75])


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        ({"A": 1}, "lacks 'B'"),
        ({"A": 1, "B": 1, "C": 1}, "has 'C'"),
        ({"A": -1, "B": 1}, "at least 0"),
        ({"A": 0, "B": 0}, "not all 0"),
    ],
)
def test_group_weights_that_cannot_be_are_refused_in_a_sentence(weights, sentence):
    with pytest.raises(OptionError, match=sentence):
        deconvolve(grouped(), flip_rate=0.1, group_weights=weights)


def test_answers_count_by_their_weights():
    labels = deconvolve(grouped(weights=True), flip_rate=0.0, n_bootstrap=0)
    np.testing.assert_allclose(labels.shares, [[0.5, 0.5], [0, 1], [1, 0]])
    assert "weights in the column 'weight'" in labels.summary()


def test_items_without_weight_are_left_out_and_counted():
    frame = pa.table(
        {"item": ["a", "b"], "rater": ["1", "1"], "label": ["x", "y"], "w": [1.0, 0.0]}
    )
    labels = deconvolve(Ratings.from_frame(frame, weight="w"), flip_rate=0.0, n_bootstrap=0)
    assert labels.items.tolist() == ["a"]
    assert labels.items_dropped == 1
    assert "1 item has no weight" in labels.summary()
    nothing = pa.table({"item": ["a"], "rater": ["1"], "label": ["x"], "w": [0.0]})
    with pytest.raises(UnanswerableError, match="No answer has any weight"):
        deconvolve(Ratings.from_frame(nothing, weight="w"), flip_rate=0.0)


def test_without_a_group_column_groups_are_refused():
    ratings = Ratings.from_counts([[1, 2]], labels=["x", "y"])
    with pytest.raises(UnanswerableError, match="no column of groups"):
        deconvolve(ratings, flip_rate=0.1).by_group()


def test_two_groups_that_see_things_differently_show_it():
    data = make("divided", items=300, seed=2)
    ratings = Ratings.from_frame(pa.table(data.rating_columns), group="group")
    split = deconvolve(ratings, flip_rate=0.03, n_bootstrap=60).by_group(data.predictions)
    model = {
        part.name: score.adjusted
        for part in split.parts
        for score in part.scores
        if score.name == "majority_model"
    }
    assert model["majority"].low > model["minority"].high
    assert "_model: adjusted accuracy is" in split.verdict()
    json.dumps(split.to_dict(), allow_nan=False)
    assert len(split.to_frame("pandas")) == 2 * 4 + 3


@pytest.fixture(scope="module")
def comments():
    return make("comments", items=400, seed=1)


def test_levels_partition_the_items(comments):
    labels = deconvolve(comments.ratings, flip_rate=0.04, method="paper", n_bootstrap=0)
    split = labels.by_level(comments.predictions, levels=(0, 0.1, 0.3))
    *parts, whole = split.parts
    assert sum(part.items for part in parts) == whole.items == 400
    for which in range(len(whole.scores)):
        together = sum(part.items * part.scores[which].adjusted.value for part in parts) / 400
        assert together == pytest.approx(whole.scores[which].adjusted.value)


def test_levels_are_scored_by_hand(comments):
    labels = deconvolve(comments.ratings, flip_rate=0.04, method="paper", n_bootstrap=0)
    split = labels.by_level(comments.predictions.select(["llm_judge"]))
    level = 1 - labels.shares.max(axis=1)
    edges = {"everyone agrees": level <= 0, "up to 20 % disagree": (level > 0) & (level <= 0.2)}
    code = {name: position for position, name in enumerate(labels.labels.names)}
    judge = comments.prediction_columns
    answers = dict(zip(judge["item"], judge["llm_judge"], strict=True))
    held = primary_shares(labels.shares, np.full(400, 0.04))
    agreed = np.array([held[i, code[answers[item]]] for i, item in enumerate(labels.items)])
    for part in split.parts[:2]:
        mask = edges[part.name]
        assert part.items == mask.sum()
        assert part.scores[0].adjusted.value == pytest.approx(agreed[mask].mean())


def test_the_oracle_is_lower_on_contested_items(comments):
    for method in ("unbiased", "paper"):
        labels = deconvolve(comments.ratings, flip_rate=0.04, method=method, n_bootstrap=30)
        split = labels.by_level()
        oracles = [part.scores[-1].adjusted.value for part in split.parts[:-1]]
        assert oracles == sorted(oracles, reverse=True)
        assert split.parts[0].name == "everyone agrees"
    assert oracles[0] == pytest.approx(1)  # by the paper's method
    assert split.parts[0].low == split.parts[0].high == 0


@pytest.mark.parametrize("levels", [(), (0.3, 0.1), (-0.1,), (0.5, 1.0)])
def test_levels_that_cannot_be_are_refused_in_a_sentence(levels, comments):
    with pytest.raises(OptionError, match="levels are shares"):
        deconvolve(comments.ratings, flip_rate=0.1, n_bootstrap=0).by_level(levels=levels)


def test_a_drawn_test_set_repeats_by_seed_and_follows_the_primary_labels(tmp_path, comments):
    labels = deconvolve(comments.ratings, flip_rate=0.04, method="paper", n_bootstrap=0)
    drawn = labels.draw(200, seed=5)
    assert drawn.columns() == labels.draw(200, seed=5).columns()
    assert drawn.columns() != labels.draw(200, seed=6).columns()
    toxic = (drawn.label.reshape(400, 200) == "toxic").mean(axis=1)
    error = np.abs(toxic - labels.primary[:, 1])
    assert (error <= 4.5 * np.sqrt(0.25 / 200)).all()
    assert error.mean() < 0.02
    written = labels.draw(3).write(tmp_path / "test.csv").read_text().splitlines()
    assert written[0].replace('"', "") == "item,draw,label"
    assert len(written) == 1 + 3 * 400
    table = pq.read_table(labels.draw(2).write(tmp_path / "test.parquet"))
    assert table.column_names == ["item", "draw", "label"]


def test_a_drawn_test_set_that_cannot_be_is_refused_in_a_sentence(tmp_path, comments):
    labels = deconvolve(comments.ratings, flip_rate=0.04, n_bootstrap=0)
    with pytest.raises(OptionError, match="labels_per_item is"):
        labels.draw(0)
    with pytest.raises(OptionError, match=r"must end in \.csv, \.parquet"):
        labels.draw(1).write(tmp_path / "test.xlsx")
    with pytest.raises(InputError, match="cannot be written"):
        labels.draw(1).write(tmp_path / "nowhere" / "test.csv")
