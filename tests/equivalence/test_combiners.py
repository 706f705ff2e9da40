"""Combiners on bare surveys."""

import itertools

import numpy as np
import pytest

from headcount.data import Labels
from headcount.equivalence.combiners import COMBINERS, Frequency, Others, resolve_combiner
from headcount.errors import OptionError

ABC = Labels(("a", "b", "c"))
ONE_TO_FIVE = Labels(("1", "2", "5"))
COUNTS = np.array([[3, 1, 0], [2, 2, 0], [0, 0, 4], [1, 1, 2]])


def say(name, surveys, *, counts=COUNTS, labels=ABC):
    return resolve_combiner(name)(np.array(surveys), Others.each_its_own(counts), labels=labels)


def test_plurality_shares_ties():
    shares = say("plurality", [[2, 1, 0], [1, 1, 0], [0, 0, 0], [0, 1, 3]])
    np.testing.assert_allclose(shares, [[1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3, [0, 0, 1]])


def test_majority_is_plurality():
    assert resolve_combiner("majority") is COMBINERS["plurality"]


def test_frequency_starts_uniform_or_overall():
    surveys = [[2, 1, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]]
    uniform = say("frequency", surveys)
    np.testing.assert_allclose(uniform[:2], [[2 / 3, 1 / 3, 0], [1 / 3] * 3])
    overall = say("frequency-overall", surveys)
    np.testing.assert_allclose(overall[[1, 3]], [COUNTS.sum(axis=0) / 16] * 2)
    np.testing.assert_allclose(overall[[0, 2]], uniform[[0, 2]])
    with pytest.raises(OptionError, match="overall"):
        Frequency(empty="half")


def test_mean_starts_from_the_other_items():
    means = say("mean", [[1, 1, 0], [0, 0, 0], [0, 0, 2], [0, 1, 0]], labels=ONE_TO_FIVE)
    others = np.delete(COUNTS @ [1, 2, 5] / 4, 1).mean()
    np.testing.assert_allclose(means, [1.5, others, 5, 2])


def test_mean_needs_numbers():
    with pytest.raises(OptionError, match="numbers"):
        resolve_combiner("mean").check(ABC)


def sequence_share(sequence, answers):
    """Of all ordered ways to draw len(sequence) of an item's answers, the share that match."""
    drawn = list(itertools.permutations(answers, len(sequence)))
    return sum(order == tuple(sequence) for order in drawn) / len(drawn)


def test_abc_against_label_sequences_by_hand():
    counts = np.array([[3, 1, 1], [2, 2, 0], [1, 1, 3], [2, 1, 2]])
    surveys = np.array([[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]])
    predicted = say("abc", surveys, counts=counts)
    answers = [np.repeat(range(3), row) for row in counts]
    for i, survey in enumerate(surveys):
        sequence = list(np.repeat(range(3), survey))
        sums = np.array(
            [
                sum(
                    sequence_share([*sequence, label], answers[j])
                    for j in range(4)
                    if j != i and len(answers[j]) > len(sequence)
                )
                for label in range(3)
            ]
        )
        np.testing.assert_allclose(predicted[i], sums / sums.sum(), atol=1e-12)


def test_abc_backs_off_to_the_nearest_seen_survey():
    predicted = say("abc", [[0, 0, 0], [1, 1, 0], [0, 0, 3], [0, 0, 2]])
    np.testing.assert_allclose(predicted[0], [3 / 12, 3 / 12, 6 / 12])
    np.testing.assert_allclose(predicted[2], [0.5, 0.5, 0])  # three c's were seen nowhere else


def test_abc_forgets_each_answer_with_equal_chance():
    counts = np.array([[2, 1, 0], [2, 0, 1], [0, 1, 2]])
    predicted = say("abc", [[2, 0, 0]] * 3, counts=counts)
    np.testing.assert_allclose(predicted[0], [0, 0, 1])
    mixed = say("abc", [[1, 1, 0]] * 3, counts=counts)
    only_a, only_b = np.array([1, 0, 1]) / 2, np.array([0, 0, 1])
    np.testing.assert_allclose(mixed[0], (only_a + only_b) / 2)


def test_abc_with_no_other_item_has_no_prediction():
    assert np.isnan(say("abc", [[1, 0, 0]], counts=COUNTS[:1])).all()


def test_function_as_combiner():
    def add_one(surveys):
        return (surveys + 1) / (surveys + 1).sum(axis=1, keepdims=True)

    combiner = resolve_combiner(add_one, n_labels=3)
    assert (combiner.name, combiner.produces, combiner.learned) == (
        "add_one",
        "probabilities",
        False,
    )
    others = Others.each_its_own(COUNTS[:2])
    np.testing.assert_allclose(
        combiner(np.array([[0, 0, 0], [2, 1, 0]]), others, labels=ABC),
        [[1 / 3] * 3, [1 / 2, 1 / 3, 1 / 6]],
    )
    first = resolve_combiner(lambda surveys: surveys.argmax(axis=1))
    assert first.produces == "labels"
    np.testing.assert_array_equal(
        first(np.array([[0, 1, 0], [0, 0, 3]]), others, labels=ABC), np.eye(3)[[1, 2]]
    )
    assert resolve_combiner(lambda surveys: surveys[:, 0] * 0.5).produces == "numbers"


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda surveys: surveys.sum(), "shape"),
        (lambda surveys: surveys * 0.4, "sum to one"),
        (lambda surveys: surveys - 1.5, "at least 0"),
        (lambda surveys: surveys.sum(axis=1) + 3, "outside 0 to 2"),
    ],
)
def test_function_that_misbehaves_is_named(function, complaint):
    with pytest.raises(OptionError, match=complaint):
        resolve_combiner(function, n_labels=3)(
            np.array([[1, 0, 1]]), Others.each_its_own(COUNTS[:1]), labels=ABC
        )


def test_unknown_combiner_lists_the_known():
    with pytest.raises(OptionError, match="auto, abc, fitted, linear, plurality"):
        resolve_combiner("median")
    with pytest.raises(OptionError, match="not 3"):
        resolve_combiner(3)


def test_facts_are_stated():
    for name, combiner in COMBINERS.items():
        assert combiner.name == name
        assert combiner.summary
        assert combiner.produces in ("labels", "probabilities", "numbers")
