"""Charts made to fit the page: as wide as it is, and in its colours."""

from collections.abc import Iterator, Mapping
from typing import Any

_ROW = 26
_PAGES_OWN = ("config", "$schema")
"""What the page sets itself: colours and fonts."""
_COMPOSED = ("concat", "hconcat", "facet", "repeat")


def fitted(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The chart without a look of its own and, where its kind allows, as wide as the page.

    Charts stacked on each other are widened by the page; charts beside each other keep their
    width, and the page lets them scroll on their own.
    """
    bare = _untitled({key: value for key, value in spec.items() if key not in _PAGES_OWN})
    if "vconcat" in bare:  # the page widens each of them
        return bare
    if any(kind in bare for kind in _COMPOSED) or _faceted(bare):
        return bare
    # Vega-Lite cannot fit the width of a chart whose height counts its rows; so we count them.
    rows = 0 if isinstance(bare.get("height"), int | float) else _rows(bare)
    return {**bare, **({"height": _ROW * rows} if rows else {}), "width": "container"}


def _untitled(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Without titles, its own and those of its parts: the page's captions say what is shown."""
    bare = {key: value for key, value in spec.items() if key != "title"}
    for parts in ("layer", "vconcat"):
        if parts in bare:
            bare[parts] = [_untitled(part) for part in bare[parts]]
    return bare


def _faceted(spec: Mapping[str, Any]) -> bool:
    return any(name in spec.get("encoding", {}) for name in ("row", "column", "facet"))


def _rows(spec: Mapping[str, Any]) -> int:
    """How many rows a chart with a label on its vertical axis has; 0 where it has numbers."""
    found: set[Any] = set()
    for view, data in _views(spec, spec.get("data", {})):
        y = view.get("encoding", {}).get("y", {})
        if y.get("type") in ("nominal", "ordinal") and "field" in y:
            shelf = spec.get("datasets", {}).get(data.get("name"), data.get("values", []))
            offset = view.get("encoding", {}).get("yOffset", {}).get("field")
            found |= {(row.get(y["field"]), row.get(offset)) for row in shelf}
    return len(found)


def _views(
    spec: Mapping[str, Any], data: Mapping[str, Any]
) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    own = spec.get("data", data)
    yield spec, own
    for layer in spec.get("layer", []):
        encoding = {**spec.get("encoding", {}), **layer.get("encoding", {})}
        yield from _views({**layer, "encoding": encoding}, own)
