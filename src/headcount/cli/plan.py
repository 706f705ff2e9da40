"""`headcount plan`: how to spend the next labels."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import options, plan_accuracy
from headcount.cli.output import emit

if TYPE_CHECKING:
    from headcount.results import Result

app = typer.Typer(
    help="How to spend the next labels.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("accuracy")(plan_accuracy.accuracy)

_TASK = "The two classifiers"
_LABELS = "The labels"
_PILOT = "From a pilot instead of numbers"
_GRID = "The grid: values like 0.55:0.95:0.05 (ends included) or 0.6,0.8"


class Form(StrEnum):
    """Which parameters a sweep has."""

    INDEPENDENT = "independent"
    CORRELATED = "correlated"


def _number(panel: str, text: str) -> Any:
    return typer.Option(help=text, rich_help_panel=panel)


Accuracy = Annotated[float | None, _number(_TASK, "Accuracy of the better classifier.")]
Margin = Annotated[float | None, _number(_TASK, "How much better it is.")]
Disagreement = Annotated[
    float | None,
    _number(_TASK, "Share of items on which they differ (default: independent errors)."),
]
WorseAccuracy = Annotated[float | None, _number(_TASK, "Correlated: accuracy of the worse one.")]
BetterIfWorseWrong = Annotated[
    float | None, _number(_TASK, "Correlated: the better one's accuracy where the worse is wrong.")
]
BetterIfWorseRight = Annotated[
    float | None, _number(_TASK, "Correlated: the better one's accuracy where the worse is right.")
]
Rivals = Annotated[
    int, _number(_TASK, "How many rivals the best one is compared with, all so far behind.")
]
LabelAccuracy = Annotated[
    float | None, _number(_LABELS, "Chance that a single label is right, above 0.5.")
]
LabelSpread = Annotated[
    float,
    _number(_LABELS, "How much that varies over items, as a standard deviation."),
]
LabelAccuracyIfBetter = Annotated[
    float | None, _number(_LABELS, "The same on items that only the better one gets right.")
]
LabelAccuracyIfWorse = Annotated[
    float | None, _number(_LABELS, "The same on items that only the worse one gets right.")
]
Budget = Annotated[float | None, typer.Option(help="What may be spent: highest probability.")]
Target = Annotated[float | None, typer.Option(help="Probability to reach: lowest cost.")]
LabelsPerItem = Annotated[
    str | None,
    typer.Option(help="Only these numbers of labels an item, separated by commas."),
]
Adaptive = Annotated[
    bool | None,
    typer.Option(
        "--adaptive/--no-adaptive", help="With or without 'a third label where two differ'."
    ),
]
PilotRatings = Annotated[
    Path | None,
    typer.Option("--ratings", help="A pilot's ratings.", rich_help_panel=_PILOT),
]
PilotPredictions = Annotated[
    Path | None,
    typer.Option("--predictions", help="What both classifiers said.", rich_help_panel=_PILOT),
]
PilotClassifiers = Annotated[
    str | None,
    typer.Option(help="Which two, where there are more: a,b.", rich_help_panel=_PILOT),
]
PilotUnknown = Annotated[
    str,
    typer.Option(
        help="Predictions outside the labels: error, wrong or drop.", rich_help_panel=_PILOT
    ),
]
ItemCost = Annotated[float, typer.Option(help="What an item costs before any label.")]
LabelCost = Annotated[float, typer.Option(help="What a label costs.")]


@app.command("compare")
def compare(
    accuracy: Accuracy = None,
    margin: Margin = None,
    disagreement: Disagreement = None,
    worse_accuracy: WorseAccuracy = None,
    better_if_worse_wrong: BetterIfWorseWrong = None,
    better_if_worse_right: BetterIfWorseRight = None,
    rivals: Rivals = 1,
    label_accuracy: LabelAccuracy = None,
    label_spread: LabelSpread = 0.0,
    label_accuracy_if_better: LabelAccuracyIfBetter = None,
    label_accuracy_if_worse: LabelAccuracyIfWorse = None,
    budget: Budget = None,
    target: Target = None,
    labels_per_item: LabelsPerItem = None,
    adaptive: Adaptive = None,
    item_cost: ItemCost = 0.0,
    label_cost: LabelCost = 1.0,
    ratings: PilotRatings = None,
    predictions: PilotPredictions = None,
    classifiers: PilotClassifiers = None,
    unknown: PilotUnknown = "error",
    item: options.Item = None,
    rater: options.Rater = None,
    label: options.Label = None,
    layout: options.Layout = None,
    unrated: options.Unrated = "error",
    bootstrap: options.Bootstrap = 500,
    confidence: options.Confidence = 0.95,
    seed: options.Seed = 0,
    output: options.OutputFormat = options.Format.TABLE,
    chart: options.ChartPath = None,
) -> None:
    """Pick the better of two classifiers: how many items, and how many labels each?"""
    numbers: dict[str, Any] = {
        "accuracy": accuracy,
        "margin": margin,
        "disagreement": disagreement,
        "worse_accuracy": worse_accuracy,
        "better_if_worse_wrong": better_if_worse_wrong,
        "better_if_worse_right": better_if_worse_right,
        "label_accuracy": label_accuracy,
        "label_accuracy_if_better": label_accuracy_if_better,
        "label_accuracy_if_worse": label_accuracy_if_worse,
    }
    spending: dict[str, Any] = {
        "rivals": rivals,
        "budget": budget,
        "target": target,
        "labels_per_item": _whole_numbers(labels_per_item),
        "adaptive": adaptive,
        "item_cost": item_cost,
        "label_cost": label_cost,
    }
    result: Result
    if ratings is None and predictions is None:
        from headcount.budget import plan_comparison

        result = plan_comparison(**numbers, label_spread=label_spread, **spending)
    else:
        _only_a_pilot(numbers)
        result = _plan_from_files(
            ratings,
            predictions,
            classifiers,
            {"item": item, "rater": rater, "label": label, "layout": layout, "unrated": unrated},
            unknown=unknown,
            n_bootstrap=bootstrap,
            confidence=confidence,
            seed=seed,
            **spending,
        )
    emit(result, output, chart)


def _only_a_pilot(numbers: dict[str, Any]) -> None:
    """A pilot estimates what the numbers would say: both at once is a mistake."""
    from headcount.errors import OptionError

    given = [name for name, value in numbers.items() if value is not None]
    if given:
        raise OptionError(
            f"--{given[0].replace('_', '-')} is estimated from the pilot: leave it out, or leave "
            "--ratings and --predictions out."
        )


def _plan_from_files(
    ratings: Path | None,
    predictions: Path | None,
    classifiers: str | None,
    columns: dict[str, Any],
    **choices: Any,
) -> "Result":
    from headcount.cli.reading import read_predictions, read_ratings
    from headcount.errors import OptionError
    from headcount.evaluation import plan_from_pilot

    if ratings is None or predictions is None:
        raise OptionError("a pilot needs both --ratings and --predictions.")
    answers = read_predictions(predictions, item=columns["item"], classifiers=classifiers)
    assert answers is not None
    return plan_from_pilot(read_ratings(ratings, **columns), answers, **choices)


def _axis(name: str) -> Any:
    return typer.Option(f"--{name}", metavar="VALUES", rich_help_panel=_GRID)


@app.command("sweep")
def sweep(
    form: Annotated[Form, typer.Option(help="Independent or correlated errors.")] = (
        Form.INDEPENDENT
    ),
    accuracy: Annotated[str | None, _axis("accuracy")] = None,
    margin: Annotated[str | None, _axis("margin")] = None,
    label_accuracy: Annotated[str | None, _axis("label-accuracy")] = None,
    worse_accuracy: Annotated[str | None, _axis("worse-accuracy")] = None,
    better_if_worse_wrong: Annotated[str | None, _axis("better-if-worse-wrong")] = None,
    better_if_worse_right: Annotated[str | None, _axis("better-if-worse-right")] = None,
    label_accuracy_if_better: Annotated[str | None, _axis("label-accuracy-if-better")] = None,
    label_accuracy_if_worse: Annotated[str | None, _axis("label-accuracy-if-worse")] = None,
    labels: Annotated[str, _axis("labels")] = "3,5,7",
    items: Annotated[str, _axis("items")] = "1:50",
    biased: Annotated[
        bool,
        typer.Option("--biased", help="Also where labels favour the worse classifier."),
    ] = False,
    checkpoint: Annotated[
        Path | None,
        typer.Option(help="A file to keep findings in: an interrupted sweep goes on from it."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Threads (default: one for each core).")
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Compute on a GPU, with CuPy.")] = False,
    output: options.OutputFormat = options.Format.TABLE,
) -> None:
    """Is one label always best? Compare at every point of a grid, exactly."""
    import numpy as np

    from headcount.budget import sweep as run
    from headcount.cli.progress import bar

    independent = form is Form.INDEPENDENT
    result = run(
        form=form.value,
        accuracy=accuracy or _default(independent, "0.55:0.95:0.05"),
        margin=margin or _default(independent, "0.01,0.02,0.05,0.1"),
        label_accuracy=label_accuracy or _default(independent, "0.55:0.95:0.05"),
        worse_accuracy=worse_accuracy or _default(not independent, "0.1:0.9:0.2"),
        better_if_worse_wrong=better_if_worse_wrong or _default(not independent, "0.1:0.9:0.2"),
        better_if_worse_right=better_if_worse_right or _default(not independent, "0.7:1:0.1"),
        label_accuracy_if_better=label_accuracy_if_better
        or _default(not independent, "0.55:0.95:0.1"),
        label_accuracy_if_worse=label_accuracy_if_worse
        or _default(not independent, "0.55:0.95:0.1"),
        labels=labels,
        items=items,
        assume_unbiased=not biased,
        checkpoint=checkpoint,
        workers=workers,
        array_module=_cupy() if gpu else np,
        progress=bar,
    )
    emit(result, output)


def _default(wanted: bool, values: str) -> str | None:
    return values if wanted else None


def _cupy() -> Any:
    """CuPy, or the sentence that says how to get it."""
    import importlib

    from headcount.errors import MissingExtraError

    try:
        return importlib.import_module("cupy")
    except ImportError as error:
        raise MissingExtraError(
            "--gpu needs CuPy: pip install 'headcount[gpu]', or leave --gpu out."
        ) from error


def _whole_numbers(listed: str | None) -> list[int] | None:
    """Whole numbers separated by commas."""
    from headcount.errors import OptionError

    if listed is None:
        return None
    try:
        return [int(part) for part in listed.split(",") if part.strip()]
    except ValueError:
        raise OptionError(
            f"--labels-per-item takes whole numbers separated by commas, such as 1,3,5; "
            f"it was {listed!r}."
        ) from None
