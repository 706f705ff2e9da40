"""Charts in Vega-Lite's terms, as pages take them: plain values, equal rows once."""

from typing import Any

from headcount.charts.grammar import View


def spec_of(chart: View) -> dict[str, Any]:
    """The chart in Vega-Lite's terms; rows that several of its parts draw stand in it once."""
    shelf: list[list[Any]] = []
    spec: dict[str, Any] = _shelved(chart.spec(), shelf)
    return {**spec, "datasets": {f"data-{at}": rows for at, rows in enumerate(shelf, 1)}}


def _shelved(spec: Any, shelf: list[list[Any]]) -> Any:
    """The same specification with names for rows, which are put on the shelf."""
    if isinstance(spec, list):
        return [_shelved(each, shelf) for each in spec]
    if not isinstance(spec, dict):
        return spec
    rows = spec.get("data", {}).get("values") if isinstance(spec.get("data"), dict) else None
    named = {} if rows is None else {"data": {"name": f"data-{_place(rows, shelf)}"}}
    parts = ("layer", "vconcat", "hconcat", "spec")
    inner = {name: _shelved(spec[name], shelf) for name in parts if name in spec}
    return {**spec, **named, **inner}


def _place(rows: list[Any], shelf: list[list[Any]]) -> int:
    """Where these rows stand on the shelf, counted from one."""
    for at, known in enumerate(shelf, 1):
        if known == rows:
            return at
    shelf.append(rows)
    return len(shelf)
