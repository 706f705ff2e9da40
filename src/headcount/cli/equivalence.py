"""`headcount equivalence`: how many raters each classifier is worth."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from headcount.cli import gate
from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.output import emit
from headcount.cli.reading import reads
from headcount.options import EquivalenceOptions
from headcount.options.declared import METHOD

if TYPE_CHECKING:
    from collections.abc import Sequence

    from headcount.data import Predictions, Ratings
    from headcount.results import Requirement


@reads(predictions="optional")
@chooses(EquivalenceOptions)
def equivalence(
    ratings: "Ratings",
    predictions: "Predictions | None",
    options: EquivalenceOptions,
    amateurs: Annotated[
        str | None,
        typer.Option(
            help="Pool of the raters who are surveyed, where another pool is to be predicted.",
            rich_help_panel=METHOD,
        ),
    ] = None,
    experts: Annotated[
        str | None,
        typer.Option(
            help="Pool of the raters to be predicted (with --amateurs).", rich_help_panel=METHOD
        ),
    ] = None,
    require: Annotated[
        list[Any] | None,
        gate.require(
            "Exit with 3 unless met: 'low>=3' for every classifier, 'gpt:low>=3' for one, at the "
            "low end of the interval; '>=3' tests the value, which luck may meet. May be repeated.",
            "worth",
        ),
    ] = None,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
    gain: Annotated[bool, typer.Option(help="Draw the chart as gain over asking nobody.")] = False,
) -> None:
    """How many raters is each classifier worth? The rater power curve and where they meet it.

    Without PREDICTIONS: the curve alone, or with two pools what amateurs are worth in experts.
    """
    from headcount.cli.progress import bar
    from headcount.equivalence import expert_equivalence, power_curve, survey_equivalence

    _check(predictions, amateurs, experts, require or (), options)
    surveyed = ratings if amateurs is None else ratings.pool(amateurs)
    predicted = None if experts is None else ratings.pool(experts)
    given: dict[str, Any] = {**options.as_given(), "progress": bar}
    if predictions is not None:
        result = survey_equivalence(surveyed, predictions, experts=predicted, **given)
        emit(result, output, chart, gain=gain)
        gate.hold(require, result.estimates())
        return
    for about_classifiers in ("unknown", "calibrate"):
        given.pop(about_classifiers)
    if predicted is None:
        emit(power_curve(surveyed, **given), output, chart, gain=gain)
        return
    for about_one_pool in ("engine", "two_way"):
        given.pop(about_one_pool)
    emit(expert_equivalence(surveyed, predicted, **given), output, chart, gain=gain)


def _check(
    predictions: "Predictions | None",
    amateurs: str | None,
    experts: str | None,
    requirements: "Sequence[Requirement]",
    options: EquivalenceOptions,
) -> None:
    """Refuse what cannot be, before anything slow is done."""
    from headcount.errors import OptionError

    if (amateurs is None) != (experts is None):
        raise OptionError("--amateurs and --experts name two pools: give both or neither.")
    if predictions is None and (requirements or options.calibrate):
        option = "--require" if requirements else "--calibrate"
        raise OptionError(f"{option} is about classifiers: name a file of PREDICTIONS too.")
    for each in requirements:
        each.check_name(predictions.names if predictions else ())
