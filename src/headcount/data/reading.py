"""Ratings and predictions from the files that a user names, with what was said of them.

Commands and pages read by these functions, so that both take a file for the same thing. What is
said of items from outside the ratings (gold labels, slices, strata) is read here too.
"""

import os
import shlex
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from headcount.counting import size
from headcount.data.judged import judge
from headcount.data.predictions import Predictions
from headcount.data.ratings import Ratings
from headcount.door import source_of_frame
from headcount.door.meeting_ids import meeting_columns
from headcount.door.reading import Asked, holds_answers, open_answers, open_ratings
from headcount.door.roles import Roles, find_column, listing, require_column
from headcount.door.sets import LIST, ROWS
from headcount.door.source import Source
from headcount.door.text import is_missing
from headcount.errors import HeadcountError, InputError, OptionError, UnsureError
from headcount.options.declared import listed, pairs
from headcount.options.reading import SHARED

_LISTS = ("raters", "classifiers", "slices", "groups", "missing", "order")


def read_both(
    path: str | Path,
    answers: str | Path | None,
    reading: Mapping[str, Any],
    more: Mapping[str, Any],
) -> tuple[Ratings, Predictions | None]:
    """Ratings and predictions, from two files or from one that holds both.

    `reading` are the choices of `RatingsReading` and `more` those of `PredictionsReading`.
    """
    chosen = listed(reading["classifiers"])
    apart = answers is not None
    both = not apart and holds_answers(path)
    if both or (chosen and not apart):
        answers = path
    # With a file of its own, and in an export, a classifier is no column beside the raters'.
    people = {**reading, "classifiers": None} if apart or both else dict(reading)
    beside = _offered_beside(answers, reading) if apart else None
    if beside is not None:  # what was offered is listed with the predictions
        people["offered"], chosen = beside
    ratings = read_ratings(path, **people)
    shared = {name: reading[name] for name in SHARED}
    item, named = reading["item"], ratings.layout.classifiers
    if named and answers is None:  # people and models on one sheet, told apart by their names
        answers, item, chosen = path, ratings.layout.item, list(named)
    if ratings.layout.sets:
        shared |= {"sets": _between(reading["sets"]), "ratings": ratings}
    predictions = read_predictions(
        answers, item=item, classifiers=chosen, apart=apart, **more, **shared
    )
    if apart and predictions is not None:
        _check_meeting(path, answers, ratings, predictions)
    return ratings, predictions


def _offered_beside(
    answers: Any, reading: Mapping[str, Any]
) -> tuple[dict[str, str], list[str]] | None:
    """What was offered on each item, where a column of the predictions lists it; the others."""
    name = reading["offered"]
    if not name or not reading["sets"]:
        return None
    source = open_answers(str(answers), Roles(), Asked(question=reading["question"]))
    if name not in source.columns:
        return None
    item = require_column("item", source.columns, None, table=source.name)
    table = source.ask(f"SELECT {source.text(item)} AS i, {source.text(name)} AS o FROM source")
    found = dict(zip(table["i"].to_pylist(), table["o"].to_pylist(), strict=True))
    rest = listed(reading["classifiers"]) or [c for c in source.columns if c not in (item, name)]
    return {key: text for key, text in found.items() if key and text}, rest


def _said_of_sets(given: Any) -> list[str] | None:
    """`--sets` as typed: a comma alone stands between options, among letters between columns."""
    if given is None:
        return None
    words = [given] if isinstance(given, str) else list(given)
    return [part for word in words for part in (word.split(",") if word.strip(", ") else [","])]


def _between(sets: Any) -> str:
    """What stands between options in the predictions, where ratings in rows do not tell."""
    given = _said_of_sets(sets) or []
    return given[0] if len(given) == 1 and given[0] not in (ROWS, LIST) else LIST


def _check_meeting(path: Any, answers: Any, ratings: Ratings, predictions: Predictions) -> None:
    """Ids that do not meet: say by which columns or paths of the two files they would."""
    large = ratings.source is None or ratings.source.size > size.HELD_AT_ONCE
    if large or predictions.afar is not None:
        return
    known = set(ratings.item_counts().items.tolist())
    if any(name in known for name in predictions.ids.to_pylist()):
        return
    found = meeting_columns(path, answers)
    if found is None:
        return  # told, with the ids that both have, where they are counted
    one, other, common = found
    words = shlex.join(["--item", one, "--prediction-item", other])
    raise UnsureError(
        f"{ratings.name} and {predictions.name} have no item in common, but {one!r} of the one and "
        f"{other!r} of the other have {common:,} values in common: read them with {words}.",
        {"item": one, "prediction_item": other},
    )


def frames_of_both(
    people: Any, answers: Any, reading: Mapping[str, Any], more: Mapping[str, Any]
) -> tuple[Ratings, Predictions]:
    """Ratings and predictions from two frames, or from one that holds both."""
    for name in ("question", "rater_from", "sheet"):
        if reading[name]:
            raise OptionError(f"{name} is said of files, and not of tables that Spark reads.")
    chosen = listed(reading["classifiers"])
    beside = chosen if answers is None else None
    ratings = read_ratings(people, **{**reading, "classifiers": beside})
    machines = people if answers is None else answers
    return ratings, Predictions.from_frame(
        machines,
        item=more["prediction_item"] or (reading["item"] if answers is None else None),
        classifiers=chosen,
        run=more["run"],
        variants=listed(more["variants"]),
        runs=more["runs"],
        mapping=pairs(reading["mapping"]),
        missing=listed(reading["missing"]),
    )


def read_ratings(path: Any, **choices: Any) -> Ratings:
    """Ratings from a file or a frame, with the command line's spelling of the options."""
    for name in _LISTS:
        if name in choices:
            choices[name] = listed(choices[name])
    choices["mapping"] = pairs(choices.get("mapping"))
    choices["sets"] = _said_of_sets(choices.get("sets"))
    where = str(path) if isinstance(path, str | Path) else path
    return Ratings.read(where, **choices)


def read_predictions(
    path: str | Path | None,
    *,
    item: str | None = None,
    prediction_item: str | None = None,
    classifiers: str | list[str] | None = None,
    apart: bool = True,
    **choices: Any,
) -> Predictions | None:
    """Predictions from a file; the item column named for the ratings is tried here too."""
    if path is None:
        return None
    classifiers = listed(classifiers)
    choices["mapping"] = pairs(choices.get("mapping"))
    choices["missing"] = listed(choices.get("missing"))
    choices["variants"] = listed(choices.get("variants"))
    choices = {name: value for name, value in choices.items() if value is not None}
    if item is not None and prediction_item is None and apart:
        try:
            return Predictions.read(str(path), item=item, classifiers=classifiers, **choices)
        except InputError as error:
            if "for the item" not in str(error):
                raise
    return Predictions.read(
        str(path),
        item=prediction_item if apart else prediction_item or item,
        classifiers=classifiers,
        **choices,
    )


def ask_ahead(ratings: Ratings) -> bool:
    """Ask now what nearly every method will: the counts item by item, and who said what.

    False, and nothing is asked, where the ratings are too many to be held in memory at once.
    """
    if ratings.source is not None and ratings.source.size > size.HELD_AT_ONCE:
        return False
    with suppress(HeadcountError):  # told by the method that cannot do without
        _ = ratings.n_raters, ratings.item_counts()
        if ratings.named:
            ratings.answers()
    return True


def why_unusable(ratings: Ratings, predictions: Predictions) -> str | None:
    """Why answers that nobody asked for, and that stand in an export, cannot be used; or None."""
    try:
        judge(ratings, predictions, unknown="wrong")
    except HeadcountError as error:
        return str(error)
    return None


def values_by_item(given: Any, role: str) -> dict[str, str]:
    """Each item's value by its id, from a mapping, or a file or frame with a row an item.

    `role` says what the values are ("gold", "slice"); a table has a column of that name or of a
    usual one for it, or only one column beside the item's.

    >>> values_by_item({1: "cat", 2: None}, "gold")
    {'1': 'cat'}
    """
    if isinstance(given, Mapping):
        pairs = (
            (str(item), None if value is None else str(value)) for item, value in given.items()
        )
        return {item: value for item, value in pairs if not is_missing(value) and value is not None}
    source = (
        open_ratings(given, Roles(), Asked())
        if isinstance(given, str | os.PathLike)
        else source_of_frame(given, f"the {role} frame")
    )
    return _by_item(source, role)


def _by_item(source: Source, role: str) -> dict[str, str]:
    item = require_column("item", source.columns, None, table=source.name)
    others = [name for name in source.columns if name != item]
    column = find_column(role, others, None, table=source.name)
    column = column or (role if role in others else None)
    column = column or find_column("label", others, None, table=source.name)
    if column is None and len(others) == 1:
        column = others[0]
    if column is None:
        raise InputError(
            f"{source.name} does not tell which column is the {role}: call it {role!r}; its "
            f"columns are {listing(source.columns)}."
        )
    table = source.ask(f"SELECT {source.text(item)} AS i, {source.text(column)} AS v FROM source")
    found: dict[str, str] = {}
    for name, value in zip(table["i"].to_pylist(), table["v"].to_pylist(), strict=True):
        if name is None or is_missing(value):
            continue
        if found.setdefault(name, value) != value:
            raise InputError(
                f"{source.name} says {found[name]!r} and {value!r} of the item {name!r}: the "
                f"{role} of an item must be one."
            )
    return found
