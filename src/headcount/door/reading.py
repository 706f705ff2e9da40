"""From paths to one table of ratings: files, folders, patterns, workbooks, tools' exports."""

from dataclasses import dataclass
from typing import Any

from headcount.door.files import open_file
from headcount.door.roles import Roles
from headcount.door.source import Source


@dataclass(frozen=True)
class Asked:
    """What the user says of the files: which question, where the rater's name is, which sheet."""

    question: str | None = None
    rater_from: str | None = None
    sheet: str | None = None


def open_ratings(path: Any, roles: Roles, asked: Asked) -> Source:
    """The table of ratings in a file."""
    return open_file(path, sheet=asked.sheet)


def open_answers(path: Any, roles: Roles, asked: Asked) -> Source:
    """The table of predictions in a file."""
    return open_file(path, sheet=asked.sheet)
