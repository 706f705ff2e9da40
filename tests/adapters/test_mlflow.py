"""MLflow: the metric gives what `evaluate` gives, and a run keeps figures and report."""

import json
from pathlib import Path

import pytest

import headcount as hc
from headcount.adapters.people import evaluated

mlflow = pytest.importorskip("mlflow", reason="MLflow is not installed")
pytestmark = pytest.mark.filterwarnings("ignore")  # of MLflow's own imports

from headcount.adapters.mlflow import log_evaluation, people_metric  # noqa: E402

SAID = [{"fine": 3, "toxic": 1}, {"fine": 0, "toxic": 4}, {"fine": 2, "toxic": 2}] * 30
ANSWERS = ["fine", "toxic", "toxic"] * 30


def test_the_metric_gives_what_evaluate_gives() -> None:
    import pandas as pd

    metric = people_metric(n_bootstrap=50)
    found = metric.eval_fn(pd.Series(ANSWERS), pd.Series(SAID), {}).aggregate_results
    counts = [[each["fine"], each["toxic"]] for each in SAID]
    people = hc.Ratings.from_counts(counts, labels=["fine", "toxic"])
    answers = {"item": [str(place) for place in range(len(SAID))], "judge": ANSWERS}
    expected = hc.evaluate(people, hc.Predictions.from_frame(pd.DataFrame(answers)), n_bootstrap=50)
    assert found["worth"] == pytest.approx(expected["judge"].worth.value, abs=1e-9)
    assert found["worth_low"] == pytest.approx(expected["judge"].worth.low, abs=1e-9)
    assert found["agree"] == pytest.approx(expected["judge"].agree.value, abs=1e-9)


def test_a_run_keeps_figures_and_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    found = evaluated(SAID, ANSWERS, n_bootstrap=0)
    with mlflow.start_run() as run:
        log_evaluation(found)
    kept = mlflow.get_run(run.info.run_id)
    assert kept.data.metrics["model/worth"] == found["model"].worth.value
    (result,) = tmp_path.rglob("result.json")
    assert json.loads(result.read_text(encoding="utf-8")) == json.loads(found.to_json())
    assert {each.name for each in result.parent.iterdir()} == {
        "report.html",
        "result.json",
        "summary.md",
    }
