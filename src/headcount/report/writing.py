"""From an evaluation to a file: the page, its HTML, and the writing of it."""

import errno
import os
from pathlib import Path

from headcount.errors import InputError, OptionError
from headcount.evaluation import Evaluation
from headcount.report.page import Page
from headcount.report.rendering import render as as_html
from headcount.report.sections import SECTIONS
from headcount.report.verdicts import subtitle, title, verdict_note, verdicts


def page_of(evaluation: Evaluation) -> Page:
    """The report as a page, before it is HTML."""
    return Page(
        title=title(evaluation),
        subtitle=subtitle(evaluation),
        verdicts=verdicts(evaluation),
        sections=tuple(section(evaluation) for section in SECTIONS),
        version=evaluation.settings.version,
        verdict_note=verdict_note(evaluation),
    )


def render(evaluation: Evaluation) -> str:
    """The report as HTML."""
    return as_html(page_of(evaluation))


def write(evaluation: Evaluation, path: str | Path = "report.html") -> Path:
    """Write the report to a file; its name ends in .html."""
    target = check_path(path)
    page = render(evaluation)
    try:
        target.write_text(page, encoding="utf-8")
    except OSError as error:
        raise _cannot(target, error) from error
    return target


def check_path(path: str | Path) -> Path:
    """Whether a report can be written there, before the work that it takes is done."""
    target = Path(path)
    if target.suffix.lower() not in (".html", ".htm"):
        raise OptionError(f"A report is a web page: {target.name!r} must end in .html.")
    if not target.parent.is_dir():
        raise _cannot(target, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))
    return target


def _cannot(target: Path, error: OSError) -> InputError:
    return InputError(f"The report cannot be written to {target}: {error.strerror or error}.")
