"""Scores on a scale: strict and lenient raters, an ordinal task."""

from dataclasses import field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.simulate import classifiers
from headcount.simulate.crowd import assign
from headcount.simulate.recipe import (
    Columns,
    Recipe,
    Simulated,
    numbered,
    soft_columns,
    spread,
    whole,
)

Floats = NDArray[np.float64]


@frozen(kw_only=True)
class Scores(Recipe):
    """Answers on a scale from 1 to `levels`, such as essay marks.

    An item has a worth drawn from a standard normal; a rater adds a severity of their own
    and a fresh error each time, and gives the level whose equal-chance band this falls in.
    `judge` is a hard classifier that errs as much as a rater; `model` gives a distribution.

    Examples
    --------
    >>> sorted(set(Scores(items=100, levels=3).make(seed=0).rating_columns["label"].tolist()))
    ['1', '2', '3']
    """

    name: ClassVar[str] = "scores"
    about: ClassVar[str] = "marks on a scale: strict and lenient raters, ordinal labels"

    items: int = field(default=400, metadata={"help": "how many items"})
    levels: int = field(default=5, metadata={"help": "how many levels the scale has"})
    raters: int = field(default=12, metadata={"help": "how many raters there are"})
    least: int = field(default=3, metadata={"help": "fewest ratings an item has"})
    most: int = field(default=5, metadata={"help": "most ratings an item has"})
    severity: float = field(default=0.4, metadata={"help": "how much raters differ in severity"})
    error: float = field(default=0.6, metadata={"help": "a rater's error from answer to answer"})

    def __post_init__(self) -> None:
        whole("items", self.items, least=1)
        whole("levels", self.levels, least=2)
        whole("raters", self.raters, least=1)
        whole("least", self.least, least=1, most=self.raters)
        whole("most", self.most, least=self.least, most=self.raters)
        spread("severity", self.severity)
        spread("error", self.error)

    def _make(self, rng: np.random.Generator) -> Simulated:
        labels = tuple(str(level) for level in range(1, self.levels + 1))
        worth = rng.standard_normal(self.items)
        severity = self.severity * rng.standard_normal(self.raters)
        noise = float(np.hypot(self.severity, self.error))
        sizes = rng.integers(self.least, self.most + 1, size=self.items)
        item, rater = assign(rng, sizes, np.ones(self.raters))
        heard = worth[item] + severity[rater] + self.error * rng.standard_normal(len(item))
        cuts = self._cuts(noise)
        guess = worth + noise * rng.standard_normal(self.items)
        views = self._views(worth, cuts, noise)
        item_names = numbered("e", self.items)
        level_names = np.array(labels, dtype=object)
        rating_columns: Columns = {
            "item": item_names[item],
            "rater": numbered("r", self.raters)[rater],
            "label": level_names[np.searchsorted(cuts, heard)],
        }
        predictions: Columns = {
            "item": item_names,
            "judge": level_names[np.searchsorted(cuts, guess)],
            **soft_columns("model", labels, classifiers.rounded(self._from_guess(guess, noise))),
        }
        truth: Columns = {
            "item": item_names,
            "worth": np.round(worth, classifiers.DIGITS),
            **{f"share:{label}": views[:, j] for j, label in enumerate(labels)},
        }
        return Simulated(labels, rating_columns, predictions, truth, ordered=True)

    def _cuts(self, noise: float) -> Floats:
        """The edges of the levels: each level is used equally often over all answers."""
        from scipy.special import ndtri

        inner = ndtri(np.arange(1, self.levels) / self.levels)
        return np.asarray(inner * np.hypot(1.0, noise))

    def _views(self, worth: Floats, cuts: Floats, noise: float) -> Floats:
        """For each item, the chance that a random rater gives each level."""
        from scipy.special import ndtr

        gap = cuts[None, :] - worth[:, None]
        below = ndtr(gap / noise) if noise > 0 else (gap >= 0).astype(float)
        edged = np.column_stack([np.zeros(len(worth)), below, np.ones(len(worth))])
        return np.diff(edged, axis=1)

    def _from_guess(self, guess: Floats, noise: float) -> Floats:
        """What to believe about a rater's answer after one look of a rater's quality.

        Given the guess g the worth is normal with mean g/(1 + v) and variance v/(1 + v),
        where v is the variance of the noise; a rater adds noise of their own to it.
        """
        variance = noise**2
        mean, left = guess / (1 + variance), variance / (1 + variance)
        return self._views(mean, self._cuts(noise), float(np.sqrt(left + variance)))
