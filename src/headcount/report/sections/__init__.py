"""The report's sections, one file each, in reading order."""

from collections.abc import Callable

from headcount.evaluation import Evaluation
from headcount.report.page import Section
from headcount.report.sections.agreeing import agreeing
from headcount.report.sections.classifiers import classifiers
from headcount.report.sections.confusion import confusion
from headcount.report.sections.differences import differences
from headcount.report.sections.disagreement import disagreement
from headcount.report.sections.drift import drift
from headcount.report.sections.fine_print import assumptions, data_notes, settings
from headcount.report.sections.groups import groups
from headcount.report.sections.next_labels import next_labels
from headcount.report.sections.numbers import numbers
from headcount.report.sections.one_person import one_person
from headcount.report.sections.people import people
from headcount.report.sections.possible import possible
from headcount.report.sections.ranking import ranking
from headcount.report.sections.replacing import replacing
from headcount.report.sections.slices import slices
from headcount.report.sections.together import together
from headcount.report.sections.truth import truth
from headcount.report.sections.words import words
from headcount.report.sections.worth import worth

SECTIONS: tuple[Callable[[Evaluation], Section], ...] = (
    one_person,
    worth,
    classifiers,
    differences,
    people,
    replacing,
    possible,
    agreeing,
    numbers,
    groups,
    slices,
    drift,
    together,
    ranking,
    truth,
    disagreement,
    confusion,
    next_labels,
    assumptions,
    data_notes,
    words,
    settings,
)
"""In the order in which they are read."""
