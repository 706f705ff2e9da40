"""promptfoo: an assertion that asks what people said, and results as ratings and predictions."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headcount.adapters.people import answers_of, people_of
from headcount.data import Predictions, Ratings
from headcount.errors import InputError

PEOPLE = "people"
"""The key of a test's metadata that says what people said of it."""
_LEAST = 0.5  # more than half of people have to be on its side, where nothing else is asked for


def get_assert(output: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """An assertion for promptfoo: how many people gave the label that the model gave.

    Parameters
    ----------
    output : str
        The model's label.
    context : mapping
        Of promptfoo. The test's metadata say under "people" how many people gave each label;
        `least` in the assertion's config is the share that passes, above a half by default.

    Returns
    -------
    dict
        A grading result whose score is that share: promptfoo's mean of it over all tests is the
        share of people who agree.

    Examples
    --------
    >>> test = {"metadata": {"people": {"fine": 1, "toxic": 3}}}
    >>> get_assert("toxic", {"test": test})
    {'pass': True, 'score': 0.75, 'reason': '3 of 4 people said toxic'}
    """
    said = (context.get("test") or {}).get("metadata", {}).get(PEOPLE)
    counts = people_of([said]).item_counts().counts[0]
    names = people_of([said]).labels.names
    label, total = output.strip(), int(counts.sum())
    agreed = int(counts[names.index(label)]) if label in names else 0
    least = (context.get("config") or {}).get("least")
    share = agreed / total
    return {
        "pass": share > _LEAST if least is None else share >= float(least),
        "score": share,
        "reason": f"{agreed} of {total} people said {label}",
    }


def read_results(path: str | Path, **declared: Any) -> tuple[Ratings, Predictions]:
    """What `promptfoo eval --output results.json` wrote, as ratings and predictions.

    Parameters
    ----------
    path : str or path
        The results as JSON.
    **declared
        `order` and `scale` of the labels, as in `Ratings.from_counts`.

    Returns
    -------
    Ratings, Predictions
        A test is an item whose metadata say under "people" what people said; each provider (with
        its prompt, where there are several) is a classifier whose output is a label.
    """
    try:
        told = json.loads(Path(path).read_text(encoding="utf-8"))
        results = told["results"]["results"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{path} is not what promptfoo eval --output results.json writes ({error})."
        ) from error
    prompts = {each.get("promptIdx") for each in results}
    said: dict[str, Any] = {}
    answers: dict[str, dict[str, str]] = {}
    for each in results:
        people = ((each.get("testCase") or {}).get("metadata") or {}).get(PEOPLE)
        if not people:
            continue
        item, provider = str(each["testIdx"]), each.get("provider") or {}
        said[item] = people
        name = str(provider.get("label") or provider.get("id") or "model")
        if len(prompts) > 1:
            name = f"{name}/{each.get('promptIdx')}"
        answer = (each.get("response") or {}).get("output")
        if answer is not None:
            answers.setdefault(name, {})[item] = str(answer).strip()
    if not answers:
        raise InputError(
            f"No test in {path} says what people said: give its metadata, for instance, people: "
            "{fine: 3, toxic: 1}."
        )
    items = list(said)
    columns = {name: [given.get(item) for item in items] for name, given in answers.items()}
    return people_of(list(said.values()), items, **declared), answers_of(columns, items)
