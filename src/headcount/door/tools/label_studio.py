"""Label Studio: JSON with annotations and predictions, JSON-MIN, and CSV."""

import re
from typing import Any

from headcount.door.profiles import Profile
from headcount.door.roles import listing
from headcount.door.text import exact_number
from headcount.door.tools.found import Export, Found, Record, every
from headcount.errors import InputError

NAME = "Label Studio"
_OWN = {
    *("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time", "agreement"),
    *("file_upload", "inner_id", "project", "drafts", "predictions", "meta"),
}
_UPLOAD = re.compile(r"(?:.*/)?upload/(?:\d+/)?[0-9a-f]{8}-(.+)")
_CHOSEN = ("choices", "rating", "number")


def recognises(export: Export) -> bool:
    """Tasks with annotations, or a row an annotation with its id and the time it took."""
    if export.columns:
        return {"annotation_id", "annotator", "lead_time", "id"} <= set(export.columns)
    first = export.first()
    if every(first, "id", "data") and any("annotations" in record for record in first):
        return True
    return every(first, "id", "annotator", "annotation_id")


def read(export: Export) -> Found:
    """A rating for each control of each annotation that was submitted."""
    found = Found(NAME)
    if export.columns or "annotations" not in export.records[0]:
        _read_flat(export, found)
        return found
    for task in export.records:
        _read_task(task, found)
    _scores_in_data(export.records, found)
    return found


def _read_task(task: Record, found: Found) -> None:
    found.left_out["drafts"] += len(task.get("drafts") or ())
    for annotation in task.get("annotations") or ():
        if not isinstance(annotation, dict):
            continue
        if annotation.get("was_cancelled"):
            found.left_out["cancelled"] += 1
            continue
        who = annotation.get("completed_by")
        rater = (who.get("email") or who.get("id")) if isinstance(who, dict) else who
        for question, ticks in _chosen(annotation.get("result"), found):
            if annotation.get("ground_truth"):
                found.truth[str(task["id"])] = str(ticks[0])
            found.rate(task["id"], rater, ticks, question)
    for prediction in task.get("predictions") or ():
        if isinstance(prediction, dict):
            for question, ticks in _chosen(prediction.get("result"), found):
                name = str(prediction.get("model_version") or "prediction")
                found.put(found.answers, task["id"], name, ticks[0] if len(ticks) == 1 else None)
                found.questions_of.setdefault(name, question)


def _chosen(result: Any, found: Found) -> list[tuple[str, list[Any]]]:
    chosen = []
    for part in result or ():
        value = part.get("value") if isinstance(part, dict) else None
        if not isinstance(value, dict):
            continue
        for kind in _CHOSEN:
            if kind in value:
                ticks = value[kind] if isinstance(value[kind], list) else [value[kind]]
                chosen.append((str(part.get("from_name") or kind), ticks))
                break
        else:
            found.left_out["regions and free texts"] += 1
    return chosen


def _scores_in_data(tasks: list[Record], found: Found) -> None:
    """Numbers among a task's data that are named after a question: a judge's scores for it."""
    data = [task["data"] for task in tasks if isinstance(task.get("data"), dict)]
    names = list(dict.fromkeys(name for record in data for name in record))
    for question in found.questions():
        for name in names:
            values = [str(record[name]) for record in data if record.get(name) is not None]
            numbers = all(exact_number(value) is not None for value in values)
            if name.lower().startswith(question.lower()) and values and numbers:
                found.questions_of[name] = question
                for task in tasks:
                    if isinstance(task.get("data"), dict):
                        found.put(found.answers, task["id"], name, task["data"].get(name))


def _read_flat(export: Export, found: Found) -> None:
    """A row an annotation: options are texts, or objects with the choices where several."""
    records = export.records
    fields = list(dict.fromkeys(name for record in records for name in record))
    place = _data_name(records, fields)
    free = [name for name in fields if name not in _OWN and name != place]
    questions = _asked(export.question, free)
    questions = questions or [name for name in free if _is_question(name, records)]
    if not questions:
        raise InputError(
            f"{export.path} is an export of {NAME} that does not show which field holds the "
            f"answers: name it with question= (--question): {listing(free, 20)}."
        )
    for record in records:
        item = record.get("id")
        upload = _UPLOAD.fullmatch(str(record.get(place))) if place else None
        for question in questions:
            value = record.get(question)
            ticks = value.get("choices", ()) if isinstance(value, dict) else value
            found.rate(
                upload.group(1) if upload else item, record.get("annotator"), ticks, question
            )


def _asked(question: str | None, fields: list[str]) -> list[str]:
    """The field that was asked for by its name, perhaps with one of its options."""
    if question is None:
        return []
    return [name for name in fields if question == name or question.startswith(f"{name}: ")]


def _is_question(name: str, records: list[Record]) -> bool:
    """A field with choices in it; where there is none, one with values as labels are.

    A field of the task's data may look the same: then there are several, to be chosen from.
    """
    values = [record[name] for record in records if record.get(name) not in (None, "")]
    if any(isinstance(value, dict) and "choices" in value for value in values):
        return True
    if any(isinstance(value, dict | list) for value in values):
        return False
    if any(isinstance(record.get(other), dict) for record in records for other in record):
        return False  # where options stand as choices, other fields are the task's data
    looks = Profile.of_values(name, tuple(str(value) for value in values))
    return bool(looks.vocabulary) and not looks.why_no_labels


def _data_name(records: list[Record], fields: list[str]) -> str | None:
    """The field with the uploaded file, which names the item where ids differ between servers."""
    for name in fields:
        values = [str(record.get(name)) for record in records]
        if all(_UPLOAD.fullmatch(value) for value in values) and len(set(values)) == len(values):
            return name
    return None
