"""doccano: JSON lines with the text and a list of labels; one file a rater, who is not named."""

from headcount.door.documents import Number
from headcount.door.tools.found import Export, Found, every

NAME = "doccano"
_LABELS = ("cats", "label", "labels")


def recognises(export: Export) -> bool:
    """Texts with a list of labels; spans are lists of lists and no labels of the text."""
    first = export.first()
    return every(first, "id", "text") and _field(export) is not None


def _field(export: Export) -> str | None:
    for name in _LABELS:
        lists = [record.get(name) for record in export.records]
        if all(isinstance(value, list) for value in lists) and all(
            isinstance(each, str) and not isinstance(each, Number)
            for value in lists
            for each in value or ()
        ):
            return name
    return None


def read(export: Export) -> Found:
    """The labels of each text; ids run on from rater to rater, so a document's own id is better."""
    found = Found(NAME)
    name = _field(export)
    assert name is not None
    own = every(export.records, "doc_id")
    for record in export.records:
        item = record["doc_id"] if own else record["id"]
        rater = record.get("annotator") or record.get("username") or record.get("user")
        found.rate(item, rater, record[name])
        found.text[str(item)] = str(record["text"])
    return found
