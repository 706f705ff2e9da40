"""Write docs/reference.md, the list of public names, from their docstrings: `make docs`.

Which page a name stands on is read from the pages of docs/reference themselves; a name that stands
on none stops the writing.
"""

import inspect
import re
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parent
PAGE = FOLDER / "reference.md"
ORDER = (
    "evaluate",
    "agreement",
    "scores",
    "population",
    "equivalence",
    "together",
    "accuracy",
    "deconvolution",
    "budget",
    "data",
    "simulate",
    "results",
    "errors",
)
"""The pages in the order of the questions."""

INTRODUCTION = """\
# Reference

*This page is written by `make docs` from the docstrings; do not edit it by hand.*

Every public name of `import headcount as hc`, from its docstring; examples run in the tests.
Options are keyword-only, `seed=` makes everything repeatable, and ends of intervals are `low` and
`high`.
[What every result can do](reference/results.md) is the same for all of them. The
[command line](cli.md) is written from the commands; a project's [settings](settings.md) stand in a
file; [what can be read](data.md) and [other tools' exports](tools.md) have pages of their own.

| name | what it is |
|---|---|
"""


def named_on(page: str) -> list[str]:
    """The names that a page documents, without the package's."""
    text = (FOLDER / "reference" / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(r"^\.\. auto\w+:: headcount\.([\w.]+)$", text, flags=re.MULTILINE)


def page() -> str:
    """The whole page."""
    import headcount as hc

    rows = []
    missing = set(hc.__all__) - {"__version__", "simulate"}
    for each in ORDER:
        for name in named_on(each):
            if name in missing:
                missing.remove(name)
                rows.append(f"| [`hc.{name}`](reference/{each}.md) | {summary(hc, name)} |")
        if each == "simulate":
            rows.append(f"| [`hc.simulate`](reference/simulate.md) | {first_line(hc.simulate)} |")
    if missing:
        raise SystemExit(f"on no page of docs/reference: {', '.join(sorted(missing))}")
    rows.append("| `hc.__version__` | The version. |")
    listed = "\n".join(["```{toctree}", ":hidden:", "", *(f"reference/{each}" for each in ORDER)])
    return INTRODUCTION + "\n".join(rows) + f"\n\n{listed}\ncli\nglossary\n```\n"


def summary(package: ModuleType, name: str) -> str:
    """The first line of a name's docstring; a room is described by the function in it."""
    found = getattr(package, name)
    return first_line(vars(found)[name] if isinstance(found, ModuleType) else found)


def first_line(thing: object) -> str:
    """What a docstring says first, as a cell."""
    return (inspect.getdoc(thing) or "").splitlines()[0].replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
