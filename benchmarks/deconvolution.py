"""Adjusted scores with intervals, against drawing test sets and scoring them one by one.

The usual way to a disagreement-adjusted score is the paper's: draw ten primary labels an item and
hand the drawn rows to scikit-learn's scorers; a bootstrap repeats that for each sample of items.
The peer here is that loop, given the primary labels (its deconvolution costs nothing), timed for
a few samples. Matrix factorisation is timed against the same fits by Surprise on its own.
"""

import itertools
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from sklearn import metrics

import headcount as hc
from benchmarks.row import Row, processor
from headcount.data import judge
from headcount.deconvolution.slips import draw_codes
from headcount.deconvolution.svd import EPOCHS, FACTORS

DATA = Path(os.environ.get("HEADCOUNT_DATA", Path(__file__).parents[2] / "shared" / "data"))
_SAMPLES, _PEER_SAMPLES = 200, 2


def run() -> list[Row]:
    """CIFAR-10H where it is in reach, simulated comments, and one grid of factorisations."""
    return [*_cifar(), _comments(), _factorisation()]


def _cifar() -> list[Row]:
    folder = DATA / "cifar10h"
    if not folder.is_dir():
        return []
    ratings = hc.Ratings.read(folder / "counts.csv")
    predictions = hc.Predictions.read(folder / "predictions.csv.gz")
    work = "CIFAR-10H, 2 networks + oracles, 6 scorers, 200 samples"
    return [_scores(work, ratings, predictions, limit=5.0)]


def _comments() -> Row:
    from headcount.simulate import make

    data = make("comments", items=5_000, seed=0)
    work = "5,000 comments, 3 classifiers + oracles, 6 scorers, 200 samples"
    return _scores(work, data.ratings, data.predictions)


def _scores(
    work: str, ratings: hc.Ratings, predictions: hc.Predictions, limit: float | None = None
) -> Row:
    ratings.item_counts()

    def ours() -> Any:
        labels = hc.deconvolve(ratings, flip_rate=0.1, n_bootstrap=_SAMPLES)
        return labels.score(predictions, None)

    seconds = processor(ours)
    labels = hc.deconvolve(ratings, flip_rate=0.1, n_bootstrap=0)
    judged = judge(ratings, predictions)
    peer = processor(lambda: _by_drawing(labels.shares, labels.primary, judged.classifiers))
    return Row(
        work,
        seconds,
        peer="scikit-learn on drawn labels",
        peer_seconds=peer * _SAMPLES / _PEER_SAMPLES,
        limit=limit,
        note=f"peer timed for {_PEER_SAMPLES} samples and scaled to {_SAMPLES}",
    )


def _by_drawing(shares: np.ndarray, primary: np.ndarray, classifiers: Any) -> None:
    """Aggregated, raw and adjusted scores of every classifier in a few samples of the items."""
    rng = np.random.default_rng(0)
    for sample in range(_PEER_SAMPLES):
        rows = rng.integers(0, len(primary), len(primary))
        views = (
            shares[rows].argmax(axis=1)[:, None],
            draw_codes(shares[rows], 10, sample),
            draw_codes(primary[rows], 10, sample),
        )
        for codes, classifier in itertools.product(views, classifiers):
            chosen = classifier.take(np.repeat(rows, codes.shape[1]))
            _all_metrics(codes.ravel(), chosen, primary.shape[1])


def _all_metrics(truth: np.ndarray, classifier: Any, n_labels: int) -> None:
    guess = classifier.top()
    soft = classifier.probabilities
    if soft is None:
        soft = np.eye(n_labels)[guess]
    two = n_labels == 2
    average = "binary" if two else "macro"
    options: dict[str, Any] = {} if two else {"multi_class": "ovr", "labels": range(n_labels)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        metrics.accuracy_score(truth, guess)
        metrics.precision_score(truth, guess, average=average, zero_division=0)
        metrics.recall_score(truth, guess, average=average, zero_division=0)
        metrics.f1_score(truth, guess, average=average, zero_division=0)
        metrics.roc_auc_score(truth, soft[:, 1] if two else soft, **options)
        metrics.log_loss(truth, np.clip(soft, 0.02, 1), labels=range(n_labels))


def _factorisation() -> Row:
    """Flip rates by matrix factorisation of 20,000 ratings, the whole grid."""
    rng = np.random.default_rng(0)
    item, rater = (each.ravel() for each in np.indices((2_000, 10)))
    label = np.where(rng.random(len(item)) < 0.1, 1, 0) ^ (item % 2)
    frame = pa.table(
        {"item": item.astype(str), "rater": rater.astype(str), "label": label.astype(str)}
    )
    ratings = hc.Ratings.from_frame(frame)
    seconds = processor(lambda: hc.deconvolve(ratings, flip_rate="svd", n_bootstrap=0))
    rows = list(zip(rater.tolist(), item.tolist(), label.astype(float).tolist(), strict=True))
    peer = processor(lambda: _surprise_alone(rows))
    return Row(
        "flip rates by matrix factorisation, 20,000 ratings, grid of 9",
        seconds,
        peer="the same fits by Surprise",
        peer_seconds=peer,
        note="reading, validation and strata included in ours",
    )


def _surprise_alone(rows: list[tuple[int, int, float]]) -> None:
    import surprise

    data = surprise.Dataset(surprise.Reader(rating_scale=(0, 1)))
    train, test = rows[: int(0.8 * len(rows))], rows[int(0.8 * len(rows)) :]
    trainset = data.construct_trainset([(*row, None) for row in train])
    for factors, epochs in itertools.product(FACTORS, EPOCHS):
        model = surprise.SVD(n_factors=factors, n_epochs=epochs, random_state=0)
        model.fit(trainset)
        model.test([*train, *test])
