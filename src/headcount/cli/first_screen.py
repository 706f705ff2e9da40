"""The answer of an evaluation on one screen of a terminal: at most 25 lines of 88 columns."""

import math
import sys
import textwrap
from typing import TYPE_CHECKING

from headcount.results.words import has_limit, least, percent, tells, worth_digits

if TYPE_CHECKING:
    from headcount.evaluation.first_answer import AnswerRow, FirstAnswer
    from headcount.results import Estimate

WIDTH = 88
LINES = 25
_ROWS = 8
"""Classifiers that have a line; the report has the others too."""
_NAME, _CHART, _WORTH = 18, 25, 21
"""Columns of the table: what is left is agreement (12) and the decision (10)."""
_ONE = "another person"
_PLAIN = str.maketrans({"━": "=", "●": "o", "│": "|", "▶": ">", "…": ".", "“": '"', "”": '"'})
"""The same drawing for terminals that know no more than plain characters."""


def first_screen(answer: "FirstAnswer", report: str | None = None) -> str:
    """The first screen as text, the last line saying where the rest is."""
    head = [*_wrapped(f"{answer.finding} {answer.caveat}".strip()), *_wrapped(answer.about), ""]
    body = _table(answer) if answer.compares_people else _alone(answer)
    notes = [line for sentence in answer.ranges for line in _wrapped(sentence)]
    tail = ["", "Every number: --details"]
    if report is not None:
        tail.append(f"Report: {report}")
    room = LINES - len(head) - len(body) - len(notes) - len(tail) - 3
    lines = [*head, *body, "", *notes, "", *_next(answer, room), *tail]
    return _for_terminal("\n".join(lines))


def _for_terminal(text: str) -> str:
    """The text as this terminal can write it."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return text.translate(_PLAIN)
    return text


def _wrapped(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )


def _next(answer: "FirstAnswer", room: int) -> list[str]:
    """What to do next, as many sentences as there is room for; the most important come first."""
    lines = ["Next"]
    for sentence in answer.next:
        more = _wrapped(sentence, "  ")
        if len(lines) + len(more) > room + 1:
            break
        lines += more
    return lines if len(lines) > 1 else []


def _table(answer: "FirstAnswer") -> list[str]:
    """A line a classifier: name, worth as dot and bar, agreement, and the decision."""
    rows = answer.rows if len(answer.rows) <= _ROWS else answer.rows[: _ROWS - 1]
    most = _most(answer.rows)
    agrees = textwrap.wrap(answer.agreeing, 12)
    heads = [*["" for _ in range(2 - len(agrees))], *agrees][:2]
    axis, ticks = "worth, in people", _ticks(most)
    lines = [
        f"{'':{_NAME}}{axis:<{_CHART}}{'':{_WORTH}}{heads[0]:>12}  could it",
        f"{'':{_NAME}}{ticks:<{_CHART}}{'':{_WORTH}}{heads[1]:>12}  stand in?",
    ]
    lines += [_row(row, most) for row in rows]
    if len(rows) < len(answer.rows):
        lines.append(f"… and {len(answer.rows) - len(rows)} more in the report")
    dot = _drawn({_place(1.0, most): "●"})
    share = _per_cent(answer.another_person)
    lines.append(f"{_ONE:<{_NAME}}{dot}{'1':<{_WORTH}}{share:>12}")
    return [line.rstrip() for line in lines]


def _row(row: "AnswerRow", most: int) -> str:
    name = _short(row.name, _NAME - 2)
    chart, worth = _bar(row.worth, most), worth_digits(row.worth)
    if row.worth.known:
        middle, _, ends = worth.partition(" (")
        worth = f"{middle}  ({ends}" if ends else worth
    share = _per_cent(row.agrees)
    return f"{name:<{_NAME}}{chart}{worth:<{_WORTH}}{share:>12}  {row.stands_in}"


def _bar(worth: "Estimate", most: int) -> str:
    """A worth as a dot on its range, one person as a line."""
    marks = {_place(1.0, most): "│"}
    if not tells(worth):
        return _drawn(marks)
    value = worth.value if worth.value is not None else (worth.floor or 0.0)
    if worth.state == "above":
        value = least(worth) or 0.0
    low = worth.low if worth.low is not None else (0.0 if worth.has_interval else value)
    high = worth.high if worth.high is not None and has_limit(worth) else value
    open_end = worth.has_interval and not has_limit(worth)
    start, end = _place(low, most), _place(most if open_end else high, most)
    if open_end and worth.low_state == "above":
        start = _place(least(worth) or 0.0, most)
    for place in range(start, end + 1):
        marks[place] = "━"
    marks[_place(value, most)] = "●"
    if open_end:
        marks[_place(most, most)] = "▶"
    return _drawn(marks)


def _drawn(marks: dict[int, str]) -> str:
    return "".join(marks.get(place, " ") for place in range(_CHART))


def _place(value: float, most: int) -> int:
    """The column of a worth on the axis from 0 to `most`; two columns stay free on the right."""
    return round(min(max(value, 0.0), most) / most * (_CHART - 3))


def _most(rows: "tuple[AnswerRow, ...]") -> int:
    """Where the axis ends: at the highest end of a range that has one."""
    ends = [2.0]
    for row in rows:
        ends += [end for end in (row.worth.low, least(row.worth)) if end is not None]
        if has_limit(row.worth):
            ends += [end for end in (row.worth.value, row.worth.high) if end is not None]
    step = _step(max(ends))
    return step * math.ceil(max(ends) / step - 1e-9)


def _step(most: float) -> int:
    """Between ticks: so that there are at most eight of them."""
    steps = (1, 2, 5)
    sizes: list[int] = [step * int(10.0**power) for power in range(12) for step in steps]
    return next((size for size in sizes if most / size <= 8), math.ceil(most))


def _ticks(most: int) -> str:
    line = [" "] * (_CHART + 4)
    for tick in range(0, most + 1, _step(most)):
        for offset, digit in enumerate(f"{tick:,}"):
            line[_place(tick, most) + offset] = digit
    return "".join(line).rstrip()[:_CHART]


def _per_cent(share: "Estimate") -> str:
    return "–" if share.value is None else percent(share.value, 0)


def _short(name: str, most: int) -> str:
    """A name that fits: what is left out is left out in its middle, where names differ least."""
    if len(name) <= most:
        return name
    half = (most - 1) // 2
    return f"{name[: most - 1 - half]}…{name[-half:]}"


def _alone(answer: "FirstAnswer") -> list[str]:
    """Where nobody can be compared with anybody: agreement, and what is not known."""
    from headcount.evaluation.first_answer import share_range

    rows = answer.rows[:_ROWS]
    wide = max(26, *(len(_short(row.name, 30)) + 2 for row in rows))
    lines = []
    if len(answer.rows) == 1:
        row = rows[0]
        found = f"{_per_cent(row.agrees)}  ({share_range(row.agrees)})"
        lines.append(f"{answer.agreeing:<{wide}}{found}")
    else:
        lines.append(f"{'':<{wide}}{answer.agreeing}")
        for row in rows:
            found = f"{_per_cent(row.agrees)}  ({share_range(row.agrees)})"
            lines.append(f"{_short(row.name, 30):<{wide}}{found}")
        if len(rows) < len(answer.rows):
            lines.append(f"… and {len(answer.rows) - len(rows)} more in the report")
    lines.append(f"{'two people agree':<{wide}}not known: no item has the labels of two people")
    lines.append(f"{'worth, in people':<{wide}}not known: as above")
    if answer.too:
        who = answer.person or "a person"
        lines += ["", f"{f'{who} says':<{wide}}{answer.rows[0].name} says so too"]
        lines += [
            f"{each.label:<{wide}}{percent(each.share, 0)}  of {each.items:,} items"
            for each in answer.too[:6]
        ]
    return lines
