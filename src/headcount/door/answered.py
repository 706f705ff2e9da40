"""Tables of predictions, as they come: a column a classifier, or a row an answer.

Whatever the table looks like, it becomes a row an item and a column a classifier, or several:
`name:label` columns hold one classifier's probabilities. Nothing is settled here about what an
answer means; that needs the labels.
"""

import os
import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from typing import Any

import pyarrow as pa

from headcount.door import runs
from headcount.door.arrays import optional_text_column, text_column, whole
from headcount.door.column_names import sounds_like
from headcount.door.comparisons import SHOWN
from headcount.door.frames import source_of_frame
from headcount.door.joint_keys import with_joint_item
from headcount.door.profiles import Profile
from headcount.door.reading import Asked, open_answers
from headcount.door.roles import (
    ALIASES,
    Roles,
    find_column,
    listing,
    match_columns,
    plain_name,
    require_column,
)
from headcount.door.sets import answers_as_questions
from headcount.door.source import Source, table_source
from headcount.door.text import exact_number
from headcount.door.times import time_column
from headcount.errors import InputError, OptionError
from headcount.frozen import frozen
from headcount.results import count

ITEM = "headcount_item"
_MOST_VARIANTS = 50
"""More different values than this are no ways of asking, but what was asked."""


@frozen
class RawClassifier:
    """One classifier's columns: `whole` holds answers, `by_label` probabilities, one a label.

    Where a classifier has both, `whole` is what it decided and `by_label` how sure it was.
    `confidence` is a column with the probability of the answer in `whole`.
    """

    name: str
    whole: str | None = None
    by_label: tuple[tuple[str, str], ...] = ()
    confidence: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that hold its answers."""
        beside = [name for name in (self.whole, self.confidence) if name is not None]
        return (*beside, *(name for _, name in self.by_label))


@frozen
class Answered:
    """Predictions as a table: ids first, then a text column for each classifier's columns.

    `runs` has every answer where there are several, `rule` says by which of them counts, where a
    classifier was asked again, and `times` (item, classifier, time) when each was given; the
    classifier is null where a row holds the answers of all.
    """

    name: str
    classifiers: tuple[RawClassifier, ...]
    table: pa.Table
    first_row: int | None = None
    notes: tuple[str, ...] = ()
    runs: pa.Table | None = field(default=None)
    times: pa.Table | None = field(default=None)
    rule: str | None = None


def open_predictions(given: Any, roles: Roles, rule: str, asked: Asked) -> Answered:
    """The predictions in a file or a frame; `rule` says which of several runs counts."""
    runs.check_rule(rule)
    if isinstance(given, str | os.PathLike | list | tuple):
        source = open_answers(given, roles, asked)
    else:
        source = source_of_frame(given, "the predictions")
    if roles.sets:
        source, roles = _of_sets(source, roles)
    if not {roles.a, roles.b, roles.winner} <= {None, *source.columns}:
        roles = replace(roles, a=None, b=None, winner=None)  # said of the ratings alone
    source, roles = with_joint_item(source, roles)
    if roles.systems and roles.occasion == SHOWN and not roles.variants:
        roles = replace(roles, run=SHOWN)  # a few were answered in both orders: the first counts
    if roles.systems and not roles.rater:
        source, roles = _one_judge(source, roles)
    named = _row_an_answer(source, roles)
    if named is not None:
        return _from_long(source, roles, named, rule)
    return _from_wide(source, roles, rule)


def _one_judge(source: Source, roles: Roles) -> tuple[Source, Roles]:
    """Comparisons by a judge that no column names: it goes by the file's name."""
    assert source.arrow is not None
    name = os.path.basename(source.name).split(".", 1)[0] or "judge"
    named = source.arrow.append_column(
        f"c{len(source.columns)}", text_column([name] * source.arrow.num_rows)
    )
    made = table_source(source.name, (*source.columns, "judge"), named, notes=source.notes)
    return made, replace(roles, rater="judge")


def _of_sets(source: Source, roles: Roles) -> tuple[Source, Roles]:
    """Classifiers' sets as yes/no answers to what people were asked, an option each."""
    if roles.asked is None:
        raise OptionError(
            "sets= of predictions needs what people were asked: give ratings= that were read "
            "with sets= too."
        )
    items = roles.items or (_item(source, roles),)
    rest = [name for name in source.columns if name not in items]
    names = match_columns("classifiers", roles.classifiers or rest, rest, table=source.name)
    made = answers_as_questions(source, roles.sets[0], roles.asked, items, names)
    question = next(name for name in made.columns if name not in (*items, *names))
    return made, replace(
        roles, item=(*items, question), classifiers=names, rater=None, label=None, sets=()
    )


def _row_an_answer(source: Source, roles: Roles) -> tuple[str, str, str] | None:
    """Item, classifier and label of a table with a row an answer, or None where it is none."""
    item = _item(source, roles)
    told = roles.rater is not None or roles.label is not None
    if roles.classifiers and not told and set(roles.classifiers) <= set(source.columns):
        return None  # they are columns, whatever others are called
    others = [name for name in source.columns if name != item and name not in roles.parts]
    named = find_column("classifier", others, roles.rater, table=source.name)
    label = find_column(
        "label", [name for name in others if name != named], roles.label, table=source.name
    )
    if named is None or label is None:
        if told:
            missing = "label" if label is None else "classifier"
            raise InputError(
                f"{source.name} has no column for the {missing}: its columns are "
                f"{listing(source.columns)}."
            )
        return None
    given = roles.rater is not None
    if not given and named in roles.classifiers:
        return None  # the column is a classifier, and does not hold names of them
    return (item, named, label) if given or Profile.of(source, item).repeats else None


def _item(source: Source, roles: Roles) -> str:
    given = roles.item_column
    if find_column("item", source.columns, given, table=source.name) is None:
        whole = [c for n in source.columns if (c := Profile.of(source, n)).names_rows]
        whole.sort(key=lambda column: (not sounds_like("item", column.name), column.prose))
        told = [c.name for c in whole if not (c.decimals or c.dates)]
        likely = f", most likely --prediction-item {shlex.quote(told[0])}" if told else ""
        raise InputError(
            f"{source.name} has no column that looks like the item (item, task, id, …); its "
            f"columns are {listing(source.columns)}: name the right one with item= "
            f"(--prediction-item){likely}."
        )
    return require_column("item", source.columns, given, table=source.name)


def _texts(source: Source, names: Sequence[str]) -> list[pa.Array]:
    fields = ", ".join(f"{source.text(name)} AS t{j}" for j, name in enumerate(names))
    table = source.ask(f"SELECT {fields} FROM source")
    if not table.num_rows:
        raise InputError(f"{source.name} has a header and no rows: it holds no predictions.")
    return [whole(column).cast(pa.large_string()) for column in table.columns]


def _check_blank(source: Source, ids: list[str | None], item: str) -> None:
    for row, name in enumerate(ids):
        if not name:
            raise InputError(
                f"{source.place(row)}: the item (column {item!r}) is blank: give each row its id."
            )


def wide_columns(
    source: Source, roles: Roles
) -> tuple[str, tuple[RawClassifier, ...], list[str], tuple[str, ...]] | None:
    """Item, classifiers, their columns and notes of a table with a row an item; else None."""
    if _row_an_answer(source, roles) is not None:
        return None
    item, run, classifiers, notes = _wide(source, roles)
    wanted = list(dict.fromkeys(name for each in classifiers for name in each.columns))
    return None if run is not None else (item, classifiers, wanted, tuple(notes))


def _wide(
    source: Source, roles: Roles
) -> tuple[str, str | None, tuple[RawClassifier, ...], list[str]]:
    """Item, run, classifiers and notes of a table with a row an item, or a row a run."""
    item = _item(source, roles)
    free = [name for name in source.columns if name != item and name not in roles.parts]
    run = find_column("run", free, roles.run, table=source.name)
    time = _time(source, free, roles)
    others = [name for name in free if name not in (run, time) or name in roles.classifiers]
    if not others:
        raise InputError(f"{source.name} has only the column {item!r}: add a column a classifier.")
    notes: list[str] = list(source.notes)
    if run is not None and roles.run is None and run not in roles.classifiers:
        notes.append(f"{source.name}: the column {run!r} is taken to number runs.")
    if roles.classifiers:
        classifiers = _chosen(source, find_classifiers(source, others), roles.classifiers, others)
    else:
        aside = _said_of_items(source, others)
        classifiers = find_classifiers(source, [name for name in others if name not in aside])
        if aside:
            notes.append(
                f"{source.name}: {listing(aside)} is not taken for a classifier: if it is one, "
                "name the classifiers with classifiers= (--classifiers)."
            )
    return item, run, classifiers, notes


def _from_wide(source: Source, roles: Roles, rule: str) -> Answered:
    item, run, classifiers, notes = _wide(source, roles)
    wanted = list(dict.fromkeys(name for each in classifiers for name in each.columns))
    time = _time(source, [name for name in source.columns if name not in wanted], roles)
    read = [item, *([time] if time is not None else []), *wanted]
    ids, *cells = _texts(source, [*read, *([run] if run is not None else [])])
    when = cells.pop(0) if time is not None else None
    names = ids.to_pylist()
    _check_blank(source, names, item)
    first_row, every, chosen = source.first_row, None, None
    if len(set(names)) < len(names) and run is None:
        rows = _answered_rows(names, cells)
        if len(rows) < len(names):
            notes.append(
                f"{source.name}: {count(len(names) - len(rows), 'row holds', 'rows hold')} no "
                "answer of a classifier and an item that has another row: left out."
            )
            ids, *cells = (column.take(pa.array(rows)) for column in (ids, *cells))
            names, when, first_row = ids.to_pylist(), None, None
    if len(set(names)) < len(names) and run is None and roles.classifiers:
        first = _same_rows(names, cells)
        if first is not None:  # a row an answer of a person, the classifier's beside each
            ids, *cells = (column.take(pa.array(first)) for column in (ids, *cells))
            names, when, first_row = ids.to_pylist(), None, None
    if len(set(names)) < len(names):
        if run is None:
            _complain_of_second_row(source, names)
        when = None
        ids, cells, every = _one_run(names, classifiers, wanted, cells, rule)
        notes.append(runs.note(source.name, len(names) - len(ids), rule))
        first_row, chosen = None, rule
    held = _unique_names([ITEM, *wanted])
    renamed = dict(zip(wanted, held[1:], strict=True))
    return Answered(
        source.name,
        tuple(_renamed(each, renamed) for each in classifiers),
        pa.table([ids, *cells[: len(wanted)]], held),
        first_row,
        tuple(notes),
        every,
        None if when is None else _times(names, [None] * len(names), when.to_pylist()),
        chosen,
    )


def _same_rows(names: Sequence[str], cells: Sequence[pa.Array]) -> list[int] | None:
    """The first row of each item, where every row of an item has the same answers; else None."""
    first: dict[str, int] = {}
    rows = list(zip(*(cell.to_pylist() for cell in cells), strict=True))
    for at, name in enumerate(names):
        if rows[first.setdefault(name, at)] != rows[at]:
            return None
    return list(first.values())


def _time(source: Source, free: Sequence[str], roles: Roles) -> str | None:
    """The column that says when a classifier answered; one named for the ratings may be absent."""
    given = roles.time if roles.time in source.columns else None
    return None if roles.time == "" else time_column(source, free, given)


def _times(
    items: Sequence[str], classifiers: Sequence[str | None], times: Sequence[str | None]
) -> pa.Table:
    return pa.table(
        [text_column(items), optional_text_column(classifiers), optional_text_column(times)],
        ["item", "classifier", "time"],
    )


def _said_of_items(source: Source, columns: Sequence[str]) -> list[str]:
    """Columns that are known to say something of the item: its text, its cluster, the truth.

    One that is called like a text and holds labels may be a classifier's all the same; so may
    the only column there is.
    """
    found = [
        name
        for role in ("text", "cluster", "gold")
        for name in columns
        if plain_name(name) in ALIASES[role]
        and (role != "text" or Profile.of(source, name).why_no_labels)
    ]
    return found if len(found) < len(columns) else []


def _one_run(
    names: list[str],
    classifiers: Sequence[RawClassifier],
    wanted: Sequence[str],
    cells: list[pa.Array],
    rule: str,
) -> tuple[pa.Array, list[pa.Array], pa.Table]:
    """A row an item, by the rule which run counts, and every answer; the last cells are runs."""
    numbers = cells[-1].to_pylist()
    texts = {name: cell.to_pylist() for name, cell in zip(wanted, cells[:-1], strict=True)}
    groups: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        groups.setdefault(name, []).append(row)
    ordered = [runs.in_order(rows, numbers) for rows in groups.values()]
    places: dict[str, list[int]] = {}
    for classifier in classifiers:
        decides = classifier.whole
        if rule == "majority" and decides is None:
            raise OptionError(
                f"{classifier.name!r} gives probabilities, which have no majority: use the first "
                'run, with runs="first" (--runs first).'
            )
        chosen = [
            rows[runs.pick([texts[decides][row] for row in rows], rule) if decides else 0]
            for rows in ordered
        ]
        places |= {name: chosen for name in classifier.columns if name not in places}
    every = runs.kept(
        names * len(wanted),
        [name for name in wanted for _ in names],
        numbers * len(wanted),
        [text for name in wanted for text in texts[name]],
    )
    kept = [cell.take(pa.array(places[name])) for name, cell in zip(wanted, cells, strict=False)]
    return text_column(groups), kept, every


def _unique_names(names: Sequence[str]) -> list[str]:
    """The names, one that comes twice with a mark after it."""
    found: list[str] = []
    for name in names:
        while name in found:
            name += "'"
        found.append(name)
    return found


def _renamed(classifier: RawClassifier, names: dict[str, str]) -> RawClassifier:
    return RawClassifier(
        classifier.name,
        None if classifier.whole is None else names[classifier.whole],
        tuple((label, names[column]) for label, column in classifier.by_label),
        None if classifier.confidence is None else names[classifier.confidence],
    )


def _answered_rows(names: Sequence[str], cells: Sequence[pa.Array]) -> list[int]:
    """The rows that hold an answer, and those that are the only one of their item."""
    times = Counter(names)
    texts = zip(*(cell.to_pylist() for cell in cells), strict=True)
    return [at for at, row in enumerate(texts) if any(row) or times[names[at]] == 1]


def _complain_of_second_row(source: Source, names: list[str]) -> None:
    seen: set[str] = set()
    alike = len(names) - len(set(names))
    for row, name in enumerate(names):
        if name in seen:
            raise InputError(
                f"{source.place(row)}: the item {name!r} has a second row of predictions"
                f"{f', one of {alike:,} such rows' if alike > 1 else ''}: keep one row an item, or "
                "name the column that numbers a classifier's runs with run= (--run)."
            )
        seen.add(name)


def find_classifiers(source: Source, columns: Sequence[str]) -> tuple[RawClassifier, ...]:
    """Columns `name:label` with the same name belong to one soft classifier.

    A name may hold a colon itself (llama3:8b): where what stands in the column is no probability,
    the whole of it is the name.
    """
    whole_columns: dict[str, str] = {}
    soft: dict[str, list[tuple[str, str]]] = {}
    order: dict[str, None] = {}
    for column in columns:
        name, colon, label = _name_and_label(column)
        if colon and name.strip() and label.strip() and _holds_numbers(source, column):
            soft.setdefault(name, []).append((label.strip(), column))
            order.setdefault(name)
        else:
            whole_columns[column] = column
            order.setdefault(column)
    return tuple(
        RawClassifier(name, whole_columns.get(name), tuple(soft.get(name, ()))) for name in order
    )


def _name_and_label(column: str) -> tuple[str, str, str]:
    """`name:label`, parted at the last colon that no space follows: a label may hold ": "."""
    for place in reversed([at for at, sign in enumerate(column) if sign == ":"]):
        if not column[place + 1 : place + 2].isspace():
            return column[:place], ":", column[place + 1 :]
    return column.rpartition(":")


def _holds_numbers(source: Source, column: str) -> bool:
    """Whether a column may hold probabilities: numbers, none of them a whole one above 1.

    A column that holds no number at all may be a broken column of probabilities; it is taken for
    one only where it is alone in being none, which is told later.
    """
    values = Profile.of(source, column).vocabulary
    numbers = [exact_number(value) for value in values]
    if any(number is None for number in numbers):
        return sum(number is not None for number in numbers) > 0
    return not any(number is not None and number > 1 and number % 1 == 0 for number in numbers)


def _chosen(
    source: Source,
    classifiers: Sequence[RawClassifier],
    wanted: Sequence[str],
    columns: Sequence[str],
) -> tuple[RawClassifier, ...]:
    """The classifiers named, in that order; a column named in full is a classifier of its own."""
    known = {classifier.name: classifier for classifier in classifiers}
    found: dict[str, RawClassifier] = {}
    for pattern in wanted:
        if pattern in known:
            found[pattern] = known[pattern]
        elif pattern in columns:
            found[pattern] = RawClassifier(pattern, pattern)
        elif any(sign in pattern for sign in "*?["):
            for name in match_columns("classifiers", [pattern], tuple(known), table=source.name):
                found[name] = known[name]
        else:
            raise OptionError(
                f"{source.name} has no classifier {pattern!r}: it has {listing(tuple(known))}."
            )
    return tuple(found.values())


def _from_long(source: Source, roles: Roles, named: tuple[str, str, str], rule: str) -> Answered:
    """A row an answer becomes a column a classifier."""
    item, classifier, label = named
    rest = [name for name in source.columns if name not in named]
    sure = next((n for n in rest if plain_name(n) in ALIASES["probability"]), None)
    run = find_column("run", rest, roles.run, table=source.name)
    time = _time(source, [name for name in rest if name not in (sure, run)], roles)
    variants = _variants(source, roles, [name for name in rest if name not in (sure, run)])
    columns = [item, classifier, label, *(name for name in (sure, run, time) if name), *variants]
    texts = [column.to_pylist() for column in _texts(source, columns)]
    ids, judges, said = texts[:3]
    _check_blank(source, ids, item)
    for row, name in enumerate(judges):
        if not name:
            raise InputError(
                f"{source.place(row)}: the classifier (column {classifier!r}) is blank: name it."
            )
    ways = [
        runs.BETWEEN.join(part or "(blank)" for part in row)
        for row in zip(*texts[len(columns) - len(variants) :], strict=True)
    ]
    who = list(map(runs.of_variant, judges, ways)) if variants else judges
    numbers = texts[columns.index(run)] if run else [None] * len(ids)
    items = list(dict.fromkeys(ids))
    names = list(dict.fromkeys(who))
    answers: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(zip(ids, who, strict=True)):
        answers.setdefault(key, []).append(row)
    more = len(ids) - len(answers)
    if more:
        _check_runs(source, answers, numbers, run, [n for n in rest if n not in columns])
        answers = {key: runs.in_order(rows, numbers) for key, rows in answers.items()}
    picked = {key: runs.pick([said[r] for r in rows], rule) for key, rows in answers.items()}
    table = {ITEM: text_column(items)}
    found: list[RawClassifier] = []
    for name in names:
        chosen = [picked.get((each, name)) for each in items]
        table[_free(name, table)] = optional_text_column(
            None if at is None else said[answers[each, name][at]]
            for each, at in zip(items, chosen, strict=True)
        )
        column, beside = list(table)[-1], None
        if sure is not None:
            beside = _free(f"{name} {sure}", table)
            table[beside] = optional_text_column(
                None if at is None else texts[3][answers[each, name][at]]
                for each, at in zip(items, chosen, strict=True)
            )
        found.append(RawClassifier(name, column, (), beside))
    classifiers: Sequence[RawClassifier] = found
    if roles.classifiers:
        classifiers = _chosen(source, found, roles.classifiers, ())
    notes = [
        *source.notes,
        f"{source.name}: a row an answer: item = {item!r}, "
        f"classifier = {classifier!r}, label = {label!r}.",
    ]
    kept = None
    if variants:
        notes.insert(0, runs.note_of_variants(source.name, variants, names))
    if more:  # said first: it decides which answers all that follows is about
        notes.insert(0, runs.note(source.name, more, rule))
    if more or variants:
        kept = runs.kept(ids, who, numbers, said, *((judges, ways) if variants else ()))
    when = None if time is None else _times(ids, who, texts[columns.index(time)])
    return Answered(
        source.name,
        tuple(classifiers),
        pa.table(table),
        None,
        tuple(notes),
        kept,
        when,
        rule if more else None,
    )


def _variants(source: Source, roles: Roles, free: Sequence[str]) -> tuple[str, ...]:
    """The columns that say in which way a judge was asked, where there are several ways."""
    if roles.variants:
        return match_columns("variant", roles.variants, free, table=source.name)
    return tuple(
        name
        for name in free
        if plain_name(name) in ALIASES["variant"]
        and len((column := Profile.of(source, name)).vocabulary) > 1
        and not (column.prose or column.mostly_unique)
    )


def _check_runs(
    source: Source,
    answers: dict[tuple[str, str], list[int]],
    numbers: Sequence[str | None],
    run: str | None,
    free: Sequence[str],
) -> None:
    """Stop where a judge answers an item twice and nothing tells these answers apart."""
    alike = 0
    first: tuple[tuple[str, str], int] | None = None
    for key, rows in answers.items():
        seen: set[str | None] = set()
        for row in rows:
            if run is None or numbers[row] in seen:
                alike += 1 if run is not None or row != rows[0] else 0
                if first is None and (run is not None or row != rows[0]):
                    first = key, row
            seen.add(numbers[row])
    if first is None:
        return
    (item, who), row = first
    telling = [
        name
        for name in free
        if 1 < len((column := Profile.of(source, name)).vocabulary) <= _MOST_VARIANTS
        and column.repeats
        and not (column.prose or column.decimals)
    ]
    remedy = "keep one, or name the column of runs with run= (--run)"
    if telling:
        name = telling[0]
        remedy = (
            f"if {name!r} tells in which way it was asked, name it with variants= "
            f"(--variant {shlex.quote(name)}); if it numbers its runs, with run= (--run)"
        )
    again = f" in run {numbers[row]!r}" if run is not None else ""
    raise InputError(
        f"{source.place(row)}: {who!r} answers the item {item!r} a second time{again}"
        f"{f', one of {alike:,} such rows' if alike > 1 else ''}: {remedy}."
    )


def _free(name: str, taken: dict[str, Any]) -> str:
    while name in taken:
        name += "'"
    return name
