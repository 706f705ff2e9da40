"""Judges, items and people over time: worlds in which it is known which of three changed."""

import csv
import json

import numpy as np
import pyarrow as pa
import pytest
from tests.drift.worlds import world
from typer.testing import CliRunner

import headcount as hc
from headcount.agreement.crowd import Crowd
from headcount.cli.app import app
from headcount.errors import OptionError, UnanswerableError
from headcount.sampling import Bootstrap

QUICK = {"n_bootstrap": 100}


@pytest.mark.parametrize(
    ("kind", "changed"),
    [
        ({}, {"nothing"}),
        ({"judge": 0.3}, {"judge"}),
        ({"harder": 0.6}, {"items or people", "items"}),
        ({"careless": 0.6}, {"items or people", "people"}),
        ({"judge": 0.35, "careless": 0.5}, {"judge and items or people", "judge and people"}),
    ],
    ids=["nothing", "judge", "items", "people", "both"],
)
def test_the_right_one_of_three_is_named(kind, changed):
    found = hc.drift(world(1, items=1200, **kind), **QUICK)["judge"]
    assert found.changed in changed
    if changed == {"nothing"}:
        assert found.since is None
    else:
        assert found.since.low <= 5 <= found.since.high
    assert found.sentence()


def test_a_season_is_no_lasting_change():
    found = hc.drift(world(3, items=1600, season=0.5), **QUICK)["judge"]
    assert found.changed == "judge"
    assert found.since is None
    assert found.apart == ("3",)
    assert [each.period for each in found.periods] == [str(month) for month in range(1, 9)]


def test_shares_by_period_against_brute_force():
    study = world(4, items=160, each=3, labels=3)
    found = hc.drift(study, **QUICK)["judge"]
    crowd = Crowd.of(study, Bootstrap(0))
    counts, answers = crowd.judged.counts, crowd.answers[:, 0]
    month = {str(i): p for i, p in zip(*_periods(study), strict=True)}
    for period in found.periods:
        judge, people = [], []
        for item, row, answer in zip(crowd.judged.items, counts, answers, strict=True):
            if month[str(item)] != period.period:
                continue
            said = [label for label, times in enumerate(row) for _ in range(times)]
            judge.append(np.mean([label == answer for label in said]))
            pairs = [a == b for i, a in enumerate(said) for b in said[i + 1 :]]
            people.append(np.mean(pairs))
        assert period.items == len(judge)
        assert period.agree.value == pytest.approx(np.mean(judge))
        assert period.people_agree.value == pytest.approx(np.mean(people))
        assert period.difference.value == pytest.approx(np.mean(judge) - np.mean(people))
        assert sum(period.answers.values()) == pytest.approx(1)


def _periods(study):
    answers = study.ratings.answers().first()
    names = [answers.time.names[code] for code in answers.time.code]
    return [answers.items[code] for code in answers.item], names


def test_a_single_sheet_and_two_files_tell_the_same(tmp_path):
    study = world(1, items=400, judge=0.4)
    answers = study.ratings.answers()
    judge = dict(
        zip(study.predictions.ids.to_pylist(), study.predictions.table[1].to_pylist(), strict=True)
    )
    sheet, people, machine = (tmp_path / name for name in ("log.csv", "people.csv", "judge.csv"))
    rows = [
        (answers.items[i], answers.raters[r], study.labels.names[label], answers.time.names[t])
        for i, r, label, t in zip(
            answers.item, answers.rater, answers.label, answers.time.code, strict=True
        )
    ]
    head = ("item", "rater", "label", "time")
    for file, lines in (
        (sheet, [(*head, "judge"), *((*row, judge[row[0]]) for row in rows)]),
        (people, [head, *rows]),
        (machine, [("item", "judge"), *judge.items()]),
    ):
        with file.open("w", newline="") as out:
            csv.writer(out).writerows(lines)
    told = []
    for files in ([sheet], [sheet, "--classifiers", "judge"], [people, machine]):
        done = CliRunner().invoke(
            app, ["drift", *map(str, files), "--n-bootstrap", "100", "--format", "json"]
        )
        assert done.exit_code == 0, done.output
        told.append(json.loads(done.stdout)["judges"])
    assert told[0] == told[1] == told[2]
    first = told[0][0]
    assert (first["name"], first["changed"]) == ("judge", "judge")
    assert first["since"]["low"] <= 5 <= first["since"]["high"]
    assert {"period", "agree", "people_agree", "difference", "worth"} <= set(first["periods"][0])


def test_the_judges_own_time_counts_for_the_item():
    items = np.arange(200)
    ratings = pa.table(
        {
            "item": np.repeat(items, 2),
            "rater": np.tile(["ann", "ben"], 200),
            "label": np.repeat(items % 2, 2),
            "date": ["2025-01-15"] * 400,
        }
    )
    told = pa.table(
        {"item": items, "gpt": items % 2, "date": np.where(items < 100, "2025-03-01", "2025-04-01")}
    )
    found = hc.drift(ratings, told, period="month", **QUICK)["gpt"]
    assert [each.period for each in found.periods] == ["2025-03", "2025-04"]
    assert found.changed == "nothing"


def test_what_cannot_be_answered_says_what_to_do():
    made = hc.simulate.make("comments", items=50, seed=1)
    with pytest.raises(UnanswerableError, match="--time"):
        hc.drift(made.ratings, made.predictions)
    with pytest.raises(OptionError, match="classifiers"):
        hc.drift(made.ratings)
    study = world(1, items=40, each=1)
    with pytest.raises(UnanswerableError, match="two people"):
        hc.drift(study, **QUICK)


def test_a_scale_has_a_bias_and_a_chart():
    rng = np.random.default_rng(2)
    item = np.repeat(np.arange(240), 3)
    level = rng.integers(1, 6, size=240)
    ratings = pa.table(
        {
            "item": item,
            "rater": np.tile(["a", "b", "c"], 240),
            "label": np.clip(level[item] + rng.integers(-1, 2, size=720), 1, 5),
            "week": item // 80 + 1,
        }
    )
    told = pa.table({"item": np.arange(240), "gpt": np.clip(level + (np.arange(240) >= 160), 1, 5)})
    found = hc.drift(ratings, told, **QUICK)
    assert [each.bias.value > 0.3 for each in found["gpt"].periods] == [False, False, True]
    assert "bias" in found.tables()[0].columns
    assert found.to_frame("pyarrow").num_rows == 3
    assert found.chart().to_dict()


@pytest.mark.prove
@pytest.mark.parametrize(
    ("kind", "right"),
    [
        ({}, {"nothing"}),
        ({"judges": 5}, {"nothing"}),
        ({"judge": 0.3}, {"judge"}),
        ({"harder": 0.6}, {"items or people", "items"}),
        ({"careless": 0.6}, {"items or people", "people"}),
        ({"judge": 0.35, "careless": 0.5}, {"judge and items or people", "judge and people"}),
        ({"season": 0.5}, {"judge"}),
    ],
    ids=["nothing", "five judges", "judge", "items", "people", "both", "season"],
)
def test_three_hundred_worlds_coverage(kind, right):
    named, inside, points = 0, 0, 0
    for seed in range(300):
        found = hc.drift(world(seed, items=1600, **kind), n_bootstrap=200).judges
        named += all(each.changed in right for each in found)
        for each in found:
            if each.since is not None and right != {"nothing"} and "season" not in kind:
                points += 1
                inside += each.since.low <= 5 <= each.since.high
    print(f"\n{kind}: named rightly {named} of 300, change point inside {inside} of {points}")
    assert named >= (276 if right == {"nothing"} else 270)
    assert points == 0 or inside >= 0.92 * points
