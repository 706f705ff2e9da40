"""A tool's export as a table of ratings or of predictions, one question of it."""

import shlex
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from headcount.door.arrays import optional_text_column, text_column
from headcount.door.comparisons import CLUSTER, FIRST, SECOND, SHOWN
from headcount.door.roles import listing
from headcount.door.sets import EXPORTED
from headcount.door.source import Source, table_source
from headcount.door.text import exact_number
from headcount.door.tools.found import Cells, Found, Rating
from headcount.errors import InputError, OptionError
from headcount.results import count

if TYPE_CHECKING:
    from headcount.door.reading import Asked

_OPTION = ": "
_PAIRS = {
    "AlpacaEval": " If people gave them, or to rank the models by them, read it with "
    "--a generator_1 --b generator_2 --winner preference --rater annotator."
}


def ratings_source(found: Found, name: str, asked: "Asked") -> Source:
    """The ratings of one question: item, rater, label, and occasion, text and truth if there."""
    if not found.ratings:
        raise InputError(
            f"{name} is an export of {found.tool} that holds answers of classifiers and no "
            f"ratings by people: give it as the predictions.{_PAIRS.get(found.tool, '')}"
        )
    ratings, question, notes = chosen_ratings(found, name, asked)
    columns = {"item": text_column(rating.item for rating in ratings)}
    if found.own_names:
        columns = {
            each: text_column(found.own[rating.item][place] for rating in ratings)
            for place, each in enumerate(found.own_names)
        }
    if not found.anonymous or any(rating.rater for rating in ratings):
        columns["rater"] = text_column(rating.rater or "" for rating in ratings)
    columns["label"] = text_column(
        EXPORTED.join(rating.ticks) if asked.sets else rating.ticks[0] for rating in ratings
    )
    if all(rating.occasion for rating in ratings):
        occasion = SHOWN if found.compared else "occasion"
        columns[occasion] = text_column(rating.occasion for rating in ratings)
    if found.compared:
        for place, role in enumerate((CLUSTER, FIRST, SECOND)):
            columns[role] = text_column(found.compared[rating.item][place] for rating in ratings)
    for role, of_items in (("text", found.text), ("gold", found.truth)):
        if any(rating.item in of_items for rating in ratings):
            columns[role] = optional_text_column(of_items.get(rating.item) for rating in ratings)
    about = f" (question {question!r})" if question else ""
    told = f"{name}: read as an export of {found.tool}{about}{_left_out(found, question)}."
    table = pa.table(list(columns.values()), [f"c{j}" for j in range(len(columns))])
    return table_source(name, tuple(columns), table, notes=(told, *notes))


def _left_out(found: Found, question: str | None = None) -> str:
    times = Counter(found.left_out)
    if question is not None:  # of one question, whatever others there are
        times["without an answer"] += found.unanswered[question.partition(_OPTION)[0]]
    counted = [f"{reason} ({n:,})" for reason, n in sorted(times.items()) if n]
    return f"; left out: {', '.join(counted)}" if counted else ""


def chosen_ratings(
    found: Found, name: str, asked: "Asked"
) -> tuple[list[Rating], str, tuple[str, ...]]:
    """The ratings of the question asked for, each with one label; its name; what to know."""
    question, option = chosen_question(found, name, asked)
    ratings = [rating for rating in found.ratings if rating.question == question]
    notes: list[str] = []
    others = [other for other in found.questions() if other != question]
    if others and asked.question is None:
        notes.append(f"Other questions in {name}: {listing(others)}; choose with --question.")
    controls = {rating.item for rating in ratings} & found.controls
    if controls:
        answers = sum(rating.item in controls for rating in ratings)
        told = (
            f"{count(len(controls), 'control task', 'control tasks')} with "
            f"{count(answers, 'answer', 'answers')}, whose answer was known beforehand"
        )
        if asked.controls == "drop":
            ratings = [rating for rating in ratings if rating.item not in controls]
            notes.append(f"{told}: left out.")
        else:
            notes.append(f"{told}, among the items: leave out with --controls drop.")
    if option is not None:
        ratings = [
            Rating(r.item, r.rater, question, ("yes" if option in r.ticks else "no",), r.occasion)
            for r in ratings
        ]
        return ratings, f"{question}{_OPTION}{option}", tuple(notes)
    ticks = None if asked.sets else several_ticks(found, name, asked)
    if ticks is not None:
        raise InputError(ticks)
    return ratings, question, tuple(notes)


def several_ticks(found: Found, name: str, asked: "Asked") -> str | None:
    """What to say of answers that tick several options, unless one option was asked for."""
    question, option = chosen_question(found, name, asked)
    ratings = [rating for rating in found.ratings if rating.question == question]
    several = sum(len(rating.ticks) > 1 for rating in ratings)
    if option is not None or not several:
        return None
    options = list(dict.fromkeys(tick for rating in ratings for tick in rating.ticks))
    shown = f"{question}{_OPTION}{options[0]}" if question else options[0]
    return (
        f"{name}: {count(several, 'answer ticks', 'answers tick')} several options of "
        f"{question or 'the question'!r} ({listing(options, 6)}): ask one yes/no question an "
        f'option, all at once with sets="list" (--sets list), or one with question={shown!r} '
        f"(--question {shlex.quote(shown)})."
    )


def sets_table(found: Found, name: str, asked: "Asked") -> pa.Table:
    """Answers that tick several options, as they are: item, rater, and the options joined by |."""
    question, _ = chosen_question(found, name, asked)
    ratings = [rating for rating in found.ratings if rating.question == question]
    return pa.table(
        {
            "item": text_column(rating.item for rating in ratings),
            "rater": text_column(rating.rater or "" for rating in ratings),
            "label": text_column("|".join(rating.ticks) for rating in ratings),
        }
    )


def chosen_question(found: Found, name: str, asked: "Asked") -> tuple[str, str | None]:
    """The question asked for, and the option of it where one was named."""
    questions = found.questions()
    if asked.question is None:
        if len(questions) == 1 or found.main in questions:
            return (found.main if found.main in questions else questions[0]) or "", None
        raise InputError(
            f"{name} is an export of {found.tool} with several questions: choose one with "
            f"question= (--question): {listing(questions, 20)}."
        )
    return match_question(asked.question, questions, found, name)


def match_question(
    wanted: str, questions: Sequence[str], found: Found, name: str
) -> tuple[str, str | None]:
    """A question by its name, a part of it, or its name and one of its options."""
    if wanted in questions:
        return wanted, None
    for question in questions:
        options = {
            t for rating in found.ratings if rating.question == question for t in rating.ticks
        }
        for option in options:
            if wanted == f"{question}{_OPTION}{option}" or (not question and wanted == option):
                return question, option
    alike = [question for question in questions if wanted.lower() in question.lower()]
    if len(alike) == 1:
        return alike[0], None
    raise OptionError(f"{name} has no question {wanted!r}: it has {listing(questions, 20)}.")


def answers_source(found: Found, name: str, asked: "Asked") -> Source:
    """The classifiers' answers: item, then a column a classifier."""
    cells = question_cells(found, found.answers, name, asked)
    if not cells:
        raise InputError(
            f"{name} is an export of {found.tool} that holds ratings by people and no answers of "
            "classifiers: give it as the ratings."
        )
    told = f"{name}: read as an export of {found.tool}{_left_out(found)}."
    if len(found.own_names) == 1:
        own = {
            (found.own[row][0], of): text for (row, of), text in cells.items() if row in found.own
        }
        names, table = cells_table(own, found.own_names[0])
    else:
        names, table = cells_table(cells)
    return table_source(name, names, table, notes=(told,))


def question_cells(found: Found, cells: Cells, name: str, asked: "Asked") -> Cells:
    """The cells of classifiers that answer the question asked for, or no question in particular."""
    if not found.ratings or not found.questions_of:
        return cells
    question, _ = chosen_question(found, name, asked)
    return {
        key: value
        for key, value in cells.items()
        if found.questions_of.get(key[1], question) == question
    }


def cells_table(cells: Cells, item: str = "item") -> tuple[list[str], pa.Table]:
    """Cells by (row, column) as a table: the names of its columns, and the columns."""
    rows = list(dict.fromkeys(row for row, _ in cells))
    columns = list(dict.fromkeys(column for _, column in cells))
    while item in columns:
        item += "_"
    arrays = [text_column(rows)]
    arrays += [
        optional_text_column(cells.get((row, column)) or None for row in rows) for column in columns
    ]
    return [item, *columns], pa.table(arrays, [f"c{j}" for j in range(len(arrays))])


def with_positive(cells: Cells, labels: Sequence[str]) -> Cells:
    """Where there are two labels, columns of probabilities say which label they are of."""
    if len(labels) != 2:
        return cells
    by_column: dict[str, list[str]] = {}
    for (_, column), value in cells.items():
        if value:
            by_column.setdefault(column, []).append(value)
    soft = {column for column, values in by_column.items() if _probabilities(values, labels)}
    positive = sorted(labels)[-1]
    return {
        (row, f"{column}:{positive}" if column in soft else column): value
        for (row, column), value in cells.items()
    }


def _probabilities(values: Sequence[str], labels: Sequence[str]) -> bool:
    numbers = [exact_number(value) for value in values]
    return (
        not set(values) <= set(labels)
        and all(number is not None and 0 <= number <= 1 for number in numbers)
        and any(exact_number(label) is None for label in labels)
    )
