"""What follows from declared fields: JSON, frames, comparison, another confidence, short views."""

import math
from typing import ClassVar

import numpy as np
import pytest

from headcount.errors import OptionError, UnanswerableError
from headcount.results import Estimate, Record, Result, Table, hidden, record
from headcount.sampling import Bootstrap, estimate_from_draws


@record
class Row(Record):
    """One classifier."""

    also: ClassVar[tuple[str, ...]] = ("double",)

    name: str
    worth: Estimate
    bins: tuple[int, ...] = ()
    draws: np.ndarray = hidden(default_factory=lambda: np.zeros(3))

    @property
    def double(self) -> float:
        return 2 * float(self.worth)


@record
class Rows(Result):
    """Some of them."""

    rows: ClassVar[str] = "classifiers"

    classifiers: tuple[Row, ...]
    plan: Bootstrap = hidden()
    confidence: float = 0.95

    def verdict(self) -> str:
        return "\n".join(f"{each.name} is worth {each.worth}" for each in self.classifiers)

    def tables(self) -> tuple[Table, ...]:
        return (Table("Rows", ("name",), tuple((r.name,) for r in self.classifiers), id="rows"),)


def made(n: int = 2, shift: float = 0.0) -> Rows:
    plan = Bootstrap(400)
    draws = np.random.default_rng(0).normal(size=400) + shift
    worth = estimate_from_draws(shift, draws, plan.tail(50))
    return Rows(tuple(Row(f"c{j}", worth, (1, 2)) for j in range(n)), plan)


def test_json_holds_the_told_fields_and_no_others() -> None:
    told = made().to_dict()
    assert set(told) == {"collected", "classifiers", "confidence"}
    assert set(told["classifiers"][0]) == {"name", "worth", "bins", "double"}
    assert told["classifiers"][0]["bins"] == [1, 2]


def test_a_number_that_is_none_never_becomes_json() -> None:
    with pytest.raises(ValueError, match="name the reason"):
        Row("c", Estimate(1.0), (math.nan,)).to_dict()  # type: ignore[arg-type]


def test_columns_take_estimates_apart_and_leave_lists_out() -> None:
    columns = made().columns()
    assert list(columns) == ["name", "worth", "worth_low", "worth_high", "double"]
    assert columns["name"] == ["c0", "c1"]


def test_equal_data_give_equal_results_and_others_do_not() -> None:
    assert made() == made()
    assert made() != made(shift=1.0)
    assert made() != "something else"
    assert Row("a", Estimate(1.0), draws=np.array([math.nan])) == Row(
        "a", Estimate(1.0), draws=np.array([math.nan])
    )


def test_another_confidence_reads_the_same_draws() -> None:
    wide, narrow = made().with_confidence(0.99), made().with_confidence(0.5)
    assert wide.confidence == 0.99
    assert wide.plan.confidence == 0.99
    (at_99, at_50) = (each.classifiers[0].worth for each in (wide, narrow))
    assert at_99.low < at_50.low < at_50.high < at_99.high  # type: ignore[operator]
    assert wide.with_confidence(0.95) == made()
    with pytest.raises(OptionError, match="between 0 and 1"):
        made().with_confidence(95)


def test_a_row_is_found_by_its_name() -> None:
    assert made()["c1"].name == "c1"
    with pytest.raises(OptionError, match="nothing called 'nobody' here: c0, c1"):
        made()["nobody"]


def test_a_table_is_found_by_its_id() -> None:
    assert made().table("rows").title == "Rows"
    with pytest.raises(OptionError, match="no table 'Rows'"):
        made().table("Rows")


@pytest.mark.parametrize("n", [1, 2, 50])
def test_a_result_shows_itself_in_at_most_ten_lines(n: int) -> None:
    shown = repr(made(n))
    assert len(shown.splitlines()) <= 10
    assert shown.startswith("<headcount Rows>")


def test_an_estimate_is_a_number_and_comes_apart() -> None:
    estimate = Estimate(0.5, 0.4, 0.6)
    value, low, high = estimate
    assert (float(estimate), value, low, high) == (0.5, 0.5, 0.4, 0.6)
    with pytest.raises(UnanswerableError, match="no number here: one label only"):
        float(Estimate.undefined("one label only"))


def test_frames_come_in_the_library_of_the_data() -> None:
    import pandas as pd
    import polars as pl

    result = made()
    assert type(result.to_frame()).__module__.startswith("pyarrow")
    as_pandas = Rows(result.classifiers, result.plan, library="pandas").to_frame()
    assert isinstance(as_pandas, pd.DataFrame)
    assert isinstance(result.to_frame("polars"), pl.DataFrame)
