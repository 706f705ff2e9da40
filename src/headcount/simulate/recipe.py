"""What a recipe is: a name, options with sentences for bad ones, and `make(seed)`."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.simulate.simulated import Simulated


@frozen
class Setting:
    """One option of a recipe, for help texts.

    Attributes
    ----------
    name : str
        What it is called.
    default : object
        What it is where nobody says.
    help : str
        What it means.

    Examples
    --------
    >>> from headcount.simulate import Comments
    >>> Comments.settings()[0]
    Setting(name='items', default=2000, help='how many comments')
    """

    name: str
    default: Any
    help: str


@frozen(kw_only=True)
class Recipe(ABC):
    """Data with known truth, described by options.

    A recipe is a frozen dataclass whose fields are its options (keyword-only, each with a
    `help` in its metadata), with a `name`, one line `about` it, checks in `__post_init__`,
    and `_make(rng)`. Equal options and equal seeds give equal data.

    Examples
    --------
    >>> from headcount.simulate import RunningExample
    >>> RunningExample(items=7).make(seed=1).ratings.n_items
    7
    """

    name: ClassVar[str]
    about: ClassVar[str]

    def make(self, seed: int = 0) -> Simulated:
        """Draw the data.

        Parameters
        ----------
        seed : int
            The same seed gives the same data.

        Returns
        -------
        Simulated

        Examples
        --------
        >>> from headcount.simulate import Scores
        >>> Scores(items=30).make(seed=1).labels
        ('1', '2', '3', '4', '5')
        """
        return self._make(np.random.default_rng(whole("seed", seed, least=0)))

    @abstractmethod
    def _make(self, rng: np.random.Generator) -> Simulated:
        """Draw the data from a generator."""

    @classmethod
    def settings(cls) -> tuple[Setting, ...]:
        """The options with their defaults and meanings."""
        return tuple(
            Setting(each.name, each.default, each.metadata.get("help", ""))
            for each in fields(cls)
            if each.default is not MISSING
        )

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Self:
        """The recipe with these options; text is read as the kind of value the default is.

        Parameters
        ----------
        options : mapping of str to object
            Options by their names, as values or as a command line gives them.

        Returns
        -------
        Recipe

        Examples
        --------
        >>> from headcount.simulate import Mixture
        >>> Mixture.from_options({"items": "40", "labels": "no,yes"}).items
        40
        """
        defaults = {setting.name: setting.default for setting in cls.settings()}
        for name in options:
            if name not in defaults:
                raise OptionError(
                    f"The recipe {cls.name!r} has no option {name!r}: "
                    f"it takes {', '.join(defaults)}."
                )
        return cls(
            **{
                name: _read(name, value, defaults[name]) if isinstance(value, str) else value
                for name, value in options.items()
            }
        )


def whole(name: str, value: Any, *, least: int, most: int | None = None) -> int:
    """`value` as a whole number within limits, or the sentence that says what it must be."""
    number = _finite(value)
    if number is None or number != int(number) or not _within(number, least, most):
        limits = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise OptionError(f"{name} is a whole number {limits}; it was {value!r}.")
    return int(number)


def share(name: str, value: Any) -> float:
    """`value` as a number from 0 to 1, or the sentence that says what it must be."""
    number = _finite(value)
    if number is None or not 0 <= number <= 1:
        raise OptionError(f"{name} is a number from 0 to 1; it was {value!r}.")
    return number


def spread(name: str, value: Any) -> float:
    """`value` as a finite number of at least 0, or the sentence that says what it must be."""
    number = _finite(value)
    if number is None or number < 0:
        raise OptionError(f"{name} is a number of at least 0; it was {value!r}.")
    return number


def simplex(name: str, values: Any) -> NDArray[np.float64]:
    """`values` as probabilities that sum to one, or the sentence that says they do not."""
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        numbers = np.array([np.nan])
    if numbers.ndim != 1 or not np.all(numbers >= 0) or not np.isclose(numbers.sum(), 1):
        raise OptionError(f"{name} holds probabilities that sum to 1; it was {values!r}.")
    return np.asarray(numbers / numbers.sum())


def names(name: str, values: Any) -> tuple[str, ...]:
    """`values` as at least two different names."""
    if isinstance(values, str) or len({str(value) for value in values}) != len(values):
        raise OptionError(f"{name} lists different names; it was {values!r}.")
    if len(values) < 2:
        raise OptionError(f"{name} needs at least two names; it was {values!r}.")
    return tuple(str(value) for value in values)


def _finite(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if np.isfinite(number) else None


def _within(number: float, least: int, most: int | None) -> bool:
    return number >= least and (most is None or number <= most)


def _read(name: str, text: str, default: Any) -> Any:
    """Text from a command line as the kind of value `default` is.

    Lists are separated by commas; a list of lists separates its inner values by slashes.
    """
    if isinstance(default, tuple):
        parts = [part.strip() for part in text.split(",") if part.strip()]
        if default and isinstance(default[0], tuple):
            return tuple(
                tuple(_read(name, inner, default[0][0]) for inner in part.split("/"))
                for part in parts
            )
        return tuple(_read(name, part, default[0] if default else "") for part in parts)
    if isinstance(default, int | float):
        number = _finite(text)
        if number is None:
            raise OptionError(f"{name} is a number; it was {text!r}.")
        return int(number) if isinstance(default, int) and number == int(number) else number
    return text
