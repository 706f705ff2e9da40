"""Parquet files: scanned by DuckDB, types as they stand in the file."""

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from headcount.door.database import quote_text
from headcount.door.frames import plain_table
from headcount.door.scratch import Scratch, literal_path
from headcount.door.source import Source, table_source
from headcount.errors import InputError

_BYTES_A_ROW = 30  # what a rating takes in a text file, so that sizes can be compared


def open_parquet(file: Path, name: str, holder: Scratch | None) -> Source:
    """The table of a Parquet file."""
    try:
        schema = pq.read_schema(file)
        rows = pq.read_metadata(file).num_rows
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(
            f"{name} is not a readable Parquet file: it may be cut short or have a wrong name."
        ) from error
    names = tuple(schema.names)
    twice = [column for column, times in Counter(names).items() if times > 1]
    if twice:
        raise InputError(f"{name} has the column {twice[0]!r} twice: rename one of them.")
    if any(not column.strip() for column in names) or not names:
        raise InputError(f"{name} has a column without a name: name or remove it.")
    if not rows:
        raise InputError(f"{name} holds no ratings: it has a header and no rows.")

    def careful() -> Source:
        try:
            table = pq.read_table(file)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise InputError(
                f"{name} is a damaged Parquet file: write or download it again."
            ) from error
        return table_source(name, names, plain_table(table))

    if any(_is_strange(kind) for kind in schema.types):
        return careful()
    location, link = literal_path(file, ".parquet")
    places = ", ".join(f"c{j}" for j in range(len(names)))
    scan = f"read_parquet({quote_text(location)}) AS t({places})"
    size = rows * _BYTES_A_ROW
    kinds = tuple(schema.types)
    return Source(name, names, kinds, scan, size=size, careful=careful, holder=holder or link)


def _is_strange(kind: pa.DataType) -> bool:
    """Types that the engine does not know or reads as something else."""
    checks = (
        *(pa.types.is_float16, pa.types.is_decimal256, pa.types.is_duration, pa.types.is_null),
        *(pa.types.is_binary, pa.types.is_large_binary),
    )
    return any(check(kind) for check in checks)
