"""Joining where ratings are counted gives the same groups as joining item by item."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount import Predictions, Ratings
from headcount.data import Judged, judge, judge_grouped
from headcount.errors import InputError

ITEMS = [f"i{i}" for i in range(12)]

answers = st.lists(
    st.tuples(
        st.sampled_from(ITEMS),
        st.sampled_from(["r0", "r1", "r2", "r3"]),
        st.sampled_from(["no", "yes"]),
    ),
    min_size=1,
    max_size=60,
)
hard = st.sampled_from(["no", "yes", "perhaps", None])
chance = st.sampled_from([0.0, 0.25, 0.7, None])
said = st.dictionaries(st.sampled_from([*ITEMS, "z"]), st.tuples(hard, hard, chance), min_size=1)

LAYOUTS: dict[str, Callable[[pa.Table], Ratings]] = {
    "rows": Ratings.from_frame,
    "lazy": lambda table: Ratings.from_frame(pl.from_arrow(table).lazy()),
    "counts": lambda table: _from_counts(Ratings.from_frame(table)),
}


def _from_counts(ratings: Ratings) -> Ratings:
    counted = ratings.item_counts()
    columns = {name: counted.counts[:, j] for j, name in enumerate(ratings.labels.names)}
    return Ratings.from_counts(pa.table({"item": pa.array(counted.items), **columns}))


def _same(found: Judged, expected: Judged) -> None:
    assert found.notes == expected.notes
    np.testing.assert_array_equal(found.counts, expected.counts)
    np.testing.assert_array_equal(found.size, expected.size)
    assert found.items is None
    for one, other in zip(found.classifiers, expected.classifiers, strict=True):
        np.testing.assert_array_equal(one.outputs(), other.outputs())
        assert (one.name, one.answered, one.out_of, one.unknown, one.unknown_example) == (
            other.name,
            other.answered,
            other.out_of,
            other.unknown,
            other.unknown_example,
        )


def _outcome(join: Callable[..., Judged], *args: Any, **options: Any) -> Judged | str:
    try:
        return join(*args, **options)
    except InputError as error:
        return str(error)


@settings(deadline=None, max_examples=60)
@given(
    answers,
    said,
    st.sampled_from(sorted(LAYOUTS)),
    st.sampled_from([["a"], ["a", "b"], ["a", "b", "p"]]),
    st.sampled_from(["error", "wrong", "drop"]),
)
def test_the_same_groups_notes_and_errors_as_item_by_item(
    rows: list[tuple[str, str, str]],
    predicted: dict[str, tuple[str | None, str | None, float | None]],
    layout: str,
    names: list[str],
    unknown: str,
) -> None:
    item, rater, label = zip(*rows, strict=True)
    ratings = LAYOUTS[layout](pa.table({"item": item, "rater": rater, "label": label}))
    first, second, chances = zip(*predicted.values(), strict=True)
    texts = {"a": pa.array(first, pa.string()), "b": pa.array(second, pa.string())}
    numbers = {"p": pa.array(chances, pa.float64())}
    frame = pa.table({"item": list(predicted), **texts, **numbers})
    predictions = Predictions.from_frame(frame, classifiers=names)
    expected = _outcome(judge, ratings, predictions, unknown=unknown)
    found = _outcome(judge_grouped, ratings, predictions, unknown=unknown)
    if isinstance(expected, str) or isinstance(found, str):
        assert found == expected
    else:
        _same(found, expected.grouped())


def test_more_combinations_of_answers_than_can_be_counted_in_an_array() -> None:
    rng = np.random.default_rng(0)
    ids = [f"i{i}" for i in range(300)]
    ratings = Ratings.from_counts(
        pa.table({"item": ids, "no": [1] * 300, "yes": rng.integers(0, 3, 300)})
    )
    columns = {f"m{k}": rng.choice(["no", "yes"], 300) for k in range(40)}
    predictions = Predictions.from_frame(pa.table({"item": ids, **columns}))
    _same(judge_grouped(ratings, predictions), judge(ratings, predictions).grouped())


@pytest.mark.parametrize("data", ["wikipedia-attacks", "pandalm-judges", "sleep-stages"])
def test_real_data_meet_the_same_way_both_ways(data: str, shared_data: Any) -> None:
    folder = shared_data(data)
    ratings = Ratings.read(next(iter(sorted([*folder.glob("ratings*"), *folder.glob("counts*")]))))
    predictions = Predictions.read(next(iter(sorted(folder.glob("predictions*")))))
    found = judge_grouped(ratings, predictions, unknown="wrong")
    _same(found, judge(ratings, predictions, unknown="wrong").grouped())


@pytest.mark.parametrize("answers", ["few", "many"])
def test_answers_that_stay_in_a_file_are_met_as_those_in_memory(
    answers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few different ones are carried through the join as numbers, blank ones too."""
    rng = np.random.default_rng(4)
    items = [f"i{j}" for j in range(400)]
    people = {
        "item": np.repeat(items, 3),
        "rater": [f"r{j}" for j in range(3)] * 400,
        "label": rng.choice(["no", "yes"], 1200),
    }
    tmp_path = tmp_path / "half $price"
    tmp_path.mkdir()
    pq.write_table(pa.table(people), tmp_path / "ratings.parquet")
    label = rng.choice(np.array(["no", "yes", None], dtype=object), 380)
    steps = 3 if answers == "few" else 300
    said = {"item": [*items[30:], *(f"more{j}" for j in range(10))]}
    said |= {"label": pa.array(label, pa.string()), "chance": rng.integers(0, steps, 380) / steps}
    pq.write_table(pa.table(said), tmp_path / "answers.parquet")

    def met() -> tuple[np.ndarray, ...]:
        ratings = Ratings.read(tmp_path / "ratings.parquet")
        judged = judge_grouped(ratings, Predictions.read(tmp_path / "answers.parquet"))
        outputs = [each.outputs() for each in judged.classifiers]
        return judged.counts, judged.size, *outputs

    held = met()
    monkeypatch.setattr("headcount.counting.size.LARGE_FILE", -1)
    for there, here in zip(met(), held, strict=True):
        np.testing.assert_array_equal(there, here)


@pytest.mark.parametrize("odd", [None, float("nan")])
@pytest.mark.parametrize("way", ["frame", "file", "lazy"])
def test_probabilities_are_cut_alike_however_they_come(
    way: str, odd: float | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By how many different answers there are, not by which rows come first or where they lie."""
    monkeypatch.setattr("headcount.counting.size.MOST_KINDS", 60)
    rng = np.random.default_rng(2)
    chance = np.concatenate([np.full(300, 0.5), rng.integers(0, 10_000, 100) / 10_000])
    said = pa.array([*chance[:-1], odd])
    whole = [float(each) for each in chance > 0.5]
    machines = pa.table({"item": np.arange(400), "soft": said, "whole": whole})
    people = Ratings.from_frame(
        pa.table({"item": np.arange(400), "label": np.where(chance > 0.5, "yes", "no")})
    )
    expected = judge(people, Predictions.from_frame(machines))
    assert any("read to 2 digits" in note for note in expected.notes)
    monkeypatch.setattr("headcount.counting.size.LARGE", -1)
    monkeypatch.setattr("headcount.counting.size.LARGE_FILE", -1)
    if way == "file":
        pq.write_table(machines, tmp_path / "answers.parquet")
        predictions = Predictions.read(tmp_path / "answers.parquet")
    else:
        frame = pl.from_arrow(machines).lazy() if way == "lazy" else machines
        predictions = Predictions.from_frame(frame)
    assert (predictions.afar is None) == (way == "frame")
    ours, theirs = judge_grouped(people, predictions), expected.grouped()
    for one, other in zip(ours.classifiers, theirs.classifiers, strict=True):
        np.testing.assert_array_equal(one.outputs(), other.outputs())
    np.testing.assert_array_equal(ours.size, theirs.size)
