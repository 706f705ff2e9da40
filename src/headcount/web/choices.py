"""Options as fields of a form: shown from where they are declared, read back with a sentence.

Columns have a role each, as a form asks for it; and the same is said once more as a command.
"""

import math
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.options import EvaluateOptions, Options, described, typed
from headcount.options.reading import PredictionsReading, RatingsReading
from headcount.web.record import BASELINE_FILE, StudyRecord

Kind = Literal["choice", "switch", "number", "text", "lines"]

# What may be chosen where the declaration allows any text; a test holds it to the methods.
WORDS = {
    "combiner": ("auto", "abc", "fitted", "linear", "plurality", "frequency", "frequency-overall",
                 "mean"),
    "scorer": ("auto", "cross_entropy", "agreement", "brier", "f1", "precision", "recall", "auc",
               "correlation", "dmi", "rps", "crps", "absolute_error", "squared_error", "within_one",
               "quadratic_kappa", "spearman"),
    "layout": ("long", "wide", "counts"),
    "scale": ("nominal", "ordered", "numeric"),
    "unrated": ("error", "drop"),
    "controls": ("keep", "drop"),
    "rater_from": ("file", "folder"),
    "runs": ("first", "majority"),
}  # fmt: skip

FLIP_RATES = ("auto", "retest", "svd")

# Letters of one answer: a long list of labels, and no upload in disguise.
_MOST_TEXT = 10_000

# Names in one list, as many as columns that anybody would tick.
_MOST_NAMES = 2_000
_AUTOMATIC = "automatic"


@frozen
class Field:
    """One option as a page shows it."""

    name: str
    help: str
    panel: str
    kind: Kind
    value: str
    default: str
    choices: tuple[tuple[str, str], ...] = ()
    whole: bool = False


def fields(
    options: type[Options], given: Mapping[str, Any], leave_out: tuple[str, ...] = ()
) -> list[Field]:
    """The options of a class with the values that were given."""
    found = []
    for name, told in described(options).items():
        if name in leave_out:
            continue
        default = getattr(options, name)
        value = given.get(name, default)
        words = told.choices or WORDS.get(name, ())
        kind: Kind = "text"
        choices: tuple[tuple[str, str], ...] = ()
        if told.kind is bool:
            kind = "switch"
            choices = (("yes", "yes"), ("no", "no"))
            choices = (("", _AUTOMATIC), *choices) if default is None else choices
        elif words:
            kind = "choice"
            choices = tuple((word, word) for word in words)
            choices = (("", _AUTOMATIC), *choices) if default is None else choices
        elif told.kind in (int, float):
            kind = "number"
        elif name == "mapping":
            kind = "lines"
        found.append(
            Field(
                name,
                told.help,
                told.panel,
                kind,
                shown(value),
                shown(default),
                choices,
                whole=told.kind is int,
            )
        )
    return found


def evaluation_fields(given: Mapping[str, Any]) -> list[Field]:
    """The options of an evaluation."""
    return fields(EvaluateOptions, given)


def reading_fields(given: Mapping[str, Any]) -> list[Field]:
    """What can be said of the files beside which column is what."""
    return [
        *fields(RatingsReading, given, leave_out=(*NAMED, "rater_from")),
        *fields(PredictionsReading, given, leave_out=("prediction_item", "run")),
    ]


def shown(value: Any) -> str:
    """A value as a form shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "\n".join(f"{old}={new}" for old, new in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


def read_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """What differs from the defaults of an evaluation, checked: from a form or from JSON."""
    found = _read(EvaluateOptions, given)
    flip = found.get("flip_rate")
    if isinstance(flip, str):
        found["flip_rate"] = flip = _flip_rate(flip)
    EvaluateOptions(**found)
    return found


def read_reading(given: Mapping[str, Any]) -> dict[str, Any]:
    """What differs from the defaults of reading, checked: from a form or from JSON."""
    of_ratings = {name: value for name, value in given.items() if name in described(RatingsReading)}
    others = {name: value for name, value in given.items() if name not in of_ratings}
    return _read(RatingsReading, of_ratings) | _read(PredictionsReading, others)


def _read(options: type[Options], given: Mapping[str, Any]) -> dict[str, Any]:
    told = described(options)
    unknown = [name for name in given if name not in told]
    if unknown:
        raise OptionError(
            f"There is no option {str(unknown[0])[:50]!r}: there are {', '.join(told)}."
        )
    found = {name: _value(options, name, value) for name, value in given.items()}
    return {
        name: value
        for name, value in found.items()
        if value is not None and value != getattr(options, name)
    }


def _value(options: type[Options], name: str, value: Any) -> Any:
    """One option's value; None where it was left as it is."""
    told = described(options)[name]
    if value is None or (value == "" and name not in NAMED):
        return None
    if told.kind is bool:
        return _truth(name, value)
    if told.kind in (int, float):
        return as_number(name, value, whole=told.kind is int)
    if name == "mapping":
        return _pairs(value)
    words = told.choices or WORDS.get(name, ())
    if words and value not in words:
        raise OptionError(f"{name} is one of {', '.join(words)}; it was {str(value)[:50]!r}.")
    if told.many or name in ("order", "missing"):
        return _names(name, value)
    if name == "flip_rate" and isinstance(value, int | float) and not isinstance(value, bool):
        return as_number(name, value, whole=False)
    return _text(name, value)


def _truth(name: str, value: Any) -> bool:
    known = {"yes": True, "no": False, True: True, False: False}
    if not isinstance(value, str | bool) or value not in known:
        raise OptionError(f"{name} is yes or no; it was {str(value)[:50]!r}.")
    return known[value]


def as_number(name: str, value: Any, *, whole: bool) -> float:
    try:
        if isinstance(value, bool):
            raise ValueError
        found = float(value)
    except (TypeError, ValueError, OverflowError):
        raise OptionError(f"{name} is a number; it was {str(value)[:50]!r}.") from None
    if not math.isfinite(found) or abs(found) > 1e12 or (whole and found != int(found)):
        kind = "a whole number" if whole else "a number"
        raise OptionError(f"{name} is {kind}; it was {str(value)[:50]!r}.")
    return int(found) if whole else found


def _flip_rate(text: str) -> str | float:
    if text in FLIP_RATES:
        return text
    try:
        return float(text)
    except ValueError:
        raise OptionError(
            f"flip_rate is {', '.join(FLIP_RATES)} or a number such as 0.1; it was {text[:50]!r}."
        ) from None


def _pairs(value: Any) -> dict[str, str]:
    if isinstance(value, Mapping):
        return {_text("mapping", old): _text("mapping", new) for old, new in value.items()}
    found = {}
    for line in filter(str.strip, _text("mapping", value).splitlines()):
        old, sign, new = line.partition("=")
        if not sign or not old.strip() or not new.strip():
            raise OptionError(f"Pairs are OLD=NEW, one a line; it was {line[:50]!r}.")
        found[old.strip()] = new.strip()
    return found


def _names(name: str, value: Any) -> list[str] | None:
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or len(words) > _MOST_NAMES:
        raise OptionError(f"{name} is a list of names.")
    found = [part.strip() for word in words for part in _text(name, word).split(",")]
    return [part for part in found if part] or None


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str) or len(value) > _MOST_TEXT:
        raise OptionError(f"{name} is a text of at most {_MOST_TEXT:,} letters.")
    return value


# Roles that a column may be given for its name alone: "" says that none has them.
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

# The options of `RatingsReading` that name columns.
NAMED = (*_ONE, *_MANY.values())


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
            # Several columns may name the item together, and only the item.
            found[role] = names if role == "item" and len(names) > 1 else names[0]
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
        if len(names) > 1 and role != "item":
            what = RATINGS_ROLES[role]
            return f"Only one column can be the {what}, and here are two: {_listing(names)}."
    return None


def patterned(name: str) -> str:
    """A column's name where names are separated by commas: any sign stands for its commas."""
    return name.replace(",", "?")


def _listing(names: Sequence[str]) -> str:
    return " and ".join(repr(name) for name in names[:3])


def words_of(record: StudyRecord) -> list[str]:
    """What is typed; the files go by the names that their owner knows.

    Settings that lie near those files are left out, since the study knows nothing of them.
    """
    files = {name: path or "" for name, path in record.files.items()}
    return [
        "headcount",
        "--no-settings",
        "evaluate",
        *(files[name] for name in ("ratings", "predictions") if files[name]),
        *typed(RatingsReading, record.reading),
        *typed(PredictionsReading, record.reading),
        *(("--gold", files["gold"]) if files["gold"] else ()),
        *typed(EvaluateOptions, record.options),
        *(word for each in record.require for word in ("--require", each)),
        *(("--baseline", BASELINE_FILE) if record.baseline else ()),
        "--output",
        "report.html",
    ]


def command_of(record: StudyRecord) -> str:
    """The command as one line for a terminal."""
    return shlex.join(words_of(record))


def calculator_command(words: list[str], options: Any, given: Mapping[str, Any]) -> str:
    """The command of a calculator."""
    first, *rest = words
    return shlex.join([first, "--no-settings", *rest, *typed(options, given)])
