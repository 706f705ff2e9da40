"""Latent classes: which can be fitted, for raters alone and with each system, and what they say.

Whether they can be fitted is decided first: one confusion matrix a rater, one for all, or none.

A system is fitted together with the raters, one system at a time: its answers are evidence
about the truth too, and leaving them out underestimates a system that is better than the
raters. Two systems are never fitted together, since systems err alike more than raters do.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Literal, TypeGuard

import numpy as np

from headcount.accuracy.dawid_skene import fit, misnamed_classes
from headcount.accuracy.items import Items, RaterModel
from headcount.accuracy.latent_samples import AT_ONCE, Fitted, rater_accuracy, too_many
from headcount.arrays import Floats, Ints
from headcount.aside import processors
from headcount.data import Judged, Named
from headcount.frozen import frozen
from headcount.results import Estimate, Record, hidden, record
from headcount.sampling import Bootstrap, estimate_from_draws

# Samples that are asked for together: those that take long wait for one another.
SIDE_BY_SIDE = 512

# Answers × labels × samples past which fewer bootstrap samples are fitted (at least 50).
MOST_WORK = 1e9


# Ratings for each number that a matrix a rater adds. On the paper's simulator (three raters, five
# labels, a system at .9) one shared matrix came closer to the truth at 50, 100 and 200 items, 2.5
# to 10 ratings a number, and as close or less close from 1,000 items on.
EACH_NEEDS = 15


# Ratings for each number of a shared matrix, below which nothing is fitted.
SHARED_NEEDS = 5


@frozen
class LatentFits:
    """The raters' model and one more for each system; `samples` bootstrap samples of them."""

    raters: Fitted
    systems: tuple[Fitted, ...]
    samples: int

    @property
    def everyone(self) -> tuple[Fitted, ...]:
        """Every fit, the raters' first."""
        return (self.raters, *self.systems)

    def of_samples(self, weights: Floats | Ints) -> dict[str, Floats]:
        """Rater accuracy (S,), base rates (S, L) and the systems' accuracies (S, C) of bootstrap
        samples `weights` (S, J).
        """
        batches = [
            np.ascontiguousarray(weights[start : start + AT_ONCE].T, dtype=np.float64)
            for start in range(0, max(len(weights), 1), AT_ONCE)
        ]
        with ThreadPoolExecutor(max_workers=processors()) as pool:
            raters = pool.submit(self.raters.of_raters, batches)
            systems = list(pool.map(lambda each: each.of_system(batches), self.systems))
        accuracy, base_rates = raters.result()
        return {
            "rater_accuracy": accuracy,
            "base_rates": base_rates,
            "accuracy": np.array(systems).reshape(len(systems), len(weights)).T,
        }


def choose_rater_model(choice: str, judged: Judged, named: Named | None) -> RaterModel | str:
    """One matrix a rater ("each") or one for all ("shared"), or the reason why neither."""
    if choice == "off":
        return "it was switched off"
    per_item = judged.counts.sum(axis=1)
    n, ratings = judged.labels.n, int(per_item.sum())
    if not (per_item >= 3).any():
        return "it takes items with three ratings, and there are none"
    if not enough_ratings(ratings, n):
        return (
            f"{ratings:,} ratings are too few for the {_numbers(1, n)} numbers that even one "
            f"shared confusion matrix of {n} labels has"
        )
    if choice == "shared":
        return "shared"
    if choice == "each":
        return "each" if named is not None else "raters have no names"
    enough = named is not None and ratings >= EACH_NEEDS * _numbers(len(named.raters), n)
    return "each" if enough else "shared"


def enough_ratings(ratings: int, n_labels: int) -> bool:
    """Whether so many ratings are enough for one confusion matrix that all raters share."""
    return ratings >= SHARED_NEEDS * _numbers(1, n_labels)


def is_rater_model(choice: RaterModel | str) -> TypeGuard[RaterModel]:
    """Whether latent classes are to be fitted, or the choice is the reason why not."""
    return choice in ("each", "shared")


def fit_raters(items: Items, *, restarts: int, seed: int) -> Fitted:
    """Latent classes from the raters alone."""
    weights = np.bincount(items.row, weights=items.size, minlength=items.rows.n_rows).astype(float)
    found = fit(items.rows, weights, restarts=restarts, seed=seed)
    return Fitted(items.rows, items.row, found, weights)


def fit_system(items: Items, system: int, raters: Fitted, *, seed: int) -> Fitted:
    """Latent classes from the raters and one system: from the vote and from the raters' fit."""
    rows, row = items.with_system(system)
    guess = np.empty((rows.n_rows, rows.n_labels))
    guess[row] = raters.fit.posterior[raters.row]
    weights = np.bincount(row, weights=items.size, minlength=rows.n_rows).astype(float)
    return Fitted(rows, row, fit(rows, weights, restarts=0, seed=seed, guess=guess), weights)


def fit_everyone(items: Items, *, restarts: int, samples: int, seed: int) -> LatentFits:
    """The raters' model, each system's, and how many samples of them are affordable."""
    raters = fit_raters(items, restarts=restarts, seed=seed)
    systems = tuple(
        fit_system(items, system, raters, seed=seed) for system in range(len(items.systems))
    )
    return LatentFits(raters, systems, affordable_samples(items, samples))


def affordable_samples(items: Items, samples: int) -> int:
    """How many bootstrap samples the work of fitting them allows; all, where none is fitted."""
    if too_many(items.rows):
        return samples
    work = (items.rows.said.nnz + items.rows.n_rows) * items.n_labels * (len(items.systems) + 1)
    return min(samples, max(50, int(MOST_WORK / max(work, 1))))


def _numbers(matrices: int, n_labels: int) -> int:
    """How many free numbers that many confusion matrices and the base rates have."""
    return matrices * n_labels * (n_labels - 1) + n_labels - 1


@record
class RaterAccuracy(Record):
    """A rater, or all of them under one name, and their estimated accuracy."""

    rater: str
    accuracy: float


@record
class LatentClasses(Record):
    """What the latent-class model found.

    `raters` says whether each rater has a confusion matrix ("each") or all share one
    ("shared"); `by_rater` names the raters with their accuracies; `log_likelihood` is that of
    the ratings one by one, `starts_agreeing` how many of the starts reached it. `misnamed` lists
    labels whose class raters mostly call otherwise. `chances` (m, L, L) is the chance of each
    answer (last axis) in each class, one matrix a rater or one for all.
    """

    raters: Literal["each", "shared"]
    distinct_rows: int
    log_likelihood: float
    iterations: int
    converged: bool
    starts: int
    starts_agreeing: int
    n_bootstrap: int
    misnamed: tuple[str, ...]
    rater_accuracy: Estimate
    base_rates: dict[str, Estimate]
    by_rater: tuple[RaterAccuracy, ...]
    note: str | None
    chances: Floats = hidden()


def latent_classes(
    fits: LatentFits,
    draws: dict[str, Floats],
    model: RaterModel,
    items: Items,
    named: Named | None,
    plan: Bootstrap,
) -> LatentClasses:
    """The fits and their bootstrap draws as a record."""
    raters, best = fits.raters, fits.raters.fit
    names = ["all raters"] if model == "shared" or named is None else list(named.raters)
    weights = raters.weights(items.size[:, None].astype(float))
    overall, members = rater_accuracy(raters.rows, weights, best.model())
    n, tail = items.n_labels, plan.tail(items.n_items)
    rates = draws.get("base_rates", np.empty((0, n)))
    return LatentClasses(
        raters=model,
        distinct_rows=raters.rows.n_rows,
        log_likelihood=best.log_likelihood,
        iterations=best.iterations,
        converged=all(each.fit.converged for each in fits.everyone),
        starts=best.starts,
        starts_agreeing=best.starts_agreeing,
        n_bootstrap=fits.samples,
        misnamed=_misnamed(fits, items),
        rater_accuracy=estimate_from_draws(
            float(overall[0]), draws.get("rater_accuracy", ()), tail
        ),
        base_rates={
            label: estimate_from_draws(float(best.base_rates[code]), rates[:, code], tail)
            for code, label in enumerate(items.labels.names)
        },
        by_rater=tuple(
            RaterAccuracy(str(name), float(value))
            for name, value in zip(names, members[:, 0], strict=True)
        ),
        note=_note(fits, model, plan, named),
        chances=best.chances.reshape(-1, n, n).transpose(0, 2, 1),
    )


def _misnamed(fits: LatentFits, items: Items) -> tuple[str, ...]:
    raters = int(fits.raters.rows.member[-1]) + 1
    sizes = items.size[:, None].astype(float)
    found = {
        label
        for each in fits.everyone
        for label in misnamed_classes(each.rows, each.weights(sizes)[:, 0], each.fit, raters)
    }
    return tuple(items.labels.names[label] for label in sorted(found))


def _note(fits: LatentFits, model: RaterModel, plan: Bootstrap, named: Named | None) -> str | None:
    notes = []
    if model == "shared" and named is not None:
        notes.append(
            "Latent classes use one confusion matrix for all raters: there are too few ratings "
            'for one each (latent_class="each" fits them all the same).'
        )
    if fits.samples < plan.samples:
        notes.append(
            f"Latent-class intervals come from {fits.samples} bootstrap samples, not "
            f"{plan.samples}: more would take too long on this many different rows of answers."
        )
    best = fits.raters.fit
    if best.starts > 1 and best.starts_agreeing == 1:
        notes.append(
            f"Only one of {best.starts} starts reached the latent classes shown: there may be "
            "better ones (restarts=)."
        )
    unsettled = [each for each in fits.everyone if not each.fit.converged]
    if unsettled:
        notes.append(f"{len(unsettled)} of {len(fits.everyone)} latent-class fits did not settle.")
    return " ".join(notes) or None
