"""A result becomes an Altair chart; Altair is loaded when something is drawn, not before.

Each chart file draws the results of one topic. To add a chart, write a function that takes a
result and keyword options and returns a chart of `grammar`, Altair's words without Altair, with no
colours or fonts of its own, and name it in `_DRAWN_BY`; the theme is put on here, once, for all.
"""

import importlib
from typing import TYPE_CHECKING, Any, Literal

from headcount.errors import OptionError

if TYPE_CHECKING:
    from pathlib import Path

    from headcount.results import Result

_DRAWN_BY: dict[str, str] = {
    "AccuracyPlan": "accuracy:accuracy_plan",
    "Agreement": "agreement:agreement",
    "ComparisonPlan": "plan:comparison_plan",
    "Drift": "drift:drift",
    "Evaluation": "evaluation:evaluation",
    "ExpertEquivalence": "equivalence:expert_equivalence",
    "GoldPlan": "plan:gold_plan",
    "Panel": "together:panel",
    "History": "history:history",
    "PilotPlan": "plan:pilot_plan",
    "Policy": "together:policy",
    "PopulationOfItems": "population:population",
    "PowerCurve": "equivalence:power_curve",
    "PrimaryLabels": "deconvolution:primary_labels",
    "Ranking": "rank:ranking",
    "RatingsPlan": "plan:ratings_plan",
    "ScoreAgreement": "scores:score_agreement",
    "Scores": "deconvolution:scores",
    "SplitScores": "deconvolution:split_scores",
    "SurveyEquivalence": "equivalence:survey_equivalence",
    "SystemAccuracy": "accuracy:system_accuracy",
    "Together": "together:together",
    "TrueRate": "rate:true_rate",
    "Validation": "deconvolution:validation",
    "Watch": "plan:watch",
}
"""The type of a result → "file:function" in this room, kept in alphabetical order."""


def draw(
    result: "Result", *, theme: Literal["light", "dark"] | None = "light", **options: Any
) -> Any:
    """The result as an Altair chart.

    `theme` is "light", "dark", or None for a chart without any configuration, which Altair
    lets you put beside or on top of others. Other options belong to the chart of that type.
    """
    from headcount.charts.theme import themed

    chart = _unchecked(recipe(result, **options))
    return chart if theme is None else themed(chart, theme)


def recipe(result: "Result", **options: Any) -> Any:
    """The result as a chart in words, of which a page needs no more than the specification."""
    for kind in type(result).__mro__:
        if kind.__name__ in _DRAWN_BY:
            file, function = _DRAWN_BY[kind.__name__].split(":")
            return getattr(importlib.import_module(f"{__name__}.{file}"), function)(
                result, **options
            )
    raise OptionError(
        f"There is no chart for {type(result).__name__}; "
        f"these have one: {', '.join(sorted(_DRAWN_BY)) or 'none yet'}."
    )


def can_draw(result: "Result") -> bool:
    """Whether there is a chart for results of this type."""
    return any(kind.__name__ in _DRAWN_BY for kind in type(result).__mro__)


def as_svg(result: "Result") -> str:
    """The result as a drawing: for notebooks, where no script may run and nothing be fetched."""
    from headcount.charts.saving import svg

    return svg(draw(result))


def save(chart: Any, path: "str | Path") -> "Path":
    """Write a chart as .html (self-contained), .png, .svg or .pdf."""
    from headcount.charts.saving import save as write

    return write(chart, path)


def _unchecked(chart: Any) -> Any:
    """Altair's chart, made without checking each part: ours are checked by the tests."""
    from altair.utils import schemapi

    from headcount.charts.grammar import as_altair

    with schemapi.debug_mode(False):
        return as_altair(chart)


__all__ = ["as_svg", "can_draw", "draw", "recipe", "save"]
