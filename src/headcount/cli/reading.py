"""Commands that read files: the arguments and options for that, added to any command."""

import inspect
import os
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Required, TypedDict

import typer

from headcount.aside import aside, can_work_aside
from headcount.cli import options
from headcount.cli.options import also, parameter
from headcount.cli.output import told
from headcount.options import Options, described
from headcount.options.reading import PredictionsReading, RatingsReading

if TYPE_CHECKING:
    from headcount.data import Predictions, Ratings

    class Tables(TypedDict, total=False):
        """What a command is called with."""

        ratings: Required[Ratings]
        predictions: Predictions | None


Wanted = Literal["no", "optional", "required"]

SPARK = "spark"
"""The engine that counts where Spark is, and is exact like the usual one."""

_SMALL = 4 << 20
"""Bytes up to which a text file, unpacked or not, is nearly always held in memory."""
_PACKED_WELL = (".parquet", ".pq")
"""Formats in which so many bytes may be millions of ratings."""


def reads(
    predictions: Wanted = "no",
    *,
    files: tuple[str, ...] = (),
    spark: bool = False,
    meanwhile: tuple[str, ...] = (),
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command RATINGS (and PREDICTIONS) with the options for reading them.

    The command itself is called with `ratings=` (a `Ratings`) and, unless `predictions="no"`,
    `predictions=` (a `Predictions` or None), next to the options it declares. Options named in
    `files` ("gold") name a column of the ratings or a file of their own, whose path the command
    is then called with. With `spark` the tables may be read and counted there (`--master`).
    `meanwhile` names modules that the command takes long to load: small files are read in a second
    process while this one loads them.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        declared = inspect.signature(command).parameters
        # An option that the command declares itself is the command's, unless it may be a file.
        own_names = {name: each for name, each in declared.items() if name not in files}
        added = [each for each in _parameters(predictions) if _is_free(each.name, own_names)]
        if spark:
            added.append(_named("master", options.Master, None))

        def run(**given: Any) -> None:
            master = given.pop("master", None)
            if str(given.get("engine")) == SPARK:
                given["engine"], master = "exact", master or "local[*]"
            if master is None:
                count(None, **given)
                return
            from headcount.door.spark import frame_in, spark_session

            with spark_session(master) as session:
                count(partial(frame_in, session), **given)

        def count(frame: Callable[[str], Any] | None, **given: Any) -> None:
            path, answers = given.pop("ratings"), given.pop("predictions", None)
            reading = _taken(RatingsReading, given, own_names)
            more = _taken(PredictionsReading, given, own_names)
            for name in files:
                apart = reading[name] is not None and Path(reading[name]).is_file()
                given[name] = reading[name] if apart else None
                reading[name] = None if apart else reading[name]
            if frame is None:
                read = partial(_read, path, answers, reading, more, predictions)
            else:
                read = partial(_read_frames, frame, path, answers, reading, more)
            small = frame is None and bool(meanwhile) and _are_small(path, answers)
            with aside(partial(_read_ahead, read), wanted=small and can_work_aside()) as begun:
                with told(f"reading and counting {path}"):
                    for module in meanwhile:
                        import_module(module)
                    given |= begun.found() or read()
                command(**given)

        own = [
            parameter
            for name, parameter in declared.items()
            if name not in ("ratings", "predictions", *files)
        ]
        if spark:
            counted = "spark: exact too, the tables counted there (--master)."
            own = [also(p, SPARK, counted) if p.name == "engine" else p for p in own]
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        everything = [*added, *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own)]
        vars(run)["__signature__"] = inspect.Signature(everything)
        run.__annotations__ = {p.name: p.annotation for p in everything}
        return run

    return decorate


def _read(
    path: str, answers: str | None, reading: dict[str, Any], more: dict[str, Any], wanted: Wanted
) -> "Tables":
    from headcount.data import read_both, read_ratings, why_unusable

    if wanted == "no":
        return {"ratings": read_ratings(path, **reading)}
    chosen = answers is not None or reading["classifiers"]
    ratings, predictions = read_both(path, answers, reading, more)
    if wanted == "required" and predictions is None:
        raise typer.BadParameter(
            "name the file with the predictions, or the columns of the first file that are "
            "classifiers with --classifiers.",
            param_hint="PREDICTIONS",
        )
    if wanted == "optional" and predictions is not None and not chosen:
        # Nobody asked for these: they happen to stand in an export.
        problem = why_unusable(ratings, predictions)
        if problem is not None:
            typer.echo(f"headcount: without the classifiers' answers: {problem}", err=True)
            predictions = None
    return {"ratings": ratings, "predictions": predictions}


def _read_frames(
    frame: Callable[[str], Any],
    path: str,
    answers: str | None,
    reading: dict[str, Any],
    more: dict[str, Any],
) -> "Tables":
    """The same from frames that live elsewhere: each path becomes one."""
    from headcount.data import frames_of_both

    chosen = answers is not None or reading["classifiers"]
    if not chosen:
        raise typer.BadParameter("name the table with the predictions.", param_hint="PREDICTIONS")
    ratings, predictions = frames_of_both(
        frame(path), None if answers is None else frame(answers), reading, more
    )
    return {"ratings": ratings, "predictions": predictions}


def _are_small(*paths: str | None) -> bool:
    """Whether these are files that are read whole, in less time than it takes to load a method."""
    files = [os.path.expanduser(path) for path in paths if path is not None]
    try:
        return all(
            os.path.isfile(file)
            and os.path.getsize(file) <= _SMALL
            and not file.lower().endswith(_PACKED_WELL)
            for file in files
        )
    except OSError:  # told by whoever reads them
        return False


def _read_ahead(read: "Callable[[], Tables]") -> "Tables":
    """What is read, with what nearly every method asks of it asked already."""
    from headcount.data import ask_ahead

    tables = read()
    if not ask_ahead(tables["ratings"]):
        raise ValueError("too large to be handed over")
    return tables


def _is_free(name: str, declared: Mapping[str, inspect.Parameter]) -> bool:
    return name in ("ratings", "predictions") or name not in declared


def _taken(
    choices: type[Options],
    given: dict[str, Any],
    declared: Mapping[str, inspect.Parameter],
) -> dict[str, Any]:
    """What was said with these options, taken out of what the command is called with."""
    defaults = {name: getattr(choices, name) for name in described(choices)}
    return {
        name: given.pop(name, default) if _is_free(name, declared) else default
        for name, default in defaults.items()
    }


def _named(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=annotation)


def _parameters(predictions: Wanted) -> list[inspect.Parameter]:
    found = [_named("ratings", options.RatingsPath, inspect.Parameter.empty)]
    if predictions == "required":
        found.append(_named("predictions", options.PredictionsPath, None))
    if predictions == "optional":
        found.append(_named("predictions", options.OptionalPredictionsPath, None))
    found += [parameter(RatingsReading, name) for name in described(RatingsReading)]
    if predictions != "no":
        found += [parameter(PredictionsReading, name) for name in described(PredictionsReading)]
    return found
