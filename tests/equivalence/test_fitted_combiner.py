"""The combiner fitted, and auto: what it predicts, what it learns from, when it is chosen."""

import itertools

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.data import Labels, group_rows
from headcount.equivalence.combiners import COMBINERS, Others
from headcount.equivalence.combiners.population_bayes import predict
from headcount.equivalence.curve_by_combiner import FittedSurveys, _by_parts, fitted_curve
from headcount.equivalence.exact import Budget, Setup, power_curve
from headcount.errors import OptionError
from headcount.metrics import resolve_scorer
from headcount.population import fit_population
from headcount.population.mixtures import Dirichlets
from headcount.population.study_fits import Everyone
from headcount.sampling import Bootstrap

RNG = np.random.default_rng(3)
THREE = RNG.multinomial(6, RNG.dirichlet([0.6, 0.5, 0.4], size=400))


def ratings_of(counts):
    return hc.Ratings.from_counts(counts, labels=list("abcdefgh"[: counts.shape[1]]))


def setup_of(counts, scorer, **how):
    groups = group_rows(counts)
    labels = Labels(tuple("abcdefgh"[: counts.shape[1]]))
    most = int(counts.sum(axis=1).min()) - how.get("reference_raters", 1)
    return Setup(
        counts[groups.first],
        groups.size,
        most,
        labels,
        COMBINERS["fitted"],
        resolve_scorer(scorer),
        **how,
    )


@pytest.mark.parametrize("scorer", ["cross_entropy", "brier", "agreement"])
def test_scores_item_by_item_equal_the_engines(scorer):
    """Two ways to the same curve: a table of items' scores, and the exact engine by folds."""
    setup = setup_of(THREE, scorer)
    surveys = FittedSurveys.fit(setup, Everyone(setup.counts, setup.sizes))
    draws = Bootstrap(5).item_draws(setup.sizes)
    table = fitted_curve(setup, draws, surveys, Budget())
    engine = _by_parts(setup, draws, surveys, Budget())
    np.testing.assert_allclose(table.scores, engine.scores, atol=1e-10)
    np.testing.assert_allclose(table.draws, engine.draws, atol=1e-10)
    assert (np.diff(table.scores)[:3] > 0).all()


def test_cross_fitting_stays_near_leaving_each_item_out_against_brute_force():
    counts = THREE[:60, :2] + [[0, 1]]
    setup = setup_of(counts, "cross_entropy")
    everyone = Everyone(setup.counts, setup.sizes)
    folds = fitted_curve(
        setup, np.zeros((0, len(setup.sizes))), FittedSurveys.fit(setup, everyone), Budget()
    )
    each = power_curve(setup, np.zeros((0, len(setup.sizes)), dtype=np.int64))
    np.testing.assert_allclose(folds.scores, each.scores, atol=0.03)


def test_an_item_is_left_out_of_its_own_prediction():
    others = Others.each_its_own(THREE[:20, :2] + 1)
    found = COMBINERS["fitted"](np.tile([[1, 0]], (20, 1)), others, labels=Labels(("a", "b")))
    without = fit_population(np.delete(others.counts, 4, axis=0)).predict([[1, 0]])
    np.testing.assert_allclose(found[4], without[0], atol=1e-6)


def test_plurality_of_several_against_brute_force():
    mixture = Dirichlets(np.array([0.4, 0.6]), np.array([[0.5, 1.0, 2.0], [4.0, 0.2, 0.1]]))
    y = np.array([[1, 0, 2], [0, 0, 0]])
    found = predict(mixture, y, 3)
    for survey, prediction in zip(y, found, strict=True):
        expected = np.zeros(3)
        for held in itertools.product(range(3), repeat=3):
            chance, seen = 1.0, survey.copy()
            for label in held:
                chance *= mixture.predict(seen[None])[0, label]
                seen[label] += 1
            votes = np.bincount(held, minlength=3)
            expected += chance * (votes == votes.max()) / (votes == votes.max()).sum()
        np.testing.assert_allclose(prediction, expected, atol=1e-10)


@pytest.mark.parametrize("combiner", ["abc", "fitted"])
def test_several_reference_raters_are_learned(combiner):
    """Learning the plurality of three is better than learning one rater, once people differ."""
    rng = np.random.default_rng(5)
    yes = rng.binomial(9, rng.choice([0.3, 0.75], size=1500))
    counts = np.column_stack([9 - yes, yes])
    setup = setup_of(counts, "cross_entropy", reference_raters=3)
    none = np.zeros((0, len(setup.sizes)), dtype=np.int64)
    found = hc.power_curve(ratings_of(counts), combiner=combiner, reference_raters=3, n_bootstrap=0)

    learned = Setup(
        setup.counts, setup.sizes, setup.most, setup.labels, _Single(), setup.scorer,
        reference_raters=3,
    )  # fmt: skip
    single = power_curve(learned, none).scores
    assert (found.values[1:] > single[1:] + 0.003).all()


class _Single(type(COMBINERS["frequency"])):
    """The fitted prediction of one more rater, whatever it is scored against."""

    def __call__(self, surveys, others, *, labels):
        return fit_population(others.counts, others.items).predict(surveys)


def test_items_with_few_ratings_take_part_in_the_fit():
    few = RNG.multinomial(2, RNG.dirichlet([0.6, 0.5, 0.4], size=3000))
    together = ratings_of(np.concatenate([THREE, few]))
    options = {"combiner": "fitted", "n_bootstrap": 0, "max_raters": 6}
    alone, helped = (hc.power_curve(each, **options) for each in (ratings_of(THREE), together))
    assert helped.asked.items_used == alone.asked.items_used == 400
    assert not np.array_equal(helped.values, alone.values)
    assert helped.values[-1] > alone.values[-1] - 0.01


def test_auto_says_what_it_chose_and_why():
    many = ratings_of(RNG.multinomial(8, RNG.dirichlet(np.full(8, 0.2), size=300)))
    curve = hc.power_curve(many, n_bootstrap=0)
    assert curve.asked.combiner == "fitted"
    assert "fitted was chosen: it predicts held-out answers better than abc" in curve.summary()
    told = curve.to_dict()
    assert told["combiner"] == "fitted"
    assert told["combiner_chosen"].startswith("fitted was chosen")
    named = hc.power_curve(many, combiner="fitted", n_bootstrap=0)
    np.testing.assert_array_equal(named.values, curve.values)
    assert named.asked.combiner_chosen is None
    paper = hc.power_curve(many, combiner="abc", n_bootstrap=0)
    assert paper.values[1:].mean() < curve.values[1:].mean()


def test_auto_keeps_to_abc_where_a_fit_would_make_no_sense():
    ratings = ratings_of(THREE)
    by_rank = hc.power_curve(ratings, scorer="auc", n_bootstrap=0)
    assert by_rank.asked.combiner == "abc"
    assert "abc was chosen" in by_rank.asked.combiner_chosen
    pools = hc.power_curve(ratings, experts=ratings, n_bootstrap=0)
    assert (pools.asked.combiner, "one pool" in pools.asked.combiner_chosen) == ("abc", True)
    for combiner in ("fitted", "linear"):
        with pytest.raises(OptionError, match="one pool"):
            hc.power_curve(ratings, experts=ratings, combiner=combiner, scorer="brier")


@pytest.mark.parametrize("scorer", ["auc", "f1", "dmi"])
def test_fitted_serves_every_scorer(scorer):
    curve = hc.power_curve(ratings_of(THREE), combiner="fitted", scorer=scorer, n_bootstrap=20)
    assert np.isfinite(curve.values).all()
    assert curve.values[-1] > curve.values[1]
    assert curve.ideal.value is None
    assert "fitted population" in curve.ideal.note


def test_with_nobody_asked_a_vote_gives_the_commonest_label():
    """A constant answer knows no more than nobody: it is worth nothing, not 0.88 raters."""
    yes = np.random.default_rng(1).binomial(7, 0.8, size=300)
    ratings = hc.Ratings.from_counts(np.column_stack([7 - yes, yes]), labels=["no", "yes"])
    said = pa.table({"item": [str(i) for i in range(300)], "always": ["yes"] * 300})
    options = {"combiner": "plurality", "scorer": "agreement", "n_bootstrap": 0}
    found = hc.survey_equivalence(ratings, said, **options)
    assert found["always"].worth.state == "below"
    assert found.curve.values[0] == pytest.approx(yes.mean() / 7)
    paper = hc.survey_equivalence(ratings, said, nobody="uniform", **options)
    assert paper.curve.values[0] == 0.5
    assert paper["always"].worth.state != "below"
