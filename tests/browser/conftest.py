"""A real browser for the pages that headcount writes."""

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

# Chromium phones home at every start unless it is told not to; tests run without a network.
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """The browser to drive, where there is one."""
    names = [os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium without a window, one for all tests of a worker."""
    if os.environ.get("HEADCOUNT_BROWSER") == "none":
        pytest.skip("browser tests were left out (HEADCOUNT_BROWSER=none)")
    path = chromium()
    assert path, "no Chromium was found: run `make browser`, or set HEADCOUNT_BROWSER=none"
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield running
        running.close()


@dataclass
class Opened:
    """A page in the browser with all that went wrong or went out while it was open."""

    page: Page
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def sideways(self) -> int:
        """How many pixels the page is wider than the window."""
        return int(
            self.page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
        )

    def unfold(self) -> None:
        """Open all that is folded, outermost first: charts are drawn when they are seen."""
        self.page.evaluate(
            "document.querySelectorAll('details').forEach((each) => each.open = true)"
        )

    def accessibility(self) -> list[str]:
        """What axe-core finds that is serious or worse."""
        script = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
        self.page.evaluate(script)
        found = self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{rule['id']}: {rule['help']}: {node['html'][:200]} {node['failureSummary']}"
            for rule in found["violations"]
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"]
        ]


OpenPage = Callable[..., Opened]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Open a file: `open_page(path, width=390, scheme="dark")`; waits until charts are drawn."""
    contexts = []

    def open_it(
        path: Path,
        *,
        width: int = 1100,
        height: int = 900,
        scheme: Literal["light", "dark"] = "light",
    ) -> Opened:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, offline=True
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        opened = Opened(page)
        page.on("console", lambda message: _note(opened, message))
        page.on("pageerror", lambda error: opened.problems.append(f"error: {error}"))
        page.on("request", lambda request: opened.requests.append(request.url))
        page.on("dialog", lambda dialog: opened.problems.append(f"dialog: {dialog.message}"))
        page.goto(path.resolve().as_uri())
        page.wait_for_load_state("load")
        return opened

    yield open_it
    for context in contexts:
        context.close()


def _note(opened: Opened, message: Any) -> None:
    if message.type in ("error", "warning"):
        opened.problems.append(f"{message.type}: {message.text}")
