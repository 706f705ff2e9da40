"""A small table for people, as text, Markdown or HTML, user text in it made harmless."""

import html
import re

from headcount.frozen import frozen
from headcount.results.estimate import Estimate

Cell = str | int | float | bool | None | Estimate


@frozen
class Table:
    """Rows for people to read: `columns` are headings, `rows` hold cells in that order.

    Numbers are right-aligned; floats print with `digits` decimals; None prints as "–". `id` is
    what code finds the table by: titles are for people and may change.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    digits: int = 3
    id: str = ""

    def cells(self) -> list[list[str]]:
        """The rows as text."""
        return [[self._text(cell) for cell in row] for row in self.rows]

    def numeric(self) -> list[bool]:
        """Which columns hold numbers (and are right-aligned)."""
        return [
            bool(self.rows) and all(not isinstance(row[j], str) for row in self.rows)
            for j in range(len(self.columns))
        ]

    def as_text(self) -> str:
        """Aligned plain text with the title above."""
        grid = [list(self.columns), *self.cells()]
        widths = [max(len(row[j]) for row in grid) for j in range(len(self.columns))]
        right = self.numeric()
        lines = [
            "  ".join(
                cell.rjust(width) if is_right else cell.ljust(width)
                for cell, width, is_right in zip(row, widths, right, strict=True)
            ).rstrip()
            for row in grid
        ]
        lines.insert(1, "  ".join("-" * width for width in widths))
        parts = [self.title, *("  " + line for line in lines)]
        if self.caption:
            parts.append("  " + self.caption)
        return "\n".join(parts)

    def as_markdown(self) -> str:
        """A Markdown table; pipes and markup in user text are escaped."""
        marks = ["--:" if is_right else "---" for is_right in self.numeric()]
        rows = [[markdown(cell) for cell in row] for row in self.cells()]
        heading = [markdown(column) for column in self.columns]
        lines = ["| " + " | ".join(row) + " |" for row in [heading, marks, *rows]]
        parts = [f"**{markdown(self.title)}**", "", *lines]
        if self.caption:
            parts += ["", markdown(self.caption)]
        return "\n".join(parts)

    def as_html(self) -> str:
        """An HTML table; all text is escaped."""
        right = self.numeric()

        def row(tag: str, cells: list[str], scope: str = "") -> str:
            return (
                "<tr>"
                + "".join(
                    f"<{tag}{scope}{' class=num' if is_right else ''}>{html_text(cell)}</{tag}>"
                    for cell, is_right in zip(cells, right, strict=True)
                )
                + "</tr>"
            )

        caption = f"<caption>{html_text(self.title)}</caption>"
        head = f"<thead>{row('th', list(self.columns), ' scope=col')}</thead>"
        body = f"<tbody>{''.join(row('td', cells) for cells in self.cells())}</tbody>"
        foot = f"<p>{html_text(self.caption)}</p>" if self.caption else ""
        return f"<table>{caption}{head}{body}</table>{foot}"

    def _text(self, cell: Cell) -> str:
        if cell is None:
            return "–"
        if isinstance(cell, bool):
            return "yes" if cell else "no"
        if isinstance(cell, Estimate):
            return cell.text(self.digits)
        if isinstance(cell, float):
            return f"{cell:.{self.digits}f}"
        if isinstance(cell, int):
            return f"{cell:,}"
        return plain(cell)


_MARKS = re.compile(r"[\\|`*_\[\]#~$]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}

# What a bare address becomes a link by.
_MADE_LINKS = re.compile(r"(?<=http):|(?<=https):|(?<=ftp):|(?<=www)\.", re.IGNORECASE)

# What makes somebody hear of it, or another page: @name, #12. Forges look at the finished page,
# where no escape is left, so that only a space of no width stops them.
_ADDRESSED = re.compile(r"@|(?<=#)(?=\d)")

# What spreadsheets take the rest of a cell for a formula by.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")

# What would begin a list, an underlined heading or a block of code.
_LIST_MARK = re.compile(r"^(?:[-+]|\d{1,9}(?=[.)])|(?=\s)|=)")


def plain(text: str) -> str:
    r"""Text as one printable line: control characters become visible escapes.

    >>> plain("a\nb\x1b[31m")
    'a\\nb\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode("ascii")
        for char in text
    )


def markdown(text: str) -> str:
    r"""Text that Markdown shows as it is, wherever in a line it stands.

    >>> markdown("<b>|*x*")
    '&lt;b&gt;\\|\\*x\\*'
    >>> markdown("- see https://a.example, @you")
    '\\- see https&#58;//a.example, @&#8203;you'
    """
    escaped = _ADDRESSED.sub(r"\g<0>\0", plain(text))
    escaped = re.sub("[&<>]", lambda found: _ENTITIES[found[0]], escaped)
    escaped = _MARKS.sub(r"\\\g<0>", escaped).replace("\0", "&#8203;")
    escaped = _MADE_LINKS.sub(lambda found: f"&#{ord(found[0])};", escaped)
    return _LIST_MARK.sub(_at_the_start, escaped)


def _at_the_start(found: re.Match[str]) -> str:
    if not found[0]:
        return "&#8203;"
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def spreadsheet(text: str) -> str:
    r"""Text that a spreadsheet takes for text: what it would run as a formula gets an apostrophe.

    >>> spreadsheet('=HYPERLINK("https://a.example")'), spreadsheet("gpt-4o")
    ('\'=HYPERLINK("https://a.example")', 'gpt-4o')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def html_text(text: str) -> str:
    """Text that a page shows as it is."""
    return html.escape(plain(text))
