"""What the latent classes say, with intervals: the record that goes with the result."""

from typing import Literal

import numpy as np

from headcount.accuracy.items import Floats, Items, RaterModel
from headcount.accuracy.latent_fit import misnamed_classes
from headcount.accuracy.latent_system import LatentFits, rater_accuracy
from headcount.data import Named
from headcount.results import Estimate, Record, hidden, record
from headcount.sampling import Bootstrap, estimate_from_draws


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
