"""How files were understood, for a page to show: columns, roles, first rows, or the refusal."""

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Any

from headcount.data import Predictions, Ratings, read_both, read_ratings, values_by_item
from headcount.door.answered import find_classifiers
from headcount.door.layout import Layout
from headcount.door.reading import Asked, expand, open_answers, open_ratings, read_exports
from headcount.door.roles import Roles, find_column
from headcount.door.source import Source
from headcount.errors import HeadcountError, InputError, UnsureError
from headcount.evaluation import examine
from headcount.options import described
from headcount.options.reading import PredictionsReading, RatingsReading
from headcount.results import Table, count
from headcount.web.proposals import of_mismatch, of_reading, of_refusal, reason

# Options that name several columns, and what each of those columns is.
ROLE_OF = {
    "raters": "rater_column",
    "classifiers": "classifier",
    "slices": "slice",
    "groups": "group",
}

# Values of a column that show what it is, in the room of one line.
_EXAMPLES = 4

# Columns listed: a form with more could not be read, nor sent back whole.
_MOST_COLUMNS = 300

# Letters of an example before it is cut: the width of a cell.
_LONG = 60
NO_CLASSIFIERS = (
    "There are no classifiers yet: say which columns are classifiers, or add a file with their "
    "answers."
)


def complete(reading: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was said of the files with all defaults: of the ratings, and of the predictions."""
    ratings = RatingsReading(**{n: v for n, v in reading.items() if n in described(RatingsReading)})
    more = {n: v for n, v in reading.items() if n in described(PredictionsReading)}
    return ratings.as_given(), PredictionsReading(**more).as_given()


def look(files: Mapping[str, str | None], reading: Mapping[str, Any]) -> dict[str, Any]:
    """Read the files as an evaluation would, and tell what was seen or why they were refused.

    `files` are the paths of "ratings" (a pattern where there are several), "predictions" and
    "gold", None where there is none.
    """
    ratings, predictions = files["ratings"] or "", files["predictions"]
    said, more = complete(reading)
    told: dict[str, Any] = {
        "understood": False,
        "sentence": "",
        "remedy": {},
        "ratings": None,
        "predictions": None,
        "tables": [],
        "notes": [],
        "labels": [],
        "classifiers": [],
        "able": False,
        "proposals": [],
        "changed": [],
    }
    try:
        people, machines = read_both(ratings, predictions, said, more)
    except HeadcountError as error:
        told["sentence"] = reason(str(error))
        if isinstance(error, UnsureError):
            told["remedy"], told["proposals"] = error.remedy, of_refusal(error.readings)
        if len(expand(ratings)) > 1 and said["rater_from"] is None:
            told["remedy"] |= _file_a_rater(ratings, said)
            said |= {"rater_from": told["remedy"].get("rater_from")}
        told["ratings"] = _refused(ratings, said, told["remedy"])
        told["predictions"] = _answers(predictions, said, more)
        return told
    told["ratings"] = _read(ratings, people, said)
    told["predictions"] = _answers(predictions, said, more, machines)
    told["changed"] = list(people.source.notes) if people.source is not None else []
    told["proposals"] = of_reading(people)
    try:
        return told | _seen(people, machines, files["gold"])
    except HeadcountError as error:  # each file is fine by itself, and they do not fit
        alike = [] if machines is None else of_mismatch(people, machines)
        return told | {"sentence": reason(str(error)), "proposals": alike}


def _file_a_rater(path: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """The remedy where files are only understood with a rater each, if they are."""
    try:
        people = read_ratings(path, **{**said, "classifiers": None, "rater_from": "file"})
    except HeadcountError:
        return {}
    found = {role: getattr(people.layout, role) for role in ("item", "label", "occasion", "text")}
    return {"rater_from": "file", **{role: name for role, name in found.items() if name}}


def _seen(people: Ratings, machines: Predictions | None, gold: str | None) -> dict[str, Any]:
    known = () if gold is None else (_of_gold(people, gold),)
    found = examine(people, machines)
    return {
        "understood": True,
        "sentence": found.verdict() if machines is not None else NO_CLASSIFIERS,
        "tables": [plain_table(table) for table in found.tables()],
        "notes": [*known, *found.notes],
        "labels": list(people.labels.names),
        "classifiers": [] if machines is None else list(machines.names),
        "able": machines is not None,
    }


def _of_gold(people: Ratings, path: str) -> str:
    """What a file of gold knows of these items."""
    known = values_by_item(path, "gold")
    rated = sum(str(item) in known for item in people.item_counts().items)
    if not rated:
        raise InputError(
            f"{path} knows none of the items that people rated: both must use the same item ids."
        )
    return (
        f"{path} has the right answer of {count(len(known), 'item', 'items')}, and people rated "
        f"{rated:,} of them."
    )


def plain_table(table: Table) -> dict[str, Any]:
    """A table as JSON; its cells are texts."""
    return {
        "id": table.id,
        "title": table.title,
        "columns": list(table.columns),
        "rows": table.cells(),
        "caption": table.caption,
    }


def _read(path: str, people: Ratings, said: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of ratings that were read, each with its role."""
    assert people.source is not None
    taken = _roles(people.layout)
    for name in people.source.columns:
        if any(fnmatchcase(name, one) or name == one for one in _names(said["classifiers"])):
            taken.setdefault(name, "classifier")
    return {
        "kind": people.layout.kind,
        **_export(path, said),
        "columns": _columns(people.source, taken, said["rater_from"]),
    }


def _refused(path: str, said: Mapping[str, Any], remedy: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a table that was not understood, with the roles that would most likely do."""
    try:
        source = open_ratings(path, Roles(), _asked(said))
    except HeadcountError:  # the file itself is refused: there are no columns to speak of
        return {"kind": None, **_export(path, said), "columns": []}
    taken: dict[str, str] = {}
    for role, given in {**_given(said), **remedy}.items():
        for one in _names(given):
            found = [name for name in source.columns if name == one or fnmatchcase(name, one)]
            taken |= {name: ROLE_OF.get(role, role) for name in found}
    return {
        "kind": None,
        **_export(path, said),
        "columns": _columns(source, taken, said["rater_from"]),
    }


def _given(said: Mapping[str, Any]) -> dict[str, Any]:
    """What the user said of columns, by role."""
    roles = Roles()
    return {name: said[name] for name in vars(roles) if said.get(name)}


def _roles(layout: Layout) -> dict[str, str]:
    """The columns of a table by name, with what each was taken for."""
    single = ("item", "label", "rater", "occasion", "pool", "weight", "text", "cluster", "gold")
    taken = {name: role for role in single if (name := getattr(layout, role))}
    taken |= dict.fromkeys(layout.groups, "group") | dict.fromkeys(layout.slices, "slice")
    taken |= dict.fromkeys(layout.classifiers, "classifier")
    each = "rater_column" if layout.kind == "wide" else "count"
    return taken | dict.fromkeys(layout.others, each)


def _columns(
    source: Source, taken: Mapping[str, str], rater_from: str | None = None
) -> list[dict[str, Any]]:
    # Where the file's name is the rater, the column that says so is ours.
    ours = ("rater",) if rater_from else ()
    return [
        {"name": name, "role": taken.get(name, ""), "examples": _examples(source, name)}
        for name in source.columns[:_MOST_COLUMNS]
        if name not in ours
    ]


def _examples(source: Source, name: str) -> list[str]:
    """The first few different values of a column."""
    found = dict.fromkeys(text for text in source.seen(name, 200) if text)
    return [
        text if len(text) <= _LONG else text[: _LONG - 1] + "…" for text in list(found)[:_EXAMPLES]
    ]


def _export(path: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Which tool a file comes from, and the questions in it; nothing where it is a table."""
    if said["label"] or said["raters"]:
        return {"tool": None, "questions": []}
    try:
        found = read_exports(expand(path), _asked(said))
    except HeadcountError:
        found = None
    if found is None:
        return {"tool": None, "questions": []}
    return {"tool": found.tool, "questions": found.questions()[:50]}


def _asked(said: Mapping[str, Any]) -> Asked:
    return Asked(said["question"], said["rater_from"], said["sheet"], said["controls"])


def _answers(
    path: str | None,
    said: Mapping[str, Any],
    more: Mapping[str, Any],
    machines: Predictions | None = None,
) -> dict[str, Any] | None:
    """The columns of a file of predictions, each with its role; None where there is none.

    Where a row is an answer, or another tool wrote the file, columns are no classifiers, and
    there is nothing to choose among them.
    """
    if path is None:
        return None
    try:
        source = open_answers(path, Roles(), _asked(said))
        item = find_column("item", source.columns, more["prediction_item"], table=source.name)
    except HeadcountError:
        return {"columns": []}
    if said["item"] in source.columns and not more["prediction_item"]:
        item = said["item"]
    others = [name for name in source.columns if name not in (item, more["run"])]
    known = {name: each.name for each in find_classifiers(source, others) for name in each.columns}
    if machines is not None and not set(machines.names) <= set(known.values()):
        return {"columns": []}
    chosen = _names(said["classifiers"])
    taken = {
        name: "classifier"
        for name, of in known.items()
        if not chosen or any(of == one or fnmatchcase(of, one) for one in chosen)
    }
    taken |= {name: role for name, role in ((item, "item"), (more["run"], "run")) if name}
    columns = [{**each, "of": known.get(each["name"])} for each in _columns(source, taken)]
    return {"columns": columns}


def _names(given: Any) -> tuple[str, ...]:
    if not given:
        return ()
    return (given,) if isinstance(given, str) else tuple(given)
