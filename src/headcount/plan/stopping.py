"""Stop early: an interval for the difference that stays valid however often it is looked at.

Only items on which the two classifiers differ tell anything, and which they are is known before
any label. On them x is +1 where a label sides with the first, −1 with the second, 0 with
neither, or the mean of several labels. For such values from −1 to 1 and every mean m,

    K_t(m) = Σ_λ w_λ Π_{i≤t} (1 + λ(x_i − m))

is a bet that pays on average nothing where m is the true mean, so it ever reaches 1/α with
probability at most α (Ville's inequality). The means it has not reached that for are the
interval: it holds the true one at all times at once with probability 1 − α.
"""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import special

from headcount.arrays import Floats, Ints
from headcount.errors import OptionError, UnanswerableError
from headcount.plan.words import points
from headcount.results import Estimate, Record, Result, Table, record

# Points of time that the result tells of.
LOOKS = 25

# Of these, the last ones that a table shows.
SHOWN = 10

# Sizes of the bets, as shares of the largest that cannot lose everything.
BETS = np.geomspace(0.004, 0.96, 48)

# How exactly the ends are found: a thousandth of a point.
PRECISION = 1e-5

# Values that are bet on at once while looking for the first stop, to bound memory.
CHUNK = 2**14


@record
class Look(Record):
    """What was known after so many labels on items where the two differ: all items' difference."""

    labels: int
    difference: float
    low: float
    high: float


@record
class Watch(Result):
    """Whether labelling can stop, by an interval that is valid however often one looks.

    Attributes
    ----------
    first, second : str
        The two classifiers.
    stop : {"first", "second", "alike"} or None
        Who can be chosen now, "alike" where they are closer than `matters`; None: go on.
    difference : Estimate
        How much more often people agree with `first` than with `second`, as a share of all items.
    where_they_differ : Estimate
        The same, as a share of the items on which the two differ.
    differ : float
        The share of items on which they do.
    items, labels, labels_each : int
        Items that count, their labels, and labels an item.
    error : float
        The chance of ever being wrong, over all times of looking together.
    matters : float
        The smallest difference that anyone cares about.
    looks : tuple of Look
        What was known as labels came in.
    notes : tuple of str
        What became of the data.

    Examples
    --------
    >>> from headcount.simulate import make
    >>> made = make("comments", items=600, seed=1)
    >>> two = ("fine_tuned", "word_list")
    >>> watch(made.ratings, made.predictions, classifiers=two).stop
    'first'
    """

    rows: ClassVar[str] = "looks"

    first: str
    second: str
    stop: str | None
    difference: Estimate
    where_they_differ: Estimate
    differ: float
    items: int
    labels: int
    labels_each: int
    error: float
    matters: float
    looks: tuple[Look, ...]
    notes: tuple[str, ...] = ()

    def verdict(self) -> str:
        """Stop or go on, with the guarantee."""
        low, high = self.difference.low or 0.0, self.difference.high or 0.0
        if self.stop in ("first", "second"):
            ahead, behind = (
                (self.first, self.second) if self.stop == "first" else (self.second, self.first)
            )
            least = min(abs(low), abs(high))
            return (
                f"You can stop now: {ahead!r} agrees more with people than {behind!r}, by at least "
                f"{points(least)}, after {self.labels:,} labels. {self._guarantee()}"
            )
        if self.stop == "alike":
            return (
                f"You can stop now: {self.first!r} and {self.second!r} differ by at most "
                f"{points(max(abs(low), abs(high)))}, less than the {points(self.matters)} that "
                f"matter, after {self.labels:,} labels. {self._guarantee()}"
            )
        return (
            f"Go on: after {self.labels:,} labels where they differ, {self.first!r} may agree with "
            f"people from {100 * low:+.1f} to {100 * high:+.1f} points more than {self.second!r}. "
            "Look as often as you like."
        )

    def _guarantee(self) -> str:
        return (
            f"However often you looked, this is wrong in at most {100 * self.error:g} % of such "
            "studies."
        )

    def tables(self) -> tuple[Table, ...]:
        """The interval as labels came in."""
        rows = tuple(
            (each.labels, 100 * each.difference, 100 * each.low, 100 * each.high)
            for each in self.looks[-SHOWN:]
        )
        return (
            Table(
                f"How many points more agree with {self.first} than with {self.second}",
                ("labels where they differ", "difference", "low", "high"),
                rows,
                caption="The intervals hold the true difference at all times together with "
                f"probability {100 * (1 - self.error):g} %.",
                digits=2,
                id="looks",
            ),
        )

    def assumptions(self) -> tuple[str, ...]:
        """What the guarantee rests on."""
        return (
            "Items come in an order that has nothing to do with their labels, such as at random, "
            "and the file only grows: what was read before stays as it was.",
            f"An item counts once it has {self.labels_each} "
            f"{'label' if self.labels_each == 1 else 'labels'}, by its first ones; the difference "
            f"of all items takes the {100 * self.differ:.3g} % of predicted items on which the two "
            "differ as known.",
        )

    def unchecked(self) -> tuple[str, ...]:
        """What became of the data."""
        return self.notes


def watch(
    ratings: Any,
    predictions: Any = None,
    *,
    classifiers: tuple[str, str] | None = None,
    error: float = 0.05,
    matters: float = 0.0,
    labels_each: int = 1,
    positive: str | None = None,
    unknown: str = "error",
) -> Watch:
    """Whether enough labels are in to stop, however often that is asked.

    Parameters
    ----------
    ratings, predictions
        A row an answer, in the order in which they came in; and what the classifiers said.
    classifiers
        Two of them, where there are more.
    error
        The chance, over all looks together, of a false "you can stop now".
    matters
        Stop also when the two surely differ by less than this.
    labels_each
        An item counts once it has so many labels, by the first ones.
    positive, unknown
        As in `evaluate`.

    Returns
    -------
    Watch
        ``stop``, ``difference``, ``looks``.

    Examples
    --------
    >>> import pyarrow as pa
    >>> ids = [str(i) for i in range(60)]
    >>> said = pa.table({"item": ids, "rater": ["ann"] * 60, "label": ["x", "x", "y"] * 20})
    >>> told = pa.table({"item": ids, "always_x": ["x"] * 60, "always_y": ["y"] * 60})
    >>> watch(said, told).stop is None
    True
    """
    from headcount.data import as_study, predicted_items

    _check(error, matters, labels_each)
    study = as_study(ratings, predictions, positive=positive, unknown=unknown, item_by_item=True)
    judged = study.judged
    names = [each.name for each in judged.classifiers]
    pair = list(classifiers) if classifiers is not None else names
    if len(pair) != 2 or len(set(pair)) != 2 or not set(pair) <= set(names):
        listed = ", ".join(map(repr, names))
        raise OptionError(f"watching takes two of the classifiers ({listed}): name them.")
    decisions = np.column_stack([judged.classifiers[names.index(name)].top() for name in pair])
    assert judged.items is not None
    item, label = study.ratings.arrivals(judged.items)
    everything = predicted_items(study, pair).decisions
    return watch_arrivals(
        (pair[0], pair[1]),
        decisions,
        item,
        label,
        error=error,
        matters=matters,
        labels_each=labels_each,
        differ=float(np.mean(everything[:, 0] != everything[:, 1])),
        notes=judged.notes,
        library=study.library,
    )


def watch_arrivals(
    names: tuple[str, str],
    decisions: Ints,
    item: Ints,
    label: Ints,
    *,
    error: float = 0.05,
    matters: float = 0.0,
    labels_each: int = 1,
    differ: float | None = None,
    notes: tuple[str, ...] = (),
    library: str = "pyarrow",
) -> Watch:
    """The same from bare arrays: `decisions` (n, 2), and answers in the order they came.

    `item` counts in the rows of `decisions`; `differ` is the share of all predicted items on
    which the two differ, where more are predicted than labelled.
    """
    apart = decisions[:, 0] != decisions[:, 1]
    if not apart.any():
        raise UnanswerableError(
            f"{names[0]} and {names[1]} said the same about every labelled item: label items on "
            "which they differ."
        )
    share = float(apart.mean()) if differ is None else differ
    x = stream(decisions, item, label, labels_each)
    looks, (low, high) = _looks(x, share, labels_each, error)
    mean = float(x.mean()) if len(x) else 0.0
    return Watch(
        first=names[0],
        second=names[1],
        stop=_stop(low, high, share, matters),
        difference=Estimate(share * mean, share * low, share * high),
        where_they_differ=Estimate(mean, low, high),
        differ=share,
        items=len(x),
        labels=len(x) * labels_each,
        labels_each=labels_each,
        error=error,
        matters=matters,
        looks=looks,
        notes=notes,
        library=library,
    )


def stream(decisions: Ints, item: Ints, label: Ints, labels_each: int) -> Floats:
    """X of each item on which the two differ, in the order in which it got its last label.

    What an item gets beyond `labels_each` labels is left out: a value that has been counted
    must never change, or looking twice would not be one look and a longer one.
    """
    told = decisions[item]
    kept = np.flatnonzero(told[:, 0] != told[:, 1])
    item, label, told = item[kept], label[kept], told[kept]
    order = np.argsort(item, kind="stable")
    starts = np.flatnonzero(np.diff(item[order], prepend=-1))
    occasion = np.empty(len(item), dtype=np.int64)
    occasion[order] = np.arange(len(item)) - np.repeat(starts, np.diff([*starts, len(item)]))
    sides = (label == told[:, 0]).astype(float) - (label == told[:, 1])
    counted = occasion < labels_each
    rows = int(item.max()) + 1 if len(item) else 0
    total = np.bincount(item[counted], weights=sides[counted], minlength=rows)
    complete = item[occasion == labels_each - 1]  # in the order of the last label that counts
    return np.asarray(total[complete] / labels_each)


def _looks(
    x: Floats, share: float, labels_each: int, error: float
) -> tuple[tuple[Look, ...], tuple[float, float]]:
    """The running intervals, intersected: what was ruled out once stays ruled out."""
    values, codes = np.unique(x, return_inverse=True)
    at = np.geomspace(1, max(len(x), 1), LOOKS).round().astype(int)
    low, high, looks = -1.0, 1.0, []
    for n in np.unique(np.r_[at, first_stop(x, error) or 1]) if len(x) else ():
        counts = np.bincount(codes[:n], minlength=len(values))
        bottom, top = not_ruled_out(values, counts, error)
        low, high = max(low, bottom), min(high, top)
        mean = float(np.clip(values @ counts / n, low, high))
        looks.append(Look(int(n) * labels_each, share * mean, share * low, share * high))
    return tuple(looks), (low, high)


def _stop(low: float, high: float, share: float, matters: float) -> str | None:
    if low > 0:
        return "first"
    if high < 0:
        return "second"
    return "alike" if share * max(-low, high) < matters else None


def _check(error: float, matters: float, labels_each: int) -> None:
    if not 0 < error < 0.5:
        raise OptionError(f"error is a chance from 0 to below 0.5, such as 0.05; it was {error!r}.")
    if not 0 <= matters < 1:
        raise OptionError(f"matters is a difference such as 0.01, one point; it was {matters!r}.")
    whole = isinstance(labels_each, int) and not isinstance(labels_each, bool)
    if not whole or labels_each < 1:
        raise OptionError(f"labels_each is a whole number of at least 1; it was {labels_each!r}.")


def log_wealth(values: Floats, counts: NDArray[Any], mean: float) -> float:
    """Log K(m): what betting on either side of `mean` has made, started with 1.

    `values` are the distinct x, `counts` how many there are of each.
    """
    with np.errstate(divide="ignore"):
        up = np.log1p(np.outer(BETS / (1 + mean), values - mean)) @ counts
        down = np.log1p(np.outer(BETS / (1 - mean), mean - values)) @ counts
    return float(special.logsumexp(np.concatenate([up, down])) - np.log(2 * len(BETS)))


def not_ruled_out(values: Floats, counts: NDArray[Any], error: float) -> tuple[float, float]:
    """The interval of means that no bet has ruled out, of distinct values and how many of each.

    Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", 2024.
    """
    limit = -np.log(error)
    if not counts.sum():
        return -1.0, 1.0
    # At ±1 itself a bet could lose everything, and its logarithm is endless.
    middle = float(np.clip(values @ counts / counts.sum(), -1 + 1e-9, 1 - 1e-9))
    return (
        _end(values, counts, -1.0 + 1e-9, middle, limit),
        _end(values, counts, 1.0 - 1e-9, middle, limit),
    )


def _end(
    values: Floats, counts: NDArray[Any], outside: float, inside: float, limit: float
) -> float:
    """Where the wealth passes the limit between a mean far out and the sample's own."""
    if log_wealth(values, counts, outside) < limit:
        return float(np.sign(outside))
    while abs(outside - inside) > PRECISION:
        middle = (outside + inside) / 2
        if log_wealth(values, counts, middle) < limit:
            inside = middle
        else:
            outside = middle
    return outside


def first_stop(x: Floats, error: float = 0.05) -> int | None:
    """After how many values zero is ruled out for the first time, looking after each; or never."""
    values, codes = np.unique(np.asarray(x, dtype=float), return_inverse=True)
    bets = np.concatenate([BETS, -BETS])
    gains = np.log1p(np.outer(values, bets))  # what each bet on a mean of 0 makes of each value
    wealth = np.full(len(bets), -np.log(len(bets)))
    for start in range(0, len(codes), CHUNK):
        running = wealth + np.cumsum(gains[codes[start : start + CHUNK]], axis=0)
        passed = np.flatnonzero(special.logsumexp(running, axis=1) >= -np.log(error))
        if len(passed):
            return start + int(passed[0]) + 1
        wealth = running[-1]
    return None
