"""`scores`: what it answers on real and simulated data, its ends, and what it refuses."""

import csv
import gzip
import json

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import binom

import headcount as hc
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.scores.calibration import FALLING, FLAT


def table(answers, *, named=True):
    """Ratings (I, R) as a frame, NaN for no rating."""
    item, rater = np.nonzero(~np.isnan(answers))
    columns = {"item": [f"i{i:05d}" for i in item], "label": answers[item, rater].tolist()}
    if named:
        columns["rater"] = [f"r{r}" for r in rater]
    return pa.table(columns)


def judged(**judges):
    n = len(next(iter(judges.values())))
    return pa.table({"item": [f"i{i:05d}" for i in range(n)], **judges})


@pytest.fixture(scope="module")
def world():
    """Three hundred items by four of forty raters, a judge worth three people, a biased one."""
    rng = np.random.default_rng(3)
    score = rng.normal(50, 10, 300)
    answers = np.full((300, 40), np.nan)
    for i in range(300):
        who = rng.choice(40, 4, replace=False)
        answers[i, who] = score[i] + rng.normal(0, 8, 4)
    good = score + rng.normal(0, 8 / np.sqrt(3), 300)
    return answers, judged(good=good, harsh=0.5 * good - 10, flat=np.full(300, 50.0), late=-good)


@pytest.fixture(scope="module")
def found(world):
    answers, predictions = world
    return hc.scores(table(answers), predictions)


def test_worth_of_judges_by_every_reading(found):
    assert found["good"].worth.low <= 3 <= found["good"].worth.high
    assert found["harsh"].worth.value == pytest.approx(found["good"].worth.value, rel=1e-6)
    assert found["harsh"].as_it_stands.state == "below"
    assert set(found["good"].worths) == {"linear", "isotonic", "given"}


def test_a_constant_judge_is_worth_nothing_under_every_reading(found):
    flat = found["flat"]
    assert {each.state for each in flat.worths.values()} == {"below"}
    assert {each.note for each in flat.worths.values()} == {FLAT}
    assert (
        "no better than asking nobody would: it gives every item the same number" in found.verdict()
    )
    late = found["late"]
    assert {each.state for each in late.worths.values()} == {"below"}
    assert late.worth.note == FALLING


def test_bias_limits_and_distances_against_brute_force(world, found):
    answers, predictions = world
    judge = np.array(predictions["harsh"].to_pylist())
    apart = judge[:, None] - answers
    each = np.nanmean(apart, axis=1)
    harsh = found["harsh"]
    assert harsh.bias.value == pytest.approx(each.mean())
    spread = np.sqrt(np.nanmean(apart**2) - each.mean() ** 2)
    assert harsh.limits.low.value == pytest.approx(each.mean() - 1.959964 * spread)
    assert harsh.limits.high.value == pytest.approx(each.mean() + 1.959964 * spread)
    assert harsh.distance.value == pytest.approx(np.nanmean(np.abs(apart)))
    assert harsh.near.value == pytest.approx(
        np.nanmean(np.abs(apart[~np.isnan(apart)]) <= found.tolerance)
    )
    pairs = [
        abs(a - b)
        for row in answers
        for k, a in enumerate(row[~np.isnan(row)])
        for b in row[~np.isnan(row)][:k]
    ]
    assert found.people.distance.value == pytest.approx(np.mean(pairs))
    assert found.people.near.value == pytest.approx(np.mean(np.array(pairs) <= found.tolerance))


def test_bias_by_rater_against_brute_force(world, found):
    answers, predictions = world
    judge = np.array(predictions["good"].to_pylist())
    by_rater = {each.name: each for each in found["good"].by_rater}
    for r in (0, 17, 39):
        apart = (judge - answers[:, r])[~np.isnan(answers[:, r])]
        assert by_rater[f"r{r}"].bias.value == pytest.approx(apart.mean())
        assert by_rater[f"r{r}"].items == len(apart)
        half = by_rater[f"r{r}"].bias.high - apart.mean()
        assert half == pytest.approx(2 * apart.std(ddof=1) / np.sqrt(len(apart)), rel=0.1)


def test_a_perfect_judge_has_no_bias_at_any_level():
    """Sorted by the very mean it is compared with, it would look timid at both ends."""
    rng = np.random.default_rng(5)
    score = rng.normal(0, 1, 4000)
    answers = score[:, None] + rng.normal(0, 1, (4000, 2))
    found = hc.scores(table(answers, named=False), judged(perfect=score))
    levels = found["perfect"].by_level
    assert len(levels) == 5
    for each in levels:
        assert each.bias.low <= 0 <= each.bias.high
    cells = found["perfect"].cells
    np.testing.assert_allclose(cells.mean, cells.level, atol=0.15)


def test_summeval_judges_are_harsh_by_what_a_plain_mean_says(shared_data):
    """The bias of gpt-4o, −0.84, from the files by hand."""
    folder = shared_data("summeval")

    def rows(name):
        with gzip.open(folder / name, "rt", encoding="utf-8", newline="") as stream:
            return list(csv.DictReader(stream))

    people = {}
    for row in rows("ratings.csv.gz"):
        people.setdefault(row["item"], []).append(float(row["label"]))
    judge = {row["item"]: float(row["gpt-4o"]) for row in rows("predictions.csv.gz")}
    apart = [judge[item] - np.mean(said) for item, said in people.items()]
    assert round(float(np.mean(apart)), 2) == -0.84
    ratings = hc.Ratings.read(folder / "ratings.csv.gz", cluster="document", slices="aspect")
    found = hc.scores(ratings, folder / "predictions.csv.gz")
    assert found["gpt-4o"].bias.value == pytest.approx(np.mean(apart))
    assert found["gpt-4o"].bias.high < 0
    assert "It rates 0.84 lower than people" in found.verdict()
    assert {each.of for each in found["gpt-4o"].by_slice} == {"aspect"}
    assert [each.name for each in found["gpt-4o"].by_rater] == ["e0", "e1", "e2"]
    assert found.samples.clusters == 100
    assert "other documents like these" in found.summary()


def test_valence_is_evaluated(shared_data):
    folder = shared_data("valence")
    found = hc.scores(folder / "ratings.csv", folder / "gold.csv")
    gold = found["gold"]
    assert gold.worth.low > 1
    assert found.people.icc_1.value == pytest.approx(0.328, abs=0.001)
    assert found.tolerance == 20
    assert found.raters == 38
    assert abs(gold.bias.value) < 1


def test_thousands_of_different_numbers_are_scores_and_no_labels(world):
    answers, predictions = world
    ratings = hc.Ratings.from_frame(table(answers))
    assert ratings.scale.kind == "numeric"
    assert ratings.n_ratings == 1200
    with pytest.raises(UnanswerableError, match="scores and no labels: ask headcount scores"):
        hc.agreement(ratings)
    assert hc.scores(ratings, predictions)["good"].worth.value == pytest.approx(
        hc.scores(table(answers), predictions)["good"].worth.value
    )


def test_wide_counts_and_long_tables_of_the_same_numbers_agree():
    rng = np.random.default_rng(7)
    score = rng.integers(1, 6, 80)
    answers = np.clip(score[:, None] + rng.integers(-1, 2, (80, 3)), 1, 5)
    predictions = judged(judge=np.clip(score + rng.integers(-1, 2, 80), 1, 5))
    items = [f"i{i:05d}" for i in range(80)]
    long = table(answers.astype(float), named=False)
    wide = pa.table({"item": items} | {f"r{r}": answers[:, r] for r in range(3)})
    counts = pa.table({"item": items} | {str(v): (answers == v).sum(axis=1) for v in range(1, 6)})
    results = [
        hc.scores(hc.Ratings.from_frame(long), predictions),
        hc.scores(hc.Ratings.from_wide(wide), predictions, two_way=False),
        hc.scores(hc.Ratings.from_counts(counts, scale="numeric"), predictions),
    ]
    first = results[0]["judge"]
    for each in results[1:]:
        assert each["judge"].bias == first.bias
        assert each["judge"].near.value == pytest.approx(first.near.value)
    # Named raters count for what they share.
    assert results[2]["judge"].worth == first.worth
    assert results[1].people.icc_a1 is not None
    assert results[2].people.icc_a1 is None


def test_a_distribution_over_levels_counts_by_its_mean():
    rng = np.random.default_rng(8)
    answers = rng.integers(1, 4, (60, 3)).astype(float)
    share = rng.dirichlet([1, 1, 1], 60)
    soft = {"item": [f"i{i:05d}" for i in range(60)]}
    soft |= {f"judge:{k + 1}": share[:, k] for k in range(3)}
    hard = judged(judge=share @ np.arange(1, 4))
    one = hc.scores(table(answers), pa.table(soft))["judge"]
    assert one.bias.value == pytest.approx(hc.scores(table(answers), hard)["judge"].bias.value)


def test_ranked_names_count_by_their_places():
    answers = pa.table(
        {
            "item": ["a", "a", "b", "b", "c", "c"],
            "label": ["low", "mid", "mid", "high", "high", "high"],
        }
    )
    ratings = hc.Ratings.from_frame(answers, order=["low", "mid", "high"])
    found = hc.scores(ratings, pa.table({"item": ["a", "b", "c"], "judge": ["mid", "mid", "high"]}))
    assert found.people.mean.value == pytest.approx((1.5 + 2.5 + 3) / 3)
    assert found["judge"].bias.value == pytest.approx((0.5 - 0.5 + 0) / 3)


def test_missing_numbers_are_no_ratings():
    rng = np.random.default_rng(9)
    values = rng.normal(0, 1, 3000).round(4)
    values[::50] = 999
    frame = pa.table({"item": np.repeat(np.arange(1500), 2), "label": values})
    ratings = hc.Ratings.from_frame(frame, missing=["999"])
    assert ratings.n_ratings == 3000 - 60
    assert hc.scores(ratings).most < 10


def test_judges_that_saw_the_ratings_are_pointed_out():
    rng = np.random.default_rng(10)
    answers = rng.normal(0, 1, (300, 1)) + rng.normal(0, 1, (300, 2))
    found = hc.scores(table(answers, named=False), judged(seen=answers.mean(axis=1)))
    assert found["seen"].shares_errors
    assert found["seen"].error.value is None
    assert "had not seen their ratings" in " ".join(found.unchecked())


def test_people_alone():
    rng = np.random.default_rng(11)
    answers = rng.normal(0, 1, (200, 1)) + rng.normal(0, 1, (200, 3))
    found = hc.scores(table(answers))
    assert found.classifiers == ()
    assert found.people.icc_a1.low <= 0.5 <= found.people.icc_a1.high
    assert "ICC" in found.verdict()
    assert [each.id for each in found.tables()] == ["people"]


def test_another_confidence_widens_every_interval(found):
    wide = found.with_confidence(0.999)
    assert wide.confidence == 0.999
    for name in found.names:
        for one, other in (
            (found[name].bias, wide[name].bias),
            (found[name].error, wide[name].error),
        ):
            assert other.low < one.low
            assert other.high > one.high
    assert wide["good"].worth.low < found["good"].worth.low
    assert wide.people.icc_1.low < found.people.icc_1.low


def test_json_has_no_gaps(found):
    told = json.loads(json.dumps(found.to_dict()))
    assert told["about"] == "other items like these, judged by other people like these"
    assert told["classifiers"][0]["worths"]["given"]["state"] in ("within", "below")
    assert "cells" not in told["classifiers"][0]
    assert found.to_frame("pandas").set_index("name").loc["harsh", "bias"] < 0


def test_what_cannot_be_answered_says_so(world):
    answers, predictions = world
    once = answers.copy()
    for row in once:
        row[np.flatnonzero(~np.isnan(row))[1:]] = np.nan
    with pytest.raises(UnanswerableError, match="two ratings each"):
        hc.scores(table(once), predictions)
    with pytest.raises(UnanswerableError, match="no numbers: give their order"):
        hc.scores(pa.table({"item": [1, 1, 2, 2], "label": ["x", "y", "x", "x"]}))
    words = pa.table({"item": ["i00000", "i00001"], "judge": ["12", "none of it"]})
    with pytest.raises(InputError, match="no number, such as 'none of"):
        hc.scores(table(answers), words)
    two = pa.table({"item": ["i00000", "i00001", "i00002"], "judge": ["12", "none of it", "9"]})
    assert hc.scores(table(answers), two, unknown="drop").items == 2
    with pytest.raises(OptionError, match="tolerance is a distance"):
        hc.scores(table(answers), tolerance=-1)
    with pytest.raises(OptionError, match="calibration is"):
        hc.scores(table(answers), calibration="bent")
    with pytest.raises(OptionError, match="do not name their raters"):
        hc.scores(table(answers, named=False), two_way=True)


def test_people_who_never_differ_leave_no_worth():
    answers = np.repeat(np.arange(20.0)[:, None], 2, axis=1)
    found = hc.scores(table(answers, named=False), judged(judge=np.arange(20.0) + 0.5))
    assert found["judge"].worth.value is None
    assert "never differ" in found["judge"].worth.note
    assert found["judge"].error.value == pytest.approx(0.5)
    json.dumps(found.to_dict())
    found.summary()


def test_items_that_do_not_differ_leave_no_worth():
    rng = np.random.default_rng(12)
    answers = np.array([[1.0, 2.0], [2.0, 1.0]] * 10)
    found = hc.scores(table(answers, named=False), judged(judge=rng.normal(1.5, 0.1, 20)))
    assert (
        "do not differ" in (found["judge"].worth.note or "")
        or found["judge"].worth.state == "below"
    )
    assert found.people.between.value is None
    json.dumps(found.to_dict())
    found.summary()


def test_two_judges_compared_are_paired_against_brute_force(world, found):
    answers, predictions = world
    said = found.compare("good", "harsh")
    same = hc.scores(table(answers), predictions, calibration="given").compare("good", "harsh")
    people = np.nanmean(answers, axis=1)
    good, harsh = (np.array(predictions[name].to_pylist()) for name in ("good", "harsh"))
    apart = (good - people) ** 2 - (harsh - people) ** 2
    assert same.error.value == pytest.approx(apart.mean())
    assert same.error.high < 0
    assert same.p_value < 1e-6
    assert same.worth.value is None
    assert "open end" in same.worth.note
    # Calibrated, one is the other on another scale.
    assert said.error.value == pytest.approx(0, abs=1e-6)
    assert said.worth.value == pytest.approx(0, abs=1e-6)


def test_the_difference_of_worths_small_coverage():
    """Judges worth two and four people: minus two."""
    hits = 0
    for run in range(40):
        rng = np.random.default_rng([13, run])
        score = rng.normal(0, 1, 600)
        answers = score[:, None] + rng.normal(0, 1, (600, 4))
        two, four = (score + rng.normal(0, 1 / np.sqrt(k), 600) for k in (2, 4))
        made = hc.scores(table(answers, named=False), judged(two=two, four=four))
        worth = made.compare("two", "four").worth
        hits += worth.value is None or worth.low <= -2 <= worth.high
    assert binom.cdf(hits, 40, 0.95) > 0.01


def test_an_error_that_hangs_on_few_items_is_said_to():
    rng = np.random.default_rng(3)
    score, item = rng.normal(0, 1, 300), np.repeat(np.arange(300), 3)
    ratings = pa.table({"item": item.astype(str), "label": score[item] + rng.normal(0, 0.5, 900)})
    off = {"even": rng.normal(0, 0.5, 300), "wild": 0.1 * np.exp(1.8 * rng.normal(size=300))}
    judges = pa.table(
        {"item": np.arange(300).astype(str)} | {name: score + each for name, each in off.items()}
    )
    found = hc.scores(ratings, judges)
    squares = np.sort((off["wild"] + score - _item_means(ratings, 300)) ** 2)
    assert found["wild"].far_items == pytest.approx(squares[-3:].sum() / squares.sum())
    assert found["even"].far_items < 0.15
    said = [each for each in found.unchecked() if "One item in a hundred" in each]
    assert len(said) == 1
    assert "wild" in said[0]


def _item_means(ratings, items):
    place = ratings["item"].to_numpy(zero_copy_only=False).astype(int)
    return np.bincount(place, ratings["label"].to_numpy(), items) / np.bincount(place)
