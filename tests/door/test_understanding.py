"""Tables of the shapes that were misread: read right, or refused with advice that is right."""

import json
import random
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.door.tables import attack_names

from headcount import Predictions, Ratings
from headcount.cli.app import app
from headcount.data.reading import read_both
from headcount.errors import InputError, UnsureError
from headcount.web.looking import complete

Rows = list[list[Any]]


def write(folder: Path, columns: list[str], rows: Rows, name: str = "table.csv") -> Path:
    path = folder / name
    lines = [columns, *([str(cell) for cell in row] for row in rows)]
    path.write_text("\n".join(",".join(line) for line in lines) + "\n", encoding="utf-8")
    return path


def answers(items: int, raters: int, labels: str = "ny", slip: float = 0.2, seed: int = 1) -> Any:
    """Labels of items, and what each rater said of each."""
    rng = random.Random(seed)
    truth = [rng.choice(labels) for _ in range(items)]
    said = {
        (i, r): rng.choice(labels) if rng.random() < slip else truth[i]
        for i in range(items)
        for r in range(raters)
    }
    return truth, said


def refusal(path: Path) -> UnsureError:
    with pytest.raises(UnsureError) as caught:
        Ratings.read(path)
    return caught.value


def taken(path: Path, error: UnsureError) -> Ratings:
    """The table read by the first advice, which must give what it says it gives."""
    ratings = Ratings.read(path, **error.remedy)
    told = re.search(r"\((\d+) items?, (?:(\d+) raters?, )?", str(error))
    assert told is not None
    # Of answers that tick several options, each is asked about each item.
    assert int(told.group(1)) * max(1, len(ratings.layout.sets)) == ratings.n_items
    assert told.group(2) is None or int(told.group(2)) == ratings.n_raters
    return ratings


def read_or_advised(path: Path) -> Ratings:
    try:
        return Ratings.read(path)
    except UnsureError as error:
        return taken(path, error)


def test_many_questions_a_row_are_listed_and_the_text_is_no_label(tmp_path: Path) -> None:
    """`id, text, rater_id, admiration, …`: advised was --label text, which everybody agrees on."""
    feelings = [f"feeling{k}" for k in range(8)]
    said = [answers(60, 4, "01", seed=k)[1] for k in range(8)]
    rows = [
        [f"c{i}", f"this is the text of comment number {i}", f"w{r}", *(s[i, r] for s in said)]
        for i in range(60)
        for r in range(4)
    ]
    path = write(tmp_path, ["id", "text", "rater_id", *feelings], rows)
    error = refusal(path)
    assert error.remedy["item"] == "id"
    assert error.remedy["rater"] == "rater_id"
    together, *single = error.readings
    assert together["sets"] == feelings  # a yes/no question each
    assert {str(one["label"]) for one in single} == set(feelings)  # or one of them alone
    assert taken(path, error).n_ratings == 240 * 8


def test_participants_are_raters_where_extracts_are_agreed_on(tmp_path: Path) -> None:
    _, said = answers(90, 30, "123", 0.4)
    rng = random.Random(3)
    kept = [(i, r) for (i, r) in said if rng.random() < 0.4]
    rows = [[f"e{i}", f"p{r}", said[i, r]] for i, r in kept]
    path = write(tmp_path, ["extract_id", "anonymised_participant_id", "response"], rows)
    error = refusal(path)
    assert error.remedy["item"] == "extract_id"
    assert error.remedy["rater"] == "anonymised_participant_id"


def test_measures_of_one_row_each_are_no_raters(tmp_path: Path) -> None:
    """`id, V, A, D`: means of readers, of which nobody is a rater and nothing is agreed on."""
    rng = random.Random(4)
    rows = [[f"t{k}", *(f"{rng.uniform(1, 5):.2f}" for _ in range(3))] for k in range(80)]
    path = write(tmp_path, ["id", "V", "A", "D"], rows)
    with pytest.raises(InputError) as caught:
        Ratings.read(path)
    assert "--rater V" not in str(caught.value)
    assert "--label A" not in str(caught.value)


def test_nested_answers_are_found_in_their_list(tmp_path: Path) -> None:
    _, said = answers(40, 3)
    records = [
        {
            "example": f"e{i}",
            "meta_lang": "en",
            "meta_source": "web" if i % 2 else "mail",
            "labels": [{"by": f"w{r}", "value": said[i, r]} for r in range(3)],
        }
        for i in range(40)
    ]
    path = tmp_path / "nested.json"
    path.write_text(json.dumps([{**r, "note": None} for r in records]))
    error = refusal(path)
    assert error.remedy == {"item": "example", "rater": "labels[].by", "label": "labels[].value"}
    assert taken(path, error).n_ratings == 120


def test_where_workers_come_from_is_neither_rater_nor_label(tmp_path: Path) -> None:
    _, said = answers(50, 12, "abc")
    rng = random.Random(5)
    home = [(rng.choice(["neodev", "clix"]), rng.choice(["GBR", "USA", "DEU"])) for _ in range(12)]
    rows = [
        [f"u{i}", f"{4000 + r}", *home[r], "1.0", said[i, r]]
        for (i, r) in said
        if rng.random() < 0.5
    ]
    columns = ["_unit_id", "_worker_id", "_channel", "_country", "_trust", "relation"]
    path = write(tmp_path, columns, rows)
    error = refusal(path)
    assert error.readings == [
        {"item": "_unit_id", "rater": "_worker_id", "label": "relation"},
        *error.readings[1:],
    ]
    assert all("_c" not in str(one.get("rater")) for one in error.readings)


def test_gold_is_no_label_of_a_rater(tmp_path: Path) -> None:
    truth, said = answers(40, 4)
    rows = [[f"i{i}", f"w{r}", truth[i], said[i, r]] for i, r in said]
    path = write(tmp_path, ["item", "worker", "gold_answer", "reply"], rows)
    error = refusal(path)
    assert error.remedy == {"item": "item", "rater": "worker", "label": "reply"}
    assert all(one.get("label") != "gold_answer" for one in error.readings)


def test_a_table_without_ratings_is_said_to_hold_none(tmp_path: Path) -> None:
    rng = random.Random(6)
    rows = [
        [k, f"a long enough text about the subject number {k}", rng.randrange(9999), "en"]
        for k in range(50)
    ]
    path = write(tmp_path, ["id", "text", "views", "lang"], rows)
    with pytest.raises(InputError, match="No reading of it passes: a table of ratings has a row"):
        Ratings.read(path)


def test_means_variances_and_notes_beside_readers_are_no_raters(tmp_path: Path) -> None:
    _, said = answers(60, 4, "12345", 0.4)
    rows: Rows = []
    for i in range(60):
        marks = [int(said[i, r]) for r in range(4)]
        mean = sum(marks) / 4
        spread = sum((m - mean) ** 2 for m in marks) / 4
        rows.append([f"s{i}", *marks, f"{mean:.2f}", f"{spread:.3f}", "odd" if i % 17 == 0 else ""])
    columns = ["sheet", "anna", "ben", "cara", "dan", "mean", "var", "notes"]
    error = refusal(write(tmp_path, columns, rows))
    assert error.remedy["raters"] == ["anna", "ben", "cara", "dan"]


def test_confidences_beside_answers_are_no_raters(tmp_path: Path) -> None:
    rng = random.Random(7)
    _, said = answers(60, 3)
    rows = [
        [f"s{i}", *(x for r in range(3) for x in (said[i, r], rng.randint(1, 5)))]
        for i in range(60)
    ]
    columns = ["case", *(n for r in (1, 2, 3) for n in (f"ann{r}", f"ann{r}_conf"))]
    path = write(tmp_path, columns, rows)
    assert Ratings.read(path).layout.others == ("ann1", "ann2", "ann3")


def test_an_arena_log_is_read_as_comparisons(tmp_path: Path) -> None:
    rng = random.Random(8)
    names = ["m1", "m2", "m3", "m4"]
    rows = [
        [f"q{k}", *rng.sample(names, 2), rng.choice(["model_a", "model_b", "tie"]), f"u{k % 9}"]
        for k in range(80)
    ]
    path = write(tmp_path, ["question_id", "model_a", "model_b", "winner", "judge"], rows)
    ratings = Ratings.read(path)
    assert ratings.labels.names == ("first", "second", "tie")
    assert ratings.layout.systems == ("first system", "second system")
    assert ratings.n_items == len({(q, *sorted(pair)) for q, *pair, _, _ in rows})


FOURTH = (
    *("gold_standard", "y_true", "target", "reference", "expert_label", "agg_label", "mv", "X"),
    *("adjudicator", "roberta", "chatgpt", "svm", "baseline", "system", "majority_vote", "truth"),
    *("consensus", "final", "final_label", "label", "ground_truth", "gpt4", "claude", "model"),
    *("prediction", "pred", "judge", "llm_judge", "correct", "answer", "resolved", "mode", "dave"),
    *("ensemble", "crowd", "combined", "aggregate", "score", "vote", "decision", "master", "ref"),
    *("bert-base", "Llama 3", "my_model", "key", "gs", "curated", "arbiter", "senior", "lead"),
)


@pytest.mark.parametrize("made", ["majority", "a column of its own"])
def test_a_fourth_column_is_never_a_rater_in_silence(made: str, tmp_path: Path) -> None:
    truth, said = answers(60, 3)
    for name in FOURTH:
        rows = []
        for i in range(60):
            three = [said[i, r] for r in range(3)]
            fourth = max(three, key=three.count) if made == "majority" else truth[i]
            rows.append([f"s{i}", *three, fourth])
        path = write(tmp_path, ["item", "ann1", "ann2", "ann3", name], rows)
        assert read_or_advised(path).layout.others == ("ann1", "ann2", "ann3"), name


def test_one_person_and_one_judge_on_a_sheet(tmp_path: Path) -> None:
    _, said = answers(40, 2)
    rows = [[f"c{i}", said[i, 0], said[i, 1]] for i in range(40)]
    path = write(tmp_path, ["case_id", "human_label", "judge_label"], rows)
    ratings, predictions = read_both(path, None, *complete({}))
    assert ratings.answers().raters.tolist() == ["human_label"]
    assert predictions is not None
    assert predictions.names == ("judge_label",)
    assert ratings.n_ratings == 40


@pytest.mark.parametrize(
    "columns", [["id", "human_1", "human_2", "judge"], ["id", "human", "judge"]]
)
def test_a_judge_beside_humans_is_a_classifier(columns: list[str], tmp_path: Path) -> None:
    _, said = answers(40, 3)
    rows = [[f"c{i}", *(said[i, r] for r in range(len(columns) - 1))] for i in range(40)]
    path = write(tmp_path, columns, rows)
    ratings, predictions = read_both(path, None, *complete({}))
    assert ratings.layout.others == tuple(columns[1:-1])
    assert predictions is not None
    assert predictions.names == ("judge",)
    judges = write(
        tmp_path, ["id", "judge_1", "judge_2", "judge_3"], [r + ["n"] * (4 - len(r)) for r in rows]
    )
    assert Ratings.read(judges).layout.others == ("judge_1", "judge_2", "judge_3")


JOINT = {
    "question x model": ["question_id", "model", "annotator", "rating"],
    "item x system": ["item", "system", "rater", "label"],
    "item x aspect": ["item", "aspect", "rater", "label"],
    "topic x document": ["topic", "document", "assessor", "grade"],
}


@pytest.mark.parametrize("name", JOINT)
def test_two_columns_make_the_item(name: str, tmp_path: Path) -> None:
    _, said = answers(80, 3, "12345", 0.3)
    rows = [[f"q{i // 4}", f"m{i % 4}", f"w{r}", said[i, r]] for i, r in said]
    columns = JOINT[name]
    path = write(tmp_path, columns, rows)
    error = refusal(path)
    assert set(error.remedy["item"] or ()) == set(columns[:2])
    ratings = taken(path, error)
    assert (ratings.n_items, ratings.n_raters, ratings.n_retests) == (80, 3, 0)
    parts = Ratings.read(path, **error.remedy, slices=columns[1], cluster=columns[0])
    assert parts.item_columns()[columns[1]].names == ("m0", "m1", "m2", "m3")
    assert len(parts.item_columns()["cluster"].names) == 20


def test_a_joint_item_is_the_same_in_files_and_in_predictions(tmp_path: Path) -> None:
    _, said = answers(40, 3)
    rows = [[f"q{i // 4}", f"m{i % 4}", f"w{r}", said[i, r]] for i, r in said]
    path = write(tmp_path, ["question", "model", "rater", "label"], rows)
    told = [[f"q{i // 4}", f"m{i % 4}", said[i, 0]] for i in range(40)]
    judge = write(tmp_path, ["question", "model", "verdict"], told, "judge.csv")
    key = ["question", "model"]
    ratings, predictions = Ratings.read(path, item=key), Predictions.read(judge, item=key)
    assert predictions.names == ("verdict",)
    ids = set(ratings.item_counts().items.tolist())
    assert ids == set(predictions.ids.to_pylist())
    assert "q0 · m1" in ids


def test_joint_ids_never_become_one(tmp_path: Path) -> None:
    rows = [["a", "b · c", "x"], ["a · b", "c", "y"], ["a ·", "b", "x"], ["a", "· b", "y"]]
    path = write(tmp_path, ["one", "two", "label"], rows)
    assert Ratings.read(path, item=["one", "two"]).n_items == 4
    blank = write(tmp_path, ["one", "two", "label"], [["a", "", "x"], ["a", "b", "y"]])
    with pytest.raises(InputError, match=r"the item .* is blank"):
        Ratings.read(blank, item=["one", "two"])


@pytest.mark.parametrize("name", ["Case No.", "Fall", "slide number", "case_no", "Nr"])
def test_a_case_number_is_the_item_and_the_patient_is_not(name: str, tmp_path: Path) -> None:
    _, said = answers(45, 3)
    rows = [[f"{i + 1}", f"P{i // 3}", *(said[i, r] for r in range(3))] for i in range(45)]
    path = write(tmp_path, [name, "Patient", "reader1", "reader2", "reader3"], rows)
    ratings = Ratings.read(path)
    assert ratings.layout.item == name
    assert ratings.n_items == 45


def test_every_cause_is_named_at_once(tmp_path: Path) -> None:
    _, said = answers(30, 3)
    rows = [
        [f"p{i}", f"the answer to judge is a text of some length {i}", f"w{r}", said[i, r]]
        for i, r in said
    ]
    path = write(tmp_path, ["passage", "response", "reviewer", "verdict"], rows)
    error = refusal(path)
    assert "'response' holds texts" in str(error)
    assert "no column is called like an item" in str(error)
    assert error.remedy == {"item": "passage", "rater": "reviewer", "label": "verdict"}


def test_printed_commands_work_as_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, said = answers(30, 3)
    rows = [[f"p{i}", f"w{r}", said[i, r]] for i, r in said]
    path = write(tmp_path, ["the passage", "who?", "is it; good"], rows)
    error = refusal(path)
    command = re.search(r"Most likely headcount (.*?) \(30 items", str(error))
    assert command is not None
    monkeypatch.setattr("sys.argv", ["headcount", *shlex.split(command.group(1))])
    with pytest.raises(SystemExit) as ended:
        app()
    assert ended.value.code == 0
    assert "ratings per item" in capsys.readouterr().out


@pytest.mark.parametrize("part", range(4))
def test_hostile_names_are_never_read_wrongly_in_silence(part: int, tmp_path: Path) -> None:
    found = [attack_names(seed, tmp_path)[1] for seed in range(15 * part, 15 * part + 15)]
    assert not [outcome for outcome in found if "WRONG" in outcome]


def test_columns_that_are_numbered_alike_stand_together(tmp_path: Path) -> None:
    """A German sheet of Excel: decimal commas, and a third reader who agrees with nobody."""
    _, said = answers(60, 2, "12345", 0.3)
    rng = random.Random(9)
    rows = [
        [i + 1, f"{said[i, 0]},5", f"{said[i, 1]},5", f"{rng.randint(1, 5)},5"] for i in range(60)
    ]
    lines = [["Nr", "Gutachter1", "Gutachter2", "Gutachter3"], *rows]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(";".join(map(str, line)) for line in lines), encoding="utf-8")
    error = refusal(path)
    assert error.remedy == {"item": "Nr", "raters": ["Gutachter*"]}
    assert taken(path, error).labels.names == ("1.5", "2.5", "3.5", "4.5", "5.5")


@pytest.mark.parametrize("tick", [("1", "0"), ("TRUE", "FALSE"), ("x", ""), ("the option", "")])
def test_checkboxes_are_options_before_one_of_them_is_a_label(
    tick: tuple[str, str], tmp_path: Path
) -> None:
    _, said = answers(40, 12)
    rows = []
    for i, r in said:
        if r % 3 == 0:
            ticks = ["Mood: joy", "Mood: fear", "Mood: rage"]
            named = [name[6:] if tick[0] == "the option" else tick[0] for name in ticks]
            boxes = [named[k] if said[i, r + k] == "y" else tick[1] for k in range(3)]
            rows.append([f"i{i}", f"w{r}", *boxes])
    path = write(tmp_path, ["Item", "Worker", "Mood: joy", "Mood: fear", "Mood: rage"], rows)
    error = refusal(path)
    assert error.remedy["sets"] == ["Mood: joy", "Mood: fear", "Mood: rage"]
    assert taken(path, error).n_ratings == 160 * 3


@pytest.mark.parametrize("kind", ["|", ",", "list"])
def test_sets_are_seen_under_any_name(kind: str, tmp_path: Path) -> None:
    rng = random.Random(4)
    likely = [rng.sample(["joy", "fear", "rage", "pride"], rng.randint(1, 2)) for _ in range(50)]
    records = []
    for i in range(50):
        for r in range(4):
            ticks = likely[i] if rng.random() < 0.8 else rng.sample(["joy", "fear", "rage"], 2)
            told = ticks if kind == "list" else kind.join(ticks)
            records.append({"kalo": f"d{i}", "mitu": f"w{r}", "vera": told})
    path = tmp_path / "table.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    error = refusal(path)
    assert error.remedy == {"item": "kalo", "rater": "mitu", "label": "vera", "sets": kind}
    assert taken(path, error).n_items == 50 * 4


def test_columns_that_do_not_compete_are_no_counts(tmp_path: Path) -> None:
    _, said = answers(60, 2, "01", slip=0.9)
    rng = random.Random(10)
    rows = [
        [f"i{i}", rng.randint(1, 5), said[i, 0], rng.randint(1, 5), said[i, 1]] for i in range(60)
    ]
    path = write(tmp_path, ["item", "lo", "mi", "tu", "ve"], rows)
    error = refusal(path)
    assert "--layout counts" in str(error)
    counted = [[f"i{i}", k := rng.randint(0, 9), 9 - k] for i in range(60)]
    assert Ratings.read(write(tmp_path, ["item", "no", "yes"], counted)).layout.kind == "counts"


def test_people_who_always_agree_have_answered_all_the_same(tmp_path: Path) -> None:
    records = [
        {"doc": f"d{i}", "said": [{"by": f"w{r}", "what": "ny"[i % 2]} for r in range(2)]}
        for i in range(30)
    ]
    path = tmp_path / "table.json"
    path.write_text(json.dumps(records), encoding="utf-8")
    error = refusal(path)
    assert error.remedy == {"item": "doc", "rater": "said[].by", "label": "said[].what"}


def test_a_sheet_as_a_team_kept_it_is_understood(shared_data: Callable[[str], Path]) -> None:
    """Models' answers, judges' columns, one person's; a block of rows was not judged."""
    path = shared_data("evaluation-sheet") / "sheet.csv.gz"
    error = refusal(path)
    assert error.remedy["item"] == ["question", "model"]
    assert error.remedy["raters"] == ["Human-Eval"]
    ratings, predictions = read_both(path, None, *complete(error.remedy))
    assert (ratings.n_items, ratings.n_ratings) == (3200, 3200)
    assert predictions is not None
    assert set(predictions.names) == set(error.remedy["classifiers"] or ())
    assert len(predictions.names) == 9
    assert any("400 rows hold no answer of a rater" in note for note in ratings.notes)


def test_names_of_the_trade_are_known(tmp_path: Path) -> None:
    _, said = answers(45, 3)
    rows = [[f"P{i}", f"w{r}", said[i, r]] for i, r in said]
    for columns in (
        ["_unit_id", "_worker_id", "label"],
        ["passage-id", "rater", "label"],
        ["docno", "assessor", "rating"],
        ["patient_id", "expert", "label"],
        ["segment", "rater", "score"],
    ):
        ratings = Ratings.read(write(tmp_path, columns, rows))
        assert (ratings.n_items, ratings.n_raters) == (45, 3)


def test_a_mean_of_some_columns_and_a_vague_name_are_told(tmp_path: Path) -> None:
    truth, said = answers(60, 2, "12345", 0.4)
    rows = [
        [
            f"i{i}",
            said[i, 0],
            said[i, 1],
            truth[i],
            f"{(int(said[i, 0]) + int(said[i, 1])) / 2:.1f}",
        ]
        for i in range(60)
    ]
    error = refusal(write(tmp_path, ["item", "ka", "lo", "mi", "tu"], rows))
    assert "'tu' is the mean of some of the others" in str(error)
    assert set(error.remedy["raters"] or ()) == {"ka", "lo", "mi"}
    vague = write(tmp_path, ["id", "ann1", "system"], [row[:3] for row in rows])
    assert "'system' may be a rater too" in str(refusal(vague))


def test_a_column_on_which_all_agree_may_be_the_label(tmp_path: Path) -> None:
    _, noise = answers(30, 2)
    rows = [[f"i{i}", f"w{r}", "ny"[i % 2], noise[i, r]] for i, r in noise]
    error = refusal(write(tmp_path, ["ka", "lo", "mi", "tu"], rows))
    assert {str(one["label"]) for one in error.readings} == {"mi", "tu"}


def test_a_rater_that_the_item_decides_is_none(tmp_path: Path) -> None:
    _, said = answers(51, 3)
    rows = [[f"q{i // 3}", f"m{i % 3}", f"w{r}", said[i, r], f"team {i // 3}"] for i, r in said]
    error = refusal(write(tmp_path, ["item", "model", "fa", "answer", "assessor"], rows))
    assert "'assessor' is the same in all rows of a 'item'" in str(error)
    assert error.remedy == {"item": ["item", "model"], "rater": "fa", "label": "answer"}
