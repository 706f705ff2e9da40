"""Write docs/cli.md from the command line itself: `make docs`. A test holds the page to it."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin

import typer

PAGE = Path(__file__).parent / "cli.md"
INTRODUCTION = """\
# The command line

*This page is written by `make docs` from the commands themselves; do not edit it by hand.*

Every command takes `--help`, which is one screen; where there is more, `--help-all` has every
option. A share is a number or per cent: 0.85 or 85%. Results go to standard output as a table for
people, or with `--format json`, `csv` or `markdown`; progress and remarks about files written go to
standard error. Exit codes: 0 done, 1 could not run (one sentence says why), 2 wrong usage, 3 a
`--require` was not met. `python -m headcount` is the same command line.
"""


@dataclass(frozen=True)
class Parameter:
    """One argument or option: its name in Python, type, default, and what Typer was told of it."""

    name: str
    kind: Any
    default: Any
    told: Any

    @property
    def is_argument(self) -> bool:
        """Whether it is given by its place."""
        return isinstance(self.told, typer.models.ArgumentInfo)

    @property
    def is_flag(self) -> bool:
        """Whether it takes no value."""
        return self.kind is bool


def page() -> str:
    """The whole page."""
    from headcount.cli.app import app

    sections = [section(words, command) for words, command in commands(app, ("headcount",))]
    return "\n".join([INTRODUCTION, *sections])


def commands(app: typer.Typer, words: tuple[str, ...]) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every command of `app` with the words that call it, then those of its sub-apps."""
    for info in app.registered_commands:
        if not info.hidden and info.callback is not None:
            name = info.name or info.callback.__name__.replace("_", "-")
            yield " ".join((*words, name)), info.callback
    for group in app.registered_groups:
        assert group.typer_instance is not None
        name = group.name if isinstance(group.name, str) else group.typer_instance.info.name
        yield from commands(group.typer_instance, (*words, str(name)))


def section(words: str, command: Callable[..., Any]) -> str:
    """One command: usage, what it does, its arguments, and its options by panel."""
    found = list(parameters(command))
    arguments = [each for each in found if each.is_argument]
    usage = " ".join([words, *(usage_of(each) for each in arguments), "[OPTIONS]"])
    lines = [f"## {words}", "", f"```text\n{usage}\n```", "", cleaned(command.__doc__), ""]
    if arguments:
        lines += table("argument", [(name_of(each), cleaned(each.told.help)) for each in arguments])
    panels: dict[str, list[Parameter]] = {"Options": []}
    for each in found:
        if not each.is_argument and not each.told.hidden:
            panels.setdefault(each.told.rich_help_panel or "Options", []).append(each)
    for panel, options in panels.items():
        if options:
            lines += table(panel.lower(), [(flags(each), meaning(each)) for each in options])
    return "\n".join(lines)


def parameters(command: Callable[..., Any]) -> Iterator[Parameter]:
    """The parameters of a command; each is annotated with what Typer shows of it."""
    for name, each in inspect.signature(command).parameters.items():
        if each.annotation is typer.Context:
            continue
        kind, *extra = get_args(each.annotation)
        told = next(info for info in extra if isinstance(info, typer.models.ParameterInfo))
        yield Parameter(name, without_none(kind), each.default, told)


def without_none(kind: Any) -> Any:
    """`X` of `X | None`."""
    if get_origin(kind) in (Union, UnionType):
        return next(part for part in get_args(kind) if part is not type(None))
    return kind


def table(title: str, rows: list[tuple[str, str]]) -> list[str]:
    """A Markdown table of two columns."""
    body = [f"| {left} | {right} |" for left, right in rows]
    return [f"| {title} | |", "|---|---|", *body, ""]


def name_of(argument: Parameter) -> str:
    """The name of an argument as the help shows it."""
    return str(argument.told.metavar or argument.name.upper()).strip("[]")


def usage_of(argument: Parameter) -> str:
    """The name of an argument, in brackets where it can be left out."""
    name = name_of(argument)
    return name if argument.default is inspect.Parameter.empty else f"[{name}]"


def flags(option: Parameter) -> str:
    """How an option is written, with the kind of value it takes."""
    default = f"--{option.name.replace('_', '-')}"
    # Inside Annotated, Typer keeps the first way of writing an option in `default`.
    first = option.told.default
    named = (first,) if isinstance(first, str) and first.startswith("-") else ()
    written = (*named, *(option.told.param_decls or ())) or (
        (default, f"--no-{option.name.replace('_', '-')}") if option.is_flag else (default,)
    )
    each_way = [flag for written_so in written for flag in written_so.split("/")]
    shown = ", ".join(f"`{flag}`" for flag in each_way if flag.startswith("-"))
    return f"{shown} {value_of(option)}".strip()


def value_of(option: Parameter) -> str:
    """The kind of value an option takes, or nothing for a flag."""
    if option.is_flag:
        return ""
    if option.told.metavar:
        return str(option.told.metavar)
    kind = get_args(option.kind)[0] if get_origin(option.kind) is list else option.kind
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " \\| ".join(str(each.value) for each in kind)
    return {int: "NUMBER", float: "NUMBER", Path: "FILE"}.get(kind, "TEXT")


def meaning(option: Parameter) -> str:
    """The help of an option, with its default where it has one."""
    said, default = cleaned(option.told.help), option.default
    if default is inspect.Parameter.empty or default in (None, False, "", ()):
        # `0 in (False,)` holds too, and a default of 0 is worth saying.
        return f"{said} Default: `0`." if default == 0 and default is not False else said
    return f"{said} Default: `{default.value if isinstance(default, Enum) else default}`."


def cleaned(text: str | None) -> str:
    """Help text as Markdown: one line a paragraph, pipes escaped."""
    paragraphs = inspect.cleandoc(text or "").split("\n\n")
    joined = "\n\n".join(" ".join(each.split()) for each in paragraphs)
    return joined.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")
