"""A judge asked several times, and in several ways: what runs bring, and how often it flips."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier, Study, group_rows
from headcount.door import positions, texts, whole
from headcount.equivalence import PowerCurve, worth_on
from headcount.population import label_scores, score_of
from headcount.results import Cell, Estimate, Record, Table, record
from headcount.results.words import number_word, worth_text
from headcount.sampling.people import rater_variance
from headcount.together.judge_pool import JudgeReading
from headcount.together.panel_scores import mean_scores
from headcount.together.run_surveys import Keeping, RunStates, flips_between, flips_within
from headcount.together.team_curve import Dealt, Team

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_RUNS = (1, 2, 3, 5, 10, 20)
"""How many runs are looked at, beside all there are."""

_WORTH_IT = 0.1
"""People by which fewer runs may be worth less than all of them and still be enough."""


@record
class RunsWorth(Record):
    """What so many `runs` are worth, by what is kept of them.

    `majority` the commonest label, `mean` the mean level of ordered labels (None of names), `kept`
    how often each label came.
    """

    runs: int
    majority: Estimate
    mean: Estimate | None
    kept: Estimate


@record
class JudgeRuns(Record):
    """One judge, asked in one way: what 1, 2, 3, … of its runs are `worth`, and how often it flips.

    `flips` is how often two runs on an item give different labels.
    """

    name: str
    worth: tuple[RunsWorth, ...]
    flips: Estimate

    @property
    def enough(self) -> int:
        """The fewest runs that, labels kept, are worth as much as all, to .1 people."""
        most = max(_number(each.kept) for each in self.worth)
        near = (each.runs for each in self.worth if _number(each.kept) >= most - _WORTH_IT)
        return next(near, self.worth[-1].runs)

    def sentence(self) -> str:
        """What a second run brings, and what keeping all of them does."""
        one = self.worth[0]
        if one.majority.value is None or len(self.worth) < 2:
            return f"What further runs of {self.name} are worth cannot be told."
        second, all_runs = self.worth[1], self.worth[-1]
        said = f"{self.name} is worth {_worth(one.majority)} by one run"
        if second.majority.value is not None:
            brought = second.majority.value - one.majority.value
            more = f"{max(brought, 0.0):.1f} more" if brought >= _NOTHING else "no more"
            said += f"; a second one, by majority, is worth {more}"
        kept = all_runs.kept
        return (
            f"{said}. How often each label came in {number_word(all_runs.runs)} runs is worth "
            f"{_worth(kept)}, of which {number_word(self.enough)} "
            f"{'brings' if self.enough == 1 else 'bring'} nearly all."
        )


@record
class JudgeVariants(Record):
    """One judge asked in several ways (prompts, orders): how often rewording changes its label.

    `within` is how often two runs of one variant differ, `between` how often runs of two variants
    do, `beyond` what rewording adds to asking again, each on average over pairs of variants and
    items. `agree` is the share of people who agree with one answer of one variant; `errors` how far
    it may be off by each of what was drawn: items, people, runs and variants.
    """

    judge: str
    variants: tuple[str, ...]
    within: Estimate
    between: Estimate
    beyond: Estimate
    agree: Estimate
    errors: dict[str, float]

    def sentence(self) -> str:
        """Whether rewording turns more answers than asking again does."""
        return (
            f"{self.judge} gives another label in {self.within.share_text()} of cases when it is "
            f"asked again, and in {self.between.share_text()} when it is asked in another way."
        )


def runs_of(
    team: Team, study: Study, curve: PowerCurve
) -> tuple[tuple[JudgeRuns, ...], tuple[JudgeVariants, ...]]:
    """What several answers on an item tell of each classifier that gave them, and of variants."""
    asked = _answers(team, study)
    repeated = {name: each for name, each in asked.items() if _repeated(each)}
    if not repeated:
        return (), ()
    code = group_rows(*(each for each in asked.values())).of_row
    dealt = team.dealt(Classifier("", codes=code))
    runs = tuple(_of_judge(team, dealt, curve, name, each) for name, each in repeated.items())
    return runs, _variants(team, study, curve, asked)


def _repeated(answers: Ints) -> bool:
    return bool((answers.sum(axis=1) > 1).any())


def _answers(team: Team, study: Study) -> dict[str, Ints]:
    """How often each classifier gave each label to each judged item (n, L + 1), others last."""
    judged, predictions = team.found.judged, study.predictions
    if predictions is None or predictions.runs is None or judged.items is None:
        return {}
    table, labels = predictions.runs, judged.labels
    row = positions(texts(whole(table["item"])), judged.items)
    names = np.array(texts(whole(table["classifier"])), dtype=object)
    said = table["answer"].to_pylist()
    meaning = {text: predictions.mapping.get(text or "", text or "") for text in set(said)}
    codes = {text: labels.code(name) for text, name in meaning.items()}
    code = np.array([codes[text] for text in said])
    found = {}
    for name in predictions.names:
        here = (names == name) & (row >= 0)
        shape = (len(judged.counts), labels.n + 1)
        place = row[here] * shape[1] + np.where(code[here] >= 0, code[here], labels.n)
        counted = np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape)
        if counted.any():
            found[name] = counted.astype(np.int64)
    return found


def _of_judge(team: Team, dealt: Dealt, curve: PowerCurve, name: str, answers: Ints) -> JudgeRuns:
    most = int(answers.sum(axis=1).max())
    ordered = team.found.question.ordered
    ways: tuple[Keeping, ...] = ("majority", "mean", "kept") if ordered else ("majority", "kept")
    sizes, scores = [], []
    for runs in sorted({*(each for each in _RUNS if each < most), most}):
        states = RunStates.of(answers, runs)
        if states is not None:
            sizes.append(runs)
            scores += [_scores(team, dealt, states, way) for way in ways]
    values, draws, without = mean_scores(team, dealt, np.array(scores))
    worths = [
        worth_on(curve, float(value), draws[:, at], None if without is None else without[:, at])
        for at, value in enumerate(values)
    ]
    rows = []
    for place, runs in enumerate(sizes):
        of = dict(zip(ways, worths[place * len(ways) :], strict=False))
        rows.append(RunsWorth(runs, of["majority"], of.get("mean"), of["kept"]))
    return JudgeRuns(name, tuple(rows), _mean_known(team, curve, flips_within(answers)))


def _scores(team: Team, dealt: Dealt, states: RunStates, way: Keeping) -> Floats:
    """What each label would score on each item (n, L), on average over choices of runs."""
    found, question = team.found, team.found.question
    counts, score = found.judged.counts, score_of(question.scorer)
    assert score is not None
    row, judge, chance = states.kept_as(way)
    share = counts / counts.sum(axis=1, keepdims=True)
    # Alike in what is kept and in their fold, runs of different items are read once.
    cells = group_rows(dealt.fold[row], judge.outputs())
    fold, judge = dealt.fold[row[cells.first]], judge.take(cells.first)
    held = np.bincount(cells.of_row, weights=chance).astype(np.float64)
    told = [np.bincount(cells.of_row, weights=chance * each[row]) for each in share.T]
    shares = np.column_stack(told) / held[:, None]
    scored = np.empty((len(fold), counts.shape[1]))
    for each in np.unique(dealt.fold):
        own = fold == each
        others = np.flatnonzero(~own)
        reading = JudgeReading.learn(judge.take(others), shares[others], held[others])
        scored[own] = label_scores(reading.of(judge.take(own)), score, question.clip)
    mean = np.zeros(counts.shape)
    np.add.at(mean, row, chance[:, None] * scored[cells.of_row])
    return mean


def _mean_known(team: Team, curve: PowerCurve, of_items: Floats) -> Estimate:
    """The mean over items where it is known, with its interval over items or their clusters."""
    known = ~np.isnan(of_items)
    if not known.any():
        return Estimate.undefined("no item has two answers that are labels")
    both = np.column_stack([np.where(known, of_items, 0.0), known])
    values, draws = team.found.in_samples(both)
    sampled = curve.asked.sampled(values, draws, None)
    return curve.asked.estimate(sampled.at(0).through(_ratio, sampled.at(1)))


def _ratio(first: Floats, second: Floats) -> Floats:
    share: Floats = np.full(np.shape(first), np.nan)
    np.divide(first, second, out=share, where=second > 0)
    return share


def _variants(
    team: Team, study: Study, curve: PowerCurve, asked: dict[str, Ints]
) -> tuple[JudgeVariants, ...]:
    assert study.predictions is not None
    assert study.predictions.runs is not None
    table = study.predictions.runs
    if "judge" not in table.column_names:
        return ()
    names = zip(table["judge"].to_pylist(), table["classifier"].to_pylist(), strict=True)
    judges: dict[str, list[str]] = {}
    for judge, name in dict.fromkeys(names):
        if name in asked:
            judges.setdefault(judge, []).append(name)
    return tuple(
        _of_variants(team, curve, judge, [(name, asked[name]) for name in variants])
        for judge, variants in judges.items()
        if len(variants) > 1
    )


def _of_variants(
    team: Team, curve: PowerCurve, judge: str, variants: Sequence[tuple[str, Ints]]
) -> JudgeVariants:
    answers = [each for _, each in variants]
    within = _mean_of_rows([flips_within(each) for each in answers])
    between = _mean_of_rows([flips_between(a, b) for a, b in combinations(answers, 2)])
    counts = team.found.judged.counts
    agree, of_runs = [], []
    for each in answers:
        mean, spread = _agreeing(each, counts)
        agree.append(mean)
        of_runs.append(spread)
    of_items = _mean_of_rows(agree)
    shared = _mean_known(team, curve, of_items)
    n = len(counts)
    means = [float(np.nanmean(each)) for each in agree]
    people = []
    found = team.found
    if found.left is not None and found.samples.part is None:
        for own in found.samples.without(counts):
            rated = own.sum(axis=1) > 0
            people.append(float(np.nanmean(_mean_agreeing(answers, own)[rated])))
    errors = {
        "items": float(np.nanstd(of_items) / np.sqrt(n)),
        "people": float(np.sqrt(rater_variance(np.array(people)))) if len(people) > 1 else 0.0,
        "runs": float(np.sqrt(np.mean(of_runs) / n)),
        "variants": float(np.std(means, ddof=1)),
    }
    return JudgeVariants(
        judge,
        tuple(name for name, _ in variants),
        _mean_known(team, curve, within),
        _mean_known(team, curve, between),
        _mean_known(team, curve, between - within),
        shared,
        errors,
    )


def _agreeing(answers: Ints, counts: Ints) -> tuple[Floats, Floats]:
    """The share of people who agree with a run on each item (n,), and its variance over runs."""
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    share = np.column_stack([share, np.zeros(len(share))])
    said = answers / np.maximum(answers.sum(axis=1, keepdims=True), 1)
    mean = (said * share).sum(axis=1)
    spread = (said * share**2).sum(axis=1) - mean**2
    return np.where(answers.sum(axis=1) > 0, mean, np.nan), spread


def _mean_agreeing(answers: Sequence[Ints], counts: Ints) -> Floats:
    return _mean_of_rows([_agreeing(each, counts)[0] for each in answers])


def _mean_of_rows(each: Sequence[Floats]) -> Floats:
    """The mean over what is known of each item (n,); NaN where nothing is."""
    table = np.array(each)
    known = ~np.isnan(table)
    found: Floats = np.full(table.shape[1], np.nan)
    summed = np.where(known, table, 0.0).sum(axis=0)
    np.divide(summed, known.sum(axis=0), out=found, where=known.any(axis=0))
    return found


def runs_tables(runs: Sequence[JudgeRuns], variants: Sequence[JudgeVariants]) -> tuple[Table, ...]:
    """What further runs are worth, and how often judges flip."""
    found = []
    if runs:
        rows: list[tuple[Cell, ...]] = []
        for judge in runs:
            for each in judge.worth:
                mean = "–" if each.mean is None else worth_text(each.mean, noun="")
                majority, kept = (worth_text(e, noun="") for e in (each.majority, each.kept))
                rows.append((judge.name, each.runs, majority, mean, kept))
        found.append(
            Table(
                "What runs of a judge are worth (people)",
                ("classifier", "runs", "commonest label", "mean level", "all labels kept"),
                tuple(rows),
                caption="On average over all choices of so many runs; calibrated on other items.",
                id="runs",
            )
        )
    if variants:
        found.append(
            Table(
                "How often a judge changes its label",
                ("judge", "asked again", "asked in another way", "rewording adds"),
                tuple(
                    (e.judge, *(x.share_text() for x in (e.within, e.between, e.beyond)))
                    for e in variants
                ),
                caption="Of pairs of answers on an item that are labels.",
                id="flips",
            )
        )
    return tuple(found)


_NOTHING = 0.05
"""People less than which a second run brings no more."""


def _number(estimate: Estimate) -> float:
    if estimate.value is not None:
        return estimate.value
    return np.inf if estimate.state == "above" else 0.0


def _worth(worth: Estimate) -> str:
    return "nothing" if worth.state == "below" else worth_text(worth, " people")
