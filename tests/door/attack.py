"""A standing attack on the door: hostile tables and broken files, with things that must hold.

Only a HeadcountError may be raised, in words that are not the engine's; what is read accounts for
every row: rows = ratings + missing + copies + retests; and one table gives the same answers in
whatever container it comes. `make fuzz` (`fuzz.py`) runs it for as long
as asked and prints what happened; a part of it runs with the tests.

An input is a file or a frame that is read. Of a hundred seeds, 74 break the bytes of a file, 8
leave a file of hostile cells and names whole, 13 are exports of tools, whole or broken, and 5 are
one table in three containers, which cost five times as much as a broken file. A sixth of the files
are read as if they were too large to be held, half of them as predictions too. Workbooks are one
file in twenty.
"""

import csv
import gzip
import io
import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
from tests.door.containers import FILES, FRAMES, Columns, as_text, delimited, facts, workbook
from tests.door.documents import make_export

from headcount import Predictions, Ratings
from headcount.counting import size
from headcount.data import judge
from headcount.errors import HeadcountError

ENGINE = re.compile(
    r"duckdb|pyarrow|Binder Error|Catalog Error|Parser Error|Conversion Error|Invalid Input|"
    r"IO Error|Candidate|read_csv|read_parquet|json_extract|Traceback|calamine|\bc\d+\b is",
    re.IGNORECASE,
)
NASTY = (
    *("", " ", '"', "'", ";", "\t", ",", "\n", "\r", "\r\n", "\\", "\0", "\ufeff", "\x1b[31m", "|"),
    *("NaN", "NULL", "None", "nan", "inf", "-0.0", "1.0", "1e400", "1_0", "１", "007", "9" * 25),
    *("item", "label", "rater", "c0", "n0", "source", "headcount_item", "$l0", "$raters", "{}"),
    *("yes", "YES", "Yes ", "é", "\u202e", "\ud7ff", "=1+1", "<b>", "`", "*", "2024-01-01", "a:b"),
    *("[]", "[1]", '{"a": 1}', "sep=;", "true", "True", "0.5", "-1", "0", "1", "2"),
)
Outcome = tuple[str, str]
"""The container an input came in, and what became of it."""

KINDS = {".csv": 34, ".tsv": 16, ".jsonl": 16, ".json": 14, ".parquet": 15, ".xlsx": 5}
_IN_XML = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd]")  # what a workbook cannot hold


def pick(weights: dict[str, int], rng: random.Random) -> str:
    """One of the keys, each as often as its weight says."""
    return rng.choices(list(weights), list(weights.values()))[0]


def make_table(rng: random.Random) -> Columns:
    """A row an answer, a row an item, or counts, some of them with hostile cells and names."""
    columns = rng.choice([_long, _long, _long, _wide, _counts])(rng)
    if rng.random() < 0.5:
        for name in columns:
            if rng.random() < 0.3:
                columns[name] = _with_nasty_cells(columns[name], rng)
    if rng.random() < 0.2:
        old, new = rng.choice(list(columns)), rng.choice(NASTY)
        columns = {(new if name == old else name): column for name, column in columns.items()}
    return columns


def _long(rng: random.Random) -> Columns:
    labels: list[Any] = rng.choice(
        [
            *(["yes", "no"], ["1", "2", "3"], ["a", "b", "c", "d"], [1.0, 2.0], [True, False]),
            *([1, 2, 3], [2.5, 1.0], ["us", "US", "c0"], ["yes", "no", None]),
        ]
    )
    ids: Callable[[int], Any] = rng.choice(
        [lambda k: f"i{k}", lambda k: k, float, lambda k: 2**53 + k, lambda k: f"0{k}"]
    )
    items, raters = rng.randint(1, 6), rng.randint(1, 4)
    rows = [(i, r) for i in range(items) for r in range(raters) if rng.random() < 0.9] or [(0, 0)]
    if rng.random() < 0.4:
        rows += [rng.choice(rows) for _ in range(rng.randint(1, 3))]
    columns: Columns = {
        "item": [ids(i) for i, _ in rows],
        "rater": [f"r{r}" for _, r in rows],
        "label": [rng.choice(labels) for _ in rows],
    }
    extra = rng.choice([None, None, "occasion", "gold", "text", "group", "weight", "note"])
    if extra:
        kind = rng.choice([[0, 1, 2, 11], ["x", "y"], [1.5, 2.0], ["2024-01-02", "2023-10-11"]])
        columns[extra] = [rng.choice(kind) for _ in rows]
    return columns


def _wide(rng: random.Random) -> Columns:
    names = [rng.choice(["reader", "ann", "r"]) + str(j) for j in range(rng.randint(2, 4))]
    items = rng.randint(1, 6)
    cells = {name: [rng.choice(["yes", "no", None]) for _ in range(items)] for name in names}
    return {"item": list(range(items))} | cells


def _counts(rng: random.Random) -> Columns:
    return {name: [rng.randint(0, 9) for _ in range(4)] for name in ("ok", "bad")} | {
        "item": list(range(4))
    }


def _with_nasty_cells(column: list[Any], rng: random.Random) -> list[Any]:
    """Some cells replaced by hostile ones; texts stand among texts only."""
    return [rng.choice(NASTY) if rng.random() < 0.3 else as_text(value) for value in column]


def mutate(content: bytes, rng: random.Random) -> bytes:
    """The content with some of its bytes changed, cut, doubled or replaced by something nasty."""
    changed = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(changed) + 1)
        upto = min(len(changed), at + rng.randint(0, 12))
        what = rng.randrange(6)
        if what == 0 and changed:
            changed[at % len(changed)] = rng.randrange(256)
        elif what == 1:
            del changed[at:upto]
        elif what == 2:
            changed[at:at] = changed[at:upto]
        elif what == 3:
            changed[at:upto] = rng.choice(NASTY).encode("utf-8", "surrogatepass")
        elif what == 4:
            changed[at:at] = rng.choice(NASTY).encode("utf-8", "surrogatepass")
        elif rng.random() < 0.2:
            del changed[at:]
    return bytes(changed)


def make_file(rng: random.Random, *, broken: bool) -> tuple[str, bytes]:
    """A file's ending and content."""
    columns, kind = make_table(rng), pick(KINDS, rng)
    if kind == ".csv":
        content = delimited(columns, rng.choice(",,;|"), rng.choice(["\n", "\r\n", "\r"]))
    elif kind == ".xlsx" and broken and rng.random() < 0.5:
        return kind, workbook(columns, lambda sheet: mutate(sheet, rng))
    else:
        content = FILES[kind](columns)
    content = mutate(content, rng) if broken else content
    if rng.random() < 0.05:
        kind, content = kind + ".gz", gzip.compress(content, 1)
        content = mutate(content, rng) if broken and rng.random() < 0.5 else content
    return kind, content


def make_options(rng: random.Random) -> dict[str, Any]:
    """Options of reading, none of them half of the time."""
    choices: tuple[dict[str, Any], ...] = (
        {"unrated": "drop"},
        {"label": rng.choice(["label", "gold", "note", "ok", "a.b", "x[]", "c0"])},
        {"raters": rng.choice(["r*", "reader*", "*", "ann?"]), "unrated": "drop"},
        {"layout": rng.choice(["long", "wide", "counts"]), "unrated": "drop"},
        {"order": rng.sample(["yes", "no", "1", "2", "3", "a"], 3)},
        {"fold_case": True, "missing": ["no"], "mapping": {"yes": "YES"}, "unrated": "drop"},
        {"occasion": "occasion", "slices": ["gold"], "cluster": rng.choice(["text", "item"])},
    )
    return rng.choice(choices) if rng.random() < 0.5 else {}


def lines_of(path: Path) -> int | None:
    """How many rows a text table has by Python's own reader, or None where it cannot tell."""
    if path.suffix != ".csv":
        return None
    try:
        text = path.read_bytes().decode("utf-8-sig")
        first = text.splitlines()[0] if text.splitlines() else ""
        if first.lower().lstrip('"').startswith("sep="):
            return None
        sign = max((",", "\t", ";", "|"), key=first.count)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True)
        rows = [row for row in reader if row]
    except (UnicodeDecodeError, csv.Error, IndexError):
        return None
    return len(rows) - 1


def check_file(path: Path, options: dict[str, Any], *, predictions: bool) -> str:
    """Read a file as ratings, and perhaps as predictions; what became of it, in a word."""
    outcome, ratings = "read", None
    try:
        ratings = Ratings.read(path, **options)
        account(ratings, path)
    except HeadcountError as error:
        outcome = "refused"
        check_words(error, path)
    if not predictions:
        return outcome
    try:
        answers = Predictions.read(path)
        outcome += ", answers read"
        if ratings is not None:
            judge(ratings, answers, unknown="wrong")
    except HeadcountError as error:
        check_words(error, path)
    return outcome


def check_words(error: HeadcountError, path: Path) -> None:
    """The sentence, without what the user wrote, which is quoted in it, is ours."""
    told = re.sub(r"'[^']*'|\"[^\"]*\"", "", str(error).replace(str(path), ""))
    if ENGINE.search(told):
        raise AssertionError(f"engine text: {error}")


def account(ratings: Ratings, path: Path) -> None:
    """Every row is a rating, a missing answer, a copy or a retest.

    The rows of a text table are counted by Python's own reader; in an export some are left out.
    """
    assert ratings.notes
    if ratings.layout.kind == "counts":
        ratings.item_counts()
        return
    counted = ratings.n_ratings + ratings.n_missing + ratings.n_copies + ratings.n_retests
    assert ratings.source is not None
    rows = lines_of(path) if path.name.startswith("table") else None
    if rows is None and ratings.source.arrow is not None:
        rows = ratings.source.arrow.num_rows
    elif rows is None:
        (rows,) = ratings.source.ask_row("SELECT count(*) FROM source")
    cells = len(ratings.layout.others) if ratings.layout.kind == "wide" else 1
    assert counted == rows * cells, f"{counted} of {rows * cells} answers are accounted for"
    answers = ratings.answers()
    assert len(answers.item) == ratings.n_ratings + ratings.n_retests
    assert (answers.occasion == 0).sum() == ratings.n_ratings
    assert ratings.item_counts().counts.sum() == ratings.n_ratings


@contextmanager
def as_if_large(wanted: bool) -> Iterator[None]:
    """Files are counted where they lie and lazy frames where they live, as large ones are."""
    usual = size.HELD_AT_ONCE, size.LARGE_FILE, size.LARGE
    if wanted:
        size.HELD_AT_ONCE = size.LARGE_FILE = size.LARGE = -1
    try:
        yield
    finally:
        size.HELD_AT_ONCE, size.LARGE_FILE, size.LARGE = usual


def attack_file(rng: random.Random, folder: Path, *, broken: bool) -> list[Outcome]:
    """One file, whole or broken."""
    kind, content = make_file(rng, broken=broken)
    return [(kind, _read("table", kind, content, rng, folder))]


def attack_export(rng: random.Random, folder: Path) -> list[Outcome]:
    """An export of a tool, whole or broken."""
    kind, content = make_export(rng)
    content = mutate(content, rng) if rng.random() < 0.6 else content
    return [("export", _read("export", kind, content, rng, folder))]


def _read(stem: str, kind: str, content: bytes, rng: random.Random, folder: Path) -> str:
    path = folder / f"{stem}{kind}"
    path.write_bytes(content)
    with as_if_large(rng.random() < 0.17):
        return check_file(path, make_options(rng), predictions=rng.random() < 0.5)


def attack_containers(rng: random.Random, folder: Path) -> list[Outcome]:
    """One table with a row an answer, as an Arrow table and in two other containers."""
    columns = _long(rng)
    for name in ("item", "rater", "label"):
        if rng.random() < 0.3:
            columns[name] = _with_nasty_cells(columns[name], rng)
    options: dict[str, Any] = {"item": "item", "rater": "rater", "label": "label"}
    options |= rng.choice([{"unrated": "drop"}, {"unrated": "drop", "fold_case": True}, {}])
    told = "".join(as_text(cell) for column in columns.values() for cell in column)
    weights = KINDS | {"pandas": 10, "polars": 8, "lazy": 6, "duckdb": 4}
    if _IN_XML.search(told):
        del weights[".xlsx"]
    if "\0" in told:
        del weights[".csv"], weights[".tsv"]
    expected = _facts(lambda: Ratings.from_frame(pa.table(columns), **options))
    found: list[Outcome] = [("arrow", _word(expected))]
    for kind in sorted({pick(weights, rng), pick(weights, rng)}):
        large = rng.random() < 0.17
        with as_if_large(large):
            if kind in FILES:
                path = folder / f"t{kind}"
                path.write_bytes(FILES[kind](columns))
                got = _facts(lambda path=path: Ratings.read(path, **options))
            else:
                made = FRAMES[kind](columns)
                got = _facts(lambda made=made: Ratings.from_frame(made, **options))
        # A frame that lives elsewhere has no order: any of a rater's answers may be the first.
        upto = 3 if large and kind in ("lazy", "duckdb") and got != expected else None
        same = got[:upto] == expected[:upto]
        assert same, f"{kind} gives {got} where Arrow gives {expected}: {columns}"
        found.append((kind, _word(got)))
    return found


def _facts(make: Callable[[], Ratings]) -> Any:
    try:
        return facts(make())
    except HeadcountError as error:
        check_words(error, Path("t"))
        return type(error).__name__


def _word(found: Any) -> str:
    return "refused alike" if isinstance(found, str) else "read alike"


def attack(seed: int, folder: Path) -> list[Outcome]:
    """The inputs of one seed, and what became of each."""
    rng = random.Random(seed)
    which = rng.random()
    if which < 0.74:
        return attack_file(rng, folder, broken=True)
    if which < 0.82:
        return attack_file(rng, folder, broken=False)
    return attack_export(rng, folder) if which < 0.95 else attack_containers(rng, folder)
