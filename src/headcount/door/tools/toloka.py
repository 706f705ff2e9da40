"""Toloka: the TSV of a pool's assignments, with control tasks and expired assignments."""

from headcount.door.tools.found import Export, Found

NAME = "Toloka"


def recognises(export: Export) -> bool:
    """Columns by kind: INPUT, OUTPUT, ASSIGNMENT."""
    kinds = {name.partition(":")[0] for name in export.columns}
    return {"INPUT", "OUTPUT", "ASSIGNMENT"} <= kinds


def read(export: Export) -> Found:
    """The outputs of approved assignments; tasks whose answer is known are controls."""
    found = Found(NAME)
    outputs = [name for name in export.columns if name.startswith("OUTPUT:")]
    for row, record in enumerate(export.records):
        item = record.get("ASSIGNMENT:task_id") or str(row)
        status = str(record.get("ASSIGNMENT:status") or "").upper()
        if status in ("EXPIRED", "SKIPPED", "REJECTED", "ACTIVE"):
            found.left_out[status.lower()] += 1
            continue
        for output in outputs:
            question = output.removeprefix("OUTPUT:")
            found.rate(item, record.get("ASSIGNMENT:worker_id"), record.get(output), question)
            golden = record.get(f"GOLDEN:{question}")
            if golden:
                found.truth[str(item)] = str(golden)
                found.controls.add(str(item))
    return found
