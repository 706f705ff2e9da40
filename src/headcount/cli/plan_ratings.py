"""`headcount plan ratings`: what k ratings an item can tell."""

from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.output import emit
from headcount.options.plans import RatingsPlanOptions


@chooses(RatingsPlanOptions)
def ratings(
    options: RatingsPlanOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Know the best that any classifier could do: what can k ratings an item tell?"""
    from headcount.population import plan_ratings

    emit(plan_ratings(**options.as_given()), output, chart)
