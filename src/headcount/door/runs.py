"""Several answers of one classifier on an item: all are kept, and one of them counts.

A judge asked again is a further run. Asked in another way (another prompt, the two answers in the
other order) it is another variant, and each variant is a classifier of its own: `judge · prompt`.
"""

import re
from collections import Counter
from collections.abc import Sequence

import pyarrow as pa

from headcount.door.arrays import optional_text_column, text_column
from headcount.door.text import exact_number, is_missing
from headcount.errors import OptionError
from headcount.results import count

BETWEEN = " · "
"""What stands between a judge and the way it was asked."""
_DIGITS = re.compile(r"(\d+)")


def check_rule(rule: str) -> None:
    """`runs=` as given by the user."""
    if rule not in ("first", "majority"):
        raise OptionError(f'runs is "first" or "majority", not {rule!r}.')


def in_order(rows: Sequence[int], runs: Sequence[str | None]) -> list[int]:
    """Rows by their run: numbers by value, other names by their parts, 2 before 10."""
    return sorted(rows, key=lambda row: _rank(runs[row]))


def _rank(run: str | None) -> tuple[int, object, list[tuple[int, str]]]:
    number = exact_number(run or "")
    if number is not None:
        return 0, number, []
    parts = [part for part in _DIGITS.split(run or "") if part]
    return 1, 0, [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def pick(said: Sequence[str | None], rule: str) -> int:
    """Which of several answers counts: the first, or the earliest of those given most often."""
    if rule == "first" or len(said) == 1:
        return 0
    votes = Counter(text for text in said if text is not None and not is_missing(text))
    return said.index(votes.most_common(1)[0][0]) if votes else 0


def note(name: str, more: int, rule: str) -> str:
    """What is said of further answers."""
    used = "the first is used" if rule == "first" else "the answer given most often is used"
    return (
        f"{name}: {count(more, 'answer is a further run', 'answers are further runs')} of a "
        f"classifier on an item: kept, and {used} (choose with runs=, --runs)."
    )


def note_of_variants(name: str, columns: Sequence[str], classifiers: Sequence[str]) -> str:
    """What is said of a judge asked in several ways."""
    told = " and ".join(map(repr, columns))
    return (
        f"{name}: in which way a classifier was asked is told by {told}: each way counts as a "
        f"classifier of its own, {len(classifiers):,} in all, such as {classifiers[0]!r} "
        "(--variant; choose some with --classifiers)."
    )


def kept(
    items: Sequence[str],
    classifiers: Sequence[str],
    runs: Sequence[str | None],
    answers: Sequence[str | None],
    judges: Sequence[str] | None = None,
    variants: Sequence[str] | None = None,
) -> pa.Table:
    """Every answer, a row each; `judges` and `variants` are what a classifier's name is made of."""
    table = pa.table(
        [
            text_column(items),
            text_column(classifiers),
            optional_text_column(runs),
            optional_text_column(answers),
        ],
        ["item", "classifier", "run", "answer"],
    )
    if judges is None or variants is None:
        return table
    table = table.append_column("judge", text_column(judges))
    return table.append_column("variant", text_column(variants))


def of_variant(judge: str, variant: str) -> str:
    """What a judge asked in one way is called."""
    return f"{judge}{BETWEEN}{variant}"
