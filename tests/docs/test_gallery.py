"""The script of the gallery: its cases are there, and its page escapes what it lists."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def gallery() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("gallery", ROOT / "docs" / "gallery.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["gallery"] = module
    spec.loader.exec_module(module)
    return module


def test_the_judges_of_pandalm_are_worth_less_than_a_person(
    gallery, shared_data, monkeypatch, tmp_path: Path, capsys
) -> None:
    monkeypatch.setattr(gallery, "DATA", shared_data("pandalm-judges").parent)
    monkeypatch.setattr(
        gallery, "CASES", [each for each in gallery.CASES if each.name == "pandalm-judges"]
    )
    gallery.main(tmp_path / "reports")
    said = capsys.readouterr().out
    assert "gpt_3_5_turbo is worth 0.3 raters" in said
    assert "not as good as one person" in said
    page = (tmp_path / "reports" / "index.html").read_text(encoding="utf-8")
    assert 'href="pandalm-judges.html"' in page
    report = (tmp_path / "reports" / "pandalm-judges.html").read_text(encoding="utf-8")
    assert "gpt_3_5_turbo gave 25 answers outside the labels" in report


def test_every_case_names_data_that_are_there(gallery, shared_data) -> None:
    for case in gallery.CASES:
        folder = shared_data(case.name)
        assert (folder / case.ratings).exists()
        assert (folder / case.predictions).exists()


def test_absent_data_are_named(gallery, monkeypatch, tmp_path: Path, capsys) -> None:
    monkeypatch.setattr(gallery, "DATA", tmp_path / "nowhere")
    gallery.main(tmp_path)
    assert capsys.readouterr().out.count("not in reach") == len(gallery.CASES)


def test_the_list_escapes_what_it_shows(gallery) -> None:
    case = gallery.Case("data", "<b>about</b>")
    assert "<script>" not in gallery.index([(case, ["<script>alert(1)</script> is worth 2"])])
