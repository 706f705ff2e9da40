"""Accuracy on the simulator: estimated against true, setting by setting; and the planner."""

from typing import TYPE_CHECKING, Any

import altair as alt

from headcount.charts.theme import EMPHASIS, HEIGHT, MUTED, WIDTH

if TYPE_CHECKING:
    from headcount.accuracy import AccuracyPlan, AccuracyStudy

_SIDE = 140


def accuracy_study(result: "AccuracyStudy", *, columns: int = 7) -> Any:
    """A grid of settings; in each, every simulated data set as a point near the diagonal."""
    kinds = {"estimate": "algebraic", "latent_estimate": "latent class"}
    rows = [
        {
            "setting": run.panel,
            "true accuracy": run.true_accuracy,
            "estimated": getattr(run, field),
            "by": kind,
            "in sample": run.sample_accuracy,
        }
        for run in result.runs
        for field, kind in kinds.items()
        if getattr(run, field) is not None
    ]
    shown = [kind for kind in kinds.values() if any(row["by"] == kind for row in rows)]
    unit = alt.Scale(domain=[0, 1], nice=False)
    few = alt.Axis(tickCount=3)
    ends = [{"at": 0.0}, {"at": 1.0}]
    diagonal = (
        alt.Chart(alt.InlineData(values=ends), width=_SIDE, height=_SIDE)
        .mark_line(color=MUTED, strokeWidth=1.5, strokeDash=[4, 3])
        .encode(
            x=alt.X("at:Q", scale=unit, title="true accuracy"),
            y=alt.Y("at:Q", scale=unit, title="estimated"),
        )
    )

    def panel(name: str) -> Any:
        own = [row for row in rows if row["setting"] == name]
        points = (
            alt.Chart(alt.InlineData(values=own), width=_SIDE, height=_SIDE)
            .mark_point(size=28, opacity=0.75)
            .encode(
                x=alt.X("true accuracy:Q", title="true accuracy", scale=unit, axis=few),
                y=alt.Y("estimated:Q", title="estimated", scale=unit, axis=few),
                color=alt.Color("by:N", sort=shown, scale=alt.Scale(domain=shown), title=None),
                tooltip=[
                    alt.Tooltip("true accuracy:Q", format=".3f"),
                    alt.Tooltip("in sample:Q", format=".3f"),
                    alt.Tooltip("estimated:Q", format=".3f"),
                    alt.Tooltip("by:N"),
                ],
            )
        )
        title = alt.Title(_folded(name), fontSize=11.5, fontWeight="normal", offset=6)
        return (diagonal + points).properties(title=title)

    return alt.concat(*(panel(name) for name in result.panels), columns=columns).properties(
        title=alt.Title(
            "Estimated against true accuracy on simulated data",
            subtitle="each point is one data set; on the dashed line the estimate is exact",
        )
    )


def accuracy_plan(result: "AccuracyPlan") -> Any:
    """How near the estimate comes against the number of cases, a line a system accuracy."""
    share = f"{100 * result.confidence:g} %"
    rows = [
        {
            "cases": point.cases,
            "half-width": point.half_width,
            "system": f"{point.system_accuracy:g}",
            "within": point.within,
        }
        for point in result.points
        if point.half_width is not None
    ]
    x = alt.X("cases:Q", title="cases", scale=alt.Scale(type="log", nice=False))
    lines = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(point=True)
        .encode(
            x=x,
            y=alt.Y("half-width:Q", title=f"distance that {share} stay within"),
            color=alt.Color("system:N", title="system accuracy", legend=alt.Legend(columns=5)),
            tooltip=[
                alt.Tooltip("cases:Q"),
                alt.Tooltip("system:N", title="system accuracy"),
                alt.Tooltip("half-width:Q", format=".3f"),
                alt.Tooltip("within:Q", format=".3f", title=f"share within ±{result.half_width:g}"),
            ],
        )
    )
    aim = (
        alt.Chart(alt.InlineData(values=[{"aim": result.half_width}]))
        .mark_rule(color=EMPHASIS, strokeDash=[6, 4])
        .encode(y="aim:Q")
    )
    layers = [lines, aim]
    if result.cases is not None:
        enough = {"at": result.cases, "text": f"{result.cases:,} cases"}
        mark = alt.Chart(alt.InlineData(values=[enough]))
        layers.append(mark.mark_rule(color=MUTED, strokeDash=[2, 3]).encode(x="at:Q"))
        layers.append(
            mark.mark_text(align="left", dx=6, baseline="top").encode(
                x="at:Q", y=alt.value(4), text="text:N"
            )
        )
    return alt.layer(*layers).properties(
        width=WIDTH,
        height=HEIGHT,
        title=alt.Title(
            "How many cases are enough",
            subtitle=f"{result.raters} raters, kappa {result.kappa:.2f}, {result.categories} "
            f"categories; aim ±{result.half_width:g} at {share}",
        ),
    )


def _folded(name: str) -> list[str]:
    """A setting's name, a line for each of its parts."""
    return name.split(", ")
