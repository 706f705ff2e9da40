"""Label budget: probability, sample sizes, rivals and rates, each against what is spent."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import altair as alt
import numpy as np

from headcount.charts.theme import MUTED
from headcount.errors import OptionError

if TYPE_CHECKING:
    from headcount.budget import ComparisonPlan, Strategy
    from headcount.evaluation import PilotPlan

Part = Literal["all", "probability", "sample_size", "rivals", "rate"]
PilotPart = Part | Literal["uncertainty"]

_POINTS = 41


def comparison_plan(
    result: "ComparisonPlan", *, part: Part = "all", tolerance: float = 0.05
) -> Any:
    """The whole picture, or one `part`: "probability", "sample_size", "rivals" or "rate".

    `tolerance` is the chance of a wrong winner that sample sizes and rivals allow.
    """
    if not 0 < tolerance < 1:
        raise OptionError(f"tolerance lies between 0 and 1; it was {tolerance!r}.")
    draw: dict[str, Callable[[], Any]] = {
        "probability": lambda: probability(result),
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
            f'part is "all", "probability", "sample_size", "rivals" or "rate"; it was {part!r}.'
        )
    return draw[part]()


def pilot_plan(result: "PilotPlan", *, part: PilotPart = "all", tolerance: float = 0.05) -> Any:
    """The offers with the pilot's uncertainty, above the charts of the plan itself."""
    if part == "uncertainty":
        return uncertainty(result)
    if part != "all":
        return comparison_plan(result.plan, part=part, tolerance=tolerance)
    below = comparison_plan(result.plan, tolerance=tolerance)
    return alt.vconcat(uncertainty(result), below, spacing=30).resolve_scale(color="independent")


def uncertainty(result: "PilotPlan") -> Any:
    """Each offer's items (for a target) or probability (for a budget) with its interval."""
    field = "probability" if result.plan.target is None else "items"
    rows = []
    for offer, unsure in zip(result.plan.plans, result.uncertain, strict=False):
        known = getattr(unsure, field)
        rows.append(
            {
                "labels": _name(offer.strategy),
                "value": float(getattr(offer, field)),
                "low": known.low if known.low is not None else None,
                "high": known.high if known.high is not None else 1e9,
                "text": "more than a billion" if known.high is None else f"{known.high:,.3g}",
            }
        )
    scale = alt.Scale(zero=False) if field == "probability" else _LOG
    title = "probability at the planned items" if field == "probability" else "items needed"
    base = _chart(
        rows,
        "What the pilot's uncertainty makes of the plan",
        f"bars are {100 * result.confidence:g} % intervals from the pilot's items",
    ).encode(y=alt.Y("labels:N", title="labels an item", sort=None))
    bars = base.mark_rule(color=MUTED).encode(
        x=alt.X("low:Q", title=title, scale=scale), x2="high:Q"
    )
    points = base.mark_point().encode(
        x=alt.X("value:Q", scale=scale),
        tooltip=[
            alt.Tooltip("labels:N", title="labels an item"),
            alt.Tooltip("value:Q", title=field, format=",.4~f"),
            alt.Tooltip("low:Q", format=",.4~f"),
            alt.Tooltip("text:N", title="high"),
        ],
    )
    return bars + points


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
    aim = alt.Chart(alt.InlineData(values=[{"probability": result.target}]))
    return drawn + aim.mark_rule(color=MUTED, strokeDash=[4, 4]).encode(y="probability:Q")


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


_LOG = alt.Scale(type="log")
_ORDER = ["exact", "Cramér", "Hoeffding"]
# The same domain for colour and dash, so that they share one legend.
_BY = alt.Color("by:N", title=None, sort=_ORDER, scale=alt.Scale(domain=_ORDER))
_DASH = alt.StrokeDash(
    "by:N", title=None, sort=_ORDER, scale=alt.Scale(domain=_ORDER, range=[[1, 0], [6, 3], [2, 3]])
)


def _chart(rows: list[dict[str, Any]], title: str, subtitle: str) -> Any:
    return alt.Chart(alt.InlineData(values=rows), title=alt.Title(title, subtitle=subtitle))


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
    pairing = result.pairing
    return (
        f"accuracy {pairing.better:.3g}, margin {pairing.gap:.3g}, "
        f"label accuracy {pairing.labels.mean:.3g}"
    )
