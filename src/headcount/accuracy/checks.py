"""Do the data look as equal raters, equal errors and equal difficulty would make them?

First the tests on bare arrays, then what they mean, in sentences, and which estimate to believe.
Pairs and triples of ratings of one item are not independent, so the chi-squares are compared
with what the spread between items says they would be (a jackknife over items, its effect
matched in mean and variance as Rao and Scott do), not with the table's own distribution.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from scipy import sparse
from scipy.special import binom, chdtrc

from headcount.accuracy import algebra
from headcount.accuracy.latent_classes import LatentClasses
from headcount.accuracy.rating_models import DOUBT, EQUAL, EVEN, INDEPENDENT, MOVES, Assumption
from headcount.arrays import Floats, Ints
from headcount.data import Labels, Named
from headcount.frozen import frozen
from headcount.results import Record, percent, record

# 780 pairs of labels, whose covariance has as many rows and columns.
MOST_LABELS = 40

# Past these the tests would take longer than the estimate; they are then not made.
MOST_RATERS = 3000

# Patterns whose pairs of labels are held at once.
_BLOCK = 20_000


@frozen
class Outcome:
    """A test: its statistic over its mean under the assumption, and the chance of more."""

    statistic: float
    freedom: float
    p_value: float


@frozen
class Confusions:
    """Observed and expected shares of each pair of labels among disagreements, (M,) each;
    `pairs` (M, 2) says which labels.
    """

    pairs: Ints
    observed: Floats
    expected: Floats
    outcome: Outcome

    def most_off(self) -> int:
        """The pair that adds most to the chi-square."""
        return int(((self.observed - self.expected) ** 2 / self.expected).argmax())


def equal_confusions(counts: Ints, items: Ints) -> Confusions | None:
    """Test the disagreements against evenly spread errors, given the base rates.

    Even errors make a disagreement between two labels more likely where the labels are
    common, so the expected shares follow the estimated base rates; they are all equal only
    where the base rates are. None where there is nothing to test.
    """
    n = counts.shape[1]
    if not 3 <= n <= MOST_LABELS:
        return None
    pairs = np.column_stack(np.triu_indices(n, 1))
    crossed = (counts[:, pairs[:, 0]] * counts[:, pairs[:, 1]]).astype(float)
    # All that the statistic is made of, pattern by pattern: a jackknife only subtracts.
    agreeing, possible = algebra.pair_counts(counts)
    content = np.column_stack([crossed, agreeing, possible, counts]).astype(float)
    total = items @ content
    disagreements = total[: len(pairs)].sum()
    shares = _disagreement_shares(total[None], pairs, n)
    if disagreements == 0 or shares is None:
        return None
    observed, expected = shares[0][0], shares[1][0]
    scale = np.sqrt(disagreements / expected)
    spread = np.zeros((len(pairs), len(pairs)))
    for start in range(0, len(content), _BLOCK):
        without = _disagreement_shares(total - content[start : start + _BLOCK], pairs, n)
        if without is None:
            return None
        moved = scale * ((without[0] - without[1]) - (observed - expected))
        spread += (moved * items[start : start + _BLOCK, None]).T @ moved
    outcome = against_spread(scale * (observed - expected), spread)
    return Confusions(pairs, observed, expected, outcome)


def equal_raters(counts: Ints, named: Named) -> tuple[Floats, Outcome | None]:
    """Each rater's agreement with the others (NaN without any), and the test that all are equal.

    `counts` (n, L) item by item.
    """
    others = counts.sum(axis=1)[named.item] - 1.0
    agreeing = counts[named.item, named.label] - 1.0
    n_raters = len(named.raters)
    pairs = np.bincount(named.rater, weights=others, minlength=n_raters)
    same = np.bincount(named.rater, weights=agreeing, minlength=n_raters)
    agreement: Floats = np.where(pairs > 0, same / np.maximum(pairs, 1), np.nan)
    overall = same.sum() / max(pairs.sum(), 1)
    tested = np.flatnonzero(pairs > 0)
    if not 2 <= len(tested) <= MOST_RATERS or not 0 < overall < 1:
        return agreement, None
    shape = (len(counts), n_raters)
    own = sparse.csr_matrix(
        (agreeing - agreement[named.rater] * others, (named.item, named.rater)), shape=shape
    )
    own = own[:, tested] @ sparse.diags(1 / pairs[tested])
    all_together = np.bincount(named.item, weights=agreeing - overall * others) / pairs.sum()
    # (own − all_together)ᵀ (own − all_together), without the dense items × raters matrix.
    crossed = np.asarray(own.T @ all_together)
    spread = (own.T @ own).toarray() - crossed[:, None] - crossed + all_together @ all_together
    scale = np.sqrt(pairs[tested] / (overall * (1 - overall)))
    off = scale * (agreement[tested] - overall)
    return agreement, against_spread(off, spread * scale[:, None] * scale)


@frozen
class Unanimity:
    """How often `ratings` ratings of an item all agree, and how often equal raters on equally
    hard items would, given how often two agree.
    """

    ratings: int
    observed: float
    expected: float
    outcome: Outcome


def equal_difficulty(counts: Ints, items: Ints) -> Unanimity | None:
    """Test how often three raters agree against what their pairwise agreement implies.

    With two labels three ratings always hold two that agree, so that triples follow from
    pairs: there it is four. Pairs are counted in the same items with the same weights, so
    that a link between an item's difficulty and its number of ratings does not matter.
    """
    n = counts.shape[1]
    together = 4 if n == 2 else 3
    enough = counts.sum(axis=1) >= together
    counts, items = counts[enough], items[enough]
    if not len(counts):
        return None
    ratings = counts.sum(axis=1)
    agreeing, possible = algebra.pair_counts(counts)
    unanimous = binom(counts, together).sum(axis=1) / binom(ratings, together)
    content = np.column_stack([agreeing, possible, possible * unanimous]).astype(float)
    total = items @ content
    observed, expected = _unanimity(total[None], n, together)
    without_observed, without_expected = _unanimity(total - content, n, together)
    off = observed[0] - expected[0]
    moved = (without_observed - without_expected) - off
    if not (np.isfinite(off) and np.isfinite(moved).all() and (moved != 0).any()):
        return None
    outcome = against_spread(np.array([off]), np.array([[items @ moved**2]]))
    return Unanimity(together, float(observed[0]), float(expected[0]), outcome)


def _disagreement_shares(total: Floats, pairs: Ints, n: int) -> tuple[Floats, Floats] | None:
    """Observed and expected shares of the pairs of labels for each row of totals."""
    m = len(pairs)
    crossed, agreeing, possible = total[:, :m], total[:, m], total[:, m + 1]
    said = total[:, m + 2 :]
    if (possible <= 0).any() or (crossed.sum(axis=1) <= 0).any():
        return None
    accuracy = algebra.accuracy_from_agreement(agreeing / possible, n)
    raw = algebra.raw_base_rates(said / said.sum(axis=1, keepdims=True), accuracy)
    if not np.isfinite(raw).all():
        return None
    base = algebra.clipped_base_rates(raw)
    wrong = ((1 - accuracy) / (n - 1))[:, None]
    involved = base[:, pairs[:, 0]] + base[:, pairs[:, 1]]
    expected = involved * accuracy[:, None] * wrong + (1 - involved) * wrong**2
    if (expected <= 0).any():
        return None
    observed = crossed / crossed.sum(axis=1, keepdims=True)
    return observed, expected / expected.sum(axis=1, keepdims=True)


def _unanimity(total: Floats, n: int, together: int) -> tuple[Floats, Floats]:
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = algebra.accuracy_from_agreement(total[:, 0] / total[:, 1], n)
        observed = total[:, 2] / total[:, 1]
    wrong = (1 - accuracy) / (n - 1)
    return observed, accuracy**together + (n - 1) * wrong**together


def against_spread(off: Floats, spread: Floats) -> Outcome:
    """The squares of departures `off` (M,) against their covariance `spread` (M, M)."""
    mean, square = float(np.trace(spread)), float((spread**2).sum())
    if mean <= 0:
        return Outcome(0.0, 1.0, 1.0)
    freedom = mean**2 / square
    statistic = float((off**2).sum()) / mean * freedom
    return Outcome(statistic, freedom, float(chdtrc(freedom, statistic)))


State = Literal["holds", "violated", "unchecked"]
Which = Literal["algebraic", "latent_class"]
CheckId = Literal[
    "above_chance",
    "even_errors",
    "equal_raters",
    "unanimity",
    "base_rates",
    "enough_items",
    "gold_at_random",
    "trained_on_raters",
    "measurement",
]

HARD_FOR_ALL = (
    "Where the same items are hard for raters and systems, both estimates are drawn to the middle; "
    "on simulated data of that kind the latent-class one came closer for systems better than the "
    "raters, the algebraic one for others."
)

Movement = tuple[str, Assumption] | None

Moved = Sequence[tuple[str, Assumption]]
"""How far an assumption moves the accuracy of whom: classifiers by name, or the raters."""


@record
class Check(Record):
    """An assumption and what the data say of it, in a sentence; with the test where one was made.

    `id` is what code finds the check by. `kind` marks the K-properties ("k-property": equal
    raters, errors and difficulty), which decide which estimate to believe; the others are about
    the data at hand ("data") or cannot be seen in any data ("design"). A K-property is violated
    where a test speaks against it *and* giving it up moves an accuracy by `moved` of its
    interval's half-width, a quarter or more. `caution` is what to mind when choosing the estimate.
    """

    id: CheckId
    name: str
    kind: Literal["k-property", "data", "design"]
    state: State
    text: str
    statistic: float | None = None
    freedom: float | None = None
    p_value: float | None = None
    moved: float | None = None
    caution: str | None = None


def judge_assumptions(
    labels: Labels,
    counts: Ints,
    items: Ints,
    raw_base_rates: Floats,
    item_counts: Ints,
    named: Named | None,
    moved: Mapping[str, Moved],
    *,
    classifiers: bool,
) -> list[Check]:
    """Every assumption that the ratings can speak about, and what no data can answer.

    `counts` (G, L) patterns with their number of `items` (G,); `item_counts` (n, L) item by
    item, in the order that `named` refers to. `moved` says of each assumption what it does to
    the answers.
    """
    checks = [
        _above_chance(counts, items, labels.n),
        _confusions(labels, counts, items, moved.get(EVEN, ())),
        _raters(item_counts, named, moved.get(EQUAL, ())),
        _difficulty(counts, items, moved.get(INDEPENDENT, ())),
        _base_rates(labels, raw_base_rates),
    ]
    if classifiers:
        checks.append(TRAINED)
    return [*checks, MEASUREMENT]


TRAINED = Check(
    "trained_on_raters",
    "classifiers not trained on these raters",
    "design",
    "unchecked",
    "Was a classifier trained on labels of these raters, or of others under the same instructions? "
    "Then it is wrong where they are, agreement with them flatters it, and the low end of its span "
    "is the likelier one. Nothing in the data can answer that: you have to.",
)
GOLD_AT_RANDOM = Check(
    "gold_at_random",
    "gold drawn at random",
    "design",
    "unchecked",
    "Items with gold must be a random sample of all items (within strata, if those are given). "
    "Gold of hard cases or of complaints makes its numbers wrong in a way no formula undoes.",
)
MEASUREMENT = Check(
    "measurement",
    "ratings measure the truth",
    "design",
    "unchecked",
    "Ratings must be independent looks at something that is already so, as in a diagnosis. "
    "Forecasts are not: people who agree about the future can all be wrong together, and this "
    "method would call them accurate. No data can show the difference.",
)


def which_to_believe(checks: Sequence[Check], latent: LatentClasses | str) -> tuple[Which, str]:
    """The estimate that fits the data better, and the reason."""
    failing = [
        check.name for check in checks if check.kind == "k-property" and check.state == "violated"
    ]
    if not failing:
        return "algebraic", (
            "Labels and raters' accuracy are read from the algebraic estimate: no check speaks "
            "against equal raters, even errors and equal difficulty, on which it rests. That does "
            "not show that people are not wrong together."
        )
    biased = f"The algebraic estimate is biased here, since {_listed(failing)}"
    if isinstance(latent, str):
        return "algebraic", (
            f"{biased}, and there is no other: a system better than the raters is probably better "
            "than it says."
        )
    if not latent.converged:
        return "algebraic", (
            f"{biased}; the latent-class fit did not settle and is not to be believed either."
        )
    if latent.misnamed:
        names = ", ".join(repr(name) for name in latent.misnamed)
        return "algebraic", (
            f"{biased}, and the latent classes are not the labels (raters mostly call the class "
            f"of {names} by another label), so their accuracies mean nothing: treat the algebraic "
            "numbers as rough; more ratings or more sharply defined labels would help."
        )
    return "latent_class", (
        f"Labels and raters' accuracy are read from the latent classes: {_listed(failing)}, which "
        "biases the algebraic estimate; latent classes let errors be uneven and raters differ."
        + "".join(f" {check.caution}" for check in checks if check.caution)
    )


def _above_chance(counts: Ints, items: Ints, n: int) -> Check:
    agreement = float(algebra.pairwise_agreement(counts, items[None].astype(float))[0])
    above = agreement > 1 / n
    return Check(
        "above_chance",
        "agreement above chance",
        "data",
        "holds" if above else "violated",
        f"Raters agree on {percent(agreement)} of pairs, "
        + ("above" if above else "not above")
        + f" the {percent(1 / n)} that guessing among {n} labels gives"
        + ("." if above else ": there is no rater accuracy that explains it."),
    )


def _confusions(labels: Labels, counts: Ints, items: Ints, moved: Moved) -> Check:
    this: tuple[CheckId, str] = ("even_errors", "errors spread evenly")
    found = equal_confusions(counts, items)
    p_values = [found.outcome.p_value] if found is not None else []
    p_value, most = _verdict(p_values, moved)
    if p_value is None:
        why = "agreement is no better than chance, or there are too few ratings for its models"
        return Check(*this, "k-property", "unchecked", f"Even errors could not be tested: {why}.")
    state = _state(p_value, most)
    off = _most_off(labels, found) if found is not None else _by_label(labels)
    said = (
        f"Errors are not spread evenly ({_p(p_value)}){off}{_moves(most)}."
        if state == "violated"
        else f"Errors look evenly spread, or nearly ({_p(p_value)}{_moves(most, ', ')})."
    )
    numbers = _numbers(found.outcome) if found is not None else _likelihoods(most)
    return Check(*this, "k-property", state, said, *numbers[:2], p_value, _share(most))


def _raters(item_counts: Ints, named: Named | None, moved: Moved) -> Check:
    this: tuple[CheckId, str] = ("equal_raters", "raters equally accurate")
    if named is None:
        return Check(
            *this, "k-property", "unchecked", "Raters have no names, so they cannot be compared."
        )
    agreement, outcome = equal_raters(item_counts, named)
    known = np.flatnonzero(~np.isnan(agreement))
    if outcome is None or not len(known):
        return Check(*this, "k-property", "unchecked", "Raters' agreement could not be compared.")
    low, high = known[agreement[known].argmin()], known[agreement[known].argmax()]
    span = (
        f"their agreement with the others runs from {percent(agreement[low])} "
        f"({named.raters[low]!r}) to {percent(agreement[high])} ({named.raters[high]!r})"
    )
    p_value, most = _verdict([outcome.p_value], moved)
    assert p_value is not None
    if p_value < DOUBT and most is None:
        said = (
            f"Raters are not equally good: {span} ({_p(p_value)}). How far that moves the answer "
            "is not known: there are too few ratings for error rates of each rater's own."
        )
        return Check(*this, "k-property", "violated", said, *_numbers(outcome))
    state = _state(p_value, most)
    said = (
        f"Raters are not equally good: {span} ({_p(p_value)}){_moves(most)}."
        if state == "violated"
        else f"Raters look equally good, or nearly: {span} ({_p(p_value)}{_moves(most, ', ')})."
    )
    return Check(*this, "k-property", state, said, *_numbers(outcome)[:2], p_value, _share(most))


def _difficulty(counts: Ints, items: Ints, moved: Moved) -> Check:
    this: tuple[CheckId, str] = ("unanimity", "as unanimous as expected")
    found = equal_difficulty(counts, items)
    p_value, most = _verdict([], moved)
    if found is None or p_value is None:
        return Check(
            *this,
            "k-property",
            "unchecked",
            "Equal difficulty could not be tested: it takes items with three ratings, or four "
            "where there are two labels.",
        )
    state = _state(p_value, most)
    numbers = (
        f"{found.ratings} ratings of an item all agree in {percent(found.observed)}; for equal "
        f"raters on equally hard items it would be {percent(found.expected)}"
    )
    caution = None
    if state == "holds":
        said = f"Items look equally hard, or nearly: {numbers} ({_p(p_value)}{_moves(most, ', ')})."
    else:
        said = (
            f"Some items are harder than others, or raters share their errors: {numbers} "
            f"({_p(p_value)}){_moves(most)}."
        )
        caution = HARD_FOR_ALL
    numbers_of = _likelihoods(most)
    return Check(*this, "k-property", state, said, *numbers_of[:2], p_value, _share(most), caution)


def _verdict(p_values: Sequence[float], moved: Moved) -> tuple[float | None, Movement]:
    """The smallest p-value, and whose accuracy moves furthest among those it speaks against."""
    tests = [*p_values, *(each.p_value for _, each in moved)]
    if not tests:
        return None, None
    furthest = max(moved, key=lambda pair: (pair[1].rejected, pair[1].moved), default=None)
    return min(tests), furthest


def _state(p_value: float, most: Movement) -> State:
    return (
        "violated" if p_value < DOUBT and most is not None and most[1].moved >= MOVES else "holds"
    )


def _moves(most: Movement, joint: str = ": ") -> str:
    """How far the answer goes without the assumption."""
    if most is None or not most[1].rejected:
        return ""
    who, test = most
    away = 100 * abs(test.freed - test.held)
    return (
        f"{joint}without it the accuracy of {who} moves by {away:.1f} points, "
        f"{test.moved:.1f} times its interval's half-width"
    )


def _share(most: Movement) -> float | None:
    return None if most is None else most[1].moved


def _likelihoods(most: Movement) -> tuple[float | None, float | None]:
    return (None, None) if most is None else (most[1].statistic, float(most[1].freedom))


def _most_off(labels: Labels, found: Confusions) -> str:
    """Which pair of labels is confused more or less often than even errors would have it."""
    off = found.most_off()
    one, other = (labels.names[code] for code in found.pairs[off])
    ratio = found.observed[off] / found.expected[off]
    times = f"{ratio:.1f} times" if ratio >= 1 else f"only {ratio:.2f} times"
    return (
        f": {one!r} against {other!r} comes up {times} as often among disagreements as even errors "
        "would make it"
    )


def _by_label(labels: Labels) -> str:
    return f": one of {labels.listing()} is missed more often than the other"


def _base_rates(labels: Labels, raw: Floats) -> Check:
    this: tuple[CheckId, str] = ("base_rates", "base rates possible")
    below = [labels.names[code] for code in np.flatnonzero(raw < -1e-12)]
    if not np.isfinite(raw).all():
        return Check(*this, "data", "violated", "Base rates have no value at this agreement.")
    if below:
        listed = ", ".join(repr(label) for label in below[:5])
        more = f" and {len(below) - 5} more" if len(below) > 5 else ""
        return Check(
            *this,
            "data",
            "violated",
            f"The base rate of {listed}{more} came out negative and was set to 0 (the others were "
            "scaled): such labels are said less often than even errors alone would make them.",
        )
    return Check(*this, "data", "holds", "All base rates came out between 0 and 1.")


def _numbers(outcome: Outcome) -> tuple[float, float, float]:
    return outcome.statistic, outcome.freedom, outcome.p_value


def _p(p_value: float) -> str:
    return "p < 0.0001" if p_value < 1e-4 else f"p = {p_value:.4f}"


def _listed(names: list[str]) -> str:
    quoted = " and ".join(f'"{name}"' for name in names)
    return f"{quoted} {'fails' if len(names) == 1 else 'fail'}"
