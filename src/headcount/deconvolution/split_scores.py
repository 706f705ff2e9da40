"""Scores apart: on easy and contested items, and by the groups that raters belong to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np

from headcount.arrays import Floats
from headcount.data import Classifier
from headcount.deconvolution.adjusted_scores import WHAT_THE_ORACLE_IS, Score, share
from headcount.deconvolution.contenders import Contender, Part, ScoringRule, part_of
from headcount.deconvolution.jury import Bench, Opinions, Panel, Session
from headcount.deconvolution.left_out import Hearing, score_hearing
from headcount.deconvolution.slips import disagreement_level
from headcount.deconvolution.votes import Votes
from headcount.errors import OptionError, UnanswerableError
from headcount.results import (
    Cell,
    Progress,
    Record,
    Result,
    Table,
    hidden,
    no_progress,
    percent,
    record,
)
from headcount.results.record import rows_as_columns

# Everyone agrees; one in five does not; two in five do not; and beyond.
LEVELS = (0.0, 0.2, 0.4)
NO_GROUPS = "The ratings have no column of groups: read them with group='column' (--group)."
_BY_ITEM = (
    "Slips help to make the levels, so within a level the labels held are worked out item by item "
    "(from a fitted population of items, or cut at zero where that cannot be fitted): levels need "
    "not average to the score over all items exactly."
)


@record
class ScoredPart(Record):
    """The scores of one part: a level of disagreement, or a group of raters.

    `low` and `high` are the part's limits where it is a level: above `low` up to `high`, and
    both 0 where everyone agrees.
    """

    name: str
    items: int
    scores: tuple[Score, ...]
    low: float | None = None
    high: float | None = None


@record
class SplitScores(Result):
    """Scores by part. `by` is "level" or "group"; the last of `parts` is all of them together."""

    by: Literal["level", "group"]
    scorers: tuple[str, ...]
    confidence: float
    parts: tuple[ScoredPart, ...]
    notes: tuple[str, ...] = ()
    flip_sentence: str = hidden(default="")
    method: str = hidden(default="unbiased")

    rows: ClassVar[str] = "parts"

    def verdict(self) -> str:
        """Where the best classifier (the oracle without one) does best, and where worst."""
        scorer = self.scorers[0]
        overall = [score for score in self.parts[-1].scores if score.scorer == scorer]
        rivals = [score for score in overall if score.kind == "classifier"] or overall
        best = max(rivals, key=lambda score: score.adjusted.value or -np.inf)
        found = [
            (score.adjusted.value, part.name)
            for part in self.parts[:-1]
            for score in part.scores
            if (score.name, score.kind, score.scorer) == (best.name, best.kind, scorer)
            and score.adjusted.value is not None
        ]
        if not found:
            return f"{scorer} has no value in any part."
        worst, top = min(found), max(found)
        what = "among" if self.by == "group" else "where"
        if len(found) == 1:
            return f"{best.name}: there is only one part, {what} {worst[1]}."
        shown = [
            f"{100 * value:.1f} %" if scorer == "accuracy" else f"{value:.3f}"
            for value in (top[0], worst[0])
        ]
        return (
            f"{best.name}: adjusted {scorer} is {shown[0]} {what} {top[1]}, "
            f"and {shown[1]} {what} {worst[1]}."
        )

    def tables(self) -> tuple[Table, ...]:
        """A table a scorer, a row for each part and contender."""
        return tuple(self._table(scorer) for scorer in self.scorers)

    def assumptions(self) -> tuple[str, ...]:
        """What the parts rest on."""
        if self.by == "level":
            return (
                self.flip_sentence,
                "Levels come from the same labels that the scores are made of: on contested "
                "items the oracle is low by definition, and what counts is the distance to it.",
                *((_BY_ITEM,) if self.method == "unbiased" else ()),
                WHAT_THE_ORACLE_IS,
            )
        return (
            self.flip_sentence,
            "People of every group slip as often: flip rates are those of the item, not of "
            "the group.",
            WHAT_THE_ORACLE_IS,
        )

    def unchecked(self) -> tuple[str, ...]:
        """What was left out."""
        return self.notes

    def columns(self) -> dict[str, list[Any]]:
        """A row for each part, contender and scorer."""
        held = [(part, score) for part in self.parts for score in part.scores]
        return {
            self.by: [part.name for part, _ in held],
            "items": [part.items for part, _ in held],
            **rows_as_columns([score for _, score in held]),
        }

    def _table(self, scorer: str) -> Table:
        rows: list[tuple[Cell, ...]] = [
            (
                part.name,
                part.items,
                score.name,
                score.aggregated.value,
                score.raw.value,
                score.adjusted,
                share(score.of_oracle),
            )
            for part in self.parts
            for score in part.scores
            if score.scorer == scorer
        ]
        heads = (self.by, "items", "", "aggregated", "raw", "adjusted", "of oracle")
        what = "level of disagreement" if self.by == "level" else "group of raters"
        return Table(f"{scorer} by {what}", heads, tuple(rows), id=scorer)


def by_level(
    panel: Panel,
    asked: Callable[[Panel], Bench],
    scorers: Sequence[ScoringRule],
    levels: Sequence[float] = LEVELS,
    progress: Progress = no_progress,
) -> SplitScores:
    """The same scorers on items that people agree on and on items that they do not."""
    edges = _edges(levels)
    limits = [(0.0, 0.0) if edges[0] == 0 else (0.0, edges[0])]
    limits += list(zip(edges, [*edges[1:], 1.0], strict=True))
    by_panel: dict[int, _Levels] = {}

    def ask(panel: Panel) -> Hearing:
        known = by_panel.setdefault(id(panel), _Levels(edges))
        bench = asked(panel)
        return Hearing(bench, bench.answered, known.parts, beside=known.places)

    session, parts, scored = score_hearing(panel, ask, scorers, progress)
    kept = by_panel[id(panel)].kept
    sizes = [int(session.jury.size[part.rows].sum()) for part in parts]
    found = [
        ScoredPart(_level_name(edges, k), size, scores, *map(float, limits[k]))
        for k, size, scores in zip(kept, sizes, scored, strict=False)
    ]
    everything = ScoredPart("all items", sizes[-1], scored[-1])
    return _packed("level", panel, [*found, everything], scorers, asked(panel))


@dataclass(eq=False)
class _Levels:
    """The levels of a panel's items: settled by all its raters, and kept without each of them."""

    edges: Floats
    kept: list[int] = field(default_factory=list)
    own: list[dict[int, Opinions]] | None = None

    def places(self, votes: Votes) -> Floats:
        """Each item's level, (n, 1)."""
        level = disagreement_level(votes.shares)
        return np.searchsorted(self.edges, level - 1e-9, side="left")[:, None].astype(np.float64)

    def parts(self, session: Session) -> list[Part]:
        """The levels that have items, then all of them."""
        place = session.beside[:, 0]
        masks = [session.judged & (place == k) for k in range(len(self.edges) + 1)]
        if self.own is None:
            self.kept = [k for k, mask in enumerate(masks) if mask.any()]
            self.own = [_populations(session, each) for each in session.classifiers]
        held = [
            _behind(session, each, own)
            for each, own in zip(session.classifiers, self.own, strict=True)
        ]
        seated = session.classifiers
        apart = [part_of(session.jury, masks[k], seated, held=held) for k in self.kept]
        return [*apart, part_of(session.jury, session.judged, seated)]


def _populations(session: Session, classifier: Classifier) -> dict[int, Opinions]:
    """The population behind each of a classifier's answers, where it can be told."""
    jury, rows = session.jury, session.judged
    if jury.opinions is None or jury.counts is None:
        return {}
    return jury.opinions.by_answer(jury.counts[rows], jury.size[rows], classifier.top()[rows])


def _behind(session: Session, classifier: Classifier, own: dict[int, Opinions]) -> Floats | None:
    """The labels held on every row in the light of the classifier's answers, (3, G, L)."""
    jury, rows = session.jury, session.judged
    if jury.opinions is None or jury.counts is None:
        return None
    held = np.zeros((3, *jury.shares.shape))
    held[:, rows] = jury.opinions.behind(jury.counts[rows], classifier.top()[rows], own)
    return held


def by_group(
    panel: Panel,
    asked: Callable[[Panel], Bench],
    scorers: Sequence[ScoringRule],
    progress: Progress = no_progress,
) -> SplitScores:
    """What share of each group of raters would agree; the oracle is the group's own majority."""
    votes = panel.votes
    if votes.by_group is None:
        raise UnanswerableError(NO_GROUPS)
    bench, found = asked(panel), []
    for k, name in enumerate(votes.groups):
        judged = bench.answered & (votes.of(k).sum(axis=1) > 0)
        if judged.any():
            hearing = Hearing(bench, judged, _beside_everyone, k, lambda votes: votes.shares)
            found.append(_scored(name, panel, hearing, scorers, progress))
    everyone = Hearing(bench, bench.answered, _all_of_them)
    found.append(_scored("everyone", panel, everyone, scorers, progress))
    return _packed("group", panel, found, scorers, bench)


def _all_of_them(session: Session) -> list[Part]:
    return [part_of(session.jury, session.judged, session.classifiers)]


def _beside_everyone(session: Session) -> list[Part]:
    """The classifiers, what most people of all groups said, and what most of this group did."""
    (part,) = _all_of_them(session)
    majority = Contender.oracle(session.beside[session.judged], "majority")
    return [Part(part.rows, (*part.contenders[:-1], majority, part.contenders[-1]))]


def _scored(
    name: str,
    panel: Panel,
    hearing: Hearing,
    scorers: Sequence[ScoringRule],
    progress: Progress,
) -> ScoredPart:
    session, _, scores = score_hearing(panel, lambda _: hearing, scorers, progress)
    return ScoredPart(name, session.items(session.judged), scores[0])


def _packed(
    by: Literal["level", "group"],
    panel: Panel,
    parts: Sequence[ScoredPart],
    scorers: Sequence[ScoringRule],
    bench: Bench,
) -> SplitScores:
    return SplitScores(
        by,
        tuple(scorer.name for scorer in scorers),
        panel.plan.confidence,
        tuple(parts),
        (*panel.flips.notes, *panel.votes.notes, *bench.notes),
        panel.flips.sentence(),
        panel.method,
        library=panel.study.library,
    )


def _edges(levels: Sequence[float]) -> Floats:
    edges = np.asarray(levels, dtype=np.float64)
    rising = edges.ndim == 1 and len(edges) > 0 and bool(np.all(np.diff(edges) > 0))
    if not rising or edges[0] < 0 or edges[-1] >= 1:
        raise OptionError(
            "levels are shares of labels that are not the majority's, from 0 to below 1 in "
            f"rising order, such as (0, 0.2, 0.4); they were {tuple(levels)!r}."
        )
    return edges


def _level_name(edges: Floats, k: int) -> str:
    if k == 0 and edges[0] == 0:
        return "everyone agrees"
    if k == len(edges):
        return f"over {percent(edges[-1], None)} disagree"
    low = 0.0 if k == 0 else edges[k - 1]
    if low == 0:
        return f"up to {percent(edges[k], None)} disagree"
    return f"{percent(low, None)} to {percent(edges[k], None)} disagree"
