"""The true rate: judge and people together beside each of them alone, and by slice."""

from typing import TYPE_CHECKING, Any

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import WIDTH

if TYPE_CHECKING:
    from headcount.rate import TrueRate
    from headcount.results import Estimate

_KINDS = ("judge and people", "people alone", "Rogan–Gladen", "judge alone")


def true_rate(result: "TrueRate") -> Any:
    """A row for each way to the rate; by slice below, where there are slices."""
    best = result.best
    whole = [
        _row("all items", "judge and people", best.rate, result),
        _row("all items", "people alone", best.people, result),
        _row("all items", "Rogan–Gladen", best.rogan_gladen, result),
        _point("all items", best.judged, result),
    ]
    parts = [
        row
        for each in best.slices
        for row in (
            _row(f"{each.slice}: {each.part}", "judge and people", each.rate, result),
            _row(f"{each.slice}: {each.part}", "people alone", each.people, result),
        )
    ]
    title = "mean score" if result.of is None else f"share of items that people call {result.of!r}"
    chart = _intervals([row for row in whole if row["value"] is not None], title)
    known = [row for row in parts if row["value"] is not None]
    if not known:
        return chart
    return alt.vconcat(chart, _intervals(known, title), spacing=24)


def _intervals(rows: list[dict[str, Any]], title: str) -> Any:
    order = list(dict.fromkeys(row["what"] for row in rows))
    kinds = [kind for kind in _KINDS if any(row["kind"] == kind for row in rows)]
    percent = any(row["percent"] for row in rows)
    axis = alt.Axis(format="%") if percent else alt.Axis()
    x: dict[str, Any] = {"title": title, "axis": axis, "scale": alt.Scale(zero=False, padding=12)}
    base = alt.Chart(
        inline(rows), width=WIDTH, height=max(80, 22 * len(kinds) * len(order))
    ).encode(
        y=alt.Y("what:N", sort=order, title=None),
        yOffset=alt.YOffset("kind:N", sort=kinds),
        color=alt.Color("kind:N", sort=kinds, title=None, legend=alt.Legend(orient="bottom")),
        tooltip=[
            alt.Tooltip("what:N", title=" "),
            alt.Tooltip("kind:N", title="by"),
            alt.Tooltip("text:N", title="rate"),
        ],
    )
    bars = base.mark_rule(strokeWidth=3, opacity=0.55).encode(
        x=alt.X("low:Q", **x), x2=alt.X2("high:Q")
    )
    return bars + base.mark_point(size=80, opacity=1).encode(x=alt.X("value:Q", **x))


def _row(what: str, kind: str, estimate: "Estimate", result: "TrueRate") -> dict[str, Any]:
    percent = result.of is not None
    return {
        "what": what,
        "kind": kind,
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "text": estimate.text(percent=percent),
        "percent": percent,
    }


def _point(what: str, value: float, result: "TrueRate") -> dict[str, Any]:
    percent = result.of is not None
    text = f"{100 * value:.1f} %" if percent else f"{value:.3f}"
    alone = {"value": value, "low": value, "high": value, "text": text, "percent": percent}
    return {"what": what, "kind": "judge alone", **alone}
