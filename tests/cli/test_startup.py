"""Starting is quick: heavy packages wait until they are used."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("pandas", "altair", "scipy.stats", "duckdb", "pyarrow", "rich.console")


_TELL = "\nimport sys\nprint(*sys.modules, sep='\\n', file=sys.stderr)"


def _imported(code: str, *arguments: str) -> set[str]:
    """What is loaded in the end; packages that are tried and not there are not."""
    listing = subprocess.run(
        [sys.executable, "-c", code + _TELL, *arguments],
        capture_output=True,
        text=True,
        check=True,
    ).stderr
    return set(listing.splitlines())


def test_importing_headcount_imports_nothing_heavy() -> None:
    assert not _imported("import headcount").intersection(HEAVY)


@pytest.mark.parametrize("package", ["pandas", "altair", "scipy.stats"])
def test_reading_ratings_needs_none_of(package: str) -> None:
    assert package not in _imported("import headcount as hc; hc.Ratings")


def test_every_question_is_loaded_without_scipy_stats() -> None:
    """It takes as long to load as the rest of evaluate, which needs one quantile of it."""
    assert "scipy.stats" not in _imported("import headcount.evaluation, headcount.report.writing")


_COMMAND = "from headcount.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass"


def test_help_imports_neither_numbers_nor_charts() -> None:
    heavy = {"numpy", "duckdb", "pyarrow", "altair", "scipy"}
    assert not _imported(_COMMAND, "--help").intersection(heavy)


@pytest.mark.parametrize("command", ["agreement", "equivalence", "accuracy", "doctor"])
def test_a_command_imports_neither_pandas_nor_charts(command: str, tmp_path: Path) -> None:
    ratings, predictions = tmp_path / "ratings.csv", tmp_path / "predictions.csv"
    answers = [f"i{i},r{r},{'ab'[i * r % 2]}" for i in range(9) for r in range(4)]
    ratings.write_text("\n".join(["item,rater,label", *answers]))
    predictions.write_text("\n".join(["item,model", *(f"i{i},a" for i in range(9))]))
    tables = [str(ratings)] if command == "agreement" else [str(ratings), str(predictions)]
    imported = _imported(_COMMAND, command, *tables)
    assert "headcount.data" in imported
    assert not imported.intersection({"pandas", "altair"})


def test_a_plan_from_numbers_loads_no_data() -> None:
    """Four numbers need no files: neither what reads them nor what counts them is loaded."""
    numbers = [
        "--accuracy",
        "0.8",
        "--margin",
        "0.05",
        "--label-accuracy",
        "0.8",
        "--budget",
        "300",
    ]
    imported = _imported(_COMMAND, "plan", "compare", *numbers)
    ours = {name for name in imported if name.split(".")[0] == "headcount"}
    rooms = {".".join(name.split(".")[:2]) for name in ours}
    assert "headcount.plan" in rooms
    assert not rooms.intersection({"headcount.data", "headcount.door", "headcount.charts"})
    assert not imported.intersection({"pyarrow", "duckdb", "narwhals", "pandas", "altair"})
    assert len(ours) <= 70
