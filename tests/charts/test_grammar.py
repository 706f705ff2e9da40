"""Charts in words: the specification is the one that Altair writes for the same words."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount import charts
from headcount.charts import grammar
from headcount.charts.grammar import as_altair, inline, spec_of


def bare(spec, shelf):
    """A specification with rows where their names stood, and without the look."""
    if isinstance(spec, list | tuple):
        return [bare(each, shelf) for each in spec]
    if not isinstance(spec, dict):
        return spec
    if set(spec) == {"name"} and spec["name"] in shelf:
        return {"values": list(shelf[spec["name"]])}
    own = ("config", "$schema", "datasets")
    return {name: bare(each, shelf) for name, each in spec.items() if name not in own}


def told(spec):
    return bare(spec, spec.get("datasets", {}))


@pytest.fixture(scope="module")
def results():
    made = hc.simulate.make("comments", seed=1, items=120)
    found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=20)
    labels = hc.deconvolve(made.ratings, flip_rate=0.1, n_bootstrap=20)
    rng = np.random.default_rng(3)
    numbers = hc.Ratings.from_frame(
        pa.table(
            {
                "item": np.repeat(np.arange(50), 3),
                "rater": np.tile(np.arange(3), 50),
                "label": rng.normal(size=150),
            }
        )
    )
    judge = pa.table({"item": np.arange(50), "judge": rng.normal(size=50)})
    crowd = hc.Ratings.from_counts([[6, 2], [2, 6], [7, 1], [3, 5]] * 30, labels=["a", "b"])
    return [
        found,
        found.agreement,
        found.equivalence,
        found.equivalence.curve,
        found.accuracy,
        found.population,
        found.next_labels,
        labels,
        labels.score(made.predictions),
        labels.by_level(made.predictions),
        hc.scores(numbers, judge),
        hc.expert_equivalence(crowd, crowd, n_bootstrap=0),
        hc.plan_comparison(accuracy=0.9, margin=0.05, label_accuracy=0.8, target=0.95),
        hc.plan_accuracy(kappa=0.6, simulations=20),
    ]


def test_every_chart_is_the_one_that_altair_writes_against_reference(results):
    for result in results:
        words = charts.recipe(result)
        theirs = charts.draw(result, theme=None).to_dict()
        assert told(spec_of(words)) == told(theirs), type(result).__name__


def test_rows_that_several_layers_draw_stand_in_the_specification_once(results):
    spec = spec_of(charts.recipe(results[2]))
    shelved = list(spec["datasets"].values())
    assert all(rows not in shelved[at + 1 :] for at, rows in enumerate(shelved))


def test_rows_and_sizes_of_layers_stand_outside_as_in_altair_against_reference():
    rows, others = inline([{"a": 1, "b": 2}]), inline([{"a": 3}])
    dots = grammar.Chart(rows, width=100, height=50).mark_point().encode(x="a:Q", y="b:Q")
    line = grammar.Chart(rows).mark_line().encode(x="a:Q", y="b:Q", y2=grammar.datum(0))
    rule = grammar.Chart(others).mark_rule().encode(x="a:Q")
    for words in (
        dots + line,
        dots + line + rule,
        dots + (line + rule),
        grammar.vconcat(dots, line, spacing=3),
        grammar.hconcat(dots + line, rule, spacing=3).resolve_scale(color="shared"),
        (dots + line).properties(title=grammar.Title("both", subtitle=["of", "them"])),
    ):
        assert told(spec_of(words)) == told(as_altair(words).to_dict())


def test_a_report_is_written_without_altair(tmp_path):
    code = (
        "import sys, headcount as hc; made = hc.simulate.make('comments', seed=1, items=60); "
        "found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=0); "
        f"found.report({str(tmp_path / 'report.html')!r}); sys.exit('altair' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], check=False)
    assert found.returncode == 0
