"""A page as one HTML file: everything inline, every word of users escaped."""

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup, escape

from headcount.charts.saving import script_json, vega_scripts
from headcount.charts.theme import Mode, css_variables, page_config
from headcount.report.page import Page
from headcount.results import Table, percent

_OWN: dict[Mode, dict[str, str]] = {
    "light": {
        "--card": "#f6f8fa",
        "--link": "#0a58b5",
        "--grid": "#e7e9ec",
        "--people": "#3a4149",
        "--against": "#ffffff",
    },
    "dark": {
        "--card": "#1e2329",
        "--link": "#8ab8ff",
        "--grid": "#2a2f35",
        "--people": "#cdd3d9",
        "--against": "#13161a",
    },
}
"""Colours that only the page has, beside those it shares with the charts."""
_NAMES: dict[Mode, tuple[str, ...]] = {
    "light": ("#0a5fc2", "#b94a00", "#007a63", "#7a3fb0", "#a8185f", "#6f5600"),
    "dark": ("#74b3ff", "#ff9f5a", "#45cfae", "#c79bff", "#ff8fc0", "#e0c060"),
}
"""Colours of names, at least 4.5 to 1 on the page; apart for colour-blind readers too."""


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
    found.filters["coloured"] = coloured
    table_template = found.get_template("table.html.j2")

    def table(shown: Table) -> Markup:
        return Markup(table_template.render(table=shown))

    plain = found.get_template("plain_table.html.j2")

    def plain_table(shown: Table, colours: Mapping[str, str]) -> Markup:
        return Markup(plain.render(table=shown, colours=colours))

    found.globals["percent"] = percent
    found.globals["table"] = table
    found.globals["plain_table"] = plain_table
    found.globals["json"] = lambda spec: Markup(script_json(spec))
    return found


def render(page: Page) -> str:
    """The page as HTML."""
    # Only our own script, our own style and JSON made safe for scripts skip the escaping.
    scripts = [vega_scripts(), template("report.js")]
    browsers = [each.items for each in page.findings if each.items is not None]
    scripts += [template("items.js")] if browsers else []
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            page=page,
            figures=[figure for section in page.sections for figure in section.figures],
            theme=Markup(script_json(page_config())),
            style=Markup(style() + template("answer.css")),
            items=browsers[0] if browsers else None,
            colour_list=list(page.colours.values()),
            scripts=[Markup(script) for script in scripts],
            policy=_policy(scripts),
        )
    )


def coloured(text: str, colours: Mapping[str, str]) -> Markup:
    """A sentence with every classifier's name in its colour."""
    names = sorted(colours, key=len, reverse=True)
    if not names:
        return escape(text)
    pattern = "|".join(rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in names)
    parts, last = [], 0
    for found in re.finditer(pattern, text):
        parts.append(escape(_unbroken(text[last : found.start()])))
        parts.append(
            Markup('<span class="{}">{}</span>').format(colours[found.group()], found.group())
        )
        last = found.end()
    return Markup("").join([*parts, escape(_unbroken(text[last:]))])


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
    named = {f"--c{place}": name for place, name in enumerate(_NAMES[mode])}
    own = {**css_variables(mode), **_OWN[mode], **named}
    return " ".join(f"{k}: {v};" for k, v in own.items())


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
