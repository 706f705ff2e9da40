"""What can k ratings an item tell, however many items are rated?"""

from collections.abc import Sequence
from typing import ClassVar, Literal, cast

import numpy as np

from headcount.arrays import Floats
from headcount.options import RatingsPlanOptions
from headcount.results import Record, Result, Table, count, record

# Bounds so near to each other leave nothing open that matters.
NARROW = 0.005


@record
class RatingsTell(Record):
    """Between what limits ceiling and ideal stay unknown with so many ratings an item."""

    ratings: int
    ceiling_low: float
    ceiling_high: float
    ideal_low: float
    ideal_high: float


@record
class RatingsPlan(Result):
    """What each number of ratings an item can tell of a population of items, two labels.

    Attributes
    ----------
    kinds : tuple of (float, float)
        Shares of items, each with the share of people who say yes to them.
    scorer : str
        How the ideal classifier is scored.
    ceiling, ideal : float
        What the best classifier reaches on this population.
    points : tuple of RatingsTell
        Between what limits both stay unknown with k ratings an item.

    Examples
    --------
    >>> plan = plan_ratings(most=3)
    >>> plan.points[0].ceiling_high - plan.points[0].ceiling_low > 0.3
    True
    """

    kinds: tuple[tuple[float, float], ...]
    scorer: str
    ceiling: float
    ideal: float
    points: tuple[RatingsTell, ...]

    also: ClassVar[tuple[str, ...]] = ("enough",)
    rows: ClassVar[str] = "points"

    @property
    def enough(self) -> int | None:
        """The fewest ratings an item from which on the ceiling is known; None where none are."""
        known = [each.ceiling_high - each.ceiling_low < NARROW for each in self.points]
        return self.points[known.index(True)].ratings if any(known) else None

    def verdict(self) -> str:
        """One sentence that answers the question."""
        said = [f"The best classifier has {100 * self.ceiling:.1f} % of people on its side here."]
        if self.enough is None:
            last = self.points[-1]
            said.append(
                f"Even {count(last.ratings, 'rating', 'ratings')} an item leave that open between "
                f"{100 * last.ceiling_low:.1f} % and {100 * last.ceiling_high:.1f} %, however "
                "many items are rated."
            )
        else:
            needed = count(self.enough, "rating an item is", "ratings an item are")
            said.append(f"{needed} enough to know it, given items enough.")
            said += [
                f"{count(each.ratings, 'rating leaves', 'ratings leave')} it open between "
                f"{100 * each.ceiling_low:.1f} % and {100 * each.ceiling_high:.1f} %."
                for each in self.points
                if each.ratings == max(1, self.enough - 1) < self.enough
            ]
        return " ".join(said)

    def tables(self) -> tuple[Table, ...]:
        """A row for each number of ratings."""
        rows = tuple(
            (
                each.ratings,
                f"{100 * each.ceiling_low:.2f} %",
                f"{100 * each.ceiling_high:.2f} %",
                round(each.ideal_low, 4) + 0.0,  # no "-0.0000"
                round(each.ideal_high, 4) + 0.0,
            )
            for each in self.points
        )
        ideal = f"ideal ({self.scorer})"
        columns = ("ratings an item", "ceiling, low", "high", f"{ideal}, low", f"{ideal}, high")
        return (
            Table(
                "What stays open, however many items are rated",
                columns,
                rows,
                caption=f"In truth the ceiling is {100 * self.ceiling:.2f} % and the ideal "
                f"classifier's score {self.ideal:.4f}.",
                digits=4,
                id="points",
            ),
        )

    def assumptions(self) -> tuple[str, ...]:
        """What the answer rests on."""
        return (
            "Items are of the kinds given, with two labels; ratings of an item are independent "
            "draws from people.",
            "k ratings an item fix k moments of the population and no more: the limits are the "
            "lowest and the highest over all populations with these moments.",
        )


def plan_ratings(
    *,
    kinds: Sequence[tuple[float, float]] | None = RatingsPlanOptions.kinds,
    scorer: str = RatingsPlanOptions.scorer,
    most: int = RatingsPlanOptions.most,
) -> RatingsPlan:
    """What k ratings an item can tell of the best possible classifier, for k = 1 to `most`.

    Parameters
    ----------
    kinds
        The population: pairs of a share of items and the share of people who say yes to them.
        By default that of the survey-equivalence paper's running example.
    scorer
        How the ideal classifier is scored: "cross_entropy", "brier" or "agreement".
    most
        The largest number of ratings an item, at most 20.

    Returns
    -------
    RatingsPlan
        ``.points`` with the limits of ceiling and ideal, ``.enough``.

    Notes
    -----
    With endless items of K ratings each, the first K moments of the population of shares are
    known. A linear functional of the population, such as E max(p, 1 − p), then lies between the
    two ends of a linear programme over all populations with these moments.

    Examples
    --------
    >>> found = plan_ratings()
    >>> [round(end, 3) for end in (found.points[1].ceiling_low, found.points[1].ceiling_high)]
    [0.69, 0.808]
    >>> found.enough
    6
    """
    from headcount.population import moment_bounds, own_score, two_label_grid

    options = RatingsPlanOptions(kinds=kinds, scorer=scorer, most=most)
    shares, atoms = (np.array(side) for side in zip(*options.population(), strict=True))
    weights = shares / shares.sum()
    # The kinds themselves are on the grid, so that a population with their moments always is.
    p = np.unique(np.concatenate([two_label_grid(20)[:, 1], atoms]))
    grid = np.column_stack([1 - p, p])
    ceiling = own_score(grid, "agreement", 0.0)
    ideal = own_score(grid, cast(Literal["cross_entropy", "brier", "agreement"], scorer), 0.0)

    def bounds(functional: Floats, ratings: int) -> tuple[float, float]:
        return moment_bounds(functional, p, atoms=atoms, weights=weights, ratings=ratings)

    own = np.searchsorted(p, atoms)
    return RatingsPlan(
        kinds=options.population(),
        scorer=options.scorer,
        ceiling=float(weights @ ceiling[own]),
        ideal=float(weights @ ideal[own]),
        points=tuple(
            RatingsTell(k, *bounds(ceiling, k), *bounds(ideal, k))
            for k in range(1, options.most + 1)
        ),
    )
