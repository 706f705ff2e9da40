"""Calibration, cross-fitted by item: probabilities that mean what raters then say.

A classifier is judged by how well it predicts raters, so its probabilities are fitted to the
raters' labels. No item helps to fit its own probabilities: items are dealt into folds, and
each fold is calibrated by a fit to the others.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headcount.data.isotonic import isotonic_knots
from headcount.data.judged import Classifier, Judged
from headcount.errors import OptionError, UnanswerableError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def calibrate(judged: Judged, *, folds: int = 10, seed: int = 0, keep: bool = True) -> Judged:
    """Each classifier calibrated to the raters' labels, named "… (calibrated)".

    Soft classifiers by isotonic regression on the items' label frequencies, weighted by
    their ratings (one label against the rest for more than two, then normalised); hard ones
    by how raters label the items that got the same answer. `keep` leaves the raw classifiers
    in, each before its calibrated self. Folds depend on the item ids and the seed, not on
    the order of rows; rows that stand for many items are divided among the folds.
    """
    _check(judged, folds)
    judged, fold = _dealt(judged, min(folds, judged.n_items), seed)
    classifiers: list[Classifier] = []
    for classifier in judged.classifiers:
        fitted = _cross_fitted(classifier, judged.counts, judged.size, fold)
        name = f"{classifier.name} (calibrated)"
        calibrated = replace(classifier, name=name, codes=None, probabilities=fitted)
        classifiers += [classifier, calibrated] if keep else [calibrated]
    return replace(judged, classifiers=tuple(classifiers))


def deal_folds(n_items: int, folds: int, seed: int) -> Ints:
    """A fold for each item, as even as can be, in random order."""
    return np.random.default_rng([seed, folds]).permutation(np.arange(n_items) % folds)


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


def answer_probabilities(training: Ints, target: Floats, weight: Floats, answers: Ints) -> Floats:
    """What raters say where a hard classifier gives each answer; overall where it never did."""
    overall = np.average(target, axis=0, weights=weight)
    fitted = np.tile(overall, (len(answers), 1))
    for answer in np.unique(answers):
        same = training == answer
        if weight[same].sum() > 0:
            fitted[answers == answer] = np.average(target[same], axis=0, weights=weight[same])
    return fitted


def _fit_one(x: Floats, y: Floats, weight: Floats, at: Floats) -> Floats:
    order = np.argsort(x, kind="stable")
    knots, fitted = isotonic_knots(x[order], y[order], weight[order])
    return np.interp(at, knots, fitted)


def _cross_fitted(classifier: Classifier, counts: Ints, size: Ints, fold: Ints) -> Floats:
    ratings = counts.sum(axis=1)
    target = counts / ratings[:, None]
    weight = (ratings * size).astype(np.float64)
    fitted = np.empty(counts.shape)
    for each in np.unique(fold):
        held = fold == each
        if classifier.probabilities is not None:
            outputs = classifier.probabilities
            fitted[held] = isotonic_probabilities(
                outputs[~held], target[~held], weight[~held], outputs[held]
            )
        else:
            answers = classifier.top()
            fitted[held] = answer_probabilities(
                answers[~held], target[~held], weight[~held], answers[held]
            )
    return fitted


def _dealt(judged: Judged, folds: int, seed: int) -> tuple[Judged, Ints]:
    """Rows and the fold of each; a row of many items becomes a row for each of its folds."""
    dealt = deal_folds(judged.n_items, folds, seed)
    if judged.items is not None:
        fold = np.empty_like(dealt)
        fold[np.argsort(judged.items.astype(str), kind="stable")] = dealt
        return judged, fold
    row = np.repeat(np.arange(len(judged.size)), judged.size)
    place, size = np.unique(row * folds + dealt, return_counts=True)
    return replace(judged.take(place // folds), size=size), place % folds


def _check(judged: Judged, folds: int) -> None:
    if isinstance(folds, bool) or folds != int(folds) or folds < 2:
        raise OptionError(f"folds is a whole number of at least 2; it was {folds!r}.")
    if judged.n_items < 2:
        raise UnanswerableError(
            "Calibration needs at least two items, since no item may help to calibrate itself."
        )
