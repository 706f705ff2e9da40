"""The common face of every result: a verdict, tables, doubts; text, frame, JSON, chart."""

import html
import importlib
from abc import ABC, abstractmethod
from typing import Any

from headcount.errors import MissingExtraError, OptionError
from headcount.results.table import Table


class Result(ABC):
    """Base of every result.

    A result says five things about itself and the rest follows from them:
    `verdict()` (a sentence someone can repeat in a meeting), `tables()` (the numbers),
    `assumptions()` (what the numbers rest on, and whether the data agree),
    `unchecked()` (what could not be checked), and `columns()` (the main numbers as columns).
    `to_dict()` is the JSON-safe form with the documented keys.
    """

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

    @abstractmethod
    def columns(self) -> dict[str, list[Any]]:
        """The main numbers as named columns of equal length."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """The result as JSON-safe values: no NaN, censored and undefined values named."""

    def summary(self) -> str:
        """The verdict, then the numbers, then the assumptions, then what was not checked."""
        parts = [self.verdict(), *(table.as_text() for table in self.tables())]
        for heading, sentences in self._remarks():
            parts.append("\n".join([heading, *(f"  - {sentence}" for sentence in sentences)]))
        return "\n\n".join(parts)

    def to_markdown(self) -> str:
        """The summary as Markdown."""
        parts = [_plain(self.verdict()), *(table.as_markdown() for table in self.tables())]
        for heading, sentences in self._remarks():
            lines = [f"**{heading}**", "", *(f"- {_plain(sentence)}" for sentence in sentences)]
            parts.append("\n".join(lines))
        return "\n\n".join(parts)

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """The main numbers as a frame: a `pyarrow.Table`, or "pandas" or "polars" on request."""
        return frame_from_columns(self.columns(), backend)

    def chart(self, **options: Any) -> Any:
        """The result as an Altair chart; drawing is looked up on first use."""
        # The one call upwards: a result must not import Altair, and charts know results.
        return importlib.import_module("headcount.charts").draw(self, **options)

    def __str__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str:
        body = "".join(table.as_html() for table in self.tables())
        for heading, sentences in self._remarks():
            rows = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences)
            body += f"<p><b>{heading}</b></p><ul>{rows}</ul>"
        return f"<div><p><b>{html.escape(self.verdict())}</b></p>{body}</div>"

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


def _plain(text: str) -> str:
    return text.replace("<", "&lt;").replace(">", "&gt;")
