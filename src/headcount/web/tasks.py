"""What a worker does for a study: look at its files, or evaluate it."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa

from headcount.arrays import Ints
from headcount.data import Ratings, read_both
from headcount.door import number_column, positions, text_column
from headcount.errors import InputError, UnanswerableError
from headcount.evaluation import Evaluation, evaluate
from headcount.evaluation.evaluation import PARTS
from headcount.evaluation.gates import check_baseline
from headcount.options import EvaluateOptions
from headcount.report import render
from headcount.results import Progress
from headcount.results.files import write_content, write_frame
from headcount.web.gates import Gates, held
from headcount.web.looking import NO_CLASSIFIERS, complete, look
from headcount.web.record import BASELINE_FILE

T = TypeVar("T")
Tell = Callable[[str, int, int], None]
"""Called with the name of a step, how many are done, and how many there are."""

# The parts of an evaluation as they are told while they are made.
STEPS = {
    **PARTS,
    "scores": "scores on what people mean",
    "levels": "scores by how much people disagree",
    "differences": "differences between classifiers",
    "replacement": "whether one may stand in for a person",
    "groups": "groups of raters",
    "slices": "parts of the items",
    "confusion": "answers label by label",
}


def look_at(folder: Path, asked: dict[str, Any]) -> None:
    """Write look.json: how the files were understood."""
    _write(folder / "look.json", look(asked["files"], asked["reading"]))


def evaluate_study(folder: Path, asked: dict[str, Any], tell: Tell) -> None:
    """Evaluate as the command line does, and write what a finished study has; the result last."""
    tell("reading the files", 0, 1)
    files = asked["files"]
    people, machines = read_both(
        files["ratings"], files["predictions"], *complete(asked["reading"])
    )
    if machines is None:
        raise UnanswerableError(NO_CLASSIFIERS)
    gates = Gates(tuple(asked["require"]), asked["baseline"])
    gates.check(machines.names)
    before = _baseline(folder) if gates.baseline else None
    options = EvaluateOptions(**asked["options"])
    found = evaluate(
        people, machines, **options.as_given(), gold=files["gold"], progress=telling(tell)
    )
    tell("writing the report", 1, 1)
    write_content(folder / "report.html", render(found), "The report")
    write_content(folder / "classifiers.csv", found.to_csv(), "The table")
    write_content(folder / "summary.md", found.to_markdown(short=True) + "\n", "The summary")
    write_frame(cleaned(people), folder / "ratings.parquet", "The ratings")
    summary = _summary(found)
    if gates != Gates():
        summary["gates"] = held(found, gates, before)
        summary["verdict"] += " " + summary["gates"]["sentence"]
    _write(folder / "summary.json", summary)
    write_content(folder / "result.json", found.to_json() + "\n", "The result")


def _baseline(folder: Path) -> dict[str, Any]:
    """The earlier result that this study is compared with."""
    try:
        told = json.loads((folder / BASELINE_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError("The result of the earlier study cannot be read.") from error
    return check_baseline(told, "That study")


def telling(tell: Tell) -> Progress:
    """Progress that names the part of the evaluation that is being made."""

    def told(iterable: Iterable[T], *, total: int, description: str) -> Iterable[T]:
        for done, step in enumerate(iterable):
            tell(STEPS.get(str(step), description), done, total + 1)
            yield step

    return told


def _summary(found: Evaluation) -> dict[str, Any]:
    """What the page of a finished study and the list of studies show."""
    return {
        "verdict": " ".join(said[0] for said in found.verdicts().values()),
        "verdicts": {name: list(said) for name, said in found.verdicts().items()},
        "data": found.data.sentence(),
        "missing": list(found.missing()),
    }


def _write(path: Path, told: Any) -> None:
    write_content(path, json.dumps(told, ensure_ascii=False, allow_nan=False), "The study")


def cleaned(ratings: Ratings) -> pa.Table:
    """A row an answer: item, rater, label, occasion, groups, weight, and what is said of items.

    Missing answers and copies of rows are left out, labels are as they were understood. Mere
    counts stay counts: a row an item, a column a label.

    >>> import pyarrow as pa
    >>> frame = pa.table({"case": [1, 2], "ann": ["yes", "no"], "ben": ["yes", None]})
    >>> table = cleaned(Ratings.from_wide(frame))
    >>> table.column_names, table["label"].to_pylist()
    (['item', 'rater', 'label'], ['yes', 'yes', 'no'])
    """
    if ratings.layout.kind == "counts":
        return _counts(ratings)
    answers = ratings.answers()
    columns = {"item": _coded(answers.items, answers.item)}
    if ratings.named:
        columns["rater"] = _coded(answers.raters, answers.rater)
    columns["label"] = _coded(ratings.labels.names, answers.label)
    if answers.occasion.any():
        columns["occasion"] = number_column(answers.occasion + 1)
    for name, group in answers.by.items():
        columns[_free(name, columns)] = _coded(group.names, group.code)
    if answers.weight is not None:
        columns[_free("weight", columns)] = number_column(answers.weight)
    said = ratings.item_columns()
    place = positions(answers.items, ratings.item_counts().items)[answers.item] if said else None
    for role, column in said.items():
        columns[_free(role, columns)] = _coded(column.names, column.code[place])
    return pa.table(columns)


def _counts(ratings: Ratings) -> pa.Table:
    counted = ratings.item_counts()
    columns = {"item": text_column(counted.items)}
    for j, name in enumerate(ratings.labels.names):
        columns[_free(name, columns)] = number_column(counted.counts[:, j])
    return pa.table(columns)


def _coded(names: Iterable[str], codes: Ints) -> pa.Array:
    """Texts by their codes, each text kept once."""
    return pa.DictionaryArray.from_arrays(number_column(codes), text_column(names))


def _free(name: str, taken: dict[str, pa.Array]) -> str:
    while name in taken:
        name += "_"
    return name
