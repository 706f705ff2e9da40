"""Fitting a latent-class model: where EM starts, when it stops, which class is which label."""

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy.latent import LEAST, Fit, Floats, Model, Rows, divide, expect, maximise
from headcount.frozen import frozen

MOST_ITERATIONS = 2000
TOLERANCE = 1e-10
"""EM stops when two steps and a leap add less than this to the log-likelihood of an item."""

LONGEST_LEAP = 64.0

HARDLY_ANY = 0.01
"""A class with a smaller share of the items is too small to be read."""


@frozen
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

    Two steps of EM show where they are heading, and a third point is tried further along
    (SQUAREM); where that is no higher, the second step stands, so the likelihood never falls.
    `weights` (D, S) are the items of each row in each set.
    """
    items, weights = weights.sum(axis=0), rows.laid(weights)
    summit = Model(model.base_rates.copy(), model.chances.copy())
    iterations = np.zeros(model.n_sets, dtype=np.int64)
    divided, reached = divide(rows, weights, model)
    active, current, now = np.arange(model.n_sets), model, reached.copy()
    for _ in range(max(1, most_iterations // 2)):
        current, divided, higher = _cycle(rows, weights, current, divided)
        iterations[active] += 2
        going = np.flatnonzero(higher - now >= tolerance * items[active])
        reached[active] = higher
        summit.put(active, current)
        active = active[going]
        if not len(active):
            break
        if len(going) < len(higher):
            weights, divided = rows.some(weights, going), rows.some(divided, going)
            current = current.pick(going)
        now = higher[going]
    converged = np.ones(model.n_sets, dtype=bool)
    converged[active] = False
    return Run(summit, reached, iterations, converged)


def _cycle(
    rows: Rows, weights: Floats, start: Model, divided: Floats
) -> tuple[Model, Floats, Floats]:
    """Two steps of EM and a leap: the model, how it divides the items, its log-likelihood (S,)."""
    once = maximise(rows, divided, start)
    between, middle = divide(rows, weights, once)
    twice = maximise(rows, between, once)
    ahead = leapt(rows, start, once, twice)
    divided, higher = divide(rows, weights, ahead)
    fell = np.flatnonzero(~(higher >= middle))
    if len(fell):
        back = twice.pick(fell)
        ahead.put(fell, back)
        divided[:, :, fell], higher[fell] = divide(rows, rows.some(weights, fell), back)
    return ahead, divided, higher


def leapt(rows: Rows, start: Model, once: Model, twice: Model) -> Model:
    """Where the three points are heading, with steps as long as they are straight."""
    first = _minus(once, start)
    bend = _minus(_minus(twice, once), first)
    length = np.sqrt(_square(first) / np.maximum(_square(bend), 1e-300))
    step = np.clip(length, 1.0, LONGEST_LEAP)
    base_rates = start.base_rates + 2 * step * first.base_rates + step**2 * bend.base_rates
    chances = start.chances + 2 * step * first.chances + step**2 * bend.chances
    base_rates = np.maximum(base_rates, LEAST)
    chances = np.maximum(chances, LEAST)
    return Model(base_rates / base_rates.sum(axis=0), chances / rows.over_member(chances))


def _minus(one: Model, other: Model) -> Model:
    return Model(one.base_rates - other.base_rates, one.chances - other.chances)


def _square(model: Model) -> Floats:
    total: Floats = (model.base_rates**2).sum(axis=0) + (model.chances**2).sum(axis=(0, 1))
    return total


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
    return maximise(rows, starts * weights[:, None, None], None)


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
        starts = starts.joined(maximise(rows, (guess * weights[:, None])[:, :, None], None))
    repeated = np.repeat(weights[:, None], starts.n_sets, axis=1)
    return best_of(rows, weights, climb(rows, repeated, starts))


def best_of(rows: Rows, weights: Floats, run: Run) -> Fit:
    """The most likely of the fits; of equally likely ones (to a millionth) the first."""
    summit = run.log_likelihood.max()
    close = run.log_likelihood >= summit - 1e-6 * abs(summit)
    best = int(np.flatnonzero(close)[0])
    model = named_classes(rows, weights, run.model.pick(np.array([best])))
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


def named_classes(rows: Rows, weights: Floats, model: Model) -> Model:
    """Classes in the order of the labels they are mostly called by.

    EM does not know which class is which label; the matching that makes the answers most
    often right names them. `weights` (D,); `model` holds one set.
    """
    given = rows.answer[:, None] == np.arange(rows.n_labels)
    share = rows.over_member(rows.turned @ weights)
    called = given.T @ (model.chances[:, :, 0] * share[:, None])
    order = _matching(called * model.base_rates[:, 0])
    return Model(model.base_rates[order], model.chances[:, order])


def _matching(gain: Floats) -> NDArray[np.int64]:
    """The column for each row of `gain` (L, L), all different, with the greatest sum."""
    best = gain.argmax(axis=1)
    if len(np.unique(best)) == len(best):
        return np.asarray(best, dtype=np.int64)
    from scipy.optimize import linear_sum_assignment  # slow to load, and seldom needed

    order: NDArray[np.int64] = linear_sum_assignment(-gain)[1]
    return order


def misnamed_classes(rows: Rows, weights: Floats, fit: Fit, raters: int) -> list[int]:
    """Labels whose class the raters mostly call by another label.

    Such classes are not the labels: EM has used them to tell apart something else, such as
    easy and hard items. Classes with hardly any items do not count. The first `raters`
    members are the raters; a system's answers do not name a class. `weights` (D,).
    """
    given = (rows.answer[:, None] == np.arange(rows.n_labels)).astype(float)
    share = rows.over_member((rows.turned @ weights) * (rows.member < raters))
    called = given.T @ (fit.chances * share[:, None])
    return [
        label
        for label in range(rows.n_labels)
        if fit.base_rates[label] >= HARDLY_ANY and called[label, label] < called[:, label].max()
    ]
