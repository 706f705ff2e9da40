"""From arrays to the result: estimates with intervals, bins and notes."""

import math

import numpy as np

from headcount.accuracy.algebra import kappa_from_agreement, label_shares
from headcount.accuracy.belief import which_to_believe
from headcount.accuracy.bins import EDGES, Bins
from headcount.accuracy.cases import Cases, Floats, Ints, Named, RaterModel
from headcount.accuracy.estimates import Algebraic
from headcount.accuracy.latent_fit import misnamed_classes
from headcount.accuracy.latent_system import Fitted, rater_accuracy, system_accuracy
from headcount.accuracy.parts import Check, ClassifierAccuracy, Draws, LatentClasses, TruthBin
from headcount.accuracy.result import SystemAccuracy
from headcount.accuracy.sampling import LatentFits
from headcount.accuracy.truth import TruthTable
from headcount.data import Judged
from headcount.results import Estimate
from headcount.stats import Bootstrap, estimate_from_draws

NO_ROOT = "raters agree no more than guessing would make them, so they have no accuracy to find"
NO_BIN = "no case has a label more probable than a guess"


def pack(
    *,
    cases: Cases,
    found: Algebraic,
    draws: Draws,
    fits: LatentFits | None,
    model: RaterModel | str,
    checks: tuple[Check, ...],
    plan: Bootstrap,
    named: Named | None,
    judged: Judged,
) -> SystemAccuracy:
    """The arrays as a result."""
    latent = (
        model
        if fits is None
        else _latent_classes(fits, draws, model, plan, named, cases.labels.names, cases.cases)
    )
    believe, why = which_to_believe(checks, latent)
    n, tail = cases.n_labels, plan.tail(cases.n_cases)
    kappa = kappa_from_agreement(draws.agreement, n)
    return SystemAccuracy(
        labels=cases.labels.names,
        cases=cases.n_cases,
        ratings=int(judged.counts.sum()),
        agreement=_estimate(found.agreement[0], draws.agreement, tail),
        kappa=_estimate(found.kappa()[0], kappa, tail),
        rater_accuracy=_estimate(found.rater_accuracy[0], draws.rater_accuracy, tail),
        base_rates=_rates(found.base_rates[0], draws.base_rates, tail),
        label_shares=tuple(
            label_shares(judged.counts, np.ones((1, len(judged.counts))))[0].tolist()
        ),
        classifiers=_classifiers(cases, found, draws, fits, tail),
        latent_class=latent,
        checks=checks,
        believe=believe,
        why=why,
        confidence=plan.confidence,
        notes=judged.notes,
        truths=_truths(cases, found, fits),
        draws=draws,
    )


def _latent_classes(
    fits: LatentFits,
    draws: Draws,
    model: RaterModel | str,
    plan: Bootstrap,
    named: Named | None,
    labels: tuple[str, ...],
    sizes: Ints,
) -> LatentClasses:
    raters, best = fits.raters, fits.raters.fit
    names = ["all raters"] if model == "shared" or named is None else list(named.raters)
    weights = raters.weights(sizes[None].astype(float))
    overall, members = rater_accuracy(raters.rows, weights, best.model())
    n, tail = raters.rows.n_labels, plan.tail(int(sizes.sum()))
    return LatentClasses(
        raters="each" if model == "each" else "shared",
        rows=raters.rows.n_rows,
        log_likelihood=best.log_likelihood,
        iterations=best.iterations,
        converged=best.converged and all(each.fit.converged for each in fits.systems),
        starts=best.starts,
        starts_agreeing=best.starts_agreeing,
        rater_accuracy=_estimate(overall[0], draws.latent_rater_accuracy, tail),
        base_rates=_rates(best.base_rates, draws.latent_base_rates, tail),
        members=tuple(
            (str(name), float(value)) for name, value in zip(names, members[:, 0], strict=True)
        ),
        chances=best.chances.reshape(-1, n, n).transpose(0, 2, 1),
        samples=min(fits.samples, plan.samples),
        misnamed=_misnamed(fits, labels, sizes),
        note=_latent_note(fits, model, plan, named),
    )


def _misnamed(fits: LatentFits, labels: tuple[str, ...], sizes: Ints) -> tuple[str, ...]:
    raters = int(fits.raters.rows.member[-1]) + 1
    found = {
        label
        for each in (fits.raters, *fits.systems)
        for label in misnamed_classes(
            each.rows, each.weights(sizes[None].astype(float))[:, 0], each.fit, raters
        )
    }
    return tuple(labels[label] for label in sorted(found))


def _latent_note(
    fits: LatentFits, model: RaterModel | str, plan: Bootstrap, named: Named | None
) -> str | None:
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
    unsettled = [each for each in (fits.raters, *fits.systems) if not each.fit.converged]
    if unsettled:
        notes.append(
            f"{len(unsettled)} of {1 + len(fits.systems)} latent-class fits did not settle."
        )
    return " ".join(notes) or None


def _classifiers(
    cases: Cases, found: Algebraic, draws: Draws, fits: LatentFits | None, tail: float
) -> tuple[ClassifierAccuracy, ...]:
    overall = found.accuracy()
    why = NO_ROOT if math.isnan(found.rater_accuracy[0]) else NO_BIN
    return tuple(
        ClassifierAccuracy(
            name,
            _estimate(overall[system, 0], draws.accuracy[system], tail, why),
            _bins(found.bins[system]) if np.isfinite(found.base_rates).all() else (),
            None if fits is None else _latent_accuracy(fits.systems[system], draws, system, tail),
        )
        for system, name in enumerate(cases.systems)
    )


def _latent_accuracy(fitted: Fitted, draws: Draws, system: int, tail: float) -> Estimate:
    value = system_accuracy(fitted.rows, fitted.fit.model())[0]
    return _estimate(value, draws.latent_accuracy[system], tail)


def _bins(bins: Bins) -> tuple[TruthBin, ...]:
    return tuple(
        TruthBin(
            low=float(EDGES[place]),
            high=float(EDGES[place + 1]),
            cases=round(float(bins.cases[0, place])),
            truth=float(bins.truth[0, place]),
            agreement=float(bins.agreement[0, place]),
            accuracy=_number(bins.accuracy[0, place]),
        )
        for place in np.flatnonzero(bins.cases[0] > 0)
    )


def _truths(cases: Cases, found: Algebraic, fits: LatentFits | None) -> TruthTable:
    known = np.isfinite(found.base_rates).all()
    return TruthTable(
        items=cases.items,
        group=cases.group,
        algebraic=found.truth[0][cases.pattern] if known else None,
        latent_class=None if fits is None else fits.raters.fit.posterior[fits.raters.row],
    )


def _rates(values: Floats, draws: Floats, tail: float) -> tuple[Estimate, ...]:
    return tuple(
        _estimate(value, draws[:, code] if len(draws) else draws.ravel(), tail)
        for code, value in enumerate(values)
    )


def _estimate(value: float, draws: Floats, tail: float, why: str = NO_ROOT) -> Estimate:
    return estimate_from_draws(float(value), draws, tail, undefined=why)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
