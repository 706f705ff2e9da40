"""The notebooks of the tutorials: what their pages say, run, with charts that show anywhere."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted((DOCS / "tutorials").glob("*.md"))


def _maker():
    spec = spec_from_file_location("make_notebooks", DOCS / "make_notebooks.py")
    module = module_from_spec(spec)
    sys.modules["make_notebooks"] = module
    spec.loader.exec_module(module)
    return module


maker = _maker()


def _kept(page: Path):
    return nbformat.read(page.with_suffix(".ipynb"), as_version=4)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_notebook_is_what_its_page_says(page: Path) -> None:
    cells = [(cell.cell_type, cell.source) for cell in maker.notebook(page).cells]
    kept = [(cell.cell_type, cell.source) for cell in _kept(page).cells]
    assert kept == cells, "a notebook is out of date: run `make notebooks`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_charts_are_kept_as_pictures_that_the_page_shows_too(page: Path) -> None:
    pictures = maker.pictures(_kept(page))
    assert pictures
    for path, content in pictures.items():
        assert content.startswith(b"\x89PNG")
        assert (page.parent / path).read_bytes() == content


@pytest.mark.filterwarnings("ignore")  # what a kernel warns of when it starts is not ours
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_notebook_runs(page: Path) -> None:
    made = maker.notebook(page)
    maker.execute(made)  # a cell that fails raises
    said = [output for cell in made.cells for output in cell.get("outputs", ())]
    assert any("image/png" in output.get("data", {}) for output in said)
