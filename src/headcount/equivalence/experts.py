"""What amateurs are worth in experts, as a result."""

from typing import Any

from headcount.equivalence.curve import PowerCurve
from headcount.equivalence.placing import worth_on
from headcount.equivalence.words import in_people, people, worth_text
from headcount.errors import OptionError
from headcount.results import Cell, Estimate, Record, Result, Table, record


@record
class AmateurSurvey(Record):
    """A survey of so many `amateurs`: its `score`, and its `worth` in experts."""

    amateurs: int
    score: Estimate
    worth: Estimate

    def to_dict(self) -> dict[str, Any]:
        """The documented keys; the score stands in the amateurs' curve."""
        return {"amateurs": self.amateurs, "equivalence": self.worth.to_dict()}


@record
class ExpertEquivalence(Result):
    """How many experts k amateurs are worth.

    All numbers come from the same bootstrap samples of items.

    Attributes
    ----------
    amateurs, experts : PowerCurve
        The curves of either pool, both predicting an expert.
    surveys : tuple of AmateurSurvey
        Each survey of amateurs on the experts' curve: `amateurs`, `score`, `worth`.

    Examples
    --------
    >>> import headcount as hc
    >>> crowd = hc.Ratings.from_counts([[6, 2], [2, 6]] * 40, labels=["a", "b"])
    >>> doctors = hc.Ratings.from_counts([[4, 0], [1, 3]] * 40, labels=["a", "b"])
    >>> found = hc.expert_equivalence(crowd, doctors, n_bootstrap=0)
    >>> found.surveys[0].amateurs
    1
    """

    amateurs: PowerCurve
    experts: PowerCurve
    surveys: tuple[AmateurSurvey, ...]

    rows = "surveys"

    def equivalence(self, amateurs: int) -> Estimate:
        """How many experts a survey of so many amateurs is worth.

        Parameters
        ----------
        amateurs : int
            The size of the survey, at least one.

        Returns
        -------
        Estimate

        Examples
        --------
        >>> import headcount as hc
        >>> crowd = hc.Ratings.from_counts([[6, 2], [2, 6]] * 40, labels=["a", "b"])
        >>> doctors = hc.Ratings.from_counts([[4, 0], [1, 3]] * 40, labels=["a", "b"])
        >>> found = hc.expert_equivalence(crowd, doctors, n_bootstrap=0)
        >>> found.equivalence(1).value < found.equivalence(3).value
        True
        """
        self.amateurs.score(amateurs)
        if amateurs == 0:
            raise OptionError("No amateurs at all are worth no expert: ask for at least one.")
        return self.surveys[amateurs - 1].worth

    def amateurs_for(self, experts: int) -> Estimate:
        """How many amateurs it takes to predict as well as so many experts.

        Parameters
        ----------
        experts : int
            At least one.

        Returns
        -------
        Estimate

        Examples
        --------
        >>> import headcount as hc
        >>> crowd = hc.Ratings.from_counts([[6, 2], [2, 6]] * 40, labels=["a", "b"])
        >>> doctors = hc.Ratings.from_counts([[4, 0], [1, 3]] * 40, labels=["a", "b"])
        >>> found = hc.expert_equivalence(crowd, doctors, n_bootstrap=0)
        >>> found.amateurs_for(1).value > 1
        True
        """
        self.experts.score(experts)
        if experts == 0:
            raise OptionError("No experts at all need no amateurs: ask for at least one expert.")
        return _placed(self.experts, experts, self.amateurs)

    def verdict(self) -> str:
        """What one and all amateurs are worth."""
        said = [self._sentence(k) for k in sorted({1, self.amateurs.most})]
        return " ".join(f"{sentence}." for sentence in said)

    def tables(self) -> tuple[Table, ...]:
        """Amateurs in experts, and the experts' curve."""
        rows: list[tuple[Cell, ...]] = [
            (each.amateurs, worth_text(each.worth, noun=""), each.score) for each in self.surveys
        ]
        heading = ("amateurs", "worth (experts)", self.amateurs.asked.scorer)
        title = "What amateurs are worth in experts"
        return (Table(title, heading, tuple(rows), id="amateurs"), self.experts.curve_table())

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

    def told(self) -> dict[str, Any]:
        """What was asked for, both curves, and the worth of each survey of amateurs."""
        told = self.experts.told()
        experts = told.pop("power_curve")
        return {
            **told,
            "amateurs": self.amateurs.points,
            "experts": experts,
            "expert_equivalence": self.surveys,
            "notes": self.unchecked(),
        }

    def _sentence(self, amateurs: int) -> str:
        who, worth = people(amateurs, noun="amateur", start=True), self.equivalence(amateurs)
        verb = "is" if amateurs == 1 else "are"
        if worth.state == "below":
            return f"{who} {verb} worth no expert at all"
        said = f"{who} {verb} worth {worth_text(worth, noun=' experts')}"
        ends = in_people(worth, self.experts.most, noun="expert")
        return f"{said}: {ends}" if ends else said


def experts_result(
    amateurs: PowerCurve, experts: PowerCurve, *, library: str = "pyarrow"
) -> ExpertEquivalence:
    """Both curves, from the same samples, with every survey of amateurs placed on the experts'."""
    surveys = tuple(
        AmateurSurvey(k, amateurs.score(k), _placed(amateurs, k, experts))
        for k in range(1, amateurs.most + 1)
    )
    return ExpertEquivalence(amateurs, experts, surveys, library=library)


def _placed(survey: PowerCurve, size: int, on: PowerCurve) -> Estimate:
    return worth_on(on, float(survey.values[size]), survey.draws[:, size])
