"""Raters left out on a part of the items: where the part is all of them, nothing may differ."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.sameness import differences

import headcount as hc
from headcount.counting import size

ITEMS, RATERS, PER_ITEM = 240, 12, 6
ROUNDING = 1e-9


def _study(labels: int = 2, order: bool = False, documents: bool = False) -> hc.Study:
    """Raters with habits of their own and two classifiers; items perhaps of forty documents."""
    rng = np.random.default_rng([labels, 4])
    truth = rng.integers(labels, size=ITEMS)
    habit, careful = rng.integers(labels, size=RATERS), rng.uniform(0.5, 0.95, RATERS)
    item = np.repeat(np.arange(ITEMS), PER_ITEM)
    rater = np.concatenate([rng.choice(RATERS, PER_ITEM, replace=False) for _ in range(ITEMS)])
    said = np.where(rng.random(len(item)) < careful[rater], truth[item], habit[rater])
    names = np.array(list("abcdef"[:labels]))
    columns = {"item": item, "rater": [f"r{r:02}" for r in rater], "label": names[said]}
    if documents:
        columns["document"] = item // 6
    ratings = hc.Ratings.from_frame(
        pa.table(columns),
        order=list(names) if order else None,
        cluster="document" if documents else None,
    )
    guess = np.where(rng.random(ITEMS) < 0.8, truth, rng.integers(labels, size=ITEMS))
    other = np.where(rng.random(ITEMS) < 0.7, truth, rng.integers(labels, size=ITEMS))
    answers = pa.table({"item": np.arange(ITEMS), "good": names[guess], "fair": names[other]})
    return hc.Study(ratings, hc.Predictions.from_frame(answers))


METHODS: dict[str, Callable[[hc.Study], Any]] = {
    "agreement": lambda data: hc.agreement(data, n_bootstrap=40),
    "curve": lambda data: hc.power_curve(data, n_bootstrap=40),
    "worth": lambda data: hc.survey_equivalence(data, n_bootstrap=40, calibrate=False),
    "population": lambda data: hc.population(data, n_bootstrap=40),
    "accuracy": lambda data: hc.system_accuracy(data, n_bootstrap=40),
    "replacement": lambda data: hc.replacement_test(data, n_bootstrap=40),
    "pilot": hc.plan_from_pilot,
}


CASES = [
    *((method, labels, False) for method in METHODS for labels in (2, 3)),
    *((method, 4, True) for method in METHODS if method not in ("accuracy", "pilot")),
]
"""Accuracy and pilots are asked of labels that are names alone."""


@pytest.mark.parametrize(("method", "labels", "order"), CASES)
def test_a_part_of_all_items_says_what_item_rows_say_against_brute_force(
    method: str, labels: int, order: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every method, asked by itself of a row an item."""
    rows = METHODS[method](_study(labels, order)).to_dict()
    monkeypatch.setattr(size, "LARGE", -1)
    study_of_items = replace(_study(labels, order), in_groups=False)
    part = METHODS[method](study_of_items).to_dict()
    found = list(differences(rows, part, within=ROUNDING))
    assert [each for each in found if method == "worth" or not _of_words(each)] == []


@pytest.mark.parametrize("method", ["agreement", "worth", "population", "accuracy"])
def test_items_that_come_in_documents_against_brute_force(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Items are then drawn by the document, from all of them, and raters left out on a part."""
    rows = METHODS[method](_study(documents=True)).to_dict()
    monkeypatch.setattr(size, "LARGE", -1)
    part = METHODS[method](_study(documents=True)).to_dict()
    found = list(differences(rows, part, within=ROUNDING))
    assert [each for each in found if not _of_words(each)] == []


def _of_words(difference: str) -> bool:
    """What is noted, and alpha without each rater, which a part does not tell.

    Rounding in what calibration learns deals items that are alike to other groups, and so other
    samples: worths are compared without it.
    """
    words = ("notes", "/unchecked", "/alpha_without", "/worth", "/verdict", "/of_ideal")
    return any(word in difference for word in words)


@pytest.mark.parametrize(("labels", "order"), [(2, False), (3, False), (4, True)])
def test_evaluate_on_a_part_of_all_items_against_brute_force(
    labels: int, order: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Items in groups and raters on a part: all but what is said of single items is the same."""
    rows = hc.evaluate(_study(labels, order), n_bootstrap=40)
    monkeypatch.setattr(size, "LARGE", -1)
    part = hc.evaluate(_study(labels, order), n_bootstrap=40)
    assert part.samples == rows.samples
    of_items = (
        *("/agreement/contested", "/agreement/raters_table", "/agreement/pairwise"),
        *("/agreement/conger_kappa", "/confusion/alone", "/decided", "/accuracy", "/levels"),
        *("/classifiers[0]/accuracy", "/classifiers[1]/accuracy", "/numbers", "/equivalence"),
        # Beside people, counted in groups, intervals are about items alone.
        *("/differences/pairs[1]", "/differences/pairs[2]", "/readings", "/together"),
    )
    found = differences(rows.to_dict(), part.to_dict(), within=ROUNDING)
    assert [each for each in found if not each.startswith(of_items) and not _of_words(each)] == []
    assert rows.replacement["good"].omega == part.replacement["good"].omega


@pytest.fixture
def a_third(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raters are left out on a third of the items."""
    monkeypatch.setattr(size, "LARGE", -1)
    monkeypatch.setattr(size, "PART_ITEMS", ITEMS // 3)


@pytest.mark.usefixtures("a_third")
def test_evaluate_says_the_interval_that_is_told_when_asked_directly() -> None:
    data = _study()
    whole, worth = hc.evaluate(data, n_bootstrap=40), hc.survey_equivalence(data, n_bootstrap=40)
    assert [*whole["good"].worth] == pytest.approx([*worth["good"].worth])
    agreement = hc.agreement(data, n_bootstrap=40)
    assert [*whole.agreement.krippendorff_alpha] == pytest.approx([*agreement.krippendorff_alpha])
    people = hc.population(data, n_bootstrap=40)
    assert [*whole.population.ceiling] == pytest.approx([*people.ceiling])


@pytest.mark.usefixtures("a_third")
def test_values_are_of_all_items_and_intervals_about_other_people() -> None:
    data = _study()
    found = hc.evaluate(data, n_bootstrap=40)
    alone = hc.evaluate(data, n_bootstrap=40, two_way=False)
    assert found.samples.sentence().endswith("judged by other people like these")
    assert alone.samples.sentence().endswith("judged by people like these")
    for name in ("good", "fair"):
        assert found[name].agree.value == alone[name].agree.value
        assert _width(found[name].agree) > 1.1 * _width(alone[name].agree)
        assert _width(found[name].accuracy) >= _width(alone[name].accuracy)
    alphas = (found.agreement.krippendorff_alpha, alone.agreement.krippendorff_alpha)
    assert alphas[0].value == alphas[1].value
    assert _width(alphas[0]) > 1.5 * _width(alphas[1])
    assert any("drawn by a hash of their ids" in note for note in found.agreement.unchecked())
    assert any("of the items, drawn by a hash" in each for each in found.replacement.assumptions())


def _width(estimate: Any) -> float:
    return float(estimate.high - estimate.low)
