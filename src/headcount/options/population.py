"""The choices of `population`."""

from headcount.frozen import frozen
from headcount.options.declared import SLIPS, leaving, option
from headcount.options.shared import Counting


@frozen(kw_only=True)
class PopulationOptions(Counting):
    """The choices of `population`."""

    scorer: str = option(
        "auto",
        "How predictions are scored: cross_entropy for names, rps on a scale (auto), brier or "
        "agreement.",
        choices=("auto", "cross_entropy", "rps", "brier", "agreement"),
    )
    flip_rate: float = option(
        0.0,
        "How often an answer is a slip, known from retests: slips are then set aside.",
        panel=SLIPS,
        kind=float,
    )
    clip: float = option(
        0.0, "Keep probabilities this far from 0 and 1; 0 for not at all.", kind=float
    )
    components: int | None = option(
        None,
        "Goes with the next release: as many kinds of items as predict held-out items best.",
        kind=int,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        leaving("components", self.components, "held-out items choose the number of Dirichlets")
