"""The curve and the classifiers without each rater: what counting raters as a sample needs."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from headcount.data import Judged
from headcount.equivalence.measure import measure, scored_classifiers
from headcount.equivalence.question import Question
from headcount.results import no_progress
from headcount.stats import Samples
from headcount.stats.crossing import extended

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Without each rater, or each group of raters: `curve` (J, K) and `scores` (J, C).

    A table with a rater fewer has a survey size fewer: its last point is the whole table's
    last step, in proportion.
    """

    curve: Floats
    scores: Floats


def without_each(
    question: Question, samples: Samples, judged: Judged, curve: Floats
) -> LeftOut | None:
    """The curve and the scores of the `judged` items (a row each) without each rater.

    What classifiers say stays as it is, calibrated or given; the combiner learns anew. None
    where raters are not taken as a sample. `curve` (K,) is that of the whole table.
    """
    if not samples.plan.counts_raters:
        return None
    held_out, most = question.options.reference_raters, len(curve) - 1
    spare = int(judged.counts.sum(axis=1).min()) > most + held_out
    shorter = most if spare else most - 1
    once = replace(question, options=replace(question.options, n_bootstrap=0), progress=no_progress)
    curves, scores = [], []
    for counts in samples.without(judged.counts):
        enough = counts.sum(axis=1) >= max(shorter, 0) + held_out
        if enough.sum() < 2:
            curves.append(np.full(shorter + 1, np.nan))
            scores.append(np.full(len(judged.classifiers), np.nan))
            continue
        left = replace(judged, counts=counts).take(enough)
        found = measure(
            once,
            left.counts,
            left.size,
            shorter,
            classifiers=scored_classifiers(once, left),
        )
        curves.append(found.curve.scores)
        scores.append(np.array([each[0] for each in found.scores]))
    return LeftOut(extended(np.array(curves), curve), np.array(scores))
