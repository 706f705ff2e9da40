"""PandaLM's test sets: which of two responses is better, a column an annotator."""

import re

from headcount.door.comparisons import WORDS, joined_name
from headcount.door.tools.found import Export, Found, every

NAME = "PandaLM judgements"
_ANNOTATOR = re.compile(r"annotator_?\d+")


def recognises(export: Export) -> bool:
    """Records with two responses, the systems they are from, and annotators."""
    first = export.first()
    return every(first, "cmp_key", "response1", "response2") and any(
        _ANNOTATOR.fullmatch(key) for key in first[0]
    )


def read(export: Export) -> Found:
    """An item is a prompt and a pair of systems, whose names stand in `cmp_key`."""
    found = Found(NAME)
    for row, record in enumerate(export.records):
        names = str(record["cmp_key"]).split("_")
        if len(names) != 2:
            found.left_out["without two systems"] += 1
            continue
        prompt = str(record.get("idx", record.get("index", row)))
        first, second = sorted(names)
        item = joined_name(prompt, first, second)
        found.compared[item] = (prompt, first, second)
        ahead = WORDS if names[0] == first else WORDS[::-1]
        said = {"1": ahead[0], "0": ahead[1], "2": ahead[2]}
        for key, answer in record.items():
            if _ANNOTATOR.fullmatch(key):
                shown = "12" if names[0] == first else "21"
                found.rate(item, key, said.get(str(answer)), occasion=shown)
    return found
