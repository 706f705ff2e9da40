"""A part of the items, drawn by a hash of their ids: which items, and all that was said of them."""

import gc
import hashlib
import re
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import headcount as hc
from headcount.counting import size
from headcount.counting.part_of_items import bound_of
from headcount.door import database, scans

ITEMS = 400


def _columns(items: int = ITEMS, seed: int = 0) -> dict[str, list[str]]:
    """Six of thirty raters an item; a few answer twice, and a row is copied."""
    rng = np.random.default_rng(seed)
    rows = [
        (f"item {i}", f"r{rater:02}", ("no", "yes")[int(rng.random() < 0.3 + 0.4 * (i % 2))])
        for i in range(items)
        for rater in rng.choice(30, 6, replace=False)
    ]
    rows += [(item, rater, "yes") for item, rater, _ in rows[::97]]
    rows.append(rows[5])
    item, rater, label = zip(*rows, strict=True)
    return {"item": list(item), "rater": list(rater), "label": list(label)}


@pytest.fixture
def a_quarter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raters are left out on a hundred items, however few ratings there are."""
    monkeypatch.setattr("headcount.counting.size.LARGE", -1)
    monkeypatch.setattr(size, "PART_ITEMS", ITEMS // 4)


def _hashed(items: set[str], bound: str) -> set[str]:
    return {item for item in items if hashlib.md5(item.encode()).hexdigest() < bound}


@pytest.mark.usefixtures("a_quarter")
def test_a_part_has_the_items_whose_hash_comes_first_against_brute_force() -> None:
    """And all of their first answers, as all items have them."""
    columns = _columns()
    ratings = hc.Ratings.from_frame(pa.table(columns))
    part = ratings.drawn
    assert part is not None
    bound = bound_of(ratings.n_items, ratings.n_ratings)
    chosen = _hashed(set(columns["item"]), bound)
    assert 70 < len(chosen) < 130
    assert set(part.item_counts().items) == chosen
    assert part.labels == ratings.labels
    whole, some = ratings.item_counts(), part.item_counts()
    held = np.isin(whole.items, list(chosen))
    np.testing.assert_array_equal(whole.counts[held], some.counts)
    first = ratings.answers().first()
    said = {
        (first.items[i], first.raters[r], label)
        for i, r, label in zip(first.item, first.rater, first.label, strict=True)
        if first.items[i] in chosen
    }
    again = part.answers().first()
    assert said == {
        (again.items[i], again.raters[r], label)
        for i, r, label in zip(again.item, again.rater, again.label, strict=True)
    }


@pytest.mark.usefixtures("a_quarter")
@pytest.mark.parametrize("kept", [True, False])
def test_a_part_of_a_large_file_takes_one_more_scan_and_leaves_nothing(
    kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ratings.parquet"
    pq.write_table(pa.table(_columns()), file)
    here = hc.Ratings.read(file).drawn
    assert here is not None
    monkeypatch.setattr(size, "HELD_AT_ONCE", -1)
    if kept:
        monkeypatch.setattr(size, "LARGE_FILE", -1)
        monkeypatch.setattr(size, "HELD_AT_ALL", -1)
    gc.collect()  # what earlier tests left is not this one's
    before = _tables()
    ratings = hc.Ratings.read(file)
    scans.clear()
    part = ratings.drawn
    assert part is not None
    assert scans[str(file)] == 1
    np.testing.assert_array_equal(part.item_counts().counts, here.item_counts().counts)
    assert list(part.item_counts().items) == list(here.item_counts().items)
    assert part is ratings.drawn
    assert scans[str(file)] == 1
    del part, ratings
    gc.collect()
    assert _tables() == before


def _tables() -> list[str]:
    with database.connect() as connection:
        rows = connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()
    return [name for (name,) in rows]


@pytest.mark.usefixtures("a_quarter")
def test_a_part_of_a_wide_table_is_the_same_from_memory_file_and_lazy_frame(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(1)
    cells = np.array(["no", "yes", None], dtype=object)[rng.integers(3, size=(ITEMS, 8))]
    cells[:, 0] = "yes"
    columns = {"item": [f"i{j}" for j in range(ITEMS)]}
    columns |= {f"r{j}": cells[:, j].tolist() for j in range(8)}
    frame = pl.DataFrame(columns)
    frame.write_parquet(tmp_path / "wide.parquet")
    held = hc.Ratings.from_wide(frame, item="item").drawn
    monkeypatch.setattr("headcount.counting.size.LARGE", -1)
    lazy = hc.Ratings.from_wide(frame.lazy(), item="item").drawn
    for bound in ("HELD_AT_ONCE", "LARGE_FILE", "HELD_AT_ALL"):
        monkeypatch.setattr(size, bound, -1)
    file = hc.Ratings.read(tmp_path / "wide.parquet", raters="r*").drawn
    assert held is not None
    for each in (lazy, file):
        assert each is not None
        ours, theirs = each.answers().first(), held.answers().first()
        assert list(ours.items) == list(theirs.items)
        np.testing.assert_array_equal(ours.item, theirs.item)
        np.testing.assert_array_equal(ours.rater, theirs.rater)
        np.testing.assert_array_equal(ours.label, theirs.label)


@pytest.mark.usefixtures("a_quarter")
def test_what_a_part_is_is_said() -> None:
    study = hc.Study(hc.Ratings.from_frame(pa.table(_columns())))
    samples = study.sampled()
    assert samples.plan.counts_raters
    assert not samples.by_row
    (note,) = samples.notes
    assert re.fullmatch(
        r"Raters were left out in turn on \d+ of the 400 items, drawn by a hash of their ids, so "
        "that intervals are also about other people.",
        note,
    )
    assert study.sampled(two_way=False).part is None
    assert not study.sampled(two_way=False).plan.counts_raters
    assert study.sampled(two_way=True).part is not None
    assert study.item_by_item.sampled(two_way=True).part is None
    assert study.item_by_item.sampled(two_way=True).by_row


@pytest.mark.usefixtures("a_quarter")
def test_two_raters_and_raters_without_names_are_items_alone() -> None:
    columns = _columns()
    columns["rater"] = [("ann", "ben")[j % 2] for j in range(len(columns["item"]))]
    samples = hc.Study(hc.Ratings.from_frame(pa.table(columns))).sampled()
    assert samples.part is None
    assert samples.notes == (
        "Two raters cannot tell how much raters differ: intervals are about items alone.",
    )
    counts = hc.Ratings.from_counts([[2, 1], [0, 3]] * 50, labels=["no", "yes"])
    assert hc.Study(counts).part is None
    assert not hc.Study(counts).sampled().plan.counts_raters


def test_many_ratings_an_item_leave_enough_items() -> None:
    share = int(bound_of(100_000, 100_000_000), 16) / 16**12
    assert 100_000 * share == pytest.approx(500)
    share = int(bound_of(1_000, 10_000_000), 16) / 16**12
    assert 1_000 * share == pytest.approx(100)
