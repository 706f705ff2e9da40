"""The charts of a plan: what they show, and that they can be rendered."""

import numpy as np
import pytest

import headcount as hc
from headcount.charts import save
from headcount.errors import OptionError
from headcount.simulate import make


@pytest.fixture(scope="module")
def plan():
    return hc.plan_comparison(accuracy=0.9, margin=0.05, label_accuracy=0.8, target=0.95)


def test_all_parts_in_one_chart(plan, tmp_path):
    assert len(plan.chart().to_dict()["vconcat"]) == 5
    assert save(plan.chart(), tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("part", ["probability", "loss", "sample_size", "rivals", "rate"])
def test_each_part_alone(plan, part, tmp_path):
    assert save(plan.chart(part=part, theme="dark"), tmp_path / "a.png").stat().st_size > 1000


def values(chart):
    spec = chart.to_dict()
    data = spec["data"] if "data" in spec else spec["layer"][0]["data"]
    return data["values"] if "values" in data else spec["datasets"][data["name"]]


def test_the_lines_hold_the_plans_own_numbers(plan):
    by_labels = {row["labels"] for row in values(plan.chart(part="probability"))}
    assert by_labels == {p.strategy.name for p in plan.plans}
    # Cramér is never below the exact failure, Hoeffding never below Cramér.
    curves = {}
    for row in values(plan.chart(part="sample_size")):
        curves.setdefault(row["items"], {})[row["by"]] = row["failure"]
    for at in curves.values():
        if len(at) == 3:
            assert at["exact"] <= at["Cramér"] <= at["Hoeffding"]
    ranked = values(plan.chart(part="rivals", tolerance=0.1))
    assert {row["by"] for row in ranked} == {"exact", "Cramér", "Hoeffding"}
    assert {row["labels"] for row in ranked} == {"1", "3"}


def test_a_budget_has_no_target_line_and_bad_options_are_refused():
    plan = hc.plan_comparison(accuracy=0.9, margin=0.05, label_accuracy=0.8, budget=500)
    assert "layer" not in plan.chart(part="probability").to_dict()
    with pytest.raises(OptionError, match="part is"):
        plan.chart(part="everything")
    with pytest.raises(OptionError, match="tolerance lies"):
        plan.chart(part="rivals", tolerance=2)


@pytest.fixture(scope="module")
def pilot():
    data = make("comments", items=300, seed=2)
    return hc.plan_from_pilot(
        data.ratings, data.predictions, classifiers=["llm_judge", "fine_tuned"], loss=0.0001
    )


def test_a_pilot_draws_loss_and_probability_against_labels(pilot, tmp_path):
    loss = values(pilot.chart(part="loss"))
    where = [row for row in loss if row["where"] == "only where they differ"]
    assert [row["loss"] for row in where] == sorted((row["loss"] for row in where), reverse=True)
    anywhere = [row for row in loss if row["where"] != "only where they differ"]
    assert all(a["loss"] <= b["loss"] for a, b in zip(where, anywhere, strict=True))
    assert len(values(pilot.chart(part="probability"))) == len(loss)
    assert save(pilot.chart(), tmp_path / "a.svg").exists()
    with pytest.raises(OptionError, match="part is"):
        pilot.chart(part="rivals")


def test_plans_without_label_accuracies_are_drawn_too(tmp_path):
    plan = hc.plan_comparison(step=(0.22, 0.19), target=0.95)
    assert save(plan.chart(), tmp_path / "a.svg").exists()


def test_the_loss_is_the_margin_times_the_chance_of_the_other_against_theory(plan):
    budgets = np.array([200.0, 700.0])
    losses, chances = plan.losses(budgets), plan.probabilities(budgets)
    for strategy, chance in chances.items():
        assert losses[strategy] == pytest.approx(plan.pairing.gap * (1 - chance))
    shown = values(plan.chart(part="loss"))
    first = min(row["cost"] for row in shown)
    one = next(row for row in shown if row["cost"] == first and row["labels"] == "1")
    again = plan.probabilities(np.array([first]))
    expected = next(chance for strategy, chance in again.items() if strategy.name == "1")
    assert one["loss"] == pytest.approx(100 * plan.pairing.gap * (1 - expected[0]))
