"""Commands that read files: the arguments and options for that, added to any command."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from headcount.cli import options

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings

Wanted = Literal["no", "optional", "required"]

_RATINGS_OPTIONS: dict[str, tuple[Any, Any]] = {
    "item": (options.Item, None),
    "rater": (options.Rater, None),
    "label": (options.Label, None),
    "layout": (options.Layout, None),
    "order": (options.Order, None),
    "scale": (options.Scale, None),
    "occasion": (options.Occasion, None),
    "pool": (options.Pool, None),
    "group": (options.Group, None),
    "weight": (options.Weight, None),
    "unrated": (options.Unrated, "error"),
}


def reads(predictions: Wanted = "no") -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command RATINGS (and PREDICTIONS) with the options for reading them.

    The command itself is called with `ratings=` (a `Ratings`) and, unless `predictions="no"`,
    `predictions=` (a `Predictions` or None), next to the options it declares.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        added = _parameters(predictions)

        def run(**given: Any) -> None:
            paths = {name: given.pop(name, None) for name in ("ratings", "predictions")}
            reading = {name: given.pop(name) for name in _RATINGS_OPTIONS}
            chosen = given.pop("classifiers", None)
            given["ratings"] = read_ratings(paths["ratings"], **reading)
            if predictions != "no":
                given["predictions"] = read_predictions(
                    paths["predictions"], item=reading["item"], classifiers=chosen
                )
            command(**given)

        own = [
            parameter
            for name, parameter in inspect.signature(command).parameters.items()
            if name not in ("ratings", "predictions")
        ]
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        everything = [*added, *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own)]
        vars(run)["__signature__"] = inspect.Signature(everything)
        run.__annotations__ = {p.name: p.annotation for p in everything}
        return run

    return decorate


def read_ratings(path: Path, *, order: str | None = None, **choices: Any) -> "Ratings":
    """Ratings from a file, with the command line's spelling of the options."""
    from headcount.data import Ratings

    return Ratings.read(path, order=_names(order), **choices)


def read_predictions(
    path: Path | None, *, item: str | None = None, classifiers: str | None = None
) -> "Predictions | None":
    """Predictions from a file; the item column named for the ratings is tried here too."""
    from headcount.data import Predictions

    if path is None:
        return None
    return Predictions.read(path, item=item, classifiers=_names(classifiers))


def _names(listed: str | None) -> list[str] | None:
    return None if listed is None else [name.strip() for name in listed.split(",")]


def _parameters(predictions: Wanted) -> list[inspect.Parameter]:
    kind = inspect.Parameter.KEYWORD_ONLY

    def parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
        return inspect.Parameter(name, kind, default=default, annotation=annotation)

    found = [parameter("ratings", options.RatingsPath, inspect.Parameter.empty)]
    if predictions == "required":
        found.append(parameter("predictions", options.PredictionsPath, inspect.Parameter.empty))
    if predictions == "optional":
        found.append(parameter("predictions", options.OptionalPredictionsPath, None))
    found += [parameter(name, *choice) for name, choice in _RATINGS_OPTIONS.items()]
    if predictions != "no":
        found.append(parameter("classifiers", options.Classifiers, None))
    return found
