"""Every recipe keeps the grammar, and what it draws has the truth it claims."""

import csv
from dataclasses import fields

import numpy as np
import pytest

from headcount.data import Predictions, Ratings, judge
from headcount.errors import HeadcountError, OptionError
from headcount.simulate import RECIPES, Simulated, make, recipe
from headcount.simulate.crowd import Crowd, assign, draw_labels, slip

EVERY = pytest.mark.parametrize("name", RECIPES)


def _same(left: Simulated, right: Simulated) -> bool:
    tables = ("rating_columns", "prediction_columns", "truth")
    return all(
        list(getattr(left, table)) == list(getattr(right, table))
        and all(
            np.array_equal(column, getattr(right, table)[name])
            for name, column in getattr(left, table).items()
        )
        for table in tables
    )


@EVERY
def test_equal_seeds_give_equal_data_and_others_do_not(name):
    assert _same(make(name, seed=5), make(name, seed=5))
    assert not _same(make(name, seed=5), make(name, seed=6))


@EVERY
def test_a_recipe_says_what_it_is(name):
    kind = RECIPES[name]
    assert kind.name == name
    assert kind.about
    assert all(setting.help for setting in kind.settings())
    assert len(kind.settings()) == len(fields(kind))


@EVERY
def test_columns_have_equal_lengths_and_join_by_item(name):
    data = make(name, seed=1)
    for columns in (data.rating_columns, data.prediction_columns, data.truth):
        assert len({len(column) for column in columns.values()}) <= 1
    rated = set(data.rating_columns["item"].tolist())
    assert rated == set(data.truth["item"].tolist())
    if data.prediction_columns:
        assert rated == set(data.prediction_columns["item"].tolist())


@EVERY
def test_soft_predictions_are_probabilities(name):
    columns = make(name, seed=2).prediction_columns
    by_classifier: dict[str, list[np.ndarray]] = {}
    for column, values in columns.items():
        if ":" in column:
            by_classifier.setdefault(column.split(":")[0], []).append(values)
    for values in by_classifier.values():
        table = np.column_stack(values)
        assert table.min() >= 0
        assert table.max() <= 1
        if table.shape[1] > 1:
            np.testing.assert_allclose(table.sum(axis=1), 1, atol=1e-9)


@EVERY
def test_written_files_hold_the_same_rows(name, tmp_path):
    data = make(name, seed=3)
    paths = data.write(tmp_path / "new" / "folder")
    assert paths[0].name == "ratings.csv"
    with paths[0].open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == list(data.rating_columns)
    assert [row[2] for row in rows] == data.rating_columns["label"].tolist()


def test_a_folder_that_cannot_be_written_to_gives_a_sentence(tmp_path):
    (tmp_path / "taken").write_text("a file, not a folder")
    with pytest.raises(HeadcountError, match=r"cannot be written to .* name another"):
        make("mixture", items=3).write(tmp_path / "taken")


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("nothing", {}, "There is no recipe 'nothing': choose one of comments"),
        ("mixture", {"colour": 1}, "'mixture' has no option 'colour': it takes items, raters"),
        ("mixture", {"items": 0}, "items is a whole number of at least 1; it was 0"),
        ("mixture", {"items": 2.5}, "items is a whole number of at least 1; it was 2.5"),
        ("mixture", {"items": True}, "items is a whole number of at least 1; it was True"),
        ("mixture", {"items": "many"}, "items is a number; it was 'many'"),
        ("mixture", {"most": 99}, "most is a whole number from 3 to 30; it was 99"),
        ("mixture", {"slip": 1.5}, "slip is a number from 0 to 1; it was 1.5"),
        ("mixture", {"soft": (2.0,)}, "the quality of a classifier is a number from 0 to 1"),
        ("mixture", {"weights": (0.5, 0.6)}, "weights holds probabilities that sum to 1"),
        ("mixture", {"weights": ("a",)}, "weights holds probabilities that sum to 1"),
        ("mixture", {"weights": (0.5, 0.5)}, "distributions needs one for each of the 2 weights"),
        ("mixture", {"labels": ("a", "b", "c")}, "needs 3 probabilities, one a label"),
        ("mixture", {"labels": ("a", "a")}, "labels lists different names"),
        ("mixture", {"labels": ("a",)}, "labels needs at least two names"),
        ("scores", {"error": -1}, "error is a number of at least 0; it was -1"),
        ("divided", {"minority": "half"}, "minority is a number; it was 'half'"),
    ],
)
def test_bad_options_get_one_sentence(name, options, sentence):
    with pytest.raises(OptionError, match=sentence):
        recipe(name, **options)


def test_a_bad_seed_gets_one_sentence():
    with pytest.raises(OptionError, match="seed is a whole number of at least 0; it was -1"):
        make("comments", seed=-1)


def test_options_given_as_text_are_read_like_the_defaults():
    written = recipe(
        "mixture",
        items="20",
        slip="0.1",
        labels="x, y",
        weights="0.4,0.6",
        distributions="0.8/0.2,0.1/0.9",
    )
    meant = recipe(
        "mixture",
        items=20,
        slip=0.1,
        labels=("x", "y"),
        weights=(0.4, 0.6),
        distributions=((0.8, 0.2), (0.1, 0.9)),
    )
    assert written == meant


def test_running_example_against_theory():
    """Shares of kinds, positives and answers of a large draw, within five standard errors."""
    data = make("running-example", items=40_000, raters=4, seed=11)
    n = 40_000
    kind = data.truth["kind"]
    for code, share in ((1, 0.7), (2, 0.1), (3, 0.2)):
        assert abs((kind == code).mean() - share) < 5 * np.sqrt(share * (1 - share) / n)
    positive = (data.rating_columns["label"] == "pos").reshape(n, 4).mean(axis=1)
    for code, share in ((1, 0.8), (2, 0.5), (3, 0.1)):
        cell = positive[kind == code]
        assert abs(cell.mean() - share) < 5 * np.sqrt(share * (1 - share) / (4 * cell.size))
    says = data.prediction_columns["hard"] == "pos"
    for code, share in ((1, 0.9), (2, 0.5), (3, 0.05)):
        cell = says[kind == code]
        assert abs(cell.mean() - share) < 5 * np.sqrt(share * (1 - share) / cell.size)
    soft = data.prediction_columns["calibrated:pos"]
    assert set(np.round(soft[says], 2)) == {0.77}
    assert set(np.round(soft[~says], 2)) == {0.32}


def test_retests_differ_as_often_as_the_slip_rate_implies_against_theory():
    """Two answers from one view differ with chance 1 − (1−s)² − s²/(L−1)."""
    s, L = 0.2, 3
    data = make(
        "mixture",
        items=4000,
        labels=("a", "b", "c"),
        weights=(1.0,),
        distributions=((0.5, 0.3, 0.2),),
        retests=0.5,
        slip=s,
        seed=4,
    )
    answers: dict[tuple[str, str], list[str]] = {}
    columns = data.rating_columns
    for item, rater, label in zip(columns["item"], columns["rater"], columns["label"], strict=True):
        answers.setdefault((item, rater), []).append(label)
    pairs = [said for said in answers.values() if len(said) == 2]
    assert abs(len(pairs) / len(answers) - 0.5) < 0.02
    differ = np.mean([first != second for first, second in pairs])
    expected = 1 - (1 - s) ** 2 - s**2 / (L - 1)
    assert abs(differ - expected) < 5 * np.sqrt(expected * (1 - expected) / len(pairs))


@pytest.mark.parametrize("quality", [0.0, 0.5, 1.0])
def test_soft_classifiers_are_calibrated_against_theory(quality):
    """Among items given probability p, people say yes p of the time."""
    data = make("mixture", items=20_000, soft=(quality,), seed=9)
    said = data.prediction_columns["soft_1:yes"]
    true = data.truth["share:yes"]
    for value in np.unique(said):
        cell = true[said == value]
        assert abs(cell.mean() - value) < 5 * true.std() / np.sqrt(cell.size) + 1e-6


def test_scores_model_is_calibrated_and_levels_are_used_evenly_against_theory():
    data = make("scores", items=20_000, raters=3, least=1, most=1, severity=0.0, seed=2)
    used = np.unique(data.rating_columns["label"], return_counts=True)[1] / 20_000
    np.testing.assert_allclose(used, 0.2, atol=0.015)
    said = data.prediction_columns["model:5"]
    true = data.truth["share:5"]
    band = np.digitize(said, np.quantile(said, [0.2, 0.4, 0.6, 0.8]))
    for code in range(5):
        assert abs(true[band == code].mean() - said[band == code].mean()) < 0.02


def test_scores_without_any_noise_are_the_same_from_everyone():
    data = make("scores", items=50, severity=0.0, error=0.0, seed=0)
    by_item: dict[str, set[str]] = {}
    for item, label in zip(data.rating_columns["item"], data.rating_columns["label"], strict=True):
        by_item.setdefault(item, set()).add(label)
    assert all(len(labels) == 1 for labels in by_item.values())
    assert data.truth["share:3"].max() == 1


def test_no_rater_rates_an_item_twice_unless_asked_again():
    rng = np.random.default_rng(0)
    item, rater = assign(rng, np.array([3, 1, 5]), np.array([1.0, 5.0, 1.0, 1.0, 0.1]))
    assert item.tolist() == [0, 0, 0, 1, 2, 2, 2, 2, 2]
    assert len(set(zip(item.tolist(), rater.tolist(), strict=True))) == len(item)


def test_busy_raters_do_more_of_the_work():
    rng = np.random.default_rng(0)
    _, rater = assign(rng, np.ones(8000, dtype=np.int64), np.array([1.0, 3.0]))
    assert abs((rater == 1).mean() - 0.75) < 0.025


def test_slips_go_to_every_other_label_evenly():
    rng = np.random.default_rng(1)
    given = slip(rng, np.zeros(30_000, dtype=np.int64), 0.4, 5)
    shares = np.bincount(given, minlength=5) / 30_000
    np.testing.assert_allclose(shares, [0.6, 0.1, 0.1, 0.1, 0.1], atol=0.015)


def test_labels_are_drawn_with_their_chances():
    chances = np.tile([0.0, 0.25, 0.75, 0.0], (20_000, 1))
    shares = np.bincount(draw_labels(np.random.default_rng(2), chances), minlength=4) / 20_000
    np.testing.assert_allclose(shares, [0, 0.25, 0.75, 0], atol=0.015)


def test_careless_raters_answer_by_habit():
    crowd = Crowd(np.ones(2), np.array([0.0, 1.0]), np.array([[0.5, 0.5], [0.0, 1.0]]))
    item = np.arange(200)
    rater = np.tile([0, 1], 100)
    replies = crowd.ask(np.random.default_rng(3), item, rater, np.tile([1.0, 0.0], (200, 1)))
    assert set(replies.label[replies.rater == 0]) == {0}
    assert set(replies.label[replies.rater == 1]) == {1}


def test_groups_see_divided_items_differently():
    data = make("divided", items=2000, slip=0.0, seed=1)
    apart = data.truth["seen_differently"] == 1
    assert abs(apart.mean() - 0.4) < 0.05
    same = data.truth["offensive:majority"] == data.truth["offensive:minority"]
    assert same[~apart].all()
    assert not same[apart].all()


def test_facts_of_a_careful_crowd_against_a_large_draw():
    data = make("mixture", items=30_000, least=2, most=2, slip=0.1, seed=8)
    labels = data.rating_columns["label"].reshape(-1, 2)
    agree = (labels[:, 0] == labels[:, 1]).mean()
    assert abs(agree - data.facts["percent_agreement"]) < 0.015


@EVERY
def test_ratings_and_predictions_are_read_as_they_were_written(name, tmp_path):
    data = make(name, seed=4)
    data.write(tmp_path)
    order = data.labels if data.ordered else None
    read = Ratings.read(tmp_path / "ratings.csv", order=order)
    held = data.ratings
    assert read.labels == held.labels
    np.testing.assert_array_equal(read.item_counts().counts, held.item_counts().counts)
    assert read.n_retests == held.n_retests
    if data.prediction_columns:
        written = Predictions.read(tmp_path / "predictions.csv")
        judged = judge(read, written)
        assert judged.n_items == held.n_items
        assert written.names == data.predictions.names


def test_a_recipe_without_classifiers_says_so():
    with pytest.raises(HeadcountError, match="simulates ratings only"):
        _ = make("mixture", items=5, hard=(), soft=()).predictions


@pytest.mark.parametrize("k", [0, 1, 4])
def test_models_of_comments_are_calibrated_against_theory(k):
    """Among comments with one prediction, the raters say toxic as often as predicted."""
    data = make("comments", items=6000, good=k, careless=0.2, slip=0.1, retests=0.0, seed=k)
    said = data.prediction_columns["fine_tuned:toxic"]
    items = {name: row for row, name in enumerate(data.prediction_columns["item"].tolist())}
    row = np.array([items[name] for name in data.rating_columns["item"].tolist()])
    toxic = data.rating_columns["label"] == "toxic"
    for low, high in ((0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.0)):
        band = (said[row] >= low) & (said[row] < high)
        if band.sum() > 2000:
            assert abs(toxic[band].mean() - said[row][band].mean()) < 0.03


def test_models_of_comments_score_like_that_many_raters_against_theory():
    """A model that knows k raters predicts as well as k raters do, in expected log score."""
    from headcount.simulate.comments import KINDS, SHAPES, next_rater

    rng = np.random.default_rng(0)
    n, k = 60_000, 3
    shares = rng.beta(*SHAPES[rng.choice(3, size=n, p=KINDS)].T)
    said = rng.binomial(k, shares)
    crowd = Crowd.plain(5, 2)
    chance = next_rater(said, k, crowd)
    by_data = np.array([shares[said == y].mean() for y in range(k + 1)])
    np.testing.assert_allclose(by_data, next_rater(np.arange(k + 1), k, crowd), atol=0.01)
    assert abs(chance.mean() - shares.mean()) < 0.005
