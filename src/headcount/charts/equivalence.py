"""Survey equivalence: the rater power curve, classifiers as lines across it, and their worth."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from headcount.charts import grammar as alt
from headcount.charts.grammar import inline
from headcount.charts.theme import MUTED, SCORES, WIDTH
from headcount.equivalence import against, worth_text
from headcount.errors import OptionError
from headcount.frozen import frozen

if TYPE_CHECKING:
    from headcount.equivalence import ExpertEquivalence, PowerCurve, SurveyEquivalence
    from headcount.results import Estimate

HEIGHT = 340
"""The height of a curve's chart in pixels."""
_APART = 0.08
"""How far the two pools' error bars stand from each other, in raters."""
_ROW = 34
"""The height of a classifier's row below the curve, in pixels."""
_REACH = 0.75
"""Lines further from the curve than this share of its height are named, not drawn."""
_ALIGNED: tuple[tuple[Literal["left", "center", "right"], int], ...] = (
    ("left", -6),
    ("center", 0),
    ("right", 6),
)
"""How words about a worth stand to it, and how far they are pushed; never across an edge."""
_SIDES: tuple[tuple[Literal["left", "right"], int], ...] = (("left", 5), ("right", -5))
_EARLY = 0.4
"""A line that meets the curve before this share of the axis is named on the right."""
_LONG = 12
"""A curve of more raters than this is cut behind the last classifier."""
_PAST = 1.6
"""How far a chart goes past the data, in times of the raters there."""
_ROOM = 1.25
"""Room behind the last classifier's interval, in times of it."""


@frozen
class Axes:
    """Raters across and scores up, shared by all layers of a chart."""

    most: int
    title: str
    domain: tuple[float, float]

    def x(self, field: str, title: str = "raters surveyed") -> Any:
        """A number of raters; every whole one on the axis while there is room."""
        step = max(1, -(-self.most // 16))
        return alt.X(
            f"{field}:Q",
            title=title,
            scale=alt.Scale(domain=[self.left, self.right], nice=False),
            axis=alt.Axis(values=list(range(0, self.most + 1, step)), format="d", grid=False),
        )

    def y(self, field: str) -> Any:
        """A score."""
        scale = alt.Scale(domain=list(self.domain), nice=False, zero=False)
        return alt.Y(f"{field}:Q", title=self.title, scale=scale)

    @property
    def left(self) -> float:
        """Where the drawing begins: a little before nobody."""
        return -0.03 * self.most

    @property
    def right(self) -> float:
        """Where it ends: a little behind the last rater."""
        return 1.03 * self.most

    def holds(self, score: float | None) -> bool:
        """Whether a score is on the axis."""
        return score is not None and self.domain[0] <= score <= self.domain[1]


def power_curve(result: "PowerCurve", *, gain: bool = False) -> Any:
    """The curve with error bars; `gain` draws c_k − c₀ instead of c_k."""
    upto = _upto(result, [])
    points, ideal = curve_points(result, gain, upto), _ideal(result, gain)
    axes = Axes(upto, score_title(result, gain), domain_of(points, [ideal]))
    return alt.layer(*_ideal_layers(ideal, axes), *_curve_layers(result, points, axes)).properties(
        width=WIDTH, height=HEIGHT, title=_title(result, "How well surveys predict one more rater")
    )


def survey_equivalence(
    result: "SurveyEquivalence", *, gain: bool = False, classifiers: Sequence[str] | None = None
) -> Any:
    """The curve, each classifier's line and band, and drop-lines to what it is worth in raters.

    `gain` draws everything as gain over no answers (c_k − c₀); `classifiers` chooses some.
    """
    names, curve = _chosen(result, classifiers), result.curve
    chosen = [result[name] for name in names]
    upto = _upto(curve, [each.worth for each in chosen])
    points, ideal = curve_points(curve, gain, upto), _ideal(curve, gain)
    scores = {each.name: each.gain if gain else each.score for each in chosen}
    domain = domain_of(points, [*scores.values(), ideal])
    axes = Axes(upto, score_title(curve, gain), domain)
    color = alt.Color("classifier:N", sort=names, legend=None)
    lines = [_line(each.name, scores[each.name], each.worth, upto) for each in chosen]
    shown = _named_apart([row for row in lines if axes.holds(row["score"])], axes)
    top = alt.layer(
        *_ideal_layers(ideal, axes),
        *_lines_across(shown, axes, color),
        *_curve_layers(curve, points, axes),
        *_crossings(shown, axes, color),
    ).properties(width=WIDTH, height=HEIGHT, title=_title(curve, "How many raters is it worth?"))
    return alt.vconcat(top, _worth_strip(lines, names, axes, color), spacing=14)


def _chosen(result: "SurveyEquivalence", classifiers: Sequence[str] | None) -> list[str]:
    if classifiers is None:
        return list(result.names)
    for name in classifiers:
        if name not in result.names:
            raise OptionError(
                f"There is no classifier {name!r} to draw: choose from {', '.join(result.names)}."
            )
    return list(classifiers)


def _upto(curve: "PowerCurve", worths: "Sequence[Estimate]") -> int:
    """How many raters the axis shows: where the classifiers are, and what the data have.

    A long curve is cut behind the last classifier, a short one goes on past the data.
    """
    ends = [end for worth in worths for end in worth if end is not None]
    needed = math.ceil(_ROOM * max(ends, default=0.0))
    in_data = curve.most if curve.most <= _LONG or not worths else max(_LONG, needed)
    if not curve.modelled:
        return max(min(in_data, curve.most), 1)
    past = in_data if in_data < curve.most else math.ceil(_PAST * curve.most)
    return max(min(max(past, needed), curve.modelled[-1].raters), 1)


def _ideal(curve: "PowerCurve", gain: bool) -> "Estimate":
    """The ideal classifier's score, or its gain over asking nobody."""
    ideal, nobody = curve.ideal, curve.score(0).value
    if not gain or ideal.value is None or nobody is None:
        return ideal
    low, high = (None if end is None else end - nobody for end in (ideal.low, ideal.high))
    return replace(ideal, value=ideal.value - nobody, low=low, high=high)


def curve_points(result: "PowerCurve", gain: bool, upto: float = math.inf) -> list[dict[str, Any]]:
    """The points of a curve that have a score, as rows of a chart; one behind `upto` raters."""
    points: list[dict[str, Any]] = []
    for point in result.all_points:
        estimate = point.gain if gain else point.score
        if points and points[-1]["raters"] >= upto:
            break
        if estimate.value is not None:
            points.append(
                {
                    "raters": point.raters,
                    "modelled": point.modelled,
                    "score": estimate.value,
                    "low": estimate.low,
                    "high": estimate.high,
                    "text": estimate.text(4),
                }
            )
    return points


def _line(name: str, score: "Estimate", worth: "Estimate", most: int) -> dict[str, Any]:
    """A classifier's score and worth; censored ends stand at the end of the axis."""
    ends = {"below": worth.floor or 0.0, "above": float(most)}
    place = ends.get(worth.state or "", worth.value)
    place = None if place is None else min(place, float(most))
    return {
        "classifier": name,
        "score": score.value,
        "low": score.low,
        "high": score.high,
        "worth": worth.value,
        "from": worth.low if worth.low is not None else ends.get(worth.low_state or ""),
        "to": worth.high if worth.high is not None else ends.get(worth.high_state or ""),
        "beyond": ends.get(worth.state or ""),
        "side": worth.state,
        "place": place,
        "aligned": _aligned(place, most),
        "text": _worth_words(worth),
        "scored": score.text(4),
    }


def _worth_words(worth: "Estimate") -> str:
    """The worth with its interval, unless all of it is beyond the same end of the curve."""
    return worth_text(worth, noun="")


def _aligned(place: float | None, most: int) -> str:
    """Words start at a place near the left edge, end at one near the right edge."""
    share = 0.5 if place is None else place / most
    return "left" if share < 0.16 else "right" if share > 0.84 else "center"


def domain_of(
    curve: list[dict[str, Any]], scores: "Sequence[Estimate]" = ()
) -> tuple[float, float]:
    """The y axis: the curve with its bars, and the lines that are not far away from it."""
    ends = [each[key] for each in curve for key in ("score", "low", "high")]
    known = [end for end in ends if end is not None] or [0.0, 1.0]
    low, high = min(known), max(known)
    reach = _REACH * ((high - low) or 1.0)
    near = [end for score in scores for end in (score.value, score.low, score.high)]
    known += [end for end in near if end is not None and low - reach <= end <= high + reach]
    low, high = min(known), max(known)
    room = 0.04 * ((high - low) or 1.0)
    return low - room, high + room


def score_title(result: "PowerCurve", gain: bool) -> str:
    """What stands at the axis of scores."""
    scorer = SCORES.get(result.asked.scorer, result.asked.scorer)
    return f"gain in {scorer} over no answers" if gain else scorer


def _title(result: "PowerCurve", question: str) -> Any:
    asked = result.asked
    judges = against(asked.reference_raters)
    parts = [f"{asked.items_used:,} items, {asked.combiner}, scored against {judges}"]
    if asked.n_bootstrap:
        parts.append(f"bars and bands are {100 * asked.confidence:g} % intervals")
    return alt.Title(question, subtitle="; ".join(parts))


def _curve_layers(result: "PowerCurve", points: list[dict[str, Any]], axes: Axes) -> list[Any]:
    """The curve in the data with bars; past them dashed, with a band."""
    inside = [row for row in points if not row["modelled"]]
    past = [row for row in points if row["modelled"]]
    base = _points(result, inside, axes)
    with_bars = bool(inside) and inside[0]["low"] is not None
    bars = base.mark_rule(color=MUTED, strokeWidth=2, clip=True).encode(
        y=axes.y("low"), y2=alt.Y2("high:Q")
    )
    line = base.mark_line(color=MUTED, strokeWidth=2, clip=True).encode(y=axes.y("score"))
    dots = base.mark_point(color=MUTED, opacity=1, size=55, clip=True).encode(y=axes.y("score"))
    layers = [bars, line, dots] if with_bars else [line, dots]
    if not past:
        return layers
    further = _points(result, [*inside[-1:], *past], axes)
    band = further.mark_area(color=MUTED, opacity=0.18, clip=True).encode(
        y=axes.y("low"), y2=alt.Y2("high:Q")
    )
    dashed = further.mark_line(color=MUTED, strokeWidth=2, strokeDash=[6, 4], clip=True).encode(
        y=axes.y("score")
    )
    return [*([band] if with_bars else []), dashed, *layers]


def _points(result: "PowerCurve", rows: list[dict[str, Any]], axes: Axes) -> Any:
    return alt.Chart(inline(rows)).encode(
        x=axes.x("raters"),
        tooltip=[
            alt.Tooltip("raters:Q", title="raters"),
            alt.Tooltip("text:N", title=result.asked.scorer),
            alt.Tooltip("modelled:N", title="modelled"),
        ],
    )


def _ideal_layers(ideal: "Estimate", axes: Axes) -> list[Any]:
    """The ideal classifier: a dotted line that the curve tends to, with its band."""
    if not axes.holds(ideal.value):
        return []
    row = {
        "left": axes.left,
        "right": axes.right,
        "score": ideal.value,
        "low": ideal.low,
        "high": ideal.high,
        "text": "ideal classifier",
        "scored": ideal.text(4),
    }
    base = alt.Chart(inline([row])).encode(
        tooltip=[alt.Tooltip("text:N", title="line"), alt.Tooltip("scored:N", title="score")]
    )
    line = base.mark_rule(color=MUTED, strokeDash=[2, 3], strokeWidth=1.5).encode(
        x=axes.x("left"), x2=alt.X2("right:Q"), y=axes.y("score")
    )
    name = base.mark_text(
        color=MUTED, align="right", baseline="bottom", dx=-5, dy=-3, fontStyle="italic"
    ).encode(x=axes.x("right"), y=axes.y("score"), text=alt.Text("text:N"))
    if ideal.low is None:
        return [line, name]
    band = base.mark_rect(color=MUTED, opacity=0.1, clip=True).encode(
        x=axes.x("left"), x2=alt.X2("right:Q"), y=axes.y("low"), y2=alt.Y2("high:Q")
    )
    return [band, line, name]


def _named_apart(rows: list[dict[str, Any]], axes: Axes) -> list[dict[str, Any]]:
    """Lines from the top down, each with its name above or below it where there is room.

    Names stand on the side where the curve is not: on the left of a line that meets it far
    to the right, and the other way round. A name that would cover another is left out; the
    strip of worths has all of them.
    """
    ends = {"left": axes.left, "right": axes.right, "bottom": axes.domain[0]}
    pixel = (axes.domain[1] - axes.domain[0]) / HEIGHT
    taken: dict[str, list[float]] = {"left": [], "right": []}
    placed: list[dict[str, Any]] = []
    for row in sorted(rows, key=lambda each: -float(each["score"])):
        early = row["place"] is not None and row["place"] < _EARLY * axes.most
        side = "right" if early else "left"
        spots = {over: row["score"] + dy * pixel for over, dy in (("above", 9), ("below", -9))}
        free = [
            over
            for over, at in spots.items()
            if all(abs(at - other) > 15 * pixel for other in taken[side])
        ]
        if free:
            taken[side].append(spots[free[0]])
        placed.append({**row, **ends, "name": f"{side} {free[0]}" if free else "nowhere"})
    return placed


def _marks(rows: list[dict[str, Any]], color: Any) -> Any:
    return alt.Chart(inline(rows)).encode(color=color, tooltip=_tooltip())


def _lines_across(rows: list[dict[str, Any]], axes: Axes, color: Any) -> list[Any]:
    """Each classifier's score as a line with its name, and its interval as a band."""
    band = (
        _marks([row for row in rows if row["low"] is not None], color)
        .mark_rect(opacity=0.16, clip=True)
        .encode(x=axes.x("left"), x2=alt.X2("right:Q"), y=axes.y("low"), y2=alt.Y2("high:Q"))
    )
    line = (
        _marks(rows, color)
        .mark_rule(strokeWidth=2.5)
        .encode(x=axes.x("left"), x2=alt.X2("right:Q"), y=axes.y("score"))
    )
    names = [
        _marks([row for row in rows if row["name"] == f"{side} {over}"], color)
        .mark_text(align=side, baseline="middle", dx=dx, dy=dy, fontWeight=600)
        .encode(x=axes.x(side), y=axes.y("score"), text=alt.Text("classifier:N"))
        for side, dx in _SIDES
        for over, dy in (("above", -9), ("below", 9))
    ]
    return [band, line, *names]


def _crossings(rows: list[dict[str, Any]], axes: Axes, color: Any) -> list[Any]:
    """Where the lines meet the curve, and drop-lines from there to the axis."""
    dropped = _marks([row for row in rows if row["worth"] is not None], color)
    drop = dropped.mark_rule(strokeDash=[5, 4], strokeWidth=1.8).encode(
        x=axes.x("worth"), y=axes.y("bottom"), y2=alt.Y2("score:Q")
    )
    meet = dropped.mark_point(size=85, opacity=1).encode(x=axes.x("worth"), y=axes.y("score"))
    return [drop, meet]


def _worth_strip(rows: list[dict[str, Any]], names: list[str], axes: Axes, color: Any) -> Any:
    """What each classifier is worth, with its interval, under the same axis as the curve."""
    title = "worth in raters"
    base = alt.Chart(inline(rows)).encode(
        y=alt.Y("classifier:N", sort=names, title=None, axis=alt.Axis(labelLimit=150)),
        tooltip=_tooltip(),
    )
    bars = base.mark_rule(strokeWidth=4, opacity=0.55).encode(
        x=axes.x("from", title), x2=alt.X2("to:Q"), color=color
    )
    points = base.mark_point(size=90, opacity=1).encode(x=axes.x("worth", title), color=color)
    beyond = [
        base.mark_point(size=90, opacity=1, shape=shape)
        .transform_filter(f"datum.side === '{side}'")
        .encode(x=axes.x("beyond", title), color=color)
        for side, shape in (("below", "triangle-left"), ("above", "triangle-right"))
    ]
    words = [
        base.mark_text(baseline="bottom", dy=-7, dx=dx, align=align, fontSize=11.5)
        .transform_filter(f"datum.aligned === '{align}'")
        .encode(x=axes.x("place", title), text=alt.Text("text:N"))
        for align, dx in _ALIGNED
    ]
    return alt.layer(bars, points, *beyond, *words).properties(
        width=WIDTH, height=max(_ROW * len(names), 2 * _ROW)
    )


def _tooltip() -> list[Any]:
    return [
        alt.Tooltip("classifier:N"),
        alt.Tooltip("scored:N", title="score"),
        alt.Tooltip("text:N", title="worth in raters"),
    ]


def expert_equivalence(result: "ExpertEquivalence", *, gain: bool = False) -> Any:
    """Both curves with error bars; `gain` draws each as gain over its own start, c_k − c₀.

    Where a point of the amateurs' curve lies level with the experts', so many amateurs are
    worth so many experts.
    """
    rows = _pool_points(result, gain)
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
    return alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=_pools_title(result))


def _pool_points(result: "ExpertEquivalence", gain: bool) -> list[dict[str, Any]]:
    rows = []
    pools = (("experts", result.experts, -_APART / 2), ("amateurs", result.amateurs, _APART / 2))
    for pool, curve, shift in pools:
        for point in curve_points(curve, gain):
            k = point["raters"]
            amateurs = pool == "amateurs" and k > 0
            worth = result.equivalence(k).text(2) if amateurs else str(k)
            rows.append({**point, "pool": pool, "place": k + shift, "worth": worth})
    return rows


def _pools_title(result: "ExpertEquivalence") -> Any:
    asked = result.experts.asked
    parts = [f"{asked.items_used:,} items, {asked.combiner}, scored against a held-out expert"]
    if asked.n_bootstrap:
        parts.append(f"bars are {100 * asked.confidence:g} % intervals")
    return alt.Title("What amateurs are worth in experts", subtitle="; ".join(parts))
