"""What a page proposes to do about files: each in plain words, with the choices that do it.

A proposal is a button. Its choices are those of reading the files, tried before they are offered
where the files were refused, and marked as the user's own once they are taken.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from headcount.data import Predictions, Ratings, ladder, written_alike
from headcount.door.column_names import words_of
from headcount.door.evidence import determines
from headcount.door.profiles import Profile
from headcount.door.roles import listing
from headcount.door.sets import LIST, ROWS, separator_of
from headcount.errors import Remedy

Proposal = dict[str, Any]
"""`words` for the button, `reading` the choices, `instead` whether they replace what was said of
columns."""

_MOST = 5
"""More buttons are not chosen from but searched."""
_MOST_PARTS = 3
_MOST_VALUES = 20
"""Parts of the items to look at are a few: more values are ids."""
_OF_PARTS = frozenset(
    (
        *("policy", "language", "lang", "locale", "topic", "category", "domain", "source", "genre"),
        *("type", "kind", "country", "market", "region", "product", "queue", "severity", "part"),
        *("subset", "split", "task", "aspect", "condition", "campaign", "platform", "channel"),
    )
)
_LEVELS = range(3, 12)


def of_refusal(readings: Sequence[Remedy]) -> list[Proposal]:
    """The readings that were tried and passed, the likeliest first."""
    return [
        {"words": _in_words(one), "reading": dict(one), "instead": True} for one in readings[:_MOST]
    ]


def reason(sentence: str) -> str:
    """Why a file was refused, without the commands that are buttons here.

    >>> reason("a.csv is not understood: no item. Most likely headcount doctor a.csv --item b.")
    'a.csv is not understood: no item.'
    """
    start, found, _ = sentence.partition(". Most likely ")
    return f"{start}." if found else sentence


def of_reading(people: Ratings) -> list[Proposal]:
    """What may be done about files that were read: spellings, levels, sets, parts."""
    found = [*_spellings(people), *_levels(people), *_parts(people)]
    return [{**one, "instead": False} for one in found]


def of_mismatch(people: Ratings, machines: Predictions) -> list[Proposal]:
    """What makes classifiers' answers labels, where only their spelling differs."""
    known = {name.casefold(): name for name in people.labels.names}
    renamed = {
        text: known[text.strip().casefold()]
        for column in machines.columns.values()
        for text in column.distinct
        if text and text not in people.labels.names and text.strip().casefold() in known
    }
    if not renamed:
        return []
    shown = listing([f"{old} as {new}" for old, new in list(renamed.items())[:_MOST]])
    words = f"Read the classifiers' {shown.replace(chr(39), '')}"
    return [{"words": words, "reading": {"mapping": renamed}, "instead": False}]


def _in_words(reading: Remedy) -> str:
    def named(role: str) -> str:
        given = reading.get(role)
        return listing([given] if isinstance(given, str) else list(given or ()))

    told = [f"The item is in {named('item')}"] if reading.get("item") else []
    if reading.get("raters"):
        told.append(f"each of {named('raters')} is a person's")
    if reading.get("rater"):
        told.append(f"who answered is in {named('rater')}")
    if reading.get("label"):
        told.append(f"the label is in {named('label')}")
    if reading.get("classifiers"):
        told.append(f"each of {named('classifiers')} is a model's")
    if reading.get("gold"):
        told.append(f"the right answer is in {named('gold')}")
    sets = reading.get("sets")
    if sets == ROWS:
        told.append("each row is one of several labels")
    elif isinstance(sets, str):
        told.append(
            "a list holds several labels" if sets == LIST else f"{sets!r} parts several labels"
        )
    elif sets:
        told.append(f"{named('sets')} are ticked or not")
    return ", ".join(told)


def _spellings(people: Ratings) -> Iterator[Proposal]:
    """One button that makes labels one which differ in spelling alone; the commonest names them."""
    patterns = people.patterns()
    totals = (patterns.items @ patterns.counts).tolist()
    times = Counter(dict(zip(people.labels.names, totals, strict=True)))
    groups = [
        sorted(group, key=lambda name: (-times[name], name))
        for group in written_alike(people.labels.names)
    ]
    if groups:
        yield {
            "words": "; ".join(f"Treat {_all(group)} as one" for group in groups[:_MOST]),
            "reading": {"mapping": {other: group[0] for group in groups for other in group[1:]}},
        }


def _all(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}"


def _levels(people: Ratings) -> Iterator[Proposal]:
    names = people.labels.names
    order = ladder(names)
    if order is not None and people.scale.kind == "nominal":
        words = f"Read {', '.join(order)} as levels from low to high"
        yield {"words": words, "reading": {"order": list(order)}}
    elif people.labels.numbers is not None and len(names) in _LEVELS:
        nominal = people.scale.kind == "nominal"
        words = (
            f"Read {names[0]} to {names[-1]} as levels from low to high"
            if nominal
            else f"Read {names[0]} to {names[-1]} as names without an order"
        )
        yield {"words": words, "reading": {"scale": "ordered" if nominal else "nominal"}}
    separator = None if people.layout.sets else separator_of(names)
    if separator is not None:
        shown = next(name for name in names if separator in name)
        words = f"Read labels such as {shown} as several labels each"
        yield {"words": words, "reading": {"sets": separator}}


def _parts(people: Ratings) -> Iterator[Proposal]:
    """Columns that say something of the item in few words, to look at its parts by."""
    source = people.source
    if source is None or people.layout.item not in source.columns:
        return
    item = Profile.of(source, people.layout.item).codes
    for name in [n for n in people.layout.unused if _OF_PARTS.intersection(words_of(n))][
        :_MOST_PARTS
    ]:
        column = Profile.of(source, name)
        few = 1 < len(column.vocabulary) <= _MOST_VALUES and column.why_no_labels is None
        if few and determines(item, column.codes):
            reading = {"slices": [*people.layout.slices, name]}
            yield {"words": f"Look at the items by {name}", "reading": reading}


def taken(proposal: Proposal, reading: Mapping[str, Any], named: Sequence[str]) -> dict[str, Any]:
    """The choices of reading once a proposal was taken."""
    before = {k: v for k, v in reading.items() if not (proposal["instead"] and k in named)}
    found = {**before, **proposal["reading"]}
    if "mapping" in proposal["reading"]:  # one renaming after the other
        found["mapping"] = {**before.get("mapping", {}), **proposal["reading"]["mapping"]}
    return found
