"""How much do people agree? Check, compute, pack."""

from functools import partial
from typing import Any, cast

import numpy as np

from headcount.agreement.coefficients import (
    NO_PAIRS,
    ByName,
    Level,
    Scale,
    alpha_at,
    item_agreement,
    of_patterns,
    totals_of_patterns,
    why_undefined,
)
from headcount.agreement.contested import ContestedItem, disagreement_bins, most_contested
from headcount.agreement.raters import MOST_PAIRWISE, pairwise, standings
from headcount.agreement.result import Agreement
from headcount.agreement.two_way import NamedRatings, two_way_draws
from headcount.data import Labels, Patterns, Ratings, Study, as_study
from headcount.errors import OptionError
from headcount.options import AgreementOptions
from headcount.results import Estimate, Progress, no_progress
from headcount.stats import Bootstrap, estimate_from_draws, resample

MOST_ANSWERS = 20_000_000
"""Past this many ratings the tables by rater are left out: they need every answer in memory."""
MOST_ITEMS = 5_000_000
"""Past this many items the contested ones are not looked up: that needs every id in memory."""


def agreement(
    ratings: Any,
    *,
    level: Level | None = None,
    contested: int = AgreementOptions.contested,
    two_way: bool = AgreementOptions.two_way,
    n_bootstrap: int = AgreementOptions.n_bootstrap,
    confidence: float = AgreementOptions.confidence,
    seed: int = AgreementOptions.seed,
    progress: Progress = no_progress,
) -> Agreement:
    """How much the raters agree with each other, with bootstrap intervals.

    Parameters
    ----------
    ratings
        What people said: a Study, Ratings, a frame or a path. Ragged is fine, named raters are
        not needed.
    level
        How Krippendorff's alpha sees the labels: "nominal" (the same or not), "ordinal"
        (ranks) or "interval" (numbers). By default what the labels are: names, an order
        that you gave, or numbers.
    contested
        How many of the most contested items to list.
    two_way
        Draw raters anew too, not only items: the interval is then about other people like
        these as well as other items like these. Needs named raters.
    n_bootstrap, confidence, seed
        Bootstrap samples (0 for no intervals), the intervals' confidence, and the seed.
    progress
        Wraps the loop over batches of samples, such as a progress bar.

    Returns
    -------
    Agreement
        The coefficients as estimates (``percent_agreement``, ``kappa``, ``fleiss_kappa``,
        ``krippendorff_alpha``, ``gwet_ac1``, ``alpha_by_level``), each rater against the others
        (``raters_table``, ``pairwise``), the most contested items and how divided items are.
        A coefficient without a value says why.

    Notes
    -----
    With label counts c and n = Σc ratings an item has n(n − 1) ordered pairs of ratings, of
    which Σ c(c − 1) agree; percent agreement is their ratio over all items, and

    - kappa = (P − 1/N)/(1 − 1/N) for N labels,
    - Fleiss's kappa = (P̄ − Σπ²)/(1 − Σπ²), with P̄ and π means over items,
    - Gwet's AC1 = (P̄ − e)/(1 − e), e = Σπ(1 − π)/(N − 1),
    - Krippendorff's alpha = 1 − D_observed/D_expected.

    Intervals are expanded percentiles of the bootstrap over items.

    References
    ----------
    Krippendorff, K. Content Analysis: An Introduction to Its Methodology. Sage, 2004.
    Gwet, K. L. Computing inter-rater reliability and its variance in the presence of high
    agreement. British Journal of Mathematical and Statistical Psychology 61, 2008.

    Examples
    --------
    >>> import headcount as hc
    >>> ratings = hc.Ratings.from_counts([[4, 0], [1, 3], [0, 4]] * 20, labels=["no", "yes"])
    >>> hc.agreement(ratings).percent_agreement.text()
    '0.833 (0.775 to 0.900)'
    """
    study = as_study(ratings)
    options = AgreementOptions(
        level=level,
        contested=contested,
        two_way=two_way,
        n_bootstrap=n_bootstrap,
        confidence=confidence,
        seed=seed,
    )
    return _measured(study, options, progress)


def unanswerable(data: Any) -> str | None:
    """Why these data cannot say how much people agree; None where they can."""
    return None if (as_study(data).ratings.patterns().raters >= 2).any() else NO_PAIRS


def _measured(study: Study, options: AgreementOptions, progress: Progress) -> Agreement:
    ratings, level = study.ratings, cast(Level | None, options.level)
    plan = Bootstrap.of(options, two_way=options.two_way)
    scale = Scale(_levels(ratings.labels, level), ratings.labels.values)
    named = _named(ratings, options.two_way)
    patterns = ratings.patterns()
    draws = (
        two_way_draws(named, plan, scale, progress)
        if options.two_way and named is not None
        else item_draws(patterns, plan, scale, progress)
    )
    size = patterns.raters
    compared = int(patterns.items[size > 1].sum())
    found = _estimates(patterns, scale, draws, plan, compared)
    few_raters = named is not None and named.n_raters <= MOST_PAIRWISE
    return Agreement(
        percent_agreement=found["percent_agreement"],
        kappa=found["kappa"],
        fleiss_kappa=found["fleiss_kappa"],
        krippendorff_alpha=found["krippendorff_alpha"],
        gwet_ac1=found["gwet_ac1"],
        level=scale.levels[0],
        alpha_by_level={each: found[alpha_at(each)] for each in scale.levels},
        item_agreement=_item_agreement(patterns),
        items=patterns.n_items,
        items_compared=compared,
        raters=ratings.n_raters,
        ratings=int(size @ patterns.items),
        pairs=int((size * (size - 1) // 2) @ patterns.items),
        labels=ratings.labels.names,
        raters_table=() if named is None else standings(named, plan.confidence),
        pairwise=pairwise(named) if named is not None and few_raters else None,
        contested=_contested(ratings, found[alpha_at("nominal")].value, options.contested),
        disagreement=disagreement_bins(patterns),
        notes=(*ratings.notes, *_notes(ratings, scale, level, named, options.contested)),
        plan=plan,
        library=study.library,
    )


def item_draws(patterns: Patterns, plan: Bootstrap, scale: Scale, progress: Progress) -> ByName:
    """Every coefficient for every sample of items drawn anew."""
    measured = partial(of_patterns, patterns.counts, scale=scale)
    found = resample(
        plan, patterns.items, measured, progress=progress, description="Bootstrap of items"
    )
    return {name: np.asarray(values, dtype=np.float64) for name, values in found.items()}


def _estimates(
    patterns: Patterns, scale: Scale, draws: ByName, plan: Bootstrap, compared: int
) -> dict[str, Estimate]:
    """Every coefficient of the data with its interval; one item has none."""
    times = patterns.items[None, :]
    totals = totals_of_patterns(patterns.counts, times)
    found = {
        name: estimate_from_draws(
            float(values[0]),
            draws[name] if compared != 1 else (),
            plan.tail(compared),
            undefined=why_undefined(totals, name),
        )
        for name, values in of_patterns(patterns.counts, times, scale).items()
    }
    if compared != 1:
        return found
    return {
        name: each if each.value is None else each.with_note("one item only, so no interval")
        for name, each in found.items()
    }


def _item_agreement(patterns: Patterns) -> float | None:
    share = item_agreement(totals_of_patterns(patterns.counts, patterns.items[None, :]))[0]
    return None if np.isnan(share) else float(share)


def _levels(labels: Labels, asked: Level | None) -> tuple[Level, ...]:
    """The level of alpha first, then the others that the labels allow."""
    allowed: dict[str, tuple[Level, ...]] = {
        "nominal": ("nominal",),
        "ordinal": ("ordinal", "nominal"),
        "numeric": ("interval", "ordinal", "nominal"),
    }
    found = allowed[labels.scale]
    if asked is None:
        return found
    if asked not in found:
        cure = (
            "give the labels an order (order=, --order)"
            if asked == "ordinal"
            else "it needs labels that are numbers"
        )
        raise OptionError(f'level="{asked}" does not go with {labels.scale} labels: {cure}.')
    return (asked, *(other for other in found if other != asked))


def _named(ratings: Ratings, two_way: bool) -> NamedRatings | None:
    """Who said what, first answers only, or None where that is not known or too much."""
    if not ratings.named:
        if two_way:
            raise OptionError(
                "two_way=True draws raters anew, and these ratings do not name their raters: "
                "leave it out, or add a rater column."
            )
        return None
    if ratings.n_ratings > MOST_ANSWERS and not two_way:
        return None
    first = ratings.answers().first()
    return NamedRatings(
        first.item,
        first.rater,
        first.label,
        names=tuple(str(name) for name in first.raters),
        n_items=len(first.items),
        n_labels=ratings.labels.n,
    )


def _contested(ratings: Ratings, alpha: float | None, most: int) -> tuple[ContestedItem, ...]:
    if alpha is None or most == 0 or ratings.n_items > MOST_ITEMS:
        return ()
    return most_contested(ratings.item_counts(), ratings.labels.names, alpha, most)


def _notes(
    ratings: Ratings, scale: Scale, asked: Level | None, named: NamedRatings | None, contested: int
) -> list[str]:
    notes = []
    if asked is None and scale.levels[0] == "interval" and ratings.labels.n > 2:
        notes.append(
            "The labels are numbers, so alpha weighs how far apart they are; ask for "
            'level="ordinal" (--level ordinal) if only their order counts, "nominal" if they '
            "are codes for names."
        )
    if ratings.named and named is None:
        notes.append(f"With more than {MOST_ANSWERS:,} ratings the tables by rater are left out.")
    elif named is not None and named.n_raters > MOST_PAIRWISE:
        notes.append(
            f"With more than {MOST_PAIRWISE:,} raters the matrix of pairs of raters is left out."
        )
    if contested and ratings.n_items > MOST_ITEMS:
        notes.append(f"With more than {MOST_ITEMS:,} items the contested ones are not looked up.")
    return notes
