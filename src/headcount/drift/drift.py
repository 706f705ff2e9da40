"""`drift`: check, compute, pack."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.agreement.crowd import Crowd, Statistic, ratio
from headcount.agreement.weighted import pair_credit
from headcount.arrays import Floats, Ints, Mask
from headcount.data import Study, as_study
from headcount.door import positions
from headcount.door.times import may_be_duration, shown
from headcount.drift.always import watch_judge
from headcount.drift.change_point import ChangePoint, change_point
from headcount.drift.changes import Parts, Scan, explained, scan
from headcount.drift.clock import Clock, clock_of
from headcount.drift.periods import Periods, periods_of
from headcount.drift.raters import Answered, courses
from headcount.drift.result import Drift, DriftJudge, DriftPeriod, DriftRater, Since
from headcount.equivalence import worth_by_part
from headcount.errors import HeadcountError, OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.options import DriftOptions, EquivalenceOptions
from headcount.results import Estimate, Progress, count, no_progress
from headcount.sameness import as_good
from headcount.sampling import Bootstrap, Sampled

# Fewer items than this say nothing of a period: its share would be known to a fifth at best.
_LEAST_ITEMS = 10
# Standard errors within which people did not change, those aside who stand out.
_NO_CHANGE = 2.0


def drift(
    ratings: Any,
    predictions: Any = None,
    *,
    period: str | int | None = DriftOptions.period,
    positive: str | None = DriftOptions.positive,
    unknown: str = DriftOptions.unknown,
    n_bootstrap: int = DriftOptions.n_bootstrap,
    confidence: float = DriftOptions.confidence,
    seed: int = DriftOptions.seed,
    two_way: bool | None = DriftOptions.two_way,
    progress: Progress = no_progress,
) -> Drift:
    """Whether a judge, the items or the people changed over time, and since when.

    Parameters
    ----------
    ratings : Ratings, Study, frame or path
        What people said, with a column that says when (`time`). A Study brings its predictions
        along, and a table may hold the judge's answers beside the people's.
    predictions : Predictions, frame or path, optional
        What judges said, joined by item; with a time of its own, that counts for the item.
    period : {"day", "week", "month", "quarter", "year", "each"} or int, optional
        Periods of the calendar, every different time, or a number of equal parts; by default the
        shortest unit that leaves 20 items in most periods.
    positive, unknown
        As in `evaluate`.
    n_bootstrap, confidence, seed, two_way
        Bootstrap samples, the intervals' confidence, the seed, and whether raters are a sample too.
    progress : callable, optional
        Wraps slow loops, as `tqdm` does.

    Returns
    -------
    Drift
        `found["name"]` has `.changed`, `.since` and `.periods`.

    Notes
    -----
    On each item with two ratings or more let JP be the share of its people who give the judge's
    answer and PP the share of its pairs of people who agree; J_t and P_t are their means in period
    t. A judge is named where J_t − β P_t changed for every β that items or people could explain.

    Examples
    --------
    >>> import numpy as np, pyarrow as pa
    >>> rng = np.random.default_rng(1)
    >>> item = np.repeat(np.arange(400), 3)
    >>> truth = rng.integers(2, size=400)
    >>> right = rng.random(400) < np.where(np.arange(400) < 200, 0.95, 0.6)
    >>> log = pa.table({
    ...     "item": item, "rater": np.tile(["ann", "ben", "cat"], 400),
    ...     "label": np.where(rng.random(1200) < 0.9, truth[item], 1 - truth[item]),
    ...     "month": item // 50 + 1, "judge": np.where(right, truth, 1 - truth)[item],
    ... })
    >>> found = drift(log, n_bootstrap=200)
    >>> found["judge"].changed, found["judge"].since.value
    ('judge', 5)
    """
    options = DriftOptions.among(locals())
    study = as_study(ratings, predictions, positive=positive, unknown=unknown, item_by_item=True)
    if study.predictions is None:
        raise OptionError(
            "Drift is about judges: give predictions after the ratings, or name the columns of "
            "judges' answers with classifiers= (--classifiers)."
        )
    if study.scale.kind == "numeric" and not study.ratings.meaning.labels.n:
        raise UnanswerableError(
            "The ratings are numbers too many to be labels: round them to fewer levels, of which "
            "people can agree."
        )
    return drift_of(study, options, progress)


def over_time(study: Study, options: DriftOptions) -> Drift:
    """The same as a part of an evaluation: where a time is known beyond doubt, else an error."""
    column = study.ratings.layout.time
    told = study.predictions is not None and study.predictions.times is not None
    if column is None and not told:
        raise UnanswerableError("No column says when answers were given: name it with --time.")
    if study.in_groups:
        raise UnanswerableError(
            "Items were looked at in groups, and a time is of each (headcount drift asks it)."
        )
    if column is not None and may_be_duration(column, clock_of(study).kind):
        raise UnanswerableError(
            f"The numbers in {column!r} may say how long an answer took (headcount drift takes "
            "them for times)."
        )
    return drift_of(study, options)


def drift_of(study: Study, options: DriftOptions, progress: Progress = no_progress) -> Drift:
    """The same of a study whose items are looked at one by one."""
    clock = clock_of(study)
    crowd = Crowd.of(study, Bootstrap.of(options), two_way=options.two_way).of_items
    found: dict[str, DriftJudge] = {}
    groups = _alike(clock.items)
    notes = [*clock.notes]
    raters: Raters | None = None
    for columns in progress(groups, total=len(groups), description="Over time"):
        view = View.of(crowd, clock, columns, options, len(groups))
        notes += view.notes()
        for place in range(len(columns)):
            if raters is None:
                raters = Raters.of(crowd, clock, view, options)
            each = _judge(crowd, clock, options, view, place, raters)
            found[each.name] = each
    return Drift(
        tuple(found[name] for name in crowd.names),
        crowd.plan_of_samples.sentence(),
        options.confidence,
        () if raters is None else raters.apart,
        tuple(dict.fromkeys((*notes, *study.notes))),
        (crowd.nearness.people, crowd.nearness.two_people),
        library=study.library,
    )


def _alike(items: Floats) -> list[list[int]]:
    """Judges whose answers count at the same times, together."""
    groups: list[list[int]] = []
    for column in range(items.shape[1]):
        for group in groups:
            if np.array_equal(items[:, group[0]], items[:, column], equal_nan=True):
                group.append(column)
                break
        else:
            groups.append([column])
    return groups


@frozen(eq=False)
class View:
    """Judges that answered at the same times: their periods, shares by period, and the test.

    `agree` (n, C) and `pairs` (n,) are JP and PP of each item, `paired` (n,) tells the items with
    two ratings and a time; `measured` has the means by period, "judge" (C, T), "people" (T,) and
    on a scale "bias" (C, T); `slopes` (C, 2) tell how much of a change of P shows in J.
    """

    crowd: Crowd
    columns: list[int]
    when: Floats
    periods: Periods
    agree: Floats
    pairs: Floats
    paired: Mask
    items: Ints
    measured: Mapping[str, Sampled]
    slopes: Floats
    test: Scan

    @classmethod
    def of(
        cls, crowd: Crowd, clock: Clock, columns: list[int], options: DriftOptions, n_groups: int
    ) -> "View":
        """The view of a crowd; several views share the level of the test."""
        when = clock.items[:, columns[0]]
        counts = crowd.judged.counts
        paired = (counts.sum(axis=1) > 1) & ~np.isnan(when)
        if not paired.any():
            raise UnanswerableError(
                "No item has both a time and the labels of two people, and without pairs nothing "
                "tells a change of the judge from one of the items: have some items rated twice."
            )
        periods = periods_of(
            np.where(paired, when, np.nan), clock.kind, options.period, clock.texts
        )
        items = np.bincount(periods.code[paired], minlength=len(periods))
        enough = items >= _LEAST_ITEMS
        if enough.sum() < 2:
            raise UnanswerableError(
                f"Fewer than two periods hold {_LEAST_ITEMS} items with the labels of two people: "
                "choose longer ones (--period), or have more items rated twice."
            )
        rows = np.arange(len(counts))
        agree = crowd.agreeing_shares(counts, rows)[0][:, columns]
        pairs = np.nan_to_num(pair_credit(counts, crowd.nearness.credit))
        statistic = partial(_by_period, crowd, columns, periods)
        measured = crowd.measure(lambda _: statistic, periods.code)
        slopes = explained(*_beyond_chance(crowd, columns, agree, pairs, paired))
        level = (1 - options.confidence) / n_groups
        test = scan(
            measured["judge"],
            measured["people"],
            np.where(enough, items, 0).astype(np.float64),
            slopes,
            parts=_parts(crowd, statistic),
            level=level,
            seed=options.seed,
        )
        return cls(
            crowd, columns, when, periods, agree, pairs, paired, items, measured, slopes, test
        )

    @property
    def enough(self) -> Mask:
        """Which periods (T,) hold enough items for a number."""
        return np.asarray(self.items >= _LEAST_ITEMS)

    def series(self, place: int, changed: str) -> Floats:
        """What to look for a change point in (n,): PP where people or items changed, else JP.

        JP less so much of PP as makes it vary least within periods, where people's agreement is not
        shown to change; where it is, JP − PP.
        """
        if "judge" not in changed:
            return self.pairs
        if changed != "judge":
            return np.asarray(self.agree[:, place] - self.pairs)
        code = self.periods.code[self.paired]
        j, p = (
            each[self.paired]
            - np.bincount(code, weights=each[self.paired])[code] / self.items[code]
            for each in (self.agree[:, place], self.pairs)
        )
        slope = float(j @ p) / float(p @ p) if float(p @ p) > 0 else 0.0
        return np.asarray(self.agree[:, place] - np.clip(slope, 0.0, 1.0) * self.pairs)

    def notes(self) -> list[str]:
        """What was left out."""
        found = []
        untimed = int(np.isnan(self.when).sum())
        if untimed:
            found.append(
                count(
                    untimed,
                    "item has no time and was left out.",
                    "items have no time and were left out.",
                )
            )
        alone = int((~self.paired).sum()) - untimed
        if alone > 0:
            found.append(
                count(alone, "item has", "items have")
                + " the label of one person only, which cannot be told from slips: left out here."
            )
        thin = [n for n, ok in zip(self.periods.names, self.enough, strict=True) if not ok]
        if thin:
            found.append(
                f"Fewer than {_LEAST_ITEMS} items in {', '.join(thin[:6])}"
                f"{' and more' if len(thin) > 6 else ''}: no number there."
            )
        return found


@frozen(eq=False)
class Raters:
    """Raters who stand out over their own course, and the label counts (n, L) without them.

    `counts` is None where nobody does who would make people agree less or more.
    """

    apart: tuple[DriftRater, ...]
    counts: Ints | None = None

    @classmethod
    def of(cls, crowd: Crowd, clock: Clock, view: View, options: DriftOptions) -> "Raters":
        """The raters of the judged items, where they are named and have times."""
        study = crowd.study
        if not study.ratings.named:
            return cls(())
        answers = study.ratings.answers().first()
        assert crowd.judged.items is not None
        row = positions(answers.items, crowd.judged.items)[answers.item]
        kept = row >= 0
        when = view.when[row] if clock.answers is None else clock.answers
        nearness = crowd.nearness
        told = Answered(
            row[kept],
            answers.rater[kept],
            answers.label[kept],
            when[kept],
            view.periods.code,
            nearness.credit,
            np.array(nearness.values) if nearness.has_order else None,
        )
        found = [
            each
            for each in courses(told, seed=options.seed)
            if each.defect and each.adjusted <= 1 - options.confidence
        ]
        apart = tuple(
            DriftRater(
                str(answers.raters[each.rater]),
                each.question,
                each.difference,
                each.adjusted,
                None if each.at is None else shown(each.at, clock.kind, clock.texts),
            )
            for each in found
        )
        blamed = [each.rater for each in found if "level" not in each.question]
        if not blamed:
            return cls(apart)
        counts = np.zeros_like(crowd.judged.counts)
        stay = ~np.isin(told.rater, blamed)
        np.add.at(counts, (told.item[stay], told.label[stay]), 1)
        return cls(apart, counts)

    def explain(self, view: View, since: float) -> bool:
        """Whether people changed in that these raters did: without them, the others did not."""
        if self.counts is None:
            return False
        after = view.when >= since
        rows = view.paired & (self.counts.sum(axis=1) > 1)
        rest = np.nan_to_num(pair_credit(self.counts, view.crowd.nearness.credit))
        sides = [rest[rows & side] for side in (~after, after)]
        if min(map(len, sides)) < _LEAST_ITEMS:
            return False
        gap = float(sides[1].mean() - sides[0].mean())
        error = math.sqrt(sum(float(side.var(ddof=1)) / len(side) for side in sides))
        whole = view.pairs[view.paired & after].mean() - view.pairs[view.paired & ~after].mean()
        return bool(abs(gap) < _NO_CHANGE * error and abs(gap) < abs(whole) / 2)


def _by_period(
    crowd: Crowd,
    columns: list[int],
    periods: Periods,
    counts: Ints,
    rows: Ints,
    times: NDArray[np.integer],
) -> Mapping[str, Floats]:
    """J_t (b, C, T) and P_t (b, T) of items drawn `times` (b, G); on a scale the bias too."""
    share, size = crowd.agreeing_shares(counts, rows)
    code = periods.code[rows]
    member = ((code[:, None] == np.arange(len(periods))) & (size > 1)[:, None]).astype(np.float64)
    drawn = times.astype(np.float64)
    number = drawn @ member
    pairs = np.nan_to_num(pair_credit(counts, crowd.nearness.credit))

    def mean(value: Floats) -> Floats:
        return ratio(drawn @ (member * value[:, None]), number)

    found = {
        "judge": np.stack([mean(share[:, c]) for c in columns], axis=1),
        "people": mean(pairs),
    }
    if crowd.nearness.has_order:
        said = crowd.numbers[rows][:, columns]
        middle = counts @ np.array(crowd.nearness.values) / np.maximum(size, 1)
        found["bias"] = np.stack([mean(np.nan_to_num(each - middle)) for each in said.T], axis=1)
    return found


# Random groups of items left out, to tell what items and raters both count.
_GROUPS = 10


def _parts(crowd: Crowd, statistic: Statistic) -> Parts | None:
    """J and P without groups of items, raters, and both; None where raters are no sample."""
    if not crowd.samples.plan.counts_raters:
        return None
    counts = crowd.judged.counts
    unit = np.arange(len(counts)) if crowd.samples.cluster is None else crowd.samples.cluster
    group = np.random.default_rng([0, 36]).integers(_GROUPS, size=int(unit.max()) + 1)[unit]
    times = np.ones((1 + _GROUPS, len(counts)), dtype=np.int64)
    times[1:][group, np.arange(len(counts))] = 0
    rows = np.arange(len(counts))
    tables = [counts, *crowd.samples.without(counts)]
    found = [statistic(each, rows, times) for each in tables]
    return Parts(
        np.stack([each["judge"] for each in found], axis=1),
        np.stack([each["people"] for each in found], axis=1),
    )


def _beyond_chance(
    crowd: Crowd, columns: list[int], agree: Floats, pairs: Floats, paired: Mask
) -> tuple[Floats, float, Floats, float]:
    """J (C,) and P over all items, and what they were if answers had nothing to do with items."""
    counts, credit = crowd.judged.counts[paired], crowd.nearness.credit
    share = (counts / counts.sum(axis=1, keepdims=True)).mean(axis=0)
    answers = crowd.answers[paired][:, columns]
    labels = np.arange(counts.shape[1])
    said = np.array([(each[:, None] == labels).mean(axis=0) for each in answers.T])
    return (
        agree[paired].mean(axis=0),
        float(pairs[paired].mean()),
        said @ credit @ share,
        float(share @ credit @ share),
    )


def _judge(
    crowd: Crowd, clock: Clock, options: DriftOptions, view: View, place: int, raters: Raters
) -> DriftJudge:
    """One judge of a view: what changed, since when, period by period."""
    test, column = view.test, view.columns[place]
    judge, people = test.judge_changed[place], test.people_changed
    changed = _named(bool(judge.any()), bool(people.any()))
    contrasts = judge | people
    lasting = _lasts(view, place, bool(judge.any()))
    point = None
    if changed != "nothing" and lasting:
        series = view.series(place, changed)
        cluster = None
        if crowd.samples.cluster is not None:
            cluster = crowd.samples.cluster[view.paired]
        point = change_point(
            series[view.paired],
            view.when[view.paired],
            cluster,
            confidence=options.confidence,
            seed=options.seed,
        )
    if point is not None and people.any() and raters.explain(view, point.at):
        changed = changed.replace("items or people", "people")
    largest = np.maximum(np.abs(test.judge[place]), np.abs(test.people)).max(initial=0.0)
    return DriftJudge(
        crowd.names[column],
        changed,
        None if point is None else _since(view, place, clock, point, options),
        _periods(view, place, options),
        test.chance(float(largest)),
        () if lasting else _apart(view, contrasts),
        *_alarm(view, place, clock, options),
    )


def _named(judge: bool, people: bool) -> str:
    if judge:
        return "judge and items or people" if people else "judge"
    return "items or people" if people else "nothing"


def _lasts(view: View, place: int, of_judge: bool) -> bool:
    """Whether a boundary parts the periods at least as well as any single one stands out.

    By the sum of squares that two means leave: of D where the judge changed, else of P. The last
    period alone is what comes after the last boundary, and counts as one.
    """
    series = view.measured["people"].value
    if of_judge:
        series = view.measured["judge"].value[place] - series
    contrasts = view.test.contrasts
    items = np.where(view.enough, view.items, 0).astype(np.float64)
    inside = (contrasts.after * items).sum(axis=1)
    gap = np.nan_to_num(series) @ contrasts.weights.T
    gain = gap**2 * inside * (items.sum() - inside)
    single = float(gain[~contrasts.split].max(initial=0.0))
    best = float(gain[contrasts.split].max(initial=0.0))
    return bool(as_good(best, single, scale=best))


def _apart(view: View, contrasts: Mask) -> tuple[str, ...]:
    """Periods that stand out alone."""
    marked = view.test.contrasts.after[contrasts & ~view.test.contrasts.split].any(axis=0)
    return tuple(np.array(view.periods.names)[marked].tolist())


def _alarm(
    view: View, place: int, clock: Clock, options: DriftOptions
) -> tuple[bool | None, str | float | None]:
    """Whether the judge is steady, and when the alarm fired; all judges share its level."""
    when = view.when[view.paired]
    if clock.kind == "date":
        when = np.floor(when)  # a day is a batch: the order within it has no say
    days, batch = np.unique(when, return_inverse=True)
    steady, fired = watch_judge(
        view.agree[view.paired, place],
        view.pairs[view.paired],
        batch.ravel(),
        float(view.slopes[place, 1]),
        error=(1 - options.confidence) / len(view.crowd.names),
    )
    at = None if fired is None else shown(float(days[fired]), clock.kind, clock.texts)
    return steady, at


def _since(
    view: View, place: int, clock: Clock, point: ChangePoint, options: DriftOptions
) -> Since:
    """The change, and how much more people agree with the judge since, and with each other."""
    after = view.when >= point.at
    halves = Periods(("before", "after"), np.zeros(2), np.where(view.paired, after, -1).astype(int))
    statistic = partial(_by_period, view.crowd, [view.columns[place]], halves)
    measured = view.crowd.measure(lambda _: statistic, halves.code)
    judge = measured["judge"].at(0)
    change = judge.at(1).less(judge.at(0)).on_scale(options.confidence)
    people = measured["people"].at(1).less(measured["people"].at(0)).on_scale(options.confidence)
    points = (point.at, point.low, point.high)
    return Since.at(points, clock.kind, clock.texts, change, people)


def _periods(view: View, place: int, options: DriftOptions) -> tuple[DriftPeriod, ...]:
    measured, confidence = view.measured, options.confidence
    worths = _worths(view, options)
    name = view.crowd.names[view.columns[place]]
    answers = view.crowd.answers[:, view.columns[place]]
    found = []
    for t, called in enumerate(view.periods.names):
        units = int(view.items[t])
        few = f"fewer than {_LEAST_ITEMS} items have the labels of two people here"
        if units < _LEAST_ITEMS:
            nothing = Estimate.undefined(few)
            agree = people = difference = worth = nothing
            bias = nothing if "bias" in measured else None
        else:
            judge = measured["judge"].at(place, t).among(units)
            pairs = measured["people"].at(t).among(units)
            agree = judge.on_scale(confidence, scale="share")
            people = pairs.on_scale(confidence, scale="share")
            difference = judge.less(pairs).on_scale(confidence)
            worth = worths if isinstance(worths, Estimate) else worths[t][name]
            bias = None
            if "bias" in measured:
                bias = measured["bias"].at(place, t).among(units).on_scale(confidence)
        found.append(
            DriftPeriod(
                called, units, agree, people, difference, worth, bias, _shares(view, t, answers)
            )
        )
    return tuple(found)


def _shares(view: View, t: int, answers: Ints) -> dict[str, float]:
    """What share of a judge's answers each label is in a period; others than labels aside."""
    here = answers[(view.periods.code == t) & (answers >= 0)]
    names = view.crowd.judged.labels.names
    share = np.bincount(here, minlength=len(names)) / max(len(here), 1)
    return {name: float(each) for name, each in zip(names, share, strict=True)}


def _worths(view: View, options: DriftOptions) -> tuple[dict[str, Estimate], ...] | Estimate:
    """What judges are worth in each period, or why that cannot be said."""
    known: dict[str, Any] = view.__dict__.setdefault("_known_worths", {})
    if "worths" not in known:
        asked = EquivalenceOptions.among(options.as_given())
        crowd, code = view.crowd, view.periods.code
        try:
            # A curve that is flat on a small part has gains of nought, whose logarithm is endless;
            # such places are told apart from no score.
            with np.errstate(divide="ignore", invalid="ignore"):
                known["worths"] = worth_by_part(
                    crowd.study, crowd.samples, code, len(view.periods), asked
                )
        except HeadcountError as error:
            known["worths"] = Estimate.undefined(str(error))
    return known["worths"]  # type: ignore[no-any-return]
