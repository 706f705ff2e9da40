"""A question meets a study: the curve and the scores of its items, and without each rater."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import (
    ENOUGH,
    Block,
    Classifier,
    Groups,
    Judged,
    Study,
    enough,
    enough_of,
    group_rows,
    told_enough,
)
from headcount.equivalence.combiners import AnonymousBayes
from headcount.equivalence.curve_by_combiner import Learned
from headcount.equivalence.curve_result import curve_result
from headcount.equivalence.power_curve import PowerCurve
from headcount.equivalence.question import Question
from headcount.equivalence.scored_groups import (
    HeldOut,
    Measured,
    cautions,
    given_and_read,
    held_out,
    in_readings,
    measure,
    scored_classifiers,
)
from headcount.frozen import frozen
from headcount.population import Mixture, count_surveys, fits_of, table_of
from headcount.results import no_progress
from headcount.sampling import Samples, resample
from headcount.sampling.crossing import extended
from headcount.sampling.recentred import recentred

# (Pattern, survey) pairs of all tables without a rater; past them curves are carried on.
_MOST_SURVEYS = 20_000_000

# Raters past which curves without one are carried on too: there one more hardly tells.
_FAR = 20

# Items a group from which on it pays to group them anew without each rater.
_FEW_ALIKE = 4


MEASURED = "measured for its worth"
"""Where a study keeps what its classifiers' worth was measured by."""


@frozen(eq=False)
class LeftOut:
    """Without each rater, or each group of raters: `curve` (J, K) and `scores` (J, C).

    A table with a rater fewer has a survey size fewer: its last point is the whole table's
    last step, in proportion.
    """

    curve: Floats
    scores: Floats


@frozen(eq=False)
class MeasuredStudy:
    """Judged items that reach far enough, what was measured on them, and without each rater.

    `read` says how many of an item's ratings were read where it has more than that. Rows alike in
    counts and answers are one of `groups`, by which items are drawn, as whole `clusters` where
    they have them; `given` are the classifiers as given, `read_counts` (n, L) the ratings of each
    row that models read.
    """

    question: Question
    judged: Judged
    given: tuple[Classifier, ...]
    block: Block
    samples: Samples
    measured: Measured
    left: LeftOut | None
    groups: Groups
    read_counts: Ints
    clusters: Any = None
    read: tuple[str, ...] = ()

    def in_samples(self, of_rows: Floats) -> tuple[Floats, Floats]:
        """The mean over items of what rows have (n, d): (d,), and in the samples of the curve.

        Draws (B, d) are those of the curve's and the scores' own samples, so that differences
        are paired.
        """
        sizes = self.groups.size
        summed = np.zeros((len(sizes), of_rows.shape[1]))
        np.add.at(summed, self.groups.of_row, of_rows * self.judged.size[:, None])
        means = summed / sizes[:, None]

        def of_sample(times: Ints) -> dict[str, Any]:
            return {"mean": times @ means / times.sum(axis=1, keepdims=True)}

        drawn = resample(self.question.bootstrap, sizes, of_sample, clusters=self.clusters)
        return sizes @ means / sizes.sum(), drawn["mean"].astype(np.float64)

    def curve(self, study: Study) -> PowerCurve:
        """The power curve as a result."""
        about = study.notes if self.judged.classifiers else study.ratings.notes
        return curve_result(
            self.question,
            self.measured.surveyed,
            raters=self.block.raters,
            items_used=self.block.items_used,
            items_dropped=study.ratings.n_items - self.block.items_used,
            notes=(*self.block.notes(), *self.read, *self.samples.notes, *about),
            cautions=cautions(self.question, self.judged),
            samples=self.samples,
            without=None if self.left is None else self.left.curve,
            library=study.library,
            # A question that was not told of the design reads ratings as they stand.
            collected=() if self.question.design is None else study.design.lines,
        )


def measure_study(question: Question, study: Study, samples: Samples) -> MeasuredStudy:
    """Everything that a question asks of a study, on bare arrays."""
    items = study.judged if samples.by_row else study.groups
    block = question.block(items.counts.sum(axis=1), items.size)
    # As many ratings of an item as the curve asks for are read, and some more where they are many.
    most = max(ENOUGH, block.raters)
    if samples.plan.counts_raters and samples.part is None:
        most = max(most, int(items.counts.sum(axis=1).max(initial=0)))
    given, judged = given_and_read(question, items.take(block.keep).one_by_one(most))
    table = table_of(study, samples, enough(items.counts, most))
    if samples.by_row:
        samples = samples.take(block.keep)
    else:
        samples = replace(samples, plan=replace(samples.plan, items=block.items_used))
    read = enough(judged.counts, most)
    keys = (judged.counts,) if read is judged.counts else (judged.counts, read)
    groups = group_rows(*keys, *(each.outputs() for each in judged.classifiers), size=judged.size)
    grouped = replace(judged.take(groups.first), size=groups.size)
    clusters = samples.clusters_of(groups.of_row) if samples.by_row else None
    measured = measure(
        question,
        read[groups.first],
        grouped.size,
        block.raters - question.options.reference_raters,
        classifiers=scored_classifiers(question, grouped),
        rated=enough_of(study.ratings.patterns(), most),
        table=table,
        clusters=clusters,
        fits=fits_of(study),
        whole=None if read is judged.counts else grouped.counts,
    )
    samples, left = _left_out(question, study, samples, judged, block, measured)
    told = told_enough(judged.counts.sum(axis=1), most)
    return MeasuredStudy(
        question, judged, given, block, samples, measured, left, groups, read, clusters, told
    )


def _left_out(
    question: Question,
    study: Study,
    samples: Samples,
    judged: Judged,
    block: Block,
    measured: Measured,
) -> tuple[Samples, LeftOut | None]:
    """The curve and the scores without each rater; and the samples, with who could be left out.

    On a part of the items where there are too many ratings: those of it with as many ratings as
    the whole's curve asks for, moved to what all items say.
    """
    curve, learned = measured.curve.scores, measured.surveyed.learned
    if samples.part is None:
        return samples, without_each(question, samples, judged, curve, learned=learned)
    part, those = study.people(samples)
    items = part.judged
    keep = items.counts.sum(axis=1) >= block.raters
    those = those.take(keep)
    if not those.plan.counts_raters:
        return samples.of_items(), None
    scores = np.array([each[0] for each in measured.scores])
    read = in_readings(question, items.take(keep))
    left = without_each(question, those, read, curve, scores, learned=learned)
    plan = replace(samples.plan, raters=those.plan.raters)
    return replace(samples, plan=plan, part=those), left


def without_each(
    question: Question,
    samples: Samples,
    judged: Judged,
    curve: Floats,
    scores: Floats | None = None,
    *,
    learned: Learned | None = None,
) -> LeftOut | None:
    """The curve and the scores of the `judged` items (a row each) without each rater.

    What classifiers say stays as it is, calibrated or given; what was `learned` to predict by is
    learned anew where that is quick. None where raters are not taken as a sample. `curve` (K,) is
    that of the whole table, `scores` (C,) are the classifiers' where `judged` is a part of the
    items: what is found on the part is moved to these.
    """
    if not samples.plan.counts_raters or not question.options.n_bootstrap:
        return None
    if question.first_answers is not None:
        return _first_without_each(question, samples, judged, curve, scores, learned)
    surveys = SurveysWithoutOne.of(
        question, judged.counts, len(curve) - 1, len(samples.left_out), learned=learned
    )
    answers = _codes_of_answers(judged)
    part_curve, part_scores = surveys.measure(judged, None if learned is None else learned.mixture)
    offset = curve[: surveys.most + 1] - part_curve
    curves, others = [], []
    refits = [None] * len(samples.left_out) if learned is None else learned.without(samples)
    for by, counts in zip(refits, samples.without(judged.counts), strict=True):
        enough = surveys.enough(counts)
        # One item alone has no others to learn from; a rater without whom that is so has no say.
        if enough.sum() < 2:
            curves.append(np.full(len(part_curve), np.nan))
            others.append(np.full(len(part_scores), np.nan))
            continue
        found = surveys.measure(_rows_alike(replace(judged, counts=counts), enough, answers), by)
        curves.append(found[0] + offset)
        others.append(found[1])
    without = np.array(others)
    if scores is not None:
        without = recentred(without, part_scores, scores)
    return LeftOut(extended(np.array(curves), curve), without)


def _first_without_each(
    question: Question,
    samples: Samples,
    judged: Judged,
    curve: Floats,
    scores: Floats | None,
    learned: Learned | None,
) -> LeftOut:
    """The same where only first answers are like people's: those of them that are left.

    The curve moves as that of the population does that is fitted without each rater; what the
    first answers of a table with a rater fewer are, nobody knows.
    """
    everyone, answers = judged.counts, _codes_of_answers(judged)
    tables = len(samples.left_out)
    refits = [None] * tables if learned is None else learned.without(samples)
    most = len(curve) - 1
    curves, others = [], []

    def scored(counts: Ints) -> Floats:
        # Items that classifiers answer unlike are alike to nobody: one by one where most are so.
        alike, first = replace(judged, counts=counts), np.arange(len(counts))
        if answers is not None:
            groups = group_rows(everyone, counts, *answers)
            first = groups.first
            alike = replace(alike.take(first), size=groups.size)
        held = held_out(question, counts[first], everyone[first])
        rated = held.chance.sum(axis=1) > 0
        of = scored_classifiers(question, alike.take(rated), HeldOut(held.chance[rated]))
        return np.array([each.scores(alike.size[rated][None])[0] for each in of])

    for by, counts in zip(refits, samples.without(everyone), strict=True):
        moved = np.zeros(most + 1)
        if learned is not None and by is not None:
            moved = learned.moved(most, by)
        curves.append(curve + moved)
        others.append(scored(counts))
    without = np.array(others)
    if scores is not None:
        without = recentred(without, scored(everyone), scores)
    return LeftOut(np.array(curves), without)


@frozen
class SurveysWithoutOne:
    """How tables without a rater are surveyed: no further than all of them allow.

    Where the combiner is fitted, or left open, that is by what was `learned`; for scorers that no
    population has, by abc, which learns anew in no time. What either differs from the curve on the
    whole table is to be added. `question` has no samples, surveys are of up
    to `most` raters, and an item takes part that has `needed` ratings left.
    """

    question: Question
    most: int
    needed: int
    learned: Learned | None = None

    @classmethod
    def of(
        cls,
        question: Question,
        counts: Ints,
        most: int,
        tables: int,
        *,
        learned: Learned | None = None,
    ) -> "SurveysWithoutOne":
        """For so many `tables` of items with counts (n, L), on a curve that ends at `most`."""
        options = replace(question.options, n_bootstrap=0)
        once = replace(question, options=options, progress=no_progress)
        if question.chooses or question.combiner.name == "fitted":
            once = replace(once, combiner=AnonymousBayes(), chooses=False)
        patterns = group_rows(counts)
        pairs = count_surveys(counts[patterns.first], most).sum(axis=0).cumsum() * tables
        affordable = int(np.searchsorted(pairs, _MOST_SURVEYS, side="right")) - 1
        upto = max(min(affordable, _FAR), min(most, 1))
        held_out = options.reference_raters
        to_spare = int(counts.sum(axis=1).min()) > upto + held_out
        upto = max(upto if to_spare else upto - 1, 0)
        return cls(once, upto, upto + held_out, learned)

    def enough(self, counts: Ints) -> NDArray[np.bool_]:
        """Which items (n,) have ratings enough."""
        return np.asarray(counts.sum(axis=1) >= self.needed)

    def measure(self, judged: Judged, by: Mixture | None) -> tuple[Floats, Floats]:
        """The curve (`most` + 1,), predicting `by` what was learned, and the scores (C,)."""
        classifiers = scored_classifiers(self.question, judged)
        if self.learned is not None and by is not None:
            curve = self.learned.curve(judged.counts, judged.size, self.most, by)
            return curve, np.array([each.scores(judged.size[None])[0] for each in classifiers])
        found = measure(
            self.question, judged.counts, judged.size, self.most, classifiers=classifiers
        )
        return found.curve.scores, np.array([each[0] for each in found.scores])


def _codes_of_answers(judged: Judged) -> list[Ints] | None:
    """What classifiers say of each item, as codes (n,); None where hardly two items are alike.

    What is alike is scored once: nearly all of it where classifiers give labels, hardly any
    where they give probabilities with every digit.
    """
    answers = [group_rows(each.outputs()).of_row for each in judged.classifiers]
    alike = len(group_rows(judged.counts, *answers)) * _FEW_ALIKE < judged.n_items
    return answers if alike else None


def _rows_alike(judged: Judged, enough: NDArray[np.bool_], answers: list[Ints] | None) -> Judged:
    """The items with enough ratings, those alike in one row where many are."""
    if answers is None:
        return judged.take(enough)
    if enough.all():
        groups = group_rows(judged.counts, *answers)
        return replace(judged.take(groups.first), size=groups.size)
    groups = group_rows(judged.counts[enough], *(each[enough] for each in answers))
    rows = np.flatnonzero(enough)[groups.first]
    return replace(judged.take(rows), size=groups.size)
