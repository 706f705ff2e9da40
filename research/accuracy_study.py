"""The estimates on data whose truth is known: the paper's simulations, and any others.

Run by `python -m research.accuracy_study` (`--help` says what can be chosen): the table of the
fourteen figures, and with `--chart FILE` their picture.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import altair as alt
import numpy as np
from numpy.typing import NDArray

from headcount.accuracy.algebra import estimate
from headcount.accuracy.items import group_items
from headcount.accuracy.latent_classes import (
    choose_rater_model,
    fit_raters,
    fit_system,
    is_rater_model,
)
from headcount.accuracy.latent_samples import system_accuracy as fitted_accuracy
from headcount.charts import save
from headcount.charts.theme import MUTED, themed
from headcount.data import Classifier, Judged, Labels, Named
from headcount.results import Cell, Progress, Record, Result, Table, no_progress, record
from headcount.simulate import Fallible
from headcount.simulate.fallible import Drawn, letters

Floats = NDArray[np.float64]
Which = Literal["estimate", "latent_estimate"]

SYSTEMS = (0.1, 0.3, 0.5, 0.7, 0.9)
"""The system accuracies of the paper."""
_SIDE = 140


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


@record
class StudyRun(Record):
    """One simulated data set: what was true and what was estimated.

    `system` is the accuracy set, `true_accuracy` what it comes to over all difficulties,
    `sample_accuracy` what it happened to be; None where there was no estimate.
    """

    panel: str
    system: float
    true_accuracy: float
    sample_accuracy: float
    estimate: float | None
    latent_estimate: float | None
    kappa: float
    rater_accuracy: float | None


@record
class AccuracyStudy(Result):
    """Estimated against true accuracy in several settings of the simulator, run by run."""

    panels: tuple[str, ...]
    runs: tuple[StudyRun, ...]
    seed: int

    rows: ClassVar[str] = "runs"

    def errors(
        self, panel: str, *, system: float | None = None, which: Which = "estimate"
    ) -> Floats:
        """Estimated minus true accuracy of the runs that have an estimate, as an array."""
        found = [
            (getattr(run, which), run.true_accuracy)
            for run in self.runs
            if run.panel == panel and system in (None, run.system)
        ]
        return np.array([value - truth for value, truth in found if value is not None])

    def mean_error(
        self, panel: str, *, system: float | None = None, which: Which = "estimate"
    ) -> float | None:
        """Mean error, or None without any estimate."""
        errors = self.errors(panel, system=system, which=which)
        return float(errors.mean()) if len(errors) else None

    def distance(
        self, panel: str, *, system: float | None = None, which: Which = "estimate"
    ) -> float | None:
        """Mean distance from the truth, or None without any estimate."""
        errors = self.errors(panel, system=system, which=which)
        return float(np.abs(errors).mean()) if len(errors) else None

    @property
    def has_latent(self) -> bool:
        """Whether latent classes were fitted."""
        return any(run.latent_estimate is not None for run in self.runs)

    def chart(self, **options: Any) -> Any:
        """A grid of settings; in each, every simulated data set as a point near the diagonal."""
        return themed(draw(self, **options), "light")

    def verdict(self) -> str:
        """One sentence that answers the question."""
        means = [self.distance(panel) for panel in self.panels]
        known = [mean for mean in means if mean is not None]
        if not known:
            return "No simulated data set gave an estimate."
        return (
            f"In {len(self.runs):,} simulated evaluations the estimate fell {min(known):.3f} to "
            f"{max(known):.3f} from the truth on average, depending on the setting."
        )

    def tables(self) -> tuple[Table, ...]:
        """Mean error and distance by setting."""
        headings = ["setting", "kappa", "rater accuracy", "mean error", "mean distance"]
        if self.has_latent:
            headings += ["mean error (latent class)", "mean distance (latent class)"]
        rows = []
        for panel in self.panels:
            runs = [run for run in self.runs if run.panel == panel]
            raters = [run.rater_accuracy for run in runs if run.rater_accuracy is not None]
            row: list[Cell] = [
                panel,
                float(np.mean([run.kappa for run in runs])),
                float(np.mean(raters)) if raters else None,
                self.mean_error(panel),
                self.distance(panel),
            ]
            if self.has_latent:
                row += [
                    self.mean_error(panel, which="latent_estimate"),
                    self.distance(panel, which="latent_estimate"),
                ]
            rows.append(tuple(row))
        return (Table("Estimated minus true accuracy", tuple(headings), tuple(rows), id="errors"),)


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
    items = group_items(judged, None)
    found = estimate(items, items.size[None].astype(float))
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
    if not is_rater_model(model):
        return None
    items = group_items(judged, named if model == "each" else None)
    raters = fit_raters(items, restarts=4, seed=0)
    fitted = fit_system(items, 0, raters, seed=0)
    return float(fitted_accuracy(fitted.rows, fitted.fit.model())[0])


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def draw(result: AccuracyStudy, *, columns: int = 7) -> Any:
    """A grid of settings; in each, every simulated data set as a point near the diagonal."""
    kinds = {"estimate": "algebraic", "latent_estimate": "latent class"}
    rows = [
        {
            "setting": run.panel,
            "true accuracy": run.true_accuracy,
            "estimated": getattr(run, field),
            "by": kind,
            "in sample": run.sample_accuracy,
        }
        for run in result.runs
        for field, kind in kinds.items()
        if getattr(run, field) is not None
    ]
    shown = [kind for kind in kinds.values() if any(row["by"] == kind for row in rows)]
    unit = alt.Scale(domain=[0, 1], nice=False)
    few = alt.Axis(tickCount=3)
    ends = [{"at": 0.0}, {"at": 1.0}]
    diagonal = (
        alt.Chart(alt.InlineData(values=ends), width=_SIDE, height=_SIDE)
        .mark_line(color=MUTED, strokeWidth=1.5, strokeDash=[4, 3])
        .encode(
            x=alt.X("at:Q", scale=unit, title="true accuracy"),
            y=alt.Y("at:Q", scale=unit, title="estimated"),
        )
    )

    def panel(name: str) -> Any:
        own = [row for row in rows if row["setting"] == name]
        points = (
            alt.Chart(alt.InlineData(values=own), width=_SIDE, height=_SIDE)
            .mark_point(size=28, opacity=0.75)
            .encode(
                x=alt.X("true accuracy:Q", title="true accuracy", scale=unit, axis=few),
                y=alt.Y("estimated:Q", title="estimated", scale=unit, axis=few),
                color=alt.Color("by:N", sort=shown, scale=alt.Scale(domain=shown), title=None),
                tooltip=[
                    alt.Tooltip("true accuracy:Q", format=".3f"),
                    alt.Tooltip("in sample:Q", format=".3f"),
                    alt.Tooltip("estimated:Q", format=".3f"),
                    alt.Tooltip("by:N"),
                ],
            )
        )
        title = alt.Title(_folded(name), fontSize=11.5, fontWeight="normal", offset=6)
        return (diagonal + points).properties(title=title)

    return alt.concat(*(panel(name) for name in result.panels), columns=columns).properties(
        title=alt.Title(
            "Estimated against true accuracy on simulated data",
            subtitle="each point is one data set; on the dashed line the estimate is exact",
        )
    )


def _folded(name: str) -> list[str]:
    """A setting's name, a line for each of its parts."""
    return name.split(", ")


def main(words: Sequence[str] | None = None) -> None:
    """Run the study from the command line and say what it found."""
    parser = argparse.ArgumentParser(prog="research.accuracy_study", description=main.__doc__)
    parser.add_argument("--runs", type=int, default=10, help="data sets for each setting")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--latent-class", action="store_true", help="fit latent classes too")
    parser.add_argument(
        "--violations", type=int, metavar="ITEMS", help="each assumption broken alone instead"
    )
    parser.add_argument("--chart", help="a .svg, .png, .pdf or .html file to draw")
    given = parser.parse_args(words)
    panels = PAPER_FIGURES if given.violations is None else violations(given.violations)
    study = study_accuracy(
        panels, runs=given.runs, latent_class=given.latent_class, seed=given.seed
    )
    print(study.summary())
    if given.chart:
        print(f"Chart written to {save(study.chart(), given.chart)}")


if __name__ == "__main__":
    main()
