"""From an engine's arrays to the result that people read."""

from headcount.equivalence.curve_result import Asked, PowerCurve
from headcount.equivalence.exact import Curve
from headcount.equivalence.plan import Plan
from headcount.equivalence.remarks import about_clip, about_engine, small_data


def pack_curve(
    plan: Plan,
    curve: Curve,
    *,
    raters: int,
    items_used: int,
    items_dropped: int,
    notes: tuple[str, ...] = (),
    cautions: tuple[str, ...] = (),
) -> PowerCurve:
    """A curve with what was asked for and what must be known about it."""
    learns = plan.combiner.learned and plan.bootstrap.samples > 0
    asked = Asked(
        combiner=plan.combiner.name,
        scorer=plan.scorer.name,
        clip=plan.used_clip,
        raters=raters,
        reference_raters=plan.reference_raters,
        items_used=items_used,
        items_dropped=items_dropped,
        engine=plan.engine,
        bootstrap=plan.bootstrap,
        labels=plan.labels.names,
        refitted=curve.refitted if learns else None,
        notes=(*about_clip(plan), *notes),
        cautions=(*small_data(plan, items_used), *cautions, *about_engine(plan, curve)),
        undefined=plan.scorer.undefined
        if not plan.combiner.learned
        else f"{plan.scorer.undefined}, or no other item was left to learn from",
    )
    return PowerCurve(
        asked, curve.scores, curve.draws, curve.support, curve.backed_off, curve.error
    )
