"""The alternative annotator test against its authors, its definition, and its edges."""

import numpy as np
import pytest
from scipy import stats

from headcount.agreement.replacement import replacement
from headcount.errors import OptionError
from headcount.sampling.multiplicity import benjamini_yekutieli

PUBLISHED = {
    "gemini_flash": 0.46,
    "gemini_pro": 0.44,
    "gpt-4o": 0.48,
    "llama-31": 0.58,
    "gpt-4o-mini": 0.54,
    "mistral-v03": 0.62,
}


def _long(matrix):
    item, rater = np.nonzero(~np.isnan(matrix))
    return item, rater, matrix[item, rater]


def _by_definition(matrix, said, score, epsilon, least):
    """Every comparison written out."""

    def closeness(answer, others):
        if score == "equal":
            return np.mean(others == answer)
        return -np.sqrt(np.mean((others - answer) ** 2))

    found = {}
    for j in range(matrix.shape[1]):
        wins, losses = [], []
        for i in range(len(matrix)):
            others = np.delete(matrix[i], j)
            others = others[~np.isnan(others)]
            if np.isnan(matrix[i, j]) or not len(others) or np.isnan(said[i]):
                continue
            mine, yours = closeness(said[i], others), closeness(matrix[i, j], others)
            draw = abs(mine - yours) < 1e-9
            wins.append(draw or mine > yours)
            losses.append(draw or yours > mine)
        if len(wins) >= least:
            d = np.array(losses, dtype=float) - np.array(wins, dtype=float)
            p = stats.ttest_1samp(d, epsilon, alternative="less").pvalue
            found[j] = (len(d), np.mean(wins), np.mean(losses), p)
    return found


@pytest.mark.parametrize("score", ["equal", "rmse"])
@pytest.mark.parametrize("labels", [2, 5])
@pytest.mark.parametrize("seed", range(4))
def test_replacement_against_brute_force(score, labels, seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(labels, size=60)
    people = np.where(
        rng.random((60, 6)) < 0.6, truth[:, None], rng.integers(labels, size=(60, 6))
    ).astype(float)
    people[rng.random(people.shape) < 0.4] = np.nan
    said = np.where(rng.random(60) < 0.7, truth, rng.integers(labels, size=60)).astype(float)
    said[rng.random(60) < 0.1] = np.nan
    if score == "rmse":
        people, said = people * 0.7, said * 0.7 + 0.1 * (seed % 2)
    test = replacement(*_long(people), said, score=score, epsilon=0.15, least_items=20)
    expected = _by_definition(people, said, score, 0.15, 20)
    assert test.raters.tolist() == sorted(expected)
    n, wins, losses, p = np.array([expected[j] for j in sorted(expected)]).T
    np.testing.assert_array_equal(test.items, n)
    np.testing.assert_allclose(test.classifier_wins, wins)
    np.testing.assert_allclose(test.rater_wins, losses)
    np.testing.assert_allclose(test.p_value, p, atol=1e-12)
    np.testing.assert_allclose(test.adjusted, benjamini_yekutieli(p), atol=1e-12)


def test_replacement_on_summeval_against_paper(shared_data):
    """The authors print ω = 0 for all six judges, and these ρ."""
    import pandas as pd

    folder = shared_data("summeval")
    ratings = pd.read_csv(folder / "ratings.csv.gz")
    judges = pd.read_csv(folder / "predictions.csv.gz").set_index("item")
    item = judges.index.get_indexer(ratings["item"])
    rater = pd.factorize(ratings["rater"])[0]
    for name, rho in PUBLISHED.items():
        test = replacement(
            item, rater, ratings["label"], judges[name].to_numpy(float), score="rmse", epsilon=0.2
        )
        assert len(test.raters) == 3
        assert test.omega == 0
        assert round(test.rho, 2) == pytest.approx(rho)


def test_raters_with_few_items_are_counted_not_tested():
    people = np.full((40, 3), 1.0)
    people[10:, 2] = np.nan
    test = replacement(*_long(people), np.ones(40))
    assert test.raters.tolist() == [0, 1]
    assert test.too_few == 1
    assert test.omega == 1  # always level: not worse by any amount
    assert test.ties == 1


def test_nobody_to_test_is_a_named_outcome():
    test = replacement([0, 0], [0, 1], [1, 0], [1])
    assert test.omega is None
    assert test.rho is None
    assert test.passed is None
    assert "there are none" in test.sentence()


def test_an_answer_nobody_gave_loses():
    people = np.zeros((50, 3))
    test = replacement(*_long(people), np.full(50, 7.0))
    assert test.rho == 0
    assert test.omega == 0


@pytest.mark.parametrize(("option", "value"), [("epsilon", 1.5), ("score", "cosine")])
def test_wrong_options_are_refused(option, value):
    with pytest.raises(OptionError, match=option):
        replacement([0, 0], [0, 1], [1, 0], [1], **{option: value})
