"""Groups of raters against loops over pairs, and against an independent count of real data."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.agreement.rater_groups import (
    GroupedCounts,
    agree_by_group,
    group_agreement,
    group_difference,
    within_less_between,
)
from headcount.agreement.weighted import weights_between

RATINGS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(-1, 1)), min_size=1, max_size=15
)


def _grouped(rows, n_items=4, n_groups=2, n_labels=3):
    item, label, group = np.array(rows).T
    return GroupedCounts.of(
        item, label, group, n_items=n_items, n_groups=n_groups, n_labels=n_labels
    )


@given(RATINGS, st.lists(st.integers(-1, 2), min_size=4, max_size=4))
def test_groups_against_brute_force(rows, answers):
    weights = weights_between([0, 1, 2], "linear")
    once = np.ones((1, 4))
    pairs = {(g, h): [] for g in range(2) for h in range(2)}
    for one, other in combinations(rows, 2):
        if one[0] == other[0] and min(one[2], other[2]) >= 0:
            worth = weights[one[1], other[1]]
            pairs[one[2], other[2]].append(worth)
            if one[2] != other[2]:
                pairs[other[2], one[2]].append(worth)
    expected = np.array(
        [[np.mean(pairs[g, h]) if pairs[g, h] else np.nan for h in range(2)] for g in range(2)]
    )
    found = group_agreement(_grouped(rows), once, weights)[0]
    np.testing.assert_allclose(found, expected)
    excess = expected[[0, 1], [0, 1]] - expected[[0, 1], [1, 0]]
    np.testing.assert_allclose(within_less_between(found[None])[0], excess)

    shares = np.full((4, 2), np.nan)
    for i in range(4):
        for g in range(2):
            said = [label for item, label, group in rows if (item, group) == (i, g)]
            if said and answers[i] >= 0:
                shares[i, g] = np.mean(weights[answers[i], said])
    by_group = agree_by_group(_grouped(rows), answers, once, weights)[0]
    for g in range(2):
        column = shares[~np.isnan(shares[:, g]), g]
        np.testing.assert_allclose(by_group[g], column.mean() if len(column) else np.nan)
    both = shares[~np.isnan(shares).any(axis=1)]
    gap = group_difference(_grouped(rows), answers, once, weights, 0, 1)[0]
    np.testing.assert_allclose(
        gap, (both[:, 0] - both[:, 1]).mean() if len(both) else np.nan, atol=1e-12
    )


@pytest.mark.parametrize("column", ["gender", "age"])
def test_groups_of_offensiveness_against_brute_force(shared_data, column):
    """Pairs of people merged item by item, counted by pandas."""
    import pandas as pd

    ratings = pd.read_csv(shared_data("offensiveness") / "ratings.csv.gz", dtype=str)
    ratings = ratings.drop_duplicates(["item", "rater"])
    item, _ = pd.factorize(ratings["item"])
    label, labels = pd.factorize(ratings["label"], sort=True)
    group, names = pd.factorize(ratings[column], sort=True)
    grouped = GroupedCounts.of(
        item, label, group, n_items=item.max() + 1, n_groups=len(names), n_labels=len(labels)
    )
    found = group_agreement(grouped, np.ones((1, item.max() + 1)), np.eye(len(labels)))[0]
    pairs = ratings.merge(ratings, on="item")
    pairs = pairs[pairs["rater_x"] != pairs["rater_y"]]
    pairs["equal"] = pairs["label_x"] == pairs["label_y"]
    expected = pairs.pivot_table(
        index=f"{column}_x", columns=f"{column}_y", values="equal", aggfunc="mean"
    ).reindex(index=names, columns=names)
    np.testing.assert_allclose(found, expected.to_numpy(float))
