"""The scorers by name, and the facts that they state about themselves as a table."""

import difflib
from collections.abc import Callable
from typing import Any

from headcount.data import Kind
from headcount.errors import OptionError
from headcount.metrics.callable_scorer import custom_scorer
from headcount.metrics.pooled_scorers import (
    AUC,
    CORRELATION,
    DMI,
    F1,
    PRECISION,
    QUADRATIC_KAPPA,
    RECALL,
    SPEARMAN,
)
from headcount.metrics.row_scorers import (
    ABSOLUTE_ERROR,
    AGREEMENT,
    BRIER,
    CROSS_ENTROPY,
    CRPS,
    RPS,
    SQUARED_ERROR,
    WITHIN_ONE,
)
from headcount.metrics.scorer import Scorer, Takes
from headcount.results import Table

SCORERS: dict[str, Scorer] = {
    scorer.name: scorer
    for scorer in (
        AGREEMENT,
        CROSS_ENTROPY,
        BRIER,
        F1,
        PRECISION,
        RECALL,
        AUC,
        CORRELATION,
        DMI,
        RPS,
        CRPS,
        ABSOLUTE_ERROR,
        SQUARED_ERROR,
        WITHIN_ONE,
        QUADRATIC_KAPPA,
        SPEARMAN,
    )
}
ALIASES = {"accuracy": "agreement", "pearson": "correlation"}

_USUAL = {"nominal": "cross_entropy", "ordered": "rps", "numeric": "squared_error"}


def usual_scorer(kind: Kind) -> Scorer:
    """What predictions of labels of this kind are scored by where nobody chooses.

    >>> usual_scorer("ordered").name
    'rps'
    """
    return SCORERS[_USUAL[kind]]


def resolve_scorer(
    scorer: str | Scorer | Callable[..., Any],
    *,
    takes: Takes | None = None,
    higher_is_better: bool | None = None,
) -> Scorer:
    """A scorer from its name, from itself, or from any callable with `sample_weight`.

    `takes` and `higher_is_better` are for callables; see `custom_scorer`.

    >>> resolve_scorer("accuracy").name
    'agreement'
    """
    if isinstance(scorer, str):
        _only_for_callables(scorer, takes, higher_is_better)
        return _named(scorer)
    if isinstance(scorer, Scorer):
        _only_for_callables(scorer.name, takes, higher_is_better)
        return scorer
    if callable(scorer):
        return custom_scorer(scorer, takes=takes, higher_is_better=higher_is_better)
    raise OptionError(
        f"scorer is a name ({', '.join(SCORERS)}) or a callable metric(y_true, y_pred, "
        f"sample_weight=…); it was {scorer!r}."
    )


def _named(name: str) -> Scorer:
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    plain = ALIASES.get(plain, plain)
    if plain in SCORERS:
        return SCORERS[plain]
    near = difflib.get_close_matches(plain, [*SCORERS, *ALIASES], n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise OptionError(
        f"There is no scorer {name!r}: {hint}The scorers are {', '.join(SCORERS)}; any callable "
        "with sample_weight is one too."
    )


def _only_for_callables(name: str, takes: Takes | None, higher_is_better: bool | None) -> None:
    if takes is not None or higher_is_better is not None:
        raise OptionError(
            f"takes and higher_is_better describe a callable; the scorer {name!r} knows its own: "
            "leave them out."
        )


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
