"""One person's label on each item and a judge's beside it."""

import csv
import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import headcount as hc
from headcount.cli.app import app
from headcount.evaluation.one_person import OnePerson


def _sheet(
    path: Path, head: tuple[str, ...], labels: tuple[str, ...], n: int = 120, seed: int = 0
) -> list[tuple[str, str]]:
    """A sheet with an id, a text, the person's label and the judge's; the pairs of labels."""
    rng = random.Random(seed)
    pairs = []
    for _ in range(n):
        one = rng.choice(labels)
        pairs.append((one, one if rng.random() < 0.7 else rng.choice(labels)))
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(head)
        for k, pair in enumerate(pairs):
            text = (f"this is what was said in case {k}",) if len(head) == 4 else ()
            writer.writerow((f"c{k}", *text, *pair))
    return pairs


def _kappa(pairs: list[tuple[str, str]], credit: Callable[[str, str], float]) -> float:
    n = len(pairs)
    seen = sum(credit(a, b) for a, b in pairs) / n
    chance = sum(credit(a, b) for a, _ in pairs for _, b in pairs) / n**2
    return (seen - chance) / (1 - chance)


@pytest.mark.parametrize(
    "head",
    [
        ("case_id", "human_label", "judge_label"),
        ("id", "text", "human", "judge"),
        ("id", "text", "human", "gpt-4o"),
    ],
)
def test_a_sheet_of_one_person_and_a_judge_against_brute_force(
    head: tuple[str, ...], tmp_path: Path
) -> None:
    labels = ("fine", "odd", "toxic")
    pairs = _sheet(tmp_path / "sheet.csv", head, labels)
    found = hc.evaluate(tmp_path / "sheet.csv", n_bootstrap=100).one_person
    assert isinstance(found, OnePerson)
    assert found.person == head[-2]
    judge = found[head[-1]]
    same = sum(a == b for a, b in pairs)
    assert (judge.same, judge.items, judge.differ) == (same, 120, 120 - same)
    assert judge.agree.value == pytest.approx(same / 120)
    assert judge.agree.low < same / 120 < judge.agree.high
    assert judge.kappa.value == pytest.approx(_kappa(pairs, lambda a, b: float(a == b)))
    for one in judge.by_label:
        said = [b == one.label for a, b in pairs if a == one.label]
        held = [a == one.label for a, b in pairs if b == one.label]
        assert one.recall.value == pytest.approx(np.mean(said))
        assert one.precision.value == pytest.approx(np.mean(held))
    assert len(found.differences) == judge.differ == sum(n for *_, n in judge.often)
    told = {each.item: each for each in found.differences}
    for k, (a, b) in enumerate(pairs):
        if a != b:
            each = told[f"c{k}"]
            assert (each.person, each.classifier) == (a, b)
            assert each.text == (f"this is what was said in case {k}" if len(head) == 4 else None)


def test_kappa_on_a_scale_counts_squared_distances_against_brute_force(tmp_path: Path) -> None:
    pairs = _sheet(tmp_path / "sheet.csv", ("id", "human", "judge"), ("1", "2", "3", "4", "5"))
    ratings = hc.Ratings.read(tmp_path / "sheet.csv", scale="ordered")
    answers = hc.Predictions.read(tmp_path / "sheet.csv", classifiers="judge")
    found = hc.evaluate(ratings, answers, n_bootstrap=0).one_person
    expected = _kappa(pairs, lambda a, b: 1 - (int(a) - int(b)) ** 2 / 16)
    assert found["judge"].kappa.value == pytest.approx(expected)
    far = [abs(int(each.person) - int(each.classifier)) for each in found.differences]
    assert far == sorted(far, reverse=True)


def test_an_answer_that_is_no_label_agrees_with_nobody() -> None:
    people = hc.Ratings.from_wide(
        pa.table({"item": list(range(40)), "ann": ["x", "y"] * 20}), raters="ann"
    )
    said = [["x", "y"][k % 2] if k % 5 else "?" for k in range(40)]
    answers = hc.Predictions.from_frame(pa.table({"item": list(range(40)), "m": said}))
    found = hc.evaluate(people, answers, unknown="wrong", n_bootstrap=0).one_person
    pairs = [(["x", "y"][k % 2], said[k]) for k in range(40)]
    expected = _kappa(pairs, lambda a, b: float(a == b))
    assert found["m"].kappa.value == pytest.approx(expected)
    assert found["m"].same == 32
    assert found.person == "ann"


def test_second_labels_narrow_what_two_people_say_against_theory(tmp_path: Path) -> None:
    _sheet(tmp_path / "sheet.csv", ("id", "human", "judge"), ("no", "yes"), n=300)
    judge = hc.evaluate(tmp_path / "sheet.csv", n_bootstrap=0).one_person["judge"]
    p = judge.same / judge.items
    for each in judge.second:  # Wilson's is near the normal interval
        assert each.half_width == pytest.approx(1.96 * (p * (1 - p) / each.items) ** 0.5, rel=0.1)
    assert judge.second[-1].items == 300
    assert judge.enough == pytest.approx(1.96**2 * p * (1 - p) / 0.01, rel=0.1)


def test_the_command_answers_at_once_and_its_gates_hold_kappa(tmp_path: Path) -> None:
    _sheet(tmp_path / "sheet.csv", ("case_id", "human_label", "judge_label"), ("no", "yes"))
    words = ["evaluate", str(tmp_path / "sheet.csv"), "--n-bootstrap", "50"]
    done = CliRunner().invoke(app, [*words, "-o", str(tmp_path / "report.html")])
    assert done.exit_code == 0
    assert done.stdout.startswith("judge_label gives human_label's label on ")
    assert "There is no answer" not in done.stdout
    assert "Where they differ" in (tmp_path / "report.html").read_text(encoding="utf-8")
    told = json.loads(CliRunner().invoke(app, [*words, "--format", "json"]).stdout)
    kappa = told["one_person"]["classifiers"][0]["kappa"]
    assert kappa["low"] < kappa["value"] < kappa["high"]
    for bound, code in (("0.1", 0), ("0.99", 3)):
        asked = [*words, "--format", "json", "--require", f"judge_label:kappa low>={bound}"]
        assert CliRunner().invoke(app, asked).exit_code == code


def test_with_several_people_an_item_nothing_changes() -> None:
    made = hc.simulate.make("comments", items=60)
    found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=0)
    assert not found.one_person
    assert "one_person" not in found.unavailable()
    assert found.estimates()["fine_tuned"]["kappa"].value is None
