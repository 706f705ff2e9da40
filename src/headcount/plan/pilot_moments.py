"""What a pilot's labels say about how near each of several classifiers is to people.

For item i with label counts c_i and n_i labels, s_ic = c_i[answer of c] / n_i is the share of
people who agree with classifier c; for ratings in numbers s_ic = −mean |judge c − r|^p is how near
judge c is to people there. Its mean over items is what classifiers are compared by: it needs no
truth, as what people vary by on an item is the same for all. Everything a plan needs are first and
second moments of s and of single labels.
"""

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from headcount.arrays import Floats, Ints
from headcount.frozen import frozen

if TYPE_CHECKING:
    from headcount.data import Named

Distance = Literal["squared", "absolute"]

# With fewer raters nothing can be said about how much raters differ.
FEWEST_RATERS = 3

# Of classifiers that anyone compares, two hardly differ by more than so large a share of people.
FARTHEST = 0.3

# A χ² for each kind of items beyond which they were labelled unequally by choice, not chance: five
# standard errors, so that chance is hardly ever taken for choice.
CLEARLY = 25.0


@frozen(eq=False)
class PilotMoments:
    """Moments of a pilot over C classifiers.

    `mean` (C,) is the share of people who agree with each; `over_items` (C, C) the covariance
    of these means as items vary, `over_raters` the same as raters vary (zeros where they have
    no names). `one_label` (C, C) is the covariance of a single label of a fresh item (does it
    agree with each classifier?), `within` the part of it that differs between labels of one
    item, `rater` that between raters, who gave `labels_a_rater` labels each and have
    `rater_freedom` degrees of freedom. `farthest` is how far apart two classifiers may usually be.
    """

    items: int
    mean: Floats
    over_items: Floats
    over_raters: Floats
    one_label: Floats
    within: Floats
    rater: Floats
    labels_a_rater: float = 0.0
    rater_freedom: float = math.inf
    n_raters: int | None = None
    farthest: float = FARTHEST

    @property
    def few_raters(self) -> float:
        """How much more variance few raters stand for: what Student's t asks near two errors."""
        return 1 + 2 / self.rater_freedom

    @property
    def raters_known(self) -> bool:
        """Whether raters could be counted as a sample."""
        return self.n_raters is not None and self.n_raters >= FEWEST_RATERS

    def labels(self, each: int) -> Floats:
        """Covariance of the mean of so many labels of a fresh item, (C, C)."""
        if each == 1:
            return self.one_label
        # By chance labels can differ more within items than over all: then nothing is between.
        return _positive(self.one_label - self.within) + self.within / each


def agreeing(counts: NDArray[np.number], decisions: Ints) -> Floats:
    """The share of an item's labels that agree with each classifier, (n, C).

    `counts` (n, L) and `decisions` (n, C), −1 for an answer that is no label.
    """
    known = np.maximum(decisions, 0)
    said = np.take_along_axis(counts, known, axis=1) * (decisions >= 0)
    return np.asarray(said / counts.sum(axis=1, keepdims=True))


def label_moments(
    counts: NDArray[np.number],
    decisions: Ints,
    sizes: Ints | None = None,
    named: "Named | None" = None,
    *,
    weigh: str = "items",
    share: Floats | None = None,
) -> PilotMoments:
    """The moments of a pilot.

    `counts` (n, L), `decisions` (n, C) and `sizes` (n,), how many items each row stands for;
    `named` says who gave which answer, for rows that stand for one item each. Every item counts
    once (`weigh="items"`), or by what its labels tell ("labels"): n_i labels of an item have
    variance τ² + σ²/n_i, and a pilot of five labels an item would be drowned in single labels.
    `share` (n,) is how much of the population each item stands for, where not equally much.
    """
    size = np.ones(len(counts)) if sizes is None else sizes.astype(float)
    labels, s = counts.sum(axis=1), agreeing(counts, decisions)
    share = np.ones(len(s)) if share is None else share
    found = _moments(size, share, labels, s, decisions)
    if weigh == "labels":
        # The share of a kind of items is kept: precision counts within it.
        share = _within_shares(_precision(found, labels), share, size)
        found = _moments(size, share, labels, s, decisions)
    if named is None:
        return found
    agrees = (decisions[named.item] == named.label[:, None]).astype(np.float64)
    share = share / share.sum()
    return with_raters(found, agrees, s, labels, share, item=named.item, rater=named.rater)


def _moments(size: Floats, share: Floats, labels: Ints, s: Floats, decisions: Ints) -> PilotMoments:
    """Weighted by `share` for each of the `size` items of a row."""
    items, weight = size.sum(), size * share
    weight = weight / weight.sum()
    mean = weight @ s
    around = (s - mean) * (weight / np.sqrt(size))[:, None]
    over_items = around.T @ around * items / max(items - 1, 1)
    # One label agrees with two classifiers only where they say the same.
    alike = (decisions[:, :, None] == decisions[:, None, :]) * s[:, :, None]
    one_label = np.einsum("i,icd->cd", weight, alike) - np.outer(mean, mean)
    several = labels >= 2
    within = np.zeros_like(one_label)
    if several.any():
        spread = alike[several] - s[several, :, None] * s[several, None, :]
        each = weight[several] * (labels[several] / (labels[several] - 1))
        within = np.einsum("i,icd->cd", each, spread) / weight[several].sum()
    return PilotMoments(
        items=int(items),
        mean=mean,
        over_items=_at_least_one_surprise(over_items, items),
        over_raters=np.zeros_like(one_label),
        one_label=one_label,
        within=within,
        rater=np.zeros_like(one_label),
    )


def _within_shares(precision: Floats, share: Floats, size: Floats) -> Floats:
    """Weights by precision that leave to items of one share what they have together."""
    _, kind = np.unique(share, return_inverse=True)
    whole = np.bincount(kind, weights=size * share)
    told = np.bincount(kind, weights=size * share * precision)
    return np.asarray(share * precision * (whole / told)[kind])


def _precision(found: PilotMoments, labels: Ints) -> Floats:
    """What n labels of an item tell about differences: 1/(τ² + σ²/n), over all contrasts."""
    contrast = np.eye(len(found.mean)) - 1 / len(found.mean)
    within = float(np.trace(contrast @ found.within))
    between = max(float(np.trace(contrast @ found.one_label)) - within, 0.0)
    if within + between <= 0:
        return np.ones(len(labels))
    return np.asarray((within + between) / (between + within / labels))


def _at_least_one_surprise(covariance: Floats, items: float) -> Floats:
    """Items that never differ leave no variance; one that would is never ruled out.

    The variance of a difference is at least what one item of them all would have made it.
    """
    differences = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
    least = 1 / (items * max(items - 1, 1))
    pairs = differences[~np.eye(len(covariance), dtype=bool)]
    if len(pairs) and pairs.min() < least:
        return np.asarray(covariance + least / 2 * np.eye(len(covariance)))
    return covariance


def score_moments(
    item: Ints, value: Floats, judges: Floats, rater: Ints | None = None, *, distance: Distance
) -> PilotMoments:
    """The moments of a pilot in numbers.

    `item`, `value` and `rater` (R,) are ratings one by one, `judges` (n, C) the judges' numbers.
    Every rated item counts once.
    """
    rated, place = np.unique(item, return_inverse=True)
    place, judges = place.ravel(), judges[rated]
    each = -(np.abs(judges[place] - value[:, None]) ** (2 if distance == "squared" else 1))
    n, items = np.bincount(place), len(rated)
    s = _by_item(each, place, items) / n[:, None]
    mean = s.mean(axis=0)
    around = (s - mean) / items
    products = _by_item(
        (each[:, :, None] * each[:, None, :]).reshape(len(each), -1), place, items
    ).reshape(items, *2 * (judges.shape[1],))
    one = (products / n[:, None, None]).mean(axis=0) - np.outer(mean, mean)
    several = n > 1
    within = np.zeros_like(one)
    if several.any():
        squares = products - n[:, None, None] * s[:, :, None] * s[:, None, :]
        within = (squares[several] / (n[several] - 1)[:, None, None]).mean(axis=0)
    found = PilotMoments(
        items=items,
        mean=mean,
        over_items=around.T @ around * items / max(items - 1, 1),
        over_raters=np.zeros_like(one),
        one_label=one,
        within=within,
        rater=np.zeros_like(one),
        # Distances have no scale of their own: apart by as much as judges are from a person.
        farthest=float(-mean.mean()) or 1.0,
    )
    if rater is None:
        return found
    share = np.full(items, 1 / items)
    return with_raters(found, each, s, n, share, item=place, rater=rater)


def _by_item(values: Floats, item: Ints, items: int) -> Floats:
    """Sums (n, q) of rows (R, q) by item."""
    return np.column_stack(
        [np.bincount(item, weights=column, minlength=items) for column in values.T]
    )


def with_raters(
    found: PilotMoments,
    each: Floats,
    s: Floats,
    labels: Ints,
    share: Floats,
    *,
    item: Ints,
    rater: Ints,
) -> PilotMoments:
    """Raters as a sample: how much their own means differ beyond chance.

    `each` (R, C) is what every label says of each classifier, `item` and `rater` (R,) whose it
    is; `s` (n, C) are their means by item, `labels` (n,) how many there are of an item and
    `share` (n,) how much it stands for.

    Deviations e = u − s_i of single labels from their item's mean, with weights w = a_i/n_i
    (a_i the item's share), add up to U_r for rater r. Σ U_r² holds the raters' own effects and
    chance; Σ w²e² is chance alone. With B = Σ_i a_i z_i z_iᵀ/n_i² over who rated what, their
    difference has expectation σ_β² (‖diag(W) − B‖² − Σ w²(1 − 1/n_i)), and the means' variance
    over raters is σ_β² Σ W_r². Where every item has one label only, deviations are from the
    overall mean instead, and items stand for chance.
    """
    names, rater = np.unique(rater, return_inverse=True)
    n_raters = len(names)
    if n_raters < FEWEST_RATERS:
        return replace(found, n_raters=n_raters)
    size = labels[item]
    w = share[item] / size
    crossed = bool((size > 1).any())
    e = each - (s[item] if crossed else found.mean)
    sums = sparse.csr_matrix((w, (rater, np.arange(len(w)))), shape=(n_raters, len(w)))
    u = sums @ e
    beyond = u.T @ u - (e * (w * w)[:, None]).T @ e
    total = np.bincount(rater, weights=w, minlength=n_raters)
    norm = total @ total - (w * w).sum()
    if crossed:
        rated = np.sqrt(share[item]) / size
        who = sparse.csr_matrix((rated, (item, rater)), shape=(len(s), n_raters))
        together = (who.T @ who).tocsr()
        norm += (w * w) @ (1 / size) - 2 * total @ together.diagonal()
        norm += together.multiply(together).sum()
    # Where every rater gave one label only, nothing tells raters from chance.
    effect = beyond / norm if norm > 1e-12 else np.zeros_like(beyond)
    counted = np.bincount(rater)
    # Raters who gave more of the labels than others count as fewer; a single one tells no spread.
    freedom = 1 / (total @ total) - 1
    return replace(
        found,
        over_raters=effect * (total @ total),
        rater=effect,
        labels_a_rater=float(counted @ counted / counted.sum()),
        rater_freedom=float(freedom) if freedom > 0 else math.inf,
        n_raters=n_raters,
    )


def _positive(covariance: Floats) -> Floats:
    """The nearest covariance: negative variances, which chance can make, become zero."""
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    return np.asarray((vectors * np.maximum(values, 0)) @ vectors.T)


def who_agrees(decisions: Ints) -> Ints:
    """A number for who says the same as whom on each item, (n,): 0 where all do."""
    same = decisions[:, :, None] == decisions[:, None, :]
    first = same.argmax(axis=2)  # the first classifier that says the same as each
    return np.asarray(first @ (decisions.shape[1] ** np.arange(decisions.shape[1])))


def stratum_shares(
    labelled: Ints,
    everything: Ints,
    *,
    sizes: Ints | None = None,
    of_everything: Ints | None = None,
) -> Floats | None:
    """What each labelled item stands for, where items were labelled by who differs on them.

    `labelled` (n, C) and `everything` (m, C) are decisions, `sizes` (n,) and `of_everything` (m,)
    how many items a row stands for, one by default. Items on which classifiers differ
    are the ones to label, so they end up too many among the labelled: each kind of items (who
    agrees with whom) is given its share of the predicted ones back. None where the labelled
    items are as a random part would be.
    """
    kinds, of_all = np.unique(who_agrees(everything), return_inverse=True)
    of_labelled = np.searchsorted(kinds, who_agrees(labelled))
    sizes = np.ones(len(labelled), dtype=np.int64) if sizes is None else sizes
    if of_everything is None:
        of_everything = np.ones(len(everything), dtype=np.int64)
    there = np.bincount(of_all, weights=of_everything, minlength=len(kinds))
    seen = np.bincount(of_labelled, weights=sizes, minlength=len(kinds))
    expected = there * seen.sum() / there.sum()
    if sizes.sum() >= of_everything.sum() or ((seen - expected) ** 2 / expected).max() < CLEARLY:
        return None
    share = np.divide(there, seen, out=np.zeros_like(there), where=seen > 0)
    return np.asarray(share[of_labelled] / np.average(share[of_labelled], weights=sizes))
