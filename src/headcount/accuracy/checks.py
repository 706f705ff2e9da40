"""Do the data look as equal raters, equal errors and equal difficulty would make them?

Pairs and triples of ratings of one item are not independent, so the chi-squares are compared
with what the spread between items says they would be (a jackknife over items, its effect
matched in mean and variance as Rao and Scott do), not with the table's own distribution.
"""

import numpy as np
from scipy import sparse
from scipy.special import binom, chdtrc

from headcount.accuracy import algebra
from headcount.accuracy.algebra import Floats, Ints
from headcount.data import Named
from headcount.frozen import frozen

MOST_LABELS = 40
MOST_RATERS = 3000
"""Past these the tests would take longer than the estimate; they are then not made."""

_BLOCK = 20_000


@frozen
class Outcome:
    """A test: its statistic over its mean under the assumption, and the chance of more."""

    statistic: float
    freedom: float
    p_value: float


@frozen
class Confusions:
    """Observed and expected shares of each pair of labels among disagreements, (M,) each;
    `pairs` (M, 2) says which labels.
    """

    pairs: Ints
    observed: Floats
    expected: Floats
    outcome: Outcome

    def misplaced(self) -> float:
        """The share of disagreements that would have to move to make them as expected."""
        return float(np.abs(self.observed - self.expected).sum() / 2)

    def most_off(self) -> int:
        """The pair that adds most to the chi-square."""
        return int(((self.observed - self.expected) ** 2 / self.expected).argmax())


def equal_confusions(counts: Ints, items: Ints) -> Confusions | None:
    """Test the disagreements against evenly spread errors, given the base rates.

    Even errors make a disagreement between two labels more likely where the labels are
    common, so the expected shares follow the estimated base rates; they are all equal only
    where the base rates are. None where there is nothing to test.
    """
    n = counts.shape[1]
    if not 3 <= n <= MOST_LABELS:
        return None
    pairs = np.column_stack(np.triu_indices(n, 1))
    crossed = (counts[:, pairs[:, 0]] * counts[:, pairs[:, 1]]).astype(float)
    agreeing, possible = algebra.pair_counts(counts)
    content = np.column_stack([crossed, agreeing, possible, counts]).astype(float)
    total = items @ content
    disagreements = total[: len(pairs)].sum()
    shares = _disagreement_shares(total[None], pairs, n)
    if disagreements == 0 or shares is None:
        return None
    observed, expected = shares[0][0], shares[1][0]
    scale = np.sqrt(disagreements / expected)
    spread = np.zeros((len(pairs), len(pairs)))
    for start in range(0, len(content), _BLOCK):
        without = _disagreement_shares(total - content[start : start + _BLOCK], pairs, n)
        if without is None:
            return None
        moved = scale * ((without[0] - without[1]) - (observed - expected))
        spread += (moved * items[start : start + _BLOCK, None]).T @ moved
    outcome = against_spread(scale * (observed - expected), spread)
    return Confusions(pairs, observed, expected, outcome)


def equal_raters(counts: Ints, named: Named) -> tuple[Floats, Outcome | None]:
    """Each rater's agreement with the others (NaN without any), and the test that all are equal.

    `counts` (n, L) item by item.
    """
    others = counts.sum(axis=1)[named.item] - 1.0
    agreeing = counts[named.item, named.label] - 1.0
    n_raters = len(named.raters)
    pairs = np.bincount(named.rater, weights=others, minlength=n_raters)
    same = np.bincount(named.rater, weights=agreeing, minlength=n_raters)
    agreement: Floats = np.where(pairs > 0, same / np.maximum(pairs, 1), np.nan)
    overall = same.sum() / max(pairs.sum(), 1)
    tested = np.flatnonzero(pairs > 0)
    if not 2 <= len(tested) <= MOST_RATERS or not 0 < overall < 1:
        return agreement, None
    shape = (len(counts), n_raters)
    own = sparse.csr_matrix(
        (agreeing - agreement[named.rater] * others, (named.item, named.rater)), shape=shape
    )
    own = own[:, tested] @ sparse.diags(1 / pairs[tested])
    all_together = np.bincount(named.item, weights=agreeing - overall * others) / pairs.sum()
    # (own − all_together)ᵀ (own − all_together), without the dense items × raters matrix.
    crossed = np.asarray(own.T @ all_together)
    spread = (own.T @ own).toarray() - crossed[:, None] - crossed + all_together @ all_together
    scale = np.sqrt(pairs[tested] / (overall * (1 - overall)))
    off = scale * (agreement[tested] - overall)
    return agreement, against_spread(off, spread * scale[:, None] * scale)


@frozen
class Unanimity:
    """How often `ratings` ratings of an item all agree, and how often equal raters on equally
    hard items would, given how often two agree.
    """

    ratings: int
    observed: float
    expected: float
    outcome: Outcome


def equal_difficulty(counts: Ints, items: Ints) -> Unanimity | None:
    """Test how often three raters agree against what their pairwise agreement implies.

    With two labels three ratings always hold two that agree, so that triples follow from
    pairs: there it is four. Pairs are counted in the same items with the same weights, so
    that a link between an item's difficulty and its number of ratings does not matter.
    """
    n = counts.shape[1]
    together = 4 if n == 2 else 3
    enough = counts.sum(axis=1) >= together
    counts, items = counts[enough], items[enough]
    if not len(counts):
        return None
    ratings = counts.sum(axis=1)
    agreeing, possible = algebra.pair_counts(counts)
    unanimous = binom(counts, together).sum(axis=1) / binom(ratings, together)
    content = np.column_stack([agreeing, possible, possible * unanimous]).astype(float)
    total = items @ content
    observed, expected = _unanimity(total[None], n, together)
    without_observed, without_expected = _unanimity(total - content, n, together)
    off = observed[0] - expected[0]
    moved = (without_observed - without_expected) - off
    if not (np.isfinite(off) and np.isfinite(moved).all() and (moved != 0).any()):
        return None
    outcome = against_spread(np.array([off]), np.array([[items @ moved**2]]))
    return Unanimity(together, float(observed[0]), float(expected[0]), outcome)


def _disagreement_shares(total: Floats, pairs: Ints, n: int) -> tuple[Floats, Floats] | None:
    """Observed and expected shares of the pairs of labels for each row of totals."""
    m = len(pairs)
    crossed, agreeing, possible = total[:, :m], total[:, m], total[:, m + 1]
    said = total[:, m + 2 :]
    if (possible <= 0).any() or (crossed.sum(axis=1) <= 0).any():
        return None
    accuracy = algebra.accuracy_from_agreement(agreeing / possible, n)
    raw = algebra.raw_base_rates(said / said.sum(axis=1, keepdims=True), accuracy)
    if not np.isfinite(raw).all():
        return None
    base = algebra.clipped_base_rates(raw)
    wrong = ((1 - accuracy) / (n - 1))[:, None]
    involved = base[:, pairs[:, 0]] + base[:, pairs[:, 1]]
    expected = involved * accuracy[:, None] * wrong + (1 - involved) * wrong**2
    if (expected <= 0).any():
        return None
    observed = crossed / crossed.sum(axis=1, keepdims=True)
    return observed, expected / expected.sum(axis=1, keepdims=True)


def _unanimity(total: Floats, n: int, together: int) -> tuple[Floats, Floats]:
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = algebra.accuracy_from_agreement(total[:, 0] / total[:, 1], n)
        observed = total[:, 2] / total[:, 1]
    wrong = (1 - accuracy) / (n - 1)
    return observed, accuracy**together + (n - 1) * wrong**together


def against_spread(off: Floats, spread: Floats) -> Outcome:
    """The squares of departures `off` (M,) against their covariance `spread` (M, M)."""
    mean, square = float(np.trace(spread)), float((spread**2).sum())
    if mean <= 0:
        return Outcome(0.0, 1.0, 1.0)
    freedom = mean**2 / square
    statistic = float((off**2).sum()) / mean * freedom
    return Outcome(statistic, freedom, float(chdtrc(freedom, statistic)))
