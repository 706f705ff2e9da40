"""`headcount doctor` on good data: what was read, and what can be answered."""

import json
import sys
from pathlib import Path

import pytest

from headcount import Predictions, Ratings
from headcount.cli import main

FOLDERS = (
    *("cifar10h", "credbank", "entailment-rte", "llm-rubric", "pandalm-judges", "pg13"),
    *("offensiveness", "summeval", "valence"),
    *("running-example", "running-example-50", "sleep-stages", "wikipedia-attacks"),
    *("wikipedia-attacks-published", "word-sense", "xhate-retest"),
)
ASKED = {"llm-rubric": 6, "offensiveness": 6, "summeval": 6, "valence": 2}
"""Questions about labels on a scale and about numbers: those of names alone are not asked."""


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
    assert len(found["questions"]) == ASKED.get(name, 7)
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


def test_one_sheet_with_readers_and_a_model(tmp_path, run) -> None:
    rows = "1,a,b,a,a\n2,b,b,a,b\n3,a,a,a,b\n4,b,b,b,a\n"
    path = tmp_path / "sheet.csv"
    path.write_text("case,reader1,reader2,reader3,model\n" + rows)
    code, out, err = run("doctor", path)
    assert code == 0, err
    assert "classifiers = 'model'" in " ".join(out.split())
    code, out, err = run("doctor", path, "--raters", "reader*", "--classifiers", "model")
    assert code == 0, err
    assert "'reader1', 'reader2', 'reader3'" in " ".join(out.split())
    ratings = Ratings.read(path, raters="reader*", classifiers="model")
    assert ratings.n_raters == 3
    assert Predictions.read(path, item="case", classifiers="model").names == ("model",)


def test_a_preview_shows_the_roles_the_first_rows_and_the_labels(tmp_path, run) -> None:
    path = tmp_path / "r.csv"
    path.write_text("task,worker,rating\n1,ann,good\n1,ben,bad\n2,ann,good\n")
    code, out, _ = run("doctor", path, "--format", "json")
    assert code == 0
    found = json.loads(out)
    assert found["first_rows"][1] == {"item": "1", "rater": "ben", "label": "bad"}
    assert [(row["label"], row["ratings"]) for row in found["labels"]] == [("bad", 1), ("good", 2)]
    assert "First rows, as they were understood" in " ".join(run("doctor", path)[1].split())
