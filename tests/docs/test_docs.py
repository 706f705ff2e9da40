"""Every example in README.md and docs/*.md is run, so that the words cannot rot.

- ```python blocks run in order, in one namespace and one empty folder a page: as doctests where
  they have prompts, as plain code where they have none.
- ```console blocks hold `$ command` lines, each followed by what it prints (standard output and
  standard error together). `...` stands for anything. A command is expected to succeed; a block
  that shows a failure says so: ```console exit=1
- Blocks of any other language (```text, ```toml, …) are not run.
"""

import contextlib
import doctest
import importlib.util
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SHELL_MARKS = set("|><;&$`*")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, the rest of the fence line, its text and line."""

    language: str
    info: str
    text: str
    line: int


def fenced_blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a Markdown page, in order; indented fences lose their indent."""
    lines = page.splitlines()
    start = None
    for number, line in enumerate(lines):
        fence = re.match(r"^(\s*)```(\S*)\s*(.*)$", line)
        if start is None and fence:
            start = (number, *fence.groups())
        elif start is not None and line.strip() == "```":
            first, indent, language, info = start
            body = [text.removeprefix(indent) for text in lines[first + 1 : number]]
            yield Block(language, info, "\n".join(body) + "\n", first + 2)
            start = None
    assert start is None, f"line {start[0] + 1}: a fence is opened and never closed"


def commands(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with what it should print."""
    command: str | None = None
    printed: list[str] = []
    for line in block.text.splitlines():
        if command is not None and command.endswith("\\"):
            command = command[:-1].rstrip() + " " + line.strip()
        elif line.startswith("$ "):
            if command is not None:
                yield command, "\n".join(printed)
            command, printed = line[2:], []
        else:
            assert command is not None, f"line {block.line}: a console block starts with '$ '"
            printed.append(line)
    if command is not None:
        yield command, "\n".join(printed)


def run_command(command: str) -> tuple[int, str]:
    """Run headcount within this process (starting one costs more than most commands)."""
    if command.startswith("headcount ") and not SHELL_MARKS & set(command):
        return _run_headcount(shlex.split(command))
    done = subprocess.run(
        command,
        shell=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def _run_headcount(words: list[str]) -> tuple[int, str]:
    from headcount.cli import main

    out = io.StringIO()
    before, sys.argv = sys.argv, words
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            main()
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
        return code, out.getvalue()
    finally:
        sys.argv = before
    return 0, out.getvalue()


def check_console(block: Block, where: str) -> None:
    """Run the commands of a console block and compare what they print."""
    asked = re.search(r"exit=(\d+)", block.info)
    for command, printed in commands(block):
        code, output = run_command(command)
        assert code == (int(asked[1]) if asked else 0), (
            f"{where}: `{command}` ended with {code}:\n{output}"
        )
        if printed.strip():
            assert doctest.OutputChecker().check_output(printed + "\n", output, FLAGS), (
                f"{where}: `{command}` printed\n{output}\nand the page says\n{printed}"
            )


def check_python(block: Block, where: str, namespace: dict[str, Any]) -> None:
    """Run a block of Python, as a doctest where it has prompts."""
    if ">>>" not in block.text:
        exec(compile(block.text, where, "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(block.text, namespace, where, where, block.line)
    test.globs = namespace  # get_doctest copies it; later blocks use earlier names
    report = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=report.write, clear_globs=False)
    assert runner.summarize(verbose=False).failed == 0, report.getvalue()


OPTIONAL = (
    "pandas",
    "polars",
    "sklearn",
    "surprise",
    "pyspark",
    "jsonschema",
    "inspect_ai",
    "mlflow",
    "datasets",
)
"""What examples may show that headcount does not need; the lowest versions come without."""


def missing_packages(text: str) -> list[str]:
    """The optional packages that a page's examples name and this environment lacks."""
    code = "\n".join(block.text for block in fenced_blocks(text) if block.language == "python")
    named = [name for name in OPTIONAL if re.search(rf"\b{name}\b", code)]
    return [name for name in named if not importlib.util.find_spec(name)]


def run_page(text: str, name: str) -> None:
    """Run all examples of a page, in order."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in fenced_blocks(text):
        where = f"{name}, line {block.line}"
        if block.language == "console":
            check_console(block, where)
        elif block.language == "python":
            check_python(block, where, namespace)


@pytest.fixture
def _empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=":")


def as_case(page: Path) -> Any:
    """A page as a case; where another tool runs, its own warnings are not ours to mend."""
    theirs = page.name in ("inspect.md", "mlflow.md", "datasets.md")
    marks = [pytest.mark.filterwarnings("ignore")] if theirs else []
    return pytest.param(page, marks=marks, id=str(page.relative_to(ROOT)))


@pytest.mark.usefixtures("_empty_folder")
@pytest.mark.parametrize("page", [as_case(page) for page in PAGES])
def test_examples_print_what_the_page_says(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    if missing := missing_packages(text):
        pytest.skip(f"its examples use {', '.join(missing)}, which is not installed here")
    run_page(text, str(page.relative_to(ROOT)))


GOOD = """
```python
x = 20
```
```console
$ echo one \\
    two
one ...
$ true
```
  ```python
  >>> x + 1
  21
  ```
```text
$ not run
```
```console exit=3
$ exit 3
```
"""


@pytest.mark.usefixtures("_empty_folder")
def test_the_runner_passes_what_is_true() -> None:
    run_page(GOOD, "good")


@pytest.mark.usefixtures("_empty_folder")
@pytest.mark.parametrize(
    "page",
    [
        "```python\n>>> 1 + 1\n3\n```",
        "```python\nassert False\n```",
        "```console\n$ echo one\ntwo\n```",
        "```console\n$ exit 1\n...\n```",
        "```console\nno prompt\n```",
        "```console\n$ never closed",
    ],
)
def test_the_runner_fails_what_is_false(page: str) -> None:
    with pytest.raises(AssertionError):
        run_page(page, "false")
