"""MLflow: the table of an evaluation, split into columns and data."""

from headcount.door.documents import split_records
from headcount.door.tools.found import Export, Found

NAME = "MLflow"


def recognises(export: Export) -> bool:
    """A split table with scores of metrics."""
    document = export.document
    columns = document.get("columns") if isinstance(document, dict) else None
    return (
        isinstance(columns, list)
        and isinstance(document.get("data"), list)
        and any(str(column).endswith("/score") for column in columns)
    )


def read(export: Export) -> Found:
    """The scores of metrics that say why; those computed from the text alone are no judges."""
    found = Found(NAME)
    columns = [str(column) for column in export.document["columns"]]
    scored = [name.removesuffix("/score") for name in columns if name.endswith("/score")]
    judges = [name for name in scored if f"{name}/justification" in columns] or scored
    for row, record in enumerate(split_records(export.document)):
        for judge in judges:
            found.put(found.answers, str(row), judge, record.get(f"{judge}/score"))
    return found
