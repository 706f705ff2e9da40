"""The curve of the fitted combiner: cross-fitted by item, scored on held-out answers."""

from dataclasses import field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.data import Labels, group_rows
from headcount.equivalence.combiners import Combiner, Others, Produces
from headcount.equivalence.combiners.population_bayes import predict
from headcount.equivalence.exact import Budget, Curve, Setup, power_curve
from headcount.frozen import frozen
from headcount.metrics import Scorer
from headcount.population.fitting import CrossFitted
from headcount.population.folds import Folds
from headcount.population.functionals import SCORES, Score
from headcount.population.mixtures import Dirichlets
from headcount.population.model import Population
from headcount.population.refits import Table
from headcount.population.study_fits import FOLDS, Fits

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_MORE_FOLDS = 10
_FEW_ITEMS = 2_000
"""With few items of two labels, or ordered ones, a fold in ten leaves more to learn from."""

_MOST_ROWS = 1_000_000
"""(Pattern, survey) pairs up to which scorers that are no means see every survey."""


def has_own_score(scorer: Scorer) -> bool:
    """Whether a scorer has an ideal and a curve without end: a mean of known row scores."""
    return any(scorer.name == name for name in SCORES) and scorer.decomposable


def score_of(scorer: Scorer) -> Score:
    """Its name among the scores of a population."""
    return next(name for name in SCORES if name == scorer.name)


@frozen
class Everyone:
    """All rated items, also those with too few ratings for the curve: counts (G, L), sizes (G,).

    `table` has items one by one where raters or clusters are counted as samples, `fits` what
    was fitted to them.
    """

    counts: Ints
    sizes: Ints
    table: Table | None = None
    fits: Fits = field(default_factory=Fits)

    @classmethod
    def of(
        cls,
        counts: Ints,
        sizes: Ints,
        surveyed: Ints,
        times: Ints,
        table: Table | None = None,
        fits: Fits | None = None,
    ) -> "Everyone":
        """Rated items, and the `surveyed` patterns (G, L) among them, held by `times` items."""
        groups = group_rows(
            np.concatenate([counts, surveyed]), size=np.concatenate([sizes, 0 * times])
        )
        rows = np.concatenate([counts, surveyed])[groups.first]
        known = groups.size.astype(np.int64)
        np.maximum.at(known, groups.of_row[len(counts) :], times)
        held = (rows.sum(axis=1) > 0) & (known > 0)
        return cls(rows[held], known[held], table, fits or Fits())


@frozen
class FittedSurveys:
    """Populations fitted to all folds of everyone's items but one, and the patterns surveyed.

    `parts` (P,) are surveyed patterns by fold: `row` the pattern, `share` its share in the
    fold, `fold` the fold.
    """

    everyone: Everyone
    cross: CrossFitted
    row: Ints
    share: Floats
    fold: Ints
    ordered: bool = False

    @classmethod
    def fit(cls, setup: Setup, everyone: Everyone, *, ordered: bool = False) -> "FittedSurveys":
        """Cross-fit the population by item; the same items are always dealt alike."""
        few = everyone.sizes.sum() <= _FEW_ITEMS
        folds = _MORE_FOLDS if few and (ordered or everyone.counts.shape[1] == 2) else FOLDS
        cross = everyone.fits.cross(everyone.counts, everyone.sizes, folds, ordered=ordered)
        dealt, place = cross.folds, _places(everyone.counts, setup.counts)
        surveyed = np.full(len(everyone.counts), -1)
        surveyed[place] = np.arange(len(place))
        held = surveyed[dealt.row] >= 0
        row = surveyed[dealt.row[held]]
        share = dealt.size[held] / everyone.sizes[place][row]
        return cls(everyone, cross, row, share, dealt.fold[held], ordered)

    def item_scores(self, setup: Setup) -> tuple[Floats, Floats]:
        """Expected scores (G, K) of surveys of each pattern's items, and errors (K,) of drawing."""
        sizes = setup.sizes[self.row] * self.share
        folds = Folds(self.cross.folds.n, self.row, sizes, self.fold)
        found = replace(self.cross, folds=folds, counts=setup.counts).held_out(
            most=setup.most, score=score_of(setup.scorer), clip=setup.clip
        )
        table = np.zeros((len(setup.counts), setup.most + 1))
        np.add.at(table, self.row, self.share[:, None] * found.scores)
        return table, found.errors

    @cached_property
    def population(self) -> Population:
        """The population fitted to everybody's items."""
        counts, sizes = self.everyone.counts, self.everyone.sizes
        return self.everyone.fits.population(
            counts, sizes, ordered=self.ordered, kinds=not self._of_dirichlets
        )

    @property
    def _of_dirichlets(self) -> bool:
        return isinstance(self.cross.mixtures[0], Dirichlets)


@frozen
class _OfFolds(Combiner):
    """Predictions for the parts of patterns, each by the population without its fold's items."""

    mixtures: CrossFitted
    fold: Ints
    name: str = "fitted"
    produces: Produces = "probabilities"
    learned: ClassVar[bool] = True

    def __call__(self, surveys: Ints, others: Others, *, labels: Labels) -> Floats:
        """Probabilities (R, L)."""
        del labels
        out, fold = np.empty(surveys.shape), self.fold[others.own]
        for each, mixture in enumerate(self.mixtures.mixtures):
            rows = fold == each
            out[rows] = predict(mixture, surveys[rows], others.reference)
        return out


def fitted_curve(
    setup: Setup, samples: NDArray[np.integer], surveys: FittedSurveys, budget: Budget
) -> Curve:
    """The curve of predictions that were learned on other folds, held fixed in `samples` (B, G)."""
    if setup.reference_raters > 1 or not has_own_score(setup.scorer):
        return _by_parts(setup, samples, surveys, budget)
    table, errors = surveys.item_scores(setup)
    points = setup.most + 1
    return Curve(
        scores=setup.sizes @ table / setup.sizes.sum(),
        draws=samples @ table / samples.sum(axis=1, keepdims=True),
        support=np.ones(points),
        backed_off=np.zeros(points, dtype=np.int64),
        error=errors,
        refitted=False,
        surveys=0,
    )


def _by_parts(
    setup: Setup, samples: NDArray[np.integer], surveys: FittedSurveys, budget: Budget
) -> Curve:
    """For any scorer and several reference raters: patterns divided by fold, in the engine."""
    row, share = surveys.row, surveys.share
    parts = replace(
        setup,
        counts=setup.counts[row],
        sizes=setup.sizes[row] * share,
        combiner=_OfFolds(surveys.cross, surveys.fold),
    )
    limit = replace(budget, surveys=min(budget.surveys, _MOST_ROWS))
    return power_curve(parts, samples[:, row] * share, refit=False, budget=limit)


def _places(counts: Ints, wanted: Ints) -> Ints:
    """Where the rows `wanted` (G, L) stand among the distinct rows of `counts`."""
    groups = group_rows(np.concatenate([counts, wanted]))
    place = np.empty(len(groups.first), dtype=np.int64)
    place[groups.of_row[: len(counts)]] = np.arange(len(counts))
    found: Ints = place[groups.of_row[len(counts) :]]
    return found
