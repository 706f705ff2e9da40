"""How much people differ on one item, how much items differ, and how far a judge is off.

With r a random person's rating of a random item whose true score, the mean of endlessly many
people, is μ: within σ² = E(r − μ)², between τ² = Var μ, and for a judge s the error
d = E(s − μ)² = E(s − r)² − ½E(r − r′)². All three are means over items with two ratings or more
and unbiased, whatever the distributions: an item adds W, its sample variance, to σ²;
r̄² − W/n to τ² (r̄ about the overall mean); and (s − r̄)² − W/n to d.
"""

import numpy as np
from numpy.typing import NDArray

from headcount.arrays import Floats
from headcount.errors import UnanswerableError
from headcount.frozen import frozen
from headcount.scores.people import People

# What items add, where that is not asked for.
NOTHING = np.zeros(0)
FEW_ITEMS = "no two items have two ratings each, so nothing tells how much people differ"


@frozen(eq=False)
class Components:
    """`within` σ² and `between` τ², and what each of I items adds to them (I,), centred.

    Items with one rating add nothing. `between` may be negative by chance. `shared` is the part
    of it that was hidden behind raters that items have in common.
    """

    within: float
    between: float
    shared: float
    within_influence: Floats
    between_influence: Floats

    @property
    def reliability(self) -> float:
        """The share of a rating's variance that is the item's: τ²/(τ² + σ²)."""
        total = self.between + self.within
        return self.between / total if total > 0 else np.nan


def components(people: People, added: bool = True) -> Components:
    """σ² and τ² of the items with at least two ratings; `added` asks what each item adds."""
    held = people.several
    n_items = people.n_compared
    if n_items < 2:
        raise UnanswerableError(f"There is no variance to be had: {FEW_ITEMS}.")
    mean, within = people.mean[held], people.within[held]
    about = (mean - mean.mean()) ** 2 * n_items / (n_items - 1)
    true = about - within / people.n[held]
    spread = float(within.mean())
    return Components(
        within=spread,
        between=float(true.mean()) + people.shared,
        shared=people.shared,
        within_influence=_spread_out(within, held) if added else NOTHING,
        between_influence=_spread_out(true, held) if added else NOTHING,
    )


def true_error(people: People, said: Floats, added: bool = True) -> tuple[float, Floats]:
    """D of a judge's numbers `said` (I,), and what each item adds to it (I,), centred."""
    held = people.several
    off = (said[held] - people.mean[held]) ** 2 - people.within[held] / people.n[held]
    return float(off.mean()), _spread_out(off, held) if added else NOTHING


def _spread_out(values: Floats, held: NDArray[np.bool_]) -> Floats:
    """What the items held add to a mean over them, as what all items add to it."""
    added = np.zeros(len(held))
    added[held] = (values - values.mean()) * len(held) / len(values)
    return added
