"""Write docs/reference.md, the list of public names, from their docstrings: `make docs`.

Which page a name stands on is read from the pages of docs/reference themselves; a name that stands
on none stops the writing. With it goes the JSON Schema of every result, which the package ships.
"""

import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parent
PAGE = FOLDER / "reference.md"
SCHEMA = FOLDER.parent / "src" / "headcount" / "results" / "results.schema.json"
"""What the JSON of results looks like, for readers that do not run Python."""
SHOWS = {"adapters", "cli", "web", "charts", "report"}
"""Rooms that show results and define none; some need extras."""
ORDER = (
    "evaluate",
    "agreement",
    "scores",
    "population",
    "equivalence",
    "together",
    "drift",
    "rank",
    "accuracy",
    "deconvolution",
    "budget",
    "data",
    "simulate",
    "results",
    "json",
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


def every_result() -> list[type]:
    """The class of every result there is."""
    import headcount
    from headcount.results import Result

    for room in pkgutil.iter_modules(headcount.__path__, "headcount."):
        if room.ispkg and room.name.rpartition(".")[2] not in SHOWS:
            importlib.import_module(room.name)
    return sorted(set(heirs(Result)), key=lambda each: each.__name__)


def heirs(cls: type) -> Iterator[type]:
    """The classes of headcount that inherit from this one."""
    for each in cls.__subclasses__():
        if each.__module__.startswith("headcount."):
            yield each
        yield from heirs(each)


def schema() -> str:
    """The JSON Schema of every result."""
    from headcount.results.schema import schema_of

    return json.dumps(schema_of(every_result()), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    SCHEMA.write_text(schema(), encoding="utf-8")
    print(f"wrote {PAGE} and {SCHEMA}")
