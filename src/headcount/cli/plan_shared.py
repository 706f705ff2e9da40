"""What the commands of `headcount plan` have in common."""

from typing import Annotated, Any

import typer

from headcount.cli.choices import shown
from headcount.options import ComparisonPlanOptions
from headcount.options.pilot import AIM as AIM
from headcount.options.pilot import LABELS as LABELS


def under(panel: str, text: str) -> Any:
    """An option in a panel of the help."""
    return typer.Option(help=text, rich_help_panel=panel)


ItemCost = Annotated[float, shown(ComparisonPlanOptions, "item_cost")]
LabelCost = Annotated[float, shown(ComparisonPlanOptions, "label_cost")]
