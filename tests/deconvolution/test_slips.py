"""From self-disagreement to flip rates."""

import numpy as np
import pytest

from headcount.deconvolution.slips import (
    flip_rate,
    most_disagreement,
)


def test_flip_rate_against_paper():
    # Section 5.2.1: r = .291 in the stratum (.55, .6]; the paper prints .176, which is .177.
    assert flip_rate(0.291, 2) == pytest.approx(0.17674, abs=1e-5)
    r = np.linspace(0, 0.5, 11)
    np.testing.assert_allclose(flip_rate(r, 2), (1 - np.sqrt(1 - 2 * r)) / 2, atol=1e-12)


@pytest.mark.parametrize("n_labels", [2, 3, 4, 10])
def test_flip_rate_against_theory(n_labels):
    rates = np.linspace(0, most_disagreement(n_labels), 25)
    agree = (1 - rates) ** 2 + rates**2 / (n_labels - 1)
    np.testing.assert_allclose(flip_rate(1 - agree, n_labels), rates, atol=1e-7)


@pytest.mark.parametrize("n_labels", [2, 3, 7])
def test_disagreement_past_the_limit_is_cut_to_it(n_labels):
    limit = most_disagreement(n_labels)
    assert flip_rate(limit, n_labels) == pytest.approx(limit)
    assert flip_rate(0.99, n_labels) == pytest.approx(limit)


def test_more_labels_make_a_smaller_rate_of_the_same_disagreement():
    rates = [float(flip_rate(0.3, n)) for n in (2, 3, 4, 10)]
    assert rates == sorted(rates, reverse=True)
