"""The population of items: how contested they are, and the curve without end."""

from typing import TYPE_CHECKING, Any, Literal

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import MUTED, SCORES, WIDTH
from headcount.errors import OptionError

if TYPE_CHECKING:
    from headcount.population import PopulationOfItems

Part = Literal["all", "items", "curve"]


def population(result: "PopulationOfItems", *, part: Part = "all") -> Any:
    """Both pictures, or one `part` of them: "items" or "curve"."""
    parts = {"items": contested_items, "curve": endless_curve}
    if part == "all":
        return alt.vconcat(*(draw(result) for draw in parts.values()), spacing=30)
    if part not in parts:
        raise OptionError(f'part is "all", "items" or "curve"; it was {part!r}.')
    return parts[part](result)


def contested_items(result: "PopulationOfItems") -> Any:
    """Bars: how many items have so many people behind their commonest view."""
    views = [f"{100 * each.low:.0f} to {100 * each.high:.0f} %" for each in result.shares]
    rows = [
        {"view": view, "items": each.share} for view, each in zip(views, result.shares, strict=True)
    ]
    return (
        alt.Chart(
            inline(rows),
            width=WIDTH,
            height=150,
            title=_title(result),
        )
        .mark_bar()
        .encode(
            x=alt.X(
                "view:N",
                sort=views,
                title=result.views,
                axis=alt.Axis(labelAngle=0),
            ),
            y=alt.Y("items:Q", title="share of items", axis=alt.Axis(format=".0%")),
            tooltip=[alt.Tooltip("view:N"), alt.Tooltip("items:Q", format=".1%")],
        )
    )


def endless_curve(result: "PopulationOfItems") -> Any:
    """The score of predictions from k raters, dashed past the data, and the ideal above it."""
    known = result.fitted.most_ratings - 1
    title = SCORES.get(result.scorer, result.scorer)
    rows = [
        {"raters": at.raters, "score": at.score, "modelled": at.raters > known}
        for at in result.line
    ]
    joined = [row for row in rows if row["modelled"] or row["raters"] == known]
    x = alt.X(
        "raters:Q", title="raters who are asked", scale=alt.Scale(domain=[0, rows[-1]["raters"]])
    )
    y = alt.Y("score:Q", title=title, scale=alt.Scale(zero=False))
    line = alt.Chart(inline([row for row in rows if not row["modelled"]]))
    beyond = alt.Chart(inline(joined))
    ideal = {"score": result.ideal.value, "low": result.ideal.low, "high": result.ideal.high}
    level = alt.Chart(inline([ideal]))
    tip = [alt.Tooltip("raters:Q"), alt.Tooltip("score:Q")]
    return alt.layer(
        level.mark_rect(opacity=0.12).encode(y=alt.Y("low:Q", title=title), y2=alt.Y2("high:Q")),
        level.mark_rule(color=MUTED, strokeDash=[2, 2]).encode(y=y),
        line.mark_line(point=True).encode(x=x, y=y, tooltip=tip),
        beyond.mark_line(strokeDash=[6, 4]).encode(x=x, y=y, tooltip=tip),
    ).properties(width=WIDTH, height=220, title="What more raters could still tell")


def _title(result: "PopulationOfItems") -> str:
    ceiling = result.ceiling.text(percent=True)
    if result.nearness.has_order:
        return f"No classifier could be {result.nearness.within} of more than {ceiling}"
    return f"No classifier could please more than {ceiling}"
