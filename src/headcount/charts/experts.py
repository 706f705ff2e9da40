"""Two pools: the curve of amateurs and the curve of experts, both predicting an expert."""

from typing import TYPE_CHECKING, Any

from headcount.charts import grammar as alt
from headcount.charts.equivalence import HEIGHT, Axes, curve_points, domain_of, score_title
from headcount.charts.grammar import inline
from headcount.charts.theme import WIDTH

if TYPE_CHECKING:
    from headcount.equivalence import ExpertEquivalence

_APART = 0.08
"""How far the two pools' error bars stand from each other, in raters."""


def expert_equivalence(result: "ExpertEquivalence", *, gain: bool = False) -> Any:
    """Both curves with error bars; `gain` draws each as gain over its own start, c_k − c₀.

    Where a point of the amateurs' curve lies level with the experts', so many amateurs are
    worth so many experts.
    """
    rows = _points(result, gain)
    most = max(result.amateurs.most, result.experts.most)
    axes = Axes(most, score_title(result.experts, gain), domain_of(rows))
    color = alt.Color("pool:N", sort=["experts", "amateurs"], title=None)
    base = alt.Chart(inline(rows)).encode(
        x=axes.x("place"),
        color=color,
        tooltip=[
            alt.Tooltip("pool:N"),
            alt.Tooltip("raters:Q", title="raters"),
            alt.Tooltip("text:N", title=result.experts.asked.scorer),
            alt.Tooltip("worth:N", title="worth in experts"),
        ],
    )
    bars = base.mark_rule(strokeWidth=2, opacity=0.7).encode(y=axes.y("low"), y2=alt.Y2("high:Q"))
    line = base.mark_line(strokeWidth=2).encode(y=axes.y("score"))
    dots = base.mark_point(opacity=1).encode(y=axes.y("score"))
    layers = [line, dots] if rows[0]["low"] is None else [bars, line, dots]
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=_title(result))


def _points(result: "ExpertEquivalence", gain: bool) -> list[dict[str, Any]]:
    rows = []
    pools = (("experts", result.experts, -_APART / 2), ("amateurs", result.amateurs, _APART / 2))
    for pool, curve, shift in pools:
        for point in curve_points(curve, gain):
            k = point["raters"]
            amateurs = pool == "amateurs" and k > 0
            worth = result.equivalence(k).text(2) if amateurs else str(k)
            rows.append({**point, "pool": pool, "place": k + shift, "worth": worth})
    return rows


def _title(result: "ExpertEquivalence") -> Any:
    asked = result.experts.asked
    parts = [f"{asked.items_used:,} items, {asked.combiner}, scored against a held-out expert"]
    if asked.n_bootstrap:
        parts.append(f"bars are {100 * asked.confidence:g} % intervals")
    return alt.Title("What amateurs are worth in experts", subtitle="; ".join(parts))
