"""The command that gives the same numbers as a study, word by word."""

import shlex
from collections.abc import Mapping
from typing import Any

from headcount.options import EvaluateOptions, typed
from headcount.options.reading import PredictionsReading, RatingsReading
from headcount.web.record import BASELINE_FILE, StudyRecord


def words_of(record: StudyRecord) -> list[str]:
    """What is typed; the files go by the names that their owner knows.

    Settings that lie near those files are left out, since the study knows nothing of them.
    """
    files = {name: path or "" for name, path in record.files.items()}
    return [
        "headcount",
        "--no-settings",
        "evaluate",
        *(files[name] for name in ("ratings", "predictions") if files[name]),
        *typed(RatingsReading, record.reading),
        *typed(PredictionsReading, record.reading),
        *(("--gold", files["gold"]) if files["gold"] else ()),
        *typed(EvaluateOptions, record.options),
        *(word for each in record.require for word in ("--require", each)),
        *(("--baseline", BASELINE_FILE) if record.baseline else ()),
        "--output",
        "report.html",
    ]


def command_of(record: StudyRecord) -> str:
    """The command as one line for a terminal."""
    return shlex.join(words_of(record))


def calculator_command(words: list[str], options: Any, given: Mapping[str, Any]) -> str:
    """The command of a calculator."""
    first, *rest = words
    return shlex.join([first, "--no-settings", *rest, *typed(options, given)])
