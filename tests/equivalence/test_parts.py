"""Worth on parts of the items: on all of them it is the worth, on some it is theirs."""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.equivalence.worth_by_slice import worth_by_part
from headcount.errors import UnanswerableError
from headcount.options import EquivalenceOptions
from headcount.sampling.samples import Samples


def _study(seed=0, n=400, m=6, cluster=None):
    """Raters of a classifier that is good on one half of the items and poor on the other."""
    rng = np.random.default_rng(seed)
    p = rng.choice([0.1, 0.35, 0.8], n)
    said = (rng.random((n, m)) < p[:, None]).astype(int)
    half = np.arange(n) % 2
    soft = np.where(half == 0, p, np.where(rng.random(n) < 0.5, 0.45, 0.4))
    item, rater = (codes.ravel() for codes in np.indices(said.shape))
    ratings = pa.table(
        {
            "item": [f"i{i:04d}" for i in item],
            "rater": [f"r{r}" for r in rater],
            "label": np.array(["no", "yes"])[said.ravel()],
            "document": [f"d{i // 8}" for i in item],
        }
    )
    answers = pa.table({"item": [f"i{i:04d}" for i in range(n)], "c": soft})
    people = hc.Ratings.from_frame(ratings, cluster=cluster)
    return hc.Study(people, hc.Predictions.from_frame(answers), positive="yes"), half


OPTIONS = EquivalenceOptions(n_bootstrap=60, calibrate=False)


@pytest.mark.parametrize("combiner", ["abc", "fitted", "auto"])
def test_one_part_is_the_whole(combiner):
    study, half = _study()
    options = EquivalenceOptions(n_bootstrap=60, calibrate=False, combiner=combiner)
    (found,) = worth_by_part(study, study.sampled(), 0 * half, 1, options)
    whole = hc.survey_equivalence(study, n_bootstrap=60, calibrate=False, combiner=combiner)["c"]
    assert found["c"].value == pytest.approx(whole.worth.value, abs=1e-9)
    assert found["c"].low == pytest.approx(whole.worth.low, rel=0.25)
    assert found["c"].low <= found["c"].value


@pytest.mark.parametrize("cluster", [None, "document"])
def test_each_part_has_its_own_worth(cluster):
    study, half = _study(cluster=cluster)
    good, poor = worth_by_part(study, study.sampled(), half, 2, OPTIONS)
    assert good["c"].state == "above" or good["c"].value > 3
    assert poor["c"].state == "below" or poor["c"].value < 1
    for each in (good["c"], poor["c"]):
        assert each.has_interval


def test_raters_widen_the_worth_of_a_part_and_no_samples_leave_it_bare():
    study, half = _study(seed=2)
    part = np.where(half == 0, 0, -1)
    (both,) = worth_by_part(study, study.sampled(), part, 1, OPTIONS)
    (items,) = worth_by_part(study, study.sampled(two_way=False), part, 1, OPTIONS)
    assert both["c"].low < items["c"].low
    assert items["c"].value == both["c"].value
    bare = EquivalenceOptions(n_bootstrap=0, calibrate=False)
    (alone,) = worth_by_part(study, study.sampled(), part, 1, bare)
    assert alone["c"].value == both["c"].value
    assert not alone["c"].has_interval


def test_a_part_without_items_and_a_scorer_that_is_no_mean_say_so():
    study, half = _study()
    found = worth_by_part(study, study.sampled(two_way=False), half, 3, OPTIONS)
    assert "no item" in found[2]["c"].note
    assert isinstance(study.sampled(), Samples)
    with pytest.raises(UnanswerableError, match="mean over items"):
        worth_by_part(study, study.sampled(), half, 2, EquivalenceOptions(scorer="auc"))
