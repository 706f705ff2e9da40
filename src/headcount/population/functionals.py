"""Functionals of a population: curve without end, ideal classifier, ceiling, and their bounds.

The curve at k is the expected score of the Bayes prediction from k ratings. Where the surveys
of k ratings are few they are all enumerated; beyond that items and their surveys are drawn, and
the score of the drawn items' own distributions, whose mean is known, takes most of the
sampling error away (a control variate). What is left of it is stated.
"""

from functools import lru_cache
from math import comb
from typing import Literal

import numpy as np
from numpy.polynomial import chebyshev
from scipy.special import betainc, digamma, gdtr

from headcount.arrays import Floats, Ints
from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.metrics import Scorer, brier_scores, clip_for, log_scores, ranked_scores, top_shares
from headcount.population.mixtures import Atoms, Dirichlets, Mixture
from headcount.population.surveys import every_survey, log_orders

Score = Literal["cross_entropy", "brier", "agreement", "rps"]

SCORES: tuple[Score, ...] = ("cross_entropy", "brier", "agreement", "rps")

# More surveys of one size than this are drawn, not enumerated.
MOST_SURVEYS = 25_000

# Items drawn where surveys are: the control variate leaves an error of a few ten-thousandths.
N_DRAWN = 8_192

# Of Legendre: the error of a share is below 1e-8, whatever the shapes.
_NODES = 64


@frozen
class Curve:
    """Scores (n,) at `k` ratings (n,), and their standard errors from drawing: 0 is exact."""

    k: Ints
    scores: Floats
    errors: Floats

    @property
    def exact(self) -> bool:
        """Whether nothing was drawn."""
        return not self.errors.any()


def curve_of(
    mixture: Mixture,
    k: Ints,
    score: Score,
    *,
    clip: float | None = None,
    seed: int = 0,
    enough: float = np.inf,
) -> Curve:
    """The expected score of the Bayes prediction from each of `k` ratings.

    Points past the first, in order of k, that scores `enough` repeat it, with its error: nobody
    asks for more.
    """
    k = np.atleast_1d(np.asarray(k, dtype=np.int64))
    scores, errors = np.empty(len(k)), np.zeros(len(k))
    n_surveys = np.array([comb(int(each) + mixture.n_labels - 1, int(each)) for each in k])
    rising = np.argsort(k, kind="stable")
    for at, place in enumerate(rising[: int((n_surveys <= MOST_SURVEYS).sum())]):
        scores[place] = _enumerated(mixture, int(k[place]), score, clip)
        if scores[place] >= enough:
            scores[rising[at:]] = scores[place]
            return Curve(k, scores, errors)
    drawn = np.flatnonzero(n_surveys > MOST_SURVEYS)
    if len(drawn):
        scores[drawn], errors[drawn] = _drawn(mixture, k[drawn], score, clip, seed, enough)
    return Curve(k, scores, errors)


def ideal_of(
    mixture: Mixture, score: Score, *, clip: float | None = None, seed: int = 0
) -> tuple[float, float]:
    """The score of the classifier that says each item's own distribution, and its error."""
    if isinstance(mixture, Atoms):
        return float(mixture.weights @ own_score(mixture.atoms, score, clip)), 0.0
    if score == "agreement":
        return ceiling_of(mixture), 0.0
    if score == "brier":
        return _ideal_brier(mixture), 0.0
    if score == "rps":
        return _ideal_ranked(mixture), 0.0
    exact = _ideal_cross_entropy(mixture)
    if clip == 0:
        return exact, 0.0
    p = mixture.draw(np.random.default_rng([seed, 1]), 4 * N_DRAWN)
    loss = own_score(p, score, clip) - own_score(p, score, 0.0)
    return exact + float(loss.mean()), float(loss.std() / np.sqrt(len(p)))


def ceiling_of(mixture: Mixture) -> float:
    """E max p: how often people agree with the best possible decision."""
    if isinstance(mixture, Atoms):
        return float(mixture.weights @ mixture.atoms.max(axis=1))
    return float(mixture.weights @ _expected_largest(mixture.alpha))


def _enumerated(mixture: Mixture, k: int, score: Score, clip: float | None) -> float:
    log_probability, predicted = mixture.told(every_survey(k, mixture.n_labels))
    chance = np.exp(log_orders(k, mixture.n_labels) + log_probability)
    return float(chance @ own_score(predicted, score, clip) / chance.sum())


def _drawn(
    mixture: Mixture, k: Ints, score: Score, clip: float | None, seed: int, enough: float
) -> tuple[Floats, Floats]:
    # A stream of its own: ideals and refits draw from others, and none moves another.
    rng = np.random.default_rng([seed, 2])
    p = mixture.draw(rng, N_DRAWN)
    control = own_score(p, score, 0.0)
    control -= ideal_of(mixture, score, clip=0.0)[0]
    y, before = np.zeros(p.shape, dtype=np.int64), 0
    scores, errors = np.empty(len(k)), np.empty(len(k))
    # Surveys grow: the same drawn ratings serve every size, so the curve's steps are steady.
    rising = np.argsort(k, kind="stable")
    for at, place in enumerate(rising):
        y, before = y + rng.multinomial(k[place] - before, p), int(k[place])
        reached = own_score(mixture.predict(y), score, clip)
        spread = float(control @ control)
        share = float(control @ (reached - reached.mean())) / spread if spread > 0 else 0.0
        steadied = reached - share * control
        scores[place] = steadied.mean()
        errors[place] = steadied.std() / np.sqrt(len(p))
        if scores[place] >= enough:
            scores[rising[at:]], errors[rising[at:]] = scores[place], errors[place]
            break
    return scores, errors


def _ideal_cross_entropy(mixture: Dirichlets) -> float:
    """E Σ p log₂ p: for a Dirichlet Σ (α_ℓ/A)(ψ(α_ℓ + 1) − ψ(A + 1)) / log 2."""
    total = mixture.alpha.sum(axis=1, keepdims=True)
    each = mixture.alpha / total * (digamma(mixture.alpha + 1) - digamma(total + 1))
    return float(mixture.weights @ each.sum(axis=1) / np.log(2))


def _ideal_brier(mixture: Dirichlets) -> float:
    """½ E Σ p² − ½: for a Dirichlet E p_ℓ² = α_ℓ(α_ℓ + 1) / A(A + 1)."""
    total = mixture.alpha.sum(axis=1)
    square = (mixture.alpha * (mixture.alpha + 1)).sum(axis=1) / (total * (total + 1))
    return float(0.5 * mixture.weights @ square - 0.5)


def _ideal_ranked(mixture: Dirichlets) -> float:
    """−E Σ F(1 − F): for a Dirichlet F(j) is Beta, E F(1 − F) = a(A − a) / A(A + 1)."""
    below = np.cumsum(mixture.alpha, axis=1)
    total = below[:, -1:]
    each = below[:, :-1] * (total - below[:, :-1]) / (total * (total + 1))
    return -float(mixture.weights @ each.sum(axis=1))


def _expected_largest(alpha: Floats) -> Floats:
    """E max p under each of C Dirichlets, (C,), of parameters (C, L).

    p is a vector of independent Gammas X over their sum, which is independent of p: so
    E max p = E max X / A, and E max X = ∫ 1 − Π P(X_ℓ ≤ x) dx.
    """
    total = alpha.sum(axis=1)
    if alpha.shape[1] == 2:
        a, b = alpha.T
        below = betainc(a + 1, b, 0.5)
        of_two: Floats = a / total * (1 - below) + b / total * betainc(a, b + 1, 0.5)
        return of_two
    top = alpha.max(axis=1)
    nodes, weights = _legendre(_NODES)
    reach = 9 * np.sqrt(top)
    first, width = np.maximum(top - reach, 0.0), np.minimum(reach, top) + reach + 30
    # Up to `first` the integrand is 1. From nought on shapes below one are steep there, and in
    # x = t³ width it is smooth.
    smooth = first[:, None] > 0
    x = first[:, None] + width[:, None] * np.where(smooth, nodes, nodes**3)
    # Past its own reach a Gamma has nothing left that one less it could tell.
    below = np.ones((*alpha.shape, len(nodes)))
    own = x[:, None, :] < (alpha + 8 * np.sqrt(alpha) + 30)[:, :, None]
    gdtr(1.0, alpha[:, :, None], x[:, None, :], out=below, where=own)
    inside = 1 - np.prod(below, axis=1)
    slope = weights * np.where(smooth, 1.0, 3 * nodes**2)
    largest: Floats = (first + width * (slope * inside).sum(axis=1)) / total
    return largest


@lru_cache(maxsize=1)
def _legendre(n: int) -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return (nodes + 1) / 2, weights / 2


def score_of(scorer: Scorer) -> Score | None:
    """The score that a scorer is, where a population has an ideal and a curve by it."""
    found = (name for name in SCORES if name == scorer.name and scorer.decomposable)
    return next(found, None)


def label_scores(prediction: Floats, score: Score, clip: float | None = None) -> Floats:
    """The score of predictions (…, L) against each label, (…, L); −∞ only without a clip."""
    n_labels = prediction.shape[-1]
    if score == "cross_entropy":
        if clip == 0:
            with np.errstate(divide="ignore"):
                logs: Floats = np.log2(prediction)
            return logs
        return log_scores(prediction, clip_for(n_labels, clip))
    if score == "brier":
        return brier_scores(prediction)
    if score == "rps":
        return ranked_scores(prediction, np.ones(n_labels - 1))
    if score == "agreement":
        return top_shares(prediction)  # a coin is flipped among the most likely labels
    raise OptionError(f"score is one of {', '.join(SCORES)}; it was {score!r}.")


def own_score(p: Floats, score: Score, clip: float | None = None) -> Floats:
    """What predicting p scores where people answer by p: Σ_ℓ p_ℓ S(p, ℓ), for p (…, L)."""
    return expected_score(label_scores(p, score, clip), p)


def expected_score(scores: Floats, p: Floats) -> Floats:
    """Σ_ℓ p_ℓ scores_ℓ, a label that nobody gives counting nothing."""
    kept = np.where(p != 0, scores, 0.0)
    total: Floats = np.einsum("...l,...l->...", kept, p)
    return total


# How far a moment may be off: a grid need not hold the population that they came from.
SLACK = 1e-9


def moment_bounds(
    functional: Floats, grid: Floats, *, atoms: Floats, weights: Floats, ratings: int
) -> tuple[float, float]:
    """The lowest and highest mean of `functional` (M,) over `grid` (M,) for two labels.

    Over all populations with the first `ratings` moments of the one with `weights` at `atoms`
    (the chance of the second label). Raises UnanswerableError where the programme has no
    solution: no bound is made up.
    """
    # Chebyshev polynomials span the same moments and keep the programme well conditioned.
    rows: Floats = chebyshev.chebvander(2 * grid - 1, ratings).T.astype(np.float64)
    moments = chebyshev.chebvander(2 * atoms - 1, ratings).T @ weights
    return (
        _lowest(functional, rows, moments),
        -_lowest(-functional, rows, moments),
    )


def _lowest(functional: Floats, rows: Floats, moments: Floats) -> float:
    from scipy.optimize import linprog  # slow to load

    found = linprog(
        functional,
        A_ub=np.vstack([rows, -rows]),
        b_ub=np.concatenate([moments + SLACK, SLACK - moments]),
        bounds=(0, None),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.status != 0:
        raise UnanswerableError(
            f"No population on this grid has these {len(moments) - 1} moments ({found.message})"
        )
    return float(found.fun)
