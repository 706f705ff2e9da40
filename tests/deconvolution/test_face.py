"""What a user hands over and gets back: studies, frames, paths; frames, comparison, confidence."""

import pyarrow as pa
import pytest

from headcount.data import Predictions, Study, as_study
from headcount.deconvolution import deconvolve, unanswerable, validate_deconvolution
from headcount.errors import OptionError
from headcount.options import DeconvolutionOptions
from headcount.simulate import make


@pytest.fixture(scope="module")
def comments():
    return make("comments", items=150, retests=0.5, seed=3)


@pytest.fixture(scope="module")
def study(comments):
    return as_study(comments.ratings, comments.predictions)


def test_a_study_brings_its_predictions(comments, study):
    labels = deconvolve(study, n_bootstrap=20)
    own = labels.score()
    assert own == labels.score(comments.predictions) == labels.score(study)
    assert labels.by_level() == labels.by_level(comments.predictions)
    alone = deconvolve(comments.ratings, n_bootstrap=20)
    assert alone.score(study) == own
    assert {score.kind for part in alone.by_level().parts for score in part.scores} == {"oracle"}
    with pytest.raises(OptionError, match="There is nothing to score"):
        alone.score()


def test_frames_and_paths_do_as_well(comments, tmp_path):
    ratings, predictions = comments.write(tmp_path)[:2]
    table = pa.table(comments.prediction_columns)
    from_path = deconvolve(ratings, n_bootstrap=10)
    from_ratings = deconvolve(comments.ratings, n_bootstrap=10)
    assert from_path == from_ratings
    assert from_path.score(predictions) == from_ratings.score(table)


def test_frames_come_back_in_the_library_they_came_in(comments):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(comments.rating_columns)
    labels = deconvolve(frame, flip_rate=0.05, n_bootstrap=0)
    assert isinstance(labels.to_frame(), pandas.DataFrame)
    scores = labels.score(pandas.DataFrame(comments.prediction_columns))
    assert isinstance(scores.to_frame(), pandas.DataFrame)
    assert isinstance(labels.by_level().to_frame(), pandas.DataFrame)
    assert isinstance(labels.draw(2).to_frame(), pandas.DataFrame)


def test_decisions_are_all_that_metrics_of_labels_see(study):
    """Probabilities reduced to decisions give the same scores, in far fewer groups."""
    labels = deconvolve(study, n_bootstrap=10)
    decided = labels.panel.bench(None, None, "error", decisions=True)
    assert not any(each.soft for each in decided.classifiers)
    with_auc = labels.score(scorer=("accuracy", "auc"))
    for name in study.names:
        alone = labels.score()[name].adjusted.value
        assert alone == pytest.approx(with_auc[name, "accuracy"].adjusted.value)


@pytest.mark.parametrize("name", ["oracle", "soft oracle", "most raters' answer", "ceiling"])
def test_no_classifier_name_is_reserved(comments, name):
    columns = comments.prediction_columns
    table = pa.table({"item": columns["item"], name: columns["llm_judge"]})
    labels = deconvolve(comments.ratings, n_bootstrap=10)
    scores = labels.score(Predictions.from_frame(table, item="item"))
    assert scores[name].kind == "classifier"
    assert scores[name].adjusted != scores.oracle_for().adjusted
    split = labels.by_level(Predictions.from_frame(table, item="item"))
    assert [score.kind for score in split.parts[0].scores] == ["classifier", "oracle"]
    assert split.verdict().startswith(name)


def test_another_confidence_comes_from_the_same_draws(study):
    scores = deconvolve(study, n_bootstrap=200).score()
    narrow = scores.with_confidence(0.5)
    assert narrow.confidence == 0.5
    for one, other in zip(scores.everyone, narrow.everyone, strict=True):
        assert one.adjusted.value == other.adjusted.value
        assert one.adjusted.low < other.adjusted.low <= other.adjusted.value
    assert deconvolve(study, n_bootstrap=200, confidence=0.5).score() == narrow
    labels = deconvolve(study, n_bootstrap=200).with_confidence(0.5)
    assert labels.score() == narrow


def test_results_are_short_in_a_session_and_their_tables_have_ids(study):
    labels = deconvolve(study, n_bootstrap=10)
    results = (labels, labels.score(), labels.by_level(), validate_deconvolution(study))
    for result in results:
        assert len(repr(result).splitlines()) <= 10
        assert all(table.id for table in result.tables())


def test_what_the_data_cannot_answer_is_said_beforehand(comments):
    once = Study(make("comments", items=40, retests=0.0, seed=1).ratings)
    assert "Nobody was asked twice" in unanswerable(once, DeconvolutionOptions(flip_rate="retest"))
    assert "No item has 99" in unanswerable(once, DeconvolutionOptions(min_ratings=99))
    assert unanswerable(comments.ratings, DeconvolutionOptions(flip_rate="retest")) is None


def test_no_sentence_takes_the_oracle_for_a_ceiling(study):
    labels = deconvolve(study, n_bootstrap=10)
    for result in (labels, labels.score(), labels.by_level(), labels.oracle("f1")):
        text = result.summary()
        assert "any classifier could" not in text
        assert "no classifier could" not in text
        assert "picked by the very labels it is scored on" in text
