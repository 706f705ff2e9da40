"""Servers and files for the tests of the pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.site import Site, running

from headcount.simulate import make

OPTIONS = {"n_bootstrap": 20, "seed": 4, "scorer": "agreement"}
"""What the finished study was evaluated with."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server on an empty folder."""
    with running(tmp_path / "studies") as found:
        yield found


@pytest.fixture(scope="module")
def shared_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server for all tests of a file."""
    with running(tmp_path_factory.mktemp("web") / "studies") as found:
        yield found


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ratings.csv and predictions.csv: 150 simulated comments."""
    folder = tmp_path_factory.mktemp("demo")
    make("comments", seed=3, items=150).write(folder)
    return folder


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory, demo_files) -> tuple[Path, str]:
    """A folder with one finished study of the demo files, and its id; tests work on a copy."""
    folder = tmp_path_factory.mktemp("finished") / "studies"
    with running(folder) as site:
        return folder, site.upload(*demo_files, title="A first study", evaluate=OPTIONS)


@pytest.fixture(scope="session")
def demo_files(demo: Path) -> tuple[tuple[str, bytes], tuple[str, bytes]]:
    """The two files as they are uploaded."""
    ratings, predictions = (
        (name, (demo / name).read_bytes()) for name in ("ratings.csv", "predictions.csv")
    )
    return ratings, predictions
