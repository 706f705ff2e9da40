"""When each judged item was answered: by the judge where that is known, else first by people."""

from collections.abc import Sequence

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.data import Study
from headcount.door import positions
from headcount.door.times import TimeKind, in_order, times_of
from headcount.errors import UnanswerableError
from headcount.frozen import frozen


@frozen
class Clock:
    """Points in time of a study's items and answers; NaN is no time.

    `items` (n, C) are when each judge's answer counts for each judged item, and `answers` (R,)
    when people gave theirs, in the order of `Ratings.answers().first()`; None where a row is an
    item. `kind` says what the points are, and `texts` has those of an order.
    """

    kind: TimeKind
    items: Floats
    answers: Floats | None = None
    texts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@frozen
class _Told:
    """Texts that tell times, and which of them (…) goes where; one past the end is none."""

    texts: tuple[str, ...]
    code: Ints


def clock_of(study: Study) -> Clock:
    """The times of a study; an error that says how to name them where there are none."""
    people, judges = _of_people(study), _of_judges(study)
    told = [each for each in (people, judges) if each is not None]
    if not told:
        raise UnanswerableError(
            "Nothing says when anything was answered: name the column with the time (--time), of "
            "the ratings or of the predictions."
        )
    texts = [text for each in told for text in each.texts]
    column = study.ratings.layout.time or "time"
    times = times_of(texts, column=column, table=study.ratings.name)
    items = np.full((study.judged.n_items, len(study.names)), np.nan)
    answers = None
    if people is not None:
        own = np.append(times.values[: len(people.texts)], np.nan)[people.code]
        by_row = study.ratings.layout.kind == "long"
        answers = own if by_row else None
        items[:] = (_first_of_items(study, own) if by_row else own)[:, None]
    if judges is not None:
        own = np.append(times.values[-len(judges.texts) :], np.nan)[judges.code]
        items = np.where(np.isnan(own), items, own)
    order = in_order(texts) if times.kind == "order" else ()
    return Clock(times.kind, items, answers, order, (times.doubt,) if times.doubt else ())


def _of_people(study: Study) -> _Told | None:
    layout = study.ratings.layout
    if layout.time is None:
        return None
    if layout.kind == "long":
        column = study.ratings.answers().first().time
    else:
        column = study.columns.get("time")
    return None if column is None else _Told(column.names, column.code)


def _first_of_items(study: Study, own: Floats) -> Floats:
    """When each judged item (n,) was first answered by people, from their times (R,)."""
    answers = study.ratings.answers().first()
    assert study.judged.items is not None
    row = positions(answers.items, study.judged.items)[answers.item]
    first = np.full(study.judged.n_items, np.inf)
    known = (row >= 0) & ~np.isnan(own)
    np.minimum.at(first, row[known], own[known])
    return np.where(np.isinf(first), np.nan, first)


def _of_judges(study: Study) -> _Told | None:
    """When each judge answered each judged item, (n, C); its first answer on it counts."""
    table = None if study.predictions is None else study.predictions.times
    if table is None:
        return None
    assert study.judged.items is not None
    texts: Sequence[str | None] = table["time"].to_pylist()
    names = tuple(sorted({text for text in texts if text}))
    if not names:
        return None
    place = {text: at for at, text in enumerate(names)}
    code = np.array([place.get(text or "", len(names)) for text in texts], dtype=np.int64)
    row = positions(table["item"].to_pylist(), study.judged.items)
    whose = table["classifier"].to_pylist()
    found = np.full((study.judged.n_items, len(study.names)), len(names), dtype=np.int64)
    for column, name in enumerate(study.names):
        own = np.array([who is None or who == name for who in whose], dtype=bool)
        here = np.flatnonzero(own & (row >= 0))[::-1]  # so that the first one is written last
        found[row[here], column] = code[here]
    return _Told(names, found)
