"""Real exports of other tools against their right readings, by import and by reading directly."""

import csv
import json
import re
import shlex
import shutil
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from headcount import Predictions, Ratings
from headcount.cli import main
from headcount.door.reading import Asked, read_exports
from headcount.errors import HeadcountError, InputError

# folder: options that are needed, and the question behind each expected file's ending
OPTIONS = {"labelstudio-csv": ["--rater-from", "file"]}
QUESTIONS = {
    "connection": "connection",
    "humor": "humor",
    "aggressive": "aggressive language detection",
    "offensive": "offensive",
    "faithfulness": "Faithfulness",
    "main-issues": "Main issues",
    "resolution": "Resolution",
    "sub-issues": "Sub-issues",
}
FOLDERS = (
    *("alpacaeval-weighted", "deepeval-json", "doccano-files", "docs-only-braintrust"),
    *("docs-only-labelstudio-predictions", "docs-only-langsmith", "inspect-eval", "inspect-json"),
    *("docs-only-sagemaker-worker-response", "labelstudio-csv", "labelstudio-json"),
    *("langfuse-scores", "lewidi2023-hsbrexit", "lewidi2025-csc", "mlflow-table", "mtbench-human"),
    *("mturk-csv", "potato-jsonl", "prodigy-binary", "prodigy-choice", "promptfoo-json"),
    *("sagemaker-manifest", "sagemaker-workers", "toloka-tsv", "docs-only-argilla"),
)
Table = list[tuple[tuple[str, object], ...]]


def _inputs(folder: Path) -> list[list[Path]]:
    files = sorted(p for p in folder.rglob("*") if p.is_file() and "expected-" not in p.name)
    return [[file] for file in files] if folder.name == "docs-only-argilla" else [files]


def _cell(text: str | None) -> object:
    """A cell to compare: numbers by value, since 1.0 and 1 are the same score."""
    try:
        return Decimal(text or "").normalize()
    except InvalidOperation:
        return text or ""


def _table(rows: list[dict[str, str | None]]) -> Table:
    return sorted(
        (tuple(sorted((name, _cell(value)) for name, value in row.items())) for row in rows),
        key=repr,
    )


def _expected(file: Path) -> Table:
    with open(file, encoding="utf-8", newline="") as stream:
        return _table(list(csv.DictReader(stream)))


def _headcount(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr("sys.argv", ["headcount", *map(str, words)])
    try:
        main()
    except SystemExit as stop:
        return int(stop.code or 0)
    return 0


@pytest.mark.parametrize("name", FOLDERS)
def test_import_gives_the_right_reading_against_reference(
    name: str, shared_data: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shared_data("exports") / name
    compared = 0
    for files in _inputs(folder):
        for expected in sorted(folder.glob("expected-*.csv")):
            what, _, ending = expected.stem.removeprefix("expected-").partition("-")
            asked = ["--question", QUESTIONS[ending]] if ending else []
            shutil.rmtree(tmp_path / "out", ignore_errors=True)
            words = [*files, "-o", tmp_path / "out", *asked, *OPTIONS.get(name, [])]
            assert _headcount(monkeypatch, "import", *words) == 0
            found = pq.read_table(tmp_path / "out" / f"{what}.parquet")
            if what == "ratings":  # when it was given, texts and truth are written beside
                found = found.select(["item", "rater", "label"])
            assert _table(found.to_pylist()) == _expected(expected), expected.name
            compared += 1
    assert compared


@pytest.mark.parametrize("name", FOLDERS)
def test_reading_directly_gives_the_same_against_reference(
    name: str, shared_data: Callable[[str], Path]
) -> None:
    folder = shared_data("exports") / name
    options = {"rater_from": "file"} if name in OPTIONS else {}
    for files in _inputs(folder):
        for expected in sorted(folder.glob("expected-*.csv")):
            what, _, ending = expected.stem.removeprefix("expected-").partition("-")
            question = QUESTIONS.get(ending)
            if what == "ratings":
                ratings = Ratings.read(files, question=question, unrated="drop", **options)
                answers = ratings.answers()
                rows = [
                    {
                        "item": answers.items[i],
                        "rater": answers.raters[r],
                        "label": ratings.labels.names[label],
                    }
                    for i, r, label in zip(answers.item, answers.rater, answers.label, strict=True)
                ]
                assert _table(rows) == _expected(expected), expected.name
            elif what == "predictions":
                read = Predictions.read(files, question=question)
                found = read.table.rename_columns(["item", *read.names]).to_pylist()
                with open(expected, encoding="utf-8") as stream:
                    wanted = [
                        {name.removesuffix(":Yes"): cell for name, cell in row.items()}
                        for row in csv.DictReader(stream)
                    ]
                assert _table(found) == _table(wanted), expected.name


@pytest.mark.parametrize("name", FOLDERS)
def test_doctor_counts_what_is_expected_against_reference(
    name: str,
    shared_data: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = shared_data("exports") / name
    expected = sorted(folder.glob("expected-ratings*.csv"))
    files = _inputs(folder)[0]
    if not expected:  # only classifiers' answers, which are no ratings
        assert _headcount(monkeypatch, "doctor", files[0]) == 1
        assert "give it as the predictions" in capsys.readouterr().err
        return
    ending = expected[0].stem.removeprefix("expected-ratings").removeprefix("-")
    asked = ["--question", QUESTIONS[ending]] if ending else []
    pattern = files[0] if len(files) == 1 else folder / "**" / f"*{files[0].suffix}"
    if name == "labelstudio-csv":
        pattern = folder / "*_cv.csv"
    words = ("doctor", pattern, *asked, *OPTIONS.get(name, []), "--format", "json")
    assert _headcount(monkeypatch, *words) == 0
    found = json.loads(capsys.readouterr().out)["facts"]
    rows = _expected(expected[0])
    assert found["ratings"] == f"{len(rows):,}"
    assert found["items"] == f"{len({dict(row)['item'] for row in rows}):,}"


def test_what_is_no_rating_is_left_out_and_counted(shared_data: Callable[[str], Path]) -> None:
    exports = shared_data("exports")

    def left_out(path: str) -> dict[str, int]:
        found = read_exports([next((exports / path).parent.glob((exports / path).name))], Asked())
        assert found is not None
        blank = {"without an answer": found.unanswered.total()} if found.unanswered else {}
        return {reason: n for reason, n in found.left_out.items() if n} | blank

    assert left_out("toloka-tsv/*.tsv") == {"expired": 17}
    assert left_out("prodigy-choice/*.jsonl") == {"rejected or ignored": 2, "without an answer": 1}
    assert left_out("labelstudio-json/*.json")["drafts"] == 1
    assert left_out("docs-only-labelstudio-predictions/*.json") == {"cancelled": 1}
    assert left_out("docs-only-argilla/records-flat.json") == {"discarded": 1}
    assert left_out("docs-only-langsmith/experiment.csv") == {"failed runs": 1}


def test_blank_answers_are_counted_of_the_question_that_is_read(tmp_path: Path) -> None:
    """20 questions on 120 rows: 2,212 blank cells are no 2,212 rows left out."""
    names = ["HITId", "WorkerId", "AssignmentStatus", *(f"Answer.q{k}" for k in range(20))]
    rows = [
        [f"h{j // 3}", f"w{j % 3}", "Approved", "yes" if j % 4 else "", *[""] * 19]
        for j in range(120)
    ]
    path = tmp_path / "batch.csv"
    path.write_text("\n".join(",".join(row) for row in [names, *rows]), encoding="utf-8")
    told = Ratings.read(path, question="q0").notes
    assert any("left out: without an answer (30)." in note for note in told)


def test_failed_responses_are_no_failed_tests(tmp_path: Path) -> None:
    grade = {"componentResults": [{"pass": True, "assertion": {"type": "llm-rubric"}}]}
    results = [
        {"testIdx": k, "promptIdx": 0, "gradingResult": None if k % 4 == 0 else grade}
        | ({"error": "429 Too many requests", "failureReason": 2} if k % 4 == 0 else {})
        for k in range(12)
    ]
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"results": {"results": results}}), encoding="utf-8")
    predictions = Predictions.read(path)
    assert "left out: responses that failed (a provider's error) (3)" in predictions.notes[0]
    assert len(predictions.ids) == 9


def test_control_tasks_are_told_of_and_can_be_left_out(shared_data: Callable[[str], Path]) -> None:
    file = next((shared_data("exports") / "toloka-tsv").glob("*.tsv"))
    kept = Ratings.read(file)
    assert any("1 control task with 49 answers" in note for note in kept.notes)
    assert Ratings.read(file, controls="drop").n_ratings == kept.n_ratings - 49


def test_several_questions_are_listed_and_several_ticks_refused(
    shared_data: Callable[[str], Path],
) -> None:
    exports = shared_data("exports")
    with pytest.raises(InputError, match="'humor', 'connection'"):
        Ratings.read(exports / "labelstudio-json" / "labelstudio_output.json")
    minimal = exports / "labelstudio-jsonmin" / "manual_cpe_labels.json"
    with pytest.raises(InputError, match="yes/no question an option"):
        Ratings.read(minimal)
    found = read_exports([minimal], Asked())
    assert found is not None
    ticked = {(r.item, r.rater, "|".join(r.ticks)) for r in found.ratings}
    with open(exports / "labelstudio-jsonmin" / "expected-ratings.csv", encoding="utf-8") as stream:
        assert ticked == {tuple(row.values()) for row in csv.DictReader(stream)}
    one = Ratings.read(minimal, question="verified_cpe_match: $option_1")
    assert one.labels.names == ("no", "yes")
    assert one.n_ratings == len(found.ratings)


def test_files_with_the_same_rater_need_to_be_told_apart(
    shared_data: Callable[[str], Path],
) -> None:
    files = sorted((shared_data("exports") / "labelstudio-csv").glob("*_cv.csv"))
    with pytest.raises(InputError, match="--rater-from file"):
        Ratings.read(files)


def test_a_workbook_a_rater_against_reference(shared_data: Callable[[str], Path]) -> None:
    folder = shared_data("exports") / "excel-files"
    for expected in sorted(folder.glob("expected-*.csv")):
        question = expected.stem.removeprefix("expected-ratings-")
        ratings = Ratings.read(
            folder / "*.xlsx", item="story_id", label=question, rater_from="file", unrated="drop"
        )
        answers = ratings.answers()
        found = {
            (str(answers.items[i]), str(answers.raters[r]).split("_")[-1], ratings.labels.names[k])
            for i, r, k in zip(answers.item, answers.rater, answers.label, strict=True)
        }
        with open(expected, encoding="utf-8") as stream:
            assert found == {tuple(row.values()) for row in csv.DictReader(stream)}, question


def test_workbooks_are_imported_against_reference(
    shared_data: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("python_calamine")
    folder = shared_data("exports") / "excel-files"
    for expected in sorted(folder.glob("expected-*.csv")):
        question = expected.stem.removeprefix("expected-ratings-")
        words = ("--item", "story_id", "--label", question, "--rater-from", "file")
        files = sorted(folder.glob("*.xlsx"))
        assert _headcount(monkeypatch, "import", *files, "-o", tmp_path, *words) == 0
        found = pq.read_table(tmp_path / "ratings.parquet").to_pylist()
        for row in found:
            row["rater"] = row["rater"].split("_")[-1]
        assert _table(found) == _expected(expected), question


def test_a_refusal_of_several_files_prints_a_command_that_works(
    shared_data: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = sorted((shared_data("exports") / "excel-files").glob("*.xlsx"))
    with pytest.raises(InputError, match=r"Most likely .* --item story_id --label human"):
        Ratings.read(files, rater_from="file")
    with pytest.raises(InputError, match=r"agree\) \(or 'human_score") as caught:
        Ratings.read(files, item="story_id", rater_from="file")
    command = re.search(r"Most likely headcount (.*?) \(20 items, 4 raters", str(caught.value))
    assert command is not None
    assert _headcount(monkeypatch, *shlex.split(command.group(1))) == 0


def test_sets_of_ticks_are_imported_as_sets_against_reference(
    shared_data: Callable[[str], Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = shared_data("exports") / "labelstudio-jsonmin"
    file = folder / "manual_cpe_labels.json"
    assert _headcount(monkeypatch, "import", file, "-o", tmp_path) == 0
    assert "yes/no question an option" in capsys.readouterr().out
    assert not (tmp_path / "ratings.parquet").exists()
    sets = pq.read_table(tmp_path / "sets.parquet").to_pylist()
    assert _table(sets) == _expected(folder / "expected-ratings.csv")
    option = "verified_cpe_match: $option_1"
    assert _headcount(monkeypatch, "import", file, "-o", tmp_path, "--question", option) == 0
    assert "sets.parquet is from before" in capsys.readouterr().out
    told = {
        row["item"]: row["label"] for row in pq.read_table(tmp_path / "ratings.parquet").to_pylist()
    }
    assert told == {
        str(row["item"]): "yes" if "$option_1" in str(row["label"]).split("|") else "no"
        for row in sets
    }


def _minimal(annotator: int, sentiment: str, **more: object) -> dict[str, object]:
    return {"id": 1, "annotator": annotator, "annotation_id": annotator, "lead_time": 2.5} | {
        "text": "a long day by the sea, and nobody in sight to share it with",
        "sentiment": sentiment,
        **more,
    }


def test_the_field_with_the_answers_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "min.json"
    path.write_text(json.dumps([_minimal(1, "good"), _minimal(2, "bad")]))
    assert Ratings.read(path).labels.names == ("bad", "good")
    path.write_text(
        json.dumps([_minimal(1, "good", source="web"), _minimal(2, "bad", source="mail")])
    )
    with pytest.raises(InputError, match=r"--question.*'sentiment', 'source'"):
        Ratings.read(path)
    assert Ratings.read(path, question="sentiment").labels.names == ("bad", "good")
    path.write_text(json.dumps([_minimal(k, f"reason number {k} of many") for k in range(12)]))
    with pytest.raises(InputError, match=r"which field holds the answers.*'sentiment'"):
        Ratings.read(path)
    assert Ratings.read(path, question="sentiment").labels.n == 12


def test_import_turns_any_table_into_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(
        "case,reader1,reader2,model,topic\na,yes,no,yes,art\nb,no,,no,law\nc,yes,yes,no,law\n"
    )
    words = ("--raters", "reader*", "--classifiers", "model")
    assert _headcount(monkeypatch, "import", sheet, "-o", tmp_path, *words) == 0
    assert "1 answer is blank and was left out" in capsys.readouterr().out
    direct = Ratings.read(sheet, raters="reader*", classifiers="model")
    again = Ratings.read(tmp_path / "ratings.parquet")
    assert again.item_counts().counts.tolist() == direct.item_counts().counts.tolist()
    assert again.answers().raters.tolist() == ["reader1", "reader2"]
    assert Predictions.read(tmp_path / "predictions.parquet").names == ("model",)
    counts = tmp_path / "counts.csv"
    counts.write_text("item,ok,bad\na,9,1\nb,3,7\n")
    assert _headcount(monkeypatch, "import", counts, "-o", tmp_path) == 1
    assert "holds counts" in capsys.readouterr().err


def test_what_was_imported_is_what_is_read_directly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [("a", 1), ("a", 2), ("b", 3)]
    records = [
        {"_task_hash": 1, "id": 7, "_annotator_id": "r", "answer": "accept", "_timestamp": at}
        | {"options": [], "accept": [label]}
        for label, at in answers
    ]
    path = tmp_path / "p.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    assert _headcount(monkeypatch, "import", path, "-o", tmp_path) == 0
    for ratings in (Ratings.read(path), Ratings.read(tmp_path / "ratings.parquet")):
        assert (ratings.n_ratings, ratings.n_retests, ratings.n_copies) == (1, 2, 0)


def test_predictions_in_an_export_need_no_file_of_their_own(
    shared_data: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = shared_data("exports") / "labelstudio-json" / "labelstudio_output.json"
    words = ("doctor", file, "--question", "humor", "--format", "json")
    assert _headcount(monkeypatch, *words) == 0
    found = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in found["classifiers"]] == ["humor_v5_score"]


def test_an_export_without_people_is_no_ratings(shared_data: Callable[[str], Path]) -> None:
    file = next((shared_data("exports") / "inspect-eval").glob("*.eval"))
    with pytest.raises(InputError, match="give it as the predictions"):
        Ratings.read(file)


ROWS = {
    "an object": {"annotations": {"ann": "yes", "ben": "no"}},
    "lists": {"annotators": ["ann", "ben"], "annotations": ["yes", "no"]},
    "records": {
        "annotations": [{"worker": "ann", "label": "yes"}, {"worker": "ben", "label": "no"}]
    },
    "an object of lists": {"votes": {"worker": ["ann", "ben"], "label": ["yes", "no"]}},
}


@pytest.mark.parametrize("shape", ROWS)
@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".parquet"])
def test_rows_of_hugging_face(shape: str, suffix: str, tmp_path: Path) -> None:
    records = [{"id": f"x{i}", "text": "…"} | ROWS[shape] for i in range(3)]
    flipped = {"ann": "no", "ben": "yes"}
    records += [{"id": "y", "annotations": flipped}] if shape == "an object" else []
    path = tmp_path / f"rows{suffix}"
    if suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(records), path)
    else:
        lines = "\n".join(map(json.dumps, records))
        path.write_text(lines if suffix == ".jsonl" else json.dumps(records))
    ratings = Ratings.read(path)
    assert (ratings.n_items, ratings.n_raters) == (len(records), 2)
    assert ratings.labels.names == ("no", "yes")


def test_a_map_of_raters_to_answers_is_read_as_an_object(tmp_path: Path) -> None:
    answers = [[("ann", "yes"), ("ben", "no")], [("ann", "no"), ("ben", None)]]
    kind = pa.map_(pa.string(), pa.string())
    rows = pa.table({"id": ["x", "y"], "text": ["…", "…"], "annotations": pa.array(answers, kind)})
    path = tmp_path / "rows.parquet"
    pq.write_table(rows, path)
    ratings = Ratings.read(path)
    assert (ratings.n_items, ratings.n_raters, ratings.n_ratings) == (2, 2, 3)


def test_answers_without_names_are_answers_and_not_ticks(tmp_path: Path) -> None:
    records = [{"id": i, "text": "…", "labels": ["yes", "no", "no"]} for i in range(3)]
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(records))
    ratings = Ratings.read(path)
    assert (ratings.n_raters, ratings.n_ratings, ratings.n_copies) == (None, 9, 0)


@pytest.mark.parametrize(
    "field",
    [
        {"labels": {"toxic": 1, "insult": 0}},
        {"votes": {"yes": 3, "no": 2}},
        {"annotations": {"tone": "rude", "topic": "art"}},
    ],
)
def test_keys_that_may_be_labels_or_questions_are_not_taken_for_raters(
    field: dict[str, object], tmp_path: Path
) -> None:
    path = tmp_path / "rows.json"
    path.write_text(json.dumps([{"id": i} | field for i in range(3)]))
    with pytest.raises(InputError, match="reached into by paths"):
        Ratings.read(path)


def test_nested_json_by_path(tmp_path: Path) -> None:
    record = {
        "doc": {"key": 7},
        "said": [
            {"by": {"name": "ann"}, "value": {"choice": "yes"}},
            {"by": {"name": "ben"}, "value": {"choice": "no"}},
        ],
    }
    path = tmp_path / "deep.json"
    path.write_text(json.dumps({"export": [record]}))
    ratings = Ratings.read(
        path, item="doc.key", rater="said[].by.name", label="said[].value.choice"
    )
    assert ratings.item_counts().items.tolist() == ["7"]
    assert ratings.answers().raters.tolist() == ["ann", "ben"]
    with pytest.raises(InputError, match=r"'doc.key', 'said\[\].by.name', 'said\[\].value.choice'"):
        Ratings.read(path)  # which shows what can be named
    by_key = tmp_path / "keys.json"
    by_key.write_text(json.dumps([{"id": 1, "votes": {"ann": "yes", "ben": "no"}}]))
    assert Ratings.read(by_key, item="id", rater="votes{key}", label="votes{}").n_raters == 2
    with pytest.raises(HeadcountError, match="check the path"):
        Ratings.read(path, item="doc.key", label="said[].nothing")
