"""Which way a classifier's answers run: with people's, or against them."""

from collections.abc import Iterator

import numpy as np

from headcount.arrays import Floats, Ints
from headcount.data import Classifier, Judged, Nearness, Study
from headcount.results import Estimate
from headcount.sampling import Samples
from headcount.sampling.correlation import running_against


def turned_round(study: Study, samples: Samples, confidence: float) -> dict[str, Estimate]:
    """The classifiers whose answers run against people's, each with its correlation.

    On a scale numbers are correlated, elsewhere the labels: below nought a classifier agrees with
    people less often than chance would.
    """
    judged = study.judged if samples.by_row else study.groups
    found = {
        each.name: _against(study, judged, each, samples, confidence) for each in judged.classifiers
    }
    return {name: each for name, each in found.items() if each is not None}


def _against(
    study: Study, judged: Judged, classifier: Classifier, samples: Samples, confidence: float
) -> Estimate | None:
    nearness = study.nearness
    said = _said(classifier, nearness, judged.counts.shape[1])

    def without() -> Iterator[tuple[Floats, Floats, Floats]]:
        part, those = study.people(samples)
        items, of = (judged, said) if samples.part is None else _on_part(part, classifier, nearness)
        for counts in those.without(items.counts):
            yield _table(of, counts, items.size, nearness)

    return running_against(
        *_table(said, judged.counts, judged.size, nearness),
        plan=samples.plan,
        cluster=samples.cluster if samples.by_row else None,
        without=without,
        confidence=confidence,
    )


def _on_part(part: Study, classifier: Classifier, nearness: Nearness) -> tuple[Judged, Floats]:
    """The part of the items on which raters are left out, and what the classifier says there."""
    items = part.judged
    there = next(each for each in items.classifiers if each.name == classifier.name)
    return items, _said(there, nearness, items.counts.shape[1])


def _said(classifier: Classifier, nearness: Nearness, n_labels: int) -> Floats:
    """A classifier's answers (n, D): numbers on a scale, else a share for each label."""
    shares = classifier.probabilities
    if shares is None:
        codes = classifier.top()
        shares = (codes[:, None] == np.arange(n_labels)).astype(np.float64)
    if not nearness.has_order:
        return shares
    values = np.array(nearness.values)
    if classifier.scores is not None:
        return np.where(classifier.top() >= 0, classifier.scores, np.nan)[:, None]
    # An answer that is no label has no number; names have one there, which is nought for each.
    return np.where(shares.sum(axis=1) > 0, shares @ values, np.nan)[:, None]


def _table(
    said: Floats, counts: Ints, size: Ints, nearness: Nearness
) -> tuple[Floats, Floats, Floats]:
    """Answers, what people say, and how many items each row stands for; none without either."""
    number = counts.sum(axis=1)
    shares = counts / np.maximum(number, 1)[:, None]
    people = shares @ np.array(nearness.values)[:, None] if nearness.has_order else shares
    there = (number > 0) & np.isfinite(said).all(axis=1)
    return np.where(there[:, None], said, 0.0), people, np.where(there, size, 0).astype(np.float64)
