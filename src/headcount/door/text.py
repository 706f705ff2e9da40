"""What a cell says: blanks, missing answers, numbers compared exactly, and the one cast to text.

Every column becomes text here, by the same rule whatever container it came in: the spaces around
it go, NaN is no value, and a column of numbers writes whole numbers without ".0", so that the id 1
of a spreadsheet is the id 1.0 of a frame. Nothing else is touched: 007, 1_0 and a number of
twenty digits are what they are.
"""

import math
import re
from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import Any

import pyarrow as pa

MISSING = frozenset({"", "None", "NaN", "nan", "NA", "N/A", "#N/A", "<NA>", "null", "NULL", "NaT"})
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,4})?", re.ASCII)
_TRIMMED = re.compile(r"trim\((c\d+)\)")
SPACES = " \u00a0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u202f\u205f\u3000"
"""What DuckDB's `trim` takes off: the spaces of Unicode, such as the one that does not break."""
SPACED = "({0} <> trim({0}))"
"""The condition, in SQL, that a text came with spaces around it that were left in place."""
PLAIN = (
    "(CASE WHEN {0} >= '!' AND NOT ends_with({0}, ' ') AND strlen({0}) = length({0}) "
    "THEN true ELSE {0} = trim({0}) AND {0} <> '' END)"
)
"""The condition that a text is neither blank nor has spaces around it.

Quicker than asking for these: a text that is all ASCII and neither begins nor ends with a space
need not be trimmed. Null where there is no text.
"""
_WHOLE_FLOAT = re.compile(r"[+-]?\d+\.0", re.ASCII)


def is_missing(text: str | None, also: Collection[str] = ()) -> bool:
    """Whether a raw value stands for no answer; `also` are further spellings that do."""
    return text is None or text.strip() in MISSING or text.strip() in also


def exact_number(text: str) -> Decimal | None:
    """A finite number as it is written, or None: no digits but 0 to 9, no underscores.

    >>> exact_number("9007199254740993"), exact_number("1_0"), exact_number("１")
    (Decimal('9007199254740993'), None, None)
    """
    if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
        return None
    return Decimal(text)


def plain_number(text: str) -> str:
    """A number in its shortest spelling, so that "1", "1.0" and "01" are one label.

    >>> plain_number("01"), plain_number("2.50"), plain_number("9007199254740993")
    ('1', '2.5', '9007199254740993')
    """
    exact = Decimal(text)
    if exact == exact.to_integral_value():
        return str(int(exact))
    rounded = repr(float(text))
    return rounded if Decimal(rounded) == exact else str(exact.normalize()).lower()


def looks_like_floats(texts: Iterable[str | None]) -> bool:
    """Whether a column of texts is numbers, some of them written like 3.0: a column of floats."""
    some = False
    for text in texts:
        if text is None or is_missing(text):
            continue
        value = text.strip(SPACES)  # a control character is part of a text
        if not _NUMBER.fullmatch(value):
            return False
        some = some or bool(_WHOLE_FLOAT.fullmatch(value))
    return some


def as_text(value: Any) -> str | None:
    """One Python value as text, by the rule of `text_sql`."""
    if value is None or _is_nan(value):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    text = repr(value) if type(value) is float else str(value)
    if isinstance(value, float):
        text = without_zero(text)
    return text.strip(SPACES) or None


def without_zero(text: str) -> str:
    """A whole number as it is written in a column of texts that holds floats, without its ".0".

    >>> without_zero("3.0"), without_zero("2.50"), without_zero("abc")
    ('3', '2.50', 'abc')
    """
    return text[:-2] if _WHOLE_FLOAT.fullmatch(text) else text


def _is_nan(value: Any) -> bool:
    try:
        return bool(value != value)  # NaN, NaT and the like differ from themselves
    except (TypeError, ValueError):  # an array, which is no value of a cell
        return False


def text_sql(column: str, kind: pa.DataType, *, floats: bool = False) -> str:
    """The SQL of a column as text; `floats` says that a column of texts holds floats."""
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_floating(kind):
        text = f"CASE WHEN isnan({column}) THEN NULL ELSE CAST({column} AS VARCHAR) END"
        return _whole_sql(text)
    if is_text(kind):
        return _whole_sql(f"trim({column})") if floats else f"trim({column})"
    return f"CAST({column} AS VARCHAR)"


def with_spaces(text: str) -> str:
    """The SQL of a column as it stands, where all that `text_sql` takes off are spaces.

    >>> with_spaces("trim(c0)"), with_spaces("CAST(c1 AS VARCHAR)")
    ('c0', 'CAST(c1 AS VARCHAR)')
    """
    found = _TRIMMED.fullmatch(text)
    return text if found is None else found.group(1)


def _whole_sql(text: str) -> str:
    return f"regexp_replace({text}, '^([+-]?[0-9]+)\\.0$', '\\1')"


def is_text(kind: pa.DataType) -> bool:
    """Whether an Arrow type holds text."""
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(check(kind) for check in kinds)
