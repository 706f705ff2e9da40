"""A realistic task: is this comment toxic? Ragged crowds, retests, three classifiers."""

from dataclasses import field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.simulate import classifiers
from headcount.simulate.crowd import Crowd, assign
from headcount.simulate.mixture import make_crowd, truth_columns
from headcount.simulate.recipe import (
    Recipe,
    Simulated,
    numbered,
    rating_columns,
    share,
    soft_columns,
    whole,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LABELS = ("fine", "toxic")
# Shares of comments that are clearly fine, contested and clearly toxic.
KINDS = np.array([0.60, 0.22, 0.18])
SHAPES = np.array([[0.8, 10.0], [3.0, 3.0], [9.0, 1.5]])
"""Beta distributions of the share who see a comment as toxic: fine, contested, toxic ones."""

# Cells of the share who see a comment as toxic: finer ones change no probability's third digit.
_GRID = 500


@frozen(kw_only=True)
class Comments(Recipe):
    """Comments, most of them clearly fine, some contested, some clearly toxic.

    Raters come and go: a few do most of the work, every comment has its own few of them,
    some are careless, and some answers were asked twice. The classifiers are worth a set
    number of raters: each knows what that many further raters of the comment would say.
    `word_list` and `fine_tuned` then give the chance that the next rater says toxic (with a
    little noise, as models have); `llm_judge` gives the majority of its raters.

    Examples
    --------
    >>> data = Comments(items=200).make(seed=0)
    >>> list(data.prediction_columns)
    ['item', 'word_list:toxic', 'fine_tuned:toxic', 'llm_judge']
    >>> data.facts["fine_tuned_worth"]
    4.0
    """

    name: ClassVar[str] = "comments"
    about: ClassVar[str] = "toxic comments: ragged crowd, retests, weak and good model, LLM judge"

    items: int = field(default=2000, metadata={"help": "how many comments"})
    raters: int = field(default=60, metadata={"help": "how many raters there are"})
    least: int = field(default=7, metadata={"help": "fewest ratings a comment has"})
    most: int = field(default=14, metadata={"help": "most ratings a comment has"})
    careless: float = field(
        default=0.06, metadata={"help": "mean share of answers given without looking"}
    )
    slip: float = field(default=0.04, metadata={"help": "chance that an answer is a slip"})
    retests: float = field(default=0.2, metadata={"help": "share of answers asked again"})
    weak: int = field(default=1, metadata={"help": "how many raters word_list is worth"})
    good: int = field(default=4, metadata={"help": "how many raters fine_tuned is worth"})
    judge: int = field(default=3, metadata={"help": "how many raters llm_judge has asked"})

    def __post_init__(self) -> None:
        whole("items", self.items, least=1)
        whole("raters", self.raters, least=1)
        whole("least", self.least, least=1, most=self.raters)
        whole("most", self.most, least=self.least, most=self.raters)
        for option in ("careless", "slip", "retests"):
            share(option, getattr(self, option))
        for option in ("weak", "good", "judge"):
            whole(option, getattr(self, option), least=0)

    def _make(self, rng: np.random.Generator) -> Simulated:
        # A stream for each part: more retests, say, leave the comments and models as they are.
        rng, for_crowd, for_answers, for_weak, for_good, for_judge = rng.spawn(6)
        kind = rng.choice(len(KINDS), size=self.items, p=KINDS)
        toxic = np.round(rng.beta(*SHAPES[kind].T), classifiers.DIGITS)
        views = np.column_stack([1 - toxic, toxic])
        crowd = make_crowd(for_crowd, self.raters, 2, self.careless, 0.8, self.retests, self.slip)
        sizes = self.least + for_crowd.binomial(self.most - self.least, 0.4, size=self.items)
        item, rater = assign(for_crowd, sizes, crowd.participation)
        replies = crowd.ask(for_answers, item, rater, views[item])
        item_names = numbered("c", self.items)
        predictions = {
            "item": item_names,
            **soft_columns("word_list", LABELS[1:], self._model(for_weak, crowd, views, self.weak)),
            **soft_columns(
                "fine_tuned", LABELS[1:], self._model(for_good, crowd, views, self.good)
            ),
            "llm_judge": self._judge(for_judge, crowd, views),
        }
        return Simulated(
            LABELS,
            rating_columns(replies, item_names, numbered("r", self.raters), LABELS),
            predictions,
            {"item": item_names, **truth_columns(views, LABELS)},
            {
                "slip_rate": float(self.slip),
                "word_list_worth": float(self.weak),
                "fine_tuned_worth": float(self.good),
            },
        )

    def _model(self, rng: np.random.Generator, crowd: Crowd, views: Floats, k: int) -> Floats:
        """The chance that the next rater says toxic, knowing `k` further raters: (n, 1)."""
        belief = next_rater(_asked(rng, crowd, views, k), k, crowd)
        odds = np.log(belief / (1 - belief)) + 0.05 * rng.standard_normal(len(belief))
        return np.round(1 / (1 + np.exp(-odds)), classifiers.DIGITS)[:, None]

    def _judge(self, rng: np.random.Generator, crowd: Crowd, views: Floats) -> NDArray[np.object_]:
        """What most of the judge's raters say, a tie by a coin."""
        said = _asked(rng, crowd, views, self.judge)
        toxic = 2 * said + rng.integers(0, 2, size=len(said)) > self.judge
        return np.array(LABELS, dtype=object)[toxic.astype(np.int64)]


def next_rater(said: Ints, k: int, crowd: Crowd) -> Floats:
    """The chance that one more rater says toxic when `said` (n,) of `k` others did.

    By Bayes over the share who see a comment as toxic, with what carelessness and slips on
    average make of it: what anyone could know who has seen endless comments and `k` raters.
    """
    from scipy.special import betainc

    edges = np.linspace(0, 1, _GRID + 1)
    prior = sum(
        weight * np.diff(betainc(a, b, edges)) for weight, (a, b) in zip(KINDS, SHAPES, strict=True)
    )
    given = _given((edges[1:] + edges[:-1]) / 2, crowd)
    counts = np.arange(k + 1)[:, None]
    posterior = prior * given**counts * (1 - given) ** (k - counts)
    chance = posterior @ given / posterior.sum(axis=1)
    return np.asarray(chance[said])


def _given(toxic: Floats, crowd: Crowd) -> Floats:
    """The chance that a rater of the crowd says toxic about comments seen so by a share."""
    weight = crowd.participation / crowd.participation.sum()
    careless = float(weight @ crowd.carelessness)
    habit = float(weight @ (crowd.carelessness * crowd.habit[:, 1]))
    seen = (1 - careless) * toxic + habit
    return seen * (1 - crowd.slip) + (1 - seen) * crowd.slip


def _asked(rng: np.random.Generator, crowd: Crowd, views: Floats, k: int) -> Ints:
    """How many of `k` further raters of each comment say toxic."""
    weight = crowd.participation / crowd.participation.sum()
    item = np.repeat(np.arange(len(views)), k)
    rater = rng.choice(len(weight), size=len(item), p=weight)
    once = Crowd(crowd.participation, crowd.carelessness, crowd.habit, slip=crowd.slip)
    replies = once.ask(rng, item, rater, views[item])
    said: Ints = replies.label.reshape(len(views), k).sum(axis=1)
    return said
