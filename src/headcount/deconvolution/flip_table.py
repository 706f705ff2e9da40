"""Flip rates for people to read."""

from headcount.deconvolution.rates import FlipRates, Stratum
from headcount.results import Cell, Table

_WORDS = {
    "retest": "from retests: how often raters contradict themselves",
    "svd": "from matrix factorisation: how often a model of each rater is wrong",
    "given": "as given",
    "none": "not known, taken as zero",
}


def flip_sentence(flips: FlipRates) -> str:
    """Where the flip rates come from, as an assumption."""
    if flips.method == "none":
        return "No slips are set aside: the flip rate could not be estimated and is taken as 0."
    return (
        f"An answer is not what the rater mostly holds with a chance of {flips.mean:.3f} on "
        f"average ({_WORDS[flips.method]})."
    )


def flip_table(flips: FlipRates) -> tuple[Table, ...]:
    """Flip rates by stratum; nothing for given rates."""
    if not flips.strata:
        return ()
    trials, observed = {
        "retest": ("pairs", "differ"),
        "svd": ("ratings", "mispredicted"),
    }[flips.method]
    with_evidence = "with retests" if flips.method == "retest" else "with ratings"
    return (
        Table(
            f"Flip rate by disagreement, the share of labels that are not the majority's "
            f"(mean over items {flips.mean:.3f})",
            (
                "disagreement",
                "items",
                with_evidence,
                trials,
                observed,
                "flip rate",
                "5th to 95th percentile",
            ),
            tuple(_row(stratum) for stratum in flips.strata),
        ),
    )


def _row(stratum: Stratum) -> tuple[Cell, ...]:
    return (
        level_name(stratum.low, stratum.high),
        stratum.items,
        stratum.items_with_evidence,
        stratum.trials,
        "–" if stratum.observed is None else f"{stratum.observed:.3f}",
        stratum.rate,
        f"{stratum.rate_low:.3f} to {stratum.rate_high:.3f}",
    )


def level_name(low: float, high: float) -> str:
    """A stratum in words: "5 % to 10 %"."""
    if high >= 1:
        return "all levels" if low <= 0 else f"{_percent(low)} or more"
    return f"{_percent(low)} to {_percent(high)}"


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
