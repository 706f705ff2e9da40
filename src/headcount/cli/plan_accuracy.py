"""`headcount plan accuracy`: how many items to rate."""

from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.output import emit
from headcount.options import AccuracyPlanOptions


@chooses(AccuracyPlanOptions)
def accuracy(
    options: AccuracyPlanOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Estimate a system's accuracy from raters who err: how many items to rate?"""
    from headcount.accuracy import plan_accuracy
    from headcount.cli.progress import bar

    emit(plan_accuracy(**options.as_given(), progress=bar), output, chart)
