"""Rows of Hugging Face datasets that hold every answer: an object, lists, or a list of records."""

from typing import Any

from headcount.door.roles import ALIASES, plain_name
from headcount.door.tools.found import Export, Found, Record

NAME = "rows with all answers"
_HOLDERS = ("annotations", "labels", "ratings", "answers", "votes", "label")
_RATERS = ("annotators", "raters", "workers", "annotator_ids", "worker_ids", "annotator_id")
_ITEMS = (*ALIASES["item"], "idx", "uid", "uuid", "text_id", "post_id", "sentence_id")


def recognises(export: Export) -> bool:
    """Rows with a field that holds the answers of several people."""
    first = export.first()
    return bool(first) and any(_holds(first, name) for name in _HOLDERS)


def _holds(records: list[Record], name: str) -> bool:
    values = [record.get(name) for record in records]
    if all(isinstance(value, dict) and value and _flat(value.values()) for value in values):
        return True
    lists = [value for value in values if isinstance(value, list)]
    if len(lists) < len(values) or not any(lists):
        return False
    if all(isinstance(each, dict) for value in lists for each in value):
        return all(_role(each, "label") for value in lists for each in value)
    return any(_parallel(record, name) for record in records)


def _flat(values: Any) -> bool:
    return not any(isinstance(value, dict | list) for value in values)


def _parallel(record: Record, name: str) -> str | None:
    """The list of raters beside a list of answers."""
    for raters in _RATERS:
        told = record.get(raters)
        if isinstance(told, list) and len(told) == len(record[name]) and _flat(record[name]):
            return raters
    return None


def _role(record: Record, role: str) -> str | None:
    names = {plain_name(name): name for name in record}
    return next((names[alias] for alias in ALIASES[role] if alias in names), None)


def read(export: Export) -> Found:
    """A rating for each answer in a row."""
    found = Found(NAME)
    name = next(name for name in _HOLDERS if _holds(export.first(), name))
    for row, record in enumerate(export.records):
        names = {plain_name(key): key for key in record}
        key = next((names[alias] for alias in _ITEMS if alias in names), None)
        item = str(row) if key is None else record[key]
        told = record.get(name)
        if isinstance(told, dict):
            for rater, label in told.items():
                found.rate(item, rater, label)
        elif isinstance(told, list) and told and isinstance(told[0], dict):
            for place, answer in enumerate(told):
                rater = _role(answer, "rater")
                label = _role(answer, "label")
                who = answer[rater] if rater else f"answer {place + 1}"
                found.rate(item, who, answer[label] if label else None)
        elif isinstance(told, list):
            raters = _parallel(record, name)
            for rater, label in zip(record[raters] if raters else (), told, strict=False):
                found.rate(item, rater, label)
    return found
