"""Fixtures for every test: the real data, where it is in reach, and one small evaluation."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import headcount as hc
from headcount.simulate import make

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
