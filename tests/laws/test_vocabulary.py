"""One vocabulary: the same thing has the same name in Python, commands, JSON and the report."""

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import headcount as hc
from headcount.cli.app import app
from headcount.report.writing import render

SPELLINGS = {
    "worth": {"raters_worth", "equivalent_raters", "value_in_raters"},
    "items": {"cases", "n_cases", "units", "examples", "n_items_total", "documents"},
    "raters": {"annotators", "workers", "coders", "judges", "n_annotators"},
    "ratings": {"annotations", "votes", "judgements", "judgments"},
    "labels": {"categories", "classes", "n_classes", "n_categories"},
    "classifiers": {"systems", "models", "n_systems"},
    "scorer": {"metric", "metrics", "scoring", "score_function"},
    "n_bootstrap": {"bootstrap", "bootstrap_samples", "samples", "n_samples", "resamples"},
    "confidence": {"conf", "confidence_level", "ci", "alpha_level"},
    "low": {"lower", "low_end", "ci_low", "lower_bound"},
    "high": {"upper", "high_end", "ci_high", "upper_bound"},
    "seed": {"random_state", "rng_seed"},
}
WRONG = {wrong: right for right, wrongs in SPELLINGS.items() for wrong in wrongs}


def misspelt(names: Iterator[str] | list[str]) -> dict[str, str]:
    """The names that are a second spelling of something, with the first."""
    return {name: WRONG[name] for name in names if name in WRONG}


def public() -> Iterator[tuple[str, Any]]:
    """Every public function and the methods of every public class."""
    for name in hc.__all__:
        found = getattr(hc, name)
        if inspect.isclass(found):
            for method, value in inspect.getmembers(found, callable):
                if not method.startswith("_"):
                    yield f"{name}.{method}", value
        elif callable(found):
            yield name, found


@pytest.mark.parametrize(("name", "function"), [pytest.param(n, f, id=n) for n, f in public()])
def test_signatures(name: str, function: Any) -> None:
    try:
        parameters = list(inspect.signature(function).parameters)
    except ValueError:
        pytest.skip("built in")
    assert misspelt([name.rpartition(".")[2], *parameters]) == {}


def commands(group: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


ALL_COMMANDS = list(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("command", [pytest.param(c, id=n) for n, c in ALL_COMMANDS])
def test_command_line_options(command: Any) -> None:
    flags = [
        option.lstrip("-").replace("-", "_")
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    ]
    assert misspelt(flags) == {}


def keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    if isinstance(value, list):
        for inner in value:
            yield from keys(inner)


def test_json_keys(evaluation: hc.Evaluation) -> None:
    told = json.loads(json.dumps(evaluation.to_dict()))
    by_part = {name: set(keys(part)) for name, part in told.items()}
    assert {name: misspelt(sorted(found)) for name, found in by_part.items() if found} == {
        name: {} for name, found in by_part.items() if found
    }


def test_first_screens_use_one_word_a_thing() -> None:
    """What the glossary says is never said there, in the sentences that were read aloud."""
    root = Path(__file__).parents[2]
    glossary = (root / "docs" / "glossary.md").read_text(encoding="utf-8")
    listed = glossary.partition("## One word a thing")[2].partition("##")[0]
    never = {
        word.strip()
        for words in re.findall(r"\(never ([^)]*)\)", listed)
        for word in words.split(",")
    }
    assert {"rater", "rating", "interval", "ceiling"} <= never
    aloud = (root / "tests" / "evaluation" / "read_aloud.txt").read_text(encoding="utf-8")
    pattern = rf"\b({'|'.join(sorted(never))})s?\b"
    assert re.findall(pattern, aloud, re.IGNORECASE) == []


def test_report_headings(evaluation: hc.Evaluation) -> None:
    page = render(evaluation)
    headings = re.findall(r"<(?:h[1-6]|th|caption)[^>]*>(.*?)</(?:h[1-6]|th|caption)>", page)
    words = {word for heading in headings for word in re.findall(r"[a-z]+", heading.lower())}
    assert misspelt(sorted(words)) == {}
