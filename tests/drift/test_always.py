"""The alarm that may be looked at after every batch, and the gate that asks it."""

import csv

import numpy as np
import pytest
from tests.drift.worlds import world
from typer.testing import CliRunner

from headcount.cli.app import app
from headcount.drift.always import watch_judge, watch_mean


def test_wealth_against_brute_force():
    rng = np.random.default_rng(1)
    values, batch = rng.random(120), np.arange(120) // 20
    found = watch_mean(values, batch, batch < 2)
    assert found is not None
    bets = np.geomspace(0.02, 0.95, 12) / (1 - found.reference)
    batches = [values[batch == b] for b in range(2, 6)]
    for n in range(4):
        total = 1 / (n + 2)
        for start in range(n + 1):
            since = np.concatenate(batches[start : n + 1])
            made = [np.prod(1 + bet * (found.reference - since)) for bet in bets]
            total += np.mean(made) / ((start + 1) * (start + 2))
        assert found.log_wealth[n + 2] == pytest.approx(np.log(total))


def log(seed, fall=0.0, harder=0.0, items=2000, batch=40):
    """JP and PP of items with three labels each, in batches, by order of time."""
    rng = np.random.default_rng(seed)
    later = np.arange(items) >= items // 2
    right = rng.random(items) < 0.92 - fall * later
    contested = rng.random(items) < 0.1 + harder * later
    truth = rng.random((items, 3)) < np.where(contested, 0.5, 0.9)[:, None]
    judge = np.where(contested, rng.random(items) < 0.5, right)
    agree = np.where(judge, truth.mean(axis=1), 1 - truth.mean(axis=1))
    k = truth.sum(axis=1)
    pairs = (k * (k - 1) + (3 - k) * (2 - k)) / 6
    return agree, pairs, np.arange(items) // batch


@pytest.mark.parametrize("world", [{}, {"harder": 0.4}], ids=["nothing", "items harder"])
def test_fifty_looks_give_few_false_alarms_coverage(world):
    fired = sum(watch_judge(*log(seed, **world), 1.3)[0] is False for seed in range(100))
    assert fired <= 10  # 5 at most are expected; more than 10 in one of a hundred runs


def test_a_judge_who_falls_is_noticed():
    found = [watch_judge(*log(seed, fall=0.25), 1.3) for seed in range(20)]
    assert all(steady is False for steady, _ in found)
    assert all(25 <= batch < 50 for _, batch in found)


@pytest.mark.parametrize(("fall", "code"), [(0.0, 0), (0.5, 3)])
def test_the_gate_ends_with_three_and_says_since_when(tmp_path, fall, code):
    study = world(5, items=600, judge=fall)
    answers, told = study.ratings.answers(), study.predictions
    judge = dict(zip(told.ids.to_pylist(), told.table[1].to_pylist(), strict=True))
    file = tmp_path / "log.csv"
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["item", "rater", "label", "month", "judge"])
        for i, r, label, t in zip(
            answers.item, answers.rater, answers.label, answers.time.code, strict=True
        ):
            item = answers.items[i]
            writer.writerow([item, answers.raters[r], label, answers.time.names[t], judge[item]])
    ask = ["drift", str(file), "--n-bootstrap", "50", "--require", "judge:steady"]
    done = CliRunner().invoke(app, ask)
    assert done.exit_code == code, done.output
    if code:
        assert "since 5" in done.stderr
    assert CliRunner().invoke(app, [*ask[:-1], "judge:calm"]).exit_code == 1
    assert CliRunner().invoke(app, [*ask[:-1], "gpt:steady"]).exit_code == 1
