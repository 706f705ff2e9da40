"""Many wishes at one moment: clicks, scripts, deletes and a server that is killed."""

import json
import shutil
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from tests.web.site import SMALL

from headcount.errors import HeadcountError
from headcount.results.files import write_content
from headcount.web import jobs as jobs_room
from headcount.web.desk import Desk
from headcount.web.folder import Folder, Incoming
from headcount.web.jobs import Jobs

LASTING = 600.0
"""Seconds: longer than a history of wishes."""
STUB = textwrap.dedent(
    """
    import json, sys, time
    from pathlib import Path
    orders = json.loads(sys.stdin.readline())
    # What is wished of an evaluation is no wish of the look that comes after it.
    options = orders["options"] if orders["task"] == "evaluate" else {}
    time.sleep(options.get("seconds", 0.0))
    folder = Path(orders["folder"])
    if orders["task"] == "look":
        (folder / "look.json").write_text(json.dumps({"understood": True}))
    else:
        (folder / "result.json").write_text("{}")
    print(json.dumps({"ended": options.get("fails", "")}), flush=True)
    """
)
"""A worker that takes as long and ends as it is told: what is tried here is the desk."""


def _quicken(patch: pytest.MonkeyPatch) -> None:
    real = jobs_room.subprocess.Popen

    def started(_: Any, **options: Any) -> Any:
        return real([sys.executable, "-S", "-c", STUB], **options)

    patch.setattr(jobs_room.subprocess, "Popen", started)


def desk_on(folder: Path, waiting: int = 40) -> Desk:
    """A desk as a server has it."""
    from dataclasses import replace

    limits = replace(SMALL, waiting=waiting, jobs=2)
    return Desk(Folder(folder), Jobs(limits), limits)


def uploaded(desk: Desk, content: bytes) -> dict[str, list[Incoming]]:
    """Ratings that have come in."""
    file = desk.folder.incoming("ratings.csv")
    file.write(content)
    return {"ratings": [file]}


def settled(desk: Desk, id: str) -> dict[str, Any]:
    """A study once nothing is done on it."""
    until = time.monotonic() + 30
    while desk.jobs.of(id) is not None:
        assert time.monotonic() < until
        time.sleep(0.01)
    return desk.told(id)


def closed(desk: Desk) -> None:
    """A server that ends."""
    desk.jobs.close()
    desk.folder.close()


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A desk with workers that load nothing."""
    _quicken(monkeypatch)
    found = desk_on(tmp_path / "studies")
    yield found
    closed(found)


def refusal(wish: Any) -> str:
    """Why a wish was refused; "" where it was not."""
    try:
        wish()
    except HeadcountError as error:
        return str(error)
    return ""


def at_once(work: Any, times: int) -> list[Any]:
    """The same work from many threads that start together."""
    start = threading.Barrier(times)

    def one(number: int) -> Any:
        start.wait()
        try:
            return work(number)
        except HeadcountError as error:
            return error

    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(one, range(times)))


def test_eight_clicks_on_evaluate_are_one_evaluation(desk: Desk) -> None:
    id = desk.add(uploaded(desk, b"a"), "").id
    settled(desk, id)
    answers = at_once(lambda _: desk.evaluate(id, {"seconds": 0.5}), 8)
    assert not [each for each in answers if isinstance(each, Exception)]
    assert len([job for job in desk.jobs._running if job.study == id]) == 1
    assert settled(desk, id)["state"] == "done"


def test_another_wish_meanwhile_is_refused_and_changes_nothing(desk: Desk) -> None:
    id = desk.add(uploaded(desk, b"a"), "").id
    settled(desk, id)
    desk.evaluate(id, {"seconds": 0.5})
    answers = at_once(lambda n: desk.evaluate(id, {"seconds": 0.5, "seed": n}), 8)
    assert all("being worked on" in str(each) for each in answers)
    assert desk.folder.get(id).options == {"seconds": 0.5}
    with pytest.raises(HeadcountError, match="cancel that first"):
        desk.delete(id)
    assert settled(desk, id)["state"] == "done"


def test_a_full_queue_refuses_and_leaves_the_study_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _quicken(monkeypatch)
    desk = desk_on(tmp_path / "studies", waiting=1)
    ids = []
    for number in range(4):
        ids.append(desk.add(uploaded(desk, bytes([number])), "").id)
        settled(desk, ids[-1])
    for id in ids[:3]:  # two run, one waits
        desk.evaluate(id, {"seconds": 0.5})
    with pytest.raises(HeadcountError, match="waiting already"):
        desk.evaluate(ids[3], {})
    told = desk.told(ids[3])
    assert (told["state"], told["sentence"], told["options"]) == ("ready", "", {})
    closed(desk)


def test_threads_may_write_one_path(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    answers = at_once(lambda n: write_content(path, f"{n}" * 200_000, "The report"), 6)
    assert answers == [path] * 6
    assert len(set(path.read_text())) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]


class Studies(RuleBasedStateMachine):
    """Twenty studies, everything that can be wished of them, in any order, with restarts."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = pytest.MonkeyPatch()
        _quicken(self.patch)
        self.known: dict[str, bool] = {}
        """The studies that are there, and whether each was ever done."""

    @initialize(folder=st.just(None))
    def begin(self, folder: None) -> None:
        import tempfile

        self.path = Path(tempfile.mkdtemp()) / "studies"
        self.desk = desk_on(self.path)

    def teardown(self) -> None:
        closed(self.desk)
        shutil.rmtree(self.path.parent)
        self.patch.undo()

    def pick(self, number: int) -> str:
        return list(self.known)[number % len(self.known)]

    def calm(self) -> None:
        """Wait until only work that lasts is under way: what follows hangs on no clock."""
        until = time.monotonic() + 60
        while any(
            job.task == "look" or not job.orders["options"].get("seconds") or job.process is None
            for job in list(self.desk.jobs._running)
        ):
            assert time.monotonic() < until
            time.sleep(0.002)

    @precondition(lambda self: len(self.known) < 20)
    @rule(content=st.binary(min_size=1, max_size=2))
    def add(self, content: bytes) -> None:
        self.known[self.desk.add(uploaded(self.desk, content), "").id] = False
        self.calm()

    @precondition(lambda self: self.known)
    @rule(
        number=st.integers(0, 19),
        seconds=st.sampled_from([0.0, 0.0, LASTING]),
        fails=st.sampled_from(["", "", "It failed."]),
    )
    def evaluate(self, number: int, seconds: float, fails: str) -> None:
        id, options = self.pick(number), {"seconds": seconds, "fails": fails}
        before, job = self.desk.folder.get(id), self.desk.jobs.of(id)
        why = refusal(lambda: self.desk.evaluate(id, options))
        assert not why or "worked on" in why or "finished" in why
        if not why:
            same = job is not None and job.task == "evaluate" and before.options == options
            assert job is None or same
        self.calm()

    @precondition(lambda self: self.known)
    @rule(number=st.integers(0, 19))
    def cancel(self, number: int) -> None:
        id = self.pick(number)
        self.desk.cancel(id)
        told = settled(self.desk, id)
        assert told["state"] in ("cancelled", "done", "failed", "ready", "interrupted"), told
        self.calm()

    @precondition(lambda self: self.known)
    @rule(number=st.integers(0, 19))
    def look(self, number: int) -> None:
        why = refusal(lambda: self.desk.look(self.pick(number), {}))
        assert not why or "worked on" in why or "finished" in why
        self.calm()

    @precondition(lambda self: self.known)
    @rule(number=st.integers(0, 19))
    def delete(self, number: int) -> None:
        id = self.pick(number)
        why = refusal(lambda: self.desk.delete(id))
        if why:
            assert "worked on" in why
            assert self.desk.folder.study_path(id).exists()
        else:
            del self.known[id]
            assert not self.desk.folder.study_path(id).exists()

    @precondition(lambda self: len(self.known) > 1)
    @rule(number=st.integers(0, 19))
    def kill(self, number: int) -> None:
        """A worker is killed from outside."""
        id = self.pick(number)
        job = self.desk.jobs.of(id)
        if job is not None and job.process is not None:
            job.process.kill()
            assert settled(self.desk, id)["state"] == "failed"
        self.calm()

    @rule()
    def restart(self) -> None:
        """The server goes away in the middle of everything, and another takes the folder."""
        closed(self.desk)
        self.desk = desk_on(self.path)
        self.calm()
        for id in self.known:
            assert self.desk.told(id)["progress"] is None

    @invariant()
    def what_is_told_is_so(self) -> None:
        if not hasattr(self, "desk"):
            return
        listed = {each.id for each in self.desk.folder.index.search(limit=100)}
        assert listed == set(self.known)
        for id in self.known:
            told = self.desk.told(id)
            assert told["state"] != "failed" or "worked on already" not in told["sentence"]
            assert (told["state"] in ("looking", "queued", "running")) == (
                told["progress"] is not None
            ), told
            if told["state"] == "done":
                assert (self.desk.folder.study_path(id) / "result.json").exists()
                self.known[id] = True
            # What is finished stays so.
            assert not self.known[id] or told["state"] == "done"
            json.loads((self.desk.folder.study_path(id) / "study.json").read_text())


_STATES = settings(
    deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None
)
TestStudies = Studies.TestCase
TestStudies.settings = settings(_STATES, max_examples=8, stateful_step_count=30)


@pytest.mark.prove
def test_ten_minutes_of_wishes() -> None:
    """The state machine for ten minutes: how many histories and steps went through."""
    from hypothesis.stateful import run_state_machine_as_test

    until, seed, steps = time.monotonic() + 600, 0, 0

    class Counted(Studies):
        @invariant()
        def counted(self) -> None:
            nonlocal steps
            steps += 1

    while time.monotonic() < until:
        seed += 1
        run_state_machine_as_test(
            Counted,
            settings=settings(_STATES, max_examples=20, stateful_step_count=50, derandomize=False),
        )
    print(f"{20 * seed} histories, {steps} steps without a violation")
