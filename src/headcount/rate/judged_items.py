"""What a true rate is made from: people's ratings and judges' answers as numbers, and parts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import Labels, Settled, Study, settle, values_by_item
from headcount.door import positions
from headcount.errors import InputError, OptionError
from headcount.frozen import frozen
from headcount.options import RateOptions
from headcount.results import count

Names = NDArray[np.object_]

# Ratings past which it is not looked at who gave them.
MOST_RATINGS = 10_000_000


@frozen
class Said:
    """People's ratings as numbers (R,): of which item (R,), by whom (R,) where they have names.

    `weight` (R,) is how much each counts within its item, where not all alike. `items` (n,) are
    the rated items' names, which `item` counts in; `cluster` (R,) is the cluster of each rating's
    item where items have one; `share` says whether ratings are 1 for X and 0 for anything else, or
    scores.
    """

    value: Floats
    item: Ints
    rater: Ints | None
    cluster: Ints | None
    items: Names
    share: bool
    weight: Floats | None = None

    @property
    def n_items(self) -> int:
        """How many items people rated."""
        return len(self.items)

    def on(self, items: Names) -> "Said":
        """The ratings of these items alone, counted in them."""
        item = positions(self.items, items)[self.item]
        kept = item >= 0
        return replace(
            self,
            value=self.value[kept],
            item=item[kept],
            rater=None if self.rater is None else self.rater[kept],
            cluster=None if self.cluster is None else self.cluster[kept],
            items=items,
            weight=None if self.weight is None else self.weight[kept],
        )


@frozen
class Judge:
    """One judge's answers as numbers, `value` (N,), about `items` (N,); for a share also as 0 or
    1 for what it decides.
    """

    name: str
    items: Names
    value: Floats
    decided: Floats
    notes: tuple[str, ...]


def target_label(study: Study, of: str | None, positive: str | None) -> int | None:
    """The code of the label asked for; None for the mean score."""
    labels = study.labels
    if of is not None:
        code = labels.code(of)
        if code < 0:
            raise OptionError(f"of={of!r} is not one of the labels ({labels.listing()}): name one.")
        return code
    is_score = study.scale.has_order and labels.values is not None and labels.n > 2
    if is_score and positive is None:
        return None
    return labels.positive(positive)


def said_by_people(study: Study, target: int | None) -> Said:
    """Every rating as a number: 1 for the label asked for, or the score it is."""
    ratings = study.ratings
    rater: Ints | None = None
    if ratings.named and ratings.n_ratings <= MOST_RATINGS:
        first = ratings.answers().first()
        item, rater, label, items = first.item, first.rater, first.label, first.items
    else:
        counted = ratings.item_counts()
        place, code = np.nonzero(counted.counts)
        times = counted.counts[place, code]
        item, label, items = np.repeat(place, times), np.repeat(code, times), counted.items
    cluster, weight = _clusters(study, items), _weights(study, item, label, items)
    of_rating = None if cluster is None else cluster[item]
    if target is not None:
        said = (label == target).astype(float)
        return Said(said, item, rater, of_rating, items, share=True, weight=weight)
    assert study.labels.values is not None
    value = study.labels.values[label]
    return Said(value, item, rater, of_rating, items, share=False, weight=weight)


def _weights(study: Study, item: Ints, label: Ints, items: Names) -> Floats | None:
    """How much each rating counts where only an item's first ones are like people's, (R,)."""
    first = study.design.first_answers
    if first is None:
        return None
    counts = np.zeros((len(items), study.labels.n), dtype=np.int64)
    np.add.at(counts, (item, label), 1)
    share = first.shares(counts)
    weight: Floats = share[item, label] / counts[item, label]
    return weight


def _clusters(study: Study, items: Names) -> Ints | None:
    """The cluster of each rated item, as codes; None where items have none."""
    if "cluster" not in study.ratings.layout.of_items:
        return None
    column = study.ratings.item_columns()["cluster"]
    place = positions(items, study.ratings.item_counts().items)
    codes: Ints = column.code[place]
    return codes


def judge_answers(study: Study, target: int | None, options: RateOptions) -> tuple[Judge, ...]:
    """Every judge's answers on all the items it answered."""
    predictions, labels = study.predictions, study.labels
    assert predictions is not None
    predictions = predictions.here()
    ids = np.array(predictions.ids.to_pylist(), dtype=object)
    positive = labels.positive(options.positive)
    found = []
    for raw in predictions.classifiers:
        settled = settle(predictions, raw, labels, positive)
        rows = np.flatnonzero(_answered(settled, labels, target, options.unknown))
        value, decided = _numbers(settled, labels.values, target)
        found.append(Judge(settled.name, ids[rows], value[rows], decided[rows], settled.notes))
    return tuple(found)


def parts_of_items(study: Study, given: Any) -> dict[str, str]:
    """Which part each item is in: from a slice of the ratings by name, a mapping, file or frame."""
    if not isinstance(given, str) or Path(given).is_file():
        return values_by_item(given, "slice")
    known = slices_of_ratings(study)
    if given not in known:
        listed = ", ".join(known) or "none"
        raise OptionError(
            f"{given!r} is no file and no slice that the ratings were read with (there are: "
            f"{listed}): give a mapping of items to parts, or a file with item and slice."
        )
    return known[given]


def slices_of_ratings(study: Study) -> dict[str, dict[str, str]]:
    """The slices that the ratings were read with: each item's part, also of items unrated."""
    layout = study.ratings.layout
    if not layout.slices:
        return {}
    table = study.ratings.reductions.item_columns()
    items = table["item"].to_pylist()
    places = {role: f"i{place}" for place, role in enumerate(layout.of_items)}
    return {
        name: {
            str(item): str(part)
            for item, part in zip(items, table[places[name]].to_pylist(), strict=True)
            if part not in (None, "")
        }
        for name in layout.slices
    }


def coded(by_item: dict[str, str], items: Names, nothing: str | None) -> tuple[list[str], Ints]:
    """The parts in order and each item's code; −1 without a part, unless that has a name."""
    texts = [by_item.get(str(item), nothing) for item in items]
    names = sorted({text for text in texts if text is not None})
    place = {name: code for code, name in enumerate(names)}
    return names, np.array([-1 if text is None else place[text] for text in texts], dtype=np.int64)


def _answered(
    settled: Settled, labels: Labels, target: int | None, unknown: str
) -> NDArray[np.bool_]:
    """Which answers count; those outside the labels as the user chose."""
    if target is None and settled.scores is not None:
        return settled.answered
    strange = settled.answered & settled.unknown
    if strange.any() and unknown == "error":
        n = int(strange.sum())
        raise InputError(
            f"{settled.name!r} gave "
            f"{count(n, 'answer that is not a label', 'answers that are not labels')}, such as "
            f'{settled.example!r} (labels: {labels.listing()}): choose unknown="wrong" to count '
            'them as another label or unknown="drop" to leave those items out (--unknown).'
        )
    leave_out = unknown == "drop" or target is None
    counted: NDArray[np.bool_] = settled.answered & ~strange if leave_out else settled.answered
    return counted


def _numbers(settled: Settled, values: Floats | None, target: int | None) -> tuple[Floats, Floats]:
    """A judge's answers as numbers, and 0 or 1 for what it decides (the same for scores)."""
    if settled.probabilities is not None:
        filled = np.nan_to_num(settled.probabilities)
        if target is not None:
            return filled[:, target], (filled.argmax(axis=1) == target).astype(float)
        assert values is not None
        return filled @ values, filled @ values
    assert settled.codes is not None
    if target is not None:
        said = (settled.codes == target).astype(float)
        return said, said
    assert values is not None
    scores = values[settled.codes] if settled.scores is None else settled.scores
    return scores, scores
