"""Charts as files: a page that needs no network, a picture, or a drawing for print."""

from pathlib import Path
from typing import Any

from headcount.charts.page import standalone, vega_lite_version
from headcount.results.files import check_writable, write_content

SUFFIXES = (".html", ".pdf", ".png", ".svg")
"""What a chart can be saved as."""

_ROOM = {"left": 32, "right": 24, "top": 6, "bottom": 6}
"""Around a drawing: its reader's fonts may be wider than those it was measured with."""


def save(chart: Any, path: str | Path, *, scale: float = 2.0) -> Path:
    """Write `chart` to `path`; the suffix says as what: .html, .png, .svg or .pdf.

    A page carries its own JavaScript and asks nothing of the network. `scale` is how many
    pixels of a .png stand for one pixel of the chart.
    """
    target = check_writable(path, "The chart", SUFFIXES)
    content = _rendered(chart.to_dict(), target.suffix.lower(), scale)
    return write_content(target, content, "The chart")


def _rendered(spec: dict[str, Any], suffix: str, scale: float) -> str | bytes:
    import vl_convert

    if suffix == ".html":
        return standalone(spec)
    version = vega_lite_version()
    if suffix == ".svg":
        return _svg(spec)
    if suffix == ".pdf":
        return bytes(vl_convert.vegalite_to_pdf(spec, vl_version=version))
    return bytes(vl_convert.vegalite_to_png(spec, vl_version=version, scale=scale))


def svg(chart: Any) -> str:
    """A chart as a drawing in one element."""
    return _svg(chart.to_dict())


def _svg(spec: dict[str, Any]) -> str:
    import vl_convert

    wide = {**spec, "padding": _ROOM}
    return str(vl_convert.vegalite_to_svg(wide, vl_version=vega_lite_version()))
