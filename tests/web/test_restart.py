"""Stopped in the middle, without room, without its index: what was finished stays, in any case."""

import contextlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.web.site import PATIENCE, Site, running

import headcount as hc
from headcount.errors import InputError
from headcount.web.folder import Folder

SLOW = {"n_bootstrap": 20_000}


class Server:
    """`headcount serve` in a process of its own."""

    def __init__(self, folder: Path, *words: str, file_size: int | None = None) -> None:
        def bind() -> None:
            if file_size is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))

        self.process = subprocess.Popen(
            [sys.executable, "-m", "headcount", "serve", "--no-open", "--port", "0", "--folder",
             str(folder), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=bind,
            env=os.environ | {"PYTHONPATH": str(Path(hc.__file__).parents[1])},
        )  # fmt: skip
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"at (http://127\.0\.0\.1:\d+)/\?key=(\S+)", said)
        assert found, said + self.process.stderr.read()
        self.client = httpx.Client(
            base_url=found[1], headers={"authorization": f"Bearer {found[2]}"}, timeout=60
        )
        self.folder = folder
        for _ in range(200):
            with contextlib.suppress(httpx.ConnectError):
                self.client.get("/api/studies")
                return
            time.sleep(0.05)

    def stop(self, how: int = signal.SIGINT) -> str:
        """End it; what it said at last."""
        self.client.close()
        self.process.send_signal(how)
        out, err = self.process.communicate(timeout=60)
        return out + err

    upload, evaluate, wait = Site.upload, Site.evaluate, Site.wait
    study, left_over = Site.study, Site.left_over


@contextlib.contextmanager
def serving(folder: Path, *words: str, **more) -> Iterator[Server]:
    server = Server(folder, *words, **more)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)


def workers_of(pid: int) -> list[int]:
    """The processes that a server has started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = status.read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid:
                found.append(int(status.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks processes up in /proc")
def test_kill_9_of_the_server_in_the_middle(tmp_path, demo_files, finished) -> None:
    folder, done = shutil.copytree(finished[0], tmp_path / "studies"), finished[1]
    with serving(folder) as server:
        result = server.client.get(f"/api/studies/{done}/files/result").content
        cut = server.upload(*demo_files, title="Cut")
        server.client.post(f"/api/studies/{cut}/evaluate", json={"options": SLOW})
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not (server.study(cut)["progress"] or {}).get("of"):
            time.sleep(0.05)
        workers = workers_of(server.process.pid)
        assert workers
        server.stop(signal.SIGKILL)
    for _ in range(100):
        if not any(Path(f"/proc/{pid}").exists() for pid in workers):
            break
        time.sleep(0.1)
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
    (folder / "index.sqlite").write_bytes(b"not a database")
    with running(folder) as site:
        listed = site.client.get("/api/studies").json()["studies"]
        assert {each["id"]: each["state"] for each in listed} == {done: "done", cut: "interrupted"}
        assert site.client.get(f"/api/studies/{done}/files/result").content == result
        told = site.study(cut)
        assert "stopped in the middle" in told["sentence"]
        assert "Interrupted." in site.client.get(f"/studies/{cut}").text
        assert site.left_over() == []


def test_it_stops_cleanly_and_one_folder_has_one_server(tmp_path) -> None:
    folder = tmp_path / "studies"
    with serving(folder) as server:
        with pytest.raises(InputError, match="in use by another"):
            Folder(folder)
        said = server.stop()
        assert server.process.returncode == 0
        assert "Stopped." in said
        assert "Traceback" not in said
    Folder(folder).close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of the system")
def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path, demo_files, finished) -> None:
    folder, done = shutil.copytree(finished[0], tmp_path / "studies"), finished[1]
    before = {
        path: path.read_bytes() for path in (folder / "studies" / done).iterdir() if path.is_file()
    }
    with serving(folder, file_size=100_000) as server:
        refused = server.client.post("/api/studies", files={"ratings": ("x.csv", b"y" * 200_000)})
        assert refused.status_code == 507
        assert "disk full" in refused.json()["error"]
        assert server.left_over() == []
        # The report is larger than any file may be now.
        small = server.upload(*demo_files)
        told = server.evaluate(small, {"n_bootstrap": 10})
        assert told["state"] == "failed"
        assert "cannot be written" in told["sentence"]
        names = {path.name for path in (folder / "studies" / small).iterdir()}
        assert names <= {"study.json", "look.json", "options.json"}
        assert server.left_over() == []
        assert server.client.get(f"/api/studies/{done}/files/report").status_code == 200
    assert {path: path.read_bytes() for path in before} == before


def test_every_study_is_readable_without_the_index(tmp_path, demo_files) -> None:
    folder = tmp_path / "studies"
    with running(folder) as site:
        id = site.upload(demo_files[0], title="Kept")
        record = json.loads((folder / "studies" / id / "study.json").read_text(encoding="utf-8"))
        assert (record["title"], record["ratings"][0]["name"]) == ("Kept", "ratings.csv")
    (folder / "index.sqlite").unlink()
    broken = folder / "studies" / "20260101-000000-00000000"
    broken.mkdir()
    (broken / "study.json").write_text("{", encoding="utf-8")
    (folder / "studies" / id / ".report.html.1.part").write_text("half", encoding="utf-8")
    (folder / "incoming" / "half").write_text("half", encoding="utf-8")
    (folder / "inputs" / "unknown").write_text("nobody's", encoding="utf-8")
    with running(folder) as site:
        assert [each["id"] for each in site.client.get("/api/studies").json()["studies"]] == [id]
        assert site.left_over() == []
        assert len(list((folder / "inputs").iterdir())) == 1


def test_an_index_that_cannot_be_written_is_kept_in_memory(tmp_path, demo_files) -> None:
    folder = tmp_path / "studies"
    (folder / "index.sqlite").mkdir(parents=True)  # where a file cannot be
    with running(folder) as site:
        id = site.upload(demo_files[0], title="In memory")
        assert site.client.get("/api/studies", params={"search": "memory"}).json()["found"] == 1
        site.client.delete(f"/api/studies/{id}")
        assert site.client.get("/api/studies").json()["found"] == 0
