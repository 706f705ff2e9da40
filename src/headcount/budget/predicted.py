"""Every predicted item, labelled or not: what the classifiers say is known before any label."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.data import Study
from headcount.data.classifier_answers import Settled, settle
from headcount.door import positions, texts, whole
from headcount.errors import UnanswerableError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CLEARLY = 25.0
"""A χ² for each kind of items beyond which they were labelled unequally by choice, not chance."""


@dataclass(frozen=True)
class PredictedItems:
    """Ids (m,), `decisions` (m, C) and label `counts` so far (m, L), zeros where there are none."""

    items: NDArray[np.object_]
    decisions: Ints
    counts: Ints


def predicted_items(study: Study, names: Sequence[str]) -> PredictedItems:
    """Every item that all of the classifiers answered, with its labels so far."""
    if study.predictions is None:
        raise UnanswerableError("There are no predictions: add what the classifiers said.")
    chosen = study.predictions.select(names)
    positive = study.labels.positive(study.positive)
    settled = [settle(chosen, raw, study.labels, positive) for raw in chosen.classifiers]
    kept = np.logical_and.reduce([each.answered for each in settled])
    if study.unknown == "drop":
        kept &= ~np.logical_or.reduce([each.unknown for each in settled])
    ids = texts(whole(chosen.table["headcount_item"]))
    counted = study.ratings.item_counts()
    rows = positions(ids, counted.items)
    counts = np.where(rows[:, None] >= 0, counted.counts[rows], 0)
    decisions = np.column_stack([_decided(each) for each in settled])
    return PredictedItems(ids[kept], decisions[kept], counts[kept])


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


def stratum_shares(labelled: Ints, everything: Ints) -> Floats | None:
    """What each labelled item stands for, where items were labelled by who differs on them.

    `labelled` (n, C) and `everything` (m, C) are decisions. Items on which classifiers differ
    are the ones to label, so they end up too many among the labelled: each kind of items (who
    agrees with whom) is given its share of the predicted ones back. None where the labelled
    items are as a random part would be.
    """
    kinds, of_all = np.unique(who_agrees(everything), return_inverse=True)
    of_labelled = np.searchsorted(kinds, who_agrees(labelled))
    there = np.bincount(of_all, minlength=len(kinds)).astype(float)
    seen = np.bincount(of_labelled, minlength=len(kinds)).astype(float)
    expected = there * seen.sum() / there.sum()
    if len(labelled) >= len(everything) or ((seen - expected) ** 2 / expected).max() < CLEARLY:
        return None
    share = np.divide(there, seen, out=np.zeros_like(there), where=seen > 0)
    return np.asarray(share[of_labelled] / share[of_labelled].mean())
