"""AlpacaEval: which of two outputs an annotator prefers, from 1 (the first) to 2 (the second)."""

from decimal import Decimal

from headcount.door.text import exact_number
from headcount.door.tools.found import Export, Found, every

NAME = "AlpacaEval"


def recognises(export: Export) -> bool:
    """Records with two outputs and a preference."""
    return every(export.first(), "output_1", "output_2", "preference", "annotator")


def read(export: Export) -> Found:
    """The preferred output, exactly between them a tie, and the probability of each."""
    found = Found(NAME)
    for row, record in enumerate(export.records):
        name = str(record["annotator"])
        told = exact_number(str(record["preference"]))
        if told is None or not 1 <= told <= 2:
            found.left_out["without a preference"] += 1
            found.put(found.answers, str(row), name, None)
            continue
        second = told - 1
        label = (
            "tie" if second == Decimal("0.5") else ("output_2" if second * 2 > 1 else "output_1")
        )
        found.put(found.answers, str(row), name, label)
        found.put(found.soft, str(row), f"{name}:output_1", str(1 - second))
        found.put(found.soft, str(row), f"{name}:output_2", str(second))
    return found
