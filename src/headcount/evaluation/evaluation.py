"""Everything the data can answer about some classifiers, as one result."""

import importlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headcount.accuracy import SystemAccuracy
from headcount.agreement import Agreement
from headcount.budget import PilotPlan
from headcount.deconvolution import PrimaryLabels, Scores, SplitScores
from headcount.equivalence import SurveyEquivalence
from headcount.errors import UnanswerableError
from headcount.evaluation.facts import DataFacts, Settings
from headcount.evaluation.part import Unavailable
from headcount.evaluation.standing import Standing, headline
from headcount.evaluation.wording import standing_table, verdict_sentences
from headcount.results import Result, Table


@dataclass(frozen=True)
class Evaluation(Result):
    """How good some classifiers are when the people they are judged by disagree.

    Each part is the result of its method, or `Unavailable` with the reason (which is false,
    where a result is true). `scores` and `levels` are the classifiers on the primary labels:
    over all items, and apart by how much people disagree. `standings` hold the main numbers
    of each classifier, in the order in which they came; `best_first` ranks them.
    """

    agreement: Agreement | Unavailable
    equivalence: SurveyEquivalence | Unavailable
    accuracy: SystemAccuracy | Unavailable
    primary_labels: PrimaryLabels | Unavailable = field(repr=False)
    scores: Scores | Unavailable
    levels: SplitScores | Unavailable = field(repr=False)
    next_labels: PilotPlan | Unavailable
    standings: tuple[Standing, ...]
    data: DataFacts
    settings: Settings

    def best_first(self) -> tuple[Standing, ...]:
        """The classifiers by their worth in raters, then by the share of people who agree."""
        return tuple(sorted(self.standings, key=_rank, reverse=True))

    def headline_equivalence(self) -> SurveyEquivalence:
        """The power curve with each classifier once, best first, as `standings` give its worth."""
        if isinstance(self.equivalence, Unavailable):
            raise UnanswerableError(self.equivalence.reason)
        return headline(self.equivalence, [each.name for each in self.best_first()])

    def verdicts(self) -> dict[str, tuple[str, ...]]:
        """What is to be said of each classifier, best first: worth, share of people, accuracy."""
        return {each.name: verdict_sentences(each, self.equivalence) for each in self.best_first()}

    def unavailable(self) -> dict[str, str]:
        """The parts that these data cannot give, and why."""
        return {
            name: part.reason
            for name, part in self._parts().items()
            if isinstance(part, Unavailable)
        }

    def missing(self) -> tuple[str, ...]:
        """A sentence for each question that these data cannot answer."""
        return tuple(
            f"There is no answer on {_TITLES[name]}: {reason}"
            for name, reason in self.unavailable().items()
            if name in _TITLES
        )

    def verdict(self) -> str:
        """A line for each classifier, best first."""
        return "\n".join(" ".join(sentences) for sentences in self.verdicts().values())

    def tables(self) -> tuple[Table, ...]:
        """The classifiers side by side."""
        return (standing_table(self.best_first(), self.settings.plan.confidence),)

    def assumptions(self) -> tuple[str, ...]:
        """What every part rests on, each sentence once."""
        said = [
            sentence
            for part in self._answered()
            if part is not self.primary_labels and part is not self.levels
            for sentence in part.assumptions()
        ]
        return tuple(dict.fromkeys(said))

    def unchecked(self) -> tuple[str, ...]:
        """What could not be answered, then what was assumed, dropped or left out."""
        remarks = [sentence for part in self._answered() for sentence in part.unchecked()]
        return tuple(dict.fromkeys((*self.missing(), *self.data.notes, *remarks)))

    def columns(self) -> dict[str, list[Any]]:
        """A row a classifier, in the order in which they came."""
        out: dict[str, list[Any]] = {
            "classifier": [each.name for each in self.standings],
            "gives": [each.gives for each in self.standings],
            "worth_state": [each.worth.state for each in self.standings],
        }
        for name in ("worth", "agree", "of_oracle", "accuracy"):
            found = [getattr(each, name) for each in self.standings]
            out[name] = [estimate.value for estimate in found]
            out[f"{name}_low"] = [estimate.low for estimate in found]
            out[f"{name}_high"] = [estimate.high for estimate in found]
        out["answered"] = [each.answered for each in self.standings]
        out["out_of"] = [each.out_of for each in self.standings]
        return out

    def to_dict(self) -> dict[str, Any]:
        """Every part under its name, or `{"unavailable": reason}`; the verdicts; the settings."""
        verdicts = self.verdicts()
        return {
            "classifiers": [
                {**each.to_dict(), "verdict": list(verdicts[each.name])} for each in self.standings
            ],
            **{name: part.to_dict() for name, part in self._parts().items()},
            "data": self.data.to_dict(),
            "settings": self.settings.to_dict(),
        }

    def to_markdown(self, *, short: bool = False) -> str:
        """The summary as Markdown; `short` is the verdicts and the table, for a comment."""
        if not short:
            return super().to_markdown()
        from headcount.evaluation.wording import short_markdown

        return short_markdown(self)

    def report(self, path: str | Path = "report.html") -> Path:
        """Write the report: one self-contained page that asks nothing of the network."""
        # Like `chart`, a call upwards: the report knows evaluations, and not the reverse.
        written: Path = importlib.import_module("headcount.report").write(self, path)
        return written

    def _parts(self) -> dict[str, Any]:
        names = (
            "agreement",
            "equivalence",
            "accuracy",
            "primary_labels",
            "scores",
            "levels",
            "next_labels",
        )
        return {name: getattr(self, name) for name in names}

    def _answered(self) -> list[Result]:
        return [part for part in self._parts().values() if isinstance(part, Result)]


_TITLES = {
    "agreement": "how much people agree",
    "equivalence": "how many raters a classifier is worth",
    "accuracy": "accuracy against the unknown truth",
    "primary_labels": "what share of people would agree",
    "next_labels": "what to label next",
}


def _rank(standing: Standing) -> tuple[float, float]:
    worth, agree = standing.worth, standing.agree.value
    place = {"above": float("inf"), "below": float("-inf")}.get(worth.state or "", worth.value)
    return (
        float("-inf") if place is None else place,
        float("-inf") if agree is None else agree,
    )
