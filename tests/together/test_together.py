"""Classifiers and people together: the law of j + k, and what must cost or add nothing."""

import json

import numpy as np
import pyarrow as pa
import pytest
from tests.equivalence.people import holds, people_as_classifier

import headcount as hc
from headcount.equivalence import survey_equivalence
from headcount.together.cells import learn_cells, n_cells_for


def drawn(n_items, n_ratings, concentration, seed):
    """Counts of items whose label distributions are Dirichlet."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(concentration, size=n_items)
    return rng.multinomial(n_ratings, p), p, rng


def saying(said, labels=("a", "b")):
    """Probabilities (n, L) as predictions of a classifier."""
    table = {"item": [str(i) for i in range(len(said))]}
    return pa.table(table | {f"it:{label}": said[:, j] for j, label in enumerate(labels)})


@pytest.mark.parametrize("j", [1, 2])
def test_j_people_as_a_classifier_and_k_others_are_worth_j_plus_k_against_theory(j):
    counts, _, _ = drawn(5000, 8, [0.6, 1.2], seed=j)
    ratings, said = people_as_classifier(counts, "ab", j)
    member = hc.together(ratings, said)["people"]
    for k in range(1, 4):
        assert holds(member.worth_with(k), j + k), member.worth_with(k)
        assert float(member.worth_with(k)) == pytest.approx(j + k, abs=0.3)
    assert holds(member.adds, j)


def test_with_many_labels_the_pool_by_item_loses_little_against_theory():
    counts, _, _ = drawn(1500, 6, np.full(8, 0.25), seed=3)
    ratings, said = people_as_classifier(counts, "abcdefgh", 2)
    member = hc.together(ratings, said, n_bootstrap=0)["people"]
    assert member.way == "pool"
    assert member.at_least
    assert 2.5 < float(member.worth_with(1)) < 3.1


def test_a_constant_answer_adds_exactly_nothing():
    counts, _, _ = drawn(400, 6, [1, 2], seed=5)
    ratings = hc.Ratings.from_counts(counts, labels=["a", "b"])
    team = hc.together(ratings, saying(np.tile([0.3, 0.7], (400, 1))))
    assert tuple(team["it"].adds) == (0.0, 0.0, 0.0)
    assert [float(team["it"].worth_with(k)) for k in (1, 2, 3)] == [1.0, 2.0, 3.0]
    assert team.verdict() == (
        "it adds nothing that was found to people who are asked, and no asking is saved by it."
    )


@pytest.mark.parametrize("seed", [0, 1])
def test_an_answer_that_is_noise_costs_nothing(seed):
    counts, _, rng = drawn(600, 6, [1, 2], seed=seed)
    ratings = hc.Ratings.from_counts(counts, labels=["a", "b"])
    p = rng.random(600)
    member = hc.together(ratings, saying(np.column_stack([p, 1 - p])))["it"]
    assert -0.01 < float(member.adds) < 0.1
    assert member.adds.low < 0.02


def test_the_classifier_alone_is_worth_what_it_is_worth_anywhere(data):
    ratings, predictions = data
    team = hc.together(ratings, predictions, n_bootstrap=50)
    alone = survey_equivalence(ratings, predictions, n_bootstrap=50)
    for name in team.names:
        assert team[name].worth_with(0).to_dict() == alone[name].worth.to_dict()
    assert team.curve == alone.curve


def test_neither_rows_nor_other_classifiers_matter(data):
    ratings, predictions = data
    name = predictions.names[0]
    whole = hc.together(ratings, predictions, n_bootstrap=0)[name]
    alone = hc.together(ratings, predictions.select([name]), n_bootstrap=0)[name]
    for k in range(whole.most + 1):
        assert whole.worth_with(k).value == pytest.approx(alone.worth_with(k).value, nan_ok=True)


def test_the_json_has_the_documented_shape(data):
    found = json.loads(hc.together(*data, n_bootstrap=20).to_json())
    documented = {"schema", "collected", "classifiers", "panel", "runs", "variants", "notes"}
    assert set(found) == documented
    each = found["classifiers"][0]
    assert set(each) == {"name", "with_people", "adds", "policies"}
    assert set(each["with_people"][0]) == {"people", "score", "worth"}
    assert [row["people"] for row in each["with_people"]] == list(range(len(each["with_people"])))


def test_a_classifier_that_knows_nothing_is_not_said_to_add_anything(shared_data):
    path = shared_data("entailment-routing")
    ratings = hc.Ratings.read(path / "ratings.csv.gz")
    (member,) = hc.together(ratings, path / "predictions.csv", n_bootstrap=50).classifiers
    assert "overlap was not shown to add anything" in member.sentence() or member.way == "people"
    assert {each.kept for each in member.policies} == {"not shown"}


def test_other_confidences_read_the_same_draws(data):
    team = hc.together(*data, n_bootstrap=100)
    name = max(team.names, key=lambda name: team[name].adds.value or 0)
    wide, narrow = team.with_confidence(0.99)[name].adds, team.with_confidence(0.5)[name].adds
    assert wide.low < narrow.low <= narrow.value <= narrow.high < wide.high


def test_it_is_drawn(data, tmp_path):
    team = hc.together(*data, n_bootstrap=20)
    team.chart().save(str(tmp_path / "team.json"))
    assert (tmp_path / "team.json").stat().st_size > 1000


def test_predictions_are_needed(data):
    with pytest.raises(hc.HeadcountError, match="needs predictions"):
        hc.together(data[0])


def test_cells_cut_where_people_are_divided():
    rng = np.random.default_rng(0)
    p = rng.beta(0.3, 2, size=9000)
    counts = np.column_stack([rng.binomial(6, 1 - p), np.zeros(9000, dtype=int)])
    counts[:, 1] = 6 - counts[:, 0]
    from headcount.data import Classifier

    classifier = Classifier("it", probabilities=np.column_stack([1 - p, p]))
    cells = learn_cells(classifier, counts, np.ones(9000))
    found = cells.of(classifier)
    assert cells.n == n_cells_for(9000) == len(np.unique(found))
    angle = np.arcsin(np.sqrt(p))
    inside = sum(angle[found == each].var() * (found == each).sum() for each in range(cells.n))
    assert inside < 0.005 * angle.var() * len(p)


def test_cells_of_a_judge_that_gives_marks_are_its_marks():
    rng = np.random.default_rng(0)
    p = rng.choice([0.1, 0.1001, 0.5, 0.9, 0.9002], size=900)
    counts = np.column_stack([rng.binomial(6, 1 - p), np.zeros(900, dtype=int)])
    counts[:, 1] = 6 - counts[:, 0]
    from headcount.data import Classifier

    classifier = Classifier("it", probabilities=np.column_stack([1 - p, p]))
    cells = learn_cells(classifier, counts, np.ones(900), most=3)
    assert [len(np.unique(p[cells.of(classifier) == each])) for each in range(3)] == [2, 1, 2]


@pytest.mark.prove
@pytest.mark.parametrize("n_labels", [2, 4, 10])
@pytest.mark.parametrize("n_ratings", [5, 10])
@pytest.mark.parametrize("j", [1, 2, 3])
def test_the_law_in_many_data_sets_coverage(n_labels, n_ratings, j):
    labels = "abcdefghij"[:n_labels]
    held, off, said_at_least = [], [], 0
    for seed in range(40):
        counts, _, _ = drawn(1000, n_ratings, np.full(n_labels, 0.5), seed=seed)
        ratings, said = people_as_classifier(counts, labels, j, seed)
        member = hc.together(ratings, said, n_bootstrap=200, seed=seed)["people"]
        said_at_least += member.at_least
        if member.most >= 1:
            worth = member.worth_with(1)
            held.append(holds(worth, j + 1))
            off.append(j + 1 - (worth.value if worth.value is not None else j + 1))
    print(n_labels, n_ratings, j, np.mean(held), -np.mean(off), said_at_least)
    assert np.mean(off) > -0.3  # never above by more than noise
    if not said_at_least:
        assert np.mean(held) > 0.85
