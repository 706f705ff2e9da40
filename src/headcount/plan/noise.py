"""How often labels are right, and where they are wrong more often."""

from typing import Any

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.plan.given import share
from headcount.plan.label_accuracy import LabelAccuracy


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
    return value if isinstance(value, LabelAccuracy) else LabelAccuracy.same(share(name, value))
