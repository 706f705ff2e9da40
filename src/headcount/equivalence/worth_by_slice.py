"""What classifiers are worth on parts of the items: both they and surveys, on these items alone.

What a combiner learned from all items is held fixed, so that a part of fifty items has a curve
too: an item's surveys are predicted by what other items taught, and a part's curve is the mean
over its items. It ends where the data do: a worth past that is censored, not modelled.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import ENOUGH, Judged, Patterns, Study, enough, enough_of, group_rows
from headcount.equivalence.crossing import reach_of, worth
from headcount.equivalence.curve_by_combiner import surveyed
from headcount.equivalence.question import Question, question_for
from headcount.equivalence.scored_groups import (
    held_out,
    in_readings,
    scored_classifiers,
    setup_of,
)
from headcount.equivalence.study_curve import SurveysWithoutOne
from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.options import EquivalenceOptions
from headcount.population import Everyone
from headcount.results import Estimate
from headcount.sampling import Samples, estimate_from_draws, resample
from headcount.sampling.crossing import Sides, crossing_interval, extended

# Tables without some raters where there are more than twice as many raters.
_MOST_TABLES = 25

_NO_MEAN = "worth on parts of the items needs a scorer that is a mean over items"


def worth_by_part(
    study: Study, samples: Samples, part: Ints, n_parts: int, options: EquivalenceOptions
) -> tuple[dict[str, Estimate], ...]:
    """What each classifier is worth on each part; `part` (n,) is that of each judged item."""
    question = question_for(study.labels, options, positive=study.positive, design=study.design)
    if not question.scorer.decomposable or question.combiner.name == "linear":
        raise UnanswerableError(_NO_MEAN)
    judged = study.judged
    block = question.block(judged.counts.sum(axis=1), judged.size)
    kept = in_readings(question, judged.take(block.keep))
    parts = _Parts(
        replace(question, options=replace(options, refit=False)),
        kept,
        samples.take(block.keep) if samples.by_row else samples,
        part[block.keep],
        n_parts,
        block.raters - options.reference_raters,
    )
    return parts.worths(study.ratings.patterns())


@frozen(eq=False)
class _Parts:
    """Judged items, a row each, the `part` (n,) of each, and surveys of up to `most` raters."""

    question: Question
    judged: Judged
    samples: Samples
    part: Ints
    n_parts: int
    most: int

    @property
    def _read(self) -> int:
        """Ratings of an item that surveys are drawn from."""
        return max(ENOUGH, self.most + self.question.options.reference_raters)

    def worths(self, rated: Patterns) -> tuple[dict[str, Estimate], ...]:
        """Estimates by classifier for each part."""
        numbers = self._numbers(self.question, self.judged, self.most, rated)
        value = _by_part(numbers, self.part, self.n_parts)
        draws = self._in_samples(numbers)
        without = self._without_each(value[:, : self.most + 1])
        # Of a classifier in two readings the calibrated one comes last.
        places = {each.name: place for place, each in enumerate(self.judged.classifiers)}
        return tuple(
            {
                name: self._worth(each, place, value, draws, without)
                for name, place in places.items()
            }
            for each in range(self.n_parts)
        )

    def _numbers(
        self, question: Question, judged: Judged, most: int, rated: Patterns | None
    ) -> Floats:
        """What surveys of 0 … `most` raters, then classifiers, score on each item (n, K + C)."""
        upto = self._read
        read = enough(judged.counts, upto)
        patterns = group_rows(read)
        setup = setup_of(question, read[patterns.first], patterns.size, most)
        known = Patterns(setup.counts, setup.sizes) if rated is None else enough_of(rated, upto)
        everyone = Everyone.of(known.counts, known.items, setup.counts, setup.sizes)
        # A sample of one pattern alone: its draw is what surveys score on its items.
        each_alone = np.eye(len(patterns), dtype=np.int64)
        curves = surveyed(question, setup, each_alone, everyone).curve.draws
        scores = [each.item_means for each in scored_classifiers(question, judged)]
        return np.column_stack([curves[patterns.of_row], *scores])

    def _in_samples(self, numbers: Floats) -> Floats:
        """The means on each part in bootstrap samples, (B, S, K + C)."""
        outputs = (each.outputs() for each in self.judged.classifiers)
        groups = group_rows(self.judged.counts, *outputs, self.part)
        rows, part = numbers[groups.first], self.part[groups.first]
        found = resample(
            self.question.bootstrap,
            groups.size,
            lambda times: {"means": _by_part(rows, part, self.n_parts, times)},
            clusters=self.samples.clusters_of(groups.of_row) if self.samples.by_row else None,
        )
        return np.asarray(found["means"], dtype=np.float64)

    def _without_each(self, curves: Floats) -> Floats | None:
        """The same without each rater, or group of raters, (J, S, K + C).

        Surveyed by abc, which learns in no time, and set off by what the combiner of the whole
        table differs from it on each part.
        """
        if not self.samples.plan.counts_raters or not self.question.options.n_bootstrap:
            return None
        if self.question.first_answers is not None:
            return self._first_without_each(curves)
        surveys = SurveysWithoutOne.of(self.question, self.judged.counts, self.most, _MOST_TABLES)
        once, shorter = surveys.question, surveys.most
        whole = self._numbers(once, self.judged, shorter, None)
        offset = curves[:, : shorter + 1] - self._means(whole, self.part)[:, : shorter + 1]
        found = []
        for counts in self.samples.without(self.judged.counts, most=_MOST_TABLES):
            enough = surveys.enough(counts)
            if enough.sum() < 2:
                continue
            left = replace(self.judged, counts=counts).take(enough)
            means = self._means(self._numbers(once, left, shorter, None), self.part[enough])
            curve = means[:, : shorter + 1] + offset
            pairs = zip(curve, curves, strict=True)
            longer = [extended(short[None], whole_of)[0] for short, whole_of in pairs]
            found.append(np.column_stack([longer, means[:, shorter + 1 :]]))
        return np.array(found)

    def _first_without_each(self, curves: Floats) -> Floats:
        """The same where first answers count: the curve is held fixed, scores are without each."""
        found, everyone = [], self.judged.counts
        for counts in self.samples.without(everyone, most=_MOST_TABLES):
            held = held_out(self.question, counts, everyone)
            rated = held.chance.sum(axis=1) > 0
            of = replace(self.judged, counts=counts)
            scores = [each.item_means for each in scored_classifiers(self.question, of, held)]
            means = self._means(np.column_stack(scores)[rated], self.part[rated])
            found.append(np.column_stack([curves, means]))
        return np.array(found)

    def _means(self, numbers: Floats, part: Ints) -> Floats:
        return _by_part(numbers, part, self.n_parts)

    def _worth(
        self, part: int, place: int, value: Floats, draws: Floats, without: Floats | None
    ) -> Estimate:
        curve, score = value[part, : self.most + 1], value[part, self.most + 1 + place]
        if np.isnan(curve).any() or np.isnan(score):
            return Estimate.undefined("no item of the slice has ratings enough for a curve")
        upto = reach_of(curve) + 1

        def sides(table: Floats) -> Sides:
            known = table[~np.isnan(table[:, part]).any(axis=1), part]
            return Sides(known[:, self.most + 1 + place], known[:, :upto])

        crossing = float(worth([score], curve[None, :upto])[0])
        if not len(draws):
            return estimate_from_draws(
                crossing, draws, self.question.bootstrap.tail(1), floor=0.0, ceiling=float(upto - 1)
            )
        units = self._units(part)
        plan = self.samples.plan
        return crossing_interval(
            crossing,
            Sides.of(score, curve[:upto]),
            sides(draws),
            None if without is None else sides(without),
            plan=replace(plan, items=max(plan.items, units), clusters=units),
            confidence=self.question.options.confidence,
        )

    def _units(self, part: int) -> int:
        """Items of a part, or their clusters."""
        here = self.part == part
        if self.samples.by_row and self.samples.cluster is not None:
            return max(len(np.unique(self.samples.cluster[here])), 1)
        return max(int(here.sum()), 1)


def _by_part(
    numbers: Floats, part: Ints, n_parts: int, times: NDArray[np.integer] | None = None
) -> Floats:
    """Means of numbers (H, D) over each part, (S, D), or in samples `times` (B, H), (B, S, D).

    NaN where a part has no item.
    """
    load = np.ones((1, len(part))) if times is None else times.astype(np.float64)
    found = np.full((len(load), n_parts, numbers.shape[1]), np.nan)
    for each in np.unique(part[part >= 0]):
        here = np.flatnonzero(part == each)
        drawn = load[:, here]
        size = drawn.sum(axis=1)
        known = size > 0
        found[known, each] = drawn[known] @ numbers[here] / size[known, None]
    return found[0] if times is None else found
