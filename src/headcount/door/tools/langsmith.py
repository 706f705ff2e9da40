"""LangSmith: an experiment as a table, a column of feedback a judge."""

from headcount.door.tools.found import Export, Found

NAME = "LangSmith"


def recognises(export: Export) -> bool:
    """Columns of feedback and the example's id."""
    names = export.columns or tuple(export.first(1)[0] if export.first(1) else ())
    return "example_id" in names and any(name.startswith("feedback.") for name in names)


def read(export: Export) -> Found:
    """Each feedback on each example; a run that failed has none."""
    found = Found(NAME)
    for record in export.records:
        if record.get("error"):
            found.left_out["failed runs"] += 1
        for name, value in record.items():
            if name.startswith("feedback."):
                judge = name.removeprefix("feedback.")
                found.put(found.answers, record["example_id"], judge, value or None)
    return found
