"""Classifiers side by side: who would agree, how accurate, and where people disagree."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import MUTED, WIDTH

if TYPE_CHECKING:
    from headcount.accuracy import SystemAccuracy
    from headcount.data import Nearness
    from headcount.deconvolution import ScoredPart, Scores, SplitScores
    from headcount.evaluation import ClassifierEvaluation, Evaluation
    from headcount.results import Estimate

Rows = list[dict[str, Any]]

_ROW = 34
_NEARLY_ALL = 0.97
"""From here on room at the end of the scale would lie past everybody."""
_PERCENT = ".0%"


def evaluation(result: "Evaluation", **options: Any) -> Any:
    """The rater power curve with every classifier, where there is one; else who would agree."""
    from headcount.charts import recipe

    if result.equivalence:
        return recipe(result.ranked_equivalence(), **options)
    if result.scores:
        return agreeing(result.scores, **options)
    if result.nearness.has_order:
        from headcount.results import Estimate

        return near(result.best_first(), result.nearness, Estimate.undefined("not drawn"))
    from headcount.errors import UnanswerableError

    raise UnanswerableError("These data answer nothing that could be drawn; see the summary.")


def agreeing(
    result: "Scores", *, order: Sequence[str] | None = None, ceiling: "Estimate | None" = None
) -> Any:
    """What share of people would agree with each classifier; the ceiling where it is known."""
    names = list(order or dict.fromkeys(score.name for score in result.classifiers))
    rows = [_row(name, result[name].adjusted) for name in names]
    line = [] if ceiling is None or ceiling.value is None else _reference("ceiling", ceiling)
    return alt.layer(*line, *_dots(rows, names, "share of people who would agree"))


def near(
    classifiers: "Sequence[ClassifierEvaluation]", nearness: "Nearness", ceiling: "Estimate"
) -> Any:
    """What share of people are near each classifier's answers; the ceiling where it is known."""
    rows = [_row(each.name, each.agree) for each in classifiers]
    line = [] if ceiling.value is None else _reference("ceiling", ceiling)
    return alt.layer(*line, *_dots(rows, [each.name for each in classifiers], nearness.share))


def accuracies(result: "SystemAccuracy", *, order: Sequence[str] | None = None) -> Any:
    """The span of each classifier, or its estimate by gold, and the raters who judged it."""
    found = {each.name: each.accuracy for each in result.classifiers}
    names = list(order or found)
    rows = [_row(name, found[name]) for name in names if found[name].has_interval]
    rater = _reference("a single rater", result.believed_rater_accuracy)
    return alt.layer(*rater, *_dots(rows, names, "accuracy"))


def levels(result: "SplitScores", *, order: Sequence[str] | None = None) -> Any:
    """The share of people who would agree, where they agree with each other and where not."""
    parts = result.parts[:-1]
    found = [score.name for score in result.parts[-1].scores if score.kind == "classifier"]
    names = list(order or dict.fromkeys(found))
    rows: dict[str, Rows] = {"classifier": [], "oracle": []}
    for part in parts:
        for score in part.scores:
            row = {"level": _level(part), "items": part.items, "classifier": score.name}
            rows[score.kind].append(row | _numbers(score.adjusted))
    x = alt.X(
        "level:N",
        sort=[_level(part) for part in parts],
        title="raters who are not of the item's majority",
        axis=alt.Axis(labelAngle=0),
        scale=alt.Scale(type="point", padding=0.5),
    )
    y = alt.Y(
        "value:Q",
        title="share of people who would agree",
        axis=alt.Axis(format=_PERCENT),
        scale=alt.Scale(zero=False),
    )
    tip = [
        alt.Tooltip("classifier:N"),
        alt.Tooltip("level:N", title="not of the majority"),
        alt.Tooltip("items:Q", format=","),
        alt.Tooltip("says:N", title="would agree"),
    ]

    def lines(values: Rows, **look: Any) -> list[Any]:
        base = alt.Chart(inline(values), width=WIDTH, height=260).encode(x=x, y=y, tooltip=tip)
        return [base.mark_line(**look), base.mark_point(opacity=1, **_without(look, "strokeDash"))]

    colour = alt.Color("classifier:N", title=None, sort=names, scale=alt.Scale(domain=names))
    return alt.layer(
        *lines(rows["oracle"], color=MUTED, strokeDash=[6, 4]),
        *(layer.encode(color=colour) for layer in lines(rows["classifier"])),
    )


def _level(part: "ScoredPart") -> str:
    low, high = part.low or 0.0, part.high or 0.0
    if high == 0:
        return "nobody"
    if high >= 1:
        return f"over {100 * low:.0f} %"
    return f"{100 * low:.0f} to {100 * high:.0f} %" if low else f"up to {100 * high:.0f} %"


def _without(options: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in options.items() if key != name}


def _row(name: str, estimate: "Estimate") -> dict[str, Any]:
    return {"classifier": name, **_numbers(estimate)}


def _numbers(estimate: "Estimate") -> dict[str, Any]:
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "says": estimate.text(percent=True),
    }


def _reference(name: str, estimate: "Estimate") -> list[Any]:
    """A dashed line down the chart, with its name at the top."""
    rows = [{"reference": name, "value": estimate.value, "says": estimate.text(percent=True)}]
    base = alt.Chart(inline(rows)).encode(x=alt.X("value:Q"))
    line = base.mark_rule(color=MUTED, strokeDash=[6, 4], strokeWidth=2)
    words = base.mark_text(align="right", baseline="bottom", dx=-6, dy=-2, y=0)
    return [
        line.encode(tooltip=alt.Tooltip("says:N", title=name)),
        words.encode(text=alt.Text("reference:N")),
    ]


def _shares_shown(rows: Rows) -> Any:
    """A scale with room at both ends, but none past everybody: no share is above 100 %."""
    if any(row["high"] is not None and row["high"] > _NEARLY_ALL for row in rows):
        return alt.Scale(zero=False, domainMax=1, nice=False)
    return alt.Scale(zero=False, padding=12)


def _dots(rows: Rows, names: list[str], title: str) -> list[Any]:
    """A row a classifier: its interval as a bar and its value as a dot, where it has one."""
    tip = [alt.Tooltip("classifier:N"), alt.Tooltip("says:N", title=title)]
    base = alt.Chart(inline(rows), width=WIDTH, height=_ROW * len(rows) + 10)
    y = alt.Y("classifier:N", sort=names, title=None)
    axis = alt.Axis(format=_PERCENT)
    colour = alt.Color("classifier:N", legend=None, sort=names, scale=alt.Scale(domain=names))
    scale = _shares_shown(rows)
    x = alt.X("value:Q", title=title, axis=axis, scale=scale)
    bars = base.mark_rule(strokeWidth=3, opacity=0.55).encode(
        x=alt.X("low:Q", title=title, axis=axis, scale=scale),
        x2=alt.X2("high:Q"),
        y=y,
        color=colour,
        tooltip=tip,
    )
    known = [row for row in rows if row["value"] is not None]
    if not known:  # spans have no dot, and a scale of nothing would be drawn with a complaint
        return [bars]
    dots = alt.Chart(inline(known)).mark_point(size=110, opacity=1)
    return [bars, dots.encode(x=x, y=y, color=colour, tooltip=tip)]
