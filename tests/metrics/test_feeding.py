"""From classifiers and combiners to what scorers take, and the refusals on the way."""

import warnings

import numpy as np
import pytest
from sklearn.metrics import f1_score, make_scorer, roc_auc_score

from headcount.data import Classifier, Labels
from headcount.errors import HeadcountError, OptionError, UnanswerableError
from headcount.metrics import (
    SCORERS,
    caution,
    check_combination,
    check_scorer,
    fits,
    prediction_for,
    resolve_scorer,
    rows_for,
    top_labels,
)

TWO = Labels(("no", "yes"))
NUMBERS = Labels(("1", "2", "4"))
COMBINERS = {
    "plurality": "labels",
    "frequency": "probabilities",
    "mean": "numbers",
    "abc": "probabilities",
}
HARD = Classifier("judge", codes=np.array([0, 2, -1]))
SOFT = Classifier("model", probabilities=np.array([[0.5, 0.25, 0.25], [0.2, 0.4, 0.4]]))


def test_each_kind_of_classifier_is_fed_as_the_scorer_takes_it():
    np.testing.assert_array_equal(prediction_for(HARD, SCORERS["f1"], NUMBERS), [0, 2, -1])
    np.testing.assert_array_equal(prediction_for(SOFT, SCORERS["f1"], NUMBERS), [0, 1])
    np.testing.assert_array_equal(
        prediction_for(HARD, SCORERS["brier"], NUMBERS), [[1, 0, 0], [0, 0, 1], [0, 0, 0]]
    )
    assert prediction_for(SOFT, SCORERS["brier"], NUMBERS) is SOFT.probabilities
    np.testing.assert_allclose(prediction_for(SOFT, SCORERS["correlation"], NUMBERS), [2, 2.6])
    answered = HARD.take(np.array([0, 1]))
    np.testing.assert_allclose(prediction_for(answered, SCORERS["correlation"], NUMBERS), [1, 4])


def test_an_answer_without_a_number_is_refused_in_a_sentence():
    with pytest.raises(UnanswerableError, match=r"1 answers of judge .* unknown=\"drop\""):
        prediction_for(HARD, SCORERS["correlation"], NUMBERS)


def test_hard_answers_scored_as_certainties_come_with_a_caution():
    assert "judge gives labels" in caution(HARD, SCORERS["cross_entropy"])
    assert caution(HARD, SCORERS["brier"]) is None
    assert caution(SOFT, SCORERS["cross_entropy"]) is None


def test_ties_for_the_top_label_share_the_row():
    p = np.array([[0.4, 0.4, 0.2], [0.1, 0.1 + 0.2, 0.6], [1 / 3, 1 / 3, 1 - 2 / 3]])
    index, code, share = top_labels(p)
    np.testing.assert_array_equal(index, [0, 0, 1, 2, 2, 2])
    np.testing.assert_array_equal(code, [0, 1, 2, 0, 1, 2])
    np.testing.assert_allclose(share, [0.5, 0.5, 1, 1 / 3, 1 / 3, 1 / 3])
    rows = rows_for(p, "probabilities", SCORERS["agreement"], NUMBERS)
    np.testing.assert_array_equal(rows.prediction, code)


def test_labels_come_as_shares_and_become_certain_rows():
    shares = np.array([[0.5, 0, 0.5], [0, 1, 0]])
    rows = rows_for(shares, "labels", SCORERS["brier"], NUMBERS)
    np.testing.assert_array_equal(rows.prediction, [[1, 0, 0], [0, 0, 1], [0, 1, 0]])
    np.testing.assert_allclose(rows.share, [0.5, 0.5, 1])
    rows = rows_for(shares, "labels", SCORERS["correlation"], NUMBERS)
    np.testing.assert_allclose(rows.prediction, [1, 4, 2])


@pytest.mark.parametrize("gives", ["labels", "probabilities", "numbers"])
@pytest.mark.parametrize("name", SCORERS)
def test_every_combination_that_fits_can_be_fed_and_the_others_are_refused(gives, name):
    scorer = SCORERS[name]
    shares = np.array([[0.5, 0, 0.5], [0, 1, 0]])
    given = {"labels": shares, "probabilities": SOFT.probabilities, "numbers": np.ones(2)}
    if fits(gives, scorer):
        rows = rows_for(given[gives], gives, scorer, NUMBERS)
        expected = (3,) if scorer.takes == "probabilities" else ()
        assert rows.prediction.shape[1:] == expected
        assert np.bincount(rows.index, rows.share) == pytest.approx(1)
    else:
        with pytest.raises(OptionError):
            check_combination("mine", gives, scorer, COMBINERS)


def test_the_refusal_names_what_works():
    with pytest.raises(OptionError) as refusal:
        check_combination("plurality", "labels", SCORERS["cross_entropy"], COMBINERS)
    assert str(refusal.value) == (
        "The combiner 'plurality' gives labels and the scorer 'cross_entropy' takes probabilities: "
        "score plurality with agreement, brier, f1, precision, recall, auc, correlation, dmi, "
        "absolute_error, squared_error, within_one, quadratic_kappa, spearman, "
        "or use cross_entropy with the combiner frequency, abc."
    )
    with pytest.raises(OptionError, match="score mean with correlation, absolute_error, "):
        check_combination("mean", "numbers", SCORERS["agreement"], COMBINERS)


def test_correlation_of_words_is_refused():
    with pytest.raises(OptionError, match="needs labels that are numbers"):
        check_scorer(SCORERS["correlation"], TWO)
    check_scorer(SCORERS["correlation"], NUMBERS)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("aggreement", "did you mean 'agreement'"),
        ("nonsense", "The scorers are agreement"),
        (3, "scorer is a name"),
        (lambda y_true, y_pred: (y_true == y_pred).mean(), "takes no sample_weight"),
        (make_scorer(f1_score), "takes no sample_weight|could not score|cannot be read"),
    ],
)
def test_what_is_no_scorer_is_refused(given, sentence):
    with pytest.raises(HeadcountError, match=sentence):
        resolve_scorer(given)(np.array([0, 1]), np.array([0, 1]), np.ones(2), labels=TWO)


def test_options_for_callables_are_refused_for_named_scorers():
    with pytest.raises(OptionError, match="describe a callable"):
        resolve_scorer("f1", takes="labels")
    with pytest.raises(OptionError, match='takes is "labels"'):
        resolve_scorer(f1_score, takes="words")


def test_a_callable_can_be_told_what_it_is_fed():
    def half_right(y_true, guess, sample_weight):
        return np.average(np.abs(y_true - guess) < 0.5, weights=sample_weight)

    scorer = resolve_scorer(half_right, takes="probabilities", higher_is_better=False)
    assert scorer.name == "neg_half_right"
    p = np.array([[0.2, 0.8], [0.2, 0.8]])
    assert scorer(p, np.array([1, 0]), np.array([3.0, 1.0]), labels=TWO) == pytest.approx(-0.75)


def test_an_undefined_metric_is_nan_not_a_warning_or_a_made_up_zero():
    label = np.array([1, 1])
    p = np.array([[0.2, 0.8], [0.3, 0.7]])
    assert np.isnan(resolve_scorer(roc_auc_score)(p, label, np.ones(2), labels=TWO))
    zeros = np.zeros(2, dtype=int)
    assert np.isnan(resolve_scorer(f1_score)(zeros, zeros, np.ones(2), labels=TWO))


def test_a_metric_that_fails_says_so_in_one_sentence():
    three = Labels(("a", "b", "c"))
    codes = np.array([0, 1, 2])
    with pytest.raises(OptionError, match="The scorer 'f1_score' could not score"):
        resolve_scorer(f1_score)(codes, codes, np.ones(3), labels=three)

    def both(y_true, y_pred, sample_weight):
        return np.array([np.sum(sample_weight), np.mean(y_true == y_pred)])

    with pytest.raises(OptionError, match="gave 2 numbers where one is needed"):
        resolve_scorer(both)(codes, codes, np.ones(3), labels=three)


def test_scorers_resolve_to_themselves():
    scorer = SCORERS["auc"]
    assert resolve_scorer(scorer) is scorer
    with pytest.raises(OptionError, match="the scorer 'auc' knows its own"):
        resolve_scorer(scorer, higher_is_better=False)


def test_numbers_cannot_be_read_as_labels_nor_words_as_numbers():
    with pytest.raises(OptionError, match="numbers cannot be scored by 'f1', which takes labels"):
        rows_for(np.ones(2), "numbers", SCORERS["f1"], NUMBERS)
    with pytest.raises(OptionError, match=r"the labels are not numbers \('no', 'yes'\)"):
        SCORERS["correlation"](np.ones(2), np.array([0, 1]), np.ones(2), labels=TWO)


def test_a_callable_without_readable_arguments_is_refused():
    class Unreadable:
        """Its signature cannot be read."""

        __signature__ = "none"

        def __call__(self, *args, **kwargs):
            return 0.0

    with pytest.raises(OptionError, match="arguments of the scorer 'Unreadable' cannot be read"):
        resolve_scorer(Unreadable())


def test_other_warnings_of_a_metric_are_passed_on():
    def wary(y_true, y_pred, sample_weight):
        warnings.warn("few rows", RuntimeWarning, stacklevel=1)
        return float(np.average(y_true == y_pred, weights=sample_weight))

    codes = np.array([0, 1])
    with pytest.warns(RuntimeWarning, match="few rows"):
        assert resolve_scorer(wary)(codes, codes, np.ones(2), labels=TWO) == 1
    assert np.isnan(resolve_scorer(wary)(codes, codes, np.zeros(2), labels=TWO))
