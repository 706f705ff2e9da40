"""The charts of an evaluation hold its numbers, in one order and one colour a classifier."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import headcount as hc
from headcount.charts import save
from headcount.charts.evaluation import accuracies, agreeing, levels
from headcount.charts.grammar import spec_of
from headcount.simulate import make


@pytest.fixture(scope="module")
def evaluation() -> hc.Evaluation:
    made = make("comments", seed=11, items=150)
    return hc.evaluate(
        hc.Ratings.from_frame(pa.table(made.rating_columns)),
        hc.Predictions.from_frame(pa.table(made.prediction_columns)),
        n_bootstrap=20,
    )


def rows(chart: Any) -> Iterator[dict[str, Any]]:
    """Every row of data that a chart draws."""
    spec = spec_of(chart)
    for values in spec.get("datasets", {}).values():
        yield from values
    stack = [spec]
    while stack:
        part = stack.pop()
        yield from part.get("data", {}).get("values", [])
        stack += part.get("layer", [])


def test_who_would_agree_and_the_ceiling(evaluation: hc.Evaluation) -> None:
    order = [each.name for each in evaluation.best_first()]
    ceiling = evaluation.population.ceiling
    found = list(rows(agreeing(evaluation.scores, order=order, ceiling=ceiling)))
    shares = {row["classifier"]: row["value"] for row in found if "classifier" in row}
    assert shares == {each.name: each.agree.value for each in evaluation.classifiers}
    line = {row["value"] for row in found if row.get("reference") == "ceiling"}
    assert line == {ceiling.value}


def test_accuracy_beside_a_single_rater(evaluation: hc.Evaluation) -> None:
    found = list(rows(accuracies(evaluation.accuracy)))
    values = {row["classifier"]: row["value"] for row in found if "classifier" in row}
    assert values == {each.name: each.accuracy.value for each in evaluation.classifiers}
    assert next(row["reference"] for row in found if "reference" in row) == "a single rater"


def test_levels_have_a_point_for_each_classifier_and_the_oracle(
    evaluation: hc.Evaluation,
) -> None:
    found = list(rows(levels(evaluation.levels)))
    per_level = len(evaluation.levels.parts) - 1
    names = [row["classifier"] for row in found]
    for name in ("word_list", "fine_tuned", "llm_judge", "most raters' answer"):
        assert names.count(name) % per_level == 0
        assert names.count(name) > 0
    assert {row["level"] for row in found} >= {"nobody"}


def test_classifiers_keep_their_order_in_every_chart(evaluation: hc.Evaluation) -> None:
    order = [each.name for each in evaluation.best_first()]
    assert list(evaluation.ranked_equivalence().names) == order
    for chart in (agreeing(evaluation.scores, order=order), levels(evaluation.levels, order=order)):
        text = str(spec_of(chart))
        assert str({"domain": order}) in text


def test_an_evaluation_is_drawn_as_its_power_curve(
    evaluation: hc.Evaluation, tmp_path: Path
) -> None:
    assert save(evaluation.chart(), tmp_path / "curve.svg").stat().st_size > 5_000
