"""Alpha of answers that tick several options, as sets: by Jaccard's distance and by MASI."""

from collections.abc import Mapping

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.data import Ratings
from headcount.door import positions
from headcount.door.sets import BETWEEN
from headcount.results import Estimate, Record, record
from headcount.sampling import Bootstrap, estimate_from_draws, resample

_MOST_SETS = 5_000
"""Different sets up to which the distances between all of them are held."""
_UNNAMED = "who ticked what is not known without names of raters, so there are no sets"


@record
class SetAgreement(Record):
    """Two people's sets on one item: how often they are the same, and alpha beyond chance.

    `jaccard` counts |S∩T|/|S∪T| (1 for two empty sets), `masi` that times 1, ⅔, ⅓ or 0 for equal
    sets, one within the other, overlapping ones, and ones apart; alpha is of one less that.
    `different` is how many different sets there are.
    """

    same: Estimate
    jaccard_alpha: Estimate
    masi_alpha: Estimate
    items: int
    different: int


def set_agreement(ratings: Ratings, plan: Bootstrap) -> SetAgreement:
    """How much sets agree, from the yes/no answers that they were read as."""
    if not ratings.named:
        return _undefined(_UNNAMED)
    item, sets = _sets(ratings)
    different, code = np.unique(sets, axis=0, return_inverse=True)
    if len(different) > _MOST_SETS:
        return _undefined(f"{len(different):,} different sets are too many to compare each two")
    code = code.ravel()
    size = np.bincount(item)
    kept = size[item] > 1
    if not kept.any():
        return _undefined("no item has two answers")
    used, item = np.unique(item[kept], return_inverse=True)
    code = code[kept]
    counts = np.zeros((len(used), len(different)), dtype=np.int64)
    np.add.at(counts, (item.ravel(), code), 1)
    distances = {"jaccard": 1 - jaccard(different), "masi": 1 - masi(different)}
    same = {"same": 1.0 - np.eye(len(different))}

    def statistic(times: Ints) -> Mapping[str, Floats]:
        drawn = times.astype(np.float64)
        found = {name: _alphas(counts, each, drawn) for name, each in distances.items()}
        found["same"] = 1 - _observed(counts, same["same"], drawn)
        return found

    ones = np.ones(len(used), dtype=np.int64)
    values, draws = statistic(ones[None, :]), resample(plan, ones, statistic)
    tail = plan.tail(len(used))
    share, jaccard_alpha, masi_alpha = (
        estimate_from_draws(
            float(values[name][0]),
            np.asarray(draws[name], dtype=np.float64),
            tail,
            undefined="everybody ticked the same throughout",
        )
        for name in ("same", "jaccard", "masi")
    )
    return SetAgreement(share, jaccard_alpha, masi_alpha, len(used), len(different))


def jaccard(sets: Floats) -> Floats:
    """|S∩T|/|S∪T| of each two sets (U, options), 1 for two empty ones.

    >>> jaccard(np.array([[1, 1, 0], [1, 0, 0], [0, 0, 0]])).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    ticked = np.asarray(sets, dtype=np.float64)
    both = ticked @ ticked.T
    each = ticked.sum(axis=1)
    either = each[:, None] + each - both
    return np.asarray(np.where(either > 0, both / np.maximum(either, 1), 1.0))


def masi(sets: Floats) -> Floats:
    """Jaccard's similarity times how one set holds the other.

    1 for equal sets, ⅔ where one is within the other, ⅓ where they overlap, 0 where they are apart.

    >>> masi(np.array([[1, 1, 0], [1, 0, 0], [0, 1, 1]])).round(3).tolist()
    [[1.0, 0.333, 0.111], [0.333, 1.0, 0.0], [0.111, 0.0, 1.0]]
    """
    ticked = np.asarray(sets, dtype=np.float64)
    both = ticked @ ticked.T
    each = ticked.sum(axis=1)
    equal = (both == each[:, None]) & (both == each)
    within = (both == each[:, None]) | (both == each)
    # Whole numbers of options are compared, so nothing here rests on a last digit.
    part = np.where(equal, 1.0, np.where(within, 2 / 3, np.where(both > 0, 1 / 3, 0.0)))
    return jaccard(ticked) * part


def _sets(ratings: Ratings) -> tuple[Ints, Floats]:
    """The item of each answer, and what was ticked of all options (answers, options)."""
    answers = ratings.answers().first()
    columns = ratings.item_columns()
    place = positions(answers.items, ratings.item_counts().items)
    cluster = columns["cluster"].code[place][answers.item]
    yes = answers.label == ratings.labels.index["yes"]
    options = {name: k for k, name in enumerate(ratings.layout.sets)}
    asked = np.array([options[_question(str(name))] for name in answers.items])[answers.item]
    pair, row = np.unique(
        cluster.astype(np.int64) * (int(answers.rater.max()) + 1) + answers.rater,
        return_inverse=True,
    )
    ticked = np.zeros((len(pair), len(options)))
    ticked[row.ravel()[yes], asked[yes]] = 1.0
    return pair // (int(answers.rater.max()) + 1), ticked


def _question(item: str) -> str:
    """The question at the end of a joint item's name."""
    return item.rpartition(BETWEEN)[2].replace("··", "·")


def _observed(counts: Ints, distance: Floats, drawn: Floats) -> Floats:
    """The mean distance of pairs of answers on an item, items weighed by their answers (B,)."""
    c = counts.astype(np.float64)
    size = c.sum(axis=1)
    apart = ((c @ distance) * c).sum(axis=1) / (size - 1)
    return np.asarray((drawn @ apart) / (drawn @ size))


def _alphas(counts: Ints, distance: Floats, drawn: Floats) -> Floats:
    """Krippendorff's alpha for a distance of values, (B,); NaN where nothing differs."""
    common = drawn @ counts.astype(np.float64)
    n = common.sum(axis=1)
    expected = ((common @ distance) * common).sum(axis=1) / (n * (n - 1))
    observed = _observed(counts, distance, drawn)
    out = np.full(len(drawn), np.nan)
    return np.asarray(1 - np.divide(observed, expected, out=out, where=expected > 0))


def _undefined(why: str) -> SetAgreement:
    none = Estimate.undefined(why)
    return SetAgreement(none, none, none, 0, 0)
