"""What a table is, understood strictly: where that is not sure, the command that would be right.

A wide table needs columns that share a vocabulary and ids that do not repeat; columns that differ
in every row, dates and texts speak against it, and so does a column that names the rater. Whatever
the user says of a column is obeyed.
"""

from collections.abc import Sequence

from headcount.door.layout import Kind, Layout, check_kind
from headcount.door.looks import Looks, share_vocabulary
from headcount.door.roles import (
    Roles,
    command,
    find_column,
    listing,
    match_columns,
    plain_name,
    require_column,
)
from headcount.door.source import Source
from headcount.errors import InputError, UnsureError


def understand_table(source: Source, roles: Roles, layout: str | None = None) -> Layout:
    """Which columns of a table of ratings hold what."""
    kind = None if layout is None else check_kind(layout)
    try:
        return _understood(source, roles, kind)
    except InputError as error:
        if not source.paths:
            raise
        raise InputError(
            f"{error} Nested records are reached into by paths (--item, --rater, --label): "
            f"{listing(source.paths, 20)}."
        ) from error


def _understood(source: Source, roles: Roles, kind: Kind | None) -> Layout:
    claimed = _claimed(source, roles)
    if roles.raters or kind in ("wide", "counts"):
        return _row_an_item(source, roles, "wide" if kind is None else kind, claimed)
    if kind == "long" or roles.label is not None:
        return _long(source, roles, claimed)
    free = [name for name in source.columns if name not in claimed or claimed[name] == "rater"]
    label = find_column("label", free, None, table=source.name)
    if label is not None:
        _check_long(source, roles, label)
        return _long(source, roles, claimed)
    return _without_label(source, roles, claimed)


def _claimed(source: Source, roles: Roles) -> dict[str, str]:
    """Columns that are something other than a rater or a label, by what the user said."""
    for name, role in roles.named().items():
        find_column(role, source.columns, name, table=source.name)
    claimed = roles.named()
    for name in match_columns("classifiers", roles.classifiers, source.columns, table=source.name):
        claimed.setdefault(name, "classifiers")
    return claimed


def _row_an_item(source: Source, roles: Roles, kind: Kind, claimed: dict[str, str]) -> Layout:
    item = require_column("item", _free(source, claimed, "item"), roles.item, table=source.name)
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
        roles.item,
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
    return _with_rest(source, roles, taken, claimed)


def _free(
    source: Source, claimed: dict[str, str], role: str, among: Sequence[str] | None = None
) -> list[str]:
    names = source.columns if among is None else among
    return [name for name in names if claimed.get(name, role) == role]


def _with_rest(source: Source, roles: Roles, taken: Layout, claimed: dict[str, str]) -> Layout:
    """The layout with what is said of the items, and the columns that are left over."""
    used = {taken.item, taken.label, taken.rater, taken.occasion, taken.pool, taken.weight}
    used |= {*taken.groups, *taken.others, *roles.slices}
    used |= {name for name, role in claimed.items() if role in ("classifiers", "run")}
    found: dict[str, str | None] = {}
    for role in ("text", "cluster", "gold"):
        given = getattr(roles, role)
        free = [name for name in source.columns if name not in used or name == given]
        found[role] = find_column(role, free, given, table=source.name)
        used.add(found[role])
    return Layout(
        taken.kind,
        taken.item,
        taken.label,
        taken.rater,
        taken.occasion,
        taken.pool,
        taken.groups,
        taken.weight,
        taken.others,
        found["text"],
        roles.slices,
        found["cluster"],
        found["gold"],
        tuple(name for name in source.columns if name not in used),
    )


def _check_long(source: Source, roles: Roles, label: str) -> None:
    """A label column known only by its name must look like one, and so must the item."""
    looks = Looks.of(source, label)
    rater = find_column("rater", source.columns, roles.rater, table=source.name)
    others = [name for name in source.columns if name not in (label, rater)]
    item = find_column("item", others, roles.item, table=source.name)
    if item is None:
        return
    ids = Looks.of(source, item)
    if looks.why_no_labels and not looks.numbers and looks.why_no_labels.startswith("holds"):
        if rater is None and not ids.repeats:
            _check_no_sheet(source, item, label)
        better = _label_candidates(source, {item, label, rater})
        hint = f", for example {command(source.call, label=better[0])}" if better else ""
        raise UnsureError(
            f"{source.name}: the column {label!r} {looks.why_no_labels}, so it is hardly the "
            f"label: name the column that is with label= (--label){hint}.",
            label=better[:1] and better[0],
        )
    if ids.repeats or len(ids.values) < 2 or roles.item is not None:
        return
    if rater is not None:
        _check_item(source, item, [name for name in others if name != item])
        return
    wide = share_vocabulary([Looks.of(source, name) for name in source.columns if name != item])
    if len(wide) > 1 and any(column.name == label for column in wide):
        names = [column.name for column in wide]
        raise UnsureError(
            f"{source.name} may hold a row an answer, with the label in {label!r}, or a row an "
            f"item with the raters {listing(names)}: say which, with "
            f"{command(source.call, label=label)} or {command(source.call, raters=names)}.",
            item=item,
            raters=names,
        )


def _check_no_sheet(source: Source, item: str, text: str) -> None:
    """A row an item, with what was rated beside several columns of answers, is a wide table."""
    first = [text, *(name for name in source.columns if name not in (item, text))]
    looks = [Looks.of(source, name) for name in first]
    if len(share_vocabulary([column for column in looks if not column.made_of_others])) > 1:
        _check_wide(source, item, looks)


def _check_item(source: Source, item: str, others: Sequence[str]) -> None:
    """An `id` that numbers the rows is not the item where another column names documents."""
    again = [
        name
        for name in others
        if find_column("item", [name], None, table=source.name) and Looks.of(source, name).repeats
    ]
    if plain_name(item) != "id" or not again:
        return
    text = source.text(item)
    rows, different = source.ask_row(f"SELECT count(*), count(DISTINCT {text}) FROM source")
    if rows == different:
        raise UnsureError(
            f"{source.name}: the item may be {item!r}, which is different in every row, or "
            f"{again[0]!r}, which is not: say which, most likely "
            f"{command(source.call, item=again[0])}.",
            item=again[0],
        )


def _label_candidates(source: Source, taken: set[str | None]) -> list[str]:
    looks = [Looks.of(source, name) for name in source.columns if name not in taken]
    fitting = [column for column in looks if column.vocabulary and not column.why_no_labels]
    fitting.sort(key=lambda column: (len(column.vocabulary) < 2, column.numbers))
    return [column.name for column in fitting]


def _without_label(source: Source, roles: Roles, claimed: dict[str, str]) -> Layout:
    """A table without a column that is called like a label: wide, counts, or not understood."""
    item = require_column("item", _free(source, claimed, "item"), roles.item, table=source.name)
    rater = find_column("rater", _free(source, claimed, "rater"), roles.rater, table=source.name)
    said = _with_rest(source, roles, Layout("wide", item), claimed)
    kept = {item, said.text, said.cluster, said.gold, *roles.slices, *roles.groups}
    kept |= {name for name, role in claimed.items() if role != "rater"}
    others = [Looks.of(source, name) for name in source.columns if name not in kept]
    if not others:
        raise InputError(f"{source.name} has only the column {item!r}: it holds no ratings.")
    if rater is not None or Looks.of(source, item).repeats:
        _refuse_without_label(source, item, rater)
    names = [column.name for column in others]
    if all(column.counts for column in others) and _odd_one_out(others) is None:
        kind = _wide_or_counts(source, others)
    else:
        _check_wide(source, item, others)
        kind = "wide"
    return _with_rest(source, roles, Layout(kind, item, others=tuple(names)), claimed)


def _refuse_without_label(source: Source, item: str, rater: str | None) -> None:
    candidates = _label_candidates(source, {item, rater})
    why = (
        f"{rater!r} names the rater"
        if rater is not None
        else f"items (column {item!r}) come in several rows"
    )
    if rater is None and len(candidates) > 1:
        rater, candidates = candidates[0], candidates[1:]
    named = None if "--rater-from" in (source.call or ()) else rater
    remedy = {"item": item, "rater": named, "label": candidates[0] if candidates else None}
    shown = command(source.call, **remedy)
    hint = f", most likely {shown}" if candidates else f" (columns: {listing(source.columns)})"
    if len(candidates) > 1:
        hint += f" (or {listing(candidates[1:], 6)})"
    raise UnsureError(
        f"{source.name} has a row an answer ({why}), but no column is called label, rating or the "
        f"like: say which one holds the label with label= (--label){hint}.",
        **remedy,
    )


def _wide_or_counts(source: Source, others: Sequence[Looks]) -> Kind:
    if all(column.of_rater for column in others):
        return "wide"
    largest = max(int(value) for column in others for value in column.vocabulary)
    if largest > len(others):
        # No column can hold more raters than there are columns of raters.
        return "counts"
    raise UnsureError(
        f"{source.name} may hold a column a rater or a column a label: say which with "
        'layout="wide" or layout="counts" (--layout on the command line).',
        raters=[column.name for column in others],
    )


def _check_wide(source: Source, item: str, others: Sequence[Looks]) -> None:
    """Columns of raters use the same labels, and none of them is called like a machine."""
    if all(column.nested for column in others):
        raise InputError(
            f"{source.name}: {listing([column.name for column in others])} holds lists or objects: "
            "make a row of each answer, or save the rows as JSON and name a path with label= "
            "(--label 'answers[].label')."
        )
    if len(others) == 1 and not others[0].of_rater:
        name = others[0].name
        raise UnsureError(
            f"{source.name}: is {name!r} a rater or the label? Say which, most likely "
            f"{command(source.call, item=item, label=name)}.",
            item=item,
            label=name,
        )
    alike = share_vocabulary([column for column in others if not column.made_of_others])
    people = [column for column in alike if not column.of_machine]
    machines = [column for column in alike if column.of_machine]
    if len(alike) == len(others) and (not machines or not people):
        odd = _odd_one_out(others)
        if odd is None:
            return
        people, machines = odd
    if not people:
        people, machines = alike, []
    strange = [column for column in others if column not in alike]
    machines += [column for column in strange if column.of_machine and column.numbers]
    reason = "some of its columns may be a classifier's"
    if strange and strange[0].made_of_others:
        reason = f"{strange[0].name!r} may be made of the others' answers"
    elif strange:
        why = strange[0].why_no_labels or "uses others"
        reason = f"not all of its columns use the same labels ({strange[0].name!r} {why})"
    remedy: dict[str, str | list[str]] = {
        "item": item,
        "raters": _patterns(people, others),
        "classifiers": _patterns(machines, others),
    }
    sure = len(people) > 1 or bool(people and machines)
    shown = (
        command(source.call, **remedy)
        if sure
        else f"--raters with some of {listing([column.name for column in others])}"
    )
    raise UnsureError(
        f"{source.name} is not surely a table with a column a rater: {reason}. Say which columns "
        f"are raters, for example {shown}.",
        **(remedy if sure else {"item": item}),
    )


def _odd_one_out(others: Sequence[Looks]) -> tuple[list[Looks], list[Looks]] | None:
    """Numbered columns of raters, and columns that are not called like them."""
    people = [column for column in others if column.of_rater]
    rest = [column for column in others if not column.of_rater]
    if len(people) > 1 and rest and any(column.stem != column.name.lower() for column in people):
        return people, rest
    return None


def _patterns(columns: Sequence[Looks], among: Sequence[Looks]) -> list[str]:
    """The columns as one pattern where one means just them, else as their names."""
    names = [column.name for column in columns]
    stems = {column.stem for column in columns}
    if len(names) > 1 and len(stems) == 1:
        start = names[0][: len(next(iter(stems)))]
        if [o.name for o in among if o.name.startswith(start)] == names and start:
            return [f"{start}*"]
    return names
