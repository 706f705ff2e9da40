"""Charts of judges over time."""

from typing import TYPE_CHECKING, Any

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import MUTED, WIDTH

if TYPE_CHECKING:
    from headcount.drift import Drift


def drift(result: "Drift", *, judge: str | None = None) -> Any:
    """How often people agree with a judge and with each other, period by period, and the gap.

    Of several judges the one named, else the first that changed.
    """
    changed = [each for each in result.judges if each.changed != "nothing"]
    told = result[judge] if judge is not None else (changed or list(result.judges))[0]
    lines = (
        ("agree", f"people and {told.name}"),
        ("people_agree", "two people"),
        ("difference", "difference"),
    )
    rows = []
    for period in told.periods:
        for name, line in lines:
            each = getattr(period, name)
            if each.value is not None:
                rows.append(
                    {
                        "period": period.period,
                        "line": line,
                        "value": each.value,
                        "low": each.value if each.low is None else each.low,
                        "high": each.value if each.high is None else each.high,
                        "items": period.items,
                    }
                )
    order = [period.period for period in told.periods]
    x = alt.X("period:N", title=None, sort=order, axis=alt.Axis(labelAngle=-40))
    y = alt.Y("value:Q", title="share who agree", axis=alt.Axis(format="%"))
    base = alt.Chart(inline(rows)).encode(
        x=x, color=alt.Color("line:N", title=None, sort=[line for _, line in lines])
    )
    tip = [
        alt.Tooltip("period:N"),
        alt.Tooltip("line:N", title="who"),
        alt.Tooltip("value:Q", format=".1%", title="agree"),
        alt.Tooltip("items:Q"),
    ]
    bars = base.mark_rule(opacity=0.35).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q"), tooltip=tip)
    drawn = [bars, base.mark_line(point=True).encode(y=y, tooltip=tip)]
    nought = alt.Chart(inline([{"value": 0.0}])).mark_rule(color=MUTED).encode(y=y)
    return alt.layer(nought, *drawn).properties(
        width=WIDTH,
        height=260,
        title=alt.Title(f"{told.name} over time", subtitle=told.sentence()),
    )
