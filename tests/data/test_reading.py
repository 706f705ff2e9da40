"""Ratings from every layout, format and frame are the same ratings."""

import gzip
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headcount import Ratings
from headcount.errors import InputError, OptionError, UnanswerableError

# Ragged, with a missing answer (i3, r1), a numeric-looking id, and a retest (i0, r1).
ROWS = [
    ("i0", "r0", "no"),
    ("i0", "r1", "yes"),
    ("i0", "r1", "no"),
    ("i1", "r0", "yes"),
    ("i1", "r1", "yes"),
    ("i1", "r2", "yes"),
    ("7", "r2", "no"),
    ("i3", "r0", "yes"),
    ("i3", "r1", None),
]
COUNTS = {"7": (1, 0), "i0": (1, 1), "i1": (0, 3), "i3": (0, 1)}


def _table(rows: list[tuple[str, str, str | None]] = ROWS) -> pa.Table:
    item, rater, label = zip(*rows, strict=True)
    return pa.table({"item": item, "rater": rater, "label": label})


def _write_csv(path: Path, separator: str = ",") -> None:
    lines = [("item", "rater", "label"), *ROWS]
    text = "\n".join(separator.join(cell or "" for cell in line) for line in lines) + "\n"
    path.write_text(text, encoding="utf-8")


def _write_jsonl(path: Path) -> None:
    pd.DataFrame(_table().to_pydict()).to_json(path, orient="records", lines=True)


WRITERS: dict[str, Callable[[Path], None]] = {
    ".csv": _write_csv,
    ".tsv": lambda path: _write_csv(path, "\t"),
    ".parquet": lambda path: pq.write_table(_table(), path),
    ".jsonl": _write_jsonl,
}


def _check(ratings: Ratings) -> None:
    counted = ratings.item_counts()
    assert {
        item: tuple(row) for item, row in zip(counted.items, counted.counts.tolist(), strict=True)
    } == COUNTS
    assert ratings.labels.names == ("no", "yes")
    assert (ratings.n_items, ratings.n_ratings, ratings.n_raters) == (4, 7, 3)
    assert ratings.n_retests == 1
    assert ratings.patterns().counts.tolist() == [[0, 1], [0, 3], [1, 0], [1, 1]]
    assert ratings.patterns().items.tolist() == [1, 1, 1, 1]
    answers = ratings.answers()
    assert len(answers.item) == 8
    assert answers.occasion.sum() == 1
    notes = " ".join(ratings.notes)
    assert "1 answer is missing" in notes
    assert "1 answer is a retest" in notes


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("suffix", WRITERS)
def test_every_format_plain_and_gzipped(suffix: str, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / f"ratings{suffix}"
    WRITERS[suffix](path)
    if packed:
        zipped = path.with_name(path.name + ".gz")
        zipped.write_bytes(gzip.compress(path.read_bytes()))
        path = zipped
    _check(Ratings.read(path))


FRAMES = {
    "arrow": lambda table: table,
    "pandas": lambda table: table.to_pandas(),
    "polars": pl.from_arrow,
}


def _in_order() -> pa.Table:
    """The answers with an occasion: lazy frames have no order of rows."""
    return _table().append_column("occasion", pa.array(range(len(ROWS))))


@pytest.mark.parametrize("library", FRAMES)
def test_every_frame(library: str) -> None:
    _check(Ratings.from_frame(FRAMES[library](_table())))


def test_a_duckdb_relation_is_counted_where_it_is() -> None:
    with duckdb.connect() as connection:
        connection.register("answers", _in_order())
        _check(Ratings.from_frame(connection.sql("SELECT * FROM answers")))


def test_a_lazy_polars_frame_is_counted_where_it_is() -> None:
    _check(Ratings.from_frame(pl.from_arrow(_in_order()).lazy()))
    _check(Ratings.from_frame(pl.from_arrow(_table()).lazy()))


def test_a_large_lazy_frame_is_counted_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headcount.counting.size.LARGE", 0)
    _check(Ratings.from_frame(pl.from_arrow(_in_order()).lazy()))
    with duckdb.connect() as connection:
        connection.register("answers", _in_order())
        _check(Ratings.from_frame(connection.sql("SELECT * FROM answers")))
    unordered = Ratings.from_frame(pl.from_arrow(_table()).lazy())
    assert any("no order of rows" in note for note in unordered.notes)


def test_semicolons_quotes_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "excel.csv"
    path.write_text('item;rater;label\n"a;b";r1;"he said ""yes"""\n', encoding="utf-8-sig")
    ratings = Ratings.read(path)
    assert ratings.labels.names == ('he said "yes"',)
    assert list(ratings.item_counts().items) == ["a;b"]


def test_glob_signs_in_a_path_are_taken_literally(tmp_path: Path) -> None:
    path = tmp_path / "ratings[1]*.csv"
    _write_csv(path)
    (tmp_path / "ratings1.csv").write_text("item,label\nother,x\n")
    _check(Ratings.read(path))


def test_wide_equals_long() -> None:
    wide = pa.table(
        {
            "item": ["i0", "i1", "7", "i3"],
            "r0": ["no", "yes", None, "yes"],
            "r1": ["yes", "yes", None, None],
            "r2": [None, "yes", "no", None],
        }
    )
    for frame in (wide, pl.from_arrow(wide).lazy()):
        ratings = Ratings.from_wide(frame)
        counted = ratings.item_counts()
        assert dict(zip(counted.items, map(tuple, counted.counts.tolist()), strict=True)) == COUNTS
        assert ratings.n_raters == 3
        assert ratings.answers().matrix().tolist() == [
            [-1, -1, 0],
            [0, 1, -1],
            [1, 1, 1],
            [1, -1, -1],
        ]


def test_counts_keep_their_columns_as_labels(tmp_path: Path) -> None:
    path = tmp_path / "counts.csv"
    path.write_text("item,yes,no\na,9,1\nb,0,4\n")
    ratings = Ratings.read(path)
    assert ratings.layout.kind == "counts"
    assert ratings.labels.names == ("yes", "no")
    assert ratings.patterns().counts.tolist() == [[0, 4], [9, 1]]
    assert ratings.n_raters is None
    with pytest.raises(UnanswerableError, match="holds counts"):
        ratings.answers()


def test_a_label_nobody_used_stays_in_counts() -> None:
    assert Ratings.from_counts([[2, 0, 1]], labels=["a", "b", "c"]).labels.n == 3


def test_counts_from_a_frame_with_chosen_labels() -> None:
    frame = pd.DataFrame({"id": [1, 2], "a": [1, 2], "b": [0, 1], "note": ["x", "y"]})
    ratings = Ratings.from_counts(frame, labels=["a", "b"])
    assert ratings.n_ratings == 4
    with pytest.raises(OptionError, match="'c'"):
        Ratings.from_counts(frame, labels=["a", "c"])


def test_numbers_are_recognised_and_said() -> None:
    frame = pd.DataFrame({"item": [1, 1, 2], "rater": [1, 2, 1], "label": [10, 2.0, np.nan]})
    ratings = Ratings.from_frame(frame, unrated="drop")
    assert ratings.labels.names == ("2", "10")
    assert ratings.labels.values is not None
    assert any("numbers" in note for note in ratings.notes)
    assert any("no rating at all" in note for note in ratings.notes)


def test_spellings_of_a_number_are_one_label(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,rater,label\n1,a,1\n1,b,1.0\n1,c,01\n1,d,2\n")
    ratings = Ratings.read(path)
    assert ratings.labels.names == ("1", "2")
    assert ratings.patterns().counts.tolist() == [[3, 1]]


def test_a_given_order_is_kept_and_makes_labels_ordered() -> None:
    order = ["yes", "no", "never"]
    ratings = Ratings.from_frame(_table(), order=order)
    assert ratings.labels.names == ratings.scale.levels == tuple(order)
    assert ratings.scale.kind == "ordered"
    assert ratings.scale.values == (1.0, 2.0, 3.0)
    assert Ratings.from_frame(_table(), order=order, scale="nominal").scale.kind == "nominal"
    with pytest.raises(OptionError, match="numbers"):
        Ratings.from_frame(_table(), scale="numeric")


def test_the_occasion_column_decides_which_answer_is_first() -> None:
    frame = pa.table(
        {
            "item": ["i", "i", "i"],
            "rater": ["a", "a", "b"],
            "label": ["late", "early", "late"],
            "occasion": [10, 9, 1],
        }
    )
    for each in (frame, pl.from_arrow(frame).lazy()):
        assert Ratings.from_frame(each).patterns().counts.tolist() == [[1, 1]]


def test_many_raters_on_one_item_are_not_taken_for_retests() -> None:
    # With 500 raters every bit of every mask is set: all is suspect, nothing is found.
    n = 500
    frame = pa.table({"item": ["i"] * n, "rater": [f"r{r}" for r in range(n)], "label": ["x"] * n})
    assert Ratings.from_frame(frame).n_retests == 0


def test_pools_by_column_and_by_name() -> None:
    frame = _table().append_column("pool", pa.array(["expert", *["crowd"] * 8]))
    for each in (frame, pl.from_arrow(frame).lazy()):
        ratings = Ratings.from_frame(each)
        assert ratings.pools == ("crowd", "expert")
        expert = ratings.pool("expert")
        assert expert.n_ratings == 1
        assert expert.labels == ratings.labels
        assert ratings.pool(raters=["r2"]).n_ratings == 2
        with pytest.raises(OptionError, match="no pool 'none'"):
            ratings.pool("none")
        with pytest.raises(OptionError, match="No rating"):
            ratings.pool(raters=["stranger"])


def test_groups_and_weights_reach_the_answers() -> None:
    frame = _table().append_column("team", pa.array(["A"] * 4 + ["B"] * 5))
    frame = frame.append_column("w", pa.array([1.0] * 8 + [2.5]))
    answers = Ratings.from_frame(frame, group="team", weight="w").answers()
    assert answers.groups == ("A", "B")
    assert answers.group is not None
    assert answers.group.sum() == 4
    assert answers.weight is not None
    bad = frame.set_column(4, "w", pa.array([-1.0] * 9))
    with pytest.raises(InputError, match="at least 0"):
        Ratings.from_frame(bad, weight="w").answers()


def test_aliases_are_recognised_whatever_their_case() -> None:
    frame = pd.DataFrame({"Task ID": ["x"], "Worker": ["w"], "Rating": ["good"]})
    layout = Ratings.from_frame(frame).layout
    assert (layout.item, layout.rater, layout.label) == ("Task ID", "Worker", "Rating")
    assert "'Worker'" in layout.describe()


@pytest.mark.parametrize("thing", [{"item": [1]}, [1], pd.Series([1, 2]), None])
def test_something_that_is_no_frame_is_refused(thing: object) -> None:
    with pytest.raises(InputError, match="not a frame"):
        Ratings.from_frame(thing)


def test_a_pandas_column_of_texts_and_numbers_is_read_as_texts() -> None:
    labels = [1, "1", 2.0, "x", None, float("nan"), True]
    frame = pd.DataFrame({"item": [7, "a", 7.0, "a", "a", "a", "a"], "label": labels})
    ratings = Ratings.from_frame(frame)
    assert ratings.labels.names == ("1", "2", "true", "x")
    assert ratings.item_counts().items.tolist() == ["7", "a"]
    assert ratings.meaning.missing == 2


def test_numbered_columns_of_pandas_are_raters_like_any_other() -> None:
    wide = pd.DataFrame({"item": ["a", "b"], 0: ["x", "y"], 1: ["x", None]})
    ratings = Ratings.from_wide(wide)
    assert ratings.n_ratings == 3
    assert ratings.answers().raters.tolist() == ["0", "1"]
    assert Ratings.from_wide(wide.set_axis([0, 1, 2], axis=1), item="0").n_ratings == 3


def test_a_frame_with_a_column_twice_is_refused() -> None:
    frame = pd.DataFrame([[1, "x", "y"]], columns=["item", "label", "label"])
    with pytest.raises(InputError, match="column 'label' twice"):
        Ratings.from_frame(frame)


def test_layout_words_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    _write_csv(path)
    with pytest.raises(OptionError, match='"long", "wide" or "counts"'):
        Ratings.read(path, layout="tall")
    with pytest.raises(OptionError, match='"error" or "drop"'):
        Ratings.read(path, unrated="ignore")


def test_rater_columns_are_told_from_label_columns(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,rater_1,rater_2\n1,0,1\n2,1,1\n")
    assert Ratings.read(path).layout.kind == "wide"
    path.write_text("item,ann,bob\n1,0,\n2,1,1\n")
    with pytest.raises(InputError, match=r"--raters ann --raters bob .*are people only you know"):
        Ratings.read(path)
    assert Ratings.read(path, raters=["ann", "bob"]).layout.kind == "wide"
    path.write_text("item,ok,bad\n1,0,10\n2,9,1\n")
    assert Ratings.read(path).layout.kind == "counts"


def test_json_lines_of_dates_late_keys_and_mixed_labels(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    lines = [
        '{"item": "2026-01-02", "rater": "a", "label": 1}',
        '{"item": "2026-01-02", "rater": "b", "label": "1"}',
        '{"item": "03/04/2026", "rater": "a", "label": 2.0, "group": "late"}',
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ratings = Ratings.read(path, group="group")
    assert ratings.item_counts().items.tolist() == ["03/04/2026", "2026-01-02"]
    assert ratings.labels.names == ("1", "2")
    assert ratings.patterns().counts.tolist() == [[0, 1], [2, 0]]
    assert ratings.answers().groups == ("(no group)", "late")
