"""The first screen of a terminal: it fits, says what the data allow, and nothing else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc
import pytest

import headcount as hc
from headcount.cli.first_screen import LINES, WIDTH, first_screen
from headcount.results import Estimate
from headcount.results.words import about_people, worth_digits

OPEN = Estimate(2.0, 0.7, None, "within", "within", "above", ceiling=249)


def screen(found: hc.Evaluation) -> str:
    text = first_screen(found.first_answer(), "report.html")
    lines = text.splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= WIDTH
    assert lines[-1] == "Report: report.html"
    return text


def few_samples(*given: Any) -> hc.Evaluation:
    return hc.evaluate(*given, n_bootstrap=60)


def test_the_demo_fits_and_a_person_is_the_last_row() -> None:
    made = hc.simulate.make("comments", seed=2)
    found = few_samples(made.ratings, made.predictions)
    text = screen(found)
    assert text.startswith("fine_tuned is worth about four people, llm_judge two, word_list one.")
    table = text.split("In brackets")[0].rstrip().splitlines()
    assert table[-1].startswith("another person")
    assert found.crowd is not None
    another = 100 * float(found.crowd.another_person)
    assert table[-1].endswith(f"{another:.0f} %")
    for row in found.first_answer().rows:
        line = next(line for line in table[3:] if line.startswith(row.name))
        assert line.endswith(row.stands_in)
        assert worth_digits(row.worth).split(" ")[0] in line


@pytest.mark.parametrize(
    ("folder", "roles", "starts"),
    [
        ("summeval", {"cluster": "document", "slices": "aspect"}, "None of the six classifiers is"),
        ("sleep-stages", {}, "DeepSleepNet leads six classifiers and is worth about one person"),
        ("pandalm-judges", {}, "Neither of the two classifiers is worth one person."),
        ("word-sense", {}, "Whether gold is worth one person, these data cannot tell."),
    ],
)
def test_real_data_fit(
    shared_data: Callable[[str], Path], folder: str, roles: dict[str, Any], starts: str
) -> None:
    path = shared_data(folder)
    ending = ".csv.gz" if (path / "ratings.csv.gz").exists() else ".csv"
    said = path / f"predictions{ending}"
    ratings = hc.Ratings.read(path / f"ratings{ending}", **roles)
    predictions = hc.Predictions.read(said if said.exists() else path / "gold.csv")
    found = hc.evaluate(ratings, predictions, n_bootstrap=30, unknown="wrong")
    assert screen(found).startswith(starts)


def test_one_person_is_told_what_a_second_would_show() -> None:
    labels = ["first", "second", "tie"]
    said = [labels[i % 3] for i in range(120)]
    judge = [labels[(i + (i % 5 == 0)) % 3] for i in range(120)]
    items = [str(i) for i in range(120)]
    rows = pa.table({"item": items, "rater": ["Ada"] * 120, "label": said})
    found = few_samples(
        hc.Ratings.from_frame(rows),
        hc.Predictions.from_frame(pa.table({"item": items, "judge": judge})),
    )
    text = screen(found)
    assert text.startswith("judge gives Ada's label on 96 of 120 items.")
    assert "two people agree" in text
    assert "not known" in text
    assert "Have a second person label" in text
    assert "judge says so too" in text


def test_many_classifiers_and_long_names_fit() -> None:
    made = hc.simulate.make("comments", seed=3, items=150)
    table = pc.read_csv(_written(made))
    long = "a classifier whose name is longer than any column, number"
    wide = {f"{long} {i}": table["llm_judge"] for i in range(12)}
    found = few_samples(
        made.ratings, hc.Predictions.from_frame(pa.table({"item": table["item"], **wide}))
    )
    text = screen(found)
    assert "… and 5 more in the report" in text


def _written(made: Any) -> Path:
    folder = Path("made")
    made.write(folder)
    return folder / "predictions.csv"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_an_open_range_is_told_by_its_low_end() -> None:
    assert worth_digits(OPEN) == "at least 0.7"
    assert about_people(OPEN) == ""
    far = Estimate(2.0, 0.7, 240.0, "within", "within", "within", measured_to=2)
    assert worth_digits(far) == "at least 0.7"
    assert about_people(Estimate(6.0, 3.2, None, "within", "within", "above", ceiling=9)) == (
        "at least three people"
    )
