"""Rankings by people, and judges of them: against definitions, counts by hand and known data."""

import csv
import gzip
import itertools
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from scipy.stats import norm

import headcount as hc
from headcount.errors import InputError, OptionError, UnanswerableError
from headcount.results.schema import schema_of


@pytest.fixture(scope="module")
def found() -> hc.Ranking:
    data = hc.simulate.make("tournament", seed=1)
    return hc.rank(data.ratings, data.predictions, n_bootstrap=200)


def test_json_is_what_is_promised(found: hc.Ranking) -> None:
    told = json.loads(json.dumps(found.to_dict()))
    assert {"systems", "judges"} <= set(told) <= {"systems", "judges", "slices", "collected"}
    assert list(told["systems"][0]) == ["name", "strength", "rank"]
    (judge,) = told["judges"]
    assert list(judge) == ["name", "soft_pairwise_accuracy", "worth", "flips"]
    assert list(judge["flips"]) == ["asked", "share"]
    for estimate in (told["systems"][0]["rank"], judge["worth"], judge["flips"]["share"]):
        assert {"value", "low", "high"} <= set(estimate)


def test_systems_come_in_their_order_with_ranks_in_their_intervals(found: hc.Ranking) -> None:
    strengths = [each.strength.value for each in found.systems]
    assert strengths == sorted(strengths, reverse=True)
    assert sum(strengths) == pytest.approx(0, abs=1e-9)
    for place, each in enumerate(found.systems, start=1):
        assert each.rank.value == place
        assert each.rank.low <= each.rank.value <= each.rank.high
    assert found.systems[-1].rank.low == 6  # s4, weaker by far
    assert found.leaders[0] is found.systems[0]
    assert len(found.pairs) == 15
    assert found["s4"].strength.high < 0


def test_another_confidence_is_read_from_the_same_draws(found: hc.Ranking) -> None:
    wide, narrow = found.with_confidence(0.99), found.with_confidence(0.5)
    for one, other in zip(wide.systems, narrow.systems, strict=True):
        assert one.strength.low < other.strength.low
        assert one.rank.low <= other.rank.low
        assert one.rank.high >= other.rank.high
    assert wide.judge("judge").worth.value == narrow.judge("judge").worth.value


def test_flips_and_first_places_by_hand_against_brute_force(found: hc.Ranking) -> None:
    said = hc.simulate.make("tournament", seed=1).prediction_columns
    first: dict[tuple[str, ...], dict[bool, str]] = {}
    firsts = answers = 0
    for item, label, a, b in zip(
        *(said[name] for name in ("item", "label", "model_a", "model_b")), strict=True
    ):
        winner = {"A": a, "B": b, "tie": "tie"}[label]
        first.setdefault((item, *sorted((a, b))), {})[a < b] = winner
        firsts, answers = firsts + (label == "A"), answers + (label != "tie")
    judge = found.judge("judge")
    assert judge.flips is not None
    assert judge.first is not None
    assert judge.flips.asked == len(first) == 400
    flipped = sum(two[True] != two[False] for two in first.values())
    assert judge.flips.share.value == pytest.approx(flipped / 400)
    assert judge.first.value == pytest.approx(firsts / answers)
    assert judge.flips.share.low < judge.flips.share.value < judge.flips.share.high


def test_flips_of_two_orders_by_hand_against_brute_force(
    shared_data: Callable[[str], Path],
) -> None:
    folder = shared_data("pairs-two-orders")
    with gzip.open(folder / "predictions.csv.gz", "rt", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    said: dict[str, dict[str, dict[str, str]]] = {}
    for row in rows:
        name = f"{row['classifier']} · {row['variant']}"
        if row["label"]:
            said.setdefault(name, {}).setdefault(row["item"], {})[row["order"]] = row["label"]
    found = hc.rank(folder / "ratings.csv", folder / "predictions.csv.gz", n_bootstrap=0)
    assert found.systems == ()
    assert {each.name for each in found.judges} == set(said)
    for name, items in said.items():
        both = [two for two in items.values() if len(two) == 2]
        judge = found.judge(name)
        assert judge.flips is not None
        assert judge.first is not None
        assert judge.flips.asked == len(both)
        assert judge.flips.share.value == pytest.approx(
            sum(two["12"] != two["21"] for two in both) / len(both)
        )
        places = [two[o] == o[0] for two in items.values() for o in two]
        assert judge.first.value == pytest.approx(np.mean(places))
    falcon = found.judge("Falcon · CoT").flips
    assert falcon is not None
    assert falcon.share.value > 0.8
    assert not found.judge("Falcon · CoT").soft_pairwise_accuracy.known


ASPECTS = ("coherence", "consistency", "fluency", "relevance")
# The specification's own figures, by the paired normal p.
GPT = (0.833, 0.827, 0.769, 0.850)
ONE_EXPERT = (0.880, 0.910, 0.834, 0.868)


def test_summeval_against_reference(shared_data: Callable[[str], Path]) -> None:
    folder = shared_data("summeval")
    ratings = hc.Ratings.read(
        folder / "ratings.csv.gz", system="system", cluster="document", slices="aspect"
    )
    found = hc.rank(ratings, hc.Predictions.read(folder / "predictions.csv.gz"), n_bootstrap=100)
    parts = {each.value: each.ranking for each in found.slices}
    for aspect, gpt, expert in zip(ASPECTS, GPT, ONE_EXPERT, strict=True):
        part = parts[aspect]
        assert part.judge("gpt-4o").soft_pairwise_accuracy.value == pytest.approx(gpt, abs=5e-4)
        assert part.curve is not None
        assert part.curve.points[1].value == pytest.approx(expert, abs=6e-4)
        for judge in part.judges:  # nobody reaches one expert
            assert judge.soft_pairwise_accuracy.value < expert
            assert judge.worth.state == "below" or judge.worth.value < 1
    fluency = parts["fluency"].judge("gemini_pro").soft_pairwise_accuracy
    assert fluency.value == pytest.approx(0.586, abs=5e-4)
    assert found.these == 3
    assert "these three people" in found.verdict()


def test_accuracy_and_curve_against_brute_force() -> None:
    """Three people and a judge score everything: the definition in loops over who is held out."""
    rng = np.random.default_rng(3)
    systems, documents = 5, 40
    people = rng.normal(np.linspace(0, 1, systems), 1.0, (3, documents, systems)).round(1)
    judge = rng.normal(np.linspace(0, 1, systems), 1.5, (documents, systems)).round(1)
    found = hc.rank(_scores(people), _predictions(judge), n_bootstrap=0)

    def chances(table: np.ndarray) -> np.ndarray:
        out = []
        for i, j in itertools.combinations(range(systems), 2):
            gap = table[:, i] - table[:, j]
            out.append(norm.cdf(-gap.mean() / (gap.std(ddof=1) / np.sqrt(documents))))
        return np.array(out)

    def accuracy(one: np.ndarray, other: np.ndarray) -> float:
        return float(1 - np.abs(chances(one) - chances(other)).mean())

    held = [accuracy(people[e], judge) for e in range(3)]
    assert found.judge("judge").soft_pairwise_accuracy.value == pytest.approx(np.mean(held))
    ones = [accuracy(people[a], people[b]) for a, b in itertools.permutations(range(3), 2)]
    twos = [accuracy(people[e], np.delete(people, e, 0).mean(axis=0)) for e in range(3)]
    nobody = [float(1 - np.abs(chances(people[e]) - 0.5).mean()) for e in range(3)]
    assert found.curve is not None
    points = [each.value for each in found.curve.points]
    assert points == pytest.approx([np.mean(nobody), np.mean(ones), np.mean(twos)])


def _scores(people: np.ndarray) -> hc.Ratings:
    rater, document, system = (part.ravel() for part in np.indices(people.shape))
    table = {
        "item": [f"{d}/{s}" for d, s in zip(document, system, strict=True)],
        "rater": [f"r{r}" for r in rater],
        "label": people.ravel(),
        "system": [f"s{s}" for s in system],
        "document": [f"d{d}" for d in document],
    }
    return hc.Ratings.from_frame(pa.table(table), system="system", cluster="document")


def _predictions(judge: np.ndarray) -> hc.Predictions:
    document, system = (part.ravel() for part in np.indices(judge.shape))
    names = [f"{d}/{s}" for d, s in zip(document, system, strict=True)]
    return hc.Predictions.from_frame(pa.table({"item": names, "judge": judge.ravel()}))


def test_whom_a_judge_favours_is_named() -> None:
    rng = np.random.default_rng(5)
    people = rng.integers(1, 6, (3, 150, 4)).astype(float)
    judge = np.clip(people.mean(axis=0).round() - 1 + 2 * (np.arange(4) == 3), 1, 5)
    found = hc.rank(_scores(people), _predictions(judge)).judge("judge")
    favoured = {each.system: each.difference.value for each in found.favoured()}
    assert favoured["s3"] > 1  # its harshness to all is set aside
    assert all(value < 0 for name, value in favoured.items() if name != "s3")


def test_one_person_is_worth_one_as_a_ranker() -> None:
    """The law: another person's answers, given as a judge's, are worth one person."""
    data = hc.simulate.make("tournament", items=300, each=4, seed=2)
    table = pa.table({name: pa.array(column) for name, column in data.rating_columns.items()})
    place = np.arange(table.num_rows) % 4  # answers about a comparison come together
    people = hc.Ratings.from_frame(table.filter(pa.array(place < 3)))
    said = table.filter(pa.array(place == 3))
    said = said.set_column(1, "judge", pa.array(["someone"] * said.num_rows))
    worth = hc.rank(people, hc.Predictions.from_frame(said), n_bootstrap=100).judge("someone").worth
    assert worth.low is None or worth.low <= 1
    assert worth.high is None or worth.high >= 1


def test_nothing_is_known_by_a_judge_that_always_ties() -> None:
    data = hc.simulate.make("tournament", seed=3)
    items = data.ratings.item_counts().items
    tie = hc.Predictions.from_frame(pa.table({"item": items, "shy": ["tie"] * len(items)}))
    judge = hc.rank(data.ratings, tie, n_bootstrap=50).judge("shy")
    assert judge.worth.state == "below"
    assert not judge.pearson.known


def test_systems_are_found_by_name_or_asked_for() -> None:
    rows = {"item": list("abcd"), "model": ["x", "y"] * 2, "prompt": ["p", "p", "q", "q"]}
    table = pa.table({**rows, "label": [4, 2, 5, 1]})
    found = hc.rank(hc.Ratings.from_frame(table), n_bootstrap=0)
    assert [each.name for each in found.systems] == ["x", "y"]
    assert any("'model'" in note for note in found.unchecked())
    with pytest.raises(InputError, match="does not say which systems are ranked"):
        hc.rank(hc.Ratings.from_frame(table.drop(["model"])))
    with pytest.raises(UnanswerableError, match="one system"):
        hc.rank(hc.Ratings.from_frame(table.slice(0, 1), system="model"))
    with pytest.raises(OptionError, match="is not for items of one system each"):
        hc.rank(hc.Ratings.from_frame(table), strength="davidson")
    with pytest.raises(OptionError, match="no judge 'gpt'"):
        found.judge("gpt")


@pytest.mark.parametrize("strength", ["win-rate", "bradley-terry", "davidson"])
def test_every_strength_gives_one_order_where_all_is_clear(strength: str) -> None:
    data = hc.simulate.make("tournament", items=600, strength=2.0, seed=4)
    found = hc.rank(data.ratings, strength=strength, n_bootstrap=50)
    true = sorted(data.facts, key=lambda name: -data.facts[name])
    assert [each.name for each in found.systems] == true


def test_neither_order_nor_names_of_rows_matter() -> None:
    data = hc.simulate.make("tournament", items=60, seed=6)
    table = pa.table({name: pa.array(column) for name, column in data.rating_columns.items()})
    order = np.random.default_rng(0).permutation(table.num_rows)
    one = hc.rank(hc.Ratings.from_frame(table), n_bootstrap=50)
    other = hc.rank(hc.Ratings.from_frame(table.take(pa.array(order))), n_bootstrap=50)
    for a, b in zip(one.systems, other.systems, strict=True):
        assert a.name == b.name
        assert a.strength.value == pytest.approx(b.strength.value)
        assert a.strength.low == pytest.approx(b.strength.low)
    assert one.curve is not None
    assert other.curve is not None
    assert one.curve.points[1].value == pytest.approx(other.curve.points[1].value)


def test_systems_that_never_lost_are_told_of() -> None:
    rows = {
        "prompt_id": list(range(6)),
        "model_a": list("xxxyyz"),
        "model_b": list("yyzzzy"),
        "winner": list("AAAABA"),
    }
    found = hc.rank(hc.Ratings.from_frame(pa.table(rows)), n_bootstrap=50)
    assert found.systems[0].name == "x"
    assert any("never lost" in note for note in found.unchecked())


def test_one_answer_a_comparison_gives_ranks_but_no_worth() -> None:
    data = hc.simulate.make("tournament", each=1, raters=1, seed=7)
    found = hc.rank(data.ratings, data.predictions, n_bootstrap=50)
    judge = found.judge("judge")
    assert judge.soft_pairwise_accuracy.known
    assert not judge.worth.known
    assert "no item has two people's answers" in str(judge.worth.note)


def test_json_is_as_the_schema_describes(found: hc.Ranking) -> None:
    described = schema_of([hc.Ranking])["$defs"]["Ranking"]["properties"]
    assert set(found.to_dict()) == set(described)
    rows = {"item": list("abcd"), "system": ["x", "y"] * 2, "part": ["p", "p", "q", "q"]}
    table = pa.table({**rows, "label": [4, 2, 5, 1]})
    parts = hc.rank(hc.Ratings.from_frame(table, system="system", slices="part"), n_bootstrap=0)
    told = parts.to_dict()["slices"]
    assert [(each["name"], each["value"]) for each in told] == [("part", "p"), ("part", "q")]
    assert [each["name"] for each in told[0]["ranking"]["systems"]] == ["x", "y"]
