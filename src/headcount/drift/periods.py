"""Periods of time: months, weeks, days where dates tell them, else equal parts of the items."""

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.door.times import TimeKind, date_of, day_number, shown
from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen

UNITS = ("day", "week", "month", "quarter", "year")
# More periods than this are hard to read and leave each with few items.
_MOST = 14
# Items that a period should hold for its share to mean something: one in twenty is five points.
_USUAL = 20
# Items an equal part holds, where parts are chosen by the data, and how many parts at most.
_PART, _MOST_PARTS = 50, 8


@frozen
class Periods:
    """Periods in their order: `names` and `starts` (T,), and the `code` (n,) of each item's.

    An item without a time has the code −1.
    """

    names: tuple[str, ...]
    starts: Floats
    code: Ints

    def __len__(self) -> int:
        return len(self.names)


def periods_of(
    when: Floats, kind: TimeKind, period: str | int | None = None, texts: Sequence[str] = ()
) -> Periods:
    """The periods of items at times `when` (n,), NaN where there is none.

    `period` is a unit of the calendar, a number of equal parts, or None to be chosen: the shortest
    unit that gives at most 14 periods with 20 items in most. `texts` are the places of an order.

    >>> days = np.repeat([20089.0, 20120.0, 20148.0], 30)  # in January, February and March 2025
    >>> periods_of(days, "date").names
    ('2025-01', '2025-02', '2025-03')
    """
    known = ~np.isnan(when)
    if not known.any():
        raise UnanswerableError("No judged item has a time: name the column with it (--time).")
    if period is not None:
        return _asked(when, kind, period, texts)
    if kind == "date":
        chosen: Periods | None = None
        for unit in UNITS:
            found = _calendar(when, unit)
            sizes = np.bincount(found.code[known], minlength=len(found))
            usable = 2 <= len(found) <= _MOST and np.median(sizes) >= _USUAL
            # The first of each month, a day each, are months: the longest of equal units.
            if usable and (chosen is None or len(found) == len(chosen)):
                chosen = found
        if chosen is not None:
            return chosen
    else:
        values = np.unique(when[known])
        enough = known.sum() >= _USUAL * len(values) / 2
        if 2 <= len(values) <= _MOST and enough:
            return _each(when, values, kind, texts)
    parts = int(np.clip(known.sum() // _PART, 2, _MOST_PARTS))
    return _equal(when, parts, kind, texts)


def _asked(when: Floats, kind: TimeKind, period: str | int, texts: Sequence[str]) -> Periods:
    text = str(period).strip().lower()
    if text in UNITS:
        if kind != "date":
            raise OptionError(
                f"period is {text!r}, but the times are no dates: give a number of equal parts."
            )
        return _calendar(when, text)
    if text == "each":
        return _each(when, np.unique(when[~np.isnan(when)]), kind, texts)
    if not text.isdecimal() or int(text) < 2:
        raise OptionError(
            f"period is {', '.join(UNITS)}, each (every different time), or a number of equal "
            f"parts of at least 2; it was {period!r}."
        )
    return _equal(when, int(text), kind, texts)


def _each(when: Floats, values: Floats, kind: TimeKind, texts: Sequence[str]) -> Periods:
    names = tuple(str(shown(value, kind, texts)) for value in values)
    return Periods(names, values, _codes(when, values))


def _equal(when: Floats, parts: int, kind: TimeKind, texts: Sequence[str]) -> Periods:
    """Parts with as many items each, but for items of the same time, which stay together."""
    known = np.sort(when[~np.isnan(when)])
    starts = np.unique(known[(np.arange(parts) * len(known)) // parts])
    lasts = [known[known < start].max() for start in starts[1:]] + [known[-1]]
    named = [
        [str(shown(float(each), kind, texts)) for each in ends]
        for ends in zip(starts, lasts, strict=True)
    ]
    names = [first if first == last else f"{first} to {last}" for first, last in named]
    return Periods(_different(names), starts, _codes(when, starts))


def _different(names: Sequence[str]) -> tuple[str, ...]:
    """The names, those that come twice numbered: parts of one day."""
    return tuple(
        f"{name} ({names[:at].count(name) + 1})" if names.count(name) > 1 else name
        for at, name in enumerate(names)
    )


def _calendar(when: Floats, unit: str) -> Periods:
    """Every period of the calendar from the first item to the last that holds any."""
    known = when[~np.isnan(when)]
    days = [_first_day(date_of(float(day)), unit) for day in np.unique(np.floor(known))]
    first = sorted(set(days))
    starts = np.array([day_number(day) for day in first])
    return Periods(tuple(_called(day, unit) for day in first), starts, _codes(when, starts))


def _first_day(day: date, unit: str) -> date:
    if unit == "week":
        return day - timedelta(days=day.weekday())
    if unit == "month":
        return day.replace(day=1)
    if unit == "quarter":
        return day.replace(month=3 * ((day.month - 1) // 3) + 1, day=1)
    return day.replace(month=1, day=1) if unit == "year" else day


def _called(day: date, unit: str) -> str:
    if unit == "month":
        return f"{day.year:04d}-{day.month:02d}"
    if unit == "quarter":
        return f"{day.year:04d} Q{(day.month + 2) // 3}"
    return f"{day.year:04d}" if unit == "year" else day.isoformat()


def _codes(when: Floats, starts: Floats) -> Ints:
    code = np.searchsorted(starts, when, side="right") - 1
    return np.where(np.isnan(when), -1, code).astype(np.int64)
