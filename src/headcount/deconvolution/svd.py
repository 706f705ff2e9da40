"""Slip rates where nobody was asked twice: how often a model of each rater is wrong.

A matrix factorisation of items × raters predicts what each rater would say from what similar
raters said. Where it fits, its errors are answers that the rater would not usually give.
"""

import importlib
from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import Answers
from headcount.deconvolution.slips import Trials
from headcount.errors import MissingExtraError, UnanswerableError
from headcount.frozen import frozen
from headcount.results import Progress, no_progress

# Sizes of the model of raters, tried as in the paper's code.
FACTORS = (5, 20, 50)

# Rounds of fitting, tried with each of them.
EPOCHS = (20, 50, 100)

# Ratings held out to choose among these, and on which slips are then read off.
VALIDATION_SHARE = 0.2

# With fewer, ten are held out at most, and a rate from ten answers is no rate.
LEAST_RATINGS = 50

# Predictions made at once: 20 MB of factors.
_AT_A_TIME = 500_000


@frozen
class Factorisation:
    """The chosen model and its evidence about slips.

    `trials` are the training ratings, an event where the model gets one wrong.
    `baseline` is the accuracy, on the same validation ratings, of the item's majority among
    the training ratings: what the model has to reach to know anything about raters.
    """

    trials: Trials
    factors: int
    epochs: int
    training_accuracy: float
    validation_accuracy: float
    baseline: float


def factorise(
    answers: Answers, n_labels: int, *, seed: int = 0, progress: Progress = no_progress
) -> Factorisation:
    """Choose factors and epochs on a 20 % validation split; keep the errors on the rest.

    Each label is fitted as said or not said and the largest value is the prediction, so the
    order of the labels plays no part. The training error is what counts: the validation
    error also holds what the model could not learn from too few ratings.
    """
    surprise = _surprise()
    first = answers.first()
    n = len(first.label)
    if len(answers.raters) < 2 or n < LEAST_RATINGS:
        raise UnanswerableError(
            f"{n:,} ratings by {len(answers.raters):,} named raters are too few for matrix "
            f"factorisation, which needs {LEAST_RATINGS} ratings by two raters at least: "
            "give a flip rate, or ask some raters twice."
        )
    order = np.random.default_rng([seed, 4]).permutation(n)
    held_out = np.zeros(n, dtype=bool)
    held_out[order[: max(int(n * VALIDATION_SHARE), 1)]] = True
    train = ~held_out
    trainsets = _trainsets(surprise, first, train, n_labels)
    grid = list(product(FACTORS, EPOCHS))
    steps: Iterable[tuple[int, int]] = progress(
        grid, total=len(grid), description="Fitting matrix factorisations"
    )
    best: tuple[float, tuple[int, int], NDArray[np.bool_]] | None = None
    for factors, epochs in steps:
        model = surprise.SVD(n_factors=factors, n_epochs=epochs, random_state=seed)
        right = _predictions(model, trainsets, first, n_labels) == first.label
        accuracy = float(right[held_out].mean())
        # Of equally good models the first and smallest stays: the grid runs upwards.
        if best is None or accuracy > best[0] + 1e-12:
            best = (accuracy, (factors, epochs), right)
    assert best is not None
    validation, (factors, epochs), right = best
    wrong = (~right[train]).astype(np.float64)
    return Factorisation(
        Trials(
            first.item[train], first.rater[train], first.label[train], wrong, np.ones(len(wrong))
        ),
        factors,
        epochs,
        float(right[train].mean()),
        validation,
        _majority_accuracy(first, held_out, n_labels),
    )


def _trainsets(
    surprise: Any, first: Answers, train: NDArray[np.bool_], n_labels: int
) -> dict[int, Any]:
    """For each label to be fitted, the training ratings as said (1) or not said (0)."""
    data = surprise.Dataset(surprise.Reader(rating_scale=(0, 1)))
    item, rater, label = (
        column[train].tolist() for column in (first.item, first.rater, first.label)
    )
    trainsets = {}
    # Two labels mirror each other: one fit says it all.
    for code in range(1, 2) if n_labels == 2 else range(n_labels):
        rows = [
            (who, what, float(given == code), None)
            for who, what, given in zip(rater, item, label, strict=True)
        ]
        trainset = data.construct_trainset(rows)
        # Surprise walks its dictionaries anew in every epoch, which costs more than the
        # fitting itself: hand it the same ratings in the same order, listed once.
        trainset.all_ratings = list(trainset.all_ratings()).__iter__
        trainsets[code] = trainset
    return trainsets


def _predictions(model: Any, trainsets: dict[int, Any], first: Answers, n_labels: int) -> Ints:
    """What the model says for every rating once it is trained."""
    values = np.empty((len(first.label), n_labels))
    for code, trainset in trainsets.items():
        model.fit(trainset)
        values[:, code] = _estimates(model, trainset, first)
    if n_labels == 2:
        values[:, 0] = 1 - values[:, 1]
    said: Ints = values.argmax(axis=1)
    return said


def _estimates(model: Any, trainset: Any, first: Answers) -> Floats:
    """The fitted value of every rating: all of them at once, an unseen rater or item adds 0."""
    user = _positions(len(first.raters), trainset.to_inner_uid, trainset.n_users)
    item = _positions(len(first.items), trainset.to_inner_iid, trainset.n_items)
    u, i = user[first.rater], item[first.item]
    user_bias, item_bias = np.append(model.bu, 0.0), np.append(model.bi, 0.0)
    user_factor = np.vstack([model.pu, np.zeros(model.n_factors)])
    item_factor = np.vstack([model.qi, np.zeros(model.n_factors)])
    estimates: Floats = trainset.global_mean + user_bias[u] + item_bias[i]
    for start in range(0, len(u), _AT_A_TIME):
        now = slice(start, start + _AT_A_TIME)
        estimates[now] += np.einsum("rf,rf->r", user_factor[u[now]], item_factor[i[now]])
    return estimates


def _positions(count: int, position: Any, unseen: int) -> Ints:
    """The model's own position of each code; codes it never saw share the place after the last."""
    found = np.full(count, unseen, dtype=np.int64)
    for code in range(count):
        try:
            found[code] = position(code)
        except ValueError:
            continue
    return found


def _majority_accuracy(first: Answers, held_out: NDArray[np.bool_], n_labels: int) -> float:
    """How often the majority of an item's other ratings (first of equals) is the held-out one."""
    counts = np.zeros((len(first.items), n_labels))
    np.add.at(counts, (first.item[~held_out], first.label[~held_out]), 1)
    overall = counts.sum(axis=0).argmax()
    majority = np.where(counts.any(axis=1), counts.argmax(axis=1), overall)
    return float((majority[first.item[held_out]] == first.label[held_out]).mean())


def _surprise() -> Any:
    try:
        return importlib.import_module("surprise")
    except ImportError as error:
        raise MissingExtraError(
            "Flip rates by matrix factorisation need scikit-surprise, which is not installed: "
            "pip install 'headcount[svd]', or give a flip rate such as flip_rate=0.1."
        ) from error
