"""Several answers of one judge: what its runs are worth, and how often it flips."""

import csv
import gzip
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.together.run_surveys import RunStates, flips_between, flips_within


def sequence(answers):
    return np.repeat(np.arange(len(answers)), answers)


@pytest.mark.parametrize("runs", [1, 2, 3, 5])
def test_what_runs_may_say_against_brute_force(runs):
    answers = np.array([[2, 1, 1], [0, 3, 1], [2, 1, 1], [1, 0, 0]])
    states = RunStates.of(answers, runs)
    for item, row in enumerate(answers):
        chosen = list(combinations(sequence(row), min(runs, row.sum())))
        expected = {}
        for each in chosen:
            said = tuple(np.bincount(np.array(each), minlength=3)[:2])
            expected[said] = expected.get(said, 0) + 1 / len(chosen)
        found = {}
        for at in np.flatnonzero(states.row == item):
            said = tuple(states.said[at])
            found[said] = found.get(said, 0) + states.chance[at]
        assert found == pytest.approx(expected)


def test_equally_common_labels_are_as_likely():
    states = RunStates.of(np.array([[1, 1, 0], [0, 0, 2]]), 2)
    row, judge, chance = states.kept_as("majority")
    assert row.tolist() == [0, 0, 1]
    assert judge.codes.tolist() == [0, 1, -1]
    assert chance.tolist() == [0.5, 0.5, 1.0]
    assert states.kept_as("mean")[1].scores[0] == 0.5
    assert states.kept_as("kept")[1].probabilities[0].tolist() == [0.5, 0.5]


def test_flips_against_brute_force():
    rng = np.random.default_rng(0)
    one, other = rng.integers(4, size=(2, 20, 3))
    for found, first, second in (
        (flips_within(one), one, None),
        (flips_between(one, other), one, other),
    ):
        for item in range(20):
            a = sequence(first[item, :2])
            pairs = (
                list(combinations(a, 2))
                if second is None
                else [(x, y) for x in a for y in sequence(second[item, :2])]
            )
            if pairs:
                assert found[item] == pytest.approx(np.mean([x != y for x, y in pairs]))
            else:
                assert np.isnan(found[item])


def asked(n_items=800, runs=4, seed=0):
    """People, and a judge whose every run is one more person."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet([0.6, 0.9], size=n_items)
    people = (rng.random((n_items, 6)) < p[:, 1:]).astype(int)
    judge = (rng.random((n_items, runs)) < p[:, 1:]).astype(int)
    ratings = [(str(i), f"r{k}", "ny"[people[i, k]]) for i in range(n_items) for k in range(6)]
    answers = [
        (str(i), "judge", str(k), "ny"[judge[i, k]]) for i in range(n_items) for k in range(runs)
    ]
    names = ("item", "classifier", "run", "label")
    table = pa.table(dict(zip(names, map(list, zip(*answers, strict=True)), strict=True)))
    columns = map(list, zip(*ratings, strict=True))
    people_table = dict(zip(("item", "rater", "label"), columns, strict=True))
    return pa.table(people_table), table


def test_runs_that_are_people_are_worth_as_many_against_theory():
    worths = []
    for seed in range(4):
        ratings, table = asked(800, seed=seed)
        team = hc.together(ratings, hc.Predictions.from_frame(table), n_bootstrap=0)
        (judge,) = team.runs
        worths.append([each.kept.value for each in judge.worth])
    # Four runs vary by half a person from one set of items to another, on a curve that is flat.
    assert np.mean(worths, axis=0) == pytest.approx([1, 2, 3, 4], abs=0.6)
    assert np.mean(worths, axis=0)[:2] == pytest.approx([1, 2], abs=0.3)
    assert judge.worth[1].majority.value < 1.3  # of two that differ either is as likely
    assert judge.worth[0].mean is None
    assert team.variants == ()
    assert "runs" in judge.sentence()


def test_which_run_came_first_does_not_matter():
    ratings, table = asked(400)
    turned = table.set_column(
        2, "run", pa.array([str(9 - int(each)) for each in table["run"].to_pylist()])
    )
    found, other = (
        hc.together(ratings, hc.Predictions.from_frame(each), n_bootstrap=0).runs[0]
        for each in (table, turned)
    )
    assert found.flips.value == pytest.approx(other.flips.value)
    assert found.worth[-1].kept.value == pytest.approx(other.worth[-1].kept.value, rel=1e-6)


def test_one_answer_an_item_is_no_run(data):
    team = hc.together(*data, n_bootstrap=0)
    assert team.runs == ()
    assert team.variants == ()


def test_flips_of_a_real_judge_against_a_count_by_hand(shared_data):
    path = shared_data("judge-runs")
    said = {}
    with gzip.open(path / "predictions.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            if row["label"] in {"0", "1", "2", "3"}:
                said.setdefault(row["item"], {}).setdefault(row["variant"], []).append(row["label"])
    ratings = hc.Ratings.read(path / "ratings.csv.gz")
    predictions = hc.Predictions.read(path / "predictions.csv.gz")
    team = hc.together(ratings, predictions, n_bootstrap=20, unknown="wrong")
    rows = predictions.table.to_pylist()
    # Judged are items that every prompt answered at first.
    judged = {row["headcount_item"] for row in rows if all(row.values())}
    assert len(judged) > 1300
    (found,) = team.variants
    assert len(found.variants) == 7
    for name in found.variants:
        variant = name.split(" · ")[1]
        each = [
            np.mean([a != b for a, b in combinations(of[variant], 2)])
            for item, of in said.items()
            if item in judged and len(of.get(variant, ())) > 1
        ]
        flips = next(judge for judge in team.runs if judge.name == name).flips
        assert flips.value == pytest.approx(np.mean(each), abs=1e-12)
        assert flips.low < flips.value < flips.high
    assert found.beyond.low > 0
