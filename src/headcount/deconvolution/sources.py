"""Where flip rates come from: retests, a model of each rater, or whoever knows them."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from headcount.arrays import Floats, Ints
from headcount.counting import size
from headcount.data import Ratings, as_ratings
from headcount.deconvolution.rates import FlipRates, Source, given, pooled
from headcount.deconvolution.slips import Trials, disagreement_level, retest_trials
from headcount.deconvolution.strata import (
    BY_CHANCE,
    ENOUGH_ITEMS,
    WHOLE,
    Strata,
    StrataOption,
    advised_strata,
    chance_of_differences,
    choose_strata,
    filled_strata,
    finest_strata,
    level_of_others,
)
from headcount.deconvolution.svd import factorise
from headcount.deconvolution.votes import Votes, too_few
from headcount.door import Source as Table
from headcount.door import open_file, positions
from headcount.door.roles import listing, require_column
from headcount.errors import InputError, MissingExtraError, OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.options import DeconvolutionOptions
from headcount.results import Progress, count, no_progress

FlipOption = str | float | Mapping[str, float] | ArrayLike
Method = Literal["unbiased", "paper"]

# Retest pairs that are still worth more than no estimate at all.
LEAST_PAIRS = 100

# A model of raters that beats the commonest label by less hardly tells them apart.
_KNOWS_RATERS = 0.02


_RATE_NAMES = ("flip_rate", "rate")

NO_RETESTS = (
    "Nobody was asked twice about the same item, so there are no retests to estimate "
    'flip rates from: use flip_rate="svd" or give a rate such as flip_rate=0.1.'
)


@frozen
class Estimation:
    """How to estimate flip rates: the strata, the retest formula, the method, the seed."""

    strata: StrataOption = "auto"
    formula: str = "all-labels"
    method: Method = "unbiased"
    seed: int = 0
    progress: Progress = no_progress


def untold_retests(ratings: Ratings) -> str:
    """Why retests among copied rows show no flip rate."""
    return (
        f"{count(ratings.n_copies, 'row is an exact copy', 'rows are exact copies')}, and nothing "
        "tells a copy from a second answer that is the same, so the retests cannot show how often "
        "people change their minds: name the column that orders a rater's answers with occasion= "
        "(--occasion)."
    )


def unanswerable(data: Any, options: DeconvolutionOptions) -> str | None:
    """Why these data cannot be deconvolved as asked, as a sentence; None where they can."""
    ratings = as_ratings(data)
    if _is(options.flip_rate, "retest") and not ratings.n_retests:
        return NO_RETESTS
    if _is(options.flip_rate, "retest") and not ratings.retests_tell:
        return untold_retests(ratings)
    if _is(options.flip_rate, "svd") and not ratings.named:
        return unnamed(ratings)
    if options.repeats == "first" and options.min_ratings > 1:
        most = int(ratings.patterns().raters.max(initial=0))
        if most < options.min_ratings:
            return too_few(options.min_ratings, most)
    return None


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


def unnamed(ratings: Ratings) -> str:
    """Why ratings without names cannot be modelled."""
    return (
        f"{ratings.name} does not say who gave which label, which matrix factorisation needs: "
        "give a flip rate such as flip_rate=0.1, or ratings with a column of raters."
    )


def _best(ratings: Ratings, votes: Votes, estimation: Estimation) -> FlipRates:
    """Retests on a hundred items, else SVD, else what retests there are, else nothing."""
    trials = _retests(ratings, votes)
    tested = len(np.unique(trials.item))
    reason = "Nobody was asked twice about the same item."
    if tested:
        if tested >= ENOUGH_ITEMS:
            return _advised(_by_retest(ratings, votes, estimation), votes, trials, estimation)
        reason = (
            f"Retests on {count(tested, 'item', 'items')} do not fill a "
            f'stratum of {ENOUGH_ITEMS} (flip_rate="retest" uses them all the same).'
        )
    try:
        _check_size(ratings)
        modelled = _by_svd(ratings, votes, estimation)
        return _because(modelled, f"{reason} So flip rates come from matrix factorisation.")
    except (MissingExtraError, UnanswerableError) as error:
        reason = f"{reason} {error}"
    if trials.trials.sum() >= LEAST_PAIRS:
        rates = _by_retest(ratings, votes, estimation)
        return _because(rates, f"{reason} So the retests were used, few as they are.")
    because = f"No flip rate could be estimated, so labels count as they were given. {reason}"
    return given(np.zeros(len(votes.items)), "none", (because,))


def _advised(rates: FlipRates, votes: Votes, trials: Trials, estimation: Estimation) -> FlipRates:
    """The paper advises ten strata: say where there are fewer."""
    if estimation.method != "paper":
        return rates
    level = disagreement_level(votes.shares)
    present = np.isin(np.arange(len(level)), trials.item)
    filled = filled_strata(finest_strata(level, present), level, present)
    if filled >= advised_strata(level):
        return rates
    note = (
        f"Retests fill {filled} {'stratum' if filled == 1 else 'strata'} of {ENOUGH_ITEMS} items; "
        f"the advice is {advised_strata(level)}, so rates are pooled over less alike items than "
        "they should be."
    )
    return _because(rates, note)


def _by_retest(ratings: Ratings, votes: Votes, estimation: Estimation) -> FlipRates:
    if ratings.n_retests and not ratings.retests_tell:
        raise UnanswerableError(untold_retests(ratings))
    trials = _retests(ratings, votes)
    if not len(trials.item):
        raise UnanswerableError(NO_RETESTS)
    return retest_rates(votes, trials, estimation)


def retest_rates(votes: Votes, trials: Trials, estimation: Estimation) -> FlipRates:
    """Flip rates of the items of these votes, from retest pairs."""
    n_labels = votes.counts.shape[1] if estimation.formula == "all-labels" else 2
    facts: dict[str, Any] = {
        "formula": estimation.formula,
        "pairs": round(trials.trials.sum()),
        "pairs_that_differ": round(trials.events.sum()),
    }
    rates = _stratified("retest", votes, trials, estimation, n_labels, facts)
    thin = [row for row in rates.strata if 0 < row.items_with_evidence < ENOUGH_ITEMS]
    if thin:
        note = (
            f"{len(thin)} of {len(rates.strata)} strata have retests on fewer than "
            f"{ENOUGH_ITEMS} items: their flip rates are rough (see their bounds)."
        )
        rates = replace(rates, notes=(*rates.notes, note))
    return rates


def _stratified(
    source: Source,
    votes: Votes,
    trials: Trials,
    estimation: Estimation,
    n_labels: int | None,
    facts: dict[str, Any],
) -> FlipRates:
    """Rates pooled by the strata asked for; by "auto", over all items unless they differ.

    The paper's strata are levels of the item itself, which its slips help to make; ours are
    levels of what the others said, behind each answer.
    """
    n = len(votes.items)
    if estimation.method == "paper":
        level = disagreement_level(votes.shares)
        strata = choose_strata(estimation.strata, level, np.isin(np.arange(n), trials.item))
        place = strata.of(level)[:, None]
        stratum = place[trials.item, 0]
        return _pooled(source, votes, place, trials, stratum, strata, n_labels, facts)
    levels = level_of_others(votes.counts, votes.answers)
    seen = levels[trials.item, trials.label]
    one_item = 1 / np.bincount(trials.item, minlength=n)[trials.item]
    strata = choose_strata(estimation.strata, seen, one_item)
    if estimation.strata == "auto" and votes.repeated:
        strata = WHOLE  # among the others' answers are the rater's own later ones
    elif estimation.strata == "auto" and strata.n > 1:
        chance = chance_of_differences(trials, strata.of(seen), strata.n)
        facts["chance_of_differences"] = chance
        strata = WHOLE if chance >= BY_CHANCE else strata
    return _by_others(source, votes, trials, strata, levels, n_labels, facts)


def _by_others(
    source: Source,
    votes: Votes,
    trials: Trials,
    strata: Strata,
    levels: Floats,
    n_labels: int | None,
    facts: dict[str, Any],
) -> FlipRates:
    n = len(votes.items)
    whole = strata.n == 1
    place = np.zeros((n, 1), dtype=np.int64) if whole else strata.of(levels)
    stratum = place[trials.item, np.zeros_like(trials.label) if whole else trials.label]
    return _pooled(source, votes, place, trials, stratum, strata, n_labels, facts)


def _pooled(
    source: Source,
    votes: Votes,
    place: Ints,
    trials: Trials,
    stratum: Ints,
    strata: Strata,
    n_labels: int | None,
    facts: dict[str, Any],
) -> FlipRates:
    evidence = trials.summed(stratum, len(place), strata.n)
    return pooled(
        source,
        votes.shares,
        place,
        evidence,
        strata,
        n_labels=n_labels,
        facts=facts,
        trials=trials,
        stratum=stratum,
    )


def _by_svd(ratings: Ratings, votes: Votes, estimation: Estimation) -> FlipRates:
    if not ratings.named:
        raise UnanswerableError(unnamed(ratings))
    answers = ratings.answers()
    model = factorise(answers, ratings.labels.n, seed=estimation.seed, progress=estimation.progress)
    trials = model.trials.among(positions(answers.items, votes.items))
    facts = {
        "factors": model.factors,
        "epochs": model.epochs,
        "training_accuracy": model.training_accuracy,
        "validation_accuracy": model.validation_accuracy,
        "majority_accuracy": model.baseline,
    }
    rates = _stratified("svd", votes, trials, estimation, None, facts)
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
    if ratings.named and ratings.n_ratings * ratings.labels.n > size.MATRIX_FITTED:
        raise UnanswerableError(
            f"Matrix factorisation of {ratings.n_ratings:,} ratings takes long: it is done only "
            'when asked for (flip_rate="svd").'
        )


def _retests(ratings: Ratings, votes: Votes) -> Trials:
    if not ratings.retests_tell:
        none, nothing = np.zeros(0, dtype=np.int64), np.zeros(0)
        return Trials(none, none, none, nothing, nothing)
    answers = ratings.answers()
    return retest_trials(answers).among(positions(answers.items, votes.items))


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


def rates_by_name(ratings: Ratings, name: str) -> dict[str, float]:
    """Item ids and their rates, by the name of a column or of a file."""
    source = ratings.source
    if source is not None and ratings.layout.kind == "long" and name in source.columns:
        return _read(source, ratings.layout.item, name)
    if Path(name).is_file():
        table = open_file(name)
        item = require_column("item", table.columns, None, table=table.name)
        return _read(table, item, _rate_column(table, item))
    raise OptionError(
        f'flip_rate is "auto", "retest", "svd", a number from 0 to 1, a rate for each item, or the '
        f"name of a column of the ratings or of a file with item and rate; it was {name!r}."
    )


def _rate_column(table: Table, item: str) -> str:
    others = [column for column in table.columns if column != item]
    for column in others:
        if column.lower() in _RATE_NAMES or len(others) == 1:
            return column
    raise InputError(
        f"{table.name} has no column 'flip_rate' beside {item!r} (its columns are "
        f"{listing(table.columns)}): name the column of rates so."
    )


def _read(source: Table, item: str, column: str) -> dict[str, float]:
    """The one rate of every item; a rate that is missing or not the same throughout is refused."""
    rate = f"TRY_CAST({source.text(column)} AS DOUBLE)"
    table = source.ask(
        f"SELECT {source.text(item)} AS item, min({rate}) AS low, max({rate}) AS high, "
        f"count(*) - count({rate}) AS missing FROM source GROUP BY 1 ORDER BY 1"
    )
    rows = table.to_pydict()
    rates = {}
    for name, low, high, missing in zip(*rows.values(), strict=True):
        if missing or low is None:
            raise InputError(
                f"{source.name}: the column {column!r} has no number for item {name!r}: "
                "give every item a flip rate."
            )
        if low != high:
            raise InputError(
                f"{source.name}: the column {column!r} has different flip rates for item {name!r} "
                f"({low:g} and {high:g}): give each item one."
            )
        rates[str(name)] = float(low)
    return rates


def _is(value: Any, word: str) -> bool:
    return isinstance(value, str) and value == word
