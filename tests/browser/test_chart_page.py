"""A saved chart opened in a real browser."""

from pathlib import Path

import altair as alt

from headcount.charts import save
from headcount.charts.theme import themed

MARKUP = "</script><script>alert(1)</script>"


def test_a_saved_chart_is_drawn_without_a_network_and_shows_markup_as_text(
    tmp_path: Path, open_page
) -> None:
    rows = [{"label": MARKUP, "n": 3}, {"label": "plain", "n": 4}]
    chart = alt.Chart(alt.Data(values=rows)).mark_bar().encode(x="n:Q", y="label:N")
    path = save(themed(chart), tmp_path / "chart.html")
    opened = open_page(path)
    opened.page.wait_for_selector("#chart svg")
    assert MARKUP in opened.page.text_content("#chart svg")
    assert opened.problems == []
    assert opened.requests == [path.resolve().as_uri()]
