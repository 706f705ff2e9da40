"""Where flip rates come from: retests, matrix factorisation, a number, a column, a file."""

import sys

import numpy as np
import pyarrow as pa
import pytest

from headcount.data import Predictions, Ratings
from headcount.deconvolution import deconvolve
from headcount.deconvolution.svd import factorise
from headcount.errors import InputError, MissingExtraError, OptionError, UnanswerableError


def people(
    n: int = 150, raters: int = 6, slip: float = 0.1, retests: bool = False, seed: int = 0
) -> Ratings:
    """Two camps of raters who see half of the items the opposite way, and slips."""
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 2, n)
    contested = rng.random(n) < 0.5
    camp = np.arange(raters) % 2
    held = np.where(contested[:, None] & (camp == 1), 1 - base[:, None], base[:, None])
    answers = [np.where(rng.random(held.shape) < slip, 1 - held, held) for _ in range(2)]
    item, rater = np.indices(held.shape)
    times = 2 if retests else 1
    frame = pa.table(
        {
            "item": [f"i{code:04d}" for code in np.tile(item.ravel(), times)],
            "rater": [f"r{code}" for code in np.tile(rater.ravel(), times)],
            "label": np.concatenate([each.ravel() for each in answers[:times]]).astype(str),
            "occasion": np.repeat(np.arange(times), held.size),
        }
    )
    return Ratings.from_frame(frame)


@pytest.fixture
def without_surprise(monkeypatch):
    """As if scikit-surprise were not installed."""
    monkeypatch.setitem(sys.modules, "surprise", None)


def test_repeats_without_an_occasion_tell_no_flip_rate():
    rows = pa.table({"item": list("aabb"), "rater": list("rrrr"), "label": list("xxxy")})
    ratings = Ratings.from_frame(rows)
    assert (ratings.n_copies, ratings.n_retests) == (1, 1)
    with pytest.raises(UnanswerableError, match="--occasion"):
        deconvolve(ratings, flip_rate="retest", n_bootstrap=0)


def test_auto_takes_retests_where_they_suffice():
    rates = deconvolve(people(700, retests=True), method="paper", n_bootstrap=0).flip_rate
    assert rates.method == "retest"
    assert len(rates.strata) >= 4
    assert all(row.items_with_evidence >= 100 for row in rates.strata)
    assert rates.mean == pytest.approx(0.1, abs=0.02)


def test_auto_says_when_retests_fill_fewer_strata_than_advised():
    rates = deconvolve(people(150, retests=True), method="paper", n_bootstrap=0).flip_rate
    assert rates.method == "retest"
    assert rates.notes[0].startswith("Retests fill 1 stratum of 100 items; the advice is 4")


def test_auto_takes_svd_where_retests_do_not_suffice():
    pytest.importorskip("surprise", reason="the extra svd is not installed")
    some = deconvolve(people(60, retests=True), n_bootstrap=0).flip_rate
    assert some.method == "svd"
    assert "do not fill a stratum" in some.notes[0]
    none = deconvolve(people(60), n_bootstrap=0).flip_rate
    assert none.method == "svd"
    assert none.notes[0].startswith("Nobody was asked twice")


@pytest.mark.usefixtures("without_surprise")
def test_auto_without_svd_takes_the_retests_there_are():
    rates = deconvolve(people(60, retests=True), n_bootstrap=0).flip_rate
    assert rates.method == "retest"
    assert "headcount[svd]" in rates.notes[0]
    assert "few as they are" in rates.notes[0]


@pytest.mark.usefixtures("without_surprise")
def test_auto_without_anything_is_raw_and_warns():
    labels = deconvolve(people(60), n_bootstrap=0)
    assert labels.flip_rate.method == "none"
    assert labels.flip_rate.mean == 0
    assert labels.oracle().adjusted.value == labels.oracle().raw.value
    assert "No flip rate could be estimated" in labels.summary()
    assert "no flip rate is known" in labels.verdict()
    assert labels.to_dict()["flip_rate"]["method"] == "none"


@pytest.mark.usefixtures("without_surprise")
def test_svd_without_surprise_says_what_to_install():
    with pytest.raises(MissingExtraError, match=r"scikit-surprise.*pip install 'headcount\[svd\]'"):
        deconvolve(people(60), flip_rate="svd")


def test_svd_finds_slips_of_raters_in_camps_and_repeats_by_seed():
    pytest.importorskip("surprise", reason="the extra svd is not installed")
    ratings = people(400, raters=8, slip=0.1)
    first = deconvolve(ratings, flip_rate="svd", n_bootstrap=0, seed=1)
    again = deconvolve(ratings, flip_rate="svd", n_bootstrap=0, seed=1)
    assert first.flip_rate.to_dict() == again.flip_rate.to_dict()
    # The training error is the paper's estimate, and an optimistic one.
    assert 0.03 < first.flip_rate.mean < 0.12
    facts = first.to_dict()["flip_rate"]
    assert facts["validation_accuracy"] > facts["majority_accuracy"] + 0.1
    other = deconvolve(ratings, flip_rate="svd", n_bootstrap=0, seed=2)
    assert other.flip_rate.to_dict() != first.flip_rate.to_dict()


def test_svd_reports_its_progress_and_does_not_see_label_order():
    pytest.importorskip("surprise", reason="the extra svd is not installed")
    rng = np.random.default_rng(0)
    item, rater = (each.ravel() for each in np.indices((40, 6)))
    label = np.where(rng.random(240) < 0.3, rng.integers(0, 3, 240), item % 3)
    steps = []

    def progress(iterable, *, total, description):
        steps.append((total, description))
        return iterable

    def rates(names):
        frame = pa.table(
            {"item": item.astype(str), "rater": rater.astype(str), "label": names[label]}
        )
        answers = Ratings.from_frame(frame).answers()
        return factorise(answers, 3, seed=0, progress=progress)

    plain, turned = rates(np.array(["a", "b", "c"])), rates(np.array(["c", "a", "b"]))
    np.testing.assert_array_equal(plain.trials.events, turned.trials.events)
    assert plain.validation_accuracy == turned.validation_accuracy
    assert steps == [(9, "Fitting matrix factorisations")] * 2


def test_a_model_that_does_not_tell_raters_apart_is_doubted():
    pytest.importorskip("surprise", reason="the extra svd is not installed")
    # Opinions are each rater's own here: nothing about a rater tells what the next one is.
    rng = np.random.default_rng(0)
    item, rater = (each.ravel() for each in np.indices((300, 8)))
    label = (rng.random(2400) < np.repeat(rng.beta(1, 1, 300), 8)).astype(int).astype(str)
    frame = pa.table({"item": item.astype(str), "rater": rater.astype(str), "label": label})
    rates = deconvolve(Ratings.from_frame(frame), flip_rate="svd", n_bootstrap=0).flip_rate
    assert "may be far too high" in rates.notes[-1]
    camps = deconvolve(people(400, raters=8), flip_rate="svd", n_bootstrap=0).flip_rate
    assert "may be far too high" not in camps.notes[-1]


def test_svd_needs_names_and_enough_ratings():
    pytest.importorskip("surprise", reason="the extra svd is not installed")
    counts = Ratings.from_counts([[3, 1], [2, 2]], labels=["no", "yes"])
    with pytest.raises(UnanswerableError, match="does not say who gave which label"):
        deconvolve(counts, flip_rate="svd")
    with pytest.raises(UnanswerableError, match="too few for matrix factorisation"):
        deconvolve(people(6), flip_rate="svd")


def test_retests_that_are_not_there_are_missed_in_a_sentence():
    with pytest.raises(UnanswerableError, match="Nobody was asked twice"):
        deconvolve(people(20), flip_rate="retest")


def test_a_given_rate_is_used_for_every_item_or_by_item():
    ratings = people(30)
    assert set(deconvolve(ratings, flip_rate=0.07, n_bootstrap=0).flip_rate.rate) == {0.07}
    by_item = {f"i{code:04d}": code / 100 for code in range(30)}
    labels = deconvolve(ratings, flip_rate=by_item, n_bootstrap=0)
    np.testing.assert_allclose(labels.flip_rate.rate, np.arange(30) / 100)
    as_array = deconvolve(ratings, flip_rate=np.arange(30) / 100, n_bootstrap=0)
    np.testing.assert_allclose(as_array.primary, labels.primary)
    assert labels.oracle().oracle_for().bound_low is None


def with_column(rates: list[object]) -> Ratings:
    return Ratings.from_frame(
        pa.table(
            {
                "item": ["a", "a", "b", "b"],
                "rater": ["1", "2", "1", "2"],
                "label": ["x", "y", "x", "x"],
                "slips": rates,
            }
        )
    )


def test_a_rate_for_each_item_from_a_column_or_a_file(tmp_path):
    from_column = deconvolve(with_column([0.1, 0.1, 0.2, 0.2]), flip_rate="slips", n_bootstrap=0)
    assert from_column.flip_rate.rate.tolist() == [0.1, 0.2]
    file = tmp_path / "rates.csv"
    file.write_text("item,flip_rate\nb,0.3\na,0.4\n")
    ratings = Ratings.from_counts(pa.table({"item": ["a", "b"], "x": [2, 1], "y": [0, 3]}))
    from_file = deconvolve(ratings, flip_rate=str(file), n_bootstrap=0)
    assert from_file.flip_rate.rate.tolist() == [0.4, 0.3]
    file.write_text("item,what,else\nb,0.3,1\na,0.4,1\n")
    with pytest.raises(InputError, match="no column 'flip_rate'"):
        deconvolve(ratings, flip_rate=str(file))


def test_rates_in_a_column_that_make_no_sense_are_refused():
    with pytest.raises(InputError, match="different flip rates for item 'a'"):
        deconvolve(with_column([0.1, 0.3, 0.2, 0.2]), flip_rate="slips")
    with pytest.raises(InputError, match="no number for item 'b'"):
        deconvolve(with_column([0.1, 0.1, 0.2, None]), flip_rate="slips")


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ("nonsense", "flip_rate is .* it was 'nonsense'"),
        (1.5, "a chance from 0 to 1; it was 1.5"),
        (float("nan"), "a chance from 0 to 1"),
        ([0.1, 0.2], "a rate for each item: 30 numbers"),
        ({"i0000": 0.1}, "no rate for 29 rated items, such as 'i0001'"),
        (["x"] * 30, "a rate for each item"),
        ([0.1] * 29 + [-1], "it was -1.0 for item 'i0029'"),
    ],
)
def test_flip_rates_that_cannot_be_are_refused_in_a_sentence(wrong, sentence):
    with pytest.raises(OptionError, match=sentence):
        deconvolve(people(30), flip_rate=wrong)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"formula": "three"}, "formula is"),
        ({"repeats": "last"}, "repeats is"),
        ({"weigh_by": "raters"}, "weigh_by is"),
        ({"min_ratings": 0}, "min_ratings is"),
        ({"n_bootstrap": -1}, "n_bootstrap is"),
        ({"strata": "many"}, "strata is"),
        ({"group_weights": {"a": 1}}, "needs ratings with a column of groups"),
    ],
)
def test_options_that_cannot_be_are_refused_in_a_sentence(options, sentence):
    with pytest.raises(OptionError, match=sentence):
        deconvolve(people(30, retests=True), **{"flip_rate": "retest", **options})


def test_too_high_a_demand_on_ratings_says_what_there_is():
    with pytest.raises(UnanswerableError, match=r"No item has 7 ratings \(the most is 6\)"):
        deconvolve(people(30), flip_rate=0.1, min_ratings=7)


def test_repeated_answers_can_count_too():
    ratings = people(40, retests=True)
    first = deconvolve(ratings, flip_rate=0.0, n_bootstrap=0)
    everything = deconvolve(ratings, flip_rate=0.0, repeats="all", n_bootstrap=0)
    assert first.panel.votes.answers.tolist() == [6] * 40
    assert everything.panel.votes.answers.tolist() == [12] * 40
    assert "Every answer counts" in everything.summary()


def test_data_too_large_to_model_unasked_is_left_raw(monkeypatch):
    monkeypatch.setattr("headcount.counting.size.MATRIX_FITTED", 100)
    rates = deconvolve(people(60), n_bootstrap=0).flip_rate
    assert rates.method == "none"
    assert "only when asked for" in rates.notes[0]


def test_bounds_are_in_order_and_hold_the_adjusted_score():
    labels = deconvolve(people(300, retests=True), flip_rate="retest", n_bootstrap=0)
    scorers = ("accuracy", "precision", "recall", "f1", "auc", "cross_entropy")
    for score in labels.oracle(scorers, soft=True).oracle:
        assert score.bound_low < score.bound_high
        assert score.bound_low <= score.adjusted.value <= score.bound_high
    for row in labels.flip_rate.strata:
        assert row.rate_low <= row.rate <= row.rate_high


def test_items_without_predictions_still_tell_of_slips():
    ratings = people(300, retests=True)
    labels = deconvolve(ratings, flip_rate="retest", strata=1, n_bootstrap=50)
    some = pa.table({"item": [f"i{code:04d}" for code in range(40)], "model": ["1"] * 40})
    scores = labels.score(Predictions.from_frame(some))
    assert (scores.items_used, scores.items_dropped) == (40, 260)
    assert scores.flips is labels.flip_rate
    assert scores.oracle_for().raw.value == pytest.approx(labels.shares[:40].max(axis=1).mean())
    rate = labels.flip_rate.mean
    held = (labels.shares[:40, 1].mean() - rate) / (1 - 2 * rate)
    assert scores["model"].adjusted.value == pytest.approx(held)
    assert scores["model"].adjusted.low < held < scores["model"].adjusted.high
