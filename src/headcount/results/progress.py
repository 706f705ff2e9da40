"""How slow work tells how far it is, without knowing who listens."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Progress(Protocol):
    """Wraps an iterable and reports as it is consumed, like `tqdm` or `rich.progress.track`."""

    def __call__(self, iterable: Iterable[T], *, total: int, description: str) -> Iterable[T]:
        """Yield from `iterable`, which has `total` elements, under `description`."""
        ...


def no_progress(iterable: Iterable[T], **_: object) -> Iterable[T]:
    """Report nothing: the default in Python, where the caller owns the screen."""
    return iterable
