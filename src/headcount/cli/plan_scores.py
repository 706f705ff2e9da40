"""`headcount plan scores`: which judge's scores to take, and what more ratings would save."""

from typing import TYPE_CHECKING, Annotated

import typer

from headcount.cli import options
from headcount.cli.output import emit
from headcount.cli.reading import reads

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings


@reads("required")
def scores(
    ratings: "Ratings",
    predictions: "Predictions",
    distance: Annotated[str, typer.Option(help="squared, or absolute.")] = "squared",
    target: Annotated[float, typer.Option(help="Chance that the chosen one is the best.")] = 0.95,
    matters: Annotated[float, typer.Option(help="A mean distance too small to matter.")] = 0.0,
    affordable: Annotated[int, typer.Option(help="The most ratings anyone would pay for.")] = (
        100_000
    ),
    raters: Annotated[str | None, typer.Option(help="Who rates next: new, same or fixed.")] = None,
    prior_sd: Annotated[
        float | None, typer.Option(help="How far apart two such judges usually are.")
    ] = None,
    unknown: Annotated[
        str, typer.Option(help="Predictions that are no numbers: error, or drop.")
    ] = "error",
    confidence: options.Confidence = 0.95,
    output: options.OutputFormat = options.Format.TABLE,
) -> None:
    """Choose a judge by its scores: what does that lose, and what would more ratings save?"""
    from headcount.plan import plan_scores

    result = plan_scores(
        ratings,
        predictions,
        distance=distance,
        target=target,
        matters=matters,
        affordable=affordable,
        raters=raters,
        prior_sd=prior_sd,
        unknown=unknown,
        confidence=confidence,
    )
    emit(result, output, None)
