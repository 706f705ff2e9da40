"""The true rate through its public function: labels, scores, slices, strata, and what it says."""

import json

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binom

import headcount as hc
from headcount.charts import save
from headcount.errors import OptionError, UnanswerableError


def draw(seed, *, items=10_000, rated=300, prevalence=0.2, judge=0.8, raters=0):
    """Items judged by a machine of this accuracy, some of them rated by three people each, who
    call 85 % of positives and 5 % of negatives X; the judge, the people and the true rate.
    """
    rng = np.random.default_rng([seed, 17])
    truth = rng.random(items) < prevalence
    answer = np.where(rng.random(items) < judge, truth, ~truth)
    chosen = rng.choice(items, size=rated, replace=False)
    chance = np.where(truth, 0.85, 0.05)
    said = rng.random((rated, 3)) < chance[chosen][:, None]
    people = {"item": np.repeat(chosen, 3), "label": np.where(said, "bad", "good").ravel()}
    if raters:
        who = np.argsort(rng.random((rated, raters)), axis=1)[:, :3]
        people["rater"] = np.char.add("r", who.ravel().astype(str))
    machine = {"item": np.arange(items), "judge": np.where(answer, "bad", "good")}
    rate = prevalence * 0.85 + (1 - prevalence) * 0.05
    return pa.table(people), pa.table(machine), rate


@pytest.fixture(scope="module")
def found():
    people, machine, _ = draw(0, judge=0.95, raters=12)
    return hc.true_rate(people, machine, of="bad")


@pytest.mark.parametrize(("prevalence", "judge"), [(0.05, 0.6), (0.2, 0.95), (0.5, 0.8)])
def test_rate_coverage(prevalence, judge):
    runs, hits = 40, 0
    for seed in range(runs):
        people, machine, rate = draw(seed, prevalence=prevalence, judge=judge)
        got = hc.true_rate(people, machine, of="bad")["judge"]
        hits += got.rate.low <= rate <= got.rate.high
        wide, alone = got.rate.high - got.rate.low, got.people.high - got.people.low
        assert wide <= 1.03 * alone
    assert binom.cdf(hits, runs, 0.95) > 0.01, hits


@pytest.mark.prove
@pytest.mark.parametrize("prevalence", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("judge", [0.6, 0.8, 0.95])
def test_rate_coverage_in_full(prevalence, judge):
    runs, hits = 500, 0
    for seed in range(runs):
        people, machine, rate = draw(seed, prevalence=prevalence, judge=judge)
        got = hc.true_rate(people, machine, of="bad")["judge"].rate
        hits += got.low <= rate <= got.high
    print(f"\nprevalence {prevalence}, judge {judge}: {hits / runs:.3f}")
    assert binom.cdf(hits, runs, 0.95) > 0.01


def test_the_verdict_and_the_numbers(found):
    judge = found["judge"]
    assert judge.rate.low < judge.rate.value < judge.rate.high
    assert judge.rated == 300
    assert judge.items == 10_000
    assert found.verdict().startswith(
        f"People would call {100 * judge.rate.value:.1f} % of items 'bad'"
    )
    assert "judge judged 10,000 items, people rated 300 of them." in found.verdict()
    assert judge.rogan_gladen.low < judge.rate.value < judge.rogan_gladen.high
    assert judge.rater_share is not None
    assert f"{judge.items_needed:,} rated items would give ±2.0 %" in found.summary()
    assert [table.id for table in found.tables()] == ["rates"]
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert set(told["classifiers"][0]["rate"]) == {"value", "low", "high"}
    assert found.to_frame()["rate"].to_pylist() == [judge.rate.value]
    wide = found.with_confidence(0.5)["judge"].rate
    assert wide.high - wide.low < judge.rate.high - judge.rate.low


def test_as_many_items_as_said_give_the_wished_width():
    people, machine, _ = draw(2, judge=0.9)
    needed = hc.true_rate(people, machine, of="bad", half_width=0.03)["judge"].items_needed
    people, machine, _ = draw(3, judge=0.9, rated=needed)
    rate = hc.true_rate(people, machine, of="bad")["judge"].rate
    assert (rate.high - rate.low) / 2 == pytest.approx(0.03, rel=0.2)


def test_a_constant_judge_does_no_harm():
    people, machine, _ = draw(1)
    constant = machine.set_column(1, "judge", pa.array(["good"] * len(machine)))
    got = hc.true_rate(people, constant, of="bad")["judge"]
    assert got.rate == got.people
    assert got.rogan_gladen.value is None
    assert "does not help" in hc.true_rate(people, constant, of="bad").summary()


def test_people_who_agree_and_a_good_judge_are_twice_as_precise():
    rng = np.random.default_rng(5)
    truth = rng.random(10_000) < 0.4
    judge = np.where(rng.random(10_000) < 0.97, truth, ~truth)
    said = np.where(rng.random((300, 3)) < 0.98, truth[:300, None], ~truth[:300, None])
    people = pa.table({"item": np.repeat(np.arange(300), 3), "label": said.ravel().astype(int)})
    machine = pa.table({"item": np.arange(10_000), "judge": judge.astype(int)})
    got = hc.true_rate(people, machine, of="1")["judge"]
    assert got.people.high - got.people.low > 2 * (got.rate.high - got.rate.low)


def test_slices_and_the_judge_by_probability():
    people, machine, _ = draw(6, judge=0.95)
    part = {item: "even" if item % 2 == 0 else "odd" for item in range(10_000)}
    soft = machine.append_column(
        "soft:bad", pa.array([0.9 if a == "bad" else 0.1 for a in machine["judge"].to_pylist()])
    )
    found = hc.true_rate(people, soft, of="bad", slices=part)
    assert [each.name for each in found.classifiers] == ["judge", "soft"]
    hard, graded = found["judge"], found["soft"]
    assert hard.rate.value == pytest.approx(graded.rate.value, abs=1e-9)
    assert hard.rogan_gladen == graded.rogan_gladen
    assert [(each.part, each.items) for each in hard.slices] == [("even", 5000), ("odd", 5000)]
    assert sum(each.rated for each in hard.slices) == 300
    assert found.table("slices").rows


def test_slices_that_the_ratings_were_read_with():
    people, machine, _ = draw(7, items=500, rated=200)
    topic = [["art", "law"][item % 2] for item in people["item"].to_pylist()]
    ratings = hc.Ratings.from_frame(people.append_column("topic", pa.array(topic)), slices="topic")
    found = hc.true_rate(ratings, machine, of="bad")
    assert {each.part for each in found["judge"].slices} == {"art", "law"}
    named = hc.true_rate(ratings, machine, of="bad", slices="topic")
    assert named["judge"].slices == found["judge"].slices


def test_strata_count_by_their_shares_of_all_items():
    """Half of the ratings go to the tenth of items that the judge calls bad."""
    rng = np.random.default_rng(8)
    judge = rng.random(5000) < 0.1
    chance = np.where(judge, 0.8, 0.02)
    rows = np.concatenate(
        [rng.choice(np.flatnonzero(judge == side), 150, False) for side in (0, 1)]
    )
    said = rng.random((300, 3)) < chance[rows][:, None]
    people = pa.table({"item": np.repeat(rows, 3), "label": said.ravel().astype(int)})
    machine = pa.table({"item": np.arange(5000), "judge": judge.astype(int)})
    strata = {str(i): str(judge[i]) for i in range(5000)}
    got = hc.true_rate(people, machine, of="1", strata=strata)
    assert got["judge"].rate.low < chance.mean() < got["judge"].rate.high
    assert got.stratified
    bare = hc.true_rate(people, machine, of="1")
    assert bare["judge"].random_p_value < 0.01
    assert bare.assumptions()[0].startswith("Fails: rated items must be a random sample")


def test_scores_have_a_mean():
    rng = np.random.default_rng(9)
    true = rng.normal(3, 0.8, size=4000)
    judge = np.round(np.clip(true + rng.normal(0, 0.4, 4000), 1, 5), 2)
    chosen = rng.choice(4000, 300, replace=False)
    said = np.clip(np.round(true[chosen][:, None] + rng.normal(0, 0.7, (300, 3))), 1, 5).astype(int)
    people = pa.table({"item": np.repeat(chosen, 3), "score": said.ravel()})
    machine = pa.table({"item": np.arange(4000), "judge": judge})
    found = hc.true_rate(people, machine, half_width=0.03)
    got = found["judge"]
    assert found.of is None
    assert got.rate.low < 3 < got.rate.high
    assert got.rate.high - got.rate.low < got.people.high - got.people.low
    assert got.rogan_gladen.value is None
    assert "on average" in found.verdict()
    assert got.items_needed > 300
    share = hc.true_rate(people, machine, of="5")
    assert share.of == "5"
    assert share["judge"].rate.high < 0.2


def test_it_is_drawn(found, tmp_path):
    assert save(found.chart(), tmp_path / "rate.svg").read_text(encoding="utf-8").startswith("<svg")
    people, machine, _ = draw(6, items=1000)
    sliced = hc.true_rate(people, machine, of="bad", slices={i: str(i % 3) for i in range(1000)})
    assert len(sliced.chart().to_dict()["vconcat"]) == 2


def test_what_cannot_be_answered():
    people, machine, _ = draw(0, items=400, rated=50)
    with pytest.raises(UnanswerableError, match="needs a judge's answer on all items"):
        hc.true_rate(people)
    with pytest.raises(OptionError, match="of='ugly' is not one of the labels"):
        hc.true_rate(people, machine, of="ugly")
    with pytest.raises(OptionError, match="half_width is a number above 0"):
        hc.true_rate(people, machine, half_width=0)
    other = machine.set_column(0, "item", pa.array([f"x{i}" for i in range(400)]))
    with pytest.raises(UnanswerableError, match="Only 0 items are rated by people and judged by"):
        hc.true_rate(people, other, of="bad")
    rated = set(people["item"].to_pylist())
    strata = {i: "a" if i in rated else "b" for i in range(400)}
    with pytest.raises(UnanswerableError, match="No item of the stratum 'b' is rated"):
        hc.true_rate(people, machine, strata=strata)
