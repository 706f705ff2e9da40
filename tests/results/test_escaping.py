"""Text from data is shown as it is, wherever it goes."""

import csv
import io
import re
from html import unescape

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import headcount as hc
from headcount.results import Table, markdown, plain
from headcount.simulate import make

markdown_it = pytest.importorskip("markdown_it")

READER = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])
MARKS = "\\\\`*_{}[]()<>#+-.!|~$&;:=@/'\"^ \tab1"


def shown(page: str) -> str:
    """What a reader of a page sees, without spaces that have no width."""
    return unescape(re.sub(r"</?(p|li|ul|td)>\n?", "", page)).replace("\u200b", "")


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.text(alphabet=MARKS, min_size=1, max_size=30), st.text(min_size=1)))
@example("- a")
@example("1. a")
@example("    a block of code")
@example("===")
@example("&lt;b&gt; &amp;")
@example("https://a.example www.a.example <https://a.example>")
@example("![x](https://a.example/x.png)")
def test_markdown_shows_any_text_as_it_is(text: str) -> None:
    printable = plain(text)
    alone, listed = READER.render(markdown(text)), READER.render(f"- {markdown(text)}")
    assert re.findall(r"<(?!/?p>)", alone) == []
    assert re.findall(r"<(?!/?(?:p|li|ul)>)", listed) == []
    for page in (alone, listed):
        assert shown(page).split() == printable.split()
    table = READER.render(Table("t", ("who", "n"), ((text, 1),)).as_markdown())
    assert table.count("<td") == 2
    assert re.findall(r"<(?!/?(?:p|strong|table|thead|tbody|tr|th|td)[ >])", table) == []


@pytest.mark.parametrize("text", ["@everyone", "see owner/repository#12", "https://a.example"])
def test_names_reach_nobody(text: str) -> None:
    """Forges make links, mentions and references of finished text: of these nothing is left."""
    finished = unescape(READER.render(markdown(text)))
    assert not re.search(r"@\w|#\d", finished)
    assert "://" not in markdown(text)


def test_a_spreadsheet_runs_no_name() -> None:
    made = make("comments", seed=2, items=30)
    columns = dict(made.prediction_columns)
    columns['=HYPERLINK("https://a.example")'] = columns.pop("llm_judge")
    found = hc.evaluate(
        hc.Ratings.from_frame(pa.table(made.rating_columns)),
        hc.Predictions.from_frame(pa.table(columns)),
        n_bootstrap=0,
    )
    cells = [cell for row in csv.reader(io.StringIO(found.to_csv())) for cell in row]
    assert any(cell.startswith("'=HYPERLINK") for cell in cells)
    assert not any(cell.startswith(("=", "+", "@")) for cell in cells)
