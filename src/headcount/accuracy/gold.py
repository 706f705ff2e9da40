"""Gold: the true labels of a random sample of the items, as users give them, and what they say.

Gold alone gives an honest interval. The ratings of all items sharpen it: wherever they can
guess on which items the system is wrong, the guess takes its part of the variance away, and
gold keeps it unbiased. Gold also says how far the span without gold can be trusted: how often
people are all misled.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.special import ndtr

from headcount.accuracy.ballots import ballots
from headcount.accuracy.likelihood_profile import STRENGTHS
from headcount.accuracy.shared_errors import class_chances, climb, starting_model
from headcount.arrays import Floats, Ints
from headcount.data import Ratings, Study, pair_shares, values_by_item
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.frozen import frozen
from headcount.rate import Rate, rate_of_items
from headcount.results import count
from headcount.sameness import as_good, varies
from headcount.sampling.shares import binomial_bounds

# With fewer gold items there is hardly anything to say.
FEWEST = 10

# A guess is a chance of being right, so its slope is 1 unless gold says otherwise: one error that
# it did or did not foresee is as much evidence.
TRUST = 1.0

# Ratings point to a label where it has at least this probability given them.
SURE = 0.9


@frozen
class GoldLabels:
    """The items of a study whose true label is known.

    `rows` (m,) are their places among the judged items and `codes` (m,) their true labels, L for
    one that is no label of the raters; `strata` (n,) how all items were divided before gold was
    drawn, if they were.
    """

    rows: Ints
    codes: Ints
    strata: Ints | None
    notes: tuple[str, ...]


def reading_gold(ratings: Any, gold: Any) -> tuple[Any, Any]:
    """Ratings and gold with a column that is named settled: it is read with the ratings."""
    if not isinstance(gold, str) or Path(gold).is_file():
        return ratings, gold
    known = ratings.ratings if isinstance(ratings, Study) else ratings
    if not isinstance(known, Ratings):
        return Ratings.read(known, gold=gold), None
    if known.layout.gold == gold:
        return ratings, None
    raise OptionError(
        f"gold={gold!r} is no file, and no column that these ratings were read with: name it when "
        f"reading them (Ratings.read(…, gold={gold!r})), or give a mapping of items to labels."
    )


def gold_labels(study: Study, gold: Any, strata: Any) -> GoldLabels | None:
    """The gold of a study: what is given, else the gold column of its ratings; None without."""
    # What is given goes before the column that the ratings were read with.
    known = _of_column(study, "gold") if gold is None else values_by_item(gold, "gold")
    if known is None:
        if strata is not None:
            raise OptionError("strata say how gold was drawn, and there is no gold: give gold too.")
        return None
    items = _ids(study)
    texts = [known.get(item) for item in items]
    rows = np.array([row for row, text in enumerate(texts) if text is not None], dtype=np.int64)
    if len(rows) < FEWEST:
        some = count(len(rows), "item has", "items have")
        raise UnanswerableError(
            f"Only {some} gold among those that people and classifiers labelled: {FEWEST} at "
            "least are needed; check that gold uses the same item ids."
        )
    said = [texts[row] or "" for row in rows]
    codes, notes = _codes(said, study)
    divided = _strata(study, strata)
    if divided is None:
        divided, more = contested_strata(study.judged.counts, rows)
        notes = (*notes, *more)
    return GoldLabels(rows, codes, divided, notes)


# How seldom gold may differ so much from other items in how contested they are by chance. Where it
# is chance, to count strata by their shares does no harm.
_BY_CHANCE = 0.05

# Gold items that a stratum needs to speak for all of its items.
_IN_STRATUM = 5


def contested_strata(counts: Ints, gold: Ints) -> tuple[Ints | None, tuple[str, ...]]:
    """How contested items (n, L) are, as strata (n,), where `gold` was not drawn from all alike.

    None where the gold items are as contested as the others. Where items of a stratum have no gold
    there is no way to say how often anybody is right on them.
    """
    n = counts.sum(axis=1)
    known = np.zeros(len(counts), dtype=bool)
    known[gold] = True
    apart = np.zeros(len(counts))
    several = n > 1
    apart[several] = 1 - pair_shares(counts[several])
    chance = _chance_alike(apart[known & several], apart[~known & several])
    if chance >= _BY_CHANCE:
        return None, ()
    contested = apart > 0
    middle = float(np.median(apart[known & contested])) if (known & contested).any() else 0.0
    strata = contested.astype(np.int64) + (contested & (apart > middle))
    for each in (2, 1):  # too few gold items to speak for their stratum speak with its neighbours
        if (known & (strata == each)).sum() < _IN_STRATUM and (strata == each).any():
            strata[strata == each] = each - 1
    share, of_all = float(contested[known].mean()), float(contested.mean())
    told = (
        f"Gold was drawn from {'more' if share > of_all else 'less'} contested items than the "
        f"others are: people differ on {100 * share:.0f} % of the gold items and on "
        f"{100 * of_all:.0f} % of all"
    )
    bare = [each for each in np.unique(strata) if not (known & (strata == each)).any()]
    if bare or (known & (strata == 0)).sum() < min(_IN_STRATUM, (strata == 0).sum()):
        raise UnanswerableError(
            f"{told}. Too little gold is on items on which they agree to tell how often anybody is "
            "right there: add some, drawn at random, or say with strata= how gold was drawn "
            "(--strata)."
        )
    return strata, (f"{told}. So gold counts by how contested its item is, as all items are.",)


def _chance_alike(some: Floats, others: Floats) -> float:
    """How likely means differ so much by chance (Welch's test); 1 where that cannot be told."""
    if min(len(some), len(others)) < 2:
        return 1.0
    error = some.var(ddof=1) / len(some) + others.var(ddof=1) / len(others)
    if not varies(error):
        return 1.0
    return float(2 * ndtr(-abs(some.mean() - others.mean()) / np.sqrt(error)))


def _codes(said: list[str], study: Study) -> tuple[Ints, tuple[str, ...]]:
    labels = study.labels
    codes = np.array([labels.code(text) for text in said], dtype=np.int64)
    strange = np.flatnonzero(codes < 0)
    # A few labels nobody said are rare labels; most of them are another vocabulary.
    if 2 * len(strange) > len(codes):
        raise InputError(
            f"Gold says {said[strange[0]]!r}, and most of it is no label of the raters "
            f"({labels.listing()}): both must use the same names."
        )
    if not len(strange):
        return codes, ()
    some = count(len(strange), "item has", "items have")
    note = f"{some} gold that no rater ever said, such as {said[strange[0]]!r}: nobody is right."
    return np.where(codes < 0, labels.n, codes), (note,)


def _strata(study: Study, strata: Any) -> Ints | None:
    if strata is None:
        return None
    if isinstance(strata, str) and not Path(strata).is_file():
        known = _of_column(study, strata)
        if known is None:
            slices = ", ".join(study.ratings.layout.slices) or "none"
            raise OptionError(
                f"strata={strata!r} is no file and no slice of the ratings: name a slice they were "
                f"read with (there are: {slices}), or give a mapping of items to strata."
            )
    elif isinstance(strata, Mapping | str | os.PathLike) or hasattr(strata, "columns"):
        known = values_by_item(strata, "stratum")
    else:
        raise OptionError("strata are the name of a slice, a mapping of items to strata or a file.")
    named = [known.get(item, "") for item in _ids(study)]
    return np.unique(np.array(named, dtype=object).astype(str), return_inverse=True)[1].ravel()


def _of_column(study: Study, role: str) -> dict[str, str] | None:
    """What a column of the ratings says of each item; None where there is no such column."""
    if role not in study.ratings.layout.of_items:
        return None
    column = study.ratings.item_columns()[role]
    items = study.ratings.item_counts().items
    pairs = zip(items, column.code, strict=True)
    return {str(item): column.names[code] for item, code in pairs if column.names[code] != "(none)"}


def _ids(study: Study) -> list[str]:
    assert study.judged.items is not None
    return [str(item) for item in study.judged.items]


def gold_accuracy(
    right: Floats,
    guess: Floats,
    gold: Ints,
    *,
    strata: Ints | None = None,
    cluster: Ints | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> Rate:
    """Accuracy over items like these, from gold on a random sample of them.

    Being right is what is rated, gold is the one who rates, and the ratings' guess is the judge
    of all items: the rate of right answers.

    Parameters
    ----------
    right : (n,) array
        Whether the system is right on each gold item.
    guess : (N,) array
        For every item the chance that the system is right (`right_chances`), or anything
        else that goes with it.
    gold : (n,) array
        Which of the N items have gold.
    strata : (N,) array, optional
        How items were divided before gold was drawn at random within each part.
    cluster : (n,) array, optional
        The cluster that each gold item comes from.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> guess = rng.beta(4, 1, size=2000)
    >>> right = rng.random(2000) < guess
    >>> gold = rng.choice(2000, size=100, replace=False)
    >>> found = gold_accuracy(right[gold], guess, gold)
    >>> found.high - found.low < found.alone_high - found.alone_low
    True
    """
    return rate_of_items(
        np.asarray(right, dtype=np.float64),
        gold,
        np.asarray(guess, dtype=np.float64),
        strata=strata,
        cluster=cluster,
        trust=TRUST,
        confidence=confidence,
        seed=seed,
    )


def truth_chances(
    counts: Ints, weight: Floats | None = None, *, dependences: Floats = STRENGTHS
) -> Floats:
    """The chance of each label being true of each item, (n, L), by the ratings alone.

    From latent classes fitted to the ratings without any system's answers, at the dependence
    that fits best.
    """
    data = ballots([counts], weight, None)
    strengths = np.repeat(dependences[None], counts.shape[1], axis=0)
    models, reached = climb(data, starting_model(data, strengths))
    best = models.pick(np.array([int(np.argmax(reached))]))
    chances: Floats = class_chances(data, best)[data.row, :, 0]
    return chances


def right_chances(truth: Floats, answer: Ints) -> Floats:
    """The chance that the system is right on each item, (n,): `truth` (n, L) at its answer.

    An answer outside the labels is never right.
    """
    padded = np.concatenate([truth, np.zeros((len(truth), 1))], axis=1)
    right: Floats = padded[np.arange(len(truth)), np.minimum(answer, truth.shape[1])]
    return right


@frozen
class Misled:
    """The share of items on which people are misled together, seen on gold.

    On `wrong` of `sure` gold items whose ratings point clearly to a label, that label is not
    gold's; the ratings themselves would leave a share `expected` of those wrong.
    """

    share: float
    low: float
    high: float
    sure: int
    wrong: int
    expected: float


def misled_share(chances: Floats, gold: Ints, *, confidence: float = 0.95) -> Misled | None:
    """How often clear ratings are clearly wrong: the x of a span, measured.

    `chances` (n, L) of each label given the ratings of the gold items, `gold` (n,) their true
    labels. None where no item is clear. The interval is Clopper and Pearson's for the wrong
    ones, less what was expected.
    """
    top = chances.argmax(axis=1)
    best = chances[np.arange(len(top)), top]
    clear = as_good(best, SURE)
    sure = int(clear.sum())
    if sure == 0:
        return None
    wrong = int((top != gold)[clear].sum())
    # Labels of probability .95 are wrong on one item in twenty without anyone being misled.
    expected = float((1 - best[clear]).mean())
    part = sure / len(gold)
    low, high = map(float, binomial_bounds(wrong, sure, (1 - confidence) / 2))

    def excess(share: float) -> float:
        return max(share - expected, 0.0) * part

    return Misled(excess(wrong / sure), excess(low), excess(high), sure, wrong, expected)
