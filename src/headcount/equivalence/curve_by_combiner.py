"""The curve by the combiner that was asked for, or by the one that predicts people better."""

from dataclasses import field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats, Ints
from headcount.data import FirstAnswers, Labels, group_rows
from headcount.equivalence.combiners import COMBINERS, AnonymousBayes, Combiner, Others, Produces
from headcount.equivalence.combiners.population_bayes import predict
from headcount.equivalence.curve_limits import Limits, LinearLimits, limits_of
from headcount.equivalence.exact import Budget, Curve, Setup, power_curve
from headcount.equivalence.question import Question
from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.population import (
    FOLDS,
    CrossFitted,
    Dirichlets,
    Everyone,
    Folds,
    Mixture,
    Population,
    Refits,
    Score,
    count_surveys,
    curve_of,
    enumerated_scores,
    score_of,
)
from headcount.sampling import Samples

Draws = NDArray[np.number]

# (Pattern, survey) pairs up to which abc is worked out for the comparison.
_COMPARED = 2_000_000

# A lead of abc by less than this share of the gain is a tie, which goes to fitted.
_TIE = 1e-3


_MORE_FOLDS, _FEW_ITEMS = 10, 2_000
"""With so few items of two labels, or ordered ones, a fold in ten leaves more to learn from."""

# (Pattern, survey) pairs up to which scorers that are no means see every survey.
_MOST_ROWS = 1_000_000


@frozen(eq=False)
class Learned:
    """What was learned from everybody's items, and again without each rater, or held fixed.

    A combiner that learns from other items with the same answers knows less without a rater, and
    least at the longest surveys, of which it has the fewest: that is no difference between
    raters. A fitted population does not starve. `refits` are None where items alone count.
    """

    mixture: Mixture
    score: Score
    clip: float | None
    refits: Refits | None
    _known: dict[tuple[int, int, bytes], Floats] = field(default_factory=dict, init=False)

    def moved(self, most: int, by: Mixture) -> Floats:
        """How far the population's own curve (`most` + 1,) is another's from what was learned."""
        k = np.arange(most + 1)
        there, here = (
            curve_of(each, k, self.score, clip=self.clip).scores for each in (by, self.mixture)
        )
        return there - here

    def without(self, samples: Samples) -> list[Mixture]:
        """What to predict by without each rater, or group of them, of `samples`.

        Where raters are many, a group of them hardly moves what is learned: it is held fixed.
        """
        tables = len(samples.left_out)
        groups = None if self.refits is None else self.refits.groups_of(samples)
        if self.refits is None or groups is None or len(np.unique(groups[groups >= 0])) < tables:
            return [self.mixture] * tables
        fits = self.refits.without_raters
        return [fits[group] or self.mixture for group in groups]

    def curve(self, counts: Ints, sizes: NDArray[np.integer], most: int, by: Mixture) -> Floats:
        """Scores (`most` + 1,) of surveys of items with counts (G, L), `sizes` (G,) of each."""
        # Patterns recur from table to table where what was learned is held fixed.
        keys = [(id(by), most, each.tobytes()) for each in counts]
        new = np.array([row for row, key in enumerate(keys) if key not in self._known], np.int64)
        found = enumerated_scores(by, counts[new], most=most, score=self.score, clip=self.clip)
        self._known.update(zip((keys[row] for row in new), found, strict=True))
        scores: Floats = sizes @ np.array([self._known[key] for key in keys]) / sizes.sum()
        return scores


@frozen
class Surveyed:
    """A curve, the `combiner` it is by, why that one was chosen, and where it goes on.

    `learned` is what was fitted on the way, where the scorer is one that a population has.
    """

    curve: Curve
    combiner: Combiner
    chosen: str | None = None
    limits: Limits | None = None
    learned: Learned | None = None


def surveyed(question: Question, setup: Setup, samples: Draws, everyone: Everyone) -> Surveyed:
    """The curve of `setup` and of its bootstrap `samples` (B, G); `everyone` is learned from."""
    first = question.first_answers
    if first is not None:
        return _of_first_answers(question, setup, samples, everyone, first)
    if question.chooses:
        return _better(question, setup, samples, everyone)
    if question.combiner.name == "linear":
        return _linear(question, setup, samples)
    if question.combiner.name == "fitted":
        return _fitted(question, setup, samples, everyone)
    return Surveyed(_by_engine(question, setup, samples), question.combiner, question.settled)


_BY_FIRST = (
    "fitted was chosen: asking for more ratings hung on the first ones, and abc learns from items "
    "with as many ratings."
)


def _of_first_answers(
    question: Question, setup: Setup, samples: Draws, everyone: Everyone, first: FirstAnswers
) -> Surveyed:
    """Surveys of first answers: of all that items may have begun with, each by its chance."""
    left_open = question.chooses or question.settled is not None
    if question.combiner.name == "abc" and not left_open:
        raise OptionError(
            'combiner="abc" learns from items with as many ratings, and here more were asked for '
            'where the first ones differed: use combiner="fitted", or say stopped="random" '
            "(--stopped random) if that is not so."
        )
    if left_open or question.combiner.name == "fitted":
        found = _fitted(question, setup, samples, everyone)
        return replace(found, chosen=_BY_FIRST if left_open else None)
    spread = first.of(setup.counts)
    begun = replace(setup, counts=spread.first, sizes=spread.times(setup.sizes[None])[0])
    drawn = spread.times(samples)
    if question.combiner.name == "linear":
        return _linear(question, begun, drawn)
    return Surveyed(_by_engine(question, begun, drawn), question.combiner)


def _better(question: Question, setup: Setup, samples: Draws, everyone: Everyone) -> Surveyed:
    """Whichever of abc and fitted predicts held-out answers better along the curve."""
    found = _fitted(question, setup, samples, everyone)
    abc = AnonymousBayes()
    upto = _affordable(setup)
    # Without samples: only the scores are compared, and abc may yet lose.
    rival = power_curve(replace(setup, combiner=abc, most=upto), samples[:0]).scores
    ours, theirs = (float(np.mean(each[1 : upto + 1])) for each in (found.curve.scores, rival))
    # Surveys of nobody are left out: both predict the overall shares there.
    fitted_wins = not theirs - ours > _TIE * (theirs - float(rival[0]))
    names = ("fitted", "abc") if fitted_wins else ("abc", "fitted")
    why = _reason(*names, *((ours, theirs) if fitted_wins else (theirs, ours)), setup, upto)
    if fitted_wins:
        return replace(found, chosen=why)
    curve = _by_engine(question, replace(setup, combiner=abc), samples)
    return Surveyed(curve, abc, why, found.limits, found.learned)


def _reason(better: str, other: str, score: float, its: float, setup: Setup, upto: int) -> str:
    how = "better than" if score > its else "as well as"
    sizes = "one rater" if upto == 1 else f"1 to {upto} raters"
    return (
        f"{better} was chosen: it predicts held-out answers {how} {other} (mean "
        f"{setup.scorer.name} of surveys of {sizes} {score:.5f} against {its:.5f}). fitted reads "
        "a survey by how items differ in the fitted population, abc by other items with the same "
        "answers."
    )


def _affordable(setup: Setup) -> int:
    """The largest survey up to which abc is compared."""
    pairs = np.cumsum(count_surveys(setup.counts, setup.most).sum(axis=0))
    return max(1, int(np.searchsorted(pairs, _COMPARED, side="right")) - 1)


def _fitted(question: Question, setup: Setup, samples: Draws, everyone: Everyone) -> Surveyed:
    surveys = FittedSurveys.fit(setup, everyone, ordered=question.ordered)
    surveys = replace(surveys, first=question.first_answers)
    setup = replace(setup, combiner=COMBINERS["fitted"])
    curve = fitted_curve(setup, samples, surveys, question.budget)
    score = score_of(setup.scorer)
    if setup.reference_raters > 1 or score is None:
        return Surveyed(curve, setup.combiner)
    limits = limits_of(
        surveys.population,
        score,
        setup.clip,
        everyone,
        question.options.seed,
    )
    refits = None
    if everyone.table is not None:
        refits = everyone.fits.without(surveys.population, everyone.table)
    learned = Learned(surveys.population.mixture, score, setup.clip, refits)
    return Surveyed(curve, setup.combiner, limits=limits, learned=learned)


def _linear(question: Question, setup: Setup, samples: Draws) -> Surveyed:
    """By pairs of ratings alone: the error of the best linear prediction from the mean of k."""
    limits, k = LinearLimits.of(setup.counts, setup.sizes, samples), np.arange(setup.most + 1)
    curve = Curve.of_scores(limits.curve(k), limits.draws(k), refitted=True)
    return Surveyed(curve, question.combiner, limits=limits)


def _by_engine(question: Question, setup: Setup, samples: Draws) -> Curve:
    curve = power_curve(
        setup,
        samples,
        refit=question.options.refit,
        budget=question.budget,
        progress=question.progress,
    )
    return _centred(curve) if curve.refitted else curve


def _centred(curve: Curve) -> Curve:
    """Draws moved so that their mean is the estimate.

    A sample holds 63 % of the different items, and a combiner that learns anew from it
    predicts worse: every draw lies too low. That is no uncertainty of the curve.
    """
    known = ~np.isnan(curve.draws)
    mean = np.where(known, curve.draws, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return replace(curve, draws=curve.draws + (curve.scores - mean))


@frozen
class Parts:
    """Parts of patterns: their `counts` (P, L), the pattern's `row`, its `share`, fold and size."""

    counts: Ints
    row: Ints
    share: Floats
    fold: Ints
    sizes: Floats


@frozen
class FittedSurveys:
    """Populations fitted to all folds of everyone's items but one, and the patterns surveyed.

    Surveyed patterns are divided by fold into P parts: `row` (P,) is the pattern, `share` (P,) how
    much of its items are in the fold, `fold` (P,) the fold. Where only the `first` answers of an
    item are like people's, these are surveyed.
    """

    everyone: Everyone
    cross: CrossFitted
    row: Ints
    share: Floats
    fold: Ints
    ordered: bool = False
    first: FirstAnswers | None = None

    @classmethod
    def fit(cls, setup: Setup, everyone: Everyone, *, ordered: bool = False) -> "FittedSurveys":
        """Cross-fit the population by item; the same items are always dealt alike."""
        few = everyone.sizes.sum() <= _FEW_ITEMS
        folds = _MORE_FOLDS if few and (ordered or everyone.counts.shape[1] == 2) else FOLDS
        # Dealt by their counts, so that calls with the same items share folds and fits.
        cross = everyone.fits.cross(everyone.counts, everyone.sizes, folds, ordered=ordered)
        dealt, place = cross.folds, places(everyone.counts, setup.counts)
        surveyed = np.full(len(everyone.counts), -1)
        surveyed[place] = np.arange(len(place))
        held = surveyed[dealt.row] >= 0
        row = surveyed[dealt.row[held]]
        share = dealt.size[held] / everyone.sizes[place][row]
        return cls(everyone, cross, row, share, dealt.fold[held], ordered)

    def item_scores(self, setup: Setup, score: Score) -> tuple[Floats, Floats]:
        """Expected scores (G, K) of surveys of each pattern's items, and errors (K,) of drawing."""
        parts = self.parts(setup)
        place = np.arange(len(parts.counts))
        folds = Folds(self.cross.folds.n, place, parts.sizes, parts.fold)
        found = replace(self.cross, folds=folds, counts=parts.counts).held_out(
            most=setup.most, score=score, clip=setup.clip
        )
        table = np.zeros((len(setup.counts), setup.most + 1))
        np.add.at(table, parts.row, parts.share[:, None] * found.scores)
        return table, found.errors

    def parts(self, setup: Setup) -> "Parts":
        """The patterns in parts by fold, and by what was asked first where that counts."""
        counts = setup.counts[self.row]
        if self.first is None:
            sizes = setup.sizes[self.row] * self.share
            return Parts(counts, self.row, self.share, self.fold, sizes)
        spread = self.first.of(counts)
        row, share = self.row[spread.row], self.share[spread.row] * spread.weight
        sizes = setup.sizes[row] * share
        return Parts(spread.first, row, share, self.fold[spread.row], sizes)

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


def fitted_curve(setup: Setup, samples: Draws, surveys: FittedSurveys, budget: Budget) -> Curve:
    """The curve of predictions that were learned on other folds, held fixed in `samples` (B, G)."""
    score = score_of(setup.scorer)
    if setup.reference_raters > 1 or score is None:
        return _by_parts(setup, samples, surveys, budget)
    table, errors = surveys.item_scores(setup, score)
    return Curve.of_scores(
        setup.sizes @ table / setup.sizes.sum(),
        samples @ table / samples.sum(axis=1, keepdims=True),
        refitted=False,
        error=errors,
    )


def _by_parts(setup: Setup, samples: Draws, surveys: FittedSurveys, budget: Budget) -> Curve:
    """For any scorer and several reference raters: patterns divided by fold, in the engine."""
    of = surveys.parts(setup)
    parts = replace(
        setup, counts=of.counts, sizes=of.sizes, combiner=_OfFolds(surveys.cross, of.fold)
    )
    limit = replace(budget, surveys=min(budget.surveys, _MOST_ROWS))
    return power_curve(parts, samples[:, of.row] * of.share, refit=False, budget=limit)


def places(counts: Ints, wanted: Ints) -> Ints:
    """Where the rows `wanted` (G, L) stand among the distinct rows of `counts`."""
    groups = group_rows(np.concatenate([counts, wanted]))
    place = np.empty(len(groups.first), dtype=np.int64)
    place[groups.of_row[: len(counts)]] = np.arange(len(counts))
    found: Ints = place[groups.of_row[len(counts) :]]
    return found
