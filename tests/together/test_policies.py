"""Whom to ask: the policies themselves, what they promise, and how they are used."""

import csv
import io
import json
from functools import cache
from itertools import pairwise, permutations

import numpy as np
import pytest
from scipy.stats import binom

import headcount as hc
from headcount.population import every_survey
from headcount.together.asking import Payoff, asking_for, outcome_of
from headcount.together.survey_tables import SurveyTables

from .worlds import asker_of, true_lead


@pytest.fixture(scope="module")
def team():
    data = hc.simulate.make("comments", seed=2, items=1200)
    return hc.together(data.ratings, data.predictions, n_bootstrap=0), data


def predictions_of(rng, n_cells, n_labels, most):
    """Predictions by a mixture, so that what comes next adds up to what came before."""
    kinds = rng.dirichlet(np.ones(n_labels), size=4)
    weights = rng.dirichlet(np.ones(4), size=n_cells)
    found = []
    for k in range(most + 1):
        chance = np.prod(kinds[None] ** every_survey(k, n_labels)[:, None], axis=2)
        load = weights[:, None] * chance
        found.append(np.einsum("brc,cl->brl", load / load.sum(axis=2, keepdims=True), kinds))
    return found


@pytest.mark.parametrize("n_labels", [2, 3])
@pytest.mark.parametrize("price", [0.0, 0.01, 0.05])
def test_policies_against_brute_force(n_labels, price):
    rng = np.random.default_rng(n_labels)
    most = 3
    predictions = predictions_of(rng, 2, n_labels, most)
    asking = asking_for(predictions, Payoff(), price)
    places = [{tuple(y): at for at, y in enumerate(every_survey(k, n_labels))} for k in range(5)]

    @cache
    def value(cell, said):
        """The best that can be had from a state, whatever is done next."""
        k = sum(said)
        q = predictions[k][cell, places[k][said]]
        if k == most:
            return q.max(), False
        on = -price
        for label in range(n_labels):
            longer = tuple(n + (at == label) for at, n in enumerate(said))
            on += q[label] * value(cell, longer)[0]
        return max(on, q.max()), on > q.max() + 1e-12

    for cell in range(2):
        for k in range(most + 1):
            for place, said in enumerate(every_survey(k, n_labels)):
                assert asking.asks[k][cell, place] == value(cell, tuple(map(int, said)))[1]


def test_what_a_policy_costs_and_brings_against_brute_force():
    rng = np.random.default_rng(5)
    predictions = predictions_of(rng, 2, 3, 3)
    asking = asking_for(predictions, Payoff(), 0.02)
    counts, cell = rng.multinomial(5, rng.dirichlet(np.ones(3), size=6)), np.arange(6) % 2
    found = outcome_of(asking, predictions, Payoff(), SurveyTables.of(counts, np.ones(6), cell, 2))
    for item in range(6):
        labels, right, orders = 0, 0, list(permutations(np.repeat(np.arange(3), counts[item])))
        for order in orders:
            k = 0
            while True:
                said = np.bincount(np.array(order[:k], dtype=int), minlength=3)
                place = int(np.flatnonzero((every_survey(k, 3) == said).all(axis=1))[0])
                if not asking.asks[k][cell[item], place]:
                    break
                k += 1
            labels += k
            right += predictions[k][cell[item], place].argmax() == order[k]
        assert found.labels[item] == pytest.approx(labels / len(orders))
        assert found.scores[item] == pytest.approx(right / len(orders))


def test_dearer_labels_are_asked_for_less_often():
    rng = np.random.default_rng(1)
    predictions = predictions_of(rng, 3, 2, 5)
    counts, cell = rng.multinomial(6, rng.dirichlet(np.ones(2), size=60)), np.arange(60) % 3
    tables = SurveyTables.of(counts, np.ones(60), cell, 3)
    asked = [
        outcome_of(asking_for(predictions, Payoff(), price), predictions, Payoff(), tables).labels
        for price in (0.0, 0.001, 0.01, 0.6)
    ]
    assert all((more >= less - 1e-12).all() for more, less in pairwise(asked))
    assert asked[-1].sum() == 0


def test_costs_turn_decisions():
    q = np.array([[0.8, 0.2]])
    assert Payoff().decision(q).tolist() == [0]
    dear = Payoff("cost", np.array([[0.0, 9.0], [1.0, 0.0]]))  # missing the second costs nine
    assert dear.decision(q).tolist() == [1]
    assert dear.scores(q).tolist() == [[-1.0, 0.0]]


def test_a_good_classifier_saves_labels_and_says_so(team):
    found, _ = team
    policy = found.policy(as_good_as=3)
    assert policy.kept == "shown"
    assert policy.labels.value < 3
    assert policy.lead.value > 0
    assert "was shown to be as good as asking three people about every item" in policy.verdict()
    figures = found[policy.name].policies
    assert {each.as_good_as for each in figures} >= {1, 2, 3}
    assert json.loads(found.to_json())["classifiers"][0]["policies"][0].keys() == {
        "as_good_as", "labels", "agree", "kept", "saves"
    }  # fmt: skip


def test_a_classifier_that_knows_nothing_promises_nothing():
    rng = np.random.default_rng(3)
    p = rng.dirichlet([1, 2], size=500)
    ratings = hc.Ratings.from_counts(rng.multinomial(6, p), labels=["a", "b"])
    import pyarrow as pa

    said = pa.table({"item": [str(i) for i in range(500)], "it": ["a"] * 500})
    member = hc.together(ratings, said, n_bootstrap=0)["it"]
    assert {each.kept for each in member.policies} == {"not shown"}
    policy = member.policy(as_good_as=3)
    assert policy.verdict() == (
        "No policy with it was shown to be as good as asking three people about every item: ask "
        "three people about every item."
    )
    assert policy.decide("a") == "ask one more"
    assert policy.decide("a", ["b", "b", "a"]) == "b"


def test_with_the_ideal_classifier_nobody_is_asked():
    rng = np.random.default_rng(3)
    p = rng.dirichlet([0.5, 0.5], size=2000)
    import pyarrow as pa

    ratings = hc.Ratings.from_counts(rng.multinomial(6, p), labels=["a", "b"])
    said = pa.table({"item": [str(i) for i in range(2000)], "it:a": p[:, 0], "it:b": p[:, 1]})
    policy = hc.together(ratings, said, n_bootstrap=0).policy(as_good_as=3)
    assert policy.labels.value == 0
    assert "asking nobody was shown to be" in policy.verdict()


def test_the_other_questions(team):
    found, _ = team
    assert found.policy(labels=0.5).labels.value <= 0.5
    dear, cheap = found.policy(price=0.001), found.policy(price=0.05)
    assert dear.labels.value > cheap.labels.value
    low = found.policy(agree=0.6)
    assert low.kept == "shown"
    assert found.policy(agree=0.999).kept == "not shown"
    assert found.policy(price=0.0001, limit=2).asking.most == 2
    costly = found.policy(price=0.01, costs=[[0, 5], [1, 0]])
    assert costly.labels.value > 0


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "give one of them"),
        ({"as_good_as": 3, "agree": 0.8}, "give one of them"),
        ({"as_good_as": 99}, "from 1 to"),
        ({"agree": 1.2}, "such as .85"),
        ({"labels": -1}, "such as .5"),
        ({"price": 0.1, "costs": [[1]]}, "2 × 2"),
        ({"price": 0.1, "limit": 99}, "limit is a whole number"),
    ],
)
def test_what_cannot_be_asked(team, asked, words):
    with pytest.raises(hc.HeadcountError, match=words):
        team[0].policy(**asked)


def applied(table, probability, said):
    """A policy's table in plain Python, as the documentation has it."""
    said = {name: number for name, number in said.items() if number}
    cell = sum(probability >= edge for edge in table["cells"]["edges"][0])
    for rule in table["rules"]:
        if rule["cell"] == cell and rule["said"] == said:
            return rule["action"]
    return max(said, key=said.get)


def test_the_table_decides_as_the_policy_does(team):
    found, _ = team
    policy = found["fine_tuned"].policy(price=0.003)
    table = json.loads(policy.to_json())
    assert table["schema"] == "headcount/policy/1"
    rows = list(csv.DictReader(io.StringIO(policy.to_csv())))
    assert len(rows) == len(table["rules"])
    for probability in (0.02, 0.3, 0.5, 0.77, 0.99):
        said = {"fine": 0, "toxic": 0}
        for step in range(6):
            action = policy.decide(probability, said)
            assert action == applied(table, probability, said)
            if action != "ask one more":
                break
            said["toxic" if step % 2 else "fine"] += 1


def test_new_items_are_routed_and_go_on_when_labels_come_in(team):
    found, data = team
    policy = found["fine_tuned"].policy(price=0.003)
    first = policy.route(data.predictions).to_pylist()
    open_ = [row["item"] for row in first if row["action"] == "ask one more"]
    assert 0 < len(open_) < len(first)
    assert {row["asked"] for row in first} == {0}
    later = {row["item"]: row for row in policy.route(data.predictions, data.ratings).to_pylist()}
    assert {row["action"] for row in later.values()} == {"fine", "toxic"}
    assert later[open_[0]]["asked"] > 3
    with pytest.raises(hc.HeadcountError, match="no answers of"):
        policy.route(data.predictions.select(["llm_judge"]))


def test_answers_that_are_none_are_refused(team):
    policy = team[0]["fine_tuned"].policy(price=0.01)
    with pytest.raises(hc.HeadcountError, match="answers with"):
        policy.decide("fine")
    with pytest.raises(hc.HeadcountError, match="is not one of the labels"):
        policy.decide(0.5, ["rude"])


def test_the_frontier_is_drawn_and_the_policy_is_on_top(team, tmp_path):
    policy = team[0]["fine_tuned"].policy(as_good_as=3)
    points = policy.frontier()
    policy.chart().save(str(tmp_path / "frontier.json"))
    own = max(p.agree for p in points if p.way == "the policy")
    people = max(p.agree for p in points if p.way == "people alone")
    assert own > people


@pytest.mark.parametrize("world", ["contested", "four"])
def test_promises_are_kept_coverage(world):
    short = 0
    for seed in range(30):
        rng = np.random.default_rng([seed, 7])
        asker, fresh = asker_of(rng, world, 600, 6, 5, seed=seed)
        asking = asker.promised(Payoff(), most=5, than=3)
        if asking is not None:
            short += true_lead(asker, asking, fresh, 3)[0] < -1e-9
    assert short <= binom.ppf(0.999, 30, 0.05)


@pytest.mark.prove
@pytest.mark.parametrize("world", ["contested", "rare", "four", "ten"])
@pytest.mark.parametrize("n_items", [600, 1500, 6000])
@pytest.mark.parametrize("aim", ["agree", "bits"])
def test_promises_are_kept_in_a_thousand_populations_coverage(world, n_items, aim):
    short, labels = 0, []
    payoff = Payoff(aim)
    for seed in range(1000):
        rng = np.random.default_rng([seed, 7])
        asker, fresh = asker_of(rng, world, n_items, 8, 6, seed=seed)
        asking = asker.promised(payoff, most=6, than=3)
        if asking is not None:
            lead, _, asked = true_lead(asker, asking, fresh, 3, payoff)
            short += lead < -1e-9
            labels.append(asked)
    print(world, n_items, aim, short / 1000, len(labels), np.mean(labels))
    assert short <= binom.ppf(0.975, 1000, 0.05)
