"""A file of ratings is read through once, however many questions are asked of it."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

import headcount as hc
from headcount.counting import size
from headcount.door import scans
from headcount.simulate import make


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    made = make("comments", seed=3, items=60)
    made.write(tmp_path)
    return tmp_path / "ratings.csv", tmp_path / "predictions.csv"


def _ask_everything(ratings: hc.Ratings) -> None:
    ratings.patterns()
    assert ratings.n_retests
    assert ratings.n_raters
    ratings.item_counts()
    ratings.answers()
    assert ratings.pools == ()
    assert ratings.notes
    ratings.pool(raters=[str(ratings.answers().raters[0])])


def test_a_file_of_usual_size_is_scanned_once(files: tuple[Path, Path]) -> None:
    scans.clear()
    _ask_everything(hc.Ratings.read(files[0]))
    assert scans == {str(files[0]): 1}


def test_evaluate_scans_each_file_once(files: tuple[Path, Path]) -> None:
    scans.clear()
    hc.evaluate(hc.Ratings.read(files[0]), hc.Predictions.read(files[1]), n_bootstrap=5)
    assert scans == {str(files[0]): 1, str(files[1]): 1}


def test_a_large_file_is_counted_where_it_lies_and_held_for_later_questions(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = hc.Ratings.read(files[0])
    monkeypatch.setattr(size, "HELD_AT_ONCE", -1)
    scans.clear()
    ratings = hc.Ratings.read(files[0])
    first = scans[str(files[0])]
    _ask_everything(ratings)
    assert scans[str(files[0])] == first + 1
    assert ratings.patterns().counts.tolist() == held.patterns().counts.tolist()
    assert ratings.notes == held.notes


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_spaces_in_a_large_file_are_taken_off(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = {
        "item": ["1", "1", " 1", "2"],
        "rater": ["ann", "ann ", "ben", "ann"],
        "label": ["x", "y ", "x", "y"],
    }
    path = tmp_path / f"ratings{suffix}"
    write = pq.write_table if suffix == ".parquet" else csv.write_csv
    write(pa.table(columns), path)
    monkeypatch.setattr(size, "HELD_AT_ONCE", -1)
    ratings = hc.Ratings.read(path)
    assert (ratings.n_items, ratings.n_raters, ratings.n_retests) == (2, 2, 1)
    only = pa.table(columns | {"item": ["1", "1", "1", "2"]})
    write(only, path)  # spaces around the rater alone
    assert hc.Ratings.read(path).n_retests == 1


def test_a_huge_file_is_never_held(
    files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    held = hc.Ratings.read(files[0])
    for bound in ("HELD_AT_ONCE", "LARGE_FILE", "HELD_AT_ALL"):
        monkeypatch.setattr(size, bound, -1)
    ratings = hc.Ratings.read(files[0])
    assert (ratings.answers().label == held.answers().label).all()
    assert ratings.item_counts().counts.tolist() == held.item_counts().counts.tolist()
    assert ratings.n_raters == held.n_raters


@pytest.mark.parametrize("name", ["running-example", "xhate-retest"])
def test_real_files_are_scanned_once(name: str, shared_data: Callable[[str], Path]) -> None:
    file = shared_data(name) / "ratings.csv"
    scans.clear()
    ratings = hc.Ratings.read(file)
    ratings.answers()
    ratings.item_counts()
    assert scans == {str(file): 1}
