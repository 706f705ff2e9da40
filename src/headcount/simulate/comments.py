"""A realistic task: is this comment toxic? Ragged crowds, retests, three classifiers."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from headcount.simulate import classifiers
from headcount.simulate.crowd import assign
from headcount.simulate.mixture import make_crowd, truth_columns
from headcount.simulate.recipe import Recipe, share, whole
from headcount.simulate.simulated import Simulated, numbered, rating_columns, soft_columns

LABELS = ("fine", "toxic")
KINDS = np.array([0.60, 0.22, 0.18])
SHAPES = np.array([[0.8, 10.0], [3.0, 3.0], [9.0, 1.5]])


@dataclass(frozen=True, kw_only=True)
class Comments(Recipe):
    """Comments, most of them clearly fine, some contested, some clearly toxic.

    Raters come and go: a few do most of the work, every comment has its own few of them,
    some are careless, and some answers were asked twice. `word_list` is a weak model,
    `fine_tuned` a good but overconfident one, `llm_judge` answers with a label only.

    >>> data = Comments(items=200).make(seed=0)
    >>> list(data.prediction_columns)
    ['item', 'word_list:toxic', 'fine_tuned:toxic', 'llm_judge']
    """

    name: ClassVar[str] = "comments"
    about: ClassVar[str] = "toxic comments: ragged crowd, retests, weak and good model, LLM judge"

    items: int = field(default=600, metadata={"help": "how many comments"})
    raters: int = field(default=60, metadata={"help": "how many raters there are"})
    least: int = field(default=5, metadata={"help": "fewest ratings a comment has"})
    most: int = field(default=12, metadata={"help": "most ratings a comment has"})
    careless: float = field(
        default=0.06, metadata={"help": "mean share of answers given without looking"}
    )
    slip: float = field(default=0.04, metadata={"help": "chance that an answer is a slip"})
    retests: float = field(default=0.08, metadata={"help": "share of answers asked again"})
    weak: float = field(default=0.35, metadata={"help": "quality of the weak model, 0 to 1"})
    good: float = field(default=0.85, metadata={"help": "quality of the good model, 0 to 1"})
    judge: float = field(default=0.75, metadata={"help": "quality of the LLM judge, 0 to 1"})

    def __post_init__(self) -> None:
        whole("items", self.items, least=1)
        whole("raters", self.raters, least=1)
        whole("least", self.least, least=1, most=self.raters)
        whole("most", self.most, least=self.least, most=self.raters)
        for option in ("careless", "slip", "retests", "weak", "good", "judge"):
            share(option, getattr(self, option))

    def _make(self, rng: np.random.Generator) -> Simulated:
        kind = rng.choice(len(KINDS), size=self.items, p=KINDS)
        toxic = np.round(rng.beta(*SHAPES[kind].T), classifiers.DIGITS)
        views = np.column_stack([1 - toxic, toxic])
        crowd = make_crowd(rng, self.raters, 2, self.careless, 0.8, self.retests, self.slip)
        sizes = self.least + rng.binomial(self.most - self.least, 0.4, size=self.items)
        item, rater = assign(rng, sizes, crowd.participation)
        replies = crowd.ask(rng, item, rater, views[item])
        item_names = numbered("c", self.items)
        toxic_share = float(KINDS @ (SHAPES[:, 0] / SHAPES.sum(axis=1)))
        typical = np.array([1 - toxic_share, toxic_share])

        def model(quality: float, sharpness: float) -> np.ndarray:
            seen = classifiers.glimpse(rng, views, quality)
            return classifiers.soft(seen, typical, quality, sharpness=sharpness)[:, 1:]

        seen_by_judge = classifiers.glimpse(rng, views, self.judge)
        predictions = {
            "item": item_names,
            **soft_columns("word_list", LABELS[1:], model(self.weak, 1.0)),
            **soft_columns("fine_tuned", LABELS[1:], model(self.good, 1.6)),
            "llm_judge": np.array(LABELS, dtype=object)[classifiers.hard(rng, seen_by_judge)],
        }
        return Simulated(
            LABELS,
            rating_columns(replies, item_names, numbered("r", self.raters), LABELS),
            predictions,
            {"item": item_names, **truth_columns(views, LABELS)},
            {"slip_rate": float(self.slip), "toxic_share": toxic_share},
        )
