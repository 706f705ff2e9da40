"""What a classifier is worth in words, as every verdict says it."""

from collections.abc import Sequence

from headcount.results import Estimate
from headcount.results.words import in_people as in_people
from headcount.results.words import other_way_sentence as other_way_sentence
from headcount.results.words import people as people
from headcount.results.words import tells
from headcount.results.words import worth_text as worth_text

# Raters by which calibration must change a worth before it is worth a sentence.
_APART = 0.25


def worth_sentences(
    name: str,
    worth: Estimate,
    most: int,
    *,
    as_it_stands: Estimate | None = None,
    as_certain: bool = False,
    turned_round: Estimate | None = None,
) -> tuple[str, ...]:
    """What is to be said of a classifier's worth on a curve of up to `most` raters.

    One sentence, and a second where calibration changed the worth `as_it_stands`; before both
    that its answers run the other way, where they do.

    >>> worth_sentences("gpt", Estimate(3.5, 2.8, 4.4, "within", "within", "within"), 9)
    ('gpt is worth 3.5 raters (2.8 to 4.4): better than two people, not as good as five.',)
    """
    first = () if turned_round is None else (other_way_sentence(name, turned_round),)
    said = _worth_sentence(name, worth, most, as_certain)
    # Bare labels are turned round by calibration; what is made a rising function is not.
    if first and as_it_stands is None and worth.known and worth.state != "below":
        said = f"Turned round, {said}"
    if as_it_stands is None or not _differ(worth, as_it_stands):
        return *first, said
    taken = "nothing" if as_it_stands.state == "below" else worth_text(as_it_stands)
    calibrated = "That is once calibrated; its probabilities taken at their word are worth"
    return *first, said, f"{calibrated} {taken}."


def _worth_sentence(name: str, worth: Estimate, most: int, as_certain: bool) -> str:
    if worth.state == "below":
        start = people(int(worth.floor), noun="answer") if worth.floor else "asking nobody"
        taken = ", its labels taken as certainties," if as_certain else ""
        return f"{name}{taken} predicts people no better than {start} would."
    if worth.value is None and worth.state is None:
        return f"{name} has no worth in raters: {worth.note}."
    if not tells(worth):
        return f"What {name} is worth in raters, these data cannot tell: there are too few ratings."
    ends = in_people(worth, most)
    return f"{name} is worth {worth_text(worth)}{f': {ends}' if ends else ''}."


def _differ(one: Estimate, other: Estimate) -> bool:
    if one.value is None or other.value is None:
        return one.state != other.state
    return abs(one.value - other.value) >= _APART


def counted(numbers: Sequence[int], most: int = 6) -> str:
    """A list of numbers for a sentence, cut short when it is long.

    >>> counted([4, 6, 8])
    '4, 6 and 8'
    """
    shown = [str(number) for number in numbers[:most]]
    more = len(numbers) - most
    if more > 0:
        return f"{', '.join(shown)} and {more} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def digits_for(scorer: str) -> int:
    """Decimals that a score is printed with: determinants are small numbers."""
    return 4 if scorer == "dmi" else 3
