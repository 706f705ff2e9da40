"""Every predicted item, labelled or not: what the classifiers say is known before any label."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headcount.data import Predictions, Study
from headcount.data.classifier_answers import Settled, settle
from headcount.door import positions, texts, whole
from headcount.errors import UnanswerableError
from headcount.frozen import frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CLEARLY = 25.0
"""A χ² for each kind of items beyond which they were labelled unequally by choice, not chance."""
LABELLED_BY_CHOICE = (
    "Items on which classifiers differ were labelled more often than others: every kind of item "
    "was given its share of the predicted items back."
)


@frozen
class PredictedItems:
    """Ids (m,), `decisions` (m, C) and label `counts` so far (m, L), zeros where there are none."""

    items: NDArray[np.object_]
    decisions: Ints
    counts: Ints


def predicted_items(study: Study, names: Sequence[str]) -> PredictedItems:
    """Every item that all of the classifiers answered, with its labels so far."""
    chosen, kept, decisions = _answered(study, names, here=True)
    ids = texts(whole(chosen.table["headcount_item"]))
    counted = study.ratings.item_counts()
    rows = positions(ids, counted.items)
    counts = np.where(rows[:, None] >= 0, counted.counts[rows], 0)
    return PredictedItems(ids[kept], decisions[kept], counts[kept])


def predicted_decisions(study: Study, names: Sequence[str]) -> tuple[Ints, Ints]:
    """What all of the classifiers decided, (m, C), and on how many items each, (m,)."""
    chosen, kept, decisions = _answered(study, names)
    return decisions[kept], chosen.size[kept]


def _answered(
    study: Study, names: Sequence[str], *, here: bool = False
) -> tuple[Predictions, NDArray[np.bool_], Ints]:
    """The predictions, where every classifier answered, and what each decided, (m, C)."""
    if study.predictions is None:
        raise UnanswerableError("There are no predictions: add what the classifiers said.")
    chosen = (study.predictions.here() if here else study.predictions).select(names)
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


def who_agrees(decisions: Ints) -> Ints:
    """A number for who says the same as whom on each item, (n,): 0 where all do."""
    same = decisions[:, :, None] == decisions[:, None, :]
    first = same.argmax(axis=2)  # the first classifier that says the same as each
    return np.asarray(first @ (decisions.shape[1] ** np.arange(decisions.shape[1])))


def stratum_shares(
    labelled: Ints,
    everything: Ints,
    *,
    sizes: Ints | None = None,
    of_everything: Ints | None = None,
) -> Floats | None:
    """What each labelled item stands for, where items were labelled by who differs on them.

    `labelled` (n, C) and `everything` (m, C) are decisions, `sizes` (n,) and `of_everything` (m,)
    how many items a row stands for, one by default. Items on which classifiers differ
    are the ones to label, so they end up too many among the labelled: each kind of items (who
    agrees with whom) is given its share of the predicted ones back. None where the labelled
    items are as a random part would be.
    """
    kinds, of_all = np.unique(who_agrees(everything), return_inverse=True)
    of_labelled = np.searchsorted(kinds, who_agrees(labelled))
    sizes = np.ones(len(labelled), dtype=np.int64) if sizes is None else sizes
    if of_everything is None:
        of_everything = np.ones(len(everything), dtype=np.int64)
    there = np.bincount(of_all, weights=of_everything, minlength=len(kinds))
    seen = np.bincount(of_labelled, weights=sizes, minlength=len(kinds))
    expected = there * seen.sum() / there.sum()
    if sizes.sum() >= of_everything.sum() or ((seen - expected) ** 2 / expected).max() < CLEARLY:
        return None
    share = np.divide(there, seen, out=np.zeros_like(there), where=seen > 0)
    return np.asarray(share[of_labelled] / np.average(share[of_labelled], weights=sizes))
