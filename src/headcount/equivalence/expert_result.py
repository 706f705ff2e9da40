"""What amateurs are worth in experts, as a result."""

from dataclasses import dataclass
from typing import Any

from headcount.equivalence.curve_result import PowerCurve
from headcount.equivalence.equivalence_result import ClassifierScore, SurveyEquivalence
from headcount.equivalence.words import in_people, people, worth_text
from headcount.errors import OptionError
from headcount.results import Cell, Estimate, Result, Table


@dataclass(frozen=True)
class ExpertEquivalence(Result):
    """How many experts k amateurs are worth.

    `amateurs` is the curve of amateurs who predict an expert; `on_experts` is the curve of
    experts who do, with each survey of amateurs placed on it like a classifier. Both come
    from the same bootstrap samples of items.
    """

    amateurs: PowerCurve
    on_experts: SurveyEquivalence

    @property
    def experts(self) -> PowerCurve:
        """The curve of experts who predict an expert."""
        return self.on_experts.curve

    def equivalence(self, amateurs: int) -> Estimate:
        """How many experts a survey of `amateurs` is worth."""
        self.amateurs.score(amateurs)
        if amateurs == 0:
            raise OptionError("No amateurs at all are worth no expert: ask for at least one.")
        return self.on_experts.equivalence(self.on_experts.names[amateurs - 1])

    def amateurs_for(self, experts: int) -> Estimate:
        """How many amateurs it takes to predict as well as `experts` experts."""
        self.experts.score(experts)
        if experts == 0:
            raise OptionError("No experts at all need no amateurs: ask for at least one expert.")
        reverse = SurveyEquivalence(self.amateurs, (self._expert_survey(experts),))
        return reverse.equivalence(reverse.names[0])

    def verdict(self) -> str:
        """What one and all amateurs are worth."""
        most = self.amateurs.most
        said = [self._sentence(k) for k in sorted({1, most})]
        return " ".join(f"{sentence}." for sentence in said)

    def tables(self) -> tuple[Table, ...]:
        """Amateurs in experts, and both curves."""
        rows: list[tuple[Cell, ...]] = [
            (k, worth_text(self.equivalence(k), noun=""), self.amateurs.score(k))
            for k in self._sizes
        ]
        heading = ("amateurs", "worth (experts)", self.amateurs.asked.scorer)
        table = Table("What amateurs are worth in experts", heading, tuple(rows))
        return (table, self.experts.curve_table())

    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on."""
        return (
            "Surveys of amateurs and of experts are both scored by how well they predict a "
            "held-out expert.",
            *self.experts.assumptions(),
        )

    def unchecked(self) -> tuple[str, ...]:
        """What was assumed, dropped or drawn."""
        return tuple(dict.fromkeys([*self.amateurs.unchecked(), *self.experts.unchecked()]))

    def columns(self) -> dict[str, list[Any]]:
        """A row a survey of amateurs."""
        worth = [self.equivalence(k) for k in self._sizes]
        return {
            "amateurs": list(self._sizes),
            "score": [self.amateurs.score(k).value for k in self._sizes],
            "state": [each.state for each in worth],
            "experts": [each.value for each in worth],
            "low": [each.low for each in worth],
            "high": [each.high for each in worth],
        }

    def to_dict(self) -> dict[str, Any]:
        """Both curves, and the worth of each survey of amateurs."""
        experts = self.experts.to_dict()
        return {
            **{key: experts[key] for key in experts if key not in ("power_curve", "notes")},
            "amateurs": self.amateurs.to_dict()["power_curve"],
            "experts": experts["power_curve"],
            "expert_equivalence": [
                {"amateurs": k, "equivalence": self.equivalence(k).to_dict()} for k in self._sizes
            ],
            "notes": list(self.unchecked()),
        }

    @property
    def _sizes(self) -> range:
        return range(1, self.amateurs.most + 1)

    def _sentence(self, amateurs: int) -> str:
        who, worth = people(amateurs, noun="amateur", start=True), self.equivalence(amateurs)
        verb = "is" if amateurs == 1 else "are"
        if worth.state == "below":
            return f"{who} {verb} worth no expert at all"
        said = f"{who} {verb} worth {worth_text(worth, noun=' experts')}"
        ends = in_people(worth, self.experts.most, noun="expert")
        return f"{said}: {ends}" if ends else said

    def _expert_survey(self, experts: int) -> ClassifierScore:
        curve = self.experts
        return ClassifierScore(
            people(experts, noun="expert"), float(curve.values[experts]), curve.draws[:, experts]
        )
