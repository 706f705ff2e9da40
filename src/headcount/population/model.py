"""The population of items: how their label distributions vary, and what follows from it."""

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from headcount.arrays import Floats, Ints
from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.population.functionals import Curve, Score, ceiling_of, curve_of, ideal_of, own_score
from headcount.population.maximum_likelihood import Fit, Likelihood, maximum_likelihood
from headcount.population.mixtures import Atoms, Mixture
from headcount.population.profile_likelihood import Inflate, profile_interval


@frozen
class Population:
    """A fitted population of items.

    `mixture` holds it: for two labels kinds of items on a fine grid (nonparametric maximum
    likelihood), for more a mixture of Dirichlets, or kinds of items on an ordered scale where
    labels have an order; through slips always kinds of items.
    `n_items` and `most_ratings` are what it was fitted to: K ratings an item fix K moments.
    `likelihood` and `fit` serve the profile intervals, which need a convex fit: they are None
    for Dirichlets. `lengths` are the numbers of ratings at which strata of items begin, where each
    has a population of its own. What was worked out from it before is kept.
    """

    mixture: Mixture
    n_items: float
    most_ratings: int
    log_likelihood: float
    likelihood: Likelihood | None = None
    fit: Fit | None = None
    lengths: tuple[int, ...] = ()
    _known: dict[tuple[Any, ...], Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def n_labels(self) -> int:
        """How many labels there are."""
        return self.mixture.n_labels

    @property
    def primary(self) -> Mixture:
        """The population of what people mean: the mixture, slips set aside."""
        return self.mixture.without_slips() if isinstance(self.mixture, Atoms) else self.mixture

    def predict(self, y: ArrayLike) -> Floats:
        """P(ℓ | y) for surveys (R, L): what the next person means, given these ratings.

        Also the posterior mean of an item's label distribution given all its counts.
        """
        asked = np.atleast_2d(np.asarray(y, dtype=np.int64))
        return self.mixture.predict(asked)

    def curve(
        self,
        k: ArrayLike,
        score: Score = "cross_entropy",
        *,
        clip: float | None = None,
        seed: int = 0,
        enough: float = np.inf,
    ) -> Curve:
        """The expected score of the Bayes prediction from k ratings, for any k.

        `enough` is as for `curve_of`.
        """
        asked = np.asarray(k, dtype=np.int64)
        key = ("curve", asked.tobytes(), score, clip, seed, enough)
        if key not in self._known:
            self._known[key] = curve_of(
                self.primary, asked, score, clip=clip, seed=seed, enough=enough
            )
        found: Curve = self._known[key]
        return found

    def ideal(
        self, score: Score = "cross_entropy", *, clip: float | None = None, seed: int = 0
    ) -> float:
        """The score of the classifier that says each item's own distribution."""
        return ideal_of(self.primary, score, clip=clip, seed=seed)[0]

    def ceiling(self) -> float:
        """E max p: how often people agree with the best possible decisions."""
        return ceiling_of(self.primary)

    def ideal_interval(
        self,
        score: Score = "cross_entropy",
        *,
        clip: float | None = None,
        confidence: float = 0.95,
        inflate: Inflate | None = None,
    ) -> tuple[float, float]:
        """The profile interval of `ideal`; with "agreement" that of the ceiling."""
        functional = own_score(self._kinds().atoms, score, clip)
        return self.profile(functional, confidence=confidence, inflate=inflate)

    def profile(
        self, functional: Floats, *, confidence: float = 0.95, inflate: Inflate | None = None
    ) -> tuple[float, float]:
        """How far the likelihood lets Σ weights × functional (M,) move.

        `inflate` is as for `profile_interval`.
        """
        self._kinds()
        assert self.likelihood is not None
        assert self.fit is not None
        key = ("profile", functional.tobytes(), confidence)
        if inflate is not None or key not in self._known:
            low, high = profile_interval(
                self.likelihood,
                self.fit,
                functional,
                n_labels=self.n_labels,
                confidence=confidence,
                inflate=inflate,
            )
            if inflate is not None:
                return low.value, high.value
            self._known[key] = low.value, high.value
        ends: tuple[float, float] = self._known[key]
        return ends

    def _kinds(self) -> Atoms:
        if not isinstance(self.mixture, Atoms) or self.fit is None:
            raise UnanswerableError(
                "Profile intervals need a population of kinds of items: resample items instead."
            )
        return self.mixture


def fit_kinds(counts: Ints, size: Floats, atoms: Floats, *, slip: float = 0.0) -> Population:
    """Nonparametric maximum likelihood over given kinds of items `atoms` (M, L)."""
    total = float(size.sum())
    even = Atoms(np.full(len(atoms), 1 / len(atoms)), atoms, slip)
    likelihood = Likelihood.from_logs(even.log_likelihoods(counts), size)
    fit = maximum_likelihood(likelihood)
    mixture = Atoms(fit.weights, atoms, slip, reserve=1 / (1 + total))
    most = int(counts.sum(axis=1).max())
    return Population(mixture, total, most, fit.log_likelihood, likelihood, fit)
