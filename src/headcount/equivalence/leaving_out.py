"""The curve and the classifiers without each rater: what counting raters as a sample needs."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headcount.data import Judged, group_rows
from headcount.equivalence.combiners import AnonymousBayes
from headcount.equivalence.measure import Measured, measure, scored_classifiers
from headcount.equivalence.question import Question
from headcount.frozen import frozen
from headcount.population.surveys import count_surveys
from headcount.results import no_progress
from headcount.sampling import Samples
from headcount.sampling.crossing import extended
from headcount.sampling.recentred import recentred

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_MOST_SURVEYS = 20_000_000
"""(Pattern, survey) pairs of all tables without a rater; past them curves are carried on."""

_FAR = 20
"""Raters past which curves without one are carried on too: there one more hardly tells."""

_FEW_ALIKE = 4
"""Items a group from which on it pays to group them anew without each rater."""


@frozen(eq=False)
class LeftOut:
    """Without each rater, or each group of raters: `curve` (J, K) and `scores` (J, C).

    A table with a rater fewer has a survey size fewer: its last point is the whole table's
    last step, in proportion.
    """

    curve: Floats
    scores: Floats


def without_each(
    question: Question,
    samples: Samples,
    judged: Judged,
    curve: Floats,
    scores: Floats | None = None,
) -> LeftOut | None:
    """The curve and the scores of the `judged` items (a row each) without each rater.

    What classifiers say stays as it is, calibrated or given. Where the combiner is fitted, or
    left open, tables with a rater left out are surveyed by abc, which is quick, and set off by
    what the two differ on the whole table. None where raters are not taken as a sample. `curve`
    (K,) is that of the whole table, `scores` (C,) are the classifiers' where `judged` is a part of
    the items: what is found on the part is moved to these.
    """
    if not samples.plan.counts_raters or not question.options.n_bootstrap:
        return None
    once = quick(question)
    upto = affordable(judged.counts, len(curve) - 1, len(samples.left_out))
    held_out = question.options.reference_raters
    spare = int(judged.counts.sum(axis=1).min()) > upto + held_out
    shorter = upto if spare else upto - 1
    said = _alike(judged)
    everyone = _measured(once, judged, max(shorter, 0))
    whole = everyone.curve.scores
    offset = curve[: len(whole)] - whole
    curves, found_scores = [], []
    for counts in samples.without(judged.counts):
        enough = counts.sum(axis=1) >= max(shorter, 0) + held_out
        if enough.sum() < 2:
            curves.append(np.full(len(whole), np.nan))
            found_scores.append(np.full(len(judged.classifiers), np.nan))
            continue
        left = _grouped(replace(judged, counts=counts), enough, said)
        found = _measured(once, left, max(shorter, 0))
        curves.append(found.curve.scores + offset)
        found_scores.append(_values(found))
    told = np.array(found_scores)
    if scores is not None:
        told = recentred(told, _values(everyone), scores)
    return LeftOut(extended(np.array(curves), curve), told)


def _alike(judged: Judged) -> list[Ints] | None:
    """What classifiers say of each item, as codes (n,); None where hardly two items are alike.

    What is alike is scored once: nearly all of it where classifiers give labels, hardly any
    where they give probabilities with every digit.
    """
    said = [group_rows(each.outputs()).of_row for each in judged.classifiers]
    alike = len(group_rows(judged.counts, *said)) * _FEW_ALIKE < judged.n_items
    return said if alike else None


def _grouped(judged: Judged, enough: NDArray[np.bool_], said: list[Ints] | None) -> Judged:
    """The items with enough ratings, those alike in one row where many are."""
    if said is None:
        return judged.take(enough)
    if enough.all():
        groups = group_rows(judged.counts, *said)
        return replace(judged.take(groups.first), size=groups.size)
    groups = group_rows(judged.counts[enough], *(each[enough] for each in said))
    rows = np.flatnonzero(enough)[groups.first]
    return replace(judged.take(rows), size=groups.size)


def _values(found: Measured) -> Floats:
    """The classifiers' scores (C,)."""
    return np.array([each[0] for each in found.scores])


def quick(question: Question) -> Question:
    """The same question without samples, and with a combiner that learns in no time."""
    options = replace(question.options, n_bootstrap=0)
    once = replace(question, options=options, progress=no_progress)
    if question.chooses or question.combiner.name == "fitted":
        once = replace(once, combiner=AnonymousBayes(), chooses=False)
    return once


def _measured(question: Question, judged: Judged, most: int) -> Measured:
    return measure(
        question,
        judged.counts,
        judged.size,
        most,
        classifiers=scored_classifiers(question, judged),
    )


def affordable(counts: Ints, most: int, tables: int) -> int:
    """The largest survey up to which every table is surveyed."""
    patterns = group_rows(counts)
    pairs = count_surveys(counts[patterns.first], most).sum(axis=0).cumsum() * tables
    affordable = int(np.searchsorted(pairs, _MOST_SURVEYS, side="right")) - 1
    return max(min(affordable, _FAR), min(most, 1))
