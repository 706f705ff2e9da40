"""Which system is best, and does a judge rank systems as people do? Check, compute, pack."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from headcount.arrays import Floats, Mask
from headcount.data import Study, as_study, full_block
from headcount.equivalence import met_at, reach_of
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options import RankOptions
from headcount.rank.position import position
from headcount.rank.ranking_result import (
    Favour,
    Flips,
    Position,
    RankedSlice,
    RankedSystem,
    Ranking,
    RankingCurve,
    RankingJudge,
    TwoSystems,
)
from headcount.rank.soft_pairwise import pairs_of
from headcount.rank.tournament import Asked, Tournament, tournament
from headcount.rank.verdicts import (
    MOST_PEOPLE,
    Field,
    Method,
    RankingsCompared,
    Verdicts,
    rankings_compared,
    single_answers_share,
    strengths_of,
)
from headcount.results import Estimate, Progress, no_progress
from headcount.sameness import exceeds, scale_of
from headcount.sampling import Bootstrap, Plan, Sampled
from headcount.sampling.crossing import Sides, crossing_interval, extended
from headcount.sampling.differences import Difference
from headcount.sampling.multiplicity import holm

_ONE_RATING = "no item has two people's answers, so that nobody can be compared with another"
_NO_SYSTEMS = "these comparisons name no systems"
_POWER = 0.8
"""How likely a plan is to tell the first two apart, if they differ as they seem to."""


def rank(
    ratings: Any,
    predictions: Any = None,
    *,
    strength: str = RankOptions.strength,
    positive: str | None = RankOptions.positive,
    two_way: bool | None = RankOptions.two_way,
    n_bootstrap: int = RankOptions.n_bootstrap,
    confidence: float = RankOptions.confidence,
    seed: int = RankOptions.seed,
    progress: Progress = no_progress,
) -> Ranking:
    """Which system is best by people, and does a judge rank systems as people do?

    Parameters
    ----------
    ratings : Ratings, Study, frame or path
        What people said: which of two systems is better (``Ratings.read(a=, b=, winner=)``; usual
        names are recognised), or labels or numbers for items that are each of one system (a column
        called system, model or the like, else ``Ratings.read(system=)``). What several systems were
        asked, a prompt or a document, is the cluster.
    predictions : Predictions, frame or path, optional
        What judges said, joined by item. A judge that saw both orders of a comparison counts by
        the mean of its two answers.
    strength : {"auto", "mean", "win-rate", "bradley-terry", "davidson"}
        What strong means: the mean of what is said of its items; of pairs the share won, or
        Bradley's and Terry's strength (auto), or Davidson's, which models ties.
    positive : str, optional
        The label that a judge's bare number is the probability of.
    two_way : bool, optional
        Whether raters are a sample too: by default where at least three are named.
    n_bootstrap, confidence, seed : int, float, int
        Bootstrap samples of prompts (0 for no intervals), confidence of intervals, seed.
    progress : callable, optional
        Wraps slow loops, as `tqdm` does.

    Returns
    -------
    Ranking
        `found["name"]` has a system's ``strength`` and ``rank``; ``found.judge("name")`` has
        ``soft_pairwise_accuracy``, ``worth`` and ``flips``.

    Notes
    -----
    For systems i and j let p be the one-sided chance, by the mean paired difference over its
    standard error, that i is no better than j by one person held out, and p′ the same by a judge:
    soft pairwise accuracy is ``1 − mean |p − p′|`` over pairs. The mean of k other people gives a
    curve s₀, s₁, …, and where the judge's meets it is its worth as a ranker, in people. Ranks are
    those that no claimed difference speaks against, all pairs looked at (Holm).

    References
    ----------
    Bradley and Terry (1952), Rank analysis of incomplete block designs. Biometrika 39.
    Davidson (1970), On extending the Bradley–Terry model to accommodate ties. JASA 65.
    Thompson et al. (2024), Improving statistical significance in human evaluation of automatic
    metrics via soft pairwise accuracy. WMT 2024.

    Examples
    --------
    >>> import headcount as hc, pyarrow as pa
    >>> said = {"prompt": [], "model_a": [], "model_b": [], "winner": []}
    >>> for prompt in range(60):
    ...     row = (prompt, "old", "new", "model_b" if prompt % 4 else "model_a")
    ...     for name, value in zip(said, row):
    ...         said[name].append(value)
    >>> found = hc.rank(hc.Ratings.from_frame(pa.table(said)))
    >>> found.verdict()
    'new is the best of 2 systems by people.'
    """
    options = RankOptions.among(locals())
    study = as_study(ratings, predictions, positive=positive)
    return ranked(study, options, progress)


def ranked(study: Study, options: RankOptions, progress: Progress = no_progress) -> Ranking:
    """Everything about the systems of a study, packed."""
    found = tournament(study, two_way=options.two_way)
    plan = Bootstrap.of(options)
    positions = {name: _position(asked, plan) for name, asked in found.asked.items()}
    if found.verdicts is None:
        judges = tuple(_without_systems(name, positions.get(name)) for name in found.judges)
        return Ranking(
            (), judges, people=positions.get(""), confidence=options.confidence, notes=found.notes
        )
    method = _method(options.strength, pairs=found.pairs)
    result = _Measured.of(found, found.verdicts, found.judges, method, plan, progress).packed(
        positions
    )
    slices = tuple(
        RankedSlice(name, value, _part(found, code == at, method, plan))
        for name, (values, code) in found.slices.items()
        for at, value in enumerate(values)
    )
    return replace(result, slices=slices, library=study.library)


def _part(found: Tournament, keep: Mask, method: Method, plan: Bootstrap) -> Ranking:
    """The same on some of the items."""
    assert found.verdicts is not None
    of, field = found.verdicts, found.verdicts.field
    units, unit = np.unique(field.unit[keep], return_inverse=True)
    second = None if field.second is None else field.second[keep]
    place = np.cumsum(keep) - 1
    stay = keep[of.item]
    rater, raters = None, 0
    if of.rater is not None:
        seen, rater = np.unique(of.rater[stay], return_inverse=True)
        raters = len(seen)
    part = Verdicts(
        Field(field.systems, field.first[keep], second, unit, len(units)),
        place[of.item[stay]],
        of.value[stay],
        rater,
        raters,
    )
    judges = {name: said[keep] for name, said in found.judges.items()}
    clusters = None if found.plan.clusters is None else len(units)
    samples = replace(
        found.plan,
        items=int(keep.sum()),
        clusters=clusters,
        raters=None if found.plan.raters is None else max(raters, 1),
    )
    smaller = replace(found, verdicts=part, judges=judges, plan=samples, notes=())
    return _Measured.of(smaller, part, judges, method, plan, no_progress).packed({})


def _method(asked: str, *, pairs: bool) -> Method:
    """What strong means, for what there is."""
    if asked == "auto":
        return "bradley-terry" if pairs else "mean"
    if (asked == "mean") == pairs:
        other = "win-rate, bradley-terry or davidson" if pairs else "mean"
        raise OptionError(
            f"strength={asked!r} is not for {'pairs' if pairs else 'items of one system each'}: "
            f"choose auto, {other} (--strength)."
        )
    methods: dict[str, Method] = {
        "mean": "mean",
        "win-rate": "win-rate",
        "bradley-terry": "bradley-terry",
        "davidson": "davidson",
    }
    return methods[asked]


def _position(asked: Asked, plan: Bootstrap) -> Position:
    found = position(asked.first, asked.second, asked.share, asked.cluster, plan=plan)
    return Position(found.asked, found.flipped, found.first)


def _without_systems(name: str, found: Position | None) -> RankingJudge:
    nothing = Estimate.undefined(_NO_SYSTEMS)
    return RankingJudge(name, nothing, nothing, _flips(found), first=_first(found))


def _flips(found: Position | None) -> Flips | None:
    return None if found is None or not found.asked else Flips(found.asked, found.flipped)


def _first(found: Position | None) -> Estimate | None:
    return None if found is None else found.first


@frozen(eq=False)
class _Measured:
    """A tournament with what is drawn of it, and how each number of it is sampled."""

    found: Tournament
    verdicts: Verdicts
    judges: dict[str, Floats]
    method: Method
    plan: Bootstrap
    times: Floats
    keeps: tuple[Mask, ...]
    single: float
    progress: Progress

    @classmethod
    def of(
        cls,
        found: Tournament,
        verdicts: Verdicts,
        judges: dict[str, Floats],
        method: Method,
        plan: Bootstrap,
        progress: Progress,
    ) -> "_Measured":
        units = np.ones(verdicts.field.units, dtype=np.int64)
        times = plan.item_draws(units).astype(np.float64)
        keeps = tuple(verdicts.without()) if found.plan.counts_raters else ()
        single = single_answers_share(verdicts) if keeps else 0.0
        return cls(found, verdicts, judges, method, plan, times, keeps, single, progress)

    @property
    def samples(self) -> Plan:
        """What is taken as a sample."""
        return self.found.plan

    def sampled(self, table: Callable[[Mask | None], Floats]) -> Sampled:
        """Means of the columns of a table (U, S), which is made anew without each rater."""
        whole = table(None)
        left = [table(keep).mean(axis=0) for keep in self.keeps]
        return Sampled(
            whole.mean(axis=0),
            self.times @ whole / len(whole),
            self._of_raters(np.array(left)) if left else None,
            self.samples,
        )

    def _of_raters(self, left: Floats) -> Floats:
        """Values without each rater, less what single answers do, which prompts bring already."""
        known = ~np.isnan(left)
        centre = np.where(known, left, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        return np.asarray(centre + (left - centre) * np.sqrt(1 - self.single))

    def packed(self, positions: dict[str, Position]) -> Ranking:
        """The result."""
        verdicts, confidence = self.verdicts, self.plan.confidence
        overall = strengths_of(verdicts.field, verdicts.mean(), self.method, tied=verdicts.tied())
        people = self.sampled(self._people)
        pairs = people.pairs(confidence, undefined="one of the two was never met")
        names = self.found.systems
        systems = tuple(
            RankedSystem(
                name,
                self._estimate(people.at(at), "this system was never met"),
                _rank_of(at, people.value, pairs, confidence),
            )
            for at, name in enumerate(names)
        )
        order = np.argsort(-np.nan_to_num(people.value, nan=-np.inf), kind="stable")
        notes = list(self.found.notes)
        if overall.shrunk:
            notes.append(_apart(overall.apart, names))
        curve, judges = self._as_rankers(people, positions)
        return Ranking(
            tuple(systems[at] for at in order),
            judges,
            pairs=tuple(
                TwoSystems(names[e.first], names[e.second], e.estimate, e.p_value, e.adjusted)
                for e in pairs
            ),
            curve=curve,
            people=positions.get(""),
            strength=self.method,
            items=len(verdicts.field.first),
            answers=len(verdicts.item),
            confidence=confidence,
            samples=self.samples,
            these=self.found.these,
            more=self._more(people, pairs, order),
            notes=tuple(dict.fromkeys(notes)),
        )

    def _estimate(self, of: Sampled, undefined: str) -> Estimate:
        if np.isnan(of.value):
            return Estimate.undefined(undefined)
        return of.on_scale(self.plan.confidence, undefined=undefined)

    def _people(self, keep: Mask | None) -> Floats:
        said, tied = self.verdicts.mean(keep), None
        if self.method == "davidson":
            tied = self.verdicts.tied(keep)
        return strengths_of(self.verdicts.field, said, self.method, tied=tied).table

    def _judged(self, said: Floats, keep: Mask | None) -> Floats:
        """A judge's strengths on the items that people rated."""
        rated = ~np.isnan(self.verdicts.mean(keep))
        told = np.where(rated, said, np.nan)
        return strengths_of(self.verdicts.field, told, self.method).table

    def _favours(self, said: Floats, keep: Mask | None) -> Floats:
        """How much more a judge gives each system than people do, on the same items.

        Of scores less what it gives all systems more: a judge that is harsh throughout favours
        none.
        """
        field = self.verdicts.field
        beyond = said - self.verdicts.mean(keep)
        if field.second is None:
            table = strengths_of(field, beyond, "mean").table
            return np.asarray(table - np.nanmean(table, axis=1, keepdims=True))
        return np.asarray(strengths_of(field, beyond + 0.5, "win-rate").table - 0.5)

    def _as_rankers(
        self, people: Sampled, positions: dict[str, Position]
    ) -> tuple[RankingCurve | None, tuple[RankingJudge, ...]]:
        """How judges rank, beside one, two, … people."""
        answered = {name: said for name, said in self.judges.items() if not np.isnan(said).all()}
        if not self.judges and int(self.verdicts.per_item.max(initial=0)) < 2:
            return None, ()  # nobody to compare, with nobody
        score, curve, why = self._compared(list(answered.values()))
        judges = []
        for name, said in self.judges.items():
            flips = positions.get(name)
            if name not in answered:
                nothing = Estimate.undefined("it answered no item that people rated")
                judges.append(RankingJudge(name, nothing, nothing, _flips(flips)))
                continue
            at = list(answered).index(name)
            own = self.sampled(partial(self._judged, said))
            favours: tuple[Favour, ...] = ()
            if name in self.found.on_scale:
                favours = self._favoured(self.sampled(partial(self._favours, said)))
            accuracy = score.at(at)
            judges.append(
                RankingJudge(
                    name,
                    self._share(accuracy),
                    self._worth(accuracy, curve, why),
                    _flips(flips),
                    first=_first(flips),
                    kendall=self._correlation(_kendall, people, own),
                    pearson=self._correlation(_pearson, people, own),
                    favours=favours,
                )
            )
        points = tuple(self._share(curve.at(k)) for k in range(len(curve.value)))
        return (None if why else RankingCurve(points)), tuple(judges)

    def _share(self, of: Sampled) -> Estimate:
        return of.on_scale(self.plan.confidence, scale="share")

    def _compared(self, judges: list[Floats]) -> tuple[Sampled, Sampled, str | None]:
        """Soft pairwise accuracy of judges (J,), of people (K,), and why there is no curve."""
        per_item = self.verdicts.per_item
        several = int(per_item.max(initial=0)) > 1
        people, used = 0, per_item > 0
        if several:
            block = full_block(per_item)
            people, used = min(block.raters - 1, MOST_PEOPLE), block.keep
        for said in judges:  # all on the same items, people too
            used = used & ~np.isnan(said)
        orders = self.verdicts.deals(seed=self.plan.seed)
        once = np.ones((1, self.verdicts.field.units))

        def compared(keep: Mask | None, people: int, times: Floats) -> RankingsCompared:
            return rankings_compared(
                self.verdicts,
                judges,
                self.method,
                used=used,
                people=people,
                orders=orders,
                times=times,
                keep=keep,
            )

        whole = compared(None, people, np.concatenate([once, self.times]))
        left_score, left_curve = None, None
        if self.keeps:
            fewer = max(people - 1, 0) if several else 0
            keeps = self.progress(
                self.keeps, total=len(self.keeps), description="Rankings without each rater"
            )
            left = [compared(keep, fewer, once) for keep in keeps]
            left_score = self._of_raters(np.concatenate([each.score for each in left]))
            left_curve = self._of_raters(
                extended(np.concatenate([each.curve for each in left]), whole.curve[0])
            )
        return (
            Sampled(whole.score[0], whole.score[1:], left_score, self.samples),
            Sampled(whole.curve[0], whole.curve[1:], left_curve, self.samples),
            None if several else _ONE_RATING,
        )

    def _worth(self, score: Sampled, curve: Sampled, why: str | None) -> Estimate:
        """How many people rank as nearly like one more person as the judge does."""
        if why is not None:
            return Estimate.undefined(why)
        upto = reach_of(curve.value) + 1
        if upto < 2:
            return Estimate.undefined("people rank no more alike than somebody who knows nothing")
        value = float(met_at(score.value[None], curve.value[None, :upto])[0])
        without = None
        if score.without is not None and curve.without is not None:
            without = Sides(score.without, curve.without[:, :upto])
        if not len(score.draws):
            return Estimate(
                value if np.isfinite(value) else None,
                state="within" if np.isfinite(value) else ("above" if value > 0 else "below"),
                floor=0.0,
                ceiling=float(upto - 1),
            )
        return crossing_interval(
            value,
            Sides.of(score.value, curve.value[:upto]),
            Sides(score.draws, curve.draws[:, :upto]),
            without,
            plan=self.samples,
            confidence=self.plan.confidence,
        )

    def _correlation(
        self, measure: Callable[[Floats, Floats], Floats], people: Sampled, own: Sampled
    ) -> Estimate:
        known = ~(np.isnan(people.value) | np.isnan(own.value))
        if known.sum() < 2:
            return Estimate.undefined("fewer than two systems have both strengths")
        found = people.at(known).through(measure, own.at(known))
        return found.estimate(
            self.plan.confidence, scale="coefficient", undefined="all strengths are the same"
        )

    def _favoured(self, found: Sampled) -> tuple[Favour, ...]:
        rows = []
        for at, name in enumerate(self.found.systems):
            estimate, p = found.at(at).difference(
                self.plan.confidence, undefined="no item of this system was answered by both"
            )
            rows.append((name, estimate, p))
        adjusted = holm([np.nan if p is None else p for _, _, p in rows])
        return tuple(
            Favour(name, estimate, None if np.isnan(level) else float(level))
            for (name, estimate, _), level in zip(rows, adjusted, strict=True)
        )

    def _more(
        self, people: Sampled, pairs: tuple[Difference, ...], order: np.ndarray
    ) -> int | None:
        """How many more items would tell the first two apart; None where they are, or cannot be."""
        if len(order) < 2 or not len(people.draws):
            return None
        first, second = sorted(order[:2].tolist())
        pair = next(e for e in pairs if (e.first, e.second) == (first, second))
        gap = pair.estimate.value
        if pair.adjusted is None or gap is None or pair.claimed(1 - self.plan.confidence):
            return None
        units = self.samples.units
        spread = float(np.std(people.draws[:, first] - people.draws[:, second], ddof=1))
        if not exceeds(abs(gap), 0.0, scale=scale_of(people.value)):
            return None
        # As many looks as now: Holm's first threshold, all pairs still open.
        level = (1 - self.plan.confidence) / max(len(pairs), 1)
        reach = special.ndtri(1 - level / 2) + special.ndtri(_POWER)
        times = (reach * spread / abs(gap)) ** 2
        items = len(self.verdicts.field.first)
        return int(np.ceil(max(times - 1, 0.0) * items)) if units else None


def _apart(groups: tuple[tuple[int, ...], ...], names: tuple[str, ...]) -> str:
    """Which systems cannot be compared, and what was done."""
    shown = "; ".join(", ".join(names[each] for each in group) for group in groups[:4])
    more = f" and {len(groups) - 4} more" if len(groups) > 4 else ""
    return (
        f"Some systems never lost to, or never met, others, so that their strengths would be "
        f"infinite ({shown}{more}): each was granted one drawn comparison with the average system."
    )


def _rank_of(at: int, value: Floats, pairs: tuple[Difference, ...], confidence: float) -> Estimate:
    """A system's rank, and the ranks that no claimed difference speaks against."""
    if np.isnan(value[at]):
        return Estimate.undefined("this system was never met")
    scale = scale_of(value)
    others = value[~np.isnan(value)]
    place = 1.0 + int(exceeds(others, value[at], scale=scale).sum())
    known = [e for e in pairs if at in (e.first, e.second) and e.adjusted is not None]
    if not known:
        return Estimate(place)
    better = worse = 0
    for each in known:
        if not each.claimed(1 - confidence) or each.estimate.value is None:
            continue
        ahead = each.estimate.value if each.first == at else -each.estimate.value
        better, worse = better + (ahead < 0), worse + (ahead > 0)
    low, high = 1.0 + better, float(len(others) - worse)
    again = partial(_rank_of, at, value, pairs)
    return Estimate(place, min(low, place), max(high, place), reread=again)


def _kendall(one: Floats, other: Floats) -> Floats:
    """Concordant less discordant pairs over all, (…) of strengths (…, S): Kendall's tau a."""
    first, second = pairs_of(one.shape[-1])
    a, b = one[..., first] - one[..., second], other[..., first] - other[..., second]
    return np.asarray((np.sign(a) * np.sign(b)).mean(axis=-1))


def _pearson(one: Floats, other: Floats) -> Floats:
    """Pearson's correlation of strengths (…, S), NaN where one of them never varies."""
    a, b = (each - each.mean(axis=-1, keepdims=True) for each in (one, other))
    scale = np.sqrt((a**2).sum(axis=-1) * (b**2).sum(axis=-1))
    top = (a * b).sum(axis=-1)
    return np.asarray(np.divide(top, scale, out=np.full(scale.shape, np.nan), where=scale > 1e-300))
