"""A plan from a pilot: which classifier to take, what that loses, and what more labels save."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from headcount.data import Judged, Named, Study, as_study
from headcount.errors import OptionError, UnanswerableError
from headcount.options import PilotOptions
from headcount.plan.choice import Choice
from headcount.plan.costs import Costs
from headcount.plan.evidence import Evidence, agreeing, evidence
from headcount.plan.given import number
from headcount.plan.on_part import raters_on_part, told_of_part
from headcount.plan.pilot_result import Aim, Contender, MoreLabels, PilotPlan
from headcount.plan.predicted import LABELLED_BY_CHOICE, predicted_decisions, stratum_shares
from headcount.plan.right import Identified, agreement_to_right, learnt_error
from headcount.results import Estimate

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STEPS = (100, 1_000, 10_000)
"""Numbers of labels that every plan tells of."""
CONTENDER = 0.01
"""A classifier with at least this chance of being the best is a contender."""
MOST_LABELS_EACH = 31


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
        How far apart two such classifiers usually are (0.03: three points). By default any
        difference is as likely as any other, which is a little overconfident where differences
        are small.
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
    v = p₊ + p₋ − Δ̂², so N more items leave the correlation ρ = s₀/√(s₀² + v/N) between the
    truth and what will be believed. With z = Δ̂/s₀ the leader is then the better one with
    probability Φ₂(z, z/ρ; ρ) + Φ₂(−z, −z/ρ; ρ); choosing now is expected to lose
    ``s₀φ(z) − |Δ̂|Φ(−|z|)``. More classifiers: the same belief, averaged over 16,384 fixed draws.

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
    PilotOptions.among(locals())  # what can be chosen is checked there
    aim = Aim(target, matters, loss, affordable, costs or Costs(), confidence)
    if gold is not None and label_accuracy is not None:
        raise OptionError("give gold or label_accuracy, one of the two.")
    study = as_study(ratings, predictions, positive=positive, unknown=unknown)
    judged = _chosen(study.judged, classifiers)
    named, many, notes = None, False, judged.notes
    if gold is not None:
        judged, raters = _by_gold(judged, gold), "fixed"
    elif raters != "fixed" and study.ratings.named:
        many = study.is_large
        named, told = (None, (told_of_part(study),)) if many else (study.named, ())
        notes = (*notes, *told)
    names = tuple(classifier.name for classifier in judged.classifiers)
    decisions = np.column_stack([classifier.top() for classifier in judged.classifiers])
    share = None
    if study.predictions is not None and study.predictions.n_items > judged.n_items:
        everything, of_everything = predicted_decisions(study, names)
        share = stratum_shares(
            decisions, everything, sizes=judged.size, of_everything=of_everything
        )
    if share is not None:
        notes = (*notes, LABELLED_BY_CHOICE)
    given_back = share is not None
    on_part = partial(raters_on_part, study=study, names=names, weigh=weigh, reweighted=given_back)
    return pilot_plan(
        names,
        judged.counts,
        decisions,
        sizes=judged.size if study.in_groups else None,
        share=share,
        aim=aim,
        named=named,
        on_part=on_part if many else None,
        raters=raters,
        weigh=weigh,
        prior_sd=prior_sd,
        gold=gold is not None,
        label_accuracy=label_accuracy,
        notes=notes,
        library=study.library,
    )


def pilot_plan(
    names: Sequence[str],
    counts: Ints,
    decisions: Ints,
    *,
    aim: Aim | None = None,
    sizes: Ints | None = None,
    share: Floats | None = None,
    named: Named | None = None,
    on_part: Callable[[Evidence], Evidence] | None = None,
    raters: str | None = None,
    weigh: str = "items",
    prior_sd: float | None = None,
    gold: bool = False,
    label_accuracy: float | None = None,
    notes: Sequence[str] = (),
    library: str = "pyarrow",
) -> PilotPlan:
    """The plan from bare arrays: `counts` (n, L) and `decisions` (n, C), −1 for no label.

    Rows may stand for several items (`sizes`) or for more of the population than others
    (`share`); `named` says who gave which answer, `on_part` adds what a part of the items tells
    of raters, `gold` says that the counts are the truth.
    """
    aim = aim or Aim()
    PilotOptions(raters=raters, weigh=weigh)
    _check(names, counts, decisions, sizes, prior_sd)
    found = evidence(counts, decisions, sizes, named, weigh=weigh, share=share)
    found = found if on_part is None else on_part(found)
    who = _raters(raters, found)
    scale = 1.0
    if label_accuracy is not None:
        scale = agreement_to_right(number("label_accuracy", label_accuracy), counts.shape[1])
    choice = Choice(found, who, prior_sd, scale)
    best = choice.best_chances()
    leader, rival = _first_two(choice, best)
    contenders = sorted({leader, rival, *np.flatnonzero(best >= CONTENDER).tolist()})
    weight = (1.0 if sizes is None else sizes) * (np.ones(len(counts)) if share is None else share)
    apart = (decisions[:, contenders] != decisions[:, contenders[:1]]).any(axis=1)
    differ = max(float(weight @ apart / weight.sum()), 1 / (weight.sum() + 1))
    each = _labels_each(found, leader, rival, differ, aim.costs)
    more = tuple(_more(choice, labels, differ, each, aim.costs) for labels in STEPS)
    shares = _shares(found, who, aim.confidence, label_accuracy, counts.shape[1])
    return PilotPlan(
        question="right" if gold or label_accuracy is not None else "agrees",
        leader=names[leader],
        rival=names[rival],
        gap=_normal(aim.confidence, *choice.difference(leader, rival)),
        classifiers=tuple(map(Contender, names, shares, best.tolist())),
        more=more,
        items=found.items,
        contenders=tuple(names[place] for place in contenders),
        differ=differ,
        labels_each=each,
        aim=aim,
        raters=who,
        n_raters=found.n_raters,
        prior_sd=prior_sd,
        identified=_identified(choice, counts, decisions, sizes, label_accuracy, leader, rival),
        notes=tuple(notes),
        choice=choice,
        library=library,
    )


def _check(
    names: Sequence[str], counts: Ints, decisions: Ints, sizes: Ints | None, prior_sd: Any
) -> None:
    reason = _reason(names, counts, decisions, sizes)
    if reason is not None:
        raise UnanswerableError(reason)
    if prior_sd is not None and not 0 < number("prior_sd", prior_sd) < 1:
        raise OptionError(f"prior_sd is a share above 0, such as 0.03; it was {prior_sd!r}.")


def unanswerable(study: Study) -> str | None:
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


def _chosen(judged: Judged, names: Sequence[str] | None) -> Judged:
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
    return Judged(
        judged.labels,
        judged.counts,
        judged.size,
        tuple(by_name[name] for name in chosen),
        judged.items,
        judged.notes,
    )


def _by_gold(judged: Judged, gold: Mapping[str, str]) -> Judged:
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
    kept = judged.take(codes >= 0)
    one_hot = np.eye(judged.labels.n, dtype=np.int64)[codes[codes >= 0]]
    return Judged(kept.labels, one_hot, kept.size, kept.classifiers, kept.items, kept.notes)


def _raters(asked: str | None, found: Evidence) -> str:
    if not found.raters_known:
        return "fixed"
    return asked or "new"


def _first_two(choice: Choice, best: Floats) -> tuple[int, int]:
    """The one with the highest mean, and of the others the likeliest to be better."""
    means = choice.mean @ choice.contrasts
    leader = int(means.argmax())
    rival = max((k for k in range(len(best)) if k != leader), key=lambda k: (best[k], means[k]))
    return leader, rival


def _labels_each(found: Evidence, leader: int, rival: int, differ: float, costs: Costs) -> int:
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
    found: Evidence, raters: str, confidence: float, label_accuracy: float | None, labels: int
) -> tuple[Estimate, ...]:
    """The share of people who agree with each, or by the labels' accuracy how often it is right."""
    over_raters = 0.0 if raters == "fixed" else found.over_raters * found.few_raters
    variance = np.diag(found.over_items + over_raters)
    slope, slip = 1.0, 0.0
    if label_accuracy is not None:
        slope = agreement_to_right(label_accuracy, labels)
        slip = (1 - label_accuracy) / (labels - 1)
    means, errors = slope * (found.mean - slip), slope * np.sqrt(variance)
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


def _identified(
    choice: Choice,
    counts: Ints,
    decisions: Ints,
    sizes: Ints | None,
    label_accuracy: float | None,
    leader: int,
    rival: int,
) -> Identified | None:
    """How well right answers are known with the accuracy given, and would be without."""
    if label_accuracy is None:
        return None
    mean, sd = choice.difference(leader, rival)
    if counts.shape[1] != 2:
        return Identified(sd, None)
    rows = np.repeat(np.arange(len(counts)), 1 if sizes is None else sizes)
    rows = rows[decisions[rows, leader] != decisions[rows, rival]]
    labels = counts[rows].sum(axis=1)
    first = (agreeing(counts[rows], decisions[rows][:, [leader]])[:, 0] * labels).round()
    learnt = learnt_error(
        first.astype(np.int64), labels, choice.evidence.items, label_accuracy, mean
    )
    return Identified(sd, learnt)
