"""Nonparametric maximum likelihood of a mixing distribution on a fixed set of atoms.

Item i gives every atom j a likelihood A_ij; the weights g of the atoms maximise
Σ w_i log Σ_j A_ij g_j over the simplex. The problem is convex (Kiefer and Wolfowitz 1956;
Koenker and Mizera 2014), and its solution carries a certificate: with the gradient
D_j = Σ_i w_i A_ij / f_i, no weights have a log-likelihood above that of g by more than
max_j D_j − Σw.

Where the ratings leave several distributions equally likely (few ratings an item), an
interior-point method ends in the middle of them (their analytic centre), not at a corner.
"""

from dataclasses import replace
from functools import cached_property

import numpy as np
from scipy.linalg import qr
from scipy.linalg.lapack import dgeqrf, dpotrf, dpotrs

from headcount.arrays import Floats
from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.sampling.threads import one_thread

# A climb takes eight to some tens of steps; one that takes so many has stalled.
MOST_STEPS = 200

# The share of the gap that edges go on to push with: less ends at corners, more takes longer.
_CENTRING = 0.1

# The share of the way to the nearest edge of the feasible region that a step may take.
_TO_THE_EDGE = 0.99

# A pivot this small beside the greatest is rounding: the columns span no further dimension.
_NOUGHT = 1e-15

# Log-likelihood an item that rounding hides: it counts where items are more than a million.
_TOLD = 1e-10

# How far rows may lie from the span that stands for them, relative to their greatest entry.
_SAME = 1e-14


@frozen
class Fit:
    """Weights of the atoms (M,), their log-likelihood, and how far it may be from the best."""

    weights: Floats
    log_likelihood: float
    gap: float


@frozen
class Likelihood:
    """A_ij (G, M), each row scaled to a maximum of 1, the logarithms of the scales, weights w."""

    relative: Floats
    log_scale: Floats
    weight: Floats

    @classmethod
    def from_logs(cls, logs: Floats, weight: Floats) -> "Likelihood":
        """From log A (G, M) and the number of items with each row; empty rows are dropped."""
        held = weight > 0
        logs, weight = logs[held], weight[held]
        top = logs.max(axis=1)
        if not np.isfinite(top).all():
            raise UnanswerableError("Some counts are impossible under every atom of the grid.")
        return cls(np.exp(logs - top[:, None]), top, weight.astype(np.float64))

    @property
    def total(self) -> float:
        """The number of items."""
        return float(self.weight.sum())

    @cached_property
    def span(self) -> tuple[Floats, Floats] | None:
        """U (G, r) and V (r, M) with A = UV, where a small r will do; else None.

        As functions of an atom, the likelihoods of n ratings are polynomials of degree n: many
        patterns over a fine grid span few dimensions, and so does every Newton step. Random
        combinations of the rows find them (Halko, Martinsson and Tropp, SIAM Review 53, 2011).
        """
        a, rank = self.relative, 16
        # Any directions will do, and the same ones every time: nothing is estimated by them.
        rng = np.random.default_rng(0)
        while rank <= min(a.shape) // 2:
            basis, size, _ = qr(
                a.T @ rng.standard_normal((len(a), rank)), mode="economic", pivoting=True
            )
            told = int((np.abs(np.diagonal(size)) > _NOUGHT * abs(size[0, 0])).sum())
            v = np.ascontiguousarray(basis[:, :told].T)
            u = a @ v.T
            if np.abs(a - u @ v).max() <= _SAME:
                return u, v
            rank *= 2
        return None

    def root(self, curvature: Floats) -> Floats:
        """Some R with RᵀR = AᵀDA, D the diagonal `curvature` (G,), of as few rows as will do."""
        if self.span is None:
            return self.relative * np.sqrt(curvature)[:, None]
        u, v = self.span
        factor = np.triu(dgeqrf(u * np.sqrt(curvature)[:, None])[0][: len(v)])
        root: Floats = factor @ v
        return root

    def at(self, weights: Floats) -> float:
        """The log-likelihood of weights (M,)."""
        return float(self.weight @ (np.log(self.relative @ weights) + self.log_scale))


def maximum_likelihood(likelihood: Likelihood, *, tolerance: float = 1e-4) -> Fit:
    """The weights of highest likelihood.

    `tolerance` is how far the log-likelihood may be from the best one, or as near as numbers of
    this precision tell; the certificate of it is in the result. Raises UnanswerableError if it is
    not reached.
    """
    n_atoms = likelihood.relative.shape[1]
    return tilted_maximum(likelihood, np.zeros(n_atoms), tolerance=tolerance)


def tilted_maximum(likelihood: Likelihood, tilt: Floats, *, tolerance: float) -> Fit:
    """The weights g that maximise the log-likelihood less (Σw) tilt · g.

    By a primal-dual interior-point method. `log_likelihood` of the result is without the tilt;
    `gap` is how far the tilted one may be from its best.
    """
    near = max(tolerance, _TOLD * likelihood.total)
    with one_thread():
        best, gap = _climb(likelihood, tilt, near, hurried=bool(tilt.any()))
        if gap > near and tilt.any():
            best, gap = _climb(likelihood, tilt, near, hurried=False)
    if gap > 10 * near:
        raise UnanswerableError(
            f"The maximum likelihood was not reached: {gap:.2g} of log-likelihood is missing."
        )
    best = best / best.sum()
    return Fit(best, likelihood.at(best), max(gap, 0.0))


def _climb(
    likelihood: Likelihood, tilt: Floats, tolerance: float, *, hurried: bool
) -> tuple[Floats, float]:
    """The best weights on the way, and how far their tilted log-likelihood may be from the best.

    A `hurried` climb looks ahead before each step (Mehrotra, SIAM Journal on Optimization 2,
    1992): it takes a third fewer of them, but does not keep to the middle.
    """
    a, total = likelihood.relative, likelihood.total
    share = likelihood.weight / total
    n_atoms = a.shape[1]
    g, z, nu = np.full(n_atoms, 1 / n_atoms), np.ones(n_atoms), 1.0
    best, best_gap = g, np.inf
    for _ in range(MOST_STEPS):
        f = a @ g
        gradient = a.T @ (share / f) - tilt
        gap = total * float(gradient.max() - gradient @ g)
        if gap < best_gap:
            best, best_gap = g, gap
        if gap <= tolerance:
            break
        newton = _Newton.of(likelihood, share / f**2, z / g)
        push = _CENTRING * float(g @ z) / n_atoms / g
        if hurried:
            push = _looked_ahead(newton, g, z, gradient - nu)
        step, nu_step = newton.step(gradient - nu + push)
        z_step = push - z - z / g * step
        g = g + _longest(g, step) * step
        # The two may go different lengths: tied together they would crawl along an edge.
        dual = _longest(z, z_step)
        z, nu = z + dual * z_step, nu + dual * nu_step
    return best, best_gap


def _looked_ahead(newton: "_Newton", g: Floats, z: Floats, rhs: Floats) -> Floats:
    """How hard to push off the edges, by where a step without any push would lead."""
    step, _ = newton.step(rhs)
    z_step = -z - z / g * step
    there = float((g + _longest(g, step) * step) @ (z + _longest(z, z_step) * z_step))
    here = float(g @ z)
    push: Floats = ((there / here) ** 3 * here / len(g) - step * z_step) / g
    return push


@frozen
class _Newton:
    """(AᵀDA + Q)x + ν1 = rhs with 1ᵀx = 0, D and Q diagonal, ready for any right-hand side.

    By Woodbury's identity where AᵀDA has a root R of fewer rows than there are atoms: with
    S = RQ^(−½), `even`, and `scale` Q^(−½), both sides are even, and SSᵀ costs half of what
    another product does. `ones` solves for 1.
    """

    factor: Floats
    diagonal: Floats
    even: Floats | None
    scale: Floats
    ones: Floats

    @classmethod
    def of(cls, likelihood: Likelihood, curvature: Floats, barrier: Floats) -> "_Newton":
        """The equations at a `curvature` D (G,) and a `barrier` Q (M,)."""
        root = likelihood.root(curvature)
        scale, even = 1 / np.sqrt(barrier), None
        if len(root) < root.shape[1]:
            even = root * scale
            factor, diagonal = _factored(even @ even.T, 1.0)
        else:
            factor, diagonal = _factored(root.T @ root, barrier)
        found = cls(factor, diagonal, even, scale, np.ones(0))
        return replace(found, ones=found._solved(np.ones(len(barrier))))

    def step(self, rhs: Floats) -> tuple[Floats, float]:
        """The solution x, and ν."""
        solved = self._solved(rhs)
        nu = float(solved.sum() / self.ones.sum())
        return solved - nu * self.ones, nu

    def _solved(self, side: Floats) -> Floats:
        even = self.even
        inner = side if even is None else even @ (side * self.scale)
        found, _ = dpotrs(self.factor, inner * self.diagonal, lower=1)
        solved: Floats = found * self.diagonal
        if even is None:
            return solved
        return (side * self.scale - solved @ even) * self.scale


def _longest(at: Floats, step: Floats) -> float:
    """The longest step, at most 1, that stays inside the positive numbers."""
    steepest = float((step / at).min())
    return min(1.0, _TO_THE_EDGE / -steepest) if steepest < 0 else 1.0


def _factored(matrix: Floats, added: Floats | float) -> tuple[Floats, Floats]:
    """The Cholesky factor of a matrix with `added` on its diagonal, evened out, and the scale.

    Rounding may ask for a touch of ridge. The matrix is written over.
    """
    diagonal = matrix.reshape(-1)[:: len(matrix) + 1]
    diagonal += added
    scale = 1 / np.sqrt(diagonal)
    matrix *= scale
    matrix *= scale[:, None]
    for ridge in (0.0, 1e-14, 1e-12, 1e-10):
        diagonal[:] = 1 + ridge
        factor, failed = dpotrf(matrix, lower=1)
        if not failed:
            return factor, scale
    raise UnanswerableError("The likelihood is too flat to be maximised on this grid.")
