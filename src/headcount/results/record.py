"""What a result declares once: its fields, from which JSON, frames, comparison and more follow."""

import dataclasses
import enum
import math
from collections.abc import Callable, Mapping
from dataclasses import field, fields, is_dataclass, replace
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

import numpy as np

from headcount.frozen import frozen
from headcount.results.estimate import Estimate

T = TypeVar("T")

_HIDDEN = "hidden"
_INNER = frozenset(
    {
        "also",
        "at_confidence",
        "collected",
        "columns",
        "inner",
        "key",
        "named",
        "rows",
        "tells",
        "to_document",
    }
) | {"told", "unfolded"}
"""How a record tells what it holds, which `dir` leaves out."""
_NAMED = {"unchecked": "notes"}
"""The key in JSON of what every result can tell."""


def hidden(**more: Any) -> Any:
    """A field that belongs to a record but not to what it tells: draws, arrays, settings.

    It takes part in comparisons, but stands neither in `to_dict` nor in frames nor in `repr`.
    """
    return field(repr=False, metadata={_HIDDEN: True}, **more)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field, hidden))
def record(cls: type[T]) -> type[T]:
    """Make a class a frozen dataclass that keeps the comparison and the `repr` of its base."""
    own_repr = "__repr__" not in vars(cls) and cls.__repr__ is object.__repr__
    return frozen(eq=False, repr=own_repr or not _is_result(cls))(cls)


def _is_result(cls: type) -> bool:
    return any(base.__name__ == "Result" for base in cls.__mro__[1:])


class Record:
    """A frozen dataclass that tells what it holds by its fields.

    `also` names properties (and methods that need nothing) that belong to what it tells, after
    its fields. In JSON, `named` gives some of them another key, and the keys of what is in
    `unfolded` stand among the record's own, an estimate's value under the estimate's name.
    """

    also: ClassVar[tuple[str, ...]] = ()
    named: ClassVar[Mapping[str, str]] = {}
    unfolded: ClassVar[tuple[str, ...]] = ()
    inner: ClassVar[tuple[str, ...]] = ()
    """What other rooms ask of it and `dir` leaves out."""

    @classmethod
    def key(cls, name: str) -> str:
        """The key in JSON of what it tells under a name.

        Parameters
        ----------
        name : str
            A field, or a name in `also`.

        Returns
        -------
        str

        Examples
        --------
        >>> import headcount as hc
        >>> hc.Agreement.key("unchecked")
        'notes'
        """
        return cls.named.get(name) or _NAMED.get(name, name)

    @classmethod
    def tells(cls) -> tuple[str, ...]:
        """The fields that are not hidden, then those in `also`."""
        shown = [each.name for each in fields_of(cls) if not is_hidden(each)]
        return (*shown, *cls.also)

    def told(self) -> dict[str, Any]:
        """What it tells, by name."""
        values = {name: getattr(self, name) for name in self.tells()}
        return {name: value() if callable(value) else value for name, value in values.items()}

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON-safe values: no NaN, censored and undefined values named."""
        found: dict[str, Any] = {}
        for name, value in self.told().items():
            plain = json_safe(value)
            if name not in self.unfolded:
                found[self.key(name)] = plain
            elif isinstance(value, Estimate):
                found |= {name if key == "value" else key: part for key, part in plain.items()}
            else:
                found |= {self.key(key): part for key, part in (plain or {}).items()}
        return found

    def at_confidence(self, confidence: float) -> Self:
        """The same record with every interval read at another confidence.

        A record that has to be worked out anew for that has a field `reread`, which does it.

        Parameters
        ----------
        confidence : float
            Between 0 and 1, such as 0.9.

        Returns
        -------
        Record
            One of the same class; what holds no interval is as it was.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=60)
        >>> found = hc.agreement(data.ratings, n_bootstrap=50)
        >>> found.at_confidence(0.5).percent_agreement.high < found.percent_agreement.high
        True
        """
        if hasattr(self, "reread"):
            again: Callable[[float], Self] | None = self.reread
            return self if again is None else again(confidence)
        return replace(  # type: ignore[type-var]
            self,
            **{
                each.name: _at(each.name, getattr(self, each.name), confidence)
                for each in fields_of(self)
                if each.init
            },
        )

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(
            same(getattr(self, each.name), getattr(other, each.name))
            for each in fields_of(self)
            if each.compare
        )

    __hash__ = None  # type: ignore[assignment]

    def __dir__(self) -> list[str]:
        """What a person would ask for: not how a record tells what it holds, nor hidden fields."""
        hidden_ones = {each.name for each in fields_of(self) if is_hidden(each)}
        inner = hidden_ones.union(_INNER, self.inner)
        return [name for name in super().__dir__() if name not in inner]


def rows_as_columns(rows: "tuple[Record, ...] | list[Record]") -> dict[str, list[Any]]:
    """Records of one kind as named columns: an estimate becomes a column for each of its parts.

    What has no place in a cell (lists, tables) is left to `to_dict`.
    """
    columns: dict[str, list[Any]] = {}
    told = [each.told() for each in rows]
    for name in told[0] if told else ():
        values = [row[name] for row in told]
        if any(isinstance(value, Estimate) for value in values):
            columns |= _estimate_columns(name, values)
        elif not any(isinstance(value, Mapping | tuple | list | Record) for value in values):
            columns[name] = [json_safe(value) for value in values]
    return columns


def _estimate_columns(name: str, values: list[Estimate | None]) -> dict[str, list[Any]]:
    found = [
        value if value is not None else Estimate.undefined("not asked for") for value in values
    ]
    columns: dict[str, list[Any]] = {
        name: [each.value for each in found],
        f"{name}_low": [each.low for each in found],
        f"{name}_high": [each.high for each in found],
    }
    for part in ("state", "low_state", "high_state"):
        states = [getattr(each, part) for each in found]
        if any(states):
            columns[f"{name}_{part}"] = states
    return columns


def json_safe(value: Any) -> Any:
    """A value as JSON knows it; a number that is none is a fault of ours and stops here."""
    if isinstance(value, Record | Estimate):
        return value.to_dict()
    if isinstance(value, enum.Enum):
        return value.value
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, np.generic):
        return json_safe(value.item())
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} in a result: name the reason instead")
        return value
    if isinstance(value, np.ndarray):
        return json_safe(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): json_safe(each) for key, each in value.items()}
    if isinstance(value, tuple | list):
        return [json_safe(each) for each in value]
    to_dict = getattr(value, "to_dict", None)
    if to_dict is not None:
        return to_dict()
    if is_dataclass(value):
        return {each.name: json_safe(getattr(value, each.name)) for each in fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")


def same(one: Any, other: Any) -> bool:
    """Whether two values hold the same, arrays and undefined numbers included."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return np.shape(one) == np.shape(other) and _same_arrays(np.asarray(one), np.asarray(other))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one) and type(one) is type(other) and not isinstance(one, Record):
        return all(
            same(getattr(one, each.name), getattr(other, each.name))
            for each in fields(one)
            if each.compare
        )
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return bool(one == other)


def _same_arrays(one: np.ndarray, other: np.ndarray) -> bool:
    numbers = one.dtype.kind == "f" and other.dtype.kind == "f"
    return bool(np.array_equal(one, other, equal_nan=numbers))


def _at(name: str, value: Any, confidence: float) -> Any:
    """A field's value with every interval in it at another confidence."""
    if isinstance(value, Estimate):
        return value.at(confidence)
    if isinstance(value, Record):
        return value.at_confidence(confidence)
    if isinstance(value, tuple):
        return tuple(_at("", each, confidence) for each in value)
    if isinstance(value, dict):
        return {key: _at("", each, confidence) for key, each in value.items()}
    if name == "confidence":
        return confidence
    if is_dataclass(value) and not isinstance(value, type) and _has_confidence(value):
        return replace(value, confidence=confidence)
    return value


def _has_confidence(value: Any) -> bool:
    return any(each.name == "confidence" for each in fields(value))


def is_hidden(each: dataclasses.Field[Any]) -> bool:
    """Whether a field is not told."""
    return bool(each.metadata.get(_HIDDEN))


def fields_of(value: Any) -> tuple[dataclasses.Field[Any], ...]:
    return fields(value)
