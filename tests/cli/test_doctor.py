"""`headcount doctor` on good data: what was read, and what can be answered."""

import json
import sys
from pathlib import Path

import pytest

from headcount.cli import main

FOLDERS = (
    *("cifar10h", "credbank", "entailment-rte", "llm-rubric", "pandalm-judges", "pg13"),
    *("running-example", "running-example-50", "sleep-stages", "wikipedia-attacks"),
    *("wikipedia-attacks-published", "word-sense", "xhate-retest"),
)


def _files(folder: Path) -> list[str]:
    ratings = [*folder.glob("ratings.csv*"), *folder.glob("counts.csv*")]
    return [str(path) for path in [*ratings, *folder.glob("predictions.csv*")]]


@pytest.mark.parametrize("name", FOLDERS)
def test_every_real_folder_is_read_without_options(name, shared_data, monkeypatch, capsys) -> None:
    files = _files(shared_data(name))
    monkeypatch.setattr(sys, "argv", ["headcount", "doctor", *files, "--format", "json"])
    main_exits_with(0)
    found = json.loads(capsys.readouterr().out)
    assert int(found["facts"]["items"].replace(",", "")) > 0
    assert len(found["questions"]) == 7
    if name == "pandalm-judges":
        notes = " ".join(found["notes"])
        assert "gpt_3_5_turbo: 25 answers are not labels, such as 'garbage'" in notes
        assert "--unknown wrong" in notes


def main_exits_with(code: int) -> None:
    try:
        main()
        stopped = 0
    except SystemExit as stop:
        stopped = int(stop.code or 0)
    assert stopped == code


@pytest.mark.parametrize("how", ["table", "csv", "markdown"])
def test_every_format_prints(how, tmp_path, monkeypatch, capsys) -> None:
    ratings = tmp_path / "ratings.csv"
    ratings.write_text("item,rater,label\n1,a,<b>x</b>\n1,b,[red]y\n2,a,[red]y\n2,b,[red]y\n")
    monkeypatch.setattr(sys, "argv", ["headcount", "doctor", str(ratings), "--format", how])
    main_exits_with(0)
    out = capsys.readouterr().out
    assert "How much do people agree?" in out
    if how == "table":
        assert "[red]y" in out
        assert "predictions are missing" in " ".join(out.split())
    if how == "markdown":
        assert "<b>" not in out
    if how == "csv":
        assert out.splitlines()[0] == "question,command,able,means"


def test_the_version_is_told(monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", ["headcount", "--version"])
    main_exits_with(0)
    assert capsys.readouterr().out.startswith("headcount 0.")
