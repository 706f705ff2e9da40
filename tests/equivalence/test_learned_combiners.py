"""A learned combiner of one's own: the same grammar, refitted in every sample."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import headcount as hc
from headcount.data import Labels, group_rows
from headcount.equivalence import question
from headcount.equivalence.combiners import Combiner, Others, Produces, resolve_combiner
from headcount.equivalence.combiners.anonymous_bayes import predict_with_depth
from headcount.equivalence.exact import Budget, Setup, power_curve
from headcount.metrics import resolve_scorer
from headcount.sampling import Bootstrap

LABELS = Labels(("a", "b", "c"))


@dataclass(frozen=True)
class OwnBayes(Combiner):
    """ABC by its plain formula, as somebody else might add it."""

    name: str = "own"
    produces: Produces = "probabilities"
    learned: ClassVar[bool] = True

    def __call__(self, surveys, others, *, labels):
        return predict_with_depth(surveys, others)[0]


@dataclass(frozen=True)
class SharedPrior(Combiner):
    """Answers added to the label shares of the other items: learned, and no closed form."""

    name: str = "shared-prior"
    produces: Produces = "probabilities"
    learned: ClassVar[bool] = True

    def __call__(self, surveys, others, *, labels):
        pulled = surveys + 2 * others.average(others.shares())
        return pulled / pulled.sum(axis=1, keepdims=True)


def curve_with(combiner, scorer, **options):
    rng = np.random.default_rng(9)
    counts = np.array([rng.multinomial(6, p) for p in rng.dirichlet([1, 1, 1], size=30)])
    groups = group_rows(counts)
    samples = groups.gather(Bootstrap(12).item_draws(np.ones(30, dtype=np.int64)))
    setup = Setup(
        counts[groups.first],
        groups.size,
        5,
        LABELS,
        resolve_combiner(combiner),
        resolve_scorer(scorer),
    )
    return power_curve(setup, samples, **options)


def test_own_learned_combiner_against_the_batched_one():
    for scorer in ("cross_entropy", "auc"):
        batched, plain = curve_with("abc", scorer), curve_with(OwnBayes(), scorer)
        np.testing.assert_allclose(plain.scores, batched.scores, atol=1e-12)
        np.testing.assert_allclose(plain.draws, batched.draws, atol=1e-12)
        assert plain.refitted


def test_held_fixed_against_refitted():
    held, free = (curve_with("abc", "brier", refit=refit) for refit in (False, True))
    np.testing.assert_array_equal(held.scores, free.scores)
    assert not held.refitted
    assert np.abs(held.draws - free.draws).max() > 1e-3


def test_drawn_surveys_of_a_learned_combiner():
    exact = curve_with(SharedPrior(), "brier")
    drawn = curve_with(SharedPrior(), "brier", budget=Budget(60, draws=4000))
    first = drawn.drawn_from
    assert first is not None
    gap = np.abs(drawn.scores - exact.scores)[first:] / drawn.error[first:]
    assert gap.max() < 4


def test_drawn_surveys_with_many_labels_stay_near_the_exact_curve(monkeypatch):
    """Most surveys are one of a kind here: drawn ones back off along their own order."""
    rng = np.random.default_rng(2)
    counts = np.array([rng.multinomial(9, p) for p in rng.dirichlet(np.ones(6) * 0.4, size=150)])
    ratings = hc.Ratings.from_counts(counts, labels=list("abcdef"))
    exact = hc.power_curve(ratings, combiner="abc", n_bootstrap=0)
    monkeypatch.setattr(question, "MOST_SURVEYS", 3000)
    drawn = hc.power_curve(ratings, combiner="abc", n_bootstrap=0)
    assert exact.measured.support[-1] < 0.9
    np.testing.assert_allclose(drawn.values, exact.values, atol=0.12)
    np.testing.assert_allclose(drawn.measured.support, exact.measured.support, atol=0.03)


def test_own_combiner_through_the_front_door():
    ratings = hc.Ratings.from_counts([[5, 1], [2, 4], [6, 0], [3, 3]] * 30, labels=["no", "yes"])
    curve = hc.power_curve(ratings, combiner=SharedPrior(), n_bootstrap=20)
    assert curve.asked.combiner == "shared-prior"
    assert curve.asked.refitted
    assert "own" not in curve.verdict()


def test_others_average_without_the_item_itself():
    others = Others.each_its_own(np.array([[3, 1], [1, 3], [2, 2]]))
    np.testing.assert_allclose(
        others.average(others.shares()), [[0.375, 0.625], [0.625, 0.375], [0.5, 0.5]]
    )
