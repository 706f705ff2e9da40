"""Write the notebooks of the tutorials from their pages, executed: `make notebooks`.

A page of docs/tutorials becomes docs/tutorials/NAME.ipynb: its text as it is, its Python blocks as
cells without prompts and without what they print. Where a page shows a picture after a block that
ends in `chart = …`, the notebook draws the chart itself, and the picture is written from it. Charts
are PNG: a notebook shows them without a network, and so do the hosts of code. (Vega-Lite beside
them would be welcome; the type that Altair 6 gives it is not one that a notebook may hold.)
"""

import base64
import doctest
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

TUTORIALS = Path(__file__).parent / "tutorials"
PICTURE = re.compile(r"^!\[[^\]]*\]\((\S+\.png)\)$")
OFFLINE = """\
import altair as alt

alt.renderers.enable("png", scale_factor=2);  # charts as pictures: no network, any viewer"""


def notebook(page: Path) -> Any:
    """The notebook of a page, not yet executed."""
    cells = [new_markdown_cell(_heading(page)), new_code_cell(OFFLINE)]
    for text in _parts(page.read_text(encoding="utf-8")):
        last = cells[-1]
        picture = PICTURE.match(text)
        if text.startswith("```python\n"):
            cells += [new_code_cell(source) for source in _sources(text)]
        elif picture and last.cell_type == "code" and _draws(last.source):
            last.source += "\nchart"
            last.metadata["picture"] = picture[1]
        else:
            cells.append(new_markdown_cell(text))
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _draws(source: str) -> bool:
    """Whether a cell ends in a chart that is kept and not yet shown."""
    return source.rpartition("\n")[2].startswith("chart = ")


def execute(made: Any) -> None:
    """Run a notebook's cells in place, and leave out who ran them and when."""
    from nbclient import NotebookClient

    NotebookClient(made, timeout=300, kernel_name="python3").execute()
    made.metadata.pop("language_info", None)
    for cell in made.cells:
        cell.metadata.pop("execution", None)


def pictures(made: Any) -> dict[str, bytes]:
    """The pictures that the page shows, by the path it shows them under."""
    return {
        cell.metadata["picture"]: base64.b64decode(output.data["image/png"])
        for cell in made.cells
        if "picture" in cell.metadata
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    }


def _heading(page: Path) -> str:
    return (
        f"*This notebook is written from `{page.name}` beside it by `make notebooks`; it needs "
        "headcount and nothing else.*"
    )


def _parts(text: str) -> list[str]:
    """The page cut at its blocks of Python and its pictures."""
    cut = re.split(r"(^```python\n.*?^```$|^!\[[^\]]*\]\(\S+\)$)", text, flags=re.M | re.S)
    return [part.strip() for part in cut if part.strip()]


def _sources(block: str) -> list[str]:
    """The code of a block without prompts; a cell ends where a value is shown."""
    body = block.removeprefix("```python\n").removesuffix("```")
    if ">>>" not in body:
        return [body.strip()]
    found = [""]
    for example in doctest.DocTestParser().get_examples(body):
        found[-1] += example.source
        if example.want and not example.source.startswith(("print(", "for ")):
            found.append("")
    return [source.strip() for source in found if source.strip()]


def main() -> None:
    """Write and execute every notebook, and the pictures of the pages."""
    for page in sorted(TUTORIALS.glob("*.md")):
        made = notebook(page)
        execute(made)
        for path, content in pictures(made).items():
            (page.parent / path).write_bytes(content)
        nbformat.write(made, page.with_suffix(".ipynb"))
        print(f"wrote {page.with_suffix('.ipynb')}")


if __name__ == "__main__":
    sys.exit(main())
