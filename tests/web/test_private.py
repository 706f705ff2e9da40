"""Who can see what on a machine with several users, and connections that ask nothing."""

import contextlib
import os
import re
import resource
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import headcount as hc

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs modes and limits of files")


@contextlib.contextmanager
def opening(folder: Path, browser: Path, handles: int | None = None) -> Iterator[httpx.Client]:
    """`headcount serve` that opens a browser, which writes down how it was called."""

    def bind() -> None:
        os.umask(0o022)
        if handles is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (handles, handles))

    process = subprocess.Popen(
        [sys.executable, "-m", "headcount", "serve", "--port", "0", "--folder", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=bind,
        env=os.environ
        | {"PYTHONPATH": str(Path(hc.__file__).parents[1]), "BROWSER": f"{browser} %s"},
    )
    try:
        found = re.search(r"at (http://[\d.:]+)/\?key=(\S+)", process.stdout.readline())
        with httpx.Client(
            base_url=found[1], headers={"authorization": f"Bearer {found[2]}"}, timeout=30
        ) as client:
            for _ in range(200):
                with contextlib.suppress(httpx.ConnectError):
                    client.get("/api/studies")
                    break
                time.sleep(0.05)
            yield client
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


@pytest.fixture
def browser(tmp_path: Path) -> Path:
    """A browser that keeps the words of its command line and the page it was given."""
    script = tmp_path / "browser"
    script.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/words\ncat "${{1#file://}}" > {tmp_path}/page\n'
    )
    script.chmod(0o755)
    return script


def test_the_key_is_in_no_command_line_and_files_are_their_owners(
    tmp_path: Path, browser: Path, demo_files
) -> None:
    folder = tmp_path / "studies"
    with opening(folder, browser) as client:
        key = client.headers["authorization"].removeprefix("Bearer ")
        while not (tmp_path / "page").exists() or not (tmp_path / "page").read_text():
            time.sleep(0.02)
        words, page = (tmp_path / "words").read_text(), (tmp_path / "page").read_text()
        assert key not in words
        assert f"{client.base_url}/?key={key}".replace("//?", "/?") in page
        sent = client.post(
            "/api/studies", files=dict(zip(("ratings", "predictions"), demo_files, strict=True))
        )
        id = sent.json()["id"]
        while client.get(f"/api/studies/{id}").json()["progress"]:
            time.sleep(0.05)
        client.post(f"/api/studies/{id}/evaluate", json={"options": {"n_bootstrap": 5}})
        while client.get(f"/api/studies/{id}").json()["progress"]:
            time.sleep(0.05)
        seen = [folder, *folder.rglob("*")]
        modes = {path: stat.S_IMODE(path.stat().st_mode) for path in seen if path.exists()}
    assert len(modes) > 12
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    assert {mode & 0o077 for mode in modes.values()} == {0}
    assert not (folder / "open.html").exists()


def test_a_body_that_never_comes_is_given_up(site) -> None:
    host, port = site.serving.place.host, site.serving.place.port
    began = time.monotonic()
    with socket.create_connection((host, port), timeout=30) as line:
        key = site.serving.keys.key
        line.sendall(
            f"POST /api/studies HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {key}\r\n"
            "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 999\r\n\r\n".encode()
        )
        answer = line.recv(65536)
        assert answer.startswith(b"HTTP/1.1 408"), answer
    assert time.monotonic() - began < 15
    assert site.client.get("/api/studies").status_code == 200


def test_connections_that_say_nothing_do_not_stop_a_server(tmp_path: Path, browser: Path) -> None:
    with opening(tmp_path / "studies", browser, handles=256) as client:
        host, port = client.base_url.host, client.base_url.port
        silent = [socket.create_connection((host, port), timeout=30) for _ in range(300)]
        try:
            began = time.monotonic()
            assert httpx.get(f"{client.base_url}/api/studies", timeout=30).status_code == 401
            assert time.monotonic() - began < 5
            for line in silent[::50]:  # they are closed, the oldest first
                line.settimeout(20)
                with contextlib.suppress(ConnectionError):
                    assert line.recv(1) == b""
        finally:
            for line in silent:
                line.close()


def test_a_file_of_an_unknown_kind_is_refused_at_upload(site) -> None:
    answer = site.client.post("/api/studies", files={"ratings": ("notes.docx", b"PK\x03\x04")})
    assert answer.status_code == 400
    assert "rename it to say what it is" in answer.json()["error"]
    assert site.client.get("/api/studies").json()["found"] == 0
    assert site.left_over() == []
