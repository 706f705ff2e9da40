"""`headcount rate` as a user runs it."""

import json

import numpy as np
import pytest


@pytest.fixture
def run(run, tmp_path):
    """The command line in a folder with a judge on all items and people on some."""
    rng = np.random.default_rng(2)
    bad = rng.random(800) < 0.3
    judge = np.where(rng.random(800) < 0.9, bad, ~bad)
    rows = ["item,rater,label,topic"]
    for item in range(0, 800, 8):
        for rater in "abc":
            said = rng.random() < (0.9 if bad[item] else 0.05)
            rows.append(
                f"{item},{rater},{'bad' if said else 'fine'},{'art' if item % 16 else 'law'}"
            )
    (tmp_path / "ratings.csv").write_text("\n".join(rows) + "\n")
    answers = [f"{i},{'bad' if judge[i] else 'fine'}" for i in range(800)]
    (tmp_path / "predictions.csv").write_text("item,judge\n" + "\n".join(answers) + "\n")
    parts = [f"{i},{'art' if i % 16 else 'law'}" for i in range(800)]
    (tmp_path / "parts.csv").write_text("item,slice\n" + "\n".join(parts) + "\n")
    return run


FILES = ("ratings.csv", "predictions.csv")


def test_rate_for_people(run, tmp_path):
    code, out, _ = run("rate", *FILES, "--of", "bad", "--chart", "rate.svg")
    assert code == 0
    assert out.startswith("People would call ")
    assert "judge judged 800 items, people rated 100 of them" in " ".join(out.split())
    assert "What this rests on" in out
    assert (tmp_path / "rate.svg").exists()


def test_rate_as_json_by_slice(run):
    code, out, _ = run("rate", *FILES, "--of", "bad", "--by", "parts.csv", "--format", "json")
    assert code == 0
    (judge,) = json.loads(out)["classifiers"]
    assert {each["part"] for each in judge["slices"]} == {"art", "law"}
    assert sum(each["items"] for each in judge["slices"]) == 800
    code, out, _ = run("rate", *FILES, "--of", "bad", "--slice", "topic", "--format", "json")
    assert code == 0
    assert {each["part"] for each in json.loads(out)["classifiers"][0]["slices"]} == {"art", "law"}


def test_rate_of_a_label_that_is_none(run):
    code, _, err = run("rate", *FILES, "--of", "ugly")
    assert code == 1
    assert "is not one of the labels" in err
