"""How much do people differ, and how good could a classifier be? Check, compute, pack."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from headcount.arrays import Floats
from headcount.data import Nearness, Patterns, Study, as_study, enough, enough_of, told_enough
from headcount.errors import UnanswerableError
from headcount.options import PopulationOptions
from headcount.population.functionals import (
    SCORES,
    Score,
    ceiling_of,
    ideal_of,
    moment_bounds,
    own_score,
)
from headcount.population.mixtures import Atoms, Dirichlets, Mixture, two_label_grid
from headcount.population.model import Population
from headcount.population.population_result import (
    CLEAR,
    CONTESTED,
    ItemShare,
    NextRating,
    PopulationOfItems,
    least_near,
)
from headcount.population.refits import Table, functional_interval, table_of
from headcount.population.study_fits import Fits, fits_of
from headcount.results import Estimate
from headcount.sampling import Bootstrap

# Items are told apart by the share of people who hold their commonest view: coarsely, since a few
# ratings an item do not show the population in finer detail.
EDGES = (0.0, CONTESTED, CLEAR, 1.0)

_ONE_RATING = (
    "no item has two ratings, and one rating an item says nothing about how much people differ: "
    "collect a second rating for some items"
)

# Items drawn where a mixture of Dirichlets has no formula: shares of them vary by .3 points.
_DRAWN = 20_000

# Ratings an item past which one more pins down nothing that could be seen.
_TELLING = 20

# Resamples of items that a mixture is refitted to: each is a fit of its own.
_MOST_REFITS = 100


def population(
    ratings: Any,
    *,
    scorer: str = PopulationOptions.scorer,
    flip_rate: float = PopulationOptions.flip_rate,
    clip: float = PopulationOptions.clip,
    components: int | None = PopulationOptions.components,
    two_way: bool | None = PopulationOptions.two_way,
    n_bootstrap: int = PopulationOptions.n_bootstrap,
    confidence: float = PopulationOptions.confidence,
    seed: int = PopulationOptions.seed,
) -> PopulationOfItems:
    """How much people differ from item to item, and the best that any classifier could do.

    Parameters
    ----------
    ratings
        What people said: a path, a frame, `Ratings` or a `Study`. Ragged is fine; items with
        a single rating take part too.
    scorer
        How predictions of one more person are scored: "cross_entropy", "rps", "brier" or
        "agreement"; by default ("auto") rps where labels lie on a scale, else cross_entropy.
    flip_rate
        How often an answer is a slip, where that is known (`deconvolve` estimates it from
        retests). Slips are then set aside: what people mean is the population.
    clip
        Keep probabilities this far from 0 and 1, 0 for not at all.
    components
        Goes with the next release: the number of Dirichlets, for more than two labels, is the one
        that predicts held-out items best.
    two_way
        Whether raters are a sample too, so that intervals are about other people like these: by
        default where at least three are named. Items that have a cluster are drawn by it.
    n_bootstrap, confidence, seed
        For more than two labels, resamples of items behind the intervals (100 at most); 0 for
        no intervals. Two labels need none.

    Returns
    -------
    PopulationOfItems
        ``ceiling``: the share of people whom the best possible decisions have on their side (on
        a scale: near them). ``least_distance``: how far people are from these decisions, on a
        scale. ``ideal``: the score of the classifier that knows each item's shares.
        ``curve(k)``: the score of predictions from k raters, for any k.

    Notes
    -----
    Item i has its own label distribution p_i, drawn from a population G; its ratings are draws
    from p_i. The ceiling is E max p and the ideal E Σ p log₂ p (for cross-entropy). For two
    labels G is fitted by nonparametric maximum likelihood and intervals are profile
    likelihood: the lowest and the highest value over all G whose log-likelihood is within
    ½χ²₁ of the best, which contains what the ratings leave open. The same holds of labels on a
    scale, with kinds of items by where people place them and how far apart they are. For more
    labels G is a mixture of Dirichlets; intervals come from its refits to resampled items and,
    where patterns are not too many, from the profile likelihood of many kinds of items. Where
    raters are a sample too, G is fitted again without each of them, and t² Σ (θ₋ⱼ − mean)² is
    added to the squared distance of each end. K ratings an item fix K moments of G and no more;
    `next_rating` tells what one more would pin down. In a study of two labels, two ratings an
    item at most and classifiers, items are fitted in strata by what classifiers say of them,
    which tells more of the shape of G than pairs alone.

    References
    ----------
    J. Kiefer and J. Wolfowitz, "Consistency of the maximum likelihood estimator in the presence
    of infinitely many incidental parameters", Ann. Math. Statist. 27 (1956).

    Examples
    --------
    >>> import headcount as hc
    >>> made = hc.simulate.make("running-example", seed=1)
    >>> found = hc.population(made.ratings)
    >>> round(found.ceiling.value, 2), round(found.ideal.value, 2)
    (0.79, -0.71)
    >>> round(float(found.curve(100)), 2)
    -0.71
    """
    options = PopulationOptions(
        scorer=scorer,
        flip_rate=flip_rate,
        clip=clip,
        components=components,
        two_way=two_way,
        n_bootstrap=n_bootstrap,
        confidence=confidence,
        seed=seed,
    )
    study = as_study(ratings, item_by_item=two_way)
    samples = study.sampled(two_way=two_way)
    judged = study.judged if samples.by_row else study.groups
    reason = unanswerable(study)
    if reason is not None:
        raise UnanswerableError(f"The population of items is not known: {reason}.")
    patterns = Patterns.of(judged.counts, judged.size)
    counts = judged.counts
    part: tuple[str, ...] = ()
    if not samples.plan.counts_raters or samples.part is not None:
        part = told_enough(patterns.raters)
        patterns, counts = enough_of(patterns), enough(counts)
    nearness = study.nearness
    on_scale = nearness.has_order
    if scorer == "auto":
        options = replace(options, scorer="rps" if on_scale else "cross_entropy")
    fitted = fits_of(study).population(
        patterns.counts,
        patterns.items,
        slip=flip_rate,
        ordered=on_scale,
        components=components,
    )
    table = table_of(study, samples, counts)
    ends = _Intervals(fitted, patterns, table, nearness, options, fits_of(study))
    return PopulationOfItems(
        items=judged.n_items,
        ratings=int(judged.counts.sum(axis=1) @ judged.size),
        labels=study.labels.names,
        scorer=options.scorer,
        flip_rate=flip_rate,
        ceiling=ends.estimate("ceiling"),
        ideal=ends.estimate("ideal"),
        least_distance=ends.estimate("least_distance") if on_scale else None,
        people_distance=ends.estimate("people_distance") if on_scale else None,
        shares=_shares(fitted.primary, nearness, seed),
        next_rating=_next_rating(fitted, options),
        collected=study.design.lines,
        plan=Bootstrap.of(options),
        samples=replace(samples.plan, items=max(judged.n_items, 1)),
        fitted=fitted,
        nearness=nearness,
        clip=clip,
        seed=seed,
        notes=tuple(dict.fromkeys((*part, *judged.notes, *samples.notes, *study.ratings.notes))),
        library=study.library,
    )


def unanswerable(study: Study) -> str | None:
    """Why these data say nothing of the population of items, or None."""
    judged = study.groups
    if judged.labels.n < 2:
        return "only one label was ever used"
    if not (judged.counts.sum(axis=1) >= 2).any():
        return _ONE_RATING
    return None


class _Intervals:
    """Intervals of functionals of one fitted population, refits shared among them.

    `table` has the items one by one where raters or clusters are to be counted.
    """

    def __init__(
        self,
        fitted: Population,
        patterns: Patterns,
        table: Table | None,
        nearness: Nearness,
        options: PopulationOptions,
        fits: Fits,
    ) -> None:
        self._fitted, self._options = fitted, options
        self._of_items: dict[str, OfItems] = {
            "ceiling": most_near(nearness.credit),
            "least_distance": least_distance(nearness.distance),
            "people_distance": between_people(nearness.distance),
        }
        self._nearness = nearness
        self._refits = None if table is None else fits.without(fitted, table)
        self._mixtures: list[Dirichlets] = []
        self._kinds: Population | None = None
        if fitted.fit is None and options.n_bootstrap:
            groups = (patterns.counts, patterns.items.astype(np.float64), None)
            by_cluster = table is not None and table.samples.by_row
            counts, size, clusters = table.clustered() if by_cluster and table else groups
            self._kinds = fits.many_kinds(fitted, counts, size, options.seed)
            n = min(options.n_bootstrap, _MOST_REFITS)
            self._mixtures = fits.refits(fitted, counts, size, n, options.seed, clusters=clusters)

    def estimate(self, what: str) -> Estimate:
        """The "ceiling", the "ideal" score, or one of the distances."""
        value = self._functional(what)(self._fitted.primary)
        if not self._options.n_bootstrap:
            return Estimate(value)
        return self._at(what, value, self._options.confidence)

    def _at(self, what: str, value: float, confidence: float) -> Estimate:
        low, high = self._ends(what, confidence)
        below, above = max(value - low, 0.0), max(high - value, 0.0)
        if self._refits is not None:
            functional = self._functional(what)
            below, above = self._refits.widened(below, above, functional, confidence=confidence)
        least, most = self._range(what)
        found = Estimate(
            value,
            min(max(value - below, least), value),
            max(min(value + above, most), value),
            reread=partial(self._at, what, value),
        )
        few = None if self._refits is None else self._refits.table.samples.plan.few_named
        # Over items alone it is about the raters there are.
        return found if few is None else found.of_these(few, Estimate(value, low, high))

    def _range(self, what: str) -> tuple[float, float]:
        """The least and the most that a functional can be: people as divided as can be, or one."""
        if what == "ceiling":
            return least_near(self._nearness), 1.0
        if what != "ideal":
            return 0.0, float(self._nearness.distance.max())
        n = self._fitted.n_labels
        divided = np.zeros(n)
        divided[[0, -1]] = 0.5
        ends = np.vstack([np.full(n, 1 / n), divided, np.eye(n)[0]])
        scores = own_score(ends, self._score, self._options.clip)
        return float(scores.min()), float(scores.max())

    def _ends(self, what: str, confidence: float) -> tuple[float, float]:
        """Over items: by profile likelihood, and for a mixture of Dirichlets by its refits too."""
        ends: list[tuple[float, float]] = []
        convex = self._fitted if self._fitted.fit is not None else self._kinds
        if convex is not None and isinstance(convex.mixture, Atoms):
            table = None if self._refits is None else self._refits.table
            ends.append(
                convex.profile(
                    self._of_kinds(what, convex.mixture.atoms),
                    confidence=confidence,
                    inflate=None if table is None else table.inflation(convex, confidence),
                )
            )
        if self._fitted.fit is None:
            functional = self._functional(what)
            ends.append(
                functional_interval(self._fitted, self._mixtures, functional, confidence=confidence)
            )
        return min(low for low, _ in ends), max(high for _, high in ends)

    def _of_kinds(self, what: str, kinds: Floats) -> Floats:
        if what == "ideal":
            return own_score(kinds, self._score, self._options.clip)
        return self._of_items[what](kinds)

    def _functional(self, what: str) -> Callable[[Mixture], float]:
        if what == "ideal":
            clip = self._options.clip
            return lambda mixture: ideal_of(mixture, self._score, clip=clip)[0]
        if what == "ceiling" and not self._nearness.has_order:
            return ceiling_of  # known without drawing items
        return lambda mixture: mean_over_items(mixture, self._of_items[what])

    @property
    def _score(self) -> Score:
        return next(each for each in SCORES if each == self._options.scorer)


def _shares(mixture: Mixture, nearness: Nearness, seed: int) -> tuple[ItemShare, ...]:
    """How many items have so many people behind (or near) their commonest view."""
    near = most_near(nearness.credit)
    if isinstance(mixture, Atoms):
        largest, weight = near(mixture.atoms), mixture.weights
    else:
        drawn = mixture.draw(np.random.default_rng([seed, 8]), _DRAWN)
        largest, weight = near(drawn), np.full(_DRAWN, 1 / _DRAWN)
    place = np.clip(np.searchsorted(EDGES, largest, side="right") - 1, 0, len(EDGES) - 2)
    share = np.bincount(place, weights=weight, minlength=len(EDGES) - 1)
    lowest = least_near(nearness)
    return tuple(
        ItemShare(max(low, lowest), high, float(part))
        for low, high, part in zip(EDGES, EDGES[1:], share, strict=False)
        if high > lowest
    )


def _next_rating(fitted: Population, options: PopulationOptions) -> NextRating | None:
    """What K ratings an item can tell at most of the ceiling, and what K + 1 could."""
    if not isinstance(fitted.mixture, Atoms) or fitted.n_labels != 2 or fitted.mixture.slip:
        return None
    if fitted.most_ratings > _TELLING:
        return None
    atoms, weights = fitted.mixture.atoms[:, 1], fitted.mixture.weights
    grid = two_label_grid(_TELLING)
    functional = own_score(grid, "agreement", options.clip)
    most = fitted.most_ratings

    def bounds(ratings: int) -> tuple[float, float]:
        return moment_bounds(functional, grid[:, 1], atoms=atoms, weights=weights, ratings=ratings)

    try:
        now, then = bounds(most), bounds(most + 1)
    except UnanswerableError:
        return None
    return NextRating(most, *now, *then)


OfItems = Callable[[Floats], Floats]
"""What is to be averaged over items: of their distributions (n, L), a number each (n,)."""


def most_near(near: Floats) -> OfItems:
    """The share of people near the best decision; `near` (L, L) is 1 where labels are near.

    >>> most_near(np.eye(2))(np.array([[0.3, 0.7]]))
    array([0.7])
    """
    return partial(_most_near, near)


def least_distance(apart: Floats) -> OfItems:
    """How far people are from the best decision; `apart` (L, L) is how far labels are apart.

    >>> least_distance(np.array([[0.0, 1.0], [1.0, 0.0]]))(np.array([[0.3, 0.7]]))
    array([0.3])
    """
    return partial(_least_distance, apart)


def between_people(apart: Floats) -> OfItems:
    """How far two people are from each other.

    >>> between_people(np.array([[0.0, 1.0], [1.0, 0.0]]))(np.array([[0.5, 0.5]]))
    array([0.5])
    """
    return partial(_between_people, apart)


def _most_near(near: Floats, p: Floats) -> Floats:
    best: Floats = (p @ near.T).max(axis=-1)
    return best


def _least_distance(apart: Floats, p: Floats) -> Floats:
    best: Floats = (p @ apart.T).min(axis=-1)
    return best


def _between_people(apart: Floats, p: Floats) -> Floats:
    mean: Floats = np.einsum("...k,kl,...l->...", p, apart, p)
    return mean


def mean_over_items(mixture: Mixture, of_items: OfItems, *, seed: int = 0) -> float:
    """The mean over a population; of Dirichlets, over the same items drawn for every question."""
    if isinstance(mixture, Atoms):
        return float(mixture.weights @ of_items(mixture.atoms))
    return float(of_items(mixture.draw(np.random.default_rng([seed, 9]), _DRAWN)).mean())
