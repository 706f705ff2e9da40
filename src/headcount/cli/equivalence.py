"""`headcount equivalence`: how many raters each classifier is worth."""

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import options
from headcount.cli.output import emit
from headcount.cli.reading import reads

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings

_METHOD = "Method"


class Engine(StrEnum):
    """How the curve is computed."""

    EXACT = "exact"
    LITERAL = "literal"


@reads(predictions="optional")
def equivalence(
    ratings: "Ratings",
    predictions: "Predictions | None",
    combiner: Annotated[
        str,
        typer.Option(
            help="How a survey's answers become a prediction: abc, plurality, frequency, "
            "frequency-overall or mean.",
            rich_help_panel=_METHOD,
        ),
    ] = "abc",
    scorer: Annotated[
        str,
        typer.Option(
            help="How predictions are scored: agreement, cross_entropy, brier, f1, precision, "
            "recall, auc, correlation or dmi.",
            rich_help_panel=_METHOD,
        ),
    ] = "cross_entropy",
    max_raters: Annotated[
        int | None,
        typer.Option(
            help="Ratings an item must have to take part (default: what makes most of the data).",
            rich_help_panel=_METHOD,
        ),
    ] = None,
    reference_raters: Annotated[
        int,
        typer.Option(
            help="Score against the plurality of so many held-out raters.",
            rich_help_panel=_METHOD,
        ),
    ] = 1,
    clip: Annotated[
        float | None,
        typer.Option(
            help="Keep probabilities this far from 0 and 1 (default: 0.04 / labels).",
            rich_help_panel=_METHOD,
        ),
    ] = None,
    amateurs: Annotated[
        str | None,
        typer.Option(
            help="Pool of the raters who are surveyed, where another pool is to be predicted.",
            rich_help_panel=_METHOD,
        ),
    ] = None,
    experts: Annotated[
        str | None,
        typer.Option(
            help="Pool of the raters to be predicted (with --amateurs).", rich_help_panel=_METHOD
        ),
    ] = None,
    calibrate: Annotated[
        bool,
        typer.Option(
            "--calibrate",
            help="Add each classifier calibrated to the raters (isotonic, cross-fitted).",
            rich_help_panel=_METHOD,
        ),
    ] = False,
    refit: Annotated[
        bool,
        typer.Option(
            help="Let a combiner learn anew in each bootstrap sample, or hold it fixed.",
            rich_help_panel=_METHOD,
        ),
    ] = True,
    engine: Annotated[
        Engine,
        typer.Option(
            help="exact: all surveys of each item; literal: subsets of named raters by column.",
            rich_help_panel=_METHOD,
        ),
    ] = Engine.EXACT,
    max_surveys: Annotated[
        int,
        typer.Option(
            help="Surveys enumerated at most; past that they are drawn.", rich_help_panel=_METHOD
        ),
    ] = 40_000_000,
    require: Annotated[
        list[str] | None,
        typer.Option(
            help="Exit with 3 unless met: '>=3' for every classifier, 'gpt:>=3' for one. Tests "
            "the estimate; 'gpt:low>=3' tests the low end of the interval. May be repeated.",
        ),
    ] = None,
    positive: options.Positive = None,
    unknown: options.Unknown = "error",
    bootstrap: options.Bootstrap = 500,
    confidence: options.Confidence = 0.95,
    seed: options.Seed = 0,
    output: options.OutputFormat = options.Format.TABLE,
    chart: options.ChartPath = None,
    gain: Annotated[
        bool, typer.Option(help="Draw the chart as gain over no answers at all (c_k − c₀).")
    ] = False,
) -> None:
    """How many raters is each classifier worth? The rater power curve and where they meet it.

    Without PREDICTIONS: the curve alone, or with two pools what amateurs are worth in experts.
    """
    from headcount.cli.progress import bar
    from headcount.equivalence import Requirement, expert_equivalence, power_curve
    from headcount.equivalence import survey_equivalence as measure

    requirements = [Requirement.parse(text) for text in require or ()]
    _check(predictions, amateurs, experts, calibrate=calibrate, gated=bool(requirements))
    for each in requirements:
        each.check_name(predictions.names if predictions else (), calibrate=calibrate)
    shared: dict[str, Any] = {
        "combiner": combiner,
        "scorer": scorer,
        "max_raters": max_raters,
        "reference_raters": reference_raters,
        "positive": positive,
        "clip": clip,
        "n_bootstrap": bootstrap,
        "confidence": confidence,
        "seed": seed,
        "refit": refit,
        "max_surveys": max_surveys,
        "progress": bar,
    }
    surveyed = ratings if amateurs is None else ratings.pool(amateurs)
    predicted = None if experts is None else ratings.pool(experts)
    if predictions is None and predicted is not None:
        emit(expert_equivalence(surveyed, predicted, **shared), output, chart, gain=gain)
        return
    shared |= {"engine": engine.value, "experts": predicted}
    if predictions is None:
        emit(power_curve(surveyed, **shared), output, chart, gain=gain)
        return
    result = measure(surveyed, predictions, unknown=unknown, calibrate=calibrate, **shared)
    emit(result, output, chart, gain=gain)
    unmet = [sentence for each in requirements for sentence in each.unmet(result)]
    for sentence in unmet:
        print(f"headcount: requirement not met: {sentence}", file=sys.stderr)
    if unmet:
        raise typer.Exit(3)


def _check(
    predictions: "Predictions | None",
    amateurs: str | None,
    experts: str | None,
    *,
    calibrate: bool,
    gated: bool,
) -> None:
    from headcount.errors import OptionError

    if (amateurs is None) != (experts is None):
        raise OptionError("--amateurs and --experts name two pools: give both or neither.")
    if predictions is None and (calibrate or gated):
        option = "--calibrate" if calibrate else "--require"
        raise OptionError(f"{option} is about classifiers: name a file of PREDICTIONS too.")
