"""The next person's answer from k people and the classifier's, by cells of its answers.

What people said in the cell where they had said the same before, and the fitted population behind
it: its components shared over cells, their weights by cell. The weights are learned one by one, or
as those of so many answers of people. Everything is learned outside an item's own fold.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen
from headcount.population import Atoms, Mixture, every_survey
from headcount.together.survey_tables import SurveyTables, next_answers

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BACKING = 20.0
"""Items that the fitted population counts for beside those of a cell that were asked alike."""

AS_ANSWERS = 1000.0
"""The same where the classifier's answer is taken for people's."""

_NEVER, _RIDGE, _NEWTON, _FAR = 1e-4, 1.0, 2, 2.0
"""Chances taken for none, the ridge in items, Newton steps in each of EM, and their length."""

SHARING = 1.0
"""Items that all cells' weights count for in each: .3 to 3 alike, 20 and more lose up to .4 bits
where cells are thin."""

_STEPS = 40
"""Steps of the EM algorithm for a cell's weights: further ones fit the cell's noise."""

_TRACE = 1e-6
"""Components of less weight than this are not shared: an exact fit holds few, and traces."""


@frozen(eq=False)
class Components:
    """Kinds of items that all cells share: `weights` (C,), and likelihoods of surveys."""

    mixture: Mixture
    kept: Ints

    @classmethod
    def of(cls, mixture: Mixture) -> "Components":
        """Those of a fitted population that have any weight."""
        return cls(mixture, np.flatnonzero(mixture.weights > _TRACE))

    @property
    def weights(self) -> Floats:
        """Their weights, summing to one."""
        held: Floats = self.mixture.weights[self.kept]
        shares: Floats = held / held.sum()
        return shares

    def log_likelihoods(self, y: Ints) -> Floats:
        """Logarithms of P(y | component), each survey as a sequence, (R, C)."""
        if isinstance(self.mixture, Atoms):
            return self.mixture.log_likelihoods(y)[:, self.kept]
        logs = self.mixture.log_parts(y) - np.log(self.mixture.weights)
        return np.asarray(logs[:, self.kept])


def weights_by_cell(components: Components, patterns: Ints, held: Floats) -> Floats:
    """The components' weights in each cell (B, C), where `held` (B, P) items have each pattern."""
    logs = components.log_likelihoods(patterns)
    likelihood = np.exp(logs - logs.max(axis=1, keepdims=True))
    shared = SHARING * components.weights
    items = held.sum(axis=1, keepdims=True)
    weights = np.repeat(components.weights[None], len(held), axis=0)
    for _ in range(_STEPS):
        of_items = weights @ likelihood.T
        with np.errstate(divide="ignore", invalid="ignore"):
            load = np.where(held > 0, held / of_items, 0.0)
        weights = (weights * (load @ likelihood) + shared) / (items + SHARING)
    return weights


def weights_as_answers(components: Components, patterns: Ints, held: Floats) -> Floats:
    """The same (B, C), where an answer of the classifier is taken for so many answers of people.

    w(a) ∝ w Π_ℓ p(ℓ)^a(ℓ), as if a(ℓ) people had said ℓ: L numbers a cell instead of a weight for
    each component, and exactly right for a classifier that is some people. By the EM algorithm,
    whose second step is a convex problem of L numbers.
    """
    assert isinstance(components.mixture, Atoms)
    logs = components.log_likelihoods(patterns)
    likelihood = np.exp(logs - logs.max(axis=1, keepdims=True))
    told = np.log(np.maximum(components.mixture.atoms[components.kept], _NEVER))
    told -= components.weights @ told
    base = np.log(components.weights)
    answers = np.zeros((len(held), told.shape[1]))
    items = np.maximum(held.sum(axis=1, keepdims=True), 1e-300)
    weights = np.repeat(components.weights[None], len(held), axis=0)
    for _ in range(_STEPS):
        of_items = weights @ likelihood.T
        load = np.where(held > 0, held / np.maximum(of_items, 1e-300), 0.0)
        wanted = (weights * (load @ likelihood)) @ told / items
        for _ in range(_NEWTON):
            mean = weights @ told
            spread = np.einsum("bc,cl,cm->blm", weights, told, told)
            spread -= mean[:, :, None] * mean[:, None, :]
            # A ridge as of one item a cell: one with few items stays near the whole population.
            slope = wanted - mean - answers * _RIDGE / items
            spread += np.eye(told.shape[1]) * (_RIDGE / items + 1e-6)[:, :, None]
            step = np.linalg.solve(spread, slope[:, :, None])[:, :, 0]
            answers += np.clip(step, -_FAR, _FAR)
            logits = base + answers @ told.T
            weights = np.exp(logits - logits.max(axis=1, keepdims=True))
            weights /= weights.sum(axis=1, keepdims=True)
    return weights


def predict_by_cells(
    tables: SurveyTables, mixtures: Sequence[Mixture], most: int, *, as_answers: bool = False
) -> list[Floats]:
    """P(ℓ | y, cell) learned outside each fold, for k = 0..most: (F, B, R, L) each.

    `mixtures` has for each fold the population fitted to the others. With one fold, everything is
    learned from: a policy's own table.
    """
    held = tables.held()
    others = held.sum(axis=0) - held if tables.n_folds > 1 else held
    shapes = [every_survey(k, tables.n_labels).shape for k in range(most + 1)]
    found = [np.empty((*held.shape[:2], *shape)) for shape in shapes]
    for fold in range(tables.n_folds):
        components = Components.of(mixtures[fold])
        weigh = weights_as_answers if as_answers else weights_by_cell
        weights = weigh(components, tables.patterns, others[fold])
        backing = AS_ANSWERS if as_answers else BACKING
        for k in range(most + 1):
            seen = next_answers(others[fold] @ tables.chances(k + 1), k, tables.n_labels)
            fitted = _fitted(components, weights, k, tables.n_labels)
            total = seen.sum(axis=-1, keepdims=True)
            found[k][fold] = (seen + backing * fitted) / (total + backing)
    return found


def _fitted(components: Components, weights: Floats, k: int, n_labels: int) -> Floats:
    """P(ℓ | y) in each cell by the fitted population alone, (B, R, L)."""
    y = every_survey(k, n_labels)
    shorter_logs = components.log_likelihoods(y)
    top = shorter_logs.max(axis=1)
    place = np.concatenate([y + step for step in np.eye(n_labels, dtype=np.int64)])
    logs = components.log_likelihoods(place).reshape(n_labels, len(y), -1) - top[:, None]
    chance = np.exp(logs) @ weights.T  # (L, R, B)
    found = np.moveaxis(chance, 2, 0).swapaxes(1, 2)
    total = found.sum(axis=2, keepdims=True)
    even = 1 / n_labels
    return np.asarray(np.where(total > 0, found / np.where(total > 0, total, 1), even))
