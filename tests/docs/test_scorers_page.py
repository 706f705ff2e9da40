"""The table of scorers in the docs is the one the scorers state about themselves."""

from pathlib import Path

from headcount.metrics.registry import facts_table

PAGE = Path(__file__).parents[2] / "docs" / "scorers.md"
BEGIN = "<!-- generated from headcount.metrics.registry: begin -->\n"
END = "<!-- generated from headcount.metrics.registry: end -->"


def test_the_table_of_scorers_is_up_to_date():
    page = PAGE.read_text(encoding="utf-8")
    shown = page[page.index(BEGIN) + len(BEGIN) : page.index(END)].strip()
    expected = facts_table().as_markdown()
    assert shown == expected, f"put this table between the marks of {PAGE.name}:\n\n{expected}"
