"""What a study on the simulator found."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headcount.results import Cell, Result, Table

Floats = NDArray[np.float64]
Which = Literal["estimate", "latent_estimate"]


@dataclass(frozen=True)
class StudyRun:
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


@dataclass(frozen=True)
class AccuracyStudy(Result):
    """Estimated against true accuracy in several settings of the simulator, run by run."""

    panels: tuple[str, ...]
    runs: tuple[StudyRun, ...]
    seed: int

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
        return (Table("Estimated minus true accuracy", tuple(headings), tuple(rows)),)

    def columns(self) -> dict[str, list[Any]]:
        """A row a run."""
        names = list(StudyRun.__dataclass_fields__)
        return {name: [getattr(run, name) for run in self.runs] for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Every run, JSON-safe."""
        columns = self.columns()
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        return {"panels": list(self.panels), "seed": self.seed, "runs": rows}
