"""The coefficients against other packages, against their definitions, and at the edges."""

import json
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import headcount as hc
from headcount.agreement.coefficients import Scale, of_patterns
from headcount.agreement.named import NamedRatings
from headcount.errors import OptionError
from headcount.simulate import make

HERE = Path(__file__).parent
REFERENCE = json.loads((HERE / "reference.json").read_text(encoding="utf-8"))
LEVELS = ("interval", "ordinal", "nominal")


def _load_brute():
    spec = spec_from_file_location("agreement_brute", HERE / "brute.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


brute = _load_brute()


def _value(found, key):
    """A coefficient by the name it has in the reference: alpha_ordinal and its like are levels."""
    level = key.removeprefix("alpha_")
    return (found.alpha_by_level[level] if level != key else getattr(found, key)).value


@pytest.mark.parametrize("name", REFERENCE)
def test_coefficients_against_reference(name, shared_data):
    """Frozen values of krippendorff 0.9.0 and irrCAC 0.4.4; freeze_reference.py is the recipe."""
    folder = shared_data(name)
    # These packages pool pairs, as is right where numbers of ratings have nothing to do with items.
    ratings = hc.Ratings.read(next(folder.glob("ratings.csv*")), stopped="random")
    found = hc.agreement(ratings, n_bootstrap=0, contested=0)
    expected = dict(REFERENCE[name])
    assert found.item_agreement == pytest.approx(expected.pop("item_agreement"), abs=1e-12)
    for key, value in expected.items():
        assert _value(found, key) == pytest.approx(value, abs=1e-12), key


def test_alpha_of_the_running_example_against_paper(shared_data):
    ratings = hc.Ratings.read(shared_data("running-example") / "ratings.csv")
    assert round(hc.agreement(ratings).krippendorff_alpha.value, 2) == 0.33


def test_uniform_kappa_against_paper():
    """Ten cases, four raters, four labels, 20 of 60 pairs agree: kappa with chance 1/4 is .111."""
    three_to_one, two_and_two_others = [[3, 1, 0, 0], [0, 0, 3, 1]], [[2, 1, 1, 0], [0, 1, 1, 2]]
    counts = three_to_one * 2 + [[0, 3, 1, 0]] + two_and_two_others * 2 + [[1, 2, 0, 1]]
    ratings = hc.Ratings.from_counts(counts, labels=list("ABCD"))
    found = hc.agreement(ratings, n_bootstrap=0)
    assert found.pairs == 60
    assert found.percent_agreement.value == pytest.approx(20 / 60)
    assert round(found.kappa.value, 3) == 0.111


def _ragged(seed, n_items=7, n_raters=5, n_labels=3):
    rng = np.random.default_rng(seed)
    there = rng.random((n_items, n_raters)) < 0.7
    there[:2, :2] = True
    item, rater = np.nonzero(there)
    return item, rater, rng.integers(0, n_labels, size=len(item))


def _numbers(item, rater, label, n_items, n_raters, n_labels):
    named = NamedRatings(
        item, rater, label, tuple(f"r{r}" for r in range(n_raters)), n_items, n_labels
    )
    counts = np.zeros((n_items, n_labels), dtype=np.int64)
    np.add.at(counts, (item, label), 1)
    return named, counts


@pytest.mark.parametrize("seed", range(8))
def test_coefficients_against_brute_force(seed):
    item, rater, label = _ragged(seed)
    values = np.array([1.0, 2.0, 5.0])
    _, counts = _numbers(item, rater, label, 7, 5, 3)
    found = of_patterns(counts, np.ones((1, 7), dtype=np.int64), Scale(LEVELS, values))
    answers = list(zip(item.tolist(), rater.tolist(), label.tolist(), strict=True))
    _compare(found, 0, answers, values)


@pytest.mark.parametrize("seed", range(8))
def test_alpha_without_each_rater_against_brute_force(seed):
    """Each rater's answers struck out of the file, one rater at a time."""
    item, rater, label = _ragged(seed)
    frame = pa.table({"item": item, "rater": [f"r{r}" for r in rater], "label": label})
    found = hc.agreement(hc.Ratings.from_frame(frame, scale="nominal"), n_bootstrap=20)
    answers = list(zip(item.tolist(), rater.tolist(), label.tolist(), strict=True))
    for each in found.raters_table:
        others = [a for a in answers if f"r{a[1]}" != each.rater]
        comparable = [a for a in others if brute.pairs(others)[a[0]]]
        if each.alpha_without is not None:
            expected = brute.alpha(comparable, [0, 1, 2], "nominal", None)
            assert each.alpha_without == pytest.approx(expected, abs=1e-12)


def _compare(found, row, answers, values):
    labels = [0, 1, 2]
    comparable = [a for a in answers if brute.pairs(answers)[a[0]]]
    if len({label for _, _, label in comparable}) < 2:
        assert np.isnan(found["alpha_nominal"][row])
        return
    expected = {
        "percent_agreement": brute.percent_agreement(answers),
        "kappa": (brute.percent_agreement(answers) - 1 / 3) / (2 / 3),
        "fleiss_kappa": brute.fleiss_kappa(answers, labels),
        "gwet_ac1": brute.gwet_ac1(answers, labels),
        **{f"alpha_{level}": brute.alpha(comparable, labels, level, values) for level in LEVELS},
    }
    for name, value in expected.items():
        assert found[name][row] == pytest.approx(value, abs=1e-12), name


def test_large_values_keep_their_digits():
    """Alpha does not change when the same amount is added to every label."""
    counts = [[3, 1, 0], [0, 2, 2], [1, 0, 3], [4, 0, 0]]
    near = hc.Ratings.from_counts(counts, labels=["0", "1", "2"])
    far = hc.Ratings.from_counts(counts, labels=["1e9", "1000000001", "1000000002"])
    left, right = (hc.agreement(each, n_bootstrap=0).alpha_by_level for each in (near, far))
    assert float(left["interval"]) == pytest.approx(float(right["interval"]), abs=1e-6)
    assert float(left["ordinal"]) == pytest.approx(float(right["ordinal"]), abs=1e-12)


def _of(counts, labels=("a", "b", "c")):
    return hc.agreement(hc.Ratings.from_counts(counts, labels=list(labels)), n_bootstrap=50)


def test_no_pairs_is_said_not_guessed():
    found = _of([[1, 0, 0], [0, 1, 0]])
    for name in ("percent_agreement", "kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1"):
        estimate = getattr(found, name)
        assert estimate.value is None
        assert estimate.note == "no item has two ratings, so there is nothing to compare"
    assert found.verdict().startswith("Agreement cannot be measured: no item has two ratings")
    assert found.contested == ()


def test_one_label_only():
    """Everyone says the same: agreement is full, but nothing can be had beyond chance."""
    found = _of([[3, 0, 0], [2, 0, 0]])
    assert found.percent_agreement.value == 1
    assert found.kappa.value == 1
    assert found.gwet_ac1.value == 1
    for estimate in (found.fleiss_kappa, found.krippendorff_alpha):
        assert estimate.value is None
        assert "every rating is the same label" in estimate.note
    assert "undefined: every rating is the same label" in found.verdict()


def test_one_label_in_the_whole_task():
    found = _of([[3], [2]], labels=["yes"])
    assert found.percent_agreement.value == 1
    for name in ("kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1"):
        estimate = getattr(found, name)
        assert estimate.value is None
        assert "only one label to choose" in estimate.note


def test_a_single_item_has_values_but_no_interval():
    """One divided item has as much disagreement as chance would: alpha is 0 by definition."""
    found = _of([[2, 2, 0]])
    assert found.krippendorff_alpha.value == pytest.approx(0, abs=1e-12)
    assert found.krippendorff_alpha.low is None
    assert found.krippendorff_alpha.note == "one item only, so no interval"


def test_draws_without_a_value_are_counted():
    """Of two items one has a lone rating: samples that miss the other have nothing to compare."""
    found = _of([[2, 1, 0], [1, 0, 0], [0, 2, 0]])
    assert "of 50 bootstrap samples gave no value" in found.percent_agreement.note
    assert 0 <= found.percent_agreement.low <= found.percent_agreement.high <= 1


def test_perfect_agreement_is_one():
    found = _of([[3, 0, 0], [0, 3, 0], [0, 0, 2]])
    for name in ("percent_agreement", "kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1"):
        assert getattr(found, name).value == pytest.approx(1)


def test_no_intervals_on_request():
    found = hc.agreement(hc.Ratings.from_counts([[2, 1], [0, 3]], labels=["a", "b"]), n_bootstrap=0)
    assert found.percent_agreement.low is None
    assert found.percent_agreement.value is not None


def test_equal_seeds_give_equal_intervals():
    ratings = make("mixture", items=60, seed=2).ratings
    for two_way in (False, True):
        first, second, other = (
            hc.agreement(ratings, seed=seed, two_way=two_way, n_bootstrap=40).to_dict()
            for seed in (1, 1, 2)
        )
        assert first == second
        assert first != other


def test_two_way_intervals_are_wider_where_raters_differ():
    ratings = make("mixture", items=150, raters=8, least=5, most=8, careless=0.4, seed=5).ratings
    by_items = hc.agreement(ratings, two_way=False).krippendorff_alpha
    both = hc.agreement(ratings, two_way=True).krippendorff_alpha
    assert both.high - both.low > 1.3 * (by_items.high - by_items.low)


def test_raters_are_a_sample_where_three_are_named():
    ratings = make("mixture", items=60, raters=6, least=6, most=6, seed=6).ratings
    found = hc.agreement(ratings, n_bootstrap=50)
    assert found.samples.sentence() == "other items like these, judged by other people like these"
    assert found.to_dict()["two_way"] is True
    assert hc.agreement(ratings, two_way=True, n_bootstrap=50) == found
    alone = hc.agreement(ratings, two_way=False, n_bootstrap=50)
    assert alone.samples.sentence() == "other items like these, judged by people like these"


def test_two_raters_are_no_sample_and_the_result_says_so():
    found = hc.agreement(hc.Ratings.from_frame(pa.table(LABELLED)), n_bootstrap=50)
    assert "these two people" in found.samples.sentence()
    assert any("Two raters cannot tell how much raters differ" in s for s in found.unchecked())


def test_items_are_drawn_by_the_cluster():
    """Documents whose items are copies of one: the interval is that of the documents alone."""
    made = make("mixture", items=40, raters=5, least=5, most=5, seed=7)
    table = made.ratings.answers()
    rows = [(i, r, x) for i, r, x in zip(table.item, table.rater, table.label, strict=True)]
    frame = pa.table(
        {
            "item": [f"{i}-{copy}" for i, _, _ in rows for copy in range(6)],
            "rater": [f"r{r}" for _, r, _ in rows for _ in range(6)],
            "label": [f"l{x}" for _, _, x in rows for _ in range(6)],
            "document": [f"d{i}" for i, _, _ in rows for _ in range(6)],
        }
    )
    by_item, by_document = (
        hc.agreement(hc.Ratings.from_frame(frame, cluster=cluster), two_way=False)
        for cluster in (None, "document")
    )
    widths = [
        each.percent_agreement.high - each.percent_agreement.low for each in (by_item, by_document)
    ]
    assert widths[1] / widths[0] == pytest.approx(6**0.5, rel=0.15)
    assert (
        by_document.samples.sentence() == "other documents like these, judged by people like these"
    )


LABELLED = {"item": [1, 1, 2, 2], "rater": ["a", "b", "a", "b"], "label": ["x", "y", "x", "x"]}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"level": "interval"}, 'level="interval" does not go with nominal labels'),
        ({"level": "ordinal"}, "give the labels an order"),
        ({"level": "ratio"}, 'level is "nominal", "ordinal" or "interval", not \'ratio\''),
        ({"contested": -1}, "contested is a whole number of at least 0; it was -1"),
        ({"confidence": 95}, "confidence lies between 0 and 1"),
        ({"n_bootstrap": -5}, "n_bootstrap is a whole number"),
    ],
)
def test_bad_options_get_one_sentence(options, sentence):
    with pytest.raises(OptionError, match=sentence):
        hc.agreement(hc.Ratings.from_frame(pa.table(LABELLED)), **options)


def test_two_way_needs_names():
    with pytest.raises(OptionError, match="do not name their raters"):
        hc.agreement(hc.Ratings.from_counts([[2, 1]], labels=["a", "b"]), two_way=True)


def test_levels_follow_the_labels():
    frame = pa.table(LABELLED)
    assert hc.agreement(hc.Ratings.from_frame(frame)).level == "nominal"
    assert hc.agreement(hc.Ratings.from_frame(frame, order=["x", "y"])).level == "nominal"
    three = hc.Ratings.from_frame(frame, order=["x", "y", "z"])
    assert hc.agreement(three).level == "ordinal"
    numbers = hc.Ratings.from_counts(
        [[2, 1, 1], [0, 3, 1]], labels=["1", "2", "9"], scale="ordered"
    )
    found = hc.agreement(numbers)
    assert found.level == "interval"
    assert any("codes for names" in sentence for sentence in found.unchecked())
    assert hc.agreement(numbers, level="nominal").krippendorff_alpha.value == pytest.approx(
        found.alpha_by_level["nominal"].value
    )
