"""Scores about other people: the same items scored again without each rater.

A rater who is left out takes their answers along, and what their retests tell of slips. Items
stay at the level of disagreement, and what was learned of the population of items stays as it is:
it is who judged that varies.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from headcount.arrays import Floats, Ints, Mask
from headcount.data import enough, group_rows
from headcount.deconvolution.adjusted_scores import Score, score_parts
from headcount.deconvolution.contenders import Part, ScoringRule
from headcount.deconvolution.jury import Bench, Jury, Panel, Session, convene
from headcount.deconvolution.votes import Votes, as_shares
from headcount.frozen import frozen
from headcount.results import Progress, no_progress
from headcount.sampling import Plan


@frozen(eq=False)
class Hearing:
    """What is scored: the `bench` on the rows `judged`, in `parts` of them.

    `group` says whose votes count, everyone's if None. `beside` gives what else keeps rows apart
    (n, …), from everyone's votes.
    """

    bench: Bench
    judged: Mask
    parts: Callable[[Session], list[Part]]
    group: int | None = None
    beside: Callable[[Votes], Floats] | None = None


Listed = Callable[[Panel], Hearing]


def score_hearing(
    panel: Panel,
    ask: Listed,
    scorers: Sequence[ScoringRule],
    progress: Progress = no_progress,
) -> tuple[Session, list[Part], list[tuple[Score, ...]]]:
    """Every contender of each part by every scorer, in samples of what is taken as one.

    `ask` makes the hearing of this panel, and of its part where raters are left out on that.
    """
    hearing = ask(panel)
    session = _whole(panel, hearing)
    parts = hearing.parts(session)
    samples, tables, elsewhere = panel.samples, None, None
    if panel.plan.samples and samples.plan.counts_raters:
        those, there = panel, hearing
        if panel.part is not None:
            those, there = panel.part, ask(panel.part)
            alone = _whole(those, there)
            elsewhere = alone.jury, there.parts(alone)
        tables = ((each.jury, there.parts(each)) for each in _without_each(those, there))
    clusters = None
    if samples.cluster is not None:
        clusters = samples.take(_mask(session.rows, len(samples.cluster))).clusters_of(
            session.group
        )
    scored = score_parts(
        session.jury,
        parts,
        scorers,
        panel.plan,
        bounded=panel.flips.bounded,
        method=panel.method,
        samples=[_plan(panel, session, each) for each in parts],
        clusters=clusters,
        tables=() if tables is None else tables,
        elsewhere=elsewhere,
        progress=progress,
    )
    return session, parts, scored


def _mask(rows: Ints, n: int) -> Mask:
    mask = np.zeros(n, dtype=bool)
    mask[rows] = True
    return mask


def _whole(panel: Panel, hearing: Hearing) -> Session:
    beside = None if hearing.beside is None else hearing.beside(panel.votes)
    jury = panel.jury if hearing.group is None else panel.jury_of(panel.votes.of(hearing.group))
    return convene(jury, hearing.bench, hearing.judged, beside)


def _plan(panel: Panel, session: Session, part: Part) -> Plan:
    """What is a sample in one part: its own items or clusters, everybody's raters."""
    plan, cluster = panel.samples.plan, panel.samples.cluster
    items = max(int(session.jury.size[part.rows].sum()), 1)
    if cluster is None:
        return replace(plan, items=items)
    here = np.isin(session.group, part.rows)
    units = len(np.unique(cluster[session.rows][here]))
    return replace(plan, items=items, clusters=max(units, 1))


def _without_each(panel: Panel, hearing: Hearing) -> Iterator[Session]:
    """The session without each rater, or group of raters, in turn; rows alike are one."""
    votes, flips, opinions = panel.votes, panel.flips, panel.jury.opinions
    place = flips.by_answer[0] if flips.pooling is None else flips.pooling.place
    beside = np.zeros((len(votes.items), 0))
    if hearing.beside is not None:
        beside = hearing.beside(votes)
    outputs = [each.outputs() for each in hearing.bench.classifiers]
    judged = hearing.judged
    first = panel.first_answers if hearing.group is None else None
    everyone = np.rint(votes.counts).astype(np.int64)
    apart = [np.where(judged[:, None], each, 0) for each in outputs]
    alike = group_rows(judged, place, beside, *apart).of_row
    for stay, left in panel.without_each():
        counts = left.of(hearing.group)
        rated = judged & (counts.sum(axis=1) > 0)
        people = None
        if first is not None:
            people = first.shares(np.rint(counts).astype(np.int64), everyone)
            rated &= people.sum(axis=1) > 0
        rate = flips.without(stay)
        whole = None
        if opinions is not None and hearing.group is None:
            whole = enough(np.rint(counts).astype(np.int64))
        keys = [np.round(counts[rated], 12), alike[rated]]
        if first is not None:
            keys.append(everyone[rated])
        groups = group_rows(*keys)
        rows = np.flatnonzero(rated)[groups.first]
        weight = counts.sum(axis=1) if panel.by_ratings else np.ones(len(counts))
        own = rate[rows]
        jury = Jury(
            as_shares(counts[rows]),
            groups.size,
            weight[rows],
            own,
            own,
            own,
            None,
            None if whole is None else whole[rows],
            None if whole is None else opinions,
            None if people is None else people[rows],
        )
        yield Session(
            jury,
            tuple(each.take(rows) for each in hearing.bench.classifiers),
            np.ones(len(rows), dtype=bool),
            (beside if hearing.group is None else _beside(hearing, left))[rows],
            rows,
            groups.of_row,
        )


def _beside(hearing: Hearing, left: Votes) -> Floats:
    """Everyone's votes beside those of a group are without the rater too."""
    assert hearing.beside is not None
    return hearing.beside(left)
