"""A method's options on the command line, from where they are declared."""

import enum
import inspect
from collections.abc import Callable
from copy import copy
from typing import Annotated, Any, cast, get_args

import typer

from headcount.options import Options, Told, described, flag_of


def chooses(
    options: type[Options], *, leave_out: tuple[str, ...] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a method; it is called with `options=`, an object of them.

    Options named in `leave_out` keep their defaults.
    """
    told = {name: each for name, each in described(options).items() if name not in leave_out}

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        def run(**given: Any) -> None:
            chosen = {name: _value(told[name], given.pop(name)) for name in told}
            command(options=options(**chosen), **given)

        own = [
            each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for name, each in inspect.signature(command).parameters.items()
            if name != "options"
        ]
        everything = [*own, *(parameter(options, name) for name in told)]
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        vars(run)["__signature__"] = inspect.Signature(everything)
        run.__annotations__ = {p.name: p.annotation for p in everything}
        return run

    return decorate


def shown(options: type[Options], name: str) -> Any:
    """What the command line shows of one option."""
    told, default = described(options)[name], getattr(options, name)
    flag = flag_of(name, told)
    if told.kind is bool and default is not False:
        flag = f"{flag}/--no-{flag.removeprefix('--')}"
    return typer.Option(flag, help=told.help, rich_help_panel=told.panel)


def parameter(options: type[Options], name: str) -> inspect.Parameter:
    """One option as a parameter of a command."""
    told, default = described(options)[name], getattr(options, name)
    kind: Any = _words(name, told.choices) if told.choices else told.kind
    if told.many:
        kind = list[str]
    if told.choices and default is not None:
        default = kind(default)
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind | None if default is None else kind, shown(options, name)],
    )


def also(given: inspect.Parameter, word: str, meaning: str) -> inspect.Parameter:
    """The same option with one more word that may be typed, and what it means."""
    kind, option = get_args(given.annotation)
    wider = _words(given.name, (*(each.value for each in kind), word))
    told = copy(option)
    told.help = f"{option.help} {meaning}"
    return given.replace(annotation=Annotated[wider, told], default=wider(given.default.value))


def _words(name: str, choices: tuple[str, ...]) -> type[enum.Enum]:
    return cast(type[enum.Enum], enum.StrEnum(name, {choice: choice for choice in choices}))


def _value(told: Told, given: Any) -> Any:
    value = given.value if isinstance(given, enum.Enum) else given
    return value if value is None or told.parse is None else told.parse(value)
