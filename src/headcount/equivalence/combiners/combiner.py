"""What every combiner is: a call from surveys to predictions of the next rater, or of several."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from headcount.arrays import Floats, Ints
from headcount.data import Labels, group_rows
from headcount.frozen import frozen
from headcount.metrics import top_shares
from headcount.population import every_survey

Counts = NDArray[np.signedinteger]

# Draws × rows worked on at once.
_CELLS = 4_000_000


def plurality_of(left: Counts, reference_raters: int) -> Floats:
    """The chance of each label to be the plurality of r answers drawn from `left` (R, L).

    Exact: every possible draw of r answers, each with its chance; ties share. Rows with the
    same answers are worked out once; of a row with fewer than r, all answers are drawn.
    """
    if reference_raters == 1:
        total = left.sum(axis=1, keepdims=True)
        shares: Floats = left / np.maximum(total, 1)
        return shares
    groups = group_rows(left)
    distinct = left[groups.first]
    enough = distinct.sum(axis=1) >= reference_raters
    draws = every_survey(reference_raters, left.shape[1])
    winners = top_shares(draws)
    out = top_shares(distinct)
    rows = np.flatnonzero(enough)
    step = max(1, _CELLS // len(draws))
    for start in range(0, len(rows), step):
        part = rows[start : start + step]
        out[part] = _chances(distinct[part], draws) @ winners
    return out[groups.of_row]


def _chances(left: Counts, draws: Ints) -> Floats:
    """P(z | d): the chance to draw z from what is left, shape (R, draws)."""
    most = int(left.sum(axis=1).max(initial=0))
    raters = int(draws[0].sum())
    a, b = np.arange(most + 1)[:, None], np.arange(raters + 1)
    choose = np.where(
        a >= b, np.exp(gammaln(a + 1) - gammaln(b + 1) - gammaln(np.maximum(a - b, 0) + 1)), 0.0
    )
    ways = np.ones((len(left), len(draws)))
    for label in range(left.shape[1]):
        ways *= choose[left[:, label, None], draws[:, label]]
    ways /= choose[left.sum(axis=1), raters][:, None]
    return ways


Produces = Literal["labels", "probabilities", "numbers"]


@frozen
class Others:
    """The items a combiner may learn from, and for each survey the item it must not see.

    `counts` (G, L) label counts of the patterns, `items` (G,) how many items have each.
    Survey r comes from an item of pattern `own[r]`; `copies[r]` items of that pattern are
    left out when predicting for it (one, or more in a bootstrap sample, where an item can be
    drawn several times). `targets` (G, L) are the label shares to be predicted where those
    come from another pool of raters; None: the next rater comes from the same pool.
    With `reference` above one, the label to predict is the plurality of so many next raters.
    """

    counts: Ints
    items: NDArray[Any]
    own: Ints
    copies: Floats
    targets: Floats | None = None
    reference: int = 1

    @classmethod
    def each_its_own(cls, counts: NDArray[np.integer]) -> "Others":
        """Survey r comes from item r, and is predicted from all items but that one."""
        n = len(counts)
        ones = np.ones(n)
        return cls(np.asarray(counts, dtype=np.int64), ones, np.arange(n), ones)

    def shares(self) -> Floats:
        """Label shares of each pattern among the raters to be predicted, shape (G, L)."""
        if self.targets is not None:
            return self.targets
        return plurality_of(self.counts, 1)

    def average(self, of_pattern: Floats) -> Floats:
        """Mean over the other items of a quantity (G,) or (G, d) known for each pattern."""
        total = self.items @ of_pattern
        left = self.items.sum() - self.copies
        own = (of_pattern[self.own].T * self.copies).T
        with np.errstate(invalid="ignore", divide="ignore"):
            mean: Floats = ((total - own).T / np.where(left > 0, left, np.nan)).T
        return mean


class Combiner(ABC):
    """Turns surveys into predictions of one more rater's answer.

    Facts: `name`; `produces`, the kind of prediction it makes; `learned`, whether it learns
    from the other items; `summary`, one line for tables of combiners.
    """

    name: str
    produces: Produces
    learned: ClassVar[bool] = False
    summary: ClassVar[str] = ""

    @abstractmethod
    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Predictions for `surveys` (R, L), how often each label was given, k in all.

        "probabilities" come as (R, L), rows summing to one; "labels" as (R, L) shares, all
        in one label unless labels tie; "numbers" as (R,). NaN where there is nothing to
        predict from (no other item).
        """

    def learns(self, raters: int) -> bool:
        """Whether predictions from `raters` answers depend on the other items."""
        return self.learned and raters >= 0

    def check(self, labels: Labels) -> None:
        """Raise an OptionError where the labels do not allow this combiner."""
        del labels


def alike(predicted: Floats, survey: NDArray[Any], weight: Floats) -> Floats:
    """Predictions (R,) or (R, L) replaced by their weighted mean over rows of equal survey.

    A combiner that learns leaves the item itself out, so the same survey gets predictions that
    differ a little from item to item, and always away from the item's own labels. Most scorers
    hardly notice. A ranking or a correlation counts the smallest difference in full: with no
    answers at all every item's prediction is the others' mean, which ranks items exactly
    backwards. Scale-free scorers are given each survey's mean prediction instead.

    `survey` is (R,) survey numbers or (R, L) answers. A survey without weight keeps what it
    was given; rows without a prediction (NaN) have no part in a mean.
    """
    rows = survey if survey.ndim == 1 else group_rows(survey).of_row
    table = predicted.reshape(len(predicted), -1)
    share = np.where(np.isnan(table).any(axis=1), 0.0, weight)
    many = int(rows.max(initial=-1)) + 1
    total = np.bincount(rows, weights=share, minlength=many)
    known = np.where(share[:, None] > 0, table, 0.0)
    sums = np.column_stack(
        [np.bincount(rows, weights=share * column, minlength=many) for column in known.T]
    )
    held = total[rows] > 0
    means = sums[rows] / np.where(held, total[rows], 1.0)[:, None]
    return np.where(held[:, None], means, table).reshape(predicted.shape)
