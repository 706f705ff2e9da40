"""A question meets a study: the curve and the scores of its items, and without each rater."""

from dataclasses import replace

import numpy as np

from headcount.data import (
    ENOUGH,
    Block,
    Judged,
    Study,
    enough,
    enough_of,
    group_rows,
    told_enough,
)
from headcount.equivalence.curve import PowerCurve
from headcount.equivalence.curve_result import curve_result
from headcount.equivalence.leaving_out import LeftOut, without_each
from headcount.equivalence.measure import (
    Measured,
    cautions,
    in_readings,
    measure,
    scored_classifiers,
)
from headcount.equivalence.question import Question
from headcount.frozen import frozen
from headcount.population.fits import fits_of
from headcount.population.refits import table_of
from headcount.sampling import Samples


@frozen(eq=False)
class Met:
    """Judged items that reach far enough, what was measured on them, and without each rater."""

    question: Question
    judged: Judged
    block: Block
    samples: Samples
    measured: Measured
    left: LeftOut | None
    read: tuple[str, ...] = ()

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
        )


def meet(question: Question, study: Study, samples: Samples) -> Met:
    """Everything that a question asks of a study, on bare arrays."""
    items = study.judged if samples.by_row else _grouped(study)
    block = question.block(items.counts.sum(axis=1), items.size)
    most = max(ENOUGH, block.raters)
    if samples.plan.counts_raters and samples.part is None:
        most = max(most, int(items.counts.sum(axis=1).max(initial=0)))
    judged = in_readings(question, items.take(block.keep).one_by_one(most))
    table = table_of(study, samples, enough(items.counts, most))
    if samples.by_row:
        samples = samples.take(block.keep)
    else:
        samples = replace(samples, plan=replace(samples.plan, items=block.items_used))
    read = enough(judged.counts, most)
    keys = (judged.counts,) if read is judged.counts else (judged.counts, read)
    groups = group_rows(*keys, *(each.outputs() for each in judged.classifiers), size=judged.size)
    grouped = replace(judged.take(groups.first), size=groups.size)
    measured = measure(
        question,
        read[groups.first],
        grouped.size,
        block.raters - question.options.reference_raters,
        classifiers=scored_classifiers(question, grouped),
        rated=enough_of(study.ratings.patterns(), most),
        table=table,
        clusters=samples.clusters_of(groups.of_row) if samples.by_row else None,
        fits=fits_of(study),
        whole=None if read is judged.counts else grouped.counts,
    )
    samples, left = _left_out(question, study, samples, judged, block, measured)
    told = told_enough(judged.counts.sum(axis=1), most)
    return Met(question, judged, block, samples, measured, left, told)


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
    curve = measured.curve.scores
    if samples.part is None:
        return samples, without_each(question, samples, judged, curve)
    part, those = study.people(samples)
    items = part.judged
    keep = items.counts.sum(axis=1) >= block.raters
    those = those.take(keep)
    if not those.plan.counts_raters:
        return samples.of_items(), None
    scores = np.array([each[0] for each in measured.scores])
    left = without_each(question, those, in_readings(question, items.take(keep)), curve, scores)
    plan = replace(samples.plan, raters=those.plan.raters)
    return replace(samples, plan=plan, part=those), left


def _grouped(study: Study) -> Judged:
    """Items alike as one row, counted where the ratings are: no id is looked at."""
    if study.predictions is not None:
        return study.groups
    patterns = study.ratings.patterns()
    return Judged(study.labels, patterns.counts, patterns.items, ())
