"""A role for each column, as a form asks for it, and the options that say the same.

Only what differs from how the table was understood becomes an option: a table that is taken as
it stands is read as the command line reads it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

RATINGS_ROLES = {
    "": "not used",
    "item": "item (case, text, image)",
    "label": "label that was given",
    "rater": "who gave the label",
    "rater_column": "rater (one person's answers)",
    "classifier": "classifier (one model's answers)",
    "text": "text of the item",
    "gold": "answer known to be right",
    "cluster": "patient, document: where items belong",
    "slice": "part of the items to look at",
    "group": "group of the rater",
    "occasion": "when it was asked",
    "pool": "pool of raters",
    "weight": "weight of the answer",
    "count": "how often this label was given",
}
PREDICTIONS_ROLES = {
    "": "not used",
    "item": "item (as in the ratings)",
    "classifier": "classifier's answers",
    "run": "number of the run",
}
_ONE = ("item", "label", "rater", "text", "gold", "cluster", "occasion", "pool", "weight")
_MANY = {
    "rater_column": "raters",
    "classifier": "classifiers",
    "slice": "slices",
    "group": "groups",
}
_BY_NAME = ("rater", "occasion", "pool", "text", "cluster", "gold")
"""Roles that a column may be given for its name alone: "" says that none has them."""
NAMED = (*_ONE, *_MANY.values())
"""The options of `RatingsReading` that name columns."""


def as_reading(
    chosen: Mapping[str, str], look: Mapping[str, Any], reading: Mapping[str, Any]
) -> dict[str, Any]:
    """The reading options once columns of the ratings were given these roles.

    `look` is how the table was seen with the options `reading`; what they say of other things
    than columns stays.
    """
    seen = look.get("ratings") or {}
    before = {each["name"]: each["role"] for each in seen.get("columns", [])}
    now = {name: chosen.get(name, role) for name, role in before.items()}
    # The columns of another tool's export are ours, and there is nothing to choose among them.
    if seen.get("tool") or (look.get("understood") and now == before):
        return dict(reading)
    found = {name: value for name, value in reading.items() if name not in NAMED}
    for role in _ONE:
        names = [name for name, given in now.items() if given == role]
        if names:
            found[role] = names[0]
        elif role in _BY_NAME and role in before.values():
            found[role] = ""
    for role, option in _MANY.items():
        names = [patterned(name) for name, given in now.items() if given == role]
        if names:
            found[option] = names
    if "count" in now.values() and "layout" not in found:
        found["layout"] = "counts"
    return found


def with_answers(
    chosen: Mapping[str, str], look: Mapping[str, Any], reading: Mapping[str, Any]
) -> dict[str, Any]:
    """The reading options once columns of the predictions were given these roles."""
    columns = (look.get("predictions") or {}).get("columns", [])
    before = {each["name"]: each["role"] for each in columns}
    now = {name: chosen.get(name, role) for name, role in before.items()}
    if now == before:
        return dict(reading)
    found = {
        name: value
        for name, value in reading.items()
        if name not in ("prediction_item", "run", "classifiers")
    }
    items = [name for name, role in now.items() if role == "item"]
    if items and before.get(items[0]) != "item":
        found["prediction_item"] = items[0]
    elif "prediction_item" in reading:
        found["prediction_item"] = reading["prediction_item"]
    runs = [name for name, role in now.items() if role == "run"]
    if runs:
        found["run"] = runs[0]
    of = {each["name"]: each["of"] or each["name"] for each in columns}
    wanted = [of[name] for name, role in now.items() if role == "classifier"]
    if set(wanted) != {of[name] for name in now if name not in (*items, *runs)}:
        found["classifiers"] = [patterned(name) for name in dict.fromkeys(wanted)]
    return found


def twice_chosen(chosen: Mapping[str, str]) -> str | None:
    """Why these roles cannot be: one that only one column can have was given to two."""
    for role in _ONE:
        names = [name for name, given in chosen.items() if given == role]
        if len(names) > 1:
            what = RATINGS_ROLES[role]
            return f"Only one column can be the {what}, and here are two: {_listing(names)}."
    return None


def patterned(name: str) -> str:
    """A column's name where names are separated by commas: any sign stands for its commas."""
    return name.replace(",", "?")


def _listing(names: Sequence[str]) -> str:
    return " and ".join(repr(name) for name in names[:3])
