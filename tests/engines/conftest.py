"""Where data may live: pandas, a lazy Polars frame, a DuckDB relation, Spark; one of each."""

import shutil
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest

ENGINES = ("pandas", "polars", "duckdb", "spark")
WHY_NO_SPARK = (
    "Java is not installed, so nothing is tested on Spark: install Java 17 or newer"
    if shutil.which("java") is None
    else "pyspark is not installed, so nothing is tested on Spark: pip install 'headcount[spark]'"
    if find_spec("pyspark") is None
    else None
)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """One Spark for all tests, on this machine; skips, with the reason, where it cannot be."""
    if WHY_NO_SPARK is not None:
        pytest.skip(WHY_NO_SPARK)
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": str(tmp_path_factory.mktemp("spark")),
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    builder = SparkSession.builder.appName("tests").master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def frame_in(request: pytest.FixtureRequest) -> Iterator[Callable[[str, Path], Any]]:
    """A file of comma-separated values as a frame of an engine, every column text."""
    with duckdb.connect() as connection:

        def made(engine: str, path: Path) -> Any:
            if engine == "pandas":
                return pd.read_csv(path, dtype=str, keep_default_na=False, na_values=[""])
            if engine == "polars":
                return pl.scan_csv(path, infer_schema=False)
            if engine == "duckdb":
                return connection.read_csv(str(path), all_varchar=True)
            session = request.getfixturevalue("spark")
            return session.read.option("header", True).option("escape", '"').csv(str(path))

        yield made
