"""Ratings that stand together item by item, read in their order, against plain Python."""

import subprocess
import sys
from collections import Counter
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import headcount as hc
from headcount.counting import SqlCounting, ordered_rows, size
from headcount.counting.ordered_rows import InOrder, stand_together, stretches_of
from headcount.door import coded, scans, source, text_column
from headcount.door.coded import Coded
from headcount.errors import InputError

Row = tuple[str, str, str]

rows_of_labels = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 6), st.sampled_from(["yes", "no", "?", None])),
    max_size=60,
)
CODES = {"no": 0, "yes": 1}


def _coded(values: list[str | None]) -> Coded:
    column = pa.array(values, pa.large_string()).dictionary_encode()
    return Coded(column.dictionary, np.array(column.indices.fill_null(-1), dtype=np.int32))


def _seen(rows: list[tuple[int, int, str | None]], cuts: list[int]) -> tuple[InOrder, pa.Table]:
    edges = sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})
    pieces = []
    for start, end in pairwise(edges):
        item, rater, label = zip(*rows[start:end], strict=True)
        named = [_coded([f"i{i}" for i in item]), _coded([f"r{r}" for r in rater])]
        pieces.append(stretches_of([*named, _coded(list(label))], codes=CODES, n_labels=2))
    seen = InOrder()
    tables = list(seen.tables(pieces))
    return seen, pa.concat_tables(tables) if tables else pa.table({})


@settings(deadline=None, max_examples=300)
@given(rows_of_labels, st.lists(st.integers(0, 60), max_size=6), st.booleans(), st.booleans())
def test_stretches_and_who_answered_twice_in_one_against_brute_force(
    rows: list[tuple[int, int, str | None]], cuts: list[int], together: bool, sorts: bool
) -> None:
    rows = sorted(rows, key=lambda row: row[0]) if together else rows
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordered_rows, "_COMPARED", 1 if sorts else 100)
        patch.setattr(ordered_rows, "_AT_ONCE", 2)
        seen, table = _seen(rows, cuts)
    runs = [(key, list(run)) for key, run in groupby(rows, lambda row: row[0])]
    assert not seen.failed
    assert (seen.n, seen.rows) == (len(runs), len(rows))
    expected = [
        (f"i{key}", *(sum(label == name for *_, label in run) for name in CODES))
        for key, run in runs
    ]
    assert [tuple(row.values()) for row in table.to_pylist()] == expected
    certain = {f"i{key}" for key, run in runs if len({r for _, r, _ in run}) < len(run)}
    possible = {f"i{i}" for i, r, _ in rows if sum(row[:2] == (i, r) for row in rows) > 1}
    assert certain <= seen.twice <= possible
    if together:
        assert seen.twice == possible
    if seen.distinct:
        assert len({key for key, _ in runs}) == len(runs)


@pytest.mark.parametrize(
    ("items", "rises"), [((9, 10, 11), True), ((10, 11, 9), True), ((10, 9, 11), False)]
)
def test_items_in_the_order_of_letters_or_of_numbers_are_known_to_differ(
    items: tuple[int, ...], rises: bool
) -> None:
    rows: list[tuple[int, int, str | None]] = [(i, r, "yes") for i in items for r in range(3)]
    assert {_seen(rows, cuts)[0].distinct for cuts in ([], [3], [3, 6], [1, 4, 7])} == {rises}


def test_a_stretch_that_is_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordered_rows, "_LONGEST", 5)
    rows: list[tuple[int, int, str | None]] = [(1, r, "yes") for r in range(9)]
    assert _seen(rows, [3, 6])[0].failed
    assert not _seen(rows[:5], [3])[0].failed


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
    for bound in ("HELD_AT_ONCE", "LARGE_FILE", "HELD_AT_ALL"):
        monkeypatch.setattr(size, bound, -1)
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


def _scattered(rows: list[Row]) -> list[Row]:
    """Items in no order, the rows of each together."""
    return [row for i in range(300) for row in rows[5 * (i * 7 % 300) :][:5]]


def _with_spaces(rows: list[Row]) -> list[Row]:
    item, rater, _ = rows[900]
    return [*rows[:901], (item, f" {rater}", "maybe"), *rows[901:]]


@pytest.mark.parametrize(
    "change", [list, _twice, _twice_far_apart, _copied, _in_turns, _with_spaces, _scattered]
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


@pytest.mark.parametrize(
    ("change", "anew"),
    [(list, 0), (_scattered, 0), (_twice, 0), (_in_turns, 1), (_twice_far_apart, 1)],
)
def test_rows_in_order_of_their_items_are_counted_as_they_are_read(
    change, anew: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    plain = SqlCounting._counted

    def noted(self, meaning, *, first):
        asked.append(first)
        return plain(self, meaning, first=first)

    monkeypatch.setattr(SqlCounting, "_counted", noted)
    rows = [(*row[:2], "yes" if row[2] == "maybe" else row[2]) for row in change(_usual())]
    path = _written(rows, tmp_path / "ratings.parquet")
    scans.clear()
    _large(path, monkeypatch)
    assert asked.count(False) == anew
    if change in (list, _scattered):
        assert scans[str(path)] == 1


@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize("piece", [7, 1 << 17])
def test_files_and_pieces_of_any_size_are_read_in_the_order_of_their_rows(
    dictionary: bool, piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row groups larger than a piece, items in two files, and texts that outgrow their list."""
    monkeypatch.setattr(coded, "_PIECE", piece)
    monkeypatch.setattr(coded, "_SHARE", 300)
    monkeypatch.setattr(SqlCounting, "_counted", None)
    rows = _usual()
    item, rater, label = zip(*rows, strict=True)
    table = pa.table({"item": item, "rater": rater, "label": label})
    (tmp_path / "all").mkdir()
    for name, part in (("a", table[:703]), ("b", table[703:])):
        pq.write_table(
            part,
            tmp_path / "all" / f"{name}.parquet",
            row_group_size=200,
            use_dictionary=dictionary,
            dictionary_pagesize_limit=300,
        )
    large = _large(tmp_path / "all", monkeypatch)
    known = large.item_counts()
    expected = Counter((i, said) for i, _, said in rows)
    assert large.labels.names == ("no", "yes")
    assert known.counts.tolist() == [[expected[i, "no"], expected[i, "yes"]] for i in known.items]
    assert large.n_items == 300


def _as_ints(table: pa.Table) -> pa.Table:
    code = pc.index_in(table["label"], value_set=pa.array(["no", "yes"]))
    item = pc.cast(pc.utf8_slice_codeunits(table["item"], 1), pa.int64())
    return pa.table({"item": item, "rater": table["rater"], "label": code})


def _as_categories(table: pa.Table) -> pa.Table:
    short = table["rater"].cast(pa.dictionary(pa.int16(), pa.string()))
    return table.set_column(1, "rater", short)


def _as_large(table: pa.Table) -> pa.Table:
    return table.cast(pa.schema([(name, pa.large_string()) for name in table.column_names]))


def _as_booleans(table: pa.Table) -> pa.Table:
    return table.set_column(2, "label", pc.equal(table["label"], "yes"))


@pytest.mark.parametrize("change", [_as_ints, _as_categories, _as_large, _as_booleans])
def test_columns_of_other_kinds_are_read_in_order_too(
    change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    item, rater, label = zip(*_usual(), strict=True)
    path = tmp_path / "ratings.parquet"
    pq.write_table(change(pa.table({"item": item, "rater": rater, "label": label})), path)
    held = hc.Ratings.read(path)
    monkeypatch.setattr(SqlCounting, "_counted", None)
    large = _large(path, monkeypatch)
    assert large.labels.names == held.labels.names
    assert list(large.item_counts().items) == list(held.item_counts().items)
    assert large.item_counts().counts.tolist() == held.item_counts().counts.tolist()


def test_missing_labels_are_counted_as_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: list[Row] = [(*row[:2], None if k % 7 == 0 else row[2]) for k, row in enumerate(_usual())]
    path = _written(rows, tmp_path / "ratings.parquet")
    held = hc.Ratings.read(path)
    large = _large(path, monkeypatch)
    assert large.n_missing == held.n_missing
    assert large.item_counts().counts.tolist() == held.item_counts().counts.tolist()


def test_a_large_file_is_read_without_pandas(tmp_path: Path) -> None:
    path = _written(_usual(), tmp_path / "ratings.parquet")
    code = (
        "import sys; import headcount as hc; from headcount.counting import size\n"
        "size.HELD_AT_ONCE = size.LARGE_FILE = size.HELD_AT_ALL = -1\n"
        "assert hc.Ratings.read(sys.argv[1]).n_items == 300; print('pandas' in sys.modules)"
    )
    run = [sys.executable, "-c", code, str(path)]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "False\n"


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


def _patched(path: Path, rows: list[Row], column: int, change: tuple[bytes, bytes]) -> Path:
    """A file in which one text of the list of a column is replaced by another."""
    item, rater, label = zip(*rows, strict=True)
    table = pa.table({"item": item, "rater": rater, "label": label})
    pq.write_table(table, path, compression="none", write_statistics=False)
    about = pq.read_metadata(path).row_group(0).column(column)
    bytes_ = bytearray(path.read_bytes())
    place = bytes_.find(change[0], about.dictionary_page_offset, about.data_page_offset)
    bytes_[place : place + len(change[0])] = change[1]
    path.write_bytes(bytes_)
    return path


@pytest.mark.parametrize(
    ("column", "change"), [(0, (b"i57", b"i56")), (1, (b"r84", b"r77")), (2, (b"bbb", b"aaa"))]
)
def test_a_list_with_a_text_twice_in_it_is_read_as_in_memory(
    column: int, change: tuple[bytes, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = ("aaa", "bbb", "ccc", "ddd")
    rows = [(*row[:2], labels[k % 4]) for k, row in enumerate(_usual())]
    path = _patched(tmp_path / "ratings.parquet", rows, column, change)
    held = hc.Ratings.read(path)
    large = _large(path, monkeypatch)
    assert (large.n_retests, large.n_copies) == (held.n_retests, held.n_copies)
    assert list(large.item_counts().items) == list(held.item_counts().items)
    assert large.item_counts().counts.tolist() == held.item_counts().counts.tolist()


def test_rows_that_arrow_passes_over_are_not_left_out_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ratings.parquet"
    item, rater, label = zip(*_usual(), strict=True)
    table = pa.table({"item": item, "rater": rater, "label": label})
    plain = {"use_dictionary": False, "write_statistics": False, "row_group_size": 500}
    pq.write_table(table, path, compression="none", **plain)
    start = pq.read_metadata(path).row_group(2).column(2).data_page_offset
    bytes_ = bytearray(path.read_bytes())
    assert bytes_[start + 1] == 0  # the kind of the page, of data: one that nobody knows
    bytes_[start + 1] = 0x10
    path.write_bytes(bytes_)
    with pytest.raises(InputError, match="damaged Parquet file"):
        _large(path, monkeypatch)


def test_one_name_for_all_raters_is_found_once_an_item() -> None:
    n, length = 100, 90
    item = Coded(text_column(f"i{i:03}" for i in range(n)), np.repeat(np.arange(n), length))
    same = Coded(text_column(["ann"]), np.zeros(n * length, dtype=np.int32))
    label = Coded(text_column(["yes"]), np.zeros(n * length, dtype=np.int32))
    columns = [replace(item, code=item.code.astype(np.int32)), same, label]
    found = stretches_of(columns, codes=CODES, n_labels=2)
    assert found is not None
    assert sorted(found.twice) == item.texts.to_pylist()


def test_many_second_answers_are_left_to_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ordered_rows, "_MOST_TWICE", 10)
    rows = [(item, "r1", label) for item, _, label in _usual()]
    path = _written(rows, tmp_path / "ratings.parquet")
    held = hc.Ratings.read(path)
    large = _large(path, monkeypatch)
    assert (large.n_retests, large.n_copies) == (held.n_retests, held.n_copies)
    assert large.item_counts().counts.tolist() == held.item_counts().counts.tolist()
