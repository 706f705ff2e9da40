"""Files, frames and other tools' exports become typed columns with roles.

The only room that sees user names, types and encodings.
"""

from headcount.door.arrays import (
    floats,
    integers,
    number_column,
    optional_text_column,
    positions,
    text_column,
    texts,
    whole,
)
from headcount.door.files import open_file
from headcount.door.frames import is_lazy, source_of_frame
from headcount.door.source import Source, scans, table_source

__all__ = [
    "Source",
    "floats",
    "integers",
    "is_lazy",
    "number_column",
    "open_file",
    "optional_text_column",
    "positions",
    "scans",
    "source_of_frame",
    "table_source",
    "text_column",
    "texts",
    "whole",
]
