"""What a command shows: its result, for people or machines, remarks, and how far it is."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from headcount.cli.options import Format

if TYPE_CHECKING:
    from rich.console import Console

    from headcount.results import Result, Table

T = TypeVar("T")


def emit(
    result: "Result",
    how: Format = Format.TABLE,
    charts: Sequence[Path] | None = None,
    **drawing: Any,
) -> None:
    """Draw `result` to each of the files `charts`, then print it to standard output.

    In this order, since whoever reads the output may leave before its end. `drawing` are the
    options of that result's chart.
    """
    if charts:
        from headcount.charts.saving import save

        drawn = result.chart(**drawing)
        for chart in charts:
            save(drawn, chart)
    if how is Format.JSON:
        print(result.to_json())
    elif how is Format.MARKDOWN:
        print(result.to_markdown())
    elif how is Format.CSV:
        print(result.to_csv(), end="")
    else:
        _print_for_people(result)
    for chart in charts or ():
        remark(f"Chart written to {chart}")


def remark(text: str) -> None:
    """Say something on standard error; that nobody listens any more is no fault."""
    with suppress(BrokenPipeError):
        print(text, file=sys.stderr)


def console() -> "Console":
    """Where people read: as wide as their terminal, or a steady width in a pipe."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 110)


def _print_for_people(result: "Result") -> None:
    from rich.text import Text

    screen = console()
    screen.print(Text(result.verdict(), style="bold"))
    for sentence in result.collected:
        screen.print(Text(sentence))
    for table in result.tables():
        screen.print()
        screen.print(rich_table(table))
    remarks = [("What this rests on", result.assumptions()), ("Take note", result.unchecked())]
    for heading, sentences in remarks:
        if sentences:
            screen.print()
            screen.print(Text(heading, style="bold"))
            for sentence in sentences:
                screen.print(Text(f"• {sentence}"))


def rich_table(table: "Table") -> "object":
    """A results table as a Rich one; user text is never read as markup."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(
        title=Text(table.title, style="bold"),
        title_justify="left",
        caption=Text(table.caption) if table.caption else None,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
    )
    for heading, right in zip(table.columns, table.numeric(), strict=True):
        drawn.add_column(Text(heading), justify="right" if right else "left", overflow="fold")
    for row in table.cells():
        drawn.add_row(*(Text(cell) for cell in row))
    return drawn


def bar(iterable: Iterable[T], *, total: int, description: str) -> Iterable[T]:
    """Show how far the loop is, and on what if its steps have names; silent without a terminal."""
    from rich.console import Console

    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield from iterable
        return
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    shown = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
    )
    with shown:
        task = shown.add_task(description, total=total)
        for step in iterable:
            if isinstance(step, str):
                shown.update(task, description=f"{description}: {step.replace('_', ' ')}")
            yield step
            shown.advance(task)


@contextmanager
def told(description: str) -> Iterator[None]:
    """Say what is being done for as long as it takes; silent without a terminal."""
    from rich.console import Console
    from rich.text import Text

    screen = Console(stderr=True)
    if not screen.is_terminal:
        yield
        return
    with screen.status(Text(f"{description} …"), spinner="dots"):
        yield
