"""Does setting slips aside help? The paper's validation: held-out repeats say what people hold."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats
from headcount.data import Classifier, Study, as_study
from headcount.deconvolution.contenders import (
    Contender,
    Kind,
    Part,
    ScorerOption,
    ScoringRule,
    chosen_scorers,
)
from headcount.deconvolution.expected import View, sampled_scores
from headcount.deconvolution.jury import Jury
from headcount.deconvolution.repeats import (
    CalibrationBin,
    asked_again,
    calibrate,
    crossfitted_rates,
    divergence,
)
from headcount.deconvolution.slips import retest_trials
from headcount.deconvolution.sources import Estimation, Method
from headcount.deconvolution.strata import StrataOption
from headcount.deconvolution.votes import Votes, as_shares
from headcount.door import positions
from headcount.errors import UnanswerableError
from headcount.metrics import clip_for
from headcount.options import DeconvolutionCheckOptions
from headcount.results import (
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


@record
class Compared(Record):
    """One classifier, or the paper's oracle (`kind`), by one scorer against three kinds of labels.

    `raw` is against one answer a rater, `adjusted` against the primary labels inferred from
    it, `modal` against what the raters mostly answered. `closer` is the share of the distance
    between raw and modal that adjusting removed; `chance_closer` how often it removed any
    among bootstrap samples (None without them).
    """

    name: str
    kind: Kind
    scorer: str
    raw: Estimate
    adjusted: Estimate
    modal: Estimate
    closer: float | None
    chance_closer: float | None


@record
class Validation(Result):
    """Scores against one answer a rater, adjusted, and against what raters mostly answer.

    `divergence_raw` and `divergence_adjusted` are mean Kullback–Leibler divergences (bits) of
    modal answers from the raw and the adjusted shares. `flip_rate` is the mean estimated from
    other items; `flip_rate_seen` how often answers were not the modal one, where raters gave
    three or more.
    """

    compared: tuple[Compared, ...]
    items: int
    raters_asked_again: int
    undecided: int
    flip_rate: float
    flip_rate_seen: float | None
    divergence_raw: float = hidden()
    divergence_adjusted: float = hidden()
    calibration: tuple[CalibrationBin, ...]
    confidence: float
    method: Method
    notes: tuple[str, ...] = hidden(default=())

    rows: ClassVar[str] = "compared"
    also = ("holds", "divergence", "unchecked")

    @property
    def holds(self) -> bool:
        """Whether adjusting brought every score closer to the one against modal answers."""
        return all(row.closer is not None and row.closer > 0 for row in self.compared)

    def verdict(self) -> str:
        """Whether adjusting helped, and how much."""
        row = self.compared[0]
        who = row.name
        if row.closer is None and row.raw.value is not None:
            return (
                f"The {row.scorer} of {who} is {row.raw.text()} against first answers and against "
                "what people mostly answer: there is nothing to set aside."
            )
        if row.closer is None:
            return f"The {row.scorer} of {who} has no value on these repeats."
        if row.closer > 0:
            return (
                f"Adjusting works here: it brings the {row.scorer} of {who} "
                f"{100 * row.closer:.0f} % closer to the one against what people mostly answer "
                f"({row.raw.text()} raw, {row.adjusted.text()} adjusted, {row.modal.text()} true)."
            )
        return (
            f"Adjusting does not help here: the {row.scorer} of {who} is {row.raw.text()} raw "
            f"and {row.adjusted.text()} adjusted, against {row.modal.text()} for what people "
            "mostly answer."
        )

    def tables(self) -> tuple[Table, ...]:
        """The scores, the divergences, and the calibration of the shares."""
        scores = Table(
            "Scores against one answer a rater, adjusted, and against modal answers",
            ("scorer", "", "raw", "adjusted", "modal", "closer", "chance of closer"),
            tuple(
                (
                    row.scorer,
                    row.name,
                    row.raw.value,
                    row.adjusted.value,
                    row.modal.value,
                    None if row.closer is None else f"{100 * row.closer:.0f} %",
                    None if row.chance_closer is None else f"{100 * row.chance_closer:.0f} %",
                )
                for row in self.compared
            ),
            id="compared",
        )
        rest = Table(
            "Distance of the label shares from modal answers, and the flip rate",
            ("", "value"),
            (
                ("divergence, raw (bits)", self.divergence_raw),
                ("divergence, adjusted (bits)", self.divergence_adjusted),
                ("flip rate, from other items", self.flip_rate),
                ("flip rate, seen in repeats", self.flip_rate_seen),
            ),
            id="distances",
        )
        return scores, rest

    def assumptions(self) -> tuple[str, ...]:
        """What the comparison rests on."""
        return (
            "Repeats are the truth here: a rater's most common answer is taken for the primary "
            "label, and the adjusted scores see the first answer only.",
            "Flip rates come from other items than those they are used on.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What repeats cannot tell."""
        notes = list(self.notes)
        if self.undecided:
            notes.append(
                f"{self.undecided:,} of {self.raters_asked_again:,} raters asked again gave no "
                "answer more often than another; their answers count as raw labels and not as "
                "modal ones."
            )
        if self.flip_rate_seen is None:
            notes.append(
                "Nobody answered three times, so how often answers slip was not seen directly."
            )
        return tuple(notes)

    @property
    def divergence(self) -> dict[str, float]:
        """Both divergences."""
        return {"raw": self.divergence_raw, "adjusted": self.divergence_adjusted}


def validate_deconvolution(
    ratings: Any,
    predictions: Any = None,
    *,
    scorer: ScorerOption | Sequence[ScorerOption] = ("accuracy", "auc"),
    answers: int = DeconvolutionCheckOptions.answers,
    min_raters: int = DeconvolutionCheckOptions.min_raters,
    folds: int = DeconvolutionCheckOptions.folds,
    method: Method = "unbiased",
    strata: StrataOption = DeconvolutionCheckOptions.strata,
    formula: str = DeconvolutionCheckOptions.formula,
    positive: str | None = DeconvolutionCheckOptions.positive,
    unknown: str = DeconvolutionCheckOptions.unknown,
    n_bootstrap: int = DeconvolutionCheckOptions.n_bootstrap,
    confidence: float = DeconvolutionCheckOptions.confidence,
    seed: int = DeconvolutionCheckOptions.seed,
    progress: Progress = no_progress,
) -> Validation:
    """Check the deconvolution on raters who were asked again, as the paper does.

    Parameters
    ----------
    ratings
        A Study, Ratings, a frame or a path, with raters who were asked again.
    predictions
        Classifiers to check beside the paper's oracle: Predictions, a frame or a path.
    scorer
        A scorer or several, as in `PrimaryLabels.score`.
    answers, min_raters
        Raters with at least so many answers to the same item count, on items with at least so
        many of them.
    folds
        Flip rates come from the items of the other folds.
    method, strata, formula
        How slips are estimated and set aside: see `deconvolve`.
    positive, unknown
        The positive label, and what answers outside the labels are.
    n_bootstrap, confidence, seed
        Bootstrap samples (0 for no intervals), the intervals' confidence, and the seed.
    progress
        Wraps slow loops, such as a progress bar.

    Returns
    -------
    Validation
        For each classifier and scorer the score against first answers (`raw`), against the
        labels inferred from them (`adjusted`) and against the answers that raters give most
        often (`modal`), and how much closer adjusting came.

    Notes
    -----
    It works where adjusted scores come closer to the modal ones than raw scores do. The oracle
    is picked by the first answers, so its raw and adjusted scores are flattered and its modal
    one is not: it overshoots where slips or few raters pick the wrong label.

    References
    ----------
    Gordon and others, CHI 2021, section 5.4.

    Examples
    --------
    >>> from headcount.simulate import make
    >>> people = make("comments", items=200, retests=0.5, seed=1).ratings
    >>> found = validate_deconvolution(people, min_raters=3, n_bootstrap=0, scorer="accuracy")
    >>> found.holds
    True
    """
    options = DeconvolutionCheckOptions.among(locals())
    study = as_study(ratings, predictions, positive=positive, unknown=unknown, item_by_item=True)
    scorers = chosen_scorers(scorer, study.labels, study.positive, None)
    again, items = asked_again(study.ratings, answers, min_raters)
    n, n_labels = len(items), study.labels.n
    _check_folds(folds, n, f"{min_raters} raters with {answers} answers each")
    first = again.counts(again.first, n, n_labels)
    modal = again.counts(again.modal, n, n_labels)
    coded = study.ratings.answers()
    trials = retest_trials(coded).among(positions(coded.items, items))
    votes = Votes(items, first, first.sum(axis=1))
    estimation = Estimation(strata, options.formula, method, seed)
    rates = crossfitted_rates(votes, trials, estimation, folds)
    classifiers, answered = _classifiers(study, items)
    usable = answered & (modal.sum(axis=1) > 0)
    if not usable.any():
        raise UnanswerableError("No item has modal answers and predictions: nothing to compare.")
    people = _jury(first[usable], rates[usable])
    truth = _jury(modal[usable], np.zeros((int(usable.sum()), 1)))
    part = _part(people, [each.take(usable) for each in classifiers])
    plan, used = Bootstrap.of(options), int(usable.sum())
    against_people, against_truth = (
        sampled_scores(
            jury, [part], scorers, plan, method, samples=[Plan(used)], progress=progress
        )[0]
        for jury in (people, truth)
    )
    clip = clip_for(n_labels)
    return Validation(
        _compared(part, scorers, against_people, against_truth, confidence),
        used,
        int(first[usable].sum()),
        int(first[usable].sum() - modal[usable].sum()),
        float((people.shares * people.rate).sum(axis=1).mean()),
        again.take(usable[again.item]).slip_rate(),
        divergence(truth.shares, people.shares, clip),
        divergence(truth.shares, people.held(), clip),
        (
            *calibrate("raw", people.shares, modal[usable]),
            *calibrate("adjusted", people.held(), modal[usable]),
        ),
        confidence,
        method,
        (*(study.judged.notes if study.predictions else ()), *_small(used)),
        library=study.library,
    )


def _jury(counts: Floats, rates: Floats) -> Jury:
    ones = np.ones(len(counts), dtype=np.int64)
    return Jury(as_shares(counts), ones, ones.astype(np.float64), rates, rates, rates)


def _check_folds(folds: int, n_items: int, need: str) -> None:
    if n_items < folds:
        raise UnanswerableError(
            f"Only {n_items} items have {need}, too few for {folds} folds: choose smaller "
            "min_raters, answers or folds."
        )


def _classifiers(
    study: Study, items: NDArray[np.object_]
) -> tuple[tuple[Classifier, ...], NDArray[np.bool_]]:
    if study.predictions is None:
        return (), np.ones(len(items), dtype=bool)
    judged = study.judged
    assert judged.items is not None
    rows = positions(items, judged.items)
    return tuple(each.take(rows) for each in judged.classifiers), rows >= 0


def _part(people: Jury, classifiers: Sequence[Classifier]) -> Part:
    """The oracle, which says what most first answers say, and the classifiers."""
    oracle = Contender.oracle(people.shares)
    seated = [Contender.classifier(outputs) for outputs in classifiers]
    return Part(np.arange(len(people.shares)), (oracle, *seated))


def _compared(
    part: Part,
    scorers: Sequence[ScoringRule],
    people: Mapping[View, Sampled],
    truth: Mapping[View, Sampled],
    confidence: float,
) -> tuple[Compared, ...]:
    sources = {"raw": people["raw"], "adjusted": people["adjusted"], "modal": truth["raw"]}
    rows = []
    for c, contender in enumerate(part.contenders):
        for m, scorer in enumerate(scorers):
            numbers = {key: each.at(c, m) for key, each in sources.items()}
            estimates = {
                key: each.estimate(confidence, undefined=scorer.rule.undefined)
                for key, each in numbers.items()
            }
            gone = numbers["raw"].through(_closer, numbers["adjusted"], numbers["modal"])
            closer, drawn = gone.value, gone.draws
            told = drawn[np.isfinite(drawn)]
            rows.append(
                Compared(
                    contender.name,
                    contender.kind,
                    scorer.name,
                    **estimates,
                    closer=float(closer) if np.isfinite(closer) else None,
                    chance_closer=float((told > 0).mean()) if told.size else None,
                )
            )
    return tuple(rows)


def _closer(raw: Floats, adjusted: Floats, modal: Floats) -> Floats:
    """The share of the distance from raw to modal that adjusting removed; below 0: it added."""
    before, after = np.abs(raw - modal), np.abs(adjusted - modal)
    gone: Floats = np.full(np.shape(before), np.nan)
    np.divide(before - after, before, out=gone, where=before > 0)
    return gone


def _small(n_items: int) -> tuple[str, ...]:
    if n_items >= 30:
        return ()
    return (f"Only {n_items} items have repeats by enough raters: take this as a hint.",)
