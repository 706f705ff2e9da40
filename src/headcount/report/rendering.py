"""A page as one HTML file: everything inline, every word of users escaped."""

import base64
import hashlib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from headcount.charts.saving import script_json, vega_scripts
from headcount.charts.theme import Mode, css_variables, page_config
from headcount.report.page import Page
from headcount.results import Table

_OWN: dict[Mode, dict[str, str]] = {
    "light": {"--card": "#f6f8fa", "--link": "#0a58b5"},
    "dark": {"--card": "#1e2329", "--link": "#8ab8ff"},
}
"""Colours that only the page has, beside those it shares with the charts."""


def environment(*rooms: str) -> jinja2.Environment:
    """Templates of these packages, and the report's, with every word of users escaped."""
    found = jinja2.Environment(
        loader=jinja2.ChoiceLoader(
            [jinja2.PackageLoader(room) for room in (*rooms, "headcount.report")]
        ),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_unbroken,
    )
    table_template = found.get_template("table.html.j2")

    def table(shown: Table) -> Markup:
        return Markup(table_template.render(table=shown))

    found.globals["table"] = table
    found.globals["json"] = lambda spec: Markup(script_json(spec))
    return found


def render(page: Page) -> str:
    """The page as HTML."""
    # Only our own script, our own style and JSON made safe for scripts skip the escaping.
    scripts = [vega_scripts(), template("report.js")]
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            page=page,
            figures=[figure for section in page.sections for figure in section.figures],
            theme=Markup(script_json(page_config())),
            style=Markup(style()),
            scripts=[Markup(script) for script in scripts],
            policy=_policy(scripts),
        )
    )


def _unbroken(value: Any) -> Any:
    """Keep a number and its percent sign on one line."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return value.replace(" %", "\u00a0%")
    return value


def template(name: str) -> str:
    """A file of the page's look as text: report.css, report.js."""
    return (files("headcount.report") / "templates" / name).read_text(encoding="utf-8")


def style() -> str:
    """The style of the page, its colours in light and dark first."""
    light, dark = _declarations("light"), _declarations("dark")
    return (
        f":root {{ {light} color-scheme: light; }}\n"
        f"@media screen and (prefers-color-scheme: dark) "
        f"{{ :root {{ {dark} color-scheme: dark; }} }}\n" + template("report.css")
    )


def _declarations(mode: Mode) -> str:
    return " ".join(f"{k}: {v};" for k, v in {**css_variables(mode), **_OWN[mode]}.items())


def _policy(scripts: list[str]) -> str:
    """What the browser may do for this page: run these very scripts, and fetch nothing."""
    return "; ".join(
        [
            "default-src 'none'",
            "style-src 'unsafe-inline'",
            "img-src data:",
            "script-src " + " ".join(_hashes(scripts)),
        ]
    )


def _hashes(scripts: list[str]) -> Iterator[str]:
    for script in scripts:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        yield f"'sha256-{digest}'"
