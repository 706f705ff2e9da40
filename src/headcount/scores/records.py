"""What is told of one judge and of people: records that `ScoreAgreement` is made of."""

import numpy as np
from numpy.typing import NDArray

from headcount.results import Estimate, Record, hidden, record

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@record
class Limits(Record):
    """Limits of agreement: 95 % of judge less person lie between `low` and `high`.

    Bland and Altman's bias ± 1.96 standard deviations, for differences that are nearly normal.
    """

    low: Estimate
    high: Estimate


@record
class BiasAt(Record):
    """Judge less people in one part: a level of what people say, a slice of the items, a rater.

    `adjusted` is the p-value of being other than the rest, all parts counted (Holm); None where
    that is not asked or the part is too small.
    """

    name: str
    of: str
    items: float
    bias: Estimate
    adjusted: float | None = None


@record
class JudgeScores(Record):
    """One judge's numbers against people's.

    `worth` is how many people it is worth by squared error, in the reading `calibration`;
    `worths` has it in every reading, "given" being its numbers as they stand. `bias` is judge
    less people, `limits` hold 95 % of its differences to a person, `error` is the typical (root
    mean squared) distance to the true score of an item, which nobody knows. `distance` is the
    mean distance to a person, `near` the share of people within the tolerance and `ahead` that
    share less the share of people so near another person; None where ratings were not looked at
    one by one. `by_level`, `by_slice` and `by_rater` have the bias in parts, `cells` the counts of
    a chart. `turned_round` is the correlation of its numbers with people's where these run the
    other way, None elsewhere.
    """

    name: str
    worth: Estimate
    worths: dict[str, Estimate]
    calibration: str
    bias: Estimate
    limits: Limits
    error: Estimate
    distance: Estimate | None
    near: Estimate | None
    by_level: tuple[BiasAt, ...]
    by_slice: tuple[BiasAt, ...]
    by_rater: tuple[BiasAt, ...]
    answered: int
    out_of: int
    shares_errors: bool = False
    ahead: Estimate | None = None
    turned_round: Estimate | None = None
    cells: "Cells | None" = hidden(default=None)

    @property
    def as_it_stands(self) -> Estimate:
        """The worth of its numbers as they stand."""
        return self.worths["given"]


@record
class Cells(Record):
    """Items counted by people's mean and the judge's number, for a chart of any number of items.

    `people` (P + 1,) and `judge` (Q + 1,) are the edges, `items` (P, Q) how many items lie in
    each cell. `level` and `mean` (L,) are people's and the judge's mean at a few levels.
    """

    people: Floats
    judge: Floats
    items: Ints
    level: Floats
    mean: Floats


@record
class PeopleScores(Record):
    """People among themselves.

    `spread` is a person's typical (root mean squared) distance from the true score of an item,
    `between` the standard deviation of true scores. `icc_1` is ICC(1); `icc_a1` and `icc_ak`,
    ICC(A,1) and ICC(A,k), are None where raters have no names. `distance` is the mean distance of
    two people on one item, `near` the share of pairs within the tolerance.
    """

    mean: Estimate
    spread: Estimate
    between: Estimate
    icc_1: Estimate
    icc_a1: Estimate | None
    icc_ak: Estimate | None
    ratings_each: float
    distance: Estimate | None
    near: Estimate | None
