"""Labels to train on: the shares of people by the definition, files that are read again, a card."""

import json
import subprocess
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest

import headcount as hc
from headcount.errors import HeadcountError
from headcount.population import fit_population
from headcount.population.training_labels import entropy_of, majority_of


def made(seed: int = 0, items: int = 400) -> tuple[hc.Ratings, np.ndarray]:
    """Ragged ratings of items whose shares of people are known."""
    rng = np.random.default_rng(seed)
    held = rng.dirichlet([0.6, 0.4, 0.2], size=items)
    counts = np.array([rng.multinomial(rng.integers(1, 6), each) for each in held])
    return hc.Ratings.from_counts(counts, labels=["a", "b", "c"]), held


def test_shares_are_posterior_means_against_brute_force() -> None:
    counts = np.array([[3, 0], [1, 2], [0, 3], [2, 1]] * 30)
    found = hc.soft_labels(hc.Ratings.from_counts(counts, labels=["no", "yes"]))
    kinds = fit_population(counts).mixture
    for row, held in zip(found.counts[:8], found.held[:8], strict=True):
        chance = kinds.weights * (kinds.atoms**row).prod(axis=1)
        mean = (chance[:, None] * kinds.atoms).sum(axis=0) / chance.sum()
        # What the fit keeps in reserve for kinds it has not seen is of the order of 1/n.
        assert held == pytest.approx(mean, abs=2 / len(counts))


def test_they_are_nearer_to_people_than_raw_shares_are() -> None:
    for seed in range(3):
        ratings, held = made(seed)
        found = hc.soft_labels(ratings)
        order = np.array([int(each) for each in found.ids])
        far_held = ((found.held - held[order]) ** 2).sum(axis=1).mean()
        far_given = ((found.given - held[order]) ** 2).sum(axis=1).mean()
        assert far_held < 0.75 * far_given


def test_every_row_is_whole() -> None:
    found = hc.soft_labels(made()[0])
    table = found.to_frame("pandas")
    for prefix in ("given", "label"):
        shares = table[[f"{prefix}:{name}" for name in "abc"]].to_numpy()
        assert shares.sum(axis=1) == pytest.approx(1.0)
    counts = (table[[f"given:{name}" for name in "abc"]].mul(table["ratings"], axis=0)).round()
    for row, majority, weight, held in zip(
        counts.to_numpy(), table["majority"], table["weight"], found.held, strict=True
    ):
        best = np.flatnonzero(row == row.max())
        if len(best) == 1:
            assert majority == "abc"[best[0]]
            assert weight == held[best[0]]
        else:
            assert not isinstance(majority, str)
            assert np.isnan(weight)
    assert found.level == table["majority"].isna().sum() > 0


def test_majorities_and_entropies() -> None:
    assert majority_of(np.array([[2, 2, 0], [0, 0, 1]])).tolist() == [-1, 2]
    assert entropy_of(np.full((1, 4), 0.25)).tolist() == [2.0]


@pytest.mark.parametrize("name", ["labels.csv", "labels.parquet", "labels.jsonl"])
def test_files_are_read_again(name: str, tmp_path) -> None:
    import pandas as pd

    found = hc.soft_labels(made()[0])
    path = found.save(tmp_path / name)
    read = {".csv": pd.read_csv, ".parquet": pd.read_parquet}.get(path.suffix)
    again = read(path) if read else pd.read_json(path, lines=True)
    assert list(again.columns) == found.to_frame().column_names
    assert again["label:a"].to_numpy() == pytest.approx(found.held[:, 0])
    card = (tmp_path / "labels.card.md").read_text(encoding="utf-8")
    assert "posterior mean" in card
    assert "| `entropy` |" in card


def test_a_folder_is_what_datasets_loads(tmp_path) -> None:
    found = hc.soft_labels(made()[0])
    folder = found.save(tmp_path / "labels")
    table = pq.read_table(folder / "train.parquet")
    told = json.loads(table.schema.metadata[b"huggingface"])["info"]["features"]
    assert told["majority"] == {"names": ["a", "b", "c"], "_type": "ClassLabel"}
    assert list(told) == table.column_names
    assert table["soft_label"].to_pylist()[0] == found.held[0].tolist()
    assert (folder / "README.md").read_text(encoding="utf-8").startswith("---\nconfigs:")


def test_texts_stand_beside(tmp_path) -> None:
    (tmp_path / "r.csv").write_text(
        "item,rater,label,text\n"
        + "".join(f"{i},r{j},{'yn'[(i * j) % 2]},says {i}\n" for i in range(30) for j in range(3))
    )
    found = hc.soft_labels(hc.Ratings.read(tmp_path / "r.csv", text="text"))
    assert found.to_frame("pandas").set_index("item")["text"].loc["7"] == "says 7"


def test_names_stay_text_in_the_card() -> None:
    crowd = hc.Ratings.from_counts([[3, 1], [1, 3]] * 20, labels=["<b>", "|x|"])
    card = hc.soft_labels(crowd).card()
    assert "<b>" not in card
    assert " |x|" not in card


def test_what_cannot_be_answered_or_written_is_said(tmp_path) -> None:
    crowd = hc.Ratings.from_counts([[1, 0], [0, 1]] * 20, labels=["a", "b"])
    with pytest.raises(HeadcountError, match="not known"):
        hc.soft_labels(crowd)
    (tmp_path / "labels").write_text("")
    with pytest.raises(HeadcountError, match="is a file"):
        hc.soft_labels(made()[0]).save(tmp_path / "labels")


def test_from_the_command_line(tmp_path) -> None:
    rows = [f"{i},r{j},{'yn'[(i * j) % 2]}" for i in range(30) for j in range(3)]
    (tmp_path / "r.csv").write_text("\n".join(["item,rater,label", *rows]) + "\n")
    command = [sys.executable, "-m", "headcount", "export-labels", "r.csv", "-o", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (tmp_path / "out" / "train.parquet").exists()
    assert "have a distribution to train on" in done.stdout
