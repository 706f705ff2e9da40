"""Real exports of other tools against their right readings, by import and by reading directly."""

import csv
import json
import shutil
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path

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
            found = pq.read_table(tmp_path / "out" / f"{what}.parquet").to_pylist()
            assert _table(found) == _expected(expected), expected.name
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
                plain = {c.name for c in read.classifiers}
                with open(expected, encoding="utf-8") as stream:
                    wanted = {column.removesuffix(":Yes") for column in next(csv.reader(stream))}
                assert plain == wanted - {"item"}, expected.name


def test_what_is_no_rating_is_left_out_and_counted(shared_data: Callable[[str], Path]) -> None:
    exports = shared_data("exports")

    def left_out(path: str) -> dict[str, int]:
        found = read_exports([next((exports / path).parent.glob((exports / path).name))], Asked())
        assert found is not None
        return {reason: n for reason, n in found.left_out.items() if n}

    assert left_out("toloka-tsv/*.tsv") == {"expired": 17}
    assert left_out("prodigy-choice/*.jsonl") == {"rejected or ignored": 2, "without an answer": 1}
    assert left_out("labelstudio-json/*.json")["drafts"] == 1
    assert left_out("docs-only-labelstudio-predictions/*.json") == {"cancelled": 1}
    assert left_out("docs-only-argilla/records-flat.json") == {"discarded": 1}
    assert left_out("docs-only-langsmith/experiment.csv") == {"failed runs": 1}


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
}


@pytest.mark.parametrize("shape", ROWS)
@pytest.mark.parametrize("lines", [True, False])
def test_rows_of_hugging_face(shape: str, lines: bool, tmp_path: Path) -> None:
    records = [{"id": f"x{i}", "text": "…"} | ROWS[shape] for i in range(3)]
    path = tmp_path / ("rows.jsonl" if lines else "rows.json")
    path.write_text("\n".join(map(json.dumps, records)) if lines else json.dumps(records))
    ratings = Ratings.read(path)
    assert (ratings.n_items, ratings.n_raters, ratings.labels.names) == (3, 2, ("no", "yes"))


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
    by_key = tmp_path / "keys.json"
    by_key.write_text(json.dumps([{"id": 1, "votes": {"ann": "yes", "ben": "no"}}]))
    assert Ratings.read(by_key, item="id", rater="votes{key}", label="votes{}").n_raters == 2
    with pytest.raises(HeadcountError, match="check the path"):
        Ratings.read(path, item="doc.key", label="said[].nothing")
