"""The common face of every result: a verdict, tables, doubts; text, frame, JSON, chart."""

import csv
import importlib
import io
import json
from abc import ABC, abstractmethod
from dataclasses import field
from typing import Any, ClassVar, Self

from headcount.errors import MissingExtraError, OptionError
from headcount.results.record import Record, hidden, record, rows_as_columns
from headcount.results.table import Table, html_text, markdown, spreadsheet

# What a result shows of itself in an interactive session, at most.
_LINES = 10


@record
class Result(Record, ABC):
    """Base of every result.

    A result declares its fields, with `rows` naming the one whose records are the rows of its
    frame; JSON, frames, comparison, another confidence and `result["name"]` follow from that.
    It says four things about itself: `verdict()` (a sentence someone can repeat in a meeting),
    `tables()` (the numbers), `assumptions()` (what they rest on, and whether the data agree)
    and `unchecked()` (what could not be checked or was dropped).

    Attributes
    ----------
    collected : tuple of str
        How the ratings were collected, where that decides on the recipe; said after the verdict.
    """

    library: str = hidden(default="pyarrow", compare=False, kw_only=True)
    """The frame library that the data came in, in which `to_frame` answers."""

    collected: tuple[str, ...] = field(default=(), compare=False, repr=False, kw_only=True)

    rows: ClassVar[str] = ""

    @abstractmethod
    def verdict(self) -> str:
        """One sentence that answers the question."""

    @abstractmethod
    def tables(self) -> tuple[Table, ...]:
        """The numbers, for people."""

    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on, one sentence each."""
        return ()

    def unchecked(self) -> tuple[str, ...]:
        """What could not be checked, or was dropped, one sentence each."""
        return ()

    def columns(self) -> dict[str, list[Any]]:
        """The main numbers as named columns of equal length."""
        return rows_as_columns(getattr(self, self.rows))

    def table(self, id: str) -> Table:
        """The table of this id.

        Parameters
        ----------
        id : str
            Such as "coefficients"; the ids are those of `tables()`.

        Returns
        -------
        Table
            With `headings`, `rows`, `as_text()`, `as_markdown()` and `as_html()`.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=60)
        >>> found = hc.agreement(data.ratings, n_bootstrap=0)
        >>> found.table("coefficients").rows[0][0]
        'percent agreement'
        """
        for each in self.tables():
            if each.id == id:
                return each
        known = ", ".join(each.id for each in self.tables())
        raise OptionError(f"There is no table {id!r} here: {known}.")

    def __getitem__(self, name: str) -> Any:
        """The row of this name, such as a classifier."""
        rows: tuple[Any, ...] = getattr(self, self.rows) if self.rows else ()
        for each in rows:
            if getattr(each, "name", None) == name:
                return each
        known = ", ".join(str(getattr(each, "name", "")) for each in rows)
        raise OptionError(f"There is nothing called {name!r} here: {known}.")

    def with_confidence(self, confidence: float) -> Self:
        """The same result with intervals of another confidence, from the same draws.

        Parameters
        ----------
        confidence : float
            Between 0 and 1, such as 0.9.

        Returns
        -------
        Result
            One of the same class; the estimates themselves do not move.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=60)
        >>> found = hc.agreement(data.ratings, n_bootstrap=50)
        >>> low, high = (found.with_confidence(c).krippendorff_alpha.low for c in (0.99, 0.5))
        >>> low < high
        True
        """
        if not 0 < confidence < 1:
            raise OptionError(
                f"confidence lies between 0 and 1, such as 0.95; it was {confidence!r}."
            )
        return self.at_confidence(confidence)

    def summary(self) -> str:
        """The verdict, then the numbers, then the assumptions, then what was not checked."""
        parts = ["\n".join([self.verdict(), *self.collected])]
        parts += [table.as_text() for table in self.tables()]
        for heading, sentences in self._remarks():
            parts.append("\n".join([heading, *(f"  - {sentence}" for sentence in sentences)]))
        return "\n\n".join(parts)

    def to_markdown(self) -> str:
        """The summary as Markdown."""
        parts = [markdown(each) for each in (self.verdict(), *self.collected)]
        parts += [table.as_markdown() for table in self.tables()]
        for heading, sentences in self._remarks():
            lines = [
                f"**{heading}**",
                "",
                *(f"- {markdown(sentence)}" for sentence in sentences),
            ]
            parts.append("\n".join(lines))
        return "\n\n".join(parts)

    def to_json(self) -> str:
        """The whole result as JSON text, as the command line prints it.

        Under "schema" it says what it is; `headcount.results.schema` describes the rest.
        """
        return json.dumps(self.to_document(), indent=2, ensure_ascii=False, allow_nan=False)

    def to_document(self) -> dict[str, Any]:
        """`to_dict` with the name of its schema, which tells a reader what it is."""
        from headcount.results.schema import name_of

        return {"schema": name_of(type(self)), **self.to_dict()}

    def to_csv(self) -> str:
        """The main numbers as CSV text, as the command line prints them.

        Names that a spreadsheet would run as formulas stand behind an apostrophe.
        """
        columns = self.columns()
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for row in (columns, *zip(*columns.values(), strict=True)):
            writer.writerow([spreadsheet(cell) if isinstance(cell, str) else cell for cell in row])
        return text.getvalue()

    def to_frame(self, backend: str | None = None) -> Any:
        """The main numbers as a frame.

        Parameters
        ----------
        backend : {"pyarrow", "pandas", "polars"}, optional
            The library of the frame; by default the one the data came in.

        Returns
        -------
        frame
            A row a classifier, coefficient or whatever the result lists; an estimate has a column
            for its value and one for each end of its interval.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=60)
        >>> hc.agreement(data.ratings, n_bootstrap=0).to_frame("pyarrow").column_names[:2]
        ['coefficient', 'value']
        """
        return frame_from_columns(self.columns(), backend or self.library)

    def chart(self, **options: Any) -> Any:
        """The result as an Altair chart, drawn on first use.

        Parameters
        ----------
        **options
            What the chart of this result takes, such as `width`; each has its own.

        Returns
        -------
        altair.Chart
            To be shown in a notebook, or saved: ``chart.save("curve.svg")``.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=60)
        >>> type(hc.agreement(data.ratings, n_bootstrap=0).chart()).__module__.split(".")[0]
        'altair'
        """
        # The one call upwards: a result must not import Altair, and charts know results.
        return importlib.import_module("headcount.charts").draw(self, **options)

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        said = self.verdict().splitlines()
        if len(said) > _LINES - 2:
            said = [*said[: _LINES - 3], f"… and {len(said) - _LINES + 3} more"]
        return "\n  ".join([f"<headcount {type(self).__name__}>", *said, ".summary() tells all"])

    def _repr_html_(self) -> str:
        body = self._drawn() + "".join(table.as_html() for table in self.tables())
        for heading, sentences in self._remarks():
            rows = "".join(f"<li>{html_text(sentence)}</li>" for sentence in sentences)
            body += f"<p><b>{heading}</b></p><ul>{rows}</ul>"
        said = "".join(f"<p>{html_text(each)}</p>" for each in self.collected)
        return f"<div><p><b>{html_text(self.verdict())}</b></p>{said}{body}</div>"

    def _drawn(self) -> str:
        """The chart as a drawing that needs no script and no network; nothing where none is."""
        charts = importlib.import_module("headcount.charts")
        return str(charts.as_svg(self)) if charts.can_draw(self) else ""

    def _remarks(self) -> list[tuple[str, tuple[str, ...]]]:
        remarks = [("What this rests on", self.assumptions()), ("Take note", self.unchecked())]
        return [(heading, sentences) for heading, sentences in remarks if sentences]


def frame_from_columns(columns: dict[str, list[Any]], backend: str = "pyarrow") -> Any:
    """Named columns as a frame of the asked kind."""
    import pyarrow as pa

    table = pa.table(columns)
    if backend == "pyarrow":
        return table
    if backend not in ("pandas", "polars"):
        raise OptionError(f'backend is "pyarrow", "pandas" or "polars", not {backend!r}.')
    try:
        library = importlib.import_module(backend)
    except ImportError as error:
        raise MissingExtraError(
            f"{backend} is not installed: pip install {backend}, or use the default backend."
        ) from error
    return library.from_arrow(table) if backend == "polars" else table.to_pandas()
