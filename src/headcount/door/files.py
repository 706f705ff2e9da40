"""Opening a file as a table: its format from its name, its health before anything is counted."""

import gzip
import shutil
from dataclasses import replace
from pathlib import Path

from headcount.door.database import quote_text
from headcount.door.header import Header, read_header
from headcount.door.health import check_not_a_bomb, check_readable, open_bytes
from headcount.door.scratch import Scratch
from headcount.door.source import Source
from headcount.errors import InputError

_TEXT_SEPARATORS = {".csv": None, ".tsv": "\t", ".tab": "\t", ".txt": None}
_JSON = (".jsonl", ".ndjson", ".json")
_PARQUET = (".parquet", ".pq")
_COMPRESSED = (".gz", ".gzip")


def open_file(path: str | Path) -> Source:
    """The table in a CSV, TSV, Parquet or JSON-lines file, or a gzip of one."""
    file = Path(path).expanduser()
    check_readable(file)
    suffix, packed = _suffix(file)
    if packed:
        check_not_a_bomb(file)
    if suffix in _TEXT_SEPARATORS:
        return _open_text(file, read_header(file, _TEXT_SEPARATORS[suffix], packed=packed))
    if suffix in _JSON:
        return _open_json(file, packed=packed)
    if suffix in _PARQUET:
        return _open_parquet(file, packed=packed)
    raise InputError(
        f"{file} does not end in .csv, .tsv, .parquet or .jsonl (each may have .gz after it): "
        "rename it to say what it is."
    )


def _suffix(file: Path) -> tuple[str, bool]:
    suffixes = [suffix.lower() for suffix in file.suffixes]
    packed = bool(suffixes) and suffixes[-1] in _COMPRESSED
    kept = suffixes[:-1] if packed else suffixes
    return (kept[-1] if kept else ""), packed


def _open_text(file: Path, header: Header) -> Source:
    location, holder = _plain_location(file)
    columns = ", ".join(f"{quote_text(name)}: 'VARCHAR'" for name in header.columns)
    scan = (
        f"read_csv({quote_text(location)}, auto_detect=false, header=false, skip={header.lines}, "
        f"columns={{{columns}}}, delim={quote_text(header.separator)}, quote='\"', escape='\"', "
        f"nullstr='', null_padding=false, strict_mode=true)"
    )
    return Source(str(file), header.columns, scan, first_row=header.lines + 1, holder=holder)


def _open_json(file: Path, *, packed: bool) -> Source:
    with open_bytes(file, packed=packed) as stream:
        start = stream.read(1).strip()
    if start == b"[":
        raise InputError(
            f"{file} is one JSON array: write one object a line (JSON lines) instead, "
            "for example with jq -c '.[]'."
        )
    location, holder = _plain_location(file)
    lines = f"{quote_text(location)}, format='newline_delimited', maximum_object_size=2000000"
    guess = f"read_json({lines}, sample_size=-1, convert_strings_to_integers=false)"
    looked = Source(str(file), (), guess, first_row=1, holder=holder)
    # Every line is looked at for its keys and types, once: later scans are told them.
    columns = ", ".join(
        f"{quote_text(row['column_name'])}: {quote_text(_plain_type(row['column_type']))}"
        for row in looked.ask("DESCRIBE SELECT * FROM source").to_pylist()
    )
    scan = f"read_json({lines}, columns={{{columns}}})"
    return _with_columns(Source(str(file), (), scan, first_row=1, holder=holder))


def _plain_type(name: str) -> str:
    """Texts that look like dates stay texts, and so do texts and numbers mixed."""
    return "VARCHAR" if name == "JSON" or name.startswith(("DATE", "TIME")) else name


def _open_parquet(file: Path, *, packed: bool) -> Source:
    if packed:
        holder = Scratch()
        location = str(holder.path / "table.parquet")
        try:
            with gzip.open(file) as stream, open(location, "wb") as plain:
                shutil.copyfileobj(stream, plain)
        except (OSError, EOFError) as error:
            raise InputError(f"{file} is not a readable gzip file: pack it again.") from error
        return _with_columns(
            Source(str(file), (), f"read_parquet({quote_text(location)})", holder=holder)
        )
    location, link = _plain_location(file)
    scan = f"read_parquet({quote_text(location)})"
    return _with_columns(Source(str(file), (), scan, holder=link))


def _with_columns(source: Source) -> Source:
    found = replace(source, columns=tuple(source.types))
    found.__dict__["types"] = source.types  # asked once is enough
    return found


def _plain_location(file: Path) -> tuple[str, Scratch | None]:
    """A path DuckDB takes literally: one with glob signs in it is reached through a link."""
    location = str(file.resolve())
    if not any(sign in location for sign in "*?[]{}"):
        return location, None
    holder = Scratch()
    suffixes = "".join(suffix for suffix in file.suffixes[-2:] if suffix.isascii())
    link = holder.path / f"table{''.join(c for c in suffixes if c.isalnum() or c == '.')}"
    link.symlink_to(location)
    return str(link), holder
