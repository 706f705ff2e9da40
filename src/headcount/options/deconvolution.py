"""The choices of `deconvolve` and of its check."""

from collections.abc import Mapping
from typing import Any

from headcount.frozen import frozen
from headcount.options.declared import PEOPLE, SLIPS, option, whole
from headcount.options.parsing import number_or_name, weights_by_name
from headcount.options.shared import Meeting, Sampling, Slips


@frozen(kw_only=True)
class DeconvolutionOptions(Slips, Sampling):
    """The choices of `deconvolve`."""

    flip_rate: Any = option(
        "auto",
        "auto, retest, svd, a number such as 0.1, a column of RATINGS, or a file with item and "
        "rate.",
        panel=SLIPS,
        parse=number_or_name,
    )
    min_ratings: int = option(1, "Leave out items with fewer ratings.", panel=PEOPLE, kind=int)
    repeats: str = option(
        "first",
        "Which answers of a rater asked twice are labels.",
        panel=PEOPLE,
        choices=("first", "all"),
    )
    weigh_by: str = option(
        "items", "What counts the same.", panel=PEOPLE, choices=("items", "ratings")
    )
    group_weights: Mapping[str, float] | None = option(
        None,
        "Weights of the groups of raters, such as 'women=0.5,men=0.5'.",
        panel=PEOPLE,
        parse=weights_by_name,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("min_ratings", self.min_ratings, 1, "a whole number of at least 1")


@frozen(kw_only=True)
class DeconvolutionCheckOptions(Slips, Meeting, Sampling):
    """The choices of `validate_deconvolution`."""

    answers: int = option(2, "Answers that a rater asked again must have given.", kind=int)
    min_raters: int = option(5, "Raters asked again that an item must have.", kind=int)
    folds: int = option(10, "Folds: flip rates come from the items of the others.", kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("answers", self.answers, 2, "a whole number of at least 2")
        whole("min_raters", self.min_raters, 1, "a whole number of at least 1")
        whole("folds", self.folds, 2, "a whole number of at least 2")
