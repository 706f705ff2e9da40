"""What things are called and in which order they stand never matters: whole evaluations.

Labels, items, raters and classifiers are renamed, rows and columns put in another order. Every
number, state and choice stays; ends of intervals follow draws, which may meet the items in another
order. Three labels or more keep their names here: the folds of a population of few items follow
the order of names there.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc

WITHIN = 1e-9

Names = dict[str, str]


def _made(seed: int, labels: int, judges: int) -> tuple[list[dict[str, str]], dict[str, list[str]]]:
    """Rows of ratings and a column of answers for each judge: items of many kinds, some ragged."""
    rng = np.random.default_rng(seed)
    n_items, n_raters = 36, 4
    shares = rng.dirichlet(np.full(labels, 0.6), size=n_items)
    rows = [
        {
            "item": f"i{item}",
            "rater": f"r{rater}",
            "label": f"l{rng.choice(labels, p=shares[item])}",
        }
        for item in range(n_items)
        for rater in range(n_raters)
        if rater < 2 or rng.random() < 0.9
    ]
    answers = {
        f"c{judge}": [f"l{rng.choice(labels, p=share)}" for share in shares]
        for judge in range(judges)
    }
    return rows, {"item": [f"i{item}" for item in range(n_items)], **answers}


def _renamed(seed: int, kind: str, count: int) -> Names:
    """Other names, in another alphabetical order."""
    turned = np.random.default_rng(seed + 100).permutation(count)
    return {f"{kind}{place}": f"{'zyxw'[new % 4]}{kind}{new}" for place, new in enumerate(turned)}


def _evaluated(
    rows: list[dict[str, str]], answers: dict[str, list[str]], names: Names, order: Any
) -> hc.Evaluation:
    """The evaluation of rows in some order under other names."""
    told = [{role: names.get(value, value) for role, value in row.items()} for row in rows]
    kinds = [each for each in answers if each != "item"]
    if order is not None:
        told = [told[place] for place in order.permutation(len(told))]
        kinds = kinds[::-1]
    table = {"item": [names.get(each, each) for each in answers["item"]]}
    table |= {names.get(kind, kind): [names.get(a, a) for a in answers[kind]] for kind in kinds}
    return hc.evaluate(
        hc.Study(
            hc.Ratings.from_frame(pa.Table.from_pylist(told), scale="nominal"),
            hc.Predictions.from_frame(pa.table(table)),
        ),
        n_bootstrap=10,
        seed=2,
    )


def _headlines(evaluation: hc.Evaluation, names: Names) -> Iterator[tuple[str, Any]]:
    """Choices and numbers by what they are about, under the first names."""
    first = {new: old for old, new in names.items()}
    yield "combiner", evaluation.to_dict()["equivalence"]["combiner"]
    for name in ("percent_agreement", "krippendorff_alpha", "two_people"):
        yield name, _number(getattr(evaluation.agreement, name))
    yield "ceiling", _number(evaluation.population.ceiling)
    for each in evaluation.classifiers:
        name = first.get(each.name, each.name)
        for quantity in ("worth", "agree", "of_ceiling", "accuracy"):
            yield f"{quantity} of {name}", _number(getattr(each, quantity))
    for each in evaluation.next_labels.classifiers if evaluation.next_labels else ():
        yield f"best: {first.get(each.name, each.name)}", (each.best,)
    if evaluation.next_labels:
        plan = evaluation.next_labels
        yield "next labels", (plan.probability_now, plan.items_for_target)


def _number(estimate: Any) -> tuple[Any, ...]:
    return estimate.value, estimate.state


def _assert_same(one: hc.Evaluation, other: hc.Evaluation, names: Names) -> None:
    left, right = dict(_headlines(one, {})), dict(_headlines(other, names))
    assert left.keys() == right.keys()
    for about, number in left.items():
        assert right[about] == pytest.approx(number, abs=WITHIN), about


CASES = [
    (kind, seed, labels, 1 + seed % 2)
    for kind in ("labels", "items", "raters", "classifiers", "rows and columns")
    for seed in range(3)
    for labels in (2, 3)
    if kind != "labels" or labels == 2
]


@pytest.mark.parametrize(("kind", "seed", "labels", "judges"), CASES)
def test_names_and_order_never_matter(kind: str, seed: int, labels: int, judges: int) -> None:
    rows, answers = _made(seed, labels, judges)
    names = {
        "labels": _renamed(seed, "l", labels),
        "items": _renamed(seed, "i", 36),
        "raters": _renamed(seed, "r", 4),
        "classifiers": _renamed(seed, "c", judges),
        "rows and columns": {},
    }[kind]
    order = np.random.default_rng(seed) if kind == "rows and columns" else None
    _assert_same(
        _evaluated(rows, answers, {}, None), _evaluated(rows, answers, names, order), names
    )
