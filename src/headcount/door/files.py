"""Opening a file as a table: its format from its name, its health before anything is counted."""

import sys
from pathlib import Path

from headcount.door.columnar import open_parquet
from headcount.door.delimited import open_delimited
from headcount.door.documents import (
    is_flat,
    open_records,
    read_document,
    records_source,
    starting_records,
)
from headcount.door.repairs import repaired
from headcount.door.source import Source
from headcount.door.unpacking import check_readable, save_standard_input, unpack
from headcount.door.workbooks import open_workbook
from headcount.errors import InputError
from headcount.results import plain
from headcount.scratch import Scratch

SEPARATORS = {".csv": None, ".tsv": "\t", ".tab": "\t", ".txt": None}
JSON = (".jsonl", ".ndjson", ".json", ".manifest")
PARQUET = (".parquet", ".pq")
WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".xlsb", ".ods")
LOGS = (".eval",)
"""Files of many files, which only the reader of one tool opens."""
_COMPRESSED = (".gz", ".gzip")
STANDARD_INPUT = "-"


class Opened:
    """A file on disk, unpacked, with the name that messages call it by and what its name says."""

    def __init__(self, path: str | Path) -> None:
        self.holder: Scratch | None = None
        if str(path) == STANDARD_INPUT:
            self.holder = Scratch()
            self.name, self.given = "standard input", Path("-")
            self.file = save_standard_input(self.holder)
            self.suffix = _suffix_of_content(self.file)
            return
        self.given = Path(path).expanduser()
        self.name = plain(str(self.given))
        if is_stream(self.given):  # as in `headcount doctor <(sort ratings.csv)`
            self.holder = Scratch()
            with open(self.given, "rb") as stream:
                self.file = save_standard_input(self.holder, stream)
            self.suffix = _suffix_of_content(self.file)
            return
        check_readable(self.given)
        self.suffix, packed = _suffix(self.given)
        self.file = self.given
        if packed:
            self.holder = Scratch()
            self.file = unpack(self.given, self.holder)

    @property
    def stem(self) -> str:
        """The file's name without its folder and its endings."""
        name = self.given.name
        return name.split(".", 1)[0] or name


_heard: dict[str, tuple[object, Opened]] = {}


def opened_once(path: Path) -> Opened:
    """A file; of standard input what was read before, where people and models are both in it."""
    if str(path) != STANDARD_INPUT and not str(path).startswith("/dev/fd/"):
        return Opened(path)
    known = _heard.get(str(path))
    if known is None or known[0] is not sys.stdin:
        known = _heard[str(path)] = sys.stdin, Opened(path)
    return known[1]


def is_stream(path: Path) -> bool:
    """Whether what is read comes only once: standard input, or what another command writes."""
    try:
        return str(path) == STANDARD_INPUT or path.is_fifo()
    except (OSError, ValueError):
        return False


def open_file(path: str | Path | Opened, *, sheet: str | None = None) -> Source:
    """The table in a CSV, TSV, Parquet, JSON or Excel file, or a gzip of one; "-" reads input."""
    opened = path if isinstance(path, Opened) else Opened(path)
    file, name = opened.file, opened.name
    if opened.suffix in SEPARATORS:
        return open_delimited(file, name, SEPARATORS[opened.suffix], opened.holder)
    if opened.suffix in JSON:
        start = starting_records(file)
        flat = start is not None and all(is_flat(record) for record in start)
        found = open_records(file, name, opened.holder) if flat else None
        return repaired(found or records_source(read_document(file, name), name), commas=True)
    if opened.suffix in PARQUET:
        return open_parquet(file, name, opened.holder)
    if opened.suffix in WORKBOOKS:
        return repaired(open_workbook(file, name, sheet), commas=True)
    raise _unknown_kind(name)


def check_kind(name: str) -> None:
    """Stop at a file whose name does not end as one that can be read."""
    if _suffix(Path(name))[0] not in (*SEPARATORS, *JSON, *PARQUET, *WORKBOOKS, *LOGS):
        raise _unknown_kind(name)


def _unknown_kind(name: str) -> InputError:
    return InputError(
        f"{name} does not end in .csv, .tsv, .parquet, .jsonl, .json or .xlsx (each may have .gz "
        "after it): rename it to say what it is."
    )


def _suffix(file: Path) -> tuple[str, bool]:
    suffixes = [suffix.lower() for suffix in file.suffixes]
    packed = bool(suffixes) and suffixes[-1] in _COMPRESSED
    kept = suffixes[:-1] if packed else suffixes
    return (kept[-1] if kept else ""), packed


def _suffix_of_content(file: Path) -> str:
    with open(file, "rb") as stream:
        start = stream.read(4096)
    if start.startswith(b"PAR1"):
        return ".parquet"
    if start.startswith(b"PK\x03\x04"):
        return ".xlsx"
    return ".json" if start.lstrip()[:1] in (b"{", b"[") else ".csv"
