"""Ratings and predictions as numbers: sums by item from wherever the ratings are, met by id."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.counting import CountsNumbers
from headcount.data.answers import code_texts
from headcount.data.labels import Labels, as_number
from headcount.data.predictions import Predictions, RawClassifier
from headcount.data.rated import Rated
from headcount.door import floats, integers, positions, texts, whole
from headcount.door.text import is_missing
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.results import count

_FEWEST_NUMBERS = 5
_FAR_ABOVE_ONE = 10.0
"""People who give shares and percents are told apart by it: a scale of ten steps is none of one."""


@frozen(eq=False)
class ItemNumbers:
    """People's numbers by item: ids, how many ratings, their mean and variance, (I,) each.

    `within` is 0 for one rating. `least` and `most` are the extreme ratings; `whole` says that
    all of them are whole numbers.
    """

    items: NDArray[np.object_]
    n: Ints
    mean: Floats
    within: Floats
    least: float
    most: float
    whole: bool


@frozen(eq=False)
class OneByOne:
    """People's numbers one by one: `item` (R,) into the items asked for, `value`, `rater` (R,).

    `rater` codes `raters` (m,); it is None where raters have no names.
    """

    item: Ints
    value: Floats
    rater: Ints | None
    raters: tuple[str, ...]


def item_numbers(ratings: Rated) -> ItemNumbers:
    """Sums by item, worked out where the ratings are if they can be.

    >>> import pyarrow as pa
    >>> from headcount import Ratings
    >>> frame = pa.table({"item": [1, 1, 2], "label": [2.5, 3.5, 4.0]})
    >>> item_numbers(Ratings.from_frame(frame)).mean
    array([3., 4.])
    """
    reductions = ratings.reductions
    if isinstance(reductions, CountsNumbers) and _are_numbers(ratings):
        table = reductions.sums(ratings.counted_as, first=ratings.repeated)
        return ItemNumbers(
            texts(table["item"]),
            integers(table["n"]),
            floats(table["mean"]),
            floats(table["within"]),
            float(floats(table["least"]).min()),
            float(floats(table["most"]).max()),
            bool(integers(table["whole"]).all()),
        )
    values, counted = _values(ratings.labels), ratings.item_counts()
    n = counted.counts.sum(axis=1)
    mean = counted.counts @ values / n
    squares = np.einsum("il,il->i", counted.counts, (values - mean[:, None]) ** 2)
    return ItemNumbers(
        counted.items,
        n,
        mean,
        np.where(n > 1, squares / np.maximum(n - 1, 1), 0.0),
        float(values.min()),
        float(values.max()),
        bool((values == np.floor(values)).all()),
    )


def one_by_one(ratings: Rated, items: NDArray[np.object_]) -> OneByOne:
    """Every rating of these items, in any order; first answers where raters were asked again."""
    reductions = ratings.reductions
    if isinstance(reductions, CountsNumbers) and _are_numbers(ratings):
        table = reductions.numbers(ratings.counted_as, first=ratings.repeated)
        names, item = code_texts(table["item"])
        item, value = positions(names, items)[item], floats(table["value"])
        raters, rater = code_texts(table["rater"])
    elif ratings.named:
        first = ratings.answers().first()
        item = positions(first.items, items)[first.item]
        value, rater, raters = _values(ratings.labels)[first.label], first.rater, first.raters
    else:
        counted = ratings.item_counts()
        row, label = np.nonzero(counted.counts)
        times = counted.counts[row, label]
        item = np.repeat(positions(counted.items, items)[row], times)
        value = np.repeat(_values(ratings.labels)[label], times)
        rater, raters = np.zeros(len(item), dtype=np.int64), np.zeros(0, dtype=object)
    kept = item >= 0
    item, value = item[kept], value[kept]
    if not ratings.named:
        return OneByOne(item, value, None, ())
    seen, who = np.unique(rater[kept], return_inverse=True)
    return OneByOne(item, value, who.ravel(), tuple(str(raters[each]) for each in seen))


def classifier_numbers(
    predictions: Predictions, raw: RawClassifier, labels: Labels | None, *, unknown: str = "error"
) -> Floats:
    """A classifier's number for every row of the predictions; NaN where it gave none.

    A distribution over labels counts by its mean. `labels` are those of the raters where names
    stand for numbers. What is no number stops, or with `unknown="drop"` counts as no answer.
    """
    if raw.by_label:
        return _means(predictions, raw, labels)
    assert raw.whole is not None
    column = predictions.columns[raw.whole]
    if column.all_numbers:
        return column.numbers
    found = np.array([_number(text, labels) for text in column.distinct])
    strange = [
        text
        for text, number in zip(column.distinct, found, strict=True)
        if np.isnan(number) and not is_missing(text)
    ]
    if strange and unknown == "error":
        n = int(np.isin(column.codes, [column.distinct.index(text) for text in strange]).sum())
        raise InputError(
            f"{predictions.name}: {raw.name!r} gave "
            f"{count(n, 'answer that is no number', 'answers that are no numbers')}, such as "
            f'{strange[0]!r}: choose unknown="drop" to leave those items out (--unknown).'
        )
    return np.asarray(found[column.codes])


def another_scale(said: Floats, least: float, most: float) -> str | None:
    """How a classifier's numbers and people's lie apart, where they are on two scales; else None.

    More than half of its numbers lie beyond people's, or all from nought to one where people's go
    past ten.
    """
    known = said[~np.isnan(said)]
    if len(known) < _FEWEST_NUMBERS or least >= most:
        return None
    beyond = float(((known < least) | (known > most)).mean())
    shares = known.max() <= 1 and most >= _FAR_ABOVE_ONE and bool((known % 1 != 0).any())
    if beyond <= 1 / 2 and not shares:
        return None
    return (
        f"its numbers are on another scale than people's: from {known.min():.4g} to "
        f"{known.max():.4g}, theirs from {least:g} to {most:g}"
    )


def checked_unknown(unknown: str) -> str:
    """What is done with answers that are no numbers."""
    if unknown not in ("error", "drop"):
        raise OptionError(
            f'unknown is "error" or "drop" where answers are numbers, not {unknown!r}: a wrong '
            "number has no size."
        )
    return unknown


def _means(predictions: Predictions, raw: RawClassifier, labels: Labels | None) -> Floats:
    values = np.array([_number(label, labels) for label, _ in raw.by_label])
    if np.isnan(values).any():
        label, column = raw.by_label[int(np.isnan(values).argmax())]
        raise InputError(
            f"{predictions.name}: {raw.name!r} gives a probability for {label!r} (column "
            f"{column!r}), which is no number: a distribution over scores names them."
        )
    shares = np.column_stack([predictions.columns[column].numbers for _, column in raw.by_label])
    total = shares.sum(axis=1)
    return np.asarray(shares @ values / np.where(total > 0, total, np.nan))


def _number(text: str | None, labels: Labels | None) -> float:
    if text is None or is_missing(text):
        return np.nan
    if labels is not None and labels.code(text) >= 0 and labels.values is not None:
        return float(labels.values[labels.code(text)])
    found = as_number(text)
    return np.nan if found is None else found


def _are_numbers(ratings: Rated) -> bool:
    """Whether each rating is the number that it counts as: none renamed, none ranked."""
    return ratings.counted_as.as_numbers


def _values(labels: Labels) -> Floats:
    if labels.values is None:
        raise UnanswerableError(
            f"These labels are names ({labels.listing(4)}) and no numbers: give their order with "
            "order= (--order), from lowest to highest, if they are levels."
        )
    return labels.values


def met_by_id(items: NDArray[np.object_], predictions: Predictions) -> Ints:
    """For each item its row in the predictions, −1 where it has none."""
    ids: pa.Array = whole(predictions.table["headcount_item"])
    rows = positions(items, ids)
    if (rows < 0).all():
        raise InputError(
            f"No item of {predictions.name} (such as {ids[0].as_py()!r}) has ratings (which are "
            f"of items such as {str(items[0])!r}): both tables must use the same item ids."
        )
    return rows
