"""Charts made to fit the page."""

import altair as alt

from headcount.report.fitting import fitted

ROWS = [{"name": name, "kind": kind, "n": 1} for name in "abc" for kind in "xy"]


def _bars() -> alt.Chart:
    return alt.Chart(alt.Data(values=ROWS)).mark_bar().encode(x="n:Q", y="name:N")


def test_a_chart_becomes_as_wide_as_the_page_and_loses_its_look() -> None:
    spec = fitted(_bars().configure_axis(grid=False).properties(width=400).to_dict())
    assert spec["width"] == "container"
    assert "config" not in spec


def test_rows_are_counted_where_the_height_follows_from_them() -> None:
    one = fitted(_bars().to_dict())["height"]
    two = fitted(_bars().encode(yOffset="kind:N").to_dict())["height"]
    assert two == 2 * one
    layered = alt.layer(_bars(), _bars().mark_text()).to_dict()
    assert fitted(layered)["height"] == one


def test_named_data_sets_are_counted_too() -> None:
    spec = _bars().to_dict()
    spec["datasets"] = {"rows": spec.pop("data")["values"]}
    spec["data"] = {"name": "rows"}
    assert fitted(spec)["height"] == fitted(_bars().to_dict())["height"]


def test_a_height_of_its_own_and_a_numeric_axis_stay() -> None:
    assert fitted(_bars().properties(height=77).to_dict())["height"] == 77
    dots = alt.Chart(alt.Data(values=ROWS)).mark_point().encode(x="n:Q", y="n:Q")
    assert "height" not in fitted(dots.to_dict())


def test_charts_put_together_keep_their_width() -> None:
    for chart in (_bars() | _bars(), _bars().encode(column="kind:N")):
        assert fitted(chart.to_dict()).get("width") != "container"


def test_stacked_charts_lose_their_titles_and_are_left_to_the_page() -> None:
    spec = fitted((_bars().properties(title="Bars") & _bars()).to_dict())
    assert all("title" not in part for part in spec["vconcat"])
    assert "width" not in spec
