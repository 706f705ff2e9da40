"""Two pools of raters, joined by item: amateurs are surveyed, experts are to be predicted."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Ints
from headcount.data import Judged, Ratings, full_block, group_rows
from headcount.equivalence.curve_result import curve_result
from headcount.equivalence.placing import placed, worth_on
from headcount.equivalence.power_curve import CurvePoint, PowerCurve
from headcount.equivalence.question import Question
from headcount.equivalence.scored_groups import cautions, in_readings, measure, scored_classifiers
from headcount.equivalence.words import in_people, people, worth_text
from headcount.equivalence.worth import SurveyEquivalence
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.results import Cell, Estimate, Record, Result, Table, hidden, record


@record
class AmateurSurvey(Record):
    """A survey of so many `amateurs`: its `score`, and its `worth` in experts."""

    amateurs: int
    score: Estimate
    worth: Estimate

    named: ClassVar[Mapping[str, str]] = {"worth": "equivalence"}


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

    amateurs: PowerCurve = hidden()
    experts: PowerCurve
    surveys: tuple[AmateurSurvey, ...]

    rows = "surveys"
    also = ("points_of_amateurs", "unchecked")
    named: ClassVar[Mapping[str, str]] = {
        "power_curve": "experts",
        "points_of_amateurs": "amateurs",
        "surveys": "expert_equivalence",
    }
    unfolded = ("experts",)

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

    @property
    def points_of_amateurs(self) -> tuple[CurvePoint, ...]:
        """The amateurs' curve in the data."""
        return self.amateurs.points

    def _sentence(self, amateurs: int) -> str:
        who, worth = people(amateurs, noun="amateur", start=True), self.equivalence(amateurs)
        verb = "is" if amateurs == 1 else "are"
        if worth.state == "below":
            return f"{who} {verb} worth no expert at all"
        said = f"{who} {verb} worth {worth_text(worth, noun=' experts')}"
        ends = in_people(worth, self.experts.most, noun="expert")
        return f"{said}: {ends}" if ends else said


@frozen
class _BothPools:
    """Items that both pools rated often enough, with the counts (n, L) of either.

    `amateurs` and `experts` are the ratings that each of them has at least; `dropped` counts
    the items left out and `note` says which.
    """

    items: NDArray[np.object_]
    by_amateurs: Ints
    by_experts: Ints
    amateurs: int
    experts: int
    dropped: int
    note: str

    def grouped(self) -> tuple[Ints, Ints, Ints]:
        """Items alike in both counts as one: counts by amateurs, by experts, and how many."""
        groups = group_rows(self.by_amateurs, self.by_experts)
        return self.by_amateurs[groups.first], self.by_experts[groups.first], groups.size


def two_pool_curve(
    question: Question, amateurs: Ratings, experts: Ratings, *, library: str
) -> PowerCurve:
    """The curve of amateurs who predict a held-out expert."""
    question = question.of_two_pools()
    both = _both_pools(question, amateurs, experts, expert_curve=False)
    ours, theirs, size = both.grouped()
    found = measure(question, ours, size, both.amateurs, experts=theirs)
    return curve_result(
        question,
        found.surveyed,
        raters=both.amateurs,
        items_used=len(both.items),
        items_dropped=both.dropped,
        notes=(both.note,),
        library=library,
    )


def two_pool_equivalence(
    question: Question, amateurs: Ratings, experts: Ratings, judged: Judged, *, library: str
) -> SurveyEquivalence:
    """How many amateurs each classifier is worth, all scored against a held-out expert.

    `judged` are the classifiers on the items that the experts rated.
    """
    assert judged.items is not None
    question = question.of_two_pools()
    both = _both_pools(question, amateurs, experts, expert_curve=False)
    place = {item: row for row, item in enumerate(judged.items)}
    at = np.array([place.get(item, -1) for item in both.items], dtype=np.int64)
    answered = at >= 0
    read = in_readings(question, judged.take(at[answered]))
    ours = both.by_amateurs[answered]
    found = measure(
        question,
        ours,
        read.size,
        both.amateurs,
        experts=both.by_experts[answered],
        classifiers=scored_classifiers(question, read),
    )
    curve = curve_result(
        question,
        found.surveyed,
        raters=both.amateurs,
        items_used=len(ours),
        items_dropped=both.dropped + int((~answered).sum()),
        notes=(both.note, *judged.notes),
        cautions=cautions(question, read),
        library=library,
    )
    worths = placed(curve, question.scorer, read.classifiers, found.scores)
    return SurveyEquivalence(curve, worths, library=library)


def amateurs_in_experts(
    question: Question, amateurs: Ratings, experts: Ratings, *, library: str
) -> ExpertEquivalence:
    """Both pools' curves from the same samples of items."""
    question = question.of_two_pools()
    both = _both_pools(question, amateurs, experts, expert_curve=True)
    ours, theirs, size = both.grouped()
    held_out = question.options.reference_raters
    surveyed = measure(question, ours, size, both.amateurs, experts=theirs)
    among_experts = measure(question, theirs, size, both.experts - held_out)
    amateur_curve, expert_curve = (
        curve_result(
            question,
            each.surveyed,
            raters=raters,
            items_used=len(both.items),
            items_dropped=both.dropped,
            notes=(both.note,),
            library=library,
        )
        for each, raters in ((surveyed, both.amateurs), (among_experts, both.experts))
    )
    surveys = tuple(
        AmateurSurvey(k, amateur_curve.score(k), _placed(amateur_curve, k, expert_curve))
        for k in range(1, amateur_curve.most + 1)
    )
    return ExpertEquivalence(amateur_curve, expert_curve, surveys, library=library)


def _both_pools(
    question: Question, amateurs: Ratings, experts: Ratings, *, expert_curve: bool
) -> _BothPools:
    """Join the pools by item and keep the items with enough ratings of either kind."""
    if amateurs.labels.names != experts.labels.names:
        raise InputError(
            f"The two pools use different labels ({amateurs.labels.listing(4)} and "
            f"{experts.labels.listing(4)}): read them with the same order=."
        )
    ours, theirs = amateurs.item_counts(), experts.item_counts()
    place = {item: row for row, item in enumerate(theirs.items)}
    at = np.array([place.get(item, -1) for item in ours.items], dtype=np.int64)
    joined = at >= 0
    if not joined.any():
        raise InputError(
            "No item was rated by both pools: they are joined by item id, such as "
            f"{str(ours.items[0])!r} and {str(theirs.items[0])!r}."
        )
    items, by_amateurs = ours.items[joined], ours.counts[joined]
    by_experts = theirs.counts[at[joined]]
    depth = _expert_depth(question, by_experts.sum(axis=1), expert_curve)
    deep = by_experts.sum(axis=1) >= depth
    raters = _amateur_depth(question, by_amateurs[deep].sum(axis=1))
    kept = deep & (by_amateurs.sum(axis=1) >= raters)
    used = int(kept.sum())
    question.check_items(used)
    everybody = len(set(ours.items) | set(theirs.items))
    note = (
        f"Of {everybody:,} rated items, {used:,} have at least {raters} ratings by amateurs "
        f"and {depth} by experts; the others were left out."
    )
    return _BothPools(
        items[kept], by_amateurs[kept], by_experts[kept], raters, depth, everybody - used, note
    )


def _expert_depth(question: Question, by_experts: Ints, expert_curve: bool) -> int:
    """The ratings by experts that an item must have."""
    needed = question.options.reference_raters + (1 if expert_curve else 0)
    if int(by_experts.max(initial=0)) < needed:
        raise UnanswerableError(
            f"No item that both pools rated has {needed} ratings by experts, which are needed "
            "here: collect more of them, or lower reference_raters."
        )
    if not expert_curve:
        return needed
    return max(needed, full_block(by_experts[by_experts >= needed]).raters)


def _amateur_depth(question: Question, by_amateurs: Ints) -> int:
    """The ratings by amateurs that an item must have."""
    most, asked = int(by_amateurs.max(initial=0)), question.options.max_raters
    if asked is None:
        return full_block(by_amateurs).raters if most >= 2 else most
    if not 1 <= asked <= most:
        raise OptionError(
            f"max_raters={asked} needs items with that many ratings by amateurs; "
            f"here an item has at most {most}."
        )
    return asked


def _placed(survey: PowerCurve, size: int, on: PowerCurve) -> Estimate:
    return worth_on(on, float(survey.values[size]), survey.draws[:, size])
