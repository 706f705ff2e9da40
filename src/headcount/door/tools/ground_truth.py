"""Amazon SageMaker Ground Truth: output manifests, workers' answers, worker responses."""

from typing import Any

from headcount.door.documents import loads
from headcount.door.tools.found import Export, Found, Record, every

NAME = "SageMaker Ground Truth"


def recognises(export: Export) -> bool:
    """Records of a manifest with a job's metadata, or the answers of workers to one item."""
    document = export.document
    if isinstance(document, dict):
        return _is_response(document)
    if every(export.first(), "answers") and all(_is_response(r) for r in export.first()):
        return True
    return bool(export.first()) and all(
        ("source-ref" in record or "source" in record) and _jobs(record)
        for record in export.first()
    )


def _is_response(document: Record) -> bool:
    answers = document.get("answers")
    return (
        isinstance(answers, list) and bool(answers) and every(answers, "answerContent", "workerId")
    )


def _jobs(record: Record) -> list[str]:
    return [name for name in record if f"{name}-metadata" in record]


def read(export: Export) -> Found:
    """Workers' answers are ratings; the label the service made of them is a classifier's."""
    found = Found(NAME)
    if isinstance(export.document, dict):
        _read_response(export.path.parent.name, export.document, found)
        return found
    for record in export.records:
        if "answers" in record:
            _read_response(export.path.parent.name, record, found)
            continue
        item = record.get("source-ref", record.get("source"))
        for job in _jobs(record):
            told, about = record[job], record[f"{job}-metadata"]
            workers = told.get("annotationsFromAllWorkers") if isinstance(told, dict) else None
            if isinstance(workers, list):
                for worker in workers:
                    content = loads(str(worker.get("annotationData", {}).get("content")))
                    found.rate(item, worker.get("workerId"), _first_leaf(content), job)
            elif isinstance(about, dict):
                found.put(found.answers, item, job, about.get("class-name", told))
    return found


def _read_response(item: str, document: Record, found: Found) -> None:
    for answer in document["answers"]:
        leaf = _first_leaf(answer["answerContent"])
        found.rate(item, answer["workerId"], leaf, "", answer.get("submissionTime"))


def _first_leaf(value: Any) -> Any:
    while isinstance(value, dict | list):
        inner = list(value.values()) if isinstance(value, dict) else value
        if not inner:
            return None
        value = inner[0]
    return value
