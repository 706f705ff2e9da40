"""Commands that read files: the arguments and options for that, added to any command."""

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from headcount.cli import options

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings

Wanted = Literal["no", "optional", "required"]

_RATINGS_OPTIONS: dict[str, tuple[Any, Any]] = {
    "item": (options.Item, None),
    "rater": (options.Rater, None),
    "label": (options.Label, None),
    "raters": (options.Raters, None),
    "classifiers": (options.Classifiers, None),
    "layout": (options.Layout, None),
    "text": (options.Text, None),
    "slices": (options.Slice, None),
    "cluster": (options.Cluster, None),
    "groups": (options.Group, None),
    "gold": (options.Gold, None),
    "occasion": (options.Occasion, None),
    "pool": (options.Pool, None),
    "weight": (options.Weight, None),
    "order": (options.Order, None),
    "scale": (options.Scale, None),
    "mapping": (options.Map, None),
    "fold_case": (options.FoldCase, False),
    "missing": (options.Missing, None),
    "unrated": (options.Unrated, "error"),
    "question": (options.Question, None),
    "rater_from": (options.RaterFrom, None),
    "controls": (options.Controls, "keep"),
    "sheet": (options.Sheet, None),
}
_PREDICTIONS_OPTIONS: dict[str, tuple[Any, Any]] = {
    "prediction_item": (options.PredictionItem, None),
    "run": (options.Run, None),
    "runs": (options.Runs, "first"),
}
_SHARED = ("mapping", "missing", "question", "sheet")


def reads(
    predictions: Wanted = "no", *, files: tuple[str, ...] = ()
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command RATINGS (and PREDICTIONS) with the options for reading them.

    The command itself is called with `ratings=` (a `Ratings`) and, unless `predictions="no"`,
    `predictions=` (a `Predictions` or None), next to the options it declares. Options named in
    `files` ("gold") name a column of the ratings or a file of their own, whose path the command
    is then called with.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        declared = inspect.signature(command).parameters
        # An option that the command declares itself is the command's, unless it may be a file.
        own_names = {name: each for name, each in declared.items() if name not in files}
        added = [each for each in _parameters(predictions) if _is_free(each.name, own_names)]

        def run(**given: Any) -> None:
            path, answers = given.pop("ratings"), given.pop("predictions", None)
            reading = _taken(_RATINGS_OPTIONS, given, own_names)
            more = _taken(_PREDICTIONS_OPTIONS, given, own_names)
            for name in files:
                apart = reading[name] is not None and Path(reading[name]).is_file()
                given[name] = reading[name] if apart else None
                reading[name] = None if apart else reading[name]
            if predictions == "no":
                given["ratings"] = read_ratings(path, **reading)
            else:
                given["ratings"], given["predictions"] = read_both(
                    path, answers, reading, more, required=predictions == "required"
                )
            command(**given)

        own = [
            parameter
            for name, parameter in declared.items()
            if name not in ("ratings", "predictions", *files)
        ]
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        everything = [*added, *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own)]
        vars(run)["__signature__"] = inspect.Signature(everything)
        run.__annotations__ = {p.name: p.annotation for p in everything}
        return run

    return decorate


def _is_free(name: str, declared: Mapping[str, inspect.Parameter]) -> bool:
    return name in ("ratings", "predictions") or name not in declared


def _taken(
    choices: dict[str, tuple[Any, Any]],
    given: dict[str, Any],
    declared: Mapping[str, inspect.Parameter],
) -> dict[str, Any]:
    """What was said with these options, taken out of what the command is called with."""
    return {
        name: given.pop(name, default) if _is_free(name, declared) else default
        for name, (_, default) in choices.items()
    }


def read_both(
    path: str, answers: str | None, reading: dict[str, Any], more: dict[str, Any], *, required: bool
) -> tuple["Ratings", "Predictions | None"]:
    """Ratings and predictions, from two files or from one that holds both."""
    from headcount.door.reading import holds_answers

    chosen = listed(reading["classifiers"])
    apart = answers is not None
    both = not apart and holds_answers(path)
    if both or (chosen and not apart):
        answers = path
    if answers is None and required:
        raise typer.BadParameter(
            "name the file with the predictions, or the columns of the first file that are "
            "classifiers with --classifiers.",
            param_hint="PREDICTIONS",
        )
    # With a file of its own, and in an export, a classifier is no column beside the raters'.
    ratings = read_ratings(path, **(reading | {"classifiers": None} if apart or both else reading))
    shared = {name: reading[name] for name in _SHARED}
    predictions = read_predictions(
        answers, item=reading["item"], classifiers=chosen, apart=apart, **more, **shared
    )
    if both and not required and not chosen:
        return ratings, _if_usable(ratings, predictions)
    return ratings, predictions


def _if_usable(ratings: "Ratings", predictions: "Predictions | None") -> "Predictions | None":
    """Answers that nobody asked for and that happen to stand in an export, if they can be used."""
    from headcount.data import judge
    from headcount.errors import HeadcountError

    try:
        if predictions is not None:
            judge(ratings, predictions, unknown="wrong")
    except HeadcountError as error:
        typer.echo(f"headcount: without the classifiers' answers: {error}", err=True)
        return None
    return predictions


def read_ratings(path: str | Path, **choices: Any) -> "Ratings":
    """Ratings from a file, with the command line's spelling of the options."""
    from headcount.data import Ratings

    for name in ("raters", "classifiers", "slices", "groups", "missing", "order"):
        if name in choices:
            choices[name] = listed(choices[name])
    choices["mapping"] = pairs(choices.get("mapping"))
    return Ratings.read(str(path), **choices)


def read_predictions(
    path: str | Path | None,
    *,
    item: str | None = None,
    prediction_item: str | None = None,
    classifiers: str | list[str] | None = None,
    apart: bool = True,
    **choices: Any,
) -> "Predictions | None":
    """Predictions from a file; the item column named for the ratings is tried here too."""
    from headcount.data import Predictions
    from headcount.errors import InputError

    if path is None:
        return None
    classifiers = listed(classifiers)
    choices["mapping"] = pairs(choices.get("mapping"))
    choices["missing"] = listed(choices.get("missing"))
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


def listed(given: str | list[str] | None) -> list[str] | None:
    """Names separated by commas, or given one by one."""
    if given is None:
        return None
    words = [given] if isinstance(given, str) else given
    return [name.strip() for word in words for name in word.split(",")]


def pairs(given: list[str] | dict[str, str] | None) -> dict[str, str]:
    """What answers are read as: from OLD=NEW, or from files of such lines."""
    from headcount.errors import OptionError

    if not given:
        return {}
    if isinstance(given, dict):
        return given
    found: dict[str, str] = {}
    for word in given:
        lines = [word]
        if "=" not in word:
            try:
                lines = Path(word).read_text(encoding="utf-8-sig").splitlines()
            except (OSError, ValueError) as error:
                raise OptionError(
                    f"--map is OLD=NEW, or a file with such a pair a line; it was {word!r}."
                ) from error
        for line in filter(str.strip, lines):
            old, sign, new = line.partition("=" if "=" in line else ",")
            if not sign or not new.strip():
                raise OptionError(f"--map is OLD=NEW, or a file of such lines; it was {line!r}.")
            found[old.strip()] = new.strip()
    return found


def _parameters(predictions: Wanted) -> list[inspect.Parameter]:
    kind = inspect.Parameter.KEYWORD_ONLY

    def parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
        return inspect.Parameter(name, kind, default=default, annotation=annotation)

    found = [parameter("ratings", options.RatingsPath, inspect.Parameter.empty)]
    if predictions == "required":
        found.append(parameter("predictions", options.PredictionsPath, None))
    if predictions == "optional":
        found.append(parameter("predictions", options.OptionalPredictionsPath, None))
    found += [parameter(name, *choice) for name, choice in _RATINGS_OPTIONS.items()]
    if predictions != "no":
        found += [parameter(name, *choice) for name, choice in _PREDICTIONS_OPTIONS.items()]
    return found
