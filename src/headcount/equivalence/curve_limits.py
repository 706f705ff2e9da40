"""The curve without end and how far it may lie from its estimate: three ways to know.

Kinds of items (two labels, or ordered ones): how far the likelihood lets the population move.
Mixtures of Dirichlets: the population fitted again to resamples of items. Linear surveys: their
moments in resamples of items. Where raters are a sample too, the population is also fitted without
each of them.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from math import comb
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtri, stdtrit

from headcount.arrays import Floats, Ints
from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.population import (
    Atoms,
    Dirichlets,
    Everyone,
    Fit,
    Inflate,
    Likelihood,
    LinearSurvey,
    Mixture,
    Population,
    Refits,
    Score,
    curve_of,
    every_survey,
    expected_score,
    ideal_of,
    label_scores,
    log_orders,
    lowest,
    own_score,
)
from headcount.sampling import Samples
from headcount.sampling.intervals import Tail
from headcount.sampling.people import reach_over_raters

# Times that a prediction is learned anew on the way to the highest curve: a third adds nothing.
_CLIMBS = 2

# Patterns × kinds of items up to which the likelihood is profiled at several k.
_CHEAP = 40_000

# Patterns × components over all refits of a population of many labels: a second or two.
_REFIT_CELLS = 2_000_000

_FEWEST, _MOST = 20, 100
"""Refits of a population of many labels."""

# Surveys up to which the likelihood is profiled at a knot.
_PROFILED_SURVEYS = 20_000

# Surveys up to which a refit's curve is worked out at a knot.
_KNOT_SURVEYS = 3_000


@frozen
class Spread:
    """How far a curve may lie `below` and `above` its estimate at `knots` raters, ∞ the ideal.

    These distances are over items; `moves` (R, n) is how far the curve moves without each rater, or
    group of raters, where these count as samples. Between knots everything is straight in 1/k, as
    the curve itself nearly is.
    """

    knots: Floats
    below: Floats
    above: Floats
    moves: Floats

    def over_items(self, k: Floats) -> tuple[Floats, Floats]:
        """The distances below and above at k (n,) raters, any of which may be ∞."""
        return self._between(self.below, k), self._between(self.above, k)

    def at(self, k: Floats, confidence: float) -> tuple[Floats, Floats]:
        """The same with raters counted as a sample too."""
        by_rater = reach_over_raters(self.moves_at(k), confidence)
        below, above = self.over_items(k)
        return np.hypot(below, by_rater), np.hypot(above, by_rater)

    def moves_at(self, k: Floats) -> Floats:
        """How far the curve moves at k (n,) raters without each rater, (R, n)."""
        return np.array([self._between(each, k) for each in self.moves]).reshape(-1, len(k))

    def _between(self, of_knots: Floats, k: Floats) -> Floats:
        # np.interp wants rising places: from the ideal, 1/∞ = 0, down to few raters.
        order = slice(None, None, -1)
        return np.interp(1 / np.maximum(k, 1), (1 / self.knots)[order], of_knots[order])


@frozen
class CurveLimits:
    """How far the likelihood of a population of kinds of items lets c_k move.

    c_k is the best that any prediction from k ratings can do, so it is convex in the population;
    with the prediction held fixed it is linear. The lower limit with the fitted prediction held
    fixed is therefore at or below the lowest c_k. The highest is climbed to: the prediction is
    learned anew where the last climb ended. `drop` is how much log-likelihood may be lost: ½χ²₁
    for a profile interval.
    """

    population: Population
    score: Score
    clip: float | None
    drop: float

    def interval(self, k: int) -> tuple[float, float]:
        """The lowest and the highest c_k."""
        here = float(self.population.curve(k, self.score, clip=self.clip).scores[0])
        below, above = self._distances(k)
        return here - below, here + above

    def lowest_ideal(self) -> Floats:
        """Weights of the kinds of items where the ideal is as low as is allowed."""
        kinds, likelihood, fit = self._fitted()
        return lowest(
            likelihood, fit, own_score(kinds.atoms, self.score, self.clip), self.drop
        ).weights

    def _distances(self, k: int) -> tuple[float, float]:
        """How far c_k may lie below and above its estimate."""
        kinds, likelihood, fit = self._fitted()
        functional = self._functional(k, kinds)
        here = float(fit.weights @ functional)
        least = lowest(likelihood, fit, functional, self.drop).value
        end = lowest(likelihood, fit, -functional, self.drop)
        most = -end.value
        # Each prediction is the best for the population it was learned from, so c_k only rises.
        for _ in range(_CLIMBS):
            functional = self._functional(k, Atoms(end.weights, kinds.atoms))
            end = lowest(likelihood, fit, -functional, self.drop)
            most = max(most, -end.value)
        return here - least, most - here

    def _functional(self, k: int, kinds: Atoms) -> Floats:
        """The score on each kind of item, of the prediction learned from all."""
        y = every_survey(k, kinds.n_labels)
        scores = label_scores(kinds.predict(y), self.score, self.clip)
        # Without a clip a prediction may be certain; it is wrong only where nobody is asked.
        scores = np.maximum(scores, -1e3)
        even = Atoms(kinds.weights, kinds.atoms)
        chance = np.exp(log_orders(k, kinds.n_labels)[:, None] + even.log_likelihoods(y))
        expected: Floats = expected_score(chance.T @ scores, kinds.atoms)
        return expected

    def _fitted(self) -> tuple[Atoms, Likelihood, Fit]:
        of = self.population
        if not isinstance(of.mixture, Atoms) or of.likelihood is None or of.fit is None:
            raise UnanswerableError(
                "Limits of the curve by profile likelihood need two labels: resample items instead."
            )
        return Atoms(of.mixture.weights, of.mixture.atoms), of.likelihood, of.fit


class Limits(Protocol):
    """A curve for any number of raters, its end, and how far both may be off."""

    @property
    def ideal(self) -> float:
        """The score of the classifier that knows how people divide on each item."""

    def curve(self, k: Ints, enough: float = np.inf) -> Floats:
        """Scores at rising k (n,) raters; past one of `enough` they may repeat it."""

    def spread(self, first: int, confidence: float) -> Spread:
        """The limits from surveys of `first` raters on."""

    def groups_of(self, samples: Samples) -> Ints | None:
        """Without which group of raters the curve moves, of those that `samples` leave out (J,)."""


@frozen
class _OfPopulation:
    """What a fitted population says of any number of raters.

    `refits` are it without some raters and clusters, where these are counted as samples.
    """

    population: Population
    score: Score
    clip: float | None
    refits: Refits | None

    @cached_property
    def ideal(self) -> float:
        """The score of the classifier that says each item's own distribution."""
        return self.population.ideal(self.score, clip=self.clip)

    def curve(self, k: Ints, enough: float = np.inf) -> Floats:
        """The expected score of the Bayes prediction from k ratings."""
        return self.population.curve(k, self.score, clip=self.clip, enough=enough).scores

    def groups_of(self, samples: Samples) -> Ints | None:
        """Without which group of raters the curve moves, of those that `samples` leave out (J,)."""
        return None if self.refits is None else self.refits.groups_of(samples)

    def _at(self, k: float) -> Callable[[Mixture], float]:
        """The functional at k raters, ∞ the ideal."""
        if np.isfinite(k):
            raters = np.array([k], dtype=np.int64)
            return lambda mixture: float(
                curve_of(mixture, raters, self.score, clip=self.clip).scores[0]
            )
        # Clipping needs draws, and hardly matters to how much an ideal varies.
        return lambda mixture: ideal_of(mixture, self.score, clip=0.0)[0]

    def _inflation(self, kinds: Population, confidence: float) -> Inflate | None:
        """How many times as far a likelihood may fall where items come in clusters."""
        return None if self.refits is None else self.refits.table.inflation(kinds, confidence)

    def _by_likelihood(
        self,
        kinds: Population,
        knots: list[int],
        confidence: float,
        inflate: Inflate | None = None,
    ) -> Spread:
        """How far from this curve the likelihood of kinds of items lets theirs lie."""
        drop = 0.5 * float(chdtri(1, 1 - confidence))
        limits = CurveLimits(kinds, self.score, self.clip, drop)
        if inflate is not None:
            limits = replace(limits, drop=drop * inflate(limits.lowest_ideal()))
        ends = [limits.interval(k) for k in knots]
        ends.append(
            kinds.ideal_interval(self.score, clip=self.clip, confidence=confidence, inflate=inflate)
        )
        low, high = np.array(ends).T
        here = np.array([*(float(self.curve(np.array([k]))[0]) for k in knots), self.ideal])
        return Spread(
            np.array([*knots, np.inf], dtype=np.float64),
            np.maximum(here - low, 0.0),
            np.maximum(high - here, 0.0),
            np.zeros((0, len(here))),
        )

    def _about_people(self, over_items: Spread) -> Spread:
        """Limits over items, and how far the curve moves without each rater."""
        if self.refits is None:
            return over_items
        functionals = [self._at(k) for k in over_items.knots]
        moves = [self.refits.values(each) - each(self.population.mixture) for each in functionals]
        return replace(over_items, moves=np.column_stack(moves))


@frozen
class ProfileLimits(_OfPopulation):
    """Kinds of items: the lowest and highest curve that the likelihood allows."""

    def spread(self, first: int, confidence: float) -> Spread:
        """The limits at a few numbers of raters, and of the ideal."""
        likelihood, labels = self.population.likelihood, self.population.n_labels
        assert likelihood is not None
        cheap = likelihood.relative.size <= _CHEAP
        knots = [
            k
            for k in ([first, 3 * first] if cheap else [first])
            if comb(k + labels - 1, k) <= _PROFILED_SURVEYS
        ]
        inflate = self._inflation(self.population, confidence)
        over_items = self._by_likelihood(self.population, knots, confidence, inflate)
        return self._about_people(over_items)


@frozen
class RefittedLimits(_OfPopulation):
    """More labels: the population fitted again to resamples of everyone's items.

    Whole clusters are drawn where items are in clusters.
    """

    everyone: Everyone
    seed: int

    @cached_property
    def mixtures(self) -> list[Dirichlets]:
        """The refits to resamples."""
        of = self.everyone
        cells = of.counts.shape[0] * len(self.population.mixture.weights)
        n = int(np.clip(_REFIT_CELLS // (cells + _REFIT_CELLS // _MOST // 2), _FEWEST, _MOST))
        counts, sizes, clusters = of.counts, of.sizes.astype(np.float64), None
        if of.table is not None and of.table.samples.cluster is not None:
            counts, sizes, clusters = of.table.clustered()
        return of.fits.refits(self.population, counts, sizes, n, self.seed, clusters=clusters)

    @cached_property
    def kinds(self) -> Population | None:
        """Many kinds of items beside the Dirichlets, for how far the ideal may lie from theirs."""
        of = self.everyone
        return of.fits.many_kinds(self.population, of.counts, of.sizes, self.seed)

    def spread(self, first: int, confidence: float) -> Spread:
        """Standard errors over refits, by Student's t, and what other kinds of items allow."""
        labels = self.everyone.counts.shape[1]
        knots = [k for k in (first, 3 * first) if comb(k + labels - 1, k) <= _KNOT_SURVEYS]
        ends = np.array([*knots, np.inf], dtype=np.float64)
        errors = [np.std([self._at(k)(each) for each in self.mixtures], ddof=1) for k in ends]
        # Student's t: a hundred refits tell their spread only so well.
        far = float(stdtrit(len(self.mixtures) - 1, 0.5 + confidence / 2)) * np.array(errors)
        below, above = far, far
        if self.kinds is not None:
            allowed = self._by_likelihood(self.kinds, knots, confidence)
            below, above = np.maximum(far, allowed.below), np.maximum(far, allowed.above)
        found = self._about_people(Spread(ends, below, above, np.zeros((0, len(ends)))))
        if knots:
            return found
        # Surveys are too many to work out at any k: all lie as far off as the ideal does.
        alike = [np.repeat(each, 2, axis=-1) for each in (found.below, found.above, found.moves)]
        return Spread(np.array([first, np.inf], dtype=np.float64), *alike)


@frozen
class LinearLimits:
    """Linear surveys of the data, then of B resamples of `items`: no population is fitted."""

    surveys: LinearSurvey
    items: int

    @classmethod
    def of(
        cls, counts: Ints, sizes: NDArray[np.number], samples: NDArray[np.number]
    ) -> "LinearLimits":
        """From patterns of counts (G, L) and how often each is drawn in samples (B, G)."""
        found = [LinearSurvey.of_labels(counts, times) for times in [sizes, *samples]]
        return cls(LinearSurvey.stacked(found), int(sizes.sum()))

    @property
    def ideal(self) -> float:
        """The score of the mean of endlessly many answers."""
        return float(self._scores(np.inf)[0, 0])

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
        ends = np.maximum(found[0] - low, 0), np.maximum(high - found[0], 0)
        return Spread(knots, *ends, np.zeros((0, len(knots))))

    def groups_of(self, samples: Samples) -> Ints | None:
        """None: a linear survey is not worked out without raters."""
        del samples
        return None

    def _scores(self, k: ArrayLike) -> Floats:
        """Brier's scores (1 + B, n): minus half of the squared error."""
        return -0.5 * self.surveys.error(k)


def limits_of(
    population: Population,
    score: Score,
    clip: float | None,
    everyone: Everyone,
    seed: int,
) -> Limits:
    """The limits that a population allows."""
    table = everyone.table
    refits = None if table is None else everyone.fits.without(population, table)
    if isinstance(population.mixture, Dirichlets):
        return RefittedLimits(population, score, clip, refits, everyone, seed)
    return ProfileLimits(population, score, clip, refits)
