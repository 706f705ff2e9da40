"""Charts of saved results over time."""

from typing import TYPE_CHECKING, Any

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import WIDTH

if TYPE_CHECKING:
    from headcount.evaluation import History


def history(result: "History") -> Any:
    """What share of people agreed with each classifier in each saved result."""
    rows = [
        {
            "saved": each.date,
            "classifier": each.name,
            "judge": each.judge or "not told",
            "value": each.agree.value,
            "low": each.agree.value if each.agree.low is None else each.agree.low,
            "high": each.agree.value if each.agree.high is None else each.agree.high,
        }
        for each in result.points
        if each.agree.value is not None
    ]
    order = list(dict.fromkeys(each.date for each in result.points))
    x = alt.X("saved:N", title=None, sort=order, axis=alt.Axis(labelAngle=-40))
    y = alt.Y(
        "value:Q",
        title="share of people who agree",
        axis=alt.Axis(format="%"),
        scale=alt.Scale(zero=False),
    )
    base = alt.Chart(inline(rows)).encode(x=x, color=alt.Color("classifier:N", title=None))
    tip = [
        alt.Tooltip("classifier:N"),
        alt.Tooltip("saved:N"),
        alt.Tooltip("judge:N"),
        alt.Tooltip("value:Q", format=".1%", title="agree"),
    ]
    bars = base.mark_rule(opacity=0.4).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q"), tooltip=tip)
    lines = base.mark_line(point=True).encode(y=y, tooltip=tip)
    return alt.layer(bars, lines).properties(
        width=WIDTH, height=260, title=alt.Title("Saved results")
    )
