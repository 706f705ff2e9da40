"""Help on one screen: what a newcomer needs of a command; `--help-all` has all options."""

import textwrap
from typing import Any

from typer.core import TyperCommand

MOST = 15
"""Options that a command's help lists; a command with no more of them lists all."""
WIDTH = 88

_FIRST = (
    "output",
    "details",
    "raters",
    "classifiers",
    "item",
    "rater",
    "label",
    "text",
    "slice",
    "cluster",
    "group",
    "gold",
    "unknown",
    "period",
    "require",
    "format",
    "chart",
    "target",
    "help",
)
"""The options that most people need first, in the order in which they need them."""


class ShortHelp(TyperCommand):
    """A command whose `--help` is one screen."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Print all of the help where it is asked for; everything else is the command's."""
        if "--help-all" in args:
            print(self.full_help(ctx), end="")
            ctx.exit()
        return super().parse_args(ctx, args)

    def full_help(self, ctx: Any) -> str:
        """Every option, in panels, as Typer prints it."""
        formatter = ctx.make_formatter()
        # Typer prints in panels by itself, or writes to the formatter where Rich is not there.
        super().format_help(ctx, formatter)
        return str(formatter.getvalue())

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """One line an option, the first ones first; where all of them fit, Typer's own help."""
        options = [each for each in self.get_params(ctx) if _is_option(each)]
        if len(options) <= MOST + 1:  # and --help itself
            super().format_help(ctx, formatter)
            return
        names = {name: place for place, name in enumerate(_FIRST)}
        shown = sorted(
            (each for each in options if _name(each) in names), key=lambda each: names[_name(each)]
        )
        usage = " ".join([ctx.command_path, *self.collect_usage_pieces(ctx)])
        lines = [f"Usage: {usage}", ""]
        about = (self.help or "").strip().splitlines()[0]
        lines += [*textwrap.wrap(about, WIDTH, initial_indent="  ", subsequent_indent="  "), ""]
        rows = [
            (each.metavar or str(each.name).upper(), _first(each)) for each in _arguments(self, ctx)
        ]
        rows += [(_flags(each), _first(each)) for each in shown]
        wide = max(len(flag) for flag, _ in rows) + 4
        lines += [f"  {flag:<{wide - 2}}{_cut(said, WIDTH - wide)}" for flag, said in rows]
        more = len(options) - len(shown)
        lines += ["", f"  {more} more options: {ctx.command_path} --help-all"]
        formatter.write("\n".join(lines) + "\n")


def _is_option(parameter: Any) -> bool:
    return parameter.param_type_name == "option" and not parameter.hidden


def _arguments(command: TyperCommand, ctx: Any) -> list[Any]:
    return [each for each in command.get_params(ctx) if each.param_type_name == "argument"]


def _flags(option: Any) -> str:
    short = [flag for flag in option.opts if not flag.startswith("--")]
    return ", ".join([*short, *(flag for flag in option.opts if flag.startswith("--"))][:2])


def _name(option: Any) -> str:
    """What is typed, without dashes."""
    return next((flag[2:] for flag in option.opts if flag.startswith("--")), "")


def _first(parameter: Any) -> str:
    """The first sentence of what is said of an argument or an option."""
    told: str = parameter.help or ""
    return told.split(". ")[0].removesuffix(".")


def _cut(said: str, most: int) -> str:
    return textwrap.shorten(said, most, placeholder=" …")
