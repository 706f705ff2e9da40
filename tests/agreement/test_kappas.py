"""Kappas and AC2 against other implementations, their definitions, and degenerate data."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from headcount.agreement.kappa import (
    NO_COMMON_ITEM,
    NO_VARIATION,
    cohen_kappa,
    conger_kappa,
    pairwise_kappas,
)
from headcount.agreement.named import NamedRatings
from headcount.agreement.rare_label import rare_label, specific_agreement
from headcount.agreement.weighted import (
    gwet_ac2,
    weighted_agreement,
    weighted_fleiss,
    weights_between,
)
from headcount.errors import OptionError

FROZEN = json.loads((Path(__file__).parent / "kappas.json").read_text())
FILES = {
    "summeval": "ratings.csv.gz",
    "sleep-stages": "ratings.csv.gz",
    "llm-rubric": "ratings.csv",
}
KINDS = ("identity", "linear", "quadratic")


def _named(matrix, n_labels):
    """From items × raters with −1 for blanks."""
    item, rater = np.nonzero(matrix >= 0)
    return NamedRatings(
        item,
        rater,
        matrix[item, rater],
        names=tuple(map(str, range(matrix.shape[1]))),
        n_items=len(matrix),
        n_labels=n_labels,
    )


def _counts(ratings):
    counts = np.zeros((ratings.n_items, ratings.n_labels), dtype=np.int64)
    np.add.at(counts, (ratings.item, ratings.label), 1)
    return counts


def _real(folder, name):
    import pandas as pd

    long = pd.read_csv(folder(name) / FILES[name], dtype=str, keep_default_na=False)
    first = long.drop_duplicates(["item", "rater"], keep="first")
    items, _ = pd.factorize(first["item"])
    raters, names = pd.factorize(first["rater"])
    values, codes = np.unique(first["label"].astype(float), return_inverse=True)
    named = NamedRatings(
        items, raters, codes, names=tuple(names), n_items=items.max() + 1, n_labels=len(values)
    )
    return named, values


@pytest.mark.parametrize("name", FILES)
def test_coefficients_of_all_raters_against_reference(shared_data, name):
    ratings, values = _real(shared_data, name)
    counts, once = _counts(ratings), np.ones((1, ratings.n_items), dtype=np.int64)
    for kind in KINDS:
        weights, frozen = weights_between(values, kind), FROZEN[name]["together"][kind]
        assert conger_kappa(ratings, once, weights)[0] == pytest.approx(
            frozen["conger_kappa"], abs=1e-10
        )
        assert gwet_ac2(counts, once, weights)[0] == pytest.approx(frozen["gwet_ac2"], abs=1e-10)
        assert weighted_fleiss(counts, once, weights)[0] == pytest.approx(
            frozen["fleiss_kappa"], abs=1e-10
        )


@pytest.mark.parametrize("name", FILES)
def test_kappas_of_pairs_against_reference(shared_data, name):
    ratings, values = _real(shared_data, name)
    place = {rater: code for code, rater in enumerate(ratings.names)}
    for kind in KINDS:
        found = pairwise_kappas(ratings, weights_between(values, kind))
        for pair in FROZEN[name]["pairs"]:
            one, other = (place[rater] for rater in pair["raters"])
            assert found.items[one, other] == pair["items"]
            assert found.kappa[one, other] == pytest.approx(pair[kind], abs=1e-10)
            assert found.kappa[other, one] == pytest.approx(pair[kind], abs=1e-10)


MATRICES = arrays(
    np.int64, st.tuples(st.integers(1, 8), st.integers(2, 4)), elements=st.integers(-1, 2)
)


@given(MATRICES, st.sampled_from(KINDS))
def test_conger_and_agreement_against_brute_force(matrix, kind):
    weights = weights_between([0, 1, 2], kind)
    ratings = _named(matrix, 3)
    once = np.ones((1, len(matrix)), dtype=np.int64)
    shares = []
    for row in matrix:
        said = row[row >= 0]
        pairs = [weights[a, b] for a, b in combinations(said, 2)]
        if pairs:
            shares.append(np.mean(pairs))
    observed = np.mean(shares) if shares else np.nan
    np.testing.assert_allclose(weighted_agreement(_counts(ratings), once, weights)[0], observed)
    own = [col[col >= 0] for col in matrix.T]
    own = [np.bincount(col, minlength=3) / len(col) for col in own if len(col)]
    chance = [a @ weights @ b for a, b in combinations(own, 2)]
    found = conger_kappa(ratings, once, weights)[0]
    mixed = len(np.unique(matrix[matrix >= 0])) > 1
    if shares and chance and mixed and 1 - np.mean(chance) > 1e-9:
        expected = (observed - np.mean(chance)) / (1 - np.mean(chance))
        np.testing.assert_allclose(found, expected, atol=1e-9)
    elif not (shares and mixed):
        assert np.isnan(found)


def test_two_raters_without_blanks_make_conger_cohen_against_theory():
    matrix = np.random.default_rng(3).integers(0, 3, (40, 2))
    ratings = _named(matrix, 3)
    once = np.ones((1, 40), dtype=np.int64)
    for kind in KINDS:
        weights = weights_between([0, 1, 2], kind)
        pair = pairwise_kappas(ratings, weights).kappa[0, 1]
        np.testing.assert_allclose(conger_kappa(ratings, once, weights)[0], pair)


def test_drawing_items_twice_is_having_them_twice():
    matrix = np.random.default_rng(4).integers(-1, 3, (12, 4))
    times = np.random.default_rng(5).integers(0, 4, (1, 12))
    weights = weights_between([0, 1, 2])
    again = np.repeat(matrix, times[0], axis=0)
    drawn = conger_kappa(_named(matrix, 3), times, weights)
    copied = conger_kappa(_named(again, 3), np.ones((1, len(again)), dtype=np.int64), weights)
    np.testing.assert_allclose(drawn, copied)


def test_pairs_without_a_kappa_say_why():
    matrix = np.array([[0, 0, -1], [0, 0, -1], [-1, 1, -1], [-1, -1, 1]])
    found = pairwise_kappas(_named(matrix, 2), np.eye(2))
    assert found.reason(0, 2) == NO_COMMON_ITEM
    assert found.reason(0, 1) == NO_VARIATION
    assert np.isnan(found.mean())


def test_unknown_weights_are_refused():
    with pytest.raises(OptionError, match="weights"):
        weights_between([0, 1], "cubic")


def test_one_label_has_no_coefficient():
    counts, once = np.array([[3, 0], [2, 0]]), np.ones((1, 2), dtype=np.int64)
    assert np.isnan(weighted_fleiss(counts, once, np.eye(2))[0])
    assert gwet_ac2(counts, once, np.eye(2))[0] == 1
    assert np.isnan(cohen_kappa(np.array([[5, 0], [0, 0]]), np.eye(2)))


def test_a_rare_label_is_explained():
    """Agreement 94.7 %, AC1 .94, alpha .0 on the same data."""
    counts, sizes = np.array([[2, 0], [1, 1], [0, 2]]), np.array([946, 53, 1])
    agreement = weighted_agreement(counts, sizes[None], np.eye(2))[0]
    ac1 = gwet_ac2(counts, sizes[None], np.eye(2))[0]
    kappa = weighted_fleiss(counts, sizes[None], np.eye(2))[0]
    assert (round(agreement, 3), round(ac1, 2), round(kappa, 2)) == (0.947, 0.94, 0.01)
    found = rare_label(counts, sizes, ac1, kappa)
    assert found.common == 0
    assert found.repeated == pytest.approx(2 / 55)
    text = found.sentence(agreement, ac1, kappa, "no")
    assert "94.7 %" in text
    assert "3.6 % of cases" in text
    assert rare_label(np.array([[2, 0], [0, 2]]), np.array([9, 9]), 1.0, 1.0) is None


def test_specific_agreement_against_brute_force():
    counts = np.array([[2, 1, 0], [0, 2, 2], [1, 0, 0]])
    repeated = {0: [], 1: [], 2: []}
    for row in counts:
        said = np.repeat(np.arange(3), row)
        for i, label in enumerate(said):
            others = np.delete(said, i)
            if len(others):
                repeated[label].append(np.mean(others == label))
    found = specific_agreement(counts, np.ones((1, 3), dtype=np.int64))[0]
    np.testing.assert_allclose(found, [np.mean(repeated[label]) for label in range(3)])
