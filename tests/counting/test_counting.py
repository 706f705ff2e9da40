"""Counting in SQL, with labels guessed from the first rows, against counting in plain Python."""

from collections import Counter
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount import Ratings
from headcount.counting import SqlCounting, size
from headcount.counting.protocol import Grouped
from headcount.data.meaning import Meaning
from headcount.door import source
from headcount.errors import InputError

Row = tuple[str, str, str | None]

rows = st.lists(
    st.tuples(
        st.sampled_from([f"i{i}" for i in range(6)]),
        st.sampled_from([f"r{r}" for r in range(8)]),
        st.sampled_from(["no", "yes", "maybe", None]),
    ),
    min_size=1,
    max_size=60,
).filter(lambda answers: any(label for *_, label in answers))


def _ratings(answers: list[Row]) -> Ratings:
    item, rater, label = zip(*answers, strict=True)
    frame = pa.table(
        {"item": item, "rater": rater, "label": pa.array(label, pa.string())},
    )
    return Ratings.from_frame(frame, unrated="drop")


def _without_copies(answers: list[Row]) -> list[Row]:
    """Rows that are alike in every cell are one."""
    return [row for k, row in enumerate(answers) if row[2] is None or row not in answers[:k]]


def _first_answers(answers: list[Row]) -> dict[tuple[str, str], str]:
    first: dict[tuple[str, str], str] = {}
    for item, rater, label in answers:
        if label is not None:
            first.setdefault((item, rater), label)
    return first


@settings(deadline=None, max_examples=60)
@given(rows, st.sampled_from([1, 3, 20_000]), st.booleans())
def test_counts_and_retests_equal_plain_python_however_few_rows_the_guess_sees(
    answers: list[Row], seen: int, kept: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "GLANCE", seen)
        patch.setattr(size, "HELD_AT_ONCE", -1)  # as a large file is counted
        patch.setattr(size, "LARGE_FILE", -1 if kept else size.LARGE_FILE)
        ratings = _ratings(answers)
    first = _first_answers(answers)
    meant = [answer for answer in answers if answer[2] is not None]
    assert set(ratings.labels.names) == {label for *_, label in meant}
    apart = [answer for answer in _without_copies(answers) if answer[2] is not None]
    assert ratings.n_copies == len(meant) - len(apart)
    assert ratings.n_retests == len(apart) - len(first)
    assert ratings.meaning.missing == len(answers) - len(meant)
    assert ratings.n_unrated == len({row[0] for row in answers} - {row[0] for row in meant})
    per_item = Counter((item, label) for (item, _), label in first.items())
    counted = ratings.item_counts()
    for item, row in zip(counted.items, counted.counts.tolist(), strict=True):
        assert row == [per_item[item, label] for label in ratings.labels.names]
    assert ratings.patterns().n_items == len(counted.items)


@settings(deadline=None, max_examples=60)
@given(rows)
def test_a_pool_by_name_equals_the_table_of_its_raters(answers: list[Row]) -> None:
    members = ["r0", "r1", "r2", "r3"]
    part = [answer for answer in answers if answer[1] in members]
    if not any(label for *_, label in part):
        return
    pool = _ratings(answers).pool(raters=members)
    first = _first_answers(part)
    assert pool.n_ratings == len(first)
    apart = [answer for answer in _without_copies(part) if answer[2] is not None]
    assert pool.n_retests == len(apart) - len(first)
    assert pool.meaning.missing == sum(label is None for *_, label in part)


def test_a_label_after_the_first_rows_costs_a_second_count_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(size, "HELD_AT_ONCE", -1)
    counts: list[Grouped] = []
    plain = SqlCounting.patterns

    def noted(self: SqlCounting, meaning: Meaning, *, first: bool) -> Grouped:
        counts.append(plain(self, meaning, first=first))
        return counts[-1]

    def read(answers: list[Row]) -> Ratings:
        lines = [",".join(cell or "" for cell in row) for row in answers]
        path = tmp_path / "ratings.csv"
        path.write_text("\n".join(["item,rater,label", *lines]))
        return Ratings.read(path)

    monkeypatch.setattr(SqlCounting, "patterns", noted)
    common = [(f"i{i % 100}", f"r{i // 100}", ("no", "yes")[i % 2]) for i in range(400)]
    read(common)
    assert [count.unknown for count in counts] == [0]
    counts.clear()
    monkeypatch.setattr(source, "GLANCE", 100)
    late = read([*common, ("i0", "r9", "maybe")])
    assert [count.unknown for count in counts] == [1, 0]
    assert late.labels.names == ("maybe", "no", "yes")
    counts.clear()
    missing = read([*common, ("i0", "r9", None)])
    assert [count.unknown for count in counts] == [1]
    assert missing.meaning.missing == 1


@pytest.mark.parametrize("name", ["", None])
@pytest.mark.parametrize("raters", [1, 3, 200])
def test_a_blank_rater_is_found_among_any_number_of_raters(name: str | None, raters: int) -> None:
    answers = [(f"i{i}", f"r{r}", "yes") for i in range(5) for r in range(raters)]
    frame = pa.table(
        {
            "item": [item for item, *_ in answers] + ["i3"],
            "rater": [rater for _, rater, _ in answers] + [name],
            "label": ["yes"] * (len(answers) + 1),
        }
    )
    with pytest.raises(InputError, match=f"row {len(answers) + 1}: the rater .* is blank"):
        Ratings.from_frame(frame)
