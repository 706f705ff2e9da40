"""Ratings and predictions in memory go to another process whole."""

import copy
import gzip
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import headcount as hc


@pytest.mark.parametrize("packed", [False, True], ids=["as it is", "gzip"])
def test_what_was_read_comes_back_the_same(packed: bool, tmp_path: Path) -> None:
    made = hc.simulate.make("comments", items=40, seed=5)
    made.write(tmp_path)
    files = [tmp_path / "ratings.csv", tmp_path / "predictions.csv"]
    if packed:
        for at, file in enumerate(files):
            files[at] = file.with_suffix(".csv.gz")
            files[at].write_bytes(gzip.compress(file.read_bytes()))
    ratings, predictions = hc.Ratings.read(files[0]), hc.Predictions.read(files[1])
    study = hc.Study(*pickle.loads(pickle.dumps((ratings, predictions))))
    assert study.ratings.preview() == ratings.preview()
    assert hc.agreement(study).to_dict() == hc.agreement(ratings).to_dict()
    wanted = hc.survey_equivalence(ratings, predictions, n_bootstrap=10).to_dict()
    assert hc.survey_equivalence(study, n_bootstrap=10).to_dict() == wanted


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_copy_removes_nothing(copied: Callable[[Any], Any], tmp_path: Path) -> None:
    """The unpacked file is the first one's, however many copies come and go."""
    hc.simulate.make("comments", items=5).write(tmp_path)
    file = tmp_path / "ratings.csv.gz"
    file.write_bytes(gzip.compress((tmp_path / "ratings.csv").read_bytes()))
    ratings = hc.Ratings.read(file)
    assert ratings.source is not None
    assert ratings.source.holders
    folder = ratings.source.holders[0].path
    other = copied(ratings)
    assert other.source.holders[0].path == folder
    del other
    assert folder.exists()
    del ratings
    assert not folder.exists()
