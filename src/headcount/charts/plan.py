"""Plans: probability, loss, sample sizes, rivals, rates and limits against what is spent."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import MUTED, WIDTH
from headcount.errors import OptionError

if TYPE_CHECKING:
    from headcount.plan import (
        ComparisonPlan,
        GoldPlan,
        PilotPlan,
        RatingsPlan,
        Strategy,
        Watch,
    )

Part = Literal["all", "probability", "loss", "sample_size", "rivals", "rate"]
PilotPart = Literal["all", "loss", "probability"]

_POINTS = 41
"""Points of a line: a curve of so many looks smooth."""
_LOG = alt.Scale(type="log")


def comparison_plan(
    result: "ComparisonPlan", *, part: Part = "all", tolerance: float = 0.05
) -> Any:
    """The whole picture, or one `part`: "probability", "loss", "sample_size", "rivals" or "rate".

    `tolerance` is the chance of a wrong winner that sample sizes and rivals allow.
    """
    if not 0 < tolerance < 1:
        raise OptionError(f"tolerance lies between 0 and 1; it was {tolerance!r}.")
    draw: dict[str, Callable[[], Any]] = {
        "probability": lambda: probability(result),
        "loss": lambda: loss(result),
        "sample_size": lambda: sample_size(result),
        "rivals": lambda: rivals(result, tolerance),
        "rate": lambda: rate(result),
    }
    if part == "all":
        return alt.vconcat(*(make() for make in draw.values()), spacing=30).resolve_scale(
            color="independent", strokeDash="independent", shape="independent"
        )
    if part not in draw:
        raise OptionError(
            'part is "all", "probability", "loss", "sample_size", "rivals" or "rate"; '
            f"it was {part!r}."
        )
    return draw[part]()


def pilot_plan(result: "PilotPlan", *, part: PilotPart = "all") -> Any:
    """Expected loss against labels, above the probability; or one `part` of the two."""
    if part == "loss":
        return pilot_loss(result)
    if part == "probability":
        return pilot_probability(result)
    if part != "all":
        raise OptionError(f'part is "all", "loss" or "probability"; it was {part!r}.')
    return alt.vconcat(pilot_loss(result), pilot_probability(result), spacing=30).resolve_scale(
        color="shared"
    )


def pilot_loss(result: "PilotPlan") -> Any:
    """What the choice is still expected to lose after so many labels, in points."""
    rows = [
        {"labels": labels, "loss": 100 * result.loss(items), "where": where}
        for labels, items, where in _spent(result)
    ]
    title = alt.Title(
        "Expected loss of choosing, against labels",
        subtitle=f"choosing {result.leader} now loses {100 * result.loss_now:.2g} points",
    )
    lines = _pilot_lines(rows, title).encode(
        y=alt.Y("loss:Q", title="points behind the best one"),
        tooltip=[*_SPENT, alt.Tooltip("loss:Q", format=".3f", title="points")],
    )
    if result.aim.loss is None:
        return lines
    return lines + _aim("loss", 100 * result.aim.loss)


def pilot_probability(result: "PilotPlan") -> Any:
    """The chance that the one chosen after so many labels is the best one."""
    rows = [
        {"labels": labels, "probability": result.probability(items), "where": where}
        for labels, items, where in _spent(result)
    ]
    title = "Probability that the best one is chosen, against labels"
    lines = _pilot_lines(rows, alt.Title(title)).encode(
        y=alt.Y(
            "probability:Q",
            title="probability",
            axis=alt.Axis(format="%"),
            scale=alt.Scale(zero=False),
        ),
        tooltip=[*_SPENT, alt.Tooltip("probability:Q", format=".1%")],
    )
    return lines + _aim("probability", result.aim.target)


def watch(result: "Watch") -> Any:
    """The interval for the difference as labels came in, and zero."""
    rows = [
        {
            "labels": each.labels,
            "difference": 100 * each.difference,
            "low": 100 * each.low,
            "high": 100 * each.high,
        }
        for each in result.looks
    ]
    title = alt.Title(
        f"How many points more agree with {result.first} than with {result.second}",
        subtitle=f"valid at all looks together, with probability {100 * (1 - result.error):g} %",
    )
    base = alt.Chart(inline(rows), title=title).encode(
        x=alt.X("labels:Q", title="labels where they differ", scale=_LOG)
    )
    band = base.mark_area(opacity=0.3).encode(
        y=alt.Y("low:Q", title="points of agreement"), y2=alt.Y2("high:Q")
    )
    line = base.mark_line().encode(y=alt.Y("difference:Q"))
    return band + line + _aim("points", 0.0)


def gold_plan(result: "GoldPlan") -> Any:
    """Half the width of the interval against gold items, and the width that was asked for."""
    rows = [{"items": each.items, "points": 100 * each.half_width} for each in result.points]
    tips = [alt.Tooltip("items:Q", format=","), alt.Tooltip("points:Q", format=".1f")]
    lines = alt.Chart(inline(rows), width=WIDTH, height=240, title="What gold items give").encode(
        x=alt.X("items:Q", title="gold items", scale=alt.Scale(type="log")),
        y=alt.Y("points:Q", title="± points"),
        tooltip=tips,
    )
    return lines.mark_line(point=True) + _aim("points", 100 * result.half_width)


def ratings_plan(result: "RatingsPlan", *, part: Literal["ceiling", "ideal"] = "ceiling") -> Any:
    """The limits between which the ceiling, or the ideal's score, stays open; and what it is."""
    if part not in ("ceiling", "ideal"):
        raise OptionError(f'part is "ceiling" or "ideal"; it was {part!r}.')
    rows = [
        {
            "ratings": each.ratings,
            "low": getattr(each, f"{part}_low"),
            "high": getattr(each, f"{part}_high"),
        }
        for each in result.points
    ]
    title = "ceiling" if part == "ceiling" else f"ideal ({result.scorer})"
    digits = "%" if part == "ceiling" else ".2f"
    x = alt.X("ratings:O", title="ratings an item", axis=alt.Axis(labelAngle=0))
    y = alt.Y("low:Q", title=title, scale=alt.Scale(zero=False), axis=alt.Axis(format=digits))
    number = ".2%" if part == "ceiling" else ".4f"
    tips = [
        alt.Tooltip("ratings:O", title="ratings an item"),
        alt.Tooltip("low:Q", format=number),
        alt.Tooltip("high:Q", format=number),
    ]
    bars = alt.Chart(inline(rows)).encode(x=x, y=y, y2="high:Q", tooltip=tips)
    truth = alt.Chart(inline([{"low": getattr(result, part)}]))
    return alt.layer(
        bars.mark_bar(size=16, minBandSize=3),
        truth.mark_rule(color=MUTED, strokeDash=[4, 4]).encode(y=y),
    ).properties(width=WIDTH, height=240, title=f"What stays open of the {title}")


_WHERE = ["only where they differ", "on items as they come"]
_SPENT = [alt.Tooltip("where:N", title="labels"), alt.Tooltip("labels:Q", format=",.0f")]


def _spent(result: "PilotPlan") -> list[tuple[float, float, str]]:
    """Labels spent, the items they make, and where they were spent."""
    labels = np.geomspace(10, result.aim.affordable, _POINTS).round()
    each = (result.differ * result.labels_each, result.labels_each)
    return [
        (float(spent), float(spent) / an_item, where)
        for an_item, where in zip(each, _WHERE, strict=True)
        for spent in labels
    ]


def _pilot_lines(rows: list[dict[str, Any]], title: Any) -> Any:
    return (
        alt.Chart(inline(rows), title=title)
        .mark_line()
        .encode(
            x=alt.X("labels:Q", title="more labels", scale=_LOG),
            color=alt.Color("where:N", title="labels", sort=_WHERE),
            strokeDash=alt.StrokeDash("where:N", title="labels", sort=_WHERE),
        )
    )


def _aim(field: str, value: float) -> Any:
    aim = alt.Chart(inline([{field: value}]))
    return aim.mark_rule(color=MUTED, strokeDash=[4, 4]).encode(y=f"{field}:Q")


def probability(result: "ComparisonPlan") -> Any:
    """The probability of picking the better one against the money, a line a strategy."""
    budgets = _budgets(result)
    rows = [
        {"cost": float(budget), "probability": float(chance), "labels": _name(strategy)}
        for strategy, chances in result.probabilities(budgets).items()
        for budget, chance in zip(budgets, chances, strict=True)
    ]
    lines = _chart(rows, "Probability of picking the better classifier", _money(result)).encode(
        x=alt.X("cost:Q", title="spent"),
        y=alt.Y(
            "probability:Q",
            title="probability",
            axis=alt.Axis(format="%"),
            scale=alt.Scale(zero=False),
        ),
        color=_by_labels(result),
        tooltip=[
            alt.Tooltip("labels:N", title="labels an item"),
            alt.Tooltip("cost:Q", format=",.0f"),
            alt.Tooltip("probability:Q", format=".4f"),
        ],
    )
    drawn = lines.mark_line(interpolate="monotone")
    if result.target is None:
        return drawn
    return drawn + _aim("probability", result.target)


def loss(result: "ComparisonPlan") -> Any:
    """What choosing is expected to lose against the money, a line a strategy, in points."""
    budgets = _budgets(result)
    rows = [
        {"cost": float(budget), "loss": float(100 * lost), "labels": _name(strategy)}
        for strategy, losses in result.losses(budgets).items()
        for budget, lost in zip(budgets, losses, strict=True)
    ]
    subtitle = f"choosing blindly between two loses {50 * result.pairing.gap:.3g} points"
    lines = _chart(rows, "Expected loss of choosing", subtitle).encode(
        x=alt.X("cost:Q", title="spent"),
        y=alt.Y("loss:Q", title="points behind the better one"),
        color=_by_labels(result),
        tooltip=[
            alt.Tooltip("labels:N", title="labels an item"),
            alt.Tooltip("cost:Q", format=",.0f"),
            alt.Tooltip("loss:Q", format=".3f", title="points"),
        ],
    )
    return lines.mark_line(interpolate="monotone")


def sample_size(result: "ComparisonPlan") -> Any:
    """The chance of failure against items with the best strategy: exact and by either bound.

    Where a line meets a chance of failure stands the sample size that it asks for.
    """
    strategy = result.best.strategy
    items = np.unique(np.geomspace(10, max(result.best.items * 8, 100), _POINTS).round())
    rows = [
        {"items": float(n), "failure": float(np.exp(log_failure)), "by": name}
        for name, curve in result.log_failures(strategy, items).items()
        for n, log_failure in zip(items, curve, strict=True)
        if log_failure > np.log(1e-4)
    ]
    subtitle = f"labels an item: {_name(strategy)}; read the items off at the failure you accept"
    return (
        _chart(rows, "Sample size: exact, by Cramér, by Hoeffding", subtitle)
        .mark_line()
        .encode(
            x=alt.X("items:Q", title="items", scale=alt.Scale(type="log")),
            y=alt.Y("failure:Q", title="chance of failure, or bound", scale=_LOG),
            color=_BY,
            strokeDash=_DASH,
            tooltip=[
                alt.Tooltip("by:N"),
                alt.Tooltip("items:Q", format=",.0f"),
                alt.Tooltip("failure:Q", format=".3g"),
            ],
        )
    )


def rivals(result: "ComparisonPlan", tolerance: float = 0.05) -> Any:
    """Rivals that can be ruled out against the money: one label and the next strategy."""
    budgets = np.geomspace(result.best.cost / 2, result.best.cost * 30, 2 * _POINTS)
    shown = [result.plans[0].strategy, *(s.strategy for s in result.plans[1:] if _is_vote(s))][:2]
    rows = [
        {"cost": float(budget), "rivals": float(count), "by": name, "labels": _name(strategy)}
        for strategy in shown
        for name, counts in result.rivals_ranked(strategy, budgets, tolerance).items()
        for budget, count in zip(budgets, counts, strict=True)
        if 1 <= count <= 1e6
    ]
    subtitle = (
        f"each at least {100 * result.pairing.gap:.3g} points behind; the best comes first with "
        f"probability {100 * (1 - tolerance):g} %"
    )
    return (
        _chart(rows, "Rivals that can be ranked", subtitle)
        .mark_line()
        .encode(
            x=alt.X("cost:Q", title="spent", scale=_LOG),
            y=alt.Y("rivals:Q", title="rivals", scale=_LOG),
            color=_by_labels(result, [_name(strategy) for strategy in shown]),
            strokeDash=_DASH,
            tooltip=[
                alt.Tooltip("labels:N", title="labels an item"),
                alt.Tooltip("by:N"),
                alt.Tooltip("cost:Q", format=",.0f"),
                alt.Tooltip("rivals:Q", format=",.0f"),
            ],
        )
    )


def rate(result: "ComparisonPlan") -> Any:
    """−log failure an item against items: how soon Cramér's rate is the truth."""
    strategy = result.best.strategy
    items = np.unique(np.geomspace(10, max(result.best.items * 100, 10_000), _POINTS).round())
    rows = [
        {"items": float(n), "rate": float(-log_failure / n), "by": name}
        for name, curve in result.log_failures(strategy, items).items()
        for n, log_failure in zip(items, curve, strict=True)
        if log_failure > -690
    ]
    return (
        _chart(
            rows,
            "How fast failure falls, and what the bounds promise",
            f"labels an item: {_name(strategy)}; −log(failure) an item",
        )
        .mark_line()
        .encode(
            x=alt.X("items:Q", title="items", scale=alt.Scale(type="log")),
            y=alt.Y("rate:Q", title="−log(failure) / items", axis=alt.Axis(format="~e")),
            color=_BY,
            strokeDash=_DASH,
            tooltip=[
                alt.Tooltip("by:N"),
                alt.Tooltip("items:Q", format=",.0f"),
                alt.Tooltip("rate:Q", format=".3e"),
            ],
        )
    )


_ORDER = ["exact", "Cramér", "Hoeffding"]
# The same domain for colour and dash, so that they share one legend.
_BY = alt.Color("by:N", title=None, sort=_ORDER, scale=alt.Scale(domain=_ORDER))
_DASH = alt.StrokeDash(
    "by:N", title=None, sort=_ORDER, scale=alt.Scale(domain=_ORDER, range=[[1, 0], [6, 3], [2, 3]])
)


def _chart(rows: list[dict[str, Any]], title: str, subtitle: str) -> Any:
    return alt.Chart(inline(rows), title=alt.Title(title, subtitle=subtitle))


def _budgets(result: "ComparisonPlan") -> np.ndarray:
    most = 2.0 * (result.budget or max(plan.cost for plan in result.plans) / 2)
    least = max(plan.cost / plan.items for plan in result.plans)
    return np.unique(np.linspace(max(least, most / _POINTS), most, _POINTS).round(6))


def _by_labels(result: "ComparisonPlan", names: list[str] | None = None) -> Any:
    order = names or [_name(plan.strategy) for plan in result.plans]
    return alt.Color("labels:N", title="labels an item", sort=order)


def _is_vote(plan: Any) -> bool:
    return plan.strategy.majority_of > 1 and not plan.strategy.adaptive


def _name(strategy: "Strategy") -> str:
    return strategy.name


def _money(result: "ComparisonPlan") -> str:
    told = result.pairing.to_dict()
    if "label_accuracy" not in told:
        return f"one item moves the gap by {result.pairing.gap:.3g} on average"
    return (
        f"accuracy {told['accuracy']:.3g}, margin {told['margin']:.3g}, "
        f"label accuracy {told['label_accuracy']['mean']:.3g}"
    )
