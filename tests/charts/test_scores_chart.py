"""Judge against people: as many marks for 200,000 items as for 200, and nothing raw."""

import json

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.charts import save
from headcount.errors import OptionError


def found_on(n_items, judges=("judge",)):
    rng = np.random.default_rng(1)
    score = rng.normal(50, 15, n_items)
    item = np.repeat(np.arange(n_items), 2)
    ratings = pa.table({"item": item, "label": score[item] + rng.normal(0, 10, len(item))})
    said = {name: score + rng.normal(0, 8, n_items) for name in judges}
    return hc.scores(ratings, pa.table({"item": np.arange(n_items)} | said))


def marks(spec):
    """How many rows all data in a specification hold."""
    if isinstance(spec, dict):
        values = spec.get("values") if "values" in spec else None
        own = len(values) if isinstance(values, list) else 0
        return own + sum(marks(each) for key, each in spec.items() if key != "values")
    return sum(map(marks, spec)) if isinstance(spec, list) else 0


@pytest.mark.parametrize("n_items", [200, 50_000])
def test_any_number_of_items_is_drawn_with_a_thousand_marks(n_items, tmp_path):
    chart = found_on(n_items).chart()
    assert marks(chart.to_dict()) <= 1000
    assert len(json.dumps(chart.to_dict())) < 100_000
    assert save(chart, tmp_path / "a.png").stat().st_size > 5000


def test_several_judges_side_by_side_and_one_alone(tmp_path):
    found = found_on(300, ("one", "two", "three"))
    assert len(found.chart().to_dict()["vconcat"]) == 2
    alone = found.chart(classifier="two", theme="dark")
    assert "layer" in alone.to_dict() or "hconcat" in alone.to_dict()
    assert save(found.chart(), tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")


def test_a_few_whole_levels_have_a_row_each():
    rng = np.random.default_rng(2)
    answers = rng.integers(1, 6, (50, 3))
    ratings = pa.table({"item": np.repeat(np.arange(50), 3), "label": answers.ravel()})
    found = hc.scores(ratings, pa.table({"item": np.arange(50), "judge": rng.integers(1, 6, 50)}))
    cells = found["judge"].cells
    np.testing.assert_allclose(cells.judge, np.arange(0.5, 6))
    assert cells.items.sum() == 50


def test_people_alone_have_nothing_to_be_drawn_against():
    rng = np.random.default_rng(3)
    ratings = pa.table({"item": np.repeat(np.arange(9), 2), "label": rng.normal(0, 1, 18)})
    found = hc.scores(ratings)
    with pytest.raises(OptionError, match="no judge to draw"):
        found.chart()
    assert "ICC" in found._repr_html_()
