"""Which of three changed, on bare arrays: the judge, or what items and people share.

J_t is the share of people who agree with the judge in period t and P_t how often two people agree.
Where people answer more at random both fall, J by one factor (1 − s) and P by two; where items are
more contested and the judge answers them as a person would, both fall by one factor. So a fall of P
by d explains one of J by β d with β between r/2 and the larger of r and 1, r = (J − chance) / (P −
chance). The judge is named where J − β P changed at both ends of that range, in one direction: then
nothing that items and people did explains it.

Changes are contrasts of periods: each against all others, and all before against all after each
boundary. Their largest is tested against its own law, drawn from how items (or clusters) and
raters make them vary together, so that a test of many periods and judges holds its level.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import special

from headcount.arrays import Floats, Mask
from headcount.frozen import frozen
from headcount.sameness import as_good, varies
from headcount.sampling import Plan, Sampled
from headcount.sampling.people import (
    item_variance,
    rater_variance,
    total_variance,
    variance_counted_twice,
)
from headcount.sampling.samples import n_rater_groups

# Draws of the largest contrast: its 95 % point is then known to a fiftieth of its size.
_DRAWS = 4000
# People who agree no more than chance and this tell nothing of how much J should follow P.
_LEAST_BEYOND_CHANCE = 0.05


@frozen
class Contrasts:
    """Differences between periods: `weights` (K, T) with rows that sum to nought.

    Row k compares what `after` (K, T) marks with all other periods; `split` (K,) tells boundaries,
    which have a before and an after, from single periods.
    """

    weights: Floats
    after: Mask
    split: Mask

    @classmethod
    def of(cls, items: Floats) -> "Contrasts":
        """Of periods that hold so many `items` (T,); those that hold none take no part."""
        periods = np.flatnonzero(items > 0)
        single = [items * 0 == 1 for _ in periods]
        for mask, period in zip(single, periods, strict=True):
            mask[period] = True
        splits = [np.arange(len(items)) >= period for period in periods[1:]]
        # With two periods every contrast is the same one.
        after = np.array(splits + (single if len(periods) > 2 else []))
        inside = after & (items > 0)
        outside = ~after & (items > 0)
        weights = inside * items / np.maximum((inside * items).sum(axis=1), 1)[:, None]
        weights -= outside * items / np.maximum((outside * items).sum(axis=1), 1)[:, None]
        split = np.arange(len(after)) < len(splits)
        return cls(weights, after, split)


@frozen(eq=False)
class Parts:
    """J (C, T) and P (T,) without groups of items, without raters, and without both.

    `judge` (1 + G, 1 + H, C, T) and `people` (1 + G, 1 + H, T): nothing is left out in the first
    row and column.
    """

    judge: Floats
    people: Floats

    def counted_twice(
        self, across: Callable[[Floats], Floats], place: int | None, slope: float
    ) -> Floats:
        """V_E (K,) of the contrasts `across` of a judge less so much of P; None: of P itself."""
        values = self.people if place is None else self.judge[:, :, place] - slope * self.people
        table = across(values)
        return variance_counted_twice(table[0, 0], table[1:, 0], table[0, 1:], table[1:, 1:])


@frozen
class Scan:
    """What the largest contrasts say: `judge` (C, K) and `people` (K,) standard normal scores.

    A judge's is the smaller one of the two ends of the range of explanations, 0 where these
    disagree on the direction. `limit` is what the largest of all passes with the test's level where
    nothing changed, `p_value` the chance of one as large as was seen.
    """

    contrasts: Contrasts
    judge: Floats
    people: Floats
    limit: float
    p_value: float
    draws: Floats

    @property
    def judge_changed(self) -> Mask:
        """Which contrasts of which judge (C, K) nothing but the judge explains."""
        return np.asarray(as_good(np.abs(self.judge), self.limit))

    @property
    def people_changed(self) -> Mask:
        """In which contrasts (K,) people agree more or less with each other."""
        return np.asarray(as_good(np.abs(self.people), self.limit))

    def chance(self, score: float) -> float:
        """The chance that the largest of all contrasts is as large, where nothing changed."""
        return float((1 + (self.draws >= abs(score)).sum()) / (1 + len(self.draws)))


def explained(judge: Floats, people: float, chance: Floats, of_people: float) -> Floats:
    """The range (C, 2) of how much of a change of P shows in J, from what is known of all periods.

    `judge` (C,) and `people` are J and P over all items, `chance` (C,) and `of_people` what they
    were if answers had nothing to do with the items.
    """
    beyond = people - of_people
    if beyond < _LEAST_BEYOND_CHANCE:
        ratio = np.ones(len(judge))
    else:
        ratio = np.clip((judge - chance) / beyond, 0.0, 2.0)
    return np.column_stack([np.minimum(ratio / 2, 1.0), np.maximum(ratio, 1.0)])


def scan(
    judge: Sampled,
    people: Sampled,
    items: Floats,
    slopes: Floats,
    *,
    parts: Parts | None = None,
    level: float,
    seed: int,
) -> Scan:
    """Every contrast of every judge, (C, T), and of people, (T,), tested together.

    `slopes` (C, 2) are those of `explained`, `items` (T,) how many items each period holds. With
    `parts` the variance of single answers, which items and raters both bring, is counted once.
    """
    contrasts = Contrasts.of(items)
    forms = [people.through(partial(_across, contrasts))]
    forms += [
        judge.at(place).through(partial(_unexplained, contrasts, slope), people)
        for place, ends in enumerate(slopes)
        for slope in ends.tolist()
    ]
    every = Sampled(
        np.concatenate([each.value for each in forms]),
        np.concatenate([each.draws for each in forms], axis=1),
        None
        if any(each.without is None for each in forms)
        else np.concatenate([each.without for each in forms if each.without is not None], axis=1),
        people.samples,
    )
    twice = np.zeros(len(every.value))
    if parts is not None and every.without is not None:
        twice = np.concatenate(
            [
                parts.counted_twice(partial(_across, contrasts), None, 0.0),
                *(
                    parts.counted_twice(partial(_across, contrasts), place, slope)
                    for place, ends in enumerate(slopes)
                    for slope in ends.tolist()
                ),
            ]
        )
    scores, factors = _standardised(every, twice)
    rng = np.random.default_rng([seed, 36])
    drawn = rng.standard_normal((_DRAWS, len(factors))) @ factors
    n = len(contrasts.weights)
    observed, null = (_largest(each.reshape(len(each), -1, n)) for each in (scores[None], drawn))
    found = scores.reshape(-1, n)
    return Scan(
        contrasts,
        _both(found[1::2], found[2::2]),
        found[0],
        # Never less than that of one contrast, where the others do not vary at all.
        max(float(np.quantile(null, 1 - level)), float(special.ndtri(1 - level / 2))),
        float((1 + (null >= observed[0]).sum()) / (1 + len(null))),
        null,
    )


def _unexplained(contrasts: Contrasts, slope: float, judge: Floats, people: Floats) -> Floats:
    """Contrasts (b, K) of what J (b, T) has beyond so much of P (b, T)."""
    return _across(contrasts, judge - slope * people)


def _across(contrasts: Contrasts, values: Floats) -> Floats:
    """Contrasts (b, K) of the values of periods (b, T); those of empty periods have no weight."""
    return np.asarray(np.nan_to_num(values) @ contrasts.weights.T)


def _both(one: Floats, other: Floats) -> Floats:
    """The smaller of two scores that point one way, 0 of two that do not."""
    smaller = np.where(np.abs(one) < np.abs(other), one, other)
    return np.asarray(np.where(one * other > 0, smaller, 0.0))


def _largest(scores: Floats) -> Floats:
    """The largest score (b,) of people's and judges' contrasts (b, 1 + 2 C, K)."""
    people = np.abs(scores[:, 0]).max(axis=1)
    judges = np.abs(_both(scores[:, 1::2], scores[:, 2::2])).reshape(len(scores), -1)
    return np.asarray(np.maximum(people, judges.max(axis=1, initial=0.0)))


def _standardised(every: Sampled, twice: Floats) -> tuple[Floats, Floats]:
    """Standard normal scores (M,) of contrasts, and factors (B + J, M) of how they vary together.

    A standard normal vector times the factors has the correlations of the contrasts.
    """
    plan, drawn = every.samples, every.draws
    items = item_variance(drawn, plan.units)
    left = every.without if plan.counts_raters and every.without is not None else None
    raters = np.zeros_like(items) if left is None else rater_variance(left)
    spread = np.sqrt(total_variance(items, raters, twice))
    known = varies(spread**2)
    safe = np.where(known, spread, 1.0)
    # Satterthwaite's, of items and of what raters bring beyond their single answers: the same
    # raters work before and after a boundary, so that this is little where nobody changed.
    alone = np.maximum(raters - twice, 0.0)
    of_items = Plan(plan.items, clusters=plan.clusters).freedom(len(drawn))
    of_raters = _rater_freedom(plan)
    freedom = (items + alone) ** 2 / np.maximum(
        items**2 / of_items + alone**2 / of_raters, np.finfo(float).tiny
    )
    freedom = np.maximum(freedom, min(of_items, of_raters))
    scores = np.where(known, as_normal(every.value / safe, freedom), 0.0)
    units = max(plan.units, 2)
    rows = [_centred(drawn) * np.sqrt(units / (units - 1) / max(len(drawn) - 1, 1))]
    if left is not None:
        rows.append(_centred(left))
    factors = np.concatenate(rows)
    norm = np.sqrt((factors**2).sum(axis=0))  # of V_I + V_R: correlations alone are taken from it
    return scores, np.where(known, factors / np.where(norm > 0, norm, 1.0), 0.0)


def _rater_freedom(plan: Plan) -> float:
    return max(n_rater_groups(plan.raters) - 1.0, 1.0) if plan.raters is not None else 1.0


def _centred(values: Floats) -> Floats:
    return np.asarray(np.nan_to_num(values - np.nanmean(values, axis=0)))


def as_normal(t: Floats, freedom: Floats) -> Floats:
    """Student's t as the standard normal score of the same tail.

    >>> as_normal(np.array([2.776]), np.array([4.0])).round(2).tolist()
    [1.96]
    """
    tail = special.stdtr(freedom, -np.abs(t))
    # Beyond 37 standard errors the tail is nought to the last digit.
    return np.asarray(np.sign(t) * np.minimum(-special.ndtri(np.maximum(tail, 1e-300)), 37.0))
