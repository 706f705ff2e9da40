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
from headcount.metrics import brier_scores, clip_for, log_scores, ranked_scores, top_shares

Floats = NDArray[np.float64]
Score = Literal["cross_entropy", "brier", "agreement", "rps"]

SCORES: tuple[Score, ...] = ("cross_entropy", "brier", "agreement", "rps")


def label_scores(prediction: Floats, score: Score, clip: float | None = None) -> Floats:
    """The score of predictions (…, L) against each label, (…, L); −∞ only without a clip."""
    n_labels = prediction.shape[-1]
    if score == "cross_entropy":
        if clip == 0:
            with np.errstate(divide="ignore"):
                logs: Floats = np.log2(prediction)
            return logs
        return log_scores(prediction, clip_for(n_labels, clip))
    if score == "brier":
        return brier_scores(prediction)
    if score == "rps":
        return ranked_scores(prediction, np.ones(n_labels - 1))
    if score == "agreement":
        return top_shares(prediction)  # a coin is flipped among the most likely labels
    raise OptionError(f"score is one of {', '.join(SCORES)}; it was {score!r}.")


def own_score(p: Floats, score: Score, clip: float | None = None) -> Floats:
    """What predicting p scores where people answer by p: Σ_ℓ p_ℓ S(p, ℓ), for p (…, L)."""
    return expected_score(label_scores(p, score, clip), p)


def expected_score(scores: Floats, p: Floats) -> Floats:
    """Σ_ℓ p_ℓ scores_ℓ, a label that nobody gives counting nothing."""
    kept = np.where(p != 0, scores, 0.0)
    total: Floats = np.einsum("...l,...l->...", kept, p)
    return total
