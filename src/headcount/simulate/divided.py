"""Two groups of raters who see some of the items differently."""

from dataclasses import field
from typing import ClassVar

import numpy as np

from headcount.frozen import frozen
from headcount.simulate import classifiers
from headcount.simulate.crowd import Crowd, assign
from headcount.simulate.recipe import (
    Recipe,
    Simulated,
    numbered,
    rating_columns,
    share,
    soft_columns,
    whole,
)

LABELS = ("acceptable", "offensive")


@frozen(kw_only=True)
class Divided(Recipe):
    """A majority and a minority of raters; on a share of the items they see it differently.

    Ratings carry a column `group`. `majority_model` has learned how the larger group sees
    the items, `everyone_model` how all raters together do.

    Examples
    --------
    >>> data = Divided(items=5).make(seed=0)
    >>> sorted(set(data.rating_columns["group"].tolist()))
    ['majority', 'minority']
    """

    name: ClassVar[str] = "divided"
    about: ClassVar[str] = "two groups of raters who see some items differently; a group column"

    items: int = field(default=400, metadata={"help": "how many items"})
    raters: int = field(default=40, metadata={"help": "how many raters there are"})
    ratings: int = field(default=10, metadata={"help": "ratings an item has"})
    minority: float = field(default=0.3, metadata={"help": "the minority's share of the raters"})
    divide: float = field(default=0.4, metadata={"help": "share of items seen differently"})
    slip: float = field(default=0.03, metadata={"help": "chance that an answer is a slip"})

    def __post_init__(self) -> None:
        whole("items", self.items, least=1)
        whole("raters", self.raters, least=2)
        whole("ratings", self.ratings, least=1, most=self.raters)
        for option in ("minority", "divide", "slip"):
            share(option, getattr(self, option))

    def _make(self, rng: np.random.Generator) -> Simulated:
        first = np.round(rng.beta(0.7, 1.3, size=self.items), classifiers.DIGITS)
        apart = rng.random(self.items) < self.divide
        second = np.where(apart, rng.permutation(first), first)
        offensive = np.column_stack([first, second])
        in_minority = np.arange(self.raters) >= round(self.raters * (1 - self.minority))
        group = in_minority.astype(np.int64)
        plain = Crowd.plain(self.raters, 2)
        crowd = Crowd(plain.participation, plain.carelessness, plain.habit, slip=self.slip)
        sizes = np.full(self.items, self.ratings)
        item, rater = assign(rng, sizes, crowd.participation)
        seen = offensive[item, group[rater]]
        replies = crowd.ask(rng, item, rater, np.column_stack([1 - seen, seen]))
        item_names = numbered("d", self.items)
        group_names = np.array(["majority", "minority"], dtype=object)[group]
        everyone = offensive @ np.array([1 - in_minority.mean(), in_minority.mean()])

        def model(shares: np.ndarray) -> np.ndarray:
            views = np.column_stack([1 - shares, shares])
            return classifiers.soft(views, views.mean(axis=0), 0.9)[:, 1:]

        columns = rating_columns(replies, item_names, numbered("r", self.raters), LABELS)
        return Simulated(
            LABELS,
            {**columns, "group": group_names[replies.rater]},
            {
                "item": item_names,
                **soft_columns("majority_model", LABELS[1:], model(first)),
                **soft_columns("everyone_model", LABELS[1:], model(everyone)),
            },
            {
                "item": item_names,
                "seen_differently": apart.astype(np.int64),
                "offensive:majority": first,
                "offensive:minority": second,
            },
            {"slip_rate": float(self.slip), "minority_share": float(in_minority.mean())},
        )
