"""The running example of the survey-equivalence paper: three kinds of items, two labels."""

from dataclasses import field
from typing import ClassVar

import numpy as np

from headcount.frozen import frozen
from headcount.simulate import classifiers
from headcount.simulate.crowd import Crowd
from headcount.simulate.mixture import facts, truth_columns
from headcount.simulate.recipe import (
    Recipe,
    Simulated,
    numbered,
    rating_columns,
    soft_columns,
    whole,
)

LABELS = ("neg", "pos")
# The paper's three kinds of items: their shares, how many people call them positive, and how often
# the hard classifier does.
WEIGHTS = np.array([0.7, 0.1, 0.2])
POSITIVE = np.array([0.8, 0.5, 0.1])
SAYS_POSITIVE = np.array([0.9, 0.5, 0.05])


@frozen(kw_only=True)
class RunningExample(Recipe):
    """Items that 80 %, 50 % or 10 % of people call positive, and three classifiers.

    `hard` says positive on the three kinds with chance 0.9, 0.5 and 0.05; `calibrated` says
    for each answer of `hard` how many people would agree; `ideal` knows each item's share.

    Examples
    --------
    >>> RunningExample(items=2, raters=3).make(seed=0).rating_columns["label"].tolist()
    ['pos', 'pos', 'pos', 'neg', 'pos', 'neg']
    """

    name: ClassVar[str] = "running-example"
    about: ClassVar[str] = "the survey-equivalence paper's example: full matrix, three classifiers"

    items: int = field(default=1000, metadata={"help": "how many items"})
    raters: int = field(default=10, metadata={"help": "how many raters; everyone rates all items"})

    def __post_init__(self) -> None:
        whole("items", self.items, least=1)
        whole("raters", self.raters, least=1)

    def _make(self, rng: np.random.Generator) -> Simulated:
        by_kind = np.column_stack([1 - POSITIVE, POSITIVE])
        says = np.column_stack([1 - SAYS_POSITIVE, SAYS_POSITIVE])
        state = rng.choice(3, size=self.items, p=WEIGHTS)
        item = np.repeat(np.arange(self.items), self.raters)
        rater = np.tile(np.arange(self.raters), self.items)
        replies = Crowd.plain(self.raters, 2).ask(rng, item, rater, by_kind[state][item])
        codes = classifiers.by_state(rng, state, says)
        calibrated = (says.T * WEIGHTS) @ by_kind / (says.T @ WEIGHTS)[:, None]
        item_names = numbered("i", self.items)
        predictions = {
            "item": item_names,
            "hard": np.array(LABELS, dtype=object)[codes],
            **soft_columns("calibrated", LABELS, classifiers.rounded(calibrated)[codes]),
            **soft_columns("ideal", LABELS, by_kind[state]),
        }
        return Simulated(
            LABELS,
            rating_columns(replies, item_names, numbered("r", self.raters), LABELS),
            predictions,
            {"item": item_names, "kind": state + 1, **truth_columns(by_kind[state], LABELS)},
            facts(by_kind, WEIGHTS, slip=0.0, careless=0.0),
        )
