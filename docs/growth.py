"""The picture of docs/growth.md, from its own table: `python docs/growth.py`."""

import re
from pathlib import Path

import altair as alt
import vl_convert as vlc

PAGE = Path(__file__).parent / "growth.md"
TARGET = Path(__file__).parent / "images" / "growth.svg"


def measured(page: str) -> list[dict[str, float | str]]:
    r"""Seconds of processor time by number of ratings and work, from the page's tables of them.

    >>> measured("| ratings | worth |\n|--:|--:|\n| 10,000 | 1.3 s, 193 MiB |\n| a | power |\n")
    [{'ratings': 10000.0, 'work': 'worth', 'seconds': 1.3}]
    """
    head: list[str] = []
    found: list[dict[str, float | str]] = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] == "ratings":
            head = cells
        if len(cells) != len(head) or not re.fullmatch(r"[\d,]+", cells[0]):
            continue
        for work, cell in zip(head[1:], cells[1:], strict=True):
            number = re.match(r"([\d.]+) s", cell)
            if number:
                ratings = float(cells[0].replace(",", ""))
                found.append({"ratings": ratings, "work": work, "seconds": float(number[1])})
    return found


def main() -> None:
    """Draw it."""
    rows = measured(PAGE.read_text(encoding="utf-8"))
    chart = (
        alt.Chart(alt.Data(values=rows), width=520, height=300)
        .mark_line(point=True)
        .encode(
            alt.X("ratings:Q", scale=alt.Scale(type="log"), axis=alt.Axis(format="~s")),
            alt.Y("seconds:Q", scale=alt.Scale(type="log"), title="seconds of processor time"),
            alt.Color("work:N", title=None, legend=alt.Legend(orient="bottom", columns=4)),
        )
    )
    TARGET.write_text(vlc.vegalite_to_svg(chart.to_dict()), encoding="utf-8")


if __name__ == "__main__":
    main()
