"""`headcount plan gold`: how many items need a true answer."""

from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.output import emit
from headcount.options.plans import GoldPlanOptions


@chooses(GoldPlanOptions)
def gold(
    options: GoldPlanOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Know an accuracy from true answers: how many items need one?"""
    from headcount.plan import plan_gold

    emit(plan_gold(**options.as_given()), output, chart)
