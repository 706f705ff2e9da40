"""`headcount scores`: how judges' numbers compare with people's."""

from typing import TYPE_CHECKING

from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.output import emit
from headcount.cli.reading import reads
from headcount.options import ScoreOptions

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings


@reads(predictions="optional")
@chooses(ScoreOptions)
def scores(
    ratings: "Ratings",
    predictions: "Predictions | None",
    options: ScoreOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """How do scores compare with people's? Worth, bias, limits of agreement, reliability."""
    from headcount.scores import scores as measure

    emit(measure(ratings, predictions, **options.as_given()), output, chart)
