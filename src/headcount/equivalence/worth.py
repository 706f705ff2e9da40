"""How many raters each classifier is worth, as a result."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import ClassVar

import numpy as np

from headcount.arrays import Floats
from headcount.data import Reading
from headcount.equivalence.crossing import later_crossings, worth
from headcount.equivalence.power_curve import PowerCurve
from headcount.equivalence.words import digits_for, people, worth_sentences, worth_text
from headcount.results import (
    Cell,
    Estimate,
    Record,
    Result,
    Table,
    hidden,
    percent,
    record,
)
from headcount.sameness import exceeds, scale_of, varies
from headcount.sampling import Sampled
from headcount.sampling.delta import covariance_over_raters
from headcount.sampling.differences import difference_of_intervals, tail_beyond

# Classifiers that a verdict speaks of; the others stand in the table.
_SAID = 4


@record
class ClassifierWorth(Record):
    """One classifier on the curve.

    `worth` is how many raters it is worth, `score` how well it predicts a held-out rater and
    `gain` what that is more than asking nobody; `of_ideal` is that gain as a share of what the
    ideal classifier gains. They are of the classifier in its `reading`:
    "calibrated" to the raters, or as "given"; `as_it_stands` is the worth as given where it
    was calibrated, None where that is the same thing or means nothing (a bare label taken for
    a certainty). `turned_round` is the correlation of its answers with people's where these run
    the other way, None elsewhere. `draws` (B,) are its scores in the curve's bootstrap samples,
    `without` (J,) without each rater, where raters are a sample too; `as_certain` tells that bare
    labels were scored as if they were certainties.
    """

    name: str
    score: Estimate
    worth: Estimate
    gain: Estimate
    of_ideal: Estimate
    reading: Reading
    as_it_stands: Estimate | None
    answered: int
    out_of: int
    turned_round: Estimate | None = None
    as_certain: bool = hidden(default=False)
    draws: Floats = hidden(default_factory=lambda: np.zeros(0))
    without: Floats | None = hidden(default=None)
    curve: PowerCurve = hidden(kw_only=True, compare=False)

    also = ("performance_ratio", "p_beats_each", "later_crossings")
    named: ClassVar[Mapping[str, str]] = {"worth": "equivalence", "p_beats_each": "p_beats"}
    unfolded = ("score",)

    @property
    def performance_ratio(self) -> Estimate:
        """Its gain as a share of the gain of the most raters on the curve."""
        return self.ratio_to(self.curve.most)

    @property
    def p_beats_each(self) -> tuple[float | None, ...]:
        """`p_beats` for every survey of the curve."""
        return tuple(self.p_beats(k) for k in range(self.curve.most + 1))

    @property
    def later_crossings(self) -> tuple[float, ...]:
        """Where a curve that is not monotone passes its score again."""
        return later_crossings(_number(self.score), self.curve.values)

    @property
    def worth_draws(self) -> Floats:
        """The worth in each bootstrap sample (B,); −∞ below the curve, +∞ above, NaN undefined."""
        upto = self.curve.reach + 1
        return worth(self.draws, self.curve.draws[:, :upto])

    @property
    def worth_without(self) -> Floats | None:
        """The worth without each rater (J,), as `worth_draws`; None where none is left out."""
        if self.without is None or self.curve.without is None:
            return None
        return worth(self.without, self.curve.without[:, : self.curve.reach + 1])

    @property
    def sampled(self) -> Sampled:
        """Its score, in samples of items and without each rater."""
        return self.curve.asked.sampled(_number(self.score), self.draws, self.without)

    @property
    def sampled_worth(self) -> Sampled:
        """Its worth, in samples of items and without each rater; ±∞ beyond the curve."""
        value = _or_beyond(self.worth)
        return self.curve.asked.sampled(value, self.worth_draws, self.worth_without)

    def p_beats(self, raters: int) -> float | None:
        """The chance that it scores above `raters` raters.

        The share of bootstrap samples in which it does; where raters are a sample too, by
        Student's t. None without samples in which both have a score. More raters than at the
        peak of a curve that falls are taken for no worse than those at the peak.
        """
        curve = self.curve
        upto = min(curve.in_data(raters), curve.reach)
        if self.without is None or curve.without is None or curve.asked.samples is None:
            return _share_above(self.draws, curve.draws[:, upto])
        gap = self.sampled.less(curve.sampled(upto))
        below = tail_beyond(float(gap.value), *gap.spread)
        return None if below is None else 1 - below

    def ratio_to(self, raters: int) -> Estimate:
        """Its gain as a share of the gain of `raters` raters."""
        self.curve.in_data(raters)
        curve, scale = self.curve, scale_of(self.curve.values)

        def share(score: Floats, none: Floats, some: Floats) -> Floats:
            gain = some - none
            able = exceeds(gain, 0.0, scale=scale)
            out: Floats = np.full(gain.shape, np.nan)
            return np.divide(score - none, gain, out=out, where=able)

        ratio = self.sampled.through(share, curve.sampled(0), curve.sampled(raters))
        why = f"{people(raters)} gain nothing over none"
        return curve.asked.estimate(ratio, why)

    def sentences(self) -> tuple[str, ...]:
        """What is to be said of its worth: in people, and what calibration changed."""
        return worth_sentences(
            self.name,
            self.worth,
            self.curve.most,
            as_it_stands=self.as_it_stands,
            as_certain=self.as_certain,
            turned_round=self.turned_round,
        )


@record
class Comparison(Record):
    """Two classifiers on the same bootstrap samples.

    `score` and `worth` are differences, first less second; `p_better` is the share of
    samples in which the first one scores higher.
    """

    first: str
    second: str
    score: Estimate
    worth: Estimate
    p_better: float | None


@record
class SurveyEquivalence(Result):
    """How many raters each classifier is worth.

    All draws come from the same bootstrap samples, so every difference is a paired one.

    Attributes
    ----------
    curve : PowerCurve
        The rater power curve.
    classifiers : tuple of ClassifierWorth
        Those who stand on it, each once, under `found["name"]` too: `worth`, `score`, `gain`,
        `of_ideal`, `p_beats(k)`.

    Examples
    --------
    >>> import headcount as hc
    >>> data = hc.simulate.make("running-example", items=80, seed=1)
    >>> found = hc.survey_equivalence(data.ratings, data.predictions, n_bootstrap=0)
    >>> [each.name for each in found.best_first()][0]
    'ideal'
    """

    curve: PowerCurve
    classifiers: tuple[ClassifierWorth, ...]

    rows = "classifiers"
    also = ("comparisons", "unchecked")
    unfolded = ("curve",)

    @property
    def ideal(self) -> Estimate:
        """The score of the ideal classifier, which knows how people divide on each item."""
        return self.curve.ideal

    @property
    def names(self) -> tuple[str, ...]:
        """The classifiers' names."""
        return tuple(classifier.name for classifier in self.classifiers)

    def best_first(self) -> tuple[ClassifierWorth, ...]:
        """The classifiers by their scores."""
        return tuple(sorted(self.classifiers, key=lambda each: -_or_least(each.score)))

    def compare(self, first: str, second: str) -> Comparison:
        """Two classifiers on the same samples: differences of score and of worth.

        Parameters
        ----------
        first, second : str
            Their names.

        Returns
        -------
        Comparison
            `score` and `worth`, first less second, and `p_better`.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=80, seed=1)
        >>> found = hc.survey_equivalence(data.ratings, data.predictions, n_bootstrap=50)
        >>> found.compare("ideal", "hard").p_better > 0.9
        True
        """
        a, b = self[first], self[second]
        return Comparison(
            first,
            second,
            self.score_difference(first, second),
            self.worth_difference(first, second),
            _share_above(a.draws, b.draws),
        )

    def score_difference(self, first: str, second: str) -> Estimate:
        """How much higher the first scores than the second, paired.

        Parameters
        ----------
        first, second : str
            Their names.

        Returns
        -------
        Estimate
            Its interval holds nought just where that of their worths does.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=80, seed=1)
        >>> found = hc.survey_equivalence(data.ratings, data.predictions, n_bootstrap=50)
        >>> found.score_difference("ideal", "hard").low > 0
        True
        """
        apart: Sampled = self[first].sampled.less(self[second].sampled)
        found, _ = apart.difference(self.curve.asked.confidence)
        return found

    def worth_difference(self, first: str, second: str) -> Estimate:
        """How many more raters the first is worth than the second.

        Parameters
        ----------
        first, second : str
            Their names.

        Returns
        -------
        Estimate
            Open on a side where one of the worths is. On a curve that does not fall who scores
            higher is worth more, so whether it holds nought is for the scores to say.

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=80, seed=1)
        >>> found = hc.survey_equivalence(data.ratings, data.predictions, n_bootstrap=50)
        >>> found.worth_difference("ideal", "hard").low > 0
        True
        """
        a, b = self[first], self[second]
        return difference_of_intervals(
            a.worth,
            b.worth,
            order=self.score_difference(first, second),
            correlation=_correlation(a.sampled_worth, b.sampled_worth),
        )

    def sampled(self, names: Sequence[str]) -> Sampled:
        """The scores (C,) of some classifiers, in the same samples.

        Parameters
        ----------
        names : sequence of str
            Their names.

        Returns
        -------
        Sampled

        Examples
        --------
        >>> import headcount as hc
        >>> data = hc.simulate.make("running-example", items=80, seed=1)
        >>> found = hc.survey_equivalence(data.ratings, data.predictions, n_bootstrap=50)
        >>> found.sampled(["ideal", "hard"]).draws.shape
        (50, 2)
        """
        return Sampled.side_by_side([self[name].sampled for name in names])

    def estimates(self) -> dict[str, dict[str, Estimate]]:
        """Each classifier's quantities by name, as requirements ask for them."""
        return {each.name: {"worth": each.worth} for each in self.classifiers}

    def verdict(self) -> str:
        """What each classifier is worth, in people: a line each, best first."""
        said = [" ".join(each.sentences()) for each in self.best_first()]
        more = len(said) - _SAID
        return "\n".join([*said[:_SAID], *([f"{more} more in the table."] if more > 0 else [])])

    def tables(self) -> tuple[Table, ...]:
        """The classifiers, the chances to beat k raters, and the curve."""
        return (self._classifier_table(), *self._chance_tables(), self.curve.curve_table())

    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on."""
        return (
            "A classifier and a survey are both scored by how well they predict a held-out rater.",
            *self.curve.assumptions(),
        )

    def unchecked(self) -> tuple[str, ...]:
        """What was assumed, dropped or drawn."""
        again = []
        for each in self.classifiers:
            if places := each.later_crossings:
                where = ", ".join(f"{place:.2f}" for place in places)
                again.append(f"The curve passes the score of {each.name} also at {where} raters.")
        return (*again, *self.curve.unchecked())

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every pair of classifiers."""
        return tuple(self.compare(*pair) for pair in combinations(self.names, 2))

    def _classifier_table(self) -> Table:
        digits = digits_for(self.curve.asked.scorer)
        ideal = self.ideal.value is not None
        both = any(each.as_it_stands is not None for each in self.classifiers)
        rows: list[tuple[Cell, ...]] = []
        for each in self.classifiers:
            raw = each.as_it_stands
            taken = ("–" if raw is None else worth_text(raw, noun=""),) if both else ()
            worths = (worth_text(each.worth, noun=""), *taken)
            ratio = (each.of_ideal if ideal else each.performance_ratio).text(percent=True)
            rows.append((each.name, *worths, each.score.text(digits), ratio))
        calibrated = any(each.reading == "calibrated" for each in self.classifiers)
        return Table(
            "What each classifier is worth",
            (
                "classifier",
                "worth (raters)",
                *(("at its word",) if both else ()),
                self.curve.asked.scorer,
                "of the possible gain" if ideal else f"of the gain of {people(self.curve.most)}",
            ),
            tuple(rows),
            caption=_CALIBRATED if calibrated else "",
            id="classifiers",
        )

    def _chance_tables(self) -> tuple[Table, ...]:
        if not self.curve.asked.n_bootstrap:
            return ()
        sizes = range(min(self.curve.most, 10) + 1)
        rows: list[tuple[Cell, ...]] = []
        for each in self.classifiers:
            chances = [each.p_beats(k) for k in sizes]
            rows.append((each.name, *("–" if p is None else percent(p, 0) for p in chances)))
        headings = ("classifier", *(f"k = {k}" for k in sizes))
        title = "Chance to predict better than k raters"
        return (Table(title, headings, tuple(rows), id="beats"),)


_CALIBRATED = (
    "Answers are read as how often raters then give each label (calibrated on other items); at its "
    "word: its probabilities as they are."
)


def _number(estimate: Estimate) -> float:
    return math.nan if estimate.value is None else estimate.value


def _or_beyond(estimate: Estimate) -> float:
    """Its value; an infinity where it lies beyond the curve."""
    if estimate.value is not None:
        return estimate.value
    return {"above": math.inf, "below": -math.inf}.get(estimate.state or "", math.nan)


# Share of samples in which two worths must lie on the curve, for their correlation to count.
_ENOUGH = 0.9


def _correlation(first: Sampled, second: Sampled) -> float:
    """How far two worths move together, over items and raters: they stand on one curve.

    None where draws that reach past the curve are more than a few: those say nothing of it.
    """
    known = np.isfinite(first.draws) & np.isfinite(second.draws)
    if known.sum() < max(_ENOUGH * len(known), 3):
        return 0.0
    one, other = first.draws[known], second.draws[known]
    table = np.cov(one, other)
    if first.samples.counts_raters and first.without is not None and second.without is not None:
        left = np.column_stack([first.without, second.without])
        left = left[np.isfinite(left).all(axis=1)]
        table = table + covariance_over_raters(left) if len(left) > 1 else table
    together = math.sqrt(table[0, 0] * table[1, 1])
    return float(table[0, 1] / together) if varies(together, scale=scale_of(one, other)) else 0.0


def _or_least(estimate: Estimate) -> float:
    return -math.inf if estimate.value is None else estimate.value


def _share_above(first: Floats, second: Floats) -> float | None:
    known = ~(np.isnan(first) | np.isnan(second))
    if not known.any():
        return None
    scale = scale_of(first[known], second[known])
    return float(np.mean(exceeds(first[known], second[known], scale=scale)))
