"""Equal surveys get equal predictions where a scorer would rank the differences."""

import numpy as np

from headcount.equivalence.combiners import alike


def test_rows_of_equal_survey_get_their_weighted_mean():
    p = np.array([[0.1, 0.9], [0.3, 0.7], [0.5, 0.5]])
    out = alike(p, np.array([[1, 0], [1, 0], [0, 1]]), np.array([1.0, 3.0, 2.0]))
    np.testing.assert_allclose(out, [[0.25, 0.75], [0.25, 0.75], [0.5, 0.5]])


def test_numbers_survey_codes_and_gaps_work_the_same():
    p = np.array([1.0, 3.0, np.nan, 8.0, np.nan])
    out = alike(p, np.array([0, 0, 0, 2, 1]), np.array([1.0, 1.0, 9.0, 0.0, 1.0]))
    np.testing.assert_allclose(out, [2, 2, 2, 8, np.nan])
