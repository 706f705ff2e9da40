"""`headcount evaluate` and `headcount demo` as a user runs them."""

import csv
import io
import json
from pathlib import Path

import pytest

import headcount as hc

FILES = ("data/ratings.csv", "data/predictions.csv")


@pytest.fixture
def simulated(run):
    """Simulated files in the folder `data`."""
    run("simulate", "comments", "-o", "data", "-s", "items=150", "--seed", "2")
    return run


def test_the_answer_is_one_screen_and_the_report_is_written(simulated):
    code, out, err = simulated("evaluate", *FILES, "--n-bootstrap", "30")
    assert (code, err) == (0, "")
    assert out.startswith("fine_tuned is worth")
    assert "another person" in out
    assert "Report: report.html" in out
    assert "fine_tuned is worth" in Path("report.html").read_text(encoding="utf-8")


def test_details_have_every_sentence_and_the_table(simulated):
    code, out, err = simulated("evaluate", *FILES, "--n-bootstrap", "30", "--details")
    assert (code, err) == (0, "")
    assert "fine_tuned is worth" in out
    assert "The classifiers side by side" in out
    assert "What to label next" in out
    assert "Report: report.html" in out


def test_json_has_the_numbers_of_the_python_api(simulated):
    code, out, err = simulated("evaluate", *FILES, "--n-bootstrap", "30", "--format", "json")
    assert (code, err) == (0, "")
    assert not Path("report.html").exists()
    found = hc.evaluate(hc.Ratings.read(FILES[0]), hc.Predictions.read(FILES[1]), n_bootstrap=30)
    assert json.loads(out) == json.loads(json.dumps(found.to_document()))


def test_csv_has_a_row_a_classifier_and_the_report_can_be_had_beside_it(simulated):
    code, out, err = simulated(
        "evaluate", *FILES, "--n-bootstrap", "0", "--format", "csv", "-o", "page.html"
    )
    assert code == 0
    assert err == "\nReport: page.html\n"
    rows = list(csv.DictReader(io.StringIO(out)))
    assert {row["name"] for row in rows} == {"word_list", "fine_tuned", "llm_judge"}
    assert Path("page.html").exists()


def test_markdown_is_short_or_whole(simulated):
    _, short, _ = simulated("evaluate", *FILES, "--n-bootstrap", "0", "--markdown")
    _, whole, _ = simulated("evaluate", *FILES, "--n-bootstrap", "0", "--format", "markdown")
    assert short.startswith("- ")
    assert "| classifier |" in short
    assert len(short) < 2500 < len(whole)
    assert not Path("report.html").exists()


def test_requirements_are_a_gate(simulated):
    given = (*FILES, "--n-bootstrap", "20", "--format", "csv")
    met = ("--require", "fine_tuned:>=0.5", "--require", "fine_tuned:oracle>=50%")
    assert simulated("evaluate", *given, *met)[0] == 0
    code, out, err = simulated("evaluate", *given, "--require", "word_list:oracle>=99%")
    assert code == 3
    assert "requirement not met: word_list is at" in err
    assert out.startswith("name,")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-o", "report.pdf"), "must end in .html"),
        (("-o", "nowhere/report.html"), "cannot be written"),
        (("--require", "three"), "cannot be read"),
        (("--scorer", "nope"), "nope"),
        (("--flip-rate", "often"), "flip_rate"),
        (("--target", "2"), "target"),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence_before_any_work(simulated, words, sentence):
    code, out, err = simulated("evaluate", *FILES, *words)
    assert code == 1
    assert out == ""
    assert err.startswith("headcount: ")
    assert sentence in err
    assert "Traceback" not in err


def test_the_demo_writes_data_and_report_and_says_where(run):
    code, out, err = run("demo")
    assert (code, err) == (0, "")
    folder = Path("headcount-demo")
    assert {path.name for path in folder.iterdir()} >= {
        "ratings.csv",
        "predictions.csv",
        "report.html",
    }
    assert "Report: headcount-demo/report.html" in out
    assert out.startswith("fine_tuned is worth about four people, llm_judge two, word_list one.")
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "fine_tuned is worth" in page
