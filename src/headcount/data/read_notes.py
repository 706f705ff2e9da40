"""What reading ratings had to say: what was read, assumed, merged and left out."""

from typing import TYPE_CHECKING

from headcount.data.elsewhere import LazyCounting
from headcount.door.roles import listing
from headcount.results import count

if TYPE_CHECKING:
    from headcount.data.rated import Rated


def notes_of(rated: "Rated") -> tuple[str, ...]:
    """One sentence each."""
    notes = [f"{rated.name}: {rated.layout.describe()}.", *rated.remarks]
    if rated.layout.unused:
        notes.append(f"Columns that were not used: {listing(rated.layout.unused)}.")
    notes += rated.meaning.notes
    if rated.scale.has_order or rated.labels.numbers is not None:
        notes.append(rated.scale.sentence())
    return (*notes, *_left_out(rated), *_repeated(rated))


def _left_out(rated: "Rated") -> list[str]:
    notes = []
    if rated.meaning.missing:
        notes.append(
            count(rated.meaning.missing, "answer is missing", "answers are missing")
            + " (blank, None or NaN) and not counted."
        )
    if rated.n_unrated:
        one = "item has no rating at all and was left out."
        many = "items have no rating at all and were left out."
        notes.append(count(rated.n_unrated, one, many))
    return notes


def _repeated(rated: "Rated") -> list[str]:
    notes = []
    if rated.n_copies:
        notes.append(
            count(rated.n_copies, "row is an exact copy", "rows are exact copies")
            + " of another row and nothing tells when each was given: used once. If they are "
            "second answers, name the column that orders them with occasion= (--occasion)."
        )
    if rated.n_retests:
        notes.append(
            count(rated.n_retests, "answer is a retest", "answers are retests")
            + " (a rater asked again about the same item): kept for flip rates, the first "
            "answer is used elsewhere."
        )
        if isinstance(rated.reductions, LazyCounting) and rated.layout.occasion is None:
            notes.append(
                "The frame is lazy and has no order of rows, so the first in label order "
                "stands for a rater's first answer: add an occasion column to choose."
            )
    return notes
