"""The items of an evaluation, to be read: what people say of each, and what classifiers say."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.evaluation import Evaluation
from headcount.evaluation.contradictions import Contradictions
from headcount.frozen import frozen

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

FIRST = 6
"""Items that stand in the page itself, for whoever has no script."""
_MOST_ITEMS = 20_000
"""Items in one file: a search over them is answered while one types."""
_MOST_BYTES = 6_000_000
"""What all of them may take, so that a report can still be mailed."""
_LONG = 600
"""Characters of a text that are shown."""


@frozen
class ItemRow:
    """One item: its text, people's labels, what each classifier says, and whom it contradicts.

    `against` is 2 for a classifier that contradicts everyone, 1 for one that contradicts most
    people, else 0. `parts` are the item's slices.
    """

    id: str
    text: str
    counts: tuple[int, ...]
    answers: tuple[str, ...]
    against: tuple[int, ...]
    parts: tuple[str, ...] = ()


@frozen
class ItemBrowser:
    """All items that the page can show, "everyone agrees, it does not" first."""

    labels: tuple[str, ...]
    classifiers: tuple[str, ...]
    slices: dict[str, tuple[str, ...]]
    rows: tuple[ItemRow, ...]
    total: int

    @property
    def first(self) -> tuple[ItemRow, ...]:
        """The items that stand in the page without a script."""
        return self.rows[:FIRST]

    @property
    def has_texts(self) -> bool:
        """Whether any item has a text."""
        return any(row.text for row in self.rows)

    def data(self) -> dict[str, Any]:
        """What the script reads: rows as short lists, answers and slices as codes."""
        said = sorted({answer for row in self.rows for answer in row.answers})
        code = {answer: place for place, answer in enumerate(said)}
        parts = {name: {part: j for j, part in enumerate(of)} for name, of in self.slices.items()}
        return {
            "labels": self.labels,
            "classifiers": self.classifiers,
            "said": said,
            "slices": [[name, list(of)] for name, of in self.slices.items()],
            "rows": [
                [
                    row.id,
                    row.text,
                    row.counts,
                    [code[answer] for answer in row.answers],
                    row.against,
                    [of[part] for of, part in zip(parts.values(), row.parts, strict=True)],
                ]
                for row in self.rows
            ],
        }


def browser(found: Evaluation, order: Sequence[str]) -> ItemBrowser | None:
    """The items of an evaluation; None where they are looked at in groups alone."""
    crowd = found.crowd
    if crowd is None or crowd.judged.items is None or not len(crowd.judged.items):
        return None
    judged, against = crowd.judged, Contradictions(crowd)
    ids = crowd.judged.items.astype(str)
    places = [crowd.names.index(name) for name in order]
    flags = against.of_most[:, places].astype(np.int64) + against.of_everyone[:, places]
    rows = _in_order(judged.counts, flags, ids)[:_MOST_ITEMS]
    columns = crowd.study.columns
    text = columns.get("text")
    slices = {name: columns[name] for name in crowd.study.slices}
    names = (*judged.labels.names, "something else")
    shown: list[ItemRow] = []
    taken = 0
    for row in rows.tolist():
        item = ItemRow(
            str(ids[row]),
            "" if text is None else _short(text.names[text.code[row]]),
            tuple(judged.counts[row].tolist()),
            tuple(_said(found, row, place, names) for place in places),
            tuple(flags[row].tolist()),
            tuple(each.names[each.code[row]] for each in slices.values()),
        )
        taken += len(json.dumps([item.id, item.text])) + 4 * len(item.counts) + 12 * len(places)
        if taken > _MOST_BYTES:
            break
        shown.append(item)
    used = {
        name: tuple(dict.fromkeys(sorted(row.parts[j] for row in shown)))
        for j, name in enumerate(slices)
    }
    return ItemBrowser(judged.labels.names, tuple(order), used, tuple(shown), len(ids))


def _in_order(counts: Ints, flags: Ints, ids: NDArray[np.str_]) -> Ints:
    """Items on which everyone agrees and a classifier does not first, then divided ones."""
    size = counts.sum(axis=1)
    share = counts.max(axis=1) / np.maximum(size, 1)
    worst = flags.max(axis=1)
    # The best classifier's own errors come before those of others, in its place of the order.
    first = np.where(flags == worst[:, None], np.arange(flags.shape[1]), flags.shape[1]).min(axis=1)
    # Of errors the surest come first: many people of one mind. Of the rest the most divided.
    sure = np.where(worst > 0, -share * np.minimum(size, 20), share)
    return np.lexsort((ids, sure, first, -worst))


def _said(found: Evaluation, row: int, place: int, names: tuple[str, ...]) -> str:
    assert found.crowd is not None
    if found.crowd.judged.classifiers[place].scores is not None:
        number = float(found.crowd.numbers[row, place])
        return f"{number:g}" if np.isfinite(number) else names[-1]
    return names[int(found.crowd.answers[row, place])]


def _short(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"
