"""Calibration, cross-fitted by item: probabilities that mean what raters then say.

A classifier is judged by how well it predicts raters, so its probabilities are fitted to the
raters' labels. No item helps to fit its own probabilities: items are dealt into folds, and
each fold is calibrated by a fit to the others.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.counting import group_rows
from headcount.data.folds import deal_rows
from headcount.data.judged import Classifier, Judged
from headcount.errors import OptionError, UnanswerableError


def calibrate(
    judged: Judged,
    *,
    ordered: bool = False,
    folds: int = 10,
    seed: int = 0,
    keep: bool = True,
    people: Callable[[Ints], Floats] | None = None,
) -> Judged:
    """Each classifier calibrated to the raters' labels: under its name, `reading="calibrated"`.

    Soft classifiers by isotonic regression on the items' label frequencies, weighted by
    their ratings (one label against the rest for more than two, then normalised); hard ones
    by how raters label the items that got the same answer. Where labels are `ordered`, soft ones
    and those that answer between the levels are fitted cut by cut: what share of raters stays at
    or below each level is made a rising function of what the classifier says of that cut, or a
    falling one of its number. `keep` leaves each classifier as
    given in, before its calibrated self. Items are dealt into folds for each classifier by
    itself, by what it and the raters said and by the seed: neither the order of rows or labels
    nor what other classifiers said matters. Rows of many items become a row for each fold.
    `people` tells how much each label of an item counts, where not every rating does the same.
    """
    _check(judged, folds)
    judged, dealt = deal_rows(judged, min(folds, judged.n_items), seed)
    said = judged.counts if people is None else people(judged.counts)
    classifiers: list[Classifier] = []
    for classifier, fold in zip(judged.classifiers, dealt, strict=True):
        fitted = _cross_fitted(classifier, said, judged.size, fold, ordered=ordered)
        calibrated = replace(
            classifier, codes=None, scores=None, probabilities=fitted, reading="calibrated"
        )
        classifiers += [classifier, calibrated] if keep else [calibrated]
    return replace(judged, classifiers=tuple(classifiers))


def isotonic_probabilities(
    training: Floats, target: Floats, weight: Floats, outputs: Floats
) -> Floats:
    """Outputs (m, L) calibrated by a fit of `training` (n, L) to label shares `target` (n, L)."""
    n_labels = target.shape[1]
    if n_labels == 2:
        positive = _fit_one(training[:, 1], target[:, 1], weight, outputs[:, 1])
        return np.column_stack([1 - positive, positive])
    fitted = np.column_stack(
        [
            _fit_one(training[:, label], target[:, label], weight, outputs[:, label])
            for label in range(n_labels)
        ]
    )
    total = fitted.sum(axis=1, keepdims=True)
    overall = np.average(target, axis=0, weights=weight)
    # Where every label is fitted to nothing, what is known is how often each one is given.
    return np.where(total > 0, fitted / np.where(total > 0, total, 1), overall)


def cut_probabilities(training: Floats, target: Floats, weight: Floats, outputs: Floats) -> Floats:
    """Outputs (m, L − 1) calibrated cut by cut to shares `target` (n, L) of ordered labels.

    Column j of `training` (n, L − 1) rises with the share of ratings at or below level j. Shares
    of neighbouring cuts that cross are levelled.
    """
    below = np.cumsum(target, axis=1)
    cuts = np.column_stack(
        [
            _fit_one(training[:, cut], below[:, cut], weight, outputs[:, cut])
            for cut in range(target.shape[1] - 1)
        ]
    )
    rising = np.maximum.accumulate(cuts, axis=1)
    edges = np.column_stack([np.zeros(len(rising)), rising, np.ones(len(rising))])
    return np.diff(edges, axis=1)


def answer_probabilities(
    answers: Ints, counts: NDArray[np.number], size: Ints, fold: Ints
) -> Floats:
    """What raters say in the other folds where a hard classifier gives the same answer, (n, L).

    Overall where it never gave that answer there. Ratings are counted once for all folds, and
    those of an item's own fold taken off.
    """
    cells = group_rows(fold, answers)
    inside = cells.gather((counts * size[:, None]).T).T
    outside = _summed(inside, answers[cells.first]) - inside
    everyone = inside.sum(axis=0) - _summed(inside, fold[cells.first])
    total = outside.sum(axis=1, keepdims=True)
    overall = everyone / everyone.sum(axis=1, keepdims=True)
    shares = np.where(total > 0, outside / np.where(total > 0, total, 1), overall)
    found: Floats = shares[cells.of_row]
    return found


def _summed(rows: NDArray[np.number], key: Ints) -> NDArray[np.number]:
    """For each row the sum of all rows with the same key."""
    alike = group_rows(key)
    return alike.gather(rows.T).T[alike.of_row]


def isotonic_knots(x: Floats, y: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """The rising function nearest to y in weighted squares, at the distinct values of x.

    `x` must be sorted; equal values of it are pooled first. Between knots the function is
    meant to be straight and beyond them level, as `numpy.interp` reads it.
    """
    from scipy.optimize import isotonic_regression  # slow to load

    start = np.flatnonzero(np.r_[True, x[1:] != x[:-1]])
    total = np.add.reduceat(weight, start)
    held = total > 0
    means = np.add.reduceat(weight * y, start)[held] / total[held]
    if len(means) == 0:
        return x[start][held], means
    return x[start][held], np.asarray(isotonic_regression(means, weights=total[held]).x)


def _fit_one(x: Floats, y: Floats, weight: Floats, at: Floats) -> Floats:
    order = np.argsort(x, kind="stable")
    knots, fitted = isotonic_knots(x[order], y[order], weight[order])
    return np.interp(at, knots, fitted)


def _cross_fitted(
    classifier: Classifier, counts: NDArray[np.number], size: Ints, fold: Ints, *, ordered: bool
) -> Floats:
    way = _way_to_fit(classifier, counts.shape[1], ordered=ordered)
    if way is None:
        return answer_probabilities(classifier.top(), counts, size, fold)
    fit, outputs = way
    ratings = counts.sum(axis=1)
    target = counts / ratings[:, None]
    weight = (ratings * size).astype(np.float64)
    fitted = np.empty(counts.shape)
    for each in np.unique(fold):
        held = fold == each
        fitted[held] = fit(outputs[~held], target[~held], weight[~held], outputs[held])
    return fitted


def _way_to_fit(
    classifier: Classifier, n_labels: int, *, ordered: bool
) -> tuple[Callable[..., Floats], NDArray[Any]] | None:
    """How a classifier is fitted, and what of its outputs is; None where only answers count."""
    probabilities, scores = classifier.probabilities, classifier.scores
    if probabilities is not None and not ordered:
        return isotonic_probabilities, probabilities
    if probabilities is not None:
        return cut_probabilities, np.cumsum(probabilities, axis=1)[:, :-1]
    if scores is not None and ordered and (classifier.top() >= 0).all():
        return cut_probabilities, np.repeat(-scores[:, None], n_labels - 1, axis=1)
    return None


def _check(judged: Judged, folds: int) -> None:
    if isinstance(folds, bool) or folds != int(folds) or folds < 2:
        raise OptionError(f"folds is a whole number of at least 2; it was {folds!r}.")
    if judged.n_items < 2:
        raise UnanswerableError(
            "Calibration needs at least two items, since no item may help to calibrate itself."
        )
