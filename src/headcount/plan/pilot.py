"""A plan from a pilot: which classifier to take, what that loses, and what more labels save."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from headcount.arrays import Floats, Ints
from headcount.errors import OptionError, UnanswerableError
from headcount.options import PilotOptions
from headcount.options.declared import finite_number
from headcount.plan.choice import CONTENDER, Choice
from headcount.plan.labelling import Costs
from headcount.plan.pilot_moments import PilotMoments, label_moments, stratum_shares
from headcount.plan.pilot_result import Aim, Contender, MoreLabels, PilotPlan
from headcount.plan.right_answers import agreement_to_right, identified
from headcount.results import Estimate

if TYPE_CHECKING:
    from headcount.data import Judged, Named, Study


# Numbers of labels that every plan tells of.
STEPS = (100, 1_000, 10_000)

# Past so many labels an item, further ones hardly tell anything, whatever an item costs.
MOST_LABELS_EACH = 31
LABELLED_BY_CHOICE = (
    "Items on which classifiers differ were labelled more often than others: every kind of item "
    "was given its share of the predicted items back."
)


def plan_from_pilot(
    ratings: Any,
    predictions: Any = None,
    *,
    classifiers: Sequence[str] | None = None,
    target: float = PilotOptions.target,
    matters: float = PilotOptions.matters,
    loss: float | None = PilotOptions.loss,
    raters: str | None = PilotOptions.raters,
    weigh: str = PilotOptions.weigh,
    prior_sd: float | None = PilotOptions.prior_sd,
    gold: Mapping[str, str] | None = None,
    label_accuracy: float | None = PilotOptions.label_accuracy,
    costs: Costs | None = None,
    affordable: int = PilotOptions.affordable,
    positive: str | None = PilotOptions.positive,
    unknown: str = PilotOptions.unknown,
    confidence: float = PilotOptions.confidence,
) -> PilotPlan:
    """Which classifier agrees most with people, what choosing now loses, what more labels save.

    Parameters
    ----------
    ratings, predictions
        A pilot: items that people have labelled and every classifier has answered, as a `Study`,
        or as `Ratings` and `Predictions`, frames or paths. Its labels count; soft classifiers
        count by their most probable label.
    classifiers
        Only these, two or more; by default all.
    target
        The probability with which the chosen classifier shall be the best one.
    matters
        The smallest difference that matters, as a share of items (0.01: one point).
    loss
        An expected loss to get down to, as a share of items.
    raters
        "new": the next labels come from further people like the raters, who are a sample of
        them (the default where raters have names); "same": from the same raters, so that how
        they differ from people at large is never learnt; "fixed": these raters are all that
        matter (all that is possible where they have no names).
    weigh
        "items": every item counts once. "labels": by what its labels tell, which is right where
        the number of labels was your choice and not the item's: for a pilot together with the
        further, singly labelled items that were planned from it.
    prior_sd
        How far apart two such classifiers usually are (0.03: three points). By default that is
        left to the labels: where all seem alike, small differences are expected.
    gold
        The truth of some items, by item id. Classifiers are then compared by right answers.
    label_accuracy
        How often a label is right, the same whichever classifier is right. The comparison is
        then about right answers too; see Notes.
    costs
        What a label and an item cost. Where items cost, several labels an item can be best.
    affordable
        The most labels that anyone would pay for: beyond it there is no plan.
    positive, unknown
        As in `evaluate`.
    confidence
        Of the intervals.

    Returns
    -------
    PilotPlan
        ``loss_now``, ``probability(more)``, ``items_for(probability)``, ``leader``, ``gap``,
        ``more``; ``verdict()`` says it in a sentence.

    Notes
    -----
    With x_i = (c_i[a] − c_i[b])/n_i, the estimate is Δ̂ = mean x with variance
    s₀² = var(x)/n, plus the variance over raters. One label of a fresh item has variance
    v = p₊ + p₋ − Δ̂². Before any label classifiers differ by a normal of standard deviation τ,
    τ itself by anything up to 30 points: each τ counts by how likely it makes the pilot, as does
    each spread of raters that so few may have. Given τ all is normal, with mean μ and standard
    deviation s, and N more items leave a correlation ρ between the truth and what will be
    believed. With z = μ/s the leader is then the better one with probability
    Φ₂(z, z/ρ; ρ) + Φ₂(−z, −z/ρ; ρ); choosing now is expected to lose ``sφ(z) − |μ|Φ(−|z|)``.
    More classifiers: the same beliefs, averaged over 16,384 fixed draws.

    "Right more often" is hardly identified from labels alone, so it needs `gold` or
    `label_accuracy`; ``identified`` tells how much worse it would be known without.

    Examples
    --------
    >>> from headcount.simulate import make
    >>> made = make("comments", items=400, seed=1)
    >>> found = plan_from_pilot(made.ratings, made.predictions)
    >>> found.leader, len(found.more)
    ('fine_tuned', 3)
    >>> found.loss(2000) < found.loss_now
    True
    """
    from headcount.data import as_study, predicted_decisions

    PilotOptions.among(locals())  # what can be chosen is checked there
    aim = Aim(target, matters, loss, affordable, costs or Costs(), confidence)
    if gold is not None and label_accuracy is not None:
        raise OptionError("give gold or label_accuracy, one of the two.")
    of_items = gold is not None
    study = as_study(
        ratings, predictions, positive=positive, unknown=unknown, item_by_item=of_items
    )
    judged = _chosen(study.judged, classifiers)
    notes = judged.notes
    named, on_part = None, False
    if gold is not None:
        judged, raters = _by_gold(judged, gold), "fixed"
    elif raters != "fixed" and study.ratings.named:
        on_part = study.is_large
        named = None if on_part else study.named
        notes = (*notes, _told_of_part(study)) if on_part else notes
    names = tuple(classifier.name for classifier in judged.classifiers)
    decisions = np.column_stack([classifier.top() for classifier in judged.classifiers])
    sizes = judged.size if study.in_groups else None
    share = None
    if study.predictions is not None and study.predictions.n_items > judged.n_items:
        everything, of_everything = predicted_decisions(study, names)
        share = stratum_shares(
            decisions, everything, sizes=judged.size, of_everything=of_everything
        )
    if share is not None:
        notes = (*notes, LABELLED_BY_CHOICE)
    _check(names, judged.counts, decisions, sizes, prior_sd)
    people = judged.counts.astype(np.float64)
    first = None if of_items else study.design.first_answers
    if first is not None:  # as many labels as were asked for at first, which are like people's
        people = first.fewest * first.shares(judged.counts)
    found = label_moments(people, decisions, sizes, named, weigh=weigh, share=share)
    if on_part:
        found = _raters_on_part(found, study, names, weigh=weigh, reweighted=share is not None)
    return _planned(
        found,
        names,
        judged.counts,
        decisions,
        sizes=sizes,
        share=share,
        aim=aim,
        raters=raters,
        prior_sd=prior_sd,
        gold=gold is not None,
        label_accuracy=label_accuracy,
        notes=notes,
        library=study.library,
        collected=study.design.lines,
    )


def pilot_plan(
    names: Sequence[str],
    counts: Ints,
    decisions: Ints,
    *,
    aim: Aim | None = None,
    sizes: Ints | None = None,
    named: "Named | None" = None,
    raters: str | None = None,
    weigh: str = "items",
    prior_sd: float | None = None,
    label_accuracy: float | None = None,
) -> PilotPlan:
    """The plan from bare arrays: `counts` (n, L) and `decisions` (n, C), −1 for no label.

    Rows may stand for several items (`sizes`); `named` says who gave which answer.
    """
    PilotOptions(raters=raters, weigh=weigh)
    _check(names, counts, decisions, sizes, prior_sd)
    return _planned(
        label_moments(counts, decisions, sizes, named, weigh=weigh),
        names,
        counts,
        decisions,
        sizes=sizes,
        aim=aim or Aim(),
        raters=raters,
        prior_sd=prior_sd,
        label_accuracy=label_accuracy,
    )


def _planned(
    found: PilotMoments,
    names: Sequence[str],
    counts: Ints,
    decisions: Ints,
    *,
    aim: Aim,
    sizes: Ints | None,
    raters: str | None,
    prior_sd: float | None,
    label_accuracy: float | None,
    share: Floats | None = None,
    gold: bool = False,
    notes: Sequence[str] = (),
    library: str = "pyarrow",
    collected: tuple[str, ...] = (),
) -> PilotPlan:
    """What the moments of a pilot say of the choice, and of more labels."""
    scale = 1.0
    if label_accuracy is not None:
        scale = agreement_to_right(finite_number("label_accuracy", label_accuracy), counts.shape[1])
    choice = Choice.of(found, raters, prior_sd, scale)
    best = choice.best_chances()
    leader, rival = choice.first_two
    contenders = sorted({leader, rival, *np.flatnonzero(best >= CONTENDER).tolist()})
    weight = (1.0 if sizes is None else sizes) * (np.ones(len(counts)) if share is None else share)
    apart = (decisions[:, contenders] != decisions[:, contenders[:1]]).any(axis=1)
    # Never zero: a difference that was not seen yet may be on the next item.
    differ = max(float(weight @ apart / weight.sum()), 1 / (weight.sum() + 1))
    each = _labels_each(found, leader, rival, differ, aim.costs)
    return PilotPlan(
        question="right" if gold or label_accuracy is not None else "agrees",
        leader=names[leader],
        rival=names[rival],
        gap=_normal(aim.confidence, *choice.difference(leader, rival)),
        classifiers=tuple(
            map(
                Contender,
                names,
                _shares(choice, aim.confidence, label_accuracy, counts.shape[1]),
                best.tolist(),
            )
        ),
        more=tuple(_more(choice, labels, differ, each, aim.costs) for labels in STEPS),
        items=found.items,
        contenders=tuple(names[place] for place in contenders),
        differ=differ,
        labels_each=each,
        aim=aim,
        raters=choice.more_raters,
        n_raters=found.n_raters,
        prior_sd=prior_sd,
        identified=(
            None
            if label_accuracy is None
            else identified(choice, counts, decisions, sizes, label_accuracy, leader, rival)
        ),
        notes=tuple(notes),
        choice=choice,
        library=library,
        collected=collected,
    )


def _raters_on_part(
    found: PilotMoments, study: "Study", names: Sequence[str], *, weigh: str, reweighted: bool
) -> PilotMoments:
    """The moments of a pilot, raters told by the part of its items that was drawn by a hash.

    `found` are those over all items; `reweighted` says that kinds of items were given their share
    of the predicted ones back, which is then done on the part too. What a rater's labels are
    expected to be in number is that of all items.
    """
    from headcount.data import predicted_decisions

    part = study.part
    if part is None or part.named is None:
        return found
    known = {each.name: each.top() for each in part.judged.classifiers}
    decisions = np.column_stack([known[name] for name in names])
    share = None
    if reweighted:
        everything, sizes = predicted_decisions(study, names)
        share = stratum_shares(decisions, everything, of_everything=sizes)
    some = label_moments(part.judged.counts, decisions, named=part.named, weigh=weigh, share=share)
    # A rater of the part labels as many more items as there are more labels in all.
    times = study.ratings.n_ratings / max(part.ratings.n_ratings, 1)
    return replace(
        found,
        over_raters=some.over_raters,
        rater=some.rater,
        labels_a_rater=some.labels_a_rater * times,
        rater_freedom=some.rater_freedom,
        n_raters=some.n_raters,
    )


def _told_of_part(study: "Study") -> str:
    """That raters were looked at on a part of the items, or why not at all."""
    if study.part is None:
        return "There are too many answers to look at who gave them."
    return (
        f"How much raters differ was told by {study.part.judged.n_items:,} of the "
        f"{study.ratings.n_items:,} items, drawn by a hash of their ids."
    )


def _check(
    names: Sequence[str], counts: Ints, decisions: Ints, sizes: Ints | None, prior_sd: Any
) -> None:
    reason = _reason(names, counts, decisions, sizes)
    if reason is not None:
        raise UnanswerableError(reason)
    if prior_sd is not None and not 0 < finite_number("prior_sd", prior_sd) < 1:
        raise OptionError(f"prior_sd is a share above 0, such as 0.03; it was {prior_sd!r}.")


def unanswerable(study: "Study") -> str | None:
    """Why this study tells nothing about which classifier to choose; None where it does."""
    judged = study.judged
    decisions = np.column_stack([each.top() for each in judged.classifiers])
    return _reason(study.names, judged.counts, decisions, judged.size)


def _reason(names: Sequence[str], counts: Ints, decisions: Ints, sizes: Ints | None) -> str | None:
    if len(names) < 2:
        return (
            "There is one classifier only, so there is nothing to tell apart: add another to the "
            "predictions, or plan with headcount plan compare."
        )
    if counts.shape[1] < 2:
        return "There is only one label: a comparison needs at least two."
    items = len(counts) if sizes is None else int(sizes.sum())
    if items < 2:
        return "The pilot has one item only: label some more."
    if (decisions != decisions[:, :1]).any():
        return None
    return (
        f"The classifiers gave the same answer on every one of {items:,} items: with "
        f"probability 95 % they differ on fewer than {100 * (1 - 0.05 ** (1 / items)):.2g} % "
        "of items like these, and labels there cannot tell them apart."
    )


def _chosen(judged: "Judged", names: Sequence[str] | None) -> "Judged":
    known = [classifier.name for classifier in judged.classifiers]
    chosen = known if names is None else list(names)
    strange = [name for name in chosen if name not in known]
    if strange:
        raise OptionError(
            f"there is no classifier {strange[0]!r}; there are: {', '.join(map(repr, known))}."
        )
    if names is not None and (len(chosen) < 2 or len(set(chosen)) != len(chosen)):
        raise OptionError(f"classifiers names two or more, each once; it was {list(names)!r}.")
    by_name = {classifier.name: classifier for classifier in judged.classifiers}
    return replace(judged, classifiers=tuple(by_name[name] for name in chosen))


def _by_gold(judged: "Judged", gold: Mapping[str, str]) -> "Judged":
    """The items with a known truth, as if it were their only label."""
    assert judged.items is not None
    truth = [gold.get(str(item)) for item in judged.items]
    strange = [label for label in truth if label is not None and label not in judged.labels.index]
    if strange:
        raise OptionError(
            f"gold holds {strange[0]!r}, which is not a label: {judged.labels.listing()}."
        )
    codes = np.array([-1 if label is None else judged.labels.index[label] for label in truth])
    if (codes >= 0).sum() < 2:
        raise OptionError("gold names fewer than two items of the pilot: check the item ids.")
    one_hot = np.eye(judged.labels.n, dtype=np.int64)[codes[codes >= 0]]
    return replace(judged.take(codes >= 0), counts=one_hot)


def _labels_each(found: PilotMoments, leader: int, rival: int, differ: float, costs: Costs) -> int:
    """The labels an item that cost least for the same certainty: one, unless items cost."""
    contrast = np.zeros(len(found.mean))
    contrast[[leader, rival]] = 1.0, -1.0
    prices = [
        float(contrast @ found.labels(m) @ contrast) * (costs.item + costs.label * differ * m)
        for m in range(1, MOST_LABELS_EACH + 1)
    ]
    return int(np.argmin(prices)) + 1


def _more(choice: Choice, labels: int, differ: float, each: int, costs: Costs) -> MoreLabels:
    items = labels / (differ * each)
    loss = choice.loss(items, labels_each=each)
    now = choice.loss()
    return MoreLabels(
        labels=labels,
        items=math.ceil(items),
        cost=labels * costs.label + math.ceil(items) * costs.item,
        probability=choice.probability(items, labels_each=each),
        loss=loss,
        saved=max(now - loss, 0.0),
        saved_anywhere=max(now - choice.loss(labels / each, labels_each=each), 0.0),
    )


def _shares(
    choice: Choice, confidence: float, label_accuracy: float | None, labels: int
) -> tuple[Estimate, ...]:
    """The share of people who agree with each, or by the labels' accuracy how often it is right."""
    found = choice.moments
    over_raters = (
        np.zeros_like(found.over_items)
        if choice.more_raters == "fixed"
        else found.over_raters * found.few_raters
    )
    variance = np.diag(found.over_items) + np.maximum(np.diag(over_raters), 0.0)
    slip = 0.0 if label_accuracy is None else (1 - label_accuracy) / (labels - 1)
    means, errors = choice.scale * (found.mean - slip), choice.scale * np.sqrt(variance)
    return tuple(
        _normal(confidence, float(mean), float(sd), 0.0, 1.0)
        for mean, sd in zip(means, errors, strict=True)
    )


def _normal(
    confidence: float, mean: float, sd: float, least: float = -1.0, most: float = 1.0
) -> Estimate:
    """A normal belief as an estimate, kept within what is possible."""
    reach = float(special.ndtri((1 + confidence) / 2)) * sd
    value, low, high = (min(max(x, least), most) for x in (mean, mean - reach, mean + reach))
    again = partial(_normal, mean=mean, sd=sd, least=least, most=most)
    return Estimate(value, low, high, reread=again)
