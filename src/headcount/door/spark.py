"""Spark, where one machine is not enough: a session for as long as a command runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import Any

from headcount.errors import InputError, MissingExtraError

_FORMATS = {".csv": "csv", ".tsv": "csv", ".json": "json", ".jsonl": "json", ".orc": "orc"}


@contextmanager
def spark_session(master: str) -> Iterator[Any]:
    """A session at this master, stopped at the end, also where the work was broken off.

    One that is running already in this process is used, and left as it was.
    """
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise MissingExtraError(
            "Spark is not installed: pip install 'headcount[spark]', with Java 17 or newer."
        ) from error
    running = SparkSession.getActiveSession()
    if running is not None:
        yield running
        return
    # No page of its own and no bar: what is to be told is told by the command.
    builder = SparkSession.builder.appName("headcount").master(master)
    builder = builder.config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    try:
        session = builder.getOrCreate()
    except Exception as error:  # no Java, no such master: Spark and Py4J raise their own errors
        raise InputError(
            f"Spark cannot be started with the master {master!r}: check the address, and that Java "
            "17 or newer is installed (java -version)."
        ) from error
    session.sparkContext.setLogLevel("ERROR")
    try:
        yield session
    finally:
        session.sparkContext.cancelAllJobs()
        session.stop()


def frame_in(session: Any, path: str) -> Any:
    """The table at a path that Spark can see: a file, a folder, a pattern; Parquet by default."""
    suffix = PurePosixPath(path.removesuffix(".gz")).suffix.lower()
    kind = _FORMATS.get(suffix, "parquet")
    reader = session.read
    if kind == "csv":
        reader = reader.option("header", True).option("sep", "\t" if suffix == ".tsv" else ",")
    try:
        return reader.format(kind).load(path)
    except Exception as error:  # an analysis error of Spark's, or one of the store beneath
        raise InputError(f"Spark finds no table at {path}: check the path.") from error
