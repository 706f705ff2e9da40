"""A server of our own for a test: in a thread of this process, on a free port of this machine."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from headcount.web.guard import FORM_FIELD, Place
from headcount.web.limits import Limits
from headcount.web.server import Serving, bound, create

SMALL = Limits(upload=8 << 20, unpacked=1 << 30, memory=4 << 30, seconds=120, jobs=1, waiting=3)
PATIENCE = 240.0


@dataclass
class Site:
    """A running server, with a client that has the key."""

    serving: Serving
    client: httpx.Client
    folder: Path
    known: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return self.serving.place.address

    def upload(self, *files: tuple[str, bytes], title: str = "", evaluate: Any = None) -> str:
        """Upload ratings and perhaps predictions; wait for the look, or for the evaluation."""
        parts = dict(zip(("ratings", "predictions"), files, strict=False))
        answer = self.client.post("/api/studies", files=parts, data={"title": title})
        assert answer.status_code == 201, answer.text
        id = answer.json()["id"]
        self.wait(id)
        if evaluate is not None:
            self.evaluate(id, evaluate)
        return id

    def evaluate(self, id: str, options: Any) -> dict[str, Any]:
        answer = self.client.post(f"/api/studies/{id}/evaluate", json={"options": options})
        assert answer.status_code == 202, answer.text
        return self.wait(id)

    def wait(self, id: str) -> dict[str, Any]:
        """The study once nothing is being done on it any more."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            told = self.study(id)
            if told["progress"] is None:
                return told
            time.sleep(0.1)
        raise AssertionError(f"{id} is not done after {PATIENCE} s: {told}")

    def study(self, id: str) -> dict[str, Any]:
        answer = self.client.get(f"/api/studies/{id}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def understood(self, id: str) -> dict[str, Any]:
        return self.client.get(f"/api/studies/{id}/understood").json()

    @contextmanager
    def browser(self) -> Iterator[httpx.Client]:
        """A client like a browser that opened the address: a cookie and no key."""
        with httpx.Client(base_url=self.address, follow_redirects=True, timeout=60) as client:
            assert client.get("/", params={"key": self.serving.keys.key}).status_code == 200
            yield client

    def form(self, **fields: str) -> dict[str, str]:
        """The fields of a form as our pages send it."""
        return {FORM_FIELD: self.serving.keys.form, **fields}

    def left_over(self) -> list[str]:
        """What lies where only unfinished things lie."""
        return [
            str(path.relative_to(self.folder))
            for part in ("incoming", "work")
            for path in (self.folder / part).rglob("*")
        ] + [str(path) for path in self.folder.rglob(".*.part")]


@contextmanager
def running(folder: Path, limits: Limits = SMALL, *, key: str = "secret-key") -> Iterator[Site]:
    """Serve a folder until the block ends."""
    listening = bound("127.0.0.1", 0)
    place = Place("127.0.0.1", listening.getsockname()[1])
    serving = create(folder, place=place, limits=limits, key=key)
    server = uvicorn.Server(
        uvicorn.Config(serving.app, log_level="error", access_log=False, ws="none")
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    client = httpx.Client(
        base_url=place.address, headers={"authorization": f"Bearer {key}"}, timeout=60
    )
    try:
        while not server.started:
            time.sleep(0.01)
        yield Site(serving, client, folder)
    finally:
        client.close()
        server.should_exit = True
        thread.join(10)
        serving.close()
        listening.close()
