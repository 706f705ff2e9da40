"""Calculators: the numbers of the functions and commands, with the state in the address."""

import html
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import headcount as hc
from headcount.options.plans import ComparisonPlanOptions
from headcount.web.plans import PLANS

JOINT = "truth,a,b,share\nx,x,x,0.4\nx,x,y,0.1\ny,y,y,0.35\ny,y,x,0.1\ny,x,y,0.05\n"
CONFUSION = "truth,label,chance\nx,x,0.8\nx,y,0.2\ny,y,0.7\ny,x,0.3\n"
ASKED = {
    "budget": {"accuracy": 0.8, "margin": 0.05, "label_accuracy": 0.8, "budget": 300},
    "target": {"accuracy": 0.9, "margin": 0.02, "label_accuracy": 0.7, "target": 0.95},
    "costs": {"accuracy": 0.8, "margin": 0.05, "label_accuracy": 0.8, "target": 0.9,
              "item_cost": 5},
    "step": {"step": "0.22,0.19", "target": 0.95},
    "many": {"accuracy": 0.8, "margin": 0.05, "label_accuracy": 0.6, "n_labels": 4, "target": 0.9},
    "some": {"accuracy": 0.8, "margin": 0.05, "label_accuracy": 0.8, "budget": 99,
             "labels_per_item": "1,3,2+1", "rivals": 5},
    "spread": {"accuracy": 0.8, "margin": 0.05, "label_accuracy": 0.8, "label_spread": 0.1,
               "budget": 300},
    "apart": {"worse_accuracy": 0.7, "better_if_worse_wrong": 0.5, "better_if_worse_right": 0.9,
              "label_accuracy_if_better": 0.8, "label_accuracy_if_worse": 0.7, "target": 0.9},
}  # fmt: skip


def _called(asked):
    """The same question to `plan_comparison` itself."""
    given = dict(asked)
    costs = hc.Costs(item=given.pop("item_cost", 0.0))
    if "step" in given:
        given["step"] = tuple(map(float, given["step"].split(",")))
    if "labels_per_item" in given:
        given["labels_per_item"] = given["labels_per_item"].split(",")
    if "label_spread" in given:
        spread = hc.LabelAccuracy.spread(given["label_accuracy"], given.pop("label_spread"))
        given["label_accuracy"] = spread
    if "worse_accuracy" in given:
        names = ("worse_accuracy", "better_if_worse_wrong", "better_if_worse_right")
        given["joint"] = hc.Correlated(*(given.pop(name) for name in names))
        given["label_accuracy"] = hc.Noise(
            None,
            if_better=given.pop("label_accuracy_if_better"),
            if_worse=given.pop("label_accuracy_if_worse"),
        )
    return hc.plan_comparison(**given, costs=costs)


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_a_comparison_equals_plan_comparison(shared_site, asked) -> None:
    answer = shared_site.client.get("/api/plans/compare", params=asked).json()
    expected = _called(asked)
    assert answer["result"] == json.loads(expected.to_json())
    assert answer["verdict"] == expected.verdict()
    page = shared_site.client.get("/calculators/compare", params=asked).text
    assert html.escape(expected.verdict(), quote=False) in page.replace("\u00a0", " ")


def test_small_tables_equal_plan_comparison(shared_site) -> None:
    asked = {"joint": JOINT, "label_confusion": CONFUSION, "target": 0.9}
    joint = np.zeros((2, 2, 2))
    joint[0, 0, 0], joint[0, 0, 1], joint[1, 1, 1] = 0.4, 0.1, 0.35
    joint[1, 1, 0], joint[1, 0, 1] = 0.1, 0.05
    expected = hc.plan_comparison(joint=joint, label_confusion=[[0.8, 0.2], [0.3, 0.7]], target=0.9)
    answer = shared_site.client.get("/api/plans/compare", params=asked).json()
    assert answer["result"] == json.loads(expected.to_json())


def test_every_option_of_the_plan_is_on_the_page(shared_site) -> None:
    page = shared_site.client.get("/calculators/compare").text
    names = set(re.findall(r'<(?:input|select|textarea)[^>]* name="([^"]+)"', page))
    assert set(ComparisonPlanOptions.__dataclass_fields__) <= names


@pytest.mark.parametrize(
    ("name", "query"),
    [("gold", {"accuracy": 0.9, "half_width": 0.03}), ("ratings", {"kinds": "0.5:0.9,0.5:0.3"})],
)
def test_the_command_that_is_shown_gives_the_same(shared_site, name, query, tmp_path) -> None:
    answer = shared_site.client.get(f"/api/plans/{name}", params=query).json()
    words = [*shlex.split(answer["command"])[1:], "--format", "json"]
    run = subprocess.run(
        [sys.executable, "-m", "headcount", *words],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(Path(hc.__file__).parents[1]), "PATH": ""},
    )
    assert answer["result"] == json.loads(run.stdout)


def test_simulated_plans_equal_plan_accuracy(shared_site) -> None:
    query = {"kappa": 0.5, "labels": 3, "items": "50,100", "simulations": 50, "seed": 3}
    answer = shared_site.client.get("/api/plans/accuracy", params=query).json()
    expected = hc.plan_accuracy(kappa=0.5, labels=3, items=[50, 100], simulations=50, seed=3)
    assert answer["result"] == json.loads(expected.to_json())


def test_the_address_holds_the_state(shared_site) -> None:
    page = shared_site.client.get("/calculators/gold", params={"accuracy": "0.91"}).text
    assert re.search(r'name="accuracy"[^>]* value="0.91"', page)
    assert "91 % of items" in page.replace("\u00a0", " ")


@pytest.mark.parametrize("name", PLANS)
def test_what_cannot_be_is_told_in_a_sentence(shared_site, name) -> None:
    option = {"compare": "margin", "accuracy": "kappa", "gold": "accuracy", "ratings": "kinds"}[
        name
    ]
    # What takes its time is refused by a process of its own: once is enough there.
    for value in ("7",) if name == "accuracy" else ("7", "-1", "x", "nan"):
        query = {option: value}
        refused = shared_site.client.get(f"/api/plans/{name}", params=query)
        assert refused.status_code == 422, refused.text
        assert refused.json()["error"].endswith(".")
        assert shared_site.client.get(f"/calculators/{name}", params=query).status_code == 200
    stray = shared_site.client.get(f"/calculators/{name}", params={"nonsense": "1"})
    assert "no option" in stray.text
