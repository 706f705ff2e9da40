"""The choices of `agreement`."""

from headcount.frozen import frozen
from headcount.options.declared import option, whole
from headcount.options.shared import Counting


@frozen(kw_only=True)
class AgreementOptions(Counting):
    """The choices of `agreement`."""

    level: str | None = option(
        None,
        "How alpha sees the labels: nominal, ordinal or interval (default: as what they are).",
        choices=("nominal", "ordinal", "interval"),
    )
    contested: int = option(10, "How many contested items to list.", kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("contested", self.contested, 0, "a whole number of at least 0")
