"""Prodigy: JSON lines with hashes and an answer, with options (choice) or a proposed label."""

from headcount.door.tools.found import Export, Found, every

NAME = "Prodigy"


def recognises(export: Export) -> bool:
    """Records with Prodigy's hashes and what was answered."""
    return every(export.first(), "_task_hash", "answer")


def read(export: Export) -> Found:
    """Options ticked in accepted records, or whether the proposed label was accepted."""
    found = Found(NAME)
    for record in export.records:
        rater = record.get("_annotator_id") or record.get("_session_id")
        if "accept" in record or "options" in record:
            if record["answer"] != "accept":
                found.left_out["rejected or ignored"] += 1
                continue
            item = record.get("id", record.get("_input_hash"))
            found.rate(item, rater, record.get("accept") or (), "", record.get("_timestamp"))
        elif record["answer"] in ("accept", "reject"):
            found.rate(record["_task_hash"], rater, record["answer"], "", record.get("_timestamp"))
        else:
            found.left_out["ignored"] += 1
    return found
