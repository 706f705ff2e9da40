"""What the commands of `headcount plan` have in common."""

from typing import Annotated, Any

import typer

from headcount.options.pilot import AIM as AIM
from headcount.options.pilot import LABELS as LABELS

TASK = "The two classifiers"
MONEY = "What it costs"


def under(panel: str, text: str) -> Any:
    """An option in a panel of the help."""
    return typer.Option(help=text, rich_help_panel=panel)


ItemCost = Annotated[float, under(MONEY, "What an item costs before any label.")]
LabelCost = Annotated[float, under(MONEY, "What a label costs.")]


def listed(text: str) -> list[str]:
    """What stands between commas."""
    return [part.strip() for part in text.split(",") if part.strip()]
