"""How do a judge's numbers compare with people's? Check, compute, pack."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from headcount.arrays import Floats
from headcount.data import as_study
from headcount.options import ScoreOptions
from headcount.results import Estimate
from headcount.sameness import exceeds
from headcount.sampling.correlation import running_against
from headcount.sampling.delta import Smooth
from headcount.scores.calibration import FLAT, Calibration, calibrated, cells_of, why_nothing
from headcount.scores.components import components
from headcount.scores.inputs import Numbers, numbers_of
from headcount.scores.judge import (
    default_tolerance,
    distance_measure,
    mean_measure,
    nearness_measure,
    numeric_worth,
    spread_measure,
    worth_measure,
    worth_nothing,
)
from headcount.scores.judge_scores import JudgeScores, Limits, PeopleScores
from headcount.scores.parts import Parts, parts_of
from headcount.scores.people import People
from headcount.scores.reliability import (
    absolute,
    anova,
    of_the_mean,
    one_way,
    spearman_brown,
    with_classical,
)
from headcount.scores.result import ScoreAgreement
from headcount.scores.sample import Measure, Sample

# Bland and Altman's limits hold 95 % of normal differences.
_NORMAL_95 = 1.959963984540054
_NO_ERROR = "the error is estimated to be below nought: it cannot be told from none"

_OF_LEVELS = (
    "Worth is by squared error here, which takes the labels for numbers; headcount evaluate takes "
    "them for levels in order (rps), by which the same judge has another worth, and shows both."
)


def scores(
    ratings: Any,
    predictions: Any = None,
    *,
    calibration: str = ScoreOptions.calibration,
    tolerance: float | None = ScoreOptions.tolerance,
    two_way: bool | None = ScoreOptions.two_way,
    unknown: str = ScoreOptions.unknown,
    confidence: float = ScoreOptions.confidence,
    seed: int = ScoreOptions.seed,
) -> ScoreAgreement:
    """How judges' scores compare with people's: worth, bias, limits of agreement, error, ICC.

    Parameters
    ----------
    ratings
        What people said in numbers: a Study, Ratings, a frame or a path. Two ratings an item are
        enough, ragged is fine, and so are decimals and any number of different values.
    predictions
        What judges said of the items: numbers, or distributions over the levels, which count by
        their means. Without them only people are looked at.
    calibration
        How a judge's numbers are put on people's scale for its `worth`: "linear" (a rising
        line), "isotonic" (a rising curve) or "given" (as they stand). Fitted to other items; all
        three stand in ``worths``.
    tolerance
        The distance that counts as near; by default 1 for a few whole levels, else about a
        tenth of the scale.
    two_way
        Whether raters are a sample too. By default where at least three are named; items that
        have a cluster are drawn by the cluster.
    unknown
        Predictions that are no numbers: "error", or "drop" to leave those items out.
    confidence, seed
        The intervals' confidence, and the seed of the folds that a curve is fitted in.

    Returns
    -------
    ScoreAgreement
        ``found["judge"]`` has ``worth`` (and ``worths`` by reading), ``bias``, ``limits``,
        ``error``, ``distance``, ``near`` and the bias ``by_level``, ``by_slice``, ``by_rater``;
        ``found.people`` has what people reach among themselves, with ``icc_1``, ``icc_a1`` and
        ``icc_ak``.

    Notes
    -----
    With σ² the variance of people on one item, τ² that of the items' true scores and d the mean
    squared error of a judge against the true score,

    - d = E(s − r)² − ½E(r − r′)², r and r′ two people on one item,
    - the best linear prediction from k people errs by τ²σ²/(kτ² + σ²), so that the judge is
      worth k = σ²(τ² − d)/(dτ²), any real number, with Fieller's interval,
    - ICC = τ²/(τ² + σ²).

    σ², τ² and d have unbiased estimates from two ratings an item. Standard errors are by the
    delta method over items (or clusters) plus those over leaving each rater out, read by
    Student's t with the smaller sample's degrees of freedom.

    References
    ----------
    Bland, J. M. and Altman, D. G. Statistical methods for assessing agreement between two methods
    of clinical measurement. The Lancet 327, 1986.
    McGraw, K. O. and Wong, S. P. Forming inferences about some intraclass correlation
    coefficients. Psychological Methods 1, 1996.

    Examples
    --------
    >>> import headcount as hc
    >>> made = hc.simulate.make("scores", items=300, seed=1)
    >>> found = hc.scores(made.ratings, made.predictions)
    >>> print(found["judge"].worth)             # a judge that errs as much as a person
    1.025 (0.501 to 2.585)
    >>> found["judge"].bias.text(2)
    '0.01 (-0.28 to 0.31)'
    """
    options = ScoreOptions(
        calibration=calibration,
        tolerance=tolerance,
        two_way=two_way,
        unknown=unknown,
        confidence=confidence,
        seed=seed,
    )
    study = as_study(ratings, predictions)
    numbers = numbers_of(study, unknown=unknown, two_way=two_way, confidence=confidence)
    found = measured(numbers, options)
    other = (_OF_LEVELS,) if study.scale.kind == "ordered" and study.predictions else ()
    if study.ratings.meaning.labels.n:
        other = (*other, *study.design.as_they_stand)
    notes = (*found.notes, *study.ratings.notes, *other)
    return replace(found, notes=tuple(dict.fromkeys(notes)), library=study.library)


def measured(numbers: Numbers, options: ScoreOptions) -> ScoreAgreement:
    """Everything about the numbers of a study, packed."""
    sample = numbers.sample
    components(sample.people)  # says so where no two items can be compared
    tolerance = options.tolerance
    if tolerance is None:
        tolerance = default_tolerance(numbers.least, numbers.most, whole=numbers.whole)
    readings = {
        name: _readings(sample.people, said, options.seed) for name, said in numbers.judges.items()
    }
    parts = parts_of(numbers)
    found = sample.measured(_measures(numbers, readings, tolerance, parts))
    return ScoreAgreement(
        people=_people(sample, found),
        classifiers=tuple(
            _judge(name, numbers, readings[name], found, parts, options) for name in numbers.judges
        ),
        tolerance=tolerance,
        items=len(sample.people.n),
        items_compared=sample.people.n_compared,
        ratings=numbers.n_ratings,
        raters=numbers.n_raters,
        least=numbers.least,
        most=numbers.most,
        notes=numbers.notes,
        confidence=options.confidence,
        samples=sample.plan,
        sample=sample,
        reported={
            name: kinds.get(options.calibration, kinds["given"]) for name, kinds in readings.items()
        },
    )


def _readings(people: People, said: Floats, seed: int) -> dict[str, Floats]:
    """A judge's numbers as they stand and on people's scale; nothing where they tell nothing."""
    if why_nothing(people, said) is not None:
        return {"given": said}
    kinds: tuple[Calibration, ...] = ("linear", "isotonic")
    return {"given": said} | {kind: calibrated(people, said, kind, seed=seed) for kind in kinds}


def _measures(
    numbers: Numbers, readings: dict[str, dict[str, Floats]], tolerance: float, parts: Parts
) -> dict[str, Measure]:
    """All that is measured of the table at once, by name."""
    measures: dict[str, Measure] = {"spread": spread_measure, "mean": mean_measure}
    measures |= {"icc_1": one_way, "icc_a1": absolute, "icc_ak": of_the_mean}
    if numbers.sample.said is not None:
        measures["near"] = nearness_measure(numbers.judges, tolerance)
    for name, kinds in readings.items():
        measures[f"distance {name}"] = distance_measure(kinds["given"])
        for kind, said in kinds.items():
            measures[f"{kind} {name}"] = worth_measure(said, fitted=kind != "given")
    return measures | parts.measures


def _people(sample: Sample, found: dict[str, Smooth]) -> PeopleScores:
    spread = found["spread"]
    named = sample.said is not None and sample.said.rater is not None
    near = found.get("near")
    return PeopleScores(
        mean=found["mean"].each()[0],
        spread=_root(spread, "within", "people never differ on an item"),
        between=_root(spread, "between", "items do not differ beyond chance"),
        icc_1=_icc(sample, found, "icc_1"),
        icc_a1=_icc(sample, found, "icc_a1") if named else None,
        icc_ak=_icc(sample, found, "icc_ak") if named else None,
        ratings_each=1 / float((1 / sample.people.n[sample.people.several]).mean()),
        distance=None if near is None else _part(near, "away", "positive"),
        near=None if near is None else _part(near, "near", "share"),
    )


def _icc(sample: Sample, found: dict[str, Smooth], kind: str) -> Estimate:
    """An intraclass correlation; on a full table its interval holds the classical one."""
    if np.isnan(found[kind].value[0]):
        return Estimate.undefined("no rating differs from another")
    (estimate,) = found[kind].each("coefficient")
    table = anova(sample.people, sample.said)
    # What is left over of nothing is rounding: F has no interval for that.
    if table is None or not exceeds(table.within, 0.0, scale=table.rows + table.within):
        return estimate
    if kind == "icc_1":
        return with_classical(estimate, table.one_way, sample.confidence)
    if not exceeds(table.error, 0.0, scale=table.rows + table.within):
        return estimate
    if kind == "icc_a1":
        return with_classical(estimate, table.agreement, sample.confidence)

    def of_mean(confidence: float) -> tuple[float, float]:
        low, high = (spearman_brown(1 / table.raters, end) for end in table.agreement(confidence))
        return low, high

    return with_classical(estimate, of_mean, sample.confidence)


def _judge(
    name: str,
    numbers: Numbers,
    readings: dict[str, Floats],
    found: dict[str, Smooth],
    parts: Parts,
    options: ScoreOptions,
) -> JudgeScores:
    sample = numbers.sample
    worths = _worths(sample.people, name, readings, found)
    given = found[f"given {name}"]
    distance, near = found[f"distance {name}"], found.get("near")
    return JudgeScores(
        name=name,
        worth=worths[options.calibration],
        worths=worths,
        calibration=options.calibration,
        bias=distance.each()[0],
        limits=Limits(_limit(distance, -1), _limit(distance, 1)),
        error=_root(given, "error", _NO_ERROR),
        distance=None if near is None else _part(near, f"away {name}", "positive"),
        near=None if near is None else _part(near, f"near {name}", "share"),
        by_level=parts.by_level(name, found),
        by_slice=parts.by_slice(name, found),
        by_rater=parts.by_rater(name),
        answered=numbers.answered[name],
        out_of=numbers.out_of,
        shares_errors=_shares_errors(given),
        far_items=far_share(sample.people, numbers.judges[name]),
        ahead=None if near is None else _ahead(near, name),
        turned_round=_turned_round(sample, numbers.judges[name]),
        cells=cells_of(sample.people, numbers.judges[name], sample.said),
    )


def _worths(
    people: People, name: str, readings: dict[str, Floats], found: dict[str, Smooth]
) -> dict[str, Estimate]:
    why = why_nothing(people, readings["given"])
    return {
        kind: worth_nothing(why)
        if why is not None and (kind != "given" or why == FLAT)
        else numeric_worth(found[f"{kind} {name}"])
        for kind in ("linear", "isotonic", "given")
    }


def _limit(distance: Smooth, side: int) -> Estimate:
    """Bias and 1.96 standard deviations of judge less person to one side."""

    def limit(bias: float, squared: float) -> float:
        return bias + side * _NORMAL_95 * math.sqrt(max(squared - bias**2, 0.0))

    return distance.estimate(limit)


def _root(numbers: Smooth, name: str, undefined: str) -> Estimate:
    """The root of a mean square, with the ends of the mean square's interval."""
    square = numbers.estimate(lambda **each: each[name])
    return _rooted(square, undefined)


def _rooted(square: Estimate, undefined: str) -> Estimate:
    def root(number: float | None) -> float | None:
        return None if number is None else math.sqrt(max(number, 0.0))

    def again(confidence: float) -> Estimate:
        return _rooted(square.at(confidence), undefined)

    if square.value is None or square.value <= 0:
        note = f"{undefined} (at most {root(square.high):.3g})" if square.high else undefined
        return Estimate(None, None, None, note=note)
    return Estimate(
        root(square.value), root(square.low), root(square.high), note=square.note, reread=again
    )


def _part(near: Smooth, name: str, scale: Any) -> Estimate:
    return near.each(scale)[near.names.index(name)]


def _ahead(near: Smooth, name: str) -> Estimate:
    """The share of people near the judge less the share near another person."""
    return near.estimate(lambda **each: each[f"near {name}"] - each["near"])


def _turned_round(sample: Sample, said: Floats) -> Estimate | None:
    """The correlation of a judge's numbers with people's where they run the other way."""

    def table(people: People) -> tuple[Floats, Floats, Floats]:
        return said[:, None], people.mean[:, None], (people.n > 0).astype(np.float64)

    def without() -> Iterator[tuple[Floats, Floats, Floats]]:
        if sample.said is not None and sample.groups is not None:
            yield from (table(left.people()) for left in sample.said.without(sample.groups))

    return running_against(
        *table(sample.people),
        plan=sample.plan,
        cluster=sample.cluster,
        without=without,
        confidence=sample.confidence,
    )


def far_share(people: People, said: Floats) -> float:
    """What the hundredth of items on which a judge is furthest off holds of its squared error."""
    rated = people.n > 0
    squares = np.sort((said[rated] - people.mean[rated]) ** 2)[::-1]
    total = float(squares.sum())
    # With fewer than a hundred items there is no such hundredth, and of errors of nought no share.
    return float(squares[: len(squares) // 100].sum()) / total if total > 0 else 0.0


def _shares_errors(given: Smooth) -> bool:
    """Whether the judge is nearer to these ratings than independent errors allow."""
    estimate = given.estimate(lambda error, **_: error)
    return estimate.high is not None and estimate.high < 0
