"""Accuracy: both estimates of each classifier, truth-probability bins, and the planner."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import altair as alt

from headcount.charts.theme import EMPHASIS, HEIGHT, MUTED, WIDTH
from headcount.errors import OptionError

if TYPE_CHECKING:
    from headcount.accuracy import AccuracyPlan, SystemAccuracy
    from headcount.results import Estimate

Part = Literal["all", "classifiers", "bins"]

_KINDS = ("algebraic", "latent class")
_BANDS = [f"{edge / 10:.1f}–{(edge + 1) / 10:.1f}" for edge in range(10)]


def system_accuracy(
    result: "SystemAccuracy", *, part: Part = "all", classifiers: Sequence[str] | None = None
) -> Any:
    """The whole picture, or one `part`: "classifiers" or "bins"; `classifiers` chooses some."""
    if part not in ("all", "classifiers", "bins"):
        raise OptionError(f'part is "all", "classifiers" or "bins"; it was {part!r}.')
    names = _chosen(result, classifiers)
    if part == "classifiers" or not names:
        return estimates(result, names)
    if part == "bins":
        return bins(result, names)
    return alt.vconcat(estimates(result, names), bins(result, names), spacing=30).resolve_scale(
        color="independent"
    )


def estimates(result: "SystemAccuracy", names: Sequence[str]) -> Any:
    """Raters and classifiers, each with the algebraic and the latent-class estimate."""
    latent = result.latent_class
    fitted = None if isinstance(latent, str) else latent.rater_accuracy
    rows = _rows("raters", (result.rater_accuracy, fitted))
    for each in result.classifiers:
        if each.name in names:
            rows += _rows(each.name, (each.accuracy, each.latent))
    lowest = min([1.0, *(row["low"] for row in rows)])
    scale = alt.Scale(domain=[max(0.0, lowest - 0.03), 1], nice=False, zero=False)
    x = alt.X("value:Q", title="accuracy", axis=alt.Axis(format="%"), scale=scale)
    order = ["raters", *names]
    y = alt.Y("who:N", sort=order, title=None)
    offset = alt.YOffset("estimate:N", sort=list(_KINDS))
    color = alt.Color("estimate:N", sort=list(_KINDS), title=None)
    tip = [alt.Tooltip("who:N", title=" "), alt.Tooltip("estimate:N"), alt.Tooltip("text:N")]
    believed = _KINDS[0] if result.believe == "algebraic" else _KINDS[1]
    base = alt.Chart(
        alt.InlineData(values=rows),
        width=WIDTH,
        height=max(70, 46 * len(order)),
        title=alt.Title(
            "How accurate, against a truth nobody has",
            subtitle=f"bars are {100 * result.confidence:g} % intervals; "
            f"believe the {believed.replace(' ', '-')} estimate here",
        ),
    )
    bars = base.mark_rule(strokeWidth=3, opacity=0.55).encode(
        x=alt.X("low:Q", title="accuracy", scale=scale),
        x2="high:Q",
        y=y,
        yOffset=offset,
        color=color,
    )
    points = base.mark_point(size=80, opacity=1).encode(
        x=x, y=y, yOffset=offset, color=color, tooltip=tip
    )
    return bars + points


def bins(result: "SystemAccuracy", names: Sequence[str]) -> Any:
    """Items in each bin of the most probable label's probability, and how often systems say it."""
    rows = [
        {
            "band": _BANDS[round(item.low * 10)],
            "classifier": each.name,
            "agreement": item.agreement,
            "accuracy": item.accuracy,
            "truth": item.truth,
            "items": item.items,
        }
        for each in result.classifiers
        if each.name in names
        for item in each.bins
    ]
    used = sorted({str(row["band"]) for row in rows})
    shown = _BANDS[_BANDS.index(used[0]) :] if used else _BANDS
    x = alt.X(
        "band:N",
        sort=shown,
        scale=alt.Scale(domain=shown),
        title="probability of the most probable label",
        axis=alt.Axis(labelAngle=0),
    )
    held = [row for row in rows if row["classifier"] == names[0]]
    base = alt.Chart(alt.InlineData(values=rows), width=WIDTH, height=220)
    y = alt.Y("agreement:Q", title="agreement", axis=alt.Axis(format="%"), scale=_UNIT)
    ticks = base.mark_tick(color=MUTED, thickness=2.5, size=40).encode(
        x=x, y=alt.Y("truth:Q", title="agreement", scale=_UNIT)
    )
    lines = base.mark_line(point=True).encode(
        x=x,
        y=y,
        color=alt.Color(
            "classifier:N", sort=list(names), title=None, legend=alt.Legend(orient="bottom")
        ),
        tooltip=[
            alt.Tooltip("classifier:N"),
            alt.Tooltip("band:N", title="probability"),
            alt.Tooltip("items:Q"),
            alt.Tooltip("truth:Q", format=".3f", title="mean probability"),
            alt.Tooltip("agreement:Q", format=".3f"),
            alt.Tooltip("accuracy:Q", format=".3f", title="implied accuracy"),
        ],
    )
    return alt.vconcat(_items_by_bin(held, shown), ticks + lines, spacing=6)


def _items_by_bin(held: list[dict[str, Any]], shown: list[str]) -> Any:
    """How many items each bin holds."""
    base = alt.Chart(
        alt.InlineData(values=held),
        width=WIDTH,
        height=100,
        title=alt.Title(
            "Where the truth is clear and where it is not",
            subtitle=[
                "above: items by how probable their most probable label is; below: how often each",
                "classifier gives that label (lines), and how probable it is (grey ticks)",
            ],
        ),
    ).encode(
        x=alt.X("band:N", sort=shown, scale=alt.Scale(domain=shown), axis=None),
        y=alt.Y("items:Q", title="items"),
        tooltip=[alt.Tooltip("band:N", title="probability"), alt.Tooltip("items:Q")],
    )
    numbers = base.mark_text(baseline="bottom", dy=-2).encode(text=alt.Text("items:Q", format=","))
    return base.mark_bar(color=MUTED, opacity=0.7) + numbers


def accuracy_plan(result: "AccuracyPlan") -> Any:
    """How near the estimate comes against the number of items, a line a system accuracy."""
    share = f"{100 * result.confidence:g} %"
    rows = [
        {
            "items": point.items,
            "half-width": point.half_width,
            "system": f"{point.system_accuracy:g}",
            "within": point.within,
        }
        for point in result.points
        if point.half_width is not None
    ]
    x = alt.X("items:Q", title="items", scale=alt.Scale(type="log", nice=False))
    lines = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(point=True)
        .encode(
            x=x,
            y=alt.Y("half-width:Q", title=f"distance that {share} stay within"),
            color=alt.Color("system:N", title="system accuracy", legend=alt.Legend(columns=5)),
            tooltip=[
                alt.Tooltip("items:Q"),
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
    if result.items is not None:
        enough = {"at": result.items, "text": f"{result.items:,} items"}
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
            "How many items are enough",
            subtitle=f"{result.raters} raters, kappa {result.kappa:.2f}, {result.labels} "
            f"labels; aim ±{result.half_width:g} at {share}",
        ),
    )


_UNIT = alt.Scale(domain=[0, 1], nice=False)


def _chosen(result: "SystemAccuracy", classifiers: Sequence[str] | None) -> list[str]:
    known = [each.name for each in result.classifiers]
    for name in classifiers or ():
        if name not in known:
            raise OptionError(
                f"There is no classifier {name!r} to draw: choose from {', '.join(known)}."
            )
    return known if classifiers is None else list(classifiers)


def _rows(who: str, pair: "tuple[Estimate, Estimate | None]") -> list[dict[str, Any]]:
    rows = []
    for kind, estimate in zip(_KINDS, pair, strict=True):
        if estimate is not None and estimate.value is not None:
            rows.append(
                {
                    "who": who,
                    "estimate": kind,
                    "value": estimate.value,
                    "low": estimate.value if estimate.low is None else estimate.low,
                    "high": estimate.value if estimate.high is None else estimate.high,
                    "text": estimate.text(percent=True),
                }
            )
    return rows
