"""Ctrl-C, or a job that is cancelled, in the middle of the work leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from headcount.simulate import make


def _hears_every_signal() -> None:
    """Tests that run in the background of a script ignore some, and so would what they start."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)


@pytest.mark.parametrize(
    ("how", "code"),
    [
        (signal.SIGINT, 130),
        (signal.SIGTERM, 143),
        (signal.SIGHUP, 129),
        (signal.SIGQUIT, 131),
    ],
    ids=["Ctrl-C", "cancelled", "terminal closed", "Ctrl-backslash"],
)
def test_breaking_off_leaves_no_temporary_file(
    how: signal.Signals, code: int, tmp_path: Path
) -> None:
    data, scratch = tmp_path / "data", tmp_path / "scratch"
    data.mkdir()
    scratch.mkdir()
    make("comments", seed=1, items=2_000).write(data)
    command = [sys.executable, "-m", "headcount", "evaluate", "--format", "json"]
    process = subprocess.Popen(
        [*command, str(data / "ratings.csv"), str(data / "predictions.csv")],
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=_hears_every_signal,
    )
    limit = time.monotonic() + 120
    while not list(scratch.iterdir()) and time.monotonic() < limit and process.poll() is None:
        time.sleep(0.05)  # until it counts: that is when a folder is there to spill to
    assert process.poll() is None
    process.send_signal(how)
    _, told = process.communicate(timeout=120)
    assert process.returncode == code
    assert b"Traceback" not in told
    assert list(scratch.iterdir()) == []


def test_what_a_killed_command_left_goes_at_the_next_start(tmp_path: Path) -> None:
    left = "import time; from headcount.scratch import Scratch; kept = Scratch(); print(kept.path)"
    start = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-u", "-c"]
    with subprocess.Popen(
        [*command, f"{left}; time.sleep(60)"], env=start, stdout=subprocess.PIPE, text=True
    ) as killed:
        path = Path(killed.stdout.readline().strip())
        other = subprocess.run([*command, left], env=start, capture_output=True, check=True)
        assert path.exists()  # its process is at work
        killed.kill()
    assert path.exists()
    (tmp_path / "headcount-demo").mkdir()  # not ours: nothing in it says so
    other = subprocess.run([*command, left], env=start, capture_output=True, check=True)
    assert other.stdout
    assert [each.name for each in tmp_path.iterdir()] == ["headcount-demo"]


_DROPPED = """
import os, signal, sys, time
from headcount.cli import process

class Dropped:
    def __del__(self):  # what is raised here is dropped by Python
        os.kill(os.getpid(), getattr(signal, sys.argv[1]))
        for _ in range(1000):
            pass

signal.signal(signal.SIGINT, signal.default_int_handler)
process.end_when_asked()
one = Dropped()
del one
try:
    time.sleep(60)
except BaseException as error:
    time.sleep(0.7)  # tidying up takes longer than it takes to ask again
    print("tidied after", type(error).__name__, process.asked_to_end())
"""


@pytest.mark.parametrize(
    ("how", "told"),
    [("SIGINT", "tidied after KeyboardInterrupt 130"), ("SIGTERM", "tidied after SystemExit 143")],
)
def test_a_command_is_asked_again_where_python_dropped_it(how: str, told: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", _DROPPED, how], capture_output=True, text=True, timeout=50
    )
    assert (run.stdout, run.stderr) == (f"{told}\n", "")
