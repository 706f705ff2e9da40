"""Which flip rates to use: as asked, or the best that the data allow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headcount.data import Ratings
from headcount.deconvolution.flips import Formula
from headcount.deconvolution.rate_column import rates_by_name
from headcount.deconvolution.rates import FlipRates, given, pooled
from headcount.deconvolution.retest import Evidence, retest_pairs
from headcount.deconvolution.sharpen import disagreement_level
from headcount.deconvolution.strata import (
    ENOUGH_ITEMS,
    advised_strata,
    choose_strata,
    filled_strata,
    finest_strata,
)
from headcount.deconvolution.svd import factorise
from headcount.deconvolution.votes import Votes
from headcount.door import positions
from headcount.errors import MissingExtraError, OptionError, UnanswerableError
from headcount.results import Progress, count, no_progress

Floats = NDArray[np.float64]
StrataOption = str | float | Sequence[float]
FlipOption = str | float | Mapping[str, float] | ArrayLike

LEAST_PAIRS = 100
"""Retest pairs that are still worth more than no estimate at all."""
_KNOWS_RATERS = 0.02
MOST_FITTED = 2_000_000
"""Ratings × labels that a matrix is fitted to without being asked: about a minute's work."""


@dataclass(frozen=True)
class Estimation:
    """How to estimate flip rates: the strata, the retest formula, the seed, who listens."""

    strata: StrataOption = "auto"
    formula: Formula = "all-labels"
    seed: int = 0
    progress: Progress = no_progress

    def __post_init__(self) -> None:
        if self.formula not in ("all-labels", "two-labels"):
            raise OptionError(f'formula is "all-labels" or "two-labels", not {self.formula!r}.')


def flip_rates(
    ratings: Ratings, votes: Votes, asked: FlipOption, estimation: Estimation
) -> FlipRates:
    """The flip rate of each item of the votes."""
    if isinstance(asked, str):
        routes = {"auto": _best, "retest": _by_retest, "svd": _by_svd}
        if asked not in routes:
            return given(_rates_by_item(rates_by_name(ratings, asked), votes))
        return routes[asked](ratings, votes, estimation)
    if isinstance(asked, int | float) and not isinstance(asked, bool):
        _check_rates(np.array([asked]), votes)
        return given(np.full(len(votes.items), float(asked)))
    return given(_rates_by_item(asked, votes))


def _best(ratings: Ratings, votes: Votes, estimation: Estimation) -> FlipRates:
    """Retests where they fill strata by the paper's rule, else SVD, else retests, else nothing."""
    level = disagreement_level(votes.shares)
    evidence = _retests(ratings, votes)
    reason = "Nobody was asked twice about the same item."
    if evidence.present.any():
        filled = filled_strata(finest_strata(level, evidence.present), level, evidence.present)
        if filled:
            return _advised(_by_retest(ratings, votes, estimation), filled, level)
        reason = (
            f"Retests on {count(int(evidence.present.sum()), 'item', 'items')} do not fill a "
            f'stratum of {ENOUGH_ITEMS} (flip_rate="retest" uses them all the same).'
        )
    try:
        _check_size(ratings)
        modelled = _by_svd(ratings, votes, estimation)
        return _because(modelled, f"{reason} So flip rates come from matrix factorisation.")
    except (MissingExtraError, UnanswerableError) as error:
        reason = f"{reason} {error}"
    if evidence.trials.sum() >= LEAST_PAIRS:
        tested = _by_retest(ratings, votes, estimation)
        return _because(tested, f"{reason} So the retests were used, few as they are.")
    because = f"No flip rate could be estimated, so labels count as they were given. {reason}"
    return given(np.zeros(len(votes.items)), "none", (because,))


def _advised(rates: FlipRates, filled: int, level: Floats) -> FlipRates:
    if filled >= advised_strata(level):
        return rates
    note = (
        f"Retests fill {filled} {'stratum' if filled == 1 else 'strata'} of {ENOUGH_ITEMS} items; "
        f"the advice is {advised_strata(level)}, so rates are pooled over less alike items than "
        "they should be."
    )
    return _because(rates, note)


def _by_retest(ratings: Ratings, votes: Votes, estimation: Estimation) -> FlipRates:
    evidence = _retests(ratings, votes)
    if ratings.n_retests and not ratings.retests_tell:
        raise UnanswerableError(
            f"{ratings.n_copies:,} rows are exact copies, and nothing tells a copy from a second "
            "answer that is the same, so the retests cannot show how often people change their "
            "minds: name the column that orders a rater's answers with occasion= (--occasion)."
        )
    if not evidence.present.any():
        raise UnanswerableError(
            "Nobody was asked twice about the same item, so there are no retests to estimate "
            'flip rates from: use flip_rate="svd" or give a rate such as flip_rate=0.1.'
        )
    return retest_rates(votes.shares, evidence, estimation)


def retest_rates(shares: Floats, evidence: Evidence, estimation: Estimation) -> FlipRates:
    """Flip rates of items with these shares (n, L), from retest pairs."""
    level = disagreement_level(shares)
    strata = choose_strata(estimation.strata, level, evidence.present)
    n_labels = shares.shape[1] if estimation.formula == "all-labels" else 2
    facts: dict[str, Any] = {
        "formula": estimation.formula,
        "pairs": round(evidence.trials.sum()),
        "pairs_that_differ": round(evidence.events.sum()),
    }
    rates = pooled("retest", level, evidence, strata, n_labels=n_labels, facts=facts)
    thin = [row for row in rates.strata if 0 < row.items_with_evidence < ENOUGH_ITEMS]
    if thin:
        note = (
            f"{len(thin)} of {len(rates.strata)} strata have retests on fewer than "
            f"{ENOUGH_ITEMS} items: their flip rates are rough (see their bounds)."
        )
        rates = replace(rates, notes=(*rates.notes, note))
    return rates


def _by_svd(ratings: Ratings, votes: Votes, estimation: Estimation) -> FlipRates:
    if not ratings.named:
        raise UnanswerableError(
            f"{ratings.name} does not say who gave which label, which matrix factorisation needs: "
            "give a flip rate such as flip_rate=0.1, or ratings with a column of raters."
        )
    answers = ratings.answers()
    model = factorise(answers, ratings.labels.n, seed=estimation.seed, progress=estimation.progress)
    evidence = model.evidence.take(positions(votes.items, answers.items))
    level = disagreement_level(votes.shares)
    strata = choose_strata(estimation.strata, level, evidence.present)
    facts = {
        "factors": model.factors,
        "epochs": model.epochs,
        "training_accuracy": model.training_accuracy,
        "validation_accuracy": model.validation_accuracy,
        "majority_accuracy": model.baseline,
    }
    rates = pooled("svd", level, evidence, strata, n_labels=None, facts=facts)
    note = (
        f"Matrix factorisation ({model.factors} factors, {model.epochs} epochs) predicts "
        f"{100 * model.validation_accuracy:.1f} % of held-out ratings; the majority of the item's "
        f"other ratings predicts {100 * model.baseline:.1f} %."
    )
    if model.validation_accuracy < model.baseline + _KNOWS_RATERS:
        note += (
            " So it hardly tells raters apart and takes opinions that few hold for slips: the flip "
            "rates may be far too high, and the adjusted scores with them."
        )
    return replace(rates, notes=(*rates.notes, note))


def _check_size(ratings: Ratings) -> None:
    if ratings.named and ratings.n_ratings * ratings.labels.n > MOST_FITTED:
        raise UnanswerableError(
            f"Matrix factorisation of {ratings.n_ratings:,} ratings takes long: it is done only "
            'when asked for (flip_rate="svd").'
        )


def _retests(ratings: Ratings, votes: Votes) -> Evidence:
    if not ratings.retests_tell:
        nothing = np.zeros(len(votes.items))
        return Evidence(nothing, nothing)
    answers = ratings.answers()
    return retest_pairs(answers).take(positions(votes.items, answers.items))


def _because(rates: FlipRates, reason: str) -> FlipRates:
    return replace(rates, notes=(reason, *rates.notes))


def _rates_by_item(asked: Any, votes: Votes) -> Floats:
    if isinstance(asked, Mapping):
        named = {str(item): rate for item, rate in asked.items()}
        absent = [item for item in votes.items if item not in named]
        if absent:
            raise OptionError(
                f"flip_rate has no rate for {len(absent):,} rated items, such as {absent[0]!r}: "
                "give every item one."
            )
        asked = [named[item] for item in votes.items]
    try:
        rates = np.asarray(asked, dtype=np.float64)
    except (TypeError, ValueError):
        rates = np.array([np.nan])
    if rates.ndim != 1 or len(rates) != len(votes.items):
        raise OptionError(
            f"flip_rate holds a rate for each item: {len(votes.items):,} numbers in the order of "
            "the item ids, or a mapping from item id to rate."
        )
    _check_rates(rates, votes)
    return rates


def _check_rates(rates: Floats, votes: Votes) -> None:
    bad = np.flatnonzero(~((rates >= 0) & (rates <= 1)))
    if bad.size:
        where = f" for item {votes.items[bad[0]]!r}" if len(rates) > 1 else ""
        raise OptionError(
            f"flip_rate is a chance from 0 to 1; it was {float(rates[bad[0]])!r}{where}."
        )
