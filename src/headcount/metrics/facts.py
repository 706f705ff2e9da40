"""The facts that scorers state about themselves, as a table for people."""

from headcount.metrics.registry import SCORERS
from headcount.metrics.scorer import Scorer
from headcount.results import Table


def facts_table() -> Table:
    """One row a scorer: what it measures, takes, ranges over, and when it has no value.

    >>> facts_table().rows[0][0]
    'agreement'
    """
    return Table(
        "Scorers",
        ("scorer", "measures", "takes", "range", "mean of rows", "no value when"),
        tuple(_facts(scorer) for scorer in SCORERS.values()),
    )


def _facts(scorer: Scorer) -> tuple[str, ...]:
    low, high = (
        "…" if bound is None else f"{bound:g}".replace("-", "−") for bound in scorer.bounds
    )
    return (
        scorer.name,
        scorer.about,
        scorer.takes,
        f"{low} to {high}",
        "yes" if scorer.decomposable else "no",
        scorer.undefined,
    )
