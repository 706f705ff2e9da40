"""Exports of annotation and evaluation tools, each recognised by its structure.

To add a tool, copy the shortest neighbour (`braintrust.py`): a module with its NAME, `recognises`
and `read`; then name it in `TOOLS`, stricter structures before looser ones.
"""

from types import ModuleType

from headcount.door.tools import (
    alpaca_eval,
    argilla,
    braintrust,
    deepeval,
    doccano,
    ground_truth,
    hugging_face,
    inspect_logs,
    label_studio,
    langfuse,
    langsmith,
    lewidi,
    mlflow,
    mt_bench,
    mturk,
    pandalm,
    potato,
    prodigy,
    promptfoo,
    toloka,
)
from headcount.door.tools.found import Export, Found, Rating

TOOLS: tuple[ModuleType, ...] = (
    label_studio,
    prodigy,
    potato,
    inspect_logs,
    promptfoo,
    deepeval,
    mlflow,
    lewidi,
    ground_truth,
    argilla,
    mt_bench,
    alpaca_eval,
    pandalm,
    mturk,
    toloka,
    langsmith,
    langfuse,
    braintrust,
    hugging_face,
    doccano,
)

__all__ = ["TOOLS", "Export", "Found", "Rating", "recognise"]


def recognise(export: Export) -> ModuleType | None:
    """The reader of the tool that a file comes from, or None."""
    return next((tool for tool in TOOLS if tool.recognises(export)), None)
