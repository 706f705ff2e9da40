"""`headcount deconvolve` as a user runs it."""

import csv
import io
import json

import pytest


@pytest.fixture
def task(run):
    """Ratings and predictions of simulated comments in the folder `data`."""
    assert run("simulate", "comments", "-o", "data", "-s", "items=120", "-s", "retests=0.5")[0] == 0
    return "data/ratings.csv", "data/predictions.csv"


QUICK = ("--n-bootstrap", "30", "--flip-rate", "retest")


def test_scores_for_people(run, task):
    code, out, err = run("deconvolve", *task, *QUICK)
    assert (code, err) == (0, "")
    assert "of people would (" in " ".join(out.split())
    for word in ("accuracy", "precision", "recall", "f1", "auc", "cross_entropy", "soft oracle"):
        assert word in out
    assert "Flip rate by disagreement" in out


def test_the_oracle_alone_without_predictions(run, task):
    code, out, _ = run("deconvolve", task[0], *QUICK, "--format", "json")
    assert code == 0
    shape = json.loads(out)
    assert shape["classifiers"] == []
    assert [row["scorer"] for row in shape["oracle"]][:2] == ["accuracy", "precision"]
    assert shape["flip_rate"]["method"] == "retest"
    assert set(shape["oracle"][0]["adjusted"]) == {"value", "low", "high"}


def test_scores_for_machines(run, task):
    _, out, _ = run("deconvolve", *task, *QUICK, "--scorer", "accuracy,f1", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["name"] for row in rows].count("llm_judge") == 2
    one = ("--classifiers", "llm_judge", "--scorer", "accuracy", "--format", "json")
    _, out, _ = run("deconvolve", *task, *QUICK, *one)
    shape = json.loads(out)
    assert {"aggregated", "raw", "adjusted", "of_oracle"} <= set(shape)
    _, out, _ = run("deconvolve", *task, *QUICK, "--format", "markdown")
    assert "| accuracy | llm\\_judge |" in out


def test_scores_apart(run, task):
    code, out, _ = run("deconvolve", *task, *QUICK, "--by", "level")
    assert code == 0
    assert "everyone agrees" in out
    run("simulate", "divided", "-o", "two", "-s", "items=80")
    words = ("two/ratings.csv", "two/predictions.csv", "--group", "group", "--by", "group")
    code, out, _ = run("deconvolve", *words, "--flip-rate", "0.03", "--n-bootstrap", "20")
    assert code == 0
    assert "everyone's majority" in " ".join(out.split())
    weights = ("--group-weights", "majority=0.5,minority=0.5", "--format", "json")
    code, out, _ = run("deconvolve", *words[:4], "--flip-rate", "0.03", *weights)
    assert code == 0
    assert any("minority 50 %" in note for note in json.loads(out)["notes"])


def test_validation_items_and_drawn_labels(run, task, tmp_path):
    code, out, _ = run("deconvolve", task[0], "--validate", "--n-bootstrap", "20", "--scorer", "f1")
    assert code == 0
    assert out.startswith("Adjusting")
    code, out, _ = run("deconvolve", task[0], *QUICK, "--items", "--format", "csv")
    assert out.splitlines()[0] == (
        "item,ratings,disagreement,flip_rate,given:fine,given:toxic,primary:fine,primary:toxic"
    )
    words = ("--draw", "drawn.csv", "--labels-per-item", "4", "--chart", "flips.svg", "--items")
    code, _, err = run("deconvolve", task[0], *QUICK, *words)
    assert code == 0
    assert "Drawn labels written to drawn.csv" in err
    assert len((tmp_path / "drawn.csv").read_text().splitlines()) == 1 + 4 * 120
    assert (tmp_path / "flips.svg").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--flip-rate", "often"), "flip_rate is"),
        (("--flip-rate", "2"), "a chance from 0 to 1"),
        (("--strata", "some"), "strata is"),
        (("--strata", "0.1,x"), "strata is"),
        (("--by", "group"), "no column of groups"),
        (("--group-weights", "half"), "'half' is not of that form"),
        (("--group-weights", "a=b"), "'a=b' is not of that form"),
        (("--scorer", "acuracy"), "did you mean 'accuracy'"),
        (("--validate", "--items"), "ask one"),
        (("--draw", "labels.doc"), "must end in .csv, .parquet"),
        (("--min-ratings", "99"), "No item has 99 ratings"),
    ],
)
def test_bad_options_get_one_sentence(run, task, words, sentence):
    code, out, err = run("deconvolve", task[0], *words, "--n-bootstrap", "5")
    assert (code, out) == (1, "")
    assert sentence in err
    assert "Traceback" not in err


def test_strata_and_rates_can_be_written_in_many_ways(run, task, tmp_path):
    for strata in ("3", "0.2", "0.1,0.3"):
        words = ("--strata", strata, "--scorer", "accuracy")
        assert run("deconvolve", task[0], *QUICK, *words)[0] == 0
    ids = [f"c{number:03d}" for number in range(1, 121)]
    (tmp_path / "rates.csv").write_text("item,rate\n" + "\n".join(f"{i},0.05" for i in ids))
    code, out, _ = run("deconvolve", task[0], "--flip-rate", "rates.csv", "--format", "json")
    assert code == 0
    assert json.loads(out)["flip_rate"]["mean"] == pytest.approx(0.05)
