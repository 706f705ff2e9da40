"""Pages as HTML, in the look of the report; scripts and style from this server alone."""

import html
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from headcount._version import __version__
from headcount.charts.saving import script_json, vega_scripts
from headcount.charts.theme import page_config
from headcount.report.rendering import environment, style, template
from headcount.results import Table
from headcount.web.guard import FORM_FIELD, Keys
from headcount.web.limits import size_text


class Pages:
    """The templates, with what every page needs."""

    def __init__(self, keys: Keys) -> None:
        self._templates = environment("headcount.web")
        self._templates.globals |= {
            "version": __version__,
            "form_field": FORM_FIELD,
            "form_token": keys.form,
            "theme": Markup(script_json(page_config())),
            "size": size_text,
        }
        self._templates.filters["as_table"] = as_table

    def show(self, name: str, **told: Any) -> str:
        """A page by the name of its template."""
        return self._templates.get_template(f"{name}.html.j2").render(**told)


def as_table(told: dict[str, Any]) -> Table:
    """A table that a worker wrote as JSON; its cells are texts already."""
    rows = tuple(tuple(row) for row in told["rows"])
    return Table(told["title"], tuple(told["columns"]), rows, told["caption"], id=told["id"])


def bare_page(sentence: str) -> str:
    """A page for those who may not see anything else."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark"><title>headcount</title>'
        '<link rel="icon" href="data:,"></head>'
        f"<body><main><h1>headcount</h1><p>{html.escape(sentence)}</p></main></body></html>"
    )


# The files that pages load, and what they are.
SCRIPTS = {
    "page.js": "text/javascript",
    "report.js": "text/javascript",
    "vega.js": "text/javascript",
    "page.css": "text/css",
}


@cache
def asset(name: str) -> bytes:
    """A file that pages load."""
    if name == "vega.js":
        return vega_scripts().encode()
    if name == "report.js":
        return template(name).encode()
    own = (files("headcount.web") / "static" / name).read_text(encoding="utf-8")
    return (style() + own if name == "page.css" else own).encode()
