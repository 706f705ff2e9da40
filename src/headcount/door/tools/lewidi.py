"""Le-Wi-Di shared tasks: an object of records, each with its annotators and annotations."""

from headcount.door.tools.found import Export, Found, by_key, split_at_commas

NAME = "Le-Wi-Di"


def recognises(export: Export) -> bool:
    """Records by key that say what the annotation task was."""
    records = list(by_key(export.document))
    return bool(records) and all("annotations" in r and "annotators" in r for _, r in records[:20])


def read(export: Export) -> Found:
    """Answers joined by commas (2023) or held by annotator (2025), and further questions."""
    found = Found(NAME)
    for item, record in by_key(export.document):
        raters = split_at_commas(record.get("annotators"))
        question = str(record.get("annotation task") or "")
        found.main = found.main or question
        found.text[item] = str(record.get("text"))
        told = record.get("annotations")
        if isinstance(told, dict):
            for rater, label in told.items():
                found.rate(item, rater, label, question)
        else:
            _rate_all(found, item, raters, told, question)
        other = record.get("other_info")
        more = other.get("other annotations") if isinstance(other, dict) else None
        for name, labels in (more or {}).items():
            _rate_all(found, item, raters, labels, str(name))
    return found


def _rate_all(found: Found, item: str, raters: list[str], labels: object, question: str) -> None:
    answers = split_at_commas(labels)
    if len(answers) != len(raters):
        found.left_out["answers that do not match the annotators in number"] += len(answers)
        return
    for rater, label in zip(raters, answers, strict=True):
        found.rate(item, rater, label, question)
