"""What a curve was asked for, and on which data: everything but its numbers."""

import numpy as np
from numpy.typing import NDArray

from headcount.results import Estimate, Record, hidden, record
from headcount.sampling import Bootstrap, Plan, Tail, estimate_from_draws
from headcount.sampling.people import interval

Floats = NDArray[np.float64]


@record
class Asked(Record):
    """What a curve was asked for and on which data: everything but the numbers.

    `raters` is K, the answers every used item has; the curve ends at K − `reference_raters`
    (at K where the label to predict comes from another pool). `combiner_chosen` says why it is
    this combiner where that was left open. `clip` is None where the scorer
    takes no logarithm. `refitted` says whether the combiner learned anew in every bootstrap
    sample, None where it learns nothing. `samples` is what intervals count as samples (items
    alone where it is None), `left_out` who was left out in turn.
    """

    items_used: int
    items_dropped: int
    labels: tuple[str, ...]
    combiner: str
    combiner_chosen: str | None
    scorer: str
    clip: float | None
    raters: int
    reference_raters: int
    engine: str
    refitted: bool | None = None
    bootstrap: Bootstrap = hidden(default=Bootstrap())
    samples: Plan | None = hidden(default=None)
    left_out: tuple[str, ...] = hidden(default=())
    notes: tuple[str, ...] = hidden(default=())
    cautions: tuple[str, ...] = hidden(default=())
    undefined: str = hidden(default="there is no value for these data")

    also = ("n_bootstrap", "confidence", "seed", "about")

    @property
    def about(self) -> str:
        """What the intervals speak of."""
        return self._plan.sentence()

    def speaks(self) -> str:
        """The same as a sentence of its own."""
        return self._plan.speaks()

    @property
    def _plan(self) -> Plan:
        return self.samples or Plan(max(self.items_used, 1))

    @property
    def n_bootstrap(self) -> int:
        """How many bootstrap samples there are."""
        return self.bootstrap.samples

    @property
    def confidence(self) -> float:
        """The confidence of the intervals."""
        return self.bootstrap.confidence

    @property
    def seed(self) -> int:
        """The seed of the samples."""
        return self.bootstrap.seed

    @property
    def tail(self) -> Tail:
        """The share of draws that an interval leaves out on each side."""
        return self.bootstrap.tail(self.items_used if self.samples is None else self.samples.units)

    def estimate(
        self,
        value: float,
        draws: Floats,
        undefined: str | None = None,
        *,
        without: Floats | None = None,
    ) -> Estimate:
        """A number and its draws (B,), NaN where there is none, with an interval.

        `without` (J,) are its values without each rater, where raters are a sample too.
        """
        reason = undefined or self.undefined
        if without is None or self.samples is None or not len(draws):
            return estimate_from_draws(float(value), draws, self.tail, undefined=reason)
        return interval(
            float(value),
            draws,
            without,
            plan=self.samples,
            confidence=self.confidence,
            undefined=reason,
        )


def against(reference_raters: int) -> str:
    """Whom everything is scored against, in words."""
    if reference_raters == 1:
        return "one held-out rater"
    return f"the plurality of {reference_raters} held-out raters"
