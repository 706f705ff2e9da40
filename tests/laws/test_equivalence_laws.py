"""Laws of the rater power curve: what must not matter does not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from headcount.data import Labels, Patterns
from headcount.equivalence.combiners import resolve_combiner
from headcount.equivalence.crossing import falls, later_crossings, worth
from headcount.equivalence.exact import Setup, power_curve
from headcount.metrics import resolve_scorer

PAIRS = [
    ("abc", "cross_entropy"),
    ("abc", "dmi"),
    ("frequency", "brier"),
    ("frequency", "auc"),
    ("plurality", "agreement"),
    ("plurality", "f1"),
]


@st.composite
def small_counts(draw):
    """Three to seven items, two to four labels, four to six answers each (ragged)."""
    n_labels = draw(st.integers(2, 4))
    items = draw(st.integers(3, 7))
    answers = draw(st.integers(4, 6))
    extra = draw(arrays(np.int64, (items,), elements=st.integers(0, 2)))
    labels = st.integers(0, n_labels - 1)
    said = [
        draw(st.lists(labels, min_size=answers + int(e), max_size=answers + int(e))) for e in extra
    ]
    return np.array([np.bincount(row, minlength=n_labels) for row in said])


def curve_of(counts, combiner, scorer, *, most=None, sizes=None, group=True, samples=None, **how):
    if group:
        patterns = Patterns.of(counts, sizes)
        counts, sizes = patterns.counts, patterns.items
    else:
        sizes = np.ones(len(counts), dtype=np.int64)
    most = int(counts.sum(axis=1).min()) - 1 if most is None else most
    labels = Labels(tuple("abcdef"[: counts.shape[1]]))
    setup = Setup(
        counts, sizes, most, labels, resolve_combiner(combiner), resolve_scorer(scorer), **how
    )
    none = np.zeros((0, len(sizes)), dtype=np.int64)
    return power_curve(setup, none if samples is None else samples)


@pytest.mark.parametrize(("combiner", "scorer"), PAIRS)
@settings(max_examples=15, deadline=None)
@given(counts=small_counts(), data=st.data())
def test_names_of_labels_do_not_matter(combiner, scorer, counts, data):
    order = data.draw(st.permutations(range(counts.shape[1])))
    how = {"positive": 0} if scorer == "f1" else {}
    where = {"positive": order.index(0)} if scorer == "f1" else {}
    plain = curve_of(counts, combiner, scorer, **how)
    renamed = curve_of(counts[:, order], combiner, scorer, **where)
    np.testing.assert_allclose(renamed.scores, plain.scores, atol=1e-9)
    np.testing.assert_allclose(renamed.support, plain.support, atol=1e-9)


@pytest.mark.parametrize(("combiner", "scorer"), PAIRS)
@settings(max_examples=15, deadline=None)
@given(counts=small_counts(), data=st.data())
def test_order_and_grouping_of_items_do_not_matter(combiner, scorer, counts, data):
    order = data.draw(st.permutations(range(len(counts))))
    plain = curve_of(counts, combiner, scorer).scores
    np.testing.assert_array_equal(curve_of(counts[order], combiner, scorer).scores, plain)
    one_by_one = curve_of(counts, combiner, scorer, group=False).scores
    np.testing.assert_allclose(one_by_one, plain, atol=1e-12)


@settings(max_examples=15, deadline=None)
@given(counts=small_counts(), times=st.integers(2, 5))
def test_duplicating_items_changes_only_what_is_left_out(counts, times):
    doubled = np.full(len(counts), times)
    for combiner, scorer in PAIRS[2:]:
        np.testing.assert_allclose(
            curve_of(counts, combiner, scorer, sizes=doubled).scores,
            curve_of(counts, combiner, scorer).scores,
            atol=1e-12,
        )
    many, more = (
        curve_of(counts, "abc", "cross_entropy", sizes=np.full(len(counts), m)).scores
        for m in (10**5, 10**6)
    )
    np.testing.assert_allclose(many, more, atol=1e-3)
    assert (curve_of(counts, "abc", "cross_entropy").scores <= more + 1e-9)[0]


@settings(max_examples=15, deadline=None)
@given(counts=small_counts())
def test_a_label_nobody_gave_changes_no_vote(counts):
    wider = np.column_stack([counts, np.zeros(len(counts), dtype=np.int64)])
    plain = curve_of(counts, "plurality", "agreement").scores
    np.testing.assert_allclose(curve_of(wider, "plurality", "agreement").scores[1:], plain[1:])


@settings(max_examples=15, deadline=None)
@given(counts=small_counts(), seed=st.integers(0, 100))
def test_a_sample_is_the_data_it_holds(counts, seed):
    """What needs no learning scores a bootstrap sample as it scores that sample as data."""
    rng = np.random.default_rng(seed)
    patterns = Patterns.of(counts)
    drawn = rng.multinomial(len(counts), patterns.items / len(counts), size=3)
    most = int(counts.sum(axis=1).min()) - 1
    for combiner, scorer in (("frequency", "cross_entropy"), ("plurality", "f1")):
        found = curve_of(counts, combiner, scorer, samples=drawn, most=most).draws
        for sample, scores in zip(drawn, found, strict=True):
            data = np.repeat(patterns.counts, sample, axis=0)
            expected = curve_of(data, combiner, scorer, most=most).scores
            np.testing.assert_allclose(scores, expected, atol=1e-12)


@settings(max_examples=15, deadline=None)
@given(counts=small_counts(), seed=st.integers(0, 100))
def test_refitting_many_samples_at_once_is_refitting_each(counts, seed):
    rng = np.random.default_rng(seed)
    patterns = Patterns.of(counts)
    drawn = rng.multinomial(len(counts), patterns.items / len(counts), size=4)
    for scorer in ("cross_entropy", "auc"):
        together = curve_of(counts, "abc", scorer, samples=drawn).draws
        apart = [curve_of(counts, "abc", scorer, samples=row[None]).draws[0] for row in drawn]
        np.testing.assert_allclose(together, apart, atol=1e-10)


numbers = st.floats(-5, 5).map(lambda x: round(x, 3))
curves = st.lists(numbers, min_size=2, max_size=9)


@given(score=numbers, curve=curves, scale=st.sampled_from([0.5, 1.0, 4.0]), shift=numbers)
def test_worth_does_not_depend_on_the_unit_of_the_score(score, curve, scale, shift):
    c = np.array(curve)
    plain = worth([score], c[None])[0]
    moved = worth([scale * score + shift], (scale * c + shift)[None])[0]
    if np.abs(c - score).min() > 1e-6:
        assert moved == pytest.approx(plain, abs=1e-6)


@given(curve=curves, scores=st.lists(numbers, min_size=2, max_size=5))
def test_a_higher_score_is_never_worth_less(curve, scores):
    ordered = np.sort(scores)
    found = worth(ordered, np.tile(curve, (len(ordered), 1)))
    assert (np.diff(np.nan_to_num(found, posinf=1e9, neginf=-1e9)) >= -1e-9).all()


@given(curve=curves)
def test_a_survey_is_worth_its_own_size_on_a_rising_curve(curve):
    rising = np.unique(curve)
    if len(rising) > 2:
        found = worth(rising[1:-1], np.tile(rising, (len(rising) - 2, 1)))
        np.testing.assert_allclose(found, np.arange(1, len(rising) - 1), atol=1e-9)
        assert falls(rising) == ()


@given(score=numbers, curve=curves)
def test_crossings_come_in_order_and_lie_on_the_curve(score, curve):
    first = worth([score], np.array([curve]))[0]
    places = later_crossings(score, curve)
    assert list(places) == sorted(places)
    for place in places:
        assert np.interp(place, np.arange(len(curve)), curve) == pytest.approx(score, abs=1e-6)
        if np.isfinite(first):
            assert place > first - 1e-9
