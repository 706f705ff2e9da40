"""The same data give the same numbers, wherever they live."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pytest
from tests.engines.conftest import ENGINES
from tests.sameness import differences

import headcount as hc
from headcount.errors import InputError
from headcount.simulate import make

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")

FOLDERS = (
    *("cifar10h", "credbank", "entailment-rte", "llm-rubric", "offensiveness", "pandalm-judges"),
    *("pg13", "running-example", "running-example-50", "sleep-stages", "summeval", "valence"),
    *("wikipedia-attacks", "wikipedia-attacks-published", "word-sense", "xhate-retest"),
)
SMALL_FOLDERS = ("llm-rubric", "pandalm-judges", "running-example-50", "valence")
TOLD = 1e-6
"""How far numbers may differ: iterative fits are among them."""


@pytest.fixture
def as_if_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames stay where they live and items are looked at in groups, as if they were many."""
    monkeypatch.setattr("headcount.counting.size.LARGE", -1)
    monkeypatch.setattr("headcount.counting.size.LARGE", -1)


@pytest.fixture(scope="module")
def comments(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Simulated comments in two files: raters with names, labels, probabilities, gaps."""
    folder = tmp_path_factory.mktemp("comments")
    made = make("comments", seed=3, items=90)
    people = pl.DataFrame(
        {name: [str(each) for each in column] for name, column in made.rating_columns.items()}
    )
    answers = made.predictions.table.rename_columns(
        ["item", *made.predictions.table.column_names[1:]]
    )
    machines = pl.DataFrame(pl.from_arrow(answers)).head(84)
    ratings, predictions = folder / "ratings.csv", folder / "predictions.csv"
    people.write_csv(ratings)
    machines.write_csv(predictions)
    return ratings, predictions


def told(ratings: Any, predictions: Any, **options: Any) -> dict[str, Any]:
    """An evaluation in JSON's terms; agreement alone where there are no predictions."""
    if predictions is None:
        return hc.agreement(ratings, **options).to_dict()
    return hc.evaluate(ratings, predictions, unknown="wrong", **options).to_dict()


@pytest.mark.usefixtures("as_if_large")
@pytest.mark.parametrize("engine", ENGINES[1:])
def test_evaluate_in_groups_where_the_data_live(
    engine: str,
    comments: tuple[Path, Path],
    frame_in: Callable[[str, Path], Any],
) -> None:
    """Ratings and predictions stay there: groups come back, and say what item rows would."""
    frames = [frame_in(engine, path) for path in comments]
    ratings, predictions = hc.Ratings.from_frame(frames[0]), hc.Predictions.from_frame(frames[1])
    assert predictions.afar is not None
    met = ratings.reductions.met(ratings.meaning, predictions.afar, first=False)
    assert met is not None
    found = told(ratings, predictions, n_bootstrap=20)
    here = hc.Ratings.read(comments[0]), hc.Predictions.read(comments[1])
    assert list(differences(told(*here, n_bootstrap=20), found, within=TOLD)) == []


@pytest.mark.usefixtures("as_if_large")
@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_part_of_the_items_is_drawn_in_every_engine(
    engine: str,
    comments: tuple[Path, Path],
    frame_in: Callable[[str, Path], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Raters are left out on a half of the items: the same ones, with the same answers."""
    monkeypatch.setattr("headcount.counting.size.PART_ITEMS", 45)
    frames = [frame_in(engine, path) for path in comments]
    ratings, predictions = hc.Ratings.from_frame(frames[0]), hc.Predictions.from_frame(frames[1])
    there = hc.Study(ratings, predictions, unknown="wrong")
    here = hc.Study(hc.Ratings.read(comments[0]), hc.Predictions.read(comments[1]), unknown="wrong")
    assert there.part is not None
    assert here.part is not None
    assert 20 < here.part.judged.n_items < 70
    ours, theirs = _handed(there.part), _handed(here.part)
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        np.testing.assert_array_equal(value, theirs[name], err_msg=name)
    found, expected = (
        hc.evaluate(each, unknown="wrong", n_bootstrap=20).to_dict() for each in (there, here)
    )
    assert list(differences(expected, found, within=TOLD)) == []


@pytest.mark.parametrize("engine", ENGINES)
def test_item_rows_are_the_same_in_every_engine(
    engine: str,
    comments: tuple[Path, Path],
    frame_in: Callable[[str, Path], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What asks for items or answers one by one gets the same ones."""
    monkeypatch.setattr("headcount.counting.size.LARGE", -1)
    ratings = hc.Ratings.from_frame(frame_in(engine, comments[0]))
    here = hc.Ratings.read(comments[0])
    np.testing.assert_array_equal(ratings.item_counts().counts, here.item_counts().counts)
    assert list(ratings.item_counts().items) == list(here.item_counts().items)
    ours, theirs = ratings.answers().first(), here.answers().first()
    np.testing.assert_array_equal(ours.label, theirs.label)
    assert list(ours.raters) == list(theirs.raters)


def test_groups_say_what_item_rows_say(
    comments: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without names of raters, looking at groups alone changes no number."""
    machines = pl.read_csv(comments[1], infer_schema=False)
    people = hc.Ratings.read(comments[0]).item_counts()
    answered = np.isin(people.items, machines["item"].to_list())
    ratings = hc.Ratings.from_counts(people.counts[answered], labels=["fine", "toxic"])
    place = {name: str(j) for j, name in enumerate(people.items[answered])}
    machines = machines.with_columns(pl.col("item").replace_strict(place))
    rows = told(ratings, machines, n_bootstrap=20)
    monkeypatch.setattr("headcount.counting.size.LARGE", -1)
    groups = told(ratings, machines, n_bootstrap=20)
    by_item = ("/agreement/contested", "/confusion/alone", "/decided", "/next_labels")
    found = differences(rows, groups, within=1e-9)
    assert [each for each in found if not each.startswith(by_item)] == []


def test_probabilities_with_every_digit_are_few_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past so many different answers they are cut, the same in every engine, and it is said."""
    monkeypatch.setattr("headcount.counting.size.LARGE", -1)
    monkeypatch.setattr("headcount.counting.size.MOST_KINDS", 120)
    monkeypatch.setattr("headcount.counting.size.MOST_KINDS", 120)
    monkeypatch.setattr("headcount.counting.size.ROWS_SEEN", 100)
    rng = np.random.default_rng(0)
    share = rng.random(300)
    items = [f"i{j}" for j in range(300)]
    machines = pl.DataFrame({"item": items, "sure": share})
    people = pl.DataFrame(
        {
            "item": items * 3,
            "rater": [f"r{j}" for j in range(3) for _ in items],
            "label": ["yes" if u < p else "no" for p in (*share, *share, *share) for u in [0.5]],
        }
    )
    afar = hc.Study(
        hc.Ratings.from_frame(people.lazy()), hc.Predictions.from_frame(machines.lazy())
    )
    near = hc.Study(hc.Ratings.from_frame(people), hc.Predictions.from_frame(machines))
    here, there = near.groups, afar.groups
    assert len(here.size) <= 121
    for study in (near, afar):
        assert any("digits, which moves none of them" in note for note in study.notes)
    np.testing.assert_array_equal(here.counts, there.counts)
    np.testing.assert_array_equal(here.size, there.size)
    ours, theirs = here.classifiers[0].probabilities, there.classifiers[0].probabilities
    assert ours is not None
    assert theirs is not None
    np.testing.assert_allclose(ours, theirs)


def test_a_folder_of_parquet_files_by_day(tmp_path: Path, comments: tuple[Path, Path]) -> None:
    """A Hive-partitioned folder reads like the one table it is."""
    table = pl.read_csv(comments[0], infer_schema=False)
    part = (pl.col("item").hash() % 3).alias("part")
    table.with_columns(part).write_parquet(tmp_path / "hive", partition_by="part", mkdir=True)
    with duckdb.connect() as connection:
        hive = connection.read_parquet(str(tmp_path / "hive/**/*.parquet"), hive_partitioning=True)
        found = hc.Ratings.from_frame(hive)
        assert found.n_ratings == hc.Ratings.read(comments[0]).n_ratings
    again = hc.Ratings.read(tmp_path / "hive")
    np.testing.assert_array_equal(again.patterns().counts, found.patterns().counts)


def test_a_relation_larger_than_its_memory_spills(tmp_path: Path) -> None:
    """DuckDB counts with less memory than the table has, in a folder that is empty after it."""
    spill = tmp_path / "spill"
    with duckdb.connect(
        config={"memory_limit": "60MB", "threads": 1, "temp_directory": str(spill)}
    ) as connection:
        said = connection.sql(
            "SELECT 'item number ' || (hash(i) % 300000) AS item, 'rater ' || i AS rater, "
            "CASE WHEN hash(i * 7) % 3 = 0 THEN 'yes' ELSE 'no' END AS label "
            "FROM range(900000) t(i)"
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("headcount.counting.size.LARGE", 1000)
            assert hc.Ratings.from_frame(said).n_ratings == 900_000
    assert not spill.exists() or not list(spill.iterdir())


def _files(folder: Path) -> tuple[Path, Path | None]:
    people = next(each for each in folder.iterdir() if each.name.startswith(("ratings", "counts")))
    return people, next(folder.glob("predictions.csv*"), None)


def _pairs(folders: tuple[str, ...]) -> Iterator[Any]:
    for folder in folders:
        for engine in ENGINES:
            yield pytest.param(folder, engine, id=f"{folder}-{engine}")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_real_folder_is_the_same_in_every_engine(
    engine: str, shared_data: Callable[[str], Path], frame_in: Callable[[str, Path], Any]
) -> None:
    _check("running-example-50", engine, shared_data, frame_in, n_bootstrap=20)


@pytest.mark.parametrize(("folder", "engine"), list(_pairs(SMALL_FOLDERS)))
def test_small_real_folders_hand_every_method_the_same(
    folder: str,
    engine: str,
    shared_data: Callable[[str], Path],
    frame_in: Callable[[str, Path], Any],
) -> None:
    _check_handed(folder, engine, shared_data, frame_in)


@pytest.mark.prove
@pytest.mark.parametrize(("folder", "engine"), list(_pairs(FOLDERS)))
def test_every_real_folder_hands_every_method_the_same(
    folder: str,
    engine: str,
    shared_data: Callable[[str], Path],
    frame_in: Callable[[str, Path], Any],
) -> None:
    """Equal numbers go in, and nothing in a method knows where they came from."""
    _check_handed(folder, engine, shared_data, frame_in)


@pytest.mark.prove
@pytest.mark.parametrize(("folder", "engine"), list(_pairs(FOLDERS)))
def test_every_real_folder_is_the_same_in_every_engine(
    folder: str,
    engine: str,
    shared_data: Callable[[str], Path],
    frame_in: Callable[[str, Path], Any],
) -> None:
    _check(folder, engine, shared_data, frame_in, n_bootstrap=100)


def _check(
    folder: str,
    engine: str,
    shared_data: Callable[[str], Path],
    frame_in: Callable[[str, Path], Any],
    *,
    n_bootstrap: int,
) -> None:
    people, machines = _files(shared_data(folder))
    frames = (
        hc.Ratings.read(frame_in(engine, people)),
        None if machines is None else hc.Predictions.from_frame(frame_in(engine, machines)),
    )
    found = told(*frames, n_bootstrap=n_bootstrap)
    assert list(differences(_expected(people, machines, n_bootstrap), found, within=TOLD)) == []


def _check_handed(
    folder: str,
    engine: str,
    shared_data: Callable[[str], Path],
    frame_in: Callable[[str, Path], Any],
) -> None:
    people, machines = _files(shared_data(folder))
    answers = None if machines is None else hc.Predictions.from_frame(frame_in(engine, machines))
    ratings = hc.Ratings.read(frame_in(engine, people))
    ours, theirs = _handed(hc.Study(ratings, answers, unknown="wrong")), _read(people, machines)
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        np.testing.assert_array_equal(value, theirs[name], err_msg=name)


@cache
def _read(people: Path, machines: Path | None) -> dict[str, Any]:
    answers = None if machines is None else hc.Predictions.read(machines)
    return _handed(hc.Study(hc.Ratings.read(people), answers, unknown="wrong"))


def _handed(study: hc.Study) -> dict[str, Any]:
    """All that methods are handed: labels, counts, who said what, what classifiers said."""
    ratings, judged, named = study.ratings, study.judged, study.named
    found: dict[str, Any] = {
        "labels": ratings.labels.names,
        "scale": ratings.scale.kind,
        "numbers": [ratings.n_ratings, ratings.n_retests, ratings.n_copies, ratings.n_missing],
        "raters": -1 if ratings.n_raters is None else ratings.n_raters,
        "items": judged.items,
        "counts": judged.counts,
        "size": judged.size,
    }
    for each in judged.classifiers:
        found |= {f"{each.name} says": each.outputs(), f"{each.name} answered": each.answered}
    if named is not None:
        found |= {"item": named.item, "rater": named.rater, "label": named.label}
        found |= {"names": named.raters}
    return found


@cache
def _expected(people: Path, machines: Path | None, n_bootstrap: int) -> dict[str, Any]:
    """What the files themselves say."""
    answers = None if machines is None else hc.Predictions.read(machines)
    return told(hc.Ratings.read(people), answers, n_bootstrap=n_bootstrap)


def test_large_parquet_files_are_met_where_they_lie(
    tmp_path: Path, comments: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Predictions in a large file are joined in SQL: groups come back, the same as item by item."""
    for file in comments:
        columns = pl.read_csv(file)
        columns.write_parquet(tmp_path / f"{file.stem}.parquet")
    paths = tmp_path / "ratings.parquet", tmp_path / "predictions.parquet"
    here = hc.Study(hc.Ratings.read(paths[0]), hc.Predictions.read(paths[1])).judged.grouped()
    monkeypatch.setattr("headcount.counting.size.LARGE_FILE", -1)
    predictions = hc.Predictions.read(paths[1])
    assert predictions.afar is not None
    assert predictions.n_items == 84
    there = hc.Study(hc.Ratings.read(paths[0]), predictions).groups
    np.testing.assert_array_equal(here.counts, there.counts)
    np.testing.assert_array_equal(here.size, there.size)
    for ours, theirs in zip(here.classifiers, there.classifiers, strict=True):
        np.testing.assert_allclose(ours.outputs(), theirs.outputs())
    twice = pl.concat([pl.read_parquet(paths[1]), pl.read_parquet(paths[1]).head(1)])
    twice.write_parquet(paths[1])
    with pytest.raises(InputError, match="a second row of predictions"):
        _ = hc.Study(hc.Ratings.read(paths[0]), hc.Predictions.read(paths[1])).groups


@pytest.mark.parametrize("name", ["item", "llm_judge"])
def test_spaces_in_a_large_parquet_file_of_predictions_go(
    tmp_path: Path, comments: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Cells are read as they stand first: one with a space around it is noticed, and none kept."""
    plain = pl.read_csv(comments[1])
    first = pl.int_range(pl.len()) == 0
    text = pl.col(name).cast(pl.String)
    changed = plain.with_columns(pl.when(first).then(text + " ").otherwise(text).alias(name))
    ratings = hc.Ratings.read(comments[0])
    monkeypatch.setattr("headcount.counting.size.LARGE_FILE", -1)
    met = []
    for table, file in (
        (plain, tmp_path / "plain.parquet"),
        (changed, tmp_path / "spaced.parquet"),
    ):
        table.write_parquet(file)
        predictions = hc.Predictions.read(file)
        assert predictions.afar is not None
        met.append(hc.Study(ratings, predictions).groups)
    np.testing.assert_array_equal(met[0].counts, met[1].counts)
    np.testing.assert_array_equal(met[0].size, met[1].size)
    for ours, theirs in zip(met[0].classifiers, met[1].classifiers, strict=True):
        np.testing.assert_array_equal(ours.outputs(), theirs.outputs())
