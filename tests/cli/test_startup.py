"""Starting is quick: heavy packages wait until they are used."""

import subprocess
import sys

import pytest

HEAVY = ("pandas", "altair", "scipy.stats", "duckdb", "pyarrow", "rich.console")


def _imported(code: str) -> set[str]:
    listing = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", code],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    return {line.rpartition("|")[2].strip() for line in listing.splitlines()}


def test_importing_headcount_imports_nothing_heavy() -> None:
    assert not _imported("import headcount").intersection(HEAVY)


@pytest.mark.parametrize("package", ["pandas", "altair", "scipy.stats"])
def test_reading_ratings_needs_none_of(package: str) -> None:
    assert package not in _imported("import headcount as hc; hc.Ratings")


def test_help_imports_neither_numbers_nor_charts() -> None:
    code = "import sys; sys.argv = ['headcount', '--help']\nfrom headcount.cli import main\n"
    code += "try:\n    main()\nexcept SystemExit:\n    pass"
    assert not _imported(code).intersection({"numpy", "duckdb", "pyarrow", "altair", "scipy"})
