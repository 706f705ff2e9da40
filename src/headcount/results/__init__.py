"""What every answer looks like: estimates, tables and the common face of results."""

from headcount.results.estimate import Estimate, State
from headcount.results.progress import Progress, no_progress
from headcount.results.record import Record, hidden, json_safe, record
from headcount.results.requirement import Held, Requirement, hold
from headcount.results.result import Result, frame_from_columns
from headcount.results.table import Cell, Table, html_text, markdown, plain
from headcount.results.words import count, percent

__all__ = [
    "Cell",
    "Estimate",
    "Held",
    "Progress",
    "Record",
    "Requirement",
    "Result",
    "State",
    "Table",
    "count",
    "frame_from_columns",
    "hidden",
    "hold",
    "html_text",
    "json_safe",
    "markdown",
    "no_progress",
    "percent",
    "plain",
    "record",
]
