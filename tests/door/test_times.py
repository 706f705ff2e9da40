"""Dates of usual forms, numbers and orders become points in time."""

import numpy as np
import pyarrow as pa
import pytest

from headcount import Predictions, Ratings
from headcount.door.times import shown, times_of
from headcount.errors import InputError

DATES = {
    "2025-06-01": "2025-06-01",
    "2025-6-1": "2025-06-01",
    "2025/06/01 10:00": "2025-06-01T10:00",
    "2025-06-01T10:00:00Z": "2025-06-01T10:00",
    "2025-06-01 10:00:00+02:00": "2025-06-01T08:00",
    "13.06.2025": "2025-06-13",
    "06/13/2025 3:05 PM": "2025-06-13T15:05",
    "Jun 1, 2025": "2025-06-01",
    "1 June 2025": "2025-06-01",
    "June 2025": "2025-06-01",
    "2025-06": "2025-06-01",
    "202506": "2025-06-01",
    "20250601": "2025-06-01",
    "2025-W23": "2025-06-02",
    "Q2 2025": "2025-04-01",
    "1748772000": "2025-06-01T10:00",
    "1748772000123": "2025-06-01T10:00",
    "Mon Jun 02 10:00:00 PDT 2025": "2025-06-02T10:00",
}


@pytest.mark.parametrize(("text", "day"), DATES.items())
def test_dates_of_usual_forms(text, day):
    found = times_of([text], column="t", table="x")
    assert found.kind == "date"
    assert shown(float(found.values[0]), found.kind) == day


def test_one_day_past_the_twelfth_tells_that_days_come_first():
    found = times_of(["03/02/2025", "13/02/2025"], column="t", table="x")
    assert [shown(each, "date") for each in found.values] == ["2025-02-03", "2025-02-13"]
    assert not found.doubt
    assert "month first" in times_of(["03/02/2025"], column="t", table="x").doubt


def test_numbers_and_orders():
    assert times_of(["3", "4.5", ""], column="t", table="x").kind == "number"
    order = times_of(["wave 10", "wave 9", "NA"], column="t", table="x")
    assert order.kind == "order"
    np.testing.assert_array_equal(order.values, [1, 0, np.nan])
    with pytest.raises(InputError, match="neither a date nor a number"):
        times_of([f"note {n} of many" for n in range(100)], column="t", table="x")
    with pytest.raises(InputError, match="no time at all"):
        times_of(["", "NA"], column="t", table="x")


def log(**more):
    rows = {
        "item": ["a", "a", "b", "b"],
        "rater": ["ann", "ben", "ann", "ben"],
        "label": ["x", "y", "y", "y"],
        "rated_at": ["2025-06-01", "2025-06-02", "2025-06-03", "2025-06-04"],
    }
    return pa.table(rows | more)


def test_a_column_of_times_is_recognised_and_kept_by_answer():
    ratings = Ratings.from_frame(log())
    assert ratings.layout.time == "rated_at"
    time = ratings.answers().time
    assert time is not None
    assert [time.names[code] for code in time.code] == log()["rated_at"].to_pylist()
    assert Ratings.from_frame(log(), time="").layout.time is None
    assert Ratings.from_frame(log(wave=[1, 1, 2, 2]), time="wave").layout.time == "wave"


def test_a_judge_beside_every_persons_answer_is_read_once_an_item(tmp_path):
    file = tmp_path / "log.csv"
    file.write_text(
        "item,rater,label,time,judge\na,ann,x,1,x\na,ben,y,2,x\nb,ann,y,3,y\nb,ben,y,4,y\n"
    )
    ratings = Ratings.read(file)
    assert ratings.layout.classifiers == ("judge",)
    judge = Predictions.read(file, item="item", classifiers=["judge"])
    assert judge.names == ("judge",)
    assert judge.n_items == 2


def test_predictions_keep_when_they_were_made():
    wide = pa.table({"item": [1, 2], "gpt": ["x", "y"], "date": ["2025-06-01", "2025-07-01"]})
    told = Predictions.from_frame(wide)
    assert told.names == ("gpt",)
    assert told.times["time"].to_pylist() == ["2025-06-01", "2025-07-01"]
    long = pa.table(
        {
            "item": [1, 2, 1, 2],
            "model": ["gpt", "gpt", "llm", "llm"],
            "label": ["x", "y", "x", "x"],
            "date": ["2025-06-01", "2025-07-01", "2025-06-05", "2025-07-05"],
        }
    )
    told = Predictions.from_frame(long)
    assert told.names == ("gpt", "llm")
    assert told.times["classifier"].to_pylist() == ["gpt", "gpt", "llm", "llm"]
