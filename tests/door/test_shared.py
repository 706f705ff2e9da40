"""Real data sets are read without an option, as they were before tables were read strictly."""

from collections.abc import Callable
from pathlib import Path

import pytest

from headcount import Predictions, Ratings
from headcount.data import judge_grouped

# folder: file, items, ratings, raters, labels, as commit d2fe3d6 read them
READ = {
    "cifar10h": ("counts.csv", 10000, 511000, None, 10),
    "credbank": ("ratings.csv.gz", 1377, 41303, 30, 2),
    "entailment-rte": ("ratings.csv", 800, 8000, 164, 2),
    "llm-rubric": ("ratings.csv", 2035, 5873, 24, 4),
    "offensiveness": ("ratings.csv.gz", 1500, 13036, 262, 5),
    "pandalm-judges": ("ratings.csv", 999, 2997, 3, 3),
    "pg13": ("ratings.csv.gz", 11040, 89799, 825, 4),
    "running-example": ("ratings.csv", 1000, 10000, 10, 2),
    "running-example-50": ("ratings.csv", 50, 500, 10, 2),
    "sleep-stages": ("ratings.csv.gz", 24665, 123308, 5, 5),
    "summeval": ("ratings.csv.gz", 6400, 19200, 3, 5),
    "valence": ("ratings.csv", 100, 1000, 38, 61),
    "wikipedia-attacks": ("counts.csv.gz", 23178, 349582, None, 2),
    "wikipedia-attacks-published": ("ratings.csv.gz", 2000, 30112, 39, 2),
    "word-sense": ("ratings.csv", 177, 1770, 34, 3),
    "xhate-retest": ("ratings.csv", 95, 2090, 22, 2),
}


@pytest.mark.parametrize("name", READ)
def test_data_sets_read_without_options_against_reference(
    name: str, shared_data: Callable[[str], Path]
) -> None:
    folder = shared_data(name)
    file, *expected = READ[name]
    ratings = Ratings.read(folder / file)
    found = [ratings.n_items, ratings.n_ratings, ratings.n_raters, ratings.labels.n]
    assert found == expected
    for path in folder.glob("predictions.csv*"):
        assert judge_grouped(ratings, Predictions.read(path), unknown="wrong").n_items
