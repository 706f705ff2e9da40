"""Linear surveys: a curve without end from pairs of ratings, with no population fitted.

The best linear prediction from the mean of k answers has the squared error
tr(B + W) − tr(B (B + W/k)⁺ B), with the covariance B between items and W within them, which
pairs of ratings of an item tell without bias. Brier's score is minus half of it.
"""

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.combiners.linear import positive_part
from headcount.equivalence.exact import Curve, Setup
from headcount.equivalence.limits import Spread
from headcount.frozen import frozen
from headcount.population.linear import LinearSurvey
from headcount.sampling.intervals import Tail

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@frozen
class LinearLimits:
    """Covariances `between` and `within` items (1 + B, L, L): of the data, then of B samples."""

    between: Floats
    within: Floats
    items: int

    @classmethod
    def of(cls, setup: Setup, samples: NDArray[np.integer]) -> "LinearLimits":
        """From patterns of counts, and how often each is drawn in samples (B, G)."""
        found = [LinearSurvey.of_labels(setup.counts, times) for times in [setup.sizes, *samples]]
        return cls(
            positive_part(np.array([each.between for each in found])),
            np.array([each.within for each in found]),
            int(setup.sizes.sum()),
        )

    @property
    def ideal(self) -> float:
        """The score of the mean of endlessly many answers."""
        return float(self._scores(np.array([np.inf]))[0, 0])

    def curve(self, k: Ints, enough: float = np.inf) -> Floats:
        """Scores at k (n,) raters, all of them: they cost nothing."""
        scores: Floats = self._scores(k)[0]
        return scores

    def draws(self, k: Ints) -> Floats:
        """The same in each sample, (B, n)."""
        return self._scores(k)[1:]

    def spread(self, first: int, confidence: float) -> Spread:
        """The percentiles of the samples at a few numbers of raters."""
        knots = np.array([first, 3 * first, np.inf])
        found, tail = self._scores(knots), Tail(confidence, self.items)
        low, high = np.quantile(found[1:], [tail, 1 - tail], axis=0)
        return Spread(knots, np.maximum(found[0] - low, 0), np.maximum(high - found[0], 0))

    def _scores(self, k: NDArray[np.number]) -> Floats:
        """Brier scores (1 + B, n)."""
        total = np.trace(self.between + self.within, axis1=1, axis2=2)
        scores = np.empty((len(total), len(k)))
        for place, raters in enumerate(k):
            explained = 0.0 if raters == 0 else self._explained(float(raters))
            scores[:, place] = -0.5 * (total - explained)
        return scores

    def _explained(self, raters: float) -> Floats:
        whole = self.between + self.within / raters
        inverse = np.linalg.pinv(whole, rcond=1e-12, hermitian=True)
        explained: Floats = np.einsum(
            "bij,bjk,bki->b", self.between, inverse, self.between, optimize=True
        )
        return explained


def linear_curve(setup: Setup, limits: LinearLimits) -> Curve:
    """The curve up to the raters in the data."""
    k = np.arange(setup.most + 1)
    return Curve(
        scores=limits.curve(k),
        draws=limits.draws(k),
        support=np.ones(len(k)),
        backed_off=np.zeros(len(k), dtype=np.int64),
        error=np.zeros(len(k)),
        refitted=True,
        surveys=0,
    )
