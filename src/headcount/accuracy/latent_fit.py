"""Fitting a latent-class model: where EM starts, when it stops, which class is which label."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from headcount.accuracy.latent import Fit, Floats, Model, Rows, expect, maximise

MOST_ITERATIONS = 2000
TOLERANCE = 1e-10
"""EM stops when an iteration adds less than this to the log-likelihood of a case."""


@dataclass(frozen=True)
class Run:
    """S fits side by side: the models, log-likelihoods (S,), iterations, whether they settled."""

    model: Model
    log_likelihood: Floats
    iterations: NDArray[np.int64]
    converged: NDArray[np.bool_]


def climb(
    rows: Rows,
    weights: Floats,
    model: Model,
    *,
    most_iterations: int = MOST_ITERATIONS,
    tolerance: float = TOLERANCE,
) -> Run:
    """EM from each of S models to its own summit; sets that have settled drop out of the work.

    `weights` (D, S) cases of each row in each set.
    """
    n_sets = model.n_sets
    cases = weights.sum(axis=0)
    base_rates, chances = model.base_rates.copy(), model.chances.copy()
    reached = np.full(n_sets, -np.inf)
    iterations = np.zeros(n_sets, dtype=np.int64)
    active = np.arange(n_sets)
    current = model
    for _ in range(most_iterations):
        posterior, row_likelihood = expect(rows, current)
        now = (weights[:, active] * row_likelihood).sum(axis=0)
        settled = now - reached[active] < tolerance * cases[active]
        reached[active] = now
        base_rates[:, active], chances[:, :, active] = current.base_rates, current.chances
        if settled.any():
            going = ~settled
            active, posterior, current = active[going], posterior[:, :, going], current.pick(going)
        if not len(active):
            break
        iterations[active] += 1
        current = maximise(rows, weights[:, active], posterior, current)
    converged = np.ones(n_sets, dtype=bool)
    converged[active] = False
    return Run(Model(base_rates, chances), reached, iterations, converged)


def starting_models(rows: Rows, weights: Floats, *, restarts: int, seed: int) -> Model:
    """One start from the vote and `restarts` more from the vote mixed with noise.

    `weights` (D,). All starts lean towards the vote, since a class is named by its label.
    """
    rng = np.random.default_rng([seed, 2])
    vote = rows.shares()
    noise = rng.dirichlet(np.ones(rows.n_labels), size=(rows.n_rows, restarts))
    blend = rng.uniform(0.2, 0.8, size=restarts)
    mixed = vote[:, :, None] * (1 - blend) + blend * noise.transpose(0, 2, 1)
    starts = np.concatenate([vote[:, :, None], mixed], axis=2)
    return maximise(rows, np.repeat(weights[:, None], restarts + 1, axis=1), starts, None)


def fit(
    rows: Rows,
    weights: Floats,
    *,
    restarts: int = 9,
    seed: int = 0,
    guess: Floats | None = None,
) -> Fit:
    """The best of several climbs, its classes matched to the labels. `weights` (D,).

    `guess` (D, L), class probabilities of the rows from elsewhere, is one more start.
    """
    starts = starting_models(rows, weights, restarts=restarts, seed=seed)
    if guess is not None:
        starts = starts.joined(maximise(rows, weights[:, None], guess[:, :, None], None))
    repeated = np.repeat(weights[:, None], starts.n_sets, axis=1)
    return best_of(rows, climb(rows, repeated, starts))


def best_of(rows: Rows, run: Run) -> Fit:
    """The most likely of the fits; of equally likely ones (to a millionth) the first."""
    summit = run.log_likelihood.max()
    close = run.log_likelihood >= summit - 1e-6 * abs(summit)
    best = int(np.flatnonzero(close)[0])
    model = named_classes(rows, run.model.pick(np.array([best])))
    posterior, _ = expect(rows, model)
    return Fit(
        base_rates=model.base_rates[:, 0],
        chances=model.chances[:, :, 0],
        posterior=posterior[:, :, 0],
        log_likelihood=float(run.log_likelihood[best]),
        iterations=int(run.iterations[best]),
        converged=bool(run.converged[best]),
        starts=len(close),
        starts_agreeing=int(close.sum()),
    )


def named_classes(rows: Rows, model: Model) -> Model:
    """Classes in the order of the labels they are mostly called by.

    EM does not know which class is which label; the matching that makes the answers most
    often right names them. `model` holds one set.
    """
    given = rows.answer[:, None] == np.arange(rows.n_labels)
    said = np.asarray(rows.said.sum(axis=0)).ravel()
    called = given.T @ (model.chances[:, :, 0] * said[:, None])
    _, order = linear_sum_assignment(-(called * model.base_rates[:, 0]))
    return Model(model.base_rates[order], model.chances[:, order])
