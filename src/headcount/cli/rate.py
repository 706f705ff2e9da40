"""`headcount rate`: what share of items people would call X."""

from typing import TYPE_CHECKING, Annotated

import typer

from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.output import emit
from headcount.cli.reading import reads
from headcount.options import RateOptions

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings


@reads(predictions="required")
@chooses(RateOptions)
def rate(
    ratings: "Ratings",
    predictions: "Predictions",
    options: RateOptions,
    by: Annotated[
        str | None,
        typer.Option(help="A file with item and slice, for rates by slice (or use --slice)."),
    ] = None,
    strata: Annotated[
        str | None,
        typer.Option(help="How rated items were drawn: a --slice, or a file with item and slice."),
    ] = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """What share of items would people call X, from a judge on all and people on some?"""
    from headcount.rate import true_rate

    result = true_rate(ratings, predictions, slices=by, strata=strata, **options.as_given())
    emit(result, output, chart)
