"""The choices of `evaluate`."""

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.accuracy import AccuracyOptions
from headcount.options.curve import CurveOptions, Replacing
from headcount.options.declared import SLIPS, option, share_of_items
from headcount.options.parsing import number_or_name
from headcount.options.pilot import PilotOptions


@frozen(kw_only=True)
class EvaluateOptions(Replacing, CurveOptions):
    """The choices of `evaluate`: those of `survey_equivalence`, and of the other parts."""

    flip_rate: str | float = option(
        "auto",
        "How often an answer is a slip: auto (from people asked twice), svd (from how raters "
        "usually answer, by matrix factorisation), or a number.",
        panel=SLIPS,
        parse=number_or_name,
    )
    target: float = option(
        PilotOptions.target,
        "Probability with which the next labels shall find the best classifier.",
        kind=float,
    )
    misled: float = option(
        AccuracyOptions.misled,
        "Share of items on which everyone may be misled (no data can bound it).",
        kind=float,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        share_of_items("misled", self.misled)
        if not 0.5 < self.target < 1:
            raise OptionError(f"target is a probability between 0.5 and 1; it was {self.target!r}.")
