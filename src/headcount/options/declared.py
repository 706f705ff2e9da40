"""How an option is declared: its default, what is told of it, how it is checked, typed and read."""

import dataclasses
import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
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


def inside(name: str, value: Any, example: float) -> None:
    """Refuse anything but a number between 0 and 1, neither of them."""
    if not 0 < value < 1:
        raise OptionError(f"{name} lies between 0 and 1, such as {example:g}; it was {value!r}.")


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


def flag_of(name: str, told: Told) -> str:
    """How an option is typed."""
    return told.flag or f"--{name.replace('_', '-')}"


def typed(options: type[Options], given: Mapping[str, Any]) -> list[str]:
    """The words that say these values on the command line; defaults need none.

    >>> from headcount.options import Sampling
    >>> typed(Sampling, {"n_bootstrap": 200, "seed": 0})
    ['--n-bootstrap', '200']
    """
    words: list[str] = []
    for name, told in described(options).items():
        value = given.get(name, getattr(options, name))
        if value is None or value == getattr(options, name):
            continue
        flag = flag_of(name, told)
        if told.kind is bool:
            words.append(flag if value else f"--no-{flag.removeprefix('--')}")
        elif told.many:
            words += [word for each in _each(value) for word in (flag, each)]
        else:
            words += [flag, ",".join(map(_word, value)) if _is_list(value) else _word(value)]
    return words


def _each(value: Any) -> list[str]:
    """What a flag is repeated with."""
    if isinstance(value, Mapping):
        return [f"{old}={new}" for old, new in value.items()]
    return [str(each) for each in value] if _is_list(value) else [str(value)]


def _word(value: Any) -> str:
    return repr(value) if isinstance(value, float) else str(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def number_or_name(text: str) -> str | float:
    """A number where the text is one, else the text."""
    try:
        return float(text)
    except ValueError:
        return text


def numbers_or_word(text: str) -> str | float | list[float]:
    """A number, or several separated by commas; anything else as it is."""
    try:
        if "," in text:
            return [float(part) for part in text.split(",")]
        return int(text) if text.strip().isdigit() else float(text)
    except ValueError:
        return text


def weights_by_name(text: str) -> dict[str, float]:
    """Weights such as "women=0.5,men=0.5" by name."""
    weights = {}
    for part in text.split(","):
        name, equals, number = part.rpartition("=")
        try:
            weights[name.strip()] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise OptionError(
                f"Weights are a list such as 'women=0.5,men=0.5'; {part!r} is not of that form."
            )
    return weights


def numbers_in(flag: str) -> Callable[[str], tuple[float, ...]]:
    """Read what is typed after a flag as numbers separated by commas."""

    def read(text: str) -> tuple[float, ...]:
        try:
            return tuple(float(part) for part in text.split(",") if part.strip())
        except ValueError:
            raise OptionError(
                f"--{flag} takes numbers separated by commas, such as 0.5,0.9; it was {text!r}."
            ) from None

    return read


def share(flag: str) -> Callable[[str], float]:
    """Read what is typed after a flag as a share, 0.01 or 1%."""

    def read(text: str) -> float:
        try:
            return float(text[:-1]) / 100 if text.strip().endswith("%") else float(text)
        except ValueError:
            raise OptionError(f"--{flag} is a share such as 1% or 0.01; it was {text!r}.") from None

    return read


def listed(given: str | list[str] | None) -> list[str] | None:
    """Names separated by commas, or given one by one."""
    if given is None:
        return None
    words = [given] if isinstance(given, str) else given
    return [name.strip() for word in words for name in word.split(",")]


def pairs(given: list[str] | dict[str, str] | None) -> dict[str, str]:
    """What answers are read as: from OLD=NEW, or from files of such lines."""
    if not given:
        return {}
    if isinstance(given, dict):
        return given
    found: dict[str, str] = {}
    for word in given:
        lines = [word]
        if "=" not in word:
            try:
                lines = Path(word).read_text(encoding="utf-8-sig").splitlines()
            except (OSError, ValueError) as error:
                raise OptionError(
                    f"--map is OLD=NEW, or a file with such a pair a line; it was {word!r}."
                ) from error
        for line in filter(str.strip, lines):
            old, sign, new = line.partition("=" if "=" in line else ",")
            if not sign or not new.strip():
                raise OptionError(f"--map is OLD=NEW, or a file of such lines; it was {line!r}.")
            found[old.strip()] = new.strip()
    return found


def parts_of(text: str) -> list[str]:
    """The parts of a text that are separated by commas."""
    return [part.strip() for part in text.split(",") if part.strip()]
