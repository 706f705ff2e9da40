"""One database a process: safe across threads, forks and rewritten files, silent at exit."""

import gc
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headcount import HeadcountError, Ratings
from headcount.counting import size
from headcount.door import database
from headcount.errors import OptionError
from headcount.scratch import Scratch

_FORKS = """
import os, sys
import headcount as hc
hc.Ratings.read(sys.argv[1])
child = os.fork()
if child == 0:
    os._exit(0 if hc.Ratings.read(sys.argv[1]).n_items == 2 else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
_BROKEN_OFF = """
import os, signal, sys, threading
from headcount.door import database
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where a shell's "&" began this
long = f"{sys.argv[1]} sum(hash(range)) FROM range(2000000000)"  # seconds: DuckDB ends begun tasks
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    with database.connect() as connection:
        connection.execute(long).fetchall()
except KeyboardInterrupt:
    with database.connect() as connection:
        left = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    print(f"broken off, {left}")
"""

_KEPT = """
import os, sys
import headcount as hc
from headcount.counting import size
size.HELD_AT_ONCE = size.LARGE_FILE = -1
ratings = hc.Ratings.read(sys.argv[1])
child = os.fork()
if child == 0:
    os._exit(0 if len(ratings.item_counts().items) == 2 else 1)
assert len(ratings.item_counts().items) == 2
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def _write(path: Path, items: int) -> Path:
    ids = [str(i) for i in range(items)] * 2
    pq.write_table(pa.table({"item": ids, "label": ["a"] * items + ["b"] * items}), path)
    return path


def test_threads_do_not_see_each_others_tables(tmp_path: Path) -> None:
    files = [_write(tmp_path / f"{n}.parquet", n) for n in range(1, 9)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda file: Ratings.read(file).n_items, files * 3))
    assert found == list(range(1, 9)) * 3


def test_a_rewritten_file_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "ratings.parquet"
    assert [Ratings.read(_write(path, n)).n_items for n in (3, 5, 2)] == [3, 5, 2]


def test_a_forked_child_reads_too_and_nothing_is_printed_at_exit(tmp_path: Path) -> None:
    path = _write(tmp_path / "ratings.parquet", 2)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _FORKS, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_file_that_breaks_the_engine_is_refused_and_the_next_one_read(tmp_path: Path) -> None:
    """Bytes that are no text in a Parquet file make DuckDB give its whole database up."""
    path = tmp_path / "bytes.parquet"
    columns = {"item": [1, 2], "rater": ["r", "r"], "label": ["a", "b"], "note": ["2023-10-11"] * 2}
    pq.write_table(pa.table(columns), path, compression="none")
    path.write_bytes(path.read_bytes().replace(b"2023-10-11", b"2023-\x830-11", 1))
    with pytest.raises(HeadcountError, match="cannot be read"):
        Ratings.read(path)
    assert Ratings.read(_write(tmp_path / "whole.parquet", 3)).n_items == 3


def test_bytes_that_are_no_text_are_refused_in_a_frame_too_and_the_column_named() -> None:
    """Some versions of the engine would look at them without end."""
    latin = pa.array([b"sch\xf6n", b"gut"]).cast(pa.string(), safe=False)
    kept_apart = latin.dictionary_encode()
    for labels in (latin, kept_apart):
        table = pa.table({"item": [1, 2], "rater": ["r", "r"], "label": labels})
        with pytest.raises(HeadcountError, match="'label' holds bytes that are not text in UTF-8"):
            Ratings.from_frame(table)


def test_memory_is_held_to_what_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(database.MEMORY, "300MB")
    spilled = Scratch()
    with database._open(spilled) as connection:
        told = connection.execute("SELECT current_setting('memory_limit')").fetchall()
    assert "286" in str(told)  # three hundred million bytes, told in units of 2²⁰
    monkeypatch.setenv(database.MEMORY, "a lot")
    with pytest.raises(OptionError, match="HEADCOUNT_MEMORY is a size such as 6GB"):
        database._open(Scratch())


def _tables() -> list[str]:
    with database.connect() as connection:
        rows = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    return [name for (name,) in rows]


def test_counts_of_a_large_file_are_kept_as_long_as_its_ratings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(size, "HELD_AT_ONCE", -1)
    monkeypatch.setattr(size, "LARGE_FILE", -1)
    before = _tables()
    ratings = Ratings.read(_write(tmp_path / "ratings.parquet", 3))
    assert len(_tables()) == len(before) + 1
    assert ratings.item_counts().counts.tolist() == [[1, 1]] * 3
    del ratings
    gc.collect()
    assert _tables() == before


def test_a_forked_child_counts_again_what_its_parent_kept(tmp_path: Path) -> None:
    path = _write(tmp_path / "ratings.parquet", 2)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _KEPT, str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("ask", ["SELECT", "CREATE TABLE broken_off AS SELECT"])
def test_breaking_off_a_question_ends_like_any_other_work(ask: str) -> None:
    """In a process of its own, where Ctrl-C is sure to be heard."""
    done = subprocess.run(
        [sys.executable, "-c", _BROKEN_OFF, ask],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "broken off, []\n", "")
