"""Tables as they come, files or frames, ready to be counted: nothing here knows what they mean."""

from headcount.tables.database import quote_name, quote_text
from headcount.tables.files import open_file
from headcount.tables.frames import is_lazy, source_of_frame
from headcount.tables.source import Source

__all__ = ["Source", "is_lazy", "open_file", "quote_name", "quote_text", "source_of_frame"]
