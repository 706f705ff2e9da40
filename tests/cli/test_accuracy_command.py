"""`headcount accuracy` and `headcount plan accuracy` as a user runs them."""

import csv
import io
import json

import pytest


@pytest.fixture
def run(run):
    """The command line in a folder with simulated experts."""
    run("simulate", "fallible", "-o", "data", "-s", "cases=120", "--seed", "3")
    return run


FILES = ("data/ratings.csv", "data/predictions.csv")


def test_accuracy_for_people(run):
    code, out, err = run("accuracy", *FILES, "--n-bootstrap", "40")
    assert (code, err) == (0, "")
    assert out.startswith("system is right")
    assert "Base rates" in out
    assert "What this rests on" in out


def test_accuracy_as_json(run):
    code, out, _ = run("accuracy", *FILES, "--n-bootstrap", "20", "--format", "json")
    assert code == 0
    found = json.loads(out)
    assert found["items"] == 120
    assert found["classifiers"][0]["name"] == "system"


def test_accuracy_as_csv_with_truth_and_chart(run, tmp_path):
    code, out, err = run(
        "accuracy",
        *FILES,
        *("--n-bootstrap", "20", "--format", "csv", "--latent-class", "off"),
        *("--truth", "truth.csv", "--chart", "accuracy.svg"),
    )
    assert code == 0
    assert [row["name"] for row in csv.DictReader(io.StringIO(out))] == ["system"]
    assert "Truth probabilities written to truth.csv" in err
    written = (tmp_path / "truth.csv").read_text(encoding="utf-8")
    assert len(written.splitlines()) == 121
    assert (tmp_path / "accuracy.svg").exists()
    code, out, _ = run("equivalence", "data/ratings.csv", "truth.csv", "--n-bootstrap", "20")
    assert code == 0
    assert "truth" in out


def test_accuracy_of_raters_alone(run):
    code, out, _ = run("accuracy", "data/ratings.csv", "--n-bootstrap", "20")
    assert code == 0
    assert "how often the raters are right" in out or out.startswith("The raters are right on at")


def test_plan_for_people_and_machines(run):
    code, out, err = run(
        "plan", "accuracy", "--kappa", "0.55", "--simulations", "100", "--chart", "plan.svg"
    )
    assert code == 0
    assert "items for ±0.1 in 90 % of" in " ".join(out.split())
    assert "random base rates" in out
    assert "Chart written to plan.svg" in err
    code, out, _ = run(
        *("plan", "accuracy", "--rater-accuracy", "0.7", "--labels", "2", "--raters", "5"),
        *("--items", "50,100", "--base-rates", "0.3,0.7", "--system-accuracy", "0.8"),
        *("--simulations", "50", "--format", "json"),
    )
    assert code == 0
    assert [row["items"] for row in json.loads(out)["points"]] == [50, 100]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("plan", "accuracy"), "--kappa, --rater-accuracy"),
        (("plan", "accuracy", "--kappa", "0.3", "--items", "12.5"), "list of whole numbers"),
        (
            ("plan", "accuracy", "--kappa", "0.3", "--base-rates", "a"),
            "numbers separated by commas",
        ),
        (("accuracy", *FILES, "--precision", "3"), "precision lies between 0 and 1"),
        (("accuracy", *FILES, "--n-bootstrap", "9", "--truth", "t.doc"), "must end in .csv"),
        (("accuracy", "nowhere.csv"), "nowhere.csv"),
    ],
)
def test_bad_words_get_one_sentence(run, words, sentence):
    code, _, err = run(*words)
    assert code == 1
    assert sentence in err
    assert "Traceback" not in err


def test_a_gate_holds_on_to_the_ends_of_the_span(run):
    few = ("--n-bootstrap", "20", "--format", "json")
    assert run("accuracy", *FILES, *few, "--require", "system:accuracy low>=10%")[0] == 0
    code, _, err = run("accuracy", *FILES, *few, "--require", "accuracy low>=99%")
    assert code == 3
    assert "the requirement on the low end is >= 99 %" in err
    code, _, err = run("accuracy", *FILES, *few, "--require", "system:accuracy>=10%")
    assert code == 3
    assert "that span is all there is" in err
    assert "without gold" in err


def test_gold_from_a_file_makes_it_a_number(run):
    few = ("--n-bootstrap", "20", "--format", "json")
    code, out, _ = run("accuracy", *FILES, *few, "--gold", "data/truth.csv")
    assert code == 0
    found = json.loads(out)
    assert found["gold"]["items"] == 120
    assert found["classifiers"][0]["accuracy"]["value"] is not None
    passed = ("--gold", "data/truth.csv", "--require", "system:accuracy>=10%")
    assert run("evaluate", *FILES, *few, *passed)[0] == 0
    assert run("accuracy", *FILES, *few, "--misled", "2")[0] == 1
