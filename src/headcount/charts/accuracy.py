"""Accuracy: spans, the models behind them, sensitivity, truth-probability bins, the planner."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import EMPHASIS, HEIGHT, MUTED, WIDTH
from headcount.errors import OptionError

if TYPE_CHECKING:
    from headcount.accuracy import AccuracyPlan, SystemAccuracy
    from headcount.results import Estimate

Part = Literal["all", "classifiers", "estimates", "dependence", "misled", "bins"]

_BANDS = [f"{edge / 10:.1f}–{(edge + 1) / 10:.1f}" for edge in range(10)]
_PARTS = ("all", "classifiers", "estimates", "dependence", "misled", "bins")
_MODELS = {
    "algebraic": "algebra",
    "latent_class": "free error rates",
    "latent_class_by_rater": "by rater",
    "shared_errors": "raters err together",
    "shared_with_system": "… and the classifier with them",
}
# Past a fifth of the items on which everyone errs, ratings say nothing that a chart should show.
_MISLED = [step / 100 for step in range(21)]


def system_accuracy(
    result: "SystemAccuracy", *, part: Part = "all", classifiers: Sequence[str] | None = None
) -> Any:
    """The whole picture, or one `part`; `classifiers` chooses some.

    Parts are "classifiers" (spans), "estimates" (what each model says), "dependence" and "misled"
    (how the answer moves as mistakes coincide) and "bins".
    """
    if part not in _PARTS:
        listed = ", ".join(f'"{name}"' for name in _PARTS)
        raise OptionError(f"part is one of {listed}; it was {part!r}.")
    names = _chosen(result, classifiers)
    drawn = {
        "classifiers": spans,
        "estimates": estimates,
        "dependence": dependence,
        "misled": misled,
        "bins": bins,
    }
    if part != "all":
        return drawn[part](result, names) if names else spans(result, names)
    if not names:
        return spans(result, names)
    stacked = [spans(result, names)]
    if any(result[name].span is not None for name in names):
        stacked += [estimates(result, names), misled(result, names)]
    return alt.vconcat(*stacked, bins(result, names), spacing=30).resolve_scale(
        color="independent", x="independent", y="independent"
    )


def spans(result: "SystemAccuracy", names: Sequence[str]) -> Any:
    """The span of each classifier, a bar without a dot, or the estimate by gold; and the raters."""
    rows = [_row("raters", result.believed_rater_accuracy)]
    rows += [_row(name, result[name].accuracy) for name in names]
    known = [row for row in rows if row["low"] is not None]
    order = ["raters", *names]
    x = _accuracy_axis(known)
    y = alt.Y("who:N", sort=order, title=None, scale=alt.Scale(domain=order))
    tip = [alt.Tooltip("who:N", title=" "), alt.Tooltip("text:N", title="accuracy")]
    base = alt.Chart(
        inline(known),
        width=WIDTH,
        height=max(70, 34 * len(order)),
        title=alt.Title("How accurate, against a truth nobody has", subtitle=_condition(result)),
    ).encode(y=y, tooltip=tip)
    bars = base.mark_rule(strokeWidth=4, opacity=0.6).encode(
        x=alt.X("low:Q", **x),
        x2=alt.X2("high:Q"),
        color=alt.Color("who:N", legend=None, sort=order),
    )
    dots = base.transform_filter("datum.value != null").mark_point(size=80, opacity=1)
    return bars + dots.encode(
        x=alt.X("value:Q", **x), color=alt.Color("who:N", legend=None, sort=order)
    )


def estimates(result: "SystemAccuracy", names: Sequence[str]) -> Any:
    """What each model says of each classifier; models that the data reject are pale."""
    rows = [
        {
            **_row(name, each.accuracy),
            "model": _MODELS[each.name],
            "counted": each.counted,
            "why": each.why or "counted",
        }
        for name in names
        if (span := result[name].span) is not None
        for each in span.parts
        if each.accuracy.value is not None
    ]
    order = list(_MODELS.values())
    x = _accuracy_axis(rows)
    base = alt.Chart(
        inline(rows),
        width=WIDTH,
        height=max(90, 64 * len(names)),
        title=alt.Title(
            "What each model says",
            subtitle="pale: rejected by the data, not counted in the span (before items on which "
            "all are misled)",
        ),
    ).encode(
        y=alt.Y("who:N", sort=list(names), title=None),
        yOffset=alt.YOffset("model:N", sort=order),
        color=alt.Color("model:N", sort=order, title=None, legend=alt.Legend(orient="bottom")),
        opacity=alt.condition("datum.counted", alt.value(0.9), alt.value(0.3)),
        tooltip=[
            alt.Tooltip("who:N", title=" "),
            alt.Tooltip("model:N"),
            alt.Tooltip("text:N", title="accuracy"),
            alt.Tooltip("why:N", title="in the span"),
        ],
    )
    bars = base.mark_rule(strokeWidth=3).encode(x=alt.X("low:Q", **x), x2=alt.X2("high:Q"))
    return bars + base.mark_point(size=60).encode(x=alt.X("value:Q", **x))


def dependence(result: "SystemAccuracy", names: Sequence[str]) -> Any:
    """How the best accuracy moves as raters' mistakes coincide, in all labels alike."""
    rows = [
        {
            "who": name,
            "system": f"{name}, {point.system}",
            "dependence": point.dependence,
            "accuracy": point.accuracy,
            "low": point.low,
            "high": point.high,
            "allowed": "not against it" if point.allowed else "against it",
        }
        for name in names
        if (span := result[name].span) is not None
        for point in span.curve
        if point.label is None
    ]
    base = alt.Chart(
        inline(rows),
        width=WIDTH,
        height=HEIGHT,
        title=alt.Title(
            "How the answer moves as raters' mistakes coincide",
            subtitle="bars: what the data do not speak against",
        ),
    ).encode(
        x=alt.X("dependence:Q", title="correlation of two ratings of an item, given the truth"),
        color=alt.Color("system:N", title=None, legend=alt.Legend(orient="bottom", columns=2)),
    )
    y: dict[str, Any] = {
        "title": "accuracy",
        "axis": alt.Axis(format="%"),
        "scale": alt.Scale(zero=False),
    }
    lines = base.mark_line(point=True).encode(
        y=alt.Y("accuracy:Q", **y),
        tooltip=[
            alt.Tooltip("system:N", title=" "),
            alt.Tooltip("dependence:Q", format=".2f"),
            alt.Tooltip("accuracy:Q", format=".1%"),
            alt.Tooltip("allowed:N", title="the data speak"),
        ],
    )
    allowed = base.transform_filter("datum.low != null").mark_rule(strokeWidth=5, opacity=0.4)
    return lines + allowed.encode(y=alt.Y("low:Q", **y), y2=alt.Y2("high:Q"))


def misled(result: "SystemAccuracy", names: Sequence[str]) -> Any:
    """The span as the share of items on which everyone is misled grows."""
    rows = [
        {"who": name, "misled": share, "low": ends.low, "high": ends.high}
        for name in names
        if (span := result[name].span) is not None
        for share in _MISLED
        for ends in [span.at(share)]
    ]
    x = alt.X("misled:Q", title="items on which everyone is misled", axis=alt.Axis(format="%"))
    base = alt.Chart(
        inline(rows),
        width=WIDTH,
        height=220,
        title=alt.Title(
            "What nobody's labels can show",
            subtitle="the span against the share of items on which people are all misled",
        ),
    )
    scale = alt.Scale(zero=False)
    bands = base.mark_area(opacity=0.3).encode(
        x=x,
        y=alt.Y("low:Q", title="accuracy", axis=alt.Axis(format="%"), scale=scale, stack=None),
        y2=alt.Y2("high:Q"),
        color=alt.Color("who:N", sort=list(names), title=None, legend=alt.Legend(orient="bottom")),
        tooltip=[
            alt.Tooltip("who:N", title=" "),
            alt.Tooltip("misled:Q", format=".0%", title="misled"),
            alt.Tooltip("low:Q", format=".1%"),
            alt.Tooltip("high:Q", format=".1%"),
        ],
    )
    here = alt.Chart(inline([{"misled": result.misled}]))
    return bands + here.mark_rule(color=MUTED, strokeDash=[6, 4]).encode(x=x)


def _condition(result: "SystemAccuracy") -> list[str]:
    from headcount.accuracy import condition

    if result.gold is not None:
        return [f"by gold of {result.gold.items:,} items and all ratings"]
    return [f"bars without a dot are spans, {condition(result.misled)}"]


def _accuracy_axis(rows: list[dict[str, Any]]) -> dict[str, Any]:
    lowest = min([1.0, *(row["low"] for row in rows)])
    return {
        "title": "accuracy",
        "axis": alt.Axis(format="%"),
        "scale": alt.Scale(domain=[max(0.0, lowest - 0.03), 1], nice=False, zero=False),
    }


def _row(who: str, estimate: "Estimate") -> dict[str, Any]:
    value = estimate.value
    return {
        "who": who,
        "value": value,
        "low": value if estimate.low is None else estimate.low,
        "high": value if estimate.high is None else estimate.high,
        "text": estimate.text(percent=True),
    }


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
    base = alt.Chart(inline(rows), width=WIDTH, height=220)
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
        inline(held),
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
        alt.Chart(inline(rows))
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
        alt.Chart(inline([{"aim": result.half_width}]))
        .mark_rule(color=EMPHASIS, strokeDash=[6, 4])
        .encode(y=alt.Y("aim:Q"))
    )
    layers = [lines, aim]
    if result.items is not None:
        enough = {"at": result.items, "text": f"{result.items:,} items"}
        mark = alt.Chart(inline([enough]))
        layers.append(mark.mark_rule(color=MUTED, strokeDash=[2, 3]).encode(x=alt.X("at:Q")))
        layers.append(
            mark.mark_text(align="left", dx=6, baseline="top").encode(
                x=alt.X("at:Q"), y=alt.value(4), text=alt.Text("text:N")
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
