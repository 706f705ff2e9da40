"""Fixtures for every test: the real data, where it is in reach, and one small evaluation."""

import importlib.util
import os
import re
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

import headcount as hc
from headcount.simulate import make

DEVELOPMENT = (
    *("pandas", "polars", "sklearn", "surprise", "playwright", "axe_playwright_python"),
    *("fastapi", "uvicorn", "python_multipart", "httpx", "schemathesis", "python_calamine"),
    *("yaml", "nbformat", "nbclient", "ipykernel", "pyspark"),
)
"""Packages of the development group; `make minimum` goes without them."""


def _left_out() -> dict[str, str]:
    """Test files that import a development package which is not installed, and which one."""
    missing = [name for name in DEVELOPMENT if importlib.util.find_spec(name) is None]
    if not missing:
        return {}
    if {"fastapi", "uvicorn", "python_multipart", "httpx"} & set(missing):
        missing += [r"tests\.web", r"headcount\.web"]
    wanted = re.compile(rf"^(?:import|from) ({'|'.join(missing)})\b", re.MULTILINE)
    found = {}
    for path in Path(__file__).parent.rglob("*.py"):
        match = wanted.search(path.read_text(encoding="utf-8"))
        if match:
            found[str(path.parent if path.name == "conftest.py" else path)] = match[1]
    return found


LEFT_OUT = _left_out()
collect_ignore = list(LEFT_OUT)


def pytest_report_header() -> list[str]:
    """Say what is not tested for want of a development package."""
    return [f"left out, {name} is not installed: {path}" for path, name in LEFT_OUT.items()]


def _wanted(error: BaseException | None) -> str | None:
    """The development package for want of which a test ended so, or None."""
    while error is not None:
        name = (getattr(error, "name", None) or "").partition(".")[0]
        if isinstance(error, ImportError) and name in DEVELOPMENT:
            return name if importlib.util.find_spec(name) is None else None
        error = error.__cause__ or error.__context__
    return None


def _or_skipped() -> Generator[None, None, None]:
    try:
        return (yield)
    except Exception as error:
        name = _wanted(error)
        if name is None:
            raise
        pytest.skip(f"{name} is not installed: it belongs to the development group")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Generator[None, None, None]:
    """A fixture that needs a development package skips its test where that is missing."""
    return (yield from _or_skipped())


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, None, None]:
    """So does a test that imports one on its way, or asks for a frame of it."""
    return (yield from _or_skipped())


DATA = Path(os.environ.get("HEADCOUNT_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture
def shared_data() -> Callable[[str], Path]:
    """The folder of a real data set; skips, with the reason, where the data are absent."""

    def folder(name: str) -> Path:
        path = DATA / name
        if not path.is_dir():
            pytest.skip(f"real data not in reach: {path} (set HEADCOUNT_DATA)")
        return path

    return folder


@pytest.fixture(scope="session")
def data() -> tuple[hc.Ratings, hc.Predictions]:
    """Three hundred simulated comments and three classifiers."""
    made = make("comments", seed=11, items=300)
    return made.ratings, made.predictions


@pytest.fixture(scope="session")
def evaluation(data: tuple[hc.Ratings, hc.Predictions]) -> hc.Evaluation:
    """Every method on them, with forty bootstrap samples from seed 5."""
    return hc.evaluate(*data, n_bootstrap=40, seed=5)
