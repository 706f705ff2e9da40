"""Braintrust: the rows of an experiment, a score a judge."""

from headcount.door.tools.found import Export, Found, every

NAME = "Braintrust"


def recognises(export: Export) -> bool:
    """Rows with scores by name."""
    first = export.first()
    return every(first, "id", "scores", "input") and all(
        isinstance(record["scores"], dict) for record in first
    )


def read(export: Export) -> Found:
    """Each score of each row; null is no answer."""
    found = Found(NAME)
    for record in export.records:
        for name, value in record["scores"].items():
            found.put(found.answers, record["id"], name, value)
    return found
