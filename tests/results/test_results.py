"""The common face of results: estimates, tables, text, Markdown, HTML, frames."""

import math
from typing import Any

import pytest

from headcount.errors import OptionError
from headcount.results import Estimate, Result, Table
from headcount.results.record import record

NASTY = "<script>alert(1)</script>|`*\n\x1b[31m"


@record
class Toy(Result):
    """A result about nothing."""

    def verdict(self) -> str:
        return f"All is <b>well</b>, says {NASTY!r}."

    def tables(self) -> tuple[Table, ...]:
        rows = ((NASTY, 1234, 0.5, None, True), ("b", 5, Estimate(0.25, 0.2, 0.3), 1, False))
        return (Table("Numbers", ("who", "n", "score", "gap", "ok"), rows, caption="Read it."),)

    def assumptions(self) -> tuple[str, ...]:
        return ("Nothing is assumed.",)

    def columns(self) -> dict[str, list[Any]]:
        return {"who": ["a", "b"], "n": [1, 2]}

    def to_dict(self) -> dict[str, Any]:
        return {"n": 2}


def test_summary_puts_the_verdict_first_then_numbers_then_doubts() -> None:
    text = Toy().summary()
    assert str(Toy()) == text
    order = [text.index(part) for part in ("All is", "Numbers", "1,234", "What this rests on")]
    assert order == sorted(order)
    assert "0.250 (0.200 to 0.300)" in text
    assert "Take note" not in text


def test_user_text_is_text_everywhere() -> None:
    assert "\x1b" not in Toy().tables()[0].as_text()
    html = Toy()._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    markdown = Toy().to_markdown()
    assert "<script>" not in markdown
    assert "\\|" in markdown


def test_frames_on_request() -> None:
    assert Toy().to_frame().to_pydict() == {"who": ["a", "b"], "n": [1, 2]}
    assert list(Toy().to_frame("pandas")["n"]) == [1, 2]
    assert Toy().to_frame("polars")["who"].to_list() == ["a", "b"]
    with pytest.raises(OptionError, match="backend"):
        Toy().to_frame("excel")


def test_an_estimate_without_a_number_says_why() -> None:
    with pytest.raises(ValueError, match="needs a note"):
        Estimate(None)
    with pytest.raises(ValueError, match="name the reason"):
        Estimate(math.nan)
    with pytest.raises(ValueError, match="name the reason"):
        Estimate(1.0, high=math.inf)
    nothing = Estimate.undefined("no pairs")
    assert nothing.to_dict()["note"] == "no pairs"
    assert nothing.text() == "undefined"
    assert nothing.with_note("really").note == "no pairs; really"


def test_estimates_read_well() -> None:
    assert Estimate(0.5).text() == "0.500"
    assert Estimate(0.5, 0.25, 0.75).text(percent=True) == "50.0 % (25.0 % to 75.0 %)"
    above = Estimate(None, 7.1, None, "above", "within", "above", floor=0, ceiling=9)
    assert above.text(1) == "more than 9 (7.1 to more than 9)"
    assert above.to_dict() == {
        "value": None,
        "low": 7.1,
        "high": None,
        "state": "above",
        "low_state": "within",
        "high_state": "above",
    }
