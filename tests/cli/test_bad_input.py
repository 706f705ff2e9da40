"""Broken files, as users have them: one clear sentence, exit code 1, never a traceback."""

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

GOOD = "item,rater,label\n" + "".join(
    f"i{i},r{r},{'yes' if (i + r) % 3 else 'no'}\n" for i in range(4) for r in range(3)
)
PACKED = gzip.compress(
    ("item,rater,label\n" + "".join(f"{i * 7919 % 10007},r,y\n" for i in range(2000))).encode()
)
GOOD_PREDICTIONS = "item,model\ni0,yes\ni1,no\ni2,yes\ni3,no\n"

Run = Callable[..., tuple[int, str, str]]


def _says(outcome: tuple[int, str, str], *words: str) -> None:
    code, out, err = outcome
    assert code == 1, (code, out, err)
    assert out == ""
    assert err.startswith("headcount: ")
    assert err.count("\n") == 1, f"not one sentence: {err}"
    assert err.endswith(".\n")
    assert "Traceback" not in err
    for word in words:
        assert word in err, f"{word!r} is not in: {err}"


# name of the file, its content, what the sentence must name (place and remedy)
RATINGS = {
    "empty": ("r.csv", b"", ["r.csv is empty", "header"]),
    "header only": ("r.csv", b"item,rater,label\n", ["no ratings", "no rows"]),
    "blank header": ("r.csv", b"\n1,2,3\n", ["line 1", "header is blank"]),
    "nameless column": ("r.csv", b"item,,label\n1,2,3\n", ["line 1", "column 2", "no name"]),
    "column twice": ("r.csv", b"item,label,label\n1,a,b\n", ["'label'", "twice", "rename"]),
    "no item column": ("r.csv", b"thing,rater,label\n1,r,a\n", ["item", "'thing'", "--item"]),
    "only ids": ("r.csv", b"item\n1\n2\n", ["only the column 'item'"]),
    "latin-1": ("r.csv", GOOD.replace("no", "n\xf3").encode("latin-1"), ["UTF-8", "iconv"]),
    "latin-1 header": ("r.csv", "item,rater,l\xe1bel\n".encode("latin-1"), ["line 1", "UTF-8"]),
    "utf-16": ("r.csv", GOOD.encode("utf-16"), ["not UTF-8"]),
    "binary": ("r.csv", b"\x00\x01\x02" * 100, ["not UTF-8", "binary"]),
    "ragged rows": ("r.csv", (GOOD + "i9,r1\n").encode(), ["line 14", "2 fields", "3"]),
    "too many fields": ("r.csv", (GOOD + "i9,r1,yes,no\n").encode(), ["line 14", "quote"]),
    "open quote": ("r.csv", (GOOD + 'i9,r1,"yes\n').encode(), ["quote", "close"]),
    "blank item": ("r.csv", (GOOD + ",r1,yes\n").encode(), ["line 14", "item", "blank"]),
    "blank rater": ("r.csv", (GOOD + "i9,,yes\n").encode(), ["line 14", "rater", "anonymous"]),
    "all missing": ("r.csv", b"item,rater,label\n1,r,\n2,r,NaN\n", ["every label", "missing"]),
    "unrated item": ("r.csv", (GOOD + "i9,r1,\n").encode(), ["'i9'", "no rating", "--unrated"]),
    "free text": (
        "r.csv",
        ("item,label\n" + "".join(f"{i},text {i}\n" for i in range(1200))).encode(),
        ["1,200 different labels", "label="],
    ),
    "one long line": ("r.csv", b"item,rater,label\n" + b"x" * 10_000_000, ["longer than 2 MB"]),
    "long header": ("r.csv", b"x" * 10_000_000, ["line 1", "1 MB", "line ends"]),
    "unknown suffix": ("r.docx", b"PK\x03\x04", [".csv", ".parquet", "rename"]),
    "not a workbook": ("r.xlsx", b"PK\x03\x04", ["not a readable workbook", "save it again"]),
    "not parquet": ("r.parquet", b"item,label\n1,a\n", ["not a readable Parquet"]),
    "not json": ("r.jsonl", b'{"item": 1, "label"\n', ["JSON lines"]),
    "json of no records": ("r.json", json.dumps([1, 2, 3]).encode(), ["list of objects"]),
    "not gzip": ("r.csv.gz", GOOD.encode(), ["not a gzip", "without .gz"]),
    "damaged gzip": (
        "r.csv.gz",
        bytes(byte ^ (0xFF if k == 400 else 0) for k, byte in enumerate(PACKED)),
        ["damaged gzip", "pack it again"],
    ),
    "bomb in a later member": (
        "r.csv.gz",
        gzip.compress(GOOD.encode()) + gzip.compress(bytes(200 << 20)),
        ["500 times", "unpack"],
    ),
    "cut gzip": ("r.csv.gz", gzip.compress(GOOD.encode() * 50)[:-40], ["gzip", "r.csv.gz"]),
    "gzip bomb": ("r.csv.gz", gzip.compress(bytes(200 << 20)), ["500 times", "unpack"]),
    "negative count": ("c.csv", b"item,a,b\n1,2,9\n2,-1,3\n", ["line 3", "'a'", "whole number"]),
    "half a count": ("c.csv", b"item,a,b\n1,2,9\n2,1.5,3\n", ["line 3", "'1.5'", "count"]),
    "counts twice": ("c.csv", b"item,a,b\n1,2,9\n1,1,3\n", ["line 3", "'1'", "2 rows"]),
    "all zero counts": ("c.csv", b"item,a,b\n1,0,0\n", ["holds no ratings"]),
    "zero row": ("c.csv", b"item,a,b\n1,5,4\n2,0,0\n", ["'2'", "no rating", "--unrated"]),
    "wide or counts": ("c.csv", b"item,a,b\n1,0,1\n2,1,1\n", ["--layout"]),
}


@pytest.mark.parametrize("case", RATINGS)
def test_broken_ratings_give_one_sentence(case: str, run: Run, tmp_path: Path) -> None:
    name, content, words = RATINGS[case]
    file = tmp_path / name
    file.write_bytes(content)
    layout = ["--layout", "counts"] if name == "c.csv" and "--layout" not in words else []
    _says(run("doctor", file, *layout), name, *words)


PREDICTIONS = {
    "duplicate": (GOOD_PREDICTIONS + "i0,no\n", ["line 6", "'i0'", "one row an item"]),
    "blank item": (GOOD_PREDICTIONS + ",no\n", ["line 6", "blank"]),
    "only ids": ("item\ni0\n", ["a column a classifier"]),
    "header only": ("item,model\n", ["no predictions"]),
    "above one": ("item,m:yes\ni0,0.5\ni1,1.5\n", ["line 3", "'1.5'", "0 to 1"]),
    "below zero": ("item,m\ni0,0.5\ni1,-0.1\n", ["line 3", "'-0.1'", "0 to 1"]),
    "not a number": ("item,m:yes\ni0,0.5\ni1,high\n", ["line 3", "'high'", "probability"]),
    "no number": ("item,m:yes\ni0,high\n", ["'m:yes'", "'high'", "--map"]),
    "sums to two": ("item,m:yes,m:no\ni0,0.5,0.5\ni1,1,1\n", ["line 3", "sum to 2"]),
    "half blank": ("item,m:yes,m:no\ni0,0.5,\n", ["line 2", "all or none"]),
    "label never seen": ("item,m:maybe\ni0,0.5\n", ["'maybe'", "no rater used", "'no', 'yes'"]),
    "no shared item": ("item,m\nx1,yes\n", ["'x1'", "same item ids"]),
}


@pytest.mark.parametrize("case", PREDICTIONS)
def test_broken_predictions_give_one_sentence(case: str, run: Run, tmp_path: Path) -> None:
    content, words = PREDICTIONS[case]
    ratings, predictions = tmp_path / "r.csv", tmp_path / "p.csv"
    ratings.write_text(GOOD)
    predictions.write_text(content)
    _says(run("doctor", ratings, predictions), *words)


def test_a_missing_column_of_a_many_label_classifier_is_named(run: Run, tmp_path: Path) -> None:
    ratings, predictions = tmp_path / "r.csv", tmp_path / "p.csv"
    ratings.write_text("item,rater,label\n1,a,x\n1,b,y\n2,a,z\n2,b,z\n")
    predictions.write_text("item,m:x,m:y\n1,0.5,0.5\n")
    _says(run("doctor", ratings, predictions), "'z'", "'m:z'")


def test_a_path_that_is_not_there(run: Run, tmp_path: Path) -> None:
    _says(run("doctor", tmp_path / "nothing.csv"), "nothing.csv", "does not exist", "check")


def test_a_directory(run: Run, tmp_path: Path) -> None:
    _says(run("doctor", tmp_path), "directory", "name the file")


def test_a_device(run: Run) -> None:
    _says(run("doctor", "/dev/null"), "not a regular file")


def test_a_column_that_is_not_there(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text(GOOD)
    _says(run("doctor", file, "--rater", "who"), "'who'", "'item', 'rater', 'label'")


def test_an_order_that_misses_a_label(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text(GOOD)
    _says(run("doctor", file, "--order", "no,maybe"), "'yes'", "add them")


def test_a_file_without_permission(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    file.write_text(GOOD)
    file.chmod(0)
    if os.geteuid() != 0:
        _says(run("doctor", file), "may not be read", "permissions")
        return
    os.seteuid(65534)  # root reads everything, so ask as nobody
    try:
        outcome = run("doctor", file)
    finally:
        os.seteuid(0)
    _says(outcome, "may not be read", "permissions")


def test_a_parquet_file_cut_short(run: Run, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.parquet", tmp_path / "cut.parquet"
    pq.write_table(pa.table({"item": ["1"] * 99, "label": ["a"] * 99}), whole)
    cut.write_bytes(whole.read_bytes()[:-20])
    _says(run("doctor", cut), "cut.parquet", "Parquet")


def test_usage_errors_exit_with_two(run: Run) -> None:
    code, _, err = run("doctor")
    assert code == 2
    assert "RATINGS" in err
    code, _, err = run("doctor", "x.csv", "--nonsense")
    assert code == 2
    assert "nonsense" in err
