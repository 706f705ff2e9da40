"""What the checks mean, as sentences that go with the result."""

import numpy as np

from headcount.accuracy import algebra
from headcount.accuracy.cases import Floats, Ints, Named
from headcount.accuracy.checks import Outcome, equal_confusions, equal_difficulty, equal_raters
from headcount.accuracy.parts import Check, State
from headcount.data import Labels

DOUBT = 0.01
"""A test that would come out as extreme in fewer than this share of such data sets speaks
against the assumption, if the departure is also large enough to matter:"""

MISPLACED = 0.05
"""share of the disagreements that are between other labels than even errors would make them,"""
RANGE = 0.02
"""difference between the raters who agree most and least with the others,"""
SURPLUS = 0.005
"""difference in how often three ratings (four, with two labels) all agree."""


HARD_FOR_ALL = (
    "Where the same cases are hard for raters and systems, both estimates are drawn to the middle; "
    "on simulated data of that kind the latent-class one came closer for systems better than the "
    "raters, the algebraic one for others."
)


def judge_assumptions(
    labels: Labels,
    counts: Ints,
    cases: Ints,
    raw_base_rates: Floats,
    case_counts: Ints,
    named: Named | None,
) -> list[Check]:
    """Every assumption that the ratings can speak about.

    `counts` (G, L) patterns with their number of `cases` (G,); `case_counts` (n, L) case by
    case, in the order that `named` refers to.
    """
    return [
        _above_chance(counts, cases, labels.n),
        _confusions(labels, counts, cases),
        _raters(case_counts, named),
        _difficulty(counts, cases),
        _base_rates(labels, raw_base_rates),
        Check(
            "ratings measure the truth",
            "design",
            "unchecked",
            "Ratings must be independent looks at something that is already so, as in a "
            "diagnosis. Forecasts are not: people who agree about the future can all be wrong "
            "together, and this method would call them accurate. No data can show the difference.",
        ),
    ]


def _above_chance(counts: Ints, cases: Ints, n: int) -> Check:
    agreement = float(algebra.pairwise_agreement(counts, cases[None].astype(float))[0])
    above = agreement > 1 / n
    return Check(
        "agreement above chance",
        "data",
        "holds" if above else "violated",
        f"Raters agree on {_percent(agreement)} of pairs, "
        + ("above" if above else "not above")
        + f" the {_percent(1 / n)} that guessing among {n} labels gives"
        + ("." if above else ": there is no rater accuracy that explains it."),
    )


def _confusions(labels: Labels, counts: Ints, cases: Ints) -> Check:
    name = "errors spread evenly"
    found = equal_confusions(counts, cases)
    if found is None:
        why = (
            "with two labels there is only one way to disagree"
            if labels.n == 2
            else "there are too many labels, too few disagreements or no better than chance "
            "agreement"
        )
        return Check(name, "k-property", "unchecked", f"Even errors could not be tested: {why}.")
    off = found.most_off()
    one, other = (labels.names[code] for code in found.pairs[off])
    ratio = found.observed[off] / found.expected[off]
    times = f"{ratio:.1f} times" if ratio >= 1 else f"only {ratio:.2f} times"
    state = _state(found.outcome.p_value, found.misplaced() >= MISPLACED)
    said = (
        f"Errors are not spread evenly ({_p(found.outcome.p_value)}): {one!r} against {other!r} "
        f"comes up {times} as often among disagreements as even errors would make it."
        if state == "violated"
        else "Disagreements look as even errors would make them, but for "
        f"{_percent(found.misplaced())} of them ({_p(found.outcome.p_value)})."
    )
    return Check(name, "k-property", state, said, *_numbers(found.outcome))


def _raters(case_counts: Ints, named: Named | None) -> Check:
    name = "raters equally accurate"
    if named is None:
        return Check(
            name, "k-property", "unchecked", "Raters have no names, so they cannot be compared."
        )
    agreement, outcome = equal_raters(case_counts, named)
    known = np.flatnonzero(~np.isnan(agreement))
    if outcome is None or not len(known):
        return Check(name, "k-property", "unchecked", "Raters' agreement could not be compared.")
    low, high = known[agreement[known].argmin()], known[agreement[known].argmax()]
    span = (
        f"from {_percent(agreement[low])} ({named.raters[low]!r}) "
        f"to {_percent(agreement[high])} ({named.raters[high]!r})"
    )
    state = _state(outcome.p_value, agreement[high] - agreement[low] >= RANGE)
    said = (
        f"Raters are not equally good: their agreement with the others runs {span} "
        f"({_p(outcome.p_value)})."
        if state == "violated"
        else f"Raters look equally good: their agreement with the others runs {span} "
        f"({_p(outcome.p_value)})."
    )
    return Check(name, "k-property", state, said, *_numbers(outcome))


def _difficulty(counts: Ints, cases: Ints) -> Check:
    name = "as unanimous as expected"
    found = equal_difficulty(counts, cases)
    if found is None:
        return Check(
            name,
            "k-property",
            "unchecked",
            "Equal difficulty could not be tested: it takes cases with three ratings, or four "
            "where there are two labels.",
        )
    state = _state(found.outcome.p_value, abs(found.observed - found.expected) >= SURPLUS)
    numbers = (
        f"{found.ratings} ratings of a case all agree in {_percent(found.observed)}; for equal "
        f"raters on equally hard cases it would be {_percent(found.expected)} "
        f"({_p(found.outcome.p_value)})"
    )
    caution = None
    if state == "holds":
        said = f"Cases look equally hard: {numbers}."
    elif found.observed > found.expected:
        said = f"Some cases are harder than others, or raters share their errors: {numbers}."
        caution = HARD_FOR_ALL
    else:
        said = f"Raters err in different ways: {numbers}."
    return Check(name, "k-property", state, said, *_numbers(found.outcome), caution)


def _base_rates(labels: Labels, raw: Floats) -> Check:
    name = "base rates possible"
    below = [labels.names[code] for code in np.flatnonzero(raw < -1e-12)]
    if not np.isfinite(raw).all():
        return Check(name, "data", "violated", "Base rates have no value at this agreement.")
    if below:
        listed = ", ".join(repr(label) for label in below[:5])
        more = f" and {len(below) - 5} more" if len(below) > 5 else ""
        return Check(
            name,
            "data",
            "violated",
            f"The base rate of {listed}{more} came out negative and was set to 0 (the others were "
            "scaled): such labels are said less often than even errors alone would make them.",
        )
    return Check(name, "data", "holds", "All base rates came out between 0 and 1.")


def _state(p_value: float, matters: bool) -> State:
    return "violated" if p_value < DOUBT and matters else "holds"


def _numbers(outcome: Outcome) -> tuple[float, float, float]:
    return outcome.statistic, outcome.freedom, outcome.p_value


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _p(p_value: float) -> str:
    return "p < 0.0001" if p_value < 1e-4 else f"p = {p_value:.4f}"
