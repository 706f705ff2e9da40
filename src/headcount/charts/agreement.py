"""Agreement: the coefficients with their intervals, every pair of raters, how divided items are."""

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import MUTED, WIDTH
from headcount.errors import OptionError

if TYPE_CHECKING:
    from headcount.agreement import Agreement
    from headcount.agreement.raters import Pairwise

Part = Literal["all", "coefficients", "raters", "items"]

_MOST_RATERS = 30
"""Past so many raters the cells of their matrix are too small to read."""
_NUMBERED = 10
"""Past so many a number does not fit into a cell."""


def agreement(result: "Agreement", *, part: Part = "all") -> Any:
    """The whole picture, or one `part` of it: "coefficients", "raters" or "items"."""
    parts = {"coefficients": coefficients(result), "items": divided_items(result)}
    if result.pairwise is not None and len(result.pairwise.raters) > 1:
        parts["raters"] = pairs_of_raters(result.pairwise)
    if part == "all":
        order = [name for name in ("coefficients", "items", "raters") if name in parts]
        return alt.vconcat(*(parts[name] for name in order), spacing=30).resolve_scale(
            color="independent"
        )
    if part == "raters" and part not in parts:
        raise OptionError("There is no chart of raters: these ratings have no table of pairs.")
    if part not in parts:
        raise OptionError(f'part is "all", "coefficients", "raters" or "items"; it was {part!r}.')
    return parts[part]


def coefficients(result: "Agreement") -> Any:
    """Each coefficient as a point with its interval; undefined ones keep their line, empty."""
    rows: list[dict[str, Any]] = []
    for each in result.shown:
        estimate = each.estimate
        rows.append(
            {
                "coefficient": each.title,
                "value": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "text": estimate.text(2),
            }
        )
    intervals = f"; bars are {100 * result.plan.confidence:g} % intervals"
    if not result.plan.samples:
        intervals = ""
    lowest = min([0.0, *(row[k] for row in rows for k in ("value", "low") if row[k] is not None)])
    x = alt.X("value:Q", title=None, scale=alt.Scale(domain=[lowest, 1], nice=False))
    y = alt.Y("coefficient:N", title=None, sort=[each.title for each in result.shown])
    base = alt.Chart(
        inline(rows),
        width=WIDTH,
        height=170,
        title=alt.Title(
            "How much people agree",
            subtitle=f"0 is chance{_never(result)}, 1 is always{intervals}",
        ),
    )
    tip = [alt.Tooltip("coefficient:N"), alt.Tooltip("text:N", title="estimate")]
    bars = base.mark_rule(color=MUTED, strokeWidth=3).encode(
        x=alt.X("low:Q", title=None), x2=alt.X2("high:Q"), y=y, tooltip=tip
    )
    points = base.mark_point(size=90, opacity=1).encode(x=x, y=y, tooltip=tip)
    words = base.mark_text(align="center", baseline="bottom", dy=-8).encode(
        x=x, y=y, text=alt.Text("value:Q", format=".2f")
    )
    return bars + points + words


def _of_an_item(pairs: str) -> str:
    return pairs.replace("pairs", "pairs of ratings on the item", 1)


def _never(result: "Agreement") -> str:
    return "" if result.nearness.has_order else " (never, for percent agreement)"


def divided_items(result: "Agreement") -> Any:
    """How many items are how divided."""
    rows: list[dict[str, Any]] = [
        {
            "share": "none" if each.high == 0 else f"{100 * each.low:.0f}–{100 * each.high:.0f}",
            "items": each.items,
        }
        for each in result.disagreement
    ]
    last = max((i for i, row in enumerate(rows) if row["items"]), default=0)
    rows = rows[: last + 1]
    order = [row["share"] for row in rows]
    return (
        alt.Chart(
            inline(rows),
            width=WIDTH,
            height=180,
            title=alt.Title("How divided the items are"),
        )
        .mark_bar()
        .encode(
            x=alt.X(
                "share:N",
                sort=order,
                title=f"{_of_an_item(result.disagreeing)}, in %",
                axis=alt.Axis(labelAngle=0),
            ),
            y=alt.Y("items:Q", title="items"),
            tooltip=[
                alt.Tooltip("share:N", title=f"% of {result.disagreeing}"),
                alt.Tooltip("items:Q"),
            ],
        )
    )


def pairs_of_raters(matrix: "Pairwise") -> Any:
    """A heat map of the agreement of each pair of raters, those who agree most together.

    Of many raters the busiest are shown. Empty cells have no item in common.
    """
    shown = np.argsort(-np.diag(matrix.items), kind="stable")[:_MOST_RATERS]
    shares = np.array(matrix.agreement(), dtype=float)[np.ix_(shown, shown)]
    common = matrix.items[np.ix_(shown, shown)]
    known = ~np.isnan(shares)
    mean = np.where(known, shares, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    order = [matrix.raters[shown[k]] for k in np.argsort(-mean, kind="stable")]
    rows = [
        {
            "rater": matrix.raters[shown[i]],
            "other": matrix.raters[shown[j]],
            "agreement": float(shares[i, j]),
            "items": int(common[i, j]),
        }
        for i, j in zip(*np.nonzero(known), strict=True)
    ]
    everyone = len(shown) == len(matrix.raters)
    some = "" if everyone else f"the {len(shown)} busiest of {len(matrix.raters)} raters"
    side = min(max(44 * len(shown), 160), WIDTH - 80)
    base = alt.Chart(
        inline(rows),
        width=side,
        height=side,
        title=alt.Title("Which raters agree with which", subtitle=some),
    ).encode(
        x=alt.X("other:N", sort=order, title=None),
        y=alt.Y("rater:N", sort=order, title=None),
        tooltip=[
            alt.Tooltip("rater:N"),
            alt.Tooltip("other:N", title="with"),
            alt.Tooltip("agreement:Q", format=".2f"),
            alt.Tooltip("items:Q", title="items in common"),
        ],
    )
    cells = base.mark_rect().encode(
        color=alt.Color("agreement:Q", title="share of common items", scale=alt.Scale(zero=False))
    )
    if len(shown) > _NUMBERED:
        return cells
    middle = float(shares[known].min() + shares[known].max()) / 2 if known.any() else 0.5
    numbers = base.mark_text().encode(
        text=alt.Text("agreement:Q", format=".2f"),
        color=alt.condition(
            f"datum.agreement > {middle!r}", alt.value("#1f2328"), alt.value("#ffffff")
        ),
    )
    return cells + numbers
