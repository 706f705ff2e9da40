"""Charts of rankings: systems by people, who is told apart, and judges beside people."""

from typing import TYPE_CHECKING, Any, Literal

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import MUTED, WIDTH
from headcount.errors import OptionError
from headcount.results.words import worth_text

if TYPE_CHECKING:
    from headcount.rank import Ranking

Part = Literal["all", "systems", "pairs", "judges"]

_ROW = 20
"""Height of a line with a name on it."""
_MOST_SYSTEMS = 40
"""Past so many systems names overlap: the first of them are drawn."""


def ranking(result: "Ranking", *, part: Part = "all") -> Any:
    """The whole picture, or one `part` of it: "systems", "pairs" or "judges"."""
    parts = {}
    if any(each.strength.value is not None for each in result.systems):
        parts = {"systems": systems(result), "pairs": pairs(result)}
    if any(each.soft_pairwise_accuracy.value is not None for each in result.judges):
        parts["judges"] = judges(result)
    if part == "all" and parts:
        return alt.vconcat(*parts.values(), spacing=30).resolve_scale(color="independent")
    if part not in parts:
        raise OptionError(
            f"There is no chart of {part!r} here: choose {', '.join(parts) or 'another result'}."
        )
    return parts[part]


def systems(result: "Ranking") -> Any:
    """Each system's strength by people, the best first."""
    shown = [each for each in result.systems if each.strength.value is not None][:_MOST_SYSTEMS]
    rows = [
        {
            "system": each.name,
            "value": each.strength.value,
            "low": each.strength.value if each.strength.low is None else each.strength.low,
            "high": each.strength.value if each.strength.high is None else each.strength.high,
            "text": each.strength.text(2),
            "rank": each.rank.text(0),
        }
        for each in shown
    ]
    y = alt.Y("system:N", title=None, sort=[each.name for each in shown])
    tip = [
        alt.Tooltip("system:N"),
        alt.Tooltip("text:N", title="strength"),
        alt.Tooltip("rank:N"),
    ]
    scale = alt.Scale(zero=False)
    base = alt.Chart(
        inline(rows),
        width=WIDTH,
        height=_ROW * len(shown) + 10,
        title=alt.Title(
            result.verdict().splitlines()[0],
            subtitle=f"bars are {100 * result.confidence:g} % intervals",
        ),
    )
    bars = base.mark_rule(color=MUTED, strokeWidth=3).encode(
        x=alt.X("low:Q", title="strength", scale=scale), x2=alt.X2("high:Q"), y=y, tooltip=tip
    )
    points = base.mark_point(size=70, opacity=1).encode(
        x=alt.X("value:Q", title="strength", scale=scale), y=y, tooltip=tip
    )
    return bars + points


def pairs(result: "Ranking") -> Any:
    """Which systems are told apart: a full dot where the one in the row is the stronger."""
    names = [e.name for e in result.systems if e.strength.value is not None][:_MOST_SYSTEMS]
    level, rows = 1 - result.confidence, []
    place = {name: at for at, name in enumerate(names)}
    for each in result.pairs:
        if each.first in place and each.second in place and each.adjusted is not None:
            ahead, behind = sorted((each.first, each.second), key=place.__getitem__)
            told = "told apart" if each.told_apart(level) else "not told apart"
            rows.append({"system": ahead, "other": behind, "told": told, "p": each.adjusted})
    base = alt.Chart(
        inline(rows),
        width=_ROW * len(names),
        height=_ROW * len(names),
        title=alt.Title(
            f"{sum(row['told'] == 'told apart' for row in rows)} of {len(rows)} pairs of systems "
            "are told apart",
            subtitle="the one in the row comes before the one in the column; all pairs looked at",
        ),
    )
    return base.mark_point(size=70, filled=True, opacity=1).encode(
        x=alt.X("other:N", title=None, sort=names),
        y=alt.Y("system:N", title=None, sort=names),
        color=alt.Color(
            "told:N",
            title=None,
            scale=alt.Scale(domain=["told apart", "not told apart"], range=["#1a5276", "#d5d8dc"]),
        ),
        tooltip=[
            alt.Tooltip("system:N"),
            alt.Tooltip("other:N"),
            alt.Tooltip("told:N"),
            alt.Tooltip("p:Q", title="p (Holm)", format=".3f"),
        ],
    )


def judges(result: "Ranking") -> Any:
    """How nearly judges rank as one person does, beside one person, two, …"""
    shown = [e for e in result.best_first() if e.soft_pairwise_accuracy.value is not None]
    named = [(each.name, each.soft_pairwise_accuracy, each.worth) for each in shown]
    rows: list[dict[str, Any]] = []
    for name, accuracy, worth in named:
        rows.append(
            {
                "judge": name,
                "value": accuracy.value,
                "low": accuracy.value if accuracy.low is None else accuracy.low,
                "high": accuracy.value if accuracy.high is None else accuracy.high,
                "text": accuracy.text(3),
                "worth": worth_text(worth, noun=" people") if worth.known else "not known",
            }
        )
    y = alt.Y("judge:N", title=None, sort=[name for name, *_ in named])
    x = "soft pairwise accuracy"
    tip = [
        alt.Tooltip("judge:N"),
        alt.Tooltip("text:N", title=x),
        alt.Tooltip("worth:N", title="worth as a ranker"),
    ]
    scale = alt.Scale(zero=False)
    base = alt.Chart(
        inline(rows),
        width=WIDTH,
        height=_ROW * max(len(rows), 3) + 10,
        title=alt.Title(
            "Do judges rank systems as people do?",
            subtitle="dashed: nobody, one person, two, … against one more",
        ),
    )
    bars = base.mark_rule(color=MUTED, strokeWidth=3).encode(
        x=alt.X("low:Q", title=x, scale=scale), x2=alt.X2("high:Q"), y=y, tooltip=tip
    )
    points = base.mark_point(size=70, opacity=1).encode(
        x=alt.X("value:Q", title=x, scale=scale), y=y, tooltip=tip
    )
    curve = [] if result.curve is None else result.curve.points
    lines = [
        {"people": k, "at": point.value} for k, point in enumerate(curve) if point.value is not None
    ]
    people = alt.Chart(inline(lines)).encode(x=alt.X("at:Q", title=x, scale=scale))
    rules = people.mark_rule(color=MUTED, strokeDash=[4, 4]).encode(
        tooltip=[alt.Tooltip("people:Q"), alt.Tooltip("at:Q", title=x, format=".3f")]
    )
    return alt.layer(rules, bars, points) if lines else bars + points
