"""How often a label is right: the same for every item, a distribution over items, or by place."""

from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from headcount.arrays import Floats
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.declared import share_of_all
from headcount.plan.labelling import plurality_wins


@frozen
class LabelAccuracy:
    """The chance that a label is right, as a distribution over items.

    Either a few `values` with `weights` (one value: every item is equally hard), or a Beta
    distribution with parameters `beta`. Everything that a plan needs follows from
    `right_counts`: how many of m labels of one item are right. `same`, `of` and `spread` make one.

    Attributes
    ----------
    values, weights : tuple of float
        Accuracies, and the share of items that has each.
    beta : tuple of float or None
        The two parameters of a Beta distribution instead.

    Examples
    --------
    >>> LabelAccuracy.spread(0.8, 0.15).varies
    True
    """

    values: tuple[float, ...] = ()
    weights: tuple[float, ...] = ()
    beta: tuple[float, float] | None = None

    @classmethod
    def same(cls, value: float) -> "LabelAccuracy":
        """One accuracy for every item.

        Parameters
        ----------
        value : float
            The chance that a label is right.

        Returns
        -------
        LabelAccuracy

        Examples
        --------
        >>> LabelAccuracy.same(0.8).majority(3)
        0.896...
        """
        return cls((float(value),), (1.0,))

    @classmethod
    def of(cls, values: ArrayLike, weights: ArrayLike | None = None) -> "LabelAccuracy":
        """A discrete distribution: accuracies and how much of the items has each.

        Parameters
        ----------
        values : array_like
            Accuracies, from 0 to 1.
        weights : array_like, optional
            How much of the items has each; equal by default.

        Returns
        -------
        LabelAccuracy

        Examples
        --------
        >>> LabelAccuracy.of([0.6, 0.9], [1, 1]).mean
        0.75
        """
        points = np.atleast_1d(np.asarray(values, dtype=float)).ravel()
        shares = np.ones(len(points)) if weights is None else np.asarray(weights, dtype=float)
        if shares.shape != points.shape:
            raise OptionError(
                f"label accuracy has {len(points)} values and {shares.size} weights: "
                "give one weight for each value."
            )
        if not len(points) or not np.all((points >= 0) & (points <= 1)):
            raise OptionError("label accuracies are numbers from 0 to 1, at least one of them.")
        if not np.all(np.isfinite(shares) & (shares >= 0)) or shares.sum() <= 0:
            raise OptionError("weights of label accuracies are at least 0 and not all 0.")
        return cls(tuple(points.tolist()), tuple((shares / shares.sum()).tolist()))

    @classmethod
    def spread(cls, mean: float, sd: float) -> "LabelAccuracy":
        """A Beta distribution over items with this mean and standard deviation.

        Parameters
        ----------
        mean, sd : float
            Of the accuracies over items; `sd` is below √(mean (1 − mean)).

        Returns
        -------
        LabelAccuracy

        Examples
        --------
        >>> round(LabelAccuracy.spread(0.8, 0.15).majority(3), 4)
        0.8622
        """
        if sd == 0:
            return cls.same(mean)
        if not 0 < mean < 1 or not 0 < sd * sd < mean * (1 - mean):
            largest = max(mean * (1 - mean), 0.0) ** 0.5
            raise OptionError(
                f"label accuracy with mean {mean:g} cannot vary over items with standard "
                f"deviation {sd:g}: it lies from 0 to below {largest:.3g}."
            )
        size = mean * (1 - mean) / (sd * sd) - 1
        return cls(beta=(mean * size, (1 - mean) * size))

    @property
    def mean(self) -> float:
        """The share of single labels that are right."""
        if self.beta is not None:
            return self.beta[0] / (self.beta[0] + self.beta[1])
        return float(np.dot(self.values, self.weights))

    @property
    def sd(self) -> float:
        """How much the accuracy varies over items, as a standard deviation."""
        if self.beta is not None:
            size = self.beta[0] + self.beta[1]
            return float(np.sqrt(self.mean * (1 - self.mean) / (size + 1)))
        around = np.asarray(self.values) - self.mean
        return float(np.sqrt(np.dot(around * around, self.weights)))

    @property
    def varies(self) -> bool:
        """Whether items differ."""
        return self.beta is not None or len(set(self.values)) > 1

    def right_counts(self, labels: int) -> Floats:
        """P(k of `labels` labels of one item are right), k = 0..labels.

        Products of positive factors only, so that both tails keep their digits.

        Parameters
        ----------
        labels : int
            How many labels the item has.

        Returns
        -------
        ndarray
            (labels + 1,) chances.

        Examples
        --------
        >>> LabelAccuracy.same(0.8).right_counts(2).round(2).tolist()
        [0.04, 0.32, 0.64]
        """
        if self.beta is not None:
            return _beta_counts(labels, *self.beta)
        return np.asarray(np.asarray(self.weights) @ _counts(labels, np.asarray(self.values)))

    def majority(self, labels: int, n_labels: int = 2) -> float:
        """The chance that the plurality of `labels` labels is right, equal shares on a tie.

        Parameters
        ----------
        labels : int
            How many labels the item has.
        n_labels : int
            Among how many labels people choose; wrong ones are spread evenly.

        Returns
        -------
        float

        Examples
        --------
        >>> round(LabelAccuracy.same(0.6).majority(3, n_labels=4), 4)
        0.712
        """
        return self.majority_parts(labels, n_labels)[0]

    def majority_parts(self, labels: int, n_labels: int = 2) -> tuple[float, float]:
        """The plurality's chance of being right and of being wrong, each summed by itself.

        Parameters
        ----------
        labels : int
            How many labels the item has.
        n_labels : int
            Among how many labels people choose; wrong ones are spread evenly.

        Returns
        -------
        right, wrong : float

        Examples
        --------
        >>> [round(part, 3) for part in LabelAccuracy.same(0.8).majority_parts(3)]
        [0.896, 0.104]
        """
        counts = self.right_counts(labels)
        wins = plurality_wins(labels, n_labels)
        return float(counts @ wins), float(counts @ (1 - wins))

    def two_differ(self, n_labels: int = 2) -> float:
        """The chance that two labels of one item differ; wrong labels spread evenly.

        Parameters
        ----------
        n_labels : int
            Among how many labels people choose.

        Returns
        -------
        float

        Examples
        --------
        >>> round(LabelAccuracy.same(0.8).two_differ(), 2)
        0.32
        """
        both_wrong, _, _ = (float(chance) for chance in self.right_counts(2))
        one_right = float(self.right_counts(2)[1])
        return one_right + both_wrong * (n_labels - 2) / (n_labels - 1)

    def share_below_half(self) -> float:
        """The share of items on which a label is right less often than a coin."""
        if self.beta is not None:
            from scipy.special import betainc

            return float(betainc(*self.beta, 0.5))
        return float(np.dot(np.asarray(self.values) < 0.5, self.weights))

    def draw(self, size: int, rng: np.random.Generator) -> Floats:
        """Accuracies of `size` random items.

        Parameters
        ----------
        size : int
            How many items.
        rng : numpy.random.Generator
            Where chance comes from.

        Returns
        -------
        ndarray
            (size,) accuracies.

        Examples
        --------
        >>> LabelAccuracy.same(0.8).draw(2, np.random.default_rng(0)).tolist()
        [0.8, 0.8]
        """
        if self.beta is not None:
            return rng.beta(*self.beta, size=size)
        return np.asarray(rng.choice(self.values, p=self.weights, size=size), dtype=float)

    def to_dict(self) -> dict[str, object]:
        """JSON-safe form: the mean, the spread over items, and what the distribution is."""
        out: dict[str, object] = {"mean": self.mean, "sd": self.sd if self.varies else 0.0}
        if self.beta is not None:
            out["beta"] = list(self.beta)
        elif self.varies:
            out["values"], out["weights"] = list(self.values), list(self.weights)
        return out


@frozen
class Noise:
    """How often a label is right: on all items, and where one classifier alone is right.

    Parameters
    ----------
    accuracy
        Chance that a label is right; a number, or a `LabelAccuracy` that varies over items.
    if_better, if_worse
        The same on items that only the better, or only the worse, classifier gets right; by
        default as everywhere.

    Examples
    --------
    >>> Noise(0.8, if_worse=0.85).if_better.mean
    0.8
    """

    accuracy: LabelAccuracy | None
    if_better: LabelAccuracy
    if_worse: LabelAccuracy

    def __init__(
        self,
        accuracy: float | LabelAccuracy | None = None,
        *,
        if_better: float | LabelAccuracy | None = None,
        if_worse: float | LabelAccuracy | None = None,
    ) -> None:
        if accuracy is None and (if_better is None or if_worse is None):
            raise OptionError("give label_accuracy, the chance that a single label is right.")
        everywhere = None if accuracy is None else _accuracy("label_accuracy", accuracy)
        name = "label_accuracy_if"
        better = everywhere if if_better is None else _accuracy(f"{name}_better", if_better)
        worse = everywhere if if_worse is None else _accuracy(f"{name}_worse", if_worse)
        assert better is not None
        assert worse is not None
        for place, value in (("accuracy", everywhere), ("if_better", better), ("if_worse", worse)):
            object.__setattr__(self, place, value)

    @classmethod
    def of(cls, given: "float | LabelAccuracy | Noise | None") -> "Noise":
        """Whatever says how good labels are, as noise.

        Parameters
        ----------
        given : float, LabelAccuracy or Noise
            One accuracy, one that varies over items, or noise already.

        Returns
        -------
        Noise

        Examples
        --------
        >>> Noise.of(0.8).accuracy.mean
        0.8
        """
        return given if isinstance(given, Noise) else cls(given)

    def above(self, chance: float) -> "Noise":
        """The same, checked: labels no better than guessing tell nothing.

        Parameters
        ----------
        chance : float
            What guessing reaches, 1/L.

        Returns
        -------
        Noise

        Examples
        --------
        >>> Noise(0.8).above(0.5).accuracy.mean
        0.8
        """
        for name, value in (
            ("label_accuracy", self.accuracy),
            ("label_accuracy_if_better", self.if_better),
            ("label_accuracy_if_worse", self.if_worse),
        ):
            if value is not None and value.mean <= chance:
                raise OptionError(
                    f"{name} must be above {chance:.3g}, better than guessing, or no number of "
                    f"labels can tell which classifier is better; it was {value.mean:g}."
                )
        return self

    def over(self, only_better: float, only_worse: float) -> LabelAccuracy:
        """On all items: as said, or by the shares that one of the two alone gets right.

        Parameters
        ----------
        only_better, only_worse : float
            Shares of items that only the better, or only the worse, classifier gets right.

        Returns
        -------
        LabelAccuracy

        Examples
        --------
        >>> round(Noise(if_better=0.9, if_worse=0.6).over(0.2, 0.1).mean, 3)
        0.8
        """
        if self.accuracy is not None:
            return self.accuracy
        if self.if_better == self.if_worse:
            return self.if_better
        parts = ((self.if_better, only_better), (self.if_worse, only_worse))
        if any(labels.beta is not None for labels, _ in parts):
            mean = sum(labels.mean * part for labels, part in parts) / (only_better + only_worse)
            return LabelAccuracy.same(mean)
        values = [value for labels, _ in parts for value in labels.values]
        weights = [weight * part for labels, part in parts for weight in labels.weights]
        return LabelAccuracy.of(values, weights)


def _accuracy(name: str, value: Any) -> LabelAccuracy:
    return (
        value if isinstance(value, LabelAccuracy) else LabelAccuracy.same(share_of_all(name, value))
    )


def _counts(labels: int, values: Floats) -> Floats:
    """Binomial chances of k right labels for each accuracy, (V, labels + 1)."""
    k = np.arange(labels + 1)
    values = values[:, None]
    return np.asarray(_ways(labels) * values**k * (1 - values) ** (labels - k))


@lru_cache(maxsize=64)
def _ways(labels: int) -> Floats:
    return np.array([comb(labels, right) for right in range(labels + 1)], dtype=float)


def _beta_counts(labels: int, alpha: float, beta: float) -> Floats:
    steps = np.arange(labels)
    size = alpha + beta
    right = np.concatenate([[0.0], np.cumsum(np.log((alpha + steps) / size))])
    wrong = np.concatenate([[0.0], np.cumsum(np.log((beta + steps) / size))])
    both = np.sum(np.log1p(steps / size))
    return np.asarray(_ways(labels) * np.exp(right + wrong[::-1] - both))
