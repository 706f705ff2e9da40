"""The label set and the counts together: in one pass, where the first rows show every label."""

from headcount.data.meaning import Declared, Meaning, understand
from headcount.data.reductions import Grouped, Reductions
from headcount.door.missing import is_missing
from headcount.errors import HeadcountError

_FEW_LABELS = 50  # with more, counting on a guess costs more than looking at the labels first


def understand_and_group(
    reductions: Reductions, declared: Declared, *, table: str
) -> tuple[Meaning, Grouped]:
    """Settle the label set and count every answer, also a rater's second ones on an item.

    The labels of the first rows are taken for all there are. Counting shows whether that is
    so; only if it is not, every row is asked for its label, and counted again if one is new.
    """
    guess = _guess(reductions, declared, table)
    if guess is None:
        meaning = understand(reductions.tally(), declared, table=table)
        return meaning, reductions.patterns(meaning, first=False)
    grouped = reductions.patterns(guess, first=False)
    if not grouped.unknown:
        return guess, grouped
    meaning = understand(reductions.tally(), declared, table=table)
    if meaning.codes != guess.codes:
        grouped = reductions.patterns(meaning, first=False)
    return meaning, grouped


def _guess(reductions: Reductions, declared: Declared, table: str) -> Meaning | None:
    """What the first rows say, unless it is plain that all rows must be asked."""
    seen = reductions.glance()
    if not 0 < len(seen) <= _FEW_LABELS or any(is_missing(raw) for raw in seen):
        return None
    try:
        return understand(seen, declared, table=table)
    except HeadcountError:  # to be told with all rows in view
        return None
