"""`headcount scores`: the same answer as in Python, in every format, and a chart."""

import json

import pytest

import headcount as hc
from headcount.simulate import make


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scores")
    made = make("scores", items=120, seed=2)
    made.write(folder)
    return folder


def test_prints_what_python_says(files, run):
    ratings, predictions = files / "ratings.csv", files / "predictions.csv"
    code, out, _ = run("scores", ratings, predictions, "--format", "json")
    assert code == 0
    told = json.loads(out)
    found = hc.scores(ratings, predictions)
    assert told["classifiers"][0]["bias"]["value"] == pytest.approx(found["judge"].bias.value)
    assert told["people"]["icc_a1"]["value"] == pytest.approx(found.people.icc_a1.value)


def test_a_table_and_a_chart(files, run, tmp_path):
    chart = tmp_path / "scores.svg"
    paths = (files / "ratings.csv", files / "predictions.csv")
    code, out, _ = run("scores", *paths, "--chart", chart)
    assert code == 0
    assert "Judges against people" in out
    assert chart.read_text(encoding="utf-8").startswith("<svg")


def test_people_alone_and_bad_options(files, run):
    code, out, _ = run("scores", files / "ratings.csv", "--tolerance", 2)
    assert code == 0
    assert "two people within 2" in out
    code, _, err = run("scores", files / "ratings.csv", "--tolerance", -2)
    assert code == 1
    assert "tolerance is a distance" in err
