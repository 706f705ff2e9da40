"""The paper's validation: hold out the repeats, adjust the first answers, compare."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headcount.data import Classifier, Predictions, Ratings, judge
from headcount.deconvolution.choosing import Estimation, StrataOption
from headcount.deconvolution.expected import (
    Metric,
    Part,
    Scored,
    bootstrap_scores,
    point_scores,
)
from headcount.deconvolution.flips import Formula
from headcount.deconvolution.jury import Jury
from headcount.deconvolution.modal import Repeated, repeated
from headcount.deconvolution.outputs import ORACLE, Contender
from headcount.deconvolution.panel import renamed
from headcount.deconvolution.rates import given
from headcount.deconvolution.retest import retest_pairs
from headcount.deconvolution.scoring import MetricOption, chosen_metrics
from headcount.deconvolution.validation import (
    Compared,
    Validation,
    calibrate,
    crossfitted_rates,
    divergence,
)
from headcount.deconvolution.votes import as_shares
from headcount.door import positions
from headcount.errors import OptionError, UnanswerableError
from headcount.results import Progress, no_progress
from headcount.scorers import clip_for
from headcount.stats import Bootstrap, estimate_from_draws

Floats = NDArray[np.float64]


def validate_deconvolution(
    ratings: Ratings,
    predictions: Predictions | None = None,
    *,
    metric: MetricOption | Sequence[MetricOption] = ("accuracy", "auc"),
    answers: int = 2,
    min_raters: int = 5,
    folds: int = 10,
    strata: StrataOption = "auto",
    formula: Formula = "all-labels",
    positive: str | None = None,
    unknown: str = "error",
    n_bootstrap: int = 500,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Validation:
    """Check the deconvolution on raters who were asked again, as the paper does.

    Raters with at least `answers` answers to the same item count, on items with at least
    `min_raters` of them. Their first answers are adjusted with flip rates from other items
    (`folds` folds) and scored beside the answers they give most often. It works where
    adjusted scores come closer to those than raw ones.
    """
    metrics = chosen_metrics(metric, ratings.labels, positive, None)
    plan = Bootstrap(n_bootstrap, confidence, seed)
    again, items = _asked_again(ratings, answers, min_raters)
    n, n_labels = len(items), ratings.labels.n
    first = again.counts(again.first, n, n_labels)
    modal = again.counts(again.modal, n, n_labels)
    coded = ratings.answers()
    evidence = retest_pairs(coded).take(positions(items, coded.items))
    _check_folds(folds, n, f"{min_raters} raters with {answers} answers each")
    rates = crossfitted_rates(as_shares(first), evidence, Estimation(strata, formula, seed), folds)
    classifiers, answered, notes = _classifiers(ratings, predictions, items, positive, unknown)
    usable = answered & (modal.sum(axis=1) > 0)
    if not usable.any():
        raise UnanswerableError("No item has modal answers and predictions: nothing to compare.")
    flips = given(rates[usable])
    ones = np.ones(int(usable.sum()))
    people = Jury.of(as_shares(first[usable]), ones, flips)
    truth = Jury.of(as_shares(modal[usable]), ones, given(np.zeros(len(ones))))
    part = _part(people, [each.take(usable) for each in classifiers])
    against_people, against_truth = (
        (
            point_scores(jury, [part], metrics)[0],
            bootstrap_scores(jury, [part], metrics, plan, progress=progress)[0],
        )
        for jury in (people, truth)
    )
    clip = clip_for(n_labels)
    return Validation(
        _compared(part, metrics, against_people, against_truth, plan.tail(len(ones))),
        len(ones),
        int(first[usable].sum()),
        int(first[usable].sum() - modal[usable].sum()),
        float(rates[usable].mean()),
        again.take(usable[again.item]).slip_rate(),
        divergence(truth.shares, people.shares, clip),
        divergence(truth.shares, people.primary(), clip),
        (
            *calibrate("raw", people.shares, modal[usable]),
            *calibrate("adjusted", people.primary(), modal[usable]),
        ),
        (*notes, *_small(len(ones))),
    )


def _asked_again(
    ratings: Ratings, answers: int, min_raters: int
) -> tuple[Repeated, NDArray[np.object_]]:
    """Raters with enough answers on items with enough such raters, items renumbered."""
    if isinstance(answers, bool) or answers != int(answers) or answers < 2:
        raise OptionError(f"answers is a whole number of at least 2; it was {answers!r}.")
    if isinstance(min_raters, bool) or min_raters != int(min_raters) or min_raters < 1:
        raise OptionError(f"min_raters is a whole number of at least 1; it was {min_raters!r}.")
    if not ratings.n_retests:
        raise UnanswerableError(
            "Nobody was asked twice about the same item, so there is nothing to validate with: "
            "ask some raters again."
        )
    coded = ratings.answers()
    everyone = repeated(coded, ratings.labels.n, answers)
    per_item = np.bincount(everyone.item, minlength=len(coded.items))
    enough = per_item >= min_raters
    if not enough.any():
        raise UnanswerableError(
            f"No item has {min_raters} raters with {answers} answers each (the most is "
            f"{int(per_item.max(initial=0))}): choose smaller min_raters or answers, or ask more "
            "raters again."
        )
    kept = everyone.take(enough[everyone.item])
    place = np.cumsum(enough) - 1
    renumbered = Repeated(place[kept.item], kept.first, kept.modal, kept.times, kept.away)
    return renumbered, coded.items[enough]


def _check_folds(folds: int, n_items: int, need: str) -> None:
    if isinstance(folds, bool) or folds != int(folds) or not folds >= 2:
        raise OptionError(f"folds is a whole number of at least 2; it was {folds!r}.")
    if n_items < folds:
        raise UnanswerableError(
            f"Only {n_items} items have {need}, too few for {folds} folds: choose smaller "
            "min_raters, answers or folds."
        )


def _classifiers(
    ratings: Ratings,
    predictions: Predictions | None,
    items: NDArray[np.object_],
    positive: str | None,
    unknown: str,
) -> tuple[tuple[Classifier, ...], NDArray[np.bool_], tuple[str, ...]]:
    if predictions is None:
        return (), np.ones(len(items), dtype=bool), ()
    judged = judge(ratings, predictions, positive=positive, unknown=unknown)
    assert judged.items is not None
    rows = positions(items, judged.items)
    seated = renamed([each.take(rows) for each in judged.classifiers], (ORACLE,))
    return seated, rows >= 0, judged.notes


def _part(people: Jury, classifiers: Sequence[Classifier]) -> Part:
    """The oracle, which says what most first answers say, and the classifiers."""
    n = len(people.shares)
    oracle = Contender.oracle(people.shares, own_truth=False)
    seated = [Contender.classifier(outputs, n) for outputs in classifiers]
    return Part(np.arange(n), (oracle, *seated))


def _compared(
    part: Part,
    metrics: Sequence[Metric],
    people: tuple[Scored, Scored],
    truth: tuple[Scored, Scored],
    tail: float,
) -> tuple[Compared, ...]:
    rows = []
    for c, contender in enumerate(part.contenders):
        for m, metric in enumerate(metrics):
            sources = {"raw": (people, "raw"), "adjusted": (people, "adjusted")}
            sources["modal"] = (truth, "raw")
            values = {key: float(s[0][view][c, m]) for key, (s, view) in sources.items()}
            draws = {key: s[1][view][c, m] for key, (s, view) in sources.items()}
            estimates = {
                key: estimate_from_draws(
                    values[key], draws[key], tail, undefined=metric.scorer.undefined
                )
                for key in sources
            }
            closer = _closer(np.array(values["raw"]), values["adjusted"], values["modal"])
            drawn = _closer(draws["raw"], draws["adjusted"], draws["modal"])
            told = drawn[np.isfinite(drawn)]
            rows.append(
                Compared(
                    contender.name,
                    metric.name,
                    **estimates,
                    closer=float(closer) if np.isfinite(closer) else None,
                    chance_closer=float((told > 0).mean()) if told.size else None,
                )
            )
    return tuple(rows)


def _closer(raw: Floats, adjusted: Floats | float, modal: Floats | float) -> Floats:
    """The share of the distance from raw to modal that adjusting removed; below 0: it added."""
    before, after = np.abs(raw - modal), np.abs(adjusted - modal)
    gone: Floats = np.full(np.shape(before), np.nan)
    np.divide(before - after, before, out=gone, where=before > 0)
    return gone


def _small(n_items: int) -> tuple[str, ...]:
    if n_items >= 30:
        return ()
    return (f"Only {n_items} items have repeats by enough raters: take this as a hint.",)
