"""The ranked probability score: how far a distribution over levels lies from one level."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def ranked_scores(prediction: Floats, steps: Floats) -> Floats:
    """−Σ_j w_j (F(j) − 1[y ≤ j])² of predictions (…, L) against every level y, (…, L).

    `steps` (L − 1,) weighs the cuts between neighbouring levels. A row without any probability
    is an answer outside the levels: as bad as the certain answer at the end that is further off.

    >>> ranked_scores(np.array([0.0, 1.0, 0.0]), np.ones(2))
    array([-1.,  0., -1.])
    """
    below = np.cumsum(prediction, axis=-1)[..., :-1]
    squares = (below**2) @ steps
    # Against y the cuts from y on have 1 to be compared with: (F − 1)² = F² − (2F − 1).
    gains = np.cumsum(((2 * below - 1) * steps)[..., ::-1], axis=-1)[..., ::-1]
    scores = np.concatenate([gains, np.zeros((*gains.shape[:-1], 1))], axis=-1)
    scores -= squares[..., None]
    silent = ~prediction.any(axis=-1)
    if silent.any():
        up = np.concatenate([[0.0], np.cumsum(steps)])
        scores[silent] = -np.maximum(up, up[-1] - up)
    return scores
