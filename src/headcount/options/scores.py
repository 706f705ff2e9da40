"""The choices of `scores`."""

import math

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.declared import INTERVALS, READING, Options, option, whole


@frozen(kw_only=True)
class ScoreOptions(Options):
    """The choices of `scores`."""

    calibration: str = option(
        "linear",
        "How a judge's numbers are put on people's scale: on a line, a rising curve (isotonic), or "
        "given, as they stand.",
        choices=("linear", "isotonic", "given"),
    )
    tolerance: float | None = option(
        None,
        "The distance that counts as near (default: one step, or about a tenth of the scale).",
        kind=float,
    )
    two_way: bool | None = option(
        None,
        "Count raters as a sample too, or items alone (default: raters where three are named).",
        panel=INTERVALS,
        kind=bool,
    )
    unknown: str = option(
        "error",
        "Predictions that are no numbers: error, or drop (the item).",
        panel=READING,
        choices=("error", "drop"),
    )
    confidence: float = option(0.95, "Confidence of the intervals.", panel=INTERVALS, kind=float)
    seed: int = option(0, "Seed: the same one gives the same numbers.", panel=INTERVALS, kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.confidence < 1:
            raise OptionError(
                f"confidence lies between 0 and 1, such as 0.95; it was {self.confidence!r}."
            )
        if self.tolerance is not None and not 0 <= self.tolerance < math.inf:
            raise OptionError(f"tolerance is a distance such as 1; it was {self.tolerance!r}.")
        whole("seed", self.seed, 0, "a whole number of at least 0")
