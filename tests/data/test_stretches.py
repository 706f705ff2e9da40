"""Ratings that stand together item by item, read in their order, against plain Python."""

from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import headcount as hc
from headcount.data import counting, stretches
from headcount.data.stretches import stand_together, stretches_in
from headcount.door import scans, source
from headcount.errors import InputError

Row = tuple[str, str, str]

pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), max_size=60)


@settings(deadline=None, max_examples=300)
@given(pairs, st.lists(st.integers(0, 60), max_size=6), st.booleans())
def test_stretches_and_who_answered_twice_in_one_against_brute_force(
    rows: list[tuple[int, int]], cuts: list[int], sorts: bool
) -> None:
    item = np.array([item for item, _ in rows], dtype=np.uint64)
    pair = np.array([100 * item + rater for item, rater in rows], dtype=np.uint64)
    edges = sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})
    pieces = [(item[a:b], pair[a:b]) for a, b in pairwise(edges)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stretches, "_COMPARED", 1 if sorts else 100)
        found = stretches_in(pieces)
    runs = [(key, [rater for _, rater in run]) for key, run in groupby(rows, lambda row: row[0])]
    assert found is not None
    assert (found.n, found.rows) == (len(runs), len(rows))
    certain = {key for key, raters in runs if len(set(raters)) < len(raters)}
    assert certain <= set(found.twice.tolist())
    if all(len(raters) == 1 for _, raters in runs):
        assert not len(found.twice)


def test_a_stretch_that_is_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stretches, "_LONGEST", 5)
    long, short = np.ones(6, dtype=np.uint64), np.ones(5, dtype=np.uint64)
    other = np.arange(6, dtype=np.uint64)
    assert stretches_in([(long[:3], other[:3]), (long[3:], other[3:])]) is None
    assert stretches_in([(short, other[:5])]) is not None


def test_single_ratings_and_rows_in_any_order_are_not_taken_to_stand_together() -> None:
    assert not stand_together([f"i{i}" for i in range(100)])
    assert not stand_together([f"i{i % 10}" for i in range(100)])
    assert stand_together([f"i{i // 10}" for i in range(100)])


def _usual(items: int = 300, raters: int = 5) -> list[Row]:
    return [
        (f"i{i}", f"r{(i + 7 * r) % 90}", ("no", "yes")[(i * r) % 3 == 0])
        for i in range(items)
        for r in range(raters)
    ]


def _written(rows: list[Row], path: Path) -> Path:
    item, rater, label = zip(*rows, strict=True)
    table = pa.table({"item": item, "rater": pa.array(rater, pa.string()), "label": label})
    pq.write_table(table, path, row_group_size=128)
    return path


def _large(path: Path, monkeypatch: pytest.MonkeyPatch) -> hc.Ratings:
    for size in ("HELD_AT_ONCE", "KEPT_FROM", "HELD_AT_ALL"):
        monkeypatch.setattr(counting, size, -1)
    monkeypatch.setattr(source, "GLANCE", 500)
    return hc.Ratings.read(path)


def _twice(rows: list[Row]) -> list[Row]:
    return [*rows[:701], (*rows[700][:2], "maybe"), *rows[701:]]


def _twice_far_apart(rows: list[Row]) -> list[Row]:
    return [*rows, (*rows[3][:2], "maybe")]


def _copied(rows: list[Row]) -> list[Row]:
    return [*rows[:502], rows[500], *rows[502:]]


def _in_turns(rows: list[Row]) -> list[Row]:
    return [row for r in range(5) for row in rows[r::5]]


def _with_spaces(rows: list[Row]) -> list[Row]:
    item, rater, _ = rows[900]
    return [*rows[:901], (item, f" {rater}", "maybe"), *rows[901:]]


@pytest.mark.parametrize(
    "change", [list, _twice, _twice_far_apart, _copied, _in_turns, _with_spaces]
)
def test_a_large_file_says_what_the_same_rows_in_memory_say(
    change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = _written(change(_usual()), tmp_path / "ratings.parquet")
    held = hc.Ratings.read(path)
    large = _large(path, monkeypatch)
    assert (large.n_retests, large.n_copies) == (held.n_retests, held.n_copies)
    assert (large.n_items, large.n_raters) == (held.n_items, held.n_raters)
    assert large.labels.names == held.labels.names
    assert list(large.item_counts().items) == list(held.item_counts().items)
    assert large.item_counts().counts.tolist() == held.item_counts().counts.tolist()


def test_rows_in_order_of_their_items_are_read_twice_and_no_rater_is_coded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    plain = counting.SqlCounting._counted

    def noted(self, meaning, *, first, rows=None):
        asked.append(rows is None)
        return plain(self, meaning, first=first, rows=rows)

    monkeypatch.setattr(counting.SqlCounting, "_counted", noted)
    path = _written(_usual(), tmp_path / "ratings.parquet")
    scans.clear()
    _large(path, monkeypatch)
    assert (asked, scans[str(path)]) == ([False], 2)
    asked.clear()
    _large(_written(_in_turns(_usual()), path), monkeypatch)
    assert asked == [True]
    asked.clear()
    _large(_written(_twice_far_apart(_usual()), path), monkeypatch)
    assert asked[:2] == [False, True]


def _with_other_spaces(rows: list[Row]) -> list[Row]:
    item, rater, _ = rows[900]
    return [*rows[:901], (item, f"\u00a0{rater}", "maybe"), *rows[901:]]


def _like_floats(rows: list[Row]) -> list[Row]:
    """Names after the rows by which a column is understood."""
    found = [(f"{item[1:]}.0", rater, label) for item, rater, label in rows]
    return [*found[:-5], *(("abc", *row[1:]) for row in found[-5:])]


@pytest.mark.parametrize("change", [_with_other_spaces, _like_floats])
def test_odd_texts_are_what_they_are_in_memory(
    change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "LOOK", 200)
    path = _written(change(_usual()), tmp_path / "ratings.parquet")
    held = hc.Ratings.read(path)
    large = _large(path, monkeypatch)
    assert (large.n_items, large.n_retests) == (held.n_items, held.n_retests)
    assert large.n_raters == held.n_raters
    assert list(large.item_counts().items) == list(held.item_counts().items)


@pytest.mark.parametrize(
    ("byte", "said"), [(b"\xff", "bytes that are not text in UTF-8"), (b"", "damaged Parquet file")]
)
def test_a_damaged_file_is_told_in_a_sentence(
    byte: bytes, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ratings.parquet"
    item, rater, label = zip(*_usual(), strict=True)
    table = pa.table({"item": item, "rater": rater, "label": label})
    plain = {"use_dictionary": False, "write_statistics": False, "row_group_size": 128}
    pq.write_table(table, path, compression="none" if byte else "snappy", **plain)
    column = pq.read_metadata(path).row_group(9).column(1)
    start, size = column.data_page_offset, column.total_compressed_size
    bytes_ = bytearray(path.read_bytes())
    if byte:
        bytes_[bytes_.rfind(b"r", start, start + size)] = byte[0]
    else:
        bytes_[start + 30 : start + size - 5] = b"\xff" * (size - 35)
    path.write_bytes(bytes_)
    with pytest.raises(InputError, match=said):
        _large(path, monkeypatch)


@pytest.mark.parametrize("name", ["", None])
def test_a_blank_rater_in_a_large_file_is_told(
    name: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = _usual()
    rows[700] = (rows[700][0], name, "yes")  # type: ignore[assignment]
    path = _written(rows, tmp_path / "ratings.parquet")
    with pytest.raises(InputError, match="row 701: the rater"):
        _large(path, monkeypatch)


@pytest.mark.parametrize("name", ["", None])
def test_a_blank_item_in_a_large_file_is_told(
    name: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = _usual()
    rows[700] = (name, *rows[700][1:])  # type: ignore[assignment]
    path = _written(rows, tmp_path / "ratings.parquet")
    with pytest.raises(InputError, match="row 701: the item"):
        _large(path, monkeypatch)
