"""The general recipe: items come in kinds, each kind with its own distribution of labels."""

from dataclasses import field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.simulate import classifiers
from headcount.simulate.crowd import Crowd, assign
from headcount.simulate.recipe import (
    Columns,
    Recipe,
    Simulated,
    names,
    numbered,
    rating_columns,
    share,
    simplex,
    soft_columns,
    whole,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@frozen(kw_only=True)
class Mixture(Recipe):
    """Kinds of items with set label distributions, rated by a crowd of set care.

    Examples
    --------
    >>> data = Mixture(items=3, raters=2, least=2, most=2).make(seed=1)
    >>> data.rating_columns["rater"].tolist()
    ['r1', 'r2', 'r2', 'r1', 'r2', 'r1']
    """

    name: ClassVar[str] = "mixture"
    about: ClassVar[str] = "kinds of items, each with its own label distribution; all dials open"

    items: int = field(default=500, metadata={"help": "how many items"})
    raters: int = field(default=30, metadata={"help": "how many raters there are"})
    least: int = field(default=3, metadata={"help": "fewest ratings an item has"})
    most: int = field(default=10, metadata={"help": "most ratings an item has"})
    labels: tuple[str, ...] = field(default=("no", "yes"), metadata={"help": "the labels"})
    weights: tuple[float, ...] = field(
        default=(0.5, 0.2, 0.3), metadata={"help": "the share of items of each kind"}
    )
    distributions: tuple[tuple[float, ...], ...] = field(
        default=((0.9, 0.1), (0.5, 0.5), (0.15, 0.85)),
        metadata={"help": "for each kind, the chance of each label (0.9/0.1,0.5/0.5,…)"},
    )
    careless: float = field(
        default=0.0, metadata={"help": "mean share of answers given without looking"}
    )
    uneven: float = field(
        default=0.0, metadata={"help": "how unevenly the work is spread, 0 evenly, 1 very"}
    )
    retests: float = field(default=0.0, metadata={"help": "share of answers asked again"})
    slip: float = field(default=0.0, metadata={"help": "chance that an answer is a slip"})
    hard: tuple[float, ...] = field(
        default=(0.8,), metadata={"help": "the qualities of hard classifiers, 0 to 1"}
    )
    soft: tuple[float, ...] = field(
        default=(0.9, 0.4), metadata={"help": "the qualities of soft classifiers, 0 to 1"}
    )

    def __post_init__(self) -> None:
        whole("items", self.items, least=1)
        whole("raters", self.raters, least=1)
        whole("least", self.least, least=1, most=self.raters)
        whole("most", self.most, least=self.least, most=self.raters)
        names("labels", self.labels)
        simplex("weights", self.weights)
        if len(self.distributions) != len(self.weights):
            raise OptionError(
                f"distributions needs one for each of the {len(self.weights)} weights; "
                f"it has {len(self.distributions)}."
            )
        for distribution in self.distributions:
            if len(simplex("distributions", distribution)) != len(self.labels):
                raise OptionError(
                    f"Each of the distributions needs {len(self.labels)} probabilities, "
                    f"one a label; one was {distribution!r}."
                )
        for option in ("careless", "uneven", "retests", "slip"):
            share(option, getattr(self, option))
        for quality in (*self.hard, *self.soft):
            share("the quality of a classifier", quality)

    def _make(self, rng: np.random.Generator) -> Simulated:
        labels = tuple(str(label) for label in self.labels)
        by_kind = np.array([simplex("distributions", each) for each in self.distributions])
        weights = simplex("weights", self.weights)
        state = rng.choice(len(weights), size=self.items, p=weights)
        views = by_kind[state]
        crowd = make_crowd(
            rng, self.raters, len(labels), self.careless, self.uneven, self.retests, self.slip
        )
        sizes = rng.integers(self.least, self.most + 1, size=self.items)
        item, rater = assign(rng, sizes, crowd.participation)
        replies = crowd.ask(rng, item, rater, views[item])
        item_names = numbered("i", self.items)
        predictions: Columns = {"item": item_names} if self.hard or self.soft else {}
        for number, quality in enumerate(self.hard, start=1):
            codes = classifiers.hard(rng, classifiers.glimpse(rng, views, quality))
            predictions[f"hard_{number}"] = np.array(labels, dtype=object)[codes]
        for number, quality in enumerate(self.soft, start=1):
            seen = classifiers.glimpse(rng, views, quality)
            belief = classifiers.soft(seen, weights @ by_kind, quality)
            predictions |= soft_columns(f"soft_{number}", labels, belief)
        return Simulated(
            labels,
            rating_columns(replies, item_names, numbered("r", self.raters), labels),
            predictions,
            {"item": item_names, "kind": state + 1, **truth_columns(views, labels)},
            facts(by_kind, weights, self.slip, self.careless),
        )


def make_crowd(
    rng: np.random.Generator,
    n_raters: int,
    n_labels: int,
    careless: float,
    uneven: float,
    retests: float,
    slip: float,
) -> Crowd:
    """A crowd of mean carelessness `careless`, each rater with a habit of their own.

    `uneven` spreads the work log-normally; at 1 the busiest fifth does about three fifths.
    """
    carelessness = np.zeros(n_raters)
    if careless > 0:
        strength = 4.0
        carelessness = (
            rng.beta(strength * careless, strength * (1 - careless), size=n_raters)
            if careless < 1
            else np.ones(n_raters)
        )
    habit = rng.dirichlet(np.ones(n_labels), size=n_raters)
    participation = np.exp(1.1 * uneven * rng.standard_normal(n_raters))
    return Crowd(participation, carelessness, habit, slip=slip, retests=retests)


def truth_columns(views: Floats, labels: tuple[str, ...]) -> Columns:
    """The label most people would give, and the true share of people for each label."""
    return {
        "majority": np.array(labels, dtype=object)[views.argmax(axis=1)],
        **{f"share:{label}": views[:, j] for j, label in enumerate(labels)},
    }


def facts(by_kind: Floats, weights: Floats, slip: float, careless: float) -> dict[str, float]:
    """True single numbers: the slip rate, and in a careful crowd the agreement between raters.

    A view p is given as p(1 − s) + (1 − p)s/(L − 1) once slips are counted; two raters of
    an item agree with chance Σ of its squares, and by chance with that of the mean.
    """
    known = {"slip_rate": float(slip)}
    if careless == 0:
        n_labels = by_kind.shape[1]
        given = by_kind * (1 - slip) + (1 - by_kind) * slip / (n_labels - 1)
        agree = float(weights @ (given**2).sum(axis=1))
        chance = float(((weights @ given) ** 2).sum())
        known["percent_agreement"] = agree
        if chance < 1:
            known["krippendorff_alpha"] = (agree - chance) / (1 - chance)
    return known
