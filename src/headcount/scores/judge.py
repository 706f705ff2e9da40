"""One judge against people: the measures of its numbers, in each reading of them."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from headcount.scores import bias, distances
from headcount.scores.components import components, true_error
from headcount.scores.people import People, Said
from headcount.scores.sample import Measure, Measured, mean_over

Floats = NDArray[np.float64]


def spread_measure(people: People, said: Said | None, added: bool) -> Measured:
    """`within` and `between`: how people and items differ, without any judge."""
    del said
    found = components(people, added)
    return Measured.of(
        {
            "within": (found.within, found.within_influence),
            "between": (found.between, found.between_influence),
        }
    )


def mean_measure(people: People, said: Said | None, added: bool) -> Measured:
    """The mean rating, every item once."""
    del said
    return Measured.of({"mean": mean_over(people.mean, (people.n > 0).astype(np.float64), added)})


def worth_measure(numbers: Floats, *, fitted: bool) -> Measure:
    """`within`, `between` and `error`: what a worth is computed from.

    `fitted` says that the numbers were calibrated to these raters. They then share how strict
    these raters are with the ratings they are judged by, which must not count in their favour.
    """

    def measure(people: People, said: Said | None, added: bool) -> Measured:
        del said
        found = components(people, added)
        error, influence = true_error(people, numbers, added)
        return Measured.of(
            {
                "within": (found.within, found.within_influence),
                "between": (found.between, found.between_influence),
                "error": (error + (found.shared if fitted else 0.0), influence),
            }
        )

    return measure


def distance_measure(numbers: Floats) -> Measure:
    """`bias` and `squared`, the mean squared distance to one person, over all rated items."""

    def measure(people: People, said: Said | None, added: bool) -> Measured:
        del said
        return Measured.of(
            {
                "bias": bias.overall(numbers, people, added),
                "squared": bias.squared_distance(numbers, people, added),
            }
        )

    return measure


def nearness_measure(numbers: Mapping[str, Floats], tolerance: float) -> Measure:
    """Mean distances (`away`) and shares within a tolerance (`near`), of people and each judge.

    All over the items with at least two ratings, so that judge and people can be compared.
    """

    def measure(people: People, said: Said | None, added: bool) -> Measured:
        assert said is not None
        compared = people.several.astype(np.float64)
        away, near = distances.between_people(said, tolerance)
        found = {"away": mean_over(away, compared, added), "near": mean_over(near, compared, added)}
        for name, judge in numbers.items():
            away, near = distances.from_judge(said, judge, tolerance)
            found[f"away {name}"] = mean_over(away, compared, added)
            found[f"near {name}"] = mean_over(near, compared, added)
        return Measured.of(found)

    return measure
