"""What K ratings an item can tell at most: sharp bounds of a functional given K moments.

K ratings an item fix the first K moments of the population, whatever the number of items. Over
all populations with these moments a linear functional has a lowest and a highest value: a
linear programme over a grid.
"""

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from headcount.errors import UnanswerableError

Floats = NDArray[np.float64]

SLACK = 1e-9
"""How far a moment may be off: a grid need not hold the population that they came from."""


def moment_bounds(
    functional: Floats, grid: Floats, *, atoms: Floats, weights: Floats, ratings: int
) -> tuple[float, float]:
    """The lowest and highest mean of `functional` (M,) over `grid` (M,) for two labels.

    Over all populations with the first `ratings` moments of the one with `weights` at `atoms`
    (the chance of the second label). Raises UnanswerableError where the programme has no
    solution: no bound is made up.
    """
    # Chebyshev polynomials span the same moments and keep the programme well conditioned.
    rows: Floats = chebyshev.chebvander(2 * grid - 1, ratings).T.astype(np.float64)
    moments = chebyshev.chebvander(2 * atoms - 1, ratings).T @ weights
    return (
        _lowest(functional, rows, moments),
        -_lowest(-functional, rows, moments),
    )


def _lowest(functional: Floats, rows: Floats, moments: Floats) -> float:
    from scipy.optimize import linprog  # slow to load

    found = linprog(
        functional,
        A_ub=np.vstack([rows, -rows]),
        b_ub=np.concatenate([moments + SLACK, SLACK - moments]),
        bounds=(0, None),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.status != 0:
        raise UnanswerableError(
            f"No population on this grid has these {len(moments) - 1} moments ({found.message})"
        )
    return float(found.fun)
