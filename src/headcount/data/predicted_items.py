"""Every predicted item, labelled or not: what the classifiers say is known before any label."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from headcount.data.classifier_answers import Settled, settle
from headcount.door import positions, texts, whole
from headcount.errors import UnanswerableError
from headcount.frozen import frozen

if TYPE_CHECKING:
    from headcount.data.predictions import Predictions
    from headcount.data.study import Study

Ints = NDArray[np.int64]


@frozen
class PredictedItems:
    """Ids (m,), `decisions` (m, C) and label `counts` so far (m, L), zeros where there are none."""

    items: NDArray[np.object_]
    decisions: Ints
    counts: Ints


def predicted_items(study: "Study", names: Sequence[str]) -> PredictedItems:
    """Every item that all of the classifiers answered, with its labels so far."""
    chosen, kept, decisions = _answered(study, names, here=True)
    ids = texts(whole(chosen.table["headcount_item"]))
    counted = study.ratings.item_counts()
    rows = positions(ids, counted.items)
    counts = np.where(rows[:, None] >= 0, counted.counts[rows], 0)
    return PredictedItems(ids[kept], decisions[kept], counts[kept])


def predicted_decisions(study: "Study", names: Sequence[str]) -> tuple[Ints, Ints]:
    """What all of the classifiers decided, (m, C), and on how many items each, (m,)."""
    chosen, kept, decisions = _answered(study, names)
    return decisions[kept], chosen.size[kept]


def _answered(
    study: "Study", names: Sequence[str], *, here: bool = False
) -> "tuple[Predictions, NDArray[np.bool_], Ints]":
    """The predictions, where every classifier answered, and what each decided, (m, C)."""
    if study.predictions is None:
        raise UnanswerableError("There are no predictions: add what the classifiers said.")
    chosen = (study.predictions.here() if here else study.predictions).in_few_digits.select(names)
    positive = study.labels.positive(study.positive)
    settled = [settle(chosen, raw, study.labels, positive) for raw in chosen.classifiers]
    kept = np.logical_and.reduce([each.answered for each in settled])
    if study.unknown == "drop":
        kept &= ~np.logical_or.reduce([each.unknown for each in settled])
    return chosen, kept, np.column_stack([_decided(each) for each in settled])


def _decided(answers: Settled) -> Ints:
    if answers.codes is not None:
        return answers.codes
    assert answers.probabilities is not None
    return np.asarray(np.nan_to_num(answers.probabilities, nan=-1.0).argmax(axis=1))
