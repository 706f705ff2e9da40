"""What the JSON of results looks like, as a JSON Schema: read off the records that declare it."""

import dataclasses
import enum
import inspect
import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, get_args, get_origin

import numpy as np

from headcount.results.estimate import ALWAYS_TOLD, WHERE_THERE, Estimate
from headcount.results.record import Record, fields_of, is_hidden
from headcount.results.result import Result

MAJOR, MINOR = 1, 0
"""The version: a key that goes, is renamed or holds something else raises the first number, a key
that comes raises the second (docs/results-json.md)."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"

_PLAIN: Mapping[Any, Mapping[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    float: {"type": "number"},
    type(None): {"type": "null"},
    Any: {},
}


def schema_of(results: Iterable[type[Result]]) -> dict[str, Any]:
    """One JSON Schema for the JSON of all these results, each under its name in `$defs`.

    Parameters
    ----------
    results : iterable of Result classes
        What they hold is described with them.

    Returns
    -------
    dict
        JSON Schema, draft 2020-12. A document is valid if it is one of these results; a key that
        is not described is allowed, as later versions may add some.

    Examples
    --------
    >>> import headcount as hc
    >>> described = schema_of([hc.RatingsPlan])
    >>> described["anyOf"][0]["properties"]
    {'schema': {'const': 'headcount/ratings-plan/1'}}
    >>> sorted(described["$defs"])
    ['RatingsPlan', 'RatingsTell']
    >>> described["$defs"]["RatingsTell"]["properties"]["ratings"]
    {'type': 'integer'}
    """
    definitions = _Definitions()
    listed = [
        definitions.of(each)
        | {"properties": {"schema": {"const": name_of(each)}}, "required": ["schema"]}
        for each in sorted(results, key=lambda each: each.__name__)
    ]
    return {
        "$schema": DIALECT,
        "$id": f"urn:headcount:results:{MAJOR}.{MINOR}",
        "title": "Results of headcount as JSON",
        "version": f"{MAJOR}.{MINOR}",
        "anyOf": listed,
        "$defs": dict(sorted(definitions.found.items())),
    }


def name_of(result: type[Result]) -> str:
    """What the JSON of a result says under "schema": what it is, and the version's first number.

    >>> from headcount import ScoreAgreement
    >>> name_of(ScoreAgreement)
    'headcount/score-agreement/1'
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", result.__name__)
    return f"headcount/{words.lower()}/{MAJOR}"


class _Definitions:
    """The definitions of a schema while it is written; `found` has them by name."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, Any]] = {}
        self._names: dict[str, type] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """The schema of values of a kind; classes of ours are referred to."""
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        origin, parts = get_origin(kind), get_args(kind)
        if origin in (typing.Union, types.UnionType):
            return self._either(parts)
        if origin is Literal:
            return {"enum": list(parts)}
        if origin is tuple and parts[-1] is not Ellipsis:
            return {
                "type": "array",
                "prefixItems": [self.of(each) for each in parts],
                "minItems": len(parts),
                "maxItems": len(parts),
            }
        if origin in (tuple, list) or (inspect.isclass(origin) and issubclass(origin, Iterable)):
            return self._container(origin, parts)
        if not inspect.isclass(kind):
            raise TypeError(f"{kind} has no JSON Schema: say in its record what it is")
        if issubclass(kind, enum.Enum):
            return {"enum": [each.value for each in kind]}
        if issubclass(kind, np.generic):
            return {"type": "integer" if issubclass(kind, np.integer) else "number"}
        if dataclasses.is_dataclass(kind):
            return self._referred(kind)
        raise TypeError(f"{kind} has no JSON Schema: say in its record what it is")

    def _either(self, parts: tuple[Any, ...]) -> dict[str, Any]:
        described = [self.of(each) for each in parts]
        if all(set(each) == {"type"} for each in described):
            return {"type": [each["type"] for each in described]}
        return {"anyOf": described}

    def _container(self, origin: type, parts: tuple[Any, ...]) -> dict[str, Any]:
        if issubclass(origin, np.ndarray):  # of any number of dimensions
            return {"type": "array"}
        if issubclass(origin, Mapping):
            values = self.of(parts[1])
            return {"type": "object"} | ({"additionalProperties": values} if values else {})
        return {"type": "array", "items": self.of(parts[0])}

    def _referred(self, kind: type) -> dict[str, Any]:
        name = kind.__name__
        if self._names.get(name, kind) is not kind:  # two rooms may use one word
            name = kind.__module__.split(".")[1].title() + name
        if name not in self.found:
            self._names[name] = kind
            self.found[name] = {}  # a record may hold records of its own kind
            self.found[name] = self._object(kind)
        return {"$ref": f"#/$defs/{name}"}

    def _object(self, kind: type) -> dict[str, Any]:
        keys = self._keys(kind)
        described = {
            "type": "object",
            "description": _first_sentence(kind),
            "properties": {key: described for key, (described, _) in keys.items()},
            "required": [key for key, (_, always) in keys.items() if always],
        }
        # Keys that depend on the data are said to come: nobody takes them for a fault of ours.
        return described | ({"additionalProperties": True} if _has_more(kind) else {})

    def _keys(self, kind: type) -> dict[str, tuple[dict[str, Any], bool]]:
        """What stands under each key of a class, and whether it always does."""
        hints = typing.get_type_hints(kind)
        if issubclass(kind, Estimate):
            told = {name: (self.of(hints[name]), True) for name in ALWAYS_TOLD}
            # What says nothing is left out, so it is never null.
            return told | {
                name: (self.of(_without_none(hints[name])), False) for name in WHERE_THERE
            }
        if not issubclass(kind, Record):
            names = [each.name for each in fields_of(kind) if not is_hidden(each)]
            return {name: (self.of(hints[name]), True) for name in names}
        keys: dict[str, tuple[dict[str, Any], bool]] = {}
        for name in kind.tells():
            what = hints[name] if name in hints else _answer_of(kind, name)
            if name in kind.unfolded:
                keys |= self._unfolded(kind, name, what)
            else:
                keys[kind.key(name)] = (self.of(what), True)
        return keys

    def _unfolded(
        self, kind: type[Record], name: str, what: Any
    ) -> dict[str, tuple[dict[str, Any], bool]]:
        """The keys of something that stand among those of the record that holds it."""
        whole = _without_none(what)
        if not dataclasses.is_dataclass(whole):
            return {}
        keys = self._keys(typing.cast("type", whole))
        if whole is Estimate:
            return {name if key == "value" else key: told for key, told in keys.items()}
        always = whole is what
        return {kind.key(key): (told, each and always) for key, (told, each) in keys.items()}


def _answer_of(kind: type, name: str) -> Any:
    """The type of a property, or of what a method gives."""
    found = inspect.getattr_static(kind, name)
    method: Callable[..., Any] = (
        getattr(found, "fget", None) or getattr(found, "func", None) or found
    )
    return typing.get_type_hints(method)["return"]


def _has_more(kind: type) -> bool:
    """Whether a mapping, whose keys depend on the data, is unfolded among the keys."""
    if not issubclass(kind, Record):
        return False
    hints = typing.get_type_hints(kind)
    whole = (_without_none(hints.get(each) or _answer_of(kind, each)) for each in kind.unfolded)
    return not all(dataclasses.is_dataclass(each) for each in whole)


def _without_none(kind: Any) -> Any:
    """`X` for `X | None`."""
    parts = [each for each in get_args(kind) if each is not type(None)]
    union = get_origin(kind) in (typing.Union, types.UnionType)
    return parts[0] if union and len(parts) == 1 else kind


def _first_sentence(kind: type) -> str:
    text = " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.;:]) ", text)[0]
