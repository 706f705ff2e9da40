"""Every method on one data set: the same numbers, and reasons where there are none."""

import importlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.door import scans
from headcount.errors import InputError, OptionError
from headcount.evaluation import Evaluation, Unavailable, evaluate
from headcount.population import study_fits
from headcount.simulate import make

PARTS = (
    "agreement",
    "equivalence",
    "population",
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
    for each in evaluation.classifiers:
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
    for each in evaluation.classifiers:
        assert each.agree.value == pytest.approx(scored[each.name].adjusted.value, abs=1e-12)
        assert each.of_ceiling.value == each.agree.value / evaluation.population.ceiling.value
    slip = evaluation.primary_labels.flip_rate.mean
    assert hc.population(data[0], flip_rate=slip, **sampling) == evaluation.population


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
    assert f"{best.worth.value:.1f} raters" in said
    assert f"{100 * best.agree.value:.1f} %" in said
    assert f"that is {100 * best.of_ceiling.value:.0f} % (" in said
    assert "of what any classifier could reach" in said
    for line in evaluation.verdict().splitlines():
        assert line.endswith(".")


def test_columns_have_a_row_a_classifier(evaluation: Evaluation) -> None:
    frame = evaluation.to_frame()
    assert frame.num_rows == 3
    assert {"name", "worth", "worth_state", "of_ceiling", "accuracy"} < set(frame.column_names)


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
    judge_ = {each.name: each for each in evaluation.classifiers}["llm_judge"]
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
    assert all(each.reading == "given" for each in found.equivalence.classifiers)
    assert all(each.worth_as_it_stands is None for each in found.classifiers)


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
    assert wrong.classifiers[0].unknown == 7
    assert wrong.classifiers[0].agree.value < drop.classifiers[0].agree.value


@pytest.mark.parametrize("name", ["oracle", "ceiling", "Only", "x (calibrated)", "item"])
def test_any_name_will_do_for_a_classifier(
    data: tuple[hc.Ratings, hc.Predictions], name: str
) -> None:
    table = data[1].table
    frame = pa.table({"id": table["headcount_item"], name: table["llm_judge"]})
    predictions = hc.Predictions.from_frame(frame, item="id")
    found = evaluate(data[0], predictions, n_bootstrap=0)
    other = evaluate(data[0], data[1].select(["llm_judge"]), n_bootstrap=0)
    assert found[name].worth == other["llm_judge"].worth
    assert found[name].agree == other["llm_judge"].agree
    first, *more = found[name].verdict
    assert [first.replace(name, "llm_judge", 1), *more] == list(other["llm_judge"].verdict)
    assert len(found.unchecked()) == len(other.unchecked())


def test_a_part_that_breaks_down_is_contained_and_told(
    data: tuple[hc.Ratings, hc.Predictions], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module("headcount.evaluation.evaluate")

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(module, "system_accuracy", broken)
    found = evaluate(*data, n_bootstrap=0)
    assert not found.accuracy
    assert found.accuracy.failed
    assert "ZeroDivisionError: division by zero" in found.accuracy.reason
    assert found["fine_tuned"].worth.value is not None
    assert any("This part failed" in sentence for sentence in found.missing())


def test_pure_chance_is_answered_without_a_failure() -> None:
    rng = np.random.default_rng(51)
    labels = rng.integers(0, 2, 200)
    machines = {name: rng.integers(0, 2, 50) for name in ("a", "b")}
    people = {"item": np.repeat(np.arange(50), 4), "rater": np.tile(np.arange(4), 50)}
    found = evaluate(
        pa.table({**people, "label": labels}), pa.table({"item": np.arange(50), **machines})
    )
    parts = (found.agreement, found.equivalence, found.accuracy, found.scores, found.next_labels)
    assert not any(isinstance(part, Unavailable) and part.failed for part in parts)
    assert "no better than asking nobody" in found.verdict()


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


@pytest.mark.parametrize(
    ("name", "ratings"),
    [("wikipedia-attacks", "counts.csv.gz"), ("sleep-stages", "ratings.csv.gz")],
)
def test_each_file_is_scanned_once_and_one_population_fitted(
    name: str,
    ratings: str,
    shared_data: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    files = [shared_data(name) / file for file in (ratings, "predictions.csv.gz")]
    fitted = []
    whole = study_fits.fit_population
    monkeypatch.setattr(
        study_fits, "fit_population", lambda *given, **how: fitted.append(1) or whole(*given, **how)
    )
    scans.clear()
    found = hc.evaluate(*files, n_bootstrap=20)
    found.report(tmp_path / "report.html")
    assert scans == {str(file): 1 for file in files}
    assert len(fitted) == 1


def test_copied_rows_are_no_retests() -> None:
    """Copies hide second answers that are the same: no flip rate is read from the others."""
    rng = np.random.default_rng(0)
    item, rater = np.repeat(np.arange(400), 3), np.tile(["ann", "ben", "cem"], 400)
    label = rng.choice(["x", "y"], 1200)
    again = np.where(rng.random(1200) < 0.3, "x", label)
    said = pa.table(
        {
            "item": np.tile(item, 2).astype(str),
            "rater": np.tile(rater, 2),
            "label": np.concatenate([label, again]),
        }
    )
    guessed = pa.table({"item": np.arange(400).astype(str), "model": rng.choice(["x", "y"], 400)})
    found = evaluate(said, guessed, n_bootstrap=5).primary_labels
    assert found.flip_rate.method == "none"
    assert "nothing tells a copy from a second answer" in found.flip_rate.notes[0]
