"""Every method on one data set: the same numbers, and reasons where there are none."""

import json

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.data import judge
from headcount.errors import InputError, OptionError
from headcount.evaluation import Evaluation, Unavailable, evaluate
from headcount.evaluation.decisions import decisions
from headcount.simulate import make

PARTS = (
    "agreement",
    "equivalence",
    "accuracy",
    "primary_labels",
    "scores",
    "levels",
    "next_labels",
)
FEW = 40


def test_every_part_is_there(evaluation: Evaluation) -> None:
    assert evaluation.unavailable() == {}
    assert evaluation.missing() == ()
    for part in PARTS:
        assert getattr(evaluation, part)


def test_parts_are_what_each_method_says_on_its_own(
    data: tuple[hc.Ratings, hc.Predictions], evaluation: Evaluation
) -> None:
    sampling = {"n_bootstrap": FEW, "seed": 5}
    assert hc.agreement(data[0], **sampling).to_dict() == evaluation.agreement.to_dict()
    worth = hc.survey_equivalence(*data, **sampling)
    assert worth == evaluation.equivalence
    for each in evaluation.standings:
        assert each.worth == worth[each.name].worth
        assert each.worth_as_it_stands == worth[each.name].as_it_stands
        assert (
            worth[each.name].sentences()
            == evaluation.verdicts()[each.name][: len(worth[each.name].sentences())]
        )
    accuracy = hc.system_accuracy(*data, **sampling)
    assert accuracy.to_dict() == evaluation.accuracy.to_dict()
    labels = hc.deconvolve(data[0], flip_rate="retest", **sampling)
    scored = labels.score(data[1])
    for each in evaluation.standings:
        assert each.agree.value == pytest.approx(scored[each.name].adjusted.value, abs=1e-12)
        assert each.of_oracle.value == pytest.approx(scored[each.name].of_oracle.value, abs=1e-12)


def test_decisions_of_soft_classifiers_score_as_the_classifiers_themselves(
    data: tuple[hc.Ratings, hc.Predictions],
) -> None:
    judged = judge(*data)
    hard = judge(data[0], decisions(judged))
    for soft, decided in zip(judged.classifiers, hard.classifiers, strict=True):
        assert np.array_equal(soft.top(), decided.top())


def test_json_is_safe_and_complete_and_the_same_twice(
    data: tuple[hc.Ratings, hc.Predictions], evaluation: Evaluation
) -> None:
    text = json.dumps(evaluation.to_dict(), allow_nan=False)
    found = json.loads(text)
    assert set(PARTS) < set(found)
    assert [each["name"] for each in found["classifiers"]] == list(data[1].names)
    assert found["settings"]["seed"] == 5
    again = evaluate(*data, n_bootstrap=FEW, seed=5)
    assert json.dumps(again.to_dict(), allow_nan=False) == text


def test_verdicts_stand_best_first_and_say_the_numbers(evaluation: Evaluation) -> None:
    verdicts = evaluation.verdicts()
    assert next(iter(verdicts)) == "fine_tuned"
    best = evaluation.best_first()[0]
    said = " ".join(verdicts["fine_tuned"])
    assert f"{best.worth.value:.2f} raters" in said
    assert f"{100 * best.agree.value:.1f} %" in said
    assert f"{100 * best.of_oracle.value:.0f} % of what any classifier could reach" in said
    for line in evaluation.verdict().splitlines():
        assert line.endswith(".")


def test_columns_have_a_row_a_classifier(evaluation: Evaluation) -> None:
    frame = evaluation.to_frame()
    assert frame.num_rows == 3
    assert {"classifier", "worth", "worth_state", "of_oracle", "accuracy"} < set(frame.column_names)


def test_the_short_markdown_fits_a_comment_and_escapes_names(
    data: tuple[hc.Ratings, hc.Predictions],
) -> None:
    table = data[1].table
    renamed = pa.table(
        {"item": table["headcount_item"], "<b>|*x*": table["llm_judge"], "y": table["llm_judge"]}
    )
    found = evaluate(data[0], hc.Predictions.from_frame(renamed), n_bootstrap=0)
    short = found.to_markdown(short=True)
    assert len(short) < 3000
    assert "<b>" not in short
    assert r"\|" in short
    assert len(found.to_markdown()) > len(short)


def test_one_rating_an_item_leaves_reasons_not_holes() -> None:
    items = [str(i) for i in range(30)]
    said = ["x" if i % 3 else "y" for i in range(30)]
    ratings = hc.Ratings.from_frame(pa.table({"item": items, "rater": ["r"] * 30, "label": said}))
    predictions = hc.Predictions.from_frame(pa.table({"item": items, "model": said}))
    found = evaluate(ratings, predictions, n_bootstrap=FEW)
    assert isinstance(found.equivalence, Unavailable)
    assert isinstance(found.next_labels, Unavailable)
    assert found.scores
    assert found.to_dict()["equivalence"] == {"unavailable": found.equivalence.reason}
    assert "There is no answer on how many raters" in found.summary()
    assert "no worth in raters" in found.verdict()
    json.dumps(found.to_dict(), allow_nan=False)


def test_one_classifier_has_nothing_to_be_told_apart_from(
    data: tuple[hc.Ratings, hc.Predictions],
) -> None:
    found = evaluate(data[0], data[1].select(["llm_judge"]), n_bootstrap=FEW)
    assert isinstance(found.next_labels, Unavailable)
    assert found.equivalence
    assert list(found.verdicts()) == ["llm_judge"]


def test_hard_classifiers_are_not_taken_for_certain(
    data: tuple[hc.Ratings, hc.Predictions], evaluation: Evaluation
) -> None:
    judge_ = {each.name: each for each in evaluation.standings}["llm_judge"]
    assert judge_.worth.value is not None
    assert judge_.worth.value > 0.5
    assert judge_.worth_as_it_stands is None
    assert evaluation.equivalence["llm_judge"].reading == "calibrated"
    assert sorted(evaluation.ranked_equivalence().names) == sorted(data[1].names)


def test_scorers_of_decisions_need_no_calibration(
    data: tuple[hc.Ratings, hc.Predictions],
) -> None:
    found = evaluate(*data, combiner="plurality", scorer="agreement", n_bootstrap=FEW)
    assert found.equivalence.names == data[1].names
    assert not found.settings.calibrated
    assert all(each.worth_as_it_stands is None for each in found.standings)


def test_without_retests_labels_are_taken_as_they_are_and_it_is_said() -> None:
    counts = np.array([[9, 1], [8, 2], [1, 9], [5, 5]] * 25)
    ratings = hc.Ratings.from_counts(counts, labels=["no", "yes"])
    frame = pa.table({"item": [str(i) for i in range(100)], "model": [0.1, 0.2, 0.9, 0.4] * 25})
    found = evaluate(ratings, hc.Predictions.from_frame(frame), n_bootstrap=FEW)
    assert found.primary_labels.flip_rate.mean == 0
    assert any("Nobody was asked twice" in note for note in found.scores.unchecked())
    assert any("No slips are set aside" in said for said in found.assumptions())


def test_answers_outside_the_labels_are_settled_once_for_all_parts() -> None:
    made = make("comments", seed=1, items=120)
    ratings = hc.Ratings.from_frame(pa.table(made.rating_columns))
    said = np.array(made.prediction_columns["llm_judge"], dtype=object)
    said[:7] = "I cannot say"
    frame = pa.table({"item": made.prediction_columns["item"], "judge": said})
    predictions = hc.Predictions.from_frame(frame)
    with pytest.raises(InputError, match="7 answers that are not labels"):
        evaluate(ratings, predictions, n_bootstrap=0)
    wrong = evaluate(ratings, predictions, unknown="wrong", n_bootstrap=0)
    drop = evaluate(ratings, predictions, unknown="drop", n_bootstrap=0)
    assert wrong.data.items_judged == 120
    assert drop.data.items_judged == 113
    assert wrong.standings[0].unknown == 7
    assert wrong.standings[0].agree.value < drop.standings[0].agree.value


@pytest.mark.parametrize("name", ["oracle", "ceiling"])
def test_names_that_parts_use_themselves_are_refused(
    data: tuple[hc.Ratings, hc.Predictions], name: str
) -> None:
    table = data[1].table
    frame = pa.table({"item": table["headcount_item"], name: table["llm_judge"]})
    with pytest.raises(InputError, match="needs another name"):
        evaluate(data[0], hc.Predictions.from_frame(frame), n_bootstrap=0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"target": 0.4}, "target is a probability between 0.5 and 1"),
        ({"positive": "nope"}, "nope"),
        ({"scorer": "nope"}, "nope"),
        ({"combiner": "nope"}, "nope"),
        ({"n_bootstrap": -1}, "n_bootstrap"),
        ({"flip_rate": "nope"}, "flip_rate"),
        ({"flip_rate": 2.0}, "flip_rate"),
        ({"max_raters": 0}, "max_raters"),
    ],
)
def test_a_wrong_option_stops_at_once(
    data: tuple[hc.Ratings, hc.Predictions], options: dict, sentence: str
) -> None:
    with pytest.raises(OptionError, match=sentence):
        evaluate(*data, **options)
