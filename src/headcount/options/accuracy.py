"""The choices of `system_accuracy`, `plan_accuracy` and `true_rate`."""

from collections.abc import Sequence

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options.declared import INTERVALS, Options, option, share_of_items, whole
from headcount.options.parsing import numbers_in
from headcount.options.shared import Counting, Meeting


@frozen(kw_only=True)
class AccuracyOptions(Meeting, Counting):
    """The choices of `system_accuracy`."""

    latent_class: str = option(
        "auto",
        "Confusion matrices: one each, one shared, by the data (auto), or none (off).",
        choices=("auto", "each", "shared", "off"),
    )
    restarts: int = option(9, "More starts for the latent classes.", kind=int)
    precision: float = option(0.1, "Half-width wanted: are there enough items for it?", kind=float)
    misled: float = option(
        0.05, "Share of items on which everyone may be misled (no data can bound it).", kind=float
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("restarts", self.restarts, 0, "a whole number of at least 0")
        share_of_items("misled", self.misled)
        if not 0 < self.precision < 1:
            raise OptionError(
                f"precision lies between 0 and 1, such as 0.1; it was {self.precision!r}."
            )


@frozen(kw_only=True)
class AccuracyPlanOptions(Options):
    """The choices of `plan_accuracy`."""

    raters: int = option(3, "Ratings each item gets.", kind=int)
    labels: int = option(5, "How many labels there are.", kind=int)
    kappa: float | None = option(None, "Raters' agreement beyond chance 1/N.", kind=float)
    rater_accuracy: float | None = option(None, "Or how often a rater is right.", kind=float)
    half_width: float = option(0.1, "How near the estimate must come.", kind=float)
    confidence: float = option(0.9, "In what share of evaluations.", kind=float)
    system_accuracy: float | Sequence[float] | None = option(
        None,
        "Accuracies the system may have, separated by commas (default: 0.1,0.3,0.5,0.7,0.9).",
        parse=numbers_in("system-accuracy"),
    )
    base_rates: Sequence[float] | str | None = option(
        None,
        "Share of each label, separated by commas, or equal (default: drawn at random).",
        parse=lambda text: text if text == "equal" else numbers_in("base-rates")(text),
    )
    items: Sequence[float] | None = option(
        None,
        "Only these numbers of items (default: search for enough).",
        parse=numbers_in("items"),
    )
    simulations: int = option(1000, "Simulated evaluations for each point.", kind=int)
    seed: int = option(0, "Seed: the same one gives the same numbers.", kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("raters", self.raters, 2, "a whole number of at least 2")
        whole("labels", self.labels, 2, "a whole number of at least 2")
        self._check_raters()
        for name in ("half_width", "confidence"):
            value = getattr(self, name)
            if not 0 < value < 1:
                raise OptionError(f"{name} lies between 0 and 1, such as 0.1; it was {value!r}.")
        systems = self.system_accuracies()
        if not systems or not all(0 <= value <= 1 for value in systems):
            raise OptionError(
                f"system_accuracy lies between 0 and 1; it was {self.system_accuracy!r}."
            )
        self._check_base_rates()
        for number in self.items or ():
            whole("items", number, 1, "a list of whole numbers of at least 1")
        whole("simulations", self.simulations, 10, "a whole number of at least 10")
        whole("seed", self.seed, 0, "a whole number of at least 0")

    def system_accuracies(self) -> tuple[float, ...]:
        """The accuracies to plan for: those given, by default those of the paper."""
        given = self.system_accuracy
        if given is None:
            return (0.1, 0.3, 0.5, 0.7, 0.9)
        return tuple(map(float, (given,) if isinstance(given, int | float) else given))

    def _check_raters(self) -> None:
        n, kappa, accuracy = self.labels, self.kappa, self.rater_accuracy
        if (kappa is None) == (accuracy is None):
            raise OptionError(
                "Say how good the raters are by kappa= or by rater_accuracy=, one of the two "
                "(--kappa, --rater-accuracy)."
            )
        if kappa is not None and not 0 < kappa <= 1:
            raise OptionError(
                f"kappa lies above 0 (raters better than chance) and up to 1; it was {kappa!r}."
            )
        if accuracy is not None and not 1 / n < accuracy <= 1:
            raise OptionError(
                f"rater_accuracy lies above chance (1/{n} with {n} labels) and up to 1; "
                f"it was {accuracy!r}."
            )

    def shares(self) -> tuple[float, ...] | None:
        """The share of each label; None where they are drawn at random."""
        if self.base_rates is None:
            return None
        if isinstance(self.base_rates, str):
            return (1 / self.labels,) * self.labels
        return tuple(map(float, self.base_rates))

    def _check_base_rates(self) -> None:
        rates = self.base_rates
        if rates is None or rates == "equal":
            return
        if isinstance(rates, str):
            raise OptionError(f'base_rates is a list of shares or "equal", not {rates!r}.')
        shares = len(rates) == self.labels and all(rate >= 0 for rate in rates)
        if not shares or abs(sum(rates) - 1) > 1e-6:
            raise OptionError(
                f"base_rates holds {self.labels} shares that sum to 1, one a label; "
                f"it was {rates!r}."
            )


@frozen(kw_only=True)
class RateOptions(Meeting):
    """The choices of `true_rate`."""

    of: str | None = option(
        None,
        "The label whose share is asked for (default: the positive one, or the mean of labels "
        "that are numbers).",
    )
    half_width: float = option(0.02, "Half-width wished: how many items to rate?", kind=float)
    confidence: float = option(0.95, "Confidence of the intervals.", panel=INTERVALS, kind=float)
    seed: int = option(0, "Seed: the same one gives the same numbers.", panel=INTERVALS, kind=int)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.confidence < 1:
            raise OptionError(
                f"confidence lies between 0 and 1, such as 0.95; it was {self.confidence!r}."
            )
        if not self.half_width > 0:
            raise OptionError(
                f"half_width is a number above 0, such as 0.02; it was {self.half_width!r}."
            )
        whole("seed", self.seed, 0, "a whole number of at least 0")
