"""A standing attack on the door: broken files of every format, with two things that must hold.

Only a HeadcountError may be raised, in words that are not the engine's; and what is read accounts
for every row: rows = ratings + missing + copies + retests. `python -m tests.door.attack SECONDS`
runs it for as long as asked and prints what happened; a part of it runs with the tests.
"""

import csv
import gzip
import io
import json
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from headcount import Predictions, Ratings
from headcount.data import judge
from headcount.door.database import connect
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


def _rows(rng: random.Random) -> list[dict[str, Any]]:
    labels: list[Any] = rng.choice(
        [["yes", "no"], ["1", "2", "3"], ["a", "b", "c", "d"], [1.0, 2.0], [True, False]]
    )
    items, raters = rng.randint(1, 6), rng.randint(1, 4)
    made = [
        {"item": f"i{i}", "rater": f"r{r}", "label": rng.choice(labels)}
        for i in range(items)
        for r in range(raters)
        if rng.random() < 0.9
    ]
    extra = rng.choice([None, None, "occasion", "gold", "text", "group", "weight", "note"])
    if extra:
        for k, row in enumerate(made):
            row[extra] = rng.choice([k, "x", 1.5, "2024-01-02"])
    if made and rng.random() < 0.4:
        made += [dict(rng.choice(made)) for _ in range(rng.randint(1, 3))]
    return made


def _wide(rng: random.Random) -> list[dict[str, Any]]:
    raters = [rng.choice(["reader", "ann", "r"]) + str(j) for j in range(rng.randint(2, 4))]
    return [
        {"item": i} | {name: rng.choice(["yes", "no", ""]) for name in raters}
        for i in range(rng.randint(1, 6))
    ]


def _counts(rng: random.Random) -> list[dict[str, Any]]:
    return [{"item": i, "ok": rng.randint(0, 9), "bad": rng.randint(0, 9)} for i in range(4)]


def _exports(rng: random.Random) -> Any:
    choice = {"from_name": "q", "type": "choices", "value": {"choices": [rng.choice("ab")]}}
    return rng.choice(
        [
            [
                {
                    "id": 1,
                    "data": {"t": "x"},
                    "annotations": [{"completed_by": 1, "result": [choice]}],
                    "predictions": [{"model_version": "m", "result": [choice]}],
                }
            ],
            [
                {
                    "_task_hash": 1,
                    "_input_hash": 2,
                    "answer": "accept",
                    "accept": ["a"],
                    "options": [],
                }
            ],
            [{"id": 1, "text": "t", "cats": ["a"]}, {"id": 2, "text": "u", "cats": ["b"]}],
            {"1": {"annotations": "0,1", "annotators": "A,B", "annotation task": "t"}},
            {"1": {"annotations": {"A": "1", "B": "2"}, "annotators": "A,B"}},
            [{"id": 1, "label_annotations": {"Q": {"A": "5", "B": "4"}}}],
            {
                "eval": {"model": "m"},
                "samples": [{"id": 1, "target": "x", "scores": {"s": {"value": "C"}}}],
            },
            {
                "results": {
                    "results": [
                        {
                            "testIdx": 0,
                            "promptIdx": 0,
                            "gradingResult": {
                                "componentResults": [
                                    {"assertion": {"type": "llm-rubric"}, "pass": True, "score": 1}
                                ]
                            },
                        }
                    ]
                }
            },
            {
                "testCases": [
                    {"name": "a", "metricsData": [{"name": "m", "success": True, "score": 1}]}
                ]
            },
            {"columns": ["x/v1/score"], "data": [[1.0], [None]]},
            [{"source-ref": "s", "job": 1, "job-metadata": {"class-name": "a"}}],
            {"answers": [{"answerContent": {"a": {"label": "x"}}, "workerId": "w"}]},
            [{"id": "r", "responses": {"q": [{"value": "a", "user_id": "u"}]}, "suggestions": {}}],
            [{"model_a": "x", "model_b": "y", "winner": "model_a", "judge": "j", "question_id": 1}],
            [{"output_1": "a", "output_2": "b", "preference": 1.2, "annotator": "n"}],
            [{"id": 1, "scores": {"a": 1}, "input": "x"}],
            [{"id": 1, "annotations": {"ann": "yes", "ben": "no"}}],
            [{"id": 1, "annotators": ["a", "b"], "labels": ["x", "y"]}],
        ]
    )


def _delimited(rows: list[dict[str, Any]], sign: str, rng: random.Random) -> bytes:
    names = list(dict.fromkeys(name for row in rows for name in row)) or ["item", "label"]
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=sign, lineterminator=rng.choice(["\n", "\n", "\r\n", "\r"]))
    writer.writerow(names)
    writer.writerows([row.get(name, "") for name in names] for row in rows)
    return out.getvalue().encode()


def _parquet(rows: list[dict[str, Any]]) -> bytes:
    names = list(dict.fromkeys(name for row in rows for name in row)) or ["item"]
    columns = []
    for name in names:
        values = [row.get(name) for row in rows]
        try:
            columns.append(pa.array(values))
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            columns.append(pa.array([None if v is None else str(v) for v in values]))
    out = io.BytesIO()
    pq.write_table(pa.table(columns, names), out)
    return out.getvalue()


def make_file(rng: random.Random) -> tuple[str, bytes]:
    """A file's ending and content, whole or broken."""
    rows = rng.choice([_rows, _rows, _rows, _wide, _counts])(rng)
    if rng.random() < 0.5:
        for row in rows:
            if row and rng.random() < 0.3:
                row[rng.choice(list(row))] = rng.choice(NASTY)
    if rows and rng.random() < 0.2:
        old = rng.choice(list(rows[0]))
        new = rng.choice(NASTY)
        rows = [{(new if name == old else name): v for name, v in row.items()} for row in rows]
    kind = rng.choice([".csv", ".csv", ".csv", ".tsv", ".jsonl", ".json", ".parquet", ".export"])
    if kind in (".csv", ".tsv"):
        content = _delimited(rows, "\t" if kind == ".tsv" else rng.choice(",,;|"), rng)
    elif kind == ".jsonl":
        content = "\n".join(json.dumps(row) for row in rows).encode()
    elif kind == ".json":
        content = json.dumps(rows).encode()
    elif kind == ".parquet":
        content = _parquet(rows)
    else:
        document = _exports(rng)
        kind = rng.choice([".json", ".jsonl"])
        lines = kind == ".jsonl" and isinstance(document, list)
        content = ("\n".join(map(json.dumps, document)) if lines else json.dumps(document)).encode()
    if rng.random() < 0.6:
        content = mutate(content, rng)
    if rng.random() < 0.05:
        kind, content = kind + ".gz", gzip.compress(content)
        content = mutate(content, rng) if rng.random() < 0.5 else content
    return kind, content


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


OPTIONS: tuple[Callable[[random.Random], dict[str, Any]], ...] = (
    lambda _: {},
    lambda _: {"unrated": "drop"},
    lambda rng: {"label": rng.choice(["label", "gold", "note", "ok", "a.b", "x[]", "c0"])},
    lambda rng: {"raters": rng.choice(["r*", "reader*", "*", "ann?"]), "unrated": "drop"},
    lambda rng: {"layout": rng.choice(["long", "wide", "counts"]), "unrated": "drop"},
    lambda rng: {"order": rng.sample(["yes", "no", "1", "2", "3", "a"], 3)},
    lambda _: {"fold_case": True, "missing": ["no"], "mapping": {"yes": "YES"}, "unrated": "drop"},
    lambda rng: {
        "occasion": "occasion",
        "slices": ["gold"],
        "cluster": rng.choice(["text", "item"]),
    },
)


def rows_of(path: Path) -> int | None:
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


def check(path: Path, options: dict[str, Any]) -> str:
    """Read a file as ratings and as predictions; what became of it, in a word."""
    outcome = "read"
    try:
        ratings = Ratings.read(path, **options)
        _account(ratings, path)
    except HeadcountError as error:
        outcome = "refused"
        _check_words(error, path)
        ratings = None
    try:
        predictions = Predictions.read(path)
        if ratings is not None:
            judge(ratings, predictions, unknown="wrong")
    except HeadcountError as error:
        _check_words(error, path)
    return outcome


def _check_words(error: HeadcountError, path: Path) -> None:
    if ENGINE.search(_without_names(str(error), path)):
        raise AssertionError(f"engine text: {error}")


def _without_names(message: str, path: Path) -> str:
    """The sentence without what the user wrote, which is quoted in it."""
    return re.sub(r"'[^']*'|\"[^\"]*\"", "", message.replace(str(path), ""))


def _account(ratings: Ratings, path: Path) -> None:
    ratings.item_counts()
    assert ratings.notes
    if ratings.layout.kind == "counts":
        return
    counted = ratings.n_ratings + ratings.n_missing + ratings.n_copies + ratings.n_retests
    assert ratings.source is not None
    (rows,) = ratings.source.ask_row("SELECT count(*) FROM source")
    cells = len(ratings.layout.others) if ratings.layout.kind == "wide" else 1
    assert counted == rows * cells, f"{counted} of {rows * cells} answers are accounted for"
    lines = rows_of(path)
    assert lines is None or lines == rows, f"{rows} rows read of {lines}"
    answers = ratings.answers()
    assert len(answers.item) == ratings.n_ratings + ratings.n_retests
    assert (answers.occasion == 0).sum() == ratings.n_ratings


def attack(seed: int, folder: Path) -> str:
    """One input of the attack."""
    rng = random.Random(seed)
    kind, content = make_file(rng)
    path = folder / f"t{kind}"
    path.write_bytes(content)
    try:
        return check(path, rng.choice(OPTIONS)(rng))
    finally:
        path.unlink()


def main() -> None:
    """Attack for as many seconds as asked, and print the counts."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    counts: Counter[str] = Counter()
    with connect() as connection:  # tables of a few rows are read fastest by one thread
        connection.execute("SET threads = 1")
    end = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as name:
        while time.monotonic() < end:
            try:
                counts[attack(seed, Path(name))] += 1
            except Exception as error:  # which is what the attack is after
                counts["broken"] += 1
                print(f"seed {seed}: {type(error).__name__}: {str(error)[:300]}", flush=True)
            seed += 1
    print(f"{counts.total():,} inputs: " + ", ".join(f"{n:,} {k}" for k, n in counts.items()))
    sys.exit(counts["broken"] > 0)


if __name__ == "__main__":
    main()
