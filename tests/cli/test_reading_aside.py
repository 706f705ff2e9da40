"""Small files are read in a second process: nobody can tell by what is said."""

import gzip
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyarrow import csv
from typer.testing import CliRunner

import headcount as hc
from headcount.aside import Aside, aside, can_work_aside
from headcount.cli import reading
from headcount.cli.app import app
from headcount.errors import InputError

pytestmark = pytest.mark.skipif(not can_work_aside(), reason="there is no second processor")

Heard = list[Any]


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    """What each second process handed over."""
    handed: Heard = []

    @contextmanager
    def listening(work: Callable[[], Any], *, wanted: bool) -> Iterator[Aside[Any]]:
        with aside(work, wanted=wanted) as begun:
            yield begun
            handed.append(begun.found())

    monkeypatch.setattr(reading, "aside", listening)
    return handed


def _packed(folder: Path, recipe: str) -> list[str]:
    hc.simulate.make(recipe, items=60, seed=2).write(folder)
    files = []
    for name in ("ratings.csv", "predictions.csv"):
        packed = folder / f"{name}.gz"
        packed.write_bytes(gzip.compress((folder / name).read_bytes()))
        files.append(str(packed))
    return files


def _said(*words: str) -> Any:
    done = CliRunner().invoke(app, ["evaluate", *words, "--format", "json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize("recipe", ["comments", "scores", "running-example"])
def test_what_was_read_aside_is_evaluated_like_what_was_read_here(
    recipe: str, heard: Heard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = _packed(tmp_path, recipe)
    aside_said = _said(*files, "--n-bootstrap", "20")
    assert [sorted(each) for each in heard] == [["predictions", "ratings"]]
    monkeypatch.setattr(reading, "_SMALL", 0)
    assert _said(*files, "--n-bootstrap", "20") == aside_said
    assert heard[1:] == [None]


def test_a_column_that_is_asked_for_later_is_still_there_and_nothing_stays(
    heard: Heard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The unpacked file goes along with the ratings, and goes when the command ends."""
    files = _packed(tmp_path, "comments")
    rows = gzip.decompress(Path(files[0]).read_bytes()).decode().splitlines()
    rated = [f"{rows[0]},slip", *(f"{row},0.05" for row in rows[1:])]
    Path(files[0]).write_bytes(gzip.compress("\n".join(rated).encode()))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    said = _said(*files, "--n-bootstrap", "20", "--flip-rate", "slip")
    assert said["primary_labels"]["flip_rate"]["mean"] == pytest.approx(0.05)
    assert heard[0] is not None
    assert not [each for each in scratch.rglob("*") if each.is_file()]


def test_many_ratings_in_few_bytes_are_read_here(heard: Heard, tmp_path: Path) -> None:
    """Handing millions of ratings over would take longer than reading them."""
    files = _packed(tmp_path, "comments")
    pq.write_table(csv.read_csv(tmp_path / "ratings.csv"), tmp_path / "ratings.parquet")
    _said(str(tmp_path / "ratings.parquet"), files[1], "--n-bootstrap", "20")
    assert heard == [None]


def test_a_name_that_no_file_can_have_is_told_of() -> None:
    done = CliRunner().invoke(app, ["evaluate", "a" * 300, "b.csv"])
    assert isinstance(done.exception, InputError)


def test_what_was_read_aside_needs_no_database_here(tmp_path: Path) -> None:
    """It would be loaded and opened while nothing else can be done."""
    files = _packed(tmp_path, "comments")
    said = ["evaluate", *files, "--n-bootstrap", "20", "--format", "json"]
    code = f"""
import sys
sys.argv[1:] = {said!r}
from headcount.cli import main
try:
    main()
except SystemExit:
    pass
print("duckdb" in sys.modules, "narwhals" in sys.modules, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == ["False", "False"]


def test_wrong_input_is_told_of_in_the_same_words(heard: Heard, tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text("who,what\nann,cat\n")
    (tmp_path / "predictions.csv").write_text("item,model\n1,cat\n")
    words = [str(tmp_path / name) for name in ("ratings.csv", "predictions.csv")]
    done = CliRunner().invoke(app, ["evaluate", *words])
    assert heard == []  # it ended before anything could be asked of it
    with pytest.raises(InputError) as error:
        hc.Ratings.read(words[0])
    assert str(done.exception) == str(error.value)
