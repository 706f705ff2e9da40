"""How much do people agree? Check, compute, pack."""

import numpy as np

from headcount.agreement import coefficients as formulas
from headcount.agreement.coefficients import Level
from headcount.agreement.contested import ContestedItem, most_contested
from headcount.agreement.draws import Scale, item_draws, of_patterns, two_way_draws
from headcount.agreement.raters import MOST_PAIRWISE, pairwise, standings
from headcount.agreement.result import Agreement, disagreement_bins
from headcount.agreement.totals import totals_of_patterns
from headcount.agreement.two_way import NamedRatings
from headcount.data import Labels, Ratings
from headcount.errors import OptionError
from headcount.results import Progress, no_progress
from headcount.stats import Bootstrap

MOST_ANSWERS = 20_000_000
"""Past this many ratings the tables by rater are left out: they need every answer in memory."""
MOST_ITEMS = 5_000_000
"""Past this many items the contested ones are not looked up: that needs every id in memory."""


def agreement(
    ratings: Ratings,
    *,
    level: Level | None = None,
    contested: int = 10,
    two_way: bool = False,
    n_bootstrap: int = 500,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Agreement:
    """How much the raters agree with each other, with bootstrap intervals.

    Parameters
    ----------
    ratings
        What people said; ragged is fine, named raters are not needed.
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

    Examples
    --------
    >>> import headcount as hc
    >>> ratings = hc.Ratings.from_counts([[4, 0], [1, 3], [0, 4]] * 20, labels=["no", "yes"])
    >>> hc.agreement(ratings).percent_agreement.text()
    '0.833 (0.775 to 0.900)'
    """
    plan = Bootstrap(n_bootstrap, confidence, seed, two_way)
    scale = Scale(_levels(ratings.labels, level), ratings.labels.values)
    listed = _whole("contested", contested)
    named = _named(ratings, two_way)

    patterns = ratings.patterns()
    data = totals_of_patterns(patterns.counts, patterns.items[None, :])
    point = {
        name: float(numbers[0])
        for name, numbers in of_patterns(patterns.counts, patterns.items[None, :], scale).items()
    }
    draws = (
        two_way_draws(named, plan, scale, progress)
        if two_way and named is not None
        else item_draws(patterns, plan, scale, progress)
    )
    few_raters = named is not None and named.n_raters <= MOST_PAIRWISE
    size = patterns.raters
    return Agreement(
        items=patterns.n_items,
        items_compared=int(patterns.items[size > 1].sum()),
        raters=ratings.n_raters,
        ratings=int(size @ patterns.items),
        pairs=int((size * (size - 1) // 2) @ patterns.items),
        labels=ratings.labels.names,
        level=scale.levels[0],
        plan=plan,
        values=point,
        reasons={name: formulas.why_undefined(data, name) for name in point},
        draws=draws,
        item_agreement=_known(float(formulas.item_agreement(data)[0])),
        raters_table=() if named is None else standings(named),
        pairwise=pairwise(named) if named is not None and few_raters else None,
        contested=_contested(ratings, point["alpha_nominal"], listed),
        disagreement=disagreement_bins(patterns),
        notes=(*ratings.notes, *_notes(ratings, scale, level, named, listed)),
    )


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
    if asked not in allowed["numeric"]:
        raise OptionError(f'level is "nominal", "ordinal" or "interval"; it was {asked!r}.')
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


def _contested(ratings: Ratings, alpha: float, most: int) -> tuple[ContestedItem, ...]:
    if np.isnan(alpha) or most == 0 or ratings.n_items > MOST_ITEMS:
        return ()
    found = ratings.item_counts()
    return most_contested(found.items, found.counts, ratings.labels.names, alpha, most)


def _whole(name: str, number: int) -> int:
    if isinstance(number, bool) or number != int(number) or number < 0:
        raise OptionError(f"{name} is a whole number of at least 0; it was {number!r}.")
    return int(number)


def _known(number: float) -> float | None:
    return None if np.isnan(number) else number


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
