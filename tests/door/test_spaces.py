"""What counts as a space around a text: the same here and in DuckDB."""

import sys
import unicodedata

from headcount.door import database
from headcount.door.text import PLAIN, SPACED, SPACES


def _told(condition: str, text: str) -> bool:
    with database.connect() as connection:
        answer = connection.execute(f"SELECT {condition.format('$text')}", {"text": text})
        (found,) = answer.fetchone() or (None,)
    return bool(found)


def test_spaces_are_what_trim_takes_off() -> None:
    every = [chr(k) for k in range(sys.maxunicode) if unicodedata.category(chr(k)) == "Zs"]
    assert sorted(SPACES) == every
    for space in (*SPACES, "\t", "\n", "é", "\u200b"):
        spaced = space in SPACES
        for text in (f"{space}ann", f"ann{space}", f"an{space}n"):
            around = spaced and text[1:-1] != f"n{space}"
            assert _told(SPACED, text) == around
            assert not (around and _told(PLAIN, text))


def test_usual_names_are_plain() -> None:
    for text in ("ann", "ann lee", "7", "Zoë", "é", "小明", "a\u00a0b", "~"):
        assert _told(PLAIN, text)
    for text in ("", " ", "ann ", "\u3000"):
        assert not _told(PLAIN, text)
