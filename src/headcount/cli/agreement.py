"""`headcount agreement`: how much people agree."""

from typing import TYPE_CHECKING

from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.output import emit
from headcount.cli.reading import reads
from headcount.options import AgreementOptions

if TYPE_CHECKING:
    from headcount.data import Ratings


@reads()
@chooses(AgreementOptions)
def agreement(
    ratings: "Ratings",
    options: AgreementOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """How much do people agree? Coefficients with intervals, raters, contested items."""
    from headcount.agreement import agreement as measure
    from headcount.cli.progress import bar

    emit(measure(ratings, **options.as_given(), progress=bar), output, chart)
