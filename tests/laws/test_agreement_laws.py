"""Laws of agreement: what must never matter, on small rating tables of every shape."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import headcount as hc
from headcount.agreement.coefficients import Scale, of_patterns
from headcount.data import Patterns

LABELS = ("1", "2", "4")
KEYS = ("percent_agreement", "kappa", "fleiss_kappa", "krippendorff_alpha", "gwet_ac1")


@st.composite
def tables(draw):
    """Items × raters, None where a rater did not rate; every item has a rating."""
    n_raters = draw(st.integers(2, 4))
    cell = st.sampled_from([None, *LABELS])
    return draw(
        st.lists(
            st.lists(cell, min_size=n_raters, max_size=n_raters).filter(any), min_size=1, max_size=7
        )
    )


def _long(rows, raters=None, items=None):
    names = raters or [f"r{j}" for j in range(len(rows[0]))]
    ids = items or [f"i{i}" for i in range(len(rows))]
    return [
        (ids[i], names[j], label)
        for i, row in enumerate(rows)
        for j, label in enumerate(row)
        if label is not None
    ]


def _ratings(answers, order=LABELS, scale=None):
    item, rater, label = zip(*answers, strict=True)
    frame = pa.table({"item": item, "rater": rater, "label": label})
    return hc.Ratings.from_frame(frame, order=list(order), scale=scale)


def _numbers(found, key):
    """A coefficient and its interval, which holds the draws to account too."""
    return [*getattr(found, key)]


def _approx(numbers):
    return [None if number is None else pytest.approx(number, abs=1e-12) for number in numbers]


def _same(left, right, rows=True):
    for key in KEYS:
        assert _numbers(left, key) == _approx(_numbers(right, key)), key
    for level, alpha in left.alpha_by_level.items():
        assert [*alpha] == _approx([*right.alpha_by_level[level]]), level
    if rows:
        assert left.to_dict()["contested"] == right.to_dict()["contested"]


def _measure(ratings, **options):
    return hc.agreement(ratings, n_bootstrap=20, **options)


# Each example opens the data anew several times, so a few of them have to do here; the laws of
# the numbers themselves, below, run at full length.
few = settings(max_examples=8, deadline=None)


@few
@given(tables(), st.randoms(use_true_random=False))
def test_row_order_never_matters(rows, random):
    answers = _long(rows)
    shuffled = answers.copy()
    random.shuffle(shuffled)
    _same(_measure(_ratings(answers)), _measure(_ratings(shuffled)))


@few
@given(tables(), st.randoms(use_true_random=False))
def test_rater_names_never_matter(rows, random):
    names = [f"person {j}" for j in range(len(rows[0]))]
    random.shuffle(names)
    left, right = _measure(_ratings(_long(rows))), _measure(_ratings(_long(rows, raters=names)))
    _same(left, right)
    renamed = {f"r{j}": name for j, name in enumerate(names)}
    assert {renamed[each.rater]: each.agreement for each in left.raters_table} == {
        each.rater: each.agreement for each in right.raters_table
    }


@few
@given(tables())
def test_label_names_never_matter(rows):
    """Names alone: nominal and ordinal coefficients see only which and in what order."""
    renamed = {"1": "low", "2": "mid", "4": "top"}
    others = [[None if label is None else renamed[label] for label in row] for row in rows]
    left = _measure(_ratings(_long(rows), scale="ordered"), level="ordinal")
    right = _measure(_ratings(_long(others), order=("low", "mid", "top")), level="ordinal")
    assert left.level == right.level == "ordinal"
    _same(right, left, rows=False)  # numbers have an interval alpha beside


@few
@given(tables(), st.permutations(range(3)))
def test_label_order_matters_only_to_ordered_alpha(rows, order):
    left = _measure(_ratings(_long(rows), scale="nominal"))
    right = _measure(_ratings(_long(rows), order=[LABELS[k] for k in order], scale="nominal"))
    for key in KEYS:
        assert _numbers(left, key)[:1] == _approx(_numbers(right, key)[:1])


@few
@given(tables())
def test_long_wide_and_counts_say_the_same(rows):
    long = _measure(_ratings(_long(rows)))
    columns = {f"r{j}": [row[j] for row in rows] for j in range(len(rows[0]))}
    ids = [f"i{i}" for i in range(len(rows))]
    frame = pa.table(
        {"item": ids} | {name: pa.array(c, pa.string()) for name, c in columns.items()}
    )
    wide = _measure(hc.Ratings.from_wide(frame, item="item", order=list(LABELS)))
    counts = [[row.count(label) for label in LABELS] for row in rows]
    counted = pa.table(
        {"item": ids} | {label: [row[k] for row in counts] for k, label in enumerate(LABELS)}
    )
    from_counts = _measure(
        hc.Ratings.from_counts(counted, item="item", labels=LABELS, scale="ordered")
    )
    _same(long, wide)
    # Counts name nobody, so their intervals are about items alone.
    _same(_measure(_ratings(_long(rows)), two_way=False), from_counts)
    assert long.raters_table == wide.raters_table


@few
@given(tables())
def test_a_rater_with_no_ratings_changes_nothing(rows):
    def wide(extra):
        columns = {f"r{j}": [row[j] for row in rows] for j in range(len(rows[0]))} | extra
        arrays = {name: pa.array(column, pa.string()) for name, column in columns.items()}
        frame = pa.table({"item": [f"i{i}" for i in range(len(rows))]} | arrays)
        return _measure(hc.Ratings.from_wide(frame, item="item", order=list(LABELS)))

    left, right = wide({}), wide({"silent": [None] * len(rows)})
    _same(left, right)
    assert left.raters_table == right.raters_table
    assert left.raters == right.raters


counts_tables = st.lists(
    st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=12
).filter(lambda rows: any(sum(row) for row in rows))


@given(counts_tables)
def test_grouped_equals_ungrouped(rows):
    counts = np.array(rows, dtype=np.int64)
    scale = Scale(("interval", "ordinal", "nominal"), np.array([1.0, 2.0, 4.0]))
    patterns = Patterns.of(counts)
    grouped = of_patterns(patterns.counts, patterns.items[None, :], scale)
    single = of_patterns(counts, np.ones((1, len(counts)), dtype=np.int64), scale)
    for key, value in grouped.items():
        np.testing.assert_allclose(value, single[key], rtol=1e-12, atol=1e-12)


@given(counts_tables)
def test_coefficients_stay_in_their_range(rows):
    counts = np.array(rows, dtype=np.int64)
    scale = Scale(("interval", "ordinal", "nominal"), np.array([1.0, 2.0, 4.0]))
    found = of_patterns(counts, np.ones((1, len(counts)), dtype=np.int64), scale)
    for key, value in found.items():
        assert np.isnan(value[0]) or value[0] <= 1 + 1e-12, key
    if not np.isnan(found["percent_agreement"][0]):
        assert 0 <= found["percent_agreement"][0] <= 1
