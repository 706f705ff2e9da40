"""From an evaluation to a file: the page, its HTML, and the writing of it."""

from pathlib import Path

from headcount.evaluation import Evaluation, Unavailable
from headcount.report.findings import FOLDS, colours_of, drawing_of, findings_of
from headcount.report.page import Page, Section
from headcount.report.rendering import render as as_html
from headcount.report.sections import SECTIONS
from headcount.results.files import check_report, write_content


def page_of(evaluation: Evaluation) -> Page:
    """The report as a page, before it is HTML."""
    answer, sections = evaluation.first_answer(), _sections(evaluation)
    findings = findings_of(evaluation, answer, {each.name: each for each in sections})
    folded = {name for each in findings for name in FOLDS[each.name]}
    colours = colours_of(evaluation)
    return Page(
        title=answer.finding,
        answer=answer,
        findings=findings,
        how=tuple(each for each in sections if each.name not in folded),
        sections=sections,
        version=evaluation.version,
        made=f"headcount {evaluation.version}, seed {evaluation.settings.seed}.",
        drawing=drawing_of(answer, colours),
        colours=colours,
    )


def _sections(evaluation: Evaluation) -> tuple[Section, ...]:
    """The sections; those about what the data do not name are left out."""
    named = {
        "one-person": evaluation.one_person,
        "groups": evaluation.groups,
        "slices": evaluation.slices,
        "numbers": evaluation.numbers,
        "drift": evaluation.drift,
        "together": evaluation.together,
        "ranking": evaluation.ranking,
    }
    absent = {name for name, part in named.items() if isinstance(part, Unavailable)}
    absent |= {name for name, part in _answered_by(evaluation).items() if _is_moot(part)}
    absent |= {"differences"} if len(evaluation.classifiers) < 2 else set()
    found = (section(evaluation) for section in SECTIONS)
    return tuple(section for section in found if section.name not in absent)


def _answered_by(evaluation: Evaluation) -> dict[str, object]:
    """The parts behind sections that other sections may stand in for."""
    return {
        "worth": evaluation.equivalence,
        "people": evaluation.agreement,
        "replacing": evaluation.replacement,
        "possible": evaluation.population,
        "truth": evaluation.accuracy,
        "confusion": evaluation.confusion,
        "disagreement": evaluation.agreement,
        "next": evaluation.next_labels,
        "differences": evaluation.differences,
    }


def _is_moot(part: object) -> bool:
    return isinstance(part, Unavailable) and part.moot


def render(evaluation: Evaluation) -> str:
    """The report as HTML."""
    return as_html(page_of(evaluation))


def write(evaluation: Evaluation, path: str | Path = "report.html") -> Path:
    """Write the report to a file; its name ends in .html."""
    return write_content(check_report(path), render(evaluation), "The report")
