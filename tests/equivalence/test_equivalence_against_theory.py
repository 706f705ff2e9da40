"""The paper's theorems, on models whose answers are known."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from headcount.data import Labels
from headcount.equivalence.combiners import Combiner, Produces, plurality_of, resolve_combiner
from headcount.equivalence.combiners.anonymous_bayes import predict_with_depth
from headcount.equivalence.crossing import worth
from headcount.equivalence.exact import Setup, power_curve
from headcount.equivalence.exact.curve_setup import Scoring
from headcount.equivalence.scored_groups import HeldOut, ScoredGroups
from headcount.metrics import resolve_scorer

sys.path.insert(0, str(Path(__file__).parent))
import population

LABELS = Labels(("neg", "pos"))
TRUE_CURVE = (
    *(-0.9507, -0.8701, -0.8136, -0.7825, -0.7620),
    *(-0.7484, -0.7393, -0.7330, -0.7283, -0.7248),
)


def limit_curve(combiner, scorer, *, raters=10, reference_raters=1, states=None, clip=None):
    """The curve with endlessly many items."""
    counts, items = population.patterns(states or population.RUNNING_EXAMPLE, raters)
    setup = Setup(
        counts,
        items,
        raters - reference_raters,
        LABELS,
        resolve_combiner(combiner),
        resolve_scorer(scorer),
        reference_raters=reference_raters,
        clip=clip,
    )
    return power_curve(setup, np.zeros((0, len(items)), dtype=np.int64)).scores


def limit_score(scorer, prediction, counts, items, reference_raters=1):
    """A classifier's score with endlessly many items."""
    scoring = Scoring(resolve_scorer(scorer), LABELS, None, None)
    held_out = plurality_of(counts, reference_raters)
    return ScoredGroups(scoring, prediction, HeldOut(held_out)).scores(items[None])[0]


def test_gains_of_abc_are_mutual_information_against_theory():
    """Theorem 1: c_k − c₀ → MI(next answer; k answers)."""
    found = limit_curve("abc", "cross_entropy")
    expected = population.information_curve(population.RUNNING_EXAMPLE, 9)
    np.testing.assert_allclose(found, expected, atol=1e-9)
    np.testing.assert_allclose(found, TRUE_CURVE, atol=6e-5)
    assert (np.diff(found) > 0).all()  # Corollary 2


def test_curve_approaches_knowing_the_state_against_theory():
    """The asymptote is the entropy that is left when the state is known: −0.699."""
    long = population.information_curve(population.RUNNING_EXAMPLE, 60)
    known = sum(
        weight * (p * np.log2(p) + (1 - p) * np.log2(1 - p))
        for p, weight in population.RUNNING_EXAMPLE
    )
    assert known == pytest.approx(-0.699, abs=5e-4)
    assert long[-1] == pytest.approx(known, abs=2e-3)
    np.testing.assert_allclose(limit_curve("abc", "cross_entropy", raters=30), long[:30], atol=1e-8)


def test_gain_of_a_calibrated_classifier_is_mutual_information_against_theory():
    """Theorem 2: h − c₀ → MI(output; answer), and the true worth is 1.8813 raters."""
    counts, answer, items = population.outputs(
        population.RUNNING_EXAMPLE, 10, population.SAYS_POSITIVE
    )
    share = [(items * (answer == a)) @ counts[:, 1] / 10 for a in (0, 1)]
    of_answer = np.array([items[answer == a].sum() for a in (0, 1)])
    calibrated = np.array(share) / of_answer
    prediction = np.column_stack([1 - calibrated[answer], calibrated[answer]])
    found = limit_score("cross_entropy", prediction, counts, items)
    chance = of_answer / of_answer.sum()
    known = sum(
        chance[a] * (p * np.log2(p) + (1 - p) * np.log2(1 - p)) for a, p in enumerate(calibrated)
    )
    assert found == pytest.approx(known, abs=1e-9)
    assert found == pytest.approx(-0.82031, abs=5e-6)
    curve = limit_curve("abc", "cross_entropy")
    assert worth([found], curve[None])[0] == pytest.approx(1.8813, abs=5e-5)


@pytest.mark.parametrize(
    "rival",
    [
        "frequency",
        "frequency-overall",
        lambda surveys: (surveys + 1) / (surveys + 1).sum(axis=1, keepdims=True),
        lambda surveys: (surveys + 4) / (surveys + 4).sum(axis=1, keepdims=True),
    ],
)
def test_no_combiner_beats_abc_in_cross_entropy_against_theory(rival):
    """Theorem 3 and Corollary 1: the best curve, hence the smallest worth."""
    best = limit_curve("abc", "cross_entropy", clip=1e-6)
    other = limit_curve(rival, "cross_entropy", clip=1e-6)
    assert (other <= best + 1e-9).all()


@dataclass(frozen=True)
class NextRater(Combiner):
    """ABC that learns the next rater whatever it is scored against: one combiner for every r."""

    name: str = "next-rater"
    produces: Produces = "probabilities"
    learned: ClassVar[bool] = True

    def __call__(self, surveys, others, *, labels):
        return predict_with_depth(surveys, replace(others, reference=1))[0]


@pytest.mark.parametrize("combiner", ["plurality", "frequency", NextRater()])
def test_dmi_worth_does_not_depend_on_reference_raters_against_theory(combiner):
    """Theorem 5: one state a label (uniform noise), any combiner, r = 1, 3 or 5."""
    states = ((0.88, 0.6), (0.35, 0.4))
    says = {0.88: 0.7, 0.35: 0.45}
    counts, answer, items = population.outputs(states, 12, says)
    prediction = np.eye(2)[answer]
    found = []
    for r in (1, 3, 5):
        curve = limit_curve(combiner, "dmi", raters=12, reference_raters=r, states=states)
        score = limit_score("dmi", prediction, counts, items, r)
        found.append(worth([score], curve[None])[0])
    assert 0.2 < found[0] < 7
    np.testing.assert_allclose(found, found[0], rtol=1e-6)


def test_worth_of_other_scorers_does_depend_on_reference_raters():
    """So that the test above shows something."""
    counts, answer, items = population.outputs(
        population.RUNNING_EXAMPLE, 12, population.SAYS_POSITIVE
    )
    found = []
    for r in (1, 3):
        curve = limit_curve("plurality", "agreement", raters=12, reference_raters=r)
        score = limit_score("agreement", answer, counts, items, r)
        found.append(worth([score], curve[None])[0])
    assert abs(found[0] - found[1]) > 1e-3


def test_even_surveys_vote_no_better_than_odd_ones_against_theory():
    """Majority of two labels: the tie-breaking coin cancels what the even rater adds."""
    curve = limit_curve("plurality", "agreement")
    np.testing.assert_allclose(curve[2::2], curve[1:-1:2], atol=1e-12)


def test_plurality_of_three_held_out_raters_against_theory():
    shares = plurality_of(np.array([[2, 1, 1], [0, 3, 1], [1, 1, 1]]), 3)
    # {2,1,1}: draws of 3 from 4 answers: aab ×1, aac ×1, abc ×2 → a 1/4+1/4+2/4/3, …
    np.testing.assert_allclose(shares[0], [0.5 + 1 / 6, 1 / 6, 1 / 6])
    np.testing.assert_allclose(shares[1], [0, 1, 0])
    np.testing.assert_allclose(shares[2], [1 / 3] * 3)
