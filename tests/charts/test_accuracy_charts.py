"""The charts of accuracy: what they show, and that they can be rendered."""

import pytest

import headcount as hc
from headcount.charts import save
from headcount.errors import OptionError
from headcount.simulate import make


@pytest.fixture(scope="module")
def result():
    data = make("fallible", cases=300, seed=0)
    return hc.system_accuracy(data.ratings, data.predictions, n_bootstrap=30)


def _values(spec, node):
    """The rows behind a part of a chart, written there or kept by name."""
    data = node["data"] if "data" in node else node["layer"][0]["data"]
    return data["values"] if "values" in data else spec["datasets"][data["name"]]


def test_all_parts_in_one_chart(result, tmp_path):
    spec = result.chart().to_dict()
    assert len(spec["vconcat"]) == 4
    assert save(result.chart(), tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("part", ["classifiers", "estimates", "dependence", "misled", "bins"])
def test_each_part_alone(result, part, tmp_path):
    path = save(result.chart(part=part, theme="dark"), tmp_path / "a.png")
    assert path.stat().st_size > 1000


def test_a_span_is_a_bar_without_a_dot(result):
    spec = result.chart(part="classifiers").to_dict()
    bars, dots = spec["layer"]
    rows = {row["who"]: row for row in _values(spec, spec)}
    assert rows["system"]["value"] is None
    assert rows["system"]["low"] < rows["system"]["high"]
    assert dots["transform"] == [{"filter": "datum.value != null"}]
    assert "transform" not in bars


def test_the_span_widens_with_the_share_of_misled_items(result):
    spec = result.chart(part="misled").to_dict()
    rows = _values(spec, spec["layer"][0])
    widths = [row["high"] - row["low"] for row in rows]
    assert widths == sorted(widths)
    assert rows[0]["misled"] == 0


def test_bins_show_items_and_agreement(result):
    spec = result.chart(part="bins").to_dict()
    held, shares = spec["vconcat"]
    assert sum(row["items"] for row in _values(spec, held)) == 300
    assert [layer["mark"]["type"] for layer in shares["layer"]] == ["tick", "line"]


def test_raters_alone_and_undefined_estimates_are_drawn(tmp_path):
    raters = hc.system_accuracy(make("fallible", cases=60, seed=1).ratings, n_bootstrap=0)
    assert save(raters.chart(), tmp_path / "a.svg").exists()
    nothing = hc.system_accuracy(
        hc.Ratings.from_counts([[1, 1, 1]] * 4, labels=["a", "b", "c"]), n_bootstrap=0
    )
    assert save(nothing.chart(), tmp_path / "b.svg").exists()


def test_options_that_cannot_be_drawn(result):
    with pytest.raises(OptionError, match='part is one of "all", "classifiers"'):
        result.chart(part="pie")
    with pytest.raises(OptionError, match="no classifier 'nobody'"):
        result.chart(classifiers=["nobody"])


def test_planner_curves(tmp_path):
    plan = hc.plan_accuracy(kappa=0.6, simulations=40)
    spec = plan.chart().to_dict()
    assert len(spec["layer"]) == 4
    assert save(plan.chart(), tmp_path / "a.svg").exists()
    hopeless = hc.plan_accuracy(kappa=0.1, items=[10], simulations=20)
    assert len(hopeless.chart().to_dict()["layer"]) == 2
