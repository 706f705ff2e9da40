"""`headcount plan compare` and `headcount plan sweep` as a user runs them."""

import csv
import functools
import io
import json

import pytest

from headcount.simulate import make

NUMBERS = ("--accuracy", "0.8", "--margin", "0.05", "--label-accuracy", "0.8")


@pytest.fixture
def run(run):
    """`headcount plan` in an empty folder."""
    return functools.partial(run, "plan")


def test_compare_prints_the_plan(run):
    code, out, err = run("compare", *NUMBERS, "--budget", "300")
    assert (code, err) == (0, "")
    assert out.startswith("Label 300 items, one label each")
    assert "0.796984" in out
    assert "The other question" in out


def test_compare_speaks_json_and_csv_and_draws(run, tmp_path):
    words = ("compare", *NUMBERS, "--target", "0.9", "--labels-per-item", "1,3", "--adaptive")
    code, out, _ = run(*words, "--format", "json", "--chart", "plan.svg")
    told = json.loads(out)
    assert code == 0
    assert told["best"]["labels_per_item"] == 1
    assert [plan["adaptive"] for plan in told["plans"]] == [False, False, True]
    assert (tmp_path / "plan.svg").exists()
    _, out, _ = run(*words, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert float(rows[0]["probability"]) >= 0.9


def test_compare_takes_the_correlated_form(run):
    words = ["--worse-accuracy", "0.7", "--better-if-worse-wrong", "0.5"]
    words += ["--better-if-worse-right", "0.9", "--label-accuracy", "0.8", "--label-spread", "0.1"]
    code, out, _ = run("compare", *words, "--budget", "100", "--item-cost", "2", "--rivals", "3")
    assert code == 0
    assert "best of 4" in out
    assert "varies over items" in out


def test_compare_plans_from_a_pilot(run, tmp_path):
    make("comments", items=400, seed=1).write(tmp_path / "pilot")
    words = ["compare", "--ratings", "pilot/ratings.csv", "--predictions", "pilot/predictions.csv"]
    words += ["--n-bootstrap", "60", "--target", "0.9"]
    code, out, err = run(*words, "--classifiers", "word_list,llm_judge")
    assert (code, err) == (0, "")
    assert "What the pilot says: 400 items" in out
    code, out, _ = run(*words, "--classifiers", "word_list,llm_judge", "--format", "json")
    assert json.loads(out)["pilot"]["better"] == "llm_judge"
    code, _, err = run(*words)
    assert code == 1
    assert "name two" in err
    code, _, err = run(*words, "--accuracy", "0.8")
    assert code == 1
    assert "--accuracy is estimated from the pilot" in err
    code, _, err = run("compare", "--ratings", "pilot/ratings.csv", "--target", "0.9")
    assert code == 1
    assert "both --ratings and --predictions" in err


def test_a_pilot_may_call_its_columns_what_it_likes(run, tmp_path):
    make("comments", items=200, seed=1).write(tmp_path)
    for name, header in (("ratings.csv", "case,who,said"), ("predictions.csv", None)):
        lines = (tmp_path / name).read_text().splitlines()
        lines[0] = header or lines[0].replace("item", "case", 1)
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    words = ["compare", "--ratings", "ratings.csv", "--predictions", "predictions.csv"]
    words += ["--item", "case", "--rater", "who", "--label", "said", "--n-bootstrap", "20"]
    code, out, err = run(*words, "--classifiers", "word_list,llm_judge", "--target", "0.9")
    assert (code, err) == (0, "")
    assert "What the pilot says: 200 items" in out


def test_sweep_prints_counts_and_goes_on_from_a_checkpoint(run, tmp_path):
    words = ("sweep", "--items", "1:5", "--labels", "3", "--checkpoint", "kept.json")
    code, out, _ = run(*words, "--format", "json")
    told = json.loads(out)
    assert code == 0
    assert told["points"] == told["grid_points"] == 9 * 4 * 9 * 5
    assert told["counter_examples"] == 0
    assert json.loads((tmp_path / "kept.json").read_text())["next_point"] == told["grid_points"]
    assert json.loads(run(*words, "--format", "json")[1])["points"] == told["points"]
    code, out, _ = run("sweep", "--form", "correlated", "--items", "1:3", "--biased")
    assert code == 0
    assert "More labels an item win at" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("compare", *NUMBERS), "one of the two"),
        (("compare", "--accuracy", "0.8", "--budget", "9"), "give accuracy (of the better"),
        (("compare", *NUMBERS, "--budget", "9", "--labels-per-item", "x"), "whole numbers"),
        (("compare", *NUMBERS, "--budget", "9", "--label-cost", "-1"), "label_cost is at least 0"),
        (("sweep", "--margin", "a"), "margin holds numbers"),
        (("sweep", "--worse-accuracy", "0.5"), "has no worse_accuracy"),
    ],
)
def test_bad_choices_end_in_a_sentence(run, words, sentence):
    code, out, err = run(*words)
    assert (code, out) == (1, "")
    assert sentence in err
    assert "Traceback" not in err


def test_a_missing_gpu_package_is_named(run, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "cupy", None)
    code, _, err = run("sweep", "--gpu")
    assert code == 1
    assert "headcount[gpu]" in err
