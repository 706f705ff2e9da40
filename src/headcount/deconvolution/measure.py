"""`deconvolve`: set people's slips aside."""

from collections.abc import Mapping
from typing import Any

from headcount.data import Study, as_study
from headcount.deconvolution.jury import Panel
from headcount.deconvolution.primary import PrimaryLabels
from headcount.deconvolution.sources import (
    Estimation,
    FlipOption,
    Method,
    flip_rates,
    unanswerable,
)
from headcount.deconvolution.strata import StrataOption
from headcount.deconvolution.votes import Repeats, votes_of
from headcount.errors import UnanswerableError
from headcount.options import DeconvolutionOptions
from headcount.results import Progress, no_progress
from headcount.sampling import Bootstrap


def deconvolve(
    ratings: Any,
    *,
    flip_rate: FlipOption = DeconvolutionOptions.flip_rate,
    method: Method = "unbiased",
    strata: StrataOption = DeconvolutionOptions.strata,
    formula: str = DeconvolutionOptions.formula,
    min_ratings: int = DeconvolutionOptions.min_ratings,
    repeats: Repeats = "first",
    weigh_by: str = DeconvolutionOptions.weigh_by,
    group_weights: Mapping[str, float] | None = DeconvolutionOptions.group_weights,
    n_bootstrap: int = DeconvolutionOptions.n_bootstrap,
    confidence: float = DeconvolutionOptions.confidence,
    seed: int = DeconvolutionOptions.seed,
    progress: Progress = no_progress,
) -> PrimaryLabels:
    """Set people's slips aside: what share of them holds each label.

    Parameters
    ----------
    ratings
        A Study, Ratings, a frame or a path. The predictions of a study are those that `score`
        looks at unless it is given others.
    flip_rate
        The chance that an answer is not what its rater mostly says: "retest" (from raters who
        were asked twice), "svd" (from a model of each rater; extra `svd`), a number, a rate for
        each item (a mapping from item id, an array in the order of the ids, or the name of a
        column of the ratings or of a file with item and rate), or "auto": retests on a hundred
        items or more, else svd, else what retests there are, else zero.
    method
        "unbiased" sets slips aside on average, which makes means over items right; "paper" cuts
        each item's shares at zero, as the paper does, and takes strata by its rule.
    strata
        The levels of disagreement within which flip rates are pooled: "auto" (all together,
        unless they differ by more than chance; by the paper's method the most that hold a
        hundred items with retests each), a number, a width, or edges.
    formula
        The retest formula for as many labels as there are, "all-labels", or "two-labels".
    min_ratings
        Leave out items with fewer answers.
    repeats
        "all" also counts a rater's later answers on the same item.
    weigh_by
        Let every one of the "items" or of the "ratings" count the same.
    group_weights
        Mix the groups of raters by these weights instead of by their numbers.
    n_bootstrap, confidence, seed
        Bootstrap samples (0 for no intervals), the intervals' confidence, and the seed.
    progress
        Wraps slow loops, such as a progress bar.

    Returns
    -------
    PrimaryLabels
        `.score(predictions)`, `.oracle()`, `.by_level(…)`, `.by_group(…)`, `.draw(…)`, and the
        labels held item by item (`.primary`, `.to_frame()`).

    Notes
    -----
    Slips at rate f, spread evenly over the other labels, turn the share s of people who hold a
    label into p = (1 − f)·s + f·(1 − s)/(L − 1). The way back,
    s = (p − f/(L − 1)) / (1 − f·L/(L − 1)), is linear, so means of it over items are right on
    average, although single items can come out below 0 or above 1. The paper cuts those off
    item by item, which biases the mean: .90 came out as .87 (five ratings, slips of .1).
    Every scorer of weighted rows is a function of such means. Where items or answers are picked
    by the labels themselves (levels of disagreement, the oracles), in a callable of your own
    that reads probabilities, and wherever single items are asked for (`primary`, `draw`), the
    labels held are posterior means given the item's answers, under a population of items fitted
    through the slips. That takes two labels, fifty items, two ratings on some and one flip
    rate; otherwise shares are cut at zero there as in the paper.

    References
    ----------
    Gordon, Zhou, Patel, Hashimoto, Bernstein: The Disagreement Deconvolution, CHI 2021.

    Examples
    --------
    >>> from headcount.data import Ratings
    >>> people = Ratings.from_counts([[6, 4], [9, 1]], labels=["fine", "toxic"])
    >>> labels = deconvolve(people, flip_rate=0.176, method="paper", n_bootstrap=0)
    >>> labels.primary.round(3)
    array([[0.654, 0.346],
           [1.   , 0.   ]])
    >>> round(labels.oracle("accuracy").adjusted.value, 3)
    0.827
    """
    options = DeconvolutionOptions.among(locals())
    # Groups tell what nobody's slips change: an evaluation asks that, where it looks at groups.
    no_slips = isinstance(flip_rate, int | float) and flip_rate == 0  # else by item, or to be found
    of_items = not (no_slips and isinstance(ratings, Study))
    study = as_study(ratings, item_by_item=of_items)
    reason = unanswerable(study, options)
    if reason is not None:
        raise UnanswerableError(reason)
    estimation = Estimation(strata, options.formula, method, seed, progress)
    votes = votes_of(study, repeats=repeats, min_ratings=min_ratings, group_weights=group_weights)
    flips = flip_rates(study.ratings, votes, flip_rate, estimation)
    by_ratings = options.weigh_by == "ratings"
    panel = Panel(study, votes, flips, by_ratings, Bootstrap.of(options), method)
    return PrimaryLabels(panel, progress, library=study.library)
