"""The benchmark runner: finds its topics, prints ratios, and says what it does not know."""

import sys
from types import ModuleType

import pytest

from benchmarks import __main__ as runner
from benchmarks.row import Row, table, timed


def test_the_table_shows_ratio_units_and_gaps() -> None:
    rows = [
        Row("curve", 0.05, peer="reference", peer_seconds=5.0, memory=212.4, note="500 draws"),
        Row("report", 2.5, limit=6.0),
    ]
    text = table("speed", rows).as_text()
    assert "50 ms" in text
    assert "100×" in text
    assert "212 MiB" in text
    assert "2.5 s" in text
    assert "–" in text


def test_time_is_positive() -> None:
    assert 0 < timed(lambda: sum(range(100_000)), repeat=3) < 1


def test_topics_are_run_by_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    topic = ModuleType("benchmarks.pretend")
    topic.run = lambda: [Row("nothing", 1e-5)]
    monkeypatch.setitem(sys.modules, "benchmarks.pretend", topic)
    monkeypatch.setattr(runner, "topics", lambda: ["pretend"])
    assert runner.main(["pretend"]) == 0
    assert "10 µs" in capsys.readouterr().out
    assert runner.main(["unheard"]) == 2
    assert "there are: pretend" in capsys.readouterr().out
