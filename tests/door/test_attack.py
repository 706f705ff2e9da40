"""A part of the standing attack, and the same table in every container and under every name."""

import csv
import json
import random
import string
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.door.attack import NASTY, attack

from headcount import Predictions, Ratings
from headcount.errors import HeadcountError


@pytest.mark.parametrize("part", range(4))
def test_a_part_of_the_attack(part: int, tmp_path: Path) -> None:
    for seed in range(90 * part, 90 * part + 90):
        attack(seed, tmp_path)


Column = list[Any]
Columns = dict[str, Column]
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


def _text(value: Any) -> str:
    """A value as frames write it to text."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _csv(columns: Columns, path: Path, sign: str = ",") -> None:
    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=sign)
        writer.writerow(columns)
        writer.writerows([_text(v) for v in row] for row in zip(*columns.values(), strict=True))


def _jsonl(columns: Columns, path: Path) -> None:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


def _json(columns: Columns, path: Path) -> None:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    path.write_text(json.dumps(rows), encoding="utf-8")


def _xlsx(columns: Columns, path: Path) -> None:
    """A workbook as small as one can be: numbers as numbers, everything else written inline."""

    def cell(value: Any) -> str:
        if value is None:
            return "<c/>"
        if isinstance(value, bool):
            return f'<c t="b"><v>{int(value)}</v></c>'
        if isinstance(value, float) or (isinstance(value, int) and value < 2**53):
            return f"<c><v>{value}</v></c>"
        return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(str(value))}</t></is></c>'

    rows = [list(columns), *zip(*columns.values(), strict=True)]
    body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in rows)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"/>'
        f'<Override PartName="/xl/s.xml" ContentType="{kinds}.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/worksheet" Target="s.xml"/></Relationships>',
        "xl/s.xml": f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8"?>' + text)


FILES: dict[str, Callable[[Columns, Path], None]] = {
    ".csv": _csv,
    ".tsv": lambda columns, path: _csv(columns, path, "\t"),
    ".jsonl": _jsonl,
    ".json": _json,
    ".xlsx": _xlsx,
    ".parquet": lambda columns, path: pq.write_table(pa.table(columns), path),
}
FRAMES: dict[str, Callable[[Columns], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": lambda columns: pl.DataFrame(columns).lazy(),
    "arrow": pa.table,
}


def _facts(ratings: Ratings) -> tuple[Any, ...]:
    answers = ratings.answers()
    names = ratings.labels.names
    rows = sorted(
        (str(answers.items[i]), str(answers.raters[r]), names[k], int(o))
        for i, r, k, o in zip(
            answers.item, answers.rater, answers.label, answers.occasion, strict=True
        )
    )
    counts = (ratings.n_ratings, ratings.n_missing, ratings.n_copies, ratings.n_retests)
    return names, ratings.scale.kind, counts, rows


def _read(make: Callable[[], Ratings]) -> Any:
    try:
        return _facts(make())
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
    with duckdb.connect() as connection:
        connection.register("answers", pa.table(columns))
        relation = connection.sql("SELECT * FROM answers")
        assert _read(lambda: Ratings.from_frame(relation, **options)) == expected
    folder = tmp_path_factory.mktemp("containers")
    for suffix, write in FILES.items():
        path = folder / f"t{suffix}"
        write(columns, path)
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
    expected = _facts(Ratings.from_frame(pa.table(plain)))
    roles = {"item": item, "rater": rater, "label": label}
    path = tmp_path_factory.mktemp("names") / "t.parquet"
    pq.write_table(pa.table(table), path)
    for frame in (pa.table(table), pl.DataFrame(table), pl.DataFrame(table).lazy()):
        assert _facts(Ratings.from_frame(frame, **roles)) == expected
    assert _facts(Ratings.read(path, **roles)) == expected
    wide = {item: [0, 1], rater: ["x", "y"], label: ["y", "y"]}
    found = Ratings.from_wide(pa.table(wide), item=item)
    assert found.answers().raters.tolist() == sorted([rater, label])
    predictions = Predictions.from_frame(pa.table(wide), item=item, classifiers=[rater, label])
    assert set(predictions.names) == {rater, label}
