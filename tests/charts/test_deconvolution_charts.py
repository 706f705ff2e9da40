"""Charts of the deconvolution: they hold the result's numbers."""

import pytest

from headcount.charts import draw, save
from headcount.deconvolution import deconvolve, validate_deconvolution
from headcount.errors import OptionError
from headcount.simulate import make


@pytest.fixture(scope="module")
def data():
    return make("comments", items=250, retests=0.5, seed=4)


@pytest.fixture(scope="module")
def labels(data):
    return deconvolve(data.ratings, flip_rate="retest", strata=0.1, method="paper", n_bootstrap=20)


def values(chart):
    """All rows of a chart, however it is composed: Altair gathers them at the top."""
    return [row for rows in chart.to_dict()["datasets"].values() for row in rows]


def test_bars_run_from_the_majority_label_to_the_papers_oracle(data, labels):
    scores = labels.score(data.predictions, ("accuracy", "auc"))
    rows = values(scores.chart())
    steps = {(row["name"], row["step"]): row["score"] for row in rows}
    assert len(steps) == 3 * 4
    assert steps["llm_judge", "labels held"] == scores["llm_judge"].adjusted.value
    assert steps["llm_judge", "paper's oracle"] == scores.oracle_for().adjusted.value
    by_auc = {
        (row["name"], row["step"]): row["score"] for row in values(scores.chart(scorer="auc"))
    }
    soft = scores.oracle_for("auc", soft=True).adjusted.value
    assert by_auc["word_list", "paper's oracle"] == soft
    with pytest.raises(OptionError, match="scorer is one of accuracy, auc"):
        scores.chart(scorer="f1")


def test_the_oracle_alone_has_three_bars(labels):
    assert {row["step"] for row in values(draw(labels, part="oracle"))} == {
        "majority label",
        "labels as given",
        "labels held",
    }


def test_flip_rates_are_drawn_by_stratum(labels):
    rows = values(labels.chart())
    assert [row["rate"] for row in rows] == [row.rate for row in labels.flip_rate.strata]
    with pytest.raises(OptionError, match="part is"):
        labels.chart(part="everything")


def test_given_rates_have_no_strata_to_draw(data):
    fixed = deconvolve(data.ratings, flip_rate=0.1, n_bootstrap=0)
    assert {row["step"] for row in values(fixed.chart())} >= {"labels held"}
    with pytest.raises(OptionError, match="have no strata"):
        fixed.chart(part="flip_rate")


def test_parts_are_drawn_with_their_intervals(data, labels):
    split = labels.by_level(data.predictions)
    rows = values(split.chart())
    assert len(rows) == sum(len(part.scores) for part in split.parts)
    assert all(row["low"] <= row["score"] <= row["high"] for row in rows)


def test_the_calibration_and_the_validated_scores_are_drawn(data):
    checked = validate_deconvolution(data.ratings, min_raters=2, n_bootstrap=20)
    assert len(values(checked.chart())) == len(checked.calibration) + 2
    scores = values(checked.chart(part="scores"))
    assert {row["step"] for row in scores} == {"raw", "adjusted", "what people mostly answer"}
    with pytest.raises(OptionError, match="part is"):
        checked.chart(part="all")


def test_negative_scores_and_files(tmp_path, data, labels):
    chart = labels.score(data.predictions, "cross_entropy").chart()
    assert save(chart, tmp_path / "scores.svg").stat().st_size > 1000
