"""Raters who were asked again: their first answer, the one they mostly give, and what that tells.

What a rater mostly answers is the truth that the first answers are checked against.
"""

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import Answers, Ratings
from headcount.deconvolution.slips import Trials, disagreement_level, totals
from headcount.deconvolution.sources import Estimation, retest_rates
from headcount.deconvolution.strata import level_of_others
from headcount.deconvolution.votes import Votes
from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.results import Record, record

NOBODY_ASKED_AGAIN = (
    "Nobody was asked twice about the same item, so there is nothing to validate with: "
    "ask some raters again."
)


@frozen
class Repeated:
    """Raters on items they were asked about at least twice, a row each.

    `item`, `first` and `modal` are (m,) codes: the item, the first answer, the most common
    one (−1 where two are equally common); `times` (m,) is how often the rater answered and
    `away` (m,) how many of those answers are not the modal one.
    """

    item: Ints
    first: Ints
    modal: Ints
    times: Ints
    away: Ints

    def take(self, rows: NDArray[np.bool_]) -> "Repeated":
        """Some of the rows."""
        return Repeated(
            self.item[rows],
            self.first[rows],
            self.modal[rows],
            self.times[rows],
            self.away[rows],
        )

    def counts(self, of: Ints, n_items: int, n_labels: int) -> Floats:
        """How many raters have each label on each item, (n_items, L); −1 counts for nobody."""
        known = of >= 0
        cell = self.item[known] * n_labels + of[known]
        return totals(cell, np.ones(len(cell)), n_items * n_labels).reshape(n_items, n_labels)

    def slip_rate(self) -> float | None:
        """How often an answer is not the modal one, among raters with three answers or more.

        Of two answers that differ nobody knows which is the slip, so pairs tell nothing here.
        """
        often = (self.times >= 3) & (self.modal >= 0)
        return float(self.away[often].sum() / self.times[often].sum()) if often.any() else None


def repeated(answers: Answers, n_labels: int, least: int = 2) -> Repeated:
    """The raters who answered the same item `least` times or more."""
    n_raters = max(len(answers.raters), 1)
    asked = answers.item * n_raters + answers.rater
    who, row = np.unique(asked, return_inverse=True)
    tally = totals(row * n_labels + answers.label, np.ones(len(row)), len(who) * n_labels)
    counts = tally.reshape(len(who), n_labels)
    top = counts.max(axis=1)
    alone = (counts == top[:, None]).sum(axis=1) == 1
    first = np.zeros(len(who), dtype=np.int64)
    initial = answers.occasion == 0
    first[row[initial]] = answers.label[initial]
    times = counts.sum(axis=1)
    everyone = Repeated(
        who // n_raters,
        first,
        np.where(alone, counts.argmax(axis=1), -1),
        times.astype(np.int64),
        (times - top).astype(np.int64),
    )
    return everyone.take(everyone.times >= least)


def asked_again(
    ratings: Ratings, answers: int, min_raters: int
) -> tuple[Repeated, NDArray[np.object_]]:
    """Raters with enough answers on items with enough such raters, items renumbered."""
    if not ratings.n_retests:
        raise UnanswerableError(NOBODY_ASKED_AGAIN)
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


def crossfitted_rates(votes: Votes, trials: Trials, estimation: Estimation, folds: int) -> Floats:
    """The flip rate behind an answer of each label, (n, L) or (n, 1), from items in other folds."""
    n = len(votes.items)
    order = np.random.default_rng([estimation.seed, 5]).permutation(n)
    fold = np.empty(n, dtype=np.int64)
    fold[order] = np.arange(n) % folds
    level = (
        disagreement_level(votes.shares)[:, None]
        if estimation.method == "paper"
        else level_of_others(votes.counts, votes.answers)
    )
    rates = np.empty(level.shape)
    for k in range(folds):
        others = fold != k
        place = np.where(others, np.cumsum(others) - 1, -1)
        fitted = retest_rates(votes.take(others), trials.among(place), estimation)
        rates[~others] = fitted.at(level[~others])
    return rates


@record
class CalibrationBin(Record):
    """Labels whose share was predicted to lie between `low` and `high`.

    `predicted` is their mean share in the `view` ("raw" or "adjusted") and `observed` how
    often the label was a rater's modal answer, over `answers` modal answers.
    """

    view: str
    low: float
    high: float
    predicted: float
    observed: float
    answers: int


def divergence(modal: Floats, shares: Floats, clip: float) -> float:
    """The mean over items of the divergence of modal answers (n, L) from shares, in bits."""
    held = np.clip(shares, clip, None)
    held = held / held.sum(axis=1, keepdims=True)
    ratio = np.divide(modal, held, out=np.ones_like(modal), where=modal > 0)
    return float((modal * np.log2(ratio)).sum(axis=1).mean())


def calibrate(
    view: str, shares: Floats, modal_counts: Floats, bins: int = 10
) -> list[CalibrationBin]:
    """Shares (n, L) against how often each label was a modal answer, in equal bins."""
    raters = np.broadcast_to(modal_counts.sum(axis=1, keepdims=True), shares.shape).ravel()
    predicted, hits = shares.ravel(), modal_counts.ravel()
    place = np.minimum((predicted * bins + 1e-9).astype(np.int64), bins - 1)
    found = []
    for b in range(bins):
        inside = (place == b) & (raters > 0)
        if inside.any():
            weight = raters[inside]
            found.append(
                CalibrationBin(
                    view,
                    b / bins,
                    (b + 1) / bins,
                    float(np.average(predicted[inside], weights=weight)),
                    float(hits[inside].sum() / weight.sum()),
                    int(weight.sum()),
                )
            )
    return found
