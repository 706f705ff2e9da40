"""Differences, replacing a person, groups and slices: what evaluate says of people."""

import json
import os
from itertools import combinations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.errors import OptionError, UnanswerableError
from headcount.evaluation.baseline import since
from headcount.results import Estimate, Requirement

DATA = Path(os.environ.get("HEADCOUNT_DATA", Path(__file__).parents[3] / "shared" / "data"))
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the data sets are not here")
FEW = 60


def _world(seed=0, n=240, m=6, spread=0.1):
    """Two labels, m raters with accuracies of their own, two classifiers, groups and slices."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    right = np.clip(rng.normal(0.8, spread, m), 0.55, 0.97)
    said = np.where(rng.random((n, m)) < right, truth[:, None], 1 - truth[:, None])
    topic = rng.integers(0, 3, n)
    good = np.where(rng.random(n) < np.where(topic == 2, 0.6, 0.9), truth, 1 - truth)
    poor = np.where(rng.random(n) < 0.7, truth, 1 - truth)
    item, rater = (codes.ravel() for codes in np.indices((n, m)))
    labels = np.array(["no", "yes"])
    ratings = pa.table(
        {
            "item": [f"i{i:03d}" for i in item],
            "rater": [f"r{r}" for r in rater],
            "label": labels[said.ravel()].tolist(),
            "camp": ["left" if r % 2 else "right" for r in rater],
            "topic": [f"t{topic[i]}" for i in item],
            "source": ["web" if i % 2 else "print" for i in item],
            "document": [f"d{i // 4}" for i in item],
            "body": [f"text of {i}" for i in item],
        }
    )
    predictions = pa.table(
        {
            "item": [f"i{i:03d}" for i in range(n)],
            "good": labels[good].tolist(),
            "poor": labels[poor].tolist(),
        }
    )
    return ratings, predictions, said, good, poor, topic


@pytest.fixture(scope="module")
def world():
    return _world()


@pytest.fixture(scope="module")
def found(world):
    ratings = hc.Ratings.from_frame(
        world[0], groups="camp", slices=["topic", "source"], cluster="document", text="body"
    )
    return hc.evaluate(ratings, world[1], n_bootstrap=FEW)


def test_sentences_and_json_say_what_was_counted(found):
    about = "other documents like these, judged by other people like these"
    assert found.samples.sentence() == about
    assert found.to_dict()["about"] == about
    assert about in found.tables()[0].caption
    assert found.equivalence.to_dict()["about"] == about
    json.dumps(found.to_dict(), allow_nan=False)


def test_differences_are_paired_against_brute_force(world, found):
    _, _, said, good, poor, _ = world
    agree = [(said == each[:, None]).mean() for each in (good, poor)]
    pair = found.compare("good", "poor")
    assert pair.agree.value == pytest.approx(agree[0] - agree[1], abs=1e-12)
    assert pair.agree.low <= pair.agree.value <= pair.agree.high
    back = found.compare("poor", "good")
    assert (back.agree.low, back.agree.high) == (-pair.agree.high, -pair.agree.low)
    assert pair.worth.value == pytest.approx(
        found["good"].worth.value - found["poor"].worth.value, abs=1e-12
    )
    assert pair.score.value > 0
    without = [
        (np.delete(said, j, axis=1) == good[:, None]).mean()
        - (np.delete(said, j, axis=1) == poor[:, None]).mean()
        for j in range(said.shape[1])
    ]
    np.testing.assert_allclose(pair.measured["agree"].without, without, atol=1e-12)
    with pytest.raises(OptionError):
        found.compare("good", "nobody")


def test_not_worse_is_shown_where_the_interval_lies_above(found):
    pair = found.compare("poor", "good")
    assert pair.not_worse(0.9).shown is True
    assert pair.not_worse(0.0).shown is False
    edge = -pair.agree.low
    assert pair.not_worse(edge + 1e-6).shown is True
    assert pair.not_worse(edge - 1e-6).shown is False
    assert "not shown" in pair.not_worse(0.0).sentence("poor", "good", "share who agree")


def test_a_requirement_may_name_another_classifier(found):
    def unmet(text):
        return Requirement.parse(text).unmet(found.estimates(), found.difference)

    assert unmet("good:agree>=poor-2%") == ()
    assert "not shown to be at most 1 point worse than good" in unmet("poor:agree>=good-1%")[0]
    assert unmet("poor:agree estimate>=good-90%") == ()
    assert unmet("poor:agree<=good+2%") == ()
    with pytest.raises(OptionError, match="names no classifier"):
        unmet("good:agree>=nobody-1%")


def test_changes_since_a_baseline_are_paired_where_the_items_are_the_same(found):
    """The old "good" is today's "poor": the change is the paired difference of the two."""
    then = json.loads(json.dumps(found.to_dict()))
    same = since(found, then)["good"]["agree"]
    assert (same.value, same.low, same.high) == (0, 0, 0)
    assert "paired" in same.note
    answers, earlier = then["decided"]["answers"], then["classifiers"]
    answers["good"] = answers["poor"]
    earlier[0]["agree"] = earlier[1]["agree"]
    changed = since(found, then)["good"]
    pair = found.compare("good", "poor").agree
    np.testing.assert_allclose([*changed["agree"]][:1], [pair.value], atol=1e-12)
    np.testing.assert_allclose([*changed["agree"]][1:], [pair.low, pair.high], atol=0.02)
    assert "independent" in changed["worth"].note


def test_changes_since_a_baseline_are_paired_by_labels_as_given_where_people_slip():
    made = hc.simulate.make("comments", seed=3, items=80)
    found = hc.evaluate(made.ratings, made.predictions, n_bootstrap=20)
    assert found.scores.flips.method == "retest"
    for numbers in since(found, json.loads(json.dumps(found.to_dict()))).values():
        assert (numbers["agree"].value, numbers["agree"].low, numbers["agree"].high) == (0, 0, 0)
        assert "as they were given" in numbers["agree"].note
        assert "independent" in numbers["worth"].note


def test_changes_since_a_baseline_of_other_data_are_independent_and_say_so(found):
    then = json.loads(json.dumps(found.to_dict()))
    then["decided"]["digest"] = "another"
    apart = since(found, then)["good"]["agree"]
    width = found["good"].agree.high - found["good"].agree.low
    assert apart.high - apart.low == pytest.approx(width * 2**0.5, rel=0.02)
    assert "other items or ratings" in apart.note
    old = since(found, {"classifiers": [{"name": "old"}]})
    assert old["good"]["agree"].note == "no classifier of this name was in the baseline"
    broken = json.loads(json.dumps(found.to_dict()))
    broken["decided"]["answers"]["good"] = "AAA="
    assert "independent" in since(found, broken)["good"]["agree"].note


def test_twenty_alike_classifiers_claim_no_difference():
    """None is better; at most one data set in twenty may claim a difference (a small version)."""
    rng = np.random.default_rng(5)
    claims = 0
    for run in range(4):
        ratings, _, said, *_ = _world(seed=run, n=150, m=5)
        truth = said.mean(axis=1) > 0.5
        names = [f"c{j:02d}" for j in range(20)]
        answers = {
            name: np.where(rng.random(150) < 0.75, truth, ~truth).astype(int) for name in names
        }
        columns = {name: np.array(["no", "yes"])[each].tolist() for name, each in answers.items()}
        items = pa.table({"item": [f"i{i:03d}" for i in range(150)], **columns})
        plan = hc.Study(hc.Ratings.from_frame(ratings), hc.Predictions.from_frame(items))
        from headcount.agreement.crowd import Crowd
        from headcount.evaluation.differences import differences_of
        from headcount.evaluation.part import Unavailable
        from headcount.sampling import Bootstrap

        crowd = Crowd.of(plan, Bootstrap(200, seed=run))
        pairs = differences_of(
            crowd, crowd.agreeing["agree"], Unavailable("not asked for"), 0.95
        ).pairs
        assert len(pairs) == 190
        claims += any(each.claimed for each in pairs)
    assert claims <= 1


def test_replacement_against_brute_force(world, found):
    _, _, said, good, _, _ = world
    test = found.replacement["good"]
    m = said.shape[1]
    judge = (said == good[:, None]).mean()
    people = np.mean([(said[:, a] == said[:, b]).mean() for a, b in combinations(range(m), 2)])
    assert test.judge.value == pytest.approx(judge, abs=1e-12)
    assert test.people.value == pytest.approx(people, abs=1e-12)
    assert test.difference.value == pytest.approx(judge - people, abs=1e-12)
    wins = []
    for j in range(m):
        others = np.delete(said, j, axis=1)
        ours, theirs = ((others == each[:, None]).sum(axis=1) for each in (good, said[:, j]))
        wins.append((ours >= theirs).mean())
    assert test.rho == pytest.approx(np.mean(wins), abs=1e-12)
    raters = [
        np.mean([(said[:, j] == said[:, k]).mean() for k in range(m) if k != j]) for j in range(m)
    ]
    assert test.better_than == sum(each < judge for each in raters)
    assert test.worth == found["good"].worth


def test_a_judge_that_passes_while_worth_little_is_explained():
    """Nine in ten items are plain to everyone, so draws carry a judge that guesses the rest."""
    rng = np.random.default_rng(3)
    n, m = 400, 4
    plain = rng.random(n) < 0.9
    truth = rng.integers(0, 2, n)
    said = np.where(
        plain[:, None] | (rng.random((n, m)) < 0.97), truth[:, None], 1 - truth[:, None]
    )
    judge = np.where(plain, truth, 1 - truth)
    item, rater = (codes.ravel() for codes in np.indices((n, m)))
    words = np.array(["no", "yes"])
    ratings = pa.table(
        {"item": item, "rater": [f"r{r}" for r in rater], "label": words[said.ravel()].tolist()}
    )
    made = pa.table({"item": range(n), "judge": words[judge].tolist()})
    found = hc.replacement_test(ratings, made, n_bootstrap=FEW)
    test = found["judge"]
    assert test.passed
    assert test.difference.high < 0
    assert any("draws count for both sides" in said for said in test.sentences())


def test_replacement_needs_names():
    ratings = hc.Ratings.from_counts([[2, 1], [0, 3]] * 20, labels=["no", "yes"])
    said = pa.table({"item": range(40), "model": ["no", "yes"] * 20})
    with pytest.raises(UnanswerableError, match="raters with names"):
        hc.replacement_test(ratings, said)
    assert hc.evaluate(ratings, said, n_bootstrap=20).replacement.to_dict()["unavailable"]


@needs_data
def test_the_test_equals_its_authors_on_summeval_against_paper():
    ratings = hc.Ratings.read(DATA / "summeval" / "ratings.csv.gz", item="item", cluster="document")
    found = hc.replacement_test(ratings, DATA / "summeval" / "predictions.csv.gz", n_bootstrap=20)
    assert found.closeness == "rmse"
    published = {
        "gemini_flash": 0.46,
        "gemini_pro": 0.44,
        "gpt-4o": 0.48,
        "llama-31": 0.58,
        "gpt-4o-mini": 0.54,
        "mistral-v03": 0.62,
    }
    for name, rho in published.items():
        assert found[name].omega == 0
        assert round(found[name].rho, 2) == rho


@needs_data
def test_worth_by_document_is_wider_than_by_item_on_summeval():
    predictions = hc.Predictions.read(DATA / "summeval" / "predictions.csv.gz")
    by_item, by_document = (
        hc.survey_equivalence(
            hc.Ratings.read(DATA / "summeval" / "ratings.csv.gz", item="item", cluster=cluster),
            predictions,
            two_way=False,
            n_bootstrap=300,
            combiner="abc",
        )
        for cluster in (None, "document")
    )
    ratios = [
        (d.worth.high - d.worth.low) / (i.worth.high - i.worth.low)
        for i, d in zip(by_item.classifiers, by_document.classifiers, strict=True)
    ]
    assert np.mean(ratios) > 1.1
    assert (
        by_document.curve.asked.about == "other documents like these, judged by people like these"
    )


def test_groups_against_brute_force(world, found):
    _, _, said, good, _, _ = world
    left, right = said[:, 1::2], said[:, 0::2]
    by_camp = {each.group: each for each in found.groups.shares if each.name == "good"}
    for group, own in (("left", left), ("right", right)):
        assert by_camp[group].agree.value == pytest.approx((own == good[:, None]).mean(), abs=1e-12)
        assert by_camp[group].raters == 3
        assert by_camp[group].worth.known
    gap = next(each for each in found.groups.differences if each.name == "good")
    expected = (left == good[:, None]).mean() - (right == good[:, None]).mean()
    assert (gap.first, gap.second) == ("left", "right")
    assert gap.difference.value == pytest.approx(expected, abs=1e-12)
    pairs = {(each.group, each.other): each.agreement.value for each in found.groups.pairs}
    across = np.mean([(left[:, a] == right[:, b]).mean() for a in range(3) for b in range(3)])
    assert pairs["left", "right"] == pytest.approx(across, abs=1e-12)


@needs_data
@pytest.mark.parametrize("by", ["gender", "age"])
def test_groups_on_offensiveness_against_independent_computation(by):
    """The differences in the share within one step of a made-up classifier, by plain loops."""
    import pandas as pd

    file = DATA / "offensiveness" / "ratings.csv.gz"
    table = pd.read_csv(file, dtype=str, keep_default_na=False)
    items = sorted(table["item"].unique())
    answer = {item: str(1 + i % 3) for i, item in enumerate(items)}
    made = pa.table({"item": items, "model": [answer[item] for item in items]})
    ratings = hc.Ratings.read(file, item="item", rater="rater", label="label", groups=by)
    found = hc.evaluate(ratings, made, n_bootstrap=20, scorer="agreement").groups
    table["same"] = [
        abs(int(a) - int(answer[i])) <= 1
        for a, i in zip(table["label"], table["item"], strict=True)
    ]
    first = table.drop_duplicates(["item", "rater"])
    shares = first.groupby(["item", by])["same"].mean().unstack()
    checked = 0
    for each in found.differences:
        one, other = (shares[group or ""] for group in (each.first, each.second))
        expected = (one - other).dropna()
        if len(expected):
            assert each.difference.value == pytest.approx(expected.mean(), abs=1e-9)
            checked += 1
    assert checked


def test_slices_against_brute_force(world, found):
    _, _, said, good, _, topic = world
    agree = (said == good[:, None]).mean(axis=1)
    own = {each.slice: each for each in found.slices.of("good") if each.by == "topic"}
    for t in range(3):
        here = topic == t
        assert own[f"t{t}"].agree.value == pytest.approx(agree[here].mean(), abs=1e-12)
        lead = agree[here].mean() - agree[~here].mean()
        assert own[f"t{t}"].lead.value == pytest.approx(lead, abs=1e-12)
        assert own[f"t{t}"].items == here.sum()
    assert found.slices.of("good")[0].slice.startswith("t2")  # where it was made worse
    assert own["t2"].lead.high < 0
    worths = {name: each.worth for name, each in own.items()}
    assert worths["t2"].state == "below" or worths["t2"].value < found["good"].worth.value
    assert all(each.known and each.has_interval for each in worths.values())
    assert "worth (raters)" in found.slices.tables()[0].columns
    crossed = [each for each in found.slices.of("good") if each.by == "topic × source"]
    assert len(crossed) == 6
    assert found.slices.looks == len([e for e in found.slices.slices if e.adjusted is not None])


@needs_data
def test_slices_on_summeval_by_aspect_against_independent_computation():
    import pandas as pd

    folder = DATA / "summeval"
    ratings = hc.Ratings.read(folder / "ratings.csv.gz", item="item", slices="aspect")
    study = hc.Study(ratings, hc.Predictions.read(folder / "predictions.csv.gz"))
    from headcount.agreement.crowd import Crowd
    from headcount.evaluation.slices import slices_of
    from headcount.options import EvaluateOptions
    from headcount.sampling import Bootstrap

    options = EvaluateOptions(n_bootstrap=20)
    found = slices_of(study, Crowd.of(study, Bootstrap(20)), options)
    people = pd.read_csv(folder / "ratings.csv.gz", dtype=str)
    said = pd.read_csv(folder / "predictions.csv.gz", dtype=str).set_index("item")
    given = said["llama-31"].reindex(people["item"]).astype(int).to_numpy()
    people["same"] = (people["label"].astype(int) - given).abs() <= 1
    expected = people.groupby("aspect")["same"].mean()
    for each in found.of("llama-31"):
        assert each.agree.value == pytest.approx(expected[each.slice], abs=1e-12)


def test_confusion_against_brute_force(world, found):
    _, _, said, good, _, _ = world
    yes = said.mean(axis=1)
    each = next(e for e in found.confusion.confusions if (e.name, e.label) == ("good", "yes"))
    assert each.precision.value == pytest.approx(yes[good == 1].mean(), abs=1e-12)
    assert each.recall.value == pytest.approx(yes[good == 1].sum() / yes.sum(), abs=1e-12)
    no = 1 - yes
    assert each.specificity.value == pytest.approx(no[good == 0].sum() / no.sum(), abs=1e-12)
    cells = np.array(found.confusion.cells["good"])
    assert cells.sum() == pytest.approx(len(good))
    united = (yes == 0) | (yes == 1)
    alone = united & (yes != good)
    assert found.confusion.n_alone["good"] == alone.sum()
    listed = [e for e in found.confusion.alone if e.name == "good"]
    assert {e.item for e in listed} == {f"i{i:03d}" for i in np.flatnonzero(alone)}
    assert all(e.text == f"text of {int(e.item[1:])}" for e in listed)


def test_a_rater_who_moves_the_verdict_is_named():
    """Five who mostly agree and one who answers at random, without whom worths are others."""
    rng = np.random.default_rng(8)
    n = 300
    truth = rng.integers(0, 2, n)
    said = np.where(rng.random((n, 5)) < 0.85, truth[:, None], 1 - truth[:, None])
    said = np.column_stack([said, rng.integers(0, 2, n)])
    model = np.where(rng.random(n) < 0.85, truth, 1 - truth)
    item, rater = (codes.ravel() for codes in np.indices(said.shape))
    words = np.array(["no", "yes"])
    ratings = pa.table(
        {
            "item": [f"i{i}" for i in item],
            "rater": ["odd" if r == 5 else f"r{r}" for r in rater],
            "label": words[said.ravel()].tolist(),
        }
    )
    made = pa.table({"item": [f"i{i}" for i in range(n)], "model": words[model].tolist()})
    found = hc.evaluate(ratings, made, n_bootstrap=FEW)
    assert found.influential[0].startswith("Without odd, model is worth 0.")
    assert any("odd agrees with the others no more" in s for s in found.agreement.unchecked())
    assert found.influential[0] in found.unchecked()


def test_a_worth_counts_raters_by_default_and_items_when_asked(world):
    ratings = hc.Ratings.from_frame(world[0], item="item", rater="rater", label="label")
    both, alone = (
        hc.survey_equivalence(ratings, world[1], n_bootstrap=FEW, two_way=two_way)
        for two_way in (None, False)
    )
    one, other = both["poor"].worth, alone["poor"].worth
    assert one.value == pytest.approx(other.value, abs=1e-9)
    assert one.high is None or one.high - one.low > other.high - other.low
    assert both.curve.asked.about == "other items like these, judged by other people like these"
    assert alone.curve.asked.about == "other items like these, judged by people like these"
    np.testing.assert_allclose(both.curve.values, alone.curve.values, atol=1e-12)
    again = both.with_confidence(0.5)["poor"].worth
    assert again.high - again.low < (np.inf if one.high is None else one.high - one.low)
    assert isinstance(again, Estimate)


def test_anonymous_counts_say_people_like_these():
    ratings = hc.Ratings.from_counts([[4, 1], [1, 4], [5, 0]] * 30, labels=["no", "yes"])
    said = pa.table({"item": range(90), "model": ["no", "yes", "no"] * 30})
    found = hc.evaluate(ratings, said, n_bootstrap=20)
    assert found.samples.sentence() == "other items like these, judged by people like these"
    assert found.influential == ()
