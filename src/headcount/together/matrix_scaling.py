"""A vector of probabilities calibrated as a whole: q ∝ exp(b + W log p), by people's answers.

With more than two labels it matters which label a classifier takes for which: isotonic curves
look at one label at a time and cannot tell. The fit is a convex one, with a ridge towards p itself.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.frozen import frozen

Floats = NDArray[np.float64]

RIDGE = 0.01
"""Pull towards leaving p as it is, per item: .01 as good as any between .001 and .1."""

_LEAST = 1e-4
"""Probabilities below this are taken for this: a saturated network says 1e-40 and means never."""

_MOST_ROWS = 20_000
"""Rows that a fit looks at: L² + L numbers are known well enough by then."""


@frozen(eq=False)
class MatrixScaling:
    """`weights` (L, L) and `bias` (L,)."""

    weights: Floats
    bias: Floats

    @classmethod
    def fit(
        cls,
        said: Floats,
        counts: NDArray[np.number],
        size: Floats,
        *,
        start: "MatrixScaling | None" = None,
    ) -> "MatrixScaling":
        """Fit to rows of probabilities (n, L) with counts (n, L) of `size` (n,) items each.

        `start` is where the search begins, such as the fit to more of the items.
        """
        from scipy.optimize import minimize  # slow to load

        step = -(-len(said) // _MOST_ROWS)
        x = np.log(np.maximum(said[::step], _LEAST))
        share = counts[::step] / np.maximum(counts[::step].sum(axis=1, keepdims=True), 1)
        weight = size[::step] / size[::step].sum()
        n = said.shape[1]
        as_given = np.concatenate([np.eye(n).ravel(), np.zeros(n)])
        near = as_given if start is None else np.append(start.weights.ravel(), start.bias)

        def loss(at: Floats) -> tuple[float, Floats]:
            logits = x @ at[: n * n].reshape(n, n).T + at[n * n :]
            logits -= logits.max(axis=1, keepdims=True)
            q = np.exp(logits)
            total = q.sum(axis=1, keepdims=True)
            fitted = (share * (logits - np.log(total))).sum(axis=1)
            off = weight[:, None] * (q / total - share)
            away = at - as_given
            slope = np.concatenate([(off.T @ x).ravel(), off.sum(axis=0)]) + RIDGE * away
            return float(-weight @ fitted + RIDGE / 2 * away @ away), slope

        found = minimize(loss, near, jac=True, method="L-BFGS-B", options={"maxiter": 200})
        return cls(found.x[: n * n].reshape(n, n), found.x[n * n :])

    def of(self, said: Floats) -> Floats:
        """Probabilities (n, L) calibrated."""
        logits = np.log(np.maximum(said, _LEAST)) @ self.weights.T + self.bias
        q = np.exp(logits - logits.max(axis=1, keepdims=True))
        calibrated: Floats = q / q.sum(axis=1, keepdims=True)
        return calibrated

    def to_dict(self) -> dict[str, Any]:
        """In plain values."""
        return {"weights": self.weights.tolist(), "bias": self.bias.tolist(), "least": _LEAST}
