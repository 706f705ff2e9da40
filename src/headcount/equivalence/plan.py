"""What the user asked for, checked and resolved once."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from headcount.data import Block, Labels, full_block
from headcount.equivalence.combiners import COMBINERS, Combiner, resolve_combiner
from headcount.equivalence.exact import Budget
from headcount.equivalence.exact.held_out import n_possible_draws
from headcount.errors import OptionError, UnanswerableError
from headcount.results import Progress
from headcount.scorers import Scorer, check_combination, check_scorer, clip_for, resolve_scorer
from headcount.stats import Bootstrap

_MOST_REFERENCE_DRAWS = 200_000
"""Ways that r reference raters can fall on the labels, up to which they are enumerated."""


@dataclass(frozen=True)
class Plan:
    """Resolved options of `power_curve` and `survey_equivalence`."""

    labels: Labels
    combiner: Combiner
    scorer: Scorer
    positive: int | None
    clip: float | None
    max_raters: int | None
    reference_raters: int
    bootstrap: Bootstrap
    refit: bool
    engine: str
    budget: Budget
    progress: Progress

    @property
    def used_clip(self) -> float | None:
        """The clip as the result names it: None where the scorer takes no logarithm."""
        return clip_for(self.labels.n, self.clip) if self.scorer.name == "cross_entropy" else None

    def block(self, per_item: np.ndarray, sizes: np.ndarray) -> Block:
        """The items whose ratings reach far enough, by the K rule."""
        block = full_block(per_item, sizes, raters=self.max_raters)
        if block.raters <= self.reference_raters:
            raise UnanswerableError(
                f"{self.reference_raters} held-out raters and at least one to survey need items "
                f"with {self.reference_raters + 1} ratings; the curve would be built on "
                f"{block.raters}: lower reference_raters or raise max_raters."
            )
        self.check_items(block.items_used)
        return block

    def check_items(self, items: int) -> None:
        """Refuse data that leave a combiner nothing to learn from."""
        if self.combiner.learned and items < 2:
            raise UnanswerableError(
                f"{self.combiner.name} learns from the other items, and there is only one: use "
                "the combiner frequency or plurality, or lower max_raters to keep more items."
            )


def plan_for(
    labels: Labels,
    *,
    combiner: str | Combiner | Callable[..., Any],
    scorer: str | Scorer | Callable[..., Any],
    positive: str | None,
    clip: float | None,
    max_raters: int | None,
    reference_raters: int,
    bootstrap: Bootstrap,
    refit: bool,
    engine: str,
    max_surveys: int,
    progress: Progress,
) -> Plan:
    """Check the options against each other and the labels."""
    chosen = resolve_combiner(combiner, n_labels=labels.n)
    judge = resolve_scorer(scorer)
    chosen.check(labels)
    check_scorer(judge, labels)
    known = {name: each.produces for name, each in COMBINERS.items()}
    check_combination(chosen.name, chosen.produces, judge, known)
    if labels.n < 2:
        raise UnanswerableError(
            f"Every rating is {labels.names[0]!r}: with one label there is nothing to predict "
            "(name the others with order= if they exist)."
        )
    if engine not in ("exact", "literal"):
        raise OptionError(f'engine is "exact" or "literal", not {engine!r}.')
    _check_reference(reference_raters, labels.n)
    return Plan(
        labels=labels,
        combiner=chosen,
        scorer=judge,
        positive=None if positive is None else labels.positive(positive),
        clip=clip_for(labels.n, clip) if clip is not None else None,
        max_raters=max_raters,
        reference_raters=reference_raters,
        bootstrap=bootstrap,
        refit=refit,
        engine=engine,
        budget=Budget(max_surveys, seed=bootstrap.seed),
        progress=progress,
    )


def _check_reference(reference_raters: int, n_labels: int) -> None:
    if (
        isinstance(reference_raters, bool)
        or reference_raters != int(reference_raters)
        or reference_raters < 1
    ):
        raise OptionError(
            f"reference_raters is a whole number of at least 1; it was {reference_raters!r}."
        )
    if n_possible_draws(n_labels, reference_raters) > _MOST_REFERENCE_DRAWS:
        raise OptionError(
            f"reference_raters={reference_raters} with {n_labels} labels has more than "
            f"{_MOST_REFERENCE_DRAWS:,} possible pluralities to work out: choose fewer."
        )
