"""From files to a finished study: the numbers are the command line's, to the last digit."""

import csv
import io
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from tests.sameness import assert_same, assert_same_page
from tests.web.conftest import OPTIONS
from tests.web.site import Site, running

import headcount as hc


@pytest.fixture(scope="module")
def shared_site(finished, tmp_path_factory) -> Iterator[Site]:
    """A server on a folder with a finished study."""
    folder = shutil.copytree(finished[0], tmp_path_factory.mktemp("whole") / "studies")
    with running(folder) as found:
        yield found


@pytest.fixture(scope="module")
def done(finished) -> str:
    """The study of the demo files, evaluated."""
    return finished[1]


def test_the_files_are_understood_before_anything_is_computed(shared_site, demo_files) -> None:
    id = shared_site.upload(*demo_files)
    seen = shared_site.understood(id)
    assert shared_site.study(id)["state"] == "ready"
    assert seen["understood"]
    assert seen["able"]
    roles = {each["name"]: each["role"] for each in seen["ratings"]["columns"]}
    assert roles == {"item": "item", "rater": "rater", "label": "label", "occasion": "occasion"}
    answers = {each["name"]: each["role"] for each in seen["predictions"]["columns"]}
    assert answers["item"] == "item"
    assert set(answers.values()) == {"item", "classifier"}
    assert {table["id"] for table in seen["tables"]} >= {"facts", "labels", "questions"}


def test_numbers_equal_those_of_the_command_line(shared_site, done, demo, tmp_path) -> None:
    command = shared_site.study(done)["command"]
    assert command.startswith("headcount --no-settings evaluate ratings.csv predictions.csv ")
    for name in ("ratings.csv", "predictions.csv"):
        (tmp_path / name).write_bytes((demo / name).read_bytes())
    words = [*shlex.split(command)[1:], "--format", "json"]
    run = subprocess.run(
        [sys.executable, "-m", "headcount", *words],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(Path(hc.__file__).parents[1]), "PATH": ""},
    )
    result = shared_site.client.get(f"/api/studies/{done}/files/result")
    assert_same(result.json(), json.loads(run.stdout))
    report = shared_site.client.get(f"/api/studies/{done}/files/report")
    assert_same_page(report.text, (tmp_path / "report.html").read_text(encoding="utf-8"))


def test_every_download_is_what_it_says(shared_site, done, tmp_path) -> None:
    def file(what: str) -> bytes:
        answer = shared_site.client.get(f"/api/studies/{done}/files/{what}")
        assert answer.status_code == 200
        assert "attachment" in answer.headers["content-disposition"]
        return answer.content

    result = json.loads(file("result"))
    rows = list(csv.DictReader(io.StringIO(file("classifiers").decode())))
    assert [float(row["agree"]) for row in rows] == [
        each["agree"]["value"] for each in result["classifiers"]
    ]
    assert all(each["name"].replace("_", "\\_") in file("summary").decode() for each in rows)
    path = tmp_path / "ratings.parquet"
    path.write_bytes(file("ratings"))
    assert pq.read_table(path).column_names == ["item", "rater", "label", "occasion"]
    again = hc.Ratings.read(path)
    assert (again.n_items, again.n_ratings) == (result["data"]["items"], result["data"]["ratings"])
    assert shared_site.client.get(f"/api/studies/{done}/files/study").status_code == 404


def test_the_page_of_a_finished_study_says_the_verdict(shared_site, done) -> None:
    result = shared_site.client.get(f"/api/studies/{done}/files/result").json()
    page = shared_site.client.get(f"/studies/{done}").text
    assert "A first study" in page
    assert "Open the report" in page
    for each in result["classifiers"]:
        assert each["name"] in page
    listed = shared_site.client.get("/api/studies", params={"search": "FIRST fine_tuned"}).json()
    assert [each["id"] for each in listed["studies"]] == [done]
    assert "is worth" in listed["studies"][0]["verdict"]
    assert shared_site.client.get("/api/studies", params={"search": "nothing"}).json()["found"] == 0


def test_a_finished_study_stays_as_it_is_and_can_be_run_again(shared_site, done) -> None:
    refused = shared_site.client.post(f"/api/studies/{done}/evaluate", json={"options": {}})
    assert refused.status_code == 409
    assert "run it again" in refused.json()["error"]
    again = shared_site.client.post(f"/api/studies/{done}/again").json()
    assert (again["again_of"], again["options"]) == (done, OPTIONS)
    assert shared_site.wait(again["id"])["state"] == "ready"
    inputs = sorted(path.name for path in (shared_site.folder / "inputs").iterdir())
    shared_site.client.delete(f"/api/studies/{again['id']}")
    assert sorted(path.name for path in (shared_site.folder / "inputs").iterdir()) == inputs


def test_nothing_is_left_but_the_studies(shared_site, done) -> None:
    assert (shared_site.folder / "studies" / done).is_dir()
    assert shared_site.left_over() == []
