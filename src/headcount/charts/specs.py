"""Charts as Altair makes them, without the time it takes to check and copy them on the way.

Altair validates every part of a chart against Vega-Lite's schema as it is made, and copies a
chart with all its rows whenever it becomes part of another. That is kind to somebody who writes
a chart at a prompt. Ours are written once and validated by the tests, and a report draws many.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


def inline(rows: Sequence[Any]) -> Any:
    """The rows of a chart; a tuple, which Altair hands on instead of copying."""
    import altair as alt

    return alt.InlineData(values=tuple(rows))


@contextmanager
def unchecked() -> Iterator[None]:
    """Draw without validation, here and in everything that is called from here."""
    from altair.utils import schemapi

    with schemapi.debug_mode(False):
        yield


def spec_of(chart: Any) -> dict[str, Any]:
    """The chart in Vega-Lite's terms, taken as it is."""
    spec: dict[str, Any] = chart.to_dict(validate=False)
    return spec
