"""Argilla: records with responses and suggestions, nested or flat."""

from typing import Any

from headcount.door.tools.found import Export, Found, Record

NAME = "Argilla"
_ENDS = ".responses"


def recognises(export: Export) -> bool:
    """Records with responses by question."""
    first = export.first()
    return bool(first) and (
        all(isinstance(record.get("responses"), dict) for record in first)
        or all(any(name.endswith(_ENDS) for name in record) for record in first)
    )


def read(export: Export) -> Found:
    """Responses that were submitted; suggestions are a model's."""
    found = Found(NAME)
    for record in export.records:
        if isinstance(record.get("responses"), dict):
            _read_nested(record, found)
        else:
            _read_flat(record, found)
    for record in export.records:
        for agent in list(found.questions_of):
            found.put(found.answers, record.get("id", record.get("_server_id")), agent, None)
    return found


def _read_nested(record: Record, found: Found) -> None:
    item = record.get("id", record.get("_server_id"))
    for question, responses in record["responses"].items():
        for response in responses or ():
            status = response.get("status") or "submitted"
            _rate(found, item, response.get("user_id"), response.get("value"), question, status)
    for question, suggestion in (record.get("suggestions") or {}).items():
        if isinstance(suggestion, dict):
            _suggest(found, item, suggestion.get("agent"), suggestion.get("value"), question)


def _read_flat(record: Record, found: Found) -> None:
    item = record.get("id", record.get("_server_id"))
    for name in record:
        if not name.endswith(_ENDS):
            continue
        question = name.removesuffix(_ENDS)
        values = record[name] or []
        users = record.get(f"{name}.users") or [None] * len(values)
        states = record.get(f"{name}.status") or ["submitted"] * len(values)
        for user, value, status in zip(users, values, states, strict=False):
            _rate(found, item, user, value, question, status)
        agent = record.get(f"{question}.suggestion.agent")
        _suggest(found, item, agent, record.get(f"{question}.suggestion"), question)


def _rate(found: Found, item: Any, user: Any, value: Any, question: str, status: Any) -> None:
    if str(status) != "submitted":
        found.left_out[str(status)] += 1
    else:
        found.rate(item, user, value, question)


def _suggest(found: Found, item: Any, agent: Any, value: Any, question: str) -> None:
    if value is not None:
        name = str(agent or "suggestion")
        found.put(found.answers, item, name, value)
        found.questions_of.setdefault(name, question)
