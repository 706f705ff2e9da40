"""The estimates on data whose truth is known: the paper's simulations, and any others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from headcount.accuracy.cases import Cases, Named, group_cases
from headcount.accuracy.estimates import estimate
from headcount.accuracy.latent_choice import choose_rater_model
from headcount.accuracy.latent_system import fit_raters, fit_system
from headcount.accuracy.latent_system import system_accuracy as fitted_accuracy
from headcount.accuracy.plan import SYSTEMS
from headcount.accuracy.study_result import AccuracyStudy, StudyRun
from headcount.data import Classifier, Judged, Labels
from headcount.results import Progress, no_progress
from headcount.simulate import Fallible
from headcount.simulate.fallible import Drawn, letters


@dataclass(frozen=True)
class Panel:
    """A setting of the simulator under a name; the system's accuracy is varied in the study."""

    name: str
    recipe: Fallible


def _panel(figure: int, cases: int, accuracy: float, violated: bool) -> Panel:
    if not violated:
        name = f"{figure}: raters {accuracy:g}, {cases:,} cases, assumptions met"
        return Panel(name, Fallible(cases=cases, accuracy=(accuracy,)))
    each = tuple(round(accuracy + apart, 3) for apart in (-0.1, 0.0, 0.1))
    return Panel(
        f"{figure}: raters {accuracy:g}, {cases:,} cases, assumptions violated",
        Fallible(cases=cases, accuracy=each, difficulty=0.2, dispersion=2.0, error_range=1.0),
    )


PAPER_FIGURES = tuple(
    _panel(figure, cases, accuracy, figure >= 8)
    for figure, (cases, accuracy) in enumerate(
        2 * ((5000, 0.6), (200, 0.4), (200, 0.6), (200, 0.8), (50, 0.4), (50, 0.6), (50, 0.8)), 1
    )
)
"""The settings of the paper's figures 1 to 14, by number."""

VIOLATIONS = {
    "met": Fallible(),
    "unequal raters": Fallible(accuracy=(0.4, 0.6, 0.8)),
    "unequal difficulty": Fallible(difficulty=0.2),
    "asymmetric errors": Fallible(dispersion=2.0),
    "spread of errors": Fallible(error_range=1.0),
    "all of them": Fallible(
        accuracy=(0.5, 0.6, 0.7), difficulty=0.2, dispersion=2.0, error_range=1.0
    ),
}
"""Each assumption broken alone, as in the paper's footnote, and all together."""


def study_accuracy(
    panels: Sequence[Panel] = PAPER_FIGURES,
    *,
    systems: Sequence[float] = SYSTEMS,
    runs: int = 10,
    latent_class: bool = False,
    seed: int = 0,
    progress: Progress = no_progress,
) -> AccuracyStudy:
    """Estimated against true accuracy on the simulator, `runs` data sets for each system.

    >>> study = study_accuracy(PAPER_FIGURES[:1], systems=[0.9], runs=3)
    >>> abs(study.mean_error(study.panels[0])) < 0.03
    True
    """
    steps = [(panel, system, run) for panel in panels for system in systems for run in range(runs)]
    done = [
        _run(panel, system, np.random.default_rng([seed, place]), latent_class)
        for place, (panel, system, _) in enumerate(
            progress(steps, total=len(steps), description="Simulating")
        )
    ]
    return AccuracyStudy(tuple(panel.name for panel in panels), tuple(done), seed)


def violations(cases: int) -> tuple[Panel, ...]:
    """Each assumption broken alone and all together, with that many cases."""
    return tuple(Panel(name, replace(recipe, cases=cases)) for name, recipe in VIOLATIONS.items())


def _run(panel: Panel, system: float, rng: np.random.Generator, latent_class: bool) -> StudyRun:
    recipe = replace(panel.recipe, system=system)
    drawn = recipe.draw(rng)
    judged, named = as_judged(drawn, recipe.labels)
    cases = group_cases(judged, None)
    found = estimate(cases, cases.cases[None].astype(float))
    fitted = _latent(judged, named) if latent_class else None
    return StudyRun(
        panel=panel.name,
        system=system,
        true_accuracy=drawn.system_accuracy,
        sample_accuracy=float((drawn.answers == drawn.truth).mean()),
        estimate=_number(found.accuracy()[0, 0]),
        latent_estimate=fitted,
        kappa=float(found.kappa()[0]),
        rater_accuracy=_number(found.rater_accuracy[0]),
    )


def as_judged(drawn: Drawn, n_labels: int) -> tuple[Judged, Named]:
    """Simulated codes as what the estimates take."""
    n, raters = drawn.ratings.shape
    counts = np.stack([(drawn.ratings == code).sum(axis=1) for code in range(n_labels)], axis=1)
    items = np.arange(n).astype(str).astype(object)
    system = Classifier("system", codes=drawn.answers, answered=n, out_of=n)
    judged = Judged(
        Labels(tuple(letters(n_labels))), counts, np.ones(n, dtype=np.int64), (system,), items
    )
    named = Named(
        np.repeat(np.arange(n), raters),
        np.tile(np.arange(raters), n),
        drawn.ratings.ravel(),
        np.arange(raters).astype(str).astype(object),
    )
    return judged, named


def _latent(judged: Judged, named: Named) -> float | None:
    model = choose_rater_model("auto", judged, named)
    if model not in ("each", "shared"):
        return None
    cases: Cases = group_cases(judged, named if model == "each" else None)
    raters = fit_raters(cases, restarts=4, seed=0)
    fitted = fit_system(cases, 0, raters, seed=0)
    return float(fitted_accuracy(fitted.rows, fitted.fit.model())[0])


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
