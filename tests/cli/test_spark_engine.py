"""`headcount evaluate --master`: tables that Spark reads and counts, and nothing left behind."""

import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

import headcount as hc
from headcount.cli.app import app
from headcount.door.spark import spark_session
from headcount.errors import InputError

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
    pytest.mark.skipif(
        shutil.which("java") is None or find_spec("pyspark") is None,
        reason="Spark takes Java 17 or newer and pyspark: pip install 'headcount[spark]'",
    ),
]


def test_spark_reads_what_duckdb_reads_and_is_gone_afterwards(tmp_path: Path) -> None:
    from pyspark.sql import SparkSession

    hc.simulate.make("running-example", seed=2, items=40).write(tmp_path)
    files = [str(tmp_path / "ratings.csv"), str(tmp_path / "predictions.csv")]
    options = ["--n-bootstrap", "0", "--format", "json"]
    here = CliRunner().invoke(app, ["evaluate", *files, *options])
    running = SparkSession.getActiveSession()
    there = CliRunner().invoke(app, ["evaluate", *files, *options, "--engine", "spark"])
    assert there.exit_code == 0, there.output
    assert SparkSession.getActiveSession() is running
    ours, theirs = json.loads(here.stdout), json.loads(there.stdout)
    assert ours["equivalence"]["classifiers"] == theirs["equivalence"]["classifiers"]
    absent = CliRunner().invoke(
        app, ["evaluate", "nowhere.parquet", "nobody.parquet", "--master", "local[1]"]
    )
    assert "Spark finds no table at nowhere.parquet" in str(absent.exception)


def test_breaking_off_stops_the_session() -> None:
    from pyspark.sql import SparkSession

    running = SparkSession.getActiveSession()
    with pytest.raises(KeyboardInterrupt), spark_session("local[1]"):
        raise KeyboardInterrupt
    assert SparkSession.getActiveSession() is running
    if running is None:
        with pytest.raises(InputError, match="cannot be started"), spark_session("nonsense"):
            pass
