"""Many comparisons at once: p-values adjusted for how often one looked.

Holm for claims: the chance that any of the claims made is false stays below the level, however
the comparisons hang together. Benjamini–Yekutieli for lists: of the entries that a list names,
the expected share named wrongly stays below the level, again whatever the dependence.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def holm(p_values: ArrayLike) -> Floats:
    """Holm's adjusted p-values, in the order given; NaN (no test made) stays NaN.

    Parameters
    ----------
    p_values
        One p-value for each comparison.

    Returns
    -------
    array
        Claims with an adjusted p-value of at most α are all true with chance 1 − α at least.

    Notes
    -----
    The i-th smallest of m becomes max over j ≤ i of (m − j + 1)·p₍ⱼ₎, at most 1.

    References
    ----------
    Holm (1979), A simple sequentially rejective multiple test procedure.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    p, known, order = _ordered(p_values)
    m = len(order)
    stepped = np.maximum.accumulate((m - np.arange(m)) * p[known][order])
    return _back(p, known, order, stepped)


def benjamini_yekutieli(p_values: ArrayLike) -> Floats:
    """Benjamini and Yekutieli's adjusted p-values, in the order given; NaN stays NaN.

    Parameters
    ----------
    p_values
        One p-value for each comparison.

    Returns
    -------
    array
        Of a list of all entries at most α, the expected share named wrongly is at most α.

    Notes
    -----
    The i-th smallest of m becomes min over j ≥ i of m·h(m)/j·p₍ⱼ₎, at most 1, with
    h(m) = 1 + 1/2 + … + 1/m.

    References
    ----------
    Benjamini and Yekutieli (2001), The control of the false discovery rate in multiple testing
    under dependency.

    Examples
    --------
    >>> benjamini_yekutieli([0.01, 0.04, 0.03]).round(4).tolist()
    [0.055, 0.0733, 0.0733]
    """
    p, known, order = _ordered(p_values)
    m = len(order)
    rank = np.arange(1, m + 1)
    raised = p[known][order] * m * (1 / rank).sum() / rank
    return _back(p, known, order, np.minimum.accumulate(raised[::-1])[::-1])


def _ordered(p_values: ArrayLike) -> tuple[Floats, NDArray[np.intp], NDArray[np.intp]]:
    p = np.asarray(p_values, dtype=np.float64)
    known = np.flatnonzero(~np.isnan(p))
    return p, known, np.argsort(p[known], kind="stable")


def _back(p: Floats, known: NDArray[np.intp], order: NDArray[np.intp], adjusted: Floats) -> Floats:
    out = np.full(p.shape, np.nan)
    out[known[order]] = np.minimum(adjusted, 1.0)
    return out
