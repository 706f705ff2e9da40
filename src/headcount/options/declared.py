"""How an option is declared: its default, what people are told of it, and how it is checked."""

import dataclasses
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Self

from headcount.errors import OptionError
from headcount.frozen import frozen

METHOD, INTERVALS, SLIPS, PEOPLE, READING = (
    "Method",
    "Intervals",
    "Slips",
    "People",
    "Reading the files",
)
"""The panels under which a command's help lists its options."""


@frozen
class Told:
    """What people are told of an option, and how the command line reads it.

    `kind` is the type of the text typed there (a truth value becomes a pair of switches),
    `parse` what turns that into the option's value, `choices` the words it may be. `flag` is how
    it is typed where that is not its name, and `many` says that it may be typed several times.
    """

    help: str
    panel: str
    kind: type
    parse: Callable[[Any], Any] | None
    choices: tuple[str, ...]
    flag: str | None = None
    many: bool = False


def option(
    default: Any,
    help: str,
    *,
    panel: str = METHOD,
    kind: type = str,
    parse: Callable[[Any], Any] | None = None,
    choices: Sequence[str] = (),
    flag: str | None = None,
    many: bool = False,
) -> Any:
    """A field of an options class: its default, and what people are told of it."""
    told = Told(help, panel, kind, parse, tuple(choices), flag, many)
    return field(default=default, metadata={"told": told})


@frozen(kw_only=True)
class Options:
    """The choices of one method. Values are checked when the object is made."""

    def __post_init__(self) -> None:
        for name, told in described(type(self)).items():
            value = getattr(self, name)
            if told.choices and value is not None and value not in told.choices:
                raise OptionError(f"{name} is {_one_of(told.choices)}, not {value!r}.")

    @classmethod
    def among(cls, given: Mapping[str, Any]) -> Self:
        """The options of this kind among a larger set, such as a function's arguments."""
        return cls(**{name: given[name] for name in described(cls) if name in given})

    def as_given(self) -> dict[str, Any]:
        """Every option with its value, to be handed on."""
        return {name: getattr(self, name) for name in described(type(self))}

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON-safe values: what has no such form goes by its name."""
        return {name: _plain(value) for name, value in self.as_given().items()}


def described(options: type[Options]) -> dict[str, Told]:
    """Every option of a class, in order, with what people are told of it."""
    return {each.name: each.metadata["told"] for each in dataclasses.fields(options)}


def finite_number(name: str, value: Any) -> float:
    """The number somebody gave; refused unless it is a finite one."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise OptionError(f"{name} is a number; it was {value!r}.") from None
    if isinstance(value, bool) or not math.isfinite(found):
        raise OptionError(f"{name} is a finite number; it was {value!r}.")
    return found


def share_of_all(name: str, value: Any) -> float:
    """The share somebody gave; refused unless it is a number from 0 to 1."""
    found = finite_number(name, value)
    if not 0 <= found <= 1:
        raise OptionError(f"{name} is a share from 0 to 1; it was {found:g}.")
    return found


def whole(name: str, value: Any, least: int, meaning: str) -> None:
    """Refuse anything but a whole number of at least `least`."""
    if isinstance(value, bool) or value != int(value) or value < least:
        raise OptionError(f"{name} is {meaning}; it was {value!r}.")


def leaving(name: str, value: Any, instead: str) -> None:
    """Warn of an option that goes with the next release, where somebody gives it."""
    if value is not None:
        warnings.warn(
            f"{name} goes with the next release: {instead}.", DeprecationWarning, stacklevel=5
        )


def share_of_items(name: str, value: Any) -> None:
    """Refuse anything but a share from 0 up to, and without, 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
        raise OptionError(f"{name} is a share of items such as 0.05; it was {value!r}.")


def _one_of(choices: Sequence[str]) -> str:
    quoted = [f'"{choice}"' for choice in choices]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return str(getattr(value, "name", None) or getattr(value, "__name__", type(value).__name__))
