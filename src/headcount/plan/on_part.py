"""How much raters differ, from a part of the items, where all have too many answers to look at."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headcount.data import Study
from headcount.plan.evidence import Evidence, evidence
from headcount.plan.predicted import predicted_decisions, stratum_shares

Ints = NDArray[np.int64]


def raters_on_part(
    found: Evidence, study: Study, names: Sequence[str], *, weigh: str, reweighted: bool
) -> Evidence:
    """The moments of a pilot, raters told by the part of its items that was drawn by a hash.

    `found` are those over all items; `reweighted` says that kinds of items were given their share
    of the predicted ones back, which is then done on the part too. What a rater's labels are
    expected to be in number is that of all items.
    """
    part = study.part
    if part is None or part.named is None:
        return found
    known = {each.name: each.top() for each in part.judged.classifiers}
    decisions = np.column_stack([known[name] for name in names])
    share = None
    if reweighted:
        everything, sizes = predicted_decisions(study, names)
        share = stratum_shares(decisions, everything, of_everything=sizes)
    some = evidence(part.judged.counts, decisions, named=part.named, weigh=weigh, share=share)
    times = study.ratings.n_ratings / max(part.ratings.n_ratings, 1)
    return replace(
        found,
        over_raters=some.over_raters,
        rater=some.rater,
        labels_a_rater=some.labels_a_rater * times,
        few_raters=some.few_raters,
        n_raters=some.n_raters,
    )


def told_of_part(study: Study) -> str:
    """That raters were looked at on a part of the items, or why not at all."""
    if study.part is None:
        return "There are too many answers to look at who gave them."
    return (
        f"How much raters differ was told by {study.part.judged.n_items:,} of the "
        f"{study.ratings.n_items:,} items, drawn by a hash of their ids."
    )
