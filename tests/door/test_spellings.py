"""What is spelled in two ways, or written as numbers are not: told with a remedy that works."""

import csv
import random
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

import headcount as hc

STEPS = ("strongly disagree", "disagree", "neutral", "agree", "strongly agree")


def _table(path: Path, labels: Any, *, separator: str = ",", seed: int = 1) -> Path:
    """Sixty items by three raters: `labels(value, rater)` writes a value from 0 to 1."""
    rng = random.Random(seed)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=separator)
        writer.writerow(["item", "rater", "label"])
        for k in range(60):
            true = rng.random()
            for r in range(3):
                value = min(1.0, max(0.0, true + rng.gauss(0, 0.08)))
                writer.writerow([f"i{k}", f"r{r}", labels(value, r)])
    return path


def _remedied(ratings: hc.Ratings, path: Path) -> hc.Ratings:
    """The same table read with the options that a note names."""
    told = next(note for note in ratings.notes if "--" in note and "spell" not in note[:0])
    words = shlex.split(" ".join(re.findall(r"--(?:map|order|fold-case).*", told))[:-1])
    options: dict[str, Any] = {"mapping": {}}
    for place, word in enumerate(words):
        if word == "--map":
            old, new = words[place + 1].split("=")
            options["mapping"][old] = new
        elif word == "--order":
            options["order"] = words[place + 1].split(",")
        elif word == "--fold-case":
            options["fold_case"] = True
    return hc.Ratings.read(path, **options)


@pytest.mark.parametrize(
    ("yes", "no"),
    [
        (("Yes", "yes", "YES "), ("No", "no", "NO")),
        (("True", "1", "TRUE"), ("False", "0", "FALSE")),
        (("y", "yes", "Y"), ("n", "no", "N")),
        (("not sure", "not_sure", "not-sure"), ("clear", "clear", "clear")),
    ],
)
def test_two_spellings_of_one_label_are_told_with_what_makes_them_one(
    yes: tuple[str, ...], no: tuple[str, ...], tmp_path: Path
) -> None:
    path = _table(tmp_path / "t.csv", lambda value, r: (yes if value > 0.5 else no)[r])
    ratings = hc.Ratings.read(path)
    assert ratings.labels.n > 2
    assert any("counted as different answers" in note for note in ratings.notes)
    better = _remedied(ratings, path)
    assert better.labels.n == 2
    assert hc.agreement(better, n_bootstrap=0).krippendorff_alpha.value > 0.5


def test_spellings_of_raters_in_columns_are_told_too(tmp_path: Path) -> None:
    rng = random.Random(4)
    yes, no = ("True", "1", "TRUE"), ("False", "0", "FALSE")
    rows = ["item,rater_1,rater_2,rater_3"]
    for k in range(60):
        true = rng.random() < 0.5
        said = [true if rng.random() < 0.9 else not true for _ in range(3)]
        rows.append(f"i{k}," + ",".join((yes if s else no)[r] for r, s in enumerate(said)))
    path = tmp_path / "t.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    ratings = hc.Ratings.read(path)
    assert ratings.layout.others == ("rater_1", "rater_2", "rater_3")
    assert _remedied(ratings, path).labels.n == 2


@pytest.mark.parametrize(
    "words",
    [
        STEPS,
        ("Never", "Rarely", "Sometimes", "Often", "Always"),
        ("none", "mild", "moderate", "severe"),
        ("F", "D", "C", "B", "A", "A+"),
    ],
)
def test_words_for_levels_are_told_with_their_order(words: tuple[str, ...], tmp_path: Path) -> None:
    path = _table(
        tmp_path / "t.csv", lambda value, _: words[min(len(words) - 1, int(value * len(words)))]
    )
    ratings = hc.Ratings.read(path)
    assert ratings.scale.kind == "nominal"
    better = _remedied(ratings, path)
    assert better.scale.kind == "ordered"
    assert better.labels.names == words


def test_options_to_choose_from_are_not_told_to_be_levels(tmp_path: Path) -> None:
    for k, words in enumerate((("A", "B", "C"), ("good", "tie", "bad"), ("art", "law", "sport"))):
        path = _table(tmp_path / f"{k}.csv", lambda value, _, w=words: w[min(2, int(value * 3))])
        assert not any("--order" in note for note in hc.Ratings.read(path).notes)


@pytest.mark.parametrize("separator", [";", ",", "\t"])
def test_decimal_commas_are_numbers_and_told(separator: str, tmp_path: Path) -> None:
    comma = _table(
        tmp_path / "comma.csv",
        lambda value, _: f"{10 * value:.1f}".replace(".", ","),
        separator=separator,
    )
    point = _table(tmp_path / "point.csv", lambda value, _: f"{10 * value:.1f}")
    german, plain = hc.Ratings.read(comma), hc.Ratings.read(point)
    assert german.scale.kind == plain.scale.kind == "numeric"
    assert german.labels.names == plain.labels.names
    assert any("decimal comma" in note for note in german.notes)


def test_a_judge_s_decimal_commas_are_numbers_too(tmp_path: Path) -> None:
    path = _table(tmp_path / "ratings.csv", lambda value, _: "yes" if value > 0.5 else "no")
    rows = [f"i{k};{k / 60:.3f}".replace(".", ",") for k in range(60)]
    (tmp_path / "p.csv").write_text("\n".join(["item;gpt:yes", *rows]), encoding="utf-8")
    found = hc.evaluate(path, tmp_path / "p.csv", n_bootstrap=0)
    assert found.classifiers[0].gives == "probabilities"


def test_percents_are_numbers_and_told(tmp_path: Path) -> None:
    path = _table(tmp_path / "t.csv", lambda value, _: f"{10 * round(10 * value)}%")
    ratings = hc.Ratings.read(path)
    assert ratings.labels.numbers is not None
    assert ratings.scale.has_order
    assert any("percents" in note for note in ratings.notes)


def test_thousands_are_no_decimals(tmp_path: Path) -> None:
    path = _table(
        tmp_path / "t.csv", lambda value, _: ("1,000", "2,000", "3,000")[int(value * 2.9)]
    )
    assert not any("decimal comma" in note for note in hc.Ratings.read(path).notes)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_second_header_in_the_middle_is_no_answer(mark: str, tmp_path: Path) -> None:
    path = _table(tmp_path / "t.csv", lambda value, _: str(1 + int(value * 4.99)))
    text = path.read_text(encoding="utf-8")
    path.write_text(text + mark + text.replace("\ni", "\nj"), encoding="utf-8")
    ratings = hc.Ratings.read(path)
    assert (ratings.n_items, ratings.n_ratings, ratings.n_raters) == (120, 360, 3)
    assert ratings.labels.names == ("1", "2", "3", "4", "5")
    assert any("again what the columns are called" in note for note in ratings.notes)
