"""One quantity, one value, one interval: in a report, its figures, its JSON and single commands.

Every number that is told of the same data with the same options is collected by what it is about,
and no quantity may have two values or two intervals.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.report.sections.agreeing import agreeing
from headcount.report.sections.disagreement import disagreement
from headcount.report.writing import render

DRAWN = 20
ROUNDING = 1e-9
"""Numbers of another road may differ by the order of sums."""

Key = tuple[str, ...]
Told = tuple[Key, str, tuple[Any, ...]]


def _number(told: Any) -> tuple[Any, ...]:
    """Value, interval and states of an estimate, or of what JSON tells of it."""
    if isinstance(told, dict):
        return tuple(told.get(name) for name in ("value", "low", "high"))
    return told.value, told.low, told.high


def _of_evaluation(found: hc.Evaluation) -> Iterator[Told]:
    """The result itself: headlines and parts."""
    for each in found.classifiers:
        name = each.name
        yield ("agree", name), "headline", _number(each.agree)
        yield ("of ceiling", name), "headline", _number(each.of_ceiling)
        yield ("accuracy", name), "headline", _number(each.accuracy)
        yield ("worth", name), "headline", _number(each.worth)
        if found.equivalence:
            yield ("worth", name), "equivalence", _number(found.equivalence[name].worth)
        if found.accuracy:
            yield ("accuracy", name), "accuracy", _number(found.accuracy[name].accuracy)
        if found.replacement:
            yield ("worth", name), "replacement", _number(found.replacement[name].worth)
        if found.numbers:
            yield ("bias", name), "numbers", _number(found.numbers[name].bias)
            yield ("bias", name), "headline", _number(each.bias)
    for reading in found.readings.readings if found.readings else ():
        about = "worth" if reading.scorer == found.readings.headline else reading.scorer
        yield (about, reading.name), "readings", _number(reading.worth)
    for each in found.numbers.classifiers if found.numbers else ():
        yield ("squared_error", each.name), "numbers", _number(each.worth)
    if found.agreement:
        yield ("two people",), "agreement", _number(found.agreement.two_people)
        yield ("two people",), "the first screen", _number(found.crowd.another_person)
    if found.replacement:
        yield ("two people",), "replacement", _number(found.replacement.classifiers[0].people)
    if found.scores:
        yield from _of_scores(found.scores, "scores")
        yield from _of_levels(found.levels, "levels")
        oracle = found.primary_labels.oracle("accuracy").oracle[0]
        yield ("oracle",), "primary labels", _number(oracle.adjusted)


def _of_scores(found: Any, where: str) -> Iterator[Told]:
    for each in (*found.classifiers, *found.oracle):
        if each.scorer == "accuracy":
            about = ("agree", each.name) if each.kind == "classifier" else ("oracle",)
            yield about, where, _number(each.adjusted)
            yield ("as given", *about), where, _number(each.raw)


def _of_levels(found: Any, where: str) -> Iterator[Told]:
    for each in found.parts[-1].scores:
        about = ("agree", each.name) if each.kind == "classifier" else ("oracle",)
        yield about, where, _number(each.adjusted)
        yield ("as given", *about), where, _number(each.raw)
    for part in found.parts[:-1]:
        for each in part.scores:
            yield ("level", part.name, each.name), where, _number(each.adjusted)


def _of_json(found: hc.Evaluation) -> Iterator[Told]:
    """What the JSON tells, as a program reads it."""
    told = json.loads(json.dumps(found.to_dict()))
    for each in told["classifiers"]:
        for key, name in (("agree", "agree"), ("of_ceiling", "of ceiling"), ("worth", "worth")):
            yield (name, each["name"]), "JSON", _number(each[key])
    if "unavailable" not in told["scores"]:
        for each in told["scores"]["classifiers"]:
            yield ("agree", each["name"]), "JSON scores", _number(each["adjusted"])
    for pair in told["differences"].get("pairs", ()):
        about = (f"{pair['quantity']} less", pair["first"], pair["second"])
        yield about, "JSON differences", _number(pair["difference"])


def _of_figures(found: hc.Evaluation) -> Iterator[Told]:
    """The data that the report's figures draw."""
    if not found.scores:
        return
    (who,) = agreeing(found).figures
    for row in _rows(who.spec):
        if "classifier" in row and "low" in row:
            number = (row["value"], row["low"], row["high"])
            yield ("agree", row["classifier"]), "figure: who would agree", number
    (levels,) = disagreement(found).figures
    names = {each.name for each in found.classifiers}
    by_level = dict(
        zip(
            dict.fromkeys(row["level"] for row in _rows(levels.spec) if "level" in row),
            [part.name for part in found.levels.parts],
            strict=False,
        )
    )
    for row in _rows(levels.spec):
        if row.get("classifier") in names and "level" in row:
            number = (row["value"], row["low"], row["high"])
            yield ("level", by_level[row["level"]], row["classifier"]), "figure: levels", number


def _rows(spec: Any) -> Iterator[dict[str, Any]]:
    """Every row of data in a chart, wherever it lies."""
    if isinstance(spec, dict):
        for key, each in spec.items():
            if key == "values" and isinstance(each, list):
                yield from (row for row in each if isinstance(row, dict))
            else:
                yield from _rows(each)
    elif isinstance(spec, list):
        for each in spec:
            yield from _rows(each)


def _of_single_functions(study: hc.Study, found: hc.Evaluation) -> Iterator[Told]:
    """The same data and options asked of each method by itself."""
    agreement = hc.agreement(study, n_bootstrap=DRAWN)
    yield ("two people",), "hc.agreement", _number(agreement.two_people)
    alone = agreement.krippendorff_alpha
    yield ("alpha",), "hc.agreement", _number(alone)
    yield ("alpha",), "agreement", _number(found.agreement.krippendorff_alpha)
    worth = hc.survey_equivalence(study, n_bootstrap=DRAWN)
    for each in worth.classifiers:
        yield ("worth", each.name), "hc.survey_equivalence", _number(each.worth)
    if found.replacement:
        stands = hc.replacement_test(study, n_bootstrap=DRAWN)
        yield ("two people",), "hc.replacement_test", _number(stands.classifiers[0].people)
    if found.numbers:
        for each in hc.scores(study).classifiers:
            yield ("bias", each.name), "hc.scores", _number(each.bias)
            yield ("squared_error", each.name), "hc.scores", _number(each.worth)
    if found.scores:
        slips = found.primary_labels.flip_rate
        rate = "retest" if slips.method == "retest" else 0.0
        held = hc.deconvolve(study, flip_rate=rate, n_bootstrap=DRAWN)
        yield from _of_scores(held.score(), "hc.deconvolve")
        yield from _of_scores(
            held.score(scorer=["brier", "accuracy"]), "hc.deconvolve, two scorers"
        )
        yield from _of_levels(held.by_level(), "hc.deconvolve by level")
        people = hc.population(study, flip_rate=slips.mean, n_bootstrap=DRAWN)
        yield ("ceiling",), "hc.population", _number(people.ceiling)
        yield ("ceiling",), "population", _number(found.population.ceiling)
    if found.accuracy:
        for each in hc.system_accuracy(study, n_bootstrap=DRAWN).classifiers:
            yield ("accuracy", each.name), "hc.system_accuracy", _number(each.accuracy)


def _contradictions(told: Iterator[Told]) -> list[str]:
    known: dict[Key, tuple[str, tuple[Any, ...]]] = {}
    found = []
    for about, where, number in told:
        first, other = known.setdefault(about, (where, number))
        if not all(_same(a, b) for a, b in zip(number, other, strict=True)):
            found.append(f"{' '.join(about)}: {first} says {other}, {where} {number}")
    return found


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one - other) <= ROUNDING * max(1.0, abs(one))


def _everything(study: hc.Study, found: hc.Evaluation | None = None) -> list[str]:
    found = found or hc.evaluate(study, n_bootstrap=DRAWN)

    def told() -> Iterator[Told]:
        yield from _of_evaluation(found)
        yield from _of_json(found)
        yield from _of_figures(found)
        yield from _of_single_functions(study, found)

    return _contradictions(told())


@pytest.fixture(scope="module")
def demo() -> hc.Study:
    made = hc.simulate.make("comments", items=300, seed=3)
    return hc.Study(made.ratings, made.predictions)


@pytest.fixture(scope="module")
def found(demo: hc.Study) -> hc.Evaluation:
    return hc.evaluate(demo, n_bootstrap=DRAWN)


def test_a_contradiction_would_be_found() -> None:
    told: list[Told] = [(("a",), "here", (0.5, 0.4, 0.6)), (("a",), "there", (0.5, 0.4, 0.61))]
    assert _contradictions(iter(told)) != []


def test_every_quantity_of_the_demo_has_one_value_and_one_interval(
    demo: hc.Study, found: hc.Evaluation
) -> None:
    assert _everything(demo, found) == []


def test_differences_are_those_of_the_numbers_shown(found: hc.Evaluation) -> None:
    for quantity in ("agree", "worth"):
        for pair in found.differences.pairs:
            if pair.quantity == quantity and pair.difference.value is not None:
                one, other = found[pair.first], found[pair.second]
                gap = float(getattr(one, quantity)) - float(getattr(other, quantity))
                assert pair.difference.value == pytest.approx(gap, abs=ROUNDING)


def test_the_page_says_one_interval_of_each_share(found: hc.Evaluation) -> None:
    """What the report prints after a classifier's share is the same wherever it is printed."""
    page = re.sub(r"<[^>]+>", " ", render(found))
    for each in found.classifiers:
        value, interval = each.agree.text(percent=True).split(" (")
        printed = set(re.findall(re.escape(value) + r" \(([^)]*)", page))
        assert printed == {interval.removesuffix(")")}


def test_nothing_reaches_more_than_is_possible() -> None:
    """A classifier that chance puts above the ceiling is told at all of it, in table and text."""
    from headcount.population import share_of
    from headcount.results import Estimate

    above = share_of(
        Estimate(0.88, 0.85, 0.91), Estimate(0.76, 0.7, 0.82), least=0.5, confidence=0.95
    )
    assert (above.value, above.high) == (1.0, 1.0)
    assert above.low is not None
    assert above.low <= 1.0


@pytest.mark.parametrize(
    ("folder", "items", "cluster"), [("sleep-stages", 60, None), ("summeval", 120, "document")]
)
def test_real_data_have_one_value_and_one_interval(
    folder: str, items: int, cluster: str | None, shared_data: Any
) -> None:
    where: Path = shared_data(folder)
    ratings = _some_items(where / "ratings.csv.gz", items)
    answers = _some_items(where / "predictions.csv.gz", items)
    two = [each for each in answers.column_names if each != "item"][:2]
    study = hc.Study(
        hc.Ratings.from_frame(ratings, cluster=cluster),
        hc.Predictions.from_frame(answers.select(["item", *two])),
    )
    assert _everything(study) == []


def test_a_crowd_without_a_classifier_has_one_value_and_one_interval(shared_data: Any) -> None:
    """Offensiveness: each item's first rater stands in for a classifier."""
    ratings = _some_items(shared_data("offensiveness") / "ratings.csv.gz", 50)
    item = np.array(ratings["item"].to_pylist())
    _, first = np.unique(item, return_index=True)
    judge = ratings.take(pa.array(first)).select(["item", "label"])
    rest = ratings.take(pa.array(np.setdiff1d(np.arange(len(item)), first)))
    study = hc.Study(
        hc.Ratings.from_frame(rest, scale="nominal"),
        hc.Predictions.from_frame(judge.rename_columns(["item", "first"])),
    )
    assert _everything(study) == []


def _some_items(path: Path, items: int) -> pa.Table:
    """The rows of some items, spread over the file, as text."""
    from pyarrow import csv

    head = csv.read_csv(path, read_options=csv.ReadOptions()).column_names
    as_text = csv.ConvertOptions(column_types=dict.fromkeys(head, pa.string()))
    table = csv.read_csv(path, convert_options=as_text)
    ids = np.unique(np.array(table["item"].to_pylist()))
    kept = set(ids[:: max(len(ids) // items, 1)].tolist())
    return table.filter(pa.array([each in kept for each in table["item"].to_pylist()]))
