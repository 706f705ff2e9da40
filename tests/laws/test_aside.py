"""Work in a second process: what comes back, and what is left where it ends badly."""

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import headcount as hc
from headcount.aside import Aside, aside, can_work_aside
from headcount.errors import OptionError

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes")


def test_what_was_found_comes_from_another_process() -> None:
    with aside(lambda: {"by": os.getpid(), "found": [1, 2]}, wanted=True) as begun:
        told = begun.found()
    assert told is not None
    assert told["found"] == [1, 2]
    assert told["by"] != os.getpid()


def test_nothing_is_begun_where_it_is_not_wanted() -> None:
    with aside(os.getpid, wanted=False) as begun:
        assert begun.found() is None


def test_it_is_busy_until_it_has_found_something(tmp_path: Path) -> None:
    go_on = tmp_path / "go on"

    def work() -> int:
        while not go_on.exists():
            time.sleep(0.01)
        return 7

    with aside(work, wanted=True) as begun:
        assert begun.busy
        go_on.touch()
        while begun.busy:
            time.sleep(0.01)
        assert begun.found() == 7
        assert not begun.busy


def test_processes_that_the_system_clears_away_cost_time_only() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        with aside(os.getpid, wanted=True) as begun:
            assert begun.found() is None
        with aside(lambda: time.sleep(600), wanted=True):
            pass
    finally:
        signal.signal(signal.SIGCHLD, before)


def _dies() -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 1


def _fails() -> int:
    raise ValueError("of no use here")


@pytest.mark.parametrize("work", [_dies, _fails, lambda: lambda: 1], ids=["dies", "fails", "local"])
def test_work_that_does_not_come_to_its_end_is_left_to_the_caller(
    work: Callable[[], Any], capfd: pytest.CaptureFixture[str]
) -> None:
    with aside(work, wanted=True) as begun:
        assert begun.found() is None
        assert begun.found() is None
    assert capfd.readouterr() == ("", "")


def test_a_block_left_early_takes_the_second_process_along(tmp_path: Path) -> None:
    begun = tmp_path / "pid"

    def work() -> None:
        begun.write_text(str(os.getpid()))
        time.sleep(600)

    def broken_off() -> None:
        with aside(work, wanted=True):
            while not (begun.exists() and begun.read_text()):
                time.sleep(0.01)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    with pytest.raises(ProcessLookupError):
        os.kill(int(begun.read_text()), 0)


@pytest.mark.parametrize("end", [lambda: None, _dies], ids=["ends", "dies"])
def test_temporary_files_of_the_second_process_last_as_long_as_the_block(
    end: Callable[[], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def work() -> None:
        Path(tempfile.mkdtemp(), "rows").write_text("1")
        end()

    with aside(work, wanted=True) as begun:
        begun.found()
        assert [each.name for each in tmp_path.rglob("rows")] == ["rows"]
    assert list(tmp_path.iterdir()) == []


def test_a_second_process_that_counts_leaves_no_folder_and_the_first_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    table = hc.Ratings.from_frame(pa.table({"item": [1, 1, 2], "label": ["a", "b", "a"]}))
    before = table.n_items, sorted(tmp_path.iterdir())

    def work() -> int:
        rows = pa.table({"item": [7, 8], "label": ["a", "b"]})
        return hc.Ratings.from_frame(rows).n_items

    with aside(work, wanted=True) as begun:
        assert begun.found() == 2
    assert (hc.Ratings.from_frame(pa.table({"item": [3], "label": ["a"]})).n_items) == 1
    assert (table.n_items, sorted(tmp_path.iterdir())) == before


@pytest.mark.skipif(not can_work_aside(), reason="there is one processor only")
@pytest.mark.parametrize("recipe", ["comments", "scores"])
def test_two_processes_tell_the_same_as_one(recipe: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the second one is heard: were its work done here after all, nobody would notice."""
    made = hc.simulate.make(recipe, items=80, seed=3)
    alone = hc.evaluate(made.ratings, made.predictions, n_bootstrap=40)
    heard = []

    @contextmanager
    def listening(work: Callable[[], Any], *, wanted: bool) -> Iterator[Aside[Any]]:
        with aside(work, wanted=wanted) as begun:
            yield begun
            heard.append(begun.found())

    monkeypatch.setattr(sys.modules["headcount.evaluation.evaluate"], "aside", listening)
    both = hc.evaluate(made.ratings, made.predictions, n_bootstrap=40, processes=2)
    assert both.to_dict() == alone.to_dict()
    assert heard
    assert set(heard[0]) == {"accuracy", "scores", "levels", "agreement"}


@pytest.mark.parametrize("processes", [0, 3, "two", None])
def test_other_numbers_of_processes_are_refused(processes: Any) -> None:
    made = hc.simulate.make("comments", items=20)
    with pytest.raises(OptionError, match="processes is 1 or 2"):
        hc.evaluate(made.ratings, made.predictions, processes=processes)
