"""A classifier's answers put into cells: items of one cell are looked at together.

A hard answer is its own cell. Two labels: the probability is cut where neighbours differ most by
what people then say. More labels: the label decided for, and within it how sure the classifier
is, after the whole vector was calibrated.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier, group_rows
from headcount.frozen import frozen
from headcount.together.matrix_scaling import MatrixScaling

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEWEST_CELLS, MOST_CELLS = 5, 40
"""Cells that answers are cut into: fewer tell too little, of more each has too few items."""

_MOST_STEPS = 400
"""Steps that a line is first cut into: finer ones hold too few items to matter."""

_LEAST, _STEPS, _RIDGE = 1e-6, 15, 1e-9
"""Probabilities taken for none; Newton's steps and ridge for a logistic curve of two numbers."""


def n_cells_for(n_items: float) -> int:
    """How many cells so many items are enough for, √N/3.

    >>> n_cells_for(3600), n_cells_for(100_000)
    (20, 40)
    """
    return int(np.clip(np.sqrt(n_items) / 3, FEWEST_CELLS, MOST_CELLS))


@frozen(eq=False)
class Cells:
    """How answers become cells: learned on some items, used on any.

    Soft answers are read on a line (the probability of the second of two labels, the number of
    one that answers between levels, or how sure it is of the label it decides for), which `edges`
    cut: a list for each label decided for, one list where the line is the same for all. `scaling`
    is how vectors of more than two labels are calibrated first. Hard answers have no edges: label
    ℓ is cell ℓ, an unusable one is the last cell.
    """

    n_labels: int
    edges: tuple[Floats, ...] = ()
    scaling: MatrixScaling | None = None

    @property
    def n(self) -> int:
        """How many cells there are."""
        if not self.edges:
            return self.n_labels + 1
        return sum(len(each) + 1 for each in self.edges)

    def of(self, classifier: Classifier) -> Ints:
        """The cell of every answer (n,)."""
        if not self.edges:
            assert classifier.codes is not None
            return np.where(classifier.codes >= 0, classifier.codes, self.n_labels)
        line, kind = _line_of(classifier, self.scaling)
        found = np.empty(len(line), dtype=np.int64)
        first = 0
        for each, edges in enumerate(self.edges):
            here = kind == each
            found[here] = first + np.searchsorted(edges, line[here], side="right")
            first += len(edges) + 1
        return found

    def to_dict(self) -> dict[str, Any]:
        """How to find the cell of an answer, in plain values."""
        if not self.edges:
            return {"answers": "labels", "unusable": self.n_labels}
        told: dict[str, Any] = {"answers": "line", "edges": [e.tolist() for e in self.edges]}
        if self.scaling is not None:
            told |= {"answers": "vector", **self.scaling.to_dict()}
        return told


def learn_cells(
    classifier: Classifier,
    counts: Ints,
    size: NDArray[np.number],
    *,
    most: int | None = None,
    calibrated: bool = False,
) -> Cells:
    """Cells for a classifier's answers on items with counts (n, L), `size` (n,) items a row.

    Vectors of more than two labels that are `calibrated` already are taken as they are.
    """
    n_labels, items = counts.shape[1], np.asarray(size, dtype=np.float64)
    numbers = classifier.scores is not None and bool((classifier.top() >= 0).all())
    if classifier.probabilities is None and not numbers:
        return Cells(n_labels)
    wanted = most or n_cells_for(float(items.sum()))
    vectors = n_labels > 2 and classifier.probabilities is not None
    scaling = None
    if vectors and not calibrated:
        assert classifier.probabilities is not None
        scaling = MatrixScaling.fit(classifier.probabilities, counts, items)
    line, kind = _line_of(classifier, scaling)
    place = _place(line, counts, items, numbers)
    edges = _gathered(line, kind, place, items, wanted)
    n_kinds = n_labels if vectors else 1
    return Cells(n_labels, tuple(edges.get(each, np.zeros(0)) for each in range(n_kinds)), scaling)


def _line_of(classifier: Classifier, scaling: MatrixScaling | None) -> tuple[Floats, Ints]:
    """Where an answer stands on its line, and on which line, (n,) each."""
    said = classifier.probabilities
    if said is None:
        assert classifier.scores is not None
        return classifier.scores, np.zeros(len(classifier.scores), dtype=np.int64)
    if said.shape[1] == 2:
        return said[:, 1], np.zeros(len(said), dtype=np.int64)
    calibrated = said if scaling is None else scaling.of(said)
    return calibrated.max(axis=1), calibrated.argmax(axis=1)


def _place(line: Floats, counts: Ints, size: Floats, numbers: bool) -> Floats:
    """Where answers stand so that equal distances are equally hard to tell apart, (n,).

    The angle whose sine squared is the share of people: counts of any share vary alike there. The
    share is the line's own, or of two labels that of a logistic curve: two numbers learned from
    all items, which no item can bend to itself.
    """
    if numbers:
        return line
    if counts.shape[1] > 2:
        return np.arcsin(np.sqrt(np.clip(line, 0.0, 1.0)))
    logit = np.log(np.clip(line, _LEAST, 1 - _LEAST) / np.clip(1 - line, _LEAST, 1.0))
    terms = np.column_stack([np.ones(len(line)), logit])
    total = counts.sum(axis=1) * size
    at = np.array([0.0, 1.0])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(terms @ at, -30, 30)))
        bend = (terms * (total * p * (1 - p))[:, None]).T @ terms
        bend += np.eye(2) * _RIDGE * max(float(total.sum()), 1.0)
        slope = terms.T @ (counts[:, 1] * size - total * p)
        at = at + np.clip(np.linalg.solve(bend, slope), -1.0, 1.0)
    p = 1 / (1 + np.exp(-np.clip(terms @ at, -30, 30)))
    return np.asarray(np.arcsin(np.sqrt(p)))


def _gathered(
    line: Floats, kind: Ints, place: Floats, size: Floats, wanted: int
) -> dict[int, Floats]:
    """Edges on the line of each kind, so that neighbours gathered into cells differ least.

    Of neighbours of one kind the two are joined whose items then lie least further from the middle
    of their cell (Ward's rule), until there are as many cells as are wanted: answers that come in
    a few clusters, as of a judge that gives marks, are never torn apart or thrown together.
    """
    fine = line
    if len(np.unique(line)) > _MOST_STEPS:
        order = np.argsort(line, kind="stable")
        upto = np.cumsum(size[order]) / size.sum()
        step = np.minimum((upto * _MOST_STEPS).astype(np.int64), _MOST_STEPS - 1)
        first = np.flatnonzero(np.append(True, np.diff(step) > 0))
        fine = line[order][first][np.searchsorted(line[order][first], line, side="right") - 1]
    groups = group_rows(kind, fine)
    held = np.bincount(groups.of_row, weights=size)
    middle = np.bincount(groups.of_row, weights=size * place) / held
    low = np.full(len(groups), np.inf)
    high = np.full(len(groups), -np.inf)
    np.minimum.at(low, groups.of_row, line)
    np.maximum.at(high, groups.of_row, line)
    of = kind[groups.first]
    while len(held) > max(wanted, len(np.unique(of))):
        apart = held[1:] * held[:-1] / (held[1:] + held[:-1]) * (middle[1:] - middle[:-1]) ** 2
        apart[of[1:] != of[:-1]] = np.inf
        at = int(np.argmin(apart))
        both = held[at] + held[at + 1]
        middle[at] = (held[at] * middle[at] + held[at + 1] * middle[at + 1]) / both
        held[at], high[at] = both, high[at + 1]
        held, middle, low, high, of = (
            np.delete(each, at + 1) for each in (held, middle, low, high, of)
        )
    cuts = (high[:-1] + low[1:]) / 2
    return {int(each): cuts[(of[:-1] == each) & (of[1:] == each)] for each in np.unique(of)}
