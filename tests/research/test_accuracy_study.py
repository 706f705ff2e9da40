"""The study that reproduces the paper's figures: its picture, its command, what it keeps."""

import json

from headcount.charts import save
from research.accuracy_study import PAPER_FIGURES, main, study_accuracy


def _values(spec, node):
    """The rows behind a part of a chart, written there or kept by name."""
    data = node["data"] if "data" in node else node["layer"][0]["data"]
    return data["values"] if "values" in data else spec["datasets"][data["name"]]


def test_the_papers_figures_are_one_grid(tmp_path):
    study = study_accuracy(PAPER_FIGURES, systems=[0.3, 0.9], runs=1)
    spec = study.chart().to_dict()
    assert (len(spec["concat"]), spec["columns"]) == (14, 7)
    assert save(study.chart(), tmp_path / "a.svg").exists()
    fitted = study_accuracy(PAPER_FIGURES[2:3], systems=[0.9], runs=2, latent_class=True)
    spec = fitted.chart().to_dict()
    points = _values(spec, spec["concat"][0]["layer"][1])
    assert {row["by"] for row in points} == {"algebraic", "latent class"}
    assert "mean distance (latent class)" in fitted.summary()
    assert fitted.to_frame().num_rows == 2


def test_a_study_keeps_every_run():
    study = study_accuracy(PAPER_FIGURES[5:6], systems=[0.5], runs=3, seed=9)
    assert study == study_accuracy(PAPER_FIGURES[5:6], systems=[0.5], runs=3, seed=9)
    json.dumps(study.to_dict(), allow_nan=False)
    assert study.verdict().startswith("In 3 simulated evaluations")
    assert study.mean_error("no such setting") is None


def test_the_command_prints_the_table_and_draws(capsys, tmp_path):
    main(["--runs", "1", "--violations", "60", "--chart", str(tmp_path / "study.svg")])
    printed = capsys.readouterr().out
    assert printed.startswith("In 30 simulated evaluations the estimate fell")
    assert "unequal difficulty" in printed
    assert (tmp_path / "study.svg").exists()
