"""A part of the standing attack, and the same table in every container and under every name."""

import random
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.door.attack import NASTY, as_if_large, attack
from tests.door.containers import FILES, FRAMES, Columns, facts

from headcount import Predictions, Ratings
from headcount.errors import HeadcountError


@pytest.mark.parametrize("part", range(4))
def test_a_part_of_the_attack(part: int, tmp_path: Path) -> None:
    for seed in range(60 * part, 60 * part + 60):
        attack(seed, tmp_path)


IDS: tuple[st.SearchStrategy[Any], ...] = (
    st.integers(0, 5),
    st.integers(2**53, 2**53 + 3),
    st.sampled_from([1.0, 2.0, 3.0]),
    st.sampled_from(["a", "b ", " c", "1", "01", "1_0", "x,y", 'q"', "é", "１", "9" * 21]),
)
LABELS: tuple[st.SearchStrategy[Any], ...] = (
    st.sampled_from(["yes", "no", "maybe"]),
    st.integers(1, 3),
    st.sampled_from([1.0, 2.0, 2.5]),
    st.booleans(),
    st.sampled_from(["us", "US", "c0", "item"]),
    st.sampled_from(["yes", "no", None]),
)


@st.composite
def tables(draw: st.DrawFn) -> Columns:
    """A row an answer, each column of one type."""
    n = draw(st.integers(1, 12))
    item, rater, label = (draw(st.sampled_from(kinds)) for kinds in (IDS, IDS, LABELS))
    columns = {
        "item": draw(st.lists(item, min_size=n, max_size=n)),
        "rater": draw(st.lists(rater, min_size=n, max_size=n)),
        "label": draw(st.lists(label, min_size=n, max_size=n)),
    }
    if draw(st.booleans()):
        columns["occasion"] = draw(st.lists(st.integers(1, 20), min_size=n, max_size=n))
    return columns


def _read(make: Callable[[], Ratings]) -> Any:
    try:
        return facts(make())
    except HeadcountError as error:
        return type(error).__name__


@settings(deadline=None, max_examples=12)
@given(tables())
def test_every_container_gives_the_same_ratings(
    tmp_path_factory: pytest.TempPathFactory, columns: Columns
) -> None:
    options = {"item": "item", "rater": "rater", "label": "label", "unrated": "drop"}
    expected = _read(lambda: Ratings.from_frame(pa.table(columns), **options))
    for name, frame in FRAMES.items():
        assert _read(lambda f=frame: Ratings.from_frame(f(columns), **options)) == expected, name
    folder = tmp_path_factory.mktemp("containers")
    for suffix, write in FILES.items():
        path = folder / f"t{suffix}"
        path.write_bytes(write(columns))
        assert _read(lambda p=path: Ratings.read(p, **options)) == expected, suffix


names = st.one_of(
    st.sampled_from([name for name in NASTY if name.strip() and "\0" not in name]),
    st.text(st.sampled_from(string.ascii_letters + "'\"`;:.$ {}[]()%é"), min_size=1, max_size=8),
).filter(lambda name: bool(name.strip()))


@settings(deadline=None, max_examples=12)
@given(st.lists(names, min_size=3, max_size=3, unique_by=str.strip), st.randoms())
def test_columns_of_any_name_hold_any_role(
    tmp_path_factory: pytest.TempPathFactory, called: list[str], rng: random.Random
) -> None:
    rows = [(i, r, rng.choice("xyz")) for i in range(3) for r in range(2)]
    item, rater, label = called
    plain = dict(zip(("item", "rater", "label"), map(list, zip(*rows, strict=True)), strict=True))
    table = dict(zip(called, plain.values(), strict=True))
    expected = facts(Ratings.from_frame(pa.table(plain)))
    roles = {"item": item, "rater": rater, "label": label}
    path = tmp_path_factory.mktemp("names") / "t.parquet"
    pq.write_table(pa.table(table), path)
    for frame in (pa.table(table), pl.DataFrame(table), pl.DataFrame(table).lazy()):
        assert facts(Ratings.from_frame(frame, **roles)) == expected
    assert facts(Ratings.read(path, **roles)) == expected
    wide = {item: [0, 1], rater: ["x", "y"], label: ["y", "y"]}
    found = Ratings.from_wide(pa.table(wide), item=item)
    assert found.answers().raters.tolist() == sorted([rater, label])
    predictions = Predictions.from_frame(pa.table(wide), item=item, classifiers=[rater, label])
    assert set(predictions.names) == {rater, label}


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".jsonl"])
def test_blanks_around_names_mean_the_same_in_files_of_any_size(
    ending: str, tmp_path: Path
) -> None:
    """`ann ` is `ann`, whether a file is held or counted where it lies."""
    columns: Columns = {
        "item": ["a", "a ", "b", " b"],
        "rater": ["ann", "ben ", "ann ", "ben"],
        "label": ["yes ", "no", "no ", "no"],
    }
    path = tmp_path / f"ratings{ending}"
    path.write_bytes(FILES[ending](columns))
    with as_if_large(False):
        small = Ratings.read(path)
        held = facts(small)
    with as_if_large(True):
        large = Ratings.read(path)
        counted = facts(large)
    assert counted == held
    assert large.notes == small.notes
    assert [row[:2] for row in held[-1]] == [("a", "ann"), ("a", "ben"), ("b", "ann"), ("b", "ben")]
