"""What a table is, understood strictly: where that is not sure, the commands that were tried.

A table is read without a word where names say what the columns are and what these hold does not
speak against it. Else every reading that its columns allow is tried, and those that pass are
printed with what they give. Whatever the user says of a column is obeyed.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from headcount.door.column_names import (
    calls_classifier,
    is_judge,
    made_of_others,
    of_machine,
    of_person,
    sounds_like,
)
from headcount.door.comparisons import SHOWN
from headcount.door.evidence import crossing, determines, joint
from headcount.door.layout import Kind, Layout, check_kind
from headcount.door.nested import readings_of_paths
from headcount.door.profiles import Profile, share_vocabulary
from headcount.door.readings import Reading, rows_of_answers, rows_of_items, tried
from headcount.door.roles import (
    Roles,
    command,
    find_column,
    listing,
    match_columns,
    plain_name,
    require_column,
)
from headcount.door.sets import LIST, ROWS, advised
from headcount.door.source import Source
from headcount.door.times import time_column
from headcount.errors import InputError, UnsureError

_MOST_READINGS = 5
_FEWEST_TO_TELL = 20
"""In fewer rows what columns hold does not speak against their names."""
_MOST_OF_ONE_ANOTHER = 0.75
"""Columns that do not compete vary in sum as they do apart; here ragged counts reach 0.66."""
_MOST_NAMES = 1_000
"""More different labels than this are read as labels nowhere."""
_LARGEST_CROWD = 1_000
"""More raters an item than this are no counts of people, but views or likes."""


def understand_table(source: Source, roles: Roles, layout: str | None = None) -> Layout:
    """Which columns of a table of ratings hold what."""
    kind = None if layout is None else check_kind(layout)
    claimed = _claimed(source, roles)
    if roles.raters or kind in ("wide", "counts"):
        return _row_an_item(source, roles, "wide" if kind is None else kind, claimed)
    _check_sets(source, roles, claimed)
    if kind == "long" or (roles.label and roles.item):
        return _long(source, roles, claimed)
    free = [name for name in source.columns if claimed.get(name, "label") == "label"]
    label = find_column("label", free, roles.label, table=source.name)
    causes: list[str] = []
    if label is not None:
        causes = _against_long(source, roles, claimed, label)
        if not causes:
            return _long(source, roles, claimed)
    if roles.label is None:
        found = _without_label(source, roles, claimed, causes)
        if found is not None:
            return found
    raise _unsure(source, roles, claimed, causes)


def _claimed(source: Source, roles: Roles) -> dict[str, str]:
    """Columns that are something other than a rater or a label, by what the user said."""
    for name, role in roles.named().items():
        find_column(role, source.columns, name, table=source.name)
    claimed = roles.named()
    for name in match_columns("classifiers", roles.classifiers, source.columns, table=source.name):
        claimed.setdefault(name, "classifiers")
    return claimed


def _row_an_item(source: Source, roles: Roles, kind: Kind, claimed: dict[str, str]) -> Layout:
    item = require_column(
        "item", _free(source, claimed, "item"), roles.item_column, table=source.name
    )
    if roles.raters:
        others = match_columns("raters", roles.raters, source.columns, table=source.name)
        both = [name for name in roles.raters if name in claimed or name == item]
        if both:
            role = "item" if both[0] == item else claimed[both[0]]
            raise InputError(
                f"{source.name}: the column {both[0]!r} is named for the raters and for the "
                f"{role}: it can be one of the two."
            )
        others = tuple(name for name in others if name != item and name not in claimed)
    else:
        others = tuple(name for name in source.columns if name != item and name not in claimed)
    if not others:
        raise InputError(f"{source.name} has only the column {item!r}: it holds no ratings.")
    return _with_rest(source, roles, Layout(kind, item, others=others), claimed)


def _long(source: Source, roles: Roles, claimed: dict[str, str]) -> Layout:
    columns, table = source.columns, source.name
    label = require_column("label", _free(source, claimed, "label"), roles.label, table=table)
    free = [name for name in columns if name != label]
    rater = find_column("rater", _free(source, claimed, "rater", free), roles.rater, table=table)
    item = require_column(
        "item",
        [name for name in _free(source, claimed, "item", free) if name != rater],
        roles.item_column,
        table=table,
    )
    taken = Layout(
        "long",
        item,
        label,
        rater,
        find_column(
            "occasion", _free(source, claimed, "occasion", free), roles.occasion, table=table
        ),
        find_column("pool", _free(source, claimed, "pool", free), roles.pool, table=table),
        roles.groups,
        roles.weight,
    )
    taken = _with_rest(source, roles, taken, claimed)
    return taken if taken.classifiers or rater is None else _with_judges(source, taken)


def _with_judges(source: Source, taken: Layout) -> Layout:
    """The layout with judges whose answer stands beside every person's, the same for an item.

    Such a column is called like a classifier, holds nothing but labels and one for each item,
    which no rater's own column does.
    """
    assert taken.label is not None
    labels = frozenset(Profile.of(source, taken.label).vocabulary)
    ids = Profile.of(source, taken.item)
    named = [n for n in taken.unused if of_machine(n) or is_judge(n) or calls_classifier(n)]
    judges = tuple(
        name
        for name in named
        if not made_of_others(name)
        and (column := Profile.of(source, name)).vocabulary
        and labels.issuperset(column.vocabulary)
        and ids.repeats
        and determines(ids.codes, column.codes)
    )
    rest = tuple(name for name in taken.unused if name not in judges)
    return replace(taken, classifiers=judges, unused=rest)


def _free(
    source: Source, claimed: dict[str, str], role: str, among: Sequence[str] | None = None
) -> list[str]:
    names = source.columns if among is None else among
    return [name for name in names if claimed.get(name, role) == role]


def _with_rest(source: Source, roles: Roles, taken: Layout, claimed: dict[str, str]) -> Layout:
    """The layout with what is said of the items, and the columns that are left over."""
    used = {taken.item, taken.label, taken.rater, taken.occasion, taken.pool, taken.weight}
    systems = roles.systems or ((roles.system,) if roles.system else ())
    used |= {*taken.groups, *taken.others, *roles.slices, *taken.classifiers, *roles.parts}
    used |= {*systems, SHOWN} if systems else set()
    used |= {name for name, role in claimed.items() if role in ("classifiers", "run")}
    found: dict[str, str | None] = {}
    for role in ("text", "cluster", "gold"):
        given = getattr(roles, role)
        free = [name for name in source.columns if name not in used or name == given]
        found[role] = find_column(role, free, given, table=source.name)
        used.add(found[role])
    among = [name for name in source.columns if name not in used or name == taken.occasion]
    time = time_column(source, among, roles.time)
    used.add(time)
    return replace(
        taken,
        time=time,
        text=found["text"],
        slices=roles.slices,
        cluster=found["cluster"],
        gold=found["gold"],
        unused=tuple(name for name in source.columns if name not in used),
        sets=roles.options,
        systems=systems,
    )


def _check_sets(source: Source, roles: Roles, claimed: dict[str, str]) -> None:
    """Stop where an answer ticks several options: combinations of them are no labels.

    Whoever names the column has it read as names, but for lists, which are none.
    """
    free = [name for name in source.columns if claimed.get(name, "label") == "label"]
    label = find_column("label", free, roles.label, table=source.name)
    if label is None or (source.paths and f"{label}[]" not in source.paths):
        return  # a list of objects holds answers, and not the options of one
    rater = find_column("rater", _free(source, claimed, "rater"), roles.rater, table=source.name)
    others = [name for name in _free(source, claimed, "item") if name not in (label, rater)]
    item = find_column("item", others, roles.item_column, table=source.name)
    if item is None:
        return
    how = advised(source, roles, item, rater, label)
    if how is None or (roles.label is not None and how != LIST):
        return
    shown = next((v for v in Profile.of(source, label).vocabulary if how in v), "")
    why = {
        LIST: f"the answers in {label!r} are lists",
        ROWS: f"{rater!r} gives one {item!r} several different labels",
    }.get(how, f"the answers in {label!r} tick several options each, such as {shown!r}")
    if rater is None and roles.rater is None:  # a column of another name may tell who answered
        told_of = replace(roles, label=label)
        if any(one.asked for one in tried(source, _unclaimed(source, roles, claimed), told_of)):
            raise _unsure(source, told_of, claimed, [why])
    options: dict[str, str | list[str]] = {"item": item, "label": label, "sets": how}
    if rater is not None:
        options["rater"] = rater
    as_names = {key: value for key, value in options.items() if key != "sets"}
    few = len(Profile.of(source, label).vocabulary) <= _MOST_NAMES
    told = (
        f"{source.name} is not surely understood: {why}. Most likely "
        f"{command(source.call, **options)} (a yes/no question for each option)"
    )
    if how == ROWS:
        told += "; or name what orders a rater's further answers with --occasion"
        raise UnsureError(f"{told}.", options)
    if how != LIST and few:
        told += f"; if they are names and no sets, {command(source.call, **as_names)}"
        raise UnsureError(f"{told}.", options, as_names)
    raise UnsureError(f"{told}.", options)


def _check_sets_of_raters(source: Source, best: Reading) -> None:
    """The same of a column a rater."""
    if not best.asked:
        return
    as_names = {role: value for role, value in best.options.items() if role != "sets"}
    how = str(best.options["sets"])
    told = best.vocabulary.vocabulary
    shown = next((text for text in told if how in text), told[0])
    raise UnsureError(
        f"{source.name} is not surely understood: answers such as {shown!r} tick several options "
        f"each. Most likely {command(source.call, **best.options)} (a yes/no question for each "
        f"option); if they are names and no sets, {command(source.call, **as_names)}.",
        best.options,
        as_names,
    )


def _against_long(source: Source, roles: Roles, claimed: dict[str, str], label: str) -> list[str]:
    """What speaks against a row an answer with these names, as sentences without a full stop."""
    looks = Profile.of(source, label)
    rater = find_column("rater", _free(source, claimed, "rater"), roles.rater, table=source.name)
    others = [name for name in _free(source, claimed, "item") if name not in (label, rater)]
    item = find_column("item", others, roles.item_column, table=source.name)
    causes = []
    why = looks.why_no_labels
    if roles.label is None and why and why.startswith("holds") and not looks.numbers:
        causes.append(f"the column {label!r} {why}, so it is hardly the label")
    if item is None:
        causes.append("no column is called like an item (item, task, id, …)")
        return causes
    ids = Profile.of(source, item)
    if roles.item is None and roles.label is None and not ids.repeats:
        causes += _against_unique(source, item, rater, label, others)
    if len(ids.codes) < _FEWEST_TO_TELL:
        return causes
    free = [n for n in source.columns if n not in (item, label, rater) and n not in claimed]
    if rater is not None:
        return causes + _against_pairs(source, item, rater, free, roles)
    if roles.rater is None and ids.repeats and free:
        told = replace(roles, label=label)
        for one in rows_of_answers(source, [item, label, *free], told)[:1]:
            if one.designed:
                causes.append(
                    f"{one.options['rater']!r} behaves like the rater and is not called like one"
                )
    return causes


def _against_unique(
    source: Source, item: str, rater: str | None, label: str, others: Sequence[str]
) -> list[str]:
    """An item that is different in every row: one of several, or a number of the row."""
    ids = Profile.of(source, item)
    if len(ids.vocabulary) < 2:
        return []
    if rater is not None:
        again = [
            name
            for name in others
            if name != item
            and sounds_like("item", name)
            and (found := Profile.of(source, name)).repeats
            and (
                crossing(found.codes, Profile.of(source, rater).codes).once
                if len(found.codes) >= _FEWEST_TO_TELL
                else plain_name(item) == "id"
            )
        ]
        if again:
            return [
                f"the item may be {item!r}, which is different in every row, or {again[0]!r}, "
                "which is not"
            ]
        return []
    wide = share_vocabulary(
        [Profile.of(source, name) for name in source.columns if name not in (item, rater)]
    )
    if len(wide) > 1 and any(column.name == label for column in wide):
        return [
            f"it may hold a row an answer, with the label in {label!r}, or a row an item with the "
            f"raters {listing([column.name for column in wide])}"
        ]
    return []


def _against_pairs(
    source: Source, item: str, rater: str, free: Sequence[str], roles: Roles
) -> list[str]:
    """Items and raters that do not cross as such: what tells the answers of a pair apart."""
    if roles.item and roles.rater:
        return []
    ids, who = Profile.of(source, item), Profile.of(source, rater)
    met = crossing(ids.codes, who.codes)
    if len(who.vocabulary) < 2 and len(ids.vocabulary) < 2:
        return [f"neither {item!r} nor {rater!r} has two values"]
    if met.once or roles.occasion:
        return []
    if len(who.vocabulary) > 1 and determines(ids.codes, who.codes):
        return [f"{rater!r} is the same in all rows of a {item!r}, so it hardly names who answered"]
    for name in free:
        part = Profile.of(source, name)
        told = part.repeats and len(part.vocabulary) > 1 and not (part.dates or part.decimals)
        if not told or sounds_like("occasion", name) or determines(ids.codes, part.codes):
            continue
        both = crossing(joint([ids.codes, part.codes]), who.codes)
        if both.once:
            return [
                f"{rater!r} answers {item!r} more than once ({met.repeats:,} times), and "
                f"{name!r} tells these answers apart"
            ]
    return []


def _without_label(
    source: Source, roles: Roles, claimed: dict[str, str], causes: list[str]
) -> Layout | None:
    """A table without a column that is called like a label: wide, or counts, or not understood."""
    free = [name for name in _free(source, claimed, "item") if not sounds_like("rater", name)]
    item = find_column("item", free, roles.item_column, table=source.name)
    if item is None:
        whole = [
            name
            for name in free
            if (found := Profile.of(source, name)).names_rows
            and not (found.prose or found.decimals or found.dates)
        ]
        item = whole[0] if len(whole) == 1 and len(Profile.of(source, whole[0]).codes) > 1 else None
        named = False
    else:
        named = True
    if item is None:
        causes.append("no column is called like an item (item, task, id, …)")
        return None
    rater = find_column("rater", _free(source, claimed, "rater"), roles.rater, table=source.name)
    ids = Profile.of(source, item)
    if ids.repeats or (rater is not None and not of_person(rater)):
        if not causes:
            causes.append(
                f"items (column {item!r}) come in several rows, so a row is an answer, but no "
                "column is called label, rating or the like"
                if ids.repeats
                else f"{rater!r} names the rater, but no column is called label or the like"
            )
        return None
    said = _with_rest(source, roles, Layout("wide", item), claimed)
    kept = {
        item,
        said.text,
        said.cluster,
        said.gold,
        said.time,
        *roles.slices,
        *roles.groups,
        *claimed,
    }
    others = [Profile.of(source, name) for name in source.columns if name not in kept]
    if not others:
        raise InputError(f"{source.name} has only the column {item!r}: it holds no ratings.")
    return _wide_or_counts(source, roles, claimed, item, others, causes, named=named)


def _wide_or_counts(
    source: Source,
    roles: Roles,
    claimed: dict[str, str],
    item: str,
    others: Sequence[Profile],
    causes: list[str],
    *,
    named: bool,
) -> Layout | None:
    names = tuple(column.name for column in others)
    ways = rows_of_items(source, [item, *names], replace(roles, item=item))
    best = ways[0] if ways and ways[0].raters else None
    if best is not None and best.sure:
        _check_sets_of_raters(source, best)
        people = match_columns("raters", _list(best.options["raters"]), names, table=source.name)
        machines = match_columns(
            "classifiers", _list(best.options.get("classifiers")), names, table=source.name
        )
        taken = Layout("wide", item, others=people, classifiers=machines)
        return _with_rest(source, roles, taken, claimed)
    if not named:
        causes.append("no column is called like an item (item, task, id, …)")
        return None
    plain = not any(of_machine(name) or made_of_others(name) for name in names)
    if plain and all(column.counts for column in others) and not _is_series(names):
        sums = np.sum([column.values for column in others], axis=0)
        largest = max(int(value) for column in others for value in column.vocabulary)
        # No column can hold more raters than there are columns of raters.
        if largest <= len(others):
            causes.append(
                "it may hold a column a rater or a column a label: say which with "
                'layout="wide" or layout="counts" (--layout on the command line)'
            )
            return None
        agree = best is not None and best.designed and len(sums) >= _FEWEST_TO_TELL
        if sums.max() <= _LARGEST_CROWD and not agree:
            if len(sums) < _FEWEST_TO_TELL or _compete(others):
                return _with_rest(source, roles, Layout("counts", item, others=names), claimed)
            causes.append(
                "its columns may count the answers of each label, but do not add up to as many "
                'an item as the people asked: if they do, say layout="counts" (--layout counts)'
            )
            return None
    causes += _against_wide(others, best)
    return None


def _compete(columns: Sequence[Profile]) -> bool:
    """Whether more of one label is less of another, as where an item's raters choose one each."""
    counts = np.column_stack([column.values for column in columns])
    apart = float(counts.var(axis=0).sum())
    return float(counts.sum(axis=1).var()) <= _MOST_OF_ONE_ANOTHER * apart


def _list(given: object) -> Sequence[str]:
    return [given] if isinstance(given, str) else list(given or ())  # type: ignore[call-overload]


def _is_series(names: Sequence[str]) -> bool:
    return all(of_person(name) for name in names)


def _against_wide(others: Sequence[Profile], best: Reading | None) -> list[str]:
    if all(column.nested for column in others):
        return [f"{listing([column.name for column in others])} holds lists or objects"]
    causes = []
    if best is not None:
        causes += [f"{name!r} may be made of {_of(what)}" for name, what in best.aside.items()]
        causes += [f"{name!r} may be a rater or not" for name in best.doubted]
    alike = share_vocabulary(others)
    strange = [c for c in others if c not in alike and (best is None or c.name not in best.aside)]
    if strange and len(others) > 1:
        why = strange[0].why_no_labels or "uses others"
        causes.append(f"not all of its columns use the same labels ({strange[0].name!r} {why})")
    machines = [column.name for column in others if of_machine(column.name)]
    if machines:
        causes.append(f"{listing(machines)} may be a classifier's")
    if len(others) == 1:
        causes.append(f"{others[0].name!r} may be a rater or the label")
    return causes or ["no name tells which of its columns are people"]


def _of(what: str) -> str:
    return what if what.startswith("the others") else f"the others' answers ({what})"


def _unclaimed(source: Source, roles: Roles, claimed: dict[str, str]) -> list[str]:
    said = {name for name, role in claimed.items() if role not in ("item", "rater", "label")}
    return [name for name in source.columns if name not in said and name not in roles.parts]


def _unsure(
    source: Source, roles: Roles, claimed: dict[str, str], causes: Sequence[str]
) -> InputError:
    """The refusal: every cause at once, and the readings that were tried and passed."""
    free = _unclaimed(source, roles, claimed)
    flat = tried(source, free, roles)
    # A list in each row of a rater's is what was ticked; one in each item's row, who answered.
    ticked = any(one.asked and one.designed and "raters" not in one.options for one in flat)
    readings = (not ticked and readings_of_paths(source, roles)) or flat
    if roles.parts:
        readings = [replace(r, options={**r.options, "item": roles.parts}) for r in readings]
    why = "; ".join(dict.fromkeys(causes)) or "no name tells what its columns are"
    start = f"{source.name} is not surely understood: {why}"
    if not readings:
        return InputError(
            f"{start}. No reading of it passes: a table of ratings has a row an answer (item, "
            "rater, label) or a row an item with a column a rater, whose answers are of one kind; "
            f"its columns are {listing(source.columns)}. Name them with --item, --rater and "
            f"--label, or --raters.{_paths(source)}"
        )
    shown = readings[:_MOST_READINGS]
    told = f"{start}. Most likely {_proposal(source, shown[0])}"
    if shown[1:]:
        told += ". Or: " + "; or ".join(_proposal(source, one) for one in shown[1:])
    every = [
        {**one.options, "label": label} if label else one.options
        for one in shown
        for label in (one.options.get("label"), *one.labels)
    ]
    return UnsureError(f"{told}.{_paths(source)}", *every)


def _proposal(source: Source, reading: Reading) -> str:
    """A reading as the refusal shows it: the command, what it gives, and what to mind."""
    told = reading.shown(source)
    if reading.labels:
        told += f" (or {listing(reading.labels, 30)} as the label)"
    return told + _caution(reading)


def _caution(reading: Reading) -> str:
    told = "; a yes/no question for each option" if reading.asked else ""
    if reading.doubted:
        told += (
            f"; {listing(reading.doubted)} may be a rater too (--raters), a model "
            "(--classifiers) or the right answer (--gold)"
        )
    if reading.options.get("gold"):
        told += (
            f"; {reading.options['gold']!r} is called like right answers, and may be a rater too"
        )
    for name, what in reading.aside.items():
        told += f"; {name!r} is {what}: no rater, unless you know that it is"
    if reading.unnamed:
        told += (
            f"; which of {listing(reading.unnamed, 20)} are people only you know: give models "
            "with --classifiers and the right answer with --gold"
        )
        if reading.by_chance:
            told += "; they agree no more than by chance, so some may hold something else"
    if reading.retests:
        told += "; name what orders a rater's further answers with --occasion"
    return told


def _paths(source: Source) -> str:
    if not source.paths:
        return ""
    return (
        " Nested records are reached into by paths (--item, --rater, --label): "
        f"{listing(source.paths, 20)}."
    )
