"""How much it bears, and what it costs: figures for the documentation, by `make prove`."""

import concurrent.futures
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from tests.web.site import running
from tests.web.test_restart import serving

import headcount as hc
from headcount.simulate import make


def _asked(address: str, key: str, numbers: range, at_once: int) -> list[float]:
    """Seconds that each calculator request took, all with different numbers."""
    limits = httpx.Limits(max_connections=at_once, max_keepalive_connections=at_once)
    with httpx.Client(
        base_url=address, headers={"authorization": f"Bearer {key}"}, timeout=120, limits=limits
    ) as client:

        def ask(number: int) -> float:
            begin = time.perf_counter()
            query = {"accuracy": 0.8, "margin": 0.02 + number / 1e5, "label_accuracy": 0.8}
            answer = client.get("/api/plans/compare", params={**query, "target": 0.95})
            assert answer.status_code == 200, answer.text
            return time.perf_counter() - begin

        with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
            return list(pool.map(ask, numbers))


def test_fifty_at_once(tmp_path) -> None:
    with running(tmp_path / "studies") as site:
        assert len(_asked(site.address, "secret-key", range(50), 50)) == 50


@pytest.mark.prove
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_fifty_at_once_a_thousand_in_all(tmp_path) -> None:
    with serving(tmp_path / "studies") as server:
        key = server.client.headers["authorization"].removeprefix("Bearer ")
        address = str(server.client.base_url)
        _asked(address, key, range(10_000, 10_010), 5)  # what is loaded on first use
        before, begin = _processor(server.process.pid), time.perf_counter()
        took = _asked(address, key, range(1000), 50)
        used = _processor(server.process.pid) - before
        whole = time.perf_counter() - begin
    hundredths = statistics.quantiles(took, n=100)
    print(
        f"1,000 requests, 50 at once: none failed, median {hundredths[49]:.2f} s, 95 % "
        f"{hundredths[94]:.2f} s, all in {whole:.1f} s; {used:.2f} ms of the server's processor "
        f"time each; {os.getloadavg()[0]:.1f} processes were waiting on {os.cpu_count()} cores"
    )


def _processor(pid: int) -> float:
    """Seconds of processor time that a process has used, its threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.prove
def test_an_evaluation_from_the_page_takes_a_second_longer_at_most(tmp_path) -> None:
    make("comments", seed=2).write(tmp_path)
    files = [(name, (tmp_path / name).read_bytes()) for name in ("ratings.csv", "predictions.csv")]
    by_command, by_page = [], []
    environment = os.environ | {"PYTHONPATH": str(Path(hc.__file__).parents[1])}
    words = [sys.executable, "-m", "headcount", "evaluate", "ratings.csv", "predictions.csv"]
    with serving(tmp_path / "studies") as server:
        for _ in range(5):
            begin = time.perf_counter()
            subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, env=environment)
            by_command.append(time.perf_counter() - begin)
            id = server.upload(*files)
            begin = time.perf_counter()
            assert server.evaluate(id, {})["state"] == "done"
            by_page.append(time.perf_counter() - begin)
    command, page = statistics.median(by_command), statistics.median(by_page)
    print(f"command {command:.2f} s, page {page:.2f} s: medians of five, in turns")
    assert page <= command + 1.0


@pytest.mark.prove
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_idle_memory(tmp_path) -> None:
    def held(pid: int) -> float:
        status = Path(f"/proc/{pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    with serving(tmp_path / "studies") as server:
        idle = held(server.process.pid)
        server.client.get("/calculators/compare")
        print(f"idle {idle:.0f} MB, after a calculator {held(server.process.pid):.0f} MB")
        assert idle < 150


@pytest.mark.prove
def test_two_gigabytes_against_a_limit_of_one(tmp_path) -> None:
    head = b'--b\r\nContent-Disposition: form-data; name="ratings"; filename="x.csv"\r\n\r\n'
    size = 2 << 30

    def body():
        yield head
        for _ in range(size >> 20):
            yield b"y" * (1 << 20)

    with serving(tmp_path / "studies") as server:
        for length in ({}, {"content-length": str(len(head) + size)}):
            answer = server.client.post(
                "/api/studies",
                content=body(),
                headers={"content-type": "multipart/form-data; boundary=b", **length},
                timeout=300,
            )
            assert answer.status_code == 413
            assert "at most 1 GB" in answer.json()["error"]
            assert server.left_over() == []
            assert list((server.folder / "inputs").iterdir()) == []
