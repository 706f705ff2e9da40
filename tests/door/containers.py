"""One table in every container that is read: files of each format, frames of each library."""

import csv
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from headcount import Ratings

Columns = dict[str, list[Any]]


def as_text(value: Any) -> str:
    """A value as frames write it to text."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def rows_of(columns: Columns) -> list[dict[str, Any]]:
    """The rows of a table, by column."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def delimited(columns: Columns, sign: str = ",", ends: str = "\r\n") -> bytes:
    """A text table."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=sign, lineterminator=ends)
    writer.writerow(columns)
    writer.writerows(map(as_text, row) for row in zip(*columns.values(), strict=True))
    return out.getvalue().encode("utf-8", "surrogatepass")


def json_lines(columns: Columns) -> bytes:
    """An object a line."""
    return "\n".join(map(json.dumps, rows_of(columns))).encode()


def parquet(columns: Columns) -> bytes:
    """A Parquet file."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KINDS = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_KINDS}.sheet.main+xml"/>'
    f'<Override PartName="/xl/s.xml" ContentType="{_KINDS}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="s.xml"/></Relationships>',
}


def sheet(columns: Columns) -> bytes:
    """The sheet of a workbook: numbers as numbers, everything else written inline."""
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    body = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'.encode()


def _cell(value: Any) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, float) or (isinstance(value, int) and value < 2**53):
        return f"<c><v>{value}</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(str(value))}</t></is></c>'


def workbook(columns: Columns, change: Callable[[bytes], bytes] = lambda sheet: sheet) -> bytes:
    """A workbook as small as one can be; `change` breaks its sheet."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in _PARTS.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8"?>' + text)
        head = b'<?xml version="1.0" encoding="UTF-8"?>'
        archive.writestr("xl/s.xml", head + change(sheet(columns)))
    return out.getvalue()


FILES: dict[str, Callable[[Columns], bytes]] = {
    ".csv": delimited,
    ".tsv": lambda columns: delimited(columns, "\t"),
    ".jsonl": json_lines,
    ".json": lambda columns: json.dumps(rows_of(columns)).encode(),
    ".xlsx": workbook,
    ".parquet": parquet,
}


def relation(columns: Columns) -> Any:
    """A relation of DuckDB, which keeps its connection."""
    connection = duckdb.connect()
    connection.register("answers", pa.table(columns))
    return connection.sql("SELECT * FROM answers")


FRAMES: dict[str, Callable[[Columns], Any]] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": lambda columns: pl.DataFrame(columns).lazy(),
    "arrow": pa.table,
    "duckdb": relation,
}


def facts(ratings: Ratings) -> tuple[Any, ...]:
    """What must be the same in every container: labels, scale, counts and every answer."""
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
