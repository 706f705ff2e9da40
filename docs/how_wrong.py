"""The directive `measured`: what a page has measured of itself, shown on another page as well.

    ```{measured} people.md
    :section: Measured
    :from: Share of data sets whose
    ```

shows that section of people.md, from the paragraph that begins so to the section's end. Nothing is
copied, so the two cannot differ; what is not found stops the build.
"""

import re
from pathlib import Path
from typing import Any

_HEADING = re.compile(r"^(#+)\s+(.*?)\s*$")


def excerpt(page: str, section: str, start: str = "") -> str:
    """A section of a page from the paragraph that begins with `start`; all of it without one."""
    lines = page.splitlines()
    for number, line in enumerate(lines):
        found = _HEADING.match(line)
        if found and found[2] == section:
            body = _until_next(lines[number + 1 :], len(found[1]))
            break
    else:
        raise ValueError(f"there is no section {section!r}")
    if not start:
        return body.strip()
    place = 0 if body.lstrip().startswith(start) else body.find(f"\n\n{start}")
    if place < 0:
        raise ValueError(f"no paragraph of {section!r} begins with {start!r}")
    return body[place:].strip()


def _until_next(lines: list[str], level: int) -> str:
    """The lines before the next heading that is not below this one; code is not looked at."""
    kept, in_code = [], False
    for line in lines:
        in_code ^= line.lstrip().startswith("```")
        found = None if in_code else _HEADING.match(line)
        if found and len(found[1]) <= level:
            break
        kept.append(line)
    return "\n".join(kept)


def setup(app: Any) -> dict[str, bool]:
    """Register the directive."""
    from docutils import nodes
    from docutils.parsers.rst import Directive, directives
    from docutils.statemachine import StringList

    class Measured(Directive):
        """What a page has measured of itself."""

        required_arguments = 1
        option_spec = {  # noqa: RUF012
            "section": directives.unchanged_required,
            "from": directives.unchanged_required,
        }

        def run(self) -> list[Any]:
            """The section's own nodes, with a link to where it stands."""
            environment = self.state.document.settings.env
            path = Path(environment.srcdir) / self.arguments[0]
            environment.note_dependency(str(path))
            try:
                text = excerpt(
                    path.read_text(encoding="utf-8"),
                    self.options["section"],
                    self.options.get("from", ""),
                )
            except (OSError, ValueError) as error:
                raise self.error(f"{self.arguments[0]}: {error}") from error
            holder = nodes.container(classes=["measured"])
            lines = StringList(text.splitlines(), source=str(path))
            self.state.nested_parse(lines, 0, holder)
            return [holder]

    app.add_directive("measured", Measured)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
