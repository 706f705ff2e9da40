"""The site that `make site` has built: no dead link, nothing from elsewhere, read on a phone too.

Building takes longer than a test may; so these tests look at the folder that HEADCOUNT_SITE names,
and `make site` builds it and runs them.
"""

import functools
import http.server
import os
import re
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

import headcount as hc

SITE = Path(os.environ.get("HEADCOUNT_SITE", "nowhere"))
pytestmark = pytest.mark.skipif(
    not SITE.is_dir(), reason="the site is built and looked at by make site"
)
PAGES = [page for page in sorted(SITE.rglob("*.html")) if "_static" not in page.parts]
LOOKED_AT = (
    "index.html",
    "questions.html",
    "tutorials/judge.html",
    "equivalence.html",
    "how-wrong.html",
    "reference.html",
    "reference/equivalence.html",
    "cli.html",
    "glossary.html",
    "others.html",
)


class _Links(HTMLParser):
    """What a page links to, what it loads, and which anchors it has."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given.get("id", ""), given.get("name", "")} - {""}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        elif tag in ("script", "img", "iframe", "source") and "src" in given:
            self.loads.add(given["src"])
        elif tag == "link" and given.get("rel") not in ("canonical", None):
            self.loads.add(given.get("href", ""))


@pytest.fixture(scope="module")
def read() -> dict[Path, _Links]:
    """Every page, read once."""
    return {page.resolve(): _Links(page) for page in PAGES}


def _is_elsewhere(target: str) -> bool:
    return bool(re.match(r"[a-z]+:", target)) and not target.startswith("file:")


def test_no_link_is_dead(read: dict[Path, _Links]) -> None:
    dead = []
    for page, found in read.items():
        for target in found.links | found.loads:
            if _is_elsewhere(target):
                continue
            name, anchor = urldefrag(re.sub(r"\?[^#]*", "", target))
            linked = (page.parent / unquote(name)).resolve() if name else page
            anchors = read[linked].anchors if linked in read else {unquote(anchor)}
            if not linked.is_file() or (anchor and unquote(anchor) not in anchors):
                dead.append(f"{page.name}: {target}")
    assert dead == []


def test_nothing_is_loaded_from_elsewhere_and_links_out_are_listed(
    read: dict[Path, _Links], capsys
) -> None:
    assert {
        target for found in read.values() for target in found.loads if _is_elsewhere(target)
    } == (set())
    out = sorted({each for found in read.values() for each in found.links if _is_elsewhere(each)})
    with capsys.disabled():
        print("\nlinks to elsewhere, listed and not fetched:", *out, sep="\n  ")


def test_every_public_name_is_in_the_reference() -> None:
    from sphinx.util.inventory import InventoryFile

    loaded = InventoryFile.loads((SITE / "objects.inv").read_bytes(), uri="")
    names = {name for kind in loaded.data if kind.startswith("py:") for name in loaded.data[kind]}
    public = {f"headcount.{name}" for name in hc.__all__} - {"headcount.__version__"}
    assert {name for name in public if name not in names} == {"headcount.simulate"}
    assert "headcount.simulate.make" in names


@pytest.mark.parametrize("name", LOOKED_AT)
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light")])
def test_pages_are_quiet_and_accessible(open_page, name: str, width: int, scheme: str) -> None:
    opened = open_page(SITE / name, width=width, scheme=scheme)
    opened.page.wait_for_timeout(200)
    assert opened.problems == []
    assert opened.sideways() <= 0
    assert opened.accessibility() == []
    assert all(url.startswith(("file:", "data:")) for url in opened.requests)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The site as a web server would give it."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    handler = functools.partial(Quiet, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("worth", "equivalence.html"),
        ("non-inferiority", "statisticians.html"),
        ("decimal comma", "statisticians.html"),
        ("inter-annotator agreement", "statisticians.html"),
        ("LLM judge", "tutorials/judge.html"),
        ("kappa", "agreement.html"),
        ("weighted kappa", "statisticians.html"),
        ("ICC", "scores.html"),
        ("Bland-Altman", "statisticians.html"),
        ("soft labels", "training-labels.html"),
        ("JSON schema", "reference/json.html"),
        ("Inspect", "adapters/inspect.html"),
        ("MLflow", "adapters/mlflow.html"),
        ("promptfoo", "adapters/promptfoo.html"),
        ("Label Studio", "adapters/label-studio.html"),
        ("reticulate", "adapters/r.html"),
        ("pytest", "adapters/pytest.html"),
        ("Dawid", "accuracy.html"),
        ("Krippendorff", "agreement.html"),
        ("docker", "serve.html"),
        ("deprecation", "support.html"),
        ("ceiling", "population.html"),
        ("survey_equivalence", "reference/equivalence.html"),
    ],
)
def test_the_search_finds(browser, address: str, words: str, expected: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}/search.html?q={words}")
    page.wait_for_selector("#search-results ul.search li a")
    page.wait_for_function("!document.title.includes('Searching')")
    page.wait_for_timeout(500)
    found = page.eval_on_selector_all(
        "#search-results ul.search li a", "links => links.map(link => link.getAttribute('href'))"
    )
    assert any(expected in each for each in found[:20]), found[:20]
    page.close()
