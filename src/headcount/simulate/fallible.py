"""Experts who err, and a system that may err less: confusion matrices from four numbers.

IPC is the chance of a right answer, PDA what a case's difficulty adds to it or takes away,
AD how much more likely an error is than one a step further off, and PER the relative range
within which every error chance is drawn anew.
"""

from dataclasses import field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.simulate.crowd import Replies, draw_labels
from headcount.simulate.recipe import (
    Recipe,
    Simulated,
    numbered,
    rating_columns,
    share,
    simplex,
    spread,
    whole,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# A third of the cases is harder, a third as it is, a third easier.
DIFFICULTIES = np.array([-1.0, 0.0, 1.0])


@frozen(kw_only=True)
class Fallible(Recipe):
    """Cases with one true label each, rated by experts who err and answered by a system.

    Every case has a rating from every expert. `accuracy` lists the experts' chances of being
    right (one number is all of theirs). With the defaults raters are equal, errors even and
    cases equally hard: what the algebra of `hc.system_accuracy` assumes.

    Examples
    --------
    >>> data = Fallible(cases=100, accuracy=(0.5, 0.6, 0.7), difficulty=0.2).make(seed=1)
    >>> len(data.rating_columns["item"]), round(data.facts["system_accuracy"], 3)
    (300, 0.867)
    """

    name: ClassVar[str] = "fallible"
    about: ClassVar[str] = "experts who err against one truth, and a system that may err less"

    cases: int = field(default=500, metadata={"help": "how many cases"})
    labels: int = field(default=5, metadata={"help": "how many labels"})
    raters: int = field(default=3, metadata={"help": "how many experts rate every case"})
    accuracy: tuple[float, ...] = field(
        default=(0.6,), metadata={"help": "IPC: chance that an expert is right, one or one each"}
    )
    system: float = field(default=0.9, metadata={"help": "IPC of the system"})
    difficulty: float = field(
        default=0.0, metadata={"help": "PDA: added for easy thirds, taken off for hard ones"}
    )
    dispersion: float = field(
        default=1.0, metadata={"help": "AD: how much likelier an error is than one a step away"}
    )
    error_range: float = field(
        default=0.0, metadata={"help": "PER: relative range of each error chance, 0 to 1"}
    )
    base_rates: tuple[float, ...] = field(
        default=(), metadata={"help": "share of each label; drawn at random if not given"}
    )

    def __post_init__(self) -> None:
        whole("cases", self.cases, least=1)
        whole("labels", self.labels, least=2)
        whole("raters", self.raters, least=1)
        for value in (*self.accuracy, self.system):
            share("accuracy", value)
        if len(self.accuracy) not in (1, self.raters):
            raise OptionError(
                f"accuracy has one number, or one for each of the {self.raters} raters; "
                f"it has {len(self.accuracy)}."
            )
        share("difficulty", self.difficulty)
        share("error_range", self.error_range)
        if spread("dispersion", self.dispersion) == 0:
            raise OptionError("dispersion is a number above 0; 1 spreads errors evenly.")
        if self.base_rates and len(simplex("base_rates", self.base_rates)) != self.labels:
            raise OptionError(f"base_rates needs one share for each of the {self.labels} labels.")

    def _make(self, rng: np.random.Generator) -> Simulated:
        drawn = self.draw(rng)
        items, raters = numbered("case", self.cases), numbered("expert", self.raters)
        names = tuple(str(name) for name in letters(self.labels))
        said = np.array(names, dtype=object)
        replies = Replies(
            np.repeat(np.arange(self.cases), self.raters),
            np.tile(np.arange(self.raters), self.cases),
            drawn.ratings.ravel(),
            np.zeros(drawn.ratings.size, dtype=np.int64),
        )
        facts = {
            "system_accuracy": drawn.system_accuracy,
            "system_accuracy_in_sample": float((drawn.answers == drawn.truth).mean()),
            "rater_accuracy": drawn.rater_accuracy,
            "rater_accuracy_in_sample": float((drawn.ratings == drawn.truth[:, None]).mean()),
        }
        return Simulated(
            names,
            rating_columns(replies, items, raters, names),
            {"item": items, "system": said[drawn.answers]},
            {"item": items, "truth": said[drawn.truth], "difficulty": drawn.difficulty},
            facts,
        )

    def draw(self, rng: np.random.Generator) -> "Drawn":
        """The cases as arrays of codes.

        Parameters
        ----------
        rng : numpy.random.Generator
            Where chance comes from.

        Returns
        -------
        Drawn
            Truth, difficulty, ratings and answers as arrays, with the true accuracies.

        Examples
        --------
        >>> Fallible(cases=4).draw(np.random.default_rng(0)).ratings.shape
        (4, 3)
        """
        members = (*np.broadcast_to(np.array(self.accuracy), self.raters), self.system)
        base_rates = self._base_rates(rng)
        truth = rng.choice(self.labels, size=self.cases, p=base_rates)
        level = rng.integers(0, len(DIFFICULTIES), size=self.cases)
        added = DIFFICULTIES * self.difficulty
        right = np.clip(np.add.outer(np.array(members), added), 0.0, 1.0)
        answers = np.empty((self.cases, len(members)), dtype=np.int64)
        for member, chances in enumerate(right):
            matrices = self._matrices(rng, chances, base_rates)
            answers[:, member] = draw_labels(rng, matrices[level, truth])
        return Drawn(
            truth=truth,
            difficulty=added[level],
            ratings=answers[:, :-1],
            answers=answers[:, -1],
            rater_accuracy=float(right[:-1].mean()),
            system_accuracy=float(right[-1].mean()),
        )

    def _base_rates(self, rng: np.random.Generator) -> Floats:
        if self.base_rates:
            return simplex("base_rates", self.base_rates)
        drawn = rng.random(self.labels)
        rates: Floats = drawn / drawn.sum()
        return rates

    def _matrices(self, rng: np.random.Generator, chances: Floats, base_rates: Floats) -> Floats:
        """One member's confusion matrix at each difficulty, (3, L, L); one for all if equal."""
        drawn = {
            chance: confusion_matrix(
                rng,
                chance,
                base_rates=base_rates,
                dispersion=self.dispersion,
                error_range=self.error_range,
            )
            for chance in dict.fromkeys(chances.tolist())
        }
        return np.stack([drawn[chance] for chance in chances.tolist()])


@frozen
class Drawn:
    """Codes of n cases: `truth` (n,), `ratings` (n, raters), `answers` (n,) of the system,
    `difficulty` (n,) as added to every chance; and the accuracies on endless cases.
    """

    truth: Ints
    difficulty: Floats
    ratings: Ints
    answers: Ints
    rater_accuracy: float
    system_accuracy: float


def letters(n_labels: int) -> list[str]:
    """Label names: A, B, C … for a few, L001 … for many."""
    if n_labels <= 26:
        return [chr(ord("A") + code) for code in range(n_labels)]
    return [str(name) for name in numbered("L", n_labels)]


def error_weights(n_labels: int, dispersion: float) -> Floats:
    """How errors divide among the wrong labels, (L, L), rows summing to one, diagonal zero.

    A label M steps from the right one is `dispersion` times as likely as one M + 1 away.
    """
    steps = np.abs(np.subtract.outer(np.arange(n_labels), np.arange(n_labels)))
    weight = np.where(steps == 0, 0.0, float(dispersion) ** -(steps - 1.0))
    shares: Floats = weight / weight.sum(axis=1, keepdims=True)
    return shares


def confusion_matrix(
    rng: np.random.Generator,
    accuracy: float,
    *,
    base_rates: Floats,
    dispersion: float = 1.0,
    error_range: float = 0.0,
) -> Floats:
    """Chance of each answer (column) for each true label (row), right with `accuracy` overall.

    Each error chance is drawn anew within ± `error_range` of itself; then the weight of the
    right answers is set so that the accuracy over the base rates is again `accuracy`.
    """
    errors = error_weights(len(base_rates), dispersion)
    errors = errors * rng.uniform(1 - error_range, 1 + error_range, size=errors.shape)
    lost = (1 - accuracy) * errors.sum(axis=1)
    right = _right_weight(lost, accuracy, base_rates) if 0 < accuracy < 1 else accuracy
    matrix = (1 - accuracy) * errors + right * np.eye(len(base_rates))
    chances: Floats = matrix / matrix.sum(axis=1, keepdims=True)
    return chances


def _right_weight(lost: Floats, accuracy: float, base_rates: Floats) -> float:
    """The weight g of right answers with Σ π g / (g + lost) = accuracy: bisection on log g."""
    low, high = -60.0, 60.0
    for _ in range(80):
        middle = (low + high) / 2
        weight = np.exp(middle)
        if float((base_rates * weight / (weight + lost)).sum()) < accuracy:
            low = middle
        else:
            high = middle
    return float(np.exp((low + high) / 2))
