"""Fixtures for every test: the real data, where it is in reach."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

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
