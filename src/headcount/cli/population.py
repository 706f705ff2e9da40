"""`headcount population`: how much people differ, and the best any classifier could do."""

from typing import TYPE_CHECKING

from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.output import emit
from headcount.cli.reading import reads
from headcount.options import PopulationOptions

if TYPE_CHECKING:
    from headcount.data import Ratings


@reads()
@chooses(PopulationOptions)
def population(
    ratings: "Ratings",
    options: PopulationOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """How much do people differ, and how good could a classifier be?"""
    from headcount.population import population as fit

    emit(fit(ratings, **options.as_given()), output, chart)
