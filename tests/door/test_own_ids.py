"""The user's own ids: they change an export's key and nothing else, and are found by values."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from headcount import Predictions, Ratings
from headcount.data.reading import read_both
from headcount.errors import InputError, UnsureError
from headcount.web.looking import complete


def label_studio(folder: Path) -> Path:
    """60 tasks of three people, and one annotation of each cancelled."""
    rng = random.Random(1)
    tasks: list[dict[str, Any]] = []
    for i in range(60):
        annotations = [
            {
                "completed_by": person,
                "was_cancelled": person == 9,
                "result": [{"from_name": "toxic", "value": {"choices": [rng.choice("ny")]}}],
            }
            for person in (1, 2, 3, 9)
        ]
        data = {"text": f"text {i}", "example_id": f"ex{i:03d}"}
        tasks.append({"id": 9000 + i, "data": data, "annotations": annotations})
    path = folder / "project.json"
    path.write_text(json.dumps(tasks))
    return path


def judge(folder: Path) -> Path:
    path = folder / "judge.csv"
    rows = "".join(f"ex{i:03d},{'ny'[i % 2]}\n" for i in range(60))
    path.write_text("example_id,gpt\n" + rows)
    return path


def test_own_ids_change_the_key_of_an_export_and_nothing_else(tmp_path: Path) -> None:
    path = label_studio(tmp_path)
    plain, own = Ratings.read(path), Ratings.read(path, item="data.example_id")
    assert plain.n_ratings == own.n_ratings == 180
    assert plain.item_counts().counts.tolist() == own.item_counts().counts.tolist()
    assert own.item_counts().items.tolist()[:2] == ["ex000", "ex001"]
    assert any("cancelled (60)" in note for note in own.notes)
    with pytest.raises(InputError, match=r"has 'data.nothing'.*'data.example_id'"):
        Ratings.read(path, item="data.nothing")


def test_ids_that_do_not_meet_are_searched_for_where_they_do(tmp_path: Path) -> None:
    people, machine = label_studio(tmp_path), judge(tmp_path)
    told = r"--item data.example_id --prediction-item example_id"
    with pytest.raises(UnsureError, match=told) as caught:
        read_both(str(people), str(machine), *complete({}))
    assert "60 values in common" in str(caught.value)
    ratings, predictions = read_both(str(people), str(machine), *complete(caught.value.remedy))
    assert predictions is not None
    assert set(predictions.ids.to_pylist()) == set(ratings.item_counts().items.tolist())


def test_ids_of_plain_tables_are_searched_for_too(tmp_path: Path) -> None:
    people, machine = tmp_path / "people.csv", tmp_path / "machine.csv"
    rows = [(i, r) for i in range(40) for r in range(2)]
    people.write_text(
        "item,rater,label,url\n" + "".join(f"{i},w{r},{'ny'[i % 2]},u/{i}\n" for i, r in rows)
    )
    machine.write_text(
        "id,link,model\n" + "".join(f"x{i},u/{i},{'ny'[i % 3 > 1]}\n" for i in range(40))
    )
    with pytest.raises(UnsureError, match="--item url --prediction-item link"):
        read_both(str(people), str(machine), *complete({}))


def test_predictions_in_an_export_go_by_own_ids_too(tmp_path: Path) -> None:
    path = tmp_path / "project.json"
    result = [{"from_name": "toxic", "value": {"choices": ["y"]}}]
    tasks = [
        {
            "id": 70 + i,
            "data": {"key": f"k{i}"},
            "annotations": [{"completed_by": 1, "result": result}],
            "predictions": [{"model_version": "m", "result": result}],
        }
        for i in range(4)
    ]
    path.write_text(json.dumps(tasks))
    assert Predictions.read(path, item="data.key").ids.to_pylist() == ["k0", "k1", "k2", "k3"]
