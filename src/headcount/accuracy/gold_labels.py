"""Gold as users give it: a column of the ratings, a mapping, a file; and how it was drawn."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data import Ratings, Study
from headcount.data.of_items import values_by_item
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.results import count

Ints = NDArray[np.int64]

FEWEST = 10
"""With fewer gold items there is hardly anything to say."""


@frozen
class GoldLabels:
    """The items of a study whose true label is known.

    `rows` (m,) are their places among the judged items and `codes` (m,) their true labels, L for
    one that is no label of the raters; `strata` (n,) how all items were divided before gold was
    drawn, if they were.
    """

    rows: Ints
    codes: Ints
    strata: Ints | None
    notes: tuple[str, ...]


def reading_gold(ratings: Any, gold: Any) -> tuple[Any, Any]:
    """Ratings and gold with a column that is named settled: it is read with the ratings."""
    if not isinstance(gold, str) or Path(gold).is_file():
        return ratings, gold
    known = ratings.ratings if isinstance(ratings, Study) else ratings
    if not isinstance(known, Ratings):
        return Ratings.read(known, gold=gold), None
    if known.layout.gold == gold:
        return ratings, None
    raise OptionError(
        f"gold={gold!r} is no file, and no column that these ratings were read with: name it when "
        f"reading them (Ratings.read(…, gold={gold!r})), or give a mapping of items to labels."
    )


def gold_labels(study: Study, gold: Any, strata: Any) -> GoldLabels | None:
    """The gold of a study: what is given, else the gold column of its ratings; None without."""
    known = _of_column(study, "gold") if gold is None else values_by_item(gold, "gold")
    if known is None:
        if strata is not None:
            raise OptionError("strata say how gold was drawn, and there is no gold: give gold too.")
        return None
    items = _ids(study)
    texts = [known.get(item) for item in items]
    rows = np.array([row for row, text in enumerate(texts) if text is not None], dtype=np.int64)
    if len(rows) < FEWEST:
        some = count(len(rows), "item has", "items have")
        raise UnanswerableError(
            f"Only {some} gold among those that people and classifiers labelled: {FEWEST} at "
            "least are needed; check that gold uses the same item ids."
        )
    said = [texts[row] or "" for row in rows]
    codes, notes = _codes(said, study)
    return GoldLabels(rows, codes, _strata(study, strata), notes)


def _codes(said: list[str], study: Study) -> tuple[Ints, tuple[str, ...]]:
    labels = study.labels
    codes = np.array([labels.code(text) for text in said], dtype=np.int64)
    strange = np.flatnonzero(codes < 0)
    if 2 * len(strange) > len(codes):
        raise InputError(
            f"Gold says {said[strange[0]]!r}, and most of it is no label of the raters "
            f"({labels.listing()}): both must use the same names."
        )
    if not len(strange):
        return codes, ()
    some = count(len(strange), "item has", "items have")
    note = f"{some} gold that no rater ever said, such as {said[strange[0]]!r}: nobody is right."
    return np.where(codes < 0, labels.n, codes), (note,)


def _strata(study: Study, strata: Any) -> Ints | None:
    if strata is None:
        return None
    if isinstance(strata, str) and not Path(strata).is_file():
        known = _of_column(study, strata)
        if known is None:
            slices = ", ".join(study.ratings.layout.slices) or "none"
            raise OptionError(
                f"strata={strata!r} is no file and no slice of the ratings: name a slice they were "
                f"read with (there are: {slices}), or give a mapping of items to strata."
            )
    elif isinstance(strata, Mapping | str | os.PathLike) or hasattr(strata, "columns"):
        known = values_by_item(strata, "stratum")
    else:
        raise OptionError("strata are the name of a slice, a mapping of items to strata or a file.")
    named = [known.get(item, "") for item in _ids(study)]
    return np.unique(np.array(named, dtype=object).astype(str), return_inverse=True)[1].ravel()


def _of_column(study: Study, role: str) -> dict[str, str] | None:
    """What a column of the ratings says of each item; None where there is no such column."""
    if role not in study.ratings.layout.of_items:
        return None
    column = study.ratings.item_columns()[role]
    items = study.ratings.item_counts().items
    pairs = zip(items, column.code, strict=True)
    return {str(item): column.names[code] for item, code in pairs if column.names[code] != "(none)"}


def _ids(study: Study) -> list[str]:
    assert study.judged.items is not None
    return [str(item) for item in study.judged.items]
