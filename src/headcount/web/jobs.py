"""Work on studies in processes of its own: a queue, progress, cancelling, limits of time."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from headcount.web.limits import Limits, RefusedError
from headcount.web.worker import out_of_memory

Task = Literal["look", "evaluate", "pair"]
Ended = Callable[["Job", str, str], None]
"""Called when a job is over: with how it ended ("done", "failed", "cancelled") and a sentence."""

# Seconds after which a waiting worker is let go.
_IDLE = 600.0


@dataclass
class Job:
    """One task on one study: how far it is, and how it can be stopped."""

    study: str
    task: Task
    orders: dict[str, Any]
    ended: Ended
    step: str = "waiting for its turn"
    done: int = 0
    of: int = 0
    asked_at: float = field(default_factory=time.monotonic)
    started_at: float | None = None
    process: "subprocess.Popen[str] | None" = None
    stopped_by: Literal["", "cancel", "time", "close"] = ""

    @property
    def seconds(self) -> float:
        """How long it has been worked on."""
        return 0.0 if self.started_at is None else time.monotonic() - self.started_at


class Jobs:
    """All jobs of a server: looks are short and have places of their own.

    `lock` is held by whoever changes a study together with the job on it.
    """

    def __init__(self, limits: Limits, *, looks: int = 2) -> None:
        self._limits = limits
        self._places = {"look": looks, "evaluate": limits.jobs_at_once, "pair": 1}
        self._waiting: deque[Job] = deque()
        self._running: list[Job] = []
        self.lock = threading.RLock()
        self._bench = Bench()
        self._closed = False

    def check_room(self) -> None:
        """Refuse where the queue is full."""
        with self.lock:
            if len(self._waiting) >= self._limits.waiting:
                raise RefusedError(
                    429,
                    f"{self._limits.waiting} evaluations are waiting already: try again later.",
                )

    def submit(self, job: Job) -> Job:
        """Start a job, or let it wait for a place."""
        with self.lock:
            if self.of(job.study) is not None:
                raise RefusedError(
                    409, "This study is being worked on already: wait, or cancel that."
                )
            self.check_room()
            self._waiting.append(job)
            self._start_some()
        return job

    def of(self, study: str) -> Job | None:
        """The job on a study, if there is one."""
        with self.lock:
            found = [job for job in (*self._running, *self._waiting) if job.study == study]
        return found[0] if found else None

    def place_of(self, job: Job) -> int:
        """How many jobs wait before this one."""
        with self.lock:
            return list(self._waiting).index(job) if job in self._waiting else 0

    def cancel(self, study: str) -> bool:
        """Stop what is done on a study; whether there was anything."""
        with self.lock:
            job = self.of(study)
            if job is None:
                return False
            if job in self._waiting:
                self._waiting.remove(job)
                job.ended(job, "cancelled", "")
                return True
        self._stop(job, "cancel")
        return True

    def warm(self) -> None:
        """Have a worker ready: somebody is about to need one."""
        self._bench.warm()

    def close(self) -> None:
        """Stop everything."""
        with self.lock:
            self._closed = True
            self._waiting.clear()
            running = list(self._running)
        for job in running:
            self._stop(job, "close")
        self._bench.close()

    def _start_some(self) -> None:
        for job in list(self._waiting):
            busy = sum(running.task == job.task for running in self._running)
            if busy < self._places[job.task] and not self._closed:
                self._waiting.remove(job)
                self._running.append(job)
                job.started_at, job.step = time.monotonic(), "starting"
                threading.Thread(target=self._run, args=(job,), daemon=True).start()

    def _run(self, job: Job) -> None:
        """Hand the orders to a worker and listen until it ends."""
        how, sentence = "failed", ""
        try:
            how, sentence = self._listen(job)
        except OSError as error:
            sentence = f"No process could be started for this ({error.strerror}): try again later."
        finally:
            # At once, so that nobody sees a study without a job that is not written down as ended.
            with self.lock:
                self._running.remove(job)
                if job.stopped_by != "close":
                    job.ended(job, how, sentence)
                self._start_some()

    def _listen(self, job: Job) -> tuple[str, str]:
        job.process = process = self._bench.take()
        if job.stopped_by:  # cancelled while it was being started
            process.kill()

        def told(line: dict[str, Any]) -> None:
            job.step = line.get("step", job.step)
            job.done, job.of = line.get("done", job.done), line.get("of", job.of)

        last, in_time = ordered(process, job.orders, self._limits.seconds, told)
        if not in_time:
            job.stopped_by = job.stopped_by or "time"
        return self._verdict(job, last, process.returncode)

    def _verdict(self, job: Job, last: dict[str, Any], code: int) -> tuple[str, str]:
        if job.stopped_by == "cancel":
            return "cancelled", ""
        if job.stopped_by == "time":
            minutes = self._limits.seconds / 60
            return "failed", (
                f"This was stopped after {minutes:g} minutes, the longest it may take: use the "
                "command line, or raise the limit with --time-limit."
            )
        if "ended" in last:
            return ("failed", last["ended"]) if last["ended"] else ("done", "")
        return "failed", _died(code, job.orders["memory"])

    def _stop(self, job: Job, why: Literal["cancel", "time", "close"]) -> None:
        job.stopped_by = job.stopped_by or why
        if job.process is not None:
            job.process.kill()


class Bench:
    """One worker kept ready: what takes it long is to load, which it does before it is needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ready: subprocess.Popen[str] | None = None
        self._clock: threading.Timer | None = None
        self._closed = False

    def warm(self) -> None:
        """Start a worker, if none is waiting."""
        with self._lock:
            if self._closed or (self._ready is not None and self._ready.poll() is None):
                return
            self._ready = start_worker()
            self._clock = threading.Timer(_IDLE, self.close, kwargs={"for_good": False})
            self._clock.daemon = True
            self._clock.start()

    def take(self) -> "subprocess.Popen[str]":
        """A worker: the one that waits, or a new one."""
        with self._lock:
            ready, self._ready = self._ready, None
            if self._clock is not None:
                self._clock.cancel()
        if ready is not None and ready.poll() is None:
            return ready
        return start_worker()

    def close(self, *, for_good: bool = True) -> None:
        """Let the waiting worker go."""
        with self._lock:
            self._closed = self._closed or for_good
            ready, self._ready = self._ready, None
        if ready is not None:
            end(ready)


def start_worker() -> "subprocess.Popen[str]":
    """A worker without orders."""
    return subprocess.Popen(
        [sys.executable, "-m", "headcount.web.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
        env=os.environ | {"PYTHONIOENCODING": "utf-8"},
        start_new_session=True,  # what is typed into the server's terminal is not for it
    )


def end(process: "subprocess.Popen[str]") -> None:
    """Make sure that a worker is gone, and its pipes with it."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(OSError):  # it was gone before it had read its orders
        process.stdin.close()
    try:
        process.wait(timeout=1.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()


def ordered(
    process: "subprocess.Popen[str]",
    orders: dict[str, Any],
    seconds: float,
    told: Callable[[dict[str, Any]], None],
) -> tuple[dict[str, Any], bool]:
    """Give a worker its orders and listen until it ends: its last words, and whether in time."""
    assert process.stdin is not None
    assert process.stdout is not None
    late = threading.Event()

    def stop() -> None:
        late.set()
        process.kill()

    clock = threading.Timer(seconds, stop)
    clock.daemon = True
    clock.start()
    last: dict[str, Any] = {}
    try:
        with contextlib.suppress(OSError):  # it died at once, which its return code tells
            process.stdin.write(json.dumps(orders) + "\n")
            process.stdin.flush()
        for line in process.stdout:
            last = _understood(line)
            told(last)
    finally:
        clock.cancel()
        end(process)
    return last, not late.is_set()


def _understood(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _died(code: int, memory: int) -> str:
    """A worker that ended without a word."""
    if code == -signal.SIGKILL:
        return "The process that worked on this was ended from outside: start it again."
    if code < 0:
        return f"{out_of_memory(memory)} (It ended with signal {-code}.)"
    return "The process that worked on this ended without an answer: start it again."
