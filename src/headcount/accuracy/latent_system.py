"""Latent classes for raters, and for raters with one system as one more member.

A system is fitted together with the raters, one system at a time: its answers are evidence
about the truth too, and leaving them out underestimates a system that is better than the
raters. Two systems are never fitted together, since systems err alike more than raters do.
"""

from dataclasses import dataclass

import numpy as np

from headcount.accuracy.cases import Cases, Floats, Ints
from headcount.accuracy.latent import Fit, Model, Rows, divide
from headcount.accuracy.latent_fit import climb, fit

SAMPLE_TOLERANCE = 1e-6
"""Bootstrap samples need less: their fits are read to a small part of a standard error."""

SAMPLE_ITERATIONS = 200

MOST_WORK = 1e9
"""Answers × labels × samples past which fewer bootstrap samples are fitted (at least 50)."""


@dataclass(frozen=True)
class Fitted:
    """Rows of answers (D of them), each group's row (J,) and the model fitted to them."""

    rows: Rows
    row: Ints
    fit: Fit

    def weights(self, weights: Floats) -> Floats:
        """Cases of each row, (D, S), from cases of each group (S, J)."""
        total = np.zeros((self.rows.n_rows, len(weights)))
        for sample, drawn in enumerate(weights):
            total[:, sample] = np.bincount(self.row, weights=drawn, minlength=self.rows.n_rows)
        return total

    def refitted(self, weights: Floats) -> Model:
        """The models of bootstrap samples (S, J), reached from the fit to the data."""
        start = self.fit.model().repeated(len(weights))
        run = climb(
            self.rows,
            self.weights(weights),
            start,
            most_iterations=SAMPLE_ITERATIONS,
            tolerance=SAMPLE_TOLERANCE,
        )
        return run.model


def fit_raters(cases: Cases, *, restarts: int, seed: int) -> Fitted:
    """Latent classes from the raters alone."""
    weights = np.bincount(cases.row, weights=cases.cases, minlength=cases.rows.n_rows).astype(float)
    return Fitted(cases.rows, cases.row, fit(cases.rows, weights, restarts=restarts, seed=seed))


def fit_system(cases: Cases, system: int, raters: Fitted, *, seed: int) -> Fitted:
    """Latent classes from the raters and one system: from the vote and from the raters' fit."""
    rows, row = cases.with_system(system)
    guess = np.empty((rows.n_rows, rows.n_labels))
    guess[row] = raters.fit.posterior[raters.row]
    weights = np.bincount(row, weights=cases.cases, minlength=rows.n_rows).astype(float)
    return Fitted(rows, row, fit(rows, weights, restarts=0, seed=seed, guess=guess))


def system_accuracy(rows: Rows, model: Model) -> Floats:
    """Chance that the system's answer is right, (S,): it is the last member."""
    own = np.flatnonzero((rows.member == rows.member[-1]) & (rows.answer < rows.n_labels))
    label = rows.answer[own]
    accuracy: Floats = (model.base_rates[label] * model.chances[own, label]).sum(axis=0)
    return accuracy


def rater_accuracy(rows: Rows, weights: Floats, model: Model) -> tuple[Floats, Floats]:
    """Expected share of right answers: of all, (S,), and of each member, (M, S).

    `weights` (D, S). Unlike the chances themselves it is known for raters who never met a
    class, since it counts only the cases they rated.
    """
    divided, _ = divide(rows, weights, model)
    d, n, s = divided.shape
    told = np.asarray(rows.turned @ divided.reshape(d, n * s)).reshape(-1, n, s)
    inside = rows.answer < n
    right = np.zeros((len(rows.member), s))
    right[inside] = told[inside, rows.answer[inside]]
    by_member = np.add.reduceat(right, rows.starts, axis=0)
    given = np.add.reduceat(told.sum(axis=1), rows.starts, axis=0)
    share = np.where(given > 0, by_member / np.where(given > 0, given, 1.0), np.nan)
    return by_member.sum(axis=0) / given.sum(axis=0), share


def affordable_samples(cases: Cases, samples: int) -> int:
    """How many bootstrap samples the work of fitting them allows."""
    work = (cases.rows.said.nnz + cases.rows.n_rows) * cases.n_labels * (len(cases.systems) + 1)
    return min(samples, max(50, int(MOST_WORK / max(work, 1))))
