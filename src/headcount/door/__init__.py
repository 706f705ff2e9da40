"""Tables as they come, files or frames, ready to be counted: nothing here knows what they mean."""

from headcount.door.arrays import (
    floats,
    integers,
    number_column,
    positions,
    text_column,
    texts,
    whole,
)
from headcount.door.database import quote_name, quote_text
from headcount.door.files import open_file
from headcount.door.frames import is_lazy, source_of_frame
from headcount.door.source import Source

__all__ = [
    "Source",
    "floats",
    "integers",
    "is_lazy",
    "number_column",
    "open_file",
    "positions",
    "quote_name",
    "quote_text",
    "source_of_frame",
    "text_column",
    "texts",
    "whole",
]
