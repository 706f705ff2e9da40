"""Finding the chart of a result, lazily and by its type."""

import subprocess
import sys
from types import ModuleType

import altair as alt
import pyarrow as pa
import pytest

import headcount as hc
from headcount import charts
from headcount.charts import as_svg
from headcount.errors import OptionError
from headcount.results import Result, Table
from headcount.results.record import record
from headcount.simulate import make


@record
class Heights(Result):
    """A result that only these tests know."""

    values: tuple[float, ...]

    def verdict(self) -> str:
        return f"{len(self.values)} heights."

    def tables(self) -> tuple[Table, ...]:
        return ()

    def columns(self) -> dict[str, list[float]]:
        return {"height": list(self.values)}

    def to_dict(self) -> dict[str, list[float]]:
        return self.columns()


class TallHeights(Heights):
    """A kind of it without a chart of its own."""


@pytest.fixture
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("headcount.charts.heights")

    def heights(result: Heights, *, mark: str = "bar") -> alt.Chart:
        rows = [{"n": i, "height": v} for i, v in enumerate(result.values)]
        return alt.Chart(alt.Data(values=rows), mark=mark).encode(x="n:O", y="height:Q")

    module.heights = heights
    monkeypatch.setitem(sys.modules, "headcount.charts.heights", module)
    monkeypatch.setitem(charts._DRAWN_BY, "Heights", "heights:heights")


@pytest.mark.usefixtures("_registered")
def test_a_result_is_drawn_by_the_function_named_for_its_type() -> None:
    spec = Heights((1.0, 2.0)).chart(mark="line").to_dict()
    assert spec["mark"]["type"] == "line"
    assert spec["config"]["range"]["category"]


@pytest.mark.usefixtures("_registered")
def test_a_subtype_is_drawn_like_its_parent_and_dark_differs_from_light() -> None:
    result = TallHeights((1.0, 2.0))
    light = charts.draw(result).to_dict()["config"]
    dark = charts.draw(result, theme="dark").to_dict()["config"]
    assert light["background"] != dark["background"]
    assert light["range"]["category"] != dark["range"]["category"]


@pytest.mark.usefixtures("_registered")
def test_without_a_theme_charts_can_be_put_together() -> None:
    bare = charts.draw(Heights((1.0,)), theme=None)
    assert (bare | bare).to_dict()["hconcat"]


def test_a_result_without_a_chart_is_told_in_a_sentence() -> None:
    with pytest.raises(OptionError, match="There is no chart for Heights"):
        Heights((1.0,)).chart()


def test_every_registered_chart_exists() -> None:
    import importlib

    for where in charts._DRAWN_BY.values():
        file, function = where.split(":")
        assert callable(getattr(importlib.import_module(f"headcount.charts.{file}"), function))


def test_importing_the_room_does_not_load_altair() -> None:
    code = "import sys, headcount.charts; sys.exit('altair' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_classifiers_may_have_names_that_every_object_of_a_script_has() -> None:
    made = make("comments", seed=11, items=60)
    old = ("fine_tuned", "llm_judge", "word_list")
    new = dict(zip(old, ("constructor", "toString", "hasOwnProperty"), strict=True))
    columns = {
        (f"{new[name]}{colon}{label}" if (name in new) else column): values
        for column, values in made.prediction_columns.items()
        for name, colon, label in [column.partition(":")]
    }
    found = hc.evaluate(
        hc.Ratings.from_frame(pa.table(made.rating_columns)),
        hc.Predictions.from_frame(pa.table(columns)),
        n_bootstrap=5,
    )
    for result in (found, found.equivalence, found.accuracy):
        drawn = as_svg(result)
        assert all(name in drawn for name in new.values())
