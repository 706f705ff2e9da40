"""A surveyed curve becomes a result: its points, where it goes on, and what must be known of it."""

from dataclasses import replace

import numpy as np

from headcount.arrays import Floats
from headcount.equivalence.curve_by_combiner import Surveyed
from headcount.equivalence.exact import Curve
from headcount.equivalence.past_the_data import Beyond
from headcount.equivalence.power_curve import Asked, CurvePoint, PowerCurve
from headcount.equivalence.question import Question
from headcount.results import Estimate, percent
from headcount.sampling import Samples

# Below this the leave-one-out curve of a learned combiner is visibly biased (see the docs).
_FEW_ITEMS = 300

# Below this percentiles of resampled items are rough, whatever the combiner.
_VERY_FEW_ITEMS = 100


def curve_result(
    question: Question,
    found: Surveyed,
    *,
    raters: int,
    items_used: int,
    items_dropped: int,
    notes: tuple[str, ...] = (),
    cautions: tuple[str, ...] = (),
    samples: Samples | None = None,
    without: Floats | None = None,
    library: str = "pyarrow",
    collected: tuple[str, ...] = (),
) -> PowerCurve:
    """A curve with what was asked for and what must be known about it."""
    question, curve = replace(question, combiner=found.combiner), found.curve
    learns = question.combiner.learned and question.bootstrap.samples > 0
    asked = Asked(
        items_used=items_used,
        items_dropped=items_dropped,
        labels=question.labels.names,
        combiner=question.combiner.name,
        combiner_chosen=found.chosen,
        scorer=question.scorer.name,
        clip=question.used_clip,
        raters=raters,
        reference_raters=question.options.reference_raters,
        engine=question.options.engine,
        refitted=curve.refitted if learns else None,
        bootstrap=question.bootstrap,
        samples=None if samples is None else samples.plan,
        left_out=() if samples is None else samples.left_out,
        notes=(*_about_clip(question), *notes),
        cautions=(*_small_data(question, items_used), *cautions, *_about_engine(question, curve)),
        undefined=question.undefined,
    )
    whole = asked.sampled(curve.scores, curve.draws, without)
    points = tuple(
        CurvePoint(
            k,
            asked.estimate(whole.at(k)),
            asked.estimate(whole.at(k).less(whole.at(0))),
            float(curve.support[k]),
            int(curve.backed_off[k]),
            float(curve.error[k]),
        )
        for k in range(len(curve.scores))
    )
    beyond = _beyond(asked, found, samples)
    return PowerCurve(
        asked,
        points,
        () if beyond is None else _modelled(beyond),
        _NO_IDEAL if beyond is None else beyond.ideal(),
        curve,
        beyond,
        without,
        library=library,
        collected=collected,
    )


_NO_IDEAL = Estimate.undefined(
    "the ideal classifier is that of a fitted population: use the combiner auto or fitted with "
    "the scorer cross_entropy, brier, rps or agreement and one reference rater"
)


def _beyond(asked: Asked, found: Surveyed, samples: Samples | None) -> Beyond | None:
    if found.limits is None or np.isnan(found.curve.scores).any():
        return None
    raters = None if samples is None else samples.part or samples
    return Beyond(
        found.limits,
        found.curve.scores,
        found.curve.draws,
        asked.tail,
        "the score or the curve is undefined",
        None if raters is None else found.limits.groups_of(raters),
    )


def _modelled(beyond: Beyond) -> tuple[CurvePoint, ...]:
    """The points past the data, up to where more raters are no longer told apart."""
    found = []
    for k in beyond.shown():
        score, gain = beyond.point(int(k))
        found.append(CurvePoint(int(k), score, gain, 1.0, 0, 0.0, modelled=True))
    return tuple(found)


def _small_data(question: Question, items: int) -> tuple[str, ...]:
    """A warning where the items are too few for the intervals to be trusted to the letter."""
    if question.combiner.learned and question.combiner.name != "linear" and items < _FEW_ITEMS:
        return (
            f"Only {items:,} items: what {question.combiner.name} learns from so few predicts too "
            "badly, which makes classifiers look worth more raters than they are (by about 0.3 "
            "at 100 items and 0.1 at 300 in simulations, where 95 % intervals at 100 items held "
            "the truth 89 to 92 % of the time).",
        )
    if items < _VERY_FEW_ITEMS:
        return (f"Only {items:,} items: read the intervals as rough.",)
    return ()


def _about_engine(question: Question, curve: Curve) -> tuple[str, ...]:
    """What was drawn, backed off or held fixed."""
    said = []
    first, options = curve.drawn_from, question.options
    if first is not None:
        said.append(
            f"From k = {first} on, surveys were drawn at random instead of enumerated, past the "
            f"budget of {question.budget.surveys:,} surveys; the Monte-Carlo standard error is at "
            f"most {curve.error.max():.2g}."
        )
    unseen = int(curve.backed_off.sum())
    if unseen:
        worst = int(curve.support.argmin())
        said.append(
            f"{unseen:,} survey{'s' if unseen > 1 else ''} had answers that no other item has, and "
            f"the nearest smaller ones that some have stood in; that is most common with {worst} "
            f"raters, where {percent(curve.support[worst])} of surveys have their like."
        )
    learned = question.combiner.learned and options.refit and bool(options.n_bootstrap)
    if learned and not curve.refitted and question.combiner.name != "fitted":
        said.append(
            f"{question.combiner.name} was not refitted in each bootstrap sample, which would have "
            "taken too long here; the intervals hold what it learned fixed."
        )
    return tuple(said)


def _about_clip(question: Question) -> tuple[str, ...]:
    """How far probabilities were kept from 0 and 1."""
    if question.used_clip is None:
        return ()
    return (
        f"Probabilities were kept at least {question.used_clip:.4g} from 0 and 1, for surveys and "
        "classifiers alike.",
    )
