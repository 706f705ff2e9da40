"""Amazon Mechanical Turk: the CSV of a batch's results."""

import re

from headcount.door.profiles import Profile
from headcount.door.tools.found import Export, Found, Record

NAME = "Mechanical Turk"
_ID = re.compile(r"(.*[._])?(id|id_str|uuid|key)", re.IGNORECASE)
_MACHINE = re.compile(r"label|pred|model|class", re.IGNORECASE)


def recognises(export: Export) -> bool:
    """A column with the worker and columns with inputs and answers."""
    columns = export.columns
    return "WorkerId" in columns and any(name.startswith("Answer.") for name in columns)


def read(export: Export) -> Found:
    """Each answer of an assignment that was not rejected; inputs called labels are a machine's."""
    found = Found(NAME)
    questions = [name for name in export.columns if name.startswith("Answer.")]
    item = _item(export)
    for record in export.records:
        if record.get("AssignmentStatus") == "Rejected":
            found.left_out["rejected"] += 1
            continue
        for question in questions:
            name = question.removeprefix("Answer.").removesuffix(".label")
            found.rate(record[item], record["WorkerId"], record.get(question), name)
    for name in export.columns:
        if name.startswith("Input.") and name != item and _is_machines(name, export.records):
            for record in export.records:
                classifier = name.removeprefix("Input.")
                found.put(found.answers, record[item], classifier, record.get(name))
    return found


def _item(export: Export) -> str:
    """The input that is an id of its own, else the HIT."""
    hits = {(record.get("HITId")) for record in export.records}
    for name in export.columns:
        if name.startswith("Input.") and _ID.fullmatch(name.removeprefix("Input.")):
            pairs = {(record.get("HITId"), record.get(name)) for record in export.records}
            values = {record.get(name) for record in export.records}
            if len(pairs) == len(hits) == len(values) and all(values):
                return name
    return "HITId"


def _is_machines(name: str, records: list[Record]) -> bool:
    values = tuple(str(record[name]) for record in records if record.get(name))
    return bool(_MACHINE.search(name)) and not Profile.of_values(name, values).why_no_labels
