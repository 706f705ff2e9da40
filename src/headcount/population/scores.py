"""What a prediction scores against each label, and against people who answer as it says.

The scores are those of the house: agreement, the mean of log₂ p(label), Brier's as minus half
the squared distance, and minus the ranked probability score of labels in an order. Probabilities
are cut to [ε, 1 − ε] and made to sum to one again before a logarithm is taken; ε = 0.04 / L unless
set, and 0 leaves them as they are.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headcount.errors import OptionError
from headcount.metrics.ranked import ranked_scores

Floats = NDArray[np.float64]
Score = Literal["cross_entropy", "brier", "agreement", "rps"]

SCORES: tuple[Score, ...] = ("cross_entropy", "brier", "agreement", "rps")


def clip_in_use(n_labels: int, clip: float | None) -> float:
    """The ε in use: the one given (0 for none), or 0.04 / L."""
    if clip is None:
        return 0.04 / n_labels
    if not 0 <= clip < 1 / n_labels:
        raise OptionError(
            f"clip is 0 or a number below {1 / n_labels:.3g} with {n_labels} labels; "
            f"it was {clip!r}."
        )
    return float(clip)


def label_scores(prediction: Floats, score: Score, clip: float | None = None) -> Floats:
    """The score of predictions (…, L) against each label, (…, L); −∞ only without a clip."""
    if score == "cross_entropy":
        with np.errstate(divide="ignore"):
            logs: Floats = np.log2(_clipped(prediction, clip_in_use(prediction.shape[-1], clip)))
        return logs
    if score == "brier":
        square = (prediction * prediction).sum(axis=-1, keepdims=True)
        brier: Floats = prediction - 0.5 - 0.5 * square
        return brier
    if score == "rps":
        return ranked_scores(prediction, np.ones(prediction.shape[-1] - 1))
    if score == "agreement":
        # Ties share: a coin is flipped among the most likely labels.
        top = prediction >= prediction.max(axis=-1, keepdims=True) * (1 - 1e-12)
        shared: Floats = top / top.sum(axis=-1, keepdims=True)
        return shared
    raise OptionError(f"score is one of {', '.join(SCORES)}; it was {score!r}.")


def own_score(p: Floats, score: Score, clip: float | None = None) -> Floats:
    """What predicting p scores where people answer by p: Σ_ℓ p_ℓ S(p, ℓ), for p (…, L)."""
    return expected_score(label_scores(p, score, clip), p)


def expected_score(scores: Floats, p: Floats) -> Floats:
    """Σ_ℓ p_ℓ scores_ℓ, a label that nobody gives counting nothing."""
    kept = np.where(p != 0, scores, 0.0)
    total: Floats = np.einsum("...l,...l->...", kept, p)
    return total


def _clipped(probabilities: Floats, clip: float) -> Floats:
    if clip == 0:
        return probabilities
    held = np.clip(probabilities, clip, 1 - clip)
    cut: Floats = held / held.sum(axis=-1, keepdims=True)
    return cut
