"""An evaluation says which system is best where its ratings name systems."""

import json

import pytest

import headcount as hc
from headcount.report.sections.ranking import ranking
from headcount.report.writing import render


@pytest.fixture(scope="module")
def found() -> hc.Evaluation:
    made = hc.simulate.make("tournament", items=120, seed=1)
    return hc.evaluate(made.ratings, made.predictions, n_bootstrap=50)


def test_what_is_said_is_what_rank_says(found):
    made = hc.simulate.make("tournament", items=120, seed=1)
    alone = hc.rank(made.ratings, made.predictions, n_bootstrap=50)
    assert found.ranking == alone
    told = json.loads(found.to_json())["ranking"]
    assert [each["name"] for each in told["systems"]] == [each.name for each in alone.systems]


def test_the_report_has_a_section_of_it(found):
    section = ranking(found)
    assert section.lead == tuple(found.ranking.verdict().splitlines())
    assert [table.id for table in section.tables] == ["systems", "judges", "position"]
    assert "Which system is best?" in render(found)


def test_nobody_misses_it_elsewhere(evaluation):
    assert not evaluation.ranking
    assert "ranking" not in evaluation.unavailable()
    assert "Which system is best?" not in render(evaluation)
