"""Work in processes of its own: cancelled, killed, out of time, out of memory, too much of it."""

import os
import signal
import time
from dataclasses import replace

import pytest
from tests.web.site import SMALL, running

SLOW = {"n_bootstrap": 20_000}
"""Options with which the demo takes minutes."""


@pytest.fixture(scope="module")
def ready(shared_site, demo_files) -> str:
    """A study that is ready to be evaluated, and stays so as long as nothing is finished."""
    return shared_site.upload(*demo_files)


def started(site, id, options=SLOW) -> None:
    """Begin an evaluation and wait until its process has something to say."""
    answer = site.client.post(f"/api/studies/{id}/evaluate", json={"options": options})
    assert answer.status_code == 202, answer.text
    until = time.monotonic() + 120
    while time.monotonic() < until:
        progress = site.study(id)["progress"]
        if progress and progress["of"] > 1:
            return
        time.sleep(0.05)
    raise AssertionError("the evaluation has not begun")


def process_of(site, id):
    return site.serving.desk.jobs.of(id).process


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_progress_has_names_and_an_evaluation_can_be_cancelled(shared_site, ready) -> None:
    id = ready
    started(shared_site, id)
    told = shared_site.study(id)
    assert told["state"] == "running"
    assert told["progress"]["step"] not in ("", "starting", "evaluating")
    pid = process_of(shared_site, id).pid
    again = shared_site.client.post(f"/api/studies/{id}/evaluate", json={})
    assert again.status_code == 409
    assert shared_site.client.delete(f"/api/studies/{id}").status_code == 409
    shared_site.client.post(f"/api/studies/{id}/cancel")
    told = shared_site.wait(id)
    assert (told["state"], told["sentence"]) == ("cancelled", "")
    assert gone(pid)
    files = {path.name for path in (shared_site.folder / "studies" / id).iterdir()}
    assert files == {"study.json", "look.json", "options.json"}
    assert shared_site.left_over() == []


def test_a_second_evaluation_waits_for_its_turn(shared_site, ready) -> None:
    first = ready
    second = shared_site.client.post(f"/api/studies/{first}/again").json()["id"]
    assert shared_site.wait(second)["state"] == "ready"
    started(shared_site, first)
    shared_site.client.post(f"/api/studies/{second}/evaluate", json={"options": SLOW})
    told = shared_site.study(second)
    assert told["state"] == "queued"
    assert told["progress"]["step"] == "waiting for its turn"
    page = shared_site.client.get(f"/studies/{second}").text
    assert "Waiting for its turn" in page
    shared_site.client.post(f"/api/studies/{second}/cancel")
    assert shared_site.wait(second)["state"] == "cancelled"
    shared_site.client.post(f"/api/studies/{first}/cancel")
    shared_site.wait(first)
    assert shared_site.left_over() == []


def test_kill_9_of_the_worker_is_told_and_it_can_be_started_again(shared_site, ready) -> None:
    id = ready
    started(shared_site, id)
    os.kill(process_of(shared_site, id).pid, signal.SIGKILL)
    told = shared_site.wait(id)
    assert told["state"] == "failed"
    assert "ended from outside" in told["sentence"]
    assert shared_site.left_over() == []
    assert shared_site.evaluate(id, {"n_bootstrap": 10})["state"] == "done"


def test_limits_of_time_memory_and_number(tmp_path, demo_files) -> None:
    tight = replace(SMALL, seconds=20.0, waiting=0)
    with running(tmp_path / "studies", tight) as site:
        answer = site.client.post("/api/studies", files={"ratings": demo_files[0]})
        assert answer.status_code == 429
        assert "waiting already" in answer.json()["error"]
        assert site.client.get("/api/studies").json()["found"] == 0
        assert site.left_over() == []
        assert list((site.folder / "inputs").iterdir()) == []
    with running(tmp_path / "time", replace(SMALL, seconds=0.3)) as site:
        id = site.upload(demo_files[0])
        told = site.study(id)
        assert told["state"] == "failed"
        assert "--time-limit" in told["sentence"]
    with running(tmp_path / "memory", replace(SMALL, memory=150 << 20)) as site:
        id = site.upload(*demo_files)
        told = site.study(id)
        sentence = told["sentence"] or site.understood(id)["sentence"]
        assert told["state"] in ("failed", "ready")
        assert "memory" in sentence
        assert site.left_over() == []
