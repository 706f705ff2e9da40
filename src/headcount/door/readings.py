"""Ways to read a table: proposed by what its columns hold, and each tried on its first rows."""

from collections.abc import Sequence
from dataclasses import field, replace
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from headcount.door.column_names import (
    beside_answers,
    is_judge,
    made_of_others,
    may_be_anything,
    of_gold,
    of_machine,
    of_person,
    patterns,
    says_human,
    series,
    sounds_like,
)
from headcount.door.evidence import (
    Alike,
    Codes,
    Floats,
    agreement,
    crossing,
    determines,
    is_majority,
    joint,
    made_of_numbers,
    n_different,
    unrolled,
)
from headcount.door.profiles import Profile, meant, share_vocabulary
from headcount.door.roles import ALIASES, Roles, command, plain_name
from headcount.door.sets import ticks_among
from headcount.door.source import Source
from headcount.errors import Remedy
from headcount.frozen import frozen

_MOST_KEYS = 12
"""So many columns that repeat are tried as parts of a key: more have too many triples."""
_MOST_PARTS = 4
"""An item of three parts and the rater: document, system, aspect, person."""
_FEWEST_ROWS = 20
"""In fewer rows a column determines another by accident."""
_CLEARLY = 4.0
"""Standard errors at which agreement is taken to be there."""
_SURELY = 3.0
_HARDLY = 2.0
_MOST_LEVELS = 11
"""Numbers of more levels are compared by their distance and not by name."""
_SHOWN_LABELS = 6
_MOST_PEOPLE = 6
"""Of more columns not every choice of some is tried for a mean: there are too many."""
_ENOUGH_ROWS = 500
"""Rows that tell whether a column is a mean of others."""
_TICKED = Profile("ticked", ("no", "yes"), np.array([], dtype=np.int64))


@frozen
class Reading:
    """One way to read a table: the options that say so, and what it gave in the first rows.

    `labels` are further columns that may hold the label in the same reading. Of columns of raters,
    `doubted` are those that may be a rater's too, `aside` those that were made of the others, with
    what; of `unnamed` no name tells people from models, `sure` that nothing is in doubt,
    `answers` are the columns of raters, `designed` that chance would not have made it so. `asked`
    is how many options there are, where answers tick several.
    """

    options: Remedy
    items: int
    raters: int
    vocabulary: Profile
    alike: Alike
    retests: int = 0
    labels: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    sure: bool = False
    designed: bool = False
    answers: tuple[str, ...] = ()
    asked: int = 0
    aside: dict[str, str] = field(default_factory=dict)

    @property
    def by_chance(self) -> bool:
        """Whether people who do not know each other's answers would agree as much by chance."""
        return self.alike.items > 0 and self.alike.z < _HARDLY

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that name item and rater."""
        given = (self.options.get("item") or (), self.options.get("rater") or ())
        return tuple(name for one in given for name in ((one,) if isinstance(one, str) else one))

    def gives(self) -> str:
        """What it gives, in a few words."""
        told = [_counted(self.items, "item")]
        told += [_counted(self.raters, "rater")] if self.raters else []
        told += [_counted(self.retests, "retest")] if self.retests else []
        told.append(
            f"{_counted(self.asked, 'option')} ticked or not"
            if self.asked
            else _labels(self.vocabulary)
        )
        if self.alike.items:
            told.append(f"{100 * self.alike.share:.0f} % agree")
        return ", ".join(told)

    def shown(self, source: Source) -> str:
        """The command, and what it gives."""
        options = self.options
        if "--rater-from" in (source.call or ()):  # the column that says so is ours
            options = {role: name for role, name in options.items() if role != "rater"}
        return f"{command(source.call, **options)} ({self.gives()})"


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _labels(column: Profile) -> str:
    known = column.vocabulary
    if column.numbers and len(known) > _SHOWN_LABELS:
        values = sorted(known, key=float)
        return f"{len(known)} numbers from {values[0]} to {values[-1]}"
    shown = sorted(known, key=float) if column.numbers else sorted(known)
    more = f" and {len(known) - _SHOWN_LABELS} more" if len(known) > _SHOWN_LABELS else ""
    return f"labels {', '.join(map(_short, shown[:_SHOWN_LABELS]))}{more}"


def _short(text: str) -> str:
    return text if len(text) <= 24 else text[:23] + "…"


def _agreement(item: Codes, label: Profile) -> Alike:
    far = label.numbers and len(label.vocabulary) > _MOST_LEVELS
    return agreement(item, label.codes, _ranks(label) if far else None)


def _ranks(label: Profile) -> Floats:
    """The rank of each row's number among the different ones: one far out shall not decide."""
    order = np.argsort(np.argsort([*map(float, label.vocabulary), np.inf]))
    return order.astype(np.float64)[label.codes]


# --- a row an answer


def rows_of_answers(
    source: Source, free: Sequence[str], roles: Roles, inside: str | None = None
) -> list[Reading]:
    """The ways to read a table with a row an answer, likeliest first.

    An item and a rater together name a row, where chance would have made many pairs come twice.
    `inside` begins the names of columns that stood in a list of the item: answers, even where all
    people agree, and not what is known of the item.
    """
    profiles = {name: Profile.of(source, name) for name in free}
    rows = len(next(iter(profiles.values())).codes) if profiles else 0
    keys = _key_columns([profiles[name] for name in free], rows, roles)
    found: list[Reading] = []
    for parts in _keys(keys, rows):
        for rater in parts:
            if rater.prose or (roles.rater and rater.name != roles.rater):
                continue
            items = [part for part in parts if part is not rater]
            if roles.item and set(roles.items) != {part.name for part in items}:
                continue
            found += _row_an_answer(items, rater, list(profiles.values()), roles, inside)
    if not found:
        for item in keys:
            found += _row_an_answer([item], None, list(profiles.values()), roles, inside)
        found.sort(key=lambda one: -one.items)
    if rows >= _FEWEST_ROWS:
        found = [one for one in found if _may_be(one) and (one.designed or _tells(one))]
    found = _without_exchanged(found)
    if rows < _FEWEST_ROWS:  # what these hold fits many readings: names decide
        most = max((_sounding(one) for one in found), default=0)
        found = [one for one in found if _sounding(one) == most]
    return sorted(found, key=_likely)


def _key_columns(columns: Sequence[Profile], rows: int, roles: Roles) -> list[Profile]:
    """Columns that may be part of what names a row; of those that are the same, the first."""
    given = {*roles.items, *([roles.rater] if roles.rater else [])}
    keys: list[Profile] = []
    for one in sorted(columns, key=lambda column: (column.name not in given, column.prose)):
        if one.name not in given and (
            len(one.vocabulary) < 2
            or not one.repeats
            or one.blanks * 10 > rows
            or one.nested
            or one.dates
            or one.decimals
        ):
            continue
        if rows >= _FEWEST_ROWS and any(_same(one, other) for other in keys):
            continue
        keys.append(one)
    keys.sort(key=lambda column: (column.name not in given, -len(column.vocabulary)))
    kept = keys[:_MOST_KEYS]
    return [column for column in keys if column in kept]


def _same(one: Profile, other: Profile) -> bool:
    """Whether two columns name the same things: an id and its address."""
    if len(one.vocabulary) != len(other.vocabulary):
        return False
    return n_different(joint([one.codes, other.codes])) == len(one.vocabulary)


def _keys(columns: Sequence[Profile], rows: int) -> list[tuple[Profile, ...]]:
    """The fewest columns that name a row by design; where none does, those that do by chance."""
    weak: list[tuple[Profile, ...]] = []
    for size in range(2, _MOST_PARTS + 1):
        found = []
        for parts in combinations(columns, size):
            if prod(len(part.vocabulary) for part in parts) < 0.98 * rows:
                continue
            met = [
                crossing(joint([p.codes for p in parts if p is not one]), one.codes)
                for one in parts[-1 if size == 2 else 0 :]
            ]
            if not all(each.once for each in met):
                continue
            if all(each.designed for each in met):
                found.append(parts)
            elif size == 2:
                weak.append(parts)
        if found:
            return found
    return [pair for pair in combinations(columns, 2) if _second_answers(*pair)] or weak


def _second_answers(one: Profile, other: Profile) -> bool:
    """Whether two columns may be items and raters who answered some of them again."""
    met = crossing(one.codes, other.codes)
    return met.designed and met.repeats * 2 <= met.rows


def _row_an_answer(
    items: Sequence[Profile],
    rater: Profile | None,
    columns: Sequence[Profile],
    roles: Roles,
    inside: str | None,
) -> list[Reading]:
    taken = {part.name for part in items} | ({rater.name} if rater else set())
    item = joint([part.codes for part in items])
    answers = [column for column in columns if column.name not in taken]
    if roles.label:
        answers = [column for column in answers if column.name == roles.label]
    if len(item) >= _FEWEST_ROWS:
        answers = [
            column
            for column in answers
            if len(column.vocabulary) < 2  # a tick or nothing, which everything determines
            or (
                (_stands_in(column, inside) or not determines(item, column.codes))
                and not (rater and determines(rater.codes, column.codes))
            )
        ]
    met = crossing(item, rater.codes) if rater else None
    keys: Remedy = {
        "item": [part.name for part in items] if len(items) > 1 else items[0].name,
        **({"rater": rater.name} if rater else {}),
    }
    shape = Reading(
        keys,
        n_different(item),
        len(rater.vocabulary) if rater else 0,
        _TICKED,
        agreement(item[:0], item[:0]),
        met.repeats if met else 0,
        designed=met is not None and met.designed,
    )
    boxes = [tuple(sorted(c.vocabulary)) for c in answers if len(c.vocabulary) == 2]
    agreed = [  # an option that everybody sees alike is an option of the same question
        column
        for column in columns
        if column.name not in taken
        and column not in answers
        and boxes.count(tuple(sorted(column.vocabulary))) > 1
        and not (of_gold(column.name) or made_of_others(column.name))
    ]
    ticked = [c for c in columns if c in answers or (c in agreed and not roles.label)]
    found = _of_sets(shape, item, ticked)
    labels = [column for column in answers if column.may_be_labels]
    tried = {column.name: _agreement(item, column) for column in labels}
    enough = _HARDLY if shape.designed else _CLEARLY
    # Numbers that hardly ever come twice are answers only where people agree on them.
    labels = [
        column
        for column in labels
        if not (column.mostly_unique and tried[column.name].items) or tried[column.name].z > enough
    ]
    settled = [] if roles.label else _settled(shape, columns, taken, answers, rater)
    if not labels:
        labels, settled = settled, []
        tried = {column.name: _agreement(item, column) for column in labels}
    if not labels:
        return found
    labels.sort(
        key=lambda c: (
            made_of_others(c.name) or of_gold(c.name) or beside_answers(c.name),
            not sounds_like("label", c.name),
            sounds_like("occasion", c.name) or sounds_like("rater", c.name),
            tried[c.name].z < _HARDLY,
            -tried[c.name].alpha,
        )
    )
    best = labels[0]
    used = [set(column.vocabulary) for column in labels]
    labels += [column for column in settled if set(column.vocabulary) in used]
    return [
        *found,
        replace(
            shape,
            options={**keys, "label": best.name},
            vocabulary=best,
            alike=tried[best.name],
            labels=tuple(column.name for column in labels[1:]),
        ),
    ]


def _settled(
    shape: Reading,
    columns: Sequence[Profile],
    taken: set[str],
    answers: Sequence[Profile],
    rater: Profile | None,
) -> list[Profile]:
    """Columns that the item decides: known of it, or answers on which all people agree."""
    return [
        column
        for column in columns
        if shape.designed
        and rater is not None
        and column.name not in taken
        and column not in answers
        and column.may_be_labels
        and len(column.vocabulary) <= _MOST_LEVELS
        and not (of_gold(column.name) or made_of_others(column.name))
        and not determines(rater.codes, column.codes)
    ]


def _of_sets(shape: Reading, item: Codes, columns: Sequence[Profile]) -> list[Reading]:
    """The same reading where answers tick several options: a yes/no question for each of them."""
    found = []
    for ticks in ticks_among(columns):
        options = np.repeat(np.arange(len(ticks.said)), len(item))
        asked = joint([np.tile(item, len(ticks.said)), options])
        alike = agreement(asked, np.concatenate(ticks.said))
        by_column = ticks.label is None or "raters" in shape.options
        label: Remedy = {} if by_column else {"label": ticks.label}
        found.append(
            replace(
                shape,
                options={**shape.options, **label, "sets": ticks.sets},
                alike=alike,
                asked=ticks.options,
            )
        )
    return found


def _stands_in(column: Profile, inside: str | None) -> bool:
    return inside is not None and column.name.startswith(inside)


def tried(source: Source, free: Sequence[str], roles: Roles) -> list[Reading]:
    """Every way to read a table that passes, likeliest first."""
    found = rows_of_answers(source, free, roles)
    if roles.rater is None and roles.label is None:
        beside = rows_of_items(source, free, roles)
        answers = {name for one in beside if one.designed for name in one.answers}
        found = [one for one in found if not answers.intersection(one.keys)] + beside
    found.sort(key=_likely)
    # What passes by chance is told of only where nothing passes by design.
    return [one for one in found if one.designed] or found


def _may_be(reading: Reading) -> bool:
    """Whether people may have answered so: they do not differ more often than chance has it."""
    return reading.alike.z > -_SURELY


def _tells(reading: Reading) -> bool:
    """Whether agreement alone tells of ratings: it is sure, and half of the items show it."""
    return reading.alike.z > _SURELY and reading.alike.items * 2 >= reading.items


def _without_exchanged(found: list[Reading]) -> list[Reading]:
    """Without readings that take raters for items, where agreement and numbers both say so."""
    best = max(found, key=lambda one: one.alike.z, default=None)
    if best is None or best.alike.z < _CLEARLY or best.items < 3 * best.raters:
        return found
    return [
        one
        for one in found
        if one is best or one.alike.z > _HARDLY or one.items >= one.raters or _sounding(one) > 1
    ]


def _likely(reading: Reading) -> tuple[bool, int, bool, bool, float]:
    """What likelier readings come first by."""
    alike = reading.alike
    return (
        not reading.designed,
        -_sounding(reading),
        not reading.asked,
        alike.z < _HARDLY,
        -alike.alpha,
    )


def _sounding(reading: Reading) -> int:
    """How many of the columns are called like what they would be, less those called like others."""
    raters = reading.options.get("raters") or ()
    told = 2 * (bool(raters) and not reading.unnamed)
    for role in ("item", "rater"):
        given = reading.options.get(role)
        for name in [given] if isinstance(given, str) else given or ():
            told += sounds_like(role, name)
            told -= role == "item" and sounds_like("rater", name)
            told -= sounds_like("occasion", name) or (role == "rater" and of_machine(name))
    return told


# --- a row an item


@frozen
class Columns:
    """Columns that use the same values, by what they are taken for.

    `made` are those that equal something of the others, with what; `apart` those that agree with
    none of them; `doubted` stand beside columns that are numbered alike.
    """

    people: tuple[Profile, ...]
    machines: tuple[Profile, ...] = ()
    gold: tuple[Profile, ...] = ()
    made: dict[str, str] = field(default_factory=dict)
    apart: tuple[Profile, ...] = ()
    doubted: tuple[Profile, ...] = ()


def rows_of_items(source: Source, free: Sequence[str], roles: Roles) -> list[Reading]:
    """The ways to read a table with a row an item and a column a rater, likeliest first."""
    profiles = [Profile.of(source, name) for name in free]
    item = _item_of_rows(profiles, roles)
    if not item:
        return []
    answers = [c for c in profiles if c.name not in item and (c.may_be_labels or c.constant)]
    found = []
    for group in _groups(answers):
        for columns in _told_apart(group, answers):
            if len(columns.people) > 1 or (columns.people and columns.machines):
                found += _row_an_item(source, item, _with_strangers(columns, group, answers))
    found = sorted(filter(_may_be, found), key=_likely)
    if any(
        one.alike.z > _SURELY for one in found
    ):  # names do not make people of what does not agree
        found = [replace(one, sure=one.sure and not one.by_chance) for one in found]
    if not found:
        alone = [c for c in answers if c.may_be_labels and not c.decimals]
        named = [c for c in alone if plain_name(c.name) in ALIASES["label"]]
        others = [c for c in profiles if c.name not in item and not c.prose]
        alone = named or (alone if len(others) == 1 and not source.paths else [])
        found = [
            Reading(
                {"item": _one_or_all(item), "label": c.name},
                len(c.codes),
                0,
                c,
                agreement(c.codes[:0], c.codes[:0]),
            )
            for c in alone[:1]
        ]
        found = [replace(one, labels=tuple(c.name for c in alone[1:])) for one in found]
    return found


def _with_strangers(
    columns: Columns, group: Sequence[Profile], answers: Sequence[Profile]
) -> Columns:
    """The same, in doubt of columns that are called like people's and use other values."""
    called = [c for c in answers if c not in group and of_person(c.name)]
    return replace(columns, doubted=(*columns.doubted, *called))


def _one_or_all(names: Sequence[str]) -> str | list[str]:
    return names[0] if len(names) == 1 else list(names)


def _item_of_rows(columns: Sequence[Profile], roles: Roles) -> tuple[str, ...]:
    """The column that names each row, or the few that do together."""
    if roles.items:
        return roles.items
    whole = [column for column in columns if column.names_rows and not column.decimals]
    whole.sort(key=lambda c: (not sounds_like("item", c.name), c.prose, c.dates))
    if whole:
        return (whole[0].name,)
    keys = [c for c in columns if c.repeats and not c.blanks and len(c.vocabulary) > 2]
    keys.sort(
        key=lambda c: (
            plain_name(c.name) in ALIASES["label"],
            not sounds_like("item", c.name),
            -len(c.vocabulary),
        )
    )
    rated = _rated(columns)
    for size in (2, 3):
        for parts in combinations(keys[:_MOST_KEYS], size):
            both = joint([part.codes for part in parts])[rated]
            if n_different(both) == len(both):
                return tuple(part.name for part in parts)
    return ()


def _rated(columns: Sequence[Profile]) -> NDArray[np.bool_]:
    """The rows that hold an answer, where others are blank in every column that may hold one."""
    answers = [c for c in columns if c.blanks and 1 < len(c.vocabulary) <= _MOST_LEVELS]
    if not answers:
        return np.ones(len(columns[0].codes), dtype=bool)
    filled = np.column_stack([column.codes for column in answers]).max(axis=1)
    return np.asarray(filled >= 0)


def _groups(columns: Sequence[Profile]) -> list[list[Profile]]:
    """Columns that use the same values, largest groups first."""
    left, groups = list(columns), []
    while left:
        group = [c for c in left if c is left[0] or len(share_vocabulary([left[0], c])) == 2]
        groups.append(group)
        left = [column for column in left if column not in group]
    return sorted(groups, key=len, reverse=True)


def alike_coded(columns: Sequence[Profile]) -> tuple[tuple[str, ...], list[Codes]]:
    """The values of all the columns, and each column coded by these."""
    values = meant(columns)
    place: dict[str, int] = {}
    for each in values:
        for value in each:
            place.setdefault(value, len(place))
    codes = [
        np.array([*(place[value] for value in each), -1], dtype=np.int64)[c.codes]
        for c, each in zip(columns, values, strict=True)
    ]
    return tuple(place), codes


def _told_apart(group: Sequence[Profile], answers: Sequence[Profile]) -> list[Columns]:
    """Who is who among columns that use the same values: by what they hold, then by name."""
    made = _made(group)
    left = [c for c in group if c.name not in made and not _beside(c.name, group)]
    soft = [c for c in answers if c not in group and c.decimals and of_machine(c.name)]
    circles = _circles(left)
    return [
        _columns(circle, [c for c in left if c not in circle], soft, made) for circle in circles
    ]


def _columns(
    circle: list[Profile], apart: list[Profile], soft: list[Profile], made: dict[str, str]
) -> Columns:
    """Columns that agree with each other, told apart by their names."""
    human = any(says_human(column.name) for column in circle)
    fine = [column for column in circle if not column.decimals]
    machines = [
        column
        for column in circle
        if of_machine(column.name)
        or (human and is_judge(column.name) and not says_human(column.name))
    ]
    people = [column for column in circle if column not in machines]
    if not people:
        people, machines = machines, []
    # A model need not agree with anybody to be one.
    machines += [column for column in apart if of_machine(column.name)]
    apart = [column for column in apart if column not in machines]
    odd = [
        column
        for column in people
        if made_of_others(column.name)
        or beside_answers(column.name)
        # Marks are whole numbers or none is; a mean, a share and a score lie between.
        or (column.decimals and len(fine) > 1)
    ]
    gold = [c for c in people if of_gold(c.name) and not of_person(c.name) and c not in odd]
    numbered = series([column.name for column in people])
    if 2 * len(numbered) < len(people):
        numbered = []
    odd += [
        column
        for column in people
        if numbered and column.name not in numbered and not of_person(column.name)
    ]
    sure = [column for column in people if column not in odd and column not in gold]
    if len(sure) < 2 and not (sure and (machines or soft)):
        sure, gold, odd = people, [], []
    return Columns(
        tuple(sure),
        (*machines, *soft),
        tuple(gold),
        made,
        tuple(apart),
        tuple(column for column in dict.fromkeys(odd) if column not in gold),
    )


def _beside(name: str, group: Sequence[Profile]) -> bool:
    """Whether a column is called like another one and stands beside it: ann1_conf beside ann1."""
    others = [column.name for column in group if column.name != name]
    return beside_answers(name) and any(name.startswith(other) for other in others)


def _circles(columns: list[Profile]) -> list[list[Profile]]:
    """Columns in circles that agree with each other: answers, and what else has the same values."""
    named = all(of_person(column.name) for column in columns)
    if named or len(columns) < 3 or len(columns[0].codes) < _FEWEST_ROWS:
        return [columns]
    alike = {
        frozenset((one.name, other.name)): _agreement(*_unrolled([one, other])).z
        for one, other in combinations(columns, 2)
    }
    numbered = series([column.name for column in columns])
    if 2 * len(numbered) < len(columns):  # two of many that happen to be called alike
        numbered = []
    for enough in (_CLEARLY, _SURELY, _HARDLY):
        circles = _closed(columns, numbered, alike, enough)
        large = [circle for circle in circles if len(circle) > 1]
        if any(len(circle) > len(numbered) or not numbered for circle in large):
            return large
    return large or [columns]


def _closed(
    columns: list[Profile], numbered: list[str], alike: dict[frozenset[str], float], enough: float
) -> list[list[Profile]]:
    """Columns that agree, directly or by others; those that are numbered alike stand together.

    A column that agrees with those of a circle on the whole belongs to it as well.
    """

    def z(one: Profile, other: Profile) -> float:
        return alike[frozenset((one.name, other.name))]

    left, circles = list(columns), []
    while left:
        circle = [left.pop(0)]
        for one in circle:  # grows while it is gone through
            near = [
                other
                for other in left
                if z(one, other) > enough or (one.name in numbered and other.name in numbered)
            ]
            circle += near
            left = [other for other in left if other not in near]
        circles.append(circle)
    for circle in [each for each in circles if len(each) > 1]:
        alone = [other for each in circles if len(each) == 1 for other in each]
        near = [c for c in alone if np.mean([z(c, one) for one in circle]) > _HARDLY]
        circle += near
        circles = [each for each in circles if len(each) > 1 or each[0] not in near]
    return [sorted(circle, key=columns.index) for circle in circles]


def _unrolled(columns: Sequence[Profile]) -> tuple[Codes, Profile]:
    """The row of each answer, and the answers of all the columns as one."""
    vocabulary, codes = alike_coded(columns)
    rows, said = unrolled(codes)
    return rows, Profile("answers", vocabulary, said)


def _made(group: Sequence[Profile]) -> dict[str, str]:
    """Columns that are the majority or the mean of the others, and which of these."""
    made: dict[str, str] = {}
    whole = [column.values for column in group if column.numbers and not column.decimals]
    for column in group:
        if column.decimals and len(whole) > 1:
            what = _made_of_some(column.values, whole)
            made |= {} if what is None else {column.name: what}
    vocabulary, codes = alike_coded(group)
    said = dict(zip((column.name for column in group), codes, strict=True))
    for name in sorted(said, key=lambda n: (not made_of_others(n), not of_gold(n), of_person(n))):
        rest = [c for other, c in said.items() if other != name and other not in made]
        if name not in made and len(rest) > 2 and is_majority(said[name], rest, len(vocabulary)):
            made[name] = "the majority of the others"
    return made


def _made_of_some(column: Floats, whole: Sequence[Floats]) -> str | None:
    """What a column of decimals is of the others, or of some where others stand beside these."""
    told = made_of_numbers(column, np.column_stack(whole))
    if told is not None:
        return f"the {told} of the others"
    kept = slice(0, _ENOUGH_ROWS)
    for size in range(len(whole) - 1, 1, -1) if len(whole) <= _MOST_PEOPLE else ():
        for some in combinations(whole, size):
            told = made_of_numbers(column[kept], np.column_stack(some)[kept])
            if told is not None:
                return f"the {told} of some of the others"
    return None


def _row_an_item(source: Source, item: tuple[str, ...], columns: Columns) -> list[Reading]:
    people = [column.name for column in columns.people]
    rows, together = _unrolled(columns.people)
    named = all(of_person(name) for name in people)
    options: Remedy = {
        "item": _one_or_all(item),
        "raters": patterns(people, source.columns),
        "classifiers": patterns([column.name for column in columns.machines], source.columns),
        "gold": columns.gold[0].name if columns.gold else None,
    }
    few = len(columns.people[0].codes) < _FEWEST_ROWS
    everyone = (*columns.people, *columns.machines, *columns.gold)
    # Beside several columns called like people's, a column "model" can hardly be anything else.
    settled = named and len(people) > 1
    vague = [c for c in columns.machines if may_be_anything(c.name) and not settled]
    open_to_doubt = [*columns.doubted, *columns.apart, *vague]
    reading = Reading(
        {role: value for role, value in options.items() if value},
        len(columns.people[0].codes),
        len(people),
        together,
        _agreement(rows, together),
        doubted=tuple(column.name for column in open_to_doubt),
        unnamed=() if named else tuple(c.name for c in everyone),
        sure=named and not (open_to_doubt or columns.made or columns.gold),
        designed=named or few or _agreement(rows, together).z > _SURELY,
        aside=columns.made,
        answers=tuple(people),
    )
    return [*_of_sets(reading, rows, [together]), reading]
