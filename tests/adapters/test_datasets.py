"""Hugging Face datasets: in with the names of their labels, out as they load them."""

from pathlib import Path

import pytest

import headcount as hc

datasets = pytest.importorskip("datasets", reason="datasets is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")  # of its own imports

from headcount.adapters.datasets import dataset_of, table_of  # noqa: E402

ROWS = [(f"i{i}", f"r{j}", (i * (j + 1)) % 3) for i in range(60) for j in range(4)]
NAMES = ["fine", "rude", "toxic"]


def rated() -> "datasets.Dataset":
    columns = dict(zip(("item", "rater", "label"), map(list, zip(*ROWS, strict=True)), strict=True))
    features = datasets.Features(
        {
            "item": datasets.Value("string"),
            "rater": datasets.Value("string"),
            "label": datasets.ClassLabel(names=NAMES),
        }
    )
    return datasets.Dataset.from_dict(columns, features=features)


def test_the_same_numbers_by_both_roads() -> None:
    import pyarrow as pa

    plain = pa.table(
        {
            "item": [row[0] for row in ROWS],
            "rater": [row[1] for row in ROWS],
            "label": [NAMES[row[2]] for row in ROWS],
        }
    )
    judge = pa.table(
        {"item": [f"i{i}" for i in range(60)], "judge": [NAMES[i % 3] for i in range(60)]}
    )
    roads = [
        hc.evaluate(hc.Ratings.from_frame(table), hc.Predictions.from_frame(judge), n_bootstrap=0)
        for table in (table_of(rated()), plain)
    ]
    assert roads[0]["judge"].worth.value == pytest.approx(roads[1]["judge"].worth.value, abs=1e-9)
    assert roads[0].agreement.labels == tuple(NAMES)


def test_no_label_is_missing_and_lists_have_names() -> None:
    features = datasets.Features(
        {"label": datasets.ClassLabel(names=NAMES), "all": [datasets.ClassLabel(names=NAMES)]}
    )
    made = datasets.Dataset.from_dict({"label": [-1, 2], "all": [[0], [1, 2]]}, features=features)
    assert table_of(made).to_pydict() == {
        "label": [None, "toxic"],
        "all": [["fine"], ["rude", "toxic"]],
    }


def test_soft_labels_are_loaded_as_they_are_written(tmp_path: Path) -> None:
    found = hc.soft_labels(hc.Ratings.from_frame(table_of(rated())))
    folder = found.save(tmp_path / "labels")
    loaded = datasets.load_dataset(str(folder), split="train", cache_dir=str(tmp_path / "cache"))
    for made in (loaded, dataset_of(found)):
        assert made.features["majority"].names == NAMES
        assert made[:]["soft_label"] == found.held.tolist()
