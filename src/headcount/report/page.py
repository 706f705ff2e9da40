"""What a report page is made of, before it is HTML: verdicts, sections, figures, tables."""

from collections.abc import Mapping
from typing import Any

from headcount.frozen import frozen
from headcount.results import Table


@frozen
class Figure:
    """A chart with what everyone needs who cannot see it: words for it and its numbers.

    `caption` says what to see in it, in plain language; `alt` describes it to those who do not
    see it; `table` holds the numbers it draws.
    """

    name: str
    spec: Mapping[str, Any]
    caption: str
    alt: str
    table: Table


@frozen
class Verdict:
    """What is said of one classifier: the headline, its sentence, and further sentences."""

    classifier: str
    number: str
    unit: str
    sentence: str
    further: tuple[str, ...] = ()


@frozen
class Section:
    """A question and its answer.

    `lead` answers it in a sentence or two; `unavailable` says instead why the data cannot.
    `tables` are shown, `folded` ones open on a click. `remarks` are lists of sentences under a
    heading (what this rests on, what to take note of).
    """

    name: str
    title: str
    question: str
    lead: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    folded: tuple[Table, ...] = ()
    remarks: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unavailable: str | None = None


@frozen
class Page:
    """The whole report, in reading order; `ranked` is there where verdicts are many."""

    title: str
    subtitle: str
    verdicts: tuple[Verdict, ...]
    sections: tuple[Section, ...]
    version: str
    verdict_note: str = ""
    ranked: Table | None = None
