"""How an item is labelled: by votes of so many labels, what those cost, and whom a vote names."""

from functools import lru_cache

import numpy as np
from scipy.special import gammaln, xlogy

from headcount.arrays import Floats
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.declared import finite_number

# Nobody asks hundreds of people about one item, and a vote costs memory that grows with its square.
MOST_LABELS = 501


@frozen
class Strategy:
    """How an item is labelled: by `majority_of` labels, all at once or only as needed.

    `adaptive` asks for two labels and a third only where they differ: the label is that of a
    plurality of three, for fewer labels.
    """

    majority_of: int
    adaptive: bool = False

    @classmethod
    def parse(cls, asked: object) -> "Strategy":
        """A number of labels, or "2+1" for two labels and a third where they differ.

        >>> Strategy.parse("2+1").name
        '2, a 3rd on a tie'
        """
        if asked == "2+1":
            return cls(3, adaptive=True)
        if isinstance(asked, str) and asked.strip().isdigit():
            asked = int(asked)
        if isinstance(asked, int) and not isinstance(asked, bool) and 1 <= asked <= MOST_LABELS:
            return cls(asked)
        raise OptionError(
            f'labels_per_item is a whole number from 1 to {MOST_LABELS}, "2+1" for a third label '
            f"where two differ, or several of these; it was {asked!r}."
        )

    def labels_each(self, two_differ: float) -> float:
        """Expected labels an item, where two labels differ with that chance."""
        return 2.0 + two_differ if self.adaptive else float(self.majority_of)

    @property
    def name(self) -> str:
        """For tables."""
        return "2, a 3rd on a tie" if self.adaptive else str(self.majority_of)


@frozen
class Costs:
    """What a label costs, and an item before any label.

    Parameters
    ----------
    label : float
        A label's price.
    item : float
        What an item costs to find, clean or show, before any label.

    Examples
    --------
    >>> Costs(item=20).of(3)
    23.0
    """

    label: float = 1.0
    item: float = 0.0

    def __post_init__(self) -> None:
        for name in ("item", "label"):
            value = finite_number(f"{name}_cost", getattr(self, name))
            if value < 0:
                raise OptionError(f"{name}_cost is at least 0; it was {value:g}.")
        if self.item + self.label == 0:
            raise OptionError("item_cost and label_cost are both 0: give one of them a price.")

    def of(self, labels: float) -> float:
        """An item with so many labels.

        Parameters
        ----------
        labels : float
            How many labels it has; an expectation for an adaptive plan.

        Returns
        -------
        float
            Its price.

        Examples
        --------
        >>> Costs(label=0.5, item=2).of(4)
        4.0
        """
        return self.item + self.label * labels


@lru_cache(maxsize=1024)
def plurality(chances: tuple[float, ...], labels: int) -> tuple[float, ...]:
    """P(each label has the plurality of `labels` draws), equal shares on a tie.

    >>> [round(chance, 6) for chance in plurality((0.5, 0.3, 0.2), 3)]
    [0.56, 0.276, 0.164]
    """
    votes = np.arange(1, labels + 1)
    ways = gammaln(labels + 1) - gammaln(votes + 1) - gammaln(labels - votes + 1)
    return tuple(
        float(
            np.exp(ways + xlogy(votes, own))
            @ [
                _leads(v, chances[:place] + chances[place + 1 :], labels - v)
                for v in votes.tolist()
            ]
        )
        for place, own in enumerate(chances)
    )


def plurality_wins(labels: int, n_labels: int = 2) -> Floats:
    """P(the right label has the plurality | k of `labels` are right), k = 0..labels.

    The other labels are spread evenly over the wrong ones; a tie for the top is shared
    equally, the expectation of a coin flip.

    >>> plurality_wins(4).tolist()
    [0.0, 0.0, 0.5, 1.0, 1.0]
    """
    if labels == 0:
        return np.array([1.0 / n_labels])
    if n_labels == 2:
        k = np.arange(labels + 1)
        return np.where(2 * k > labels, 1.0, np.where(2 * k == labels, 0.5, 0.0))
    return np.array(_even_wins(labels, n_labels))


@lru_cache(maxsize=256)
def _even_wins(labels: int, n_labels: int) -> tuple[float, ...]:
    others = (1 / (n_labels - 1),) * (n_labels - 1)
    return (0.0, *(_leads(right, others, labels - right) for right in range(1, labels + 1)))


def _leads(votes: int, others: tuple[float, ...], left: int) -> float:
    """Whether a label with `votes` votes leads when `others` share out the `left` other ones.

    `others` are the other labels' chances of each vote (L − 1,); the answer is the chance that
    each vote falls to one of them and none has more, with equal shares where some are level. With
    Poisson numbers of votes instead, at rates μ_o = left · r_o / Σ r, it is

        left! (Σ r)^left e^left / left^left · ∫₀¹ [z^left] Π_o f_o(z, s) ds,
        f_o(z, s) = e^{−μ_o} (Σ_{j<votes} (μ_o z)ʲ/j! + s (μ_o z)ᵛ/v!),  v = votes,

    where s marks a label that is level: ∫ sʲ ds = 1/(j + 1) is the share of one among j + 1.
    """
    total = sum(others)
    if left < votes:  # nobody can draw level
        return total**left
    if total == 0:
        return 0.0
    # Rates that sum to `left` keep every number near one, however many votes there are.
    rates = left / total * np.array(others)
    counts = np.arange(votes + 1)
    chances = np.exp(xlogy(counts, rates[:, None]) - rates[:, None] - gammaln(counts + 1))
    # shared[j, d]: j others are level so far and d of the votes are given out.
    shared = np.zeros((left // votes + 1, left + 1))
    shared[0, 0] = 1.0
    for fewer, level in zip(chances[:, :-1], chances[:, -1], strict=True):
        below = np.array([np.convolve(row, fewer)[: left + 1] for row in shared])
        below[1:, votes:] += level * shared[:-1, : left + 1 - votes]
        shared = below
    scale = np.exp(gammaln(left + 1) + left - xlogy(left, left) + xlogy(left, total))
    return float(scale * (shared[:, left] @ (1 / np.arange(1, len(shared) + 1))))
