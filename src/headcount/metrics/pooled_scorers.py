"""Scorers of the table as a whole: confusion matrices, areas, correlations and a determinant."""

from collections.abc import Callable
from dataclasses import field

import numpy as np
from scipy import sparse

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen
from headcount.metrics.scorer import Prediction, Scorer, Task, ratio

FromCounts = Callable[[Floats, Floats, Floats], Floats]


@frozen
class ConfusionScorer(Scorer):
    """A score of each label's (hits, predicted, actual) weights.

    With a positive label it is that label's score. Otherwise it is the plain mean over the
    labels that occur among predictions or ratings, one that has no score counting 0: both as
    scikit-learn's `average="binary"` and `average="macro"`.
    """

    of: FromCounts = field(kw_only=True, repr=False)

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The score from confusion matrices, which are linear in the weights."""
        matrix = confusion(prediction, label, weight, task.n_labels)
        hits = np.diagonal(matrix, axis1=1, axis2=2)
        predicted, actual = matrix[:, : task.n_labels].sum(axis=2), matrix.sum(axis=1)
        scores = self.of(hits, predicted, actual)
        if task.focus is not None:
            return scores[:, task.focus]
        # A label that neither occurs nor is predicted is no label of these rows.
        occurs = predicted + actual > 0
        total = np.nan_to_num(scores).sum(axis=1)
        return ratio(total, occurs.sum(axis=1, dtype=np.float64))


def confusion(prediction: Prediction, label: Ints, weight: Floats, n_labels: int) -> Floats:
    """Weight by prediction and label, (B, L + 1, L); the last row holds the WRONG answers."""
    cell = np.where(prediction < 0, n_labels, prediction) * n_labels + label
    n_cells = (n_labels + 1) * n_labels
    shape = (len(weight), n_labels + 1, n_labels)
    if len(weight) == 1:
        sums = np.bincount(cell, weights=weight[0], minlength=n_cells).astype(np.float64)
        return sums.reshape(shape)
    rows = np.arange(len(cell))
    places = sparse.csr_array((np.ones(len(cell)), (cell, rows)), shape=(n_cells, len(cell)))
    matrix: Floats = np.asarray(places @ weight.T).T.reshape(shape)
    return matrix


def _precision(hits: Floats, predicted: Floats, _actual: Floats) -> Floats:
    return ratio(hits, predicted)


def _recall(hits: Floats, _predicted: Floats, actual: Floats) -> Floats:
    return ratio(hits, actual)


def _f1(hits: Floats, predicted: Floats, actual: Floats) -> Floats:
    return ratio(2 * hits, predicted + actual)


PRECISION = ConfusionScorer(
    name="precision",
    takes="labels",
    about="of the predictions of the positive label, the share that raters agree with",
    bounds=(0.0, 1.0),
    undefined="the positive label is never predicted",
    of=_precision,
)
RECALL = ConfusionScorer(
    name="recall",
    takes="labels",
    about="of the raters' positive labels, the share that is predicted",
    bounds=(0.0, 1.0),
    undefined="no rater gives the positive label",
    of=_recall,
)
F1 = ConfusionScorer(
    name="f1",
    takes="labels",
    about="the harmonic mean of precision and recall",
    bounds=(0.0, 1.0),
    undefined="the positive label is neither predicted nor given by a rater",
    of=_f1,
)


@frozen
class DeterminantScorer(Scorer):
    """|det J|, with J the joint distribution of predicted and given labels.

    A soft prediction spreads its row's weight over the labels it names.
    """

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """|det| of each joint matrix; the matrices are linear in the weights."""
        # Label by label: the (R, L, L) table of all rows would not fit for many rows.
        joint = np.zeros((len(weight), task.n_labels, task.n_labels))
        for given in range(task.n_labels):
            rows = np.flatnonzero(label == given)
            joint[:, :, given] = weight[:, rows] @ prediction[rows]
        total = weight.sum(axis=1)
        shares = joint / np.where(total > 0, total, 1)[:, None, None]
        return np.where(total > 0, np.abs(np.linalg.det(shares)), np.nan)


DMI = DeterminantScorer(
    name="dmi",
    takes="probabilities",
    about="|det| of the joint distribution of predicted and given labels",
    bounds=(0.0, 0.25),
    hard_too=True,
)


# Probabilities closer than this are ties: equal but for the order they were summed in.
_TIE = 1e-12


@frozen
class RankingScorer(Scorer):
    """The chance that a row with the label is ranked above a row without it; ties count half.

    Among more than two labels: the plain mean of one-against-the-rest over the labels for
    which there are rows of both kinds.
    """

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The area for all weight vectors: the rows are sorted once."""
        return over_labels(lambda one: area(prediction[:, one], label == one, weight), task)


def over_labels(area_of: Callable[[int], Floats], task: Task) -> Floats:
    """The area of the label of interest, or the mean over the labels that have one."""
    if task.focus is not None:
        return area_of(task.focus)
    areas = np.stack([area_of(each) for each in range(task.n_labels)])
    defined = ~np.isnan(areas)
    return ratio(np.nansum(areas, axis=0), defined.sum(axis=0).astype(np.float64))


@frozen
class Ranks:
    """Rows in the order of their scores.

    `order` (R,) sorts them; `begins` and `ends` (R,) are, for each row as given, where the
    rows that tie with it begin and end in that order.
    """

    order: Ints
    begins: Ints
    ends: Ints

    @classmethod
    def of(cls, score: Floats) -> "Ranks":
        """The ranks of scores (R,); scores that differ by rounding only are ties."""
        order = np.argsort(score, kind="stable")
        ranked = score[order]
        first = np.flatnonzero(np.r_[True, np.diff(ranked) > _TIE][: len(ranked)])
        edges = np.r_[first, len(ranked)]
        tie = np.empty(len(order), dtype=np.int64)
        tie[order] = np.repeat(np.arange(len(first)), np.diff(edges))
        return cls(order, edges[tie], edges[tie + 1])

    def running(self, weight: Floats) -> Floats:
        """The weight (B, R) below each place in the order, (B, R + 1)."""
        total = np.zeros((len(weight), len(self.order) + 1))
        np.cumsum(weight[:, self.order], axis=1, out=total[:, 1:])
        return total


def area(score: Floats, hit: np.ndarray, weight: Floats) -> Floats:
    """Weighted area under the ROC curve, `weight` (B, R) gives (B,)."""
    ranks = Ranks.of(score)
    rows = np.flatnonzero(hit)
    return area_of_ranks(ranks, rows, weight[:, rows], weight @ ~hit, ranks.running(weight))


def area_of_ranks(
    ranks: Ranks, rows: Ints, with_label: Floats, without: Floats, running: Floats
) -> Floats:
    """The area where `rows` have the label with weights `with_label` (B, rows).

    `without` (B,) is the weight that does not have it, `running` all the weight in order. What
    has the label beats the weight ranked below it, and half of what ties with it. That is
    counted over all the weight; the pairs that both have the label are in it too, and they come
    to half the square of their weight whatever their ranks.
    """
    total = with_label.sum(axis=1)
    beaten = running[:, ranks.begins[rows]] + running[:, ranks.ends[rows]]
    won = np.einsum("br,br->b", with_label, beaten)
    return ratio((won - total**2) / 2, total * without)


AUC = RankingScorer(
    name="auc",
    takes="probabilities",
    about="the chance that a row with the positive label is ranked above one without it",
    bounds=(0.0, 1.0),
    undefined="all raters give the positive label, or none does",
    hard_too=True,
    scale_free=True,
)


# A variance below this share of the mean square is a constant seen through rounding.
_CONSTANT = 1e-13


@frozen
class CorrelationScorer(Scorer):
    """Weighted correlation between predicted numbers and the labels' numbers.

    Predictions that do not vary know nothing of the labels: 0.
    """

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The correlation from weighted moments, which are linear in the weights."""
        return pearson(np.asarray(prediction, dtype=np.float64), task.values[label], weight)


def pearson(x: Floats, y: Floats, weight: Floats) -> Floats:
    """Weighted correlation, `weight` (B, R) gives (B,): 0 for constant x, NaN for constant y."""
    if not len(x):
        return np.full(len(weight), np.nan)
    # Centred and scaled first: moments of raw numbers far from zero would cancel.
    x, y = _standard(x), _standard(y)
    total = weight.sum(axis=1)
    moments = ratio(
        weight @ np.column_stack([x, y, x * x, y * y, x * y]), np.asarray(total)[:, None]
    )
    mean_x, mean_y, square_x, square_y, product = moments.T
    spread_x, spread_y = square_x - mean_x**2, square_y - mean_y**2
    said, known = spread_x > _CONSTANT * square_x, spread_y > _CONSTANT * square_y
    scale = np.sqrt(np.where(said & known, spread_x * spread_y, 0.0))
    correlation = np.clip(ratio(product - mean_x * mean_y, scale), -1, 1)
    return np.where(known & ~said, 0.0, correlation)


def _standard(numbers: Floats) -> Floats:
    centred = numbers - numbers.mean()
    spread = np.abs(centred).max(initial=0.0)
    return centred / spread if spread > 0 else np.zeros_like(centred)


@frozen
class KappaScorer(Scorer):
    """1 − E(x − y)² / E′(x − y)², where x and y in E′ come from different rows.

    Cohen's kappa with quadratic weights on the levels' values. A prediction that never changes
    agrees no more than chance: 0.
    """

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """The kappa from weighted moments, which are linear in the weights."""
        if not len(label):
            return np.full(len(weight), np.nan)
        middle = task.values.mean()
        x, y = np.asarray(prediction, dtype=np.float64) - middle, task.values[label] - middle
        moments = ratio(
            weight @ np.column_stack([x, y, x * x, y * y, x * y]), weight.sum(axis=1)[:, None]
        )
        mean_x, mean_y, square_x, square_y, product = moments.T
        by_chance = square_x + square_y - 2 * mean_x * mean_y
        tiny = _CONSTANT * (square_x + square_y)
        observed = square_x + square_y - 2 * product
        return ratio(by_chance - observed, np.where(by_chance > tiny, by_chance, 0.0))


@frozen
class SpearmanScorer(Scorer):
    """Pearson's correlation of ranks, equal values sharing their mean rank."""

    def compute(self, prediction: Prediction, label: Ints, weight: Floats, task: Task) -> Floats:
        """Ranks depend on the weights, so each weight vector has its own."""
        if not len(label):
            return np.full(len(weight), np.nan)
        x = _midranks(np.asarray(prediction, dtype=np.float64), weight)
        y = _midranks(task.values[label], weight)
        one = [pearson(x[b], y[b], weight[b : b + 1])[0] for b in range(len(weight))]
        return np.array(one)


def _midranks(numbers: Floats, weight: Floats) -> Floats:
    """The weight below each row and half of what ties with it, (B, R)."""
    ranks = Ranks.of(numbers)
    running = ranks.running(weight)
    middle: Floats = (running[:, ranks.begins] + running[:, ranks.ends]) / 2
    return middle


CORRELATION = CorrelationScorer(
    name="correlation",
    takes="numbers",
    about="Pearson's correlation of predicted numbers with the labels' numbers",
    bounds=(-1.0, 1.0),
    undefined="the raters' labels do not vary",
    scale_free=True,
)
QUADRATIC_KAPPA = KappaScorer(
    name="quadratic_kappa",
    takes="numbers",
    about="Cohen's kappa with quadratic weights between the labels' numbers",
    bounds=(-1.0, 1.0),
    undefined="predictions and raters' labels never vary",
)
SPEARMAN = SpearmanScorer(
    name="spearman",
    takes="numbers",
    about="Spearman's correlation: Pearson's of the ranks",
    bounds=(-1.0, 1.0),
    undefined="the raters' labels do not vary",
    scale_free=True,
)
