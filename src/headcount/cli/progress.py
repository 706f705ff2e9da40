"""A progress bar on standard error for anything slow."""

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def bar(iterable: Iterable[T], *, total: int, description: str) -> Iterable[T]:
    """Show how far the loop is; silent where standard error is not a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    screen = Console(stderr=True)
    shown = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    )
    with shown:
        yield from shown.track(iterable, total=total, description=description)
