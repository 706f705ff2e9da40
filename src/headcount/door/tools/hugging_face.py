"""Rows of Hugging Face datasets that hold every answer: an object, lists, or a list of records."""

from typing import Any

from headcount.door.profiles import Profile, share_vocabulary
from headcount.door.roles import ALIASES, plain_name
from headcount.door.tools.found import Export, Found, Record

NAME = "rows with all answers"
_HOLDERS = ("annotations", "labels", "ratings", "answers", "votes", "label")
_BY_RATER = "annotations"  # in an object of another name the keys may be labels or questions
_RATERS = ("annotators", "raters", "workers", "annotator_ids", "worker_ids", "annotator_id")
_ITEMS = (*ALIASES["item"], "idx", "uid", "uuid", "text_id", "post_id", "sentence_id")

Answer = tuple[Any, Any]
"""Who said it, None where that is not told, and what was said."""


def recognises(export: Export) -> bool:
    """Rows with a field that holds the answers of several people."""
    first = export.first()
    return bool(first) and any(_holds(first, name) for name in _HOLDERS)


def _holds(records: list[Record], name: str) -> bool:
    told = [record.get(name) for record in records]
    if not all(isinstance(value, dict | list) for value in told) or not any(told):
        return False
    read = [_answers(record, name) for record in records]
    if any(answers is None for answers in read) or not _by_people(told):
        return False
    named = any(who is not None for answers in read for who, _ in answers or ())
    # Without names, only the same answer twice tells several people from several ticks.
    return named or any(_twice(answers or []) for answers in read)


def _by_people(told: list[Any]) -> bool:
    """Whether keys of objects are raters: they change from row to row, or share a vocabulary."""
    objects = [value for value in told if isinstance(value, dict) and _flat(value.values())]
    keys = {tuple(value) for value in objects}
    if len(keys) != 1:
        return True
    columns = [
        Profile.of_values(k, tuple(str(o[k]) for o in objects if o[k] is not None))
        for k in objects[0]
    ]
    return len(share_vocabulary(columns)) == len(columns) > 1


def _twice(answers: list[Answer]) -> bool:
    said = [label for _, label in answers]
    return any(label in said[:place] for place, label in enumerate(said))


def _answers(record: Record, name: str) -> list[Answer] | None:
    """The answers in one field of a row; None where it holds something else."""
    told = record[name]
    if isinstance(told, dict):
        if not _flat(told.values()):
            return _parallel(told)
        return list(told.items()) if name == _BY_RATER else None
    if all(isinstance(each, dict) for each in told):
        return [_of_record(each) for each in told] if all(_role(e, "label") for e in told) else None
    if not _flat(told):
        return None
    raters = next((record[r] for r in _RATERS if _fits(record.get(r), told)), [None] * len(told))
    return list(zip(raters, told, strict=True))


def _parallel(told: Record) -> list[Answer] | None:
    """An object of lists as long as each other, one of them the labels."""
    label, rater = _role(told, "label"), _role(told, "rater")
    if label is None or not isinstance(told[label], list) or not _flat(told[label]):
        return None
    raters = told[rater] if rater is not None else [None] * len(told[label])
    return list(zip(raters, told[label], strict=True)) if _fits(raters, told[label]) else None


def _of_record(answer: Record) -> Answer:
    label, rater = _role(answer, "label"), _role(answer, "rater")
    return (answer[rater] if rater else None), (answer[label] if label else None)


def _fits(raters: Any, told: list[Any]) -> bool:
    return isinstance(raters, list) and len(raters) == len(told)


def _flat(values: Any) -> bool:
    return not any(isinstance(value, dict | list) for value in values)


def _role(record: Record, role: str) -> str | None:
    names = {plain_name(name): name for name in record}
    return next((names[alias] for alias in ALIASES[role] if alias in names), None)


def read(export: Export) -> Found:
    """A rating for each answer in a row; where nobody is named, raters have no names."""
    found = Found(NAME)
    name = next(name for name in _HOLDERS if _holds(export.first(), name))
    for row, record in enumerate(export.records):
        names = {plain_name(key): key for key in record}
        key = next((names[alias] for alias in _ITEMS if alias in names), None)
        item = str(row) if key is None else record[key]
        told = record.get(name)
        answers = _answers(record, name) if isinstance(told, dict | list) else None
        if answers is None:
            found.left_out["rows of another shape" if told else "without an answer"] += 1
        for who, label in answers or ():
            found.rate(item, who, label)
    found.anonymous = all(rating.rater is None for rating in found.ratings)
    return found
