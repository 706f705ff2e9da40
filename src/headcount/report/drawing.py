"""Charts as static SVG: they need no script, and labels stand on what they label.

Points lie in per cent of the width and text is set in pixels, so that nothing shrinks on a phone.
"""

import math
from collections.abc import Sequence
from itertools import pairwise

from markupsafe import Markup, escape

from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.results.words import has_limit, least, tells, worth_digits

COLOURS = 6
"""Classifiers that have a colour of their own; the others are grey, and all have their name."""


def colour(place: int) -> str:
    """The class of a classifier's colour."""
    return f"c{place}" if place < COLOURS else "cx"


def steps(least: float, most: float, wanted: int = 7) -> list[float]:
    """Round numbers from `least` to `most`, about so many.

    >>> steps(0, 6)
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    """
    span = max(most - least, 1e-9)
    step = 10 ** math.floor(math.log10(span / wanted))
    size = next(step * each for each in (1, 2, 5, 10) if span / (step * each) <= wanted)
    first, last = math.ceil(least / size - 1e-9), math.floor(most / size + 1e-9)
    return [round(size * k, 10) for k in range(first, last + 1)]


@frozen
class Axis:
    """A horizontal axis from `least` to `most`, in per cent of the width."""

    least: float
    most: float

    @classmethod
    def over(cls, values: Sequence[float], *, least: float | None = None) -> "Axis":
        """An axis that holds all these values, from a round number to a round number."""
        low, high = min(values), max(values)
        low = low if least is None else least
        ticks = steps(low, max(high, low + 1e-6))
        size = ticks[1] - ticks[0] if len(ticks) > 1 else max(high - low, 1e-6)
        start = low if least is not None else size * math.floor(low / size + 1e-9)
        return cls(start, max(size * math.ceil(high / size - 1e-9), start + size))

    def x(self, value: float) -> str:
        """Where a value lies."""
        share = (min(max(value, self.least), self.most) - self.least) / (self.most - self.least)
        return f"{100 * share:.2f}%"

    @property
    def ticks(self) -> list[float]:
        """The numbers on it."""
        return steps(self.least, self.most)


def _line(x1: str, y1: float, x2: str, y2: float, kind: str) -> str:
    return f'<line x1="{x1}" x2="{x2}" y1="{y1:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def _text(x: str, y: float, said: str, kind: str = "s", anchor: str = "middle", dx: int = 0) -> str:
    return (
        f'<text x="{x}" dx="{dx}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}">'
        f"{escape(said)}</text>"
    )


def _dot(x: str, y: float, kind: str, r: float = 7.5) -> str:
    return f'<circle cx="{x}" cy="{y:.1f}" r="{r:g}" class="{kind}"/>'


def _tick(number: float) -> str:
    return f"{number:g}".replace("-", "−")


def _svg(height: float, told: str, *parts: str) -> Markup:
    # Every word of users in `parts` was escaped where it was set.
    inner = "".join(parts)
    size = f'width="100%" height="{height:.0f}"'
    return Markup(f'<svg {size} role="img" aria-label="{escape(told)}">{inner}</svg>')


# --- the first screen -------------------------------------------------------------------------


def worth_axis(worths: Sequence[Estimate]) -> Axis:
    """The axis of worths, from nobody on."""
    ends = [2.0]
    for each in worths:
        told = (each.value, each.high) if has_limit(each) else ()
        ends += [end for end in (*told, each.low, least(each)) if end is not None]
    return Axis.over([0.0, *ends], least=0.0)


def worth_ticks(axis: Axis) -> Markup:
    """The numbers above the rows."""
    ticks = [
        _text(axis.x(each), 18, f"{each:g}", "s b" if each == 1 else "s") for each in axis.ticks
    ]
    return _svg(24, f"Axis: {axis.least:g} to {axis.most:g} people", *ticks)


def worth_row(name: str, worth: Estimate, axis: Axis, kind: str, height: int = 62) -> Markup:
    """One worth: a dot on its range, the digits on them, one person as a dashed line."""
    middle = height - 24
    parts = [
        _line(axis.x(each), height, axis.x(each), 0, "ref" if each == 1 else "g")
        for each in sorted({*axis.ticks, 1.0})
    ]
    told = f"{name}: worth {worth_digits(worth)}, in people"
    if not tells(worth):
        return _svg(height, told, *parts, _text("2%", middle, "not known", "s halo", "start"))
    value = worth.value if worth.value is not None else (least(worth) or worth.floor or 0.0)
    low = worth.low if worth.low is not None else (0.0 if worth.has_interval else value)
    if worth.low_state == "above":
        low = least(worth) or 0.0
    if worth.has_interval and not has_limit(worth):
        parts += [
            _line(axis.x(low), middle, "100%", middle, f"iv s-{kind}"),
            _text("100%", middle + 5, "▶", f"f-{kind}", "end"),
            # Its dot is drawn where there is room for it: what lies past the axis is the arrow's.
            *([_dot(axis.x(value), middle, f"f-{kind}")] if value < axis.most else []),
            _text(axis.x(low), middle - 15, worth_digits(worth), f"b f-{kind} halo", "start"),
        ]
        return _svg(height, told, *parts)
    big = f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"
    if worth.has_interval:
        high = worth.high if worth.high is not None else value
        ends = worth_digits(worth).partition(" (")[2].rstrip(")").split(" to ")
        parts.append(_line(axis.x(low), middle, axis.x(high), middle, f"iv s-{kind}"))
        if len(ends) == 2:
            # An end at the edge of the axis is told on the other side of its bar, or it is cut.
            left = ("end", -9) if low > 0.04 * axis.most else ("start", 0)
            shift = 0 if left[1] else 20
            parts.append(
                _text(axis.x(low), middle + 4.5 + shift, ends[0], "s halo", left[0], left[1])
            )
            parts.append(_text(axis.x(high), middle + 4.5, ends[1], "s halo", "start", 9))
    parts += [
        _dot(axis.x(value), middle, f"f-{kind}"),
        _text(axis.x(value), middle - 14, big, f"b big f-{kind} halo"),
    ]
    return _svg(height, told, *parts)


def person_row(axis: Axis) -> Markup:
    """Another person, who is worth one person."""
    parts = [_line(axis.x(each), 36, axis.x(each), 0, "g") for each in axis.ticks if each != 1]
    return _svg(
        36,
        "A person is worth one person",
        *parts,
        _line(axis.x(1), 0, axis.x(1), 12, "ref"),
        _dot(axis.x(1), 18, "pd", 7),
        _text(axis.x(1), 23, "one person", "s halo", "start", 13),
    )


# --- charts of sections -----------------------------------------------------------------------


@frozen
class DotRow:
    """A row of a chart: its name, its colour, where its dot and its range lie, and its digits."""

    name: str
    kind: str
    found: Estimate
    said: str


def dot_rows(
    rows: Sequence[DotRow], marks: Sequence[tuple[float, str]], told: str, unit: str = ""
) -> Markup:
    """Dots on their ranges, a row each, and named reference lines (the first one is drawn full)."""
    values = [each for row in rows for each in row.found if each is not None]
    axis = Axis.over([*values, *(mark for mark, _ in marks)])
    row_height, top = 62, 26
    bottom = top + row_height * len(rows)
    parts = [_line(axis.x(each), bottom, axis.x(each), top, "g") for each in axis.ticks]
    for place, (mark, name) in enumerate(marks):
        parts.append(_line(axis.x(mark), top, axis.x(mark), bottom, "ref" if place else "ax"))
        share = (mark - axis.least) / (axis.most - axis.least)
        anchor = "start" if share < 0.2 else "end" if share > 0.8 else "middle"
        parts.append(_text(axis.x(mark), 15, name, "b", anchor))
    for place, row in enumerate(rows):
        y = top + row_height * (place + 0.72)
        value, low, high = row.found
        parts.append(_text("0", y - 30, row.name, f"b f-{row.kind} halo", "start"))
        if value is None:
            continue
        if low is not None and high is not None:
            parts.append(_line(axis.x(low), y, axis.x(high), y, f"iv s-{row.kind}"))
        parts.append(_dot(axis.x(value), y, f"f-{row.kind}"))
        share = (value - axis.least) / (axis.most - axis.least)
        anchor = "start" if share < 0.08 else "end" if share > 0.92 else "middle"
        kind = f"b f-{row.kind} halo"
        parts.append(_text(axis.x(value), y - 14, row.said, kind, anchor))
    parts += [_text(axis.x(each), bottom + 18, _tick(each) + unit) for each in axis.ticks]
    return _svg(bottom + 24, told, *parts)


def bar_rows(rows: Sequence[tuple[str, str, int, int]], told: str) -> Markup:
    """Bars of counts: what it is, its colour, how many items, and how many of them in full."""
    most = max((each[2] for each in rows), default=1) or 1
    parts = []
    for place, (name, kind, n, full) in enumerate(rows):
        y = 46 * place
        width, dark = (f"{78 * each / most:.2f}%" for each in (n, full))
        parts += [
            _text("0", y + 14, name, "s", "start"),
            f'<rect x="0" y="{y + 19}" width="{width}" height="17" class="f-{kind} pale"/>',
            f'<rect x="0" y="{y + 19}" width="{dark}" height="17" class="f-{kind}"/>',
            _text(width, y + 33, f"{n:,}", f"b f-{kind}", "start", 8),
        ]
    return _svg(46 * len(rows) + 4, told, *parts)


@frozen
class Way:
    """A way to spend labels: its name, how it is drawn, and (labels an item, share who agree)."""

    name: str
    kind: str
    points: Sequence[tuple[float, float]]


def ways_to_ask(ways: Sequence[Way], chosen: tuple[float, float], kind: str, told: str) -> Markup:
    """Labels an item against the share of people who agree, a line a way, and the `chosen` one."""
    agreeing = [y for way in ways for _, y in way.points]
    height, foot = 300.0, 270.0
    across = Axis(0.0, max(x for way in ways for x, _ in way.points))
    upwards = Axis.over([100 * y for y in agreeing])

    def level(share: float) -> float:
        part = (100 * share - upwards.least) / (upwards.most - upwards.least)
        return foot - (foot - 18) * part

    parts = []
    for tick in upwards.ticks:
        y = level(tick / 100)
        parts.append(_line("0%", y, "100%", y, "ax" if tick == upwards.least else "g"))
        parts.append(_text("0%", y + 4.5, f"{_tick(tick)} %", "s", "end", -8))
    parts += [_text(across.x(k), foot + 18, f"{k:g}") for k in across.ticks]
    for place, way in enumerate(ways):
        for (x, y), (to_x, to_y) in pairwise(way.points):
            parts.append(_line(across.x(x), level(y), across.x(to_x), level(to_y), way.kind))
        # The lines end close together at the top: they are named where nothing is drawn.
        lower = foot - 18 * (len(ways) - place)
        parts.append(_line("48%", lower - 4, "54%", lower - 4, way.kind))
        parts.append(_text("54%", lower, way.name, "s halo", "start", 8))
    parts.append(_dot(across.x(chosen[0]), level(chosen[1]), f"f-{kind}"))
    return _svg(height, told, *parts)


@frozen
class Meeting:
    """A classifier on the curve: how well it predicts, and at how many people it meets it."""

    name: str
    kind: str
    predicted: float
    worth: float


def people_curve(
    points: Sequence[tuple[int, float, bool]], classifiers: Sequence[Meeting], told: str
) -> Markup:
    """People's curve, in per cent of the best possible, and each classifier as a level line.

    `points` are people asked, how well they predict (0 to 1) and whether that is computed.
    """
    most = max(k for k, _, _ in points)
    # Classifiers below asking nobody lie under the axis: it ends where the lowest of them does.
    low = min(0.0, *(each.predicted for each in classifiers), *(y for _, y, _ in points))
    height, foot = 296.0, 270.0
    axis = Axis(0.0, float(most))

    def level(share: float) -> float:
        return foot - (foot - 18) * (share - low) / (1 - low)

    parts = []
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(_line("0%", level(tick), "100%", level(tick), "ax" if tick == 0 else "g"))
        parts.append(_text("0%", level(tick) + 4.5, f"{100 * tick:.0f} %", "s", "end", -8))
    parts += [_text(axis.x(k), foot + 18, f"{k:g}") for k in axis.ticks]
    for place, (k, y, computed) in enumerate(points[1:], 1):
        before = points[place - 1]
        kind = "pl dash" if computed else "pl"
        parts.append(_line(axis.x(before[0]), level(before[1]), axis.x(k), level(y), kind))
    for each in classifiers:
        at, y = axis.x(each.worth), level(each.predicted)
        parts.append(_line("0%", y, at, y, f"ln s-{each.kind}"))
        if each.predicted > 0:
            parts.append(_line(at, level(0), at, y, f"dp s-{each.kind}"))
    parts += [_dot(axis.x(k), level(y), "pd", 4) for k, y, computed in points if not computed]
    taken: list[float] = []
    for each in sorted(classifiers, key=lambda each: -each.predicted):
        at, y = axis.x(each.worth), level(each.predicted)
        lower = y + 19
        while any(abs(lower - other) < 16 for other in taken):
            lower += 16
        taken.append(lower)
        right = each.worth > 0.75 * most
        anchor, dx = ("end", -10) if right else ("start", 10)
        parts.append(_dot(at, y, f"f-{each.kind}"))
        parts.append(_text(at, lower, each.name, f"b f-{each.kind} halo", anchor, dx))
    parts.append(_text("100%", 12, "as well as can be, since people differ", "s halo", "end"))
    return _svg(height, told, *parts)
