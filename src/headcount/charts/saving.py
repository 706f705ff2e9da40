"""Charts as files and in pages that ask nothing of the network: script once, data escaped."""

import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from headcount.errors import OptionError
from headcount.results.files import check_writable, write_content

SUFFIXES = (".html", ".pdf", ".png", ".svg")
"""What a chart can be saved as."""

_OF_LATEX = (".tex", ".tikz", ".pgf", ".eps")
"""What people ask for who write in LaTeX."""
_EXPOSE = "window.vegaEmbed = vegaEmbed; window.vega = vega;"
"""What a page calls the two by."""
_ROOM = {"left": 32, "right": 24, "top": 6, "bottom": 6}
"""Around a drawing: its reader's fonts may be wider than those it was measured with."""


def check_chart(path: str | Path) -> Path:
    """Whether a chart can be written there, before the work that it takes is done."""
    target = Path(path)
    if target.suffix.lower() in _OF_LATEX:
        raise OptionError(
            f"A chart is no {target.suffix.lower()} file: write {target.with_suffix('.pdf').name}, "
            f"which LaTeX takes as it is (\\includegraphics{{{target.stem}}})."
        )
    return check_writable(target, "The chart", SUFFIXES)


def save(chart: Any, path: str | Path, *, scale: float = 2.0) -> Path:
    """Write `chart` to `path`; the suffix says as what: .html, .png, .svg or .pdf.

    A page carries its own JavaScript and asks nothing of the network. `scale` is how many
    pixels of a .png stand for one pixel of the chart.
    """
    target = check_chart(path)
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


def script_json(value: Any) -> str:
    r"""JSON that may stand inside a script element, whatever text of users it holds.

    >>> script_json({"label": "</script>&"})
    '{"label": "\\u003c/script\\u003e\\u0026"}'
    """
    text = json.dumps(value, allow_nan=False, ensure_ascii=False)
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def standalone(spec: dict[str, Any], *, title: str = "headcount") -> str:
    """One chart as a self-contained page."""
    import html

    return (
        "<!doctype html>\n"
        '<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{html.escape(title)}</title>"
        f"<script>{vega_scripts()}</script></head>\n"
        '<body><div id="chart"></div>\n'
        f"<script>vegaEmbed('#chart', {script_json(spec)}, "
        "{renderer: 'svg', ast: false}).catch(console.error);</script>\n"
        "</body></html>\n"
    )


@cache
def vega_scripts() -> str:
    """Vega, Vega-Lite and vega-embed as one script, from the installed converter.

    Putting them together takes more than a second, so the script is kept in the user's cache
    folder under the versions it was made from; without such a folder it is made anew.
    """
    kept = _cache_file()
    if kept is None:
        return _bundled()
    try:
        return kept.read_text(encoding="utf-8")
    except OSError:
        script = _bundled()
        _keep(kept, script)
        return script


def vega_lite_version() -> str | None:
    """The Vega-Lite that Altair writes for, where the converter has it; else its newest."""
    import altair as alt
    import vl_convert

    wanted = ".".join(alt.SCHEMA_VERSION.lstrip("v").split(".")[:2])
    return wanted if wanted in vl_convert.get_vegalite_versions() else None


def _bundled() -> str:
    import vl_convert

    script = str(vl_convert.javascript_bundle(_EXPOSE, vl_version=vega_lite_version()))
    # Inside a script element these two would end it or change how it is read.
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--")


def _cache_file() -> Path | None:
    from importlib.metadata import version

    try:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # a user without a home, as in some containers
        return None
    # Altair's version says which Vega-Lite it writes for, without the time that loading it takes.
    versions = f"{version('vl-convert-python')}-altair-{version('altair')}"
    return base / "headcount" / f"vega-{versions}.js"


def _keep(target: Path, script: str) -> None:
    """Write in one step, so that two runs at once never read half a script."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=target.parent, delete=False
        ) as part:
            part.write(script)
        os.replace(part.name, target)
    except OSError:
        return  # a read-only home only costs the second it would have saved
