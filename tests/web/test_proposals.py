"""Buttons that do what a refusal or a note would have one type."""

import random
import re
from pathlib import Path

import pytest

from headcount.web.choices import NAMED, as_reading, read_reading
from headcount.web.looking import look
from headcount.web.proposals import taken


def _file(folder: Path, columns: str, rows: list[str], name: str = "ratings.csv") -> str:
    path = folder / name
    path.write_text("\n".join([columns, *rows]) + "\n", encoding="utf-8")
    return str(path)


def _look(ratings: str, reading: dict | None = None, predictions: str | None = None) -> dict:
    files = {"ratings": ratings, "predictions": predictions, "gold": None}
    return look(files, reading or {})


def _answers(labels: str, items: int = 40, raters: int = 3) -> list[tuple[int, int, str]]:
    rng = random.Random(2)
    true = [rng.choice(labels) for _ in range(items)]
    return [
        (i, r, true[i] if rng.random() < 0.8 else rng.choice(labels))
        for i in range(items)
        for r in range(raters)
    ]


def test_spellings_become_one_by_a_button_and_the_commonest_gives_the_name(tmp_path: Path) -> None:
    words = {0: "Keep", 1: "keep", 2: "Keep"}, {0: "drop", 1: "Drop", 2: "drop"}
    rows = [f"i{i},r{r},{words[label == 'd'][r]}" for i, r, label in _answers("kd")]
    path = _file(tmp_path, "item,rater,label", rows)
    (proposal,) = _look(path)["proposals"]
    assert proposal["words"] == "Treat drop and Drop as one; Treat Keep and keep as one"
    reading = taken(proposal, {"mapping": {"x": "y"}}, NAMED)
    assert reading["mapping"] == {"x": "y", "keep": "Keep", "Drop": "drop"}
    assert _look(path, reading)["labels"] == ["Keep", "drop"]


def test_what_was_refused_is_proposed_as_buttons_that_pass(tmp_path: Path) -> None:
    rows = [f"q{i // 4},m{i % 4},w{r},{label}" for i, r, label in _answers("12345")]
    path = _file(tmp_path, "question_id,model,annotator,rating", rows)
    seen = _look(path)
    assert "headcount" not in seen["sentence"]
    assert "--" not in seen["sentence"]
    first = seen["proposals"][0]
    assert first["words"] == (
        "The item is in 'question_id', 'model', who answered is in 'annotator', the label is in "
        "'rating'"
    )
    assert "--" not in "".join(each["words"] for each in seen["proposals"])
    for each in seen["proposals"]:
        reading = taken(each, {"item": "old"}, NAMED)
        assert read_reading(reading) == reading
        assert _look(path, reading)["understood"]
    # The roles that are chosen already say the same, both columns of the item included.
    columns = {each["name"]: each["role"] for each in seen["ratings"]["columns"]}
    assert as_reading(columns, seen, {}) == first["reading"]


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("dna", {"order": ["disagree", "neutral", "agree"]}),
        ("123", {"scale": "ordered"}),
    ],
)
def test_levels_are_put_in_order_by_a_button(labels: str, expected: dict, tmp_path: Path) -> None:
    words = {"d": "disagree", "n": "neutral", "a": "agree"}
    rows = [f"i{i},r{r},{words.get(label, label)}" for i, r, label in _answers(labels)]
    path = _file(tmp_path, "item,rater,label", rows)
    (proposal,) = _look(path)["proposals"]
    assert proposal["reading"] == expected
    assert "low to high" in proposal["words"]
    assert _look(path, expected)["understood"]


def test_columns_of_policies_and_languages_are_proposed_as_parts(tmp_path: Path) -> None:
    rows = [
        f"i{i},r{r},{label},{'spam' if i % 3 else 'hate'},{'de' if i % 2 else 'en'},n{i}"
        for i, r, label in _answers("ny")
    ]
    path = _file(tmp_path, "item,rater,label,policy,lang,note", rows)
    proposed = _look(path)["proposals"]
    assert [each["reading"] for each in proposed] == [{"slices": ["policy"]}, {"slices": ["lang"]}]


def test_a_classifier_that_writes_labels_otherwise_is_read_by_a_button(tmp_path: Path) -> None:
    people = _answers("ny")
    path = _file(tmp_path, "item,rater,label", [f"i{i},r{r},{label}" for i, r, label in people])
    said = [f"i{i},{label.upper()}" for i, r, label in people if r == 0]
    machines = _file(tmp_path, "item,gpt", said, "predictions.csv")
    (proposal,) = _look(path, {}, machines)["proposals"]
    assert proposal["reading"]["mapping"] == {"N": "n", "Y": "y"}
    assert _look(path, proposal["reading"], machines)["able"]


def test_a_button_is_pressed_and_what_changed_is_marked(shared_site) -> None:
    rows = [f"i{i};r{r};{label},5;{'de' if i % 2 else 'en'}" for i, r, label in _answers("123")]
    header = "item;rater;label;language"
    content = "\n".join([header, *rows, header, *(row.replace(";r", ";s") for row in rows)])
    id = shared_site.upload(("ratings.csv", content.encode()))
    with shared_site.browser() as client:
        page = client.get(f"/studies/{id}").text
        assert "<mark>ratings.csv: &#39;label&#39; holds numbers with a decimal comma" in page
        assert "say again what the columns are called" in page or "says again what" in page
        assert "Look at the items by language</button>" in page
        seen = re.search(r'name="seen" value="(\w+)"', page)
        assert seen is not None
        form = shared_site.form(seen=seen[1], proposal="1")
        assert client.post(f"/studies/{id}/choices", data=form).status_code == 200
        shared_site.wait(id)
        assert shared_site.understood(id)["understood"]
        wrong = shared_site.form(seen=seen[1], proposal="9")
        assert client.post(f"/studies/{id}/choices", data=wrong).status_code == 422
    assert "--slices language" in shared_site.study(id)["command"].replace("--slice ", "--slices ")
