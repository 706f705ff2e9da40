"""What is being done and how far it is, on standard error, for anything slow."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


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
