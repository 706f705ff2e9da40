"""Parquet files: scanned by DuckDB, types as they stand in the file."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headcount.door.database import quote_text
from headcount.door.frames import plain_table
from headcount.door.source import Source, table_source
from headcount.door.unpacking import check_size
from headcount.errors import InputError
from headcount.later import Later
from headcount.scratch import Scratch, held, literal_path

if TYPE_CHECKING:
    import pyarrow.parquet as pq
else:
    pq = Later("pyarrow.parquet")

_DAMAGED = "{} is a damaged Parquet file: write or download it again."
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
    careful = partial(_read_carefully, file, name, names)
    if any(_is_strange(kind) for kind in schema.types):
        return careful()
    location, link = literal_path(file, ".parquet")
    places = ", ".join(f"c{j}" for j in range(len(names)))
    scan = f"read_parquet({quote_text(location)}) AS t({places})"
    size = rows * _BYTES_A_ROW
    kinds = tuple(schema.types)
    return Source(
        name,
        names,
        kinds,
        scan,
        size=size,
        careful=careful,
        holders=held(holder, link),
        files=(location,),
    )


def open_parquets(files: Sequence[Path], name: str) -> Source | None:
    """Several Parquet files of the same columns as one table, scanned together; else None.

    None too where a column is of a kind that must be read with care.
    """
    try:
        schemas = [pq.read_schema(file) for file in files]
        rows = sum(pq.read_metadata(file).num_rows for file in files)
    except (pa.ArrowException, OSError, ValueError):
        return None  # to be told when each is opened
    names, kinds = tuple(schemas[0].names), tuple(schemas[0].types)
    alike = all((tuple(each.names), tuple(each.types)) == (names, kinds) for each in schemas)
    plain_names = len(set(names)) == len(names) and all(each.strip() for each in names)
    if not alike or not plain_names or not rows or any(_is_strange(kind) for kind in kinds):
        return None
    places = [literal_path(file, ".parquet") for file in files]
    located = tuple(location for location, _ in places)
    columns = ", ".join(f"c{j}" for j in range(len(names)))
    listed = ", ".join(map(quote_text, located))
    scan = f"read_parquet([{listed}], hive_partitioning = false) AS t({columns})"
    links = held(*(link for _, link in places))
    size = rows * _BYTES_A_ROW
    return Source(name, names, kinds, scan, size=size, holders=links, files=located)


def holds_nested(file: Path) -> bool:
    """Whether a Parquet file has columns of lists or objects, as nested JSON has."""
    try:
        return any(pa.types.is_nested(kind) for kind in pq.read_schema(file).types)
    except (pa.ArrowException, OSError, ValueError):
        return False  # to be told when it is opened


def nested_records(file: Path, name: str, rows: int | None = None) -> list[dict[str, Any]]:
    """The rows of a Parquet file as JSON would hold them: what is null is not there."""
    table = _whole_table(file, name) if rows is None else _first_rows(file, name, rows)
    return [_without_nulls(record) for record in table.to_pylist()]


def _first_rows(file: Path, name: str, rows: int) -> pa.Table:
    try:
        with pq.ParquetFile(file) as opened:
            return pa.Table.from_batches(
                [*islice(opened.iter_batches(rows), 1)], opened.schema_arrow
            )
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(_DAMAGED.format(name)) from error


def _read_carefully(file: Path, name: str, columns: Sequence[str]) -> Source:
    return table_source(name, columns, plain_table(_whole_table(file, name), name))


def _whole_table(file: Path, name: str) -> pa.Table:
    try:
        about = pq.read_metadata(file)
        groups = (about.row_group(j) for j in range(about.num_row_groups))
        check_size(file, name, about.num_rows, sum(group.total_byte_size for group in groups))
        return pq.read_table(file)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(_DAMAGED.format(name)) from error


def _without_nulls(value: Any) -> Any:
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        value = dict(value)  # a map, which Arrow hands over as pairs
    if isinstance(value, dict):
        return {k: _without_nulls(v) for k, v in value.items() if v is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


def _is_strange(kind: pa.DataType) -> bool:
    """Types that the engine does not know or reads as something else."""
    checks = (
        *(pa.types.is_float16, pa.types.is_decimal256, pa.types.is_duration, pa.types.is_null),
        *(pa.types.is_binary, pa.types.is_large_binary),
    )
    return any(check(kind) for check in checks)
