"""`headcount plan compare`: how many items and labels pick the better of two classifiers."""

from pathlib import Path
from typing import TYPE_CHECKING

from headcount.cli import options as shared
from headcount.cli.choices import chooses
from headcount.cli.output import emit
from headcount.options import ComparisonPlanOptions

if TYPE_CHECKING:
    from headcount.plan.from_numbers import SharesTable


@chooses(ComparisonPlanOptions)
def compare(
    options: ComparisonPlanOptions,
    output: shared.OutputFormat = shared.Format.TABLE,
    chart: shared.ChartPath = None,
) -> None:
    """Pick the better of two classifiers, from numbers: how many items, how many labels each?"""
    from headcount.plan.from_numbers import plan_from_numbers

    joint, confusion = _table(options.joint), _table(options.label_confusion)
    result = plan_from_numbers(options, joint=joint, label_confusion=confusion)
    emit(result, output, chart)


def _table(path: Path | None) -> "SharesTable | None":
    from headcount.errors import InputError
    from headcount.plan.from_numbers import SharesTable

    if path is None:
        return None
    try:
        return SharesTable(str(path), path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InputError(f"{path} is not a text file: save it as CSV UTF-8.") from error
