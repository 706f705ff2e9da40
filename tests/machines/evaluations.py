"""Whole evaluations of some data, printed as JSON: run by itself, once for each kind of processor.

python -m tests.machines.evaluations [FOLDER OF THE SLEEP STAGES]
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import csv

import headcount as hc

SAMPLES = 40
"""Bootstrap samples: enough for every step that draws, fits or places to be taken."""


def _tables() -> Iterator[tuple[str, hc.Study]]:
    """Simulated, tiny and degenerate data; the last are where a bit can decide a state."""
    for name, options in (
        ("comments", {"items": 150}),
        ("running-example", {"items": 120}),
        ("mixture", {"items": 80}),
    ):
        made = hc.simulate.make(name, seed=3, **options)
        yield name, hc.Study(made.ratings, made.predictions)
    yield "tiny", _study([["a", "b", "a"], ["b", "b", "a"], ["a", "a", "a"]], ["a", "b", "a"])
    split = [["a", "b"], ["b", "a"]] * 6
    yield "always split", _study(split, ["a", "b"] * 6)
    yield "everyone agrees", _study([["a"] * 3, ["b"] * 3] * 8, ["a", "b"] * 8)
    # Shares of thirds and tenths have no exact binary form: a constant answer is worth nobody.
    thirds = [["a", "a", "b"], ["a", "b", "c"], ["a", "a", "a"], ["c", "a", "a"]] * 5
    yield "a constant answer", _study(thirds, ["a"] * 20)
    yield "always wrong", _study([["a"] * 3, ["b"] * 3] * 8, ["b", "a"] * 8)


def _study(rows: list[list[str]], answers: list[str]) -> hc.Study:
    """Named raters, one classifier."""
    ratings = [
        {"item": f"i{place:02d}", "rater": f"r{rater}", "label": label}
        for place, row in enumerate(rows)
        for rater, label in enumerate(row)
    ]
    judged = {"item": [f"i{place:02d}" for place in range(len(rows))], "judge": answers}
    return hc.Study(
        hc.Ratings.from_frame(pa.Table.from_pylist(ratings)),
        hc.Predictions.from_frame(pa.table(judged)),
    )


def _sleep_stages(folder: Path, items: int = 60) -> hc.Study:
    """Some items of the sleep stages: six classifiers, five labels, named raters."""
    tables = []
    for name in ("ratings.csv.gz", "predictions.csv.gz"):
        head = csv.read_csv(folder / name).column_names
        text = csv.ConvertOptions(column_types=dict.fromkeys(head, pa.string()))
        tables.append(csv.read_csv(folder / name, convert_options=text))
    ids = sorted(set(tables[0]["item"].to_pylist()))
    kept = set(ids[:: max(len(ids) // items, 1)])
    ratings, answers = (
        table.filter(pa.array([each in kept for each in table["item"].to_pylist()]))
        for table in tables
    )
    return hc.Study(hc.Ratings.from_frame(ratings), hc.Predictions.from_frame(answers))


def _read_aloud(study: hc.Study) -> Any:
    """Everything that an evaluation says: numbers, states and sentences; or why there is none."""
    try:
        evaluation = hc.evaluate(study, n_bootstrap=SAMPLES, seed=1)
    except hc.HeadcountError as refusal:
        return {"refused": str(refusal)}
    return {"numbers": evaluation.to_dict(), "summary": str(evaluation.summary())}


def main() -> None:
    folder = sys.argv[1:]
    studies = {"sleep stages": _sleep_stages(Path(*folder))} if folder else dict(_tables())
    print(json.dumps({name: _read_aloud(study) for name, study in studies.items()}))


if __name__ == "__main__":
    main()
