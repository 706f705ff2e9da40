"""A judge asked again, with another prompt, or in the other order: kept, never merged by rows."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import headcount as hc
from headcount.errors import InputError

HEAD = "item,classifier,variant,run,label"


def _rows(seed: int = 0) -> list[str]:
    rng = random.Random(seed)
    return [
        f"i{i},gpt,{variant},{run},{rng.choice('ab')}"
        for i in range(30)
        for variant in ("short", "long")
        for run in (1, 2, 3)
    ]


def _written(path: Path, rows: list[str], head: str = HEAD) -> Path:
    path.write_text("\n".join([head, *rows]), encoding="utf-8")
    return path


def test_prompts_are_classifiers_of_their_own_and_runs_are_kept(tmp_path: Path) -> None:
    found = hc.Predictions.read(_written(tmp_path / "p.csv", _rows()))
    assert set(found.names) == {"gpt · short", "gpt · long"}
    assert found.runs is not None
    assert found.runs.num_rows == 180
    assert set(found.runs["variant"].to_pylist()) == {"short", "long"}
    assert "further runs" in found.notes[0]
    assert "'variant'" in found.notes[1]


@pytest.mark.parametrize("rule", ["first", "majority"])
def test_the_order_of_rows_says_nothing(rule: str, tmp_path: Path) -> None:
    rows = _rows()
    shuffled = random.Random(5).sample(rows, len(rows))
    told = []
    for k, each in enumerate((rows, rows[::-1], shuffled)):
        found = hc.Predictions.read(_written(tmp_path / f"{k}.csv", each), runs=rule)
        told.append(
            {
                (item, name): found.table[name][row].as_py()
                for row, item in enumerate(found.ids.to_pylist())
                for name in found.names
            }
        )
    assert told[0] == told[1] == told[2]


def test_orders_and_prompts_together(tmp_path: Path) -> None:
    rows = [
        f"i{i},gpt,{prompt},{order},{'12'[(i + order) % 2]}"
        for i in range(20)
        for prompt in ("plain", "cot")
        for order in (12, 21)
    ]
    path = _written(tmp_path / "p.csv", rows, "item,classifier,variant,order,label")
    found = hc.Predictions.read(path)
    assert len(found.names) == 4
    assert "gpt · plain · 12" in found.names


def test_a_column_of_another_name_is_proposed_and_can_be_named(tmp_path: Path) -> None:
    path = _written(tmp_path / "p.csv", _rows(), HEAD.replace("variant", "wording"))
    with pytest.raises(InputError, match="--variant wording"):
        hc.Predictions.read(path)
    assert len(hc.Predictions.read(path, variants="wording").names) == 2


def test_one_run_given_twice_is_refused_and_not_merged(tmp_path: Path) -> None:
    path = _written(tmp_path / "p.csv", [*_rows(), "i3,gpt,short,2,b"])
    with pytest.raises(InputError, match="a second time in run '2'"):
        hc.Predictions.read(path)


def test_a_prompt_that_never_changes_says_nothing(tmp_path: Path) -> None:
    rows = [f"i{i},gpt,plain,{run},a" for i in range(9) for run in (1, 2)]
    assert hc.Predictions.read(_written(tmp_path / "p.csv", rows)).names == ("gpt",)


def test_real_runs_and_orders(shared_data: Callable[[str], Path]) -> None:
    judge = hc.Predictions.read(shared_data("judge-runs") / "predictions.csv.gz")
    assert len(judge.names) == 7
    assert judge.runs is not None
    assert judge.runs.num_rows == 200_000
    pairs = hc.Predictions.read(shared_data("pairs-two-orders") / "predictions.csv.gz")
    assert len(pairs.names) == 130
