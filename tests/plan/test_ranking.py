"""Which items next: by how much a label can change the choice."""

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.errors import OptionError
from headcount.plan.choice import Choice
from headcount.plan.next_items import item_changes, next_label
from headcount.plan.pilot_moments import label_moments
from headcount.simulate import make


def some_items(rng, items=400, labels=2, classifiers=2, ratings=5):
    counts = np.zeros((items, labels), int)
    shares = rng.dirichlet(np.ones(labels), items)
    for i in range(items // 2):
        counts[i] = rng.multinomial(rng.integers(1, ratings + 1), shares[i])
    decisions = rng.integers(0, labels, (items, classifiers))
    return counts, decisions


def test_only_items_on_which_contenders_differ_are_worth_a_label():
    counts, decisions = some_items(np.random.default_rng(1))
    change, contenders, leader = item_changes(counts, decisions)
    assert contenders == [0, 1]
    assert leader in contenders
    np.testing.assert_array_equal(change > 0, decisions[:, 0] != decisions[:, 1])


def test_a_second_label_changes_less_than_a_first():
    """The same answers: an unlabelled item before one with a label, before one with many."""
    counts, decisions = some_items(np.random.default_rng(2))
    decisions[:] = [0, 1]
    counts[0], counts[1], counts[2] = (0, 0), (1, 1), (4, 4)
    change, _, _ = item_changes(counts, decisions)
    assert change[0] > change[1] > change[2] > 0


def test_expected_change_against_brute_force():
    """The spread of the difference over what the next label may say, each counted for real."""
    counts, decisions = some_items(np.random.default_rng(3), items=60, labels=3)
    change, _, leader = item_changes(counts, decisions)
    chances = next_label(counts, decisions)
    rival = 1 - leader
    for i in (0, 5, 20):  # labelled ones
        moved = []
        for label in range(3):
            more = counts.copy()
            more[i, label] += 1
            found = label_moments(more[:30], decisions[:30]).mean
            moved.append(found[leader] - found[rival])
        spread = np.sqrt(np.cov(moved, aweights=chances[i], ddof=0))
        assert change[i] * 30 / 31 == pytest.approx(float(spread) * 30 / 31, rel=1e-9)


def test_next_labels_are_chances_that_learn_from_the_item_and_its_like():
    counts, decisions = some_items(np.random.default_rng(4), labels=3)
    chances = next_label(counts, decisions)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (chances > 0).all()
    counts[0] = (0, 9, 0)
    assert next_label(counts, decisions)[0].argmax() == 1


def test_labels_on_the_first_items_tell_more_than_on_the_last():
    """What the order is for: the first hundred leave less doubt than the last hundred."""
    rng = np.random.default_rng(7)
    n = 4000
    decisions = np.column_stack([np.zeros(n, int), (rng.random(n) < 0.4).astype(int)])
    shares = np.where(decisions[:, 1] == 1, rng.beta(1.2, 1, n), rng.beta(4, 1, n))
    counts = np.zeros((n, 2), int)
    counts[:600, 0] = rng.binomial(3, shares[:600])
    counts[:600, 1] = 3 - counts[:600, 0]
    change, _, _ = item_changes(counts, decisions)
    order = np.argsort(-change)
    spent = {}
    for name, chosen in (("first", order[:400]), ("last", order[change[order] > 0][-400:])):
        more = counts.copy()
        said = (rng.random(400) < shares[chosen]).astype(int)
        more[chosen, 1 - said] += 1
        rated = (more.sum(axis=1) > 0) & (decisions[:, 1] == 1)
        found = label_moments(more[rated], decisions[rated], weigh="labels")
        spent[name] = Choice(found).difference(0, 1)[1]
    assert spent["first"] < spent["last"]


def test_the_file_has_texts_answers_and_labels_so_far():
    ids = [f"i{k}" for k in range(40)]
    ratings = pa.table({"item": ids[:20], "rater": ["ann"] * 20, "label": ["x", "y"] * 10})
    answers = pa.table(
        {"item": ids, "a": ["x"] * 40, "b": ["x", "y"] * 20, "c": ["x", "y", "y", "x"] * 10}
    )
    found = hc.next_items(ratings, answers, texts={"i22": "<b>what it says</b>"})
    frame = found.to_frame().to_pylist()
    assert [row["rank"] for row in frame] == list(range(1, len(frame) + 1))
    row = next(row for row in frame if row["item"] == "i22")
    assert row["text"] == "<b>what it says</b>"
    assert (row["labels_so_far"], row["b"], row["c"]) == (0, "x", "y")
    assert found.left_out + len(frame) == 40
    assert "<b>what" not in found._repr_html_()
    assert "are worth a label" in found.verdict()
    two = hc.next_items(ratings, answers, classifiers=["a", "b"])
    assert {row["item"] for row in two.to_frame().to_pylist()} == set(ids[1::2])
    with pytest.raises(OptionError, match="two or more"):
        hc.next_items(ratings, answers, classifiers=["a", "z"])


def test_the_chance_of_a_contender_is_no_choice_any_more():
    made = make("comments", items=80, seed=1)
    with pytest.warns(DeprecationWarning, match="contender goes with the next release"):
        found = hc.next_items(made.ratings, made.predictions, contender=0.01)
    assert found.items == hc.next_items(made.ratings, made.predictions).items
