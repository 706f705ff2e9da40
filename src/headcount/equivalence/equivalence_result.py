"""How many raters each classifier is worth, as a result."""

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.equivalence.crossing import later_crossings, worth
from headcount.equivalence.curve_result import PowerCurve
from headcount.equivalence.words import digits_for, in_people, people, worth_text
from headcount.errors import OptionError
from headcount.results import Cell, Estimate, Result, Table
from headcount.stats import estimate_from_draws

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ClassifierScore:
    """A classifier's score and its bootstrap `draws` (B,), on the same samples as the curve.

    `as_certain` tells that bare labels were scored as if they were certainties.
    """

    name: str
    value: float
    draws: Floats = field(repr=False)
    answered: int = 0
    out_of: int = 0
    as_certain: bool = False


@dataclass(frozen=True)
class Comparison:
    """Two classifiers on the same bootstrap samples.

    `score` and `worth` are differences, first less second; `p_better` is the share of
    samples in which the first one scores higher.
    """

    first: str
    second: str
    score: Estimate
    worth: Estimate
    p_better: float | None

    def to_dict(self) -> dict[str, Any]:
        """JSON-safe form."""
        return {
            "first": self.first,
            "second": self.second,
            "score": self.score.to_dict(),
            "worth": self.worth.to_dict(),
            "p_better": self.p_better,
        }


@dataclass(frozen=True)
class SurveyEquivalence(Result):
    """How many raters each classifier is worth.

    `curve` is the rater power curve and `classifiers` the scores that are placed on it; all
    draws come from the same bootstrap samples, so every difference is a paired one.
    """

    curve: PowerCurve
    classifiers: tuple[ClassifierScore, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers' names."""
        return tuple(classifier.name for classifier in self.classifiers)

    def score(self, name: str) -> Estimate:
        """A classifier's score against held-out raters."""
        found = self._find(name)
        return self._estimate(found.value, found.draws)

    def gain(self, name: str) -> Estimate:
        """What the classifier adds to predicting from no answers: h − c₀."""
        found, curve = self._find(name), self.curve
        return self._estimate(found.value - curve.values[0], found.draws - curve.draws[:, 0])

    def equivalence(self, name: str) -> Estimate:
        """How many raters the classifier is worth; censored where the curve does not reach."""
        found = self._find(name)
        return estimate_from_draws(
            float(worth([found.value], self.curve.values[None])[0]),
            self.worth_draws(name),
            self.curve.asked.tail,
            undefined="the score or the curve is undefined",
            floor=self._floor,
            ceiling=float(self.curve.most),
        )

    def worth_draws(self, name: str) -> Floats:
        """The worth in each bootstrap sample (B,); −∞ below the curve, +∞ above, NaN undefined."""
        return worth(self._find(name).draws, self.curve.draws)

    def later_crossings(self, name: str) -> tuple[float, ...]:
        """Where a curve that is not monotone passes the classifier's score again."""
        return later_crossings(self._find(name).value, self.curve.values)

    def p_beats(self, name: str, raters: int) -> float | None:
        """The share of bootstrap samples in which the classifier scores above `raters` raters.

        None without bootstrap samples in which both have a score.
        """
        self.curve.score(raters)
        return _share_above(self._find(name).draws, self.curve.draws[:, raters])

    def performance_ratio(self, name: str, raters: int | None = None) -> Estimate:
        """The classifier's gain as a share of the gain of `raters` raters (the most there are)."""
        k = self.curve.most if raters is None else raters
        found, curve = self._find(name), self.curve
        whole = curve.gain(k).value
        with np.errstate(invalid="ignore", divide="ignore"):
            of_samples = curve.draws[:, k] - curve.draws[:, 0]
            draws = np.where(of_samples > 0, (found.draws - curve.draws[:, 0]) / of_samples, np.nan)
        value = math.nan
        if whole is not None and whole > 0:
            value = (found.value - curve.values[0]) / whole
        return estimate_from_draws(
            value,
            draws,
            curve.asked.tail,
            undefined=f"{people(k)} gain nothing over none",
        )

    def compare(self, first: str, second: str) -> Comparison:
        """Two classifiers on the same samples: differences of score and of worth."""
        a, b = self._find(first), self._find(second)
        values = [worth([each.value], self.curve.values[None])[0] for each in (a, b)]
        with np.errstate(invalid="ignore"):
            difference = self.worth_draws(first) - self.worth_draws(second)
        censored = "one of the two is censored: the curve does not reach it"
        return Comparison(
            first,
            second,
            self._estimate(a.value - b.value, a.draws - b.draws),
            estimate_from_draws(
                float(values[0] - values[1]) if np.isfinite(values).all() else math.nan,
                np.where(np.isfinite(difference), difference, np.nan),
                self.curve.asked.tail,
                undefined=censored,
            ),
            _share_above(a.draws, b.draws),
        )

    def with_confidence(self, confidence: float) -> "SurveyEquivalence":
        """The same draws read at another confidence level."""
        return replace(self, curve=self.curve.with_confidence(confidence))

    def verdict(self) -> str:
        """What each classifier is worth, in people."""
        said = [self._sentence(name) for name in self._ranked()]
        more = len(said) - 4
        if more > 0:
            said = [*said[:4], f"{more} more in the table"]
        return "; ".join(said) + "."

    def tables(self) -> tuple[Table, ...]:
        """The classifiers, the chances to beat k raters, and the curve."""
        return (self._classifier_table(), *self._chance_tables(), self.curve.curve_table())

    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on."""
        return (
            "A classifier and a survey are both scored by how well they predict a held-out rater.",
            *self.curve.assumptions(),
        )

    def unchecked(self) -> tuple[str, ...]:
        """What was assumed, dropped or drawn."""
        again = []
        for name in self.names:
            places = self.later_crossings(name)
            if places:
                where = ", ".join(f"{place:.2f}" for place in places)
                again.append(f"The curve passes the score of {name} also at {where} raters.")
        return (*again, *self.curve.unchecked())

    def columns(self) -> dict[str, list[Any]]:
        """A row a classifier."""
        scores = [self.score(name) for name in self.names]
        worths = [self.equivalence(name) for name in self.names]
        return {
            "classifier": list(self.names),
            "score": [score.value for score in scores],
            "score_low": [score.low for score in scores],
            "score_high": [score.high for score in scores],
            "state": [each.state for each in worths],
            "equivalence": [each.value for each in worths],
            "low": [each.low for each in worths],
            "high": [each.high for each in worths],
            "low_state": [each.low_state for each in worths],
            "high_state": [each.high_state for each in worths],
        }

    def to_dict(self) -> dict[str, Any]:
        """The curve's keys, the classifiers, and every pair of them compared."""
        out = self.curve.to_dict()
        notes = out.pop("notes")
        out["classifiers"] = [self._classifier(found) for found in self.classifiers]
        out["comparisons"] = [
            self.compare(first, second).to_dict()
            for i, first in enumerate(self.names)
            for second in self.names[i + 1 :]
        ]
        out["notes"] = list(dict.fromkeys([*self.unchecked(), *notes]))
        return out

    @property
    def _floor(self) -> float:
        known = np.flatnonzero(~np.isnan(self.curve.values))
        return float(known[0]) if len(known) else 0.0

    def _classifier(self, found: ClassifierScore) -> dict[str, Any]:
        score = self.score(found.name)
        out: dict[str, Any] = {
            "name": found.name,
            "score": score.value,
            "low": score.low,
            "high": score.high,
            "equivalence": self.equivalence(found.name).to_dict(),
            "gain": self.gain(found.name).to_dict(),
            "performance_ratio": self.performance_ratio(found.name).to_dict(),
            "p_beats": [self.p_beats(found.name, k) for k in range(self.curve.most + 1)],
            "later_crossings": list(self.later_crossings(found.name)),
            "answered": found.answered,
            "out_of": found.out_of,
        }
        if score.note is not None:
            out["note"] = score.note
        return out

    def _classifier_table(self) -> Table:
        digits = digits_for(self.curve.asked.scorer)
        rows: list[tuple[Cell, ...]] = [
            (
                name,
                worth_text(self.equivalence(name), noun=""),
                self.score(name).text(digits),
                self.performance_ratio(name).text(percent=True),
            )
            for name in self.names
        ]
        most = people(self.curve.most)
        return Table(
            "What each classifier is worth",
            (
                "classifier",
                "worth (raters)",
                self.curve.asked.scorer,
                f"of the gain of {most}",
            ),
            tuple(rows),
        )

    def _chance_tables(self) -> tuple[Table, ...]:
        if not self.curve.asked.bootstrap.samples:
            return ()
        sizes = range(min(self.curve.most, 10) + 1)
        rows: list[tuple[Cell, ...]] = []
        for name in self.names:
            chances = [self.p_beats(name, k) for k in sizes]
            rows.append((name, *("–" if p is None else f"{p:.0%}" for p in chances)))
        headings = ("classifier", *(f"k = {k}" for k in sizes))
        return (Table("Chance to predict better than k raters", headings, tuple(rows)),)

    def _sentence(self, name: str) -> str:
        estimate = self.equivalence(name)
        if estimate.state == "below":
            start = people(int(self._floor), noun="answer") if self._floor else "no answers at all"
            taken = ", its labels taken as certainties," if self._find(name).as_certain else ""
            return f"{name}{taken} predicts raters no better than {start} would"
        if estimate.value is None and estimate.state is None:
            return f"{name} has no worth in raters: {estimate.note}"
        said = f"{name} is worth {worth_text(estimate)}"
        ends = in_people(estimate, self.curve.most)
        return f"{said}: {ends}" if ends else said

    def _ranked(self) -> list[str]:
        return sorted(
            self.names, key=lambda name: -np.nan_to_num(self._find(name).value, nan=-np.inf)
        )

    def _estimate(self, value: float, draws: Floats) -> Estimate:
        asked = self.curve.asked
        return estimate_from_draws(float(value), draws, asked.tail, undefined=asked.undefined)

    def _find(self, name: str) -> ClassifierScore:
        for found in self.classifiers:
            if found.name == name:
                return found
        raise OptionError(f"There is no classifier {name!r} here: {', '.join(self.names)}.")


def _share_above(first: Floats, second: Floats) -> float | None:
    known = ~(np.isnan(first) | np.isnan(second))
    return float(np.mean(first[known] > second[known])) if known.any() else None
