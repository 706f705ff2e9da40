"""Whom to ask beside the best classifier, as an evaluation, its report and its gates tell it."""

import json

import pytest

import headcount as hc
from headcount.evaluation.gates import hold_requirements
from headcount.report.writing import page_of


@pytest.fixture(scope="module")
def found():
    made = hc.simulate.make("comments", seed=3, items=900)
    return hc.evaluate(made.ratings, made.predictions, n_bootstrap=50), made


def test_what_is_said_is_what_together_says(found):
    evaluation, made = found
    (member,) = evaluation.together.classifiers
    assert member.name == evaluation.best_first()[0].name
    alone = hc.together(made.ratings, made.predictions, n_bootstrap=50)[member.name]
    assert member.to_dict() == alone.to_dict()
    assert member.worth_with(0).to_dict() == evaluation[member.name].worth.to_dict()
    told = json.loads(evaluation.to_json())["together"]
    assert set(told["classifiers"][0]) == {"name", "with_people", "adds", "policies"}


def test_a_gate_holds_what_is_saved(found):
    evaluation, _ = found
    name = evaluation.best_first()[0].name
    assert not hold_requirements(evaluation, [f"{name}:saves>=10%"]).unmet
    assert hold_requirements(evaluation, [f"{name}:saves>100%"]).unmet
    other = evaluation.best_first()[-1].name
    (said,) = hold_requirements(evaluation, [f"{other}:saves>=10%"]).unmet
    assert "ask headcount together for others" in said


def test_the_report_opens_a_section_with_its_finding(found):
    evaluation, _ = found
    page = page_of(evaluation)
    (finding,) = [each for each in page.findings if each.name == "together"]
    assert " is as good as asking " in finding.title
    assert finding.chart
    assert "one threshold on its confidence" in finding.chart
    assert finding.table.rows[0][0] == "one"
    assert [each.name for each in finding.folded] == ["together"]


def test_other_scores_have_no_people_beside_them():
    made = hc.simulate.make("comments", seed=3, items=200)
    found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=0, scorer="agreement")
    assert not found.together
    assert "together" not in found.unavailable()
    assert all(each.name != "together" for each in page_of(found).sections)
    assert found.estimates()["fine_tuned"]["saves"].value is None
