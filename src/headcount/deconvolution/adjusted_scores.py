"""Scores before and after people's slips are set aside, beside the paper's oracle."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from headcount.arrays import Floats
from headcount.deconvolution.contenders import Kind, Part, ScoringRule
from headcount.deconvolution.expected import Scored, View, point_scores, sampled_scores
from headcount.deconvolution.jury import Jury
from headcount.deconvolution.rates import FlipRates
from headcount.deconvolution.sources import Method
from headcount.errors import OptionError
from headcount.results import (
    Cell,
    Estimate,
    Progress,
    Record,
    Result,
    Table,
    hidden,
    no_progress,
    record,
)
from headcount.sampling import Bootstrap, Plan, Sampled
from headcount.sampling.scales import ScaleName

WHAT_THE_ORACLE_IS = (
    "What most raters of an item said (the oracle of the paper on this method) is picked by the "
    "very labels it is scored on: it is flattered where ratings are few, its raw score above all, "
    "and it is no ceiling."
)
_SLIPS_HIDE_IT = "slips are so common that answers say nothing"


@record
class Score(Record):
    """One classifier, or an oracle, by one scorer; `kind` says which.

    `aggregated` is the score against the majority label, `raw` against every label as given,
    `adjusted` against primary labels; each with its bootstrap interval. `bound_low` and
    `bound_high` are the adjusted score at the 5th and 95th percentile of the flip rates, in
    rising order; None where the rates were given. `of_oracle` is the adjusted score as a
    share of that of the paper's oracle. `sampled` is the adjusted score in samples.
    """

    name: str
    kind: Kind
    scorer: str
    aggregated: Estimate
    raw: Estimate
    adjusted: Estimate
    of_oracle: Estimate
    bound_low: float | None
    bound_high: float | None
    sampled: Sampled | None = hidden(default=None, compare=False)


@record
class Scores(Result):
    """Classifiers and the paper's oracle by one or more scorers.

    `classifiers` and `oracle` hold a `Score` for each scorer; `classifiers` is empty where the
    oracle alone was asked for. The oracle always says what most people said; `soft_oracle`
    says what share of people hold each label, for scorers that read probabilities, and is
    there where a classifier gives probabilities, or where it was asked for.
    With a single classifier and a single scorer, or the oracle and a single scorer,
    `aggregated`, `raw`, `adjusted` and `of_oracle` are its estimates; otherwise pick one:
    `scores["model"]`, `scores["model", "f1"]`, `scores.oracle_for("f1")`.
    """

    items_used: int
    items_dropped: int
    positive: str | None
    confidence: float
    method: Method
    flips: FlipRates = hidden()
    classifiers: tuple[Score, ...] = ()
    oracle: tuple[Score, ...] = ()
    soft_oracle: tuple[Score, ...] = ()
    notes: tuple[str, ...] = hidden(default=())
    samples: Plan | None = hidden(default=None)

    rows: ClassVar[str] = "everyone"
    also = ("flips", "single", "unchecked")
    named: ClassVar[Mapping[str, str]] = {"flips": "flip_rate"}
    unfolded = ("single",)

    @property
    def everyone(self) -> tuple[Score, ...]:
        """The classifiers' scores, then the oracles'."""
        return (*self.classifiers, *self.oracle, *self.soft_oracle)

    @property
    def scorers(self) -> tuple[str, ...]:
        """The scorers' names."""
        return tuple(dict.fromkeys(score.scorer for score in self.oracle))

    @property
    def aggregated(self) -> Estimate:
        """Against the majority label."""
        return self._only().aggregated

    @property
    def raw(self) -> Estimate:
        """Against every label as given."""
        return self._only().raw

    @property
    def adjusted(self) -> Estimate:
        """Against primary labels."""
        return self._only().adjusted

    @property
    def of_oracle(self) -> Estimate:
        """The adjusted score as a share of the oracle's."""
        return self._only().of_oracle

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """The adjusted score at the 5th and 95th percentile of the flip rates."""
        only = self._only()
        return only.bound_low, only.bound_high

    def __getitem__(self, which: str | tuple[str, str]) -> Score:
        name, scorer = which if isinstance(which, tuple) else (which, self.scorers[0])
        for score in self.classifiers:
            if (score.name, score.scorer) == (name, scorer):
                return score
        names = dict.fromkeys(score.name for score in self.classifiers)
        raise OptionError(
            f"There is no score of {name!r} by {scorer!r} here: there are "
            f"{', '.join(names) or 'no classifiers'} by {', '.join(self.scorers)}."
        )

    def sampled(self, names: Sequence[str], scorer: str | None = None) -> Sampled:
        """The adjusted scores (C,) of some classifiers, in the same samples of items and raters."""
        wanted = self.scorers[0] if scorer is None else scorer
        every = [self[name, wanted].sampled for name in names]
        return Sampled.side_by_side([each for each in every if each is not None])

    def oracle_for(self, scorer: str | None = None, *, soft: bool = False) -> Score:
        """The paper's oracle by a scorer (the first by default), or its soft one."""
        wanted = self.scorers[0] if scorer is None else scorer
        for score in self.soft_oracle if soft else self.oracle:
            if score.scorer == wanted:
                return score
        raise OptionError(
            f"There is no {'soft ' if soft else ''}oracle by {wanted!r} here: "
            f"there is one by {', '.join(self.scorers)}."
        )

    def verdict(self) -> str:
        """How many people would agree, in one sentence."""
        scorer = self.scorers[0]
        if not self.classifiers:
            if self._one_person:
                return (
                    "One person gave these labels, and what other people hold they cannot tell: "
                    "have a second person label some of the same items."
                )
            return _oracle_sentence(self.oracle_for(scorer), self.flips)
        best = max(
            (score for score in self.classifiers if score.scorer == scorer),
            key=lambda score: -np.inf if score.adjusted.value is None else score.adjusted.value,
        )
        raw = "" if self.flips.method == "none" else f" ({_short(best.raw, scorer)} as given)"
        if scorer == "accuracy" and self._one_person:
            return (
                f"{best.name} decides as this one person would on "
                f"{best.adjusted.text(percent=True)} of items{raw}; what other people would say, "
                "one person's labels cannot tell."
            )
        if scorer == "accuracy":
            return (
                f"{best.name} decides as {best.adjusted.text(percent=True)} of people would{raw}."
            )
        return f"{best.name} has an adjusted {scorer} of {best.adjusted.text()}{raw}."

    @property
    def _one_person(self) -> bool:
        """Whether one person with a name gave all labels."""
        return self.samples is not None and self.samples.raters == 1

    def tables(self) -> tuple[Table, ...]:
        """The scores, scorer by scorer, and the flip rates."""
        return (self._table(), *self.flips.tables())

    def assumptions(self) -> tuple[str, ...]:
        """What the adjusted scores rest on."""
        evenly = (
            "A slip lands on each of the other labels alike, and is as likely on every item of "
            "a stratum and for every rater."
        )
        return (
            self.flips.sentence(),
            *self.flips.memory(),
            *((evenly,) if self.flips.method != "none" else ()),
            "The raters stand for the people whose agreement is meant.",
            WHAT_THE_ORACLE_IS,
            *(() if self.samples is None else (self.samples.speaks(),)),
        )

    def unchecked(self) -> tuple[str, ...]:
        """What was left out, and what could not be computed."""
        undefined = {
            f"{score.name}, {score.scorer}: {estimate.note}."
            for score in self.everyone
            for estimate in (score.aggregated, score.raw, score.adjusted)
            if estimate.note
        }
        return (*self.flips.notes, *self.notes, *sorted(undefined))

    @property
    def single(self) -> Score | None:
        """The score, where there is only one to speak of: in JSON it stands at the top."""
        asked = self.classifiers or self.oracle
        return asked[0] if len(asked) == 1 else None

    def _only(self) -> Score:
        asked = self.classifiers or self.oracle
        if len(asked) != 1:
            which = ", ".join(f"[{score.name!r}, {score.scorer!r}]" for score in asked[:4])
            raise OptionError(f"There are {len(asked)} scores here: pick one, such as {which}.")
        return asked[0]

    def _table(self) -> Table:
        scores = [
            each for scorer in self.scorers for each in self.everyone if each.scorer == scorer
        ]
        bounded = any(score.bound_low is not None for score in scores)
        heads = ["scorer", "", "aggregated", "raw", "adjusted", *(["bounds"] if bounded else [])]
        rows = []
        for score in scores:
            row: list[Cell] = [
                score.scorer,
                score.name,
                score.aggregated.value,
                score.raw.value,
                score.adjusted,
            ]
            if bounded:
                row.append(_range(score.bound_low, score.bound_high))
            rows.append((*row, share(score.of_oracle)))
        return Table(
            "Scores against the majority label, all labels as given, and primary labels",
            (*heads, "of oracle"),
            tuple(rows),
            id="scores",
        )


def score_parts(
    jury: Jury,
    parts: Sequence[Part],
    scorers: Sequence[ScoringRule],
    plan: Bootstrap,
    *,
    bounded: bool,
    method: Method = "unbiased",
    samples: Sequence[Plan] | None = None,
    clusters: Any = None,
    tables: Iterable[tuple[Jury, Sequence[Part]]] = (),
    elsewhere: tuple[Jury, Sequence[Part]] | None = None,
    progress: Progress = no_progress,
) -> list[tuple[Score, ...]]:
    """Every contender of each part by every scorer.

    `samples`, `clusters`, `tables` and `elsewhere` as in `sampled_scores`; items alone are a
    sample by default.
    """
    if samples is None:
        samples = [Plan(max(int(jury.size[part.rows].sum()), 1)) for part in parts]
    points = point_scores(jury, parts, scorers, method)
    drawn = sampled_scores(
        jury,
        parts,
        scorers,
        plan,
        method,
        samples=samples,
        clusters=clusters,
        tables=tables,
        elsewhere=elsewhere,
        progress=progress,
    )
    return [
        _packed(part, scorers, point, each, plan.confidence, bounded)
        for part, point, each in zip(parts, points, drawn, strict=True)
    ]


_SCALES: dict[tuple[float | None, float | None], ScaleName] = {
    (0.0, 1.0): "share",
    (-1.0, 1.0): "coefficient",
}
"""On which scale a score of these bounds is nearest to symmetric; plainly, where it has others."""


def _packed(
    part: Part,
    scorers: Sequence[ScoringRule],
    point: Scored,
    drawn: Mapping[View, Sampled],
    confidence: float,
    bounded: bool,
) -> tuple[Score, ...]:
    oracle = next(c for c, each in enumerate(part.contenders) if each.kind == "oracle")
    scores = []
    for c, contender in enumerate(part.contenders):
        for m, scorer in enumerate(scorers):
            why, scale = scorer.rule.undefined, _SCALES.get(scorer.rule.bounds, "plain")
            raw = drawn["raw"].at(c, m).estimate(confidence, scale=scale, undefined=why)
            held = drawn["adjusted"].at(c, m)
            ends = sorted(
                float(point[view][c, m]) for view in ("adjusted_low", "adjusted", "adjusted_high")
            )
            known = bounded and bool(np.isfinite(ends).all())
            scores.append(
                Score(
                    contender.name,
                    contender.kind,
                    scorer.name,
                    drawn["aggregated"].at(c, m).estimate(confidence, scale=scale, undefined=why),
                    raw,
                    held.estimate(
                        confidence,
                        scale=scale,
                        undefined=why if raw.value is None else _SLIPS_HIDE_IT,
                    ),
                    _of_oracle(held, drawn["adjusted"].at(oracle, m), confidence),
                    ends[0] if known else None,
                    ends[-1] if known else None,
                    held,
                )
            )
    return tuple(scores)


def _of_oracle(score: Sampled, oracle: Sampled, confidence: float) -> Estimate:
    """The score as a share of the oracle's; only scores that start at zero have shares."""
    if not (np.isfinite(score.value) and np.isfinite(oracle.value)):
        return Estimate.undefined("a score is missing")
    if score.value < 0 or oracle.value <= 0:
        return Estimate.undefined("a share of the oracle needs scores of zero and more")

    def share(own: Floats, best: Floats) -> Floats:
        out: Floats = np.full(own.shape, np.nan)
        return np.divide(own, best, out=out, where=best > 0)

    why = "the oracle's score is not above zero"
    return score.through(share, oracle).estimate(confidence, scale="positive", undefined=why)


def _oracle_sentence(oracle: Score, flips: FlipRates) -> str:
    scorer, adjusted, raw = oracle.scorer, oracle.adjusted, oracle.raw
    unknown = flips.method == "none"
    if scorer == "accuracy":
        held = (
            "their slips included: no flip rate is known"
            if unknown
            else f"{_short(raw, scorer)} gave it"
        )
        return (
            f"{adjusted.text(percent=True)} of people hold the label that most raters of an item "
            f"gave ({held}): the paper's oracle, picked by the very labels it is scored on."
        )
    return (
        f"The paper's oracle, which always says what most people said, has an adjusted {scorer} of "
        f"{adjusted.text()} ({raw.text()} before slips are set aside)."
    )


def share(estimate: Estimate) -> Cell:
    """An estimate as a share for a table."""
    return None if estimate.value is None else f"{100 * estimate.value:.1f} %"


def _short(estimate: Estimate, scorer: str) -> str:
    if estimate.value is None:
        return "undefined"
    accuracy = scorer == "accuracy"
    return f"{100 * estimate.value:.1f} %" if accuracy else f"{estimate.value:.3f}"


def _range(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{low:.3f} to {high:.3f}"
