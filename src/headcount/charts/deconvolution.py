"""Deconvolution: scores before and after, flip rates by stratum, parts, and the calibration."""

from typing import TYPE_CHECKING, Any, Literal

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import MUTED, WIDTH
from headcount.errors import OptionError

if TYPE_CHECKING:
    from headcount.deconvolution import PrimaryLabels, Score, Scores, SplitScores, Validation

_STEPS = ("aggregated", "raw", "adjusted", "oracle")
_STEP_TITLES = {
    "aggregated": "majority label",
    "raw": "labels as given",
    "adjusted": "labels held",
    "oracle": "paper's oracle",
}


def scores(result: "Scores", *, scorer: str | None = None) -> Any:
    """Bars from the aggregated score to the adjusted one and the oracle's, for each classifier."""
    chosen = _metric(scorer, result.scorers)
    soft = any(each.scorer == chosen for each in result.soft_oracle)
    oracle = result.oracle_for(chosen, soft=soft)
    shown = [each for each in result.classifiers if each.scorer == chosen] or [oracle]
    rows = [row for each in shown for row in _steps(each, oracle)]
    numbers = [
        number for row in rows for number in (row["score"], row["low"]) if number is not None
    ]
    if not numbers:
        raise OptionError(f"{chosen} has no value here, so there is nothing to draw.")
    lowest = min([0.0, *numbers])
    y = alt.Y("score:Q", title=chosen, scale=alt.Scale(domain=[lowest, max([1.0, *numbers])]))
    if max(numbers) <= 0:
        y = alt.Y("score:Q", title=chosen)
    x = alt.X(
        "step:N",
        title=None,
        sort=[_STEP_TITLES[step] for step in _STEPS],
        axis=alt.Axis(labelAngle=-30, labelPadding=4),
    )
    base = alt.Chart().encode(x=x)
    tips = [alt.Tooltip("name:N"), alt.Tooltip("step:N"), alt.Tooltip("text:N", title=chosen)]
    color = alt.Color("step:N", sort=[_STEP_TITLES[step] for step in _STEPS], legend=None)
    bars = base.mark_bar(size=34).encode(y=y, color=color, tooltip=tips)
    whiskers = base.mark_rule(color=MUTED, strokeWidth=2).encode(
        y=alt.Y("low:Q", title=chosen), y2=alt.Y2("high:Q")
    )
    number = alt.Text("score:Q", format=".3f")
    above = (
        base.transform_filter("datum.score >= 0")
        .mark_text(baseline="bottom", dy=-4)
        .encode(y=alt.Y("top:Q", title=chosen), text=number)
    )
    below = (
        base.transform_filter("datum.score < 0")
        .mark_text(baseline="top", dy=4)
        .encode(y=alt.Y("bottom:Q", title=chosen), text=number)
    )
    wide = max(190, min(WIDTH // max(len(shown), 1), 260))
    order = [each.name for each in shown]
    return (
        alt.layer(bars, whiskers, above, below, data=inline(rows))
        .properties(width=wide, height=250)
        .facet(alt.Facet("name:N", title=None, sort=order), columns=3)
        .properties(
            title=alt.Title(
                f"{chosen}: what a majority label says, and what people would say",
                subtitle=_interval_words(result.confidence, rows),
            )
        )
    )


def primary_labels(
    result: "PrimaryLabels", *, part: Literal["flip_rate", "oracle"] | None = None
) -> Any:
    """Flip rate by stratum with its bounds; the oracle's bars where the rates were given."""
    wanted = part or ("flip_rate" if result.flip_rate.strata else "oracle")
    if wanted == "oracle":
        return scores(result.oracle("accuracy"))
    if wanted != "flip_rate":
        raise OptionError(f'part is "flip_rate" or "oracle"; it was {part!r}.')
    if not result.flip_rate.strata:
        raise OptionError('The flip rates were given, so they have no strata: draw part="oracle".')
    rows = [
        {
            "low_level": stratum.low,
            "high_level": min(stratum.high, _highest(result)),
            "middle": (stratum.low + min(stratum.high, _highest(result))) / 2,
            "rate": stratum.rate,
            "low": stratum.rate_low,
            "high": stratum.rate_high,
            "items": stratum.items,
            "trials": stratum.trials,
            "method": result.flip_rate.method,
        }
        for stratum in result.flip_rate.strata
    ]
    x = alt.X(
        "low_level:Q",
        title="share of labels that are not the majority's",
        axis=alt.Axis(format="%"),
        scale=alt.Scale(domain=[0, _highest(result)], nice=False),
    )
    trial = "retest pairs" if result.flip_rate.method == "retest" else "ratings fitted"
    tips = [
        alt.Tooltip("low_level:Q", title="from", format=".1%"),
        alt.Tooltip("high_level:Q", title="to", format=".1%"),
        alt.Tooltip("rate:Q", title="flip rate", format=".3f"),
        alt.Tooltip("low:Q", title="5th percentile", format=".3f"),
        alt.Tooltip("high:Q", title="95th percentile", format=".3f"),
        alt.Tooltip("items:Q", format=","),
        alt.Tooltip("trials:Q", title=trial, format=","),
    ]
    base = alt.Chart(
        inline(rows),
        width=WIDTH,
        height=280,
        title=alt.Title(
            "How often an answer is a slip, on easy and on contested items",
            subtitle=f"Flip rate by stratum, {trial}; whiskers are the 5th and 95th percentile",
        ),
    )
    steps = base.mark_rect(opacity=0.35).encode(
        x=x,
        x2=alt.X2("high_level:Q"),
        y=alt.Y("rate:Q", title="flip rate", scale=alt.Scale(zero=True)),
        y2=alt.datum(0),
        color=alt.Color("method:N", legend=None),
        tooltip=tips,
    )
    middle = alt.X("middle:Q", title="share of labels that are not the majority's")
    whiskers = base.mark_rule(color=MUTED, strokeWidth=2).encode(
        x=middle, y=alt.Y("low:Q", title="flip rate"), y2=alt.Y2("high:Q")
    )
    points = base.mark_point(opacity=1).encode(
        x=middle,
        y=alt.Y("rate:Q", title="flip rate"),
        color=alt.Color("method:N", legend=None),
        tooltip=tips,
    )
    return alt.layer(steps, whiskers, points)


def split_scores(result: "SplitScores", *, scorer: str | None = None) -> Any:
    """Adjusted scores with intervals by level of disagreement or by group of raters."""
    chosen = _metric(scorer, result.scorers)
    rows: list[dict[str, Any]] = [
        {
            "part": f"{part.name} ({part.items:,})",
            "name": score.name,
            "score": score.adjusted.value,
            "low": score.adjusted.low,
            "high": score.adjusted.high,
            "text": score.adjusted.text(),
        }
        for part in result.parts
        for score in part.scores
        if score.scorer == chosen and score.adjusted.value is not None
    ]
    what = "level of disagreement" if result.by == "level" else "group of raters"
    parts = list(dict.fromkeys(row["part"] for row in rows))
    names = list(dict.fromkeys(row["name"] for row in rows))
    base = alt.Chart(
        inline(rows),
        width=WIDTH,
        height=alt.Step(16),
        title=alt.Title(
            f"Adjusted {chosen} by {what}", subtitle=_interval_words(result.confidence, rows)
        ),
    ).encode(
        y=alt.Y("part:N", title=None, sort=parts, axis=alt.Axis(labelLimit=260)),
        yOffset=alt.YOffset("name:N", sort=names),
        color=alt.Color("name:N", title=None, sort=names),
        tooltip=[alt.Tooltip("part:N"), alt.Tooltip("name:N"), alt.Tooltip("text:N", title=chosen)],
    )
    whiskers = base.mark_rule(strokeWidth=3, opacity=0.5).encode(
        x=alt.X("low:Q", title=None), x2=alt.X2("high:Q")
    )
    points = base.mark_point(opacity=1, size=80).encode(
        x=alt.X("score:Q", title=None, scale=alt.Scale(zero=False))
    )
    return alt.layer(whiskers, points)


def validation(
    result: "Validation", *, part: Literal["calibration", "scores"] = "calibration"
) -> Any:
    """Shares of labels against what raters mostly answer; or the three scores as bars."""
    if part not in ("calibration", "scores"):
        raise OptionError(f'part is "calibration" or "scores"; it was {part!r}.')
    return _calibration(result) if part == "calibration" else _validated_scores(result)


def _calibration(result: "Validation") -> Any:
    names = {"raw": "labels as given", "adjusted": "labels held, adjusted"}
    rows = [{**each.told(), "view": names[each.view]} for each in result.calibration]
    share: dict[str, Any] = {"axis": alt.Axis(format="%"), "scale": alt.Scale(domain=[0, 1])}
    base = alt.Chart(
        inline(rows),
        width=360,
        height=360,
        title=alt.Title(
            "Do people hold the labels we say they hold?",
            subtitle="On the line, they do: shares predicted from first answers, repeats held out",
        ),
    ).encode(
        x=alt.X("predicted:Q", title="share of people said to hold a label", **share),
        y=alt.Y("observed:Q", title="share for whom it is the usual answer", **share),
        color=alt.Color("view:N", title=None, sort=list(names.values())),
        tooltip=[
            alt.Tooltip("view:N", title="shares"),
            alt.Tooltip("predicted:Q", format=".1%"),
            alt.Tooltip("observed:Q", format=".1%"),
            alt.Tooltip("answers:Q", title="modal answers", format=","),
        ],
    )
    line = (
        alt.Chart(inline([{"x": 0, "y": 0}, {"x": 1, "y": 1}]))
        .mark_line(color=MUTED, strokeDash=[4, 4], strokeWidth=1.5)
        .encode(x=alt.X("x:Q"), y=alt.Y("y:Q"))
    )
    return alt.layer(line, base.mark_line(opacity=0.6), base.mark_point(opacity=1))


def _validated_scores(result: "Validation") -> Any:
    titles = {"raw": "raw", "adjusted": "adjusted", "modal": "what people mostly answer"}
    rows = [
        {
            "what": f"{row.scorer}, {row.name}",
            "step": title,
            "score": getattr(row, view).value,
            "low": getattr(row, view).low,
            "high": getattr(row, view).high,
        }
        for row in result.compared
        for view, title in titles.items()
    ]
    order = list(titles.values())
    base = alt.Chart(
        inline(rows),
        width=WIDTH,
        height=alt.Step(18),
        title=alt.Title("Adjusted scores should come closer to what people mostly answer"),
    ).encode(
        y=alt.Y("what:N", title=None),
        yOffset=alt.YOffset("step:N", sort=order),
        color=alt.Color("step:N", title=None, sort=order),
    )
    whiskers = base.mark_rule(strokeWidth=3, opacity=0.5).encode(
        x=alt.X("low:Q", title=None), x2=alt.X2("high:Q")
    )
    points = base.mark_point(opacity=1, size=80).encode(
        x=alt.X("score:Q", title=None, scale=alt.Scale(zero=False))
    )
    return alt.layer(whiskers, points)


def _steps(score: "Score", oracle: "Score") -> list[dict[str, Any]]:
    estimates = {
        "aggregated": score.aggregated,
        "raw": score.raw,
        "adjusted": score.adjusted,
        "oracle": oracle.adjusted,
    }
    if score is oracle:
        del estimates["oracle"]
    return [
        {
            "name": score.name,
            "step": _STEP_TITLES[step],
            "score": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "top": estimate.value if estimate.high is None else estimate.high,
            "bottom": estimate.value if estimate.low is None else estimate.low,
            "text": estimate.text(),
        }
        for step, estimate in estimates.items()
    ]


def _metric(asked: str | None, known: tuple[str, ...]) -> str:
    if asked is None:
        return known[0]
    if asked not in known:
        raise OptionError(f"scorer is one of {', '.join(known)}; it was {asked!r}.")
    return asked


def _highest(result: "PrimaryLabels") -> float:
    """The most disagreement there can be with that many labels."""
    n_labels: int = result.labels.n
    return 1 - 1 / n_labels


def _interval_words(confidence: float, rows: list[dict[str, Any]]) -> str:
    if any(row["low"] is not None for row in rows):
        return f"Whiskers are {100 * confidence:g} % bootstrap intervals"
    return "No intervals were asked for"
