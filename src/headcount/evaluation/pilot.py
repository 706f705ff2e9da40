"""A plan from a pilot: how to spend the next labels, and how sure the pilot makes that."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headcount.accuracy import algebra, system_accuracy
from headcount.budget import (
    ComparisonPlan,
    LabelAccuracy,
    Pairing,
    Step,
    Strategy,
    plan_for_pairing,
)
from headcount.budget.offers import unit_cost
from headcount.budget.search import items_for_failure
from headcount.data import Judged, Predictions, Ratings, judge
from headcount.errors import OptionError, UnanswerableError
from headcount.evaluation import pilot_spread
from headcount.evaluation.pilot_joint import (
    Groups,
    Joint,
    common_accuracy,
    own_accuracies,
    which_is_right,
)
from headcount.evaluation.pilot_result import PilotDraws, PilotPlan, Uncertain, quantities
from headcount.stats import Bootstrap, estimate_from_draws

Floats = NDArray[np.float64]

LEAST_DIFFERING = 30
"""Items that differ, with three labels or more, below which label accuracy is taken as common."""
LEAST_FOR_SPREAD = 50
"""Items with four labels or more below which label accuracy is taken as the same everywhere."""
MOST_ITEMS = 1e9


@dataclass(frozen=True)
class Found:
    """What S data sets say: the `labels`' accuracy over items in each, and joint correctness.

    `model` is how labels spread over items in the pilot itself, at any mean accuracy.
    """

    labels: list[LabelAccuracy]
    model: pilot_spread.LabelModel
    joint: Joint

    @property
    def accuracy(self) -> Floats:
        """Mean accuracy of a label, (S,)."""
        return np.array([labels.mean for labels in self.labels])

    def pairing(self, row: int, n_labels: int, *, swapped: bool = False) -> Pairing:
        """One data set as two classifiers to compare, the first as the better one."""
        joint = self.joint
        first, second = (
            pilot_spread.moved_to(self.labels[row], float(accuracy[row]), n_labels)
            for accuracy in (joint.labels_first, joint.labels_second)
        )
        only_first, only_second = float(joint.only_first[row]), float(joint.only_second[row])
        pairing = Pairing(
            better=float(joint.both[row]) + only_first,
            only_better=only_first,
            only_worse=only_second,
            gap=only_first - only_second,
            agree=max(1.0 - float(joint.apart[row]), 0.0),
            labels=self.labels[row],
            labels_better=first,
            labels_worse=second,
            neither=max(float(joint.neither[row]), 0.0) if n_labels > 2 else 0.0,
            categories=n_labels,
        )
        return pairing.swapped() if swapped else pairing


def plan_from_pilot(
    ratings: Ratings,
    predictions: Predictions,
    *,
    classifiers: Sequence[str] | None = None,
    budget: float | None = None,
    target: float | None = None,
    labels_per_item: int | Sequence[int] | None = None,
    adaptive: bool | None = None,
    equal_labels: bool = False,
    item_cost: float = 0.0,
    label_cost: float = 1.0,
    rivals: int = 1,
    positive: str | None = None,
    unknown: str = "error",
    n_bootstrap: int = 500,
    confidence: float = 0.95,
    seed: int = 0,
) -> PilotPlan:
    """Plan the labels for picking the better of two classifiers from a pilot of both.

    Agreement between raters gives the accuracy of a label; the labels on the items where the
    two classifiers differ give who is right there and, with three labels an item or more,
    whether labels are worse where one of them is right; with four or more, how much label
    accuracy varies over items. `plan_comparison` then plans from these, and a bootstrap of the
    pilot's items is carried through to the plan: it shows its own uncertainty.

    `classifiers` names two where there are more; soft ones count by their most probable label.
    `equal_labels` takes labels as equally good on all items where the two differ instead of
    learning it: the paper's simplest case, for pilots too small to tell.
    """
    resampling = Bootstrap(n_bootstrap, confidence, seed)
    if (budget is None) == (target is None):
        raise OptionError(
            "give either budget (what may be spent) or target (the probability to reach), "
            "one of the two."
        )
    judged = _two_classifiers(
        judge(ratings, predictions, positive=positive, unknown=unknown), classifiers
    )
    groups, sizes = _grouped(judged)
    _check_answerable(groups)
    tail = resampling.tail(int(sizes.sum()))
    weights = np.concatenate([sizes[None], resampling.item_draws(sizes)]).astype(float)
    own = not equal_labels and _enough(groups, sizes, LEAST_DIFFERING, ratings=3, differing=True)
    found, varies = _find(groups, sizes, weights, own, tail)
    swapped = _second_is_better(found)
    plan = plan_for_pairing(
        found.pairing(0, groups.n_labels, swapped=swapped),
        budget=budget,
        target=target,
        labels_per_item=labels_per_item,
        adaptive=adaptive,
        item_cost=item_cost,
        label_cost=label_cost,
        rivals=rivals,
    )
    drawn = _draw_pairings(found, groups.n_labels)
    names = [classifier.name for classifier in judged.classifiers]
    method = system_accuracy(
        ratings, predictions, positive=positive, unknown=unknown, latent_class="off", n_bootstrap=0
    )
    return PilotPlan(
        plan=plan,
        better=names[1] if swapped else names[0],
        worse=names[0] if swapped else names[1],
        items=int(sizes.sum()),
        differing=int(sizes[groups.differ].sum()),
        quantities=quantities(_pilot_draws(found, swapped), tail),
        uncertain=_uncertainty(plan, drawn, tail),
        right_order=_share_in_order(found, swapped),
        misled=_share_misled(drawn, plan.best.strategy),
        own_accuracies=own,
        equal_labels=equal_labels,
        varies=varies,
        spread_fails=_spread_fails(groups, sizes, found, swapped),
        failed_checks=tuple(check.text for check in method.checks if check.state == "violated"),
        confidence=confidence,
        samples=resampling.samples,
        notes=judged.notes,
        draws=_pilot_draws(found, swapped),
    )


def _two_classifiers(judged: Judged, names: Sequence[str] | None) -> Judged:
    known = [classifier.name for classifier in judged.classifiers]
    chosen = known if names is None else list(names)
    strange = [name for name in chosen if name not in known]
    if strange:
        raise OptionError(
            f"there is no classifier {strange[0]!r}; there are: {', '.join(map(repr, known))}."
        )
    if len(chosen) != 2 or len(set(chosen)) != 2:
        listed = ", ".join(map(repr, known))
        raise OptionError(
            f"a comparison has two classifiers and here are {len(chosen)} ({listed}): name two "
            "with classifiers=."
        )
    by_name = {classifier.name: classifier for classifier in judged.classifiers}
    return Judged(
        judged.labels,
        judged.counts,
        judged.size,
        tuple(by_name[name] for name in chosen),
        judged.items,
        judged.notes,
    )


def _grouped(judged: Judged) -> tuple[Groups, NDArray[np.int64]]:
    """Items alike in counts and answers as one group, and how many each stands for."""
    n_labels = judged.labels.n
    answers = [
        np.where(classifier.top() < 0, n_labels, classifier.top())
        for classifier in judged.classifiers
    ]
    content = np.column_stack([judged.counts, *answers])
    distinct, sizes = np.unique(content, axis=0, return_counts=True)
    groups = Groups(distinct[:, :n_labels], distinct[:, n_labels], distinct[:, n_labels + 1])
    return groups, sizes


def _check_answerable(groups: Groups) -> None:
    if groups.n_labels < 2:
        raise UnanswerableError("There is only one label: a comparison needs at least two.")
    if not (groups.ratings >= 2).any():
        raise UnanswerableError(
            "No item of the pilot has two ratings, so how accurate a label is cannot be known: "
            "collect a second rating for at least some items, or give label_accuracy to "
            "plan_comparison."
        )
    if not groups.differ.any():
        raise UnanswerableError(
            "The two classifiers gave the same answer on every item of the pilot: nothing can be "
            "learnt about which is better; add items on which they differ."
        )


def _enough(
    groups: Groups, sizes: NDArray[np.int64], least: int, *, ratings: int, differing: bool = False
) -> bool:
    usable = groups.ratings >= ratings
    return int(sizes[usable & groups.differ if differing else usable].sum()) >= least


def _find(
    groups: Groups, sizes: NDArray[np.int64], weights: Floats, own: bool, tail: float
) -> tuple[Found, bool]:
    """Everything the pilot and its bootstrap samples say, and whether label accuracy varies."""
    agreement = algebra.pairwise_agreement(groups.counts, weights)
    accuracy = algebra.accuracy_from_agreement(agreement, groups.n_labels)
    if not accuracy[0] > 1 / groups.n_labels + 1e-9:
        raise UnanswerableError(
            "Raters of the pilot agree no more often than by chance, so their labels cannot tell "
            "which classifier is better: check the task and its labels first."
        )
    # A sample in which raters happen to agree by chance only says nothing; it stays undefined.
    defined = np.nan_to_num(accuracy, nan=1 / groups.n_labels)
    accuracy = np.maximum(defined, 1 / groups.n_labels + 1e-6)
    mean, variance = pilot_spread.skill_spread(
        *pilot_spread.agreement_moments(groups.counts, weights), groups.n_labels
    )
    varies = _enough(groups, sizes, LEAST_FOR_SPREAD, ratings=4) and _above_zero(variance, tail)
    labels = [LabelAccuracy.same(value) for value in accuracy.tolist()]
    if varies:
        spread = zip(mean.tolist(), variance.tolist(), strict=True)
        labels = [pilot_spread.distribution(m, v, groups.n_labels) for m, v in spread]
        accuracy = np.array([each.mean for each in labels])
    model = pilot_spread.LabelModel.of(labels[0], groups.n_labels)
    joint = common_accuracy(groups, weights, accuracy)
    if own:
        joint = own_accuracies(groups, weights, joint, accuracy, model)
    return Found(labels, model, joint), varies


def _above_zero(variance: Floats, tail: float) -> bool:
    """Whether a spread is there beyond chance: the pilot's interval leaves zero out."""
    if len(variance) == 1:
        return bool(variance[0] > 0.01)
    low = estimate_from_draws(float(variance[0]), variance[1:], tail).low
    return low is not None and low > 0


def _second_is_better(found: Found) -> bool:
    gap = float(found.joint.gap[0])
    if abs(gap) < 1e-9:
        raise UnanswerableError(
            "By the labels of the pilot the two classifiers are equally good: no number of items "
            "follows from that; add items to the pilot, or plan for the smallest margin that "
            "matters with plan_comparison."
        )
    return gap < 0


def _draw_pairings(found: Found, n_labels: int) -> list[Pairing]:
    """Each bootstrap sample as two classifiers to compare, whichever is the better one there."""
    swapped = found.joint.gap < 0
    return [
        found.pairing(row, n_labels, swapped=bool(swapped[row])) for row in range(1, len(swapped))
    ]


def _uncertainty(plan: ComparisonPlan, drawn: list[Pairing], tail: float) -> tuple[Uncertain, ...]:
    """What the bootstrap samples would make of each offer."""
    offers = plan.plans
    if not drawn:
        return ()
    probability, items, cost = (np.empty((len(offers), len(drawn))) for _ in range(3))
    for place, offer in enumerate(offers):
        steps = [pairing.step(offer.strategy) for pairing in drawn]
        failure = Step(*np.array(steps).T).ends(offer.items).failure
        probability[place] = np.maximum(0.0, 1.0 - plan.rivals * failure)
        each = [unit_cost(p, offer.strategy, plan.item_cost, plan.label_cost) for p in drawn]
        if plan.target is None:
            items[place] = offer.items
        else:
            items[place] = items_for_failure(steps, (1 - plan.target) / plan.rivals)
        cost[place] = items[place] * np.array(each)
    score = -probability if plan.target is None else cost
    decided = np.isfinite(score).any(axis=0)
    first = score[:, decided].argmin(axis=0)
    best = np.bincount(first, minlength=len(offers)) / max(int(decided.sum()), 1)
    items = np.where(items > MOST_ITEMS, np.inf, items)
    return tuple(
        Uncertain(
            probability=estimate_from_draws(offer.probability, probability[place], tail),
            items=estimate_from_draws(offer.items, items[place], tail, floor=0, ceiling=MOST_ITEMS),
            best=float(best[place]),
        )
        for place, offer in enumerate(offers)
    )


def _pilot_draws(found: Found, swapped: bool) -> PilotDraws:
    """The quantities with the better classifier first, the pilot's own in row 0."""
    joint = found.joint
    only = [joint.only_first, joint.only_second]
    labels = [joint.labels_first, joint.labels_second]
    better, worse = (1, 0) if swapped else (0, 1)
    return PilotDraws(
        label_accuracy=found.accuracy,
        both=joint.both,
        only_better=only[better],
        only_worse=only[worse],
        neither=joint.neither,
        labels_better=labels[better],
        labels_worse=labels[worse],
    )


def _share_in_order(found: Found, swapped: bool) -> float | None:
    gap = found.joint.gap[1:]
    if not len(gap):
        return None
    return float(np.mean(gap < 0 if swapped else gap > 0))


def _share_misled(drawn: list[Pairing], strategy: Strategy) -> float | None:
    """How often labels would prefer the worse classifier, however many items there are."""
    if not drawn:
        return None
    return float(np.mean([pairing.step(strategy).drift <= 0 for pairing in drawn]))


def _spread_fails(
    groups: Groups, sizes: NDArray[np.int64], found: Found, swapped: bool
) -> bool | None:
    """The paper's second assumption on the pilot itself; None where it cannot be looked at."""
    if not _enough(groups, sizes, LEAST_DIFFERING, ratings=4, differing=True):
        return None
    right = which_is_right(groups, found.joint, found.accuracy, found.model)[:2, 0]
    mean, variance = pilot_spread.skill_spread(
        *pilot_spread.agreement_moments(groups.counts, right * sizes), groups.n_labels
    )
    if not np.isfinite(mean).all():
        return None
    first, second = (
        pilot_spread.distribution(float(m), float(v), groups.n_labels)
        for m, v in zip(mean, variance, strict=True)
    )
    pairing = found.pairing(0, groups.n_labels)
    checked = Pairing(**{**vars(pairing), "labels_better": first, "labels_worse": second})
    return not (checked.swapped() if swapped else checked).unbiased_spread(3)
