"""MLflow: a metric for its evaluations, and a run that keeps the report and the figures."""

import tempfile
from pathlib import Path
from typing import Any

from headcount.adapters.people import MODEL, evaluated, figures
from headcount.errors import MissingExtraError
from headcount.evaluation import Evaluation


def people_metric(name: str = "people", **options: Any) -> Any:
    """A metric for `mlflow.models.evaluate`: what the model is worth, in people.

    Parameters
    ----------
    name : str
        Of the metric; its figures are `people/worth`, `people/worth_low` and so on.
    **options
        Of `evaluate`, and `order` and `scale` of the labels.

    Returns
    -------
    EvaluationMetric
        For ``extra_metrics=[people_metric()]``. The targets are what people said of each row:
        `{"fine": 3, "toxic": 1}`, or the labels themselves; the predictions are labels, or the
        chance of each label.
    """
    mlflow_models = _mlflow().models

    def people(predictions: Any, targets: Any, metrics: Any) -> Any:  # noqa: ARG001
        from mlflow.metrics.base import MetricValue

        found = evaluated(list(targets), list(predictions), **options)
        return MetricValue(aggregate_results=figures(found.estimates()[MODEL]))

    return mlflow_models.make_metric(eval_fn=people, greater_is_better=True, name=name)


def log_evaluation(found: Evaluation, folder: str = "headcount") -> None:
    """Keep an evaluation in the active run: its figures as metrics, its report as artefacts.

    Parameters
    ----------
    found : Evaluation
        What `evaluate` gave. Each classifier's numbers are metrics by its name: `judge/worth`,
        `judge/worth_low`.
    folder : str
        The folder of artefacts with `report.html`, `result.json` and `summary.md`.
    """
    mlflow = _mlflow()
    for name, estimates in found.estimates().items():
        told = figures(estimates)
        mlflow.log_metrics({f"{_plain(name)}/{key}": value for key, value in told.items()})
    with tempfile.TemporaryDirectory() as made:
        here = Path(made)
        found.report(here / "report.html")
        (here / "result.json").write_text(found.to_json(), encoding="utf-8")
        (here / "summary.md").write_text(found.to_markdown(short=True), encoding="utf-8")
        mlflow.log_artifacts(str(here), folder)


def _plain(name: str) -> str:
    """A name of a metric as MLflow allows it."""
    return "".join(each if each.isalnum() or each in "_-. " else "_" for each in name)


def _mlflow() -> Any:
    try:
        import mlflow
        import mlflow.models
    except ImportError as error:
        raise MissingExtraError(
            "MLflow is not installed: pip install 'headcount[mlflow]'."
        ) from error
    return mlflow
