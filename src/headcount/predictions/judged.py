"""Where ratings and predictions meet, by item id: the table every comparison starts from."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.ratings import Labels

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

WRONG = -1
"""The code of a hard answer outside the label set that counts as an error."""


@dataclass(frozen=True)
class Classifier:
    """One classifier's outputs on the judged rows, in their order.

    A hard one has `codes` (n,), label positions or WRONG; a soft one has `probabilities`
    (n, L), rows summing to one. Exactly one of the two is set.
    `answered` and `out_of` are its coverage of the rated items before the classifiers were
    cut to the items that all of them answered; `unknown` counts answers outside the labels.
    """

    name: str
    codes: Ints | None = None
    probabilities: Floats | None = None
    answered: int = 0
    out_of: int = 0
    unknown: int = 0

    @property
    def soft(self) -> bool:
        """Whether it gives a probability for each label."""
        return self.probabilities is not None

    def top(self) -> Ints:
        """Its answer as one label each: the most probable, the first of equals."""
        if self.codes is not None:
            return self.codes
        assert self.probabilities is not None
        top: Ints = self.probabilities.argmax(axis=1)
        return top

    def outputs(self) -> NDArray[Any]:
        """Everything it said, a row an item."""
        if self.codes is not None:
            return self.codes[:, None]
        assert self.probabilities is not None
        return self.probabilities

    def take(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> "Classifier":
        """The same classifier on some of the rows."""
        return replace(
            self,
            codes=None if self.codes is None else self.codes[rows],
            probabilities=None if self.probabilities is None else self.probabilities[rows],
        )


@dataclass(frozen=True)
class Judged:
    """Items that have ratings and an answer from every classifier.

    `counts` (n, L) label counts, `size` (n,) how many items each row stands for (ones until
    `grouped`), `items` (n,) ids or None once grouped, `notes` what was left out and assumed.
    """

    labels: Labels
    counts: Ints
    size: Ints
    classifiers: tuple[Classifier, ...]
    items: NDArray[np.object_] | None = None
    notes: tuple[str, ...] = ()

    @property
    def n_items(self) -> int:
        """How many items the rows stand for."""
        return int(self.size.sum())

    def take(self, rows: NDArray[np.integer] | NDArray[np.bool_]) -> "Judged":
        """Some of the rows."""
        return replace(
            self,
            counts=self.counts[rows],
            size=self.size[rows],
            classifiers=tuple(classifier.take(rows) for classifier in self.classifiers),
            items=None if self.items is None else self.items[rows],
        )

    def grouped(self) -> "Judged":
        """Rows with the same counts and the same outputs as one row with their number.

        Lossless for every method that does not ask for item ids; rows come out ordered
        by their content, so the order of the items never matters.
        """
        outputs = [classifier.outputs() for classifier in self.classifiers]
        content = np.column_stack([self.counts, *outputs]).astype(np.float64)
        _, first, inverse = np.unique(content, axis=0, return_index=True, return_inverse=True)
        size = np.bincount(inverse.ravel(), weights=self.size, minlength=len(first))
        return replace(self.take(first), size=np.rint(size).astype(np.int64), items=None)
