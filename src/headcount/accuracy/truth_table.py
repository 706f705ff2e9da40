"""The probability that each label is an item's true one, by each estimate."""

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headcount.errors import OptionError, UnanswerableError
from headcount.frozen import frozen


@frozen
class TruthTable:
    """Probabilities (J, L) of groups of items by each estimate, and each item's group (n,)."""

    items: NDArray[np.object_] = field(default_factory=lambda: np.empty(0, dtype=object))
    group: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    algebraic: NDArray[np.float64] | None = None
    latent_class: NDArray[np.float64] | None = None

    def columns(self, labels: tuple[str, ...], estimate: str, by_label: bool) -> dict[str, Any]:
        """Named columns: `item` and `truth:label` each, or item, label, probability rows."""
        if estimate not in ("algebraic", "latent_class"):
            raise OptionError(f'estimate is "algebraic" or "latent_class", not {estimate!r}.')
        groups = self.algebraic if estimate == "algebraic" else self.latent_class
        if groups is None:
            raise UnanswerableError(
                f"There are no truth probabilities by the {estimate.replace('_', '-')} estimate: "
                "the summary of this result says why."
            )
        truth = groups[self.group]
        if by_label:
            named = {f"truth:{label}": truth[:, code] for code, label in enumerate(labels)}
            return {"item": self.items.astype(str), **named}
        return {
            "item": np.repeat(self.items.astype(str), len(labels)),
            "label": np.tile(np.array(labels, dtype=str), len(self.items)),
            "probability": truth.ravel(),
        }
