"""What a report page is made of, before it is HTML: findings, sections, figures, tables."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from markupsafe import Markup

from headcount.evaluation.first_answer import FirstAnswer
from headcount.frozen import frozen
from headcount.report.items import ItemBrowser
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
class Finding:
    """An open part of the report: a title that is a finding, one chart, one table, two sentences.

    `above` and `below` say what the chart's axes are; `lead` are the sentences, `note` a remark in
    small. `folded` names the sections that hold the rest, open on a click.
    """

    name: str
    title: str
    lead: tuple[str, ...] = ()
    above: str = ""
    chart: Markup | None = None
    below: str = ""
    table: Table | None = None
    note: str = ""
    folded: tuple[Section, ...] = ()
    items: ItemBrowser | None = None


@frozen
class Drawing:
    """The first screen's table as a chart: its axis, a row a classifier, and another person."""

    axis: Markup
    rows: tuple[Markup, ...]
    person: Markup


@frozen
class Page:
    """The whole report, in reading order.

    `answer` is the first screen with its `drawing`, `findings` the open parts, `how` the sections
    that stand under "How this was made"; `sections` are all of them. `colours` has the class of
    each classifier's colour.
    """

    title: str
    answer: FirstAnswer
    findings: tuple[Finding, ...]
    how: tuple[Section, ...]
    sections: tuple[Section, ...]
    version: str
    made: str = ""
    drawing: Drawing | None = None
    colours: Mapping[str, str] = field(default_factory=dict)
