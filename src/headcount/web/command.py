"""The command that gives the same numbers as a study, word by word."""

import shlex
from collections.abc import Mapping
from typing import Any

from headcount.options import EvaluateOptions, typed
from headcount.reading import PredictionsReading, RatingsReading
from headcount.web.record import StudyRecord


def words_of(record: StudyRecord) -> list[str]:
    """What is typed; the files go by the names that their owner knows."""
    return [
        "headcount",
        "evaluate",
        *record.links,
        *typed(RatingsReading, record.reading),
        *typed(PredictionsReading, record.reading),
        *typed(EvaluateOptions, record.options),
        "--output",
        "report.html",
    ]


def command_of(record: StudyRecord) -> str:
    """The command as one line for a terminal."""
    return shlex.join(words_of(record))


def calculator_command(words: list[str], options: Any, given: Mapping[str, Any]) -> str:
    """The command of a calculator."""
    return shlex.join([*words, *typed(options, given)])
