"""A study is made from whatever a user has, and meets its data once."""

from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import headcount as hc
from headcount.data import as_study
from headcount.data import study as study_module
from headcount.errors import OptionError

RATINGS = {"item": [1, 1, 2, 2, 3], "rater": list("ababa"), "label": ["x", "y", "x", "x", "y"]}
PREDICTIONS = {"item": [1, 2], "model": ["x", "y"]}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_frames_become_a_study_that_knows_their_library(frame: Any) -> None:
    study = as_study(frame(RATINGS), frame(PREDICTIONS))
    assert study.judged.n_items == 2
    assert study.names == ("model",)
    assert study.library == frame(RATINGS).__class__.__module__.partition(".")[0].replace(
        "_lib", "pyarrow"
    )


def test_paths_become_a_study(tmp_path: Path) -> None:
    pd.DataFrame(RATINGS).to_csv(tmp_path / "r.csv", index=False)
    pd.DataFrame(PREDICTIONS).to_csv(tmp_path / "p.csv", index=False)
    study = as_study(tmp_path / "r.csv", str(tmp_path / "p.csv"))
    assert study.judged.n_items == 2


def test_a_study_stays_as_it_is() -> None:
    study = as_study(pa.table(RATINGS))
    assert as_study(study) is study
    assert study.judged.n_items == 3
    with pytest.raises(OptionError, match="holds its predictions already"):
        as_study(study, pa.table(PREDICTIONS))


def test_data_meet_once(monkeypatch: pytest.MonkeyPatch) -> None:
    times = []
    real = study_module.judge
    monkeypatch.setattr(study_module, "judge", lambda *a, **k: times.append(1) or real(*a, **k))
    study = as_study(pa.table(RATINGS), pa.table(PREDICTIONS))
    for _ in range(3):
        study.judged, study.groups, study.named  # noqa: B018
    assert len(times) == 1


def test_who_said_what_counts_in_the_judged_rows() -> None:
    study = as_study(pa.table(RATINGS), pa.table(PREDICTIONS))
    named = study.named
    assert named is not None
    counts = np.zeros((2, 2), dtype=int)
    np.add.at(counts, (named.item, named.label), 1)
    np.testing.assert_array_equal(counts, study.judged.counts)
    assert as_study(hc.Ratings.from_counts([[1, 2]], labels=["x", "y"])).named is None


def test_notes_tell_how_predictions_were_read_too() -> None:
    ratings = hc.Ratings.from_frame(
        pa.table({"item": ["1", "1", "2", "2"], "rater": ["a", "b"] * 2, "label": list("xyxx")})
    )
    predictions = hc.Predictions.from_frame(
        pa.table(
            {
                "item": ["1", "1", "2", "2"],
                "classifier": ["model"] * 4,
                "run": ["1", "2"] * 2,
                "answer": list("xyxy"),
            }
        )
    )
    assert predictions.notes
    study = as_study(ratings, predictions)
    assert set(predictions.notes) <= set(study.notes)
    found = hc.evaluate(study, n_bootstrap=0)
    assert set(predictions.notes) <= set(found.data.notes)


def _with_full_digits(items: int) -> tuple[pa.Table, pa.Table]:
    rng = np.random.default_rng(3)
    chance = rng.random(items)
    labels = np.where(rng.random((items, 2)) < chance[:, None], "yes", "no")
    people = {
        "item": np.repeat(np.arange(items), 2),
        "rater": np.tile(["ann", "ben"], items),
        "label": labels.ravel(),
    }
    return pa.table(people), pa.table({"item": np.arange(items), "model": chance})


ASKED = ("judged", "groups", "named", "part", "notes")


@pytest.mark.parametrize("asked", list(permutations(ASKED))[::17])
def test_no_property_looks_at_what_was_asked_before(
    asked: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is rounded depends on the data: here a hundred different answers are many."""
    monkeypatch.setattr("headcount.counting.size.MOST_KINDS", 100)
    tables = _with_full_digits(500)
    study, fresh = as_study(*tables), as_study(*tables)
    for name in asked:
        getattr(study, name)
    assert study.notes == fresh.notes
    assert "digits" in " ".join(study.notes)
    for found, expected in ((study.judged, fresh.judged), (study.groups, study.judged.grouped())):
        np.testing.assert_array_equal(found.counts, expected.counts)
        ours, theirs = found.classifiers[0].probabilities, expected.classifiers[0].probabilities
        np.testing.assert_array_equal(ours, theirs)
    said = study.judged.classifiers[0].probabilities
    assert said is not None
    np.testing.assert_array_equal(said[:, 1], np.round(said[:, 1], 2))


def test_a_quarter_of_a_million_full_digits_score_the_same_whatever_was_asked() -> None:
    tables = _with_full_digits(250_000)
    scores = []
    for touch in ((), ("judged",), ("groups", "judged")):
        study = as_study(*tables)
        for name in touch:
            getattr(study, name)
        found = hc.survey_equivalence(study, n_bootstrap=0, calibrate=False)
        scores.append(found["model"].score.value)
    assert len(set(scores)) == 1


def test_how_items_are_looked_at_is_decided_by_the_data(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not as_study(pa.table(RATINGS)).in_groups
    monkeypatch.setattr("headcount.counting.size.LARGE", 4)
    study = as_study(pa.table(RATINGS), pa.table(PREDICTIONS))
    assert study.in_groups
    assert study.judged.items is None
    assert as_study(study, item_by_item=True).judged.items is not None
    assert study.item_by_item is study.item_by_item
    topics = pa.table({**RATINGS, "topic": list("aabbb")})
    assert not as_study(hc.Ratings.from_frame(topics, slices="topic")).in_groups
