"""Two pools of raters: how many experts so many amateurs are worth."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.data import Judged, Ratings, full_block
from headcount.data.calibration import calibrate as calibrated
from headcount.equivalence.classifiers import cautions, named_scores, scored_classifiers
from headcount.equivalence.combiners import Combiner
from headcount.equivalence.curve_result import PowerCurve
from headcount.equivalence.equivalence_result import ClassifierScore, SurveyEquivalence
from headcount.equivalence.exact import Curve
from headcount.equivalence.expert_result import ExpertEquivalence
from headcount.equivalence.grouping import Grouping
from headcount.equivalence.measuring import draw, measure_curve, measure_two_pools
from headcount.equivalence.packing import pack_curve
from headcount.equivalence.plan import Plan, plan_for
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.results import Progress, no_progress
from headcount.scorers import Scorer
from headcount.stats import Bootstrap

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class _BothPools:
    """Items that both pools rated often enough: `counts` (n, 2 L), amateurs' then experts'."""

    items: NDArray[np.object_]
    counts: Ints
    amateurs: int
    experts: int
    dropped: int
    notes: tuple[str, ...]


def two_pool_curve(plan: Plan, amateurs: Ratings, experts: Ratings) -> PowerCurve:
    """The curve of amateurs who predict a held-out expert."""
    both = _both_pools(plan, amateurs, experts, expert_curve=False)
    grouping = Grouping.of(both.counts, np.ones(len(both.counts), dtype=np.int64))
    drawn = draw(plan.bootstrap, grouping.sizes, (_itself(grouping),))
    curve = measure_two_pools(plan, grouping, drawn.samples[0], both.amateurs)
    return _packed(plan, curve, both, both.amateurs)


def two_pool_equivalence(
    plan: Plan, amateurs: Ratings, experts: Ratings, judged: Judged, *, calibrate: bool
) -> SurveyEquivalence:
    """How many amateurs each classifier is worth, all scored against a held-out expert.

    `judged` are the classifiers on the items that the experts rated.
    """
    assert judged.items is not None
    both = _both_pools(plan, amateurs, experts, expert_curve=False)
    place = {item: row for row, item in enumerate(judged.items)}
    at = np.array([place.get(item, -1) for item in both.items], dtype=np.int64)
    kept = judged.take(at[at >= 0])
    if calibrate:
        kept = calibrated(kept, seed=plan.bootstrap.seed)
    counts = both.counts[at >= 0]
    grouping = Grouping.of(counts, kept.size)
    scored = scored_classifiers(plan, kept)
    drawn = draw(plan.bootstrap, kept.size, (grouping,), tuple(each.scores for each in scored))
    curve = measure_two_pools(plan, grouping, drawn.samples[0], both.amateurs)
    unanswered = int((at < 0).sum())
    packed = pack_curve(
        plan,
        curve,
        raters=both.amateurs,
        items_used=len(counts),
        items_dropped=both.dropped + unanswered,
        notes=(*both.notes, *judged.notes),
        cautions=cautions(plan, kept),
    )
    return SurveyEquivalence(packed, named_scores(plan, kept, drawn.scores))


def expert_equivalence(
    amateurs: Ratings,
    experts: Ratings,
    *,
    combiner: str | Combiner | Callable[..., Any] = "abc",
    scorer: str | Scorer | Callable[..., Any] = "cross_entropy",
    max_raters: int | None = None,
    reference_raters: int = 1,
    positive: str | None = None,
    clip: float | None = None,
    n_bootstrap: int = 500,
    confidence: float = 0.95,
    seed: int = 0,
    refit: bool = True,
    max_surveys: int = 40_000_000,
    progress: Progress = no_progress,
) -> ExpertEquivalence:
    """How many experts k amateurs are worth, for every k.

    Surveys of amateurs and of experts both predict a held-out expert; k amateurs are worth as
    many experts as it takes to predict as well. The pools are two `Ratings`, such as
    `ratings.pool("crowd")` and `ratings.pool("doctors")`, joined by item. `max_raters` is the
    number of ratings by amateurs that an item must have; the other options are those of
    `power_curve`.

    >>> import headcount as hc
    >>> crowd = hc.Ratings.from_counts([[6, 2], [2, 6], [7, 1], [3, 5]] * 80, labels=["a", "b"])
    >>> doctors = hc.Ratings.from_counts([[4, 0], [1, 3], [4, 0], [1, 3]] * 80, labels=["a", "b"])
    >>> found = hc.expert_equivalence(crowd, doctors, n_bootstrap=0)
    >>> print(found.equivalence(1).text(2))
    0.70
    """
    plan = plan_for(
        experts.labels,
        combiner=combiner,
        scorer=scorer,
        positive=positive,
        clip=clip,
        max_raters=max_raters,
        reference_raters=reference_raters,
        bootstrap=Bootstrap(n_bootstrap, confidence, seed),
        refit=refit,
        engine="exact",
        max_surveys=max_surveys,
        progress=progress,
    )
    both = _both_pools(plan, amateurs, experts, expert_curve=True)
    L = plan.labels.n
    together = Grouping.of(both.counts, np.ones(len(both.counts), dtype=np.int64))
    of_experts = Grouping.of(together.counts[:, L:], together.sizes)
    drawn = draw(plan.bootstrap, together.sizes, (_itself(together), of_experts))
    amateur = measure_two_pools(plan, together, drawn.samples[0], both.amateurs)
    expert = measure_curve(plan, of_experts, drawn.samples[1], both.experts - plan.reference_raters)
    surveys = tuple(
        ClassifierScore(_surveyed(k), float(amateur.scores[k]), amateur.draws[:, k])
        for k in range(1, both.amateurs + 1)
    )
    return ExpertEquivalence(
        amateurs=_packed(plan, amateur, both, both.amateurs),
        on_experts=SurveyEquivalence(_packed(plan, expert, both, both.experts), surveys),
    )


def _packed(plan: Plan, curve: Curve, both: _BothPools, raters: int) -> PowerCurve:
    return pack_curve(
        plan,
        curve,
        raters=raters,
        items_used=len(both.counts),
        items_dropped=both.dropped,
        notes=both.notes,
    )


def _surveyed(raters: int) -> str:
    return f"{raters} amateur{'' if raters == 1 else 's'}"


def _itself(grouping: Grouping) -> Grouping:
    """The patterns as groups of their own: draws of them need no gathering."""
    return Grouping(grouping.counts, grouping.sizes, np.arange(len(grouping.sizes)))


def _both_pools(
    plan: Plan, amateurs: Ratings, experts: Ratings, *, expert_curve: bool
) -> _BothPools:
    """Join the pools by item and keep the items with enough ratings of either kind."""
    if plan.engine != "exact":
        raise OptionError('Two pools need engine="exact": the literal engine has one matrix.')
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
    counts = np.hstack([ours.counts[joined], theirs.counts[at[joined]]])
    L = plan.labels.n
    by_experts = counts[:, L:].sum(axis=1)
    needed = plan.reference_raters + 1 if expert_curve else plan.reference_raters
    depth = _expert_depth(by_experts, needed, expert_curve)
    deep = by_experts >= depth
    counts, items = counts[deep], ours.items[joined][deep]
    raters, enough = _amateur_block(plan, counts[:, :L].sum(axis=1))
    used = counts[enough]
    plan.check_items(len(used))
    everybody = len(set(ours.items) | set(theirs.items))
    note = (
        f"Of {everybody:,} rated items, {len(used):,} have at least {raters} ratings by amateurs "
        f"and {depth} by experts; the others were left out."
    )
    return _BothPools(items[enough], used, raters, depth, everybody - len(used), (note,))


def _expert_depth(by_experts: Ints, needed: int, expert_curve: bool) -> int:
    if int(by_experts.max(initial=0)) < needed:
        raise UnanswerableError(
            f"No item that both pools rated has {needed} ratings by experts, which are needed "
            "here: collect more of them, or lower reference_raters."
        )
    if not expert_curve:
        return needed
    enough = by_experts[by_experts >= needed]
    return max(needed, full_block(enough).raters)


def _amateur_block(plan: Plan, by_amateurs: Ints) -> tuple[int, NDArray[np.bool_]]:
    most = int(by_amateurs.max(initial=0))
    if plan.max_raters is not None:
        if not 1 <= plan.max_raters <= most:
            raise OptionError(
                f"max_raters={plan.max_raters} needs items with that many ratings by amateurs; "
                f"here an item has at most {most}."
            )
        return plan.max_raters, by_amateurs >= plan.max_raters
    depth = full_block(by_amateurs).raters if most >= 2 else most
    return depth, by_amateurs >= depth
