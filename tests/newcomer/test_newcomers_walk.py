"""A newcomer's walk: clone into an empty folder, one command, a report with a verdict."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _run(*words: str, cwd: Path) -> str:
    # A newcomer's shell knows nothing of the environment or the make that runs these tests.
    theirs = ("VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS", "MAKELEVEL", "MFLAGS", "COVERAGE")
    env = {k: v for k, v in os.environ.items() if not k.startswith((*theirs, "PYTEST", "COV_"))}
    done = subprocess.run(
        words, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A fresh clone; its environment is removed afterwards, it is large."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout, so there is nothing to clone")
    folder = tmp_path / "headcount"
    _run("git", "clone", "--quiet", "--depth", "1", ROOT.as_uri(), str(folder), cwd=tmp_path)
    yield folder
    shutil.rmtree(folder / ".venv", ignore_errors=True)


def test_a_fresh_clone_gives_a_report_with_one_command(clone: Path) -> None:
    said = _run("make", "demo", cwd=clone)
    report = clone / "headcount-demo" / "report.html"
    page = report.read_text(encoding="utf-8")
    verdicts = [line for line in said.splitlines() if "is worth" in line]
    assert verdicts
    assert "headcount-demo/report.html" in said
    for classifier in ("word_list", "fine_tuned", "llm_judge"):
        assert classifier in page
    assert "is worth" in page
    assert (clone / "headcount-demo" / "ratings.csv").exists()
