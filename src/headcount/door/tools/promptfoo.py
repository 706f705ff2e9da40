"""promptfoo: the results of an evaluation, an assertion a judge."""

from typing import Any

from headcount.door.tools.found import Export, Found, Record, as_flag

NAME = "promptfoo"
_FAILED = 2
"""What promptfoo writes for a response that did not come, where an assertion that failed is 1."""


def recognises(export: Export) -> bool:
    """Results by test and prompt."""
    results = _results(export.document)
    return bool(results) and all("testIdx" in r and "promptIdx" in r for r in results[:20])


def _results(document: Any) -> list[Record]:
    inner = document.get("results") if isinstance(document, dict) else None
    inner = inner.get("results") if isinstance(inner, dict) else inner
    if isinstance(inner, list) and all(isinstance(record, dict) for record in inner):
        return inner
    return []


def read(export: Export) -> Found:
    """Whether each assertion held, by its metric's name or its type."""
    found = Found(NAME)
    for record in _results(export.document):
        item = f"{record['testIdx']}-{record['promptIdx']}"
        grading = record.get("gradingResult")
        parts = grading.get("componentResults") if isinstance(grading, dict) else None
        if record.get("failureReason") == _FAILED or (record.get("error") and not parts):
            found.left_out["responses that failed (a provider's error)"] += 1
            continue
        if not parts:
            found.left_out["responses without an assertion"] += 1
            continue
        _read_parts(parts, item, found)
    return found


def _read_parts(parts: list[Record], item: str, found: Found) -> None:
    seen: dict[str, int] = {}
    for part in parts:
        if part.get("componentResults"):  # a set of assertions
            _read_parts(part["componentResults"], item, found)
            continue
        assertion = part.get("assertion")
        if not isinstance(assertion, dict):
            found.left_out["grades without their assertion"] += 1
            continue
        name = str(assertion.get("metric") or assertion.get("type"))
        seen[name] = seen.get(name, 0) + 1
        name = name if seen[name] == 1 else f"{name} {seen[name]}"
        found.put(found.answers, item, name, as_flag(part.get("pass")))
        found.put(found.scores, item, name, part.get("score"))
