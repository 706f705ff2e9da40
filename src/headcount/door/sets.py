"""Several labels an answer: each option becomes a yes/no question, with the item as cluster.

An answer is the set of the options that were ticked, perhaps none. It may stand in one cell, with a
separator or as a list, in a column an option, or in a row a tick.
"""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.door.arrays import optional_text_column, text_column, whole
from headcount.door.evidence import crossing, joint, n_different
from headcount.door.profiles import TRUTHS, Profile
from headcount.door.roles import Roles, find_column, listing, match_columns, require_column
from headcount.door.source import Source, table_source
from headcount.door.text import is_missing
from headcount.errors import InputError
from headcount.frozen import frozen
from headcount.results import count

LIST, ROWS = "list", "rows"
"""Words for --sets: cells hold lists; a rater's ticks on an item stand in a row each."""
SEPARATORS = ("|", ";", "\n", ",", "/", "+")
"""What stands between options, the likeliest first; commas and slashes are also parts of names."""
EXPORTED = "\x1f"
"""What our own readers of exports put between options: no option holds it."""
MOST_QUESTIONS = 20_000_000
"""Answers to yes/no questions that are written out: options times answers."""
_NONE = ("none", "(none)", "none of these", "none of the above", "no label", "[]", "{}")
"""What is ticked in place of the empty set."""
_TICKS = (*(word for word, told in TRUTHS.items() if told == "true"), "x", "checked")
_FEWEST_BOXES = 3
"""Two columns of yes and no are two questions or two people."""
_SHOWN_OPTIONS = 20
_RARE = 0.01
"""Options ticked in fewer answers than one in a hundred are pooled where parts are looked at."""
_LISTED = re.compile(r"\s*[\[({].*[\])}]\s*", re.DOTALL)
_FEWEST_ANSWERS = 20
_OFTEN_TICKED = 0.5
OTHERS = "other options"


def separator_of(values: Sequence[str]) -> str | None:
    """What stands between options, if these texts are sets of them; None if they are names.

    Options recur: they come in several texts, and there are fewer of them than of texts.

    >>> separator_of(["joy", "joy, fear", "fear", "anger, joy"]), separator_of(["yes, very", "no"])
    (',', None)
    """
    for separator in SEPARATORS:
        joined = [value for value in values if separator in value]
        if len(joined) < 2:
            continue
        parts = [[part.strip() for part in value.split(separator)] for value in values]
        # One option twice in an answer, or a blank one, is no set.
        if any("" in one or len(set(one)) < len(one) for one in parts):
            continue
        times = Counter(part for one in parts for part in one)
        often = sum(n > 1 for n in times.values())
        if len(times) < len(values) and often > _OFTEN_TICKED * len(times):
            return separator
    return None


def advised(source: Source, roles: Roles, item: str, rater: str | None, label: str) -> str | None:
    """How --sets reads a column that holds several labels an answer; None where it does not."""
    column = Profile.of(source, label)
    if roles.sets or column.numbers:
        return None
    how = how_written(column)
    if how is not None or rater is None or roles.occasion:
        return how
    pair = joint([Profile.of(source, name).codes for name in (item, rater)])
    met = crossing(pair, column.codes)
    many = n_different(pair) * 1.2 < met.rows and met.rows >= _FEWEST_ANSWERS
    # Who is asked again says the same again; ticks on one item are different ones.
    return ROWS if many and met.once and met.designed else None


def is_listed(text: str) -> bool:
    """Whether a cell holds a list written out."""
    return bool(_LISTED.fullmatch(text)) and text.lstrip()[0] == "["


@frozen
class Ticks:
    """Several options an answer, in columns of a table: how --sets reads them and what they say.

    `label` is the column that holds all of them; None where an option is a column. `said` are a
    row's answers to each of the commonest of the `options`, 1 where it is ticked and 0 where not.
    """

    sets: str | list[str]
    label: str | None
    options: int
    said: list[NDArray[np.int64]]


def ticks_among(columns: Sequence[Profile]) -> list[Ticks]:
    """What may be sets in these columns: checkboxes together, and each column of sets."""
    boxes = [column for column in columns if _is_box(column)]
    found = []
    if len(boxes) >= _FEWEST_BOXES:
        said = [_ticked(box) for box in boxes]
        found.append(Ticks([box.name for box in boxes], None, len(boxes), said))
    for column in columns:
        how = how_written(column)
        if how is not None:
            sets = [*(_ticks(text, how) or frozenset() for text in column.vocabulary), frozenset()]
            times = Counter(option for one in sets for option in one)
            said = [
                np.array([option in one for one in sets], dtype=np.int64)[column.codes]
                for option, _ in times.most_common(_SHOWN_OPTIONS)
            ]
            found.append(Ticks(how, column.name, len(times), said))
    return found


def how_written(column: Profile) -> str | None:
    """How --sets reads a column whose cells hold several labels each; None where they hold one."""
    if column.numbers or not column.vocabulary:
        return None
    if sum(map(is_listed, column.vocabulary)) * 2 > len(column.vocabulary):
        flat = [_listed(text) for text in column.vocabulary if "{" not in text]
        return LIST if len(flat) == len(column.vocabulary) else None
    return None if column.dates or column.prose else separator_of(column.vocabulary)


def _is_box(column: Profile) -> bool:
    """Whether a column may be an option: yes and no, or a tick and nothing."""
    values = [value.casefold() for value in column.vocabulary]
    if len(values) == 1 and column.blanks:
        return values[0] in _TICKS or values[0] in column.name.casefold()
    return len(values) == 2 and {TRUTHS.get(value) for value in values} == {"true", "false"}


def _ticked(box: Profile) -> NDArray[np.int64]:
    said = [TRUTHS.get(value.casefold(), "true") == "true" for value in box.vocabulary]
    return np.array([*said, False], dtype=np.int64)[box.codes]


def as_questions(source: Source, roles: Roles) -> tuple[Source, Roles]:
    """A table of sets as one of yes/no questions, and the roles that name its columns."""
    if not roles.sets:
        return source, roles
    checkboxes, wide = _checkboxes(source, roles), bool(roles.raters)
    kept = [name for name in source.columns if name not in checkboxes]
    if roles.raters:
        source, roles, label = _a_row_an_answer(source, roles)
        kept = [name for name in source.columns if name != label]
    elif checkboxes:
        label = ""
    else:
        label = require_column("label", kept, roles.label, table=source.name)
        kept.remove(label)
    rater = find_column("rater", kept, roles.rater, table=source.name)
    free = [name for name in kept if name != rater]
    items = roles.items or (require_column("item", free, None, table=source.name),)
    for name in items:
        find_column("item", source.columns, name, table=source.name)
    texts = _texts(source, [*kept, *checkboxes, *([label] if label else [])])
    notes = list(source.notes)
    rows = {name: texts[name] for name in kept}
    if checkboxes:
        ticked = _boxes({name: texts[name] for name in checkboxes})
    elif roles.sets == (ROWS,):
        rows, ticked = _gathered(rows, texts[label], [*items, *([rater] if rater else [])])
        notes.append(
            f"{source.name}: in a row a tick, whoever ticked nothing on an item is not there: "
            "empty sets count only where a row without a label says so."
        )
    else:
        # In a column a rater, a blank cell is an item that the rater did not see.
        separator = _separator(roles, texts[label])
        ticked = [None if wide and t in _UNSEEN else _ticks(t, separator) for t in texts[label]]
    ticked = _without_none(ticked, source.name, notes)
    offered = _offered(rows if roles.sets == (ROWS,) else texts, roles, items, source.name)
    return _asked(source, roles, rows, ticked, offered, items, rater, notes)


_UNSEEN = (None, "")
BETWEEN = " · "
"""What stands between the parts of an item's name; a dot of the user's is doubled."""


def joined_name(parts: Sequence[str | None]) -> str:
    """The name of an item that several columns name together."""
    return BETWEEN.join((part or "").replace("·", "··") for part in parts)


def _asked(
    source: Source,
    roles: Roles,
    rows: Mapping[str, Sequence[str | None]],
    ticked: Sequence[frozenset[str] | None],
    offered: Sequence[frozenset[str]] | None,
    items: tuple[str, ...],
    rater: str | None,
    notes: list[str],
) -> tuple[Source, Roles]:
    """A row for each answer and option, with what it says."""
    times = Counter(option for one in ticked if one is not None for option in one)
    options = sorted(times)
    if len(options) < 2:
        raise InputError(
            f"{source.name} holds {count(len(options), 'option', 'options')} by --sets "
            f"{listing(roles.sets)}: name what stands between options, or leave --sets out."
        )
    answers = sum(one is not None for one in ticked)
    if offered is None and answers * len(options) > MOST_QUESTIONS:
        raise InputError(
            f"{source.name} has {len(options):,} options and {answers:,} answers: with every "
            "option asked of each that is more than can be looked at. Name the column that lists "
            "what was offered on an item with --offered."
        )
    at: list[int] = []
    asked: list[str] = []
    said: list[str] = []
    for row, one in enumerate(ticked):
        if one is None:
            continue
        questions = options if offered is None else sorted(offered[row] | one)
        at += [row] * len(questions)
        asked += questions
        said += ["yes" if option in one else "no" for option in questions]
    taken = pa.array(at, pa.int64())
    question, option, label = (_free(name, rows) for name in ("question", "option", "label"))
    rare = {name for name in options if times[name] < _RARE * answers}
    pooled = rare if len(options) - len(rare) >= 2 and len(rare) > 1 else set()
    table = {name: optional_text_column(values).take(taken) for name, values in rows.items()}
    table[question] = text_column(asked)
    table[option] = text_column(OTHERS if name in pooled else name for name in asked)
    table[label] = text_column(said)
    empty = sum(not one for one in ticked if one is not None)
    told = (
        f"{source.name}: several labels an answer: one yes/no question for each of "
        f"{len(options):,} options ({listing(options, 6)}), all with equal weight and the item as "
        f"cluster; {count(empty, 'answer ticks', 'answers tick')} none of them."
    )
    if pooled:
        told += f" {len(pooled):,} options that are hardly ever ticked are one part, {OTHERS!r}."
    if offered is None:
        told += " Every option counts as offered on every item (--offered names what was)."
    made = table_source(
        source.name,
        tuple(table),
        pa.table(list(table.values()), [f"c{j}" for j in range(len(table))]),
        notes=(*notes, told),
    )
    cluster = roles.cluster or (items[0] if len(items) == 1 else None)
    if cluster is None:
        joined = " × ".join(items)
        made, cluster = _with_joined(made, items, joined), joined
    return replace(made, call=source.call), replace(
        roles,
        item=(*items, question),
        rater=rater or "",
        label=label,
        raters=(),
        cluster=cluster,
        slices=(*roles.slices, option),
        sets=(),
        offered=None,
        options=tuple(options),
    )


def questions_of(items: Iterable[object]) -> dict[str, tuple[str, ...]]:
    """What was asked about each item, from the names that items and questions have together."""
    found: dict[str, list[str]] = {}
    for name in items:
        item, _, question = str(name).rpartition(BETWEEN)
        found.setdefault(item, []).append(question.replace("··", "·"))
    return {item: tuple(questions) for item, questions in found.items()}


def answers_as_questions(
    source: Source,
    separator: str,
    asked: Mapping[str, Sequence[str]],
    items: tuple[str, ...],
    classifiers: Sequence[str],
) -> Source:
    """Classifiers' sets as answers to what people were `asked` about each item.

    What a classifier ticks beside that, nobody was asked: it is told and counts nowhere.
    """
    texts = _texts(source, [*items, *classifiers])
    keys = [joined_name(row) for row in zip(*(texts[name] for name in items), strict=True)]
    questions = [asked.get(key, ()) for key in keys]
    notes = list(source.notes)
    columns: dict[str, list[str | None]] = {
        name: [text for text, each in zip(texts[name], questions, strict=True) for _ in each]
        for name in items
    }
    columns[_free("question", columns)] = [option for each in questions for option in each]
    for name in classifiers:
        ticked = [None if t in _UNSEEN else _ticks(t, separator) for t in texts[name]]
        ticked = _without_none(ticked, f"{source.name}: {name}", notes)
        beside = sum(
            len(one.difference(each))
            for one, each in zip(ticked, questions, strict=True)
            if one is not None and each
        )
        if beside:
            notes.append(
                f"{source.name}: {name} ticks {count(beside, 'option', 'options')} that people "
                "were not asked about on that item: these count nowhere."
            )
        columns[name] = [
            None if one is None else "yes" if option in one else "no"
            for one, each in zip(ticked, questions, strict=True)
            for option in each
        ]
    return table_source(
        source.name,
        tuple(columns),
        pa.table(
            [optional_text_column(values) for values in columns.values()],
            [f"c{j}" for j in range(len(columns))],
        ),
        notes=tuple(notes),
    )


def _separator(roles: Roles, texts: Sequence[str | None]) -> str:
    """What stands between options; exports that we read put a sign of their own there."""
    return EXPORTED if any(EXPORTED in text for text in texts if text) else roles.sets[0]


def _texts(source: Source, names: Sequence[str]) -> dict[str, list[str | None]]:
    fields = ", ".join(f"{source.text(name)} AS t{j}" for j, name in enumerate(names))
    table = source.ask(f"SELECT {fields} FROM source")
    return {
        name: whole(column).to_pylist() for name, column in zip(names, table.columns, strict=True)
    }


def _checkboxes(source: Source, roles: Roles) -> tuple[str, ...]:
    """The columns that are an option each, where --sets names columns."""
    if len(roles.sets) == 1 and (
        roles.sets[0] in (LIST, ROWS, EXPORTED)
        or not (roles.sets[0] in source.columns or "*" in roles.sets[0])
    ):
        return ()
    found = match_columns("options", roles.sets, source.columns, table=source.name)
    for name in found:
        column = Profile.of(source, name)
        strange = [v for v in column.vocabulary if v.casefold() not in (*TRUTHS, *_TICKS)]
        # A column whose one value is the option's name is ticked where that stands.
        if strange and len(column.vocabulary) > 1:
            raise InputError(
                f"{source.name}: the column {name!r} is named for an option and holds "
                f"{strange[0]!r}: a tick is 1, yes, true or x, no tick 0, no, false or blank."
            )
    return found


def _boxes(columns: Mapping[str, Sequence[str | None]]) -> list[frozenset[str] | None]:
    """What is ticked in each row; a row in which every box is blank is an empty set."""
    rows = zip(*columns.values(), strict=True)
    return [
        frozenset(
            option
            for option, text in zip(columns, row, strict=True)
            if text and TRUTHS.get(text.strip().casefold(), "true") == "true"
        )
        for row in rows
    ]


def _ticks(text: str | None, separator: str) -> frozenset[str] | None:
    """The options in one cell; none in a blank one, which is an answer."""
    if text is None or not text.strip() or is_missing(text):
        return frozenset()
    if separator == LIST:
        return frozenset(_listed(text))
    return frozenset(part.strip() for part in text.split(separator) if part.strip())


def _listed(text: str) -> list[str]:
    """The members of a list written out as JSON, as Python, or plainly in brackets."""
    if not _LISTED.fullmatch(text):
        return [text.strip()]
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(found, list | tuple | set) and not any(
            isinstance(each, list | dict) for each in found
        ):
            return [str(each).strip() for each in found if each is not None]
    return [part.strip(" '\"") for part in text.strip()[1:-1].split(",") if part.strip(" '\"")]


def _gathered(
    rows: Mapping[str, Sequence[str | None]], ticks: Sequence[str | None], keys: Sequence[str]
) -> tuple[dict[str, list[str | None]], list[frozenset[str] | None]]:
    """Rows that are a tick each as answers: the first row of each rater and item stays."""
    found: dict[tuple[str | None, ...], list[str]] = {}
    first: list[int] = []
    for row, key in enumerate(zip(*(rows[name] for name in keys), strict=True)):
        if key not in found:
            found[key] = []
            first.append(row)
        text = ticks[row]
        if text is not None and not is_missing(text):
            found[key].append(text.strip())
    kept = {name: [values[row] for row in first] for name, values in rows.items()}
    return kept, [frozenset(one) for one in found.values()]


def _without_none(
    ticked: Sequence[frozenset[str] | None], name: str, notes: list[str]
) -> list[frozenset[str] | None]:
    """Sets in which "none" is no option but the lack of any; beside others it contradicts them."""
    options = {option for one in ticked if one is not None for option in one}
    words = {option for option in options if option.casefold() in _NONE}
    if not words:
        return list(ticked)
    beside = sum(bool(one & words) and len(one - words) > 0 for one in ticked if one is not None)
    told = f"{name}: {listing(sorted(words))} is taken for ticking nothing"
    if beside:
        told += f"; {count(beside, 'answer ticks', 'answers tick')} it beside others"
    notes.append(f"{told}.")
    return [None if one is None else one - words for one in ticked]


def _offered(
    texts: Mapping[str, Sequence[str | None]], roles: Roles, items: Sequence[str], name: str
) -> list[frozenset[str]] | None:
    """What was offered in each row, where a column lists it."""
    if roles.offered is None:
        return None
    if isinstance(roles.offered, Mapping):
        known = {item: _ticks(text, roles.sets[0]) for item, text in roles.offered.items()}
        return [known.get(item or "") or frozenset() for item in texts[items[0]]]
    if roles.offered not in texts:
        raise InputError(
            f"{name} has no column {roles.offered!r} for what was offered: its columns are "
            f"{listing(tuple(texts))}."
        )
    separator = roles.sets[0] if len(roles.sets) == 1 else "|"
    separator = LIST if separator in (ROWS, LIST) else separator
    return [_ticks(text, separator) or frozenset() for text in texts[roles.offered]]


def _a_row_an_answer(source: Source, roles: Roles) -> tuple[Source, Roles, str]:
    """A row an item and a column a rater, as a row an answer."""
    raters = match_columns("raters", roles.raters, source.columns, table=source.name)
    rest = [name for name in source.columns if name not in raters]
    texts = _texts(source, [*rest, *raters])
    rater, label = _free("rater", texts), _free("label", texts)
    columns: dict[str, list[str | None]] = {
        name: [text for text in texts[name] for _ in raters] for name in rest
    }
    rows = len(texts[raters[0]])
    columns[rater] = [name for _ in range(rows) for name in raters]
    columns[label] = [texts[name][row] for row in range(rows) for name in raters]
    made = table_source(
        source.name,
        tuple(columns),
        pa.table(
            [optional_text_column(values) for values in columns.values()],
            [f"c{j}" for j in range(len(columns))],
        ),
        notes=source.notes,
    )
    return replace(made, call=source.call), replace(roles, rater=rater, label=label), label


def _with_joined(source: Source, parts: Sequence[str], name: str) -> Source:
    texts = _texts(source, parts)
    joined = text_column(map(joined_name, zip(*texts.values(), strict=True)))
    assert source.arrow is not None
    columns = (*source.columns, name)
    table = pa.table([*source.arrow.columns, joined], [f"c{j}" for j in range(len(columns))])
    return table_source(source.name, columns, table, notes=source.notes)


def _free(name: str, taken: Mapping[str, object]) -> str:
    while name in taken:
        name += "_"
    return name
