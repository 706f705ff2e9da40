"""Predictions meet ratings by item id, and every answer gets one meaning."""

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from headcount import Predictions, Ratings
from headcount.data import Judged, judge
from headcount.errors import InputError, OptionError

RATINGS = Ratings.from_frame(
    pd.DataFrame(
        {
            "item": ["a", "a", "b", "b", "c", "c"],
            "rater": [1, 2] * 3,
            "label": ["no", "yes", "yes", "yes", "no", "no"],
        }
    )
)


def _judge(columns: dict[str, list[object]], **options: str) -> Judged:
    return judge(RATINGS, Predictions.from_frame(pd.DataFrame(columns)), **options)


def test_joined_by_id_never_by_position() -> None:
    judged = _judge({"item": ["c", "a", "b"], "m": ["no", "yes", "yes"]})
    assert judged.items is not None
    assert list(judged.items) == ["a", "b", "c"]
    assert judged.classifiers[0].top().tolist() == [1, 1, 0]
    assert judged.counts.tolist() == [[1, 1], [0, 2], [2, 0]]


def test_a_bare_number_is_the_probability_of_the_last_label_and_said() -> None:
    judged = _judge({"item": ["a", "b", "c"], "m": [0.25, 1, 0]})
    assert judged.classifiers[0].probabilities is not None
    assert judged.classifiers[0].probabilities.tolist() == [[0.75, 0.25], [0, 1], [1, 0]]
    assert any("probability of 'yes'" in note for note in judged.notes)
    other = _judge({"item": ["a", "b", "c"], "m": [0.25, 1, 0]}, positive="no")
    assert other.classifiers[0].probabilities is not None
    assert other.classifiers[0].probabilities[0].tolist() == [0.25, 0.75]
    with pytest.raises(OptionError, match="not one of the labels"):
        _judge({"item": ["a"], "m": [0.25]}, positive="maybe")


def test_one_column_of_two_suffices_for_a_soft_classifier() -> None:
    judged = _judge({"item": ["a", "b", "c"], "m:no": [0.1, 0.2, 0.9]})
    assert judged.classifiers[0].probabilities is not None
    np.testing.assert_allclose(judged.classifiers[0].probabilities[:, 1], [0.9, 0.8, 0.1])


def test_numbers_that_are_labels_are_labels() -> None:
    ratings = Ratings.from_frame(
        pd.DataFrame({"item": [1, 1, 2], "rater": [1, 2, 1], "label": [0, 1, 1]})
    )
    frame = pd.DataFrame({"item": [1, 2], "hard": [0.0, 1.0], "soft": [0.5, 1.0]})
    hard, soft = judge(ratings, Predictions.from_frame(frame)).classifiers
    assert hard.codes is not None
    assert hard.codes.tolist() == [0, 1]
    assert soft.soft


def test_only_items_that_all_answered_and_coverage_for_each() -> None:
    judged = _judge({"item": ["a", "b", "z"], "m": ["no", "yes", "no"], "n": ["no", None, "no"]})
    assert judged.n_items == 1
    assert [(c.answered, c.out_of) for c in judged.classifiers] == [(2, 3), (1, 3)]
    notes = " ".join(judged.notes)
    assert "m answered 2 of 3" in notes
    assert "2 of 3 rated items were left out" in notes
    assert "1 item of the predictions has no rating" in notes


def test_whole_numbers_are_labels_where_labels_are_numbers() -> None:
    ratings = Ratings.from_frame(pa.table({"item": ["a", "b", "c"], "label": [0, 1, 1]}))
    said = pa.table({"item": ["a", "b", "c"], "m": [0, 2, 1]})
    with pytest.raises(InputError, match="1 answer that is not a label, such as '2'"):
        judge(ratings, Predictions.from_frame(said))
    chances = pa.table({"item": ["a", "b", "c"], "m": [0, 0.5, 1]})
    assert judge(ratings, Predictions.from_frame(chances)).classifiers[0].soft


def test_unknown_answers_stop_count_as_wrong_or_drop() -> None:
    columns: dict[str, list[object]] = {"item": ["a", "b", "c"], "m": ["no", "dunno", "no"]}
    with pytest.raises(InputError, match=r"1 answer that is not a label, such as 'dunno'"):
        _judge(columns)
    wrong = _judge(columns, unknown="wrong").classifiers[0]
    assert wrong.codes is not None
    assert wrong.codes.tolist() == [0, -1, 0]
    assert wrong.unknown == 1
    assert _judge(columns, unknown="drop").n_items == 2
    with pytest.raises(OptionError, match='"error", "wrong" or "drop"'):
        _judge(columns, unknown="guess")


def test_rounded_probabilities_are_scaled_and_said() -> None:
    judged = _judge({"item": ["a"], "m:no": [0.333], "m:yes": [0.666]})
    assert judged.classifiers[0].probabilities is not None
    assert judged.classifiers[0].probabilities.sum() == pytest.approx(1, abs=1e-15)
    assert any("rounding" in note for note in judged.notes)


def test_grouping_is_lossless_and_ordered_by_content() -> None:
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 2, (60, 2)) + np.array([1, 0])
    ratings = Ratings.from_counts(counts, labels=["no", "yes"])
    frame = pd.DataFrame(
        {"item": np.arange(60), "m": rng.choice(["no", "yes"], 60), "s": rng.integers(0, 3, 60) / 4}
    )
    judged = judge(ratings, Predictions.from_frame(frame))
    grouped = judged.grouped()
    assert grouped.n_items == 60
    assert len(grouped.size) < 30

    def rows(table: Judged) -> list[tuple[float, ...]]:
        outputs = np.column_stack([table.counts, *(c.outputs() for c in table.classifiers)])
        return sorted(map(tuple, np.repeat(outputs, table.size, axis=0).tolist()))

    assert rows(grouped) == rows(judged)
    shuffled = judged.take(rng.permutation(60)).grouped()
    np.testing.assert_array_equal(shuffled.counts, grouped.counts)
    np.testing.assert_array_equal(shuffled.size, grouped.size)


def test_selecting_classifiers(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("item,m,n\na,no,yes\n")
    assert Predictions.read(path, classifiers=["n"]).names == ("n",)
    with pytest.raises(OptionError, match="no classifier 'x'"):
        Predictions.read(path, classifiers=["x"])


def test_lazy_predictions_are_read() -> None:
    frame = pl.DataFrame({"item": ["a"], "m": ["no"]}).lazy()
    assert judge(RATINGS, Predictions.from_frame(frame)).n_items == 1


def test_the_dirty_judge_is_named_on_real_data(shared_data) -> None:
    folder = shared_data("pandalm-judges")
    ratings = Ratings.read(folder / "ratings.csv")
    predictions = Predictions.read(folder / "predictions.csv")
    with pytest.raises(InputError, match=r"'gpt_3_5_turbo' gave 25 answers .* 'garbage'"):
        judge(ratings, predictions)
    assert judge(ratings, predictions, unknown="wrong").classifiers[0].unknown == 25
