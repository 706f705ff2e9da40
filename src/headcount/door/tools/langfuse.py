"""Langfuse: scores of traces, a row a score."""

from headcount.door.tools.found import Export, Found, Record, every

NAME = "Langfuse"


def recognises(export: Export) -> bool:
    """Rows with a trace, the name of a score and its value."""
    if export.columns:
        return {"traceId", "name", "value"} <= set(export.columns)
    return every(export.first(), "traceId", "name", "value")


def read(export: Export) -> Found:
    """A person's score is a rating, any other a classifier's; cost and time look the same."""
    found = Found(NAME)
    for record in export.records:
        if str(record.get("source") or "").upper() == "ANNOTATION":
            rater = record.get("authorUserId") or record.get("userId")
            found.rate(record["traceId"], rater, _value(record), str(record["name"]))
        else:
            found.put(found.answers, record["traceId"], record["name"], _value(record))
    return found


def _value(record: Record) -> object:
    return record.get("stringValue") or record.get("value")
