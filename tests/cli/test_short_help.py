"""Help is one screen, everything is a word away, and what one command takes the next one takes."""

from pathlib import Path

import pytest

from headcount.cli.short_help import MOST


@pytest.mark.parametrize("command", ["evaluate", "doctor", "agreement", "plan pilot"])
def test_help_is_one_screen_and_help_all_has_the_rest(run, command: str) -> None:
    code, out, _ = run(*command.split(), "--help")
    assert code == 0
    lines = out.splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 88
    options = [line for line in lines if line.strip().startswith("-")]
    assert len(options) <= MOST + 3
    assert "--help-all" in lines[-1]
    code, whole, _ = run(*command.split(), "--help-all")
    assert code == 0
    assert len(whole.splitlines()) > 2 * len(lines)


def test_percent_is_a_number(run) -> None:
    plain = run("plan", "gold", "--accuracy", "0.85")
    assert run("plan", "gold", "--accuracy", "85%") == plain
    assert run("plan", "gold", "--accuracy", "85 %") == plain
    code, _, err = run("plan", "gold", "--accuracy", "much")
    assert code == 2
    assert "0.85 or 85%" in err


def test_doctor_takes_what_evaluate_takes_and_charts_are_as_many_as_named(run) -> None:
    run("simulate", "comments", "-o", "data", "-s", "items=60", "--seed", "2")
    files = ("data/ratings.csv", "data/predictions.csv")
    options = ("--unknown", "drop", "--n-bootstrap", "10", "--confidence", "90%")
    assert run("doctor", *files, *options)[0] == 0
    charts = ("--chart", "one.svg", "--chart", "two.html")
    assert run("agreement", files[0], "--n-bootstrap", "10", *charts)[0] == 0
    assert Path("one.svg").exists()
    assert Path("two.html").exists()
