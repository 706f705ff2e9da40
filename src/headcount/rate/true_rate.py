"""`true_rate`: what people would say of all items, from a judge on all and people on some."""

import math
from functools import partial
from typing import Any

import numpy as np
from scipy.special import ndtr

from headcount.arrays import Floats, Ints
from headcount.data import Study, as_study
from headcount.errors import UnanswerableError
from headcount.options import RateOptions
from headcount.rate.judged_items import (
    Judge,
    Said,
    coded,
    judge_answers,
    parts_of_items,
    said_by_people,
    slices_of_ratings,
    target_label,
)
from headcount.rate.rate_of_items import (
    FEWEST_RATERS,
    Rate,
    rate_of_items,
    rates_by_slice,
    rogan_gladen,
)
from headcount.rate.true_rate_result import ClassifierRate, SliceRate, TrueRate
from headcount.results import Estimate, count

# With fewer rated items there is hardly anything to say.
FEWEST = 10


def true_rate(
    ratings: Any,
    predictions: Any = None,
    *,
    of: str | None = RateOptions.of,
    slices: Any = None,
    strata: Any = None,
    half_width: float = RateOptions.half_width,
    positive: str | None = RateOptions.positive,
    unknown: str = RateOptions.unknown,
    confidence: float = RateOptions.confidence,
    seed: int = RateOptions.seed,
) -> TrueRate:
    """The share of items that people would call X, from a judge on all and people on some.

    Parameters
    ----------
    ratings
        What people said of some items, drawn at random: a Study, Ratings, a frame or a path. They
        may disagree; the target is the mean rating.
    predictions
        What one or more judges said of all items: Predictions, a frame or a path.
    of
        The label X. By default the positive one (the last); for labels that are numbers, more
        than two, the mean score is asked for unless a label is named.
    slices
        Parts of the items to give rates for: a mapping of all items to parts, a file or a frame
        with item and slice, or the name of a slice the ratings were read with (by default all).
    strata
        How items were divided before those to be rated were drawn at random within each part, if
        they were: as `slices`. Each part counts by its share of all items.
    half_width
        The half-width wished for: the result says how many items to rate for it.
    positive, unknown
        The label whose probability a bare number is, and what a judge's answer outside the labels
        is: "error", "wrong" (not X) or "drop".
    confidence, seed
        Confidence of the intervals, and the seed of the folds.

    Returns
    -------
    TrueRate
        ``found["judge"].rate`` with ``.low`` and ``.high``, ``.people`` from people alone,
        ``.judged`` what the judge says, ``.rogan_gladen`` the classical correction, ``.slices``.

    Notes
    -----
    With y the mean rating of each of n rated items and f the judge's answer on all N, the rate is
    mean(y − λf) over the rated plus λ·mean(f) over all: unbiased whatever the judge is worth. λ is
    the slope of y on f, fitted in five folds without the items it is used on, and 0 where that
    does not help, so the interval is never wider than that of people alone. Where raters have
    names they are a sample too, and who they are is part of the interval.

    References
    ----------
    Angelopoulos, A. N. and others. Prediction-powered inference. Science 382, 2023.

    Rogan, W. J. and Gladen, B. Estimating prevalence from the results of a screening test.
    American Journal of Epidemiology 107, 1978.

    Examples
    --------
    >>> import headcount as hc
    >>> import numpy as np, pyarrow as pa
    >>> rng = np.random.default_rng(0)
    >>> toxic = rng.random(5000) < 0.2
    >>> judge = np.where(rng.random(5000) < 0.9, toxic, ~toxic)
    >>> said = rng.random((300, 3)) < np.where(toxic[:300], 0.9, 0.05)[:, None]
    >>> people = pa.table({"item": np.repeat(np.arange(300), 3), "label": said.ravel().astype(int)})
    >>> answers = pa.table({"item": np.arange(5000), "judge": judge.astype(int)})
    >>> found = hc.true_rate(people, answers, of="1")
    >>> found["judge"].rate.low < 0.22 < found["judge"].rate.high
    True
    """
    options = RateOptions(
        of=of,
        half_width=half_width,
        positive=positive,
        unknown=unknown,
        confidence=confidence,
        seed=seed,
    )
    study = as_study(ratings, predictions, positive=positive, unknown=unknown)
    return _measured(study, slices, strata, options)


def _measured(study: Study, slices: Any, strata: Any, options: RateOptions) -> TrueRate:
    if study.predictions is None:
        raise UnanswerableError(
            "The true rate needs a judge's answer on all items: give predictions too."
        )
    target = target_label(study, options.of, options.positive)
    said = said_by_people(study, target)
    parts = (
        slices_of_ratings(study)
        if slices is None
        else {str(slices) if isinstance(slices, str) else "slice": parts_of_items(study, slices)}
    )
    divided = None if strata is None else parts_of_items(study, strata)
    judges = judge_answers(study, target, options)
    found = tuple(
        _rate(said, judge, parts, divided, options, options.confidence) for judge in judges
    )
    notes = (*study.ratings.notes, *(note for judge in judges for note in judge.notes))
    return TrueRate(
        of=None if target is None else study.labels.names[target],
        classifiers=found,
        half_width=options.half_width,
        named_raters=study.ratings.named and (study.ratings.n_raters or 0) >= FEWEST_RATERS,
        cluster=study.ratings.layout.cluster,
        stratified=strata is not None,
        confidence=options.confidence,
        notes=tuple(dict.fromkeys(notes)),
        library=study.library,
        collected=study.design.lines,
    )


def _rate(
    said: Said,
    judge: Judge,
    parts: dict[str, dict[str, str]],
    divided: dict[str, str] | None,
    options: RateOptions,
    confidence: float,
) -> ClassifierRate:
    """One judge's rate, over all items and by slice."""
    known = said.on(judge.items)
    rated = np.unique(known.item)
    if len(rated) < FEWEST:
        raise UnanswerableError(
            f"Only {count(len(rated), 'item is', 'items are')} rated by people and judged by "
            f"{judge.name!r}: {FEWEST} at least are needed; check that both use the same item ids."
        )
    strata = None if divided is None else _strata(divided, judge, rated)
    found = rate_of_items(
        known.value,
        known.item,
        judge.value,
        rater=known.rater,
        weight=known.weight,
        strata=strata,
        cluster=known.cluster,
        share=said.share,
        confidence=confidence,
        seed=options.seed,
    )
    return ClassifierRate(
        name=judge.name,
        rate=_estimate(found),
        people=Estimate(found.alone, found.alone_low, found.alone_high),
        judged=found.judged,
        rogan_gladen=_classical(known, judge, rated, confidence),
        ratio=found.ratio,
        rater_share=found.rater_share,
        rated=found.n_rated,
        items=found.n_items,
        left_out=said.n_items - len(rated),
        items_needed=found.items_for(options.half_width, confidence=confidence),
        random_p_value=None if divided is not None else _alike(judge.value, rated),
        slices=_slices(known, judge, parts, strata, options.seed, confidence),
        reread=partial(_rate, said, judge, parts, divided, options),
    )


def _classical(known: Said, judge: Judge, rated: Ints, confidence: float) -> Estimate:
    """Rogan and Gladen's rate, or why there is none."""
    if not known.share:
        return Estimate.undefined("it is for shares, and these are scores")
    n = len(judge.value)
    weight = np.ones(len(known.item)) if known.weight is None else known.weight
    total = np.bincount(known.item, weights=weight * known.value, minlength=n)
    mean: Floats = total[rated] / np.bincount(known.item, weights=weight, minlength=n)[rated]
    cluster = None
    if known.cluster is not None:
        of_item = np.zeros(n, dtype=np.int64)
        of_item[known.item] = known.cluster
        cluster = of_item[rated]
    found = rogan_gladen(mean, rated, judge.decided, cluster=cluster, confidence=confidence)
    if found is None:
        return Estimate.undefined("the judge is no better than a coin, or people all say the same")
    return Estimate(found.value, found.low, found.high)


def _strata(divided: dict[str, str], judge: Judge, rated: Ints) -> Ints:
    """Each item's stratum; one without a rated item has nothing to be estimated from."""
    names, codes = coded(divided, judge.items, "(none)")
    empty = np.setdiff1d(np.arange(len(names)), codes[rated])
    if len(empty):
        raise UnanswerableError(
            f"No item of the stratum {names[empty[0]]!r} is rated: rate some there, or leave its "
            "items out of the predictions."
        )
    return codes


def _slices(
    known: Said,
    judge: Judge,
    parts: dict[str, dict[str, str]],
    strata: Ints | None,
    seed: int,
    confidence: float,
) -> tuple[SliceRate, ...]:
    found: list[SliceRate] = []
    for slice_, by_item in parts.items():
        names, codes = coded(by_item, judge.items, None)
        rates = rates_by_slice(
            known.value,
            known.item,
            judge.value,
            codes,
            rater=known.rater,
            weight=known.weight,
            strata=strata,
            cluster=known.cluster,
            share=known.share,
            confidence=confidence,
            seed=seed,
        )
        found += [_slice(slice_, names[code], rate) for code, rate in rates.items()]
    return tuple(found)


def _slice(slice_: str, name: str, rate: Rate | None) -> SliceRate:
    if rate is None:
        none = Estimate.undefined("fewer than two of its items are rated")
        return SliceRate(slice_, name, none, none, None, 0, 0)
    return SliceRate(
        slice=slice_,
        part=name,
        rate=_estimate(rate),
        people=Estimate(rate.alone, rate.alone_low, rate.alone_high),
        judged=rate.judged,
        rated=rate.n_rated,
        items=rate.n_items,
    )


def _alike(judge: Floats, rated: Ints) -> float | None:
    """Chance of so large a difference of the judge's mean on rated and other items, if the rated
    ones were drawn at random; None where all are rated or the judge says the same of all.
    """
    others = np.ones(len(judge), dtype=bool)
    others[rated] = False
    if others.sum() < 2 or judge.std() == 0:
        return None
    n, rest = len(rated), int(others.sum())
    error = float(judge.std()) * math.sqrt(1 / n + 1 / rest)
    away = abs(float(judge[rated].mean() - judge[others].mean())) / error
    return float(2 * ndtr(-away))


def _estimate(found: Rate) -> Estimate:
    """The rate with its interval, and that of the few raters alone where they are few."""
    told = Estimate(found.value, found.low, found.high)
    if found.these is None or found.n_raters is None:
        return told
    return told.of_these(found.n_raters, Estimate(found.value, *found.these))
