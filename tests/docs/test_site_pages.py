"""Pages of the site that draw on others: the reference, and how wrong it can be."""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[2] / "docs"
WRITTEN = ("cli.md", "reference.md", "bench.md")
"""Pages that are written by a command and not by hand."""


def _script(name: str) -> ModuleType:
    spec = spec_from_file_location(name, DOCS / f"{name}.py")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


maker, how_wrong = _script("make_reference"), _script("how_wrong")


def test_the_reference_is_up_to_date() -> None:
    written = (DOCS / "reference.md").read_text(encoding="utf-8")
    assert written == maker.page(), "docs/reference.md is out of date: run `make docs`"


def _shown(page: Path) -> list[str]:
    """What a page shows of others, found as the site finds it."""
    text = page.read_text(encoding="utf-8")
    asked = re.findall(r"^```\{measured\} (\S+)\n((?::\w+: .*\n)+)```$", text, flags=re.MULTILINE)
    found = []
    for name, options in asked:
        said = dict(re.findall(r"^:(\w+): (.*)$", options, flags=re.MULTILINE))
        other = (DOCS / name).read_text(encoding="utf-8")
        found.append(how_wrong.excerpt(other, said["section"], said.get("from", "")))
    return found


@pytest.mark.parametrize("page", ["how-wrong.md", "speed.md", "others.md"])
def test_what_is_shown_of_other_pages_is_there(page: str) -> None:
    assert all("|" in text or "." in text for text in _shown(DOCS / page))


def test_all_of_the_side_by_side_was_measured_at_one_commit() -> None:
    page = (DOCS / "bench.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, flags=re.M | re.S))
    asked = set(re.findall(r"bench\.md\n:section: (\w+)", _others() + _speed()))
    assert asked <= set(sections)
    commits = {re.search(r"commit (\S+):", sections[name])[1] for name in asked}
    assert len(commits) == 1, "run `make bench`"


def _others() -> str:
    return (DOCS / "others.md").read_text(encoding="utf-8")


def _speed() -> str:
    return (DOCS / "speed.md").read_text(encoding="utf-8")


def _tables(text: str) -> list[tuple[str, str]]:
    """The tables of a page: the paragraph before each with its headings, and its first row."""
    blocks = [block for block in re.split(r"\n\s*\n", text) if block.strip()]
    return [
        (f"{before}\n{block.splitlines()[0]}", block.splitlines()[2])
        for before, block in zip(["", *blocks], blocks, strict=False)
        if block.startswith("|") and len(block.splitlines()) > 2
    ]


COVERAGE = re.compile(r"intervals? hold|held|coverage|kept", re.IGNORECASE)
OTHER_MEANINGS = {
    "ci.md: What a gate says",
    "drift.md: Raters over their own course",
    "gallery.md: Judges as rankers",
    "together.md: Runs and variants of a judge",
    "equivalence.md: On published data",
    "published-wikipedia.md: What went wrong",
}
"""Tables whose words sound like it and which count something else."""


def test_every_table_of_coverage_is_on_the_page_of_how_wrong_it_can_be() -> None:
    shown = "\n".join(_shown(DOCS / "how-wrong.md"))
    for page in sorted(DOCS.glob("*.md")):
        if page.name in ("how-wrong.md", *WRITTEN):
            continue
        for part in re.split(r"^(?=#)", page.read_text(encoding="utf-8"), flags=re.MULTILINE):
            heading = part.splitlines()[0].lstrip("# ") if part else ""
            for context, first_row in _tables(part):
                if COVERAGE.search(context) and f"{page.name}: {heading}" not in OTHER_MEANINGS:
                    assert first_row in shown, f"{page.name}, {heading}: add it to how-wrong.md"


def test_an_excerpt_ends_where_its_section_does() -> None:
    page = (
        "# A\n\n## B\n\nfirst\n\n```\n## not a heading\n```\n\nsecond\n\n### C\n\nx\n\n## D\n\ny\n"
    )
    assert how_wrong.excerpt(page, "B", "second") == "second\n\n### C\n\nx"
    assert "not a heading" in how_wrong.excerpt(page, "B")
    for section, start in (("E", ""), ("B", "third")):
        with pytest.raises(ValueError, match=r"there is no section|no paragraph"):
            how_wrong.excerpt(page, section, start)


def test_the_words_of_the_report_are_in_the_glossary() -> None:
    from headcount.report.sections.words import WORDS

    page = (DOCS / "glossary.md").read_text(encoding="utf-8")
    terms = {
        line
        for block in re.findall(r"^```\{glossary\}\n(.*?)^```$", page, flags=re.M | re.S)
        for line in block.splitlines()
        if line and not line.startswith(" ")
    }
    assert set(WORDS) <= terms
