"""Tables of predictions, as they come: a column a classifier, or a row an answer.

Whatever the table looks like, it becomes a row an item and a column a classifier, or several:
`name:label` columns hold one classifier's probabilities. Nothing is settled here about what an
answer means; that needs the labels.
"""

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from headcount.door.arrays import optional_text_column, text_column, whole
from headcount.door.frames import source_of_frame
from headcount.door.looks import Looks
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
from headcount.door.source import Source
from headcount.door.text import exact_number, is_missing
from headcount.errors import InputError, OptionError
from headcount.results import count

ITEM = "headcount_item"


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class Answered:
    """Predictions as a table: ids first, then a text column for each classifier's columns."""

    name: str
    classifiers: tuple[RawClassifier, ...]
    table: pa.Table
    first_row: int | None = None
    notes: tuple[str, ...] = ()
    runs: pa.Table | None = field(default=None)


def open_predictions(given: Any, roles: Roles, runs: str, asked: Asked) -> Answered:
    """The predictions in a file or a frame."""
    if runs not in ("first", "majority"):
        raise OptionError(f'runs is "first" or "majority", not {runs!r}.')
    if isinstance(given, str | os.PathLike | list | tuple):
        source = open_answers(given, roles, asked)
    else:
        source = source_of_frame(given, "the predictions")
    named = _row_an_answer(source, roles)
    if named is not None:
        return _from_long(source, roles, named, runs)
    return _from_wide(source, roles, runs)


def _row_an_answer(source: Source, roles: Roles) -> tuple[str, str, str] | None:
    """Item, classifier and label of a table with a row an answer, or None where it is none."""
    item = require_column("item", source.columns, roles.item, table=source.name)
    others = [name for name in source.columns if name != item]
    named = find_column("classifier", others, roles.rater, table=source.name)
    label = find_column(
        "label", [name for name in others if name != named], roles.label, table=source.name
    )
    if named is None or label is None:
        if roles.rater is not None or roles.label is not None:
            missing = "label" if label is None else "classifier"
            raise InputError(
                f"{source.name} has no column for the {missing}: its columns are "
                f"{listing(source.columns)}."
            )
        return None
    given = roles.rater is not None
    return (item, named, label) if given or Looks.of(source, item).repeats else None


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


def _from_wide(source: Source, roles: Roles, runs: str) -> Answered:
    item = require_column("item", source.columns, roles.item, table=source.name)
    run = find_column("run", [], roles.run, table=source.name) if roles.run else None
    others = [name for name in source.columns if name not in (item, run)]
    if not others:
        raise InputError(f"{source.name} has only the column {item!r}: add a column a classifier.")
    classifiers = find_classifiers(source, others)
    if roles.classifiers:
        classifiers = _chosen(source, classifiers, roles.classifiers, others)
    wanted = list(dict.fromkeys(name for each in classifiers for name in each.columns))
    ids, *cells = _texts(source, [item, *wanted])
    names = ids.to_pylist()
    _check_blank(source, names, item)
    first_row: int | None = source.first_row
    kept: pa.Table | None = None
    notes: list[str] = list(source.notes)
    if len(set(names)) < len(names):
        again = find_column(
            "run", [n for n in source.columns if n != item], roles.run, table=source.name
        )
        if again is None:
            _complain_of_second_row(source, names)
        rows, note = _first_rows(names), "first"
        if runs == "majority":
            cells = [_majority(names, cell) for cell in cells]
            note = "majority"
        kept = pa.table([ids, *cells], ["item", *wanted])
        ids = text_column(names[row] for row in rows)
        cells = [cell.take(pa.array(rows)) for cell in cells]
        classifiers = tuple(each for each in classifiers if again not in each.columns)
        notes.append(_runs_note(source.name, len(names) - len(rows), note))
        first_row = None
    held = _unique_names([ITEM, *wanted])
    renamed = dict(zip(wanted, held[1:], strict=True))
    return Answered(
        source.name,
        tuple(_renamed(each, renamed) for each in classifiers),
        pa.table([ids, *cells], held),
        first_row,
        tuple(notes),
        kept,
    )


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


def _first_rows(names: list[str]) -> list[int]:
    first: dict[str, int] = {}
    for row, name in enumerate(names):
        first.setdefault(name, row)
    return list(first.values())


def _runs_note(name: str, more: int, rule: str) -> str:
    used = "the first is used" if rule == "first" else "the answer given most often is used"
    return (
        f"{name}: {count(more, 'answer is', 'answers are')} a classifier's further runs on an "
        f"item: kept, and {used} (choose with runs=, --runs)."
    )


def _majority(names: list[str], cell: pa.Array) -> pa.Array:
    """Each row with the answer given most often on its item, the earliest of equals."""
    votes: dict[str, Counter[str]] = {}
    for name, text in zip(names, cell.to_pylist(), strict=True):
        if text is not None and not is_missing(text):
            votes.setdefault(name, Counter())[text] += 1
    best = {name: tally.most_common(1)[0][0] for name, tally in votes.items()}
    return optional_text_column(best.get(name) for name in names)


def _complain_of_second_row(source: Source, names: list[str]) -> None:
    seen: set[str] = set()
    alike = len(names) - len(set(names))
    for row, name in enumerate(names):
        if name in seen:
            raise InputError(
                f"{source.place(row)}: the item {name!r} has a second row of predictions, "
                f"one of {alike:,} such rows: keep one row an item, or name the column that "
                "numbers a classifier's runs with run= (--run)."
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
        name, colon, label = column.rpartition(":")
        if colon and name.strip() and label.strip() and _holds_numbers(source, column):
            soft.setdefault(name, []).append((label.strip(), column))
            order.setdefault(name)
        else:
            whole_columns[column] = column
            order.setdefault(column)
    return tuple(
        RawClassifier(name, whole_columns.get(name), tuple(soft.get(name, ()))) for name in order
    )


def _holds_numbers(source: Source, column: str) -> bool:
    """Whether a column may hold probabilities: numbers, none of them a whole one above 1.

    A column that holds no number at all may be a broken column of probabilities; it is taken for
    one only where it is alone in being none, which is told later.
    """
    values = Looks.of(source, column).vocabulary
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


def _from_long(source: Source, roles: Roles, named: tuple[str, str, str], runs: str) -> Answered:
    """A row an answer becomes a column a classifier."""
    item, classifier, label = named
    rest = [name for name in source.columns if name not in named]
    sure = next((n for n in rest if plain_name(n) in ALIASES["probability"]), None)
    run = find_column("run", rest, roles.run, table=source.name)
    columns = [item, classifier, label, *(name for name in (sure, run) if name)]
    texts = [column.to_pylist() for column in _texts(source, columns)]
    ids, who, said = texts[:3]
    _check_blank(source, ids, item)
    for row, name in enumerate(who):
        if not name:
            raise InputError(
                f"{source.place(row)}: the classifier (column {classifier!r}) is blank: name it."
            )
    items = list(dict.fromkeys(ids))
    names = list(dict.fromkeys(who))
    answers: dict[tuple[str, str], list[int]] = {}
    for row, key in enumerate(zip(ids, who, strict=True)):
        answers.setdefault(key, []).append(row)
    more = len(ids) - len(answers)
    if more and run is None:
        key, rows = next((key, rows) for key, rows in answers.items() if len(rows) > 1)
        raise InputError(
            f"{source.place(rows[1])}: {key[1]!r} answers the item {key[0]!r} a second time, one "
            f"of {more:,} such rows: keep one, or name the column of runs with run= (--run)."
        )
    picked = {key: _pick([said[row] for row in rows], runs) for key, rows in answers.items()}
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
    if more:
        notes.append(_runs_note(source.name, more, runs))
        kept = pa.table(
            [
                text_column(ids),
                text_column(who),
                optional_text_column(texts[-1]),
                optional_text_column(said),
            ],
            ["item", "classifier", "run", "answer"],
        )
    return Answered(source.name, tuple(classifiers), pa.table(table), None, tuple(notes), kept)


def _free(name: str, taken: dict[str, Any]) -> str:
    while name in taken:
        name += "'"
    return name


def _pick(said: Sequence[str | None], runs: str) -> int:
    """Which of several answers counts."""
    if runs == "first" or len(said) == 1:
        return 0
    votes = Counter(text for text in said if text is not None and not is_missing(text))
    return said.index(votes.most_common(1)[0][0]) if votes else 0
