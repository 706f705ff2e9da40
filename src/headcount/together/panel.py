"""`panel`: check, compute, pack."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from headcount.data import Study
from headcount.equivalence import (
    ClassifierWorth,
    PowerCurve,
    SurveyEquivalence,
    placed,
)
from headcount.frozen import frozen
from headcount.results import Estimate
from headcount.together.judge_pool import JudgePool
from headcount.together.panel_result import BestPanel, Panel, PanelMember, PanelSource
from headcount.together.panel_scores import PanelReading, PanelsOfStudy
from headcount.together.team_curve import Floats, Team
from headcount.together.team_member import member_of
from headcount.together.whom_to_ask import WhomToAsk

_NAME = "panel"


def panel_of(
    team: Team, curve: PowerCurve, alone: Sequence[ClassifierWorth], study: Study
) -> Panel:
    """The panel of a team's classifiers, whose worths `alone` are known, on people's `curve`."""
    panels = PanelsOfStudy.of(team)
    names = [each.name for each in panels.judges]
    name = next(each for each in _names() if each not in names)
    path, selected = panels.best()
    whole, pools, everyone = panels.everyone()
    fewer = panels.without(pools)
    of_all = _Worths.of(panels, curve, name, np.stack([everyone, *fewer.values()]))
    of_best = _Worths.of(panels, curve, name, selected)
    # One alone is worth what it is worth anywhere; and a panel that holds all of them is that of
    # all, whatever step of the selection led there.
    first = alone[path[0].members[0]].worth
    whole_worth = of_all.worths[:1] if len(path) == len(names) else of_best.worths[-1:]
    best = (first, *of_best.worths[1:-1], *whole_worth)
    adds = dict(zip(fewer, of_all.differences(), strict=True))
    members = tuple(
        PanelMember(each.name, each.worth, adds.get(place, Estimate(0.0, 0.0, 0.0)), float(weight))
        for place, (each, weight) in enumerate(zip(alone, whole.weights, strict=True))
    )
    parts, classifier = panels.as_classifier(name, everyone)
    asks = parts.curve(classifier, classifier)
    library = study.library
    return Panel(
        worth=of_all.worths[0],
        members=members,
        best=tuple(
            BestPanel(len(pool.members), _in_turn(path, place, names), worth)
            for place, (pool, worth) in enumerate(zip(path, best, strict=True))
        ),
        name=name,
        errors_together=panels.error_correlation(),
        team=member_of(
            curve, asks, of_all.placed[0], WhomToAsk(parts, classifier, asks.way, library)
        ),
        curve=curve,
        source=PanelSource(
            study,
            team.found.judged.labels,
            study.labels.positive(study.positive),
            PanelReading.learn(
                panels.judges, team.found.judged.counts, team.found.judged.size.astype(np.float64)
            ),
        ),
        library=library,
    )


def _names() -> Iterator[str]:
    """What a panel is called: as no classifier is."""
    yield _NAME
    more = 2
    while True:
        yield f"{_NAME} {more}"
        more += 1


def _in_turn(path: Sequence[JudgePool], upto: int, names: Sequence[str]) -> tuple[str, ...]:
    """The judges of a panel in the order in which they were taken in."""
    taken: list[int] = []
    for pool in path[: upto + 1]:
        taken += [each for each in pool.members if each not in taken]
    return tuple(names[each] for each in taken)


@frozen(eq=False)
class _Worths:
    """Several panels on the curve, as classifiers are."""

    curve: PowerCurve
    placed: tuple[ClassifierWorth, ...]

    @classmethod
    def of(cls, panels: PanelsOfStudy, curve: PowerCurve, name: str, said: Floats) -> "_Worths":
        """Of predictions (M, Q, L)."""
        values, draws, without = panels.scores(said)
        _, first = panels.as_classifier(name, said[0])
        each = [
            replace(first, name=name if place == 0 else f"{name} {place}")
            for place in range(len(said))
        ]
        scores = [np.append(values[place], draws[:, place]) for place in range(len(said))]
        return cls(curve, placed(curve, panels.team.found.question.scorer, each, scores, without))

    @property
    def worths(self) -> tuple[Estimate, ...]:
        """How many people each is worth."""
        return tuple(each.worth for each in self.placed)

    def differences(self) -> tuple[Estimate, ...]:
        """How many more people the first is worth than each of the others."""
        compared = SurveyEquivalence(self.curve, self.placed)
        first = self.placed[0].name
        return tuple(compared.worth_difference(first, each.name) for each in self.placed[1:])
