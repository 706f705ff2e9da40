"""What is typed on the command line, as an option's value."""

from collections.abc import Callable
from pathlib import Path

from headcount.errors import OptionError


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
