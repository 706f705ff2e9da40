"""Charts of classifiers and people together."""

from typing import TYPE_CHECKING, Any

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import MUTED, WIDTH
from headcount.results.words import worth_text

if TYPE_CHECKING:
    from headcount.together import Panel, Policy, Together


def together(result: "Together") -> Any:
    """How many people so many people are worth with each classifier, and alone: the diagonal."""
    rows: list[dict[str, Any]] = []
    panel = () if result.panel is None else (result.panel.team,)
    for member in (*result.classifiers, *panel):
        for each in member.with_people:
            worth = each.worth
            # A classifier no better than asking nobody is worth nothing; others that have no
            # number lie beyond the curve, and have no place.
            value = 0.0 if worth.state == "below" else worth.value
            if value is not None:
                rows.append(
                    {
                        "classifier": member.name,
                        "people": each.people,
                        "worth": value,
                        "low": value if worth.low is None else worth.low,
                        "high": value if worth.high is None else worth.high,
                        "text": worth_text(worth, noun=""),
                    }
                )
    most = max((row["people"] for row in rows), default=1)
    alone = [{"people": k, "worth": k} for k in (0, max(most, 1))]
    x = alt.X("people:Q", title="people asked", axis=alt.Axis(tickMinStep=1, format="d"))
    y = alt.Y("worth:Q", title="worth, in people asked alone")
    diagonal = alt.Chart(inline(alone)).mark_line(color=MUTED, strokeDash=[4, 4]).encode(x=x, y=y)
    base = alt.Chart(inline(rows)).encode(x=x, color=alt.Color("classifier:N", title=None))
    tip = [
        alt.Tooltip("classifier:N"),
        alt.Tooltip("people:Q", title="people asked"),
        alt.Tooltip("text:N", title="worth together"),
    ]
    bars = base.mark_rule(strokeWidth=2, opacity=0.5).encode(
        y=alt.Y("low:Q", title="worth, in people asked alone"), y2=alt.Y2("high:Q"), tooltip=tip
    )
    lines = base.mark_line(point=True).encode(y=y, tooltip=tip)
    return alt.layer(diagonal, bars, lines).properties(
        width=WIDTH,
        height=260,
        title=alt.Title(
            "What people are worth with a classifier",
            subtitle="dashed: people alone; bars are intervals",
        ),
    )


def panel(result: "Panel") -> Any:
    """What the best panels of one, two, three, … classifiers are worth, and all of them."""
    of_sizes = [(each.size, each.worth, f"with {each.names[-1]}") for each in result.best]
    if of_sizes[-1][0] < len(result.members):
        of_sizes.append((len(result.members), result.worth, "all of them"))
    rows = [
        {
            "size": size,
            "worth": worth.value,
            "low": worth.value if worth.low is None else worth.low,
            "high": worth.value if worth.high is None else worth.high,
            "text": worth_text(worth, noun=""),
            "taken": taken,
        }
        for size, worth, taken in of_sizes
        if worth.value is not None
    ]
    x = alt.X("size:Q", title="classifiers", axis=alt.Axis(tickMinStep=1, format="d"))
    y = alt.Y("worth:Q", title="worth, in people")
    tip = [
        alt.Tooltip("size:Q", title="classifiers"),
        alt.Tooltip("taken:N", title="the last one taken in"),
        alt.Tooltip("text:N", title="worth together"),
    ]
    base = alt.Chart(inline(rows)).encode(x=x, tooltip=tip)
    bars = base.mark_rule(strokeWidth=2, opacity=0.5).encode(
        y=alt.Y("low:Q", title="worth, in people"), y2=alt.Y2("high:Q")
    )
    return alt.layer(bars, base.mark_line(point=True).encode(y=y)).properties(
        width=WIDTH, height=260, title=alt.Title("What several classifiers are worth together")
    )


def policy(result: "Policy") -> Any:
    """Labels an item against the share who agree: people alone, thresholds, policies, this one."""
    rows = [each.to_dict() for each in result.frontier()]
    x = alt.X("labels:Q", title="labels an item")
    y = alt.Y("agree:Q", title=_BROUGHT[result.payoff.aim], scale=alt.Scale(zero=False))
    tip = [
        alt.Tooltip("way:N"),
        alt.Tooltip("labels:Q", format=".2f", title="labels an item"),
        alt.Tooltip("agree:Q", format=".3f"),
    ]
    lines = (
        alt.Chart(inline(rows))
        .mark_line(point=True)
        .encode(x=x, y=y, color=alt.Color("way:N", title=None), tooltip=tip)
    )
    if result.payoff.aim != "agree":
        return lines.properties(width=WIDTH, height=260, title=alt.Title("What labels bring"))
    here = [{"labels": result.labels.value, "agree": result.agree.value, "way": "chosen"}]
    chosen = alt.Chart(inline(here)).mark_point(size=140, opacity=1).encode(x=x, y=y, tooltip=tip)
    return alt.layer(lines, chosen).properties(
        width=WIDTH,
        height=260,
        title=alt.Title("What labels bring", subtitle=f"the ring: {result.promise}"),
    )


_BROUGHT = {
    "agree": "share of people who agree",
    "bits": "bits",
    "cost": "less what mistakes cost",
}
