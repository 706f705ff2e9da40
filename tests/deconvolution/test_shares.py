"""From labels given to labels held."""

import numpy as np
import pytest

from headcount.deconvolution.slips import (
    disagreement_level,
    majority_shares,
    primary_shares,
)

SHARES = np.array([[0.6, 0.4, 0.0], [0.5, 0.3, 0.2], [0.4, 0.4, 0.2], [1.0, 0.0, 0.0]])


def test_primary_shares_against_paper():
    # Section 5.2.2 prints .54, .28 and .18 of "non-primary" labels, which are then discarded.
    held = primary_shares(np.array([[0.6, 0.4]]), np.array([0.176]))
    np.testing.assert_allclose(held, [[0.654, 0.346]], atol=5e-4)


def test_primary_shares_against_equation_2():
    flip = np.full(4, 0.1)
    noise = 0.1 / 2
    by_hand = np.maximum(SHARES - noise, 0) / (1 - 3 * noise)
    by_hand /= by_hand.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(primary_shares(SHARES, flip), by_hand)


def test_no_slips_leave_the_labels_as_given():
    np.testing.assert_allclose(primary_shares(SHARES, np.zeros(4)), SHARES)


def test_two_labels_become_the_majority_as_slips_become_certain():
    shares = np.array([[0.6, 0.4], [0.9, 0.1], [0.5, 0.5]])
    np.testing.assert_allclose(primary_shares(shares, np.ones(3)), majority_shares(shares))
    np.testing.assert_allclose(primary_shares(shares, np.full(3, 0.41))[:2], [[1, 0], [1, 0]])


def test_once_noise_reaches_every_minority_share_the_majority_takes_all():
    held = primary_shares(SHARES, np.array([0.8, 0.6, 0.8, 0.0]))
    np.testing.assert_allclose(held, [[1, 0, 0], [1, 0, 0], [0.5, 0.5, 0], [1, 0, 0]])


@pytest.mark.parametrize("flip", [0.0, 0.03, 0.2, 0.5, 0.9, 1.0])
def test_slips_undone_only_ever_sharpen(flip):
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.ones(4), size=200)
    held = primary_shares(shares, np.full(200, flip))
    np.testing.assert_allclose(held.sum(axis=1), 1)
    assert (held >= 0).all()
    assert (held.max(axis=1) >= shares.max(axis=1) - 1e-12).all()


def test_leading_axes_broadcast():
    flip = np.array([[0.0, 0.1, 0.2, 0.3], [0.4, 0.3, 0.2, 0.1]])
    both = primary_shares(SHARES, flip)
    for row, rates in zip(both, flip, strict=True):
        np.testing.assert_allclose(row, primary_shares(SHARES, rates))


def test_exact_primary_labels_come_back_against_theory():
    # With known primary shares and a known slip rate the observed shares are known exactly.
    held = np.array([[0.7, 0.2, 0.1], [0.05, 0.9, 0.05]])
    p = 0.12
    given = (1 - p) * held + (1 - held) * p / 2
    np.testing.assert_allclose(primary_shares(given, np.full(2, p)), held, atol=1e-12)


def test_disagreement_is_the_share_outside_the_majority():
    np.testing.assert_allclose(disagreement_level(SHARES), [0.4, 0.5, 0.6, 0.0])
