"""Scores: judge against people, counted in cells so that any number of items can be drawn."""

from typing import TYPE_CHECKING, Any

import numpy as np

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import EMPHASIS, MUTED
from headcount.errors import OptionError
from headcount.results.words import worth_text
from headcount.scores import digits_for

if TYPE_CHECKING:
    from headcount.scores import JudgeScores, ScoreAgreement

_SIDE = 260
"""The side of a judge's square in pixels: two stand beside each other on a page."""
_MOST_JUDGES = 6
"""Three rows of two; more would hide the first from who reads the last."""


def score_agreement(result: "ScoreAgreement", *, classifier: str | None = None) -> Any:
    """Each judge against people's mean, or one `classifier` alone; its mean at each level.

    On the diagonal they agree. Beside people alone there is nothing to draw against.
    """
    judges = result.best_first()
    if classifier is not None:
        judges = (result[classifier],)
    drawn = [judge for judge in judges if judge.cells is not None][:_MOST_JUDGES]
    if not drawn:
        raise OptionError("There is no judge to draw against people: give predictions.")
    side = _SIDE if len(drawn) > 1 else int(1.5 * _SIDE)
    charts = [_judge(result, judge, side) for judge in drawn]
    rows = [alt.hconcat(*charts[at : at + 2], spacing=30) for at in range(0, len(charts), 2)]
    return (rows[0] if len(rows) == 1 else alt.vconcat(*rows, spacing=30)).resolve_scale(
        color="shared"
    )


def _judge(result: "ScoreAgreement", judge: "JudgeScores", side: int) -> Any:
    cells = judge.cells
    assert cells is not None
    across, up = np.nonzero(cells.items)
    rows = [
        {
            "people": float(cells.people[i]),
            "people_to": float(cells.people[i + 1]),
            "judge": float(cells.judge[j]),
            "judge_to": float(cells.judge[j + 1]),
            "items": int(cells.items[i, j]),
        }
        for i, j in zip(across, up, strict=True)
    ]
    low = float(min(cells.people[0], cells.judge[0]))
    high = float(max(cells.people[-1], cells.judge[-1]))
    scale = alt.Scale(domain=[low, high], nice=False, zero=False)
    x = alt.X("people:Q", title="people's mean", scale=scale)
    y = alt.Y("judge:Q", title=judge.name, scale=scale)
    base = alt.Chart(
        inline(rows),
        width=side,
        height=side,
        title=alt.Title(judge.name, subtitle=_subtitle(result, judge)),
    )
    heat = base.mark_rect().encode(
        x=x,
        x2="people_to:Q",
        y=y,
        y2="judge_to:Q",
        color=alt.Color(
            "items:Q",
            title="items",
            scale=alt.Scale(type="sqrt", domainMin=0),
        ),
        tooltip=[
            alt.Tooltip("people:Q", title="people from", format=".3~g"),
            alt.Tooltip("people_to:Q", title="to", format=".3~g"),
            alt.Tooltip("judge:Q", title="judge from", format=".3~g"),
            alt.Tooltip("judge_to:Q", title="to", format=".3~g"),
            alt.Tooltip("items:Q", format=","),
        ],
    )
    diagonal = (
        alt.Chart(inline([{"at": low}, {"at": high}]))
        .mark_line(color=MUTED, strokeDash=[5, 4], strokeWidth=1.5)
        .encode(x=alt.X("at:Q", scale=scale), y=alt.Y("at:Q", scale=scale))
    )
    return heat + diagonal + _level_means(judge, scale)


def _level_means(judge: "JudgeScores", scale: Any) -> Any:
    """The judge's mean at each level of what people say."""
    cells = judge.cells
    assert cells is not None
    rows = [
        {"level": float(level), "mean": float(mean)}
        for level, mean in zip(cells.level, cells.mean, strict=True)
    ]
    base = alt.Chart(inline(rows)).encode(
        x=alt.X("level:Q", scale=scale, title="people's mean"),
        y=alt.Y("mean:Q", scale=scale, title=judge.name),
        tooltip=[
            alt.Tooltip("level:Q", title="people's mean", format=".3~g"),
            alt.Tooltip("mean:Q", title="judge's mean", format=".3~g"),
        ],
    )
    line = base.mark_line(color=EMPHASIS, strokeWidth=1.5)
    points = base.mark_point(color=EMPHASIS, filled=True, opacity=1, size=28)
    return line + points


def _subtitle(result: "ScoreAgreement", judge: "JudgeScores") -> list[str]:
    bias, digits = judge.bias.value, digits_for(result.least, result.most)
    said = [] if bias is None else [f"bias {bias:+.{digits}f}"]
    if judge.worth.known:
        said.insert(0, f"worth {worth_text(judge.worth)}")
    return ["; ".join(said), "red: its mean at each level of people; dashed: agreement"]
