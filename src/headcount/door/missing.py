"""What counts as no answer: blank, None, NaN and their usual spellings; never a label."""

MISSING = frozenset({"", "None", "NaN", "nan", "NA", "N/A", "#N/A", "<NA>", "null", "NULL"})


def is_missing(text: str | None) -> bool:
    """Whether a raw value stands for no answer."""
    return text is None or text.strip() in MISSING
