"""Tables as newcomers bring them: read rightly or refused with the command that would be right."""

import gzip
import io
import json
import os
import threading
import uuid
import zipfile
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import headcount as hc
from headcount import Predictions, Ratings
from headcount.data import judge
from headcount.data.reading import read_both
from headcount.door import unpacking
from headcount.errors import HeadcountError, InputError, OptionError, UnsureError
from headcount.web.looking import complete


def _file(folder: Path, text: str, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_a_rater_column_without_a_label_column_names_the_command(tmp_path: Path) -> None:
    rows = "1,ann,pos\n1,ben,neg\n2,ann,pos\n2,ben,pos\n3,ann,neg\n3,ben,neg\n"
    path = _file(tmp_path, "id,annotator,sentiment\n" + rows)
    with pytest.raises(InputError, match="--rater annotator --label sentiment"):
        Ratings.read(path)
    ratings = Ratings.read(path, label="sentiment")
    assert ratings.patterns().counts.tolist() == [[0, 2], [1, 1], [2, 0]]
    assert ratings.answers().raters.tolist() == ["ann", "ben"]


def test_ids_that_repeat_are_no_wide_table(tmp_path: Path) -> None:
    path = _file(tmp_path, "id,who,verdict\n1,ann,pos\n1,ben,neg\n2,ann,pos\n2,ben,pos\n")
    with pytest.raises(InputError, match=r"come in several rows.*--label verdict"):
        Ratings.read(path)


def test_an_id_that_numbers_the_rows_is_not_surely_the_item(tmp_path: Path) -> None:
    rows = "1,d1,ann,x\n2,d1,ben,y\n3,d2,ann,x\n"
    path = _file(tmp_path, "id,doc_id,annotator,label\n" + rows)
    with pytest.raises(InputError, match="--item doc_id"):
        Ratings.read(path)
    assert Ratings.read(path, item="doc_id").n_items == 2
    named = _file(tmp_path, "item,document,annotator,label\n" + rows)
    assert Ratings.read(named).n_items == 3


def test_dates_texts_and_unique_columns_speak_against_raters(tmp_path: Path) -> None:
    rows = "".join(
        f"{i},{'yes' if i % 2 else 'no'},{'no' if i % 3 else 'yes'},2024-01-{i + 1:02d},n{i * 7}\n"
        for i in range(25)
    )
    path = _file(tmp_path, "id,first,second,created,code\n" + rows)
    with pytest.raises(InputError, match="--raters first --raters second"):
        Ratings.read(path)
    assert Ratings.read(path, raters=["first", "second"]).n_raters == 2


def test_a_sheet_of_answers_beside_the_rated_texts_names_its_raters(tmp_path: Path) -> None:
    """`response` is called like a label and holds what was rated: raters are other columns."""
    text = "The answer says a good deal about topic number"
    rows = "".join(f"p{j},{text} {j},{j % 4 + 1},{j % 3 + 1},{j % 4 + 1}\n" for j in range(12))
    path = _file(tmp_path, "prompt_id,response,human_1,human_2,gpt-4o score\n" + rows)
    ratings = Ratings.read(path)
    assert ratings.layout.others == ("human_1", "human_2")
    assert ratings.layout.classifiers == ("gpt-4o score",)
    assert ratings.n_ratings == Ratings.read(path, raters="human*").n_ratings == 24


def test_one_label_beside_the_rated_texts_is_named(tmp_path: Path) -> None:
    text = "The answer says a good deal about topic number"
    rows = "".join(f"p{j},{text} {j},{'good' if j % 2 else 'bad'}\n" for j in range(12))
    path = _file(tmp_path, "prompt_id,response,verdict\n" + rows)
    with pytest.raises(InputError, match=r"'response' holds texts.*--label verdict"):
        Ratings.read(path)


def test_a_column_called_like_what_is_rated_is_the_likely_item(tmp_path: Path) -> None:
    path = _file(tmp_path, "question,annotator,winner\nq1,ann,a\nq1,ben,b\nq2,ann,a\n")
    with pytest.raises(
        InputError, match=r"ost likely .* --item question --rater annotator --label winner "
    ):
        Ratings.read(path)


def test_a_column_that_names_who_answered_is_to_be_left_out(tmp_path: Path) -> None:
    ratings = Ratings.from_counts([[2, 1], [1, 2]], labels=["a", "b"])
    said = _file(tmp_path, "item,judge,verdict\n0,gpt,a\n1,gpt,b\n")
    with pytest.raises(
        InputError,
        match=r"'gpt' in every row.*--classifiers verdict \(in Python: classifiers=\['verdict'\]\)",
    ):
        judge(ratings, Predictions.read(said))
    assert judge(ratings, Predictions.read(said, classifiers="verdict")).n_items == 2


def test_some_answers_outside_the_labels_may_be_renamed(tmp_path: Path) -> None:
    ratings = Ratings.from_counts([[2, 1], [1, 2]], labels=["a", "tie"])
    said = _file(tmp_path, "item,gpt\n0,A wins\n1,tie\n")
    with pytest.raises(InputError, match="--map 'A wins=LABEL'"):
        judge(ratings, Predictions.read(said))


def test_answers_in_another_case_are_not_called_wrong(tmp_path: Path) -> None:
    ratings = Ratings.read(_file(tmp_path, "item,rater,label\n1,a,toxic\n1,b,ok\n2,a,ok\n"))
    answers = "item,m\n1,TOXIC\n2,OK\n"
    with pytest.raises(InputError, match=r"--fold-case.*--map TOXIC=toxic") as caught:
        judge(ratings, Predictions.read(_file(tmp_path, answers, "p.csv")))
    assert "wrong" not in str(caught.value)
    mapped = Predictions.read(tmp_path / "p.csv", mapping={"TOXIC": "toxic", "OK": "ok"})
    assert judge(ratings, mapped).classifiers[0].codes.tolist() == [1, 0]
    folded = Ratings.read(tmp_path / "table.csv", fold_case=True)
    found = judge(folded, Predictions.read(tmp_path / "p.csv"))
    assert found.classifiers[0].codes.tolist() == [1, 0]


def test_a_column_that_is_no_classifier_is_said_to_be_none(tmp_path: Path) -> None:
    ratings = Ratings.read(_file(tmp_path, "item,rater,label\n1,a,x\n1,b,y\n2,a,y\n"))
    texts = "".join(
        f"{i},this is a long text that somebody wrote about number {i}\n" for i in (1, 2)
    )
    with pytest.raises(InputError, match=r"holds texts.*--classifiers"):
        judge(ratings, Predictions.read(_file(tmp_path, "item,note\n" + texts, "p.csv")))
    with pytest.raises(InputError, match="--map other=x"):
        judge(ratings, Predictions.read(_file(tmp_path, "item,m\n1,other\n2,else\n", "p.csv")))


def test_names_never_reach_sql() -> None:
    us = Ratings.from_counts([[1, 9], [9, 1]], labels=["us", "US"])
    assert us.item_counts().counts.tolist() == [[1, 9], [9, 1]]
    for labels in (["a", "c0"], ["item", "other"], ["n0", "k0"], ["x\0y", "'"], ['"', "a;--"]):
        assert Ratings.from_counts([[1, 2], [3, 4]], labels=labels).n_ratings == 10
        rows = [("1", "r", labels[0]), ("1", "s", labels[1]), ("2", "r", labels[1])]
        frame = pa.table(
            dict(zip(("item", "rater", "label"), zip(*rows, strict=True), strict=True))
        )
        assert Ratings.from_frame(frame).n_ratings == 3
    with pytest.raises(OptionError, match="twice"):
        Ratings.from_counts([[1, 2]], labels=["a", "a"])


@pytest.mark.parametrize(
    "names",
    [
        ("GPT", "gpt"),
        ("headcount_item", "c0"),
        ("item ", "label"),
        ("a\0b", '"'),
        ("\x1b[31m", "m|*"),
    ],
)
def test_classifiers_of_any_name_are_kept_apart(names: tuple[str, str], tmp_path: Path) -> None:
    ratings = Ratings.from_frame(pa.table({"item": ["1", "2"], "label": ["x", "y"]}))
    table = pa.table([["1", "2"], ["x", "x"], ["y", "y"]], ["item", *names])
    path = tmp_path / "p.parquet"
    pq.write_table(table, path)
    for predictions in (Predictions.read(path), Predictions.from_frame(table)):
        assert predictions.names == names
        found = judge(ratings, predictions)
        assert [c.codes.tolist() for c in found.classifiers] == [[0, 0], [1, 1]]


def test_ids_of_every_kind_stay_what_they_are(tmp_path: Path) -> None:
    ids = [uuid.UUID(int=k) for k in range(4)]
    frame = pd.DataFrame({"item": ids, "label": ["x", "y", "x", "y"]})
    assert Ratings.from_frame(frame).item_counts().items.tolist() == sorted(map(str, ids))
    path = tmp_path / "uuid.parquet"
    pq.write_table(
        pa.table({"item": pa.array([i.bytes for i in ids], pa.uuid()), "label": list("xyxy")}), path
    )
    assert Ratings.read(path).item_counts().items.tolist() == sorted(map(str, ids))
    exact = [
        "9007199254740993",
        "9007199254740992",
        "1_0",
        "10",
        "１",
        "1",
        "123456789012345678901",
        "123456789012345678902",
        "007",
        "7",
    ]
    csv = "item,label\n" + "".join(f"{name},x\n" for name in exact)
    assert Ratings.read(_file(tmp_path, csv)).n_items == len(exact)
    big = pa.table({"item": pa.array([2**53, 2**53 + 1]), "label": ["x", "y"]})
    assert Ratings.from_frame(big).n_items == 2


def test_numbers_as_labels_are_compared_exactly(tmp_path: Path) -> None:
    labels = ["9007199254740993", "9007199254740992", "10", "1"]
    rows = "".join(f"i{k},{label}\n" for k, label in enumerate(labels))
    assert Ratings.read(_file(tmp_path, "item,label\n" + rows)).labels.n == 4
    text = Ratings.read(_file(tmp_path, "item,label\n1,1_0\n2,10\n3,１\n4,1\n"))
    assert text.labels.n == 4
    assert text.scale.kind == "nominal"


def test_parquet_with_nan_labels(tmp_path: Path) -> None:
    path = tmp_path / "nan.parquet"
    pq.write_table(pa.table({"item": [1, 1, 2], "label": [1.0, float("nan"), 2.0]}), path)
    ratings = Ratings.read(path)
    assert (ratings.labels.names, ratings.n_missing) == (("1", "2"), 1)


def test_a_label_and_its_probability_together(tmp_path: Path) -> None:
    ratings = Ratings.read(_file(tmp_path, "item,rater,label\n1,a,yes\n1,b,no\n2,a,no\n"))
    path = _file(tmp_path, "item,m,m:yes\n1,yes,0.8\n2,yes,0.3\n", "p.csv")
    found = judge(ratings, Predictions.read(path))
    assert [c.name for c in found.classifiers] == ["m"]
    assert found.classifiers[0].probabilities[:, 1].tolist() == [0.8, 0.3]
    assert any("in 1 row its label is not its most probable one" in note for note in found.notes)


def test_occasions_are_in_order_of_time_not_of_letters(tmp_path: Path) -> None:
    for first, second in [
        ("9/1", "10/1"),
        ("2", "10"),
        ("2024-02-01", "2024-10-01"),
        ("31/12/2019", "1/1/2020"),
        ("9/30/2023", "10/1/2023"),
    ]:
        rows = f"i,r,late,{second}\ni,r,early,{first}\ni,s,late,{first}\n"
        ratings = Ratings.read(_file(tmp_path, "item,rater,label,session\n" + rows))
        counts = dict(
            zip(ratings.labels.names, ratings.item_counts().counts[0].tolist(), strict=True)
        )
        assert counts == {"early": 1, "late": 1}, (first, second)
    dated = pd.DataFrame(
        {
            "item": ["i", "i"],
            "rater": ["r", "r"],
            "label": ["late", "early"],
            "time": pd.to_datetime(["2024-10-01", "2024-02-01"]),
        }
    )
    assert (
        Ratings.from_frame(dated).labels.names[
            Ratings.from_frame(dated).item_counts().counts[0].argmax()
        ]
        == "early"
    )


def test_copies_of_rows_are_copies_and_not_retests() -> None:
    rows = {"item": list("aab"), "rater": list("rrr"), "label": list("xxy")}
    copied = Ratings.from_frame(pa.table(rows))
    assert (copied.n_copies, copied.n_retests, copied.n_ratings) == (1, 0, 2)
    assert any("1 row is an exact copy" in note for note in copied.notes)
    for more in ({"occasion": [1, 2, 1]}, {"comment": ["so", "so so", ""]}):
        again = Ratings.from_frame(pa.table(rows | more))
        assert (again.n_copies, again.n_retests, again.n_ratings) == (0, 1, 2)


ENDS = {"unix": "\n", "windows": "\r\n", "old mac": "\r"}


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("start", ["", "\ufeff", "sep=;\n", "\ufeffsep=;\r\n"])
def test_line_ends_marks_and_separators(ends: str, start: str, tmp_path: Path) -> None:
    sign = ";" if "sep" in start else ","
    lines = ["item,rater,label", "1,a,x", '1,b,"y, or z"', "2,a,x"]
    text = start + ENDS[ends].join(line.replace(",", sign, 2) for line in lines)
    ratings = Ratings.read(_file(tmp_path, text))
    assert ratings.layout.item == "item"
    assert ratings.labels.names == ("x", "y, or z")
    assert ratings.n_ratings == 3


def test_mixed_line_ends(tmp_path: Path) -> None:
    ratings = Ratings.read(_file(tmp_path, "item,rater,label\r\n1,a,x\n1,b,y\r\n2,a,x\r2,b,x\n"))
    assert ratings.labels.names == ("x", "y")
    assert ratings.n_ratings == 4


def test_sparse_keys_and_arrays_of_json(tmp_path: Path) -> None:
    lines = '{"item": 1, "label": "x"}\n{"label": "y", "rater": "b", "item": 1}\n'
    with pytest.raises(InputError, match=r"row 1: the rater|line 1: the rater"):
        Ratings.read(_file(tmp_path, lines, "t.jsonl"))
    array = '[{"item": 1, "rater": "a", "label": "x"}, {"item": 2.0, "rater": "a", "label": "y"}]'
    assert Ratings.read(_file(tmp_path, array, "t.json")).n_items == 2
    cased = '{"item": 1, "Label": "x", "label": "y"}\n{"item": 2, "Label": "x", "label": "x"}\n'
    assert Ratings.read(_file(tmp_path, cased, "t.jsonl"), label="Label").labels.names == ("x",)


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "arrow", "csv", "parquet"])
def test_the_same_rule_for_floats_blanks_and_nan_ids(kind: str, tmp_path: Path) -> None:
    columns = {"item": [1.0, 1.0, 2.0], "rater": ["ann ", " ben", "ann"], "label": [1.0, 2.0, 1.0]}
    frame = pd.DataFrame(columns)
    made = {
        "pandas": lambda: frame,
        "polars": lambda: pl.DataFrame(columns),
        "lazy": lambda: pl.DataFrame(columns).lazy(),
        "arrow": lambda: pa.table(columns),
    }
    if kind in made:
        ratings = Ratings.from_frame(made[kind]())
    else:
        path = tmp_path / f"t.{kind}"
        (frame.to_csv if kind == "csv" else frame.to_parquet)(path, index=False)
        ratings = Ratings.read(path)
    assert ratings.item_counts().items.tolist() == ["1", "2"]
    assert ratings.answers().raters.tolist() == ["ann", "ben"]
    assert ratings.labels.names == ("1", "2")


def test_nan_ids_are_blank_everywhere(tmp_path: Path) -> None:
    columns = {"item": [1.0, float("nan")], "label": ["x", "y"]}
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(columns), path)
    for given in (pd.DataFrame(columns), pl.DataFrame(columns), pl.DataFrame(columns).lazy(), path):
        with pytest.raises(InputError, match="blank"):
            Ratings.read(given) if isinstance(given, Path) else Ratings.from_frame(given)


def test_a_gzip_is_verified_to_its_end(tmp_path: Path) -> None:
    text = "item,rater,label\n" + "".join(f"{i * 7919 % 99991},r,y\n" for i in range(90_000))
    packed = bytearray(gzip.compress(text.encode()))
    packed[-6] ^= 0xFF  # the checksum, far behind the first 256 KB
    path = tmp_path / "t.csv.gz"
    path.write_bytes(packed)
    with pytest.raises(InputError, match="damaged gzip"):
        Ratings.read(path)


def test_no_archive_unpacks_without_bound(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/s.xml", bytes(100 << 20))
    with pytest.raises(InputError, match=r"t\.xlsx unpacks to more than"):
        Ratings.read(path)
    packed = bytearray(path.read_bytes())
    size = (100 << 20).to_bytes(4, "little")
    while (at := packed.find(size)) >= 0:  # a header that says it is small
        packed[at : at + 4] = (10).to_bytes(4, "little")
    path.write_bytes(packed)
    with pytest.raises(InputError, match="not a readable workbook"):
        Ratings.read(path)
    path = tmp_path / "t.eval.gz"
    path.write_bytes(gzip.compress(b"PK no archive"))
    with pytest.raises(InputError, match=r"t\.eval\.gz is a damaged archive"):
        Ratings.read(path)


def test_a_table_that_is_read_whole_has_a_bound_of_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.parquet"
    votes = pa.array([["x", "x"]] * 4)
    pq.write_table(pa.table({"item": ["a", "b", "c", "d"], "labels": votes}), path)
    assert Ratings.read(path).n_ratings == 8
    monkeypatch.setattr(unpacking, "_MOST_ROWS", 3)
    with pytest.raises(InputError, match="as no real table does"):
        Ratings.read(path)


def test_several_runs_are_kept_and_one_is_used(tmp_path: Path) -> None:
    rows = "1,m,yes,1\n1,m,no,2\n1,m,no,3\n2,m,yes,1\n"
    path = _file(tmp_path, "item,model,answer,run\n" + rows, "p.csv")
    first = Predictions.read(path)
    assert first.columns["m"].texts.to_pylist() == ["yes", "yes"]
    assert any("2 answers are further runs of a classifier" in note for note in first.notes)
    assert "the first counts" in (first.counted_run or "")
    most = Predictions.read(path, runs="majority")
    assert most.columns["m"].texts.to_pylist() == ["no", "yes"]
    assert most.runs is not None
    assert most.runs.num_rows == 4
    without = _file(tmp_path, "item,model,answer\n1,m,yes\n1,m,no\n", "q.csv")
    with pytest.raises(InputError, match="--run"):
        Predictions.read(without)


def test_runs_of_a_wide_table_are_kept_and_one_is_used(tmp_path: Path) -> None:
    rows = "1,no,0.2,10\n1,yes,0.9,9\n1,no,0.4,11\n2,yes,0.8,9\n"
    path = _file(tmp_path, "item,m,k:yes,attempt\n" + rows, "p.csv")
    with pytest.raises(InputError, match=r"one of 2 such rows.*--run"):
        Predictions.read(path)
    first = Predictions.read(path, run="attempt")
    assert first.names == ("m", "k")
    assert first.columns["m"].texts.to_pylist() == ["yes", "yes"]  # of run 9, not of the first row
    assert first.columns["k:yes"].texts.to_pylist() == ["0.9", "0.8"]
    assert first.runs is not None
    assert first.runs.column_names == ["item", "classifier", "run", "answer"]
    assert first.runs.num_rows == 8
    most = Predictions.read(path, run="attempt", runs="majority", classifiers="m")
    assert most.columns["m"].texts.to_pylist() == ["no", "yes"]
    assert most.runs is not None
    assert most.runs["answer"].to_pylist() == ["no", "yes", "no", "yes"]
    with pytest.raises(OptionError, match="no majority"):
        Predictions.read(path, run="attempt", runs="majority")


def test_columns_that_say_something_of_the_item_are_no_classifiers(tmp_path: Path) -> None:
    path = _file(tmp_path, "item,gold,epoch,m\n1,1,1,2\n2,2,1,2\n", "p.csv")
    read = Predictions.read(path)
    assert read.names == ("m",)
    assert any("'gold' is not taken for a classifier" in note for note in read.notes)
    assert Predictions.read(path, classifiers=["gold", "m"]).names == ("gold", "m")


def test_predictions_a_row_an_answer_with_probabilities(tmp_path: Path) -> None:
    ratings = Ratings.read(_file(tmp_path, "item,rater,label\n1,a,yes\n1,b,no\n2,a,no\n"))
    rows = "1,gpt,yes,0.9\n2,gpt,no,0.6\n1,llama3:8b,no,0.7\n2,llama3:8b,no,0.8\n"
    path = _file(tmp_path, "item,model,label,confidence\n" + rows, "p.csv")
    found = judge(ratings, Predictions.read(path))
    assert [c.name for c in found.classifiers] == ["gpt", "llama3:8b"]
    assert found.classifiers[0].probabilities[:, 1].tolist() == pytest.approx([0.9, 0.4])


def test_names_with_colons_and_probabilities_a_rounding_above_one(tmp_path: Path) -> None:
    ratings = Ratings.read(_file(tmp_path, "item,rater,label\n1,a,yes\n1,b,no\n2,a,no\n"))
    path = _file(tmp_path, "item,llama3:8b,soft\n1,yes,1.0000002\n2,no,0.25\n", "p.csv")
    found = judge(ratings, Predictions.read(path))
    assert [c.name for c in found.classifiers] == ["llama3:8b", "soft"]
    assert found.classifiers[1].probabilities[0].tolist() == [0.0, 1.0]
    path = _file(tmp_path, "item,llama3:8b\n1,0.5\n2,0.25\n", "q.csv")
    with pytest.raises(InputError, match="--classifiers llama3:8b"):
        judge(ratings, Predictions.read(path))
    named = Predictions.read(path, classifiers="llama3:8b")
    assert judge(ratings, named).classifiers[0].name == "llama3:8b"


def test_decimal_scores_on_a_numeric_scale_are_answers(tmp_path: Path) -> None:
    ratings = Ratings.read(_file(tmp_path, "item,rater,label\n1,a,1\n1,b,3\n2,a,5\n3,a,2\n"))
    path = _file(tmp_path, "item,judge\n1,2.6\n2,5\n3,1.2\n", "p.csv")
    found = judge(ratings, Predictions.read(path))
    assert [ratings.labels.names[c] for c in found.classifiers[0].codes] == ["3", "5", "1"]
    assert any("2 numbers between the labels" in note for note in found.notes)


def test_a_metric_beside_grades_is_on_another_scale(tmp_path: Path) -> None:
    """BLEU from 0 to 1 beside grades from 1 to 5: no label is the nearest one."""
    rows = "".join(f"{k},a,{k % 5 + 1}\n{k},b,{(k + 1) % 5 + 1}\n" for k in range(20))
    ratings = Ratings.read(_file(tmp_path, "item,rater,label\n" + rows))
    for numbers in ([k / 21 for k in range(20)], [(0, 1 / 3, 2 / 3, 1)[k % 4] for k in range(20)]):
        said = "item,bleu\n" + "".join(f"{k},{x:.4f}\n" for k, x in enumerate(numbers))
        predictions = Predictions.read(_file(tmp_path, said, "p.csv"))
        with pytest.raises(
            InputError, match=r"another scale than people's: from 0 to .*from 1 to 5"
        ):
            judge(ratings, predictions)
    found = hc.scores(ratings, predictions)
    assert any("bleu: its numbers are on another scale" in note for note in found.notes)
    half = "item,judge\n" + "".join(f"{k},{k % 9 / 2 + 1}\n" for k in range(20))
    assert judge(ratings, Predictions.read(_file(tmp_path, half, "q.csv"))).n_items == 20


def test_probabilities_that_miss_one_have_a_remedy(tmp_path: Path) -> None:
    ratings = Ratings.read(_file(tmp_path, "item,rater,label\n1,a,x\n1,b,y\n2,a,y\n"))
    path = _file(tmp_path, "item,m:x,m:y\n1,0.5,0.4768\n2,0.5,0.5\n", "p.csv")
    with pytest.raises(
        InputError, match=r"0\.9768, not to one \(1 such row of 2\): leave the cells"
    ):
        judge(ratings, Predictions.read(path))


def test_declared_labels_win_over_missing(tmp_path: Path) -> None:
    path = _file(tmp_path, "item,rater,label\n1,a,None\n1,b,spam\n2,a,?\n2,b,spam\n")
    assert Ratings.read(path).labels.names == ("?", "spam")
    named = Ratings.read(path, order=["None", "spam"], missing="?")
    assert named.labels.names == ("None", "spam")
    assert named.n_missing == 1
    assert "Taken for no answer: '?'." in named.notes


def test_classifiers_of_every_kind_are_told_from_readers_by_name(tmp_path: Path) -> None:
    rows = "a,yes,no,yes,0.9\nb,no,no,yes,0.25\nc,yes,yes,no,0.5\n"
    path = _file(tmp_path, "case,reader1,reader2,model_a,model_b\n" + rows)
    ratings, predictions = read_both(path, None, *complete({}))
    assert ratings.answers().raters.tolist() == ["reader1", "reader2"]
    assert predictions is not None
    assert predictions.names == ("model_a", "model_b")
    assert "classifiers = 'model_a', 'model_b'" in ratings.notes[0]


def test_utf_16_is_told_from_binary_data(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("item,rater,label\n1,a,x\n".encode("utf-16"))
    with pytest.raises(InputError, match="iconv -f utf-16"):
        Ratings.read(path)
    path.write_bytes(b"item\0\1\2,x\n")
    with pytest.raises(InputError, match="binary data"):
        Ratings.read(path)


def test_the_item_of_predictions_has_an_option_of_its_own(tmp_path: Path) -> None:
    path = _file(tmp_path, "key,m\n1,x\n2,y\n", "p.csv")
    with pytest.raises(InputError, match="--prediction-item key"):
        Predictions.read(path)


def test_a_column_is_a_rater_or_a_classifier(tmp_path: Path) -> None:
    path = _file(tmp_path, "case,r1,r2,model\na,yes,no,yes\nb,no,no,yes\n")
    with pytest.raises(InputError, match="named for the raters and for the classifiers"):
        Ratings.read(path, raters=["r*", "model"], classifiers="model")
    everyone = Ratings.read(path, raters="*", classifiers="model")
    assert everyone.answers().raters.tolist() == ["r1", "r2"]


def test_merged_spellings_are_noted(tmp_path: Path) -> None:
    path = _file(tmp_path, "item,rater,label\n1,a,1\n1,b,1.0\n2,a,2\n2,b,02\n")
    assert any(
        "'1', '1.0' are taken for one label" in note for note in Ratings.read(path).notes
    ) or any("'02', '2' are taken for one label" in note for note in Ratings.read(path).notes)


def test_text_slices_clusters_groups_and_gold_travel(tmp_path: Path) -> None:
    rows = "b,r1,x,hi,art,d1,y,old\na,r1,y,ho,law,d2,y,old\na,r2,x,ho,law,d2,y,new\n"
    path = _file(tmp_path, "item,rater,label,text,topic,doc,gold,age\n" + rows)
    ratings = Ratings.read(path, slices="topic", cluster="doc", groups=["age"])
    columns = ratings.item_columns()
    assert ratings.item_counts().items.tolist() == ["a", "b"]
    said = {k: [c.names[code] for code in c.code] for k, c in columns.items()}
    assert said == {
        "text": ["ho", "hi"],
        "cluster": ["d2", "d1"],
        "gold": ["y", "y"],
        "topic": ["law", "art"],
    }
    answers = ratings.answers()
    assert answers.by["age"].names == ("new", "old")
    assert answers.groups == ("new", "old")
    with pytest.raises(InputError, match="different values for the item 'a'"):
        Ratings.read(path, slices="age").item_columns()


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        buffer = io.BytesIO(b"item,rater,label\n1,a,x\n1,b,y\n")

    monkeypatch.setattr("sys.stdin", Stdin)
    ratings = Ratings.read("-")
    assert (ratings.name, ratings.n_ratings) == ("standard input", 2)


def test_what_another_command_writes_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = b"id,human_1,human_2,judge\n" + b"".join(
        b"%d,x,%c,x\n" % (k, b"xy"[k % 2]) for k in range(30)
    )

    class Stdin:
        buffer = io.BytesIO(sheet)

    monkeypatch.setattr("sys.stdin", Stdin)
    ratings, predictions = read_both("/dev/stdin", None, *complete({}))  # both are in it
    assert predictions is not None
    assert (ratings.n_ratings, predictions.names) == (60, ("judge",))
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"item,rater,label\n1,a,x\n1,b,y\n",))
    writer.start()
    assert Ratings.read(pipe).n_ratings == 2
    writer.join()


def test_half_of_a_letter_in_json_is_written_out(tmp_path: Path) -> None:
    records = [
        {"item": f"a{c}", "rater": "r", "label": "x\ud83d\ude00"} for c in ("\ud800", "\ud801")
    ]
    lines = "\n".join(map(json.dumps, records))
    for text, name in ((json.dumps(records), "t.json"), (lines, "t.jsonl")):
        ratings = Ratings.read(_file(tmp_path, text, name))
        assert ratings.item_counts().items.tolist() == ["a\\ud800", "a\\ud801"]
        assert ratings.labels.names == ("x😀",)


def test_lists_in_lists_are_reached_into(tmp_path: Path) -> None:
    said = {
        f"d{i}": [[f"w{r}", "yes" if (i + r) % 5 else "no"] for r in range(3)] for i in range(30)
    }
    path = _file(tmp_path, json.dumps(said), "t.json")
    with pytest.raises(UnsureError) as caught:
        Ratings.read(path)
    remedy = {"item": "id", "rater": "answers[][0]", "label": "answers[][1]"}
    assert caught.value.remedy == remedy
    assert Ratings.read(path, **remedy).n_ratings == 90
    deep = [
        {
            "id": f"d{i}",
            "by": {f"w{r}": [["tone", "ny"[i % 2]], ["fact", "ny"[i % 3 > 0]]] for r in range(3)},
        }
        for i in range(30)
    ]
    path = _file(tmp_path, json.dumps(deep), "deep.json")
    key = ["id", "by{}[][0]"]
    ratings = Ratings.read(path, item=key, rater="by{key}", label="by{}[][1]")
    assert (ratings.n_items, ratings.n_ratings, ratings.n_raters) == (60, 180, 3)


def test_a_file_a_rater_in_a_folder(tmp_path: Path) -> None:
    for name in ("ann", "ben"):
        _file(tmp_path, "id,verdict\n1,yes\n2,no\n", f"{name}.csv")
    with pytest.raises(HeadcountError, match="--rater-from file"):
        Ratings.read(tmp_path, label="verdict")
    ratings = Ratings.read(tmp_path, label="verdict", rater_from="file")
    assert ratings.answers().raters.tolist() == ["ann", "ben"]
    assert ratings.n_ratings == 4


def test_a_file_of_right_answers_among_raters_is_gold(tmp_path: Path) -> None:
    for name in ("ann", "ben", "cleo", "ground_truth"):
        _file(
            tmp_path,
            "id,label\n" + "".join(f"{k},{name[k % 2]}\n" for k in range(9)),
            f"{name}.csv",
        )
    ratings = Ratings.read(tmp_path, rater_from="file")
    assert ratings.answers().raters.tolist() == ["ann", "ben", "cleo"]
    assert ratings.item_columns()["gold"].names == ("g", "r")
    assert any("ground_truth.csv is taken for the right answers" in n for n in ratings.notes)
    (tmp_path / "ground_truth.csv").rename(tmp_path / "gpt-4.csv")
    with pytest.raises(InputError, match=r"gpt-4\.csv' would count as one more rater"):
        Ratings.read(tmp_path, rater_from="file")


TABLES = {
    "the majority is no rater": (
        "id,alice,bob,carol,majority\n1,a,a,b,a\n2,b,b,b,b\n3,a,b,b,b\n",
        "'majority' may be a rater or not.*--raters alice --raters bob --raters carol",
    ),
    "nor is the consensus of numbers": (
        "image,rater_1,rater_2,consensus\na.png,1,0,1\nb.png,0,0,0\nc.png,1,1,1\n",
        r"--item image --raters 'rater\*'",
    ),
    "an id of a rater is no item": (
        "userId,movieId,rating\n1,10,4.0\n1,11,3.5\n2,10,5\n",
        r"ost likely \S+ \S+ \S+ --item movieId --rater userId --label rating \(2 items",
    ),
    "an index of pandas": (",item,rater,label\n0,1,a,x\n1,1,b,y\n", r"index=False"),
    "texts without an id": (
        "text,label1,label2\ngood,pos,pos\nbad,neg,neg\nso so,pos,neg\n",
        r"ost likely \S+ \S+ \S+ --item text --raters 'label\*' \(3 items, 2 raters, labels neg, ",
    ),
    "several questions as columns": (
        "id,annotator,toxicity,mood\n1,a,yes,pos\n1,b,no,neg\n2,a,no,pos\n2,b,no,neg\n",
        r"--label toxicity \(2 items, 2 raters, labels no, yes, 50 % agree\) \(or 'mood'",
    ),
    "questions as column names": (
        "Task ID,Worker ID,How is it?,Time (s)\nt1,w1,good,12\nt1,w2,bad,9\nt2,w1,good,4\n",
        r"--item 'Task ID' --rater 'Worker ID' --label 'How is it\?'",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_refusal_says_what_would_be_right(name: str, tmp_path: Path) -> None:
    text, told = TABLES[name]
    with pytest.raises(InputError, match=told):
        Ratings.read(_file(tmp_path, text))


def test_copies_are_copies_where_an_occasion_is_the_same_too() -> None:
    rows = {"item": list("aaab"), "rater": list("rrrr"), "label": list("xxxy")}
    again = Ratings.from_frame(pa.table(rows | {"occasion": [1, 1, 2, 1]}))
    assert (again.n_copies, again.n_retests, again.n_ratings) == (1, 1, 2)


def test_a_control_character_before_a_number_is_part_of_a_text(tmp_path: Path) -> None:
    """Python strips it and the engine does not: the id is a text, not the number nought."""
    path = tmp_path / "ratings.tsv"
    path.write_bytes(b"item\trater\tlabel\n\x1f0.0\tr0\t2.5\n0.0\tr0\t1.0\n")
    assert Ratings.read(path).n_items == 2


def test_a_label_may_hold_a_colon_and_a_space(tmp_path: Path) -> None:
    ratings = Ratings.read(_file(tmp_path, "item,rater,label\n1,a,joy: high\n2,a,joy: low\n"))
    path = _file(tmp_path, "item,gpt:joy: high,gpt:joy: low\n1,0.75,0.25\n2,0.5,0.5\n", "p.csv")
    found = judge(ratings, Predictions.read(path))
    assert [c.name for c in found.classifiers] == ["gpt"]
    assert found.classifiers[0].probabilities[0].tolist() == [0.75, 0.25]
