"""A page as one HTML file: everything inline, every word of users escaped."""

import base64
import hashlib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from headcount.charts.page import script_json, vega_scripts
from headcount.charts.theme import Mode, css_variables, page_config
from headcount.report.page import Page
from headcount.results import Table

_OWN: dict[Mode, dict[str, str]] = {
    "light": {"--card": "#f6f8fa", "--link": "#0a58b5"},
    "dark": {"--card": "#1e2329", "--link": "#8ab8ff"},
}
"""Colours that only the page has, beside those it shares with the charts."""


def render(page: Page) -> str:
    """The page as HTML."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("headcount.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_unbroken,
    )
    table_template = environment.get_template("table.html.j2")

    def table(shown: Table) -> Markup:
        return Markup(table_template.render(table=shown))

    # Only our own script, our own style and JSON made safe for scripts skip the escaping.
    scripts = [vega_scripts(), _template("report.js")]
    return environment.get_template("report.html.j2").render(
        page=page,
        figures=[figure for section in page.sections for figure in section.figures],
        table=table,
        json=lambda spec: Markup(script_json(spec)),
        theme=Markup(script_json(page_config())),
        style=Markup(_style()),
        scripts=[Markup(script) for script in scripts],
        policy=_policy(scripts),
    )


def _unbroken(value: Any) -> Any:
    """Keep a number and its percent sign on one line."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return value.replace(" %", "\u00a0%")
    return value


def _template(name: str) -> str:
    return (files("headcount.report") / "templates" / name).read_text(encoding="utf-8")


def _style() -> str:
    light, dark = _declarations("light"), _declarations("dark")
    return (
        f":root {{ {light} color-scheme: light; }}\n"
        f"@media screen and (prefers-color-scheme: dark) "
        f"{{ :root {{ {dark} color-scheme: dark; }} }}\n" + _template("report.css")
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
