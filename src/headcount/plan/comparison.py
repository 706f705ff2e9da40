"""To pick the better of two classifiers: how many items, and how many labels each?"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from headcount.arrays import Floats
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.declared import finite_number, share_of_all
from headcount.plan.comparison_result import ComparisonPlan, Offer, foremost, log_failures_of
from headcount.plan.contest import Contest, GivenSteps, JointPairing, Pairing, even_errors
from headcount.plan.estimation import EstimationError, estimation_error
from headcount.plan.label_accuracy import LabelAccuracy, Noise
from headcount.plan.labelling import Costs, Strategy
from headcount.plan.walk import (
    Step,
    cramer_failure,
    cramer_items,
    hoeffding_failure,
    hoeffding_items,
    items_for_budget,
    items_for_failure,
    rivals_ruled_out,
)

Labels = int | str
StepLike = Step | tuple[float, float]

# One label, the cheapest way to a vote of three, and votes that cannot tie: of two labels an even
# number decides nothing that one fewer does not.
DEFAULT_STRATEGIES = tuple(Strategy.parse(asked) for asked in (1, "2+1", 3, 5, 7, 9))
LARGER_VOTES = (11, 15, 21, 31)
"""Tried one after the other while the largest vote so far is the best, or none is enough."""

# The chance of a wrong winner that is allowed where no target says another.
TOLERANCE = 0.05


@frozen
class Correlated:
    """Two classifiers whose errors go together: the paper's correlated form.

    Parameters
    ----------
    worse_accuracy : float
        How often the worse one is right, p_w.
    if_worse_wrong, if_worse_right : float
        How often the better one is right where the worse is wrong, and where it is right.

    Examples
    --------
    >>> pair = Correlated(0.8, if_worse_wrong=0.4, if_worse_right=0.95)
    >>> plan_comparison(joint=pair, label_accuracy=0.8, target=0.95).best.items
    599
    """

    worse_accuracy: float
    if_worse_wrong: float
    if_worse_right: float


def plan_comparison(
    *,
    accuracy: float | None = None,
    margin: float | None = None,
    disagreement: float | None = None,
    n_labels: int = 2,
    joint: Correlated | ArrayLike | None = None,
    step: StepLike | Mapping[Labels, StepLike] | None = None,
    label_accuracy: float | LabelAccuracy | Noise | None = None,
    label_confusion: ArrayLike | None = None,
    budget: float | None = None,
    target: float | None = None,
    labels_per_item: Labels | Sequence[Labels] | None = None,
    costs: Costs | None = None,
    rivals: int = 1,
) -> ComparisonPlan:
    """Plan the labels for picking the better of two classifiers by their share of right answers.

    Parameters
    ----------
    accuracy, margin
        How often the better classifier is right, and how much more often than the other.
    disagreement
        Share of items on which the two differ (two labels); by default their errors are
        independent.
    n_labels
        How many labels there are; with `label_accuracy`, wrong ones are spread evenly.
    joint
        Instead of the above: `Correlated(…)`, or for any number of labels the (L, L, L) shares
        of (truth, answer of one, answer of the other), as `independent_joint` makes them.
    step
        Instead of all the above and of label accuracies: one item's chances (p₊, p₋) that its
        label favours the better and the worse classifier; or these by labels an item,
        ``{1: (…), 3: (…)}``.
    label_accuracy
        Chance that one label is right: a number, a `LabelAccuracy` that varies over items, or
        `Noise` where labels are not equally good on the items that one of the two gets right.
    label_confusion
        (L, L) chances of each label given the truth, with `joint`.
    budget, target
        What may be spent (the plan with the highest probability is the best), or the probability
        to reach, from one half (the cheapest is). One of the two.
    labels_per_item
        Only these: numbers of labels, and "2+1" for two and a third where they differ. By
        default 1, 2+1, 3, 5, 7, 9, and larger votes where the largest tried is the best.
    costs
        What a label and an item cost; by default labels alone cost, one each.
    rivals
        With several, each at least the margin behind, the probability that the best comes first
        is a lower bound.

    Returns
    -------
    ComparisonPlan
        ``best`` and ``plans`` (one an offer), ``why()``, ``probabilities(budgets)``.

    Notes
    -----
    On each item the better one gains +1, 0 or −1 by the item's label; the sum over n items is
    positive with probability Σ_N Bin(N; n, p₊ + p₋) · P(Bin(N, p₊/(p₊ + p₋)) > N/2), computed
    exactly at any n. Ending level is a failure. With two labels and labels no worse where the
    better one is right, one label an item is best (for n large enough, ties decided by a coin):
    a theorem. With more labels it is not, and the numbers of labels are compared.

    References
    ----------
    Dorner and Hardt, "Don't Label Twice: Quantity Beats Quality when Comparing Binary
    Classifiers on a Budget", 2024.

    Examples
    --------
    >>> plan = plan_comparison(accuracy=0.8, margin=0.05, label_accuracy=0.8, budget=300)
    >>> round(plan.best.probability, 6), plan.best.items
    (0.796984, 300)
    >>> plan_comparison(step=(0.22, 0.19), target=0.95).best.items
    1264
    """
    contest = _contest(
        accuracy, margin, disagreement, n_labels, joint, step, label_accuracy, label_confusion
    )
    _check_aim(budget, target)
    if isinstance(rivals, bool) or rivals != int(rivals) or rivals < 1:
        raise OptionError(f"rivals is a whole number of at least 1; it was {rivals!r}.")
    aim = _Aim(contest, budget, target, costs or Costs(), int(rivals))
    if labels_per_item is None and not isinstance(contest, GivenSteps):
        return _with_larger_votes(aim)
    asked = contest.ways() if isinstance(contest, GivenSteps) else _asked(labels_per_item)
    return _pack(aim, asked, aim.offers(asked))


@frozen
class _Aim:
    """What a plan is made for, checked."""

    contest: Contest
    budget: float | None
    target: float | None
    costs: Costs
    rivals: int

    def offers(self, strategies: Sequence[Strategy]) -> tuple[Offer, ...]:
        """The number of items of each strategy that there is one for, with all about it."""
        steps = [self.contest.step(strategy) for strategy in strategies]
        units = [self.costs.of(self.contest.labels_each(strategy)) for strategy in strategies]
        if self.target is None:
            assert self.budget is not None
            items = items_for_budget(steps, np.array(units), self.budget)
        else:
            items = items_for_failure(steps, (1 - self.target) / self.rivals)
        return tuple(
            self._offer(strategy, step, unit, int(n))
            for strategy, step, unit, n in zip(strategies, steps, units, items, strict=True)
            if 1 <= n < np.inf
        )

    def _offer(self, strategy: Strategy, step: Step, unit: float, items: int) -> Offer:
        ends, labels = step.ends(items), self.contest.labels_each(strategy)
        tolerance = None if self.target is None else 1 - self.target
        at_most = None if tolerance is None else tolerance / self.rivals
        alone = self.rivals == 1
        ruled_out = {
            name: float(rivals_ruled_out(curve, tolerance or TOLERANCE)[0])
            for name, curve in log_failures_of(step, np.array([float(items)])).items()
        }
        return Offer(
            strategy=strategy,
            items=items,
            labels_per_item=labels,
            labels=items * labels,
            cost=items * unit,
            probability=float(ends.win if alone else max(0.0, 1 - self.rivals * ends.failure)),
            tie=float(ends.tie),
            failure=float(ends.failure),
            cramer=min(1.0, self.rivals * float(cramer_failure(*step, items))),
            hoeffding=min(1.0, self.rivals * float(hoeffding_failure(step.drift, items))),
            # Cramér's bound falls at the true rate, exactly in the limit: certainty for the money.
            rate=float(-np.log(cramer_failure(*step, 1)) / unit),
            items_cramer=None if at_most is None else _whole(cramer_items(*step, at_most)),
            items_hoeffding=(
                None if at_most is None else _whole(hoeffding_items(step.drift, at_most))
            ),
            rivals={
                "exact": ruled_out["exact"],
                "cramer": ruled_out["Cramér"],
                "hoeffding": ruled_out["Hoeffding"],
            },
        )

    def best(self, offers: tuple[Offer, ...]) -> Offer | None:
        """The cheapest for a target, the surest for a budget; of equals, the fewest labels."""
        return foremost(offers, by_cost=self.target is not None) if offers else None


def _with_larger_votes(aim: _Aim) -> ComparisonPlan:
    """The usual strategies, and larger votes as long as the largest is the best of them."""
    strategies, offers = DEFAULT_STRATEGIES, aim.offers(DEFAULT_STRATEGIES)
    for labels in LARGER_VOTES:
        best = aim.best(offers)
        if best is not None and best.strategy != strategies[-1]:
            break
        strategies = (*strategies, Strategy(labels))
        offers += aim.offers(strategies[-1:])
    return _pack(aim, strategies, offers)


def _pack(aim: _Aim, strategies: tuple[Strategy, ...], offers: tuple[Offer, ...]) -> ComparisonPlan:
    best = aim.best(offers)
    if best is None:
        raise OptionError(_nothing_possible(aim))
    made = {offer.strategy for offer in offers}
    return ComparisonPlan(
        pairing=aim.contest,
        plans=offers,
        best=best,
        estimating=_estimating(aim.contest, strategies, aim.budget or best.cost, aim.costs),
        budget=aim.budget,
        target=aim.target,
        costs=aim.costs,
        rivals=aim.rivals,
        unreachable=tuple(strategy for strategy in strategies if strategy not in made),
    )


def _contest(
    accuracy: Any,
    margin: Any,
    disagreement: Any,
    n_labels: int,
    joint: Any,
    step: Any,
    label_accuracy: Any,
    label_confusion: Any,
) -> Contest:
    """Whichever of the four forms was given, and only that."""
    told = {"accuracy": accuracy, "margin": margin, "disagreement": disagreement}
    given = [name for name, value in told.items() if value is not None]
    if step is not None:
        others = {
            "joint": joint,
            "label_accuracy": label_accuracy,
            "label_confusion": label_confusion,
        }
        stray = given + [name for name, value in others.items() if value is not None]
        if stray:
            raise OptionError(f"step says all about the comparison: leave {stray[0]} out.")
        return _given_steps(step)
    if joint is not None and given:
        raise OptionError(f"give joint, or accuracy and margin, not both: leave {given[0]} out.")
    if isinstance(n_labels, bool) or n_labels != int(n_labels) or n_labels < 2:
        raise OptionError(f"n_labels is a whole number of at least 2; it was {n_labels!r}.")
    if isinstance(joint, Correlated):
        noise = Noise.of(label_accuracy).above(0.5)
        return Pairing.correlated(
            joint.worse_accuracy, joint.if_worse_wrong, joint.if_worse_right, noise
        )
    if joint is not None:
        return JointPairing.of(joint, _confusion(joint, label_accuracy, label_confusion))
    if accuracy is None or margin is None:
        raise OptionError(
            "give accuracy (of the better classifier) and margin (how much better it is)."
        )
    if label_confusion is not None:
        raise OptionError(
            "label_confusion goes with joint, the shares of (truth, answer of one, answer of the "
            "other): independent_joint makes them from two confusion matrices."
        )
    noise = Noise.of(label_accuracy).above(1 / n_labels)
    return Pairing.of(accuracy, margin, noise, disagreement=disagreement, n_labels=int(n_labels))


def _confusion(joint: Any, label_accuracy: Any, label_confusion: Any) -> Any:
    if (label_accuracy is None) == (label_confusion is None):
        raise OptionError(
            "joint goes with label_confusion, or with label_accuracy where wrong labels are "
            "spread evenly: one of the two."
        )
    if label_confusion is not None:
        return label_confusion
    return even_errors(share_of_all("label_accuracy", label_accuracy), len(np.asarray(joint)))


def _given_steps(step: Any) -> GivenSteps:
    by_labels = step if isinstance(step, Mapping) else {1: step}
    found = []
    for labels, chances in by_labels.items():
        try:
            up, down = chances[:2]
        except (TypeError, ValueError):
            raise OptionError(f"step is (p_plus, p_minus); it was {chances!r}.") from None
        up, down = share_of_all("p_plus", up), share_of_all("p_minus", down)
        if up + down > 1 + 1e-12:
            raise OptionError(f"p_plus and p_minus sum to at most 1; they were {up:g}, {down:g}.")
        found.append((Strategy.parse(labels), Step.of(up, down)))
    if not found:
        raise OptionError("step is empty: give (p_plus, p_minus).")
    return GivenSteps(tuple(found))


def _asked(labels_per_item: Any) -> tuple[Strategy, ...]:
    listed = isinstance(labels_per_item, Sequence) and not isinstance(labels_per_item, str)
    asked = [Strategy.parse(each) for each in (labels_per_item if listed else [labels_per_item])]
    if not asked:
        raise OptionError("labels_per_item is empty: give at least one number of labels.")
    return tuple(sorted(set(asked), key=lambda s: (s.majority_of, not s.adaptive)))


def _check_aim(budget: Any, target: Any) -> None:
    if (budget is None) == (target is None):
        raise OptionError(
            "give either budget (what may be spent) or target (the probability to reach), "
            "one of the two."
        )
    if budget is not None and finite_number("budget", budget) <= 0:
        raise OptionError(f"budget is above 0; it was {budget:g}.")
    if target is not None and not 0.5 <= finite_number("target", target) < 1:
        raise OptionError(
            f"target is a probability from 0.5 to below 1, such as 0.95; it was {target:g}."
        )


def _estimating(
    contest: Contest, strategies: tuple[Strategy, ...], money: float, costs: Costs
) -> tuple[EstimationError, ...]:
    """The other question at the same cost, for each fixed number of labels that fits."""
    if not isinstance(contest, Pairing):
        return ()
    rows = []
    for strategy in strategies:
        # A hair more, so that money that pays for n items to the penny pays for n.
        items = int(money / costs.of(strategy.majority_of) * (1 + 1e-12))
        if not strategy.adaptive and items >= 1:
            rows.append(
                estimation_error(contest.better, contest.labels, strategy, items, contest.n_labels)
            )
    return tuple(rows)


def _nothing_possible(aim: _Aim) -> str:
    if aim.budget is not None:
        return (
            f"budget {aim.budget:g} does not pay for one item, which costs "
            f"{aim.costs.of(1):g} with a label: raise the budget."
        )
    return (
        "no number of items reaches the target: with these labels the worse classifier looks "
        "better on average (it errs as people do, or labels are better where it is right)."
    )


def _whole(items: Floats) -> int | None:
    return int(items) if np.isfinite(items) else None
