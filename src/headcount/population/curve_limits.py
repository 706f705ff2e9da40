"""How far the likelihood lets the curve of two labels move, at any k.

c_k is the best that any prediction from k ratings can do, so it is convex in the population;
with the prediction held fixed it is linear. The lower limit with the fitted prediction held
fixed is therefore at or below the lowest c_k. The highest is climbed to: the prediction is
learned anew where the last climb ended.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.population.atoms import Atoms
from headcount.population.curve import surveys
from headcount.population.model import Population
from headcount.population.npmle import Fit, Likelihood
from headcount.population.profile import lowest
from headcount.population.scores import Score, expected_score, label_scores, own_score

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_CLIMBS = 2


@frozen
class CurveLimits:
    """c_k of a population and its limits; k = None stands for the ideal classifier.

    `drop` is how much log-likelihood may be lost: ½χ²₁ for a profile interval.
    """

    population: Population
    score: Score
    clip: float | None
    drop: float

    def estimate(self, k: int | None) -> float:
        """c_k at the fit."""
        if k is None:
            return self.population.ideal(self.score, clip=self.clip)
        return float(self.population.curve(k, self.score, clip=self.clip).scores[0])

    def interval(self, k: int | None) -> tuple[float, float]:
        """The lowest and the highest c_k."""
        here = self.estimate(k)
        return here - self.distance(k, up=False), here + self.distance(k, up=True)

    def lowest_ideal(self) -> Floats:
        """Weights of the kinds of items where the ideal is as low as is allowed."""
        kinds, likelihood, fit = self._fitted()
        return lowest(likelihood, fit, self._functional(None, kinds), self.drop).weights

    def distance(self, k: int | None, *, up: bool) -> float:
        """How far c_k may lie above (`up`) or below its estimate."""
        kinds, likelihood, fit = self._fitted()
        functional = self._functional(k, kinds)
        here = float(fit.weights @ functional)
        if not up:
            return here - lowest(likelihood, fit, functional, self.drop).value
        end = lowest(likelihood, fit, -functional, self.drop)
        far = -end.value
        for _ in range(_CLIMBS if k is not None else 0):
            functional = self._functional(k, Atoms(end.weights, kinds.atoms))
            end = lowest(likelihood, fit, -functional, self.drop)
            far = max(far, -end.value)
        return far - here

    def _functional(self, k: int | None, kinds: Atoms) -> Floats:
        """The score on each kind of item, of the ideal or of the prediction learned from all."""
        if k is None:
            return own_score(kinds.atoms, self.score, self.clip)
        y = surveys(k, kinds.n_labels)
        scores = label_scores(kinds.predict(y), self.score, self.clip)
        # Without a clip a prediction may be certain; it is wrong only where nobody is asked.
        scores = np.maximum(scores, -1e3)
        orders = gammaln(k + 1) - gammaln(y + 1).sum(axis=1)
        even = Atoms(kinds.weights, kinds.atoms)
        chance = np.exp(orders[:, None] + even.log_likelihoods(y))
        expected: Floats = expected_score(chance.T @ scores, kinds.atoms)
        return expected

    def _fitted(self) -> tuple[Atoms, Likelihood, Fit]:
        of = self.population
        if not isinstance(of.mixture, Atoms) or of.likelihood is None or of.fit is None:
            raise UnanswerableError(
                "Limits of the curve by profile likelihood need two labels: resample items instead."
            )
        return Atoms(of.mixture.weights, of.mixture.atoms), of.likelihood, of.fit
