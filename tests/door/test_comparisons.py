"""Answers that say which of two systems is better, as items, raters and labels."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pc
import pytest

from headcount import Predictions, Ratings
from headcount.door.comparisons import joined_name, preference, share_of_first
from headcount.errors import InputError

ROWS = {
    "question_id": [1, 1, 2, 2, 3],
    "model_a": ["x", "y", "x", "z", "x"],
    "model_b": ["y", "x", "z", "y", "y"],
    "winner": ["model_a", "model_b", "tie", "[[A]]", "x"],
    "judge": ["j", "k", "j", "j", "k"],
}


def _answers(ratings: Ratings) -> set[tuple[str, str, str]]:
    found = ratings.answers()
    return {
        (found.items[i], found.raters[r], ratings.labels.names[label])
        for i, r, label in zip(found.item, found.rater, found.label, strict=True)
    }


RIGHT = {
    ("1:x:y", "j", "first"),
    ("1:x:y", "k", "first"),
    ("2:x:z", "j", "tie"),
    ("2:y:z", "j", "second"),
    ("3:x:y", "k", "first"),
}


def test_pairs_are_recognised_and_turned_to_one_order() -> None:
    ratings = Ratings.from_frame(pa.table(ROWS))
    assert _answers(ratings) == RIGHT
    assert ratings.layout.systems == ("first system", "second system")
    assert ratings.layout.cluster == "prompt"
    columns = ratings.item_columns()
    assert columns["cluster"].names == ("1", "2", "3")
    assert [columns["first system"].names[c] for c in columns["first system"].code] == [
        *("x", "x", "y", "x")
    ]


def test_pairs_under_other_names_are_read_as_they_are_told() -> None:
    names = {"model_a": "left", "model_b": "right", "winner": "better", "question_id": "q"}
    table = pa.table({names.get(name, name): column for name, column in ROWS.items()})
    ratings = Ratings.from_frame(table, a="left", b="right", winner="better", item="q")
    assert _answers(ratings) == RIGHT


def test_files_of_pairs_are_read_without_options(tmp_path: Path) -> None:
    pc.write_csv(pa.table(ROWS), tmp_path / "pairs.csv")
    lines = [dict(zip(ROWS, row, strict=True)) for row in zip(*ROWS.values(), strict=True)]
    (tmp_path / "arena.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert _answers(Ratings.read(tmp_path / "pairs.csv")) == RIGHT
    # The reader of MT-Bench knows these fields too, and gives the same names.
    lines[3]["winner"], lines[4]["winner"] = "model_a", "model_a"
    (tmp_path / "bench.jsonl").write_text("\n".join(map(json.dumps, lines)))
    bench = Ratings.read(tmp_path / "bench.jsonl")
    assert _answers(bench) == RIGHT
    assert bench.layout.systems == ("first system", "second system")


def test_a_column_an_outcome_and_a_column_a_rater() -> None:
    hot = {
        "id": [1, 2, 3],
        "model_a": ["x", "y", "x"],
        "model_b": ["y", "x", "y"],
        "winner_model_a": [1, 0, 0],
        "winner_model_b": [0, 1, 0],
        "winner_tie": [0, 0, 1],
    }
    found = Ratings.from_frame(pa.table(hot)).item_counts()
    assert found.items.tolist() == ["1:x:y", "2:x:y", "3:x:y"]
    assert found.counts.tolist() == [[1, 0], [1, 0], [0, 1]]  # first, tie
    wide = {
        "id": [1, 2],
        "model_a": ["x", "y"],
        "model_b": ["y", "x"],
        "ann": ["A", "A"],
        "ben": ["B", "tie"],
    }
    said = Ratings.read(pa.table(wide), a="model_a", b="model_b", raters=["ann", "ben"])
    assert _answers(said) == {
        ("1:x:y", "ann", "first"),
        ("1:x:y", "ben", "second"),
        ("2:x:y", "ann", "second"),
        ("2:x:y", "ben", "tie"),
    }


def test_both_orders_are_occasions_and_not_copies() -> None:
    rows = {
        "prompt_id": [1, 1, 2, 2],
        "model_a": ["x", "y", "x", "y"],
        "model_b": ["y", "x", "y", "x"],
        "winner": ["A", "A", "A", "B"],
        "judge": ["j"] * 4,
    }
    people = Ratings.from_frame(pa.table(rows))
    assert (people.n_retests, people.n_copies) == (2, 0)
    judge = Predictions.from_frame(pa.table(rows))
    assert judge.names == ("j · 12", "j · 21")
    assert judge.table.to_pydict() == {
        "headcount_item": ["1:x:y", "2:x:y"],
        "j · 12": ["first", "first"],
        "j · 21": ["second", "first"],
    }


def test_a_judge_without_a_name_goes_by_the_file(tmp_path: Path) -> None:
    rows = {name: ROWS[name] for name in ("question_id", "model_a", "model_b", "winner")}
    pc.write_csv(pa.table(rows).slice(2), tmp_path / "gpt.csv")
    found = Predictions.read(tmp_path / "gpt.csv")
    assert found.names == ("gpt",)
    assert found.table["gpt"].to_pylist() == ["tie", "second", "first"]


def test_graded_preferences_keep_their_grade() -> None:
    rows = {
        "prompt_id": [1, 2, 3, 4],
        "model_a": ["x", "y", "x", "x"],
        "model_b": ["y", "x", "y", "y"],
        "verdict": ["A>>B", "A>B", "A=B", "[[B>>A]]"],
    }
    ratings = Ratings.from_frame(pa.table(rows))
    found = dict(zip(ratings.item_counts().items, ratings.item_counts().counts, strict=True))
    said = {item: ratings.labels.names[counts.argmax()] for item, counts in found.items()}
    assert said == {"1:x:y": "2", "2:x:y": "-1", "3:x:y": "0", "4:x:y": "-2"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            ("A", 2),
            ("model_a", 2),
            ("[[A]]", 2),
            ("Assistant 1", 2),
            ("left", 2),
            ("a is better", 2),
        ),
        *(("B", -2), ("model_b", -2), ("Output (2)", None), ("output_2", -2), ("second", -2)),
        *(("tie", 0), ("C", 0), ("tie (bothbad)", 0), ("Both bad", 0), ("draw", 0), ("equal", 0)),
        *(("A>B", 1), ("A << B", -2), ("b>a", -1), ("A=B", 0), ("A is slightly better", 1)),
        *(("B much better", -2), ("yes", None), ("apples", None)),
    ],
)
def test_spellings(text: str, value: float | None) -> None:
    assert preference(text) == value


def test_numbers_are_read_where_they_are_known_and_refused_elsewhere() -> None:
    base = {"id": [1, 2, 3], "model_1": ["x"] * 3, "model_2": ["y"] * 3}
    found = Ratings.from_frame(pa.table({**base, "preference": [1, 2, 0]}))
    assert found.labels.names == ("first", "second", "tie")
    graded = Ratings.from_frame(pa.table({**base, "preference": [1.0, 1.25, 2.0]}))
    assert graded.scale.values == (-2, 1, 2)
    with pytest.raises(InputError, match="from 1 to 5, and nothing says which end"):
        Ratings.from_frame(pa.table({**base, "preference": [1, 3, 5]}))
    with pytest.raises(InputError, match="'maybe' in the column 'preference'"):
        Ratings.from_frame(pa.table({**base, "preference": ["A", "B", "maybe"]}))


def test_what_cannot_be_is_refused() -> None:
    table = pa.table(ROWS)
    with pytest.raises(InputError, match="give both"):
        Ratings.from_frame(table, a="model_a")
    with pytest.raises(InputError, match="no column 'nobody'"):
        Ratings.from_frame(table, a="nobody", b="model_b")
    with pytest.raises(InputError, match="says which of 'model_a' and 'model_b' won"):
        Ratings.from_frame(table.drop(["winner"]), a="model_a", b="model_b")


def test_systems_with_colons_in_their_names_stay_apart() -> None:
    assert joined_name("1", "a:b", "c") != joined_name("1", "a", "b:c")
    rows = {
        "id": [1, 1],
        "model_a": ["llama:8b", "llama"],
        "model_b": ["z", "8b:z"],
        "winner": ["A", "B"],
    }
    assert Ratings.from_frame(pa.table(rows)).n_items == 2


def test_a_label_named_by_the_user_is_no_comparison() -> None:
    ratings = Ratings.from_frame(pa.table(ROWS), item="question_id", rater="judge", label="winner")
    assert not ratings.layout.systems


def test_shares_of_the_first() -> None:
    assert [share_of_first(each, 2) for each in ("first", "tie", "second", "-2", "1", "x")] == [
        *(1, 0.5, 0, 0, 0.75, None)
    ]


def test_pandalm_is_recognised(tmp_path: Path) -> None:
    record = {
        "idx": 7,
        "cmp_key": "opt-7b_bloom-7b",
        "response1": "a",
        "response2": "b",
        "annotator1": 1,
        "annotator2": 0,
        "annotator3": 2,
    }
    (tmp_path / "testset.json").write_text(json.dumps([record, {**record, "idx": 8}]))
    found = Ratings.read(tmp_path / "testset.json")
    assert _answers(found) >= {
        ("7:bloom-7b:opt-7b", "annotator1", "second"),
        ("7:bloom-7b:opt-7b", "annotator2", "tie"),
        ("7:bloom-7b:opt-7b", "annotator3", "first"),
    }
    assert found.layout.systems == ("first system", "second system")
