"""May it stand in for one person: two intervals decide, and both have to."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.evaluation.replacement_result import may_stand_in
from headcount.results import Estimate

NOWHERE = Estimate(None, None, 0.0, "below", "below", "within", floor=0.0, ceiling=4.0)
BELOW = replace(NOWHERE, high=None, high_state="below")
OPEN = Estimate(2.0, 1.2, None, high_state="above", ceiling=4.0)
BEYOND = Estimate(None, None, None, "above", "above", "above", floor=0.0, ceiling=4.0)
UNKNOWN = Estimate.undefined("nobody was asked")


@pytest.mark.parametrize(
    ("worth", "ahead", "answer"),
    [
        (Estimate(2.0, 1.0, 3.0), Estimate(0.1, 0.0, 0.2), "yes"),
        (Estimate(2.0, 0.9, 3.0), Estimate(0.1, 0.0, 0.2), "not shown"),
        (Estimate(2.0, 1.1, 3.0), Estimate(0.1, -0.1, 0.2), "not shown"),
        (Estimate(0.5, 0.3, 0.9), Estimate(0.1, 0.05, 0.2), "no"),
        (Estimate(2.0, 1.1, 3.0), Estimate(-0.1, -0.2, -0.05), "no"),
        (Estimate(0.5, 0.3, 0.9), UNKNOWN, "no"),
        (UNKNOWN, Estimate(0.1, 0.0, 0.2), "not shown"),
        (OPEN, Estimate(0.1, 0.05, 0.2), "yes"),
        (BEYOND, Estimate(0.1, 0.05, 0.2), "yes"),
        (NOWHERE, Estimate(0.0, -0.1, 0.1), "no"),
        (BELOW, Estimate(0.0, -0.1, 0.1), "no"),
        (Estimate(2.0), Estimate(0.1), "not shown"),
    ],
)
def test_both_intervals_decide(worth: Estimate, ahead: Estimate, answer: str) -> None:
    assert may_stand_in(worth, ahead) == answer


def test_it_is_told_of_every_classifier_and_read_at_another_confidence() -> None:
    made = hc.simulate.make("comments", seed=1, items=300)
    found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=50)
    assert [found[name].stands_in for name in ("fine_tuned", "word_list")] == ["yes", "not shown"]
    assert found.to_dict()["classifiers"][0]["stands_in"] == found.classifiers[0].stands_in
    assert found.at_confidence(0.9999)["llm_judge"].stands_in == "not shown"
    for each in found.replacement.classifiers:
        assert each.stands_in == found[each.name].stands_in
        assert each.difference == found[each.name].ahead


def test_people_need_no_names_and_one_person_shows_nothing() -> None:
    counts = np.array([[5, 0], [4, 1], [1, 4], [0, 5]] * 30)
    said = np.array(["no", "no", "yes", "yes"] * 30)
    judge = pa.table({"item": np.arange(120).astype(str), "judge": said})
    nameless = hc.Ratings.from_counts(counts, labels=["no", "yes"])
    assert hc.evaluate(nameless, judge, n_bootstrap=50)["judge"].stands_in == "yes"
    one = hc.Ratings.from_counts(counts // 4, labels=["no", "yes"])
    assert hc.evaluate(one, judge, n_bootstrap=50)["judge"].stands_in == "not shown"


@pytest.mark.prove
@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("pandalm-judges", {"no"}),
        ("summeval", {"no"}),
        ("sleep-stages", {"no", "not shown"}),
        ("valence", {"not shown", "no", "yes"}),
    ],
)
def test_real_judges(name: str, answers: set[str], shared_data: Callable[[str], Path]) -> None:
    folder = shared_data(name)
    ratings = hc.Ratings.read(next(folder.glob("ratings.csv*")))
    predictions = next(iter([*folder.glob("predictions.csv*"), folder / "gold.csv"]))
    found = hc.evaluate(ratings, predictions, unknown="wrong")
    assert {each.stands_in for each in found.classifiers} <= answers
    assert np.unique([each.name for each in found.classifiers]).size == len(found.classifiers)
