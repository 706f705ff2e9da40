"""A small table for people, rendered as text, Markdown or HTML."""

from headcount.frozen import frozen
from headcount.results.escaping import html_text, markdown, plain
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
