"""Steps of many ratings: products with "the label was said more than m times", without the table.

A row that said a label 150 times has 150 ones beside each other: their sum with a column of
numbers is one number of its running sums. So a product costs as many numbers as there are labels,
and not as there are ratings.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from headcount.frozen import frozen

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@frozen
class Staircase:
    """A table (D, C) of ones and zeros whose columns lie in flights, one for each label.

    `flight` (C,) and `step` (C,) say where each column lies; `ends` (D, flights × steps) has a
    one at the last step that a row takes in a flight.
    """

    flight: Ints
    step: Ints
    ends: sparse.csr_array

    def __matmul__(self, numbers: Floats) -> Floats:
        """The table times numbers (C, W)."""
        n_steps = int(self.step.max()) + 1
        running = np.zeros((self.ends.shape[1] // n_steps, n_steps, numbers.shape[1]))
        running[self.flight, self.step] = numbers
        np.cumsum(running, axis=1, out=running)
        product: Floats = self.ends @ running.reshape(-1, numbers.shape[1])
        return product

    def passed(self, numbers: Floats) -> Floats:
        """The turned table times numbers (D, W): each step sums over rows that get so far."""
        n_steps = int(self.step.max()) + 1
        ended = (self.ends.T @ numbers).reshape(-1, n_steps, numbers.shape[1])
        passed = np.cumsum(ended[:, ::-1], axis=1)[:, ::-1]
        product: Floats = passed[self.flight, self.step]
        return product


def staircase(counts: Ints, own: NDArray[np.bool_]) -> tuple[Staircase, Ints, NDArray[np.bool_]]:
    """The staircase of counts (D, K), the column of each of its C steps, and whether it is `own`.

    Rows that are `own` (D, K) in a column have a flight apart.
    """
    n_rows, n_columns = counts.shape
    n_steps = int(counts.max(initial=1))
    flight_of = np.arange(n_columns) + n_columns * own
    n_flights = int(flight_of.max()) // n_columns * n_columns + n_columns
    longest = np.zeros(n_flights, dtype=np.int64)
    np.maximum.at(longest, flight_of, counts)
    flight = np.repeat(np.arange(n_flights), longest)
    step = np.arange(len(flight)) - np.repeat(np.cumsum(longest) - longest, longest)
    row, column = np.nonzero(counts)
    place = flight_of[row, column] * n_steps + counts[row, column] - 1
    ends = sparse.csr_array((np.ones(len(row)), (row, place)), shape=(n_rows, n_flights * n_steps))
    return Staircase(flight, step, ends), flight % n_columns, flight >= n_columns
