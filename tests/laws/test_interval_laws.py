"""No estimate lies outside its own interval: any method, any shared data set (a part of each)."""

import sys
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.csv
import pytest

import headcount as hc
from headcount.errors import HeadcountError
from headcount.evaluation.part import Unavailable

sys.path.insert(0, str(Path(__file__).parent))
from test_people_laws import estimates_in

ITEMS = 60
FOLDERS = (
    *("cifar10h", "credbank", "entailment-rte", "llm-rubric", "offensiveness", "pandalm-judges"),
    *("pg13", "running-example", "running-example-50", "sleep-stages", "summeval", "valence"),
    *("wikipedia-attacks", "wikipedia-attacks-published", "word-sense", "xhate-retest"),
)
ALONE = (hc.agreement, hc.power_curve, hc.population, hc.system_accuracy)
"""What needs no classifier."""


def part_of(path, keep, folder):
    """A file with the rows of some items alone; `keep` None draws the items."""
    table = pyarrow.csv.read_csv(path)
    items = table["item"].cast("string")
    if keep is None:
        names = pc.unique(items).to_pylist()
        rng = np.random.default_rng(0)
        keep = [names[i] for i in rng.permutation(len(names))[:ITEMS]]
    out = folder / path.name.removesuffix(".gz")
    pyarrow.csv.write_csv(table.filter(pc.is_in(items, pyarrow.array(keep))), out)
    return out, keep


def inside(found):
    """How many estimates there are, each of them within its interval."""
    seen = 0
    for each in estimates_in(found):
        seen += 1
        if each.value is not None:
            assert each.low is None or each.low <= each.value, each
            assert each.high is None or each.value <= each.high, each
        elif each.state == "above":
            assert each.high is None, each
        elif each.state == "below":
            assert each.low is None, each
        elif each.is_span:
            assert each.low <= each.high, each
    return seen


@pytest.mark.parametrize("name", FOLDERS)
def test_no_estimate_lies_outside_its_own_interval_whatever_the_method(shared_data, name, tmp_path):
    folder = shared_data(name)
    file = next(path for stem in ("ratings", "counts") for path in folder.glob(f"{stem}.*"))
    some, keep = part_of(file, None, tmp_path)
    # A part of few items does not show that columns count labels: it is said.
    layout = "counts" if file.name.startswith("counts") else None
    ratings = hc.Ratings.read(some, item="item", layout=layout)
    classifiers = next(folder.glob("predictions.*"), None)
    if classifiers is not None:
        predictions, _ = part_of(classifiers, keep, tmp_path)
        found = hc.evaluate(ratings, predictions, unknown="wrong", n_bootstrap=20)
        parts = vars(found).values()
        assert not [each for each in parts if isinstance(each, Unavailable) and each.failed]
        assert inside(found) > 20
        rate = hc.true_rate(ratings, hc.Predictions.read(predictions), unknown="wrong")
        assert inside(rate) > 1
        return
    seen = 0
    for method in ALONE:
        try:
            seen += inside(method(ratings, n_bootstrap=20))
        except HeadcountError:  # these data cannot answer that, and say so
            continue
    assert seen > 5
