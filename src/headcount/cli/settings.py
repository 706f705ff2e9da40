"""Settings in a file: `headcount.toml`, or `[tool.headcount]` in `pyproject.toml`.

The nearest one from the working folder upwards is read. What it says takes the place of the
commands' defaults, so that the command line wins; a line on standard error says which file was
used and for what.
"""

import difflib
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer

from headcount.errors import InputError
from headcount.frozen import frozen
from headcount.options.declared import READING

NAME, PROJECT = "headcount.toml", "pyproject.toml"
GATES = ("require", "baseline")
LABELS = ("order", "scale", "mapping", "fold_case", "missing", "unrated", "positive", "unknown")
OF_OTHER_DATA = ("demo", "simulate")
"""Commands that make their own data: what is said of yours does not hold for them."""
_FILES = ("gold", "baseline")
"""Settings that may name a file, meant from the folder that the settings are in."""

Values = dict[str, Any]


@frozen
class Settings:
    """What a file sets: values by table ("roles", "labels", "gates", "options") and name."""

    path: Path
    tables: Mapping[str, Values]

    @property
    def name(self) -> str:
        """The file as a person in the working folder would call it."""
        return self.path.name if self.path.parent.resolve() == Path.cwd() else str(self.path)

    def listed(self) -> Iterator[tuple[str, str]]:
        """Every setting with its value, for people."""
        yield from _listed("", self.tables)

    def defaults(self, group: Any) -> Values:
        """What takes the place of defaults, by command; unknown settings are refused."""
        commands = dict(_commands(group))
        self._check(commands)
        found: Values = {}
        for words, command in commands.items():
            inner = found
            for word in words[:-1]:
                inner = inner.setdefault(word, {})
            inner[words[-1]] = self._for(words, command)
        return found

    def _for(self, words: tuple[str, ...], command: Any) -> Values:
        """The settings of one command, as the command line would be given them."""
        tables = self.tables
        of_data = tables.get("roles", {}) | tables.get("labels", {})
        options = tables.get("options", {})
        for word in words:
            options = {**options, **options.get(word, {})}
        gates = tables.get("gates", {})
        found = {}
        for parameter in command.params:
            kind = _table(parameter)
            said = of_data if kind in ("roles", "labels") else gates if kind == "gates" else options
            if kind is not None and parameter.name in said:
                found[parameter.name] = self._value(parameter, said[parameter.name])
        return found

    def _value(self, parameter: Any, given: Any) -> Any:
        name = str(parameter.name)
        if name in _FILES and isinstance(given, str) and (self.path.parent / given).is_file():
            return str(self.path.parent / given)
        if name == "mapping" and isinstance(given, dict):
            return [self._pair(old, new) for old, new in given.items()]
        several = isinstance(given, list)
        if isinstance(given, dict) or (several and any(isinstance(e, dict | list) for e in given)):
            raise InputError(f"{self.name}: {name} is a value or a list of values, not a table.")
        if parameter.multiple:
            return given if several else [given]
        if several and any("," in str(each) for each in given):
            raise InputError(
                f"{self.name}: {name} is taken apart at commas, so none of its values can have one."
            )
        return ",".join(map(str, given)) if several else given

    def _pair(self, old: str, new: Any) -> str:
        if "=" in old:
            raise InputError(f"{self.name}: an answer with '=' in it ({old!r}) cannot be mapped.")
        return f"{old}={new}"

    def _check(self, commands: Mapping[tuple[str, ...], Any]) -> None:
        """Refuse what no command knows, with the nearest thing that one does."""
        known: dict[str, set[str]] = {"roles": set(), "labels": set(), "gates": set()}
        known["options"] = {words[0] for words in commands}
        for command in commands.values():
            for parameter in command.params:
                table = _table(parameter)
                if table is not None:
                    known[table].add(parameter.name)
        for table, values in self.tables.items():
            if table not in known:
                self._refuse(table, "", sorted(known), known)
            if not isinstance(values, dict):
                raise InputError(f"{self.name}: {table} is a table: write [{table}] above it.")
            for name in values:
                if name not in known[table]:
                    self._refuse(name, table, sorted(known[table]), known)
        self._check_by_command(commands)

    def _check_by_command(self, commands: Mapping[tuple[str, ...], Any]) -> None:
        """Refuse, under the name of a command, what that command does not take."""
        for words, values in _by_command(self.tables.get("options", {}), commands, ()):
            inner = {each[len(words)] for each in commands if each[: len(words)] == words != each}
            allowed = inner | {
                parameter.name
                for each, command in commands.items()
                if each[: len(words)] == words
                for parameter in command.params
                if _table(parameter) == "options"
            }
            for name in values:
                if name not in allowed:
                    self._refuse(name, ".".join(("options", *words)), sorted(allowed), {})

    def _refuse(
        self, name: str, table: str, among: list[str], elsewhere: Mapping[str, set[str]]
    ) -> None:
        where = f"in [{table}]" if table else "here"
        home = [other for other, names in elsewhere.items() if name in names and other != table]
        near = difflib.get_close_matches(name, among, n=1)
        if home:
            advice = f"it belongs in [{home[0]}]"
        elif near:
            advice = f"did you mean {near[0]!r}?"
        else:
            advice = f"there are {', '.join(among)}"
        ended = advice if advice.endswith("?") else f"{advice}."
        raise InputError(f"{self.name}: there is no setting {name!r} {where}: {ended}")


def nearest(start: Path) -> Settings | None:
    """The settings that hold in a folder: its own, or those of the nearest folder above."""
    for folder in (start, *start.parents):
        own, project = folder / NAME, folder / PROJECT
        if os.path.isfile(own):  # a folder that may not be looked into has none
            return read(own)
        if os.path.isfile(project):
            found = read(project)
            if found.tables:
                return found
    return None


def read(path: Path) -> Settings:
    """The settings of one file; of a pyproject.toml those under `[tool.headcount]`."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{path} cannot be read for settings ({error}): mend it, or go on without with "
            "headcount --no-settings."
        ) from error
    if path.name == PROJECT:
        found = found.get("tool", {}).get("headcount", {})
    return Settings(path, found)


def apply(context: typer.Context, path: Path | None, *, wanted: bool) -> None:
    """Let the settings take the place of the defaults of whichever command follows."""
    if not wanted or context.resilient_parsing:
        return
    settings = nearest(Path.cwd()) if path is None else read(path)
    if settings is None:
        return
    context.obj = settings
    context.default_map = settings.defaults(context.command)
    announce(context)


def announce(context: typer.Context) -> None:
    """Say which file is used and for what, once it is known by which command."""
    used = (context.default_map or {}).get(context.invoked_subcommand or "")
    values = {name: value for name, value in (used or {}).items() if not isinstance(value, dict)}
    if values and isinstance(context.obj, Settings):
        print(
            f"headcount: settings from {context.obj.name}: {', '.join(values)} "
            "(the command line wins)",
            file=sys.stderr,
        )


def _commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _commands(command, (*words, name))
        elif name not in OF_OTHER_DATA:
            yield (*words, name), command


def _by_command(
    values: Any, commands: Mapping[tuple[str, ...], Any], words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Values]]:
    """Tables under the names of commands, with the words that call them."""
    heads = {each[len(words)] for each in commands if each[: len(words)] == words != each}
    for name, inner in values.items():
        if name in heads and isinstance(inner, dict):
            yield (*words, name), inner
            yield from _by_command(inner, commands, (*words, name))


def _table(parameter: Any) -> str | None:
    """The table that a parameter of a command is set in; None where it cannot be set."""
    panel = getattr(parameter, "rich_help_panel", None)
    if parameter.param_type_name == "argument":
        return None
    if parameter.name in GATES:
        return "gates"
    if panel == READING:
        return "labels" if parameter.name in LABELS else "roles"
    return None if panel is None else "options"


def _listed(before: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _listed(f"{before}{name}.", value)
        else:
            several = isinstance(value, list)
            yield f"{before}{name}", ", ".join(map(str, value)) if several else str(value)
