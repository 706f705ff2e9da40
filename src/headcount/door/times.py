"""When something happened, from what stands in a column: dates of usual forms, numbers, an order.

Dates become days since 1970 (UTC, where they tell a zone), numbers stay as they are, and other
texts are numbered in their order: "wave 2" before "wave 10".
"""

import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Literal

import numpy as np

from headcount.arrays import Floats
from headcount.door.profiles import Profile
from headcount.door.roles import ALIASES, find_column, plain_name
from headcount.door.source import Source
from headcount.door.text import exact_number, is_missing
from headcount.errors import InputError
from headcount.frozen import frozen

TimeKind = Literal["date", "number", "order"]

# More different texts than this are names or notes, and no waves or versions in an order.
_MOST_PLACES = 60
# Seconds since 1970 that fall into the years 2000 to 2100; a thousand times that is milliseconds.
_SECONDS = (946_684_800.0, 4_102_444_800.0)
_DAY = 86_400.0
_START = datetime(1970, 1, 1)
# Names under which numbers may be how long an answer took.
_OR_DURATIONS = frozenset(("time", "timestamp", "datetime"))

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMBERED = re.compile(r"(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?:[ T](.*))?")
_YEAR_FIRST = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?:[ T](.*))?")
_MONTH = re.compile(r"(\d{4})[-/.](\d{1,2})")
_WEEK = re.compile(r"(\d{4})[- ]?[Ww](\d{1,2})")
_QUARTER = re.compile(r"(\d{4})[- ]?[Qq]([1-4])|[Qq]([1-4])[- ]?(\d{4})")
_NAMED = re.compile(r"(?:(\d{1,2})\.? )?([A-Za-z]{3,9})\.? (?:(\d{1,2}),? )?(\d{4})(?:[ T](.*))?")
_NAMED_LATE = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d\d:\d\d:\d\d)\D.*?(\d{4})")
_COMPACT = re.compile(r"((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)?")
_DIGITS = re.compile(r"(\d+)")


@frozen
class Times:
    """The different texts of a column as points in time: `values` (k,), NaN for no time.

    `kind` says what they are: days since 1970, numbers, or places in an order. `doubt` is what
    could be read in two ways, as a sentence.
    """

    kind: TimeKind
    values: Floats
    doubt: str = ""


def times_of(texts: Sequence[str], *, column: str, table: str) -> Times:
    """Points in time from the different texts of a column; blank ones have none.

    >>> times_of(["2025-06-02", "2025-06-01T12:00:00Z", ""], column="t", table="x").values.tolist()
    [20241.0, 20240.5, nan]
    >>> times_of(["wave 10", "wave 9"], column="t", table="x").values.tolist()
    [1.0, 0.0]
    """
    known = [text.strip() for text in texts if not is_missing(text)]
    if not known:
        raise InputError(f"{table}: the column {column!r} holds no time at all: name another one.")
    dates = _dates(known)
    kind: TimeKind = "date"
    numbers: list[float] | None = dates
    doubt = ""
    if dates is not None:
        doubt = _doubt(known, column)
    else:
        kind, numbers = "number", _numbers(known)
    if numbers is None:
        kind, numbers = "order", _places(known)
    if numbers is None:
        odd = next((text for text in known if _dates([text]) is None), known[0])
        raise InputError(
            f"{table}: the column {column!r} holds {odd!r}, which is neither a date nor a number, "
            f"and more than {_MOST_PLACES} different texts are no order: name another column for "
            "the time (--time), or write dates as 2025-06-30."
        )
    found = iter(numbers)
    values = np.array([np.nan if is_missing(text) else next(found) for text in texts])
    return Times(kind, values, doubt)


def time_column(source: Source, free: Sequence[str], given: str | None) -> str | None:
    """The column that says when: the one given, else one that is called so and holds times."""
    if given is not None:
        return find_column("time", source.columns, given, table=source.name)
    by_name = {plain_name(name): name for name in reversed(free)}
    for alias in ALIASES["time"]:
        if alias in by_name and _holds_times(source, by_name[alias]):
            return by_name[alias]
    return None


def _holds_times(source: Source, name: str) -> bool:
    seen = [text.strip() for text in Profile.of(source, name).vocabulary]
    if len(seen) < 2:
        return False
    if _dates(seen) is not None:
        return True
    return _numbers(seen) is not None


def may_be_duration(name: str, kind: TimeKind) -> bool:
    """Whether a column may say how long an answer took: numbers called time.

    >>> may_be_duration("time", "number"), may_be_duration("month", "number")
    (True, False)
    """
    return kind == "number" and plain_name(name) in _OR_DURATIONS


def shown(value: float, kind: TimeKind, names: Sequence[str] = ()) -> str | float:
    """A point in time for people and JSON: a day, with its minute where it has one; a number.

    >>> shown(20240.5, "date"), shown(20241.0, "date"), shown(3.0, "number")
    ('2025-06-01T12:00', '2025-06-02', 3)
    """
    if kind == "date":
        at = _START + timedelta(days=value)
        at += timedelta(seconds=30)  # to the nearest minute
        midnight = at.hour == 0 and at.minute == 0
        return at.strftime("%Y-%m-%d") if midnight else at.strftime("%Y-%m-%dT%H:%M")
    if kind == "order" and names:
        return names[min(max(round(value), 0), len(names) - 1)]
    return int(value) if value == int(value) else float(value)


def date_of(value: float) -> date:
    """The day on which a point in time lies."""
    return (_START + timedelta(days=value)).date()


def day_number(day: date) -> float:
    """A day as a point in time, its midnight."""
    return float((day - _START.date()).days)


def _dates(texts: Sequence[str]) -> list[float] | None:
    """Days since 1970, if every text is a date."""
    day_first = _day_first(texts)
    found = []
    for text in texts:
        day = _day(text, day_first)
        if day is None:
            return _unix(texts)
        found.append(day)
    return found


def _day(text: str, day_first: bool) -> float | None:
    for read in _FORMS:
        try:
            at = read(text, day_first)
        except (ValueError, OverflowError):  # such as the 31st of June
            return None
        if at is not None:
            if at.tzinfo is not None:
                at = at.astimezone(UTC).replace(tzinfo=None)
            return (at - _START).total_seconds() / _DAY
    return None


def _iso(text: str, _: bool) -> datetime | None:
    if not re.match(r"\d{4}-\d\d-\d\d", text):
        return None
    bare = re.sub(r" UTC$", "Z", text)
    return datetime.fromisoformat(re.sub(r" (?=[+-]\d\d)", "", bare))


def _dashed(text: str, _: bool) -> datetime | None:
    found = re.fullmatch(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](.*))?", text)
    return None if found is None else _at(found[1], found[2], found[3], found[4])


def _year_first(text: str, _: bool) -> datetime | None:
    found = _YEAR_FIRST.fullmatch(text)
    return None if found is None else _at(found[1], found[2], found[3], found[4])


def _numbered(text: str, day_first: bool) -> datetime | None:
    found = _NUMBERED.fullmatch(text)
    if found is None:
        return None
    one, other, year = found[1], found[3], found[4]
    day, month = (one, other) if day_first or found[2] == "." else (other, one)
    return _at(year if len(year) == 4 else f"20{year}", month, day, found[5])


def _month(text: str, _: bool) -> datetime | None:
    found = _MONTH.fullmatch(text)
    return None if found is None else datetime(int(found[1]), int(found[2]), 1)


def _week(text: str, _: bool) -> datetime | None:
    found = _WEEK.fullmatch(text)
    if found is None:
        return None
    return datetime.fromisocalendar(int(found[1]), int(found[2]), 1)


def _quarter(text: str, _: bool) -> datetime | None:
    found = _QUARTER.fullmatch(text)
    if found is None:
        return None
    year, quarter = int(found[1] or found[4]), int(found[2] or found[3])
    return datetime(year, 3 * quarter - 2, 1)


def _named(text: str, _: bool) -> datetime | None:
    found = _NAMED.fullmatch(text)
    if found is None or found[2][:3].lower() not in _MONTHS:
        return None
    month = str(_MONTHS.index(found[2][:3].lower()) + 1)
    return _at(found[4], month, found[1] or found[3] or "1", found[5])


def _named_late(text: str, _: bool) -> datetime | None:
    found = _NAMED_LATE.fullmatch(text)
    if found is None or found[1].lower() not in _MONTHS:
        return None
    return _at(found[4], str(_MONTHS.index(found[1].lower()) + 1), found[2], found[3])


def _compact(text: str, _: bool) -> datetime | None:
    found = _COMPACT.fullmatch(text)
    return None if found is None else datetime(int(found[1]), int(found[2]), int(found[3] or 1))


_FORMS: tuple[Callable[[str, bool], datetime | None], ...] = (
    *(_iso, _dashed, _year_first, _numbered, _month, _week, _quarter, _named, _named_late),
    _compact,
)


def _at(year: str, month: str, day: str, clock: str | None) -> datetime:
    start = datetime(int(year), int(month), int(day))
    if not clock:
        return start
    found = re.match(r"(\d{1,2}):(\d\d)(?::(\d\d))?\s*([AaPp][Mm])?", clock.strip())
    if found is None:
        return start
    hour = int(found[1])
    if found[4]:
        hour = hour % 12 + (12 if found[4].lower() == "pm" else 0)
    return start.replace(hour=hour, minute=int(found[2]), second=int(found[3] or 0))


def _day_first(texts: Sequence[str]) -> bool:
    """Whether 13/02/2025 stands somewhere: then 03/02/2025 is in February too."""
    matches = (_NUMBERED.fullmatch(text) for text in texts)
    return any(int(found[1]) > 12 for found in matches if found)


def _doubt(texts: Sequence[str], column: str) -> str:
    matches = [found for found in map(_NUMBERED.fullmatch, texts) if found and found[2] != "."]
    if not matches or _day_first(texts) or any(int(found[3]) > 12 for found in matches):
        return ""
    return (
        f"Dates in {column!r} such as {matches[0][0]!r} were read month first, since nothing tells "
        "which comes first: write them as 2025-06-30 if that is wrong."
    )


def _unix(texts: Sequence[str]) -> list[float] | None:
    numbers = _numbers(texts)
    if numbers is None:
        return None
    for scale in (1.0, 1000.0):
        if all(_SECONDS[0] <= each / scale < _SECONDS[1] for each in numbers):
            return [each / scale / _DAY for each in numbers]
    return None


def _numbers(texts: Sequence[str]) -> list[float] | None:
    if any(exact_number(text) is None for text in texts):
        return None
    return [float(text) for text in texts]


def _places(texts: Sequence[str]) -> list[float] | None:
    """Places in the natural order of the texts, where they are few enough to be one."""
    different = sorted(set(texts), key=_natural)
    if len(different) > _MOST_PLACES:
        return None
    place = {text: float(at) for at, text in enumerate(different)}
    return [place[text] for text in texts]


def _natural(text: str) -> list[tuple[int, int, str]]:
    month = text[:3].lower()
    if month in _MONTHS and text.isalpha():  # months by name, without a year
        return [(0, _MONTHS.index(month), "")]
    parts = [part for part in _DIGITS.split(text.lower()) if part]
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]


def in_order(texts: Sequence[str]) -> tuple[str, ...]:
    """The different texts of an order, in it."""
    return tuple(sorted({text.strip() for text in texts if not is_missing(text)}, key=_natural))
