"""Labels that look like one another or like levels, each told in a line with its remedy.

Nothing is taken for anything here: `Yes` beside `yes` may be two people's habits or two answers.
"""

import re
import shlex
from collections.abc import Iterator, Sequence

from headcount.door.roles import listing
from headcount.door.sets import separator_of
from headcount.door.text import exact_number

_TRUE = ("true", "yes", "1", "y", "t", "1.0", "ja", "oui", "sí", "si")
_FALSE = ("false", "no", "0", "n", "f", "0.0", "nein", "non")
_SENTENCE = re.compile(r"[\s_\-–—.!]+")

# Words that people read as levels, from lowest to highest.
LADDERS: tuple[tuple[str, ...], ...] = (
    (
        *("strongly disagree", "disagree", "somewhat disagree", "slightly disagree"),
        *("neither agree nor disagree", "neutral", "undecided", "unsure"),
        *("slightly agree", "somewhat agree", "agree", "strongly agree"),
    ),
    ("never", "rarely", "seldom", "occasionally", "sometimes", "often", "usually", "always"),
    ("none", "minimal", "mild", "moderate", "severe", "very severe", "extreme"),
    ("very low", "low", "medium", "moderate", "high", "very high"),
    ("very poor", "poor", "fair", "acceptable", "average", "good", "very good", "excellent"),
    ("terrible", "bad", "okay", "ok", "good", "great"),
    ("very negative", "negative", "neutral", "mixed", "positive", "very positive"),
    ("very unlikely", "unlikely", "possible", "likely", "very likely", "certain"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    ("not at all", "a little", "slightly", "somewhat", "moderately", "very", "extremely"),
    ("irrelevant", "marginally relevant", "partially relevant", "relevant", "highly relevant"),
    ("incorrect", "partially correct", "partly correct", "mostly correct", "correct"),
    ("f", "e", "d-", "d", "d+", "c-", "c", "c+", "b-", "b", "b+", "a-", "a", "a+"),
)
_LEAST_LEVELS = 3


def spelling_notes(names: Sequence[str]) -> Iterator[str]:
    """A line for labels that differ in spelling only, and for words that are levels."""
    alike, truths = written_alike(names), _two_words_for_truth(names)
    if truths:
        yield (
            f"The labels {_pairs(truths)} may mean the same and are counted as different answers: "
            f"make them one with {_renaming(truths)}."
        )
    elif alike and all(len({name.casefold() for name in found}) == 1 for found in alike):
        yield (
            f"The labels {_pairs(alike)} differ in upper and lower case alone and are counted as "
            "different answers: --fold-case makes them one."
        )
    elif alike:
        yield (
            f"The labels {_pairs(alike)} are spelled alike and are counted as different answers: "
            f"make them one with {_renaming(alike)}."
        )
    separator = separator_of(names)
    if separator is not None:
        shown = next(name for name in names if separator in name)
        yield (
            f"Labels such as {shown!r} are read as names; if they tick several options, say --sets "
            f"{shlex.quote(separator)}."
        )
    order = ladder(names)
    if order is not None:
        told = shlex.quote(",".join(order))
        yield (
            f"The labels {listing(order)} are read as names; if they are levels from low to high, "
            f"say --order {told}."
        )


def written_alike(names: Sequence[str]) -> list[list[str]]:
    """Labels that are one, but for how they are written, or but for the word for yes and no.

    >>> written_alike(["Keep", "keep", "drop"])
    [['Keep', 'keep']]
    """
    truths = _two_words_for_truth(names)
    return truths or [found for found in _by_plain(names).values() if len(found) > 1]


def ladder(names: Sequence[str]) -> tuple[str, ...] | None:
    """The labels in order, where they are words for levels; None where they are not.

    >>> ladder(["Agree", "Neutral", "Disagree"])
    ('Disagree', 'Neutral', 'Agree')
    """
    plain = {_plain(name): name for name in names}
    if len(plain) < _LEAST_LEVELS or len(plain) < len(names):
        return None
    for steps in LADDERS:
        # A, B and C alone are options to choose from more often than they are marks.
        marks = "a" not in steps or "f" in plain or any(name[-1] in "+-" for name in plain)
        if marks and all(name in steps for name in plain):
            return tuple(plain[step] for step in steps if step in plain)
    return None


def _plain(name: str) -> str:
    return _SENTENCE.sub(" ", name.casefold()).strip() if len(name) > 2 else name.casefold()


def _by_plain(names: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        if exact_number(name) is None:
            found.setdefault(_plain(name) or name, []).append(name)
    return found


def _two_words_for_truth(names: Sequence[str]) -> list[list[str]]:
    """Labels that mean yes in two ways, and no in two ways: True and 1, False and 0."""
    folded = {name.casefold() for name in names}
    if len(folded) < 3 or not folded <= {*_TRUE, *_FALSE}:
        return []
    return [
        found
        for words in (_TRUE, _FALSE)
        if len(found := [name for name in names if name.casefold() in words]) > 1
    ]


def _pairs(alike: Sequence[Sequence[str]]) -> str:
    shown = [" and ".join(map(repr, found)) for found in alike[:4]]
    return "; ".join(shown) + ("; …" if len(alike) > 4 else "")


def _renaming(alike: Sequence[Sequence[str]]) -> str:
    pairs = [
        f"--map {shlex.quote(f'{name}={max(found, key=lambda n: (not n.isdigit(), n.islower()))}')}"
        for found in alike
        for name in found
        if name != max(found, key=lambda n: (not n.isdigit(), n.islower()))
    ]
    return " ".join(pairs[:6]) + (" …" if len(pairs) > 6 else "")
