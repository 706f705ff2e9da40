"""The charts of agreement: what they show, and that they can be rendered."""

import pytest

import headcount as hc
from headcount.charts import save
from headcount.errors import OptionError
from headcount.simulate import make


@pytest.fixture(scope="module")
def named():
    return hc.agreement(make("comments", items=60, raters=14, seed=0).ratings, n_bootstrap=50)


def test_all_parts_in_one_chart(named, tmp_path):
    chart = named.chart()
    assert len(chart.to_dict()["vconcat"]) == 3
    assert save(chart, tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("part", ["coefficients", "raters", "items"])
def test_each_part_alone(named, part, tmp_path):
    assert save(named.chart(part=part, theme="dark"), tmp_path / "a.png").stat().st_size > 1000


def test_few_raters_have_their_numbers_in_the_cells(tmp_path):
    few = hc.agreement(make("scores", items=30, raters=4, least=4, most=4).ratings, n_bootstrap=20)
    spec = few.chart(part="raters").to_dict()
    assert [layer["mark"]["type"] for layer in spec["layer"]] == ["rect", "text"]
    assert save(few.chart(), tmp_path / "a.html").stat().st_size > 1000


def test_anonymous_and_undefined_results_are_drawn_too(tmp_path):
    lone = hc.agreement(hc.Ratings.from_counts([[1, 0], [0, 1]], labels=["a", "b"]))
    spec = lone.chart().to_dict()
    assert len(spec["vconcat"]) == 2
    assert save(lone.chart(), tmp_path / "a.svg").exists()
    with pytest.raises(OptionError, match="no chart of raters"):
        lone.chart(part="raters")
    with pytest.raises(OptionError, match="part is"):
        lone.chart(part="everything")
